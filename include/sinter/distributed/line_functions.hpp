// Functions of lines of distributed arrays: softmax and its like, running sums, sorting, quantiles, differences.
#pragma once

#include <sinter/analysis/quantiles.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/distributed/moving.hpp>
#include <sinter/distributed/reductions.hpp>
#include <sinter/functions/ordering.hpp>
#include <sinter/functions/scans.hpp>
#include <sinter/functions/softmax.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

namespace detail {

/// The formulas of softmax.hpp, over all ranks.
template <class T>
distributed::array<T> distributed_exponent_shift(const distributed::array<T>& x, const axes& a) {
    if (count_reduced("logsumexp", x.shape(), a) == 0)
        return distributed_as<T>(distributed_reduce<codegen::reduction::sum>(x, a, true));
    const auto greatest = distributed_reduce<codegen::reduction::max>(x, a, true);
    return distributed::where(isfinite(greatest), greatest, T(0));
}
template <class T>
auto distributed_softmax(const distributed::array<T>& e, const axes& a) {
    using M = mean_type<T>;
    const auto x = distributed_as<M>(e);
    const distributed::array<M> powers = exp(x - distributed_reduce<codegen::reduction::max>(x, a, true));
    return distributed_as<M>(powers / distributed_reduce<codegen::reduction::sum>(powers, a, true));
}
template <class T>
auto distributed_log_softmax(const distributed::array<T>& e, const axes& a) {
    using M = mean_type<T>;
    const auto x = distributed_as<M>(e);
    const distributed::array<M> shifted = x - distributed_exponent_shift(x, a);
    return distributed_as<M>(shifted - log(distributed_reduce<codegen::reduction::sum>(exp(shifted), a, true)));
}
template <class T>
auto distributed_logsumexp(const distributed::array<T>& e, const axes& a, bool keep) {
    using M = mean_type<T>;
    const auto x = distributed_as<M>(e), shift = distributed_exponent_shift(x, a);
    const distributed::array<M> total = distributed_reduce<codegen::reduction::sum>(exp(x - shift), a, keep);
    const distributed::array<M> power = log(total);
    return distributed_as<M>(power +
                             distributed::array<M>(record_distributed_reshape(shift.get_value(), total.shape())));
}

/// A function of whole lines along axes, whose result has `in_front` axes before the others, and those only if kept.
template <class T, class F>
auto distributed_lines(std::string_view name, const distributed::array<T>& x, std::uint8_t mask, bool drops,
                       int in_front, F f, distributed::operation_class c = distributed::operation_class::line) {
    using R = value_type_t<decltype(f(std::declval<sinter::array<T>>()))>;
    return distributed::array<R>(
        record_distributed_lines(name, c, x.get_value(), {mask, drops, in_front},
                                 [&](const handle& h) { return record_expression<R>(f(sinter::array<T>(h))); }));
}

/// How many axes a result has for shares: none for one, that of several, or those of a matrix.
template <class Q>
int axes_of_shares(const Q& q) {
    if constexpr (expression<Q>) return q.ndim();
    else return real_scalar<Q> ? 0 : 1;
}

/// A running reduction, with what record_scan_axis mends of products.
template <codegen::reduction How, class Accumulator = void, class T>
auto distributed_scan(const distributed::array<T>& x, std::int64_t axis) {
    using From = std::conditional_t<std::is_void_v<Accumulator>, T, Accumulator>;
    static_assert(codegen::accepts(How, dtype_of<From>), "sinter: complex elements have no order");
    const int at = codegen::normalize_axis(codegen::running_name(How), axis, x.ndim());
    const distributed::array<reduced_type<How, dtype_of<From>>> r(
        record_distributed_scan(How, distributed_as<From>(x).get_value(), at));
    if constexpr (std::is_void_v<Accumulator>) return r;
    else return distributed_as<Accumulator>(r);
}

/// All elements in a row, where each rank keeps what it has.
template <class T>
distributed::array<T> distributed_ravel(const distributed::array<T>& x) {
    return distributed::array<T>(record_distributed_reshape(x.get_value(), dims(x.size())));
}

/// The elements with a number for NaN.
template <class T>
auto distributed_number_for_nan(std::string_view name, const distributed::array<T>& x, int number) {
    return distributed_map(
        name, distributed::operation_class::map, [number](const auto& e) { return without_nan(e, number); }, x);
}

}  // namespace detail

