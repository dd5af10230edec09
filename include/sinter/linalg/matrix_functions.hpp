// What is made of factorisations and products (numpy.linalg): conditions, ranks, least squares, powers and
// exponentials.
#pragma once

#include <optional>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/array/constants.hpp>
#include <sinter/linalg/norms.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::linalg {

namespace detail {

/// Throws shape_error unless b is a vector or a stack of matrices with the rows of a's, whose leading axes broadcast.
void require_equations(const char* operation, const dims& a, const dims& b);

}  // namespace detail

/// Condition of matrices by a norm (numpy.linalg.cond): infinite where singular; linalg_error for matrices without
/// elements, and by the usual norm, 2, -2 and nuc also when elements are not finite.
template <expression A>
SINTER_COMPARES auto cond(const A& a, norm_order p = none) {
    using T = detail::computed<value_type_t<A>>;
    SINTER_LINALG_TYPE("cond", T);
    using R = detail::real_part<T>;
    array<T> x = astype<T>(a);
    detail::require_matrices("cond", x.get_handle(), false);
    if (x.shape(-1) == 0 || x.shape(-2) == 0)
        throw linalg_error("[cond] matrices without elements have no condition: " + to_string(x.shape()));
    array<R> c;
    if (p.kind == norm_order::what::usual || (p.kind == norm_order::what::number && codegen::ieee::fabs(p.p) == 2)) {
        array<R> s = detail::svdvals_for(detail::purpose::cond, x);
        const auto& values = std::as_const(s);
        c = p.p > 0 ? array<R>(values(ellipsis, 0) / values(ellipsis, -1))
                    : array<R>(values(ellipsis, -1) / values(ellipsis, 0));
    } else {
        detail::require_matrices("cond", x.get_handle(), true);
        // Of a singular matrix an inverse with infinities, not an error; its singular values would be one.
        auto norm_of = [&](const array<T>& m) {
            return detail::norm_over(m, p, {-2, -1}, false, detail::purpose::cond);
        };
        c = norm_of(x);
        array<T> one = eye<T>(x.shape(-1));
        array<T> inverse(detail::record_getrs(
            "cond", detail::record_getrf("cond", x.get_handle(), detail::purpose::none), true, one.get_handle(), 0));
        array<R> size = norm_of(where(isfinite(inverse), inverse, T(0)));
        c *= where(all(isfinite(inverse), {-2, -1}), size, R(codegen::ieee::infinity));
    }
    array<bool> wrong = isnan(c) && !any(isnan(x), {-2, -1});
    return array<R>(where(wrong, R(codegen::ieee::infinity), c));
}

/// Options of matrix_rank: singular values count above tol, else above rtol times the largest, by default eps times the
/// larger size. Both are numbers, or arrays with one for each matrix of a stack, which broadcast.
struct rank_options {
    detail::any_operand tol = {};
    detail::any_operand rtol = {};
};

namespace detail {

/// A tolerance beside the singular values of each matrix; throws type_error for a complex one.
template <class R>
array<R> tolerance(std::string_view operation, const any_operand& t, const array<R>& values) {
    const device_scope on(values.device());
    const handle h = t.as_value();
    if (codegen::is_complex(h->type))
        throw type_error("[" + std::string(operation) + "] a tolerance is complex: " + std::string(to_string(h->type)));
    const array<R> each(record_cast(h, dtype_of<R>));
    return each(ellipsis, newaxis);
}

}  // namespace detail

/// Number of singular values that are not negligible (numpy.linalg.matrix_rank), int64; linalg_error when elements of
/// matrices are not finite; shape_error for tolerances that do not broadcast.
template <expression A>
SINTER_COMPARES auto matrix_rank(const A& a, rank_options o = {}) {
    using T = detail::computed<value_type_t<A>>;
    SINTER_LINALG_TYPE("matrix_rank", T);
    using R = detail::real_part<T>;
    array<T> x = astype<T>(a);
    if (x.ndim() < 2) return array<std::int64_t>(astype<std::int64_t>(any(x != T(0))));
    array<R> s = detail::svdvals_for(detail::purpose::matrix_rank, x);
    if (o.tol.is_given()) return array<std::int64_t>(count_nonzero(s > detail::tolerance("matrix_rank", o.tol, s), -1));
    const double usual = static_cast<double>(std::max(x.shape(-1), x.shape(-2))) * std::numeric_limits<R>::epsilon();
    const array<R> relative = detail::tolerance("matrix_rank", o.rtol.is_given() ? o.rtol : usual, s);
    return array<std::int64_t>(count_nonzero(s > detail::largest(s, -1) * relative, -1));
}

/// Options of pinv: singular values up to rcond times the largest count as zero, a number or an array with one for each
/// matrix of a stack, which broadcasts.
struct pinv_options {
    detail::any_operand rcond = 1e-15;
};

