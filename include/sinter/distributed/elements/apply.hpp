// The ways in which functions of elements apply to distributed arrays: functions of ordinary arrays, of the parts, and
// operations by their words, which the next operation continues.
#pragma once

#include <cmath>
#include <sinter/distributed/array.hpp>
#include <sinter/distributed/elements/element_operation.hpp>

namespace sinter::inline SINTER_ABI {

namespace detail {

/// How large a number is, of a complex one its larger part; 0 of what is no number.
template <class A>
double size_of_number(const A& a) {
    if constexpr (distributed_operand<A> || expression<A>) return 0;
    else if constexpr (requires { a.imag(); })
        return std::max(std::abs(static_cast<double>(a.real())), std::abs(static_cast<double>(a.imag())));
    else return std::abs(static_cast<double>(a));
}

/// A distributed operand: one without a name gives its value away.
template <class A>
map_operand operand_of(const session_ref& s, A&& a) {
    if constexpr (distributed_operand<A>) {
        if constexpr (std::is_lvalue_reference_v<A> || std::is_const_v<A>) return map_operand(a.get_value());
        else return map_operand(&a.value_to_take());
    } else if constexpr (expression<A>) {
        return map_operand(as_distributed(s, a));
    } else {
        return map_operand(size_of_number(a));
    }
}

/// A function of elements, applied to the parts: what it is of ordinary arrays is what it is here.
template <class F, class... A>
auto distributed_map(std::string_view name, distributed::operation_class c, F&& f, const A&... a) {
    const map_operand operands[] = {operand_of(session_of(a...), a)...};
    planned_operands p(name, c, operands);
    auto part = [](const handle& h, const auto& x) -> decltype(auto) {
        using X = std::remove_cvref_t<decltype(x)>;
        if constexpr (distributed_operand<X> || expression<X>) return sinter::array<typename X::value_type>(h);
        else return (x);
    };
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        auto e = f(part(p.parts[I], a)...);
        using R = value_type_t<decltype(e)>;
        return distributed::array<R>(p.result(record_expression<R>(e)));
    }(std::index_sequence_for<A...>());
}

/// What an operand is in an expression of ordinary arrays.
template <class A>
struct ordinary_operand {
    using type = A;
};
template <class A>
    requires(distributed_operand<A> || expression<A>)
struct ordinary_operand<A> {
    using type = sinter::array<typename A::value_type>;
};
template <class A>
using ordinary = typename ordinary_operand<std::remove_cvref_t<A>>::type;

/// What a node of ordinary arrays does with its operands, as its type has it: the type to which each is converted, or
/// that of a number.
template <class Operand>
struct operand_words {
    static void set(map_operand&, op, const auto&) {}
};
template <class A, class T>
struct operand_words<cast_node<A, T>> {
    static void set(map_operand& o, op, const auto&) { o.converted = static_cast<int>(dtype_of<T>); }
};
template <class T>
struct operand_words<scalar_node<T>> {
    static void set(map_operand& o, op how, const auto& number) {
        o.number = codegen::scalar_value::of(make_scalar<dtype_of<T>>(how, number).value);
    }
};

template <op How, class Result, class... Node, class... A>
distributed::array<Result> apply_node(std::string_view name, A&&... a) {
    const session_ref& s = session_of(a...);
    map_operand operands[] = {operand_of(s, static_cast<A&&>(a))...};
    map_operand* next = operands;
    (operand_words<Node>::set(*next++, How, a), ...);
    return distributed::array<Result>(apply_elements({name, How, dtype_of<Result>}, operands));
}

/// An operation on elements, by the words of its node.
template <class Node>
struct node_words;
template <op O, class X, class T>
struct node_words<unary_node<O, X, T>> {
    static auto apply(std::string_view name, auto&&... a) {
        return apply_node<O, T, X>(name, static_cast<decltype(a)>(a)...);
    }
};
template <op O, class X, class Y, class T>
struct node_words<binary_node<O, X, Y, T>> {
    static auto apply(std::string_view name, auto&&... a) {
        return apply_node<O, T, X, Y>(name, static_cast<decltype(a)>(a)...);
    }
};
template <op O, class C, class X, class Y, class T>
struct node_words<ternary_node<O, C, X, Y, T>> {
    static auto apply(std::string_view name, auto&&... a) {
        return apply_node<O, T, C, X, Y>(name, static_cast<decltype(a)>(a)...);
    }
};

template <class To, class A>
distributed::array<To> distributed_conversion(A&& a) {
    map_operand operands[] = {operand_of(a.get_session(), static_cast<A&&>(a))};
    if constexpr (!std::same_as<To, typename std::remove_cvref_t<A>::value_type>)
        operands[0].converted = static_cast<int>(dtype_of<To>);
    return distributed::array<To>(
        apply_elements({.name = "astype", .result = dtype_of<To>, .is_conversion = true}, operands));
}

}  // namespace detail

namespace distributed {

/// A function that takes each element by itself, of ordinary arrays, applied to the parts of distributed ones:
/// `map([](auto x, auto y) { return where(x > y, x, 0); }, a, b)`. Operands broadcast; throws as elementwise functions
/// do.
template <class F, class... A>
    requires detail::distributed_call<A...>
auto map(F&& f, const A&... a) {
    return detail::distributed_map("map", operation_class::map, f, a...);
}

template <class T>
template <class To>
array<To> array<T>::astype() const& {
    return detail::distributed_conversion<To>(*this);
}
template <class T>
template <class To>
array<To> array<T>::astype() && {
    return detail::distributed_conversion<To>(std::move(*this));
}

}  // namespace distributed
}  // namespace sinter::inline SINTER_ABI
