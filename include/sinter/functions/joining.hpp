// Arrays put together and prolonged: concatenate and its relatives, tile, repeat, roll, insert, delete.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/array/host.hpp>
#include <sinter/functions/any_operand.hpp>
#include <sinter/functions/creation.hpp>
#include <sinter/functions/shape_functions.hpp>

#include <iterator>

namespace sinter::inline SINTER_ABI {

namespace detail {

handle record_concatenate(std::string_view name, codegen::span<const handle> parts, dtype type, std::int64_t axis);
handle record_stack(std::string_view name, codegen::span<const handle> parts, dtype type, std::int64_t axis);
handle record_hstack(codegen::span<const handle> parts, dtype type);
handle record_vstack(codegen::span<const handle> parts, dtype type);
handle record_dstack(codegen::span<const handle> parts, dtype type);
handle record_column_stack(codegen::span<const handle> parts, dtype type);

/// Where the first that is there has its elements.
device device_of_first(codegen::span<const handle> parts);

handle record_tile(const handle& x, const dims& times);
handle record_repeat(const handle& x, std::int64_t times, int axis);
handle record_repeat(const handle& x, codegen::span<const std::int64_t> times, int axis);
/// A number, or those of a vector, which is read.
std::vector<std::int64_t> read_counts(std::string_view name, const handle& counts);
handle record_roll(const handle& x, std::int64_t shift, int axis);
handle record_rolls(const handle& x, const dims& shifts, const dims& axes);
handle record_insert(const handle& x, std::int64_t at, const handle& values, int axis);
handle record_insert(const handle& x, codegen::span<const std::int64_t> at, const handle& values, int axis);
handle record_delete(const handle& x, codegen::span<const std::int64_t> at, int axis);
handle record_delete(const handle& x, const slice& at, int axis);
/// Without what conditions or positions say, which are read.
handle record_delete(const handle& x, const handle& at, int axis);
/// The elements of an axis at positions that are known on the host.
handle record_take_known(const handle& x, codegen::span<const std::int64_t> at, int axis);

constexpr dtype promote_all(std::initializer_list<dtype> types) {
    dtype t = *types.begin();
    for (dtype u : types) t = codegen::promote(t, u);
    return t;
}

/// Several arrays as handles, and the type that holds all of them.
template <class S>
struct sequence_traits;
template <operand... X>
    requires((expression<X> || ...))
struct sequence_traits<std::tuple<X...>> {
    using type = common_of_list<X...>;
    static codegen::sequence<handle> handles(const std::tuple<X...>& s) {
        return std::apply([](const auto&... x) { return handles_of(x...); }, s);
    }

private:
    static codegen::sequence<handle> handles_of(const X&... x) {
        codegen::sequence<handle> h{array_or_none(x)...};
        if constexpr (!(expression<X> && ...)) {
            const device_scope on(device_of_first(h));
            std::size_t k = 0;
            (add_number(h[k++], x), ...);
        }
        return h;
    }
    template <class Y>
    static handle array_or_none(const Y& x) {
        if constexpr (expression<Y>) return as_handle(x);
        else return {};
    }
    template <class Y>
    static void add_number(handle& at, const Y& x) {
        if constexpr (!expression<Y>) at = number_in_list<type>(x);
    }
};
template <class R>
    requires(!expression<R> && expression<decltype(*std::begin(std::declval<const R&>()))>)
struct sequence_traits<R> {
    using type = value_type_t<decltype(*std::begin(std::declval<const R&>()))>;
    static codegen::sequence<handle> handles(const R& s) {
        codegen::sequence<handle> h;
        for (const auto& e : s) h.push_back(as_handle(e));
        return h;
    }
};

/// One in a list of arrays and expressions with elements of type T.
template <class T>
struct part {
    template <expression E>
        requires(dtype_of<value_type_t<E>> == dtype_of<T>)
    part(const E& e) : value(as_handle(e)) {}
    handle value;
};

template <class T>
codegen::sequence<handle> handles_of(std::initializer_list<array<T>> parts) {
    codegen::sequence<handle> h;
    h.reserve(parts.size());
    for (const array<T>& p : parts) h.push_back(p.get_handle());
    return h;
}
template <class T>
codegen::sequence<handle> handles_of(std::initializer_list<part<T>> parts) {
    codegen::sequence<handle> h;
    h.reserve(parts.size());
    for (const part<T>& p : parts) h.push_back(p.value);
    return h;
}

/// A std::tuple of arrays, expressions and numbers, or a range of arrays of one type.
template <class S>
concept array_sequence = requires { typename sequence_traits<S>::type; };

}  // namespace detail

// Every function takes a std::tuple of arrays, expressions and numbers, a range of arrays, or a braced list of arrays
// and expressions whose elements have one type, declared below.
#define SINTER_JOIN_FUNCTION(name, body)                                    \
    template <detail::array_sequence S>                                     \
    SINTER_NEW_VALUE auto name(const S& parts) {                            \
        using T = typename detail::sequence_traits<S>::type;                \
        auto h = detail::sequence_traits<S>::handles(parts);                \
        return array<T>(detail::body(h, dtype_of<T>));                      \
    }                                                                       \
    template <class T>                                                      \
    SINTER_NEW_VALUE array<T> name(std::initializer_list<array<T>> parts) { \
        return name(codegen::span(parts.begin(), parts.size()));            \
    }                                                                       \
    template <expression E, class... X>                                     \
    detail::arrays_without_braces<E> name(const E&, const X&...);
#define SINTER_JOIN_FUNCTION_ALONG(name, body)                                                     \
    template <detail::array_sequence S>                                                            \
    SINTER_NEW_VALUE auto name(const S& parts, std::int64_t axis = 0) {                            \
        using T = typename detail::sequence_traits<S>::type;                                       \
        auto h = detail::sequence_traits<S>::handles(parts);                                       \
        return array<T>(detail::body(#name, h, dtype_of<T>, axis));                                \
    }                                                                                              \
    template <class T>                                                                             \
    SINTER_NEW_VALUE array<T> name(std::initializer_list<array<T>> parts, std::int64_t axis = 0) { \
        return name(codegen::span(parts.begin(), parts.size()), axis);                             \
    }                                                                                              \
    template <expression E, class... X>                                                            \
    detail::arrays_without_braces<E> name(const E&, const X&...);
inline namespace functions {
/// One after the other along an axis (numpy.concatenate), each stored straight into the result; types are promoted.
/// Throws shape_error and value_error.
SINTER_JOIN_FUNCTION_ALONG(concatenate, record_concatenate)
/// Along a new axis (numpy.stack).
SINTER_JOIN_FUNCTION_ALONG(stack, record_stack)
/// Side by side, vectors one after the other (numpy.hstack).
SINTER_JOIN_FUNCTION(hstack, record_hstack)
/// Below each other, vectors as rows (numpy.vstack).
SINTER_JOIN_FUNCTION(vstack, record_vstack)
/// Behind each other, along a third axis (numpy.dstack).
SINTER_JOIN_FUNCTION(dstack, record_dstack)
/// Side by side, vectors as columns (numpy.column_stack).
SINTER_JOIN_FUNCTION(column_stack, record_column_stack)
}  // namespace functions
#undef SINTER_JOIN_FUNCTION
#undef SINTER_JOIN_FUNCTION_ALONG

// Of a list of several C++ types nothing can be deduced: each element type has overloads that are no templates. They
// are declared alone, since sixteen types of arrays would be compiled in every file for their bodies.
#define SINTER_ELEMENT_TYPE(dtype_name, T)                                                                      \
    SINTER_NEW_VALUE array<T> concatenate(std::initializer_list<detail::part<T>> parts, std::int64_t axis = 0); \
    SINTER_NEW_VALUE array<T> stack(std::initializer_list<detail::part<T>> parts, std::int64_t axis = 0);       \
    SINTER_NEW_VALUE array<T> hstack(std::initializer_list<detail::part<T>> parts);                             \
    SINTER_NEW_VALUE array<T> vstack(std::initializer_list<detail::part<T>> parts);                             \
    SINTER_NEW_VALUE array<T> dstack(std::initializer_list<detail::part<T>> parts);                             \
    SINTER_NEW_VALUE array<T> column_stack(std::initializer_list<detail::part<T>> parts);
#include <sinter/codegen/base/element_types.def>
#undef SINTER_ELEMENT_TYPE

/// b after a along an axis, or both flat (numpy.append).
template <expression A, expression B>
SINTER_NEW_VALUE auto append(const A& a, const B& b, std::int64_t axis) {
    using pair = std::tuple<A, B>;
    using T = typename detail::sequence_traits<pair>::type;
    const auto parts = detail::sequence_traits<pair>::handles(pair(a, b));
    return array<T>(detail::record_concatenate("append", parts, dtype_of<T>, axis));
}
/// b after a along an axis, or both flat (numpy.append); one may be a number.
template <class A, class B>
    requires detail::operands<A, B>
SINTER_NEW_VALUE auto append(const A& a, const B& b) {
    using pair = std::tuple<A, B>;
    using T = typename detail::sequence_traits<pair>::type;
    auto parts = detail::sequence_traits<pair>::handles(pair(a, b));
    for (detail::handle& h : parts) h = detail::record_reshape(h, {-1});
    return array<T>(detail::record_concatenate("append", parts, dtype_of<T>, 0));
}

/// The whole repeated along its axes (numpy.tile).
template <expression E>
SINTER_NEW_VALUE auto tile(const E& e, const dims& times) {
    return detail::as_array_of(e, detail::record_tile(detail::as_handle(e), times));
}
/// Each element, or each slice along an axis, repeated (numpy.repeat): a number of times, or one for each in a vector
/// of the host or an array of integers, which is read.
template <expression E, std::integral N>
SINTER_NEW_VALUE auto repeat(const E& e, N times, std::int64_t axis) {
    int a = codegen::normalize_axis("repeat", axis, e.ndim());
    return detail::as_array_of(e, detail::record_repeat(detail::as_handle(e), static_cast<std::int64_t>(times), a));
}
/// Each element, or each slice along an axis, repeated (numpy.repeat).
template <expression E, std::integral N>
SINTER_NEW_VALUE auto repeat(const E& e, N times) {
    return repeat(ravel(e), times, 0);
}
/// A number so many times (numpy.repeat).
template <detail::scalar_operand S, std::integral N>
auto repeat(const S& s, N times) {
    return repeat(broadcast_to(s, dims(1)), times, 0);
}
/// Each element, or each slice along an axis, repeated (numpy.repeat).
template <expression E>
SINTER_NEW_VALUE auto repeat(const E& e, const std::vector<std::int64_t>& times, std::int64_t axis) {
    int a = codegen::normalize_axis("repeat", axis, e.ndim());
    return detail::as_array_of(e, detail::record_repeat(detail::as_handle(e), times, a));
}
/// Each element, or each slice along an axis, repeated (numpy.repeat).
template <expression E>
SINTER_NEW_VALUE auto repeat(const E& e, const std::vector<std::int64_t>& times) {
    return repeat(ravel(e), times, 0);
}
/// Each element, or each slice along an axis, repeated (numpy.repeat).
template <expression E, expression N>
SINTER_NEW_VALUE auto repeat(const E& e, const N& times, std::int64_t axis) {
    static_assert(codegen::kind_rank(dtype_of<value_type_t<N>>) < 2, "sinter: counts are integers");
    return repeat(e, detail::read_counts("repeat", detail::as_handle(times)), axis);
}
/// Each element, or each slice along an axis, repeated (numpy.repeat).
template <expression E, expression N>
SINTER_NEW_VALUE auto repeat(const E& e, const N& times) {
    return repeat(ravel(e), times, 0);
}
/// Shifted along an axis, or flat, what leaves at the end coming in at the beginning (numpy.roll); as many shifts as
/// axes, or one of either for all of the others, value_error otherwise.
template <expression E>
SINTER_NEW_VALUE auto roll(const E& e, std::int64_t shift) {
    detail::handle flat = detail::record_roll(detail::record_reshape(detail::as_handle(e), dims(-1)), shift, 0);
    return detail::as_array_of(e, detail::record_reshape(flat, e.shape()));
}
/// Shifted along an axis, or flat, what leaves at the end coming in at the beginning (numpy.roll).
template <expression E>
SINTER_NEW_VALUE auto roll(const E& e, const dims& shifts, const dims& axes) {
    return detail::as_array_of(e, detail::record_rolls(detail::as_handle(e), shifts, axes));
}

namespace detail {

/// What is inserted among elements of type T.
template <class T, operand V>
handle inserted(const V& values) {
    if constexpr (expression<V>) return as_handle(values);
    else return record_scalar(checked_number("insert", dtype_of<T>, number(values)), {});
}

}  // namespace detail

/// With values before one or several positions of an axis, or of the flat array (numpy.insert), converted as C++
/// converts; throws index_error, and value_error for a number that does not fit in integers.
template <expression E, std::integral N, detail::operand V>
SINTER_NEW_VALUE auto insert(const E& e, N at, const V& values, std::int64_t axis) {
    int a = codegen::normalize_axis("insert", axis, e.ndim());
    const detail::handle v = detail::inserted<value_type_t<E>>(values);
    return detail::as_array_of(e, detail::record_insert(detail::as_handle(e), static_cast<std::int64_t>(at), v, a));
}
/// With values before one or several positions of an axis, or of the flat array (numpy.insert), converted as C++
/// converts.
template <expression E, std::integral N, detail::operand V>
SINTER_NEW_VALUE auto insert(const E& e, N at, const V& values) {
    return insert(ravel(e), at, values, 0);
}
/// With values before one or several positions of an axis, or of the flat array (numpy.insert), converted as C++
/// converts.
template <expression E, detail::operand V>
SINTER_NEW_VALUE auto insert(const E& e, const std::vector<std::int64_t>& at, const V& values, std::int64_t axis) {
    int a = codegen::normalize_axis("insert", axis, e.ndim());
    const detail::handle v = detail::inserted<value_type_t<E>>(values);
    return detail::as_array_of(e, detail::record_insert(detail::as_handle(e), at, v, a));
}
/// With values before one or several positions of an axis, or of the flat array (numpy.insert), converted as C++
/// converts.
template <expression E, detail::operand V>
SINTER_NEW_VALUE auto insert(const E& e, const std::vector<std::int64_t>& at, const V& values) {
    return insert(ravel(e), at, values, 0);
}
/// The same before positions that an array of integers has, which is read.
template <expression E, expression I, detail::operand V>
SINTER_NEW_VALUE auto insert(const E& e, const I& at, const V& values, std::int64_t axis) {
    static_assert(codegen::is_integer(dtype_of<value_type_t<I>>), "sinter: insert takes positions that are integers");
    return insert(e, to_vector(ravel(array<std::int64_t>(astype<std::int64_t>(at)))), values, axis);
}
/// The same before positions that an array of integers has, which is read.
template <expression E, expression I, detail::operand V>
SINTER_NEW_VALUE auto insert(const E& e, const I& at, const V& values) {
    return insert(ravel(e), at, values, 0);
}
/// Without one or several positions of an axis, or of the flat array (numpy.delete); throws index_error.
template <expression E, std::integral N>
SINTER_NEW_VALUE auto delete_(const E& e, N at, std::int64_t axis) {
    int a = codegen::normalize_axis("delete_", axis, e.ndim());
    const std::int64_t one = static_cast<std::int64_t>(at);
    return detail::as_array_of(e, detail::record_delete(detail::as_handle(e), {&one, 1}, a));
}
/// Without one or several positions of an axis, or of the flat array (numpy.delete).
template <expression E, std::integral N>
SINTER_NEW_VALUE auto delete_(const E& e, N at) {
    return delete_(ravel(e), at, 0);
}
/// Without one or several positions of an axis, or of the flat array (numpy.delete).
template <expression E>
SINTER_NEW_VALUE auto delete_(const E& e, const std::vector<std::int64_t>& at, std::int64_t axis) {
    int a = codegen::normalize_axis("delete_", axis, e.ndim());
    return detail::as_array_of(e, detail::record_delete(detail::as_handle(e), at, a));
}
/// Without one or several positions of an axis, or of the flat array (numpy.delete).
template <expression E>
SINTER_NEW_VALUE auto delete_(const E& e, const std::vector<std::int64_t>& at) {
    return delete_(ravel(e), at, 0);
}
/// The same of a slice, and of what a vector of conditions or of positions says, which is read.
template <expression E, std::same_as<slice> S>
SINTER_NEW_VALUE auto delete_(const E& e, const S& at, std::int64_t axis) {
    int a = codegen::normalize_axis("delete_", axis, e.ndim());
    return detail::as_array_of(e, detail::record_delete(detail::as_handle(e), at, a));
}
/// The same of a slice, and of what a vector of conditions or of positions says, which is read.
template <expression E, expression I>
SINTER_NEW_VALUE auto delete_(const E& e, const I& at, std::int64_t axis) {
    static_assert(codegen::kind_rank(dtype_of<value_type_t<I>>) < 2,
                  "sinter: delete_ takes positions that are integers, or conditions");
    int a = codegen::normalize_axis("delete_", axis, e.ndim());
    return detail::as_array_of(e, detail::record_delete(detail::as_handle(e), detail::as_handle(at), a));
}
/// The same of a slice, and of what a vector of conditions or of positions says, which is read.
template <expression E, class I>
    requires(std::same_as<I, slice> || expression<I>)
SINTER_NEW_VALUE auto delete_(const E& e, const I& at) {
    return delete_(ravel(e), at, 0);
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/functions/joining.ipp>
#endif
