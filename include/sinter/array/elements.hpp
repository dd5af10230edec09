// Functions of elements that are made of several operations: rounding to decimals, replacing NaN, choosing among
// arrays.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/array/operators.hpp>

#include <limits>
#include <vector>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

namespace detail {

/// As NumPy: scale, round, scale back; negative decimals divide, so that powers of ten stay exact.
template <class T, class Result, class X>
Result rounded(const X& x, int decimals) {
    double power = 1;
    for (int i = 0; i < (decimals < 0 ? -decimals : decimals); ++i) power *= 10;
    if constexpr (std::same_as<T, bool>) {
        if (decimals < 0)
            throw type_error("[round] bool rounds to whole numbers, not to " + std::to_string(decimals) + " decimals");
        return Result(x);
    } else if constexpr (codegen::is_complex(dtype_of<T>)) {
        if (decimals == 0) return Result(rint(x));
        const T scale = static_cast<typename T::value_type>(power);
        const auto scaled = [&] {
            if (decimals > 0) return Result(rint(x * scale) / scale);
            return Result(rint(x / scale) * scale);
        };
        // Products would make NaN of an infinite part and its neighbour's zero.
        if constexpr (expression<X>) return Result(where(isfinite(x), scaled(), x));
        else return isfinite(x) ? scaled() : x;
    } else if constexpr (codegen::is_integer(dtype_of<T>)) {
        if (decimals >= 0) return Result(x);
        const auto tens = rint(x / power) * power;
        if constexpr (expression<X>) {
            return Result(tens.template astype<T>());
        } else {
            Result whole;
            codegen::convert(dtype::float64, dtype_of<T>, &tens, &whole, 1);
            return whole;
        }
    } else {
        const T scale = static_cast<T>(power);
        if (decimals == 0) return Result(rint(x));
        if (decimals > 0) return Result(rint(x * scale) / scale);
        return Result(rint(x / scale) * scale);
    }
}

}  // namespace detail

/// Rounds to a number of decimals, halves to even (numpy.round); integers stay integers, rounded as doubles to tens for
/// decimals < 0. Of complex numbers each part; one that is not finite stays as it is, unless it becomes whole.
/// type_error for bool to tens.
template <expression E>
SINTER_NEW_VALUE auto round(const E& e, int decimals = 0) {
    return detail::rounded<value_type_t<E>, array<value_type_t<E>>>(e, decimals);
}
/// The same of a number.
template <detail::scalar_operand S>
S round(S x, int decimals) {
    return detail::rounded<S, S>(x, decimals);
}
/// Of double alone, since the C library's function has this name: sinter::round(2.5) is 2 and round(2.5) is 3;
/// around(x) is there for all.
template <std::same_as<double> S>
S round(S x) {
    return detail::rounded<S, S>(x, 0);
}
/// round under NumPy's other name (numpy.around).
template <detail::operand X>
SINTER_NEW_VALUE auto around(const X& x, int decimals = 0) {
    return round(x, decimals);
}

struct angle_options {
    bool deg = false;  ///< degrees instead of radians
};
/// The angle of a number in the complex plane (numpy.angle): `angle(z, {.deg = true})`.
template <detail::operand X>
SINTER_NEW_VALUE auto angle(const X& x, angle_options o) {
    const auto radians = angle(x);
    if constexpr (expression<X>) {
        using R = array<value_type_t<decltype(radians)>>;
        return o.deg ? R(rad2deg(radians)) : R(radians);
    } else {
        return o.deg ? rad2deg(radians) : radians;
    }
}

/// For each element the first of the choices whose condition holds, else `otherwise` (numpy.select). Throws value_error
/// when the lists differ in length.
template <class T>
array<T> select(const std::vector<array<bool>>& conditions, const std::vector<array<T>>& choices, T otherwise = T()) {
    if (conditions.size() != choices.size() || choices.empty())
        throw value_error("[select] " + std::to_string(conditions.size()) + " conditions for " +
                          std::to_string(choices.size()) + " choices");
    return detail::named_errors("select", [&] {
        array<T> result = where(conditions.back(), choices.back(), otherwise);
        for (std::size_t i = choices.size() - 1; i-- > 0;) result = where(conditions[i], choices[i], result);
        return result;
    });
}

}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END
