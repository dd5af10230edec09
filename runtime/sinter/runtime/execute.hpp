// Executes a plan on one device: gives its slots memory, compiles its kernels, and launches them in order.
#pragma once

#include <sinter/codegen/fuse.hpp>
#include <sinter/runtime/kernel_cache.hpp>
#include <sinter/runtime/memory_pool.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// Runs the plan; returns the memory of each slot. Compiles and allocates before the first launch. Throws index_error
/// when a gather met an index out of range.
std::vector<buffer_ref> execute(const codegen::plan& p, const codegen::graph& g, const std::vector<buffer_ref>& inputs,
                                device where);

/// The numbers that fusion weighs on a device.
const codegen::fusion_limits& limits_of(device where);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/execute.ipp>
#endif
