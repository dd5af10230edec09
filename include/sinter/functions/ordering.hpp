// Sorting, and what is found by it: sort, argsort, partitions, the largest elements, search, unique values and
// quantiles.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/picking.hpp>
#include <sinter/functions/reductions.hpp>
#include <sinter/functions/scattering.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

/// Options of topk.
struct topk_options {
    bool largest = true;
};

/// The elements that topk finds, and where they stand.
template <class T>
struct topk_result {
    array<T> values;
    array<std::int64_t> indices;
};

/// Different values in ascending order, and how often each occurs.
template <class T>
struct unique_counts_result {
    array<T> values;
    array<std::int64_t> counts;
};

/// Different values in ascending order, and for each element which of them it is.
template <class T>
struct unique_inverse_result {
    array<T> values;
    array<std::int64_t> inverse_indices;
};

/// On which side of equal elements a value belongs.
enum class side : std::uint8_t { left, right };

/// Bins: a number of equal ones, or their edges in ascending order.
class histogram_bins {
public:
    template <std::integral I>
    histogram_bins(I count) : count_(static_cast<std::int64_t>(count)) {}
    template <expression E>
    histogram_bins(const E& edges) : edges_(detail::as_handle(edges)) {
        static_assert(!codegen::is_complex(dtype_of<value_type_t<E>>), "sinter: edges of bins are real numbers");
    }
    std::int64_t count() const { return count_; }
    const detail::handle& edges() const { return edges_; }

private:
    std::int64_t count_ = 0;
    detail::handle edges_;
};

/// Options of histogram: the number of equal bins, and the range they cover, by default that of the data.
struct histogram_options {
    std::int64_t bins = 10;
    std::vector<double> range = {};
};

/// Counts by bin, and the bins' edges.
struct histogram_result {
    array<std::int64_t> hist;
    array<double> bin_edges;
};

namespace detail {

std::pair<handle, handle> record_topk(const handle& x, std::int64_t k, int axis, bool largest);
handle record_searchsorted(const handle& sorted, const handle& values, bool right);
/// The first positions of different values in a sorted vector.
handle first_positions(const handle& sorted);
handle record_run_lengths(const handle& first, std::int64_t size);
/// The middle element or the mean of the middle two (q < 0), or the linear interpolation at q in [0, 1], in a floating
/// type.
handle record_quantile(std::string_view name, const handle& x, double q, const axes& a, bool keep, dtype type);
handle record_quantiles(std::string_view name, const handle& x, std::span<const double> q, double whole, const axes& a,
                        bool keep);
handle record_bincount(const handle& x, std::int64_t minlength);
/// Widens an empty range by one; throws value_error for one that is not finite, or that goes backwards.
void require_range_of_bins(std::string_view name, double& low, double& high);
std::pair<handle, handle> record_histogram(const handle& x, const histogram_options& o);

template <class T>
using quantile_type = typename codegen::cpp_type<codegen::floating_of(dtype_of<T>)>::type;

template <expression E>
auto quantile_as(std::string_view name, const E& e, double q, const axes& a, bool keep) {
    using T = quantile_type<value_type_t<E>>;
    static_assert(!codegen::is_complex(dtype_of<T>), "sinter: complex numbers have no quantiles");
    return array<T>(record_quantile(name, as_handle(e), q, a, keep, dtype_of<T>));
}

template <expression E>
auto median_as(const E& e, const axes& a, bool keep) {
    return quantile_as("median", e, -1, a, keep);
}

/// One share, or several in a vector.
template <class Q>
concept shares = real_scalar<Q> || std::same_as<Q, std::vector<double>>;

/// Shares of a whole.
template <expression E, class Q>
auto quantiles_as(std::string_view name, const E& e, const Q& q, double whole, const axes& a, bool keep) {
    if constexpr (real_scalar<Q>) return quantile_as(name, e, static_cast<double>(q) / whole, a, keep);
    else return array<double>(record_quantiles(name, as_handle(e), {q.begin(), q.size()}, whole, a, keep));
}

}  // namespace detail

