// Elementwise rows, four elements a thread in 16-byte accesses, one tile a block of 256 threads; n counts quads.
struct alignas(16) quad { float v[4]; };

extern "C" __global__ void __launch_bounds__(256) gaussian_by_hand(const quad* __restrict__ x, quad* __restrict__ y, unsigned n) {
    unsigned i = blockIdx.x * 256u + threadIdx.x;
    if (i >= n) return;
    quad q = x[i];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        float z = (q.v[k] - 0.25f) * (1 / 1.5f);
        q.v[k] = __expf(-0.5f * (z * z)) * (1 / (1.5f * 2.5066283f));
    }
    y[i] = q;
}

extern "C" __global__ void __launch_bounds__(256)
    polar_by_hand(const quad* __restrict__ r, const quad* __restrict__ t, const quad* __restrict__ q, const quad* __restrict__ u,
          quad* __restrict__ y, unsigned n) {
    unsigned i = blockIdx.x * 256u + threadIdx.x;
    if (i >= n) return;
    quad a = r[i], b = t[i], c = q[i], d = u[i];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        float s1, c1, s2, c2;
        sincosf(b.v[k], &s1, &c1);
        sincosf(d.v[k], &s2, &c2);
        float dx = fmaf(a.v[k], c1, -c.v[k] * c2), dy = fmaf(a.v[k], s1, -c.v[k] * s2);
        a.v[k] = sqrtf(fmaf(dx, dx, dy * dy));
    }
    y[i] = a;
}

extern "C" __global__ void __launch_bounds__(256)
    black_scholes_by_hand(const quad* __restrict__ price, const quad* __restrict__ strike, const quad* __restrict__ years,
                  quad* __restrict__ calls, quad* __restrict__ puts, unsigned n) {
    unsigned i = blockIdx.x * 256u + threadIdx.x;
    if (i >= n) return;
    quad s = price[i], k = strike[i], t = years[i], call, put;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        const float r = 0.05f, v = 0.2f, half = 0.70710678f;
        float inverse = rsqrtf(t.v[j]), spread = v * (t.v[j] * inverse);
        float d1 = fmaf(r + 0.5f * v * v, t.v[j], logf(__fdividef(s.v[j], k.v[j]))) * (inverse * (1 / v)), d2 = d1 - spread;
        float n1 = 0.5f * (1 + erff(d1 * half)), n2 = 0.5f * (1 + erff(d2 * half));
        float discounted = k.v[j] * __expf(-r * t.v[j]);
        call.v[j] = fmaf(s.v[j], n1, -discounted * n2);
        put.v[j] = call.v[j] - s.v[j] + discounted;
    }
    calls[i] = call;
    puts[i] = put;
}

// x * row + column * 2 for rows of `width` quads: a block keeps its quad of the row for eight rows of the matrix.
extern "C" __global__ void __launch_bounds__(256)
    broadcast_by_hand(const quad* __restrict__ x, const quad* __restrict__ row, const float* __restrict__ column, quad* __restrict__ y,
              unsigned rows, unsigned width) {
    unsigned j = blockIdx.x * 256u + threadIdx.x, first = blockIdx.y * 8u;
    if (j >= width) return;
    quad along = row[j];
#pragma unroll
    for (unsigned i = first; i < first + 8u; ++i) {
        if (i >= rows) break;
        quad q = x[i * width + j];
        float c = column[i] * 2;
#pragma unroll
        for (int k = 0; k < 4; ++k) q.v[k] = q.v[k] * along.v[k] + c;
        y[i * width + j] = q;
    }
}

// x + x.T of a square matrix of n rows: the tile of the other side of the diagonal passes through shared memory.
extern "C" __global__ void __launch_bounds__(256) transpose_by_hand(const float* __restrict__ x, float* __restrict__ y, unsigned n) {
    __shared__ float tile[32][33];
    unsigned lane = threadIdx.x % 32u, warp = threadIdx.x / 32u, top = blockIdx.y * 32u, left = blockIdx.x * 32u;
    for (unsigned r = warp; r < 32u; r += 8u)
        if (left + r < n && top + lane < n) tile[r][lane] = x[(left + r) * n + top + lane];
    __syncthreads();
    for (unsigned r = warp; r < 32u; r += 8u)
        if (top + r < n && left + lane < n) y[(top + r) * n + left + lane] = x[(top + r) * n + left + lane] + tile[lane][r];
}
