// Arithmetic of IEEE 754 whatever options the user's files are compiled and linked with, -ffast-math included: the
// lines around bodies that compute with floating numbers, tests of such numbers by their bits, the C library's
// functions; must not know dtypes or arrays.
#pragma once

#include <sinter/codegen/base/config.hpp>

// Code between SINTER_IEEE_BEGIN and SINTER_IEEE_END neither takes NaN, infinities and the signs of zeros for
// impossible nor regroups or contracts what is written. They stand behind the includes: functions of others, those of
// <cmath> and <complex> among them, keep the file's options, so the ones below are called instead.
#if defined(__clang__)
// clang has macros for few of the options, so it is always asked; what its pragma leaves out, calls, negation and
// choices, is right as long as nothing is optimized.
#define SINTER_PRECISE(how)                                                                    \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wignored-pragmas\"") \
        how _Pragma("clang diagnostic pop")
#define SINTER_PRECISE_BEGIN                                                            \
    SINTER_PRECISE(_Pragma("float_control(push)") _Pragma("float_control(precise, on)") \
                       _Pragma("clang fp contract(off)"))
#define SINTER_PRECISE_END SINTER_PRECISE(_Pragma("float_control(pop)"))
#if __FINITE_MATH_ONLY__ || defined(__FAST_MATH__)
#define SINTER_IEEE_BEGIN SINTER_PRECISE_BEGIN _Pragma("clang optimize off")
#define SINTER_IEEE_END _Pragma("clang optimize on") SINTER_PRECISE_END
#else
#define SINTER_IEEE_BEGIN SINTER_PRECISE_BEGIN
#define SINTER_IEEE_END SINTER_PRECISE_END
#endif
#elif __FINITE_MATH_ONLY__ || defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) ||                     \
    defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__) || defined(__FMA__) || defined(__FMA4__) || \
    defined(__FP_FAST_FMA)
// g++ cannot make such code part of functions that stand elsewhere, so it is asked where options or the processor make
// a difference.
#define SINTER_IEEE_BEGIN                                                                                       \
    _Pragma("GCC push_options")                                                                                 \
        _Pragma("GCC optimize(\"no-fast-math,no-unsafe-math-optimizations,no-finite-math-only,signed-zeros\")") \
            _Pragma("GCC optimize(\"no-associative-math,no-reciprocal-math,fp-contract=off\")")
#define SINTER_IEEE_END _Pragma("GCC pop_options")
#else
#define SINTER_IEEE_BEGIN
#define SINTER_IEEE_END
#endif

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

