// Linear algebra of matrices over ranks, by ScaLAPACK, or cuSOLVERMp on GPUs that NCCL links, where several ranks have
// parts of them; elsewhere the functions of ordinary arrays.
#pragma once

#include <sinter/distributed/engine.hpp>
#include <sinter/distributed/functions.hpp>
#include <sinter/linalg/decompositions.hpp>
#include <sinter/linalg/matrix_functions.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::linalg {

// All take matrices in any placement, those that are block_cyclic without moving them first, of the types that LAPACK
// has; integers are computed as double. What ranks have in common is computed on each of them. Throws shape_error;
// value_error for stacks; linalg_error on all ranks alike, when the function is called; device_error without the
// library or a routine of it (svd and lstsq want cuSOLVERMp 0.9), or where ranks are threads.

namespace detail {

/// An operand in the type that it is computed in, with partial results combined.
template <class T, class A>
distributed_ref matrix_over(const session_ref& s, const A& a) {
    const distributed_ref v = settled(as_distributed(s, a));
    return make_distributed(v->session, v->shape, v->where, record_cast(v->local, dtype_of<T>), v->moves);
}
/// A result of an ordinary function where ranks have whole operands.
template <class T, expression E>
distributed::array<T> placed_result(const distributed_ref& like, const E& e) {
    const handle h = record_expression<T>(e);
    const bool has_place = h->shape.size() == like->shape.size();
    return distributed::array<T>(make_distributed(like->session, dims(h->shape),
                                                  has_place ? like->where : distributed::replicated(), h, like->moves));
}

}  // namespace detail

/// x with a @ x = b, placed as b is (numpy.linalg.solve), of a matrix and one of its columns' length, or a vector.
template <class A, class B>
    requires(sinter::detail::distributed_call<A, B> && !sinter::detail::scalar_operand<A> &&
             !sinter::detail::scalar_operand<B>)
auto solve(const A& a, const B& b) {
    using T = detail::computed<typename A::value_type, typename B::value_type>;
    SINTER_LINALG_TYPE("solve", T);
    const detail::session_ref& s = detail::session_of(a, b);
    const detail::distributed_ref x = detail::matrix_over<T>(s, a), y = detail::matrix_over<T>(s, b);
    detail::require_equations("solve", x->shape, y->shape);
    const bool of_a = detail::needs_engine("solve", x, true);
    if (!of_a && (!s->has_engine() || y->where.kind == distributed::placement_kind::replicated))
        return detail::placed_result<T>(y, solve(array<T>(x->local), array<T>(y->local)));
    if (y->shape.size() == 2) return distributed::array<T>(detail::record_engine_solve(x, y));
    const auto column = detail::record_distributed_reshape(y, dims(y->shape[0], 1));
    return distributed::array<T>(
        detail::record_distributed_reshape(detail::record_engine_solve(x, column), dims(y->shape[0])));
}

/// The factor of a positive definite matrix, placed as that is (numpy.linalg.cholesky).
template <class E>
auto cholesky(const distributed::array<E>& a, cholesky_options o = {}) {
    using T = detail::computed<E>;
    SINTER_LINALG_TYPE("cholesky", T);
    const detail::distributed_ref x = detail::matrix_over<T>(a.get_value()->session, a);
    if (detail::needs_engine("cholesky", x, true))
        return distributed::array<T>(detail::record_engine_cholesky(x, o.upper));
    return detail::placed_result<T>(x, cholesky(array<T>(x->local), o));
}

/// The determinant, on every rank (numpy.linalg.det).
template <class E>
auto det(const distributed::array<E>& a) {
    using T = detail::computed<E>;
    SINTER_LINALG_TYPE("det", T);
    const detail::distributed_ref x = detail::matrix_over<T>(a.get_value()->session, a);
    if (detail::needs_engine("det", x, true)) return prod(distributed::array<T>(detail::record_engine_pivots(x)), -1);
    return detail::placed_result<T>(x, det(array<T>(x->local)));
}

