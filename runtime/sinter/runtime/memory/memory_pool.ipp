// Free lists per size and device in front of the system's allocators; a block is reused in stream order, without
// waiting.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <mutex>
#include <new>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/base/file.hpp>
#include <sinter/runtime/base/fork.hpp>
#include <sinter/runtime/base/light_mutex.hpp>
#include <sinter/runtime/memory/index_errors.hpp>
#include <sinter/runtime/memory/memory_pool.hpp>
#include <string>

namespace sinter::inline SINTER_ABI::runtime {

inline constexpr std::size_t pool_smallest = 256;
inline constexpr std::size_t pool_binned = std::size_t(64) << 20;  ///< above, blocks are multiples of pool_page
inline constexpr std::size_t pool_page = std::size_t(2) << 20;
inline constexpr int pool_devices = 65;  ///< the CPU is number 0

struct cached_block {
    void* data;
    std::size_t bytes;
    memory_uses uses;
};

/// The cache of one device; all sizes are those of blocks, not of requests.
struct pool_state {
    light_mutex guard;
    codegen::sequence<cached_block> bins[pool_bins];
    codegen::sequence<cached_block> large;
    buffer* idle = nullptr;  ///< buffers without memory, for the next allocations
    std::int64_t used = 0;
    std::int64_t held = 0;
    std::int64_t peak = 0;
    std::int64_t capacity = 0;  ///< what may be held
    std::int64_t memory = 0;    ///< what there is
    std::int64_t cache_limit = 0;
};

/// The size of the block that serves a request: four steps per power of two, so that at most a quarter is wasted.
SINTER_INLINE std::size_t pool_block_size(std::size_t bytes) {
    if (bytes <= pool_smallest) return pool_smallest;
    const std::size_t step = bytes > pool_binned ? pool_page : std::bit_floor(bytes - 1) / 4;
    return (bytes + step - 1) / step * step;
}

/// The free list of a block size that is at most pool_binned.
SINTER_INLINE int pool_bin(std::size_t block) {
    const int power = static_cast<int>(std::bit_width(block)) - 1;
    return 4 * (power - 8) + static_cast<int>((block >> (power - 2)) & 3);
}

SINTER_INLINE void* take_host_block(std::size_t block) {
    const bool huge = block >= (std::size_t(4) << 20);
    void* data =
        std::aligned_alloc(huge ? pool_page : 64, huge ? (block + pool_page - 1) / pool_page * pool_page : block);
    if (data && huge) madvise(data, block, MADV_HUGEPAGE);
    return data;
}

/// A new block from the system, or null when there is no memory left; other failures throw.
SINTER_INLINE void* take_system_block(device where, std::size_t block) {
    if (where.is_cpu()) return take_host_block(block);
#if SINTER_HAS_CUDA
    auto* stream = static_cast<CUstream>(native_stream(where));
    use_device(where.index());
    CUdeviceptr address = 0;
    const CUresult result = driver().cuMemAllocAsync(&address, block, stream);
    if (result == CUDA_ERROR_OUT_OF_MEMORY) return nullptr;
    check(result, "cuMemAllocAsync");
    return reinterpret_cast<void*>(address);
#else
    throw device_error("[cuda] built without CUDA headers");
#endif
}

SINTER_INLINE void return_system_block(device where, void* data, const memory_uses& uses) noexcept {
    if (where.is_cpu()) return std::free(data);
    static_cast<void>(uses);
#if SINTER_HAS_CUDA
    // Releasing cannot fail for its callers; a device that has failed says so at the next call that may throw.
    try {
        order_first_after(where, uses);
        const cuda_state& s = use_device(where.index());
        driver().cuMemFreeAsync(reinterpret_cast<CUdeviceptr>(data), s.stream);
    } catch (...) {
    }
#endif
}

/// The limit of one cgroup file, or 2^63 - 1.
SINTER_INLINE std::int64_t cgroup_memory_file(const std::string& path) {
    std::int64_t limit = INT64_MAX;
    std::string text;
    if (read_file(path.c_str(), text)) std::from_chars(text.data(), text.data() + text.size(), limit);
    return limit > 0 ? limit : INT64_MAX;
}

SINTER_INLINE std::int64_t cgroup_memory_limit(const std::string& memberships, const std::string& root) {
    std::int64_t limit = INT64_MAX;
    for (std::size_t begin = 0; begin < memberships.size();) {
        const std::size_t end = std::min(memberships.find('\n', begin), memberships.size());
        const std::string line = memberships.substr(begin, end - begin);
        begin = end + 1;
        const std::size_t first = line.find(':');
        const std::size_t second = first == line.npos ? line.npos : line.find(':', first + 1);
        if (second == line.npos) continue;
        const std::string controllers = codegen::joined({",", line.substr(first + 1, second - first - 1), ","});
        const bool unified = controllers == ",,";
        if (!unified && controllers.find(",memory,") == controllers.npos) continue;
        const std::string base = root + (unified ? "" : "/memory");
        const char* file = unified ? "/memory.max" : "/memory.limit_in_bytes";
        // Every ancestor limits too; inside a container the path of the host may not exist, but the root does.
        for (std::string group = line.substr(second + 1);; group.resize(group.rfind('/'))) {
            if (group == "/") group.clear();
            limit = std::min(limit, cgroup_memory_file(base + group + file));
            if (group.find('/') == group.npos) break;
        }
    }
    return limit;
}

SINTER_INLINE std::int64_t host_memory_capacity() {
    static const std::int64_t capacity = [] {
        const std::int64_t physical = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
        std::string memberships;
        read_file("/proc/self/cgroup", memberships);
        return std::min(physical, cgroup_memory_limit(memberships, "/sys/fs/cgroup"));
    }();
    return capacity;
}

SINTER_INLINE std::int64_t pool_capacity(device where) {
    return where.is_cuda() ? properties(where.index()).memory : host_memory_capacity();
}

struct pool_table {
    std::mutex guard;
    std::atomic<pool_state*> pools[pool_devices] = {};
};

SINTER_INLINE pool_table& all_pools() {
    static pool_table& table = *new pool_table;
    return table;
}

// A fork while another thread holds a pool's lock would leave it locked in the child for ever.
SINTER_INLINE void lock_pools() {
    all_pools().guard.lock();
    for (auto& slot : all_pools().pools)
        if (pool_state* p = slot.load(std::memory_order_acquire)) p->guard.lock();
}

SINTER_INLINE void unlock_pools() {
    for (auto& slot : all_pools().pools)
        if (pool_state* p = slot.load(std::memory_order_acquire)) p->guard.unlock();
    all_pools().guard.unlock();
}

SINTER_INLINE pool_state& pool_of(device where) {
    pool_table& table = all_pools();
    if (where.id() + 1 < 0 || where.id() + 1 >= pool_devices)
        throw device_error("[allocate] no such device: " + to_string(where));
    auto& slot = table.pools[where.id() + 1];
    if (pool_state* p = slot.load(std::memory_order_acquire)) return *p;
    const std::int64_t capacity = pool_capacity(where);
    std::lock_guard lock(table.guard);
    static const bool registered = handle_forks(fork_order::memory, {lock_pools, unlock_pools, unlock_pools});
    (void)registered;
    if (pool_state* p = slot.load(std::memory_order_acquire)) return *p;
    auto* fresh = new pool_state;
    fresh->capacity = fresh->memory = capacity;
    fresh->cache_limit = where.is_cpu() ? capacity / 4 : capacity / 2;
    slot.store(fresh, std::memory_order_release);
    return *fresh;
}

/// A cached block of exactly this size that this thread's stream need not wait for, or null; the lock is held.
SINTER_INLINE void* take_cached_block(device where, pool_state& p, std::size_t block) {
    constexpr std::size_t most = 64;  // that are looked at
    codegen::sequence<cached_block>& from = block <= pool_binned ? p.bins[pool_bin(block)] : p.large;
    for (std::size_t i = from.size(), looked = 0; i-- > 0 && looked < most;) {
        if (from[i].bytes != block) continue;
        ++looked;
        if (!may_reuse(where, from[i].uses)) continue;
        void* data = from[i].data;
        if (i + 1 < from.size()) from[i] = std::move(from.back());
        from.pop_back();
        return data;
    }
    return nullptr;
}

/// Returns the largest cached blocks to the system until at most `keep` bytes are cached; the lock is held.
SINTER_INLINE void shrink_pool(device where, pool_state& p, std::int64_t keep) noexcept {
    auto drop = [&](const cached_block& b) {
        return_system_block(where, b.data, b.uses);
        p.held -= static_cast<std::int64_t>(b.bytes);
        count_pool_held(-static_cast<std::int64_t>(b.bytes));
    };
    while (p.held - p.used > keep && !p.large.empty()) {
        std::size_t largest = 0;
        for (std::size_t i = 1; i < p.large.size(); ++i)
            if (p.large[i].bytes > p.large[largest].bytes) largest = i;
        drop(p.large[largest]);
        p.large[largest] = p.large.back();
        p.large.pop_back();
    }
    for (int bin = pool_bins; bin-- > 0;)
        while (p.held - p.used > keep && !p.bins[bin].empty()) {
            drop(p.bins[bin].back());
            p.bins[bin].pop_back();
        }
}

SINTER_INLINE void trim_locked_pool(device where, pool_state& p) {
    shrink_pool(where, p, 0);
#if SINTER_HAS_CUDA
    if (where.is_cpu()) return;
    const cuda_state& s = use_device(where.index());
    check(driver().cuStreamSynchronize(s.stream), "cuStreamSynchronize");
    check(driver().cuMemPoolTrimTo(s.pool, 0), "cuMemPoolTrimTo");
#endif
}

SINTER_INLINE void memory_pool_trim(device where) {
    pool_state& p = pool_of(where);
    std::lock_guard lock(p.guard);
    trim_locked_pool(where, p);
}

SINTER_INLINE void throw_out_of_memory(device where, std::size_t bytes, const pool_state& p) {
    throw out_of_memory(codegen::joined({"[allocate] out of memory: ", bytes, " bytes wanted on ", to_string(where),
                                         ": ", p.used, " bytes used, ", p.held, " held, of ", p.capacity}));
}

/// A new block, after giving the cache back if there is no room for both; null when there is none.
SINTER_INLINE void* take_new_block(device where, pool_state& p, std::size_t block) {
    const auto size = static_cast<std::int64_t>(block);
    if (p.used + size > p.capacity) return nullptr;  // the host would promise more than it has, and kill us later
    if (p.held + size <= p.capacity)
        if (void* data = take_system_block(where, block)) return data;
    trim_locked_pool(where, p);
    return take_system_block(where, block);
}

/// Memory for a request; the lock is held.
SINTER_INLINE void* take_memory(device where, pool_state& p, std::size_t bytes) {
    if (bytes > static_cast<std::size_t>(p.capacity)) throw_out_of_memory(where, bytes, p);
    const std::size_t block = pool_block_size(bytes);
    const auto size = static_cast<std::int64_t>(block);
    void* data = take_cached_block(where, p, block);
    if (!data) {
        data = take_new_block(where, p, block);
        if (!data) throw_out_of_memory(where, bytes, p);
        p.held += size;
        count_pool_held(size);
    }
    p.used += size;
    p.peak = std::max(p.peak, p.used);
    count_pool_used(size);
    return data;
}

/// Takes memory back; the lock is held.
SINTER_INLINE void give_memory(device where, pool_state& p, void* data, std::size_t bytes,
                               const memory_uses& uses) noexcept {
    const std::size_t block = pool_block_size(bytes);
    const auto size = static_cast<std::int64_t>(block);
    p.used -= size;
    count_pool_used(-size);
    try {
        (block <= pool_binned ? p.bins[pool_bin(block)] : p.large).push_back({data, block, uses});
    } catch (const std::bad_alloc&) {
        return_system_block(where, data, uses);
        p.held -= size;
        count_pool_held(-size);
    }
    if (p.held - p.used > p.cache_limit) shrink_pool(where, p, p.cache_limit);
}

SINTER_INLINE void* pool_allocate(device where, std::size_t bytes) {
    if (bytes == 0) return nullptr;
    pool_state& p = pool_of(where);
    std::lock_guard lock(p.guard);
    return take_memory(where, p, bytes);
}

SINTER_INLINE void pool_release(device where, void* data, std::size_t bytes) noexcept {
    if (!data) return;
    pool_state& p = pool_of(where);
    std::lock_guard lock(p.guard);
    give_memory(where, p, data, bytes, {coming_mark(where), {}});
}

SINTER_INLINE pool_statistics_result pool_statistics(device where) {
    pool_state& p = pool_of(where);
    std::lock_guard lock(p.guard);
    return {p.used, p.held, p.capacity, p.peak};
}

SINTER_INLINE void set_pool_limit(device where, std::int64_t bytes) {
    pool_state& p = pool_of(where);
    std::lock_guard lock(p.guard);
    p.capacity = std::min(bytes, p.memory);
    if (p.held > p.capacity) shrink_pool(where, p, std::max<std::int64_t>(0, p.capacity - p.used));
}

SINTER_INLINE void reset_pool_peak(device where) {
    pool_state& p = pool_of(where);
    std::lock_guard lock(p.guard);
    p.peak = p.used;
}

SINTER_INLINE buffer_ref allocate_buffer(device where, std::size_t bytes) {
    pool_state& p = pool_of(where);
    std::lock_guard lock(p.guard);
    if (!p.idle) p.idle = new buffer;
    void* data = bytes ? take_memory(where, p, bytes) : nullptr;
    buffer* b = p.idle;
    p.idle = b->next;
    b->where = where;
    b->data = data;
    b->bytes = bytes;
    b->exported = false;
    b->uses.written = coming_mark(where);
    return buffer_ref(b);
}

SINTER_INLINE std::atomic<bool>& imports_exist() {
    static std::atomic<bool> exist{false};
    return exist;
}

SINTER_INLINE buffer_ref adopt_buffer(device where, void* data, std::size_t bytes,
                                      void (*release_owner)(void*) noexcept, void* owner) {
    buffer* b = new buffer;
    b->where = where;
    b->data = data;
    b->bytes = bytes;
    b->release_owner = release_owner;
    b->owner = owner;
    return buffer_ref(b);
}

SINTER_INLINE buffer_ref import_buffer(device where, void* data, std::size_t bytes,
                                       void (*release_owner)(void*) noexcept, void* owner) {
    imports_exist().store(true, std::memory_order_relaxed);
    buffer_ref b = adopt_buffer(where, data, bytes, release_owner, owner);
    b->imported = true;
    return b;
}

SINTER_INLINE void destroy_buffer(buffer* b) noexcept {
    if (b->release_owner) b->release_owner(b->owner);
    if (b->release_owner || b->imported) return delete b;
    b->unchecked.reset();
    b->origin.reset();
    pool_state& p = pool_of(b->where);
    std::lock_guard lock(p.guard);
    if (b->data) give_memory(b->where, p, b->data, b->bytes, b->uses);
    b->uses = {};
    b->references.store(0, std::memory_order_relaxed);
    b->next = std::exchange(p.idle, b);
}

}  // namespace sinter::inline SINTER_ABI::runtime
