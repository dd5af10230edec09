// Factorisations of matrices and of stacks of them (numpy.linalg, scipy.linalg): LU, QR, eigenvalues, singular values.
#pragma once

#include <sinter/linalg/linalg.hpp>
#include <string_view>

namespace sinter::inline SINTER_ABI::linalg {

/// Factors in one matrix, and which row each row was exchanged with, in turn, counted from 0.
template <class T>
struct lu_factor_result {
    array<T> lu;
    array<std::int32_t> piv;
};

/// l, without its diagonal of ones, and u in one matrix (scipy.linalg.lu_factor); singular matrices are no failure.
template <expression A>
auto lu_factor(const A& a) {
    using T = detail::computed<value_type_t<A>>;
    SINTER_LINALG_TYPE("lu_factor", T);
    detail::factor_handles f = detail::record_lu("lu_factor", detail::matrices<T>(a), false);
    return lu_factor_result<T>{array<T>(f.lu), array<std::int32_t>(f.pivots) - 1};
}

/// x with op(a) @ x = b from a's factors (scipy.linalg.lu_solve): op(a) is a, its transpose (1) or its adjoint (2).
template <class T, expression B>
auto lu_solve(const lu_factor_result<T>& factors, const B& b, int trans = 0) {
    using R = detail::computed<T, value_type_t<B>>;
    SINTER_LINALG_TYPE("lu_solve", R);
    if (trans < 0 || trans > 2) throw value_error("[lu_solve] trans is 0, 1 or 2, not " + std::to_string(trans));
    detail::handle lu = detail::matrices<R>(factors.lu);
    detail::require_matrices("lu_solve", lu, true);
    array<std::int32_t> pivots = factors.piv + 1;
    return array<R>(detail::record_getrs("lu_solve", {detail::transposed_last(lu), pivots.get_handle()}, false,
                                         detail::matrices<R>(b), trans));
}

template <class T>
struct lu_result {
    array<T> p, l, u;
};

/// p, l, u with p @ l @ u = a (scipy.linalg.lu): p permutes rows, l has ones on its diagonal; a may be rectangular.
template <expression A>
auto lu(const A& a) {
    using T = detail::computed<value_type_t<A>>;
    SINTER_LINALG_TYPE("lu", T);
    detail::factor_handles f = detail::record_lu("lu", detail::matrices<T>(a), true);
    array<T> both(f.lu);
    array<std::int32_t> rows(f.rows);
    const std::int64_t m = both.shape(-2), k = std::min(m, both.shape(-1));
    const auto& part = std::as_const(both);
    lu_result<T> r;
    r.p = astype<T>(arange<std::int32_t>(m)(all, newaxis) == std::as_const(rows)(ellipsis, newaxis, all));
    r.l = tril(part(ellipsis, all, slice(k)), -1) + eye<T>(m, k);
    r.u = triu(part(ellipsis, slice(k), all));
    return r;
}

template <class T>
struct qr_result {
    array<T> q, r;
};

/// q with orthonormal columns and upper triangular r with q @ r = a (numpy.linalg.qr). Modes: "reduced", "complete" (q
/// is square), "r" (q is left empty). Throws value_error for others.
template <expression A>
auto qr(const A& a, std::string_view mode = "reduced") {
    using T = detail::computed<value_type_t<A>>;
    SINTER_LINALG_TYPE("qr", T);
    if (mode != "reduced" && mode != "complete" && mode != "r")
        throw value_error("[qr] mode is reduced, complete or r, not " + std::string(mode));
    detail::qr_handles f = detail::record_qr(detail::matrices<T>(a), mode != "r", mode == "complete");
    qr_result<T> result;
    if (f.q) result.q = array<T>(f.q);
    result.r = triu(array<T>(f.r));
    return result;
}

template <class T>
struct eigh_result {
    array<detail::real_part<T>> eigenvalues;
    array<T> eigenvectors;
};

namespace detail {

inline bool is_lower(purpose why, char uplo) {
    if (uplo != 'L' && uplo != 'l' && uplo != 'U' && uplo != 'u')
        throw value_error("[" + std::string(to_string(why)) + "] UPLO is L or U, not " + std::string(1, uplo));
    return uplo == 'L' || uplo == 'l';
}

/// eigh for a function whose errors name that.
template <class T>
eigh_result<T> eigh_for(purpose why, const array<T>& a, char uplo) {
    bool conjugated = false;
    eigen_handles f = record_eigh(why, a.get_handle(), is_lower(why, uplo), true, conjugated);
    array<T> vectors(f.vectors);
    if (codegen::is_complex(dtype_of<T>) && conjugated) vectors = conj(vectors);
    return {array<real_part<T>>(f.values), vectors};
}

}  // namespace detail

/// Eigenvalues, ascending, and eigenvectors, as columns, of symmetric or Hermitian matrices, of which one triangle is
/// read (numpy.linalg.eigh); linalg_error when elements of it are not finite, or so large that values overflow to NaN.
template <expression A>
auto eigh(const A& a, char UPLO = 'L') {
    using T = detail::computed<value_type_t<A>>;
    SINTER_LINALG_TYPE("eigh", T);
    return detail::eigh_for(detail::purpose::eigh, array<T>(detail::matrices<T>(a)), UPLO);
}

/// The eigenvalues alone (numpy.linalg.eigvalsh); linalg_error when elements of the triangle are not finite, or so
/// large that values overflow to NaN.
template <expression A>
auto eigvalsh(const A& a, char UPLO = 'L') {
    using T = detail::computed<value_type_t<A>>;
    SINTER_LINALG_TYPE("eigvalsh", T);
    constexpr auto why = detail::purpose::eigvalsh;
    bool conjugated = false;
    return array<detail::real_part<T>>(
        detail::record_eigh(why, detail::matrices<T>(a), detail::is_lower(why, UPLO), false, conjugated).values);
}

namespace detail {

template <class T>
using complex_of = typename codegen::cpp_type<codegen::promote(dtype_of<T>, dtype::complex64)>::type;

}  // namespace detail

template <class T>
struct eig_result {
    array<detail::complex_of<T>> eigenvalues, eigenvectors;
};

/// Eigenvalues and eigenvectors, as columns, of any square matrices (numpy.linalg.eig), always complex; linalg_error
/// when elements are not finite, or so large that values overflow to NaN.
template <expression A>
auto eig(const A& a) {
    using T = detail::computed<value_type_t<A>>;
    SINTER_LINALG_TYPE("eig", T);
    using C = detail::complex_of<T>;
    detail::eigen_handles f = detail::record_eig(detail::purpose::eig, detail::matrices<T>(a), true);
    return eig_result<T>{array<C>(f.values), array<C>(f.vectors)};
}

/// The eigenvalues alone (numpy.linalg.eigvals), always complex; linalg_error when elements are not finite, or so
/// large that values overflow to NaN.
template <expression A>
auto eigvals(const A& a) {
    using T = detail::computed<value_type_t<A>>;
    SINTER_LINALG_TYPE("eigvals", T);
    return array<detail::complex_of<T>>(
        detail::record_eig(detail::purpose::eigvals, detail::matrices<T>(a), false).values);
}

template <class T>
struct svd_result {
    array<T> u;
    array<detail::real_part<T>> s;
    array<T> vh;
};

/// Options of svd; without compute_uv u and vh stay empty.
struct svd_options {
    bool full_matrices = true;
    bool compute_uv = true;
};

namespace detail {

/// svd for a function whose errors name that.
template <class T>
svd_result<T> svd_for(purpose why, const array<T>& a, svd_options o) {
    bool conjugated = false;
    svd_handles f = record_svd(why, a.get_handle(), o.full_matrices, o.compute_uv, conjugated);
    svd_result<T> r;
    r.s = array<real_part<T>>(f.s);
    if (!o.compute_uv) return r;
    r.u = array<T>(f.u);
    if (codegen::is_complex(dtype_of<T>) && conjugated) r.u = conj(r.u);
    r.vh = array<T>(f.vh);
    return r;
}

template <class T>
array<real_part<T>> svdvals_for(purpose why, const array<T>& a) {
    return svd_for(why, a, {.compute_uv = false}).s;
}

}  // namespace detail

/// u, s, vh with (u * s) @ vh = a; s descends (numpy.linalg.svd). linalg_error when elements are not finite, or so
/// large that values overflow to NaN.
template <expression A>
auto svd(const A& a, svd_options o = {}) {
    using T = detail::computed<value_type_t<A>>;
    SINTER_LINALG_TYPE("svd", T);
    return detail::svd_for(detail::purpose::svd, array<T>(detail::matrices<T>(a)), o);
}

/// The singular values alone (numpy.linalg.svdvals); linalg_error when elements are not finite, or so large that
/// values overflow to NaN.
template <expression A>
auto svdvals(const A& a) {
    using T = detail::computed<value_type_t<A>>;
    SINTER_LINALG_TYPE("svdvals", T);
    return detail::svdvals_for(detail::purpose::svdvals, array<T>(detail::matrices<T>(a)));
}

}  // namespace sinter::inline SINTER_ABI::linalg
