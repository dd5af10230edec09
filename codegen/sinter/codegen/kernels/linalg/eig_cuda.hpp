// CUDA text of eigenvalues and right eigenvectors of stacks of any square matrices; pure.
#pragma once

#include <sinter/codegen/print/emit.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// `solve_eig`, a cluster of blocks per matrix, as LAPACK's geev: balancing, reduction to Hessenberg form, QR
/// iterations with implicit shifts, and back substitution. Of real matrices the results are complex, too. It works in
/// dynamic shared memory and in a workspace of its own.
kernel_source eig_cuda(dtype t);

/// Rows that one warp makes triangular in shared memory; smaller matrices are there as a whole.
inline constexpr int eig_block = 32;
/// Rows or columns that a block multiplies by what was done in a window.
inline constexpr int eig_lines = 64;
/// Matrices of so many rows are shared by the blocks of a cluster.
inline constexpr int least_shared_eig = 128, most_eig_blocks = 16;

/// Bytes of shared memory, at most, of arrays that the text declares.
inline constexpr int eig_fixed = 16384;

/// Rows and columns of the window along the diagonal through which a chain of bulges goes, and bytes of dynamic shared
/// memory.
struct eig_shape {
    int window;
    std::int64_t shared_bytes;
};
eig_shape eig_shape_of(dtype t, int n, bool vectors, std::int64_t shared_limit);

/// Threads of a block; `many`: of more matrices than a GPU has multiprocessors.
int eig_threads(int n, bool many);
/// Bytes of workspace for a matrix, which has so many blocks.
std::int64_t eig_workspace(dtype t, int n, int window, bool vectors, int blocks);

/// Stacks that `solve_eig` does at once, rather than cuSOLVER's Xgeev one by one: few large matrices take it longer
/// than that or hardly less (bench/tuning has both times), several take it little longer than one.
constexpr bool is_eig_stack(bool complex, int n, std::int64_t matrices) {
    return matrices > 3 || (matrices > 1 && n <= (complex ? 640 : 1024));
}

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/linalg/eig_cuda.ipp>
#endif
