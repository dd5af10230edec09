// Bodies of eig_cuda.hpp: the kernel, and what its parts share.
#pragma once

#include <sinter/codegen/kernels/linalg/eig_cuda.hpp>
#include <sinter/codegen/kernels/linalg/eig_cuda_chains.hpp>
#include <sinter/codegen/kernels/linalg/eig_cuda_reduce.hpp>
#include <sinter/codegen/kernels/linalg/eig_cuda_schur.hpp>
#include <sinter/codegen/kernels/linalg/eig_cuda_vectors.hpp>
#include <sinter/codegen/kernels/linalg/linalg_cuda.hpp>

namespace sinter::inline SINTER_ABI::codegen {

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

// What real and complex elements differ in, and limits of their numbers.
SINTER_INLINE std::string eig_element(dtype t) {
    const std::string limits =
        real_of(t) == dtype::float64
            ? R"(constexpr real ulp = 2.220446049250313e-16, least = 2.2250738585072014e-308, most = 1.7976931348623157e308;
constexpr real small_norm = 6.7178761075670888e-139, small_square = 1e-130;
)"
            : R"(constexpr real ulp = 1.1920929e-7f, least = 1.17549435e-38f, most = 3.40282347e38f;
constexpr real small_norm = 9.0949470e-13f, small_square = 1e-13f;
)";
    const std::string kind = is_complex(t) ? R"(typedef element complex;
constexpr int order = 2;  // of reflectors
__device__ real across_warp(real x, int bits) { return __shfl_xor_sync(0xFFFFFFFF, x, bits); }
__device__ element over(element x, real s) { return {x.re / s, x.im / s}; }
__device__ element inverse_of(element x) { return over(conjugate(x), square_of(x)); }
__device__ complex complex_of(element x) { return x; }
)"
                                           : linalg_complex("complex") + R"(constexpr int order = 3;  // of reflectors
__device__ element over(element x, real s) { return x / s; }
__device__ element inverse_of(element x) { return 1 / x; }
__device__ complex complex_of(element x) { return {x, 0}; }
)";
    return linalg_element(t) + linalg_parts(t) + kind + limits;
}

SINTER_INLINE const char* eig_helpers() {
    return R"(constexpr int side = 32;

// A matrix by columns.
struct matrix {
    element* first;
    long long ld;
    __device__ element& operator()(int row, int column) const { return first[row + column * ld]; }
};
// One in shared memory.
struct tile {
    element* first;
    int ld;
    __device__ element& operator()(int row, int column) const { return first[row + column * ld]; }
};

template <class T>
__device__ T larger(T a, T b) { return a > b ? a : b; }
template <class T>
__device__ T smaller(T a, T b) { return a < b ? a : b; }

__device__ real most_of_block(real x, real* warps) {
    x = most_of_warp(x);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = x;
    __syncthreads();
    for (int i = 0; i < (int)blockDim.x / 32; ++i) x = larger(x, warps[i]);
    __syncthreads();
    return x;
}

// Blocks add up in one order, so that all have the same.
template <class T>
__device__ T sum_of_block(T x, T* parts) {
    for (int bits = 16; bits > 0; bits /= 2) x = x + across_warp(x, bits);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = x;
    __syncthreads();
    x = parts[0];
    for (int i = 1; i < (int)blockDim.x / 32; ++i) x = x + parts[i];
    __syncthreads();
    return x;
}

// The largest part of an element, or an infinity where one is infinite or no number; sums of parts may overflow.
__device__ real norm_of_matrix(const element* a, int n, real* warps) {
    real x = 0;
    for (long long i = threadIdx.x; i < (long long)n * n; i += blockDim.x) {
        const real re = size_of(real_part(a[i])), im = size_of(imaginary_part(a[i]));
        x = re <= most && im <= most ? larger(x, larger(re, im)) : most * 2;
    }
    return most_of_block(x, warps);
}

// Elements i of `far` by warps, k of `near` by lanes, some of which are read before the first is written: memory may be far, too.
template <class Read, class Write>
__device__ void copy_elements(int far, int near, Read read, Write write) {
    constexpr int batch = 4;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    for (int first = warp; first < far; first += batch * warps)
        for (int k = lane; k < near; k += 32) {
            element x[batch];
#pragma unroll
            for (int i = 0; i < batch; ++i) x[i] = read(smaller(first + i * warps, far - 1), k);
#pragma unroll
            for (int i = 0; i < batch; ++i)
                if (first + i * warps < far) write(first + i * warps, k, x[i]);
        }
}

// A power of two that brings a norm into the range in which squares neither overflow nor vanish.
__device__ real range_factor(real norm) {
    real f = 1;
    while (norm > 0 && norm * f < small_norm) f *= 16;
    while (norm * f > 1 / small_norm) f /= 16;
    return f;
}
)";
}

