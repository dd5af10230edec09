// Positions of parts of matrices, and elements that are written where masks and diagonals say.
#pragma once

#include <sinter/array/host.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/scans.hpp>
#include <sinter/functions/scattering.hpp>

#include <initializer_list>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

/// The positions, an array for each axis, of the elements on and below the k-th diagonal of n rows and m columns
/// (numpy.tril_indices), computed: `auto [i, j] = tril_indices(3)`, `x(tril_indices(3))`.
inline axis_positions<2> tril_indices(std::int64_t n, std::int64_t k, std::int64_t m) {
    return detail::named_errors("tril_indices", [&] { return nonzero<2>(tri<bool>(n, m, k)); });
}
/// The same of n rows and columns.
inline axis_positions<2> tril_indices(std::int64_t n, std::int64_t k = 0) { return tril_indices(n, k, n); }
/// The positions, an array for each axis, of the elements on and above the k-th diagonal of n rows and m columns
/// (numpy.triu_indices); computed.
inline axis_positions<2> triu_indices(std::int64_t n, std::int64_t k, std::int64_t m) {
    return detail::named_errors("triu_indices", [&] { return nonzero<2>(!tri<bool>(n, m, k - 1)); });
}
/// The same of n rows and columns.
inline axis_positions<2> triu_indices(std::int64_t n, std::int64_t k = 0) { return triu_indices(n, k, n); }
/// tril_indices of a matrix's own shape (numpy.tril_indices_from).
template <expression E>
axis_positions<2> tril_indices_from(const E& e, std::int64_t k = 0) {
    if (e.ndim() != 2)
        throw shape_error("[tril_indices_from] an array of shape " + to_string(e.shape()) + " is no matrix");
    return tril_indices(e.shape()[0], k, e.shape()[1]);
}
/// triu_indices of a matrix's own shape (numpy.triu_indices_from).
template <expression E>
axis_positions<2> triu_indices_from(const E& e, std::int64_t k = 0) {
    if (e.ndim() != 2)
        throw shape_error("[triu_indices_from] an array of shape " + to_string(e.shape()) + " is no matrix");
    return triu_indices(e.shape()[0], k, e.shape()[1]);
}
/// Where f(ones({n, n}), k) is not zero (numpy.mask_indices), f such as triu: `mask_indices(4, [](auto m, auto k) {
/// return triu(m, k); })`.
template <class F>
axis_positions<2> mask_indices(std::int64_t n, F f, std::int64_t k = 0) {
    return nonzero<2>(f(ones({n, n}), k));
}
/// The positions of the diagonal of an array of n along each of several axes (numpy.diag_indices).
inline std::vector<array<std::int64_t>> diag_indices(std::int64_t n, int ndim) {
    return std::vector<array<std::int64_t>>(static_cast<std::size_t>(ndim > 0 ? ndim : 0),
                                            array<std::int64_t>(arange(n)));
}
/// The same of a matrix: `auto [i, j] = diag_indices(3)`.
inline axis_positions<2> diag_indices(std::int64_t n) { return axis_positions<2>(diag_indices(n, 2)); }
/// The same of an array, all of whose axes are equally long; throws value_error (numpy.diag_indices_from).
template <expression E>
std::vector<array<std::int64_t>> diag_indices_from(const E& e) {
    for (int i = 1; i < e.ndim(); ++i)
        if (e.shape()[i] != e.shape()[0]) throw value_error("[diag_indices_from] axes differ: " + to_string(e.shape()));
    if (e.ndim() < 2) throw value_error("[diag_indices_from] there are fewer than two axes: " + to_string(e.shape()));
    return diag_indices(e.shape()[0], e.ndim());
}
/// A matrix with the elements, in order, on its k-th diagonal (numpy.diagflat).
template <expression E>
auto diagflat(const E& e, std::int64_t k = 0) {
    return diag(array<value_type_t<E>>(ravel(e)), k);
}

namespace detail {

/// An index or a mask as positions along an axis of so many.
template <expression E>
array<std::int64_t> open_index(const E& e, int axis, int rank) {
    if (e.ndim() != 1) throw value_error("[ix_] an index is no vector: " + to_string(e.shape()));
    static_assert(codegen::kind_rank(dtype_of<value_type_t<E>>) < 2, "sinter: indices of ix_ are integers or masks");
    dims shape = dims::filled(rank, 1);
    shape[axis] = -1;
    if constexpr (std::same_as<value_type_t<E>, bool>) return reshape(flatnonzero(e), shape);
    else return reshape(astype<std::int64_t>(e), shape);
}

}  // namespace detail

/// Vectors of positions, or masks, as indices of the grid that they span (numpy.ix_), a tuple: `auto [i, j] = ix_(r,
/// c)`, then `m(i, j)`. Masks are computed; throws value_error for more axes.
template <expression... E>
auto ix_(const E&... e) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return std::tuple(detail::open_index(e, static_cast<int>(I), static_cast<int>(sizeof...(E)))...);
    }(std::index_sequence_for<E...>());
}

/// The same of positions in braces: `ix_({0, 1}, {2, 4})`.
template <std::integral... I>
auto ix_(std::initializer_list<I>... each) {
    return ix_(asarray(each)...);
}