/// The elements along an axis in ascending order (numpy.sort), NaN last, complex numbers by real, then imaginary part;
/// elements that compare equal, such as 0.0 and -0.0, keep their order (kind="stable"). Throws index_error for an axis
/// that is not there.
template <expression E>
auto sort(const E& e, std::int64_t axis = -1) {
    int a = codegen::normalize_axis("sort", axis, e.ndim());
    return array<value_type_t<E>>(detail::record_sort(codegen::routine::sort, detail::as_handle(e), a));
}

/// The positions, int64, at which the elements that sort would give stand (numpy.argsort with kind="stable").
template <expression E>
auto argsort(const E& e, std::int64_t axis = -1) {
    int a = codegen::normalize_axis("argsort", axis, e.ndim());
    return array<std::int64_t>(detail::record_sort(codegen::routine::argsort, detail::as_handle(e), a));
}

/// numpy.partition and numpy.argpartition: as sort and argsort, which also put element `kth` where it belongs.
template <expression E>
auto partition(const E& e, std::int64_t kth, std::int64_t axis = -1) {
    int a = codegen::normalize_axis("partition", axis, e.ndim());
    codegen::normalize_axis("partition", kth, static_cast<int>(e.shape()[a]));
    return sort(e, axis);
}
template <expression E>
auto argpartition(const E& e, std::int64_t kth, std::int64_t axis = -1) {
    int a = codegen::normalize_axis("argpartition", axis, e.ndim());
    codegen::normalize_axis("argpartition", kth, static_cast<int>(e.shape()[a]));
    return argsort(e, axis);
}

/// The k largest elements along an axis in descending order, or with {.largest = false} the smallest in ascending
/// order, and their positions (torch.topk): `auto [v, i] = topk(x, 5)`. NaN counts as the largest; equal elements come
/// in their order. Throws value_error when there are fewer.
template <expression E>
auto topk(const E& e, std::int64_t k, std::int64_t axis = -1, topk_options o = {}) {
    int a = codegen::normalize_axis("topk", axis, e.ndim());
    auto [values, indices] = detail::record_topk(detail::as_handle(e), k, a, o.largest);
    return topk_result<value_type_t<E>>{array<value_type_t<E>>(values), array<std::int64_t>(indices)};
}

/// Where values belong in a sorted vector, before or behind elements that are equal (numpy.searchsorted): int64 of the
/// values' shape; complex numbers are in the order of sort. Throws shape_error when `sorted` is no vector.
template <expression S, expression V>
auto searchsorted(const S& sorted, const V& values, side s = side::left) {
    using T = result_type_t<value_type_t<S>, value_type_t<V>>;
    return array<std::int64_t>(detail::record_searchsorted(detail::record_expression<T>(sorted),
                                                           detail::record_expression<T>(values), s == side::right));
}
template <expression S, detail::scalar_operand V>
auto searchsorted(const S& sorted, V value, side s = side::left) {
    return searchsorted(sorted, full({}, value), s);
}

/// Different values in ascending order (numpy.unique); all NaN are one. Computes e.
template <expression E>
auto unique(const E& e) {
    array<value_type_t<E>> sorted = sort(ravel(e));
    return take(sorted, array<std::int64_t>(detail::first_positions(sorted.get_handle())));
}
/// The same with how often each occurs (numpy.unique_counts): `auto [v, n] = unique_counts(x)`.
template <expression E>
auto unique_counts(const E& e) {
    array<value_type_t<E>> sorted = sort(ravel(e));
    array<std::int64_t> first(detail::first_positions(sorted.get_handle()));
    return unique_counts_result<value_type_t<E>>{
        array<value_type_t<E>>(take(sorted, first)),
        array<std::int64_t>(detail::record_run_lengths(first.get_handle(), sorted.size()))};
}
/// The same with the number of each element's value, in the shape of e (numpy.unique_inverse).
template <expression E>
auto unique_inverse(const E& e) {
    array<value_type_t<E>> x = e, values = unique(x);
    return unique_inverse_result<value_type_t<E>>{values, searchsorted(values, x)};
}

// Each takes axes as reductions do; no axes mean all elements.