SINTER_INLINE const char* eig_kernel() {
    return R"(
// h becomes the given elements times a factor, and z an identity.
__device__ void begin_matrix(const element* given, real factor, matrix h, matrix z, int n, bool wanted, const workspace_view& w, block_group blocks) {
    const int first = blocks.rank * blockDim.x + threadIdx.x, step = blocks.count * blockDim.x;
    for (int i = first; i < n; i += step) w.scale[i] = 1, w.place[i] = i;
    for (long long i = first; i < (long long)n * n; i += step) {
        const int row = (int)(i % n), column = (int)(i / n);
        h(row, column) = times(given[i], factor);
        if (wanted) z(row, column) = row == column ? one() : zero();
    }
}

// Of n rows each; `vectors` are found where `wanted`, and worked in. Each matrix has a cluster of so many blocks, and of `workspace` it needs
// `workspace_bytes`. Its info is written where the iteration does not converge, as geev counts it, and where not all elements are finite.
extern "C" __global__ void __launch_bounds__(512, 1)
solve_eig(element* a, complex* values, complex* vectors, char* workspace, long long workspace_bytes, int n, int wanted, int window, int count, int* info) {
    extern __shared__ element shared[];
    __shared__ sweep_log log;
    __shared__ chain c;
    __shared__ element parts[512];
    const long long size = (long long)n * n, number = blockIdx.x / count;
    const block_group blocks{(int)(blockIdx.x % count), count};
    a += number * size, values += number * n, vectors += number * size, info += number;
    const bool whole = n <= side;
    const int odd = n | 1;
    const workspace_view w = divide_workspace(workspace + number * workspace_bytes, vectors, n, wanted, window, blocks);
    const matrix h = whole ? matrix{shared, odd} : matrix{a, n}, z = whole ? matrix{shared + n * odd, odd} : matrix{reinterpret_cast<element*>(vectors), n};

    const real norm = norm_of_matrix(a, n, log.warps);
    if (!(norm <= most)) {
        if (threadIdx.x == 0 && blocks.rank == 0) *info = 0x7FFFFFFF;
        return;
    }
    const real factor = range_factor(norm);
    grid_barrier(count);
    begin_matrix(a, factor, h, z, n, wanted, w, blocks);
    grid_barrier(count);
    const span active = balance(h, n, w, blocks);
    const tile small{shared, odd}, small_z{shared + n * odd, odd};
    if (whole) reduce_small(small, small_z, n, active, wanted, w.columns);
    else reduce_to_hessenberg(h, z, n, active, wanted, divide_columns(w.columns, n, blocks), log.warps, parts, blocks);
    const outcome found = whole ? solve_block(small, small_z, n, active, wanted, log)
                                : iterate(h, z, shared, window, n, active, wanted, w, blocks, c, log);
    if (found.next == failed) {
        if (threadIdx.x == 0 && blocks.rank == 0) *info = found.row + 1;
        return;
    }
    if (blocks.rank == 0) mark_pairs(h, n, w.pairs);
    grid_barrier(count);
    for (int i = blocks.rank * blockDim.x + threadIdx.x; i < n; i += count * blockDim.x) values[i] = value_of(h, i, w.pairs, 1 / factor);
    if (wanted) find_vectors(h, z, n, vectors, w, blocks);
}
)";
}

SINTER_INLINE kernel_source eig_cuda(dtype t) {
    static_assert(eig_block == 32 && eig_lines == 64 && not_finite == 0x7FFFFFFF, "the text has the numbers");
    return {"solve_eig_" + std::string(to_string(t)), eig_element(t) + linalg_grid_barrier() + eig_helpers() +
                                                          eig_reduce() + eig_reduce_large() + eig_schur(t) +
                                                          eig_chains() + eig_vectors(t) + eig_kernel()};
}

}  // namespace sinter::inline SINTER_ABI::codegen
