// Bodies of linalg_cuda.hpp.
#pragma once

#include <sinter/codegen/kernels/linalg/linalg_cuda.hpp>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE kernel_source linalg_cuda() {
    static_assert(inverse_block == 256, "the text of take_upper has the number");
    static_assert(not_finite == 0x7FFFFFFF && overflowed == 0x7FFFFFFE, "the texts have the numbers");
    static_assert(columns_to_check == 8, "the text of mark_not_finite and clear_marked has the number");
    return {"linalg", R"(// The addresses of the matrices of a stack, which lie `bytes` apart.
extern "C" __global__ void __launch_bounds__(256) list_matrices(long long first, long long bytes, long long* list, long long count) {
    const long long i = blockIdx.x * 256ll + threadIdx.x;
    if (i < count) list[i] = first + i * bytes;
}

// Which of m rows each row is after exchanging row i with row pivots[i] - 1, for i from 0 to k - 1; a thread per matrix.
extern "C" __global__ void __launch_bounds__(256)
order_rows(const int* pivots, long long k, int* rows, long long m, long long count) {
    const long long matrix = blockIdx.x * 256ll + threadIdx.x;
    if (matrix >= count) return;
    pivots += matrix * k;
    rows += matrix * m;
    for (long long i = 0; i < m; ++i) rows[i] = (int)i;
    for (long long i = 0; i < k; ++i) {
        const int from = pivots[i] - 1, row = rows[i];
        rows[i] = rows[from];
        rows[from] = row;
    }
}

// The first of n diagonal elements, `words` of 4 bytes each, that is zero, counted from 1, or `other`; a number's sign is
// in the last of its `wide` words.
__device__ int first_zero(const unsigned* factors, long long n, long long words, long long wide, int other) {
    for (long long i = 0; i < n; ++i) {
        const unsigned* x = factors + i * (n + 1) * words;
        unsigned bits = 0;
        for (long long w = 0; w < words; ++w) bits |= w % wide == wide - 1 ? x[w] & 0x7FFFFFFFu : x[w];
        if (bits == 0) return (int)i + 1;
    }
    return other;
}

// Which matrices, of m rows and n columns, have numbers that are not finite, all of whose exponent's bits are set: in the upper
// triangle where `triangle` > 0, in the lower one where it is < 0, or anywhere.
extern "C" __global__ void __launch_bounds__(256)
mark_not_finite(const unsigned* a, long long m, long long n, long long count, long long words, long long wide, int triangle, int* marks) {
    const long long column = blockIdx.x * 8ll + threadIdx.x / 32, i = column % n;
    if (column >= n * count) return;
    const unsigned exponent = wide == 2 ? 0x7FF00000u : 0x7F800000u;
    const long long first = triangle < 0 ? i : 0, end = triangle > 0 ? i + 1 : m;
    a += column * m * words;
    for (long long at = first * words + threadIdx.x % 32; at < end * words; at += 32)
        if (at % wide == wide - 1 && (a[at] & exponent) == exponent) marks[column / n] = 1;
}

// Makes them zero: what iterates need not end for others.
extern "C" __global__ void __launch_bounds__(256)
clear_marked(unsigned* a, long long m, long long n, long long count, long long words, const int* marks) {
    const long long column = blockIdx.x * 8ll + threadIdx.x / 32;
    if (column >= n * count || marks[column / n] == 0) return;
    for (long long at = threadIdx.x % 32; at < m * words; at += 32) a[column * m * words + at] = 0;
}

// Which matrices, with so many words of values each, have a NaN among these, by the bits, whatever else their info says.
extern "C" __global__ void __launch_bounds__(256)
mark_overflows(const unsigned* values, long long words, long long count, long long wide, int* info) {
    const long long at = blockIdx.x * 256ll + threadIdx.x;
    if (at >= words * count || at % wide != wide - 1) return;
    const unsigned high = values[at] & 0x7FFFFFFFu, infinity = wide == 2 ? 0x7FF00000u : 0x7F800000u;
    const bool is_nan = high > infinity || (high == infinity && wide == 2 && values[at - 1] != 0);
    if (is_nan) info[at / words] = 0x7FFFFFFE;
}

// Reports the first matrix that is marked, where there are `marks`, or that the library could not do, and why: where there are
// `factors`, their first zero pivot, which need not be the one that the library names.
extern "C" __global__ void __launch_bounds__(256)
check_info(const int* info, const int* marks, long long count, long long* error, const unsigned* factors, long long n, long long words,
           long long wide) {
    __shared__ long long least[256];
    long long first = threadIdx.x;
    while (first < count && info[first] == 0 && !(marks && marks[first])) first += 256;
    least[threadIdx.x] = first;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half && least[threadIdx.x + half] < least[threadIdx.x]) least[threadIdx.x] = least[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0 && least[0] < count) {
        int why = marks && marks[least[0]] ? 0x7FFFFFFF : info[least[0]];
        if (factors && why > 0) why = first_zero(factors + least[0] * n * n * words, n, words, wide, why);
        error[1] = least[0] << 32 | (unsigned)why;
        error[0] = 1;
    }
}

