// Functions of axes of distributed arrays: reductions, running sums, products of matrices, other shapes, sorting.
#pragma once

#include <sinter/array/constants.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/distributed/elements.hpp>
#include <sinter/distributed/engine.hpp>
#include <sinter/distributed/reduction.hpp>
#include <sinter/functions/joining.hpp>
#include <sinter/functions/nan_functions.hpp>
#include <sinter/functions/ordering.hpp>
#include <sinter/functions/products.hpp>
#include <sinter/functions/reductions.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

namespace detail {

/// A product of elements, with what record_zero_of_overflow mends.
distributed_ref record_distributed_product(const distributed_ref& v, std::uint8_t axes, bool keepdims);

template <codegen::reduction How, class T>
auto distributed_reduce(const distributed::array<T>& x, const axes& a, bool keep) {
    static_assert(codegen::accepts(How, dtype_of<T>), "sinter: complex elements have no order");
    const std::uint8_t mask = a.mask(to_string(How), x.ndim());
    using R = reduced_type<How, dtype_of<T>>;
    if constexpr (How == codegen::reduction::prod)
        return distributed::array<R>(record_distributed_product(x.get_value(), mask, keep));
    else return distributed::array<R>(record_distributed_reduce(How, x.get_value(), mask, keep));
}

template <class R, class F, class... Input>
distributed::array<R> distributed_derived(F f, const distributed::array<Input>&... inputs) {
    return distributed::array<R>(make_derived({inputs.get_value()...}, dtype_of<R>, [f](std::span<const handle> h) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return record_expression<R>(f(sinter::array<Input>(h[I])...));
        }(std::index_sequence_for<Input...>());
    }));
}

template <class W, class T>
distributed::array<W> distributed_sum(const distributed::array<T>& x, const axes& a, bool keep) {
    return distributed_reduce<codegen::reduction::sum>(x.template astype<W>(), a, keep);
}

template <class T>
auto distributed_mean(const distributed::array<T>& x, const axes& a, bool keep) {
    using W = wide_type<T>;
    using M = mean_type<T>;
    const double n = static_cast<double>(count_reduced("mean", x.shape(), a));
    return distributed_derived<M>([n](const auto& sum) { return astype<M>(over<M>(sum, n)); },
                                  distributed_sum<W>(x, a, keep));
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
                                                           const variance_options& o) {
    using W = wide_type<T>;
    if (o.where.value)
        throw value_error("[" + std::string(a.name_or("var")) + "] a condition is not distributed: gather first");
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
    return distributed_derived<R>(finish, distributed_sum<double>(abs2(x.template astype<W>() - middle), a, keep));
}

template <class T>
auto distributed_count(const distributed::array<T>& x, const axes& a, bool keep) {
    return distributed_sum<std::int64_t>(x.template astype<bool>(), a, keep);
}

template <codegen::reduction How, class T>
auto distributed_without_nan(const distributed::array<T>& x, const axes& a, bool keep) {
    const auto some = distributed_map(
        to_string(How), distributed::operation_class::map,
        [](const auto& e) { return without_nan(e, How == codegen::reduction::prod); }, x);
    return distributed_reduce<How>(some, a, keep);
}

template <class T>
auto distributed_range(const distributed::array<T>& x, const axes& a, bool keep) {
    return distributed_derived<T>([](const auto& high, const auto& low) { return high - low; },
                                  distributed_reduce<codegen::reduction::max>(x, a, keep),
                                  distributed_reduce<codegen::reduction::min>(x, a, keep));
}

/// The formulas of place_without_nan and of record_mean_where and record_variance_where, over all ranks.
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
auto distributed_existing(const distributed::array<T>& x, const axes& a, bool keep) {
    return distributed_sum<double>(!isnan(x), a, keep);
}

template <class R, class T>
auto distributed_mean_without_nan(const distributed::array<T>& x, const axes& a, bool keep) {
    const auto some =
        distributed_map("nanmean", distributed::operation_class::map, [](const auto& e) { return without_nan(e); }, x);
    return distributed_derived<R>([](const auto& sum, const auto& n) { return astype<R>(sum / n); },
                                  distributed_sum<wide_type<T>>(some, a, keep), distributed_existing(x, a, keep));
}

