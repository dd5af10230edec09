// CUDA text that finds eigenvectors of a triangular matrix and leads them back; part of eig_cuda.
#pragma once

#include <sinter/codegen/ops/dtype.hpp>
#include <string>

namespace sinter::inline SINTER_ABI::codegen {

std::string eig_vectors(dtype t);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/linalg/eig_cuda_vectors.ipp>
#endif
