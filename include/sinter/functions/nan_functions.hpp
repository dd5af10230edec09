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
auto reduce_without_nan(const E& e, const axes& a, bool keep) {
    return reduce_as<How, Accumulator>(without_nan(e, How == codegen::reduction::prod), a, keep);
}

/// How many elements are not NaN, as float64.
template <class T>
array<double> count_without_nan(const array<T>& x, const axes& a, bool keep) {
    return astype<double>(reduce_as<codegen::reduction::sum, std::int64_t>(!isnan(x), a, keep));
}

template <class T>
array<wide_type<T>> wide_mean_without_nan(const array<T>& x, const axes& a, bool keep) {
    using W = wide_type<T>;
    const array<W> total = reduce_as<codegen::reduction::sum, void>(astype<W>(without_nan(x)), a, keep);
    return total / count_without_nan(x, a, keep);
}

template <expression E>
auto mean_without_nan(const E& e, const axes& a, bool keep) {
    using T = value_type_t<E>;
    if constexpr (codegen::kind_rank(dtype_of<T>) < 2) return mean_as(e, a, keep);
    else return array<T>(astype<T>(wide_mean_without_nan(array<T>(e), a, keep)));
}

template <class T>
SINTER_COMPARES array<double> wide_variance_without_nan(const array<T>& x, const axes& a, bool keep, double ddof) {
    using W = wide_type<T>;
    const array<W> away = where(isnan(x), W(0), astype<W>(x) - wide_mean_without_nan(x, a, true));
    const array<double> squares = reduce_as<codegen::reduction::sum, void>(abs2(away), a, keep);
    const array<double> n = count_without_nan(x, a, keep) - ddof;
    return where(n > 0.0, squares / n, codegen::ieee::quiet_nan);
}

template <expression E>
auto variance_without_nan(const E& e, const axes& a, bool keep, variance_options o) {
    using T = value_type_t<E>;
    using R = variance_type<T>;
    if constexpr (codegen::kind_rank(dtype_of<T>) < 2) return variance_as(e, a, keep, o);
    else return array<R>(astype<R>(wide_variance_without_nan(array<T>(e), a, keep, o.ddof)));
}

template <expression E>
auto deviation_without_nan(const E& e, const axes& a, bool keep, variance_options o) {
    using T = value_type_t<E>;
    using R = variance_type<T>;
    if constexpr (codegen::kind_rank(dtype_of<T>) < 2) return deviation_as(e, a, keep, o);
    else return array<R>(astype<R>(sqrt(wide_variance_without_nan(array<T>(e), a, keep, o.ddof))));
}

}  // namespace detail

// They take what the functions without `nan` take; one kernel reads the elements, as there.

/// Sum and product that take NaN for zero and for one (numpy.nansum, numpy.nanprod).
SINTER_FUNCTION_OF_AXES(nansum, ": for the sum of two arrays use +", SINTER_ACCUMULATOR,
                        detail::reduce_without_nan<codegen::reduction::sum, Accumulator>)
SINTER_FUNCTION_OF_AXES(nanprod, ": for the product of two arrays use *", SINTER_ACCUMULATOR,
                        detail::reduce_without_nan<codegen::reduction::prod, Accumulator>)
/// Mean of the elements that are not NaN, accumulated in float64 (numpy.nanmean), NaN where all are.
SINTER_FUNCTION_OF_AXES(nanmean, "", , detail::mean_without_nan)
/// Variance and standard deviation of the elements that are not NaN, in float64 (numpy.nanvar, numpy.nanstd): the
/// divisor is their number less ddof, and the result NaN where that is not positive.
SINTER_FUNCTION_OF_VARIANCE(nanvar, variance_without_nan)
SINTER_FUNCTION_OF_VARIANCE(nanstd, deviation_without_nan)

}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END