namespace distributed {

#define SINTER_DISTRIBUTED_SOFTMAX(name)                                   \
    template <class T>                                                     \
    auto name(const array<T>& x) {                                         \
        return detail::distributed_##name(x, axes().named(#name));         \
    }                                                                      \
    template <class T, detail::axis_operand A>                             \
    auto name(const array<T>& x, const A& axis) {                          \
        return detail::distributed_##name(x, axes(axis).named(#name));     \
    }                                                                      \
    template <class T>                                                     \
    auto name(const array<T>& x, detail::axis_list list) {                 \
        return detail::distributed_##name(x, axes::of(list).named(#name)); \
    }
/// As of ordinary arrays, with their bits; along the split axis two messages, the greatest elements and the sums.
SINTER_DISTRIBUTED_SOFTMAX(softmax)
SINTER_DISTRIBUTED_SOFTMAX(log_softmax)
#undef SINTER_DISTRIBUTED_SOFTMAX
/// The logarithm of the sum of exponentials, as of ordinary arrays (scipy.special.logsumexp).
template <class T>
auto logsumexp(const array<T>& x, detail::keep_axes keep = {}) {
    return detail::distributed_logsumexp(x, axes().named("logsumexp"), keep.given);
}
/// The same along an axis.
template <class T, detail::axis_operand A>
auto logsumexp(const array<T>& x, const A& axis, detail::keep_axes keep = {}) {
    return detail::distributed_logsumexp(x, axes(axis).named("logsumexp"), keep.given);
}
/// The same along several axes.
template <class T>
auto logsumexp(const array<T>& x, detail::axis_list list, detail::keep_axes keep = {}) {
    return detail::distributed_logsumexp(x, axes::of(list).named("logsumexp"), keep.given);
}

#define SINTER_DISTRIBUTED_SCAN(name, how)                                              \
    template <class Accumulator = void, class T>                                        \
    auto name(const array<T>& x, std::int64_t axis) {                                   \
        return detail::distributed_scan<codegen::reduction::how, Accumulator>(x, axis); \
    }                                                                                   \
    template <class Accumulator = void, class T>                                        \
    auto name(const array<T>& x) {                                                      \
        return distributed::name<Accumulator>(detail::distributed_ravel(x), 0);         \
    }
/// Running sums and the like along an axis (numpy.cumsum, …), or over all elements of an array that is split along its
/// first axis. Along the split axis each rank adds the total of those before it: floating sums may differ from those of
/// another number of ranks in the last bits.
SINTER_DISTRIBUTED_SCAN(cumsum, sum)
SINTER_DISTRIBUTED_SCAN(cumprod, prod)
SINTER_DISTRIBUTED_SCAN(cummin, min)
SINTER_DISTRIBUTED_SCAN(cummax, max)
#undef SINTER_DISTRIBUTED_SCAN
#define SINTER_DISTRIBUTED_NAN_SCAN(name, of, number)                                     \
    template <class T>                                                                    \
    auto name(const array<T>& x, std::int64_t axis) {                                     \
        const int at = codegen::normalize_axis(#name, axis, x.ndim());                    \
        return distributed::of(detail::distributed_number_for_nan(#name, x, number), at); \
    }                                                                                     \
    template <class T>                                                                    \
    auto name(const array<T>& x) {                                                        \
        return distributed::name(detail::distributed_ravel(x), 0);                        \
    }
/// Running sum and product that take NaN for zero and for one.
SINTER_DISTRIBUTED_NAN_SCAN(nancumsum, cumsum, 0)
SINTER_DISTRIBUTED_NAN_SCAN(nancumprod, cumprod, 1)
#undef SINTER_DISTRIBUTED_NAN_SCAN

/// A function of the lines along an axis of an ordinary array, which keeps all other axes, applied to each rank's
/// lines: `lines("gradient", x, 1, [](auto part) { return gradient(part, 1); })`. Throws value_error with the name
/// where the axis is split.
template <class T, class F>
auto lines(std::string_view name, const array<T>& x, int axis, F f, operation_class c = operation_class::line) {
    const int at = codegen::normalize_axis(name, axis, x.ndim());
    return detail::distributed_lines(name, x, static_cast<std::uint8_t>(1 << at), false, 0, f, c);
}

// What follows works along whole lines, and throws value_error where the axis is split.

/// Lines along an axis in ascending order (numpy.sort).
template <class T>
auto sort(const array<T>& x, int axis = -1) {
    return lines("sort", x, axis, [axis](const auto& part) { return sinter::sort(part, axis); });
}
/// Lines along an axis in ascending order (numpy.sort).
template <class T>
auto sort(const array<T>& x, const sort_options& o) {
    return lines("sort", x, static_cast<int>(o.axis), [o](const auto& part) { return sinter::sort(part, o); });
}
/// What puts lines along an axis in ascending order (numpy.argsort).
template <class T>
auto argsort(const array<T>& x, int axis = -1) {
    return lines("argsort", x, axis, [axis](const auto& part) { return sinter::argsort(part, axis); });
}
/// What puts lines along an axis in ascending order (numpy.argsort).
template <class T>
auto argsort(const array<T>& x, const sort_options& o) {
    return lines("argsort", x, static_cast<int>(o.axis), [o](const auto& part) { return sinter::argsort(part, o); });
}
/// The last axis in ascending order, as complex numbers (numpy.sort_complex).
template <class T>
auto sort_complex(const array<T>& x) {
    return lines("sort_complex", x, -1, [](const auto& part) { return sinter::sort_complex(part); });
}
/// As sort (numpy.partition).
template <class T>
auto partition(const array<T>& x, std::int64_t kth, int axis = -1) {
    return lines("partition", x, axis, [=](const auto& part) { return sinter::partition(part, kth, axis); });
}
/// As argsort (numpy.argpartition).
template <class T>
auto argpartition(const array<T>& x, std::int64_t kth, int axis = -1) {
    return lines("argpartition", x, axis, [=](const auto& part) { return sinter::argpartition(part, kth, axis); });
}

/// Differences of neighbours (numpy.diff).
template <class T>
auto diff(const array<T>& x, std::int64_t n = 1, int axis = -1) {
    return lines("diff", x, axis, [=](const auto& part) { return sinter::diff(part, n, axis); });
}
/// Differences of neighbours in the flat array (numpy.ediff1d).
template <class T>
auto ediff1d(const array<T>& x) {
    return lines("ediff1d", detail::distributed_ravel(x), 0, [](const auto& part) { return sinter::diff(part); });
}
/// The integral by the trapezoidal rule over points that are `dx` apart (numpy.trapezoid).
template <class T>
auto trapezoid(const array<T>& y, double dx = 1, int axis = -1) {
    const int at = detail::line_axis("trapezoid", axis, y.ndim());
    return detail::distributed_lines("trapezoid", y, static_cast<std::uint8_t>(1 << at), true, 0,
                                     [=](const auto& part) { return sinter::trapezoid(part, dx, at); });
}
/// Angles without jumps (numpy.unwrap).
template <class T>
auto unwrap(const array<T>& x, int axis = -1, unwrap_options o = {}) {
    return lines("unwrap", x, axis, [=](const auto& part) { return sinter::unwrap(part, axis, o); });
}

#define SINTER_DISTRIBUTED_MEDIAN(name, how)                                                              \
    template <class T>                                                                                    \
    auto name(const array<T>& x, const axes& a, detail::keep_axes keep = {}) {                            \
        const axes own = a.named(#name);                                                                  \
        const std::uint8_t mask = own.mask(#name, x.ndim());                                              \
        return detail::distributed_lines(#name, x, mask, !keep.given, 0,                                  \
                                         [=](const auto& e) { return detail::how(e, own, keep.given); }); \
    }                                                                                                     \
    template <class T>                                                                                    \
    auto name(const array<T>& x, detail::keep_axes keep = {}) {                                           \
        return distributed::name(x, axes(), keep);                                                        \
    }                                                                                                     \
    template <class T>                                                                                    \
    auto name(const array<T>& x, detail::axis_list list, detail::keep_axes keep = {}) {                   \
        return distributed::name(x, axes::of(list), keep);                                                \
    }
/// Medians, as of ordinary arrays (numpy.median, numpy.nanmedian).
SINTER_DISTRIBUTED_MEDIAN(median, median_as)
SINTER_DISTRIBUTED_MEDIAN(nanmedian, nan_median_as)
#undef SINTER_DISTRIBUTED_MEDIAN

#define SINTER_DISTRIBUTED_QUANTILE(name, ...)                                                                     \
    template <class T, detail::shares Q>                                                                           \
    auto name(const array<T>& x, const Q& q, const axes& a, detail::keep_axes keep = {},                           \
              const quantile_options& o = {}) {                                                                    \
        const std::uint8_t mask = a.named(#name).mask(#name, x.ndim());                                            \
        __VA_ARGS__                                                                                                \
        const auto f = [&](const auto& e) {                                                                        \
            if (keep.given) return sinter::name(e, q, a, sinter::keepdims, o);                                     \
            return sinter::name(e, q, a, o);                                                                       \
        };                                                                                                         \
        return detail::distributed_lines(#name, x, mask, !keep.given, detail::axes_of_shares(q), f);               \
    }                                                                                                              \
    template <class T, detail::shares Q>                                                                           \
    auto name(const array<T>& x, const Q& q, detail::keep_axes keep = {}, const quantile_options& o = {}) {        \
        return distributed::name(x, q, axes(), keep, o);                                                           \
    }                                                                                                              \
    template <class T, class A = axes>                                                                             \
    auto name(const array<T>& x, std::initializer_list<double> q, const A& axis = {}, detail::keep_axes keep = {}, \
              const quantile_options& o = {}) {                                                                    \
        return distributed::name(x, std::vector<double>(q), axes(axis), keep, o);                                  \
    }
/// Quantiles, as of ordinary arrays (numpy.quantile).
SINTER_DISTRIBUTED_QUANTILE(quantile, detail::require_ranked("quantile", x.shape(), mask);)
/// Percentiles, as of ordinary arrays (numpy.percentile).
SINTER_DISTRIBUTED_QUANTILE(percentile, detail::require_ranked("percentile", x.shape(), mask);)
/// Those of the elements that are not NaN (numpy.nanquantile, numpy.nanpercentile).
SINTER_DISTRIBUTED_QUANTILE(nanquantile)
SINTER_DISTRIBUTED_QUANTILE(nanpercentile)
#undef SINTER_DISTRIBUTED_QUANTILE

}  // namespace distributed
}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END