/// The pseudo-inverse (numpy.linalg.pinv). linalg_error when elements are not finite.
template <expression A>
SINTER_COMPARES auto pinv(const A& a, const pinv_options& o = {}) {
    using T = detail::computed<value_type_t<A>>;
    SINTER_LINALG_TYPE("pinv", T);
    using R = detail::real_part<T>;
    array<T> x = astype<T>(a);
    detail::require_matrices("pinv", x.get_handle(), false);
    if (x.size() == 0) return array<T>(x.mT());
    const precision_scope full(precision::highest);
    auto [u, s, vh] = detail::svd_for(detail::purpose::pinv, x, {.full_matrices = false});
    const array<R> smallest = max(s, -1, keepdims) * detail::tolerance("pinv", o.rcond, s);
    array<R> inverse = where(s > smallest, R(1) / s, R(0));
    return array<T>(matmul(conj(vh).mT(), std::as_const(inverse)(ellipsis, newaxis) * conj(u).mT()));
}
/// The pseudo-inverse (numpy.linalg.pinv).
template <expression A, sinter::detail::real_scalar R>
auto pinv(const A& a, R rcond) {
    return pinv(a, {.rcond = static_cast<double>(rcond)});
}

template <class T>
struct lstsq_result {
    array<T> x;
    array<detail::real_part<T>> residuals;
    array<std::int64_t> rank;
    array<detail::real_part<T>> s;
};

namespace detail {

/// The x of least squares by the triangular factor of a beside b (Golub and Van Loan, Matrix Computations, 5.3.3),
/// where a is sure to have full rank: the product of the norms of the factor and its inverse bounds the largest
/// singular value divided by the smallest.
template <class T>
std::optional<array<T>> solve_by_qr(const array<T>& a, const array<T>& b, double relative) {
    const std::int64_t n = a.ndim() == 2 ? a.shape(1) : 0, k = b.shape(-1);
    if (n == 0 || a.shape(0) < n || b.ndim() != 2 || k == 0 || k > n) return std::nullopt;
    const array<T> beside = concatenate({a, b}, 1);
    const array<T> r(record_qr(beside.get_handle(), false, false).r);
    const array<T> factor = r(slice(0, n), slice(0, n));
    const array<T> right = concatenate({array<T>(r(slice(0, n), slice(n, n + k))), array<T>(eye<T>(n))}, 1);
    const array<T> x(record_solve_triangular("lstsq", factor.get_handle(), right.get_handle(), false, 0, false));
    const array<T> inverse = x(all, slice(k, n + k));
    const auto bound = sqrt(sum(abs2(factor))) * sqrt(sum(abs2(inverse)));
    if (!(static_cast<double>(bound.item()) * relative < 1)) return std::nullopt;
    return array<T>(x(all, slice(0, k)));
}

}  // namespace detail

/// The x of least norm that minimises the norm of b - a @ x (numpy.linalg.lstsq), sums of squared residuals, rank and
/// singular values; those up to rcond times the largest, by default eps times the larger size, count as zero. a is (…,
/// M, N), b is (M,) or (…, M, K), and leading axes broadcast. residuals has shape (0,) unless a has more rows than
/// columns; NumPy leaves it empty too when the rank is smaller. Throws shape_error; linalg_error when elements of a are
/// not finite. By QR factors where one matrix is sure to have full rank, which reads a bound of its condition number,
/// else by singular values.
template <expression A, expression B>
SINTER_COMPARES auto lstsq(const A& a, const B& b, double rcond = -1) {
    using T = detail::computed<value_type_t<A>, value_type_t<B>>;
    SINTER_LINALG_TYPE("lstsq", T);
    using R = detail::real_part<T>;
    array<T> m = astype<T>(a), y = astype<T>(b);
    detail::require_equations("lstsq", m.shape(), y.shape());
    const bool is_vector = y.ndim() == 1;
    const std::int64_t rows = m.shape(-2), columns = m.shape(-1);
    array<T> right = is_vector ? array<T>(reshape(y, {rows, 1})) : y;
    const precision_scope full(precision::highest);
    auto [u, s, vh] = detail::svd_for(detail::purpose::lstsq, m, {.full_matrices = false});
    const double relative =
        rcond >= 0 ? rcond : static_cast<double>(std::max(rows, columns)) * std::numeric_limits<R>::epsilon();
    lstsq_result<T> r;
    r.s = s;
    array<bool> counts = s > detail::largest(s, -1) * static_cast<R>(relative);
    r.rank = count_nonzero(counts, -1);
    array<R> inverse = where(counts, R(1) / s, R(0));
    const std::optional<array<T>> by_qr = detail::solve_by_qr(m, right, relative);
    const array<T> x =
        by_qr
            ? *by_qr
            : array<T>(matmul(conj(vh).mT(), std::as_const(inverse)(ellipsis, newaxis) * matmul(conj(u).mT(), right)));
    if (rows > columns) r.residuals = sum(abs2(right - matmul(m, x)), -2);
    r.x = is_vector ? array<T>(squeeze(x, -1)) : x;
    return r;
}

