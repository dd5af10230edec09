// half, bfloat16 and complex_half: numbers of 16 bits, and pairs of them, that compute as float; must not know dtypes
// or arrays.
#pragma once

#include <sinter/codegen/base/config.hpp>
#include <sinter/codegen/ops/ieee.hpp>

#include <complex>
#include <limits>
#include <type_traits>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

namespace codegen::bits {

#define SINTER_FN constexpr SINTER_COMPARES
#define SINTER_SCALAR(name, ...) __VA_ARGS__
#include <sinter/codegen/ops/scalar_half.def>
#undef SINTER_SCALAR
#undef SINTER_FN

}  // namespace codegen::bits

/// A number of IEEE 754's binary16 (numpy.float16): eleven bits, up to 65504. It converts from any C++ number, rounding
/// once to the nearest, halves to even (whole numbers by way of float, as NumPy), and to float, in which operators of
/// C++ compute.
class half {
public:
    constexpr half() = default;
    template <class T>
        requires(std::is_convertible_v<T, float> && !std::is_same_v<T, half>)
    constexpr half(T x) {
        if constexpr (std::is_same_v<T, double> || std::is_same_v<T, long double>)
            bits_ = codegen::bits::double_to_half(static_cast<double>(x));
        else bits_ = codegen::bits::float_to_half(static_cast<float>(x));
    }
    constexpr operator float() const { return codegen::bits::half_to_float(bits_); }

    /// The number with these bits, and its bits.
    static constexpr half from_bits(unsigned short bits) {
        half h;
        h.bits_ = bits;
        return h;
    }
    constexpr unsigned short bits() const { return bits_; }

    constexpr half operator+() const { return *this; }
    constexpr half operator-() const { return from_bits(static_cast<unsigned short>(bits_ ^ 0x8000u)); }
    constexpr half& operator+=(float x) { return *this = *this + x; }
    constexpr half& operator-=(float x) { return *this = *this - x; }
    constexpr half& operator*=(float x) { return *this = *this * x; }
    constexpr half& operator/=(float x) { return *this = *this / x; }

private:
    unsigned short bits_ = 0;
};

/// The upper half of a float (bfloat16 of ml_dtypes, JAX and PyTorch): eight bits, the range of float. It converts from
/// any C++ number by way of float, rounding to the nearest, halves to even, and to float, in which operators of C++
/// compute.
class bfloat16 {
public:
    constexpr bfloat16() = default;
    template <class T>
        requires(std::is_convertible_v<T, float> && !std::is_same_v<T, bfloat16>)
    constexpr bfloat16(T x) : bits_(codegen::bits::float_to_bfloat16(codegen::ieee::as<float>(x))) {}
    constexpr operator float() const { return codegen::bits::bfloat16_to_float(bits_); }

    /// The number with these bits, and its bits.
    static constexpr bfloat16 from_bits(unsigned short bits) {
        bfloat16 h;
        h.bits_ = bits;
        return h;
    }
    constexpr unsigned short bits() const { return bits_; }

    constexpr bfloat16 operator+() const { return *this; }
    constexpr bfloat16 operator-() const { return from_bits(static_cast<unsigned short>(bits_ ^ 0x8000u)); }
    constexpr bfloat16& operator+=(float x) { return *this = *this + x; }
    constexpr bfloat16& operator-=(float x) { return *this = *this - x; }
    constexpr bfloat16& operator*=(float x) { return *this = *this * x; }
    constexpr bfloat16& operator/=(float x) { return *this = *this / x; }

private:
    unsigned short bits_ = 0;
};

/// A complex number of two halves (torch.complex32; NumPy has none). It converts from real and complex numbers of C++,
/// rounding each part once, and to std::complex<float>, in which operators of C++ compute: with a half convert that
/// first.
class alignas(4) complex_half {
public:
    using value_type = half;
    constexpr complex_half() = default;
    constexpr complex_half(half re, half im) : re_(re), im_(im) {}
    template <class T>
        requires std::is_convertible_v<T, half>
    constexpr complex_half(T re) : re_(re) {}
    template <class T>
    constexpr complex_half(const std::complex<T>& z) : re_(z.real()), im_(z.imag()) {}
    constexpr operator std::complex<float>() const { return {re_, im_}; }

    constexpr half real() const { return re_; }
    constexpr half imag() const { return im_; }

    constexpr complex_half operator+() const { return *this; }
    constexpr complex_half operator-() const { return {-re_, -im_}; }
    friend constexpr std::complex<float> operator+(std::complex<float> a, std::complex<float> b) { return a += b; }
    friend constexpr std::complex<float> operator-(std::complex<float> a, std::complex<float> b) { return a -= b; }
    friend constexpr std::complex<float> operator*(std::complex<float> a, std::complex<float> b) { return a *= b; }
    friend constexpr std::complex<float> operator/(std::complex<float> a, std::complex<float> b) { return a /= b; }
    friend constexpr bool operator==(std::complex<float> a, std::complex<float> b) {
        return a.real() == b.real() && a.imag() == b.imag();
    }
    constexpr complex_half& operator+=(std::complex<float> z) { return *this = *this + z; }
    constexpr complex_half& operator-=(std::complex<float> z) { return *this = *this - z; }
    constexpr complex_half& operator*=(std::complex<float> z) { return *this = *this * z; }
    constexpr complex_half& operator/=(std::complex<float> z) { return *this = *this / z; }

private:
    half re_, im_;
};

namespace codegen {

template <class T>
inline constexpr bool is_half_type = std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;

/// What numeric_limits says of both types: `Digits` bits, exponents as those of <cfloat>'s macros.
template <class T, int Digits, int MinExponent, int MaxExponent>
struct half_limits : std::numeric_limits<float> {
    static constexpr int digits = Digits, digits10 = (Digits - 1) * 30103 / 100000,
                         max_digits10 = 2 + Digits * 30103 / 100000;
    static constexpr int min_exponent = MinExponent, max_exponent = MaxExponent;
    static constexpr int min_exponent10 = (MinExponent - 1) * 30103 / 100000,
                         max_exponent10 = MaxExponent * 30103 / 100000;

    static constexpr T of(int size) { return T::from_bits(static_cast<unsigned short>(size)); }
    static constexpr int first = 1 << (Digits - 1), infinite = ((1 << (16 - Digits)) - 1) * first;
    static constexpr T min() noexcept { return of(first); }
    static constexpr T max() noexcept { return of(infinite - 1); }
    static constexpr T lowest() noexcept { return of(0x8000 + infinite - 1); }
    static constexpr T epsilon() noexcept { return T(2.0f / (1 << Digits)); }
    static constexpr T round_error() noexcept { return T(0.5f); }
    static constexpr T infinity() noexcept { return of(infinite); }
    static constexpr T quiet_NaN() noexcept { return of(infinite + first / 2); }
    static constexpr T signaling_NaN() noexcept { return of(infinite + first / 4); }
    static constexpr T denorm_min() noexcept { return of(1); }
};

}  // namespace codegen
}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END

template <>
class std::numeric_limits<sinter::half> : public sinter::codegen::half_limits<sinter::half, 11, -13, 16> {};
template <>
class std::numeric_limits<sinter::bfloat16> : public sinter::codegen::half_limits<sinter::bfloat16, 8, -125, 128> {};
