// Reductions of distributed arrays, with the names, types, options and errors that they have of ordinary arrays.
#pragma once

#include <sinter/array/constants.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/distributed/elements/elements.hpp>
#include <sinter/distributed/reduction.hpp>
#include <sinter/distributed/reduction_options.hpp>
#include <sinter/functions/nan_functions.hpp>
#include <sinter/functions/reductions.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

namespace detail {

/// A reduction of a value, converted to the type that it reduces, and a product with what record_zero_of_overflow
/// mends.
distributed_ref record_distributed_reduce_axes(codegen::reduction how, const distributed_ref& v, const axes& a,
                                               bool keep, const distributed::reduction_options& o = {});
/// A condition for each element of a value, which lies as the value does; throws shape_error.
distributed_ref record_distributed_condition(std::string_view name, const distributed_ref& v,
                                             const any_distributed& where);
/// Weights along the given axes with axes that broadcast to an array's shape; throws shape_error.
distributed_ref record_distributed_weights(const distributed_ref& weights, const dims& shape, const axes& a);

template <class To, class T>
distributed::array<To> distributed_as(const distributed::array<T>& x) {
    if constexpr (std::same_as<To, T>) return x;
    else return x.template astype<To>();
}

/// What a reduction of ordinary arrays makes of an array that one rank alone has.
template <class T, class F>
auto reduce_alone(const distributed::array<T>& x, int axes, bool keep, F reduce) {
    auto reduced = reduce(sinter::array<T>(x.get_value()->local));
    return distributed::array<value_type_t<decltype(reduced)>>(
        make_reduced(x.get_value(), axes, keep, reduced.get_handle()));
}

template <codegen::reduction How, class Accumulator = void, class T>
auto distributed_reduce(const distributed::array<T>& x, const axes& a, bool keep,
                        const distributed::reduction_options& o = {}) {
    using From = std::conditional_t<std::is_void_v<Accumulator>, T, Accumulator>;
    static_assert(codegen::accepts(How, dtype_of<From>), "sinter: complex elements have no order");
    using R = reduced_type<How, dtype_of<From>>;
    if (!o.initial && !o.where.is_given())
        if (const int own = axes_of_one_rank(x.get_value(), a); own >= 0)
            return reduce_alone(x, own, keep, [&](const auto& e) { return reduce_as<How, Accumulator>(e, a, keep); });
    const distributed::array<R> r(record_distributed_reduce_axes(How, distributed_as<From>(x).get_value(), a, keep, o));
    if constexpr (std::is_void_v<Accumulator>) return r;
    else return distributed_as<Accumulator>(r);
}

template <codegen::reduction How, class T>
auto distributed_reduce_where(const distributed::array<T>& x, const axes& a, bool keep,
                              const distributed::where_options& o) {
    return distributed_reduce<How>(x, a, keep, {.initial = {}, .where = o.where});
}

template <class R, class F, class... Input>
distributed::array<R> distributed_derived(F f, const distributed::array<Input>&... inputs) {
    auto make = [f](codegen::span<const handle> h) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return record_expression<R>(f(sinter::array<Input>(h[I])...));
        }(std::index_sequence_for<Input...>());
    };
    const distributed_ref* const values[] = {&inputs.get_value()...};
    if (any_waits(values)) return distributed::array<R>(make_derived({inputs.get_value()...}, dtype_of<R>, make));
    const handle parts[] = {inputs.get_value()->local...};
    return distributed::array<R>(make_derived(values, make(parts)));
}

template <class W, class T>
distributed::array<W> distributed_sum(const distributed::array<T>& x, const axes& a, bool keep) {
    return distributed_reduce<codegen::reduction::sum>(distributed_as<W>(x), a, keep);
}

/// Which elements count: those that a condition names, and with `nan` those that are not NaN.
template <bool Nan, class T>
distributed::array<bool> distributed_counted(std::string_view name, const distributed::array<T>& x,
                                             const any_distributed& where) {
    if (!where.is_given()) return !isnan(x);
    const distributed::array<bool> given(record_distributed_condition(name, x.get_value(), where));
    if constexpr (Nan) return !isnan(x) && given;
    else return given;
}