/// Results of distributed functions, under the names of ordinary ones.
template <class T>
struct distributed_qr_result {
    distributed::array<T> q, r;
};
template <class T>
struct distributed_eigh_result {
    distributed::array<detail::real_part<T>> eigenvalues;
    distributed::array<T> eigenvectors;
};
template <class T>
struct distributed_svd_result {
    distributed::array<T> u;
    distributed::array<detail::real_part<T>> s;
    distributed::array<T> vh;
};
template <class T>
struct distributed_lstsq_result {
    distributed::array<T> x;
    distributed::array<detail::real_part<T>> residuals;
    distributed::array<std::int64_t> rank;
    distributed::array<detail::real_part<T>> s;
};

/// q with orthonormal columns and upper triangular r, both placed as a is (numpy.linalg.qr, mode "reduced").
template <class E>
auto qr(const distributed::array<E>& a) {
    using T = detail::computed<E>;
    SINTER_LINALG_TYPE("qr", T);
    const detail::distributed_ref x = detail::matrix_over<T>(a.get_value()->session, a);
    if (detail::needs_engine("qr", x, false)) {
        const detail::engine_qr f = detail::record_engine_qr(x);
        return distributed_qr_result<T>{distributed::array<T>(f.q), distributed::array<T>(f.r)};
    }
    const auto f = qr(array<T>(x->local));
    return distributed_qr_result<T>{detail::placed_result<T>(x, f.q), detail::placed_result<T>(x, f.r)};
}

/// Eigenvalues, ascending, on every rank, and eigenvectors as columns, placed as a is (numpy.linalg.eigh). linalg_error
/// when an element is not finite.
template <class E>
auto eigh(const distributed::array<E>& a, char UPLO = 'L') {
    using T = detail::computed<E>;
    using R = detail::real_part<T>;
    SINTER_LINALG_TYPE("eigh", T);
    const detail::distributed_ref x = detail::matrix_over<T>(a.get_value()->session, a);
    const bool lower = detail::is_lower(detail::purpose::eigh, UPLO);
    if (detail::needs_engine("eigh", x, true)) {
        const detail::engine_eigh f = detail::record_engine_eigh(detail::purpose::eigh, x, lower);
        return distributed_eigh_result<T>{distributed::array<R>(f.values), distributed::array<T>(f.vectors)};
    }
    const auto f = eigh(array<T>(x->local), UPLO);
    return distributed_eigh_result<T>{detail::placed_result<R>(x, f.eigenvalues),
                                      detail::placed_result<T>(x, f.eigenvectors)};
}

namespace detail {

// Of matrices with fewer rows or columns than there are ranks each computes all: ScaLAPACK waits for ever on rows that
// stand alone, and takes values for different that ranks without vectors find by another method.
template <class T>
distributed_svd_result<T> svd_of_few(purpose why, const distributed_ref& x, const distributed::placement& where_u,
                                     const distributed::placement& where_vh) {
    const distributed_ref all = record_reshard(x, distributed::replicated(), to_string(why));
    const auto f = svd_for(why, array<T>(all->local), {.full_matrices = false});
    const auto s = placed_result<real_part<T>>(all, f.s);
    s.eval();
    return {placed_result<T>(all, f.u).reshard(where_u), s, placed_result<T>(all, f.vh).reshard(where_vh)};
}

template <class T>
distributed_svd_result<T> distributed_svd(purpose why, const distributed_ref& x, const distributed::placement& where_u,
                                          const distributed::placement& where_vh) {
    if (needs_engine(to_string(why), x, false)) {
        if (std::min(x->shape[0], x->shape[1]) < x->session->ranks()) return svd_of_few<T>(why, x, where_u, where_vh);
        const engine_svd f = record_engine_svd(why, x, where_u, where_vh);
        return {distributed::array<T>(f.u), distributed::array<real_part<T>>(f.s), distributed::array<T>(f.vh)};
    }
    const auto f = svd_for(why, array<T>(x->local), {.full_matrices = false});
    return {placed_result<T>(x, f.u), placed_result<real_part<T>>(x, f.s), placed_result<T>(x, f.vh)};
}

}  // namespace detail

