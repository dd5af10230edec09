// Arrays taken apart, put together from blocks, packed to bits, and functions of slices.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/analysis/sets.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/scans.hpp>

#include <limits>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

namespace detail {

/// The axis along which hsplit, vsplit and dsplit cut; throws value_error when there are too few.
int split_axis(std::string_view name, int rank, int axis, int least_rank);
/// Arrays side by side along the last axis, all with the most axes of any, and so many at least.
/// The axis of a vector; throws value_error for more.
int only_axis(std::string_view name, const dims& shape);
handle record_resize(const handle& x, const dims& shape);
handle record_packbits(const handle& x, int axis, std::string_view order);
handle record_unpackbits(const handle& x, int axis, std::int64_t count, std::string_view order);
/// The positions that sort by the last of several keys, by those before it where they are equal.
handle record_lexsort(codegen::span<const handle> keys, std::int64_t axis);
/// A view without the outer zeros of some axes.
handle record_trimmed(const handle& x, std::string_view trim, const axes& along);
/// What stands at each place of the first axis; shape_error without one.
codegen::sequence<handle> parts_along(std::string_view operation, const handle& x);

}  // namespace detail

/// Parts side by side, below each other and behind each other, so many equal ones or cut at positions (numpy.hsplit,
/// vsplit, dsplit). Throws value_error when an axis is missing or does not divide.
template <expression E, class At>
auto hsplit(const E& e, const At& at) {
    return detail::named_errors(
        "hsplit", [&] { return split(e, at, detail::split_axis("hsplit", e.ndim(), e.ndim() > 1 ? 1 : 0, 1)); });
}
/// Parts along the second axis, of a vector along its only one, that begin at places in braces (numpy.hsplit).
template <expression E>
auto hsplit(const E& e, std::initializer_list<std::int64_t> at) {
    return hsplit(e, std::vector<std::int64_t>(at));
}
/// Parts along the first axis (numpy.vsplit); throws value_error.
template <expression E, class At>
auto vsplit(const E& e, const At& at) {
    return detail::named_errors("vsplit", [&] { return split(e, at, detail::split_axis("vsplit", e.ndim(), 0, 2)); });
}
/// Parts along the first axis, that begin at places in braces (numpy.vsplit).
template <expression E>
auto vsplit(const E& e, std::initializer_list<std::int64_t> at) {
    return vsplit(e, std::vector<std::int64_t>(at));
}
/// Parts along the third axis (numpy.dsplit); throws value_error.
template <expression E, class At>
auto dsplit(const E& e, const At& at) {
    return detail::named_errors("dsplit", [&] { return split(e, at, detail::split_axis("dsplit", e.ndim(), 2, 3)); });
}
/// Parts along the third axis, that begin at places in braces (numpy.dsplit).
template <expression E>
auto dsplit(const E& e, std::initializer_list<std::int64_t> at) {
    return dsplit(e, std::vector<std::int64_t>(at));
}
/// The slices of an axis as arrays without it (numpy.unstack).
template <expression E>
auto unstack(const E& e, std::int64_t axis = 0) {
    using T = value_type_t<E>;
    const int a = codegen::normalize_axis("unstack", axis, e.ndim());
    const array<T> x = e;
    std::vector<array<T>> slices;
    for (std::int64_t i = 0; i < x.shape()[a]; ++i) slices.push_back(array<T>(take(x, i, a)));
    return slices;
}

namespace detail {

/// A row of blocks, or a block of a list without rows.
struct blocks {
    codegen::sequence<handle> parts;
    bool is_row;
};
handle record_block(codegen::span<const blocks> rows, dtype type);
/// The same of elements of type T.
template <class T>
struct part_of_blocks : blocks {
    template <expression E>
        requires(dtype_of<value_type_t<E>> == dtype_of<T>)
    part_of_blocks(const E& e) : blocks{{as_handle(e)}, false} {}
    part_of_blocks(std::initializer_list<part<T>> row) : blocks{handles_of(row), true} {}
};

}  // namespace detail

/// A matrix of blocks: those of a row side by side, rows below each other (numpy.block), in their common shape along
/// the other axes; a list without rows is one along the last axis. Blocks are arrays and expressions of one type.
/// Throws shape_error, and value_error for rows beside blocks.
template <class T>
array<T> block(std::initializer_list<std::initializer_list<array<T>>> rows) {
    codegen::sequence<detail::blocks> each;
    for (const auto& row : rows) each.push_back({detail::handles_of(row), true});
    return array<T>(detail::record_block(each, dtype_of<T>));
}
/// A matrix of blocks.
template <class T>
array<T> block(std::initializer_list<array<T>> row) {
    codegen::sequence<detail::blocks> each;
    each.push_back({detail::handles_of(row), false});
    return array<T>(detail::record_block(each, dtype_of<T>));
}
// Of arrays and expressions of one type, as joins have them.
#define SINTER_ELEMENT_TYPE(dtype_name, T)                                 \
    array<T> block(std::initializer_list<detail::part_of_blocks<T>> rows); \
    array<T> concat(std::initializer_list<detail::part<T>> parts, std::int64_t axis = 0);
