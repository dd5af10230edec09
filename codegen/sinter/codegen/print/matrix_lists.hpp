// The kernel that lists where the matrices of a product begin; must not know who multiplies them.
#pragma once

#include <sinter/codegen/print/emit.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Most leading axes of a stack of matrices.
inline constexpr int most_stack_axes = max_rank - 2;

/// How list_matrices finds them: the sizes of the leading axes, ones before them, and how many bytes apart matrices of
/// a and b begin along each; those of c follow one another.
struct matrix_steps {
    long long shape[most_stack_axes], a[most_stack_axes], b[most_stack_axes], c;
};

/// A kernel `list_matrices` of blocks of 256 threads, one for each matrix of c. Its parameters are the addresses of a,
/// b and c, where to write, how many matrices c has, and, by value, a matrix_steps. It writes three lists of addresses,
/// one after another.
kernel_source matrix_lists_cuda();

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/matrix_lists.ipp>
#endif
