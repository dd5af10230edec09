// Bodies of eig_cuda.hpp.
#pragma once

#include <sinter/codegen/kernels/linalg/eig_cuda.hpp>
#include <sinter/codegen/kernels/linalg/linalg_cuda.hpp>
#include <sinter/codegen/print/fill_text.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* eig_element_text =
#include <sinter/codegen/kernels/linalg/text/eig_element.cuh>
    ;
inline constexpr const char* eig_helpers_text =
#include <sinter/codegen/kernels/linalg/text/eig_helpers.cuh>
    ;
inline constexpr const char* eig_reduce_text =
#include <sinter/codegen/kernels/linalg/text/eig_reduce.cuh>
    ;
inline constexpr const char* eig_reduce_large_text =
#include <sinter/codegen/kernels/linalg/text/eig_reduce_large.cuh>
    ;
inline constexpr const char* eig_sweep_log_text =
#include <sinter/codegen/kernels/linalg/text/eig_sweep_log.cuh>
    ;
inline constexpr const char* eig_real_shifts_text =
#include <sinter/codegen/kernels/linalg/text/eig_real_shifts.cuh>
    ;
inline constexpr const char* eig_complex_shifts_text =
#include <sinter/codegen/kernels/linalg/text/eig_complex_shifts.cuh>
    ;
inline constexpr const char* eig_schur_text =
#include <sinter/codegen/kernels/linalg/text/eig_schur.cuh>
    ;
inline constexpr const char* eig_chains_text =
#include <sinter/codegen/kernels/linalg/text/eig_chains.cuh>
    ;
inline constexpr const char* eig_real_unknowns_text =
#include <sinter/codegen/kernels/linalg/text/eig_real_unknowns.cuh>
    ;
inline constexpr const char* eig_complex_unknowns_text =
#include <sinter/codegen/kernels/linalg/text/eig_complex_unknowns.cuh>
    ;
inline constexpr const char* eig_vectors_text =
#include <sinter/codegen/kernels/linalg/text/eig_vectors.cuh>
    ;
inline constexpr const char* eig_text =
#include <sinter/codegen/kernels/linalg/text/eig.cuh>
    ;

// One H100, float64 with vectors, ms by 64, 128, 256 and 512 threads: 500 of 50 rows 5.7, 4.3, 6.3 and 11.4, 100 of 100
// rows 21.7, 13.1, 9.9 and 8.8, 1000 of them 72, 48, 45 and 67; by 128 to 512: 20 of 256 rows 42, 30 and 28, 200 of 250
// rows 125, 87 and 110; so many where others have to wait for a place.
SINTER_INLINE int eig_threads(int n, bool many) {
    if (n <= 64) return n <= 32 ? 32 : 128;
    return !many ? 512 : n <= 128 ? 128 : n <= 256 ? 256 : 512;
}

SINTER_INLINE eig_shape eig_shape_of(dtype t, int n, bool vectors, std::int64_t shared_limit) {
    if (n <= eig_block) return {eig_block, (vectors ? 2 : 1) * n * (n | 1) * size_of(t)};
    auto bytes = [&](std::int64_t window) { return window * (window + eig_lines + 2) * size_of(t); };
    const int window = n <= 96 || bytes(64) + eig_fixed > shared_limit ? 32 : 64;
    return {window, bytes(window)};
}

SINTER_INLINE std::int64_t eig_workspace(dtype t, int n, int window, bool vectors, int blocks) {
    const std::int64_t solutions = vectors && is_complex(t) ? std::int64_t{n} * n : 0,
                       multipliers = blocks > 1 ? 2 * window * window : 0,
                       elements = solutions + (3 * std::int64_t{blocks} + 4) * n + multipliers;
    const std::int64_t bytes = elements * size_of(t) + 2ll * n * size_of(real_of(t)) + 12ll * n + 64;
    return (bytes + 15) / 16 * 16;
}

SINTER_INLINE std::string eig_element(dtype t) {
    return linalg_element(t) + linalg_parts(t) + (is_complex(t) ? "" : linalg_complex("complex")) +
           fill_text(eig_element_text, {{"complex", is_complex(t)}, {"float64", real_of(t) == dtype::float64}});
}

SINTER_INLINE kernel_source eig_cuda(dtype t) {
    static_assert(eig_block == 32 && eig_lines == 64 && not_finite == 0x7FFFFFFF, "the text has the numbers");
    const char* const shifts = is_complex(t) ? eig_complex_shifts_text : eig_real_shifts_text;
    const char* const unknowns = is_complex(t) ? eig_complex_unknowns_text : eig_real_unknowns_text;
    return {"solve_eig_" + std::string(to_string(t)), eig_element(t) + linalg_grid_barrier() + eig_helpers_text +
                                                          eig_reduce_text + eig_reduce_large_text + eig_sweep_log_text +
                                                          shifts + eig_schur_text + eig_chains_text + unknowns +
                                                          eig_vectors_text + eig_text};
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