/// The formula of record_mean_where.
template <class R, class T>
distributed::array<R> distributed_mean_where(const distributed::array<T>& x, const axes& a, bool keep,
                                             const distributed::array<bool>& counted) {
    using W = wide_type<T>;
    const auto some = distributed::where(counted, distributed_as<W>(x), W(0));
    return distributed_derived<R>([](const auto& sum, const auto& n) { return astype<R>(sum / astype<double>(n)); },
                                  distributed_sum<W>(some, a, keep),
                                  distributed_reduce<codegen::reduction::sum>(counted, a, keep));
}

/// The formula of record_variance_where.
template <class R, bool Root, bool Positive, class T>
SINTER_COMPARES distributed::array<R> distributed_variance_where(const distributed::array<T>& x, const axes& a,
                                                                 bool keep, double ddof,
                                                                 const distributed::array<bool>& counted) {
    using W = wide_type<T>;
    const auto middle = distributed_mean_where<W>(x, a, true, counted);
    const auto squares = distributed::where(counted, abs2(distributed_as<W>(x) - middle), 0.0);
    auto finish = [ddof](const auto& sum, const auto& count) {
        const sinter::array<double> n = maximum(astype<double>(count) - ddof, 0.0);
        sinter::array<double> v = sum / n;
        if constexpr (Positive) v = where(n > 0, v, constants::nan);
        return astype<R>(Root ? sinter::array<double>(sqrt(v)) : v);
    };
    return distributed_derived<R>(finish, distributed_sum<double>(squares, a, keep),
                                  distributed_reduce<codegen::reduction::sum>(counted, a, keep));
}

template <class T>
auto distributed_mean(const distributed::array<T>& x, const axes& a, bool keep,
                      const distributed::where_options& o = {}) {
    using M = mean_type<T>;
    if (o.where.is_given())
        return distributed_mean_where<M>(x, a, keep, distributed_counted<false>(a.name_or("mean"), x, o.where));
    if (const int own = axes_of_one_rank(x.get_value(), a); own >= 0)
        return reduce_alone(x, own, keep, [&](const auto& e) { return mean_as(e, a, keep); });
    const double n = static_cast<double>(count_reduced("mean", x.shape(), a));
    return distributed_derived<M>([n](const auto& sum) { return astype<M>(over<M>(sum, n)); },
                                  distributed_sum<wide_type<T>>(x, a, keep));
}

/// Sums of the squares of the distances from the first element of each row, in one pass where rows are whole.
inline distributed::array<double> distributed_squares(const distributed::array<double>& x, const axes& a, bool keep) {
    const std::uint8_t mask = a.mask("var", x.ndim());
    if (reduces_locally(x.get_value(), mask))
        return distributed_reduce<codegen::reduction::squares_from_first>(x, a, keep);
    const distributed::array<double> first(record_distributed_first(x.get_value(), mask, true));
    return distributed_sum<double>(square(x - first), a, keep);
}

/// The formulas of wide_variance, over sums of all ranks.
template <class R, bool Root, class T>
SINTER_COMPARES distributed::array<R> distributed_variance(const distributed::array<T>& x, const axes& a, bool keep,
                                                           const distributed::variance_options& o) {
    using W = wide_type<T>;
    if (o.where.is_given())
        return distributed_variance_where<R, Root, false>(x, a, keep, o.ddof,
                                                          distributed_counted<false>(a.name_or("var"), x, o.where));
    if (const int own = axes_of_one_rank(x.get_value(), a); own >= 0)
        return reduce_alone(x, own, keep, [&](const auto& e) {
            if constexpr (Root) return deviation_as(e, a, keep, {.ddof = o.ddof});
            else return variance_as(e, a, keep, {.ddof = o.ddof});
        });
    const double count = static_cast<double>(count_reduced("var", x.shape(), a));
    const double divisor = count - o.ddof > 0 ? count - o.ddof : 0.0;
    auto finish = [divisor](const sinter::array<double>& squares) {
        const sinter::array<double> v = over<R>(squares, divisor);
        return astype<R>(Root ? sinter::array<double>(sqrt(v)) : v);
    };
    if constexpr (fits_in_double<T>)
        if (count > 0) {
            const auto wide = x.template astype<double>();
            const std::uint8_t mask = a.mask("var", x.ndim());
            const auto total = distributed_sum<double>(wide, a, keep);
            const auto squares = distributed_squares(wide, a, keep);
            const distributed::array<double> kept(record_distributed_first(wide.get_value(), mask, keep));
            return distributed_derived<R>(
                [=](const auto& t, const auto& s, const auto& f) {
                    const sinter::array<double> offset = t - f * count;
                    const sinter::array<double> common =
                        over<mean_type<T>>(sinter::array<double>(offset * offset), count);
                    return finish(maximum(s - common, 0.0));
                },
                total, squares, kept);
        }
    const double n = count;
    const auto middle =
        distributed_derived<W>([n](const auto& s) { return over<mean_type<T>>(s, n); }, distributed_sum<W>(x, a, true));
    return distributed_derived<R>(finish, distributed_sum<double>(abs2(distributed_as<W>(x) - middle), a, keep));
}

