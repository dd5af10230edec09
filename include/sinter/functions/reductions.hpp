// Functions of axes: sums, products, means, extrema and their positions; any, all and counts.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/axes.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

namespace detail {

template <codegen::reduction How, dtype From>
using reduced_type = typename codegen::cpp_type<codegen::reduce_type(How, From)>::type;

/// The type in which means and variances are computed.
template <class T>
using wide_type =
    typename codegen::cpp_type<codegen::is_complex(dtype_of<T>) ? dtype::complex128 : dtype::float64>::type;
template <class T>
using mean_type = typename codegen::cpp_type<codegen::floating_of(dtype_of<T>)>::type;
template <class T>
using variance_type = typename codegen::cpp_type<codegen::real_of(dtype_of<mean_type<T>>)>::type;

handle record_reduce_axes(codegen::reduction how, const handle& x, const axes& a, bool keep,
                          const reduction_options& o = {});
/// The operation that combines two results of a reduction.
codegen::op combining(codegen::reduction how);
/// What stands for elements that do not count, since it changes no result; value_error where there is none.
handle record_neutral(std::string_view name, codegen::reduction how, dtype type,
                      const std::optional<any_number>& initial);
/// Mean and variance, in the wide type, of the elements for which a condition holds; without any NaN, or where it is
/// asked for wherever the divisor is not positive.
handle record_mean_where(const handle& wide, const axes& a, bool keep, const handle& condition);
handle record_variance_where(const handle& wide, const axes& a, bool keep, const handle& condition, double ddof,
                             bool positive = false);
/// The same about a mean that is known and broadcasts, of all elements without a condition.
handle record_variance_about(const handle& wide, const axes& a, bool keep, const variance_options& o,
                             const handle& condition, bool positive = false);
/// The partial results of a reduction along an axis.
handle record_scan_axis(codegen::reduction how, const handle& x, int axis);
/// Factors whose product tells whether one that is NaN is a zero times an overflow of finite numbers: 1 with each
/// element's sign, of complex ones 0 or 1, and NaN where an element is not finite.
handle record_signs(const handle& x);
/// A floating product of which segments are multiplied first, with zero, of the factors' sign, for such a NaN.
handle record_zero_of_overflow(const handle& product, const handle& signs);
/// Number of elements that each result of a reduction combines.
std::int64_t count_reduced(std::string_view operation, const dims& shape, const axes& a);

template <codegen::reduction How, class Accumulator, expression E>
auto reduce_as(const E& e, const axes& a, bool keep, const reduction_options& o = {}) {
    using T = std::conditional_t<std::is_void_v<Accumulator>, value_type_t<E>, Accumulator>;
    static_assert(codegen::accepts(How, dtype_of<T>),
                  "sinter: complex elements have no order: take abs(z), or sort(z) for NumPy's");
    using R = std::conditional_t<std::is_void_v<Accumulator>, reduced_type<How, dtype_of<T>>, Accumulator>;
    handle h = record_reduce_axes(How, record_cast(as_handle(e), dtype_of<T>), a, keep, o);
    return array<R>(record_cast(h, dtype_of<R>));
}

template <codegen::reduction How, expression E>
auto reduce_where(const E& e, const axes& a, bool keep, const where_options& o) {
    return reduce_as<How, void>(e, a, keep, {.initial = {}, .where = o.where});
}

}  // namespace detail

#define SINTER_REDUCTION_FUNCTION(name, how, hint)                                  \
    SINTER_FUNCTION_WITH_OPTIONS(name, hint, reduction_options, SINTER_ACCUMULATOR, \
                                 detail::reduce_as<codegen::reduction::how, Accumulator>)
