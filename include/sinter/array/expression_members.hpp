// What arrays, their parts and expressions share: members, elements, indices and what may be assigned; must not know
// where an array's value is kept.
#pragma once

#include <sinter/array/expression.hpp>
#include <sinter/array/index.hpp>
#include <sinter/array/reading.hpp>

#include <array>
#include <initializer_list>
#include <tuple>

namespace sinter::inline SINTER_ABI {

namespace detail {

template <class Element>
class row_value;
template <class A>
inline constexpr bool is_array = false;
template <class T>
inline constexpr bool is_array<array<T>> = true;
template <class... X>
struct lossy_assignment;
template <class... X>
struct assigned_value;
template <class... X>
struct assigned_number;
template <class... X>
struct assigned_part;

/// What arrays may hold.
template <class T>
inline constexpr bool is_element = std::is_integral_v<T> || std::is_same_v<T, float> || std::is_same_v<T, double> ||
                                   codegen::is_half_type<T> || is_complex_type<T>::value;
template <>
inline constexpr bool is_element<char> = false;
template <>
inline constexpr bool is_element<wchar_t> = false;
template <>
inline constexpr bool is_element<char8_t> = false;
template <>
inline constexpr bool is_element<char16_t> = false;
template <>
inline constexpr bool is_element<char32_t> = false;

/// Data of C++ that asarray makes an array of.
template <class V>
inline constexpr bool is_host_data = false;
template <class T>
concept host_element = is_element<T> || is_host_data<T>;
template <host_element T, std::size_t N>
inline constexpr bool is_host_data<T[N]> = true;
template <host_element T, std::size_t N>
inline constexpr bool is_host_data<std::array<T, N>> = true;
template <host_element T, class A>
inline constexpr bool is_host_data<std::vector<T, A>> = true;
template <class V>
concept host_data = is_host_data<std::remove_cvref_t<V>>;

/// An expression as a value of type T.
template <class T, expression E>
handle record_expression(const E& e) {
    if constexpr (requires { e.get_handle(); }) {
        return record_cast(e.get_handle(), dtype_of<T>);
    } else {
        recorder& r = fresh_recorder();
        e.append_to(r);
        if constexpr (!std::same_as<T, value_type_t<E>>) r.add_cast(dtype_of<T>);
        return record(r, dtype_of<T>, e.shape());
    }
}

template <class T>
codegen::scalar_value number(const T& v) {
    return codegen::scalar_value::of(v);
}

template <class T>
const handle& as_handle(const array<T>& a);
template <class T>
const handle& as_handle(const indexed<T>& a);
template <expression E>
handle as_handle(const E& e) {
    return record_expression<value_type_t<E>>(e);
}

/// A C++ number as an element; an integer that does not fit throws value_error.
template <class T, class S>
constexpr T checked_element(std::string_view operation, const S& s) {
    static_assert(!(codegen::is_floating(dtype_of<S>) && std::is_integral_v<T>),
                  "sinter: a floating number as an integer or bool would lose its fraction: convert it first");
    if constexpr (std::is_integral_v<T> && !std::same_as<T, bool> && std::is_integral_v<S> && !std::same_as<S, bool> &&
                  !std::same_as<S, char> && is_element<T>)
        if (!std::in_range<T>(s)) throw_does_not_fit(operation, std::to_string(s), dtype_of<T>);
    return codegen::ieee::as<T>(s);
}

/// Braced data of any depth: a number or a list of such, which lives as long as the braces do. It is destroyed without
/// a trace, since compilers take the square of the time for a list of what is not.
template <class T>
struct nested {
    const nested* items = nullptr;
    std::int64_t count = -1;  ///< of a list; -1: a number
    T value{};
    constexpr nested(T v) : value(v) {}
    template <class S>
        requires(std::convertible_to<S, T> && !std::same_as<S, T> && scalar_operand<S>)
    constexpr nested(S v) : value(checked_element<T>("array", v)) {}
    constexpr nested(std::initializer_list<nested> list) {
        items = list.begin();
        count = static_cast<std::int64_t>(list.size());
    }

