// Bodies of pinned.hpp: which ranges are pinned, and which devices copy from or to them.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/memory/pinned.hpp>

namespace sinter::inline SINTER_ABI::runtime {

struct pinned_table {
    static constexpr int not_locked = -1;
    struct range {
        const char* first;
        std::size_t bytes;
        int locked;               ///< by this device's driver, or not_locked
        std::uint64_t users = 0;  ///< devices, a bit each
    };
    std::mutex guard;
    codegen::sequence<range> ranges;  ///< by ascending addresses

    // How many begin at an address or before it.
    std::size_t count_until(const void* address) const {
        std::size_t first = 0, last = ranges.size();
        while (first < last) {
            const std::size_t middle = (first + last) / 2;
            if (ranges[middle].first <= address) first = middle + 1;
            else last = middle;
        }
        return first;
    }
    void add(const range& r) {
        ranges.push_back(r);
        for (std::size_t i = ranges.size() - 1; i > 0 && ranges[i - 1].first > r.first; --i) {
            ranges[i] = ranges[i - 1];
            ranges[i - 1] = r;
        }
    }
    std::atomic<int> count{0};
};

SINTER_INLINE pinned_table& pinned_ranges() {
    static pinned_table& t = *new pinned_table;
    return t;
}

// Null when the driver has no such memory left.
SINTER_INLINE void* lock_memory(std::size_t bytes, int device) {
    void* data = nullptr;
#if SINTER_HAS_CUDA
    use_device(device);
    const CUresult result = driver().cuMemHostAlloc(&data, bytes, CU_MEMHOSTALLOC_PORTABLE);
    if (result == CUDA_ERROR_OUT_OF_MEMORY) return nullptr;
    check(result, "cuMemHostAlloc");
#else
    static_cast<void>(bytes);
    static_cast<void>(device);
#endif
    return data;
}

SINTER_INLINE void* allocate_pinned(std::size_t bytes, device where) {
    if (bytes == 0) bytes = 1;
    const int locked = where.is_cuda() ? where.index() : pinned_table::not_locked;
    const std::size_t whole = (bytes + 63) / 64 * 64;
    void* data = nullptr;
    if (whole >= bytes) data = where.is_cuda() ? lock_memory(bytes, locked) : std::aligned_alloc(64, whole);
    if (!data)
        throw out_of_memory(codegen::joined({"[pinned] out of memory: ", bytes, " bytes of host memory wanted"}));
    pinned_table& t = pinned_ranges();
    std::lock_guard lock(t.guard);
    t.add({static_cast<const char*>(data), bytes, locked});
    t.count.fetch_add(1, std::memory_order_release);
    return data;
}

SINTER_INLINE void release_pinned(void* data) noexcept {
    if (!data) return;
    pinned_table& t = pinned_ranges();
    pinned_table::range r{};
    {
        std::lock_guard lock(t.guard);
        const std::size_t count = t.count_until(data);
        if (count == 0 || t.ranges[count - 1].first != data) return;
        r = t.ranges[count - 1];
        t.ranges.erase(&t.ranges[count - 1]);
        t.count.fetch_sub(1, std::memory_order_release);
    }
    if (r.locked == pinned_table::not_locked) return std::free(data);
#if SINTER_HAS_CUDA
    // A device that has failed says so at the next call that may throw.
    try {
        for (int i = 0; i < 64; ++i)
            if (r.users >> i & 1) host_synchronize(device::from_id(i));
        use_device(r.locked);
        driver().cuMemFreeHost(data);
    } catch (...) {
    }
#endif
}

SINTER_INLINE bool note_pinned_use(const void* data, std::size_t bytes, device where) {
    pinned_table& t = pinned_ranges();
    if (t.count.load(std::memory_order_acquire) == 0) return false;
    std::lock_guard lock(t.guard);
    const char* begin = static_cast<const char*>(data);
    const std::size_t count = t.count_until(begin);
    if (count == 0) return false;
    pinned_table::range& r = t.ranges[count - 1];
    if (begin + bytes > r.first + r.bytes) return false;
    if (where.is_cuda()) r.users |= std::uint64_t{1} << where.index();
    return r.locked != pinned_table::not_locked;
}

}  // namespace sinter::inline SINTER_ABI::runtime
