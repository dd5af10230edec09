// Kernels on CUDA devices: their launches, the block of their arguments, and the indices that they check.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/runtime/execute/kernel_backend.hpp>

namespace sinter::inline SINTER_ABI::runtime {

struct launched_check;
struct prepared_kernel;

const kernel_backend& cuda_kernels();

/// The words that a launch may write index errors into, or nullptr; the checks of them are appended.
void* add_checks(const prepared_kernel& k, device where, codegen::sequence<launched_check>& checks);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/execute/cuda_kernels.ipp>
#endif
