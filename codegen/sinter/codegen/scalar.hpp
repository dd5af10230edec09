// The scalar functions of scalar.def as code for the interpreter and as text for kernels; must not know arrays.
#pragma once

#include <sinter/codegen/dtype.hpp>

#include <cmath>

namespace sinter::inline SINTER_ABI::codegen {

/// A function of scalar.def as it is printed into kernels.
struct scalar_block {
    const char* name;
    const char* text;
};

inline constexpr scalar_block scalar_blocks[] = {
#define SINTER_SCALAR(name, ...) {#name, #__VA_ARGS__},
#include <sinter/codegen/scalar.def>
#undef SINTER_SCALAR
};

namespace scalar {

using std::acos, std::acosh, std::asin, std::asinh, std::atan, std::atan2, std::atanh, std::cbrt, std::ceil,
    std::copysign, std::cos, std::cosh, std::erf, std::erfc, std::exp, std::exp2, std::expm1, std::fabs, std::floor,
    std::fma, std::fmod, std::hypot, std::ldexp, std::lgamma, std::log, std::log10, std::log1p, std::log2, std::nextafter,
    std::pow, std::rint, std::sin, std::sinh, std::sqrt, std::tan, std::tanh, std::tgamma, std::trunc;

inline float j0(float x) { return ::j0f(x); }
inline double j0(double x) { return ::j0(x); }
inline float j1(float x) { return ::j1f(x); }
inline double j1(double x) { return ::j1(x); }

#define SINTER_FN inline
#define SINTER_UNFUSED(x) (x)
#define SINTER_SCALAR(name, ...) __VA_ARGS__
#include <sinter/codegen/scalar.def>
#undef SINTER_SCALAR
#undef SINTER_UNFUSED
#undef SINTER_FN

}  // namespace scalar
}  // namespace sinter::inline SINTER_ABI::codegen
