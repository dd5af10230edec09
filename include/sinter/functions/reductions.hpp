// Functions of axes: sums, products, means, extrema and their positions; any, all and counts.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/array/operators.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

struct keepdims_t {};
/// Reduced axes stay with size one: `sum(x, 1, keepdims)`.
inline constexpr keepdims_t keepdims{};

/// Axes to reduce: none given means all; an integer, negative allowed, or a braced list.
class axes {
public:
    constexpr axes() = default;
    // No constructor takes a list, because g++ 12 would take {.initial = 0} for one.
    template <std::integral... I>
        requires(sizeof...(I) > 0)
    constexpr axes(I... list) : given_(true), list_(list...) {
        static_assert((!std::is_same_v<I, bool> && ...), "sinter: an axis is an integer, not a bool");
    }
    /// Those of a list, where an empty one means all.
    static axes of(std::initializer_list<std::int64_t> list);
    /// As a bit mask for an array of this rank; throws index_error or value_error naming the operation.
    std::uint8_t mask(std::string_view operation, int rank) const;
    /// In the order given and counted from 0, those of an array of this rank; throws the same.
    dims list(std::string_view operation, int rank) const;

private:
    bool given_ = false;
    dims list_;
};

/// Options of var and stddev: the divisor is n - ddof.
struct variance_options {
    double ddof = 0;
};

namespace detail {

template <codegen::reduction How, dtype From>
using reduced_type = typename codegen::cpp_type<codegen::reduce_type(How, From)>::type;

template <class A>
concept axis_operand = (std::integral<A> && !std::same_as<A, bool>) || std::same_as<A, axes>;
/// What stands in an axis' place by mistake.
template <class X>
concept no_axis = std::floating_point<X> || std::same_as<X, bool> || expression<X>;

/// An array of any type, or none.
struct any_array {
    any_array() = default;
    template <expression E>
    any_array(const E& e) : value(as_handle(e)) {}
    handle value;
};

/// Axes in braces, a parameter of their own: with g++ 12 a class made of integers or of a list is also made of
/// {.initial = 0}.
using axis_list = std::initializer_list<std::int64_t>;

/// Whether keepdims was written.
struct keep_axes {
    bool given = false;
    constexpr keep_axes() = default;
    template <std::same_as<keepdims_t> K>
    constexpr keep_axes(K) : given(true) {}
};

/// Keyword arguments of NumPy's reductions.
struct keyword_arguments {
    anything axis, dtype, weights, out, keepdims, initial, where;
};

/// The type in which means and variances are computed.
template <class T>
using wide_type =
    typename codegen::cpp_type<codegen::is_complex(dtype_of<T>) ? dtype::complex128 : dtype::float64>::type;
template <class T>
using mean_type = typename codegen::cpp_type<codegen::floating_of(dtype_of<T>)>::type;
template <class T>
using variance_type = typename codegen::cpp_type<codegen::real_of(dtype_of<mean_type<T>>)>::type;

handle record_reduce_axes(codegen::reduction how, const handle& x, const axes& a, bool keep);
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
auto reduce_as(const E& e, const axes& a, bool keep) {
    using T = std::conditional_t<std::is_void_v<Accumulator>, value_type_t<E>, Accumulator>;
    static_assert(codegen::accepts(How, dtype_of<T>), "sinter: complex elements have no order");
    using R = std::conditional_t<std::is_void_v<Accumulator>, reduced_type<How, dtype_of<T>>, Accumulator>;
    handle h = record_reduce_axes(How, record_cast(as_handle(e), dtype_of<T>), a, keep);
    return array<R>(record_cast(h, dtype_of<R>));
}

}  // namespace detail

