// Bodies of qr_cuda.hpp.
#pragma once

#include <sinter/codegen/kernels/linalg/linalg_cuda.hpp>
#include <sinter/codegen/kernels/linalg/qr_cuda.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* qr_text =
#include <sinter/codegen/kernels/linalg/text/qr.cuh>
    ;

SINTER_INLINE kernel_source qr_cuda(dtype t) {
    static_assert(qr_threads == 256, "the text has the number");
    return {"qr_" + std::string(to_string(t)),
            linalg_element(t) + linalg_parts(t) + linalg_scaling(t) + linalg_grid_barrier() + "constexpr int width = " +
                std::to_string(qr_width(t)) + ", most_blocks = " + std::to_string(most_qr_blocks) + ";\n" + qr_text};
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