#include <sinter/codegen/base/element_types.def>
#undef SINTER_ELEMENT_TYPE

/// concatenate by the name of the Array API (numpy.concat).
template <detail::array_sequence S>
auto concat(const S& parts, std::int64_t axis = 0) {
    return concatenate(parts, axis);
}
/// concatenate by the name of the Array API (numpy.concat).
template <class T>
array<T> concat(std::initializer_list<array<T>> parts, std::int64_t axis = 0) {
    return concatenate(parts, axis);
}
/// Options of cumulative_sum and cumulative_prod: whether what nothing gives stands first.
struct cumulative_options {
    bool include_initial = false;
};

namespace detail {

template <expression E>
array<value_type_t<E>> behind_first(const E& e, int first, std::int64_t axis, cumulative_options o) {
    using T = value_type_t<E>;
    if (!o.include_initial) return e;
    dims one = e.shape();
    one[codegen::normalize_axis("concatenate", axis, e.ndim())] = 1;
    return concatenate({array<T>(full<T>(one, first)), array<T>(e)}, axis);
}

}  // namespace detail

/// Running sum along an axis (numpy.cumulative_sum).
template <expression E>
auto cumulative_sum(const E& e, std::int64_t axis) {
    return cumsum(e, codegen::normalize_axis("cumulative_sum", axis, e.ndim()));
}
/// The same of a vector; value_error for more axes.
template <expression E>
auto cumulative_sum(const E& e) {
    return cumsum(atleast_1d(e), detail::only_axis("cumulative_sum", e.shape()));
}
/// The same behind 0, which an empty sum is: `cumulative_sum(x, 0, {.include_initial = true})`.
template <expression E>
auto cumulative_sum(const E& e, std::int64_t axis, cumulative_options o) {
    return detail::behind_first(cumulative_sum(e, axis), 0, axis, o);
}
/// The same of a vector.
template <expression E>
auto cumulative_sum(const E& e, cumulative_options o) {
    return detail::behind_first(cumulative_sum(e), 0, 0, o);
}
/// Running product along an axis (numpy.cumulative_prod).
template <expression E>
auto cumulative_prod(const E& e, std::int64_t axis) {
    return cumprod(e, codegen::normalize_axis("cumulative_prod", axis, e.ndim()));
}
/// The same of a vector; value_error for more axes.
template <expression E>
auto cumulative_prod(const E& e) {
    return cumprod(atleast_1d(e), detail::only_axis("cumulative_prod", e.shape()));
}
/// The same behind 1, which an empty product is: `cumulative_prod(x, 0, {.include_initial = true})`.
template <expression E>
auto cumulative_prod(const E& e, std::int64_t axis, cumulative_options o) {
    return detail::behind_first(cumulative_prod(e, axis), 1, axis, o);
}
/// The same of a vector.
template <expression E>
auto cumulative_prod(const E& e, cumulative_options o) {
    return detail::behind_first(cumulative_prod(e), 1, 0, o);
}
/// The last two axes exchanged (numpy.matrix_transpose); throws shape_error.
template <expression E>
auto matrix_transpose(const E& e) {
    if (e.ndim() < 2)
        throw shape_error("[matrix_transpose] an array of shape " + to_string(e.shape()) + " is no matrix");
    return swapaxes(e, -1, -2);
}
namespace linalg {
using sinter::matrix_transpose;
}
/// The elements in ascending order, each once (numpy.unique_values).
template <expression E>
auto unique_values(const E& e, const unique_options& o = {}) {
    return unique(e, o);
}

/// The elements that occur in one of two arrays, in ascending order and each once (numpy.setxor1d).
template <class A, class B>
    requires detail::operands<A, B>
auto setxor1d(const A& a, const B& b) {
    using T = detail::common_of_list<A, B>;
    const array<T> x = astype<T>(detail::array_beside(a, b));
    const array<T> y = astype<T>(detail::array_beside(b, a));
    return unique(concatenate(std::tuple(setdiff1d(x, y), setdiff1d(y, x))));
}

