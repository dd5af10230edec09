// The scalar functions of scalar.def as code for the interpreter and as text for kernels; must not know arrays.
#pragma once

#include <sinter/codegen/ops/dtype.hpp>
#include <sinter/codegen/ops/ieee.hpp>

#include <cmath>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

/// A function of scalar.def as it is printed into kernels.
struct scalar_block {
    const char* name;
    const char* text;
};

inline constexpr scalar_block scalar_blocks[] = {
#define SINTER_SCALAR(name, ...) {#name, #__VA_ARGS__},
#include <sinter/codegen/ops/scalar.def>
#undef SINTER_SCALAR
};

namespace scalar {

using ieee::acos, ieee::acosh, ieee::asin, ieee::asinh, ieee::atan, ieee::atan2, ieee::atanh, ieee::cbrt, ieee::ceil,
    ieee::copysign, ieee::cos, ieee::cosh, ieee::erf, ieee::erfc, ieee::exp, ieee::exp2, ieee::expm1, ieee::fabs,
    ieee::floor, ieee::fma, ieee::fmod, ieee::hypot, ieee::ldexp, ieee::lgamma, ieee::log, ieee::log10, ieee::log1p,
    ieee::log2, ieee::nextafter, ieee::pow, ieee::rint, ieee::sin, ieee::sinh, ieee::sqrt, ieee::tan, ieee::tanh,
    ieee::tgamma, ieee::trunc;

inline float j0(float x) { return ::j0f(x); }
inline double j0(double x) { return ::j0(x); }
inline float j1(float x) { return ::j1f(x); }
inline double j1(double x) { return ::j1(x); }

#define SINTER_FN inline SINTER_COMPARES
#define SINTER_UNFUSED(x) (x)
#define SINTER_SCALAR(name, ...) __VA_ARGS__
#include <sinter/codegen/ops/scalar.def>
#undef SINTER_SCALAR
#undef SINTER_UNFUSED
#undef SINTER_FN

}  // namespace scalar
}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END