// The part of n rows of LU factors above the diagonal, where the 256 rows of a block along it are an identity, elements of 4
// bytes times `words`; `one` is word `where` of a 1. In `identities`, where there are some, those blocks alone, one behind the
// other. And the zero pivot that `info` tells of, while the factors are there.
extern "C" __global__ void __launch_bounds__(256)
take_upper(const unsigned* lu, unsigned* to, unsigned* identities, long long n, long long words, long long where, unsigned one,
           int* info) {
    const long long column = blockIdx.x, begin = column * n * words;
    if (column == 0 && threadIdx.x == 0 && *info > 0) *info = first_zero(lu, n, words, where + 1, *info);
    for (long long i = threadIdx.x; i < n * words; i += 256) {
        const int row = (int)i / (int)words;
        if (row / 256 == column / 256) to[begin + i] = row == column && (int)i % (int)words == where ? one : 0u;
        else to[begin + i] = row < column ? lu[begin + i] : 0u;
    }
    for (long long i = threadIdx.x; identities && i < 256 * words; i += 256)
        identities[column * 256 * words + i] = i == (column % 256) * words + where ? one : 0u;
}

// Column k becomes column columns[k].
extern "C" __global__ void __launch_bounds__(256)
order_columns(const unsigned* from, const int* columns, unsigned* to, long long n, long long words) {
    const unsigned* x = from + blockIdx.x * n * words;
    unsigned* y = to + columns[blockIdx.x] * n * words;
    for (long long i = threadIdx.x; i < n * words; i += 256) y[i] = x[i];
}
)"};
}

// Complex numbers of a name, whose parts are `real`.
SINTER_INLINE std::string linalg_complex(const std::string& name) {
    std::string text = R"(struct alignas(2 * sizeof(real)) complex { real re, im; };
__device__ complex conjugate(complex x) { return {x.re, -x.im}; }
__device__ real size_of(complex x) { return size_of(x.re) + size_of(x.im); }
__device__ complex operator-(complex a) { return {-a.re, -a.im}; }
__device__ complex operator+(complex a, complex b) { return {a.re + b.re, a.im + b.im}; }
__device__ complex operator-(complex a, complex b) { return {a.re - b.re, a.im - b.im}; }
__device__ complex operator*(complex a, complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
__device__ complex operator/(complex a, complex b) {
    const bool wide = size_of(b.re) >= size_of(b.im);
    const real r = wide ? b.im / b.re : b.re / b.im, d = wide ? b.re + b.im * r : b.im + b.re * r;
    if (wide) return {(a.re + a.im * r) / d, (a.im - a.re * r) / d};
    return {(a.re * r + a.im) / d, (a.im * r - a.re) / d};
}
)";
    for (std::size_t at = 0; (at = text.find("complex", at)) != std::string::npos; at += name.size())
        text.replace(at, 7, name);
    return text;
}

// Elements: arithmetic, and a size that is zero for zero alone.
SINTER_INLINE std::string linalg_element(dtype t) {
    const std::string real = real_of(t) == dtype::float64 ? "double" : "float";
    const std::string size = "typedef " + real + " real;\n__device__ real size_of(real x) { return x < 0 ? -x : x; }\n";
    if (!is_complex(t))
        return size + R"(typedef real element;
__device__ element zero() { return 0; }
__device__ element one() { return 1; }
__device__ element conjugate(element x) { return x; }
__device__ real real_part(element x) { return x; }
__device__ element across_warp(element x, int bits) { return __shfl_xor_sync(0xFFFFFFFF, x, bits); }
__device__ element from_lane(element x, int lane) { return __shfl_sync(0xFFFFFFFF, x, lane); }
)";
    return size + linalg_complex("element") + R"(__device__ element zero() { return {0, 0}; }
