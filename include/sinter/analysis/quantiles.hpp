// Medians, quantiles and percentiles along axes, also of the elements that are not NaN.
#pragma once

#include <sinter/array/host.hpp>
#include <sinter/functions/ordering.hpp>

#include <string_view>
#include <vector>

namespace sinter::inline SINTER_ABI {

/// Options of quantiles: what lies between two elements, by NumPy's names: linear, lower, higher, midpoint, nearest,
/// inverted_cdf, averaged_inverted_cdf, closest_observation, interpolated_inverted_cdf, hazen, weibull,
/// median_unbiased, normal_unbiased; and how much each element counts, by the method inverted_cdf alone: weights of the
/// array's shape or, along one axis, a vector. That none is negative is not looked at. `keepdims` is also a word before
/// the options.
struct quantile_options {
    std::string_view method = "linear";
    bool keepdims = false;
    detail::any_array weights = {};
};

namespace detail {

/// The middle element or the mean of the middle two, in a floating type.
handle record_median(const handle& x, const axes& a, bool keep, dtype type);
/// Of quantiles that are shares of a whole, along a first axis if there are `stacked`.
struct quantile_request {
    std::string_view name;
    codegen::span<const double> shares;
    double whole = 1;
    bool stacked = false;
    std::string_view method = "linear";
    handle weights = {};
};
/// Throws value_error where rows along axes have no element.
void require_ranked(std::string_view name, const dims& shape, std::uint8_t mask);
handle record_quantiles(const quantile_request& r, const handle& x, const axes& a, bool keep, dtype type);
/// The same of the elements that are not NaN; of medians where there are no shares.
handle record_nan_quantiles(const quantile_request& r, const handle& x, const axes& a, bool keep, dtype type);

template <class T>
using quantile_type = typename codegen::cpp_type<codegen::floating_of(dtype_of<T>)>::type;

template <expression E>
constexpr void require_order() {
    static_assert(!codegen::is_complex(dtype_of<value_type_t<E>>), "sinter: complex numbers have no quantiles");
}

template <expression E>
auto median_as(const E& e, const axes& a, bool keep) {
    using T = quantile_type<value_type_t<E>>;
    require_order<E>();
    return array<T>(record_median(as_handle(e), a, keep, dtype_of<T>));
}
template <expression E>
auto nan_median_as(const E& e, const axes& a, bool keep) {
    using T = quantile_type<value_type_t<E>>;
    require_order<E>();
    return array<T>(record_nan_quantiles({.name = "nanmedian", .shares = {}}, as_handle(e), a, keep, dtype_of<T>));
}

/// An axis that other libraries name among what quantile_options has.
struct axis_among_options {
    struct given {
        template <class V>
        given(const V&);
    } axis;
    anything out, method, keepdims;
};

template <class Q>
inline constexpr bool is_vector_of_shares = false;
template <real_scalar T, class A>
inline constexpr bool is_vector_of_shares<std::vector<T, A>> = true;
/// One share, or several in a vector or an array.
template <class Q>
concept shares = real_scalar<Q> || is_vector_of_shares<Q> || expression<Q>;

/// The shares of an array; throws shape_error where it has more than two axes, as NumPy does.
std::vector<double> read_shares(std::string_view name, const array<double>& q);
/// Results along a first axis, with the axes of a matrix of shares in its place.
handle with_axes_of_shares(const handle& results, const dims& shares);

using quantile_recorder = handle (*)(const quantile_request&, const handle&, const axes&, bool, dtype);

/// Shares of a whole.
template <quantile_recorder Record, expression E, class Q>
auto quantiles_as(quantile_request r, const E& e, const Q& q, const axes& a, bool keep) {
    require_order<E>();
    if constexpr (real_scalar<Q>) {
        using T = quantile_type<value_type_t<E>>;
        const double share = static_cast<double>(q);
        r.shares = {&share, 1};
        return array<T>(Record(r, as_handle(e), a, keep, dtype_of<T>));
    } else if constexpr (expression<Q>) {
        const std::vector<double> read = read_shares(r.name, array<double>(q));
        r.shares = {read.data(), read.size()};
        r.stacked = q.ndim() > 0;
        const handle results = Record(r, as_handle(e), a, keep, dtype::float64);
        return array<double>(q.ndim() == 2 ? with_axes_of_shares(results, q.shape()) : results);
    } else {
        const std::vector<double> read(q.begin(), q.end());
        r.shares = {read.data(), read.size()};
        r.stacked = true;
        return array<double>(Record(r, as_handle(e), a, keep, dtype::float64));
    }
}

}  // namespace detail

// Each takes axes as reductions do; no axes mean all elements.

inline namespace functions {
/// The middle element or the mean of the middle two (numpy.median), NaN where there is one and where there is no
/// element; integers give float64.
SINTER_FUNCTION_OF_AXES(median, axis, , detail::median_as)
/// The middle element, or the mean of the middle two, of the elements that are not NaN (numpy.nanmedian).
SINTER_FUNCTION_OF_AXES(nanmedian, axis, , detail::nan_median_as)
}  // namespace functions

// Several shares stand in braces, which are a parameter of their own as axes are, in a std::vector or an array, which
// is read; options come last.
#define SINTER_QUANTILE_OVERLOADS(name, record, all_of, Shares, template_parameters)                                   \
    template <template_parameters expression E>                                                                        \
    auto name(const E& e, Shares q, detail::keep_axes keep = {}, const quantile_options& o = {}) {                     \
        return detail::quantiles_as<detail::record>({#name, {}, all_of, false, o.method, o.weights.value}, e, q,       \
                                                    axes(), keep.given || o.keepdims);                                 \
    }                                                                                                                  \
    template <template_parameters expression E>                                                                        \
    auto name(const E& e, Shares q, const quantile_options& o) {                                                       \
        return detail::quantiles_as<detail::record>({#name, {}, all_of, false, o.method, o.weights.value}, e, q,       \
                                                    axes(), o.keepdims);                                               \
    }                                                                                                                  \
    template <template_parameters expression E, detail::axis_operand A>                                                \
    auto name(const E& e, Shares q, const A& axis, detail::keep_axes keep = {}, const quantile_options& o = {}) {      \
        return detail::quantiles_as<detail::record>({#name, {}, all_of, false, o.method, o.weights.value}, e, q, axis, \
                                                    keep.given || o.keepdims);                                         \
    }                                                                                                                  \
    template <template_parameters expression E, detail::axis_operand A>                                                \
    auto name(const E& e, Shares q, const A& axis, const quantile_options& o) {                                        \
        return detail::quantiles_as<detail::record>({#name, {}, all_of, false, o.method, o.weights.value}, e, q, axis, \
                                                    o.keepdims);                                                       \
    }                                                                                                                  \
    template <template_parameters expression E>                                                                        \
    auto name(const E& e, Shares q, detail::axis_list list, detail::keep_axes keep = {},                               \
              const quantile_options& o = {}) {                                                                        \
        return detail::quantiles_as<detail::record>({#name, {}, all_of, false, o.method, o.weights.value}, e, q,       \
                                                    axes::of(list), keep.given || o.keepdims);                         \
    }                                                                                                                  \
    template <template_parameters expression E>                                                                        \
    detail::stand_in<E> name(const E&, Shares, const detail::axis_among_options&) {                                    \
        static_assert(sizeof(E) == 0, "sinter: " #name " takes axes in braces, " #name                                 \
                                      "(x, q, {0, 1}), and keepdims and other options behind them");                   \
        return {};                                                                                                     \
    }                                                                                                                  \
    template <template_parameters expression E>                                                                        \
    auto name(const E& e, Shares q, detail::axis_list list, const quantile_options& o) {                               \
        return detail::quantiles_as<detail::record>({#name, {}, all_of, false, o.method, o.weights.value}, e, q,       \
                                                    axes::of(list), o.keepdims);                                       \
    }
#define SINTER_ONE_SHARE detail::shares Q,
#define SINTER_QUANTILE_FUNCTION(name, record, all_of)                          \
    SINTER_QUANTILE_OVERLOADS(name, record, all_of, const Q&, SINTER_ONE_SHARE) \
    SINTER_QUANTILE_OVERLOADS(name, record, all_of, std::initializer_list<double>, )
inline namespace functions {
/// The value below which a share q in [0, 1], or q percent, of the elements lies, linearly interpolated or by another
/// method (numpy.quantile, numpy.percentile), in a floating type; NaN where there is one. Several shares give float64
/// along a first axis: `percentile(x, {25, 75})`, `quantile(x, 0.5, 0, {.method = "lower"})`. Throws value_error for
/// other shares and methods and where there is no element, and shape_error for shares of three or more axes. The axes
/// of a matrix of shares are the result's first ones; an array of none is one share.
SINTER_QUANTILE_FUNCTION(quantile, record_quantiles, 1)
SINTER_QUANTILE_FUNCTION(percentile, record_quantiles, 100)
/// quantile and percentile of the elements that are not NaN, NaN where all are (numpy.nanquantile,
/// numpy.nanpercentile).
SINTER_QUANTILE_FUNCTION(nanquantile, record_nan_quantiles, 1)
SINTER_QUANTILE_FUNCTION(nanpercentile, record_nan_quantiles, 100)
}  // namespace functions
#undef SINTER_QUANTILE_FUNCTION
#undef SINTER_QUANTILE_OVERLOADS
#undef SINTER_ONE_SHARE

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/analysis/quantiles.ipp>
#endif
