// Eigenvalues and eigenvectors of a stack of small Hermitian matrices by Jacobi's rotations, a thread for each; behind
// scaling.cuh.
R"cuda(
// Whether an element beside the diagonal changes neither value on it; of numbers below one.
__device__ bool is_lost(real x, real value, real other) {
    constexpr real least = sizeof(real) == 8 ? real(1e-290) : real(1e-30);
    return x < least || (size_of(value) + x == size_of(value) && size_of(other) + x == size_of(other));
}
//@ if complex
__device__ real larger_part(element x) { return size_of(x.re) > size_of(x.im) ? size_of(x.re) : size_of(x.im); }
__device__ real modulus(element x) { return hypot(x.re, x.im); }
__device__ element times(element x, real by) { return {x.re * by, x.im * by}; }
//@ else
__device__ real larger_part(element x) { return size_of(x); }
__device__ real modulus(element x) { return size_of(x); }
__device__ element times(element x, real by) { return x * by; }
//@ end

// Two columns become c x - s conjugate(u) y and s u x + c y, where u has modulus one.
__device__ void rotate(element& x, element& y, real c, real s, element u) {
    const element kept = x;
    x = times(x, c) - times(conjugate(u) * y, s);
    y = times(u * kept, s) + times(y, c);
}

extern "C" __global__ void __launch_bounds__(128)
    rotate_small(element* a, real* values, int upper, int vectors, long long count, int* info) {
    constexpr int n = most_rows, most_sweeps = 40;
    const long long matrix = blockIdx.x * 128ll + threadIdx.x;
    if (matrix >= count) return;
    a += matrix * n * n, values += matrix * n;
    // Both triangles, from one; the numbers' own powers of two would overflow in squares, and the largest in sums.
    element m[n][n], v[n][n];
    real largest = 0;
#pragma unroll
    for (int q = 0; q < n; ++q) {
#pragma unroll
        for (int p = 0; p <= q; ++p) {
            const element x = upper ? a[p + q * n] : a[q + p * n];
            m[p][q] = p == q ? of_real(real_part(x)) : upper ? x : conjugate(x);
            if (larger_part(m[p][q]) > largest) largest = larger_part(m[p][q]);
        }
    }
    const int exponent = largest > 0 ? exponent_of(largest) + 1 : 0;
#pragma unroll
    for (int q = 0; q < n; ++q) {
#pragma unroll
        for (int p = 0; p < n; ++p) v[p][q] = p == q ? one() : zero();
#pragma unroll
        for (int p = 0; p <= q; ++p) {
            m[p][q] = scaled(m[p][q], -exponent);
            m[q][p] = conjugate(m[p][q]);
        }
    }
    bool turns = n > 1;
    int sweeps = 0;
#pragma unroll 1
    for (; turns && sweeps < most_sweeps; ++sweeps) {
        turns = false;
#pragma unroll
        for (int p = 0; p < n - 1; ++p) {
#pragma unroll
            for (int q = p + 1; q < n; ++q) {
                const real r = modulus(m[p][q]), x = real_part(m[p][p]), y = real_part(m[q][q]);
                if (is_lost(r, x, y)) continue;
                turns = true;
                const element u = times(m[p][q], 1 / r);
                const real cotangent = (y - x) / (2 * r), size = size_of(cotangent) + sqrt(1 + cotangent * cotangent);
                const real t = (cotangent < 0 ? -1 : 1) / size, c = 1 / sqrt(1 + t * t), s = t * c;
                m[p][p] = of_real(x - t * r);
                m[q][q] = of_real(y + t * r);
                m[p][q] = m[q][p] = zero();
#pragma unroll
                for (int k = 0; k < n; ++k) {
                    rotate(v[k][p], v[k][q], c, s, u);
                    if (k == p || k == q) continue;
                    rotate(m[k][p], m[k][q], c, s, u);
                    m[p][k] = conjugate(m[k][p]);
                    m[q][k] = conjugate(m[k][q]);
                }
            }
        }
    }
    // The least value first, its vector with it.
#pragma unroll
    for (int last = n - 1; last > 0; --last) {
#pragma unroll
        for (int p = 0; p < last; ++p) {
            if (!(real_part(m[p][p]) > real_part(m[p + 1][p + 1]))) continue;
            const element x = m[p][p];
            m[p][p] = m[p + 1][p + 1], m[p + 1][p + 1] = x;
#pragma unroll
            for (int k = 0; k < n; ++k) {
                const element y = v[k][p];
                v[k][p] = v[k][p + 1], v[k][p + 1] = y;
            }
        }
    }
#pragma unroll
    for (int q = 0; q < n; ++q) {
        values[q] = real_part(scaled(m[q][q], exponent));
        if (!vectors) continue;
#pragma unroll
        for (int p = 0; p < n; ++p) a[p + q * n] = v[p][q];
    }
    info[matrix] = turns ? 1 : 0;
}
)cuda"