/// Product of n times the same matrix, of its inverse where n is negative (numpy.linalg.matrix_power).
template <expression A>
auto matrix_power(const A& a, std::int64_t n) {
    using T = std::conditional_t<(codegen::kind_rank(dtype_of<value_type_t<A>>) < 2), value_type_t<A>,
                                 detail::computed<value_type_t<A>>>;
    detail::require_matrices("matrix_power", detail::as_handle(a), true);
    array<T> base = astype<T>(a);
    if constexpr (codegen::kind_rank(dtype_of<T>) < 2) {
        if (n < 0) throw value_error("[matrix_power] integers have no inverse: convert with astype<double>");
    } else if (n < 0) {
        if constexpr (codegen::is_half(dtype_of<T>)) detail::throw_half("matrix_power", dtype_of<T>);
        else base = array<T>(detail::record_inv(detail::purpose::matrix_power, base.get_handle()));
        n = -n;
    }
    if (n == 0) return array<T>(broadcast_to(eye<T>(base.shape(-1)), base.shape()));
    array<T> power = base;
    bool started = false;
    for (; n > 0; n >>= 1) {
        if (n & 1) power = started ? array<T>(matmul(power, base)) : base;
        started = started || (n & 1);
        if (n > 1) base = matmul(base, base);
    }
    return power;
}

/// The exponential of matrices (scipy.linalg.expm): scaled by a power of two, a quotient of polynomials of degree 13,
/// squared again. Reads the norm of a.
template <expression A>
SINTER_COMPARES auto expm(const A& a) {
    using T = detail::computed<value_type_t<A>>;
    SINTER_LINALG_TYPE("expm", T);
    array<T> x = astype<T>(a);
    detail::require_matrices("expm", x.get_handle(), true);
    if (x.size() == 0) return x;
    const double size = static_cast<double>(max(sum(abs(x), -2)).item()), theta = 5.371920351148152;
    const int squarings = size > theta && codegen::ieee::is_finite(size)
                              ? static_cast<int>(codegen::ieee::ceil(codegen::ieee::log2(size / theta)))
                              : 0;
    x = x * static_cast<detail::real_part<T>>(codegen::ieee::ldexp(1.0, -squarings));
    constexpr double b[] = {64764752532480000.,
                            32382376266240000.,
                            7771770303897600.,
                            1187353796428800.,
                            129060195264000.,
                            10559470521600.,
                            670442572800.,
                            33522128640.,
                            1323241920.,
                            40840800.,
                            960960.,
                            16380.,
                            182.,
                            1.};
    const precision_scope full(precision::highest);
    // The coefficients over the first, so that they fit in float.
    auto c = [&](int i) { return static_cast<detail::real_part<T>>(b[i] / b[0]); };
    array<T> one = eye<T>(x.shape(-1)), x2 = matmul(x, x), x4 = matmul(x2, x2), x6 = matmul(x4, x2);
    array<T> u =
        matmul(x, matmul(x6, c(13) * x6 + c(11) * x4 + c(9) * x2) + c(7) * x6 + c(5) * x4 + c(3) * x2 + c(1) * one);
    array<T> v = matmul(x6, c(12) * x6 + c(10) * x4 + c(8) * x2) + c(6) * x6 + c(4) * x4 + c(2) * x2 + c(0) * one;
    array<T> below = v - u, above = v + u;
    array<T> r(detail::record_solve(detail::purpose::expm, below.get_handle(), above.get_handle()));
    for (int i = 0; i < squarings; ++i) r = matmul(r, r);
    return r;
}

/// The product of several matrices in the order that multiplies least (numpy.linalg.multi_dot); the first and the last
/// may be vectors.
template <expression... E>
    requires(sizeof...(E) > 1)
auto multi_dot(const E&... e) {
    using T = detail::computed<detail::common_of_list<E...>>;
    const detail::handle matrices[] = {detail::matrices<T>(e)...};
    return array<T>(detail::record_multi_dot(matrices));
}
/// The product of several matrices in the order that multiplies least (numpy.linalg.multi_dot).
template <class T>
auto multi_dot(const std::vector<array<T>>& list) {
    using C = detail::computed<T>;
    codegen::sequence<detail::handle> matrices;
    for (const array<T>& x : list) matrices.push_back(detail::matrices<C>(x));
    return array<C>(detail::record_multi_dot(matrices));
}
/// The product of several matrices in the order that multiplies least (numpy.linalg.multi_dot): `multi_dot({a, b, c})`.
template <class T>
auto multi_dot(std::initializer_list<array<T>> list) {
    return multi_dot(std::vector<array<T>>(list));
}

}  // namespace sinter::inline SINTER_ABI::linalg

SINTER_IEEE_END

#if SINTER_HEADER_ONLY
#include <sinter/linalg/matrix_functions.ipp>
#endif
