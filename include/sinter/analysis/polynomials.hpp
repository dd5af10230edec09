// Polynomials: their values, and those fitted to points.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/linalg/matrix_functions.hpp>

#include <limits>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

/// Options of polyfit: singular values up to rcond times the largest count as zero, by default eps times the number of
/// points; and what the distances are multiplied by before they are squared, a vector.
struct polyfit_options {
    double rcond = -1;
    array<double> w = {};
};

namespace detail {
handle record_polyval(const handle& coefficients, const handle& x);
void require_fit(const dims& x, const dims& y, std::int64_t degree, const dims& weights);
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

/// The coefficients of the polynomial of a degree that lies nearest to points, the highest power first (numpy.polyfit):
/// x is a vector, y one, or a matrix whose columns are fitted. By least squares of powers of which each is scaled to
/// norm one; integers give float64. Throws value_error for a negative degree and when there is no point, shape_error
/// where shapes do not fit.
template <expression X, expression Y>
auto polyfit(const X& x, const Y& y, std::int64_t degree, const polyfit_options& o = {}) {
    using T = detail::mean_type<result_type_t<value_type_t<X>, value_type_t<Y>>>;
    detail::require_fit(x.shape(), y.shape(), degree, o.w.shape());
    array<T> powers = vander(array<T>(astype<T>(x)), degree + 1), values = astype<T>(y);
    if (o.w.size() != 0) {
        const array<T> w = astype<T>(o.w);
        powers = powers * reshape(w, {-1, 1});
        values = values * (y.ndim() == 1 ? w : reshape(w, {-1, 1}));
    }
    const double rcond = o.rcond >= 0
                             ? o.rcond
                             : static_cast<double>(x.size()) *
                                   static_cast<double>(std::numeric_limits<detail::variance_type<T>>::epsilon());
    const array<T> scale = sqrt(sum(powers * powers, 0));
    const array<T> c = linalg::lstsq(powers / scale, values, rcond).x;
    return array<T>(c / (y.ndim() == 1 ? scale : reshape(scale, {-1, 1})));
}

}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END

#if SINTER_HEADER_ONLY
#include <sinter/analysis/polynomials.ipp>
#endif
