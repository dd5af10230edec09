// CUDA text that makes a Hessenberg matrix of many rows triangular by chains of bulges; part of eig_cuda.
#pragma once

#include <sinter/codegen/ops/dtype.hpp>
#include <string>

namespace sinter::inline SINTER_ABI::codegen {

std::string eig_chains();

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/linalg/eig_cuda_chains.ipp>
#endif