template <class T>
auto distributed_nan_mean(const distributed::array<T>& x, const axes& a, bool keep) {
    if constexpr (codegen::kind_rank(dtype_of<T>) < 2) return distributed_mean(x, a, keep);
    else return distributed_mean_without_nan<T>(x, a, keep);
}

template <class R, bool Root, class T>
SINTER_COMPARES distributed::array<R> distributed_nan_variance(const distributed::array<T>& x, const axes& a, bool keep,
                                                               const variance_options& o) {
    if (o.where.value)
        throw value_error("[" + std::string(a.name_or("nanvar")) + "] a condition is not distributed: gather first");
    const auto middle = distributed_mean_without_nan<wide_type<T>>(x, a, true);
    const auto squares = distributed::where(!isnan(x), abs2(x.template astype<wide_type<T>>() - middle), 0.0);
    const double ddof = o.ddof;
    auto finish = [ddof](const auto& sum, const auto& count) {
        const sinter::array<double> n = maximum(count - ddof, 0.0);
        const sinter::array<double> v = where(n > 0, sum / n, constants::nan);
        return astype<R>(Root ? sinter::array<double>(sqrt(v)) : v);
    };
    return distributed_derived<R>(finish, distributed_sum<double>(squares, a, keep), distributed_existing(x, a, keep));
}

template <codegen::reduction How, class T>
auto distributed_scan(const distributed::array<T>& x, std::int64_t axis) {
    static_assert(codegen::accepts(How, dtype_of<T>), "sinter: complex elements have no order");
    const int at = codegen::normalize_axis(codegen::running_name(How), axis, x.ndim());
    return distributed::array<reduced_type<How, dtype_of<T>>>(record_distributed_scan(How, x.get_value(), at));
}

}  // namespace detail

