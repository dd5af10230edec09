// Functions along an axis that keep every step: running sums, products and extrema, differences and what is made of
// them.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/joining.hpp>
#include <sinter/functions/nan_functions.hpp>
#include <sinter/functions/reductions.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

namespace detail {

/// Neighbours along an axis: all elements but the first, and all but the last.
handle record_tail(const handle& x, int axis);
handle record_head(const handle& x, int axis);
/// An array with others, or numbers, before and behind it along an axis, for diff.
handle record_between(const handle& x, const any_operand& before, const any_operand& behind, int axis);
/// An option that is an array as a vector.
any_operand raveled(any_operand o);
/// The axis of a function that needs one; throws value_error for a single number.
int line_axis(std::string_view name, std::int64_t axis, int rank);

template <codegen::reduction How, class Accumulator, expression E>
auto scan_as(const E& e, std::int64_t axis) {
    using T = std::conditional_t<std::is_void_v<Accumulator>, value_type_t<E>, Accumulator>;
    using R = std::conditional_t<std::is_void_v<Accumulator>, reduced_type<How, dtype_of<T>>, Accumulator>;
    static_assert(codegen::accepts(How, dtype_of<T>), "sinter: complex elements have no order");
    int a = codegen::normalize_axis(codegen::running_name(How), axis, e.ndim());
    return array<R>(record_cast(record_scan_axis(How, record_cast(as_handle(e), dtype_of<T>), a), dtype_of<R>));
}

}  // namespace detail

// Every scan takes (E, axis), or (E) for the flattened array, and throws index_error for an axis that is not there. A
// type given first, cumsum<double>(E), is that of the accumulator and of the result.
#define SINTER_SCAN_FUNCTION(name, how)                                            \
    template <class Accumulator = void, expression E>                              \
    auto name(const E& e, std::int64_t axis) {                                     \
        return detail::scan_as<codegen::reduction::how, Accumulator>(e, axis);     \
    }                                                                              \
    template <class Accumulator = void, expression E>                              \
    auto name(const E& e) {                                                        \
        return detail::scan_as<codegen::reduction::how, Accumulator>(ravel(e), 0); \
    }
inline namespace functions {
/// Running sum and product (numpy.cumsum, numpy.cumprod), of the argument's shape; bool and integers give int64,
/// unsigned ones uint64. float32 accumulates in float64 and every element is rounded once; the order is that of
/// codegen/graph/reduce_tree.hpp, the same on every backend. After a zero among finite factors a product stays zero.
SINTER_SCAN_FUNCTION(cumsum, sum)
SINTER_SCAN_FUNCTION(cumprod, prod)
/// Running maximum and minimum (numpy.maximum.accumulate, numpy.minimum.accumulate); from the first NaN on all are NaN.
SINTER_SCAN_FUNCTION(cummax, max)
SINTER_SCAN_FUNCTION(cummin, min)
}  // namespace functions
#undef SINTER_SCAN_FUNCTION

/// Running sum that takes NaN for zero (numpy.nancumsum).
template <expression E>
auto nancumsum(const E& e, std::int64_t axis) {
    return cumsum(detail::without_nan(e), codegen::normalize_axis("nancumsum", axis, e.ndim()));
}
/// The same of the flat array.
template <expression E>
auto nancumsum(const E& e) {
    return cumsum(detail::without_nan(e));
}
/// Running product that takes NaN for one (numpy.nancumprod).
template <expression E>
auto nancumprod(const E& e, std::int64_t axis) {
    return cumprod(detail::without_nan(e, 1), codegen::normalize_axis("nancumprod", axis, e.ndim()));
}
/// The same of the flat array.
template <expression E>
auto nancumprod(const E& e) {
    return nancumprod(ravel(e), 0);
}

/// Differences of neighbours along an axis, n times (numpy.diff): each time the axis is shorter by one; of bool,
/// whether they differ. Throws value_error for n < 0 and for a single number.
template <expression E>
SINTER_NEW_VALUE auto diff(const E& e, std::int64_t n = 1, std::int64_t axis = -1) {
    using T = value_type_t<E>;
    int a = detail::line_axis("diff", axis, e.ndim());
    if (n < 0) throw value_error("[diff] the number of times is negative: " + std::to_string(n));
    array<T> x = e;
    // An axis without elements stays so.
    for (n = std::min(n, x.shape(a)); n > 0; --n) {
        array<T> later(detail::record_tail(x.get_handle(), a)), earlier(detail::record_head(x.get_handle(), a));
        if constexpr (std::same_as<T, bool>) x = later != earlier;
        else x = later - earlier;
    }
    return x;
}
/// Options of diff: how often, along which axis, and what stands before and behind the elements at first, arrays or
/// numbers of their kind.
struct diff_options {
    std::int64_t n = 1;
    std::int64_t axis = -1;
    detail::any_operand prepend = {};
    detail::any_operand append = {};
};
/// The same: `diff(x, {.prepend = 0})`. Throws type_error for arrays and value_error for integers that would not
/// convert to e's elements without loss.
template <expression E>
SINTER_NEW_VALUE auto diff(const E& e, const diff_options& o) {
    const int a = detail::line_axis("diff", o.axis, e.ndim());
    if (o.n == 0) return diff(array<value_type_t<E>>(e), 0, a);
    const detail::handle longer = detail::record_between(detail::as_handle(e), o.prepend, o.append, a);
    return diff(array<value_type_t<E>>(longer), o.n, a);
}
/// Differences of neighbours in the flattened array (numpy.ediff1d).
template <expression E>
auto ediff1d(const E& e) {
    return diff(ravel(e));
}
/// What stands behind and before the differences, arrays or numbers of their kind.
struct ediff1d_options {
    detail::any_operand to_end = {};
    detail::any_operand to_begin = {};
};
/// The same: `ediff1d(x, {.to_end = 0})`. Throws type_error and value_error as diff.
template <expression E>
auto ediff1d(const E& e, const ediff1d_options& o) {
    const array<value_type_t<E>> inner = ediff1d(e);
    return detail::named_errors("ediff1d", [&] {
        return array<value_type_t<E>>(
            detail::record_between(inner.get_handle(), detail::raveled(o.to_begin), detail::raveled(o.to_end), 0));
    });
}