template <class T>
auto distributed_count(const distributed::array<T>& x, const axes& a, bool keep) {
    return distributed_sum<std::int64_t>(distributed_as<bool>(x), a, keep);
}

template <codegen::reduction How, class Accumulator = void, class T>
auto distributed_without_nan(const distributed::array<T>& x, const axes& a, bool keep,
                             const distributed::reduction_options& o) {
    const auto some = distributed_map(
        to_string(How), distributed::operation_class::map,
        [](const auto& e) { return without_nan(e, How == codegen::reduction::prod); }, x);
    return distributed_reduce<How, Accumulator>(some, a, keep, o);
}

template <class T>
auto distributed_range(const distributed::array<T>& x, const axes& a, bool keep) {
    return distributed_derived<T>([](const auto& high, const auto& low) { return high - low; },
                                  distributed_reduce<codegen::reduction::max>(x, a, keep),
                                  distributed_reduce<codegen::reduction::min>(x, a, keep));
}

/// The formula of place_without_nan.
template <codegen::reduction How, class T>
auto distributed_place_without_nan(const distributed::array<T>& x, const axes& a, bool keep) {
    const auto place = distributed_reduce<How>(x, a, keep);
    if constexpr (codegen::kind_rank(dtype_of<T>) < 2) return place;
    else
        return distributed_derived<std::int64_t>(
            [](const auto& at, const auto& value) { return where(isnan(value), std::int64_t{-1}, at); }, place,
            distributed_reduce<codegen::value_of(How)>(x, a, keep));
}

template <class T>
auto distributed_nan_mean(const distributed::array<T>& x, const axes& a, bool keep,
                          const distributed::where_options& o) {
    if constexpr (codegen::kind_rank(dtype_of<T>) < 2) return distributed_mean(x, a, keep, o);
    else return distributed_mean_where<T>(x, a, keep, distributed_counted<true>(a.name_or("nanmean"), x, o.where));
}

template <class R, bool Root, class T>
distributed::array<R> distributed_nan_variance(const distributed::array<T>& x, const axes& a, bool keep,
                                               const distributed::variance_options& o) {
    return distributed_variance_where<R, Root, true>(x, a, keep, o.ddof,
                                                     distributed_counted<true>(a.name_or("nanvar"), x, o.where));
}

/// The formula of average_as.
template <class T, class Weights>
auto distributed_average(const distributed::array<T>& x, const axes& a, const Weights& weights, bool keep) {
    using R = average_type<T, typename Weights::value_type>;
    using Wide = wide_type<R>;
    const distributed::array<typename Weights::value_type> given(
        record_distributed_weights(as_distributed(x.get_value()->session, weights), x.shape(), a));
    const auto w = distributed_as<Wide>(given);
    return distributed_as<R>(distributed_sum<Wide>(distributed_as<Wide>(x) * w, a, keep) /
                             distributed_sum<Wide>(w, a, keep));
}

}  // namespace detail