// Sums, products and extrema take options: `max(x, 1, {.initial = 0, .where = x > y})`; a condition of an extremum
// needs an initial value, value_error otherwise.
inline namespace functions {
/// Sum and product (numpy.sum, numpy.prod); bool and integers give int64, unsigned ones uint64, no elements 0 and 1. A
/// zero among finite factors makes a product zero, also where others overflow.
SINTER_REDUCTION_FUNCTION(sum, sum, sum)
SINTER_REDUCTION_FUNCTION(prod, prod, product)
/// Smallest and largest element, NaN if there is one (numpy.min, numpy.max); value_error when there is no element
/// along the axes. They have NumPy's other names, too.
SINTER_REDUCTION_FUNCTION(min, min, smaller)
SINTER_REDUCTION_FUNCTION(max, max, larger)
SINTER_REDUCTION_FUNCTION(amin, min, smaller)
SINTER_REDUCTION_FUNCTION(amax, max, larger)
/// Smallest and largest of the elements that are not NaN, and NaN where all are (numpy.nanmin, numpy.nanmax);
/// value_error as above.
SINTER_REDUCTION_FUNCTION(nanmin, nanmin, fsmaller)
SINTER_REDUCTION_FUNCTION(nanmax, nanmax, flarger)
/// Whether any element is not zero, of those that {.where = condition} names (numpy.any), bool; `all` is below.
SINTER_FUNCTION_WITH_OPTIONS(any, axis, where_options, , detail::reduce_where<codegen::reduction::any>)
/// Position of the first smallest or largest element, int64, in the flat array when several axes are reduced
/// (numpy.argmin, numpy.argmax); value_error when there is no element along the axes.
SINTER_FUNCTION_OF_AXES(argmin, axis, SINTER_ACCUMULATOR, detail::reduce_as<codegen::reduction::argmin, Accumulator>)
SINTER_FUNCTION_OF_AXES(argmax, axis, SINTER_ACCUMULATOR, detail::reduce_as<codegen::reduction::argmax, Accumulator>)
}  // namespace functions
#undef SINTER_REDUCTION_FUNCTION

/// As an index: every element of an axis. As a function: whether all elements are true (numpy.all).
struct all_t {
    template <expression E>
    auto operator()(const E& e, detail::keep_axes keep = {}, const where_options& o = {}) const {
        return over(e, axes(), keep, o);
    }
    template <expression E>
    auto operator()(const E& e, const where_options& o) const {
        return over(e, axes(), {}, o);
    }
    template <expression E, detail::axis_operand A>
    auto operator()(const E& e, const A& axis, detail::keep_axes keep = {}, const where_options& o = {}) const {
        return over(e, axis, keep, o);
    }
    template <expression E, class A, class... More>
        requires detail::misplaced<A, More...>
    detail::no_axis_of_reduction<detail::taken_for::axis, A, More...> operator()(const E&, const A&,
                                                                                 const More&...) const;
    template <expression E, detail::axis_operand A>
    auto operator()(const E& e, const A& axis, const where_options& o) const {
        return over(e, axis, {}, o);
    }
    template <expression E>
    auto operator()(const E& e, detail::axis_list list, detail::keep_axes keep = {},
                    const where_options& o = {}) const {
        return over(e, axes::of(list), keep, o);
    }
    template <expression E>
    auto operator()(const E& e, detail::axis_list list, const where_options& o) const {
        return over(e, axes::of(list), {}, o);
    }
    template <expression E>
    detail::stand_in<E> operator()(const E&, const detail::placed_arguments&) const {
        static_assert(sizeof(E) == 0,
                      "sinter: all takes axes in braces, all(x, {0, 1}), and keepdims and other options behind them");
        return {};
    }

private:
    template <expression E>
    static auto over(const E& e, const axes& a, detail::keep_axes keep, const where_options& o) {
        return detail::reduce_where<codegen::reduction::all>(e, a, keep.given, o);
    }
};
/// Whether all elements are true (numpy.all), with the arguments of any; as an index every element of an axis.
inline constexpr all_t all{};

