// What linear algebra records: calls of LAPACK's routines on arrays that are seen so that no row-major matrix is
// transposed.
#pragma once

#include <sinter/functions/creation.hpp>

namespace sinter::inline SINTER_ABI::detail {

using codegen::call_info;
using codegen::purpose;
using codegen::routine;

/// One result of a routine that runs for a function.
handle record_call(std::string_view operation, const call_info& c, std::initializer_list<handle> operands);

/// Throws shape_error unless x is a stack of (square) matrices.
void require_matrices(std::string_view operation, const handle& x, bool square);

/// What factorising leaves: lu and pivots of the matrices' transposes, as they lie by columns.
struct lu_handles {
    handle lu, pivots;
};
lu_handles record_getrf(std::string_view operation, const handle& a, purpose why);

/// x with a @ x = b for factors of a's transposes, or of a itself; `trans`: 0, 1 (transposed) or 2 (adjoint).
handle record_getrs(std::string_view operation, const lu_handles& factors, bool of_transposes, const handle& b,
                    int trans);

handle record_solve(purpose why, const handle& a, const handle& b);
handle record_inv(purpose why, const handle& a);
/// The triangle that is not asked for holds anything.
handle record_cholesky(purpose why, const handle& a, bool upper);
/// lu and pivots of matrices as they are, row-major or not, and the order of the rows if asked for.
struct factor_handles {
    handle lu, pivots, rows;
};
factor_handles record_lu(std::string_view operation, const handle& a, bool with_rows);
/// q (none without `with_q`), r; complete: q is square.
struct qr_handles {
    handle q, r;
};
qr_handles record_qr(const handle& a, bool with_q, bool complete);
struct eigen_handles {
    handle values, vectors;
};
/// Vectors as columns; conjugated where `conjugated` says so.
eigen_handles record_eigh(purpose why, const handle& a, bool lower, bool with_vectors, bool& conjugated);
eigen_handles record_eig(purpose why, const handle& a, bool with_vectors);
/// u is conjugated where `conjugated` says so.
struct svd_handles {
    handle u, s, vh;
};
svd_handles record_svd(purpose why, const handle& a, bool full_matrices, bool with_vectors, bool& conjugated);

/// x with a @ x = b for a matrix of three diagonals.
handle record_solve_tridiagonal(const handle& lower, const handle& diagonal, const handle& upper, const handle& b);

/// x with op(a) @ x = b for the triangles of a.
handle record_solve_triangular(std::string_view operation, const handle& a, const handle& b, bool lower, int trans,
                               bool unit_diagonal);
/// x with a @ x = b from a's Cholesky factor.
handle record_cholesky_solve(const handle& factor, const handle& b, bool upper);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/linalg/record_linalg.ipp>
#endif
