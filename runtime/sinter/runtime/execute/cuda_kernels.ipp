// Bodies of cuda_kernels.hpp.
#pragma once

#include <sinter/codegen/print/cuda/emit_cuda.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/execute/arguments.hpp>
#include <sinter/runtime/execute/cuda_kernels.hpp>
#include <sinter/runtime/execute/prepared_plan.hpp>
#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/memory/stream_words.hpp>

#include <limits>
#include <memory>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE const codegen::fusion_limits& cuda_limits(device where) {
    // Arithmetic that costs as much as 8 bytes of traffic: 16 operations a byte on data-centre GPUs.
    // Thread blocks of a GPU share rows of any length, though of the longest nothing stays on the chip (bench/tuning).
    constexpr std::int64_t any = std::numeric_limits<std::int64_t>::max();
    auto gpu = [](const codegen::family_schedule& family) {
        return codegen::fusion_limits{.recompute = 128, .row_length = any, .family = family};
    };
    static const codegen::fusion_limits data_center = gpu(codegen::data_center_family),
                                        earlier = gpu(codegen::earlier_data_center_family),
                                        other = gpu(codegen::other_family);
    const cuda_properties& p = properties(where.index());
    const codegen::family_schedule& family = codegen::family_schedule_of(p.major, p.minor);
    return &family == &codegen::data_center_family           ? data_center
           : &family == &codegen::earlier_data_center_family ? earlier
                                                             : other;
}

SINTER_INLINE codegen::cuda_machine machine_of(device where, int most_cluster) {
    const cuda_properties& p = properties(where.index());
    return {p.multiprocessors, p.shared_per_multiprocessor, most_cluster};
}

SINTER_INLINE bool has_several_launches(const codegen::plan& p, device where) {
    if (!p.calls.empty()) return false;
    std::size_t launches = 0;
    for (const codegen::kernel& k : p.kernels) launches += codegen::cuda_launches(k, machine_of(where, 1)).size();
    return launches > 1;
}

// Where the arguments of a launch lie: operands, partial results, scalars, sizes, counters and error words in the
// kernel's order.
SINTER_INLINE void place_parameters(prepared_kernel& k) {
    for (std::int64_t size : k.kernel->space) k.divisors.push_back(codegen::divisor_of(size));
    if (!k.kernel->how.wide) k.narrow = codegen::sequence<std::int32_t>(k.integers.begin(), k.integers.end());
    const std::size_t operands = k.kernel->operands.size();
    const bool in_memory = k.kernel->scalars_in_memory;
    std::size_t inverse = k.kernel->scalars.size();
    for (const codegen::cuda_parameter& p : codegen::cuda_parameters(*k.kernel)) switch (p.kind) {
            case codegen::cuda_parameter::operand: k.parameters.push_back(&k.memory[p.index]); break;
            case codegen::cuda_parameter::partial: k.parameters.push_back(&k.memory[operands + p.index]); break;
            case codegen::cuda_parameter::scalar:
                k.parameters.push_back(in_memory ? static_cast<void*>(&k.scalars_at[p.index])
                                                 : k.values[p.index].bytes);
                break;
            case codegen::cuda_parameter::inverse:
                k.parameters.push_back(in_memory ? static_cast<void*>(&k.scalars_at[inverse])
                                                 : k.values[inverse].bytes);
                ++inverse;
                break;
            case codegen::cuda_parameter::integer:
                k.parameters.push_back(k.kernel->how.wide ? static_cast<void*>(&k.integers[p.index])
                                                          : static_cast<void*>(&k.narrow[p.index]));
                break;
            case codegen::cuda_parameter::divisor: k.parameters.push_back(&k.divisors[p.index]); break;
            case codegen::cuda_parameter::counters: k.parameters.push_back(&k.memory[k.memory.size() - 2]); break;
            case codegen::cuda_parameter::error: k.parameters.push_back(&k.memory.back()); break;
        }
}

SINTER_INLINE void plan_cuda_launches(prepared_kernel& k, device where) {
    const codegen::kernel& of = *k.kernel;
    std::size_t status = 0;
    for (std::int64_t bytes : of.reduces() ? codegen::partial_bytes(of) : codegen::sequence<std::int64_t>()) {
        k.partials.push_back(static_cast<std::size_t>(bytes));
        status += k.partials.back();
    }
    k.has_status_of_stream = of.scans && status > 0 && status <= codegen::scan_status;
    if (!of.scalars_in_memory) k.inverses = codegen::inverse_scalars(of);
    k.values.resize(k.scalars.size() + k.inverses.size());
    const std::size_t counters = k.blocks.size() + k.partials.size();
    k.memory.resize(counters + 2);
    if (codegen::takes_counters(of.how.map)) k.memory[counters] = cuda_counters(where);
    k.launches = codegen::cuda_launches(of, machine_of(where, k.compiled->most_cluster));
    place_parameters(k);
}

// The words that a launch may write index errors into, and the checks of them for the run.
SINTER_INLINE void* add_checks(const prepared_kernel& p, device where, codegen::sequence<launched_check>& checks) {
    const codegen::kernel& k = *p.kernel;
    if (k.indexed.empty()) return nullptr;
    auto words = std::make_shared<const error_words>(where, k.indexed.size());
    for (std::uint32_t x = 0; x < k.indexed.size(); ++x)
        checks.push_back({{words,
                           x,
                           codegen::indexing_function(k.indexed[x].why).data(),
                           k.indexed[x].axis,
                           k.indexed[x].extent,
                           {}},
                          k.indexed[x].node});
    return words->address();
}

SINTER_INLINE void launch_cuda_kernel(const prepared_kernel& k, device where,
                                      codegen::sequence<launched_check>& checks) {
    k.memory.back() = add_checks(k, where, checks);
    for (std::size_t i = 0; i < k.partials.size(); ++i)
        if (begins_with_zeros(k, i)) fill_zero(where, k.memory[k.kernel->operands.size() + i], k.partials[i]);
    void* stream = cuda_stream(where);
    for (const codegen::cuda_launch& l : k.launches) {
        const recorded_launch r = launch_of(k, l);
        launch_cuda(stream, r.kernel, r.grid, r.block, r.shared_bytes, r.parameters,
                    {.cluster_y = r.cluster_y, .cooperative = r.cooperative});
    }
}

SINTER_INLINE const kernel_backend& cuda_kernels() {
    static const kernel_backend b{.limits = cuda_limits,
                                  .has_epilogues = true,
                                  .is_replayable = has_several_launches,
                                  .geometry = plan_cuda_launches,
                                  .launch = launch_cuda_kernel};
    return b;
}

}  // namespace sinter::inline SINTER_ABI::runtime
