// Bodies of eig_cuda.hpp: the kernel, and what its parts in eig_cuda_reduce.ipp, eig_cuda_schur.ipp and
// eig_cuda_vectors.ipp share.
#pragma once

#include <sinter/codegen/eig_cuda.hpp>
#include <sinter/codegen/eig_cuda_reduce.ipp>
#include <sinter/codegen/eig_cuda_schur.ipp>
#include <sinter/codegen/eig_cuda_vectors.ipp>
#include <sinter/codegen/linalg_cuda.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// One H200, float64 with vectors: 500 of 50 rows 5.7, 4.5 and 7.1 ms by 64, 128 and 256 threads, 100 of 100 rows 20.9, 14.8, 13.3
// and 12.8 by up to 512, 20 of 256 rows 173, 129 and 107 by 128 to 512; so many where others have to wait for a place.
SINTER_INLINE int eig_threads(int n, bool many) {
    if (n <= 64) return n <= 32 ? 32 : 128;
    return !many ? 512 : n <= 128 ? 128 : n <= 256 ? 256 : 512;
}

SINTER_INLINE std::int64_t eig_shared(dtype t, int n, bool vectors) {
    const std::int64_t odd = n | 1,
                       elements = n > eig_window ? eig_window * (eig_window + 1) : (vectors ? 2 : 1) * n * odd;
    return elements * size_of(t);
}

SINTER_INLINE std::int64_t eig_room(dtype t, int n, bool vectors) {
    const std::int64_t solutions = vectors && is_complex(t) ? std::int64_t{n} * n : 0;
    const std::int64_t bytes = (solutions + n) * size_of(t) + 2ll * n * size_of(real_of(t)) + 12ll * n;
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

// The largest part of an element, or an infinity where one is infinite or no number; sums of parts may overflow.
__device__ real norm_of_matrix(const matrix& h, int n, real* warps) {
    real x = 0;
    for (long long i = threadIdx.x; i < (long long)n * n; i += blockDim.x) {
        const real re = size_of(real_part(h.first[i])), im = size_of(imaginary_part(h.first[i]));
        x = re <= most && im <= most ? larger(x, larger(re, im)) : most * 2;
    }
    return most_of_block(x, warps);
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

SINTER_INLINE kernel_source eig_cuda(dtype t) {
    static_assert(eig_window == 32 && not_finite == 0x7FFFFFFF, "the text has the numbers");
    const std::string kernel = R"(
// Of n rows each; `vectors` are found where `wanted`, and worked in. What a matrix needs of `room` are `room_bytes`. Its info is
// written where the iteration does not converge, as geev counts it, and where not all elements are finite.
extern "C" __global__ void __launch_bounds__(512, 1)
solve_eig(element* a, complex* values, complex* vectors, char* room, long long room_bytes, int n, int wanted, int* info) {
    extern __shared__ element windows[];
    __shared__ sweep_log log;
    const long long size = (long long)n * n;
    a += blockIdx.x * size, values += (long long)blockIdx.x * n, vectors += blockIdx.x * size, info += blockIdx.x;
    const bool whole = n <= side;
    const int odd = n | 1;
    const work_room w = divide_room(room + blockIdx.x * room_bytes, vectors, n, wanted);
    const matrix given{a, n}, h = whole ? matrix{windows, odd} : given;
    const matrix z = whole ? matrix{windows + n * odd, odd} : matrix{reinterpret_cast<element*>(vectors), n};

    const real norm = norm_of_matrix(given, n, log.warps);
    if (!(norm <= most)) {
        if (threadIdx.x == 0) *info = 0x7FFFFFFF;
        return;
    }
    const real factor = range_factor(norm);
    for (int i = threadIdx.x; i < n; i += blockDim.x) w.scale[i] = 1, w.place[i] = i;
    for (long long i = threadIdx.x; i < size; i += blockDim.x) {
        const int row = (int)(i % n), column = (int)(i / n);
        h(row, column) = times(a[i], factor);
        if (wanted) z(row, column) = row == column ? one() : zero();
    }
    __syncthreads();
    const span active = balance(h, n, w);
    reduce_to_hessenberg(h, z, n, active, wanted, w.v);
    iterate(h, z, matrix{windows, whole ? odd : side + 1}, n, active, wanted, log);
    if (log.next == failed) {
        if (threadIdx.x == 0) *info = log.last + 1;
        return;
    }
    mark_pairs(h, n, w.pairs);
    for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] = value_of(h, i, w.pairs, 1 / factor);
    if (wanted) find_vectors(h, z, n, vectors, w);
}
)";
    return {"solve_eig_" + std::string(to_string(t)),
            eig_element(t) + eig_helpers() + eig_reduce() + eig_schur(t) + eig_vectors(t) + kernel};
}

}  // namespace sinter::inline SINTER_ABI::codegen
