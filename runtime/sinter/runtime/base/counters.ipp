// Bodies of counters.hpp.
#pragma once

#include <sinter/runtime/base/counters.hpp>

#include <chrono>
#include <initializer_list>

namespace sinter::inline SINTER_ABI {

SINTER_INLINE counters_t counters() {
    const runtime::counter_table_t& t = runtime::counter_table;
    counters_t c;
    c.kernels_compiled = t.kernels_compiled.load(std::memory_order_relaxed);
    c.kernels_quick = t.kernels_quick.load(std::memory_order_relaxed);
    c.launches = t.launches.load(std::memory_order_relaxed);
    c.library_calls = t.library_calls.load(std::memory_order_relaxed);
    c.cache_hits = t.cache_hits.load(std::memory_order_relaxed);
    c.disk_hits = t.disk_hits.load(std::memory_order_relaxed);
    c.pack_hits = t.pack_hits.load(std::memory_order_relaxed);
    c.steps_replayed = t.steps_replayed.load(std::memory_order_relaxed);
    c.compile_ms = t.compile_us.load(std::memory_order_relaxed) / 1000;
    c.wait_ms = t.wait_us.load(std::memory_order_relaxed) / 1000;
    c.library_ms = t.library_us.load(std::memory_order_relaxed) / 1000;
    c.bytes_to_host = t.bytes_to_host.load(std::memory_order_relaxed);
    c.bytes_to_device = t.bytes_to_device.load(std::memory_order_relaxed);
    c.pool_used = t.pool_used.load(std::memory_order_relaxed);
    c.pool_held = t.pool_held.load(std::memory_order_relaxed);
    c.pool_peak = t.pool_peak.load(std::memory_order_relaxed);
    return c;
}

SINTER_INLINE void reset_counters() {
    runtime::counter_table_t& t = runtime::counter_table;
    for (std::atomic<std::int64_t>* c : {&t.kernels_compiled, &t.kernels_quick, &t.launches, &t.library_calls,
                                         &t.cache_hits, &t.disk_hits, &t.pack_hits, &t.steps_replayed, &t.compile_us,
                                         &t.wait_us, &t.library_us, &t.bytes_to_host, &t.bytes_to_device})
        c->store(0, std::memory_order_relaxed);
    t.pool_peak.store(t.pool_used.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

namespace runtime {

SINTER_INLINE std::int64_t counted_time::now() noexcept {
    using namespace std::chrono;
    return duration_cast<microseconds>(steady_clock::now().time_since_epoch()).count();
}

SINTER_INLINE void count_pool_used(std::int64_t bytes) {
    const std::int64_t used = counter_table.pool_used.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    std::int64_t peak = counter_table.pool_peak.load(std::memory_order_relaxed);
    while (used > peak && !counter_table.pool_peak.compare_exchange_weak(peak, used, std::memory_order_relaxed)) {
    }
}

SINTER_INLINE void count_pool_held(std::int64_t bytes) { count(counter_table.pool_held, bytes); }

}  // namespace runtime
}  // namespace sinter::inline SINTER_ABI