/// u, s, vh with (u * s) @ vh = a; s descends and is on every rank, u and vh are placed as a is (numpy.linalg.svd with
/// full_matrices=False, which has to be said). linalg_error when an element is not finite, value_error for full
/// matrices.
template <class E>
auto svd(const distributed::array<E>& a, svd_options o = {}) {
    using T = detail::computed<E>;
    SINTER_LINALG_TYPE("svd", T);
    if (o.full_matrices || !o.compute_uv)
        throw value_error("[svd] over ranks there are reduced matrices u and vh alone: say {.full_matrices = false}");
    const detail::distributed_ref x = detail::matrix_over<T>(a.get_value()->session, a);
    return detail::distributed_svd<T>(detail::purpose::svd, x, x->where, x->where);
}

/// x of least norm that minimises the norm of b - a @ x, sums of squared residuals, rank and singular values, on every
/// rank (numpy.linalg.lstsq), by singular values.
template <class A, class B>
    requires(sinter::detail::distributed_call<A, B> && !sinter::detail::scalar_operand<A> &&
             !sinter::detail::scalar_operand<B>)
SINTER_COMPARES auto lstsq(const A& a, const B& b, double rcond = -1) {
    using T = detail::computed<typename A::value_type, typename B::value_type>;
    using R = detail::real_part<T>;
    SINTER_LINALG_TYPE("lstsq", T);
    const detail::session_ref& session = detail::session_of(a, b);
    const detail::distributed_ref x = detail::matrix_over<T>(session, a), y = detail::matrix_over<T>(session, b);
    detail::require_equations("lstsq", x->shape, y->shape);
    const std::int64_t rows = x->shape[0], columns = x->shape[1];
    const distributed::array<T> m = distributed::array<T>(x).reshard(distributed::split(0));
    const distributed::array<T> given(y->shape.size() == 1 ? detail::record_distributed_reshape(y, dims(rows, 1)) : y);
    const distributed::array<T> right = given.reshard(distributed::split(0));
    // u by rows as b is, and vh by columns: the products move what has as many rows as a has columns.
    auto [u, s, vh] =
        detail::distributed_svd<T>(detail::purpose::lstsq, x, distributed::split(0), distributed::split(1));
    const double relative =
        rcond >= 0 ? rcond : static_cast<double>(std::max(rows, columns)) * std::numeric_limits<R>::epsilon();
    const auto counts = s > max(s) * static_cast<R>(relative);
    const auto inverse = where(counts, R(1) / s, R(0));
    const distributed::array<T> along =
        matmul(conj(u.reshard(distributed::split(0))).T(), right).reshard(distributed::replicated());
    const auto scaled = reshape(inverse, {inverse.shape(0), 1}).template astype<T>() * along;
    const distributed::array<T> found =
        matmul(conj(vh.reshard(distributed::split(1))).T(), scaled).reshard(distributed::replicated());
    const auto away = right - matmul(m, found);
    const distributed::array<R> squares = sum(abs2(away), 0).reshard(distributed::replicated());
    const bool has_residuals = rows > columns;
    const distributed::array<R> none = distributed::array<R>(detail::make_distributed(
        session, dims(0), distributed::replicated(), detail::record_empty(dtype_of<R>, dims(0))));
    return distributed_lstsq_result<T>{y->shape.size() == 1 ? reshape(found, {columns}) : found,
                                       has_residuals ? squares : none, count_nonzero(counts), s};
}

}  // namespace sinter::inline SINTER_ABI::linalg

SINTER_IEEE_END
