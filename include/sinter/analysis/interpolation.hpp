// Functions given by points, between which they are linear.
#pragma once

#include <sinter/functions/ordering.hpp>

#include <optional>

namespace sinter::inline SINTER_ABI {

/// Options of interp: what there is left and right of the points, by default the first and the last value, and a period
/// after which x repeats, of which both are no matter.
struct interp_options {
    std::optional<detail::any_number> left = {};
    std::optional<detail::any_number> right = {};
    std::optional<double> period = {};
};

namespace detail {

handle record_interp(const handle& x, const handle& points, const handle& values, const interp_options& o);

}  // namespace detail

/// Piecewise linear interpolation (numpy.interp): the values of x, an array or a number, between points `xp`, a vector
/// in ascending order, at which the function is `fp`; float64 or complex128 of x's shape. Throws value_error when there
/// are no points, when there are not as many values, and for a period of zero; shape_error when they are no vectors.
template <detail::operand X, expression P, expression F>
auto interp(const X& x, const P& xp, const F& fp, const interp_options& o = {}) {
    using R = detail::wide_type<value_type_t<F>>;
    using D = typename detail::element_of_operand<X>::type;
    static_assert(!codegen::is_complex(dtype_of<D>) && !codegen::is_complex(dtype_of<value_type_t<P>>),
                  "sinter: interp interpolates between real points");
    return array<R>(
        detail::record_interp(detail::record_cast(detail::as_handle(detail::own_array_beside(x, xp)), dtype::float64),
                              detail::record_cast(detail::as_handle(xp), dtype::float64),
                              detail::record_cast(detail::as_handle(fp), dtype_of<R>), o));
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/analysis/interpolation.ipp>
#endif
