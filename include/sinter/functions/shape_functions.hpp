// Other shapes of the same elements: reshaping, permuting, broadcasting, splitting; all of them are views.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/array/operators.hpp>
#include <sinter/functions/any_operand.hpp>

namespace sinter::inline SINTER_ABI {

namespace detail {

handle record_transpose(const handle& x, const dims& order);
handle record_swapaxes(const handle& x, std::int64_t a, std::int64_t b);
handle record_moveaxis(const handle& x, const dims& from, const dims& to);
handle record_squeeze(const handle& x);
handle record_squeeze(const handle& x, const dims& axes);
handle record_expand_dims(const handle& x, const dims& axes);
handle record_flip(std::string_view name, const handle& x, const dims& axes);
/// All axes of a rank, in order.
dims all_axes(int rank);
handle record_rot90(const handle& x, std::int64_t times, const dims& axes);
handle record_atleast(const handle& x, int rank);
handle record_windows(const handle& x, const dims& window, const dims& axes);
/// Elements [start, stop) of an axis, a view.
handle record_part(const handle& x, int axis, std::int64_t start, std::int64_t stop);
/// Where the parts of numpy.array_split begin after the first; `equal` demands parts of one size.
std::vector<std::int64_t> split_points(std::string_view name, std::int64_t size, std::int64_t parts, bool equal);
codegen::sequence<handle> record_split(const handle& x, codegen::span<const std::int64_t> at, std::int64_t axis);

template <class T>
std::vector<array<T>> as_arrays(codegen::sequence<handle> handles) {
    std::vector<array<T>> out;
    out.reserve(handles.size());
    for (handle& h : handles) out.emplace_back(std::move(h));
    return out;
}

template <expression E>
array<value_type_t<E>> as_array_of(const E&, handle h) {
    return array<value_type_t<E>>(std::move(h));
}

}  // namespace detail

/// The elements in row-major order in another shape (numpy.reshape); one size may be -1. Throws shape_error,
/// value_error.
template <expression E>
SINTER_NEW_VALUE auto reshape(const E& e, const dims& shape) {
    return detail::as_array_of(e, detail::record_reshape(detail::as_handle(e), shape));
}
template <expression E, std::integral... I>
    requires(sizeof...(I) > 1)
detail::shape_without_braces<I...> reshape(const E&, I...);
/// One axis (numpy.ravel, numpy.ndarray.flatten); as values never change, both are views where that is possible.
template <expression E>
SINTER_NEW_VALUE auto ravel(const E& e) {
    return reshape(e, dims(-1));
}
template <expression E>
SINTER_NEW_VALUE auto flatten(const E& e) {
    return ravel(e);
}
/// Axes in another order, by default reversed (numpy.transpose); throws value_error.
template <expression E>
SINTER_NEW_VALUE auto transpose(const E& e) {
    return detail::as_array_of(e, detail::transposed_all(detail::as_handle(e)));
}
/// Axes in the given order (numpy.transpose); throws value_error.
template <expression E>
SINTER_NEW_VALUE auto transpose(const E& e, const dims& axes) {
    return detail::as_array_of(e, detail::record_transpose(detail::as_handle(e), axes));
}
template <expression E, std::integral... I>
    requires(sizeof...(I) > 1)
detail::shape_without_braces<I...> transpose(const E&, I...);
/// Axes in the given order (numpy.permute_dims); throws value_error.
template <expression E>
SINTER_NEW_VALUE auto permute_dims(const E& e, const dims& axes) {
    return detail::named_errors("permute_dims", [&] { return transpose(e, axes); });
}
/// Two axes exchanged (numpy.swapaxes).
template <expression E>
SINTER_NEW_VALUE auto swapaxes(const E& e, std::int64_t a, std::int64_t b) {
    return detail::as_array_of(e, detail::record_swapaxes(detail::as_handle(e), a, b));
}
/// Axes moved to other places, the rest in order (numpy.moveaxis): an axis or braced lists.
template <expression E>
SINTER_NEW_VALUE auto moveaxis(const E& e, const dims& from, const dims& to) {
    return detail::as_array_of(e, detail::record_moveaxis(detail::as_handle(e), from, to));
}
/// Without the axes of size one, or without the named ones (numpy.squeeze); throws value_error when one is longer.
template <expression E>
SINTER_NEW_VALUE auto squeeze(const E& e) {
    return detail::as_array_of(e, detail::record_squeeze(detail::as_handle(e)));
}
/// Without the axes of size one, or without the named ones (numpy.squeeze).
template <expression E>
SINTER_NEW_VALUE auto squeeze(const E& e, const dims& axes) {
    return detail::as_array_of(e, detail::record_squeeze(detail::as_handle(e), axes));
}
/// With axes of size one at these places of the result (numpy.expand_dims).
template <expression E>
SINTER_NEW_VALUE auto expand_dims(const E& e, const dims& axes) {
    return detail::as_array_of(e, detail::record_expand_dims(detail::as_handle(e), axes));
}
/// Repeated along new axes and axes of size one (numpy.broadcast_to); throws shape_error.
template <expression E>
SINTER_NEW_VALUE auto broadcast_to(const E& e, const dims& shape) {
    return detail::as_array_of(e, detail::record_broadcast("broadcast_to", detail::as_handle(e), shape));
}
template <expression E, std::integral... I>
    requires(sizeof...(I) > 1)
detail::shape_without_braces<I...> broadcast_to(const E&, I...);
/// A number in a shape (numpy.broadcast_to).
template <detail::scalar_operand S>
auto broadcast_to(const S& s, const dims& shape) {
    return array<typename detail::element_of_operand<S>::type>(
        detail::record_scalar(detail::number(s), codegen::require_sizes("broadcast_to", shape)));
}
/// An array of a shape that repeats another (numpy.full), of its type or of T; throws shape_error.
template <class T = void, expression E>
auto full(const dims& shape, const E& values) {
    using R = std::conditional_t<std::is_void_v<T>, value_type_t<E>, T>;
    detail::require_assignable<value_type_t<E>, R>();
    return array<R>(detail::record_cast(
        detail::record_broadcast("full", detail::as_handle(values), codegen::require_sizes("full", shape)),
        dtype_of<R>));
}
/// The same of another array's shape and type, or of T (numpy.full_like).
template <class T = void, expression E, expression V>
auto full_like(const E& e, const V& values) {
    return full<std::conditional_t<std::is_void_v<T>, value_type_t<E>, T>>(e.shape(), values);
}
/// All in their common shape (numpy.broadcast_arrays), as a tuple.
template <class... E>
    requires(sizeof...(E) == 0 || detail::operand_list<E...>)
auto broadcast_arrays(const E&... e) {
    dims shape;
    ((shape = codegen::broadcast_shapes("broadcast_arrays", shape, detail::shape_of(e))), ...);
    return std::tuple(broadcast_to(detail::own_array_beside(e, detail::first_array(e...)), shape)...);
}

/// Reversed along all axes or the named ones (numpy.flip).
template <expression E>
SINTER_NEW_VALUE auto flip(const E& e) {
    return detail::as_array_of(e, detail::record_flip("flip", detail::as_handle(e), detail::all_axes(e.ndim())));
}
/// Reversed along all axes or the named ones (numpy.flip).
template <expression E>
SINTER_NEW_VALUE auto flip(const E& e, const dims& axes) {
    return detail::as_array_of(e, detail::record_flip("flip", detail::as_handle(e), axes));
}
/// Reversed along the second axis (numpy.fliplr).
template <expression E>
SINTER_NEW_VALUE auto fliplr(const E& e) {
    return detail::as_array_of(e, detail::record_flip("fliplr", detail::as_handle(e), dims(1)));
}
/// Reversed along the first axis (numpy.flipud).
template <expression E>
SINTER_NEW_VALUE auto flipud(const E& e) {
    return detail::as_array_of(e, detail::record_flip("flipud", detail::as_handle(e), dims(0)));
}
/// Turned by quarters of a circle from the first axis to the second (numpy.rot90).
template <expression E>
SINTER_NEW_VALUE auto rot90(const E& e, std::int64_t k = 1, const dims& axes = {0, 1}) {
    return detail::as_array_of(e, detail::record_rot90(detail::as_handle(e), k, axes));
}

/// With at least one axis (numpy.atleast_1d).
template <expression E>
auto atleast_1d(const E& e) {
    return detail::as_array_of(e, detail::record_atleast(detail::as_handle(e), 1));
}
/// A number with at least one axis (numpy.atleast_1d).
template <detail::scalar_operand S>
auto atleast_1d(const S& s) {
    return broadcast_to(s, dims::filled(1, 1));
}
/// The same of several arrays and numbers, a tuple.
template <detail::operand... X>
    requires(sizeof...(X) > 1)
auto atleast_1d(const X&... x) {
    return std::tuple(atleast_1d(x)...);
}
/// With at least two axes (numpy.atleast_2d).
template <expression E>
auto atleast_2d(const E& e) {
    return detail::as_array_of(e, detail::record_atleast(detail::as_handle(e), 2));
}
/// A number with at least two axes (numpy.atleast_2d).
template <detail::scalar_operand S>
auto atleast_2d(const S& s) {
    return broadcast_to(s, dims::filled(2, 1));
}
/// The same of several arrays and numbers, a tuple.
template <detail::operand... X>
    requires(sizeof...(X) > 1)
auto atleast_2d(const X&... x) {
    return std::tuple(atleast_2d(x)...);
}
/// With at least three axes (numpy.atleast_3d).
template <expression E>
auto atleast_3d(const E& e) {
    return detail::as_array_of(e, detail::record_atleast(detail::as_handle(e), 3));
}
/// A number with at least three axes (numpy.atleast_3d).
template <detail::scalar_operand S>
auto atleast_3d(const S& s) {
    return broadcast_to(s, dims::filled(3, 1));
}
/// The same of several arrays and numbers, a tuple.
template <detail::operand... X>
    requires(sizeof...(X) > 1)
auto atleast_3d(const X&... x) {
    return std::tuple(atleast_3d(x)...);
}

/// Equal parts along an axis (numpy.split) as a std::vector of views. Throws value_error.
template <expression E, std::integral N>
auto split(const E& e, N parts, std::int64_t axis = 0) {
    detail::handle h = detail::as_handle(e);
    std::int64_t size = h->shape[codegen::normalize_axis("split", axis, h->shape.size())];
    return detail::as_arrays<value_type_t<E>>(
        detail::record_split(h, detail::split_points("split", size, static_cast<std::int64_t>(parts), true), axis));
}
/// Parts along an axis that begin at given places (numpy.split).
template <expression E>
auto split(const E& e, const std::vector<std::int64_t>& at, std::int64_t axis = 0) {
    return detail::as_arrays<value_type_t<E>>(detail::record_split(detail::as_handle(e), at, axis));
}
/// About equal parts along an axis (numpy.array_split) as a std::vector of views. Throws value_error.
template <expression E, std::integral N>
auto array_split(const E& e, N parts, std::int64_t axis = 0) {
    detail::handle h = detail::as_handle(e);
    std::int64_t size = h->shape[codegen::normalize_axis("array_split", axis, h->shape.size())];
    return detail::as_arrays<value_type_t<E>>(detail::record_split(
        h, detail::split_points("array_split", size, static_cast<std::int64_t>(parts), false), axis));
}
/// Parts along an axis that begin at given places (numpy.array_split).
template <expression E>
auto array_split(const E& e, const std::vector<std::int64_t>& at, std::int64_t axis = 0) {
    return split(e, at, axis);
}

/// Every window of these sizes, along all axes or the named ones, as new last axes
/// (numpy.lib.stride_tricks.sliding_window_view); throws value_error.
template <expression E>
auto sliding_window_view(const E& e, const dims& window) {
    detail::handle h = detail::as_handle(e);
    if (window.size() != h->shape.size())
        throw value_error("[sliding_window_view] a window " + to_string(window) + " needs one size for each axis of " +
                          to_string(h->shape));
    return detail::as_array_of(e, detail::record_windows(h, window, detail::all_axes(h->shape.size())));
}
/// Every window of these sizes, along all axes or the named ones, as new last axes
/// (numpy.lib.stride_tricks.sliding_window_view).
template <expression E>
auto sliding_window_view(const E& e, const dims& window, const dims& axes) {
    return detail::as_array_of(e, detail::record_windows(detail::as_handle(e), window, axes));
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/functions/shape_functions.ipp>
#endif
