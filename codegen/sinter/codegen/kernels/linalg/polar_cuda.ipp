// Bodies of polar_cuda.hpp.
#pragma once

#include <sinter/codegen/kernels/linalg/linalg_cuda.hpp>
#include <sinter/codegen/kernels/linalg/polar_cuda.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* polar_text =
#include <sinter/codegen/kernels/linalg/text/polar.cuh>
    ;

SINTER_INLINE kernel_source polar_cuda(dtype t) {
    static_assert(polar_threads == 256, "the text has the number");
    return {"polar_" + std::string(to_string(t)), linalg_element(t) + linalg_parts(t) + polar_text};
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
