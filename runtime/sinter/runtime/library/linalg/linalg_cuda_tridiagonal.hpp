// Tridiagonal equations on GPUs by a kernel of our own, so that no library is needed.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/runtime/library/linalg/linalg_task.hpp>

#if SINTER_HAS_CUDA

namespace sinter::inline SINTER_ABI::runtime {

struct index_check;

prepared_linalg prepare_cuda_tridiagonal(const linalg_task& t, device where);
void run_cuda_tridiagonal(const prepared_linalg& r, device where, char* const* arrays, char* workspace,
                          codegen::sequence<index_check>& checks);

}  // namespace sinter::inline SINTER_ABI::runtime

#endif

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/linalg/linalg_cuda_tridiagonal.ipp>
#endif
