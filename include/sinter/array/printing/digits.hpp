// Writes single numbers as decimal text by NumPy's rules; must not know arrays, options or devices.
#pragma once

#include <cstdint>
#include <sinter/codegen/ops/dtype.hpp>
#include <string>

namespace sinter::inline SINTER_ABI::detail {

/// Significant decimal digits d.ddd and the power of ten of the first one.
struct decimal {
    std::string digits;
    int exponent = 0;
};

/// How many digits of a floating number are written.
struct digit_rules {
    int precision = -1;       ///< at most so many digits after the point; -1: no limit
    int min_digits = 0;       ///< with unique: at least so many digits after the point
    bool unique = true;       ///< stop when the digits identify the number among its type's numbers
    bool keep_zeros = false;  ///< keep zeros at the end
    bool plus = false;        ///< write + before numbers that are not negative
};

/// The shortest digits that identify |x| among numbers of a type: float16, float32 or float64.
decimal shortest_digits(double x, dtype type);

/// |x| correctly rounded to `count` significant digits.
decimal rounded_digits(double x, int count);

/// A finite number as `12.5`; always with a point.
std::string positional_text(double x, dtype type, const digit_rules& rules);

/// A finite number as `1.25e+01`; always with a point, the exponent with at least `exponent_digits` digits.
std::string scientific_text(double x, dtype type, const digit_rules& rules, int exponent_digits = 2);

/// str of a NumPy floating scalar; `bare` leaves out `.0`, as in parts of complex numbers.
std::string floating_text(double x, dtype type, bool bare);

/// A number of an error's text: its shortest digits.
inline std::string number_text(double x) { return floating_text(x, dtype::float64, true); }

/// str of a NumPy complex scalar: `(1+2j)`, `2j`.
std::string complex_text(double real, double imag, dtype type);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/array/printing/digits.ipp>
#endif
