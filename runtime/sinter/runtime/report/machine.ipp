// Bodies of machine.hpp.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>
#include <sinter/runtime/memory/memory_pool.hpp>
#include <sinter/runtime/device/stopwatch.hpp>
#include <sinter/runtime/report/machine.hpp>
#include <sinter/runtime/base/thread_team.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <mutex>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

/// Multiply-adds of a multiprocessor in a cycle: CUDA C++ Programming Guide, "Throughput of Native Arithmetic
/// Instructions".
struct gpu_lanes {
    int float32, float64;
};
SINTER_INLINE gpu_lanes lanes_of(int major, int minor) {
    switch (10 * major + minor) {
        case 70:
        case 72: return {64, 32};
        case 75: return {64, 2};
        case 80: return {64, 32};
        case 90:
        case 100: return {128, 64};
        default: return {128, 2};
    }
}

SINTER_INLINE machine_limits limits_of_gpu(const cuda_properties& p) {
    const gpu_lanes lanes = lanes_of(p.major, p.minor);
    const double cycles = 1e3 * p.clock_khz * p.multiprocessors;
    return {2.0 * 1e3 * p.memory_clock_khz * p.memory_bus_bits / 8, 2 * cycles * lanes.float32,
            2 * cycles * lanes.float64, p.name + ", from its clocks"};
}

/// A loop on all threads, timed: the best of several runs after one that touches the memory.
template <class F>
SINTER_COMPARES double best_time(F run) {
    run();
    double best = 0;
    for (int i = 0; i < 5; ++i) {
        const double begin = seconds_now();
        run();
        const double seconds = seconds_now() - begin;
        if (i == 0 || seconds < best) best = seconds;
    }
    return best;
}

// Twice the last cache, within reason.
SINTER_INLINE double measure_copy() {
    constexpr std::int64_t page = 4096;
    const std::int64_t cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
    const std::int64_t bytes =
        std::clamp<std::int64_t>(2 * cache, std::int64_t{32} << 20, std::int64_t{128} << 20) / page * page;
    const buffer_ref from = allocate_buffer(device::cpu(), static_cast<std::size_t>(bytes)),
                     to = allocate_buffer(device::cpu(), static_cast<std::size_t>(bytes));
    std::memset(from->data, 1, static_cast<std::size_t>(bytes));
    struct pair {
        char *to, *from;
    } both{static_cast<char*>(to->data), static_cast<char*>(from->data)};
    const double seconds = best_time([&] {
        parallel_for(
            bytes, std::int64_t{1} << 20,
            [](void* context, std::int64_t begin, std::int64_t end) {
                const pair& p = *static_cast<const pair*>(context);
                std::memcpy(p.to + begin, p.from + begin, static_cast<std::size_t>(end - begin));
            },
            &both);
    });
    return 2 * static_cast<double>(bytes) / seconds;
}

// Multiply-adds on as many numbers as registers hold, so that one does not wait for the other.
SINTER_INLINE codegen::kernel_source multiply_add_text(const std::string& type) {
    const std::string fma = type == "float" ? "__builtin_fmaf" : "__builtin_fma";
    return {"multiply_add",
            "extern \"C\" void multiply_add(" + type + "* x, long long turns) {\n    " + type +
                " a[96];\n    for (int i = 0; i < 96; ++i) a[i] = x[i];\n    for (long long t = 0; t < turns; ++t)\n"
                "        for (int i = 0; i < 96; ++i) a[i] = " +
                fma + "(a[i], (" + type + ")0.999, (" + type +
                ")0.001);\n    for (int i = 0; i < 96; ++i) x[i] = a[i];\n}\n"};
}

template <class T>
double measure_multiply_adds(const char* type) {
    using entry = void(T*, long long);
    constexpr long long turns = 20000, chunks_per_thread = 4;
    constexpr int numbers = 96;
    const host_function<entry> run = find_text(multiply_add_text(type), device::cpu()).function<entry>("multiply_add");
    const std::int64_t chunks = chunks_per_thread * thread_count();
    const double seconds = best_time([&] {
        parallel_for(
            chunks, 1,
            [](void* context, std::int64_t begin, std::int64_t end) {
                T x[numbers] = {};
                for (std::int64_t i = begin; i < end; ++i)
                    (*static_cast<const host_function<entry>*>(context))(x, turns);
            },
            const_cast<host_function<entry>*>(&run));
    });
    return 2.0 * numbers * static_cast<double>(turns * chunks) / seconds;
}

SINTER_INLINE machine_limits measure_cpu() {
    machine_limits l;
    l.bytes_per_second = measure_copy();
    l.source = "this CPU, by a copy and multiply-adds on " + std::to_string(thread_count()) + " threads";
    try {
        l.operations_per_second = measure_multiply_adds<float>("float");
        l.float64_per_second = measure_multiply_adds<double>("double");
    } catch (const error&) {
        l.source = "this CPU, by a copy on " + std::to_string(thread_count()) +
                   " threads; its arithmetic is not known without a compiler";
    }
    return l;
}

SINTER_INLINE const machine_limits& limits_of_machine(device where) {
    if (where.is_cpu()) {
        static const machine_limits& cpu = *new machine_limits(measure_cpu());
        return cpu;
    }
    struct table {
        std::mutex guard;
        machine_limits known[64];
    };
    static table& t = *new table;
    std::lock_guard lock(t.guard);
    machine_limits& l = t.known[where.index()];
    if (l.source.empty()) l = limits_of_gpu(properties(where.index()));
    return l;
}

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_IEEE_END
