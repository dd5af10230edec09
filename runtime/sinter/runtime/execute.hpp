// Executes a plan on one device: gives its slots memory, compiles its kernels, and launches them in order.
#pragma once

#include <sinter/codegen/fuse.hpp>
#include <sinter/runtime/calls.hpp>
#include <sinter/runtime/kernel_cache.hpp>
#include <sinter/runtime/memory_pool.hpp>

#include <memory>

namespace sinter::inline SINTER_ABI::runtime {

/// What a kernel launch needs that every run of a plan shares.
struct prepared_kernel {
    const compiled_kernel* compiled;
    codegen::sequence<std::int64_t> integers;
    codegen::sequence<std::int64_t> partials;  ///< bytes of each array of partial results
};

/// A plan ready to run: planned, compiled, and told where its memory comes from.
struct prepared_plan {
    codegen::graph program;  ///< as simplified
    codegen::plan plan;
    codegen::sequence<prepared_kernel> kernels;
    codegen::sequence<prepared_call> calls;
    codegen::sequence<std::uint32_t> memory_of;   ///< by slot: which block; inputs come first
    codegen::sequence<std::size_t> fresh_bytes;   ///< of the blocks after the inputs
    device where;
};

/// The plan for a program, from memory when the same program was planned before; `consumable` as in fuse. Throws what
/// planning and compiling throw.
std::shared_ptr<const prepared_plan> prepare(const codegen::graph& program, const codegen::sequence<bool>& consumable, device where);

/// A check of an index, and the node of the plan's program that it belongs to.
struct launched_check {
    index_check check;
    codegen::node_id node;
};

/// Runs a plan with the scalars and inputs of this run; returns the memory of each slot. Allocates before the first launch.
/// Throws index_error on the host when an index is out of range; a GPU's are checked later, see index_errors.hpp.
codegen::sequence<buffer_ref> execute(const prepared_plan& p, const codegen::sequence<codegen::scalar_value>& scalars,
                                      const codegen::sequence<buffer_ref>& inputs,
                                      codegen::sequence<launched_check>& checks);

/// The numbers that fusion weighs on a device.
const codegen::fusion_limits& limits_of(device where);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/execute.ipp>
#endif