/// An array without the zeros before and behind what is not zero, along each axis: at the front ("f"), the back ("b")
/// or both (numpy.trim_zeros). Computes e; throws value_error for other ends, index_error.
template <expression E>
auto trim_zeros(const E& e, std::string_view trim = "fb") {
    const array<value_type_t<E>> x = e;
    return array<value_type_t<E>>(detail::record_trimmed(x.get_handle(), trim, {}));
}
/// Options of trim_zeros: the axes that are trimmed, by default all.
struct trim_options {
    axes axis = {};
    std::string_view trim = "fb";
};
/// The same along some axes: `trim_zeros(m, {.axis = -1})`.
template <expression E>
auto trim_zeros(const E& e, const trim_options& o) {
    const array<value_type_t<E>> x = e;
    return array<value_type_t<E>>(detail::record_trimmed(x.get_handle(), o.trim, o.axis));
}
/// The elements, repeated as often as needed, in another shape (numpy.resize); zeros where there is none.
template <expression E>
auto resize(const E& e, const dims& shape) {
    return array<value_type_t<E>>(detail::record_resize(detail::as_handle(e), shape));
}

/// Options of packbits and unpackbits: the order of bits in a byte, "big" or "little"; and how many bits come out,
/// below 0 all but so many.
struct bits_options {
    std::string_view bitorder = "big";
    std::int64_t count = std::numeric_limits<std::int64_t>::max();
};

/// Whether elements are not zero as bits, eight of an axis in a byte, the last ones filled with zeros (numpy.packbits):
/// uint8; flat without an axis. Throws value_error for another order.
template <expression E>
array<std::uint8_t> packbits(const E& e, std::int64_t axis, const bits_options& o = {}) {
    const int a = codegen::normalize_axis("packbits", axis, e.ndim());
    return array<std::uint8_t>(detail::record_packbits(detail::as_handle(e), a, o.bitorder));
}
/// Whether elements are not zero as bits, eight of an axis in a byte, the last ones filled with zeros (numpy.packbits).
template <expression E>
array<std::uint8_t> packbits(const E& e, const bits_options& o = {}) {
    return packbits(ravel(e), 0, o);
}
/// The bits of bytes along an axis, or flat, as uint8 (numpy.unpackbits).
template <expression_of<std::uint8_t> E>
array<std::uint8_t> unpackbits(const E& e, std::int64_t axis, const bits_options& o = {}) {
    const int a = codegen::normalize_axis("unpackbits", axis, e.ndim());
    return array<std::uint8_t>(detail::record_unpackbits(detail::as_handle(e), a, o.count, o.bitorder));
}
/// The bits of bytes along an axis, or flat, as uint8 (numpy.unpackbits).
template <expression_of<std::uint8_t> E>
array<std::uint8_t> unpackbits(const E& e, const bits_options& o = {}) {
    return unpackbits(ravel(e), 0, o);
}

/// The positions that sort by several keys of one shape along an axis, the last one first (numpy.lexsort):
/// `lexsort({minor, major})`, a std::tuple of arrays or a range. Throws value_error without keys, shape_error.
template <detail::array_sequence S>
array<std::int64_t> lexsort(const S& keys, std::int64_t axis = -1) {
    return array<std::int64_t>(detail::record_lexsort(detail::sequence_traits<S>::handles(keys), axis));
}
/// The positions that sort by several keys of one shape along an axis, the last one first (numpy.lexsort).
template <class T>
array<std::int64_t> lexsort(std::initializer_list<array<T>> keys, std::int64_t axis = -1) {
    return lexsort(codegen::span(keys.begin(), keys.size()), axis);
}

/// The same by the rows of a matrix, or the parts along the first axis of an array.
template <expression E>
array<std::int64_t> lexsort(const E& keys, std::int64_t axis = -1) {
    return array<std::int64_t>(detail::record_lexsort(detail::parts_along("lexsort", detail::as_handle(keys)), axis));
}