namespace detail {

template <expression E>
auto count_as(const E& e, const axes& a, bool keep) {
    return reduce_as<codegen::reduction::sum, std::int64_t>(astype<bool>(e), a, keep);
}

// The value beside the position, which the same kernel finds, tells whether there is one.
template <codegen::reduction How, expression E>
auto place_without_nan(const E& e, const axes& a, bool keep) {
    array<value_type_t<E>> x = e;
    array<std::int64_t> place = reduce_as<How, void>(x, a, keep);
    if constexpr (codegen::kind_rank(dtype_of<value_type_t<E>>) > 1)
        place = where(isnan(reduce_as<codegen::value_of(How), void>(x, a, keep)), std::int64_t{-1}, place);
    return place;
}

// A wide value over a number of elements: times its inverse, which is faster, where the result that it becomes is too
// narrow to tell.
template <class Result, class W>
array<W> over(const array<W>& x, double n) {
    if constexpr (codegen::size_of(dtype_of<Result>) < codegen::size_of(dtype_of<W>)) return x * (1 / n);
    else return x / n;
}

// The mean in the wide type, with its axes kept if asked.
template <expression E>
auto wide_mean(const E& e, const axes& a, bool keep) {
    using W = wide_type<value_type_t<E>>;
    double n = static_cast<double>(count_reduced("mean", e.shape(), a));
    return over<mean_type<value_type_t<E>>>(array<W>(reduce_as<codegen::reduction::sum, void>(astype<W>(e), a, keep)),
                                            n);
}

template <expression E>
auto mean_as(const E& e, const axes& a, bool keep, const where_options& o = {}) {
    using T = value_type_t<E>;
    if (!o.where.value) return array<mean_type<T>>(astype<mean_type<T>>(wide_mean(e, a, keep)));
    const handle wide = record_cast(as_handle(e), dtype_of<wide_type<T>>);
    return array<mean_type<T>>(record_cast(record_mean_where(wide, a, keep, o.where.value), dtype_of<mean_type<T>>));
}

// Whether float64 has room beside elements for what sums of them and of squared distances round off: types of up to 24
// bits.
template <class T>
inline constexpr bool fits_in_double =
    !codegen::is_complex(dtype_of<T>) && codegen::size_of(dtype_of<T>) <= (std::is_integral_v<T> ? 2 : 4);

// In one pass, by data shifted by the first element of each row (Chan, Golub and LeVeque 1983), whose distance from the
// mean comes from the sum that the mean takes as well. That element's squared distance is part of the variance, so that
// no more than count * 2^-53 of it is lost, and 2^-53 for each time that elements are larger than their deviation,
// times a small number.
array<double> squares_from_mean(const array<double>& x, const axes& a, bool keep, double count, bool to_narrow);

template <expression E>
SINTER_COMPARES array<double> wide_variance(const E& e, const axes& a, bool keep, const variance_options& o) {
    using W = wide_type<value_type_t<E>>;
    using R = variance_type<value_type_t<E>>;
    if (o.mean.value)
        return array<double>(record_variance_about(record_cast(as_handle(e), dtype_of<W>), a, keep, o, o.where.value));
    if (o.where.value)
        return array<double>(
            record_variance_where(record_cast(as_handle(e), dtype_of<W>), a, keep, o.where.value, o.taken_off()));
    array<value_type_t<E>> x = e;
    const double count = static_cast<double>(count_reduced("var", e.shape(), a)), n = count - o.taken_off();
    auto squares = [&]() SINTER_COMPARES -> array<double> {
        if constexpr (fits_in_double<value_type_t<E>>)
            if (count > 0)
                return squares_from_mean(astype<double>(x), a, keep, count,
                                         codegen::size_of(dtype_of<mean_type<value_type_t<E>>>) < 8);
        array<W> away = astype<W>(x) - wide_mean(x, a, true);
        return reduce_as<codegen::reduction::sum, void>(abs2(away), a, keep);
    };
    return over<R>(squares(), n > 0 ? n : 0.0);
}

template <expression E>
auto variance_as(const E& e, const axes& a, bool keep, const variance_options& o) {
    using R = variance_type<value_type_t<E>>;
    return array<R>(astype<R>(wide_variance(e, a, keep, o)));
}

template <expression E>
auto range_as(const E& e, const axes& a, bool keep) {
    return reduce_as<codegen::reduction::max, void>(e, a, keep) - reduce_as<codegen::reduction::min, void>(e, a, keep);
}

template <expression E>
auto deviation_as(const E& e, const axes& a, bool keep, const variance_options& o) {
    using R = variance_type<value_type_t<E>>;
    return array<R>(astype<R>(sqrt(wide_variance(e, a, keep, o))));
}

}  // namespace detail

