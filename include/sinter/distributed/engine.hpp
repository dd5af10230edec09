// Linear algebra of matrices over ranks, untyped: operands are brought into square blocks by columns, a library works
// on them, and results lie as they are wanted; must not know which library.
#pragma once

#include <sinter/codegen/ops/routine.hpp>
#include <sinter/distributed/value.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// Whether a function of matrices needs a library for matrices over ranks: there are several, which do not all have
/// what it works on. Throws value_error for stacks, shape_error unless there are rows and columns, as many of both
/// where a square matrix is wanted.
bool needs_engine(std::string_view operation, const distributed_ref& a, bool square);

/// Each takes matrices of a floating type, and what is wrong with a matrix all ranks throw as linalg_error.
distributed_ref record_engine_product(const distributed_ref& a, const distributed_ref& b, dtype type,
                                      const placement& where);
/// x with a @ x = b, placed as b.
distributed_ref record_engine_solve(const distributed_ref& a, const distributed_ref& b);
distributed_ref record_engine_cholesky(const distributed_ref& a, bool upper);
/// The diagonal of u of l @ u, negated where rows were exchanged, on every rank.
distributed_ref record_engine_pivots(const distributed_ref& a);

/// q and r, placed as a.
struct engine_qr {
    distributed_ref q, r;
};
engine_qr record_engine_qr(const distributed_ref& a);

/// Eigenvalues on every rank, eigenvectors placed as a.
struct engine_eigh {
    distributed_ref values, vectors;
};
engine_eigh record_engine_eigh(codegen::purpose why, const distributed_ref& a, bool lower);

/// Singular values on every rank, u and vh placed.
struct engine_svd {
    distributed_ref u, s, vh;
};
engine_svd record_engine_svd(codegen::purpose why, const distributed_ref& a, const placement& where_u,
                             const placement& where_vh);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/distributed/engine.ipp>
#endif
