// Arrays and numbers of any type as options.
#pragma once

#include <sinter/functions/creation.hpp>

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

/// Numbers of a filter: a vector, numbers in braces, or one number for a vector of one.
struct coefficients : array<double> {
    coefficients(std::initializer_list<nested<double>> numbers) : array(numbers) {}
    template <real_scalar S>
    coefficients(const S& s) : array({static_cast<double>(s)}) {}
    template <class V>
        requires(!std::derived_from<std::remove_cvref_t<V>, coefficients> && std::convertible_to<V, array<double>>)
    coefficients(V&& v) : array(static_cast<V&&>(v)) {}
};

}  // namespace sinter::inline SINTER_ABI::detail