    dims shape() const {
        if (count < 0) return {};
        dims each = count > 0 ? items[0].shape() : dims();
        for (std::int64_t i = 1; i < count; ++i)
            if (const dims other = items[i].shape(); other != each)
                throw shape_error("[array] ragged data: an element of shape " + to_string(other) +
                                  " beside one of shape " + to_string(each));
        each.insert(0, count);
        return each;
    }
    /// Writes the numbers in order, and gives where those behind them go.
    T* write(T* to) const {
        if (count < 0) *to++ = value;
        for (std::int64_t i = 0; i < count; ++i) to = items[i].write(to);
        return to;
    }
};

template <class T>
handle store_nested(const nested<T>& n) {
    const dims shape = n.shape();
    codegen::sequence<T> values;
    values.resize(static_cast<std::size_t>(shape.product()));
    n.write(values.data());
    return store(dtype_of<T>, shape, values.data());
}

inline index_item index_of(const slice& s) { return {.kind = index_item::what::slice, .range = s}; }
inline index_item index_of(const all_t&) { return {.kind = index_item::what::slice}; }
inline index_item index_of(newaxis_t) { return {.kind = index_item::what::newaxis}; }
inline index_item index_of(ellipsis_t) { return {.kind = index_item::what::ellipsis}; }
template <std::integral I>
index_item index_of(I number) {
    return {.kind = index_item::what::number, .number = static_cast<std::int64_t>(number)};
}
template <expression E>
index_item index_of(const E& e) {
    constexpr char kind = codegen::kind_of(dtype_of<value_type_t<E>>);
    static_assert(kind == 'b' || kind == 'i' || kind == 'u', "sinter: index arrays hold integers, masks hold bool");
    return {.kind = kind == 'b' ? index_item::what::mask : index_item::what::indices, .indices = as_handle(e)};
}
/// What may stand in an array's parentheses.
template <class X>
inline constexpr bool is_index =
    (std::is_integral_v<X> && !std::is_same_v<X, bool>) || expression<X> || std::is_same_v<X, slice> ||
    std::is_same_v<X, all_t> || std::is_same_v<X, newaxis_t> || std::is_same_v<X, ellipsis_t>;

template <class... I>
std::array<index_item, sizeof...(I)> index_items(const I&... i) {
    static_assert((is_index<I> && ...),
                  "sinter: an index is an integer, a slice, all, newaxis, ellipsis, an array of integers or a mask");
    if constexpr ((is_index<I> && ...)) return {index_of(i)...};
    else return {};
}
/// Index arrays for the leading axes, as nonzero gives them.
template <class L>
concept index_list = !expression<L> && requires(const L& each) {
    each.size();
    requires expression<decltype(*each.begin())>;
};
template <index_list L>
codegen::sequence<index_item> index_items(const L& each) {
    codegen::sequence<index_item> items;
    for (const auto& one : each) items.push_back(index_of(one));
    return items;
}

/// The same as a tuple, as ix_ gives them.
template <expression... A>
std::array<index_item, sizeof...(A)> index_items(const std::tuple<A...>& each) {
    return std::apply([](const A&... one) { return index_items(one...); }, each);
}

/// Number of rows along the first axis; throws value_error for an array without axes.
std::int64_t count_rows(const dims& shape);

/// Reverses all axes, exchanges the last two, copies, moves to another device.
handle transposed_all(const handle& h);
handle transposed_last(const handle& h);
handle copied(const handle& h);
handle moved(const handle& h, device to);

/// The const members of arrays and expressions.
template <class Derived, class Element>
class expression_base : public expression_tag {
public:
    using value_type = Element;

    int ndim() const { return self().shape().size(); }
    /// The size of one axis, negative ones counted from the end; throws index_error.
    std::int64_t shape(int axis) const {
        const dims& sizes = self().shape();
        return sizes[codegen::normalize_axis("shape", axis, sizes.size())];
    }
    std::int64_t size() const { return self().shape().product(); }
    std::int64_t itemsize() const { return codegen::size_of(dtype_of<Element>); }
    std::int64_t nbytes() const { return size() * itemsize(); }
    sinter::dtype dtype() const { return dtype_of<Element>; }
    sinter::device device() const { return as_handle(self())->where; }
    /// Bytes between neighbours along each axis.
    dims strides() const { return strides_of(as_handle(self())); }

