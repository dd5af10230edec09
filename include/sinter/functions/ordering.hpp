// Sorting, and what is found by it: sort, argsort, partitions, the largest elements, search and unique values.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/picking.hpp>
#include <sinter/functions/reductions.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {
struct selection_schedule;
}

namespace sinter::inline SINTER_ABI {

/// Options of sort and argsort: whether the largest element comes first, NaN before it; equal ones keep their order
/// always, whether asked for or not.
struct sort_options {
    std::int64_t axis = -1;
    bool descending = false;
    bool stable = true;
};

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

/// Options of unique and its relatives: whether all NaN are one value, or each is another.
struct unique_options {
    bool equal_nan = true;
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

/// Different values in ascending order, where each stands first, for each element which of them it is, and how often
/// each occurs.
template <class T>
struct unique_all_result {
    array<T> values;
    array<std::int64_t> indices;
    array<std::int64_t> inverse_indices;
    array<std::int64_t> counts;
};

/// On which side of equal elements a value belongs.
enum class side : std::uint8_t { left, right };

/// Options of searchsorted: the side, and the positions that sort the vector, where it is not sorted itself.
struct searchsorted_options {
    sinter::side side = sinter::side::left;
    detail::any_array sorter = {};
};

namespace detail {

/// sort or argsort along an axis, in descending order if asked.
handle record_ordered(codegen::routine how, const handle& x, int axis, bool descending);
/// From which sizes on a device selects instead of sorting.
const codegen::selection_schedule& selection_on(device d);
std::pair<handle, handle> record_topk(const handle& x, std::int64_t k, int axis, bool largest);
handle record_searchsorted(const handle& sorted, const handle& values, bool right);
/// The same among the first n of the sorted elements.
handle record_searchsorted(const handle& sorted, std::int64_t n, const handle& values, bool right);
handle record_sorter(const handle& sorter, std::int64_t size);
/// Throws value_error where no element of an axis has this rank, counted from either end; where there is none at all,
/// nothing is ranked.
void require_rank(std::string_view name, std::int64_t kth, const handle& x, int axis);
/// The first positions of different values in a sorted vector; NaN, which stand last, are one value or many.
handle first_positions(const handle& sorted, bool equal_nan = true);
handle record_run_lengths(const handle& first, std::int64_t size);
/// The slices of an axis in lexicographic order, equal ones in their order: the positions of all, which of them begin a
/// run of equal ones, and for each slice the number of its run.
struct ordered_slices {
    handle order, first, inverse;
};
ordered_slices order_slices(const handle& x, int axis);
}  // namespace detail

/// The elements along an axis in ascending order (numpy.sort), NaN last, complex numbers by real, then imaginary part;
/// elements that compare equal, such as 0.0 and -0.0, keep their order (kind="stable"). Throws index_error for an axis
/// that is not there.
template <expression E>
SINTER_NEW_VALUE auto sort(const E& e, std::int64_t axis = -1) {
    int a = codegen::normalize_axis("sort", axis, e.ndim());
    return array<value_type_t<E>>(detail::record_sort(codegen::routine::sort, detail::as_handle(e), a));
}

/// The elements along an axis in ascending order (numpy.sort), NaN last, complex numbers by real, then imaginary part.
template <expression E>
SINTER_NEW_VALUE auto sort(const E& e, const sort_options& o) {
    const int a = codegen::normalize_axis("sort", o.axis, e.ndim());
    return array<value_type_t<E>>(
        detail::record_ordered(codegen::routine::sort, detail::as_handle(e), a, o.descending));
}

/// The elements of the last axis in ascending order, by their real and then by their imaginary parts, as complex
/// numbers: complex64 of integers of one or two bytes, complex128 of other real ones (numpy.sort_complex).
template <expression E>
SINTER_NEW_VALUE auto sort_complex(const E& e) {
    using T = value_type_t<E>;
    using C = std::conditional_t<std::integral<T> && !std::same_as<T, bool> && sizeof(T) <= 2, std::complex<float>,
                                 std::complex<double>>;
    return array<std::conditional_t<codegen::is_complex(dtype_of<T>), T, C>>(sort(e));
}

/// The positions, int64, at which the elements that sort would give stand (numpy.argsort with kind="stable").
template <expression E>
SINTER_NEW_VALUE auto argsort(const E& e, std::int64_t axis = -1) {
    int a = codegen::normalize_axis("argsort", axis, e.ndim());
    return array<std::int64_t>(detail::record_sort(codegen::routine::argsort, detail::as_handle(e), a));
}

/// The positions, int64, at which the elements that sort would give stand (numpy.argsort with kind="stable").
template <expression E>
SINTER_NEW_VALUE auto argsort(const E& e, const sort_options& o) {
    const int a = codegen::normalize_axis("argsort", o.axis, e.ndim());
    return array<std::int64_t>(
        detail::record_ordered(codegen::routine::argsort, detail::as_handle(e), a, o.descending));
}

/// As sort, which also puts element `kth` where it belongs (numpy.partition). Throws value_error when no element has
/// this rank.
template <expression E>
SINTER_NEW_VALUE auto partition(const E& e, std::int64_t kth, std::int64_t axis = -1) {
    const int a = codegen::normalize_axis("partition", axis, e.ndim());
    array<value_type_t<E>> x = e;
    detail::require_rank("partition", kth, x.get_handle(), a);
    return sort(x, a);
}
/// The same for several ranks in braces.
template <expression E>
SINTER_NEW_VALUE auto partition(const E& e, std::initializer_list<std::int64_t> kth, std::int64_t axis = -1) {
    const int a = codegen::normalize_axis("partition", axis, e.ndim());
    array<value_type_t<E>> x = e;
    for (std::int64_t rank : kth) detail::require_rank("partition", rank, x.get_handle(), a);
    return sort(x, a);
}
/// As argsort, which also puts element `kth` where it belongs (numpy.argpartition). Throws value_error when no element
/// has this rank.
template <expression E>
SINTER_NEW_VALUE auto argpartition(const E& e, std::int64_t kth, std::int64_t axis = -1) {
    const int a = codegen::normalize_axis("argpartition", axis, e.ndim());
    array<value_type_t<E>> x = e;
    detail::require_rank("argpartition", kth, x.get_handle(), a);
    return argsort(x, a);
}

/// The same for several ranks in braces.
template <expression E>
SINTER_NEW_VALUE auto argpartition(const E& e, std::initializer_list<std::int64_t> kth, std::int64_t axis = -1) {
    const int a = codegen::normalize_axis("argpartition", axis, e.ndim());
    array<value_type_t<E>> x = e;
    for (std::int64_t rank : kth) detail::require_rank("argpartition", rank, x.get_handle(), a);
    return argsort(x, a);
}

/// The k largest elements along an axis in descending order, or with {.largest = false} the smallest in ascending
/// order, and their positions (torch.topk): `auto [v, i] = topk(x, 5)`. NaN counts as the largest; equal elements come
/// in their order. Throws value_error when there are fewer.
template <expression E>
SINTER_NEW_VALUE auto topk(const E& e, std::int64_t k, std::int64_t axis = -1, topk_options o = {}) {
    int a = codegen::normalize_axis("topk", axis, e.ndim());
    auto [values, indices] = detail::record_topk(detail::as_handle(e), k, a, o.largest);
    return topk_result<value_type_t<E>>{array<value_type_t<E>>(values), array<std::int64_t>(indices)};
}

/// Where values belong in a sorted vector, before or behind elements that are equal (numpy.searchsorted): int64 of the
/// values' shape; complex numbers are in the order of sort. Throws shape_error when `sorted` is no vector.
template <expression S, expression V>
SINTER_NEW_VALUE auto searchsorted(const S& sorted, const V& values, side s = side::left) {
    using T = result_type_t<value_type_t<S>, value_type_t<V>>;
    return array<std::int64_t>(detail::record_searchsorted(detail::record_expression<T>(sorted),
                                                           detail::record_expression<T>(values), s == side::right));
}
/// Where values belong in a sorted vector, before or behind elements that are equal (numpy.searchsorted).
template <expression S, detail::scalar_operand V>
SINTER_NEW_VALUE auto searchsorted(const S& sorted, V value, side s = side::left) {
    const device_scope on(sorted.device());
    return searchsorted(sorted, full({}, value), s);
}
/// The same of values in braces.
template <expression S, detail::scalar_operand V>
SINTER_NEW_VALUE auto searchsorted(const S& sorted, std::initializer_list<V> values, side s = side::left) {
    const device_scope on(sorted.device());
    return searchsorted(sorted, asarray(values), s);
}
/// The same with options in braces: `searchsorted(x, v, {.sorter = argsort(x)})`. Throws shape_error where the sorter
/// has not a position for each element, type_error where its elements are no integers.
template <expression S, expression V>
SINTER_NEW_VALUE auto searchsorted(const S& x, const V& values, const searchsorted_options& o) {
    if (!o.sorter.value) return searchsorted(x, values, o.side);
    return searchsorted(take(x, array<std::int64_t>(detail::record_sorter(o.sorter.value, x.size()))), values, o.side);
}
/// The same with options in braces.
template <expression S, detail::scalar_operand V>
SINTER_NEW_VALUE auto searchsorted(const S& x, V value, const searchsorted_options& o) {
    const device_scope on(x.device());
    return searchsorted(x, full({}, value), o);
}

/// Different values in ascending order (numpy.unique); all NaN are one, unless `{.equal_nan = false}`, as NumPy's
/// unique_counts, unique_inverse and unique_all have it. Computes e.
template <expression E>
SINTER_NEW_VALUE auto unique(const E& e, const unique_options& o = {}) {
    array<value_type_t<E>> sorted = sort(ravel(e));
    return take(sorted, array<std::int64_t>(detail::first_positions(sorted.get_handle(), o.equal_nan)));
}
/// The same with how often each occurs (numpy.unique_counts): `auto [v, n] = unique_counts(x)`.
template <expression E>
auto unique_counts(const E& e, const unique_options& o = {}) {
    array<value_type_t<E>> sorted = sort(ravel(e));
    array<std::int64_t> first(detail::first_positions(sorted.get_handle(), o.equal_nan));
    return unique_counts_result<value_type_t<E>>{
        array<value_type_t<E>>(take(sorted, first)),
        array<std::int64_t>(detail::record_run_lengths(first.get_handle(), sorted.size()))};
}
namespace detail {

// Of the kinds of NaN that complex numbers have one stands for all.
template <class T>
array<std::int64_t> places_among(const array<T>& values, const array<T>& x) {
    const auto places = searchsorted(values, x);
    if constexpr (codegen::is_complex(dtype_of<T>)) return minimum(places, values.size() - 1);
    else return places;
}

/// The same where equal values may be several: from the positions that sort all elements, and those at which values
/// begin among the sorted ones.
array<std::int64_t> places_of_runs(const array<std::int64_t>& order, const array<std::int64_t>& first,
                                   const dims& shape);

}  // namespace detail

template <expression E>
auto unique_all(const E& e, const unique_options& o = {});
/// The same with the number of each element's value, in the shape of e (numpy.unique_inverse).
template <expression E>
auto unique_inverse(const E& e, const unique_options& o = {}) {
    using T = value_type_t<E>;
    array<T> x = e;
    if constexpr (codegen::kind_rank(dtype_of<T>) > 1) {
        if (!o.equal_nan) {
            auto found = unique_all(x, o);
            return unique_inverse_result<T>{found.values, found.inverse_indices};
        }
    }
    array<T> values = unique(x);
    return unique_inverse_result<T>{values, detail::places_among(values, x)};
}

/// All of these, and where each value stands first (numpy.unique_all).
template <expression E>
auto unique_all(const E& e, const unique_options& o) {
    using T = value_type_t<E>;
    array<T> x = e, flat = ravel(x);
    const array<std::int64_t> order = argsort(flat);
    const array<T> sorted = take(flat, order);
    const array<std::int64_t> first(detail::first_positions(sorted.get_handle(), o.equal_nan));
    const array<T> values = take(sorted, first);
    return unique_all_result<T>{values, array<std::int64_t>(take(order, first)),
                                o.equal_nan ? array<std::int64_t>(detail::places_among(values, x))
                                            : detail::places_of_runs(order, first, x.shape()),
                                array<std::int64_t>(detail::record_run_lengths(first.get_handle(), sorted.size()))};
}

/// All of these, and where each value stands first (numpy.unique_all).
template <expression E>
auto unique_all(const E& e, std::int64_t axis);
/// The different slices of an axis in lexicographic order (numpy.unique with an axis), of as many sorts as a slice has
/// elements; two that hold NaN differ. Computes e.
template <expression E>
auto unique(const E& e, std::int64_t axis) {
    return unique_all(e, axis).values;
}
/// The same with how often each occurs, with the number of each slice's value, a vector, and with where each stands
/// first besides (numpy.unique with return_counts, return_inverse and return_index).
template <expression E>
auto unique_counts(const E& e, std::int64_t axis) {
    auto found = unique_all(e, axis);
    return unique_counts_result<value_type_t<E>>{found.values, found.counts};
}
/// The same with the number of each element's value, in the shape of e (numpy.unique_inverse).
template <expression E>
auto unique_inverse(const E& e, std::int64_t axis) {
    auto found = unique_all(e, axis);
    return unique_inverse_result<value_type_t<E>>{found.values, found.inverse_indices};
}
/// All of these, and where each value stands first (numpy.unique_all).
template <expression E>
auto unique_all(const E& e, std::int64_t axis) {
    using T = value_type_t<E>;
    const int a = codegen::normalize_axis("unique", axis, e.ndim());
    const array<T> x = e;
    const detail::ordered_slices s = detail::order_slices(x.get_handle(), a);
    const array<std::int64_t> indices = take(array<std::int64_t>(s.order), array<std::int64_t>(s.first));
    return unique_all_result<T>{array<T>(take(x, indices, a)), indices, array<std::int64_t>(s.inverse),
                                array<std::int64_t>(detail::record_run_lengths(s.first, x.shape()[a]))};
}

}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END

#if SINTER_HEADER_ONLY
#include <sinter/functions/ordering.ipp>
#endif
