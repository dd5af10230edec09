// CUDA text of the singular value decomposition of stacks of matrices, a block or a cluster of blocks for each; pure.
#pragma once

#include <sinter/codegen/print/emit.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// `scale_matrices`, `reflect_columns`, `rotate_columns` and `order_values`, in this order: of a = q r the columns of
/// r's adjoint are rotated in pairs until all are orthogonal, which takes about ten sweeps whatever the condition,
/// where those of a or r may take hundred. Their lengths are the singular values, the rotations make the vectors of one
/// side, and the columns themselves, made orthonormal by `reflect_columns` where they are close to zero, those of the
/// other.
kernel_source svd_cuda(dtype t);

/// Threads of a block of `reflect_columns` and `rotate_columns` at most.
inline constexpr int svd_threads = 512;
/// Blocks that may share a matrix as one cluster.
inline constexpr int most_svd_blocks = 16;

/// How the columns of a matrix go round: in `groups` of `width`, two of which a block holds in shared memory at a time.
struct rotation_shape {
    int width, groups;
    int blocks;  ///< that share a matrix
    std::size_t shared_bytes;
};

/// For n columns that take so many bytes each, `blocks` at most for a matrix, and `shared` bytes of memory in a block,
/// which has room for two columns.
rotation_shape rotation_shape_of(int n, std::size_t column_bytes, int blocks, std::size_t shared);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/linalg/svd_cuda.ipp>
#endif
