// Bodies of linalg_cuda.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/kernels/linalg/linalg_cuda.hpp>
#include <sinter/codegen/print/fill_text.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* linalg_stacks_text =
#include <sinter/codegen/kernels/linalg/text/stacks.cuh>
    ;
inline constexpr const char* linalg_complex_text =
#include <sinter/codegen/kernels/linalg/text/complex.cuh>
    ;
inline constexpr const char* linalg_element_text =
#include <sinter/codegen/kernels/linalg/text/element.cuh>
    ;
inline constexpr const char* linalg_tridiagonal_text =
#include <sinter/codegen/kernels/linalg/text/tridiagonal.cuh>
    ;
inline constexpr const char* linalg_invert_small_text =
#include <sinter/codegen/kernels/linalg/text/invert_small.cuh>
    ;
inline constexpr const char* linalg_rotate_small_text =
#include <sinter/codegen/kernels/linalg/text/rotate_small.cuh>
    ;
inline constexpr const char* linalg_factor_small_text =
#include <sinter/codegen/kernels/linalg/text/factor_small.cuh>
    ;
inline constexpr const char* linalg_parts_text =
#include <sinter/codegen/kernels/linalg/text/parts.cuh>
    ;
inline constexpr const char* linalg_grid_barrier_text =
#include <sinter/codegen/kernels/linalg/text/grid_barrier.cuh>
    ;
inline constexpr const char* linalg_scaling_text =
#include <sinter/codegen/kernels/linalg/text/scaling.cuh>
    ;
inline constexpr const char* linalg_form_q_text =
#include <sinter/codegen/kernels/linalg/text/form_q.cuh>
    ;

SINTER_INLINE kernel_source linalg_cuda(const std::string& kernel) {
    static_assert(inverse_block == 256, "the text of take_upper has the number");
    static_assert(not_finite == 0x7FFFFFFF && overflowed == 0x7FFFFFFE, "the texts have the numbers");
    static_assert(columns_to_check == 8, "the text of mark_not_finite and clear_marked has the number");
    sequence<std::string> parts{kernel};
    const bool finds_zero = kernel == "check_info" || kernel == "take_upper";
    if (finds_zero || kernel == "keep_nan") parts.push_back("is_zero");
    if (finds_zero) parts.push_back("first_zero");
    if (kernel == "mark_overflows" || kernel == "keep_nan") parts.push_back("is_nan");
    return {kernel, fill_text(linalg_stacks_text, parts)};
}

SINTER_INLINE std::string linalg_complex(const std::string& name) {
    return fill_text(linalg_complex_text, {{"complex", name}});
}

// Elements: arithmetic, and a size that is zero for zero alone.
SINTER_INLINE std::string linalg_element(dtype t) {
    const std::string real = real_of(t) == dtype::float64 ? "double" : "float";
    return joined({"typedef ", real, " real;\n__device__ real size_of(real x) { return x < 0 ? -x : x; }\n",
                   is_complex(t) ? linalg_complex("element") : "",
                   fill_text(linalg_element_text, {{"complex", is_complex(t)}})});
}

SINTER_INLINE kernel_source tridiagonal_cuda(dtype t) {
    // A row of a tile is a line of memory, and four tiles fit the 48 KiB that a block has.
    const std::string width = size_of(t) == 16 ? "8" : "16";
    return {"solve_tridiagonal_" + std::string(to_string(t)),
            linalg_element(t) + "constexpr int width = " + width + ";\n" + linalg_tridiagonal_text};
}

SINTER_INLINE kernel_source small_matrix_cuda(dtype t, int most_rows, const char* name, const char* text) {
    const std::string rows = std::to_string(most_rows);
    return {std::string(name) + "_" + rows + "_" + std::string(to_string(t)),
            linalg_element(t) + "constexpr int most_rows = " + rows + ";\n" + text};
}
SINTER_INLINE kernel_source invert_small_cuda(dtype t, int most_rows) {
    return small_matrix_cuda(t, most_rows, "invert_small", linalg_invert_small_text);
}
SINTER_INLINE kernel_source factor_small_cuda(dtype t, int most_rows) {
    return small_matrix_cuda(t, most_rows, "factor_small", linalg_factor_small_text);
}

SINTER_INLINE kernel_source rotate_small_cuda(dtype t, int rows) {
    const std::string text = linalg_scaling(t) + fill_text(linalg_rotate_small_text, {{"complex", is_complex(t)}});
    return small_matrix_cuda(t, rows, "rotate_small", text.c_str());
}

SINTER_INLINE std::string linalg_parts(dtype t) { return fill_text(linalg_parts_text, {{"complex", is_complex(t)}}); }

SINTER_INLINE const char* linalg_grid_barrier() { return linalg_grid_barrier_text; }

SINTER_INLINE std::string linalg_scaling(dtype t) {
    return fill_text(linalg_scaling_text, {{"complex", is_complex(t)}});
}

SINTER_INLINE kernel_source form_q_cuda(dtype t) {
    static_assert(columns_of_warp == 4, "the text of form_q has the number");
    return {"form_q_" + std::string(to_string(t)), linalg_element(t) + linalg_form_q_text};
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
