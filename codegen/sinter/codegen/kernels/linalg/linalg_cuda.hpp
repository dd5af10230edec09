// CUDA text beside the calls of linear algebra libraries: lists of matrices, and the check of what the libraries
// report; pure.
#pragma once

#include <sinter/codegen/print/emit.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// `list_matrices`: the addresses of the matrices of a stack, as batched routines take them.
/// `order_rows`: which row of a matrix each row of its factors is, from the exchanges that were made.
/// `mark_not_finite`, a warp per column: marks the matrices of a stack that have a NaN or an infinity; `clear_marked`
/// makes these zero. `mark_overflows`, a thread per word: marks by their info the matrices with finite numbers that
/// have values which are NaN. `check_info`, one block: reports the first matrix that is marked or whose info is not
/// zero, as its number << 32 | info; with LU factors, the first zero pivot in place of info. `take_upper`, a block per
/// column: of LU factors what is above the diagonal, with identities along it; and, where asked for, the identities
/// alone. `unpack_vectors`, a block per column: complex eigenvectors of a real matrix from their parts.
/// `keep_nan`: NaN in the last pivot of factors that left one out. `order_columns`, a block per column: columns to
/// where `order_rows` says that they belong. Each is a text by itself, so that who needs one waits for one.
kernel_source linalg_cuda(const std::string& kernel);
inline constexpr const char* linalg_kernels[] = {"list_matrices", "order_rows",     "mark_not_finite", "clear_marked",
                                                 "check_info",    "mark_overflows", "keep_nan",        "unpack_vectors",
                                                 "take_upper",    "order_columns"};

/// What elements are and can do, as the texts of linear algebra begin.
std::string linalg_element(dtype t);
/// The arithmetic of complex numbers under a name, after `real` is known.
std::string linalg_complex(const std::string& name);
/// What decompositions need besides linalg_element: parts and multiples of elements, and what a warp's lanes have in
/// all.
std::string linalg_parts(dtype t);
std::string linalg_scaling(dtype t);
/// `grid_barrier`, where the threads of a cluster wait for each other.
const char* linalg_grid_barrier();

/// `solve_tridiagonal`, a thread per right-hand side and 64 of these per block: Gaussian elimination with exchanges of
/// neighbouring rows, as LAPACK's gtsv; `worst` keeps the complement of the first singular matrix's number << 32 |
/// pivot, which `report_matrix` writes into the error words.
kernel_source tridiagonal_cuda(dtype t);
/// `invert_small` for matrices of at most so many rows, a power of two and lanes of a warp: the inverses of a stack by
/// Gauss and Jordan with exchanges of rows; a matrix's info is its first zero pivot, counted from 1, or 0.
kernel_source invert_small_cuda(dtype t, int most_rows);
/// `factor_small`, the same for Cholesky's factors; a matrix's info is the first pivot that is zero or negative.
kernel_source factor_small_cuda(dtype t, int most_rows);
inline constexpr int small_matrix = 32;
/// `rotate_small`, a thread for each Hermitian matrix of so many rows: eigenvalues and, if asked for, eigenvectors in
/// place of the matrix by Jacobi's rotations (Golub and Van Loan, Matrix Computations, section 8.5). Both triangles of
/// the matrix are what one of them says.
kernel_source rotate_small_cuda(dtype t, int rows);
inline constexpr int small_rotated = 4;
inline constexpr int small_matrix_threads = 128;  ///< of a block of these; a number of their texts
/// Rows of the identities along the diagonal that `take_upper` writes; a number of its text.
inline constexpr int inverse_block = 256;
/// Columns that a block of `mark_not_finite` and `clear_marked` looks at; a number of their text.
inline constexpr int columns_to_check = 8;
/// `form_q`, a warp per `columns_of_warp` columns: the orthogonal matrices of a stack from their reflectors, or these
/// times others.
kernel_source form_q_cuda(dtype t);
inline constexpr int columns_of_warp = 4;
/// Right-hand sides that a block solves together.
inline constexpr int tridiagonal_block = 64;

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/linalg/linalg_cuda.ipp>
#endif
