// Polynomials as vectors of coefficients, the highest power first: sums, products, quotients, derivatives and roots.
#pragma once

#include <sinter/analysis/convolution.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/linalg/decompositions.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

/// Quotient and rest of a division.
template <class T>
struct polydiv_result {
    array<T> q, r;
};

namespace detail {

void require_coefficients(std::string_view name, const dims& shape);
/// A vector of complex128, and so many zeros behind it.
handle record_with_zeros(const handle& x, std::int64_t count);
/// The m-th integral of a floating vector; throws value_error for another number of constants.
handle record_polyint(const handle& p, std::int64_t m, const handle& constants);

/// Coefficients behind as many zeros as make them `count`.
template <class T, expression P>
array<T> with_powers(std::string_view name, const P& p, std::int64_t count) {
    const array<T> own = atleast_1d(astype<T>(p));
    require_coefficients(name, own.shape());
    const device_scope on(own.device());
    return concatenate(std::tuple(zeros<T>({count - own.size()}), own));
}

/// A number as a vector of one, and a vector of none as zero.
template <class T, expression P>
array<T> some_coefficients(const P& p) {
    const device_scope on(p.device());
    if (p.ndim() == 1 && p.size() == 0) return zeros<T>({1});
    return atleast_1d(astype<T>(p));
}

/// How many zeros a vector begins with, within a tolerance; all but the last at most.
template <class T>
std::int64_t leading_zeros(const array<T>& p, double tolerance) {
    const auto numbers = to_vector(p);
    std::size_t i = 0;
    while (i + 1 < numbers.size() && static_cast<double>(std::abs(numbers[i])) <= tolerance) ++i;
    return static_cast<std::int64_t>(i);
}

}  // namespace detail

/// The sum of two polynomials (numpy.polyadd). Throws shape_error unless both are
/// vectors or numbers.
template <class A, class B>
    requires detail::operands<A, B>
auto polyadd(const A& a, const B& b) {
    using T = detail::common_of_list<A, B>;
    const auto& x = detail::array_beside(a, b);
    const auto& y = detail::array_beside(b, a);
    const std::int64_t n = x.size() > y.size() ? x.size() : y.size();
    return array<T>(detail::with_powers<T>("polyadd", x, n) + detail::with_powers<T>("polyadd", y, n));
}
/// The difference of two polynomials (numpy.polysub). Throws shape_error unless both are vectors or numbers.
template <class A, class B>
    requires detail::operands<A, B>
auto polysub(const A& a, const B& b) {
    using T = detail::common_of_list<A, B>;
    const auto& x = detail::array_beside(a, b);
    const auto& y = detail::array_beside(b, a);
    const std::int64_t n = x.size() > y.size() ? x.size() : y.size();
    return array<T>(detail::with_powers<T>("polysub", x, n) - detail::with_powers<T>("polysub", y, n));
}
/// Their product (numpy.polymul), with leading zeros where a factor has some.
template <class A, class B>
    requires detail::operands<A, B>
auto polymul(const A& a, const B& b) {
    using T = detail::common_of_list<A, B>;
    return convolve(detail::some_coefficients<T>(detail::array_beside(a, b)),
                    detail::some_coefficients<T>(detail::array_beside(b, a)));
}
/// The quotient u / v and the rest, whose leading zeros, within 1e-8, are left out (numpy.polydiv), in a floating type:
/// `auto [q, r] = polydiv(u, v)`. Computes the rest; throws shape_error unless both are numbers or vectors of some.
template <class U, class V>
    requires detail::operands<U, V>
