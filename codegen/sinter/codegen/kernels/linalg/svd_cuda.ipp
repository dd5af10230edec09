// Bodies of svd_cuda.hpp.
#pragma once

#include <sinter/codegen/kernels/linalg/linalg_cuda.hpp>
#include <sinter/codegen/kernels/linalg/svd_cuda.hpp>
#include <sinter/codegen/print/fill_text.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* svd_element_text =
#include <sinter/codegen/kernels/linalg/text/svd_element.cuh>
    ;
inline constexpr const char* svd_text =
#include <sinter/codegen/kernels/linalg/text/svd.cuh>
    ;

// A warp takes a pair of columns: a block has work for its warps with some pairs, and more columns at a time move less
// memory.
SINTER_INLINE rotation_shape rotation_shape_of(int n, std::size_t column_bytes, int blocks, std::size_t shared) {
    constexpr int least_width = 8;
    const int most_width = static_cast<int>(shared / (2 * column_bytes));
    rotation_shape s{};
    s.blocks = 1;
    while (2 * s.blocks <= blocks && n >= 4 * s.blocks * least_width) s.blocks *= 2;
    const int step = 2 * s.blocks;
    for (s.groups = step; (n + s.groups - 1) / s.groups > most_width;) s.groups += step;
    s.width = (n + s.groups - 1) / s.groups;
    s.shared_bytes = 2 * static_cast<std::size_t>(s.width) * column_bytes;
    return s;
}

// Beside what all decompositions need.
SINTER_INLINE std::string svd_element(dtype t) {
    const bool wide = real_of(t) == dtype::float64;
    return joined({linalg_element(t), linalg_parts(t), linalg_scaling(t), linalg_grid_barrier(),
                   "constexpr real epsilon = ", wide ? "2.220446049250313e-16" : "1.1920929e-7f", ", tiny = ",
                   wide ? "1e-290" : "1e-30f", ";\n", fill_text(svd_element_text, {{"complex", is_complex(t)}})});
}

SINTER_INLINE kernel_source svd_cuda(dtype t) {
    static_assert(svd_threads == 512, "the text has the number");
    return {"svd_" + std::string(to_string(t)), svd_element(t) + svd_text};
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
