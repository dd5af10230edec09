// C's mathematical functions of the types that references compute in, double, long double and the widest there is,
// under one name each; must not know sinter's own functions.
#pragma once

#include <math.h>

#include <cstdint>
#include <type_traits>

namespace wide {

// On x86 the C library has the functions of 113 bits as well. Elsewhere long double is that type, or all that there is.
#if defined(__x86_64__)
using widest = __float128;
#define WIDE_ONE(name)                                           \
    widest quad_##name(widest x) noexcept __asm__(#name "f128"); \
    inline widest name(widest x) { return quad_##name(x); }
#define WIDE_TWO(name)                                                     \
    widest quad_##name(widest x, widest y) noexcept __asm__(#name "f128"); \
    inline widest name(widest x, widest y) { return quad_##name(x, y); }
#else
using widest = long double;
#define WIDE_ONE(name)
#define WIDE_TWO(name)
#endif

#define WIDE_one(name)                                              \
    inline double name(double x) { return ::name(x); }              \
    inline long double name(long double x) { return ::name##l(x); } \
    WIDE_ONE(name)
#define WIDE_two(name)                                                                \
    inline double name(double x, double y) { return ::name(x, y); }                   \
    inline long double name(long double x, long double y) { return ::name##l(x, y); } \
    WIDE_TWO(name)
#define WIDE_three(name)
#define WIDE_scaled(name)
#define SINTER_LIBM(name, parameters, bits, standard) WIDE_##parameters(name)
#include <sinter/codegen/ops/libm.def>
WIDE_one(j0) WIDE_one(j1)
#undef SINTER_LIBM
#undef WIDE_scaled
#undef WIDE_three
#undef WIDE_two
#undef WIDE_one
#undef WIDE_TWO
#undef WIDE_ONE

    /// The powers of two of up to 1100 that a type holds.
    template <class T>
    struct power_table {
    static constexpr int most = 1100;
    T values[2 * most + 1] = {};
    power_table() {
        values[most] = 1;
        for (int i = 1; i <= most; ++i) {
            values[most + i] = i < 1024 || sizeof(T) > 8 ? values[most + i - 1] * 2 : T(0);
            values[most - i] = values[most - i + 1] / 2;
        }
    }
};
template <class T>
T power_of_two(int k) {
    static const power_table<T> powers;
    return powers.values[k + power_table<T>::most];
}

/// The exponent of the greatest power of two that is not above a positive finite number; of zero a very small one.
inline int exponent_of(double x) {
    const int biased = static_cast<int>(__builtin_bit_cast(std::uint64_t, x) >> 52);
    return biased == 0 ? -1023 : biased - 1023;
}
inline int exponent_of(long double x) { return x > 0 ? ::ilogbl(x) : -100000; }
#if defined(__x86_64__)
inline int exponent_of(widest x) {
    return static_cast<int>(static_cast<std::uint64_t>(__builtin_bit_cast(unsigned __int128, x) >> 112)) - 16383;
}
#endif

template <class T>
bool is_infinite(T x) {
    return x == x && x - x != 0;
}

}  // namespace wide