/// The middle element or the mean of the middle two (numpy.median), NaN where there is one and where there is no
/// element; integers give float64.
SINTER_FUNCTION_OF_AXES(median, "", , detail::median_as)

// Several shares stand in braces, which are a parameter of their own as axes are, or in a vector.
#define SINTER_QUANTILE_FUNCTION(name, whole)                                                                     \
    template <expression E, detail::shares Q>                                                                     \
    auto name(const E& e, const Q& q, detail::keep_axes keep = {}) {                                              \
        return detail::quantiles_as(#name, e, q, whole, axes(), keep.given);                                      \
    }                                                                                                             \
    template <expression E, detail::shares Q, detail::axis_operand A>                                             \
    auto name(const E& e, const Q& q, const A& axis, detail::keep_axes keep = {}) {                               \
        return detail::quantiles_as(#name, e, q, whole, axis, keep.given);                                        \
    }                                                                                                             \
    template <expression E, detail::shares Q>                                                                     \
    auto name(const E& e, const Q& q, detail::axis_list list, detail::keep_axes keep = {}) {                      \
        return detail::quantiles_as(#name, e, q, whole, axes::of(list), keep.given);                              \
    }                                                                                                             \
    template <expression E>                                                                                       \
    auto name(const E& e, std::initializer_list<double> q, detail::keep_axes keep = {}) {                         \
        return detail::quantiles_as(#name, e, q, whole, axes(), keep.given);                                      \
    }                                                                                                             \
    template <expression E, detail::axis_operand A>                                                               \
    auto name(const E& e, std::initializer_list<double> q, const A& axis, detail::keep_axes keep = {}) {          \
        return detail::quantiles_as(#name, e, q, whole, axis, keep.given);                                        \
    }                                                                                                             \
    template <expression E>                                                                                       \
    auto name(const E& e, std::initializer_list<double> q, detail::axis_list list, detail::keep_axes keep = {}) { \
        return detail::quantiles_as(#name, e, q, whole, axes::of(list), keep.given);                              \
    }                                                                                                             \
    template <expression E, detail::shares Q>                                                                     \
    auto name(const E&, const Q&, const detail::keyword_arguments&) {                                             \
        static_assert(sizeof(E) == 0, "sinter: " #name " takes axes in braces, " #name                            \
                                      "(x, q, {0, 1}), and keepdims behind "                                      \
                                      "them, no options by name");                                                \
    }
/// The value below which a share q in [0, 1], or q percent, of the elements lies, linearly interpolated
/// (numpy.quantile, numpy.percentile); NaN where there is one. Several shares give float64 along a first axis:
/// `percentile(x, {25, 75})`.
SINTER_QUANTILE_FUNCTION(quantile, 1)
SINTER_QUANTILE_FUNCTION(percentile, 100)
#undef SINTER_QUANTILE_FUNCTION

/// How often each of 0, 1, 2, … occurs in a vector of integers (numpy.bincount), int64. Computes the vector; throws
/// value_error for a negative number.
template <expression E>
array<std::int64_t> bincount(const E& e, std::int64_t minlength = 0) {
    static_assert(codegen::kind_rank(dtype_of<value_type_t<E>>) < 2, "sinter: bincount counts integers");
    return array<std::int64_t>(detail::record_bincount(detail::as_handle(e), minlength));
}

/// How many elements lie in each of equal bins (numpy.histogram); the last bin has its right edge too. Without a range
/// the data's own is computed. `auto [n, edges] = histogram(x, {.bins = 256})`.
template <expression E>
histogram_result histogram(const E& e, const histogram_options& o = {}) {
    static_assert(!codegen::is_complex(dtype_of<value_type_t<E>>), "sinter: histogram takes real numbers");
    auto [counts, edges] = detail::record_histogram(detail::as_handle(e), o);
    return {array<std::int64_t>(counts), array<double>(edges)};
}
/// The same with so many bins: `histogram(x, 256)`.
template <expression E, std::integral I>
histogram_result histogram(const E& e, I bins) {
    return histogram(e, {.bins = static_cast<std::int64_t>(bins), .range = {}});
}

}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END

#if SINTER_HEADER_ONLY
#include <sinter/functions/ordering.ipp>
#endif
