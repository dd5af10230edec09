// Bodies of digits.hpp: digits come from std::to_chars, their layout from NumPy's conventions.
#pragma once

#include <charconv>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/array/printing/digits.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE decimal parse_scientific(const char* first, const char* last) {
    decimal d;
    for (; *first != 'e'; ++first)
        if (*first != '.') d.digits += *first;
    bool negative = first[1] == '-';
    for (first += 2; first != last; ++first) d.exponent = 10 * d.exponent + (*first - '0');
    if (negative) d.exponent = -d.exponent;
    return d;
}

SINTER_INLINE decimal rounded_digits(double x, int count) {
    std::string text(static_cast<std::size_t>(count) + 16, '\0');
    char* first = text.data();
    auto end = std::to_chars(first, first + text.size(), ieee::fabs(x), std::chars_format::scientific, count - 1);
    return parse_scientific(first, end.ptr);
}

// The fewest digits, cut or rounded up, that half precision rounds to the number: as many as five.
SINTER_INLINE decimal shortest_half_digits(double x) {
    const double size = ieee::fabs(x);
    for (int count = 1;; ++count) {
        decimal nearest = rounded_digits(size, count), other = nearest;
        const double unit = ieee::pow(10.0, nearest.exponent - count + 1), whole = std::stod(nearest.digits);
        const double beside = whole * unit > size ? whole - 1 : whole + 1;
        if (static_cast<double>(half(whole * unit)) == size || size == 0) {
            while (nearest.digits.size() > 1 && nearest.digits.back() == '0') nearest.digits.pop_back();
            return nearest;
        }
        if (static_cast<double>(half(beside * unit)) != size) continue;
        other.digits = std::to_string(static_cast<long long>(beside));
        other.exponent += static_cast<int>(other.digits.size()) - count;
        return other;
    }
}

SINTER_INLINE decimal shortest_digits(double x, dtype type) {
    if (type == dtype::float16) return shortest_half_digits(x);
    char text[40];
    auto end =
        type == dtype::float32
            ? std::to_chars(text, text + sizeof text, ieee::fabs(static_cast<float>(x)), std::chars_format::scientific)
            : std::to_chars(text, text + sizeof text, ieee::fabs(x), std::chars_format::scientific);
    return parse_scientific(text, end.ptr);
}

// Rounding a power of two past its shortest digits can leave its interval, which is narrower below, and NumPy stays
// inside; among float32 numbers there is no such case.
SINTER_INLINE decimal lengthened_digits(double x, dtype type, const decimal& shortest, int count) {
    decimal d = rounded_digits(x, count);
    if (type == dtype::float32) return d;
    std::string text = d.digits.substr(0, 1) + "." + d.digits.substr(1) + "e" + std::to_string(d.exponent);
    double back = 0;
    std::from_chars(text.data(), text.data() + text.size(), back);
    if ((type == dtype::float16 ? static_cast<double>(half(back)) : back) == ieee::fabs(x)) return d;
    d = shortest;
    d.digits.resize(static_cast<std::size_t>(count), '0');
    return d;
}

SINTER_INLINE std::string sign_text(double x, bool plus) { return ieee::has_sign(x) ? "-" : plus ? "+" : ""; }

SINTER_INLINE void strip_zeros(std::string& s) {
    while (s.back() == '0') s.pop_back();
}

SINTER_INLINE std::string place_point(const decimal& d) {
    if (d.exponent < 0) return "0." + std::string(static_cast<std::size_t>(-d.exponent - 1), '0') + d.digits;
    std::string s = d.digits;
    auto whole = static_cast<std::size_t>(d.exponent) + 1;
    if (s.size() < whole) s.resize(whole, '0');
    return s.insert(whole, 1, '.');
}

SINTER_INLINE std::string fixed_text(double x, int precision) {
    std::string s(static_cast<std::size_t>(precision) + 320, '\0');
    auto end = std::to_chars(s.data(), s.data() + s.size(), ieee::fabs(x), std::chars_format::fixed, precision);
    s.resize(static_cast<std::size_t>(end.ptr - s.data()));
    if (precision == 0) s += '.';
    return s;
}

SINTER_INLINE std::string positional_text(double x, dtype type, const digit_rules& rules) {
    decimal d = shortest_digits(x, type);
    int fraction = static_cast<int>(d.digits.size()) - 1 - d.exponent;
    if (fraction < 0) fraction = 0;
    bool identified = rules.unique && (rules.precision < 0 || fraction <= rules.precision);
    std::string s = identified && fraction >= rules.min_digits
                        ? place_point(d)
                        : fixed_text(x, identified ? rules.min_digits : rules.precision);
    if (!rules.keep_zeros) strip_zeros(s);
    return sign_text(x, rules.plus) + s;
}

SINTER_INLINE std::string scientific_text(double x, dtype type, const digit_rules& rules, int exponent_digits) {
    decimal d = shortest_digits(x, type);
    int fraction = static_cast<int>(d.digits.size()) - 1;
    if (!rules.unique || (rules.precision >= 0 && fraction > rules.precision))
        d = rounded_digits(x, rules.precision + 1);
    else if (fraction < rules.min_digits) d = lengthened_digits(x, type, d, rules.min_digits + 1);
    d.digits.insert(1, 1, '.');
    if (!rules.keep_zeros && d.digits.size() > 2) strip_zeros(d.digits);
    std::string exponent = std::to_string(d.exponent < 0 ? -d.exponent : d.exponent);
    auto wanted = static_cast<std::size_t>(exponent_digits);
    if (exponent.size() < wanted) exponent.insert(0, wanted - exponent.size(), '0');
    return sign_text(x, rules.plus) + d.digits + (d.exponent < 0 ? "e-" : "e+") + exponent;
}

SINTER_INLINE std::string floating_text(double x, dtype type, bool bare) {
    if (ieee::is_nan(x)) return "nan";
    if (ieee::is_infinite(x)) return x < 0 ? "-inf" : "inf";
    double magnitude = ieee::fabs(x);
    if (magnitude == 0 || (magnitude >= 1e-4 && magnitude < (type == dtype::float16   ? 1e3
                                                             : type == dtype::float32 ? 1e6
                                                                                      : 1e16))) {
        std::string s = positional_text(x, type, {});
        if (s.back() != '.') return s;
        if (!bare) return s + "0";
        s.pop_back();
        return s;
    }
    std::string s = scientific_text(x, type, {});
    auto point = s.find('.');
    if (s[point + 1] == 'e') s.erase(point, 1);
    return s;
}

SINTER_INLINE std::string complex_text(double real, double imag, dtype type) {
    std::string i = floating_text(imag, type, true) + "j";
    if (real == 0 && !ieee::has_sign(real)) return i;
    if (i[0] != '-') i.insert(0, 1, '+');
    return "(" + floating_text(real, type, true) + i + ")";
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
