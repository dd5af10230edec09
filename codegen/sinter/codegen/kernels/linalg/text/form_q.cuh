// The orthogonal matrices of a stack from their reflectors, a warp for some columns.
R"cuda(
// The product of k reflectors of m rows, which lie below the diagonals of the columns of `a`, times n columns of an
// identity, or of matrices of k rows in `from`, column order[j] in place of j, with zeros below and an identity's
// columns behind the k; as LAPACK's orgqr and ormqr. A warp works on four columns, in shared memory where that has room
// for them: a lane needs its own rows alone, so that nothing is waited for. Matrices of `a` lie `apart` elements apart.
// With `signs` columns change sign where the diagonal of `a` is negative.
extern "C" __global__ void __launch_bounds__(32)
    form_q(const element* a, long long apart, const element* tau, const element* from, const int* order, element* to,
           long long m, long long n, long long k, int shared, int signs) {
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
        for (long long row = lane; (shared || negative) && row < m; row += 32)
            to[c * m + row] = negative ? -q[c * m + row] : q[c * m + row];
    }
}
)cuda"
