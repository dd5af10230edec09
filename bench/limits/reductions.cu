// Reductions with 16-byte loads: partial sums per block, and the last block to finish combines them; n counts quads.
struct alignas(16) quad { float a, b, c, d; };

__device__ float warp_sum(float v) {
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
    return v;
}

__device__ float warp_max(float v) {
    for (int d = 16; d > 0; d /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d));
    return v;
}

// Over the 256 threads of a block; all get the result.
__device__ float block_sum(float v) {
    __shared__ float part[8];
    v = warp_sum(v);
    __syncthreads();
    if (threadIdx.x % 32u == 0) part[threadIdx.x / 32u] = v;
    __syncthreads();
    float s = 0;
    for (int i = 0; i < 8; ++i) s += part[i];
    return s;
}

__device__ float block_max(float v) {
    __shared__ float part[8];
    v = warp_max(v);
    __syncthreads();
    if (threadIdx.x % 32u == 0) part[threadIdx.x / 32u] = v;
    __syncthreads();
    float m = part[0];
    for (int i = 1; i < 8; ++i) m = fmaxf(m, part[i]);
    return m;
}

// Whether this block is the last of `count` to get here; the counter is zero again afterwards.
__device__ bool last_block(unsigned* arrived, unsigned count) {
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        last = atomicAdd(arrived, 1u) == count - 1u;
        if (last) *arrived = 0;
    }
    __syncthreads();
    return last;
}

__device__ float away(float x) { return (x - 0.25f) * (x - 0.25f); }

extern "C" __global__ void __launch_bounds__(256)
    sum_of_squares_by_hand(const quad* __restrict__ x, float* __restrict__ y, volatile float* partial, unsigned* arrived, unsigned n) {
    quad q[8];
    unsigned first = blockIdx.x * 2048u + threadIdx.x;
#pragma unroll
    for (int j = 0; j < 8; ++j) q[j] = first + j * 256u < n ? x[first + j * 256u] : quad{0.25f, 0.25f, 0.25f, 0.25f};
    float s = 0;
#pragma unroll
    for (int j = 0; j < 8; ++j) s += (away(q[j].a) + away(q[j].b)) + (away(q[j].c) + away(q[j].d));
    s = block_sum(s);
    if (threadIdx.x == 0) partial[blockIdx.x] = s;
    if (!last_block(arrived, gridDim.x)) return;
    s = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += 256u) s += partial[i];
    s = block_sum(s);
    if (threadIdx.x == 0) *y = s;
}

// Of x * x, one block a row of `width` quads.
extern "C" __global__ void __launch_bounds__(256) row_sums_by_hand(const quad* __restrict__ x, float* __restrict__ y, unsigned width) {
    const quad* row = x + (unsigned long long)blockIdx.x * width;
    float s = 0;
#pragma unroll 8
    for (unsigned j = threadIdx.x; j < width; j += 256u) {
        quad q = row[j];
        s += (q.a * q.a + q.b * q.b) + (q.c * q.c + q.d * q.d);
    }
    s = block_sum(s);
    if (threadIdx.x == 0) y[blockIdx.x] = s;
}

// Of x * x, 32 quads of columns a block, rows split over gridDim.y; width counts quads.
extern "C" __global__ void __launch_bounds__(256)
    column_sums_by_hand(const quad* __restrict__ x, quad* __restrict__ y, quad* partial, unsigned* arrived, unsigned rows, unsigned width) {
    __shared__ quad part[8][32];
    unsigned lane = threadIdx.x % 32u, warp = threadIdx.x / 32u, column = blockIdx.x * 32u + lane;
    unsigned share = (rows + gridDim.y - 1u) / gridDim.y, begin = blockIdx.y * share, end = begin + share < rows ? begin + share : rows;
    quad s{0, 0, 0, 0};
    if (column < width)
#pragma unroll 8
        for (unsigned i = begin + warp; i < end; i += 8u) {
            quad q = x[(unsigned long long)i * width + column];
            s.a += q.a * q.a, s.b += q.b * q.b, s.c += q.c * q.c, s.d += q.d * q.d;
        }
    part[warp][lane] = s;
    __syncthreads();
    if (warp == 0 && column < width) {
        for (int k = 1; k < 8; ++k) {
            quad p = part[k][lane];
            s.a += p.a, s.b += p.b, s.c += p.c, s.d += p.d;
        }
        partial[blockIdx.y * width + column] = s;
    }
    if (!last_block(arrived + blockIdx.x, gridDim.y)) return;
    if (warp == 0 && column < width) {
        s = quad{0, 0, 0, 0};
        for (unsigned k = 0; k < gridDim.y; ++k) {
            quad p = partial[k * width + column];
            s.a += p.a, s.b += p.b, s.c += p.c, s.d += p.d;
        }
        y[column] = s;
    }
}

// Rows of 4096 elements, one block each, which stays in registers.
extern "C" __global__ void __launch_bounds__(256) softmax_4096_by_hand(const quad* __restrict__ x, quad* __restrict__ y) {
    const quad* row = x + (unsigned long long)blockIdx.x * 1024u;
    quad q[4];
    float m = -3.4e38f, s = 0;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        q[j] = row[threadIdx.x + j * 256u];
        m = fmaxf(m, fmaxf(fmaxf(q[j].a, q[j].b), fmaxf(q[j].c, q[j].d)));
    }
    m = block_max(m);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        q[j] = quad{expf(q[j].a - m), expf(q[j].b - m), expf(q[j].c - m), expf(q[j].d - m)};
        s += (q[j].a + q[j].b) + (q[j].c + q[j].d);
    }
    s = block_sum(s);
#pragma unroll
    for (int j = 0; j < 4; ++j)
        y[(unsigned long long)blockIdx.x * 1024u + threadIdx.x + j * 256u] = quad{q[j].a / s, q[j].b / s, q[j].c / s, q[j].d / s};
}

// Rows of 128 elements, one warp each.
extern "C" __global__ void __launch_bounds__(256) softmax_128_by_hand(const quad* __restrict__ x, quad* __restrict__ y, unsigned rows) {
    unsigned row = blockIdx.x * 8u + threadIdx.x / 32u, at = row * 32u + threadIdx.x % 32u;
    if (row >= rows) return;
    quad q = x[at];
    float m = warp_max(fmaxf(fmaxf(q.a, q.b), fmaxf(q.c, q.d)));
    q = quad{expf(q.a - m), expf(q.b - m), expf(q.c - m), expf(q.d - m)};
    float s = warp_sum((q.a + q.b) + (q.c + q.d));
    y[at] = quad{q.a / s, q.b / s, q.c / s, q.d / s};
}
