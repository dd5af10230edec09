// Bodies of host_kernels.hpp.
#pragma once

#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/base/thread_team.hpp>
#include <sinter/runtime/execute/host_kernels.hpp>
#include <sinter/runtime/execute/prepared_plan.hpp>

#include <cstring>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE const codegen::fusion_limits& host_limits(device) {
    // Arithmetic that costs as much as 8 bytes of traffic: 8 operations a byte.
    static const codegen::fusion_limits limits{.recompute = 64, .family = codegen::host_family};
    return limits;
}

SINTER_INLINE void plan_host_launches(prepared_kernel& k, device) {
    for (std::int64_t bytes :
         k.kernel->reduces() ? codegen::partial_bytes(*k.kernel) : codegen::sequence<std::int64_t>())
        k.partials.push_back(static_cast<std::size_t>(bytes));
    k.values.resize(k.scalars.size());
    k.memory.resize(k.blocks.size() + k.partials.size() + 2);
    k.phases = codegen::host_phases(*k.kernel);
}

SINTER_INLINE void throw_index_error(const codegen::kernel& k, const std::int64_t (&error)[8]) {
    const codegen::indexed_axis& x = k.indexed[static_cast<std::size_t>(error[0] - 1)];
    throw index_error(index_error_text(codegen::indexing_function(x.why), error[1], x.axis, x.extent));
}

struct host_loop {
    host_entry* entry;
    const prepared_kernel* kernel;
    const unsigned char* scalars;
    long long* error;
};

SINTER_INLINE void launch_host(const prepared_kernel& k, device, codegen::sequence<launched_check>&) {
    static_assert(sizeof(long long) == sizeof(std::int64_t));
    std::int64_t error[8] = {};
    count_launch();
    unsigned char few[16 * 8];
    codegen::sequence<unsigned char> many(k.values.size() > 8 ? 16 * k.values.size() : 0);
    unsigned char* scalars = k.values.size() > 8 ? many.data() : few;
    for (std::size_t i = 0; i < k.values.size(); ++i) std::memcpy(scalars + 16 * i, k.values[i].bytes, 16);
    for (const codegen::host_phase& phase : k.phases) {
        host_loop loop{phase.finish ? k.compiled->host_finish : k.compiled->host_run, &k, scalars,
                       reinterpret_cast<long long*>(error)};
        parallel_for(
            phase.items, phase.grain,
            [](void* context, std::int64_t begin, std::int64_t end) {
                const host_loop& l = *static_cast<const host_loop*>(context);
                l.entry(l.kernel->memory.data(), reinterpret_cast<const long long*>(l.kernel->integers.data()),
                        l.scalars, begin, end, l.error);
            },
            &loop);
    }
    if (error[0]) throw_index_error(*k.kernel, error);
}

SINTER_INLINE const kernel_backend& host_kernels() {
    static const kernel_backend b{.limits = host_limits,
                                  .has_epilogues = false,
                                  .is_replayable = [](const codegen::plan&, device) { return false; },
                                  .geometry = plan_host_launches,
                                  .launch = launch_host};
    return b;
}

}  // namespace sinter::inline SINTER_ABI::runtime