inline namespace functions {
/// Position of the first smallest or largest of the elements that are not NaN, as argmin and argmax give it
/// (numpy.nanargmin, numpy.nanargmax), and -1 where all are NaN.
SINTER_FUNCTION_OF_AXES(nanargmin, axis, , detail::place_without_nan<codegen::reduction::nanargmin>)
SINTER_FUNCTION_OF_AXES(nanargmax, axis, , detail::place_without_nan<codegen::reduction::nanargmax>)
/// Number of elements that are not zero (numpy.count_nonzero), int64.
SINTER_FUNCTION_OF_AXES(count_nonzero, axis, , detail::count_as)
/// Arithmetic mean (numpy.mean), accumulated in float64, of the elements that {.where = condition} names; integers give
/// float64.
SINTER_FUNCTION_WITH_OPTIONS(mean, axis, where_options, , detail::mean_as)
}  // namespace functions

namespace detail {

/// How weights along the given axes of an array broadcast to its shape: their axes in another order, and then this
/// shape; nothing where they have its shape. Throws shape_error.
struct weights_layout {
    dims order, shape;
};
std::optional<weights_layout> layout_of_weights(const dims& weights, const dims& shape, const axes& a);
handle record_weights(const handle& weights, const dims& shape, const axes& a);

/// The type of weighted averages: at least double where the elements are integers.
template <class T, class Weight>
using average_type =
    mean_type<typename codegen::cpp_type<codegen::promote(dtype_of<mean_type<T>>, dtype_of<Weight>)>::type>;

template <expression E, expression W>
auto average_as(const E& e, const axes& a, const W& weights, bool keep) {
    using R = average_type<value_type_t<E>, value_type_t<W>>;
    using Wide = wide_type<R>;
    array<Wide> w(record_cast(record_weights(as_handle(weights), e.shape(), a), dtype_of<Wide>));
    constexpr auto sum = codegen::reduction::sum;
    return array<R>(astype<R>(reduce_as<sum, void>(astype<Wide>(e) * w, a, keep) / reduce_as<sum, void>(w, a, keep)));
}

}  // namespace detail

/// Options of average by name: the axes, of e's shape or of theirs the weights, and whether reduced axes stay.
struct average_options {
    axes axis = {};
    detail::any_array weights = {};
    bool keepdims = false;
};
/// Options of average that ask for the sums of the weights, too.
struct average_sum_options {
    detail::asked_for returned;
    axes axis = {};
    detail::any_array weights = {};
    bool keepdims = false;
};
/// The averages, and the sums of the weights.
template <class T>
struct average_result {
    array<T> average, sum_of_weights;
};

namespace detail {

struct recorded_average {
    handle average, sum_of_weights;
};
/// In the wide type, of a result that has this type; throws type_error for weights whose type is more than that.
recorded_average record_average(const handle& wide, dtype result, const axes& a, const handle& weights, bool keep);

template <expression E>
average_result<average_type<value_type_t<E>, value_type_t<E>>> average_by_name(const E& e, const average_options& o) {
    using T = average_type<value_type_t<E>, value_type_t<E>>;
    const axes over = o.axis.named("average");
    const handle wide = record_cast(as_handle(e), dtype_of<wide_type<T>>);
    const recorded_average r = record_average(wide, dtype_of<T>, over, o.weights.value, o.keepdims);
    return {array<T>(r.average), array<T>(r.sum_of_weights)};
}

}  // namespace detail

