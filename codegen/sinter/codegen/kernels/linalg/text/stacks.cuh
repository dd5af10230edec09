// What is done beside the calls of linear algebra libraries: lists of matrices, orders of rows and columns, and
// checks of what the libraries report.
R"cuda(
//@ if is_zero
// A number's sign is in the last of its `wide` words of 4 bytes; `words` are an element's.
__device__ bool is_zero(const unsigned* x, long long words, long long wide) {
    unsigned bits = 0;
    for (long long w = 0; w < words; ++w) bits |= w % wide == wide - 1 ? x[w] & 0x7FFFFFFFu : x[w];
    return bits == 0;
}
//@ end
//@ if first_zero
// The first of n diagonal elements that is zero, counted from 1, or `other`.
__device__ int first_zero(const unsigned* factors, long long n, long long words, long long wide, int other) {
    for (long long i = 0; i < n; ++i)
        if (is_zero(factors + i * (n + 1) * words, words, wide)) return (int)i + 1;
    return other;
}
//@ end
//@ if list_matrices
// The addresses of the matrices of a stack, which lie `bytes` apart.
extern "C" __global__ void __launch_bounds__(256)
    list_matrices(long long first, long long bytes, long long* list, long long count) {
    const long long i = blockIdx.x * 256ll + threadIdx.x;
    if (i < count) list[i] = first + i * bytes;
}
//@ end
//@ if order_rows
// Which of m rows each row is after exchanging row i with row pivots[i] - 1, for i from 0 to k - 1; a thread per
// matrix.
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
//@ end
//@ if mark_not_finite
// Which matrices, of m rows and n columns, have numbers that are not finite, all of whose exponent's bits are set: in
// the upper triangle where `triangle` > 0, in the lower one where it is < 0, or anywhere.
extern "C" __global__ void __launch_bounds__(256)
    mark_not_finite(const unsigned* a, long long m, long long n, long long count, long long words, long long wide,
                    int triangle, int* marks) {
    const long long column = blockIdx.x * 8ll + threadIdx.x / 32, i = column % n;
    if (column >= n * count) return;
    const unsigned exponent = wide == 2 ? 0x7FF00000u : 0x7F800000u;
    const long long first = triangle < 0 ? i : 0, end = triangle > 0 ? i + 1 : m;
    a += column * m * words;
    for (long long at = first * words + threadIdx.x % 32; at < end * words; at += 32)
        if (at % wide == wide - 1 && (a[at] & exponent) == exponent) marks[column / n] = 1;
}
//@ end
//@ if clear_marked
// Makes them zero: what iterates need not end for others.
extern "C" __global__ void __launch_bounds__(256)
    clear_marked(unsigned* a, long long m, long long n, long long count, long long words, const int* marks) {
    const long long column = blockIdx.x * 8ll + threadIdx.x / 32;
    if (column >= n * count || marks[column / n] == 0) return;
    for (long long at = threadIdx.x % 32; at < m * words; at += 32) a[column * m * words + at] = 0;
}
//@ end
//@ if is_nan
// Whether a number's last word, of `wide` ones, and those before it are a NaN.
__device__ bool is_nan(const unsigned* last, long long wide) {
    const unsigned high = *last & 0x7FFFFFFFu, infinity = wide == 2 ? 0x7FF00000u : 0x7F800000u;
    return high > infinity || (high == infinity && wide == 2 && last[-1] != 0);
}
//@ end
//@ if mark_overflows
// Which matrices, with so many words of values each, have a NaN among these, by the bits, whatever else their info
// says.
extern "C" __global__ void __launch_bounds__(256)
    mark_overflows(const unsigned* values, long long words, long long count, long long wide, int* info) {
    const long long at = blockIdx.x * 256ll + threadIdx.x;
    if (at >= words * count || at % wide != wide - 1) return;
    if (is_nan(values + at, wide)) info[at / words] = 0x7FFFFFFE;
}
//@ end
//@ if keep_nan
// The library's factors leave out what stands beside a pivot of zero, where LAPACK subtracts products with it, as 0 inf
// and 0 NaN, which are NaN: then the last pivot becomes NaN. `info` tells of such pivots. A warp per matrix.
extern "C" __global__ void __launch_bounds__(256)
    keep_nan(unsigned* lu, long long n, long long count, long long words, long long wide, const int* info) {
    const long long matrix = blockIdx.x * 8ll + threadIdx.x / 32;
    if (matrix >= count || info[matrix] <= 0) return;
    lu += matrix * n * n * words;
    const unsigned exponent = wide == 2 ? 0x7FF00000u : 0x7F800000u;
    bool found = false;
    for (long long k = 0; k < n; ++k) {
        if (!is_zero(lu + k * (n + 1) * words, words, wide)) continue;
        for (long long i = k + 1 + threadIdx.x % 32; i < n; i += 32)
            for (long long w = wide - 1; w < words; w += wide) {
                found = found || (lu[(k + i * n) * words + w] & exponent) == exponent;
                found = found || is_nan(lu + (i + k * n) * words + w, wide);
            }
    }
    if (!__ballot_sync(0xFFFFFFFF, found)) return;
    for (long long w = threadIdx.x % 32; w < words; w += 32) lu[(n * n - 1) * words + w] = 0x7FFFFFFF;
}
//@ end
//@ if check_info
// Reports the first matrix that is marked, where there are `marks`, or that the library could not do, and why: where
// there are `factors`, their first zero pivot, which need not be the one that the library names.
extern "C" __global__ void __launch_bounds__(1024)
    check_info(const int* info, const int* marks, long long count, long long* error, const unsigned* factors,
               long long n, long long words, long long wide) {
    __shared__ long long least[1024];
    const int threads = blockDim.x;
    long long first = count;
    for (long long at = threadIdx.x; at < count && first == count; at += 8 * threads) {
#pragma unroll
        for (int i = 7; i >= 0; --i) {
            const long long matrix = at + i * threads;
            const int bad = matrix < count ? info[matrix] | (marks ? marks[matrix] : 0) : 0;
            if (bad) first = matrix;
        }
    }
    least[threadIdx.x] = first;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half && least[threadIdx.x + half] < least[threadIdx.x])
            least[threadIdx.x] = least[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0 && least[0] < count) {
        int why = marks && marks[least[0]] ? 0x7FFFFFFF : info[least[0]];
        if (factors && why > 0) why = first_zero(factors + least[0] * n * n * words, n, words, wide, why);
        error[1] = least[0] << 32 | (unsigned)why;
        error[0] = 1;
    }
}
//@ end
//@ if take_upper
// The part of n rows of LU factors above the diagonal, where the 256 rows of a block along it are an identity, elements
// of 4 bytes times `words`; `one` is word `where` of a 1. In `identities`, where there are some, those blocks alone,
// one behind the other. And the zero pivot that `info` tells of, while the factors are there.
extern "C" __global__ void __launch_bounds__(256)
    take_upper(const unsigned* lu, unsigned* to, unsigned* identities, long long n, long long words, long long where,
               unsigned one, int* info) {
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
//@ end
//@ if unpack_vectors
// Complex columns of eigenvectors of a real matrix, words of 4 bytes, `wide` of a number: of a pair of conjugate
// eigenvalues, the one of positive imaginary part first, `packed` has the real parts in a column and the imaginary
// parts in the next.
extern "C" __global__ void __launch_bounds__(256)
    unpack_vectors(const unsigned* values, const unsigned* packed, unsigned* to, long long n, long long wide) {
    const long long column = blockIdx.x;
    const unsigned* value = values + 2 * column * wide;
    const unsigned high = value[2 * wide - 1];
    const bool is_negative = high >> 31 != 0, is_real = (high & 0x7FFFFFFFu) == 0 && (wide == 1 || value[2] == 0);
    const unsigned* parts = packed + (column - (!is_real && is_negative)) * n * wide;
    for (long long i = threadIdx.x; i < n * wide; i += 256) {
        const bool has_sign = i % wide == wide - 1;
        const long long row = i / wide, word = i % wide;
        to[(column * n + row) * 2 * wide + word] = parts[i];
        const unsigned imaginary = is_real ? 0u : parts[n * wide + i];
        to[(column * n + row) * 2 * wide + wide + word] = imaginary ^ (!is_real && is_negative && has_sign) << 31;
    }
}
//@ end
//@ if order_columns
// Column k becomes column columns[k].
extern "C" __global__ void __launch_bounds__(256)
    order_columns(const unsigned* from, const int* columns, unsigned* to, long long n, long long words) {
    const unsigned* x = from + blockIdx.x * n * words;
    unsigned* y = to + columns[blockIdx.x] * n * words;
    for (long long i = threadIdx.x; i < n * words; i += 256) y[i] = x[i];
}
//@ end
)cuda"
