// Linear algebra (numpy.linalg): equations, inverses, determinants and factorisations of matrices and of stacks of
// them.
#pragma once

#include <sinter/functions/creation.hpp>
#include <sinter/functions/products.hpp>
#include <sinter/linalg/record_linalg.hpp>

namespace sinter::inline SINTER_ABI::linalg {

// All take stacks of matrices: leading axes, which broadcast where there are two operands. float, double and their
// complex types are computed as such, integers as double. shape_error where shapes do not fit, linalg_error, where the
// value is read, naming the matrix in its stack. Half precision does not compile, as NumPy and LAPACK have none of it.
#define SINTER_LINALG_TYPE(operation, ...)                                                                            \
    static_assert(dtype_of<__VA_ARGS__> != dtype::float16,                                                            \
                  "sinter: [" operation "] float16 is unsupported in linear algebra: convert with astype<float>()");  \
    static_assert(dtype_of<__VA_ARGS__> != dtype::bfloat16,                                                           \
                  "sinter: [" operation "] bfloat16 is unsupported in linear algebra: convert with astype<float>()"); \
    static_assert(dtype_of<__VA_ARGS__> != dtype::complex32,                                                          \
                  "sinter: [" operation                                                                               \
                  "] complex32 is unsupported in linear algebra: convert with astype<std::complex<float>>()")

namespace detail {

using namespace sinter::detail;

/// The type that elements of these types are computed in.
template <class A, class B = A>
using computed = typename codegen::cpp_type<codegen::floating_of(codegen::promote(dtype_of<A>, dtype_of<B>))>::type;

template <class T>
using real_part = typename codegen::cpp_type<codegen::real_of(dtype_of<T>)>::type;

template <class T, expression E>
handle matrices(const E& e) {
    return record_cast(as_handle(e), dtype_of<T>);
}

}  // namespace detail

/// x with a @ x = b (numpy.linalg.solve): a is (…, M, M), b is (M,) or (…, M, K). linalg_error when a is singular.
template <expression A, expression B>
SINTER_NEW_VALUE auto solve(const A& a, const B& b) {
    using T = detail::computed<value_type_t<A>, value_type_t<B>>;
    SINTER_LINALG_TYPE("solve", T);
    return array<T>(detail::record_solve(detail::purpose::solve, detail::matrices<T>(a), detail::matrices<T>(b)));
}

/// The inverse (numpy.linalg.inv); linalg_error when a is singular.
template <expression A>
SINTER_NEW_VALUE auto inv(const A& a) {
    using T = detail::computed<value_type_t<A>>;
    SINTER_LINALG_TYPE("inv", T);
    return array<T>(detail::record_inv(detail::purpose::inv, detail::matrices<T>(a)));
}

/// Result of slogdet: the sign (of modulus 1 where complex, 0 where singular) and the logarithm of the modulus.
template <class T>
struct slogdet_result {
    array<T> sign;
    array<detail::real_part<T>> logabsdet;
};

namespace detail {

// The diagonals of u, negated where rows were exchanged: their products are the determinants.
template <class T>
array<T> signed_pivots(std::string_view operation, const handle& a) {
    require_matrices(operation, a, true);
    lu_handles f = record_getrf(operation, a, purpose::none);
    array<T> diagonal(record_diagonal(f.lu, 0, -2, -1));
    array<std::int32_t> pivots(f.pivots);
    return where(pivots == arange<std::int32_t>(1, a->shape.back() + 1), diagonal, -diagonal);
}

}  // namespace detail

/// The determinant (numpy.linalg.det), of shape (…).
template <expression A>
SINTER_NEW_VALUE auto det(const A& a) {
    using T = detail::computed<value_type_t<A>>;
    SINTER_LINALG_TYPE("det", T);
    return array<T>(prod(detail::signed_pivots<T>("det", detail::matrices<T>(a)), -1));
}

/// Sign and logarithm of the determinant (numpy.linalg.slogdet): `auto [sign, logabsdet] = linalg::slogdet(a)`.
template <expression A>
auto slogdet(const A& a) {
    using T = detail::computed<value_type_t<A>>;
    SINTER_LINALG_TYPE("slogdet", T);
    using R = detail::real_part<T>;
    array<T> pivots = detail::signed_pivots<T>("slogdet", detail::matrices<T>(a));
    array<R> sizes = abs(pivots);
    slogdet_result<T> r;
    if constexpr (codegen::is_complex(dtype_of<T>))
        r.sign = prod(where(sizes == R(0), T(0), pivots / where(sizes == R(0), R(1), sizes)), -1);
    else r.sign = prod(sign(pivots), -1);
    r.logabsdet = sum(log(sizes), -1);
    return r;
}

struct cholesky_options {
    bool upper = false;
};

namespace detail {

/// cholesky for a function whose errors name that.
template <class T>
array<T> cholesky_for(purpose why, const array<T>& a, bool upper) {
    array<T> f(record_cholesky(why, a.get_handle(), upper));
    return upper ? array<T>(triu(f)) : array<T>(tril(f));
}

}  // namespace detail

/// The lower triangular l with l @ conj(l.mT()) = a, from a's lower triangle, or the upper one u with conj(u.mT()) @ u
/// = a from its upper one (numpy.linalg.cholesky); linalg_error when a is not positive definite.
template <expression A>
auto cholesky(const A& a, cholesky_options o = {}) {
    using T = detail::computed<value_type_t<A>>;
    SINTER_LINALG_TYPE("cholesky", T);
    return detail::cholesky_for(detail::purpose::cholesky, array<T>(detail::matrices<T>(a)), o.upper);
}

/// Options of solve_triangular: op(a) is a, its transpose (1) or its adjoint (2).
struct triangular_options {
    bool lower = false;
    int trans = 0;
    bool unit_diagonal = false;
};

/// x with op(a) @ x = b for triangular a, whose other triangle is not read (scipy.linalg.solve_triangular); a zero on
/// the diagonal gives infinities.
template <expression A, expression B>
auto solve_triangular(const A& a, const B& b, triangular_options o = {}) {
    using T = detail::computed<value_type_t<A>, value_type_t<B>>;
    SINTER_LINALG_TYPE("solve_triangular", T);
    return array<T>(detail::record_solve_triangular("solve_triangular", detail::matrices<T>(a), detail::matrices<T>(b),
                                                    o.lower, o.trans, o.unit_diagonal));
}

/// x with a @ x = b for a with these diagonals (scipy.linalg.solve_banded((1, 1), …), LAPACK's gtsv), by elimination
/// with exchanges of neighbouring rows; N steps for each system, all systems at once. `diagonal` is (…, N), `lower` and
/// `upper` are (…, N - 1); where they are (…, N), lower[…, 0] and upper[…, N - 1] lie outside of the matrix and are not
/// read. `b` is (…, N), or (…, N, K) where it has more axes than the diagonals have. Leading axes broadcast.
/// linalg_error, where the value is read, when a matrix is singular; shape_error.
template <expression L, expression D, expression U, expression B>
auto solve_tridiagonal(const L& lower, const D& diagonal, const U& upper, const B& b) {
    using T = detail::computed<detail::computed<value_type_t<L>, value_type_t<D>>,
                               detail::computed<value_type_t<U>, value_type_t<B>>>;
    SINTER_LINALG_TYPE("solve_tridiagonal", T);
    return array<T>(detail::record_solve_tridiagonal(detail::matrices<T>(lower), detail::matrices<T>(diagonal),
                                                     detail::matrices<T>(upper), detail::matrices<T>(b)));
}

/// x with a @ x = b from a's Cholesky factor (scipy.linalg.cho_solve).
template <expression C, expression B>
auto cholesky_solve(const C& factor, const B& b, cholesky_options o = {}) {
    using T = detail::computed<value_type_t<C>, value_type_t<B>>;
    SINTER_LINALG_TYPE("cholesky_solve", T);
    return array<T>(detail::record_cholesky_solve(detail::matrices<T>(factor), detail::matrices<T>(b), o.upper));
}

}  // namespace sinter::inline SINTER_ABI::linalg
