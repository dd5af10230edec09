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

__device__ float away(float x) { return (x - 0.25f) * (x - 0.25f); }

// One block after the other takes `units` times 256 * Q quads.
template <int Q>
__device__ void sum_of_squares(const quad* __restrict__ x, float* y, float* partial, unsigned* arrived, unsigned n, unsigned units) {
    float s = 0;
#pragma unroll 1
    for (unsigned k = 0; k < units; ++k) {
        quad q[Q];
        unsigned first = (blockIdx.x * units + k) * (256u * Q) + threadIdx.x;
#pragma unroll
        for (int j = 0; j < Q; ++j) q[j] = first + j * 256u < n ? x[first + j * 256u] : quad{0.25f, 0.25f, 0.25f, 0.25f};
#pragma unroll
        for (int j = 0; j < Q; ++j) s += (away(q[j].a) + away(q[j].b)) + (away(q[j].c) + away(q[j].d));
    }
    s = block_sum(s);
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = s;
        __threadfence();
        last = atomicAdd(arrived, 1u) == gridDim.x - 1u;
        __threadfence();
        if (last) *arrived = 0;
    }
    __syncthreads();
    if (!last) return;
    s = 0;
#pragma unroll 16
    for (unsigned i = threadIdx.x; i < gridDim.x; i += 256u) s += partial[i];
    s = block_sum(s);
    if (threadIdx.x == 0) *y = s;
}

extern "C" __global__ void __launch_bounds__(256)
    sum_of_few_squares_by_hand(const quad* __restrict__ x, float* __restrict__ y, float* partial, unsigned* arrived, unsigned n) {
    sum_of_squares<8>(x, y, partial, arrived, n, 1);
}
extern "C" __global__ void __launch_bounds__(256, 3)
    sum_of_squares_by_hand(const quad* __restrict__ x, float* __restrict__ y, float* partial, unsigned* arrived, unsigned n) {
    sum_of_squares<16>(x, y, partial, arrived, n, 2);
}

// Of x * x, one block of 512 threads a row of `width` quads.
extern "C" __global__ void __launch_bounds__(512, 2) row_sums_by_hand(const quad* __restrict__ x, float* __restrict__ y, unsigned width) {
    const quad* row = x + (unsigned long long)blockIdx.x * width;
    float s = 0;
#pragma unroll 1
    for (unsigned j = threadIdx.x; j < width; j += 512u * 8u) {
        quad q[8];
#pragma unroll
        for (int k = 0; k < 8; ++k) q[k] = j + k * 512u < width ? row[j + k * 512u] : quad{0, 0, 0, 0};
#pragma unroll
        for (int k = 0; k < 8; ++k) s += (q[k].a * q[k].a + q[k].b * q[k].b) + (q[k].c * q[k].c + q[k].d * q[k].d);
    }
    __shared__ float part[16];
    s = warp_sum(s);
    if (threadIdx.x % 32u == 0) part[threadIdx.x / 32u] = s;
    __syncthreads();
    if (threadIdx.x) return;
    s = 0;
    for (int i = 0; i < 16; ++i) s += part[i];
    y[blockIdx.x] = s;
}

// Of x * x, one block for all rows of 32 columns: eight warps above each other, 16 rows of each on their way.
extern "C" __global__ void __launch_bounds__(256, 5)
    column_sums_by_hand(const float* __restrict__ x, float* __restrict__ y, unsigned rows, unsigned width) {
    __shared__ float part[8][32];
    unsigned lane = threadIdx.x % 32u, warp = threadIdx.x / 32u, column = blockIdx.x * 32u + lane;
    float s = 0;
    if (column < width)
#pragma unroll 1
        for (unsigned i = warp; i < rows; i += 8u * 16u) {
            float v[16];
#pragma unroll
            for (int k = 0; k < 16; ++k) v[k] = i + k * 8u < rows ? x[(unsigned long long)(i + k * 8u) * width + column] : 0;
#pragma unroll
            for (int k = 0; k < 16; ++k) s += v[k] * v[k];
        }
    part[warp][lane] = s;
    __syncthreads();
    if (warp != 0 || column >= width) return;
    for (int k = 1; k < 8; ++k) s += part[k][lane];
    y[column] = s;
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
