// What a run of a plan gives its launches: scalars, extents, zeros; must not know how they are launched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/codegen/graph/graph.hpp>
#include <sinter/runtime/device/cuda_graph.hpp>

namespace sinter::inline SINTER_ABI::codegen {
struct cuda_launch;
struct slot_copy;
}  // namespace sinter::inline SINTER_ABI::codegen

namespace sinter::inline SINTER_ABI::runtime {

struct prepared_kernel;
struct prepared_plan;
struct prepared_scalar;

/// The scalar in a slot of a plan's graph.
prepared_scalar prepared(const prepared_plan& r, std::uint32_t slot);

/// A scalar of a run, converted as simplification decided.
codegen::scalar_value value_of(const prepared_scalar& s, const codegen::sequence<codegen::scalar_value>& scalars);

/// What a CUDA kernel multiplies by in place of dividing.
codegen::scalar_value inverse_of(const codegen::scalar_value& divisor);

/// A launch of a kernel with the parameters in its block.
recorded_launch launch_of(const prepared_kernel& k, const codegen::cuda_launch& l);

/// Whether partial results of a kernel are marks by which its thread blocks wait for each other, in memory that had
/// other uses.
bool begins_with_zeros(const prepared_kernel& k, std::size_t partial);

/// Bytes that a copy between slots moves.
std::size_t bytes_copied(const codegen::slot_copy& c, const prepared_plan& r);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/execute/arguments.ipp>
#endif
