// CUDA text of eigenvalues and right eigenvectors of stacks of any square matrices; pure.
#pragma once

#include <sinter/codegen/emit.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// `solve_eig`, a block per matrix, as LAPACK's geev: balancing, reduction to Hessenberg form, QR iterations with
/// implicit shifts, and back substitution. Of real matrices the results are complex, too. It works in dynamic shared
/// memory and in room of its own.
kernel_source eig_cuda(dtype t);

/// Rows and columns of the window along the diagonal in which one warp chases a sweep's bulge; smaller matrices are
/// there as a whole.
inline constexpr int eig_window = 32;

/// Threads of a block; `many`: of more matrices than a GPU has multiprocessors.
int eig_threads(int n, bool many);
/// Bytes of dynamic shared memory.
std::int64_t eig_shared(dtype t, int n, bool vectors);
/// Bytes of room for a matrix.
std::int64_t eig_room(dtype t, int n, bool vectors);

/// Stacks that `solve_eig` does at once; a few larger matrices are left to cuSOLVER's Xgeev, one by one. Float64 with vectors, ms so and
/// by Xgeev: on one H200 8 of 600 rows 936 and 1265; on one H100 8 of 640 rows 1168 and 1993, 4 of 1024 rows 3869 and 1485.
constexpr bool is_eig_stack(std::int64_t matrices, std::int64_t n) { return matrices > 1 && (n <= 600 || n <= 64 * matrices); }

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/eig_cuda.ipp>
#endif
