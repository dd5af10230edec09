// Pinned host memory: vectors that copies to and from a GPU need not be waited for.
#pragma once

#include <sinter/array/host.hpp>
#include <sinter/runtime/memory/pinned.hpp>
#include <sinter/runtime/lazy/stream.hpp>

#include <vector>

namespace sinter::inline SINTER_ABI {

/// An allocator of page-locked memory (cupy.cuda.alloc_pinned_memory), of ordinary memory where the current device is
/// the CPU.
/// Giving memory back waits for the copies from and to it; throws out_of_memory.
template <class T>
struct pinned_allocator {
    using value_type = T;
    pinned_allocator() = default;
    template <class U>
    pinned_allocator(const pinned_allocator<U>&) {}
    T* allocate(std::size_t count) {
        if (count > std::size_t(-1) / sizeof(T)) throw std::bad_array_new_length();
        return static_cast<T*>(runtime::allocate_pinned(count * sizeof(T), runtime::current_device()));
    }
    void deallocate(T* data, std::size_t) noexcept { runtime::release_pinned(data); }
    friend bool operator==(const pinned_allocator&, const pinned_allocator&) { return true; }
};

/// A vector in page-locked memory. `asarray(v)` with it returns while the copy is still to come, on this thread's
/// stream: change its elements only when an event recorded after that has been reached. Ending it waits.
template <class T>
using pinned_vector = std::vector<T, pinned_allocator<T>>;

namespace detail {
void read_later(const handle& x, void* to, event& done);
}

/// Writes the elements in row-major order to pinned memory while the host goes on, and records the event behind it:
/// read them when the event has been reached. Other memory is written at once. Throws shape_error, and errors of data
/// at once.
template <expression E, class R>
    requires requires(R&& r) {
        { std::data(r) } -> std::convertible_to<value_type_t<E>*>;
        std::size(r);
    }
void copy_to(const E& e, R&& to, event& done) {
    detail::handle h = detail::as_handle(e);
    if (static_cast<std::int64_t>(std::size(to)) != h->shape.product())
        detail::throw_host_size("copy_to", static_cast<std::int64_t>(std::size(to)), h->shape);
    detail::read_later(h, std::data(to), done);
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/tools/pinned.ipp>
#endif