// Every reduction takes (E), (E, axis), (E, {axes}), then keepdims, also (E, keepdims), and throws index_error for an
// axis that is not there. A type given first, sum<double>(E), is that of the accumulator and of the result.
#define SINTER_FUNCTION_OF_AXES(name, hint, first_parameter, ...)                              \
    template <first_parameter expression E>                                                    \
    auto name(const E& e, detail::keep_axes keep = {}) {                                       \
        return __VA_ARGS__(e, axes(), keep.given);                                             \
    }                                                                                          \
    template <first_parameter expression E, class A>                                           \
        requires(detail::axis_operand<A> || detail::no_axis<A>)                                \
    auto name(const E& e, const A& axis, detail::keep_axes keep = {}) {                        \
        static_assert(!detail::no_axis<A>, "sinter: an axis of " #name " is an integer" hint); \
        if constexpr (detail::axis_operand<A>) return __VA_ARGS__(e, axis, keep.given);        \
    }                                                                                          \
    template <first_parameter expression E>                                                    \
    auto name(const E& e, detail::axis_list list, detail::keep_axes keep = {}) {               \
        return __VA_ARGS__(e, axes::of(list), keep.given);                                     \
    }                                                                                          \
    template <first_parameter expression E>                                                    \
    auto name(const E&, const detail::keyword_arguments&) {                                    \
        static_assert(sizeof(E) == 0, "sinter: " #name " takes axes in braces, " #name         \
                                      "(x, {0, 1}), and keepdims behind "                      \
                                      "them, no options by name");                             \
    }
#define SINTER_REDUCTION_FUNCTION(name, how, hint) \
    SINTER_FUNCTION_OF_AXES(name, hint, SINTER_ACCUMULATOR, detail::reduce_as<codegen::reduction::how, Accumulator>)
#define SINTER_ACCUMULATOR class Accumulator = void,
/// Sum and product (numpy.sum, numpy.prod); bool and integers give int64, unsigned ones uint64, no elements 0 and 1. A
/// zero among finite factors makes a product zero, also where others overflow.
SINTER_REDUCTION_FUNCTION(sum, sum, ": for the sum of two arrays use +")
SINTER_REDUCTION_FUNCTION(prod, prod, ": for the product of two arrays use *")
/// Smallest and largest element, NaN if there is one (numpy.min, numpy.max); value_error when there is no element
/// along the axes. They have NumPy's other names, too.
SINTER_REDUCTION_FUNCTION(min, min, ": for the smaller of two values use minimum")
SINTER_REDUCTION_FUNCTION(max, max, ": for the larger of two values use maximum")
SINTER_REDUCTION_FUNCTION(amin, min, ": for the smaller of two values use minimum")
SINTER_REDUCTION_FUNCTION(amax, max, ": for the larger of two values use maximum")
/// Smallest and largest of the elements that are not NaN, and NaN where all are (numpy.nanmin, numpy.nanmax);
/// value_error as above.
SINTER_REDUCTION_FUNCTION(nanmin, nanmin, ": for the smaller of two values use fmin")
SINTER_REDUCTION_FUNCTION(nanmax, nanmax, ": for the larger of two values use fmax")
/// Whether any element is not zero (numpy.any), bool; `all` is below.
SINTER_REDUCTION_FUNCTION(any, any, "")
/// Position of the first smallest or largest element, int64, in the flat array when several axes are reduced
/// (numpy.argmin, numpy.argmax); value_error when there is no element along the axes.
SINTER_REDUCTION_FUNCTION(argmin, argmin, "")
SINTER_REDUCTION_FUNCTION(argmax, argmax, "")
#undef SINTER_REDUCTION_FUNCTION

/// As an index: every element of an axis. As a function: whether all elements are true (numpy.all).
struct all_t {
    template <expression E>
    auto operator()(const E& e, detail::keep_axes keep = {}) const {
        return over(e, axes(), keep);
    }
    template <expression E, class A>
        requires(detail::axis_operand<A> || detail::no_axis<A>)
    auto operator()(const E& e, const A& axis, detail::keep_axes keep = {}) const {
        static_assert(!detail::no_axis<A>, "sinter: an axis of all is an integer");
        if constexpr (detail::axis_operand<A>) return over(e, axis, keep);
    }
    template <expression E>
    auto operator()(const E& e, detail::axis_list list, detail::keep_axes keep = {}) const {
        return over(e, axes::of(list), keep);
    }
    template <expression E>
    auto operator()(const E&, const detail::keyword_arguments&) const {
        static_assert(sizeof(E) == 0,
                      "sinter: all takes axes in braces, all(x, {0, 1}), and keepdims behind them, no options "
                      "by name");
    }

private:
    template <expression E>
    static auto over(const E& e, const axes& a, detail::keep_axes keep) {
        return detail::reduce_as<codegen::reduction::all, void>(e, a, keep.given);
    }
};
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
auto mean_as(const E& e, const axes& a, bool keep) {
    return array<mean_type<value_type_t<E>>>(astype<mean_type<value_type_t<E>>>(wide_mean(e, a, keep)));
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
template <expression E>
array<double> squares_from_mean(const E& e, const axes& a, bool keep, double count) {
    array<double> x = astype<double>(e), total = reduce_as<codegen::reduction::sum, void>(x, a, keep);
    array<double> offset = total - reduce_as<codegen::reduction::first, void>(x, a, keep) * count;
    array<double> common = over<mean_type<value_type_t<E>>>(array<double>(offset * offset), count);
    return maximum(reduce_as<codegen::reduction::squares_from_first, void>(x, a, keep) - common, 0.0);
}

template <expression E>
SINTER_COMPARES auto wide_variance(const E& e, const axes& a, bool keep, double ddof) {
    using W = wide_type<value_type_t<E>>;
    using R = variance_type<value_type_t<E>>;
    array<value_type_t<E>> x = e;
    const double count = static_cast<double>(count_reduced("var", e.shape(), a)), n = count - ddof;
    auto squares = [&]() SINTER_COMPARES -> array<double> {
        if constexpr (fits_in_double<value_type_t<E>>)
            if (count > 0) return squares_from_mean(x, a, keep, count);
        array<W> away = astype<W>(x) - wide_mean(x, a, true);
        return reduce_as<codegen::reduction::sum, void>(abs2(away), a, keep);
    };
    return over<R>(squares(), n > 0 ? n : 0.0);
}

template <expression E>
auto variance_as(const E& e, const axes& a, bool keep, variance_options o) {
    using R = variance_type<value_type_t<E>>;
    return array<R>(astype<R>(wide_variance(e, a, keep, o.ddof)));
}

template <expression E>
auto range_as(const E& e, const axes& a, bool keep) {
    return reduce_as<codegen::reduction::max, void>(e, a, keep) - reduce_as<codegen::reduction::min, void>(e, a, keep);
}

template <expression E>
auto deviation_as(const E& e, const axes& a, bool keep, variance_options o) {
    using R = variance_type<value_type_t<E>>;
    return array<R>(astype<R>(sqrt(wide_variance(e, a, keep, o.ddof))));
}

}  // namespace detail

/// Position of the first smallest or largest of the elements that are not NaN, as argmin and argmax give it
/// (numpy.nanargmin, numpy.nanargmax), and -1 where all are NaN.
SINTER_FUNCTION_OF_AXES(nanargmin, "", , detail::place_without_nan<codegen::reduction::nanargmin>)
SINTER_FUNCTION_OF_AXES(nanargmax, "", , detail::place_without_nan<codegen::reduction::nanargmax>)
/// Number of elements that are not zero (numpy.count_nonzero), int64.
SINTER_FUNCTION_OF_AXES(count_nonzero, "", , detail::count_as)
/// Arithmetic mean (numpy.mean), accumulated in float64; integers give float64.
SINTER_FUNCTION_OF_AXES(mean, "", , detail::mean_as)

namespace detail {

/// Weights along the given axes with axes that broadcast to an array's shape; throws shape_error.
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

/// Weighted average (numpy.average): sum(e * weights) / sum(weights), accumulated in float64. Weights are of e's shape,
/// or of that of the axes in the order in which these are given; without any it is the mean, and `average(e, {},
/// weights)` is that of all elements. Throws shape_error; where weights sum to zero the result is NaN or infinite.
SINTER_FUNCTION_OF_AXES(average, ": for weights of all elements write average(x, {}, weights)", , detail::mean_as)
template <expression E, detail::axis_operand A, expression W>
auto average(const E& e, const A& axis, const W& weights, detail::keep_axes keep = {}) {
    return detail::average_as(e, axis, weights, keep.given);
}
template <expression E, expression W>
auto average(const E& e, detail::axis_list list, const W& weights, detail::keep_axes keep = {}) {
    return detail::average_as(e, axes::of(list), weights, keep.given);
}

#define SINTER_FUNCTION_OF_VARIANCE(name, compute)                                       \
    template <expression E>                                                              \
    auto name(const E& e, variance_options o = {}) {                                     \
        return detail::compute(e, axes(), false, o);                                     \
    }                                                                                    \
    template <expression E>                                                              \
    auto name(const E& e, keepdims_t, variance_options o = {}) {                         \
        return detail::compute(e, axes(), true, o);                                      \
    }                                                                                    \
    template <expression E, detail::axis_operand A>                                      \
    auto name(const E& e, const A& axis, variance_options o = {}) {                      \
        return detail::compute(e, axis, false, o);                                       \
    }                                                                                    \
    template <expression E, detail::axis_operand A>                                      \
    auto name(const E& e, const A& axis, keepdims_t, variance_options o = {}) {          \
        return detail::compute(e, axis, true, o);                                        \
    }                                                                                    \
    template <expression E>                                                              \
    auto name(const E& e, detail::axis_list list, variance_options o = {}) {             \
        return detail::compute(e, axes::of(list), false, o);                             \
    }                                                                                    \
    template <expression E>                                                              \
    auto name(const E& e, detail::axis_list list, keepdims_t, variance_options o = {}) { \
        return detail::compute(e, axes::of(list), true, o);                              \
    }
/// Variance (numpy.var): mean of the squared distances from the mean, in float64. Elements of at most 24 significant
/// bits are read once, beside those of a mean in the same kernel, where up to 2^-53 of it is rounded off for each
/// element and for each time that elements are larger than their deviation; others are read twice.
SINTER_FUNCTION_OF_VARIANCE(var, variance_as)
/// Standard deviation (numpy.std).
SINTER_FUNCTION_OF_VARIANCE(stddev, deviation_as)

/// Largest less smallest element (numpy.ptp).
SINTER_FUNCTION_OF_AXES(ptp, "", , detail::range_as)

/// Whether all elements are close (numpy.allclose), or equal and of one shape (numpy.array_equal).
template <class A, class B>
    requires detail::operands<A, B>
bool allclose(const A& a, const B& b, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false) {
    return all(isclose(a, b, rtol, atol, equal_nan)).item();
}
template <expression A, expression B>
bool array_equal(const A& a, const B& b) {
    return a.shape() == b.shape() && all(a == b).item();
}

}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END

#if SINTER_HEADER_ONLY
#include <sinter/functions/reductions.ipp>
#endif
