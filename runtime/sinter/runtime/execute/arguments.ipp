// Bodies of arguments.hpp.
#pragma once

#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>
#include <sinter/runtime/device/cuda_graph.hpp>
#include <sinter/runtime/execute/arguments.hpp>
#include <sinter/runtime/execute/prepared_plan.hpp>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE codegen::scalar_value value_of(const prepared_scalar& s,
                                             const codegen::sequence<codegen::scalar_value>& scalars) {
    codegen::scalar_value v = scalars[s.origin];
    for (char type : s.types) {
        codegen::scalar_value from = v;
        v = {};
        v.type = static_cast<dtype>(type);
        codegen::convert(from.type, v.type, from.bytes, v.bytes, 1);
    }
    return v;
}

SINTER_INLINE codegen::scalar_value inverse_of(const codegen::scalar_value& divisor) {
    return codegen::scalar_value::of(codegen::scalar::exact_inverse(divisor.as<float>()));
}

SINTER_INLINE prepared_scalar prepared(const prepared_plan& r, std::uint32_t slot) {
    return {r.program.scalar_origins[slot].slot, r.program.scalar_origins[slot].types};
}

SINTER_INLINE recorded_launch launch_of(const prepared_kernel& k, const codegen::cuda_launch& l) {
    const cuda_kernel& f = k.compiled->cuda_run;
    return {.kernel = cuda_kernel(f.function(), f.starts_early() && l.starts_early),
            .grid = {l.grid[0], l.grid[1], l.grid[2]},
            .block = {l.block[0], l.block[1], l.block[2]},
            .shared_bytes = l.shared_bytes,
            .parameters = k.parameters.data(),
            .cooperative = l.cooperative,
            .cluster_y = static_cast<int>(l.cluster)};
}

SINTER_INLINE bool begins_with_zeros(const prepared_kernel& k, std::size_t partial) {
    return (k.kernel->scans || k.kernel->selects) && !k.has_status_of_stream && k.partials[partial];
}

SINTER_INLINE std::size_t bytes_copied(const codegen::slot_copy& c, const prepared_plan& r) {
    auto bytes = [&](std::uint32_t slot) {
        return static_cast<std::size_t>(r.plan.slots[slot].size * codegen::size_of(r.plan.slots[slot].type));
    };
    return std::min(bytes(c.from), bytes(c.to));
}

}  // namespace sinter::inline SINTER_ABI::runtime
