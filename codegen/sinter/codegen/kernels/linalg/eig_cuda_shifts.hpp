// CUDA text that shifts a sweep, and that takes blocks of two rows apart; part of eig_cuda.
#pragma once

#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// How real matrices are iterated: shifts in conjugate pairs, and blocks of two rows that stay or fall apart.
const char* eig_shifts_of_reals();
const char* eig_shifts_of_complex();

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/linalg/eig_cuda_shifts.ipp>
#endif