    /// The elements at an index (see index.hpp); a view where NumPy gives one.
    template <class... I>
    array<Element> operator()(const I&... i) const {
        return pick(index_items(i...));
    }
    template <class I>
    array<Element> operator[](const I& i) const {
        return pick(index_items(i));
    }
#if defined(__cpp_multidimensional_subscript)
    template <class... I>
        requires(sizeof...(I) > 1)
    array<Element> operator[](const I&... i) const {
        return pick(index_items(i...));
    }
#endif
    /// The elements in row-major order in another shape (numpy.ndarray.reshape): `a.reshape({2, -1})`, `a.reshape(2,
    /// 3)`. Throws shape_error, value_error.
    SINTER_NEW_VALUE array<Element> reshape(const dims& shape) const {
        return array<Element>(record_reshape(as_handle(self()), shape));
    }
    template <std::integral... I>
        requires(sizeof...(I) > 1)
    SINTER_NEW_VALUE array<Element> reshape(I... sizes) const {
        return reshape(dims{static_cast<std::int64_t>(sizes)...});
    }
    /// The transpose: all axes reversed.
    SINTER_NEW_VALUE array<Element> T() const { return array<Element>(transposed_all(as_handle(self()))); }
    /// The last two axes exchanged.
    SINTER_NEW_VALUE array<Element> mT() const { return array<Element>(transposed_last(as_handle(self()))); }
    template <class To>
    SINTER_NEW_VALUE array<To> astype() const {
        return array<To>(record_cast(as_handle(self()), dtype_of<To>));
    }
    /// A new array with memory of its own.
    SINTER_NEW_VALUE array<Element> copy() const { return array<Element>(copied(as_handle(self()))); }
    /// Computes the value now.
    array<Element> eval() const {
        handle h = as_handle(self());
        runtime::evaluate(h.alone(), runtime::policy::request);
        return array<Element>(std::move(h));
    }
    /// A copy on another device.
    SINTER_NEW_VALUE array<Element> to(sinter::device d) const { return array<Element>(moved(as_handle(self()), d)); }
    /// The element at an index of numbers, or the only one; throws index_error or value_error.
    template <std::integral... I>
    Element item(I... i) const {
        const std::int64_t at[sizeof...(I) + 1] = {static_cast<std::int64_t>(i)...};
        return read_item(as_handle(self()), {at, sizeof...(I)}).template as<Element>();
    }
    /// Rows along the first axis, as values: `for (auto row : a)`; throws value_error for an array without axes.
    row_iterator<Element> begin() const { return {array<Element>(as_handle(self())), 0}; }
    row_iterator<Element> end() const { return {array<Element>(), count_rows(self().shape())}; }
    /// A value of size one as a C++ number: `double(sum(x))`, `if (all(x == y))`.
    template <scalar_operand S>
        requires(is_complex_type<S>::value || !is_complex_type<Element>::value || std::same_as<S, bool>)
    explicit operator S() const {  // sinter: write double(x), x.item(0) or bool(x)
        const handle& h = as_handle(self());
        if constexpr (std::same_as<S, bool>) require_truth(h->shape);
        const Element single = read_item(h, {}).template as<Element>();
        if constexpr (std::same_as<S, bool>) return codegen::ieee::is_nonzero(single);
        else return codegen::ieee::as<S>(single);
    }
    // An array becomes a number when it is asked to. These are for the message; volatile makes them worse than the
    // conversion above, and only arrays have them, to their own type, lest overloads for numbers and arrays collide.
    // Of enable_if clang says less than of a constraint.
    template <class S, class = std::enable_if_t<is_array<Derived> && std::is_same_v<S, Element>>>
    operator S() const volatile = delete;  // sinter: write double(x), x.item(0) or bool(x); and exp(x) for std::exp(x)
    template <class V, class = std::enable_if_t<is_array<Derived> && std::is_same_v<V, Element>>>
    operator std::vector<V>() const volatile = delete;  // sinter: write to_vector(x)

private:
    const Derived& self() const { return static_cast<const Derived&>(*this); }
    array<Element> pick(codegen::span<const index_item> items) const {
        handle h = as_handle(self());
        return array<Element>(read_selection(h, select(h, items)));
    }
};

/// Assignment converts within a kind and upward: float to int, complex to real and number to bool need astype.
template <class From, class To>
inline constexpr bool is_assignable = codegen::kind_rank(dtype_of<From>) <= codegen::kind_rank(dtype_of<To>);

template <class From, class To>
constexpr void require_assignable() {
    static_assert(
        is_assignable<From, To>,
        "sinter: this assignment would lose the fraction, the imaginary part or the number: write astype<T>(x)");
}

/// A C++ number that is written to elements of type T; value_error when it does not fit.
template <class T, class S>
codegen::scalar_value written_number(std::string_view operation, const S& s) {
    require_assignable<S, T>();
    if constexpr (is_assignable<S, T>) return number(checked_element<T>(operation, s));
    else return {};
}

/// What may be written to elements of type T: an expression or a number that converts.
template <class T, class V>
handle as_written(std::string_view operation, const V& v) {
    if constexpr (expression<V>) {
        require_assignable<value_type_t<V>, T>();
        return record_expression<T>(v);
    } else {
        return record_scalar(written_number<T>(operation, v), {});
    }
}

}  // namespace detail
}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/array/expression_members.ipp>
#endif