__device__ element one() { return {1, 0}; }
__device__ real real_part(element x) { return x.re; }
__device__ element across_warp(element x, int bits) {
    return {__shfl_xor_sync(0xFFFFFFFF, x.re, bits), __shfl_xor_sync(0xFFFFFFFF, x.im, bits)};
}
__device__ element from_lane(element x, int lane) {
    return {__shfl_sync(0xFFFFFFFF, x.re, lane), __shfl_sync(0xFFFFFFFF, x.im, lane)};
}
)";
}

SINTER_INLINE kernel_source tridiagonal_cuda(dtype t) {
    // A row of a tile is a line of memory, and four tiles fit the 48 KiB that a block has.
    const std::string width = size_of(t) == 16 ? "8" : "16";
    return {"solve_tridiagonal_" + std::string(to_string(t)),
            linalg_element(t) + "constexpr int width = " + width + R"(;

// Matrices of n rows with `columns` right-hand sides each, `count` in all; `work` holds the factors of the 64 that each
// block is at, four elements for a row of each, side by side.
extern "C" __global__ void __launch_bounds__(64)
solve_tridiagonal(const element* lower, const element* diagonal, const element* upper, element* b, element* work,
                  long long n, long long columns, long long count, unsigned long long* worst) {
    __shared__ element tile[4][64][width + 1];
    __shared__ long long matrix_of[64];
    const int me = threadIdx.x;
    element* own = work + blockIdx.x * n * 256 + me;
    for (long long first = blockIdx.x * 64ll; first < count; first += gridDim.x * 64ll) {
        const long long number = first + me, matrix = number / columns;
        matrix_of[me] = matrix;
        long long singular = 0;
        element d = zero(), u = zero(), y = zero();
        auto keep = [&](long long row, element a, element next, element second, element right) {
            element* to = own + row * 256;
            to[0] = a, to[64] = next, to[128] = second, to[192] = right;
        };
        for (long long begin = 0; begin < n; begin += width) {
            __syncthreads();
            for (int i = me; i < 64 * width; i += 64) {
                const int line = i / width, at = i % width;
                const long long row = begin + at, of = matrix_of[line];
                if (first + line >= count || row >= n) continue;
                tile[0][line][at] = row > 0 ? lower[of * (n - 1) + row - 1] : zero();
                tile[1][line][at] = diagonal[of * n + row];
                tile[2][line][at] = row + 1 < n ? upper[of * (n - 1) + row] : zero();
                tile[3][line][at] = b[(first + line) * n + row];
            }
            __syncthreads();
            for (int at = 0; number < count && at < width && begin + at < n; ++at) {
                const long long row = begin + at;
                const element below = tile[0][me][at], a = tile[1][me][at], next = tile[2][me][at], right = tile[3][me][at];
                if (row == 0) {
                    d = a, u = next, y = right;
                } else if (size_of(d) >= size_of(below)) {
                    if (size_of(d) == 0 && singular == 0) singular = row;
                    const element f = below / d;
                    keep(row - 1, d, u, zero(), y);
                    d = a - f * u, u = next, y = right - f * y;
                } else {
                    const element f = d / below;
                    keep(row - 1, below, a, next, right);
                    d = u - f * a, u = -(f * next), y = y - f * right;
                }
            }
        }
        if (size_of(d) == 0 && singular == 0) singular = n;
        if (number < count && singular > 0) atomicMax(worst, ~(unsigned long long)(matrix << 32 | singular));
        keep(n - 1, d, zero(), zero(), y);
        element x1 = zero(), x2 = zero();
        for (long long begin = (n - 1) / width * width; begin >= 0; begin -= width) {
            __syncthreads();
            for (int at = width - 1; at >= 0; --at) {
                const long long row = begin + at;
                if (row >= n) continue;
                const element* f = own + row * 256;
                const element x = (f[192] - f[64] * x1 - f[128] * x2) / f[0];
                tile[3][me][at] = x;
                x2 = x1, x1 = x;
            }
            __syncthreads();
            for (int i = me; i < 64 * width; i += 64) {
                const int line = i / width, at = i % width;
                if (first + line < count && begin + at < n) b[(first + line) * n + begin + at] = tile[3][line][at];
            }
        }
    }
}

extern "C" __global__ void report_matrix(const unsigned long long* worst, long long* error) {
    if (*worst == 0) return;
    error[1] = (long long)~*worst;
    error[0] = 1;
}
)"};
}

