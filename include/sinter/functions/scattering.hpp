// Writing to elements that are picked by number: put, put_along_axis, and sums and extrema that meet at one place.
#pragma once

#include <sinter/array/host.hpp>
#include <sinter/array/scatter.hpp>
#include <sinter/functions/picking.hpp>
#include <tuple>

#include <initializer_list>

namespace sinter::inline SINTER_ABI {

/// Options of scatter_add.
struct scatter_options {
    bool deterministic = true;  ///< values that meet are added in their order, else in any
};

namespace detail {

handle record_put(const handle& x, const handle& index, const handle& value, std::string_view mode);
handle record_put_along(const handle& x, const handle& index, const handle& value, int axis);

template <class T, class I, class V>
void scatter_into(const codegen::call_info& how, array<T>& a, const I& index, const V& v) {
    auto select_at = [&](const auto&... i) { return with_positions(select(a.get_handle(), index_items(i...))); };
    selection s;
    if constexpr (!index_list<I> && requires { std::tuple_size<I>::value; }) s = std::apply(select_at, index);
    else s = select_at(index);
    if (s.indices.empty())
        throw type_error("[" + std::string(to_string(how.what)) + "] the index holds no array of integers");
    a = array<T>(record_scatter(how, a.get_handle(), s, as_written<T>("assignment", v)));
}

}  // namespace detail

/// Adds to the elements at an index, as often as each occurs (numpy.add.at): `scatter_add(a, i, v)`, `scatter_add(a,
/// std::tuple(i, j), v)`. The values that meet are added in the order in which they stand, as NumPy's; where 65,536 or
/// more, and 256 for each place, go to single elements of an array of at most 16 KiB (as float32 where it is of
/// halves), sums of chunks are added in their order. So the bits are always the same, on all devices; with
/// {.deterministic = false} a GPU adds floating numbers in any order, which is faster. An index out of range throws
/// index_error where the result is read.
template <class T, class I, class V>
void scatter_add(array<T>& a, const I& index, const V& v, scatter_options o = {}) {
    codegen::call_info how = codegen::routine::scatter_add;
    if (!o.deterministic) how = how.with(codegen::call_info::any_order);
    detail::scatter_into(how, a, index, v);
}
/// The larger of the elements at an index and all values for them (numpy.maximum.at).
template <class T, class I, class V>
void scatter_max(array<T>& a, const I& index, const V& v) {
    detail::scatter_into(codegen::routine::scatter_max, a, index, v);
}
/// The smaller of the elements at an index and all values for them (numpy.minimum.at).
template <class T, class I, class V>
void scatter_min(array<T>& a, const I& index, const V& v) {
    detail::scatter_into(codegen::routine::scatter_min, a, index, v);
}

/// Writes to flat positions (numpy.put), the last one staying where they occur twice; fewer values than positions are
/// repeated. Positions out of range throw index_error where the result is read, unless `{.mode = "wrap"}` or "clip".
template <class T, class V>
void put(array<T>& a, const array<std::int64_t>& index, const V& v, const index_options& o = {}) {
    a = array<T>(
        detail::record_put(a.get_handle(), index.get_handle(), detail::as_written<T>("assignment", v), o.mode));
}
/// The same of values in braces: `put(x, {0, 2}, {-44, -55})`.
template <class T, detail::scalar_operand V>
void put(array<T>& a, const array<std::int64_t>& index, std::initializer_list<V> values, const index_options& o = {}) {
    const device_scope on(a.device());
    put(a, index, asarray(values), o);
}
/// The same at one position.
template <class T, std::integral N, class V>
void put(array<T>& a, N index, const V& v, const index_options& o = {}) {
    const device_scope on(a.device());
    put(a, full<std::int64_t>({1}, index), v, o);
}
/// Writes one element of an axis for each index (numpy.put_along_axis), as argsort and argmax give them; the other axes
/// broadcast.
template <class T, class V>
void put_along_axis(array<T>& a, const array<std::int64_t>& index, const V& v, std::int64_t axis) {
    int at = codegen::normalize_axis("put_along_axis", axis, a.ndim());
    a = array<T>(
        detail::record_put_along(a.get_handle(), index.get_handle(), detail::as_written<T>("assignment", v), at));
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/functions/scattering.ipp>
#endif
