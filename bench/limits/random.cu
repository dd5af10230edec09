// Random numbers by Philox4x32-10 with the counter of a thread: four 32-bit words give two doubles or four normal
// floats. A thread that only writes has four counters, a thread block's apart.
struct alignas(16) quad {
    float v[4];
};
struct alignas(16) pair {
    double a, b;
};

__device__ void philox(unsigned c0, unsigned key, unsigned (&out)[4]) {
    unsigned c1 = 0, c2 = 0, c3 = 0, k0 = key, k1 = 0;
#pragma unroll
    for (int i = 0; i < 10; ++i) {
        unsigned h0 = __umulhi(0xD2511F53u, c0), l0 = 0xD2511F53u * c0, h1 = __umulhi(0xCD9E8D57u, c2),
                 l1 = 0xCD9E8D57u * c2;
        c0 = h1 ^ c1 ^ k0;
        c1 = l1;
        c2 = h0 ^ c3 ^ k1;
        c3 = l0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[0] = c0, out[1] = c1, out[2] = c2, out[3] = c3;
}

__device__ quad normals(unsigned i) {
    unsigned r[4];
    philox(i, 42, r);
    quad q;
#pragma unroll
    for (int k = 0; k < 4; k += 2) {
        float square = -2 * logf(((float)r[k] + 0.5f) * 2.3283064e-10f),
              radius = square * rsqrtf(fmaxf(square, 1e-30f)), s, c;
        sincospif((float)r[k + 1] * 4.6566129e-10f, &s, &c);
        q.v[k] = radius * s;
        q.v[k + 1] = radius * c;
    }
    return q;
}

extern "C" __global__ void __launch_bounds__(256) random_by_hand(pair* __restrict__ y, unsigned n) {
    const double scale = 1.1102230246251565e-16;
#pragma unroll
    for (unsigned part = 0; part < 4; ++part) {
        unsigned i = blockIdx.x * 1024u + part * 256u + threadIdx.x, r[4];
        if (i >= n) return;
        philox(i, 42, r);
        y[i] = pair{(double)(((unsigned long long)r[0] << 32 | r[1]) >> 11) * scale,
                    (double)(((unsigned long long)r[2] << 32 | r[3]) >> 11) * scale};
    }
}

extern "C" __global__ void __launch_bounds__(256) randn_by_hand(quad* __restrict__ y, unsigned n) {
#pragma unroll
    for (unsigned part = 0; part < 4; ++part) {
        unsigned i = blockIdx.x * 1024u + part * 256u + threadIdx.x;
        if (i < n) y[i] = normals(i);
    }
}

extern "C" __global__ void __launch_bounds__(256)
    mean_exp_randn_by_hand(float* __restrict__ y, volatile float* partial, unsigned* arrived, unsigned n) {
    __shared__ float part[8];
    __shared__ bool last;
    float s = 0;
    for (unsigned i = blockIdx.x * 256u + threadIdx.x; i < n; i += gridDim.x * 256u) {
        quad q = normals(i);
        s += (expf(q.v[0]) + expf(q.v[1])) + (expf(q.v[2]) + expf(q.v[3]));
    }
    for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);
    if (threadIdx.x % 32u == 0) part[threadIdx.x / 32u] = s;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < 8; ++k) s += part[k];
        partial[blockIdx.x] = s;
        __threadfence();
        last = atomicAdd(arrived, 1u) == gridDim.x - 1u;
        if (last) {
            *arrived = 0;
            double total = 0;
            for (unsigned k = 0; k < gridDim.x; ++k) total += partial[k];
            *y = (float)(total / (4.0 * n));
        }
    }
}