SINTER_INLINE kernel_source invert_small_cuda(dtype t) {
    return {"invert_small_" + std::string(to_string(t)), linalg_element(t) + R"(
// A lane holds a row, which it may become the pivot of once; rows beyond n are an identity's. Each step takes the first column
// away and puts the next of the inverse behind the last, so that no lane asks for a column by number.
extern "C" __global__ void __launch_bounds__(128)
invert_small(const element* a, element* inverse, long long n, long long count, int* info) {
    __shared__ int rows[4][32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const long long matrix = blockIdx.x * 4ll + warp;
    if (matrix >= count) return;
    a += matrix * n * n, inverse += matrix * n * n;
    const bool real_row = lane < n;
    element v[32];
#pragma unroll
    for (int c = 0; c < 32; ++c) v[c] = real_row && c < n ? a[lane + c * n] : zero();
    bool free = real_row;
    int column = lane, singular = 0;
    for (int k = 0; k < n; ++k) {
        real best = free ? size_of(v[0]) : real(-1);
        int pivot = lane;
        if (best != best) best = 0;
#pragma unroll
        for (int bits = 16; bits > 0; bits /= 2) {
            const real other = __shfl_xor_sync(0xFFFFFFFF, best, bits);
            const int from = __shfl_xor_sync(0xFFFFFFFF, pivot, bits);
            if (other > best || (other == best && from < pivot)) best = other, pivot = from;
        }
        const element p = from_lane(v[0], pivot), factor = v[0], scale = one() / p;
        if (singular == 0 && size_of(p) == 0) singular = k + 1;
        const bool mine = lane == pivot;
        if (mine) free = false, column = k;
#pragma unroll
        for (int c = 0; c < 31; ++c) {
            const element x = from_lane(v[c + 1], pivot) * scale;
            v[c] = mine ? x : v[c + 1] - factor * x;
        }
        v[31] = mine ? scale : -(factor * scale);
    }
    if (real_row) rows[warp][column] = lane;
    __syncwarp();
    // This lane's row of the inverse is `column`; column c of the registers came at step (c + n) % 32 and belongs to that pivot's row.
#pragma unroll
    for (int c = 0; c < 32; ++c) {
        const int step = (c + (int)n) % 32;
        if (real_row && step < n) inverse[column + rows[warp][step] * n] = v[c];
    }
    if (lane == 0) info[matrix] = singular;
}
)"};
}

SINTER_INLINE std::string linalg_parts(dtype t) {
    const std::string parts = is_complex(t) ? R"(__device__ real imaginary_part(element x) { return x.im; }
__device__ real square_of(element x) { return x.re * x.re + x.im * x.im; }
__device__ element times(element x, real by) { return {x.re * by, x.im * by}; }
)"
                                            : R"(__device__ real imaginary_part(element) { return 0; }
__device__ real square_of(element x) { return x * x; }
__device__ element times(element x, real by) { return x * by; }
)";
    return parts + R"(__device__ real sum_of_warp(real x) {
    for (int bits = 16; bits > 0; bits /= 2) x += __shfl_xor_sync(0xFFFFFFFF, x, bits);
    return x;
}
__device__ real most_of_warp(real x) {
    for (int bits = 16; bits > 0; bits /= 2) {
        const real other = __shfl_xor_sync(0xFFFFFFFF, x, bits);
        x = x > other ? x : other;
    }
    return x;
}
)";
}

SINTER_INLINE const char* linalg_grid_barrier() {
    return R"(
// The threads of the blocks that share a matrix meet.
__device__ void grid_barrier(int blocks) {
#if __CUDA_ARCH__ >= 900
    if (blocks > 1) {
        asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
        return;
    }
#endif
    __syncthreads();
}
)";
}