namespace distributed {

#define SINTER_DISTRIBUTED_REDUCTION(name, first_parameter, ...)                        \
    template <first_parameter class T>                                                  \
    auto name(const array<T>& x, detail::keep_axes keep = {}) {                         \
        return __VA_ARGS__(x, axes().named(#name), keep.given);                         \
    }                                                                                   \
    template <first_parameter class T, detail::axis_operand A>                          \
    auto name(const array<T>& x, const A& axis, detail::keep_axes keep = {}) {          \
        return __VA_ARGS__(x, axes(axis).named(#name), keep.given);                     \
    }                                                                                   \
    template <first_parameter class T>                                                  \
    auto name(const array<T>& x, detail::axis_list list, detail::keep_axes keep = {}) { \
        return __VA_ARGS__(x, axes::of(list).named(#name), keep.given);                 \
    }
#define SINTER_DISTRIBUTED_WITH_OPTIONS(name, Options, first_parameter, ...)                                   \
    template <first_parameter class T>                                                                         \
    auto name(const array<T>& x, detail::keep_axes keep = {}, const Options& o = {}) {                         \
        return __VA_ARGS__(x, axes().named(#name), keep.given, o);                                             \
    }                                                                                                          \
    template <first_parameter class T>                                                                         \
    auto name(const array<T>& x, const Options& o) {                                                           \
        return __VA_ARGS__(x, axes().named(#name), false, o);                                                  \
    }                                                                                                          \
    template <first_parameter class T, detail::axis_operand A>                                                 \
    auto name(const array<T>& x, const A& axis, detail::keep_axes keep = {}, const Options& o = {}) {          \
        return __VA_ARGS__(x, axes(axis).named(#name), keep.given, o);                                         \
    }                                                                                                          \
    template <first_parameter class T, detail::axis_operand A>                                                 \
    auto name(const array<T>& x, const A& axis, const Options& o) {                                            \
        return __VA_ARGS__(x, axes(axis).named(#name), false, o);                                              \
    }                                                                                                          \
    template <first_parameter class T>                                                                         \
    auto name(const array<T>& x, detail::axis_list list, detail::keep_axes keep = {}, const Options& o = {}) { \
        return __VA_ARGS__(x, axes::of(list).named(#name), keep.given, o);                                     \
    }                                                                                                          \
    template <first_parameter class T>                                                                         \
    auto name(const array<T>& x, detail::axis_list list, const Options& o) {                                   \
        return __VA_ARGS__(x, axes::of(list).named(#name), false, o);                                          \
    }
#define SINTER_DISTRIBUTED_REDUCE(name, how)                                     \
    SINTER_DISTRIBUTED_WITH_OPTIONS(name, reduction_options, SINTER_ACCUMULATOR, \
                                    detail::distributed_reduce<codegen::reduction::how, Accumulator>)
/// Reductions with the names, types, options and errors that they have of ordinary arrays, over all axes, one, or those
/// in braces. Along the split axis the results have the bits of the whole array on one rank, whatever the number of
/// ranks: parts are cut at the blocks in which sums combine. The ranks' results wait until one is read or used, and all
/// that wait then share one message.
SINTER_DISTRIBUTED_REDUCE(sum, sum)
SINTER_DISTRIBUTED_REDUCE(prod, prod)
SINTER_DISTRIBUTED_REDUCE(min, min)
SINTER_DISTRIBUTED_REDUCE(max, max)
SINTER_DISTRIBUTED_REDUCE(amin, min)
SINTER_DISTRIBUTED_REDUCE(amax, max)
SINTER_DISTRIBUTED_REDUCE(nanmin, nanmin)
SINTER_DISTRIBUTED_REDUCE(nanmax, nanmax)
#undef SINTER_DISTRIBUTED_REDUCE
/// Position of the first smallest or largest element (numpy.argmin, numpy.argmax).
SINTER_DISTRIBUTED_REDUCTION(argmin, SINTER_ACCUMULATOR,
                             detail::distributed_reduce<codegen::reduction::argmin, Accumulator>)
SINTER_DISTRIBUTED_REDUCTION(argmax, SINTER_ACCUMULATOR,
                             detail::distributed_reduce<codegen::reduction::argmax, Accumulator>)
/// Whether any element is not zero (numpy.any).
SINTER_DISTRIBUTED_WITH_OPTIONS(any, where_options, , detail::distributed_reduce_where<codegen::reduction::any>)
/// numpy.all; to be written `distributed::all(x)`, since `all` alone is also an index.
SINTER_DISTRIBUTED_WITH_OPTIONS(all, where_options, , detail::distributed_reduce_where<codegen::reduction::all>)
SINTER_DISTRIBUTED_REDUCTION(count_nonzero, , detail::distributed_count)
SINTER_DISTRIBUTED_REDUCTION(ptp, , detail::distributed_range)
SINTER_DISTRIBUTED_WITH_OPTIONS(mean, where_options, , detail::distributed_mean)
/// Variance and standard deviation (numpy.var, numpy.std), with the bits of one rank.
SINTER_DISTRIBUTED_WITH_OPTIONS(var, variance_options, , detail::distributed_variance<detail::variance_type<T>, false>)
SINTER_DISTRIBUTED_WITH_OPTIONS(stddev, variance_options, ,
                                detail::distributed_variance<detail::variance_type<T>, true>)
/// Those that take NaN for zero and one, or leave it out.
SINTER_DISTRIBUTED_WITH_OPTIONS(nansum, reduction_options, SINTER_ACCUMULATOR,
                                detail::distributed_without_nan<codegen::reduction::sum, Accumulator>)
SINTER_DISTRIBUTED_WITH_OPTIONS(nanprod, reduction_options, SINTER_ACCUMULATOR,
                                detail::distributed_without_nan<codegen::reduction::prod, Accumulator>)
SINTER_DISTRIBUTED_REDUCTION(nanargmin, , detail::distributed_place_without_nan<codegen::reduction::nanargmin>)
SINTER_DISTRIBUTED_REDUCTION(nanargmax, , detail::distributed_place_without_nan<codegen::reduction::nanargmax>)
SINTER_DISTRIBUTED_WITH_OPTIONS(nanmean, where_options, , detail::distributed_nan_mean)
SINTER_DISTRIBUTED_WITH_OPTIONS(nanvar, variance_options, ,
                                detail::distributed_nan_variance<detail::variance_type<T>, false>)
SINTER_DISTRIBUTED_WITH_OPTIONS(nanstd, variance_options, ,
                                detail::distributed_nan_variance<detail::variance_type<T>, true>)
#undef SINTER_DISTRIBUTED_WITH_OPTIONS

/// Weighted average (numpy.average), as of ordinary arrays; weights are distributed, or what every rank has alike.
SINTER_DISTRIBUTED_REDUCTION(average, , detail::distributed_mean)
#undef SINTER_DISTRIBUTED_REDUCTION
/// Weighted average (numpy.average), as of ordinary arrays.
template <class T, detail::axis_operand A, class W>
    requires(expression<W> || detail::distributed_operand<W>)
auto average(const array<T>& x, const A& axis, const W& weights, detail::keep_axes keep = {}) {
    return detail::distributed_average(x, axes(axis).named("average"), weights, keep.given);
}
/// Weighted average (numpy.average), as of ordinary arrays.
template <class T, class W>
    requires(expression<W> || detail::distributed_operand<W>)
auto average(const array<T>& x, detail::axis_list list, const W& weights, detail::keep_axes keep = {}) {
    return detail::distributed_average(x, axes::of(list).named("average"), weights, keep.given);
}

/// Whether elements are close (numpy.isclose).
template <class A, class B>
    requires detail::distributed_call<A, B>
auto isclose(const A& a, const B& b, const close_options& o = {}) {
    return detail::distributed_map(
        "isclose", operation_class::map, [o](const auto& x, const auto& y) { return sinter::isclose(x, y, o); }, a, b);
}
/// Whether all elements are close (numpy.allclose), the same on all ranks.
template <class A, class B>
    requires detail::distributed_call<A, B>
bool allclose(const A& a, const B& b, const close_options& o = {}) {
    return distributed::all(distributed::isclose(a, b, o)).item();
}
/// Whether all elements are equal and of one shape (numpy.array_equal), the same on all ranks.
template <class A, class B>
    requires detail::distributed_call<A, B>
bool array_equal(const A& a, const B& b, equal_options o = {}) {
    if (a.shape() != b.shape()) return false;
    const auto equal = a == b;
    return distributed::all(o.equal_nan ? equal || (isnan(a) && isnan(b)) : equal).item();
}

}  // namespace distributed
}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END

#if SINTER_HEADER_ONLY
#include <sinter/distributed/reductions.ipp>
#endif
