// Bodies of linalg_cuda_inverse.hpp.
#pragma once

#include <sinter/codegen/kernels/linalg/linalg_cuda.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_inverse.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_stacks.hpp>
#include <sinter/runtime/memory/copy.hpp>

#if SINTER_HAS_CUDA

namespace sinter::inline SINTER_ABI::runtime {

// Of n columns in two parts those in the first, whole blocks.
SINTER_INLINE int first_part(int n) {
    int half = codegen::inverse_block;
    while (2 * half < n) half *= 2;
    return half;
}

SINTER_INLINE std::int64_t largest_above(int n) {
    if (n <= codegen::inverse_block) return 0;
    const int half = first_part(n), rest = n - half;
    return std::max({std::int64_t{half} * rest, largest_above(half), largest_above(rest)});
}

SINTER_INLINE void cuda_inverse::invert_small() const {
    const void *a = at[0], *infos_at = info;
    void* to = at[1];
    std::int64_t n = r.task.n, count = r.task.batch;
    void* arguments[] = {&a, &to, &n, &count, &infos_at};
    launch_cuda(where, r.small, {blocks_of_small(r.task)}, {codegen::small_matrix_threads}, 0, arguments);
}

SINTER_INLINE void cuda_inverse::solve_with(int side, int triangle, int m, int n, const void* a, void* b) const {
    const int diag = triangle == linalg_constants::lower ? linalg_constants::unit : 0, ld = r.task.n;
    multiplied(function<cublas_linalg_types::trsm>(2)(blas, side, triangle, 0, diag, m, n, number(1), a, ld, b, ld));
}

SINTER_INLINE void cuda_inverse::multiply(int m, int n, int k, int factor, const void* a, int lda, const void* b,
                                          int ldb, int kept, void* c, int ldc) const {
    multiplied(function<cublas_linalg_types::gemm>(3)(blas, 0, 0, m, n, k, number(factor), a, lda, b, ldb, number(kept),
                                                      c, ldc));
}

// The inverses of the blocks along the diagonal: of U's in the copy, of L's, but for the last, where take_upper has
// identities.
SINTER_INLINE void cuda_inverse::invert_blocks() const {
    constexpr int block = codegen::inverse_block;
    const int n = r.task.n, whole = n / block, rest = n % block;
    const std::int64_t step = std::int64_t{block} * (n + 1) * codegen::size_of(r.task.type),
                       size = step / (n + 1) * block;
    auto solve = [&](int triangle, char* x, int ld, std::int64_t distance) {
        const int diag = triangle == linalg_constants::lower ? linalg_constants::unit : 0;
        multiplied(function<cublas_linalg_types::trsm_batched>(4)(blas, linalg_constants::left, triangle, 0, diag,
                                                                  block, block, number(1), list(0, at[1], step, whole),
                                                                  n, list(1, x, distance, whole), ld, whole));
    };
    if (whole > 0) {
        solve(linalg_constants::upper, copy, n, step);
        solve(linalg_constants::lower, identities, block, size);
    }
    const int last = n - rest;
    if (rest > 0)
        solve_with(linalg_constants::left, linalg_constants::upper, rest, rest, element_of(at[1], last, last),
                   element_of(copy, last, last));
}

// The upper triangle of factors in the second array becomes its inverse in the copy, which begins with those of its
// blocks: what is above the diagonal is multiplied by the inverses on either side, which is faster than solving with
// both; strip by strip of their rows and columns, without the zeros before and after them.
SINTER_INLINE void cuda_inverse::invert_upper(int first, int n) const {
    if (n <= codegen::inverse_block) return;
    constexpr int strip = 512;
    const int half = first_part(n), rest = n - half, ld = r.task.n;
    invert_upper(first, half);
    invert_upper(first + half, rest);
    char *left = element_of(copy, first, first), *above = element_of(copy, first, first + half),
         *right = element_of(copy, first + half, first + half);
    for (int begin = 0; begin < half; begin += strip)
        multiply(std::min(strip, half - begin), rest, half - begin, -1, element_of(left, begin, begin), ld,
                 element_of(above, begin, 0), ld, 0, work + begin * codegen::size_of(r.task.type), half);
    for (int begin = 0; begin < rest; begin += strip) {
        const int columns = std::min(strip, rest - begin);
        multiply(half, columns, begin + columns, 1, work, half, element_of(right, 0, begin), ld, 0,
                 element_of(above, 0, begin), ld);
    }
}

// Columns of the copy times the inverse of the factors' lower triangle.
SINTER_INLINE void cuda_inverse::divide_by_lower(int first, int n) const {
    const int rows = r.task.n;
    char* x = element_of(copy, 0, first);
    if (n < codegen::inverse_block)
        return solve_with(linalg_constants::right, linalg_constants::lower, rows, n, element_of(at[1], first, first),
                          x);
    if (n == codegen::inverse_block) {
        const std::int64_t bytes = std::int64_t{n} * codegen::size_of(r.task.type);
        multiply(rows, n, n, 1, x, rows, identities + first * bytes, n, 0, work, rows);
        return copy_between(where, x, where, work, static_cast<std::size_t>(rows * bytes));
    }
    const int half = first_part(n), rest = n - half;
    divide_by_lower(first + half, rest);
    multiply(rows, half, rest, -1, element_of(copy, 0, first + half), rows, element_of(at[1], first + half, first),
             rows, 1, x, rows);
    divide_by_lower(first, half);
}

// As LAPACK's getri, the inverse of U divided by L, in recursions that spend their time in matrix products: of 10000
// rows on one H200, float64, 28 ms beside 43 for the factors; with strips of 1024 rows 29, without strips 32.
SINTER_INLINE void cuda_inverse::invert_by_factors() const {
    const linalg_task& t = r.task;
    const int n = t.n;
    copy_between(where, at[1], where, at[0], static_cast<std::size_t>(t.stride[0]));
    void *lu = at[1], *x = copy, *blocks = n < codegen::inverse_block ? nullptr : identities, *status = info,
         *exchanges = pivots, *columns = pivots + 4 * std::int64_t{n};
    int *pivots_of = static_cast<int*>(exchanges), *rows = static_cast<int*>(columns);
    const bool panels = has_panels(r), wide = codegen::real_of(t.type) == dtype::float64;
    if (panels) factor({at[1], n, n, pivots_of, rows, infos(), codegen::size_of(t.type)});
    else solved(function<cusolver_types::getrf>(0)(solver, n, n, lu, n, work, pivots_of, infos()));
    std::int64_t size = n, words = codegen::size_of(t.type) / 4, last = wide, one_matrix = 1;
    std::uint32_t one = wide ? 0x3FF00000u : 0x3F800000u, count = static_cast<std::uint32_t>(n);
    void* taken[] = {&lu, &x, &blocks, &size, &words, &last, &one, &status};
    launch_cuda(where, r.take_upper, {count}, {256}, 0, taken);
    invert_blocks();
    invert_upper(0, n);
    divide_by_lower(0, n);
    void* ordered[] = {&exchanges, &size, &columns, &size, &one_matrix};
    if (!panels) launch_cuda(where, r.order_rows, {1}, {256}, 0, ordered);
    void* moved[] = {&x, &columns, &lu, &size, &words};
    launch_cuda(where, r.order_columns, {count}, {256}, 0, moved);
}

SINTER_INLINE void cuda_inverse::run_inverse() const {
    using b = cublas_linalg_types;
    const linalg_task& t = r.task;
    const int n = t.n, ld = leading(n);
    if (is_small(t)) return invert_small();
    if (t.batch == 1) return invert_by_factors();
    copy_between(where, copy, where, at[0], static_cast<std::size_t>(t.stride[0] * t.batch));
    void** lu = list(0, copy, t.stride[0]);
    multiplied(function<b::getrf_batched>(0)(blas, n, lu, ld, reinterpret_cast<int*>(pivots), infos(), batch()));
    // It reports the same zeros on the diagonal.
    multiplied(function<b::getri_batched>(1)(blas, n, lu, ld, reinterpret_cast<int*>(pivots),
                                             list(1, at[1], t.stride[1]), ld, infos(), batch()));
}

}  // namespace sinter::inline SINTER_ABI::runtime

#endif
