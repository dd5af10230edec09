// Eigenvalues of stacks on GPUs by a kernel of our own, for which cuSOLVER has no batched function.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/runtime/library/linalg/linalg_task.hpp>

#if SINTER_HAS_CUDA

namespace sinter::inline SINTER_ABI::runtime {

struct index_check;

/// Whether the kernel does a task: single matrices, too, where cuSOLVER is older than its function for them.
bool has_eig_kernel(const linalg_task& t);

prepared_linalg prepare_cuda_eig(const linalg_task& t, device where);
void run_cuda_eig(const prepared_linalg& r, device where, char* const* arrays, char* workspace,
                  codegen::sequence<index_check>& checks);

}  // namespace sinter::inline SINTER_ABI::runtime

#endif

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/linalg/linalg_cuda_eig.ipp>
#endif