SINTER_INLINE std::string linalg_scaling(dtype t) {
    const std::string scaled = is_complex(t) ? R"(__device__ element real_element(real x) { return {x, 0}; }
__device__ element scaled(element x, int exponent) { return {ldexp(x.re, exponent), ldexp(x.im, exponent)}; }
)"
                                             : R"(__device__ element real_element(real x) { return x; }
__device__ element scaled(element x, int exponent) { return ldexp(x, exponent); }
)";
    return scaled + R"(
// e of x = f 2^e, 1 <= f < 2, for a finite x that is not zero.
__device__ int exponent_of(double x) {
    const bool tiny = x < 1e-300;
    union { double x; unsigned long long bits; } y{tiny ? x * 18446744073709551616.0 : x};
    return (int)(y.bits >> 52) - 1023 - (tiny ? 64 : 0);
}
)";
}

SINTER_INLINE kernel_source form_q_cuda(dtype t) {
    static_assert(columns_of_warp == 4, "the text of form_q has the number");
    return {"form_q_" + std::string(to_string(t)), linalg_element(t) + R"(
// The product of k reflectors of m rows, which lie below the diagonals of the columns of `a`, times n columns of an identity, or of
// matrices of k rows in `from`, column order[j] in place of j, with zeros below and an identity's columns behind the k; as LAPACK's
// orgqr and ormqr. A warp works on four columns, in shared memory where that has room for them: a lane needs its own rows alone, so
// that nothing is waited for. Matrices of `a` lie `apart` elements apart. With `signs` columns change sign where the diagonal of `a` is negative.
extern "C" __global__ void __launch_bounds__(32)
form_q(const element* a, long long apart, const element* tau, const element* from, const int* order, element* to, long long m,
       long long n, long long k, int shared, int signs) {
    extern __shared__ element held[];
    const int lane = threadIdx.x;
    const long long parts = (n + 3) / 4, matrix = blockIdx.x / parts, first = blockIdx.x % parts * 4;
    a += matrix * apart, tau += matrix * k, to += (matrix * n + first) * m;
    const int columns = n - first < 4 ? (int)(n - first) : 4;
    element* q = shared ? held : to;
    for (int c = 0; c < columns; ++c) {
        const bool given = from && first + c < k;
        const element* x = given ? from + (matrix * k + order[matrix * k + first + c]) * k : nullptr;
        for (long long row = lane; row < m; row += 32)
            q[c * m + row] = given ? (row < k ? x[row] : zero()) : row == first + c ? one() : zero();
    }
    // A reflector leaves alone what is zero from its row on.
    const long long last = from && first < k ? k - 1 : first + columns - 1 < k ? first + columns - 1 : k - 1;
    for (long long i = last; i >= 0; --i) {
        const element *v = a + i * m, factor = tau[i];
        element dot[4] = {zero(), zero(), zero(), zero()};
#pragma unroll 2
        for (long long row = i / 32 * 32 + lane; row < m; row += 32) {
            const element x = row > i ? conjugate(v[row]) : row == i ? one() : zero();
#pragma unroll
            for (int c = 0; c < 4; ++c)
                if (c < columns) dot[c] = dot[c] + x * q[c * m + row];
        }
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            for (int bits = 16; bits > 0; bits /= 2) dot[c] = dot[c] + across_warp(dot[c], bits);
            dot[c] = factor * dot[c];
        }
#pragma unroll 2
        for (long long row = i / 32 * 32 + lane; row < m; row += 32) {
            const element x = row > i ? v[row] : row == i ? one() : zero();
#pragma unroll
            for (int c = 0; c < 4; ++c)
                if (c < columns) q[c * m + row] = q[c * m + row] - x * dot[c];
        }
    }
    for (int c = 0; c < columns; ++c) {
        const bool negative = signs && first + c < k && real_part(a[(first + c) * (m + 1)]) < 0;
        for (long long row = lane; (shared || negative) && row < m; row += 32) to[c * m + row] = negative ? -q[c * m + row] : q[c * m + row];
    }
}
)"};
}

}  // namespace sinter::inline SINTER_ABI::codegen
