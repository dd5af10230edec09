// Polynomials: their values, and those fitted to points.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/linalg/matrix_functions.hpp>

#include <limits>
#include <string_view>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

/// Options of polyfit: singular values up to rcond times the largest count as zero, by default eps times the number of
/// points; and what the distances are multiplied by before they are squared, a vector.
struct polyfit_options {
    double rcond = -1;
    array<double> w = {};
};
/// Options of polyfit that ask for the covariance of the coefficients, too: whether it is scaled by the distances, or
/// weights are one over deviations.
struct polyfit_covariance_options {
    /// True, or "unscaled".
    struct scaling {
        consteval scaling(bool is_asked) { detail::asked_for{is_asked}; }
        consteval scaling(const char* word) : is_scaled(false) {
            if (std::string_view(word) != "unscaled") throw "sinter: cov is true or \"unscaled\"";
        }
        bool is_scaled = true;
    };
    scaling cov;
    double rcond = -1;
    array<double> w = {};
};
/// Options of polyfit that ask for all that least squares give.
struct polyfit_full_options {
    detail::asked_for full;
    double rcond = -1;
    array<double> w = {};
};
/// Coefficients and their covariance, a matrix, or of y's columns one behind the other along a last axis.
template <class T>
struct polyfit_covariance {
    array<T> p, v;
};
/// Coefficients, the sums of the squared distances, the rank, the singular values and up to which share of the
/// largest these count as zero.
template <class T>
struct polyfit_result {
    array<T> p;
    linalg::lstsq_result<T> fit;
    double rcond;
};

namespace detail {
handle record_polyval(const handle& coefficients, const handle& x);
void require_fit(const dims& x, const dims& y, std::int64_t degree, const dims& weights);
/// How many more points there are than coefficients; throws value_error where there are none.
std::int64_t free_points(const dims& x, std::int64_t degree);
}  // namespace detail

/// A polynomial with coefficients in a vector, the highest power first, at x, an array or a number (numpy.polyval), by
/// Horner's rule in the type of products of both, as many steps in a kernel as fit. Throws shape_error when the
/// coefficients are no vector.
template <expression P, detail::operand X>
auto polyval(const P& p, const X& x) {
    using T = result_type_t<value_type_t<P>, typename detail::element_of_operand<X>::type>;
    return array<T>(
        detail::record_polyval(detail::record_cast(detail::as_handle(p), dtype_of<T>),
                               detail::record_cast(detail::as_handle(detail::own_array_beside(x, p)), dtype_of<T>)));
}

/// The same with coefficients in braces: `polyval({3, 0, 1}, x)`.
template <detail::scalar_operand S, detail::operand X>
auto polyval(std::initializer_list<S> p, const X& x) {
    const auto coefficients = [&] { return asarray(p); };
    if constexpr (expression<X>) {
        const device_scope on(x.device());
        return polyval(coefficients(), x);
    } else {
        return polyval(coefficients(), x);
    }
}

namespace detail {

/// Least squares by powers that are scaled to norm one.
template <class T>
struct fitted_polynomial {
    array<T> powers, scale;
    linalg::lstsq_result<T> fit;
    double rcond;

    array<T> coefficients() const { return array<T>(fit.x / (fit.x.ndim() == 1 ? scale : reshape(scale, {-1, 1}))); }
};

template <class T>
fitted_polynomial<T> fit_polynomial(const array<T>& x, const array<T>& y, std::int64_t degree, double asked,
                                    const array<double>& weights) {
    require_fit(x.shape(), y.shape(), degree, weights.shape());
    array<T> powers = vander(x, degree + 1), values = y;
    if (weights.size() != 0) {
        const array<T> w = astype<T>(weights);
        powers = powers * reshape(w, {-1, 1});
        values = values * (y.ndim() == 1 ? w : reshape(w, {-1, 1}));
    }
    const double rcond = asked >= 0 ? asked
                                    : static_cast<double>(x.size()) *
                                          static_cast<double>(std::numeric_limits<variance_type<T>>::epsilon());
    const array<T> scale = sqrt(sum(powers * powers, 0));
    const array<T> scaled = powers / scale;
    return {scaled, scale, linalg::lstsq(scaled, values, rcond), rcond};
}
template <class X, class Y>
using fitted_type = mean_type<result_type_t<value_type_t<X>, value_type_t<Y>>>;

}  // namespace detail

/// The coefficients of the polynomial of a degree that lies nearest to points, the highest power first (numpy.polyfit):
/// x is a vector, y one, or a matrix whose columns are fitted. By least squares of powers of which each is scaled to
/// norm one; integers give float64. Throws value_error for a negative degree and when there is no point, shape_error
/// where shapes do not fit.
template <expression X, expression Y>
auto polyfit(const X& x, const Y& y, std::int64_t degree, const polyfit_options& o = {}) {
    using T = detail::fitted_type<X, Y>;
    return detail::fit_polynomial(array<T>(astype<T>(x)), array<T>(astype<T>(y)), degree, o.rcond, o.w).coefficients();
}
/// The same and the covariance of the coefficients: `auto [p, v] = polyfit(x, y, 1, {.cov = true})`. Throws value_error
/// where there are not more points than coefficients, unless it is "unscaled".
template <expression X, expression Y>
auto polyfit(const X& x, const Y& y, std::int64_t degree, const polyfit_covariance_options& o) {
    using T = detail::fitted_type<X, Y>;
    const auto f = detail::fit_polynomial(array<T>(astype<T>(x)), array<T>(astype<T>(y)), degree, o.rcond, o.w);
    const array<T> base =
        linalg::inv(matmul(f.powers.T(), f.powers)) / (reshape(f.scale, {-1, 1}) * reshape(f.scale, {1, -1}));
    const bool is_vector = y.ndim() == 1;
    const array<T> own = is_vector ? base : array<T>(expand_dims(base, -1));
    if (!o.cov.is_scaled) return polyfit_covariance<T>{f.coefficients(), own};
    const std::int64_t free = detail::free_points(x.shape(), degree);
    const array<T> squares = f.fit.residuals / static_cast<detail::variance_type<T>>(free);
    return polyfit_covariance<T>{f.coefficients(), array<T>(own * squares)};
}
/// The same and all that least squares give: `polyfit(x, y, 1, {.full = true}).fit.rank`.
template <expression X, expression Y>
auto polyfit(const X& x, const Y& y, std::int64_t degree, const polyfit_full_options& o) {
    using T = detail::fitted_type<X, Y>;
    const auto f = detail::fit_polynomial(array<T>(astype<T>(x)), array<T>(astype<T>(y)), degree, o.rcond, o.w);
    return polyfit_result<T>{f.coefficients(), f.fit, f.rcond};
}

}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END

#if SINTER_HEADER_ONLY
#include <sinter/analysis/polynomials.ipp>
#endif
