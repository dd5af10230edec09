// Bodies of linalg_cuda.hpp.
#pragma once

#include <sinter/codegen/linalg_cuda.hpp>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE kernel_source linalg_cuda() {
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

// Reports the first matrix that the library could not do, and why: where there are `factors`, their first zero pivot,
// which need not be the one that the library names.
extern "C" __global__ void __launch_bounds__(256)
check_info(const int* info, long long count, long long* error, const unsigned* factors, long long n, long long words, long long wide) {
    __shared__ long long least[256];
    long long first = threadIdx.x;
    while (first < count && info[first] == 0) first += 256;
    least[threadIdx.x] = first;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half && least[threadIdx.x + half] < least[threadIdx.x]) least[threadIdx.x] = least[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0 && least[0] < count) {
        int why = info[least[0]];
        if (factors && why > 0) why = first_zero(factors + least[0] * n * n * words, n, words, wide, why);
        error[1] = least[0] << 32 | (unsigned)why;
        error[0] = 1;
    }
}

// Identity matrices of n rows, elements of 4 bytes times `words`; `one` is the last word of a 1, or its only one.
extern "C" __global__ void __launch_bounds__(256)
set_identity(unsigned* to, long long n, long long words, long long where, unsigned one, long long count) {
    const long long i = blockIdx.x * 256ll + threadIdx.x;
    if (i >= count * words) return;
    const long long element = i / words, at = element % (n * n);
    to[i] = at / n == at % n && i % words == where ? one : 0u;
}
)"};
}

}  // namespace sinter::inline SINTER_ABI::codegen