/// Weighted average (numpy.average): sum(e * weights) / sum(weights), accumulated in float64. Weights are of e's shape,
/// or of that of the axes in the order in which these are given; without any it is the mean, and `average(e, {},
/// weights)` is that of all elements. Throws shape_error; where weights sum to zero the result is NaN or infinite.
SINTER_FUNCTION_OF_AXES(average, weights, , detail::mean_as)
template <expression E, detail::axis_operand A, expression W>
auto average(const E& e, const A& axis, const W& weights, detail::keep_axes keep = {}) {
    return detail::average_as(e, axes(axis).named("average"), weights, keep.given);
}
/// Weighted average (numpy.average).
template <expression E, expression W>
auto average(const E& e, detail::axis_list list, const W& weights, detail::keep_axes keep = {}) {
    return detail::average_as(e, axes::of(list).named("average"), weights, keep.given);
}

/// The same with options by name, of the type of e's mean: `average(x, {.axis = 1, .weights = w})`. Throws type_error
/// where weights are of a higher type, which average(x, 1, w) gives.
template <expression E>
auto average(const E& e, const average_options& o) {
    return detail::average_by_name(e, o).average;
}
/// The same and the sums of the weights: `auto [mean, sum] = average(x, {.returned = true, .weights = w})`.
template <expression E>
auto average(const E& e, const average_sum_options& o) {
    return detail::average_by_name(e, {o.axis, o.weights, o.keepdims});
}

inline namespace functions {
/// Variance (numpy.var): mean of the squared distances from the mean, in float64. Elements of at most 24 significant
/// bits are read once, beside those of a mean in the same kernel, where up to 2^-53 of it is rounded off for each
/// element and for each time that elements are larger than their deviation; others are read twice.
SINTER_FUNCTION_WITH_OPTIONS(var, deviation, variance_options, , detail::variance_as)
/// Standard deviation (numpy.std).
SINTER_FUNCTION_WITH_OPTIONS(stddev, deviation, variance_options, , detail::deviation_as)

/// Largest less smallest element (numpy.ptp).
SINTER_FUNCTION_OF_AXES(ptp, axis, , detail::range_as)
}  // namespace functions

/// Options of array_equal: whether NaN is equal to NaN.
struct equal_options {
    bool equal_nan = false;
};

/// Whether all elements are close (numpy.allclose).
template <class A, class B>
    requires detail::operands<A, B>
bool allclose(const A& a, const B& b, const close_options& o = {}) {
    return detail::named_errors("allclose", [&] { return all(isclose(a, b, o)).item(); });
}
/// The same with the tolerances in NumPy's order.
template <class A, class B, detail::real_scalar R>
    requires detail::operands<A, B>
bool allclose(const A& a, const B& b, R rtol, double atol = 1e-8, bool equal_nan = false) {
    return allclose(a, b, {static_cast<double>(rtol), atol, equal_nan});
}
/// Whether the elements are equal and of one shape (numpy.array_equal), of which a number is one without axes.
template <class A, class B>
    requires detail::operands<A, B>
bool array_equal(const A& a, const B& b, equal_options o = {}) {
    const auto& x = detail::own_array_beside(a, b);
    const auto& y = detail::own_array_beside(b, a);
    if (x.shape() != y.shape()) return false;
    return o.equal_nan ? all(x == y || (isnan(x) && isnan(y))).item() : all(x == y).item();
}
/// The same of numbers in braces, as a vector.
template <expression A, detail::scalar_operand S>
bool array_equal(const A& a, std::initializer_list<S> numbers, equal_options o = {}) {
    const device_scope on(a.device());
    return array_equal(a, asarray(numbers), o);
}

}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END

#if SINTER_HEADER_ONLY
#include <sinter/functions/reductions.ipp>
#endif
