// Sums, products, means and variances of the elements that are not NaN.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/reductions.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

namespace detail {

/// The elements with a number for NaN.
template <expression E>
auto without_nan(const E& e, int number = 0) {
    using T = value_type_t<E>;
    if constexpr (codegen::kind_rank(dtype_of<T>) < 2) {
        return array<T>(e);
    } else {
        array<T> x = e;
        return array<T>(where(isnan(x), T(static_cast<float>(number)), x));
    }
}

template <codegen::reduction How, class Accumulator, expression E>
auto reduce_without_nan(const E& e, const axes& a, bool keep, const reduction_options& o) {
    return reduce_as<How, Accumulator>(without_nan(e, How == codegen::reduction::prod), a, keep, o);
}

/// Which elements are not NaN and count besides.
template <class T>
handle condition_without_nan(const array<T>& x, const any_array& where) {
    if (!where.value) return as_handle(!isnan(x));
    return as_handle(!isnan(x) && array<bool>(record_cast(where.value, dtype::bool_)));
}

template <expression E>
auto mean_without_nan(const E& e, const axes& a, bool keep, const where_options& o) {
    using T = value_type_t<E>;
    if constexpr (codegen::kind_rank(dtype_of<T>) < 2) {
        return mean_as(e, a, keep, o);
    } else {
        const array<T> x = e;
        const handle wide = record_cast(x.get_handle(), dtype_of<wide_type<T>>);
        return array<T>(record_cast(record_mean_where(wide, a, keep, condition_without_nan(x, o.where)), dtype_of<T>));
    }
}

template <expression E>
array<double> wide_variance_without_nan(const E& e, const axes& a, bool keep, const variance_options& o) {
    using T = value_type_t<E>;
    const array<T> x = e;
    const handle wide = record_cast(x.get_handle(), dtype_of<wide_type<T>>);
    const handle condition = condition_without_nan(x, o.where);
    if (o.mean.value) return array<double>(record_variance_about(wide, a, keep, o, condition, true));
    return array<double>(record_variance_where(wide, a, keep, condition, o.taken_off(), true));
}

template <expression E>
auto variance_without_nan(const E& e, const axes& a, bool keep, const variance_options& o) {
    using R = variance_type<value_type_t<E>>;
    return array<R>(astype<R>(wide_variance_without_nan(e, a, keep, o)));
}

template <expression E>
auto deviation_without_nan(const E& e, const axes& a, bool keep, const variance_options& o) {
    using R = variance_type<value_type_t<E>>;
    return array<R>(astype<R>(sqrt(wide_variance_without_nan(e, a, keep, o))));
}

}  // namespace detail

// They take what the functions without `nan` take; one kernel reads the elements, as there.

inline namespace functions {
/// Sum and product that take NaN for zero and for one (numpy.nansum, numpy.nanprod).
SINTER_FUNCTION_WITH_OPTIONS(nansum, sum, reduction_options, SINTER_ACCUMULATOR,
                             detail::reduce_without_nan<codegen::reduction::sum, Accumulator>)
SINTER_FUNCTION_WITH_OPTIONS(nanprod, product, reduction_options, SINTER_ACCUMULATOR,
                             detail::reduce_without_nan<codegen::reduction::prod, Accumulator>)
/// Mean of the elements that are not NaN, accumulated in float64 (numpy.nanmean), NaN where all are.
SINTER_FUNCTION_WITH_OPTIONS(nanmean, axis, where_options, , detail::mean_without_nan)
/// Variance and standard deviation of the elements that are not NaN, in float64 (numpy.nanvar, numpy.nanstd): the
/// divisor is their number less ddof, and the result NaN where that is not positive.
SINTER_FUNCTION_WITH_OPTIONS(nanvar, deviation, variance_options, , detail::variance_without_nan)
SINTER_FUNCTION_WITH_OPTIONS(nanstd, deviation, variance_options, , detail::deviation_without_nan)
}  // namespace functions

}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END
