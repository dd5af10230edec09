// Bodies of linalg_cuda_stacks.hpp, and the measurements behind them.
#pragma once

#include <algorithm>
#include <sinter/codegen/kernels/linalg/linalg_cuda.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_stacks.hpp>

#if SINTER_HAS_CUDA

namespace sinter::inline SINTER_ABI::runtime {

// Eigenvalues of 100,000 matrices of 3 x 3 floats take one H200 1.4 ms by cuSOLVER's syevBatched and 0.13 so.
SINTER_INLINE bool is_small(const linalg_task& t) {
    const codegen::routine what = t.call.what;
    if (what == codegen::routine::syevd) return t.n <= codegen::small_rotated;
    return (what == codegen::routine::inverse || what == codegen::routine::potrf) && t.n <= codegen::small_matrix;
}

SINTER_INLINE std::uint32_t checking_threads(const linalg_task& t) { return t.batch > 256 ? 1024 : 256; }

SINTER_INLINE int lanes_of_small(const linalg_task& t) {
    if (t.call.what == codegen::routine::syevd) return 1;
    int lanes = 4;
    while (lanes < t.n) lanes *= 2;
    return lanes;
}

SINTER_INLINE std::uint32_t blocks_of_small(const linalg_task& t) {
    const std::int64_t matrices = codegen::small_matrix_threads / lanes_of_small(t);
    return static_cast<std::uint32_t>((t.batch + matrices - 1) / matrices);
}

// One matrix: small ones by Jacobi's rotations, large ones by a polar decomposition, which is many times faster, and by
// rotations again where that had to shift singular values close to zero.
SINTER_INLINE bool is_jacobi(const linalg_task& t) { return std::max(t.m, t.n) <= 128; }
SINTER_INLINE bool is_jacobi_stack(const linalg_task& t) {
    return t.batch > 1 && std::max(t.m, t.n) <= 32 && t.call.has(codegen::call_info::full);
}
SINTER_INLINE bool is_svd_stack(const linalg_task& t) {
    return t.call.what == codegen::routine::gesvd && t.batch > 1 && !is_jacobi_stack(t);
}

// Rotations share a GPU out among a few matrices. One H100, float64, ms by rotations and so: 4 of 256 x 256 9.6
// and 14.6, 20 19.7 and 15.1, 20 of 400 x 400 103 and 42, 500 of 100 x 100 33.7 and 15.8, of 64 x 64 6.7 and 5.9, 5000
// of 40 x 40 23.6 and 27.9; 2 of 520 x 520 44 and 57, 20 188 and 66; by cuSOLVER's gesvdp one by one and so: 4 of 1024
// x 1024 127 and 119, 16 521 and 192, 4 of 2048 x 2048 331 and 494, 2 of 3000 x 3000 343 and 786.
SINTER_INLINE bool is_polar_stack(const linalg_task& t) {
    constexpr int few = 8, most_rotated = 64, most_rotated_of_few = 512;
    return is_svd_stack(t) && std::min(t.m, t.n) > (t.batch > few ? most_rotated : most_rotated_of_few);
}

SINTER_INLINE bool is_orgqr_stack(const linalg_task& t) {
    return t.call.what == codegen::routine::orgqr && t.batch > 1;
}
// cuBLAS's function for stacks is for small matrices: it takes 160 us a column of 256 elements.
SINTER_INLINE bool is_small_qr_stack(const linalg_task& t) { return t.batch > 1 && std::max(t.m, t.n) <= 32; }
SINTER_INLINE bool is_geqrf_stack(const linalg_task& t) {
    return t.call.what == codegen::routine::geqrf && t.batch > 1 && !is_small_qr_stack(t);
}

// QR factors by panels and products. One H100, float64, ms column by column and so: 20 of 128 x 128 0.6 and 1.0, 500 of
// 256 x 32 0.57 and 0.66, of 100 x 100 1.6 and 1.9, of 200 x 200 12.2 and 5.7, 4 of 1024 x 1024 26 and 12, 4 of 20000 x
// 64 71 and 3.8; by cuSOLVER's geqrf one by one and so: 4 of 20000 x 64 6.2 and 3.8, 16 of 2500 x 300 32 and 8.4, 4 of
// 2500 x 2500 61 and 66, of 4000 x 4000 116 and 174.
SINTER_INLINE bool is_by_panels(const linalg_task& t) {
    constexpr int least = 128, most = 512;
    constexpr std::int64_t many = 1 << 21;
    const std::int64_t rows = std::max(t.m, t.n), elements = std::int64_t{t.m} * t.n * t.batch;
    return (is_geqrf_stack(t) || is_orgqr_stack(t) || is_svd_stack(t)) &&
           (rows > most || (rows > least && elements > many));
}

SINTER_INLINE bool calls_no_library(const linalg_task& t) {
    return is_small(t) ||
           ((is_geqrf_stack(t) || is_orgqr_stack(t) || is_svd_stack(t)) && !is_by_panels(t) && !is_polar_stack(t));
}

// Kernels of our own look at their matrices by themselves.
SINTER_INLINE bool is_checked_before(const linalg_task& t) {
    return codegen::wants_finite(t.call.what) && (!is_svd_stack(t) || is_polar_stack(t));
}

SINTER_INLINE bool has_lu(const linalg_task& t) {
    return t.call.what == codegen::routine::getrf || t.call.what == codegen::routine::inverse;
}
SINTER_INLINE bool is_lu_stack(const linalg_task& t) { return has_lu(t) && t.batch > 1 && t.m == t.n; }

SINTER_INLINE bool keeps_nan(const linalg_task& t) {
    return t.call.what == codegen::routine::getrf && is_lu_stack(t) && !t.call.can_fail();
}

}  // namespace sinter::inline SINTER_ABI::runtime

#endif
