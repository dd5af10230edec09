// Arrays and numbers where either may stand: as options of any type, and beside each other in calls, as NumPy takes
// them: numbers become arrays without axes.
#pragma once

#include <sinter/array/operators.hpp>

#include <optional>

namespace sinter::inline SINTER_ABI::detail {

/// A number of any type.
struct any_number {
    template <scalar_operand S>
    any_number(const S& s) : value(number(s)) {}
    codegen::scalar_value value;
};

/// An array of any type, or none.
struct any_array {
    any_array() = default;
    template <expression E>
    any_array(const E& e) : value(as_handle(e)) {}
    handle value;
};

/// An array or a number of any type, or none.
struct any_operand : any_array {
    any_operand() = default;
    template <expression E>
    any_operand(const E& e) : any_array(e) {}
    template <scalar_operand S>
    any_operand(const S& s) : single(number(s)) {}
    bool is_given() const { return value || single; }
    /// As a value on the current device, none if there is none.
    handle as_value() const { return single ? record_scalar(*single, {}) : value; }

    std::optional<codegen::scalar_value> single;
};

/// First in a structure of options, nothing fits this, so that braces without names are no options but numbers.
struct no_position {
    constexpr no_position() = default;
};

/// An option that makes another function of a call, with more results: it is true, and no braces without it are that
/// call's options.
struct asked_for {
    consteval asked_for(bool is_asked) {
        if (!is_asked) throw "sinter: this option asks for more results: leave it out for fewer";
    }
};

/// Numbers of a filter: a vector, numbers in braces, or one number for a vector of one.
struct coefficients : array<double> {
    coefficients(std::initializer_list<nested<double>> numbers) : array(numbers) {}
    template <real_scalar S>
    coefficients(const S& s) : array({static_cast<double>(s)}) {}
    template <class V>
        requires(!std::derived_from<std::remove_cvref_t<V>, coefficients> && std::convertible_to<V, array<double>>)
    coefficients(V&& v) : array(static_cast<V&&>(v)) {}
};

/// The type of the elements of an array, or of one that holds a number: long long and char are no elements themselves.
template <class X>
struct element_of_operand {
    using type = typename codegen::cpp_type<dtype_of<X>>::type;
};
template <expression X>
struct element_of_operand<X> {
    using type = value_type_t<X>;
};

/// Arrays and numbers, at least one array.
template <class... X>
concept operand_list = (operand<X> && ...) && (expression<X> || ...);

template <class X, class... Rest>
const auto& first_array(const X& x, const Rest&... rest) {
    if constexpr (expression<X>) return x;
    else return first_array(rest...);
}

/// A C++ number as a value of type T, beside arrays; an integer that does not fit throws value_error.
template <class T, scalar_operand S>
handle number_in_list(const S& s) {
    using N = typename element_of_operand<S>::type;
    if constexpr (std::is_integral_v<T> && std::is_integral_v<N> && !std::is_same_v<T, bool> &&
                  !std::is_same_v<N, bool>)
        if (!std::in_range<T>(static_cast<N>(s))) throw_does_not_fit("array", std::to_string(s), dtype_of<T>);
    return record_cast(record_scalar(number(s), {}), dtype_of<T>);
}

/// The type of a list of operands, in which numbers are weak within their kind, as in an operation.
template <class... X>
constexpr dtype type_of_list() {
    dtype t = dtype::bool_;
    const auto of_arrays = [&]<class E>(const E*) {
        if constexpr (expression<E>) t = codegen::promote(t, dtype_of<value_type_t<E>>);
    };
    const auto of_numbers = [&]<class E>(const E*) {
        if constexpr (!expression<E>) t = weak_common(op::add, t, dtype_of<E>);
    };
    (of_arrays(static_cast<const X*>(nullptr)), ...);
    (of_numbers(static_cast<const X*>(nullptr)), ...);
    return t;
}

template <class... X>
using common_of_list = typename codegen::cpp_type<type_of_list<X...>()>::type;

/// An operand of a function of arrays as it is, or a number as an array where the other operand lies, of the type that
/// both have in common.
template <operand X, operand Other>
decltype(auto) array_beside(const X& x, const Other& other) {
    if constexpr (expression<X>) {
        return (x);
    } else {
        using T = common_of_list<X, Other>;
        const device_scope on(other.device());
        return array<T>(number_in_list<T>(x));
    }
}

/// The same where numbers are compared, or stand beside and not in what is computed: of a number's own type.
template <operand X, operand Other>
decltype(auto) own_array_beside(const X& x, const Other& other) {
    if constexpr (expression<X>) {
        return (x);
    } else {
        const device_scope on(other.device());
        return array<typename element_of_operand<X>::type>(record_scalar(number(x), {}));
    }
}

/// An operand of a list as a value of type T.
template <class T, operand X, operand... List>
handle cast_beside(const X& x, const List&... list) {
    if constexpr (expression<X>) {
        return record_cast(as_handle(x), dtype_of<T>);
    } else {
        const device_scope on(first_array(list...).device());
        return number_in_list<T>(x);
    }
}

/// An operand of a list as an array of its own type.
template <operand X, operand... List>
auto stored_beside(const X& x, const List&... list) {
    return array<typename element_of_operand<X>::type>(own_array_beside(x, first_array(list...)));
}

}  // namespace sinter::inline SINTER_ABI::detail
