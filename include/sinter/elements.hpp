// Functions of elements that are made of several operations: rounding to decimals, replacing NaN, choosing among arrays.
#pragma once

#include <sinter/operators.hpp>

#include <limits>
#include <vector>

namespace sinter::inline SINTER_ABI {

/// Rounds to a number of decimals, halves to even (numpy.round); integers stay as they are for decimals >= 0.
template <expression E>
auto round(const E& e, int decimals = 0) {
    using T = value_type_t<E>;
    if constexpr (codegen::kind_rank(dtype_of<T>) < 2) {
        if (decimals < 0) throw value_error("[round] integers round to whole numbers, not to " + std::to_string(decimals) + " decimals");
        return array<T>(e);
    } else {
        static_assert(!codegen::is_complex(dtype_of<T>), "sinter: round is not defined for complex elements");
        // As NumPy: scale, round, scale back; negative decimals divide, so that powers of ten stay exact.
        double power = 1;
        for (int i = 0; i < (decimals < 0 ? -decimals : decimals); ++i) power *= 10;
        if (decimals == 0) return array<T>(rint(e));
        if (decimals > 0) return array<T>(rint(e * power) / power);
        return array<T>(rint(e / power) * power);
    }
}
/// round under NumPy's other name (numpy.around).
template <expression E>
auto around(const E& e, int decimals = 0) {
    return round(e, decimals);
}

/// What replaces NaN and the infinities; without a value, the infinities become the type's largest numbers.
struct nan_replacements {
    double nan = 0;
    double posinf = std::numeric_limits<double>::quiet_NaN();
    double neginf = std::numeric_limits<double>::quiet_NaN();
};

/// NaN as zero and infinities as the largest finite numbers (numpy.nan_to_num).
template <expression E>
auto nan_to_num(const E& e, nan_replacements r = {}) {
    using T = value_type_t<E>;
    static_assert(!codegen::is_complex(dtype_of<T>), "sinter: nan_to_num is not defined for complex elements");
    if constexpr (codegen::kind_rank(dtype_of<T>) < 2) {
        return array<T>(e);
    } else {
        array<T> x = e;
        T high = r.posinf == r.posinf ? static_cast<T>(r.posinf) : std::numeric_limits<T>::max();
        T low = r.neginf == r.neginf ? static_cast<T>(r.neginf) : std::numeric_limits<T>::lowest();
        return array<T>(where(isnan(x), static_cast<T>(r.nan), where(isposinf(x), high, where(isneginf(x), low, x))));
    }
}

/// For each element the first of the choices whose condition holds, else `otherwise` (numpy.select). Throws value_error
/// when the lists differ in length.
template <class T>
array<T> select(const std::vector<array<bool>>& conditions, const std::vector<array<T>>& choices, T otherwise = T()) {
    if (conditions.size() != choices.size() || choices.empty())
        throw value_error("[select] " + std::to_string(conditions.size()) + " conditions for " +
                          std::to_string(choices.size()) + " choices");
    array<T> result = where(conditions.back(), choices.back(), otherwise);
    for (std::size_t i = choices.size() - 1; i-- > 0;) result = where(conditions[i], choices[i], result);
    return result;
}

}  // namespace sinter::inline SINTER_ABI
