// Which matrices and stacks go to which routine of a library or kernels of our own on GPUs.
#pragma once

#include <sinter/runtime/library/linalg/linalg_task.hpp>

#if SINTER_HAS_CUDA

namespace sinter::inline SINTER_ABI::runtime {

/// Inverses, Cholesky's factors and eigenvalues of Hermitian matrices that kernels of our own find.
bool is_small(const linalg_task& t);
/// Lanes of a warp that one of these matrices takes, a power of two, and thread blocks that all of them do.
int lanes_of_small(const linalg_task& t);
std::uint32_t blocks_of_small(const linalg_task& t);
/// Threads that look whether one of a stack could not be done.
std::uint32_t checking_threads(const linalg_task& t);
/// One matrix whose singular values are found by rotations.
bool is_jacobi(const linalg_task& t);
/// Stacks that cuSOLVER rotates at once.
bool is_jacobi_stack(const linalg_task& t);
/// Stacks whose singular values kernels of our own find.
bool is_svd_stack(const linalg_task& t);
/// Those of them by polar decompositions.
bool is_polar_stack(const linalg_task& t);
/// Stacks whose q kernels of our own form.
bool is_orgqr_stack(const linalg_task& t);
/// Stacks for cuBLAS's QR factors.
bool is_small_qr_stack(const linalg_task& t);
/// Stacks whose QR factors kernels of our own find.
bool is_geqrf_stack(const linalg_task& t);
/// Those of these stacks by panels and products.
bool is_by_panels(const linalg_task& t);
/// What kernels of our own do alone.
bool calls_no_library(const linalg_task& t);
/// What is looked at for NaN before a library gets it.
bool is_checked_before(const linalg_task& t);
/// What begins with LU factors.
bool has_lu(const linalg_task& t);
/// Stacks whose LU factors are one call.
bool is_lu_stack(const linalg_task& t);
/// Whether the factors of a stack are looked at although a pivot is zero.
bool keeps_nan(const linalg_task& t);

}  // namespace sinter::inline SINTER_ABI::runtime

#endif

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/linalg/linalg_cuda_stacks.ipp>
#endif
