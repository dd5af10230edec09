// What a thread keeps of a kind, so that short-lived things need no new memory; must not know the kind.
#pragma once

#include <cstddef>
#include <new>
#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// The last few of a kind that a thread has done with; `End` ends those that are left with the thread.
template <class T, void (*End)(T*)>
class idle_list {
public:
    ~idle_list() {
        is_over_ = true;
        while (count_ > 0) End(kept_[--count_]);
    }
    static idle_list& of_thread() {
        static thread_local idle_list idle;
        return idle;
    }
    /// One of them, or nullptr.
    T* take() { return count_ > 0 ? kept_[--count_] : nullptr; }
    /// Keeps one, or ends it where there are enough.
    void keep(T* x) {
        if (is_over_ || count_ == most) End(x);
        else kept_[count_++] = x;
    }

private:
    static constexpr int most = 16;
    T* kept_[most];
    int count_ = 0;
    bool is_over_ = false;
};

/// Memory of a thread's values of a kind, the last of which wait for the next ones.
template <class T>
struct idle_block {
    static void end(idle_block* block) { ::operator delete(block); }
    static idle_list<idle_block, end>& of_thread() { return idle_list<idle_block, end>::of_thread(); }
};

/// Takes memory of values from there.
template <class T>
struct block_allocator {
    using value_type = T;

    block_allocator() = default;
    template <class U>
    block_allocator(const block_allocator<U>&) {}
    T* allocate(std::size_t) {
        void* const idle = idle_block<T>::of_thread().take();
        return static_cast<T*>(idle ? idle : ::operator new(sizeof(T)));
    }
    void deallocate(T* block, std::size_t) { idle_block<T>::of_thread().keep(reinterpret_cast<idle_block<T>*>(block)); }
    bool operator==(const block_allocator&) const { return true; }
};

}  // namespace sinter::inline SINTER_ABI::detail
