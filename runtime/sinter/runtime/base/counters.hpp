// Counts what the library launches, compiles, copies and allocates; must not know who does it.
#pragma once

#include <atomic>
#include <cstdint>
#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI {

/// What the process has done since it started or since reset_counters(); sizes are in bytes.
struct counters_t {
    std::int64_t kernels_compiled = 0;
    std::int64_t kernels_quick = 0;  ///< of these, those that were compiled quickly first, and may be once more
    std::int64_t launches = 0;
    std::int64_t library_calls = 0;
    std::int64_t cache_hits = 0;      ///< kernels found in memory
    std::int64_t disk_hits = 0;       ///< kernels found in the disk cache
    std::int64_t pack_hits = 0;       ///< kernels found in a pack, see use_pack
    std::int64_t steps_replayed = 0;  ///< calls of a graph that recorded what the last one had
    std::int64_t compile_ms = 0;      ///< compilers' time, that of those that work at the same time added up
    std::int64_t wait_ms = 0;         ///< during which computations waited for compilers
    std::int64_t library_ms = 0;      ///< of loading cuBLAS, cuSOLVER and cuFFT, also in the background
    std::int64_t bytes_to_host = 0;
    std::int64_t bytes_to_device = 0;
    std::int64_t pool_used = 0;  ///< in live arrays
    std::int64_t pool_held = 0;  ///< taken from the system, used or kept for later
    std::int64_t pool_peak = 0;  ///< largest pool_used
};

/// The counters of the whole process.
counters_t counters();

/// Zeroes the counts and starts a new peak; pool_used and pool_held stay.
void reset_counters();

namespace runtime {

struct counter_table_t {
    std::atomic<std::int64_t> kernels_compiled, kernels_quick, launches, library_calls, cache_hits, disk_hits,
        pack_hits, steps_replayed, compile_us, wait_us, library_us, bytes_to_host, bytes_to_device, pool_used,
        pool_held, pool_peak;
};

// Constant-initialised and trivially destroyed, so that it is usable before and after main without a guard.
inline constinit counter_table_t counter_table{};

inline void count(std::atomic<std::int64_t>& counter, std::int64_t by = 1) {
    counter.fetch_add(by, std::memory_order_relaxed);
}

inline void count_kernel_compiled() { count(counter_table.kernels_compiled); }
inline void count_launch(std::int64_t by = 1) { count(counter_table.launches, by); }
inline void count_library_call() { count(counter_table.library_calls); }
inline void count_cache_hit(std::int64_t by = 1) { count(counter_table.cache_hits, by); }
inline void count_disk_hit() { count(counter_table.disk_hits); }
inline void count_pack_hit() { count(counter_table.pack_hits); }
inline void count_step_replayed(std::int64_t n = 1) { count(counter_table.steps_replayed, n); }
inline void count_to_host(std::int64_t bytes) { count(counter_table.bytes_to_host, bytes); }
inline void count_to_device(std::int64_t bytes) { count(counter_table.bytes_to_device, bytes); }

/// Adds the time for which it lives to a count of microseconds.
class counted_time {
public:
    explicit counted_time(std::atomic<std::int64_t>& to) : to_(to), begin_(now()) {}
    ~counted_time() { count(to_, now() - begin_); }
    counted_time(const counted_time&) = delete;
    counted_time& operator=(const counted_time&) = delete;
    /// Microseconds of the steady clock.
    static std::int64_t now() noexcept;

private:
    std::atomic<std::int64_t>& to_;
    std::int64_t begin_;
};

/// A buffer of `bytes` came into use (or, negative, went out of use).
void count_pool_used(std::int64_t bytes);
/// The pool took `bytes` from the system (or, negative, gave them back).
void count_pool_held(std::int64_t bytes);

}  // namespace runtime
}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/runtime/base/counters.ipp>
#endif