namespace ieee {

// Constants: clang takes what a function gives, such as those of std::numeric_limits, for finite.
inline constexpr double infinity = __builtin_inf(), quiet_nan = __builtin_nan("");

constexpr unsigned int size_bits(float x) { return __builtin_bit_cast(unsigned int, x) & 0x7fffffffu; }
constexpr unsigned long long size_bits(double x) {
    return __builtin_bit_cast(unsigned long long, x) & 0x7fffffffffffffffull;
}

constexpr bool is_nan(float x) { return size_bits(x) > 0x7f800000u; }
constexpr bool is_nan(double x) { return size_bits(x) > 0x7ff0000000000000ull; }
constexpr bool is_infinite(float x) { return size_bits(x) == 0x7f800000u; }
constexpr bool is_infinite(double x) { return size_bits(x) == 0x7ff0000000000000ull; }
constexpr bool is_finite(float x) { return size_bits(x) < 0x7f800000u; }
constexpr bool is_finite(double x) { return size_bits(x) < 0x7ff0000000000000ull; }
constexpr bool has_sign(float x) { return __builtin_bit_cast(unsigned int, x) >> 31 != 0; }
constexpr bool has_sign(double x) { return __builtin_bit_cast(unsigned long long, x) >> 63 != 0; }

/// As C++ converts, but floats below the smallest normal one stay what they are in threads that give them for zero.
template <class T, class S>
constexpr T as(const S& x) {
    if constexpr (__is_same(T, float) && __is_same(S, double)) {
        if (size_bits(x) >= 0x3810000000000000ull) return static_cast<float>(x);
        // The sum with 2^52 rounds where such floats do.
        const double steps = __builtin_bit_cast(double, size_bits(x)) * 0x1p149;
        const auto size = static_cast<unsigned int>(__builtin_bit_cast(unsigned long long, steps + 0x1p52));
        return __builtin_bit_cast(float, size | (has_sign(x) ? 0x80000000u : 0u));
    } else if constexpr (__is_same(T, double) && __is_same(S, float)) {
        if (size_bits(x) >= 0x00800000u) return static_cast<double>(x);
        const double size = size_bits(x) * 0x1p-149;
        return has_sign(x) ? -size : size;
    } else {
        return static_cast<T>(x);
    }
}

/// `x != 0`, also where a number below the smallest normal one is given for zero; a complex number is zero when both
/// parts are.
template <class T>
constexpr bool is_nonzero(const T& x) {
    if constexpr (__is_same(T, float) || __is_same(T, double)) return size_bits(x) != 0;
    else if constexpr (requires { x.real(); }) return is_nonzero(x.real()) || is_nonzero(x.imag());
    else return x != T(0);
}

[[gnu::const]] inline float fabs(float x);
[[gnu::const]] inline double fabs(double x);

#define SINTER_C_one(name)                                        \
    inline float name(float x) { return __builtin_##name##f(x); } \
    inline double name(double x) { return __builtin_##name(x); }
#define SINTER_C_two(name)                                                    \
    inline float name(float x, float y) { return __builtin_##name##f(x, y); } \
    inline double name(double x, double y) { return __builtin_##name(x, y); }
#define SINTER_C_three(name)                                                              \
    inline float name(float x, float y, float z) { return __builtin_##name##f(x, y, z); } \
    inline double name(double x, double y, double z) { return __builtin_##name(x, y, z); }
#define SINTER_C_scaled(name)                                                       \
    inline float name(float x, int power) { return __builtin_##name##f(x, power); } \
    inline double name(double x, int power) { return __builtin_##name(x, power); }
#define SINTER_C_same(name, parameters) SINTER_C_##parameters(name)
#define SINTER_C_other SINTER_C_same
#define SINTER_C_fused SINTER_C_same
#define SINTER_LIBM(name, parameters, bits, standard) SINTER_C_##standard(name, parameters)
#include <sinter/codegen/ops/libm.def>
SINTER_C_one(round)
#undef SINTER_LIBM
#undef SINTER_C_one
#undef SINTER_C_two
#undef SINTER_C_three
#undef SINTER_C_scaled
#undef SINTER_C_same
#undef SINTER_C_other
#undef SINTER_C_fused

    inline double frexp(double x, int* power) {
    return __builtin_frexp(x, power);
}
inline long double cos(long double x) { return __builtin_cosl(x); }
inline long double sin(long double x) { return __builtin_sinl(x); }

}  // namespace ieee

/// While one lives, this thread computes with numbers below the smallest normal one, which in threads of a program that
/// is linked with -ffast-math the processor takes and gives for zero.
class subnormal_scope {
public:
    subnormal_scope() : before_(mode()) {
        if (before_ & flushes) set_mode(before_ & ~flushes);
    }
    ~subnormal_scope() {
        if (before_ & flushes) set_mode(before_);
    }
    subnormal_scope(const subnormal_scope&) = delete;
    subnormal_scope& operator=(const subnormal_scope&) = delete;

private:
#if defined(__SSE__)
    using word = unsigned int;
    static constexpr word flushes = 0x8040;  // of results, of operands
    static word mode() { return __builtin_ia32_stmxcsr(); }
    static void set_mode(word m) { __builtin_ia32_ldmxcsr(m); }
#elif defined(__aarch64__)
    using word = unsigned long long;
    static constexpr word flushes = 0x1080000;  // in all formats, and in half precision
    static word mode() {
        word m;
        asm volatile("mrs %0, fpcr" : "=r"(m));
        return m;
    }
    static void set_mode(word m) { asm volatile("msr fpcr, %0" : : "r"(m)); }
#else
    using word = unsigned int;
    static constexpr word flushes = 0;
    static word mode() { return 0; }
    static void set_mode(word) {}
#endif
    word before_;
};

}  // namespace sinter::inline SINTER_ABI::codegen

namespace sinter::inline SINTER_ABI::detail {

namespace ieee = codegen::ieee;

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