/// Writes to the diagonal of a matrix, or of an array of equally long axes (numpy.fill_diagonal): a number, or values
/// that are repeated; with `wrap` a tall matrix has more of them below. Throws value_error for other shapes.
template <class T, detail::operand V>
void fill_diagonal(array<T>& a, const V& values, bool wrap = false) {
    const dims shape = a.shape();
    if (shape.size() < 2) throw value_error("[fill_diagonal] there are fewer than two axes: " + to_string(shape));
    for (int i = 1; shape.size() > 2 && i < shape.size(); ++i)
        if (shape[i] != shape[0]) throw value_error("[fill_diagonal] axes differ: " + to_string(shape));
    std::int64_t step = 1, size = 1;
    for (int i = shape.size() - 1; i > 0; --i) step += size *= shape[i];
    std::int64_t end = shape.product();
    if (shape.size() == 2 && !wrap && shape[1] * shape[1] < end) end = shape[1] * shape[1];
    array<T> flat = ravel(a);
    if constexpr (expression<V>) {
        const std::int64_t count = (end + step - 1) / step;
        if (values.size() == 0) throw value_error("[fill_diagonal] there are no values");
        flat(slice(0, end, step)) = take(values, arange(count) % values.size());
    } else {
        flat(slice(0, end, step)) = values;
    }
    a = reshape(flat, shape);
}

struct fill_diagonal_options {
    bool wrap = false;
};
/// The same: `fill_diagonal(m, 4, {.wrap = true})`.
template <class T, detail::operand V>
void fill_diagonal(array<T>& a, const V& values, fill_diagonal_options o) {
    fill_diagonal(a, values, o.wrap);
}

namespace detail {

inline void require_mask(std::string_view name, std::int64_t size, const dims& shape) {
    if (size != shape.product())
        throw value_error("[" + std::string(name) + "] a mask of " + std::to_string(size) + " elements for " +
                          to_string(shape));
}

}  // namespace detail

/// The elements of the flat array where a condition of as many holds (numpy.extract); computes the condition.
template <expression C, expression E>
auto extract(const C& condition, const E& e) {
    return compress(ravel(condition), ravel(e), 0);
}
/// Writes values where a mask of a's shape holds: those of the same place in the flat array, repeated where there are
/// fewer (numpy.putmask). Throws value_error without values, and for a mask of
/// another size.
template <class T, expression M, expression V>
void putmask(array<T>& a, const M& mask, const V& values) {
    detail::require_mask("putmask", mask.size(), a.shape());
    if (values.size() == 0) throw value_error("[putmask] there are no values");
    const auto place = reshape(arange(a.size()) % values.size(), a.shape());
    a = array<T>(where(reshape(mask, a.shape()), astype<T>(take(values, array<std::int64_t>(place))), a));
}
/// The same of one value.
template <class T, expression M, detail::scalar_operand V>
void putmask(array<T>& a, const M& mask, const V& value) {
    detail::require_mask("putmask", mask.size(), a.shape());
    a = array<T>(where(reshape(mask, a.shape()), full<T>({}, value), a));
}
/// Writes values where a mask of a's size holds, one after the other, repeated where there are fewer (numpy.place).
/// Throws value_error without values, and for a mask of another size.
template <class T, expression M, expression V>
void place(array<T>& a, const M& mask, const V& values) {
    detail::require_mask("place", mask.size(), a.shape());
    if (values.size() == 0) throw value_error("[place] there are no values");
    const auto number = maximum(cumsum(astype<std::int64_t>(ravel(mask) != 0)) - 1, 0) % values.size();
    const array<std::int64_t> places = reshape(number, a.shape());
    a = array<T>(where(reshape(mask, a.shape()), astype<T>(take(values, places)), a));
}
/// The same of values in braces: `place(x, x > 2, {44, 55})`.
template <class T, expression M, detail::scalar_operand V>
void place(array<T>& a, const M& mask, std::initializer_list<V> values) {
    const device_scope on(a.device());
    place(a, mask, asarray(values));
}
/// The same of one value.
template <class T, expression M, detail::scalar_operand V>
void place(array<T>& a, const M& mask, const V& value) {
    detail::require_mask("place", mask.size(), a.shape());
    const device_scope on(a.device());
    a = array<T>(where(reshape(mask, a.shape()), full<T>({}, value), a));
}
/// Writes an array that broadcasts over another, or a number, where a condition holds (numpy.copyto); throws
/// shape_error, and value_error for a number that does not fit in integers.
template <class T, expression E>
void copyto(array<T>& to, const E& from) {
    detail::named_errors("copyto", [&] { to(ellipsis) = from; });
}
/// Writes an array that broadcasts over another, or a number, where a condition holds (numpy.copyto).
template <class T, expression E, expression C>
void copyto(array<T>& to, const E& from, const C& where_) {
    detail::named_errors("copyto", [&] {
        const dims shape = to.shape();
        to = array<T>(where(broadcast_to(where_, shape), broadcast_to(astype<T>(from), shape), to));
    });
}
/// Writes an array that broadcasts over another, or a number, where a condition holds (numpy.copyto).
template <class T, detail::scalar_operand S>
void copyto(array<T>& to, const S& from) {
    detail::named_errors("copyto", [&] { to(ellipsis) = from; });
}
/// Writes an array that broadcasts over another, or a number, where a condition holds (numpy.copyto).
template <class T, detail::scalar_operand S, expression C>
void copyto(array<T>& to, const S& from, const C& where_) {
    detail::named_errors("copyto", [&] { to(broadcast_to(astype<bool>(where_), to.shape())) = from; });
}

}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END
