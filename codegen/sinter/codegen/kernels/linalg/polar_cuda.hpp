// CUDA text of what a stack's polar decomposition does between its products; pure.
#pragma once

#include <sinter/codegen/print/emit.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// `take_adjoint`, `divide_by_norm` and `add_diagonal`, a block for each column.
kernel_source polar_cuda(dtype t);

inline constexpr int polar_threads = 256;

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/linalg/polar_cuda.ipp>
#endif