auto polydiv(const U& u, const V& v) {
    using T = detail::mean_type<detail::common_of_list<U, V>>;
    const array<T> divisor = atleast_1d(astype<T>(detail::array_beside(v, u)));
    array<T> rest = atleast_1d(astype<T>(detail::array_beside(u, v)));
    detail::require_coefficients("polydiv", rest.shape());
    detail::require_coefficients("polydiv", divisor.shape());
    const std::int64_t n = rest.size(), m = divisor.size();
    array<T> quotient = zeros<T>({n > m ? n - m + 1 : 1});
    for (std::int64_t k = 0; k + m <= n; ++k) {
        const array<T> d = rest(slice(k, k + 1)) / divisor(slice(0, 1));
        quotient(slice(k, k + 1)) = d;
        rest(slice(k, k + m)) -= d * divisor;
    }
    return polydiv_result<T>{quotient, array<T>(rest(slice(detail::leading_zeros(rest, 1e-8), none)))};
}
/// The m-th derivative (numpy.polyder); throws value_error for a negative m.
template <expression P>
auto polyder(const P& p, std::int64_t m = 1) {
    using T = result_type_t<value_type_t<P>, std::int64_t>;
    detail::require_coefficients("polyder", p.shape());
    if (m < 0) throw value_error("[polyder] the order is negative: " + std::to_string(m));
    array<T> r = astype<T>(p);
    for (; m > 0 && r.size() > 0; --m) r = array<T>(r(slice(0, r.size() - 1)) * astype<T>(arange(r.size() - 1, 0, -1)));
    return r;
}
/// The m-th integral with a constant k in each (numpy.polyint), in a floating type.
template <expression P>
auto polyint(const P& p, std::int64_t m = 1, double k = 0) {
    using T = detail::mean_type<value_type_t<P>>;
    const detail::handle constant = detail::store(dtype::float64, dims(1), &k);
    return array<T>(detail::record_polyint(detail::record_cast(detail::as_handle(p), dtype_of<T>), m, constant));
}
/// The same with a constant for each integral, the first one's first, or one for all: `polyint(p, 3, {6, 5, 3})`.
template <expression P, expression K>
auto polyint(const P& p, std::int64_t m, const K& k) {
    using T = detail::mean_type<value_type_t<P>>;
    return array<T>(
        detail::record_polyint(detail::record_cast(detail::as_handle(p), dtype_of<T>), m, detail::as_handle(k)));
}
/// The m-th integral with a constant for each.
template <expression P, detail::scalar_operand S>
auto polyint(const P& p, std::int64_t m, std::initializer_list<S> k) {
    return polyint(p, m, asarray(k));
}
/// Options of polyint: the constants.
struct polyint_options {
    detail::coefficients k = 0;
};
/// The m-th integral with constants: `polyint(p, 3, {.k = {6, 5, 3}})`.
template <expression P>
auto polyint(const P& p, std::int64_t m, const polyint_options& o) {
    return polyint(p, m, array<double>(o.k));
}
namespace detail {

template <class T>
array<T> polynomial_of_roots(const array<T>& roots) {
    array<T> p = ones<T>({1});
    for (std::int64_t i = 0; i < roots.size(); ++i) {
        // The first coefficient stays one whatever the root is, which times zero may be NaN.
        const array<T> nothing = zeros<T>({1}), products = roots(slice(i, i + 1)) * p;
        p = array<T>(concatenate(std::tuple(p, nothing)) - concatenate(std::tuple(nothing, products)));
    }
    return p;
}

}  // namespace detail

/// The polynomial with the highest coefficient one and given roots, or the characteristic one of a square matrix
/// (numpy.poly), in their floating type. Throws shape_error unless they are a vector or such a matrix; of a matrix
/// linalg_error where its elements are not finite.
template <expression E>
auto poly(const E& e) {
    using T = detail::mean_type<value_type_t<E>>;
    if (e.ndim() == 2) {
        using C = std::complex<double>;
        using Wide = std::conditional_t<codegen::is_complex(dtype_of<T>), C, double>;
        const array<C> p = detail::polynomial_of_roots(array<C>(linalg::eigvals(array<Wide>(astype<Wide>(e)))));
        if constexpr (codegen::is_complex(dtype_of<T>)) return array<T>(astype<T>(p));
        else return array<T>(astype<T>(real(p)));
    }
    detail::require_coefficients("poly", e.shape());
    return detail::polynomial_of_roots(array<T>(astype<T>(e)));
}
/// The roots, complex128, as eigenvalues of the companion matrix, those at zero last (numpy.roots); reads the
/// coefficients, since zeros at both ends count for their number. Throws shape_error unless they are a vector.
template <expression P>
array<std::complex<double>> roots(const P& p) {
    using C = std::complex<double>;
    using T = std::conditional_t<codegen::is_complex(dtype_of<value_type_t<P>>), C, double>;
    detail::require_coefficients("roots", p.shape());
    const array<T> whole = astype<T>(p);
    const array<std::int64_t> places = flatnonzero(whole);
    if (places.size() == 0) return zeros<C>({0});
    const std::int64_t first = places.item(0), last = places.item(-1) + 1, zero = whole.size() - last,
                       n = last - first - 1;
    array<C> found;
    if (n > 0) {
        const array<T> c = whole(slice(first, last));
        array<T> companion = eye<T>(n, n, -1);
        companion(0) = -c(slice(1, none)) / c(slice(0, 1));
        found = astype<C>(linalg::eigvals(companion));
    }
    return array<C>(detail::record_with_zeros(found.get_handle(), zero));
}

}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END

#if SINTER_HEADER_ONLY
#include <sinter/analysis/polynomial_algebra.ipp>
#endif