namespace detail {
// Half as much: what division by two gives, at the cost of a product.
template <expression E>
auto half_of(const E& e) {
    if constexpr (codegen::is_complex(dtype_of<value_type_t<E>>)) return e / 2.0;
    else return e * 0.5;
}
template <expression E>
auto sums_of_neighbours(const E& e, int axis) {
    using T = value_type_t<E>;
    const array<T> all(e);
    const array<T> later(record_tail(all.get_handle(), axis)), earlier(record_head(all.get_handle(), axis));
    return array<T>(later + earlier);
}
}  // namespace detail

/// Integral by the trapezoidal rule along an axis, with points `dx` apart or at x, a vector or of y's shape
/// (numpy.trapezoid); integers give float64, and sums of neighbours in their own type wrap as NumPy's do.
template <expression E>
auto trapezoid(const E& y, double dx = 1, std::int64_t axis = -1) {
    int a = detail::line_axis("trapezoid", axis, y.ndim());
    using R = typename codegen::cpp_type<codegen::floating_of(dtype_of<value_type_t<E>>)>::type;
    const auto neighbours = detail::sums_of_neighbours(y, a);
    return array<R>(sum(detail::half_of(astype<R>(neighbours) * dx), a));
}
/// Integral by the trapezoidal rule along an axis, with points `dx` apart or at x, a vector or of y's shape
/// (numpy.trapezoid).
template <expression E, expression X>
auto trapezoid(const E& y, const X& x, std::int64_t axis = -1) {
    int a = detail::line_axis("trapezoid", axis, y.ndim());
    using R = typename codegen::cpp_type<codegen::floating_of(
        dtype_of<result_type_t<value_type_t<E>, value_type_t<X>>>)>::type;
    const auto areas = detail::sums_of_neighbours(y, a);
    array<value_type_t<X>> d = diff(x, 1, x.ndim() == 1 ? 0 : axis);
    if (x.ndim() == 1) {
        dims shape = dims::filled(y.ndim(), 1);
        shape[a] = d.shape(0);
        d = reshape(d, shape);
    }
    if (!codegen::common_shape(d.shape(), areas.shape()))
        codegen::throw_no_broadcast("trapezoid", y.shape(), x.shape());
    return array<R>(sum(detail::half_of(astype<R>(d * areas)), a));
}

/// Options of trapezoid: how far apart points are, and along which axis.
struct trapezoid_options {
    double dx = 1;
    std::int64_t axis = -1;
};
/// The same: `trapezoid(y, {.axis = 0})`.
template <expression E>
auto trapezoid(const E& y, trapezoid_options o) {
    return trapezoid(y, o.dx, o.axis);
}
/// The same at points x: `trapezoid(y, x, {.axis = 0})`.
template <expression E, expression X>
auto trapezoid(const E& y, const X& x, trapezoid_options o) {
    return trapezoid(y, x, o.axis);
}

/// Options of unwrap: jumps of at least `discont`, by default half a period, are taken for wraps.
struct unwrap_options {
    double period = 6.283185307179586;
    double discont = -1;
};

/// Angles without jumps along an axis (numpy.unwrap): neighbours that lie further apart than half a period come closer
/// by whole periods; integers give float64.
template <expression E>
SINTER_COMPARES auto unwrap(const E& e, std::int64_t axis = -1, unwrap_options o = {}) {
    using T = typename codegen::cpp_type<codegen::floating_of(dtype_of<value_type_t<E>>)>::type;
    static_assert(!codegen::is_complex(dtype_of<T>), "sinter: unwrap is not defined for complex elements");
    int a = detail::line_axis("unwrap", axis, e.ndim());
    double high = o.period / 2, least = o.discont < 0 ? high : o.discont;
    array<T> p = astype<T>(e);
    if (p.shape(a) == 0) return p;
    array<T> first(detail::record_part(p.get_handle(), a, 0, 1)), rest(detail::record_tail(p.get_handle(), a));
    array<T> step = diff(p, 1, a);
    array<T> wrapped = remainder(step + high, o.period) - high;
    array<T> nearest = where(wrapped == -high && step > 0, static_cast<T>(high), wrapped);
    array<T> correction = where(abs(step) < least, T(0), nearest - step);
    return concatenate(std::tuple(first, rest + cumsum(correction, a)), a);
}
/// Angles without jumps along an axis (numpy.unwrap).
template <expression E>
auto unwrap(const E& e, unwrap_options o) {
    return unwrap(e, -1, o);
}

}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END

#if SINTER_HEADER_ONLY
#include <sinter/functions/scans.ipp>
#endif
