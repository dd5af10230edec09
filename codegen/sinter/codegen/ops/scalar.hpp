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

#define SINTER_C_same(name) using ieee::name;
#define SINTER_C_other SINTER_C_same
#define SINTER_C_fused SINTER_C_same
#define SINTER_LIBM(name, parameters, bits, standard) SINTER_C_##standard(name)
#include <sinter/codegen/ops/libm.def>
#undef SINTER_LIBM
#undef SINTER_C_same
#undef SINTER_C_other
#undef SINTER_C_fused

// Their text is that of kernels, where no compiler is asked for warnings.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#define SINTER_FN inline SINTER_COMPARES
#define SINTER_UNFUSED(x) (x)
#define SINTER_DOUBLE(x) double(x)
#define SINTER_SCALAR(name, ...) __VA_ARGS__
#include <sinter/codegen/ops/scalar.def>
#undef SINTER_SCALAR
#undef SINTER_DOUBLE
#undef SINTER_UNFUSED
#undef SINTER_FN
#pragma GCC diagnostic pop

}  // namespace scalar
}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END
