// CUDA text that makes a Hessenberg matrix in shared memory triangular, real ones but for pairs of conjugate
// eigenvalues; part of eig_cuda.
#pragma once

#include <sinter/codegen/ops/dtype.hpp>
#include <string>

namespace sinter::inline SINTER_ABI::codegen {

std::string eig_schur(dtype t);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/linalg/eig_cuda_schur.ipp>
#endif
