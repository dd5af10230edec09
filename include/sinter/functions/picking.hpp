// Elements picked by number or by condition: take, compress, nonzero and conversions between flat and multiple indices.
#pragma once

#include <sinter/array/host.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/functions/joining.hpp>

#include <initializer_list>

namespace sinter::inline SINTER_ABI {

/// Options of ravel_multi_index: what becomes of an index out of range, "raise", "wrap" or "clip"; and the order of
/// flat positions, 'C' or 'F'.
struct ravel_index_options {
    std::string_view mode = "raise";
    char order = 'C';
};

namespace detail {

handle record_take(const handle& x, const handle& index, int axis);
/// Indices of an axis as a mode has them: "raise" leaves them as they are, "wrap" and "clip" bring them into it.
handle record_index_within(std::string_view name, const handle& index, std::int64_t size, std::string_view mode);
handle record_take_number(const handle& x, std::int64_t index, int axis);
handle record_take_along(const handle& x, const handle& index, int axis);
/// One index array per axis of x: along `axis` the given ones, along the others each element's own number.
codegen::sequence<handle> indices_along(std::string_view name, const handle& x, const handle& index, int axis);
handle record_compress(const handle& condition, const handle& x, int axis);
/// Through a graph of selections, or one gather where the choices are the rows of an array.
handle record_choose(const handle& index, codegen::span<const handle> choices, dtype type, std::string_view mode);
handle record_choose(const handle& index, const handle& choices, std::string_view mode);
codegen::sequence<handle> record_nonzero(std::string_view name, const handle& x);
handle record_argwhere(const handle& x);
void require_axis_count(std::size_t wanted, std::size_t found);
codegen::sequence<handle> record_unravel(const handle& index, const dims& shape, char order);
handle record_ravel_index(codegen::span<const handle> indices, const dims& shape, const ravel_index_options& o);

}  // namespace detail

/// What becomes of an index that numbers no element or choice.
struct index_options {
    std::string_view mode = "raise";  ///< or wrap, clip
};
using choose_options = index_options;

/// The elements of an axis, or of the flat array, at integers of any shape (numpy.take), negative ones counted from the
/// end; braces are data: `take(x, {0, 2}, 1)`. Reading the result throws index_error.
template <expression E>
auto take(const E& e, const array<std::int64_t>& index, std::int64_t axis) {
    int a = codegen::normalize_axis("take", axis, e.ndim());
    return detail::as_array_of(e, detail::record_take(detail::as_handle(e), index.get_handle(), a));
}
/// The elements of an axis, or of the flat array, at integers of any shape (numpy.take), negative ones counted from the
/// end.
template <expression E>
auto take(const E& e, const array<std::int64_t>& index) {
    return take(ravel(e), index, 0);
}
/// The same with indices out of range wrapped around or, negative ones too, clipped: `take(x, i, 1, {.mode = "clip"})`.
template <expression E>
auto take(const E& e, const array<std::int64_t>& index, std::int64_t axis, const index_options& o) {
    int a = codegen::normalize_axis("take", axis, e.ndim());
    const detail::handle i = detail::record_index_within("take", index.get_handle(), e.shape()[a], o.mode);
    return detail::as_array_of(e, detail::record_take(detail::as_handle(e), i, a));
}
/// The same with indices out of range wrapped around or, negative ones too, clipped.
template <expression E>
auto take(const E& e, const array<std::int64_t>& index, const index_options& o) {
    return take(ravel(e), index, 0, o);
}
/// The same with indices out of range wrapped around or, negative ones too, clipped.
template <expression E, std::integral I>
auto take(const E& e, I index, std::int64_t axis) {
    int a = codegen::normalize_axis("take", axis, e.ndim());
    return detail::as_array_of(e,
                               detail::record_take_number(detail::as_handle(e), static_cast<std::int64_t>(index), a));
}
/// The same with indices out of range wrapped around or, negative ones too, clipped.
template <expression E, std::integral I>
auto take(const E& e, I index) {
    return take(ravel(e), index, 0);
}
/// One element of an axis for each index (numpy.take_along_axis), as argsort and argmax give them; the other axes
/// broadcast.
template <expression E>
auto take_along_axis(const E& e, const array<std::int64_t>& index, std::int64_t axis) {
    int a = codegen::normalize_axis("take_along_axis", axis, e.ndim());
    return detail::as_array_of(e, detail::record_take_along(detail::as_handle(e), index.get_handle(), a));
}
/// Each element from the choice whose number its index is (numpy.choose): `choose(i, {a, b, c})`, a std::tuple of
/// arrays, expressions and numbers or a range of arrays, whose types are promoted, or an array, whose first axis
/// numbers the choices. All broadcast. Throws value_error and shape_error; reading the result throws index_error,
/// unless `{.mode = "wrap"}` or "clip".
template <detail::array_sequence S>
auto choose(const array<std::int64_t>& index, const S& choices, choose_options o = {}) {
    using T = typename detail::sequence_traits<S>::type;
    auto h = detail::sequence_traits<S>::handles(choices);
    return array<T>(detail::record_choose(index.get_handle(), h, dtype_of<T>, o.mode));
}
/// Each element from the choice whose number its index is (numpy.choose).
template <class T>
array<T> choose(const array<std::int64_t>& index, std::initializer_list<array<T>> choices, choose_options o = {}) {
    return choose(index, codegen::span(choices.begin(), choices.size()), o);
}
/// Of numbers in braces, int64 or their own floating type: `choose(i, {-10, 10})`.
template <detail::scalar_operand S>
auto choose(const array<std::int64_t>& index, std::initializer_list<S> choices, choose_options o = {}) {
    using T = std::conditional_t<std::is_integral_v<S> && !std::same_as<S, bool>, std::int64_t, S>;
    const device_scope on(index.device());
    const auto list = asarray(choices);
    return choose(index, array<T>(astype<T>(list)), o);
}
/// The choice of a number (numpy.choose).
template <std::integral I, detail::array_sequence S>
auto choose(I index, const S& choices, choose_options o = {}) {
    const device_scope on(detail::device_of_first(detail::sequence_traits<S>::handles(choices)));
    return choose(full<std::int64_t>({}, index), choices, o);
}
/// The choice of a number (numpy.choose).
template <std::integral I, class T>
array<T> choose(I index, std::initializer_list<array<T>> choices, choose_options o = {}) {
    return choose(index, codegen::span(choices.begin(), choices.size()), o);
}
// Of arrays and expressions of one type, as joins have them.
#define SINTER_ELEMENT_TYPE(dtype_name, T)                                                            \
    array<T> choose(const array<std::int64_t>& index, std::initializer_list<detail::part<T>> choices, \
                    choose_options o = {});                                                           \
    array<T> choose(std::int64_t index, std::initializer_list<detail::part<T>> choices, choose_options o = {});
#include <sinter/codegen/base/element_types.def>
#undef SINTER_ELEMENT_TYPE
/// The choice of a number (numpy.choose).
template <std::integral I, expression E>
auto choose(I index, const E& choices, choose_options o = {}) {
    const device_scope on(choices.device());
    return choose(full<std::int64_t>({}, index), choices, o);
}
/// Each element from the choice whose number its index is (numpy.choose).
template <expression E>
auto choose(const array<std::int64_t>& index, const E& choices, choose_options o = {}) {
    return detail::as_array_of(choices, detail::record_choose(index.get_handle(), detail::as_handle(choices), o.mode));
}

/// For each element the first of the choices whose condition holds, else 0 or another whole number (numpy.select):
/// `select({x > 1, x < 0}, {x, -x})`.
template <class T, std::same_as<int> I>
array<T> select(const std::vector<array<bool>>& conditions, const std::vector<array<T>>& choices, I otherwise) {
    return select<T>(conditions, choices, codegen::ieee::as<T>(otherwise));
}
#define SINTER_ELEMENT_TYPE(dtype_name, T)                                                                      \
    template <std::same_as<int> I = int>                                                                        \
    array<T> select(const std::vector<array<bool>>& conditions, std::initializer_list<detail::part<T>> choices, \
                    I otherwise = 0) {                                                                          \
        std::vector<array<T>> each;                                                                             \
        for (const detail::part<T>& one : choices) each.emplace_back(one.value);                                \
        return select<T>(conditions, each, codegen::ieee::as<T>(otherwise));                                    \
    }
#include <sinter/codegen/base/element_types.def>
#undef SINTER_ELEMENT_TYPE

/// The slices of an axis, or the elements of the flat array, where a vector of conditions holds (numpy.compress);
/// computes the condition.
template <expression C, expression E>
auto compress(const C& condition, const E& e, std::int64_t axis) {
    int a = codegen::normalize_axis("compress", axis, e.ndim());
    return detail::as_array_of(e, detail::record_compress(detail::as_handle(condition), detail::as_handle(e), a));
}
/// The slices of an axis, or the elements of the flat array, where a vector of conditions holds (numpy.compress).
template <expression C, expression E>
auto compress(const C& condition, const E& e) {
    return compress(condition, ravel(e), 0);
}

/// The same where the condition stands in braces: `compress({false, true}, m, 0)`.
template <std::same_as<bool> B, expression E, class... Axis>
auto compress(std::initializer_list<B> condition, const E& e, Axis... axis) {
    const device_scope on(e.device());
    return compress(asarray(condition), e, axis...);
}

/// Positions along as many axes, an array for each: `auto [i, j] = triu_indices(4)`, `x(triu_indices(4))`.
template <std::size_t Axes>
class axis_positions : public std::vector<array<std::int64_t>> {
public:
    explicit axis_positions(std::vector<array<std::int64_t>> each) : vector(std::move(each)) {
        detail::require_axis_count(Axes, size());
    }
    template <std::size_t Axis>
    array<std::int64_t>& get() {
        return (*this)[Axis];
    }
    template <std::size_t Axis>
    const array<std::int64_t>& get() const {
        return (*this)[Axis];
    }
};

/// Positions of the elements that are not zero, one int64 array per axis (numpy.nonzero), which index arrays as they
/// are: `x(nonzero(m))`; computes e.
template <expression E>
std::vector<array<std::int64_t>> nonzero(const E& e) {
    return detail::as_arrays<std::int64_t>(detail::record_nonzero("nonzero", detail::as_handle(e)));
}
/// The same of an array of so many axes: `auto [i, j] = nonzero<2>(m)`. Throws value_error for others.
template <std::size_t Axes, expression E>
axis_positions<Axes> nonzero(const E& e) {
    return axis_positions<Axes>(nonzero(e));
}
/// Their positions in the flat array (numpy.flatnonzero).
template <expression E>
array<std::int64_t> flatnonzero(const E& e) {
    return nonzero(ravel(e))[0];
}
/// Their positions as rows (numpy.argwhere), of shape (number, rank).
template <expression E>
array<std::int64_t> argwhere(const E& e) {
    return array<std::int64_t>(detail::record_argwhere(detail::as_handle(e)));
}

struct unravel_options {
    char order = 'C';  ///< or 'F': the first axis is the one along which positions are neighbours
};
/// The indices along each axis of flat positions in an array of a shape (numpy.unravel_index). Computes the positions;
/// throws value_error when one is out of range.
inline std::vector<array<std::int64_t>> unravel_index(const array<std::int64_t>& index, const dims& shape,
                                                      unravel_options o = {}) {
    return detail::as_arrays<std::int64_t>(detail::record_unravel(index.get_handle(), shape, o.order));
}
/// The indices along each axis of flat positions in an array of a shape (numpy.unravel_index).
template <std::integral I>
std::vector<array<std::int64_t>> unravel_index(I index, const dims& shape, unravel_options o = {}) {
    return unravel_index(full<std::int64_t>({}, index), shape, o);
}
/// The same of an array of so many axes: `auto [i, j] = unravel_index<2>(argmax(m), m.shape())`. Throws value_error for
/// others.
template <std::size_t Axes, class I>
    requires std::integral<I> || expression<I>
axis_positions<Axes> unravel_index(const I& index, const dims& shape, unravel_options o = {}) {
    return axis_positions<Axes>(unravel_index(index, shape, o));
}
/// The flat positions of indices given as one array per axis (numpy.ravel_multi_index). Computes them; throws
/// value_error when one is out of range, unless `{.mode = "wrap"}` or "clip".
template <detail::array_sequence S>
array<std::int64_t> ravel_multi_index(const S& indices, const dims& shape, const ravel_index_options& o = {}) {
    static_assert(codegen::is_integer(dtype_of<typename detail::sequence_traits<S>::type>),
                  "sinter: indices are integers");
    return array<std::int64_t>(detail::record_ravel_index(detail::sequence_traits<S>::handles(indices), shape, o));
}
/// The same of the rows of an array.
template <expression E>
array<std::int64_t> ravel_multi_index(const E& indices, const dims& shape, const ravel_index_options& o = {}) {
    const array<value_type_t<E>> all_rows = indices;
    std::vector<array<value_type_t<E>>> rows;
    for (std::int64_t i = 0; i < all_rows.shape(0); ++i) rows.emplace_back(all_rows(i));
    return ravel_multi_index(rows, shape, o);
}
/// The same of one place: `ravel_multi_index({3, 1}, {6, 7})`.
template <std::integral I>
array<std::int64_t> ravel_multi_index(std::initializer_list<I> place, const dims& shape,
                                      const ravel_index_options& o = {}) {
    return ravel_multi_index(asarray(place), shape, o);
}

}  // namespace sinter::inline SINTER_ABI

template <std::size_t Axes>
struct std::tuple_size<sinter::axis_positions<Axes>> : std::integral_constant<std::size_t, Axes> {};
template <std::size_t Axis, std::size_t Axes>
struct std::tuple_element<Axis, sinter::axis_positions<Axes>> {
    using type = sinter::array<std::int64_t>;
};

#if SINTER_HEADER_ONLY
#include <sinter/functions/picking.ipp>
#endif
