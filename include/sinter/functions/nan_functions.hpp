// Sums, products, means and variances of the elements that are not NaN, and what replaces these.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/reductions.hpp>

#include <limits>

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

/// What nan_to_num puts for NaN and both infinities, numbers or arrays that broadcast to the elements; the largest
/// finite numbers where nothing is given.
struct nan_replacements {
    detail::any_operand nan = 0;
    detail::any_operand posinf = {};
    detail::any_operand neginf = {};
};
/// The same of a single number.
struct nan_numbers {
    double nan = 0;
    std::optional<double> posinf = {};
    std::optional<double> neginf = {};
};

namespace detail {

inline handle record_replacement(const any_operand& given, const codegen::scalar_value& usual, const handle& x) {
    const device_scope on(x->where);
    const handle value = given.is_given() ? record_cast(given.as_value(), x->type) : record_scalar(usual, {});
    return record_broadcast("nan_to_num", value, x->shape);
}

}  // namespace detail

/// NaN as zero and infinities as the largest finite numbers (numpy.nan_to_num), of complex elements in either part:
/// `nan_to_num(x, {.nan = y, .posinf = 9})`. Throws shape_error where replacements do not broadcast to x.
template <expression E>
SINTER_NEW_VALUE auto nan_to_num(const E& e, const nan_replacements& r = {}) {
    using T = value_type_t<E>;
    const array<T> x = e;
    if constexpr (codegen::kind_rank(dtype_of<T>) < 2) {
        return x;
    } else if constexpr (codegen::is_complex(dtype_of<T>)) {
        return array<T>(where(isfinite(x), x, nan_to_num(real(x), r) + T(0, 1) * nan_to_num(imag(x), r)));
    } else {
        using limits = std::numeric_limits<T>;
        const auto put = [&](const detail::any_operand& given, T usual) {
            return array<T>(detail::record_replacement(given, detail::number(usual), x.get_handle()));
        };
        const array<T> low = where(isneginf(x), put(r.neginf, limits::lowest()), x);
        const array<T> finite = where(isposinf(x), put(r.posinf, limits::max()), low);
        return array<T>(where(isnan(x), put(r.nan, T(0)), finite));
    }
}
/// The same of a number.
template <detail::scalar_operand S>
SINTER_COMPARES S nan_to_num(S x, const nan_numbers& r = {}) {
    if constexpr (codegen::is_floating(dtype_of<S>)) {
        if (isposinf(x)) return r.posinf ? static_cast<S>(*r.posinf) : std::numeric_limits<S>::max();
        if (isneginf(x)) return r.neginf ? static_cast<S>(*r.neginf) : std::numeric_limits<S>::lowest();
        return isnan(x) ? static_cast<S>(r.nan) : x;
    } else {
        return x;
    }
}

}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END
