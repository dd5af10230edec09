// CUDA text that balances a matrix and reduces it to Hessenberg form; part of eig_cuda.
#pragma once

#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Of matrices that one block has.
const char* eig_reduce();
/// Of those that blocks share.
const char* eig_reduce_large();

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/linalg/eig_cuda_reduce.ipp>
#endif