namespace distributed {

#define SINTER_DISTRIBUTED_REDUCTION(name, ...)                                         \
    template <class T>                                                                  \
    auto name(const array<T>& x, detail::keep_axes keep = {}) {                         \
        return __VA_ARGS__(x, axes().named(#name), keep.given);                         \
    }                                                                                   \
    template <class T, detail::axis_operand A>                                          \
    auto name(const array<T>& x, const A& axis, detail::keep_axes keep = {}) {          \
        return __VA_ARGS__(x, axes(axis).named(#name), keep.given);                     \
    }                                                                                   \
    template <class T>                                                                  \
    auto name(const array<T>& x, detail::axis_list list, detail::keep_axes keep = {}) { \
        return __VA_ARGS__(x, axes::of(list).named(#name), keep.given);                 \
    }
/// Reductions with the names, types and errors that they have of ordinary arrays, over all axes, one, or those in
/// braces. Along the split axis the results have the bits of the whole array on one rank, whatever the number of ranks:
/// parts are cut at the blocks in which sums combine. The ranks' results wait until one is read or used, and all that
/// wait then share one message.
SINTER_DISTRIBUTED_REDUCTION(sum, detail::distributed_reduce<codegen::reduction::sum>)
SINTER_DISTRIBUTED_REDUCTION(prod, detail::distributed_reduce<codegen::reduction::prod>)
SINTER_DISTRIBUTED_REDUCTION(min, detail::distributed_reduce<codegen::reduction::min>)
SINTER_DISTRIBUTED_REDUCTION(max, detail::distributed_reduce<codegen::reduction::max>)
SINTER_DISTRIBUTED_REDUCTION(amin, detail::distributed_reduce<codegen::reduction::min>)
SINTER_DISTRIBUTED_REDUCTION(amax, detail::distributed_reduce<codegen::reduction::max>)
SINTER_DISTRIBUTED_REDUCTION(nanmin, detail::distributed_reduce<codegen::reduction::nanmin>)
SINTER_DISTRIBUTED_REDUCTION(nanmax, detail::distributed_reduce<codegen::reduction::nanmax>)
SINTER_DISTRIBUTED_REDUCTION(any, detail::distributed_reduce<codegen::reduction::any>)
/// numpy.all; to be written `distributed::all(x)`, since `all` alone is also an index.
SINTER_DISTRIBUTED_REDUCTION(all, detail::distributed_reduce<codegen::reduction::all>)
SINTER_DISTRIBUTED_REDUCTION(argmin, detail::distributed_reduce<codegen::reduction::argmin>)
SINTER_DISTRIBUTED_REDUCTION(argmax, detail::distributed_reduce<codegen::reduction::argmax>)
SINTER_DISTRIBUTED_REDUCTION(count_nonzero, detail::distributed_count)
SINTER_DISTRIBUTED_REDUCTION(mean, detail::distributed_mean)
SINTER_DISTRIBUTED_REDUCTION(ptp, detail::distributed_range)
/// Those that take NaN for zero and one, or leave it out.
SINTER_DISTRIBUTED_REDUCTION(nansum, detail::distributed_without_nan<codegen::reduction::sum>)
SINTER_DISTRIBUTED_REDUCTION(nanprod, detail::distributed_without_nan<codegen::reduction::prod>)
SINTER_DISTRIBUTED_REDUCTION(nanargmin, detail::distributed_place_without_nan<codegen::reduction::nanargmin>)
SINTER_DISTRIBUTED_REDUCTION(nanargmax, detail::distributed_place_without_nan<codegen::reduction::nanargmax>)
SINTER_DISTRIBUTED_REDUCTION(nanmean, detail::distributed_nan_mean)
#undef SINTER_DISTRIBUTED_REDUCTION

#define SINTER_DISTRIBUTED_VARIANCE(name, how, Root)                                                           \
    template <class T>                                                                                         \
    auto name(const array<T>& x, const variance_options& o = {}) {                                             \
        return detail::how<detail::variance_type<T>, Root>(x, axes().named(#name), false, o);                  \
    }                                                                                                          \
    template <class T, detail::axis_operand A>                                                                 \
    auto name(const array<T>& x, const A& axis, detail::keep_axes keep = {}, const variance_options& o = {}) { \
        return detail::how<detail::variance_type<T>, Root>(x, axes(axis).named(#name), keep.given, o);         \
    }                                                                                                          \
    template <class T>                                                                                         \
    auto name(const array<T>& x, detail::axis_list list, detail::keep_axes keep = {},                          \
              const variance_options& o = {}) {                                                                \
        return detail::how<detail::variance_type<T>, Root>(x, axes::of(list).named(#name), keep.given, o);     \
    }
/// Variance and standard deviation (numpy.var, numpy.std), with the bits of one rank; ddof is their only option.
SINTER_DISTRIBUTED_VARIANCE(var, distributed_variance, false)
SINTER_DISTRIBUTED_VARIANCE(stddev, distributed_variance, true)
SINTER_DISTRIBUTED_VARIANCE(nanvar, distributed_nan_variance, false)
SINTER_DISTRIBUTED_VARIANCE(nanstd, distributed_nan_variance, true)
#undef SINTER_DISTRIBUTED_VARIANCE

/// Running sums and the like along an axis (numpy.cumsum, …). Along the split axis each rank adds the total of those
/// before it: floating sums may differ from those of another number of ranks in the last bits.
template <class T>
auto cumsum(const array<T>& x, std::int64_t axis) {
    return detail::distributed_scan<codegen::reduction::sum>(x, axis);
}
template <class T>
auto cumprod(const array<T>& x, std::int64_t axis) {
    return detail::distributed_scan<codegen::reduction::prod>(x, axis);
}
template <class T>
auto cummin(const array<T>& x, std::int64_t axis) {
    return detail::distributed_scan<codegen::reduction::min>(x, axis);
}
template <class T>
auto cummax(const array<T>& x, std::int64_t axis) {
    return detail::distributed_scan<codegen::reduction::max>(x, axis);
}

/// Matrix product (numpy.matmul), of matrices, vectors and stacks. Local where one operand's rows or columns are split,
/// or leading axes; where the axis that is summed is, the result is partial(sum) and combined when it is read, in the
/// order of ranks. A replicated operand is cut as it is needed. Two matrices that lie in two directions, or in blocks,
/// are multiplied by ScaLAPACK, or cuBLASMp where NCCL links the ranks, and the result lies in blocks or as the operand
/// whose axis it keeps. Throws shape_error, value_error for two splits of stacks, vectors and integers, and
/// device_error without the library.
template <class A, class B>
    requires(detail::distributed_call<A, B> && !detail::scalar_operand<A> && !detail::scalar_operand<B>)
auto matmul(const A& a, const B& b) {
    const detail::session_ref& s = detail::session_of(a, b);
    const detail::distributed_ref x = detail::as_distributed(s, a), y = detail::as_distributed(s, b);
    const detail::distributed_product p = detail::plan_matmul(x, y);
    constexpr dtype common = codegen::promote(dtype_of<typename A::value_type>, dtype_of<typename B::value_type>);
    if constexpr (codegen::kind_rank(common) >= 2)
        if (p.engine) {
            constexpr dtype wide = codegen::widened(common);
            const array<typename codegen::cpp_type<wide>::type> product(
                detail::record_engine_product(x, y, wide, p.where));
            return product.template astype<typename codegen::cpp_type<common>::type>();
        }
    auto e = sinter::matmul(sinter::array<typename A::value_type>(p.a), sinter::array<typename B::value_type>(p.b));
    using R = value_type_t<decltype(e)>;
    return array<R>(detail::make_distributed(s, p.shape, p.where, detail::record_expression<R>(e), p.moves));
}

/// Axes in another order, by default reversed (numpy.transpose): the split goes with its axis, and nothing moves.
template <class T>
array<T> transpose(const array<T>& x, const dims& axes = {}) {
    return array<T>(detail::record_distributed_transpose(x.get_value(), axes));
}
/// The same elements in another shape (numpy.reshape), where the split axis is kept or is the outer factor, so that
/// each rank keeps what it has; value_error elsewhere.
template <class T>
array<T> reshape(const array<T>& x, const dims& shape) {
    return array<T>(detail::record_distributed_reshape(x.get_value(), shape));
}
/// numpy.roll along an axis; along the split one the neighbours' borders are exchanged.
template <class T>
array<T> roll(const array<T>& x, std::int64_t shift, int axis) {
    return array<T>(
        detail::record_distributed_roll(x.get_value(), shift, codegen::normalize_axis("roll", axis, x.ndim())));
}

/// A function of the lines along an axis of an ordinary array, which keeps all other axes, applied to each rank's
/// lines: `lines("gradient", x, 1, [](auto part) { return gradient(part, 1); })`. Throws value_error with the name
/// where the axis is split.
template <class T, class F>
auto lines(std::string_view name, const array<T>& x, int axis, F f, operation_class c = operation_class::line) {
    using R = value_type_t<decltype(f(std::declval<sinter::array<T>>()))>;
    return array<R>(detail::record_distributed_lines(
        name, c, x.get_value(), codegen::normalize_axis(name, axis, x.ndim()),
        [&](const detail::handle& h) { return detail::record_expression<R>(f(sinter::array<T>(h))); }));
}
/// numpy.sort and numpy.argsort along an axis that is not split; value_error where it is.
template <class T>
auto sort(const array<T>& x, int axis = -1) {
    return lines("sort", x, axis, [axis](const auto& part) { return sinter::sort(part, axis); });
}
template <class T>
auto argsort(const array<T>& x, int axis = -1) {
    return lines("argsort", x, axis, [axis](const auto& part) { return sinter::argsort(part, axis); });
}

}  // namespace distributed
}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END

#if SINTER_HEADER_ONLY
#include <sinter/distributed/functions.ipp>
#endif