/// What f makes of each vector along an axis, a number or an array that stands in its place (numpy.apply_along_axis): f
/// is called once for each of them, with an array. For functions that know axes, give these the axis instead. Throws
/// value_error where there is no vector.
template <class F, expression E>
auto apply_along_axis(F f, std::int64_t axis, const E& e) {
    using T = value_type_t<E>;
    const int a = codegen::normalize_axis("apply_along_axis", axis, e.ndim());
    const array<T> rows = moveaxis(e, dims(a), dims(-1));
    dims kept = rows.shape();
    const std::int64_t n = kept.back();
    kept.erase(kept.size() - 1);
    if (kept.product() == 0)
        throw value_error("[apply_along_axis] an array of shape " + to_string(e.shape()) + " has no vector");
    const array<T> lines = reshape(rows, dims(kept.product(), n));
    using R = decltype(f(array<T>(lines(0))));
    using U = typename std::conditional_t<expression<R>, std::remove_cvref<R>,
                                          std::type_identity<array<std::remove_cvref_t<R>>>>::type::value_type;
    std::vector<array<U>> results;
    for (std::int64_t i = 0; i < lines.shape()[0]; ++i) {
        if constexpr (expression<R>) results.push_back(array<U>(f(array<T>(lines(i)))));
        else results.push_back(full<U>({}, f(array<T>(lines(i)))));
    }
    dims shape = kept, from, to;
    const int own = results[0].ndim();
    for (int i = 0; i < own; ++i) {
        shape.push_back(results[0].shape()[i]);
        from.push_back(kept.size() + i);
        to.push_back(a + i);
    }
    return array<U>(moveaxis(reshape(stack(results), shape), from, to));
}
/// f(e, axis) for one axis after the other, each kept with size one (numpy.apply_over_axes).
template <class F, expression E>
auto apply_over_axes(F f, const E& e, const dims& axes) {
    using U = value_type_t<decltype(f(array<value_type_t<E>>(e), std::int64_t{0}))>;
    if (axes.size() == 0) return array<U>(astype<U>(e));
    array<U> r;
    for (int i = 0; i < axes.size(); ++i) {
        const int a = codegen::normalize_axis("apply_over_axes", axes[i], e.ndim());
        const array<U> one = i == 0 ? array<U>(astype<U>(f(array<value_type_t<E>>(e), std::int64_t{a})))
                                    : array<U>(astype<U>(f(r, std::int64_t{a})));
        if (one.ndim() != e.ndim() && one.ndim() != e.ndim() - 1)
            throw value_error("[apply_over_axes] the function makes an array of shape " + to_string(one.shape()) +
                              " of one of " + to_string(i == 0 ? e.shape() : r.shape()));
        r = one.ndim() == e.ndim() ? one : array<U>(expand_dims(one, dims(a)));
    }
    return r;
}

/// The common shape of up to six (numpy.broadcast_shapes): `broadcast_shapes({3, 1}, {4})`. Throws shape_error.
dims broadcast_shapes(const dims& a, const dims& b = {}, const dims& c = {}, const dims& d = {}, const dims& e = {},
                      const dims& f = {});
/// Whether two arrays broadcast and are equal everywhere (numpy.array_equiv).
template <class A, class B>
    requires detail::operands<A, B>
bool array_equiv(const A& a, const B& b) {
    const dims of_a = detail::shape_of(a), of_b = detail::shape_of(b);
    const int rank = of_a.size() < of_b.size() ? of_a.size() : of_b.size();
    for (int i = 1; i <= rank; ++i) {
        const std::int64_t n = of_a[of_a.size() - i], m = of_b[of_b.size() - i];
        if (n != m && n != 1 && m != 1) return false;
    }
    return bool(all(a == b));
}
/// Whether an element has no imaginary part (numpy.isreal).
template <expression E>
auto isreal(const E& e) {
    return imag(e) == 0;
}
/// Whether an element has an imaginary part (numpy.iscomplex).
template <expression E>
auto iscomplex(const E& e) {
    return imag(e) != 0;
}
/// The real parts where no imaginary part is as large as `tol` of the type's eps, or as `tol` itself up to one, and
/// nothing where one is (numpy.real_if_close, which returns the complex numbers then): `if (auto r =
/// real_if_close(z))`. Reads the imaginary parts; NaN is not close.
template <expression E>
auto real_if_close(const E& e, double tol = 100) {
    using T = value_type_t<E>;
    using R = value_type_t<decltype(real(e))>;
    std::optional<array<R>> found;
    const double least = tol > 1 ? tol * static_cast<double>(std::numeric_limits<R>::epsilon()) : tol;
    if constexpr (!codegen::is_complex(dtype_of<T>)) found = array<R>(e);
    else if (bool(all(abs(imag(e)) < least))) found = array<R>(real(e));
    return found;
}
/// Powers in float64 or complex128 (numpy.float_power).
template <class A, class B>
    requires detail::operands<A, B>
auto float_power(const A& a, const B& b) {
    if constexpr (expression<A>) {
        using W = std::conditional_t<codegen::is_complex(dtype_of<value_type_t<A>>), std::complex<double>, double>;
        return power(astype<W>(a), b);
    } else {
        using W = std::conditional_t<codegen::is_complex(dtype_of<value_type_t<B>>), std::complex<double>, double>;
        return power(a, astype<W>(b));
    }
}

}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END

#if SINTER_HEADER_ONLY
#include <sinter/analysis/rearranging.ipp>
#endif
