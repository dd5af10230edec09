// Reductions with 16-byte loads: partial sums per block, and the last block to finish combines them; n counts quads.
struct alignas(16) quad {
    float a, b, c, d;
};

typedef unsigned long long word;

__device__ float larger(float a, float b) { return fmaxf(a, b); }
__device__ word larger(word a, word b) { return a > b ? a : b; }

template <class T>
__device__ T warp_sum(T v) {
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
    return v;
}

template <class T>
__device__ T warp_max(T v) {
    for (int d = 16; d > 0; d /= 2) v = larger(v, __shfl_xor_sync(0xffffffffu, v, d));
    return v;
}

// Over the 256 threads of a block; all get the result.
template <class T>
__device__ T block_sum(T v) {
    __shared__ T part[8];
    v = warp_sum(v);
    __syncthreads();
    if (threadIdx.x % 32u == 0) part[threadIdx.x / 32u] = v;
    __syncthreads();
    T s = 0;
    for (int i = 0; i < 8; ++i) s += part[i];
    return s;
}

template <class T>
__device__ T block_max(T v) {
    __shared__ T part[8];
    v = warp_max(v);
    __syncthreads();
    if (threadIdx.x % 32u == 0) part[threadIdx.x / 32u] = v;
    __syncthreads();
    T m = part[0];
    for (int i = 1; i < 8; ++i) m = larger(m, part[i]);
    return m;
}

// Whether all other blocks have written what thread 0 of each wrote before; zeroes the count for the next launch.
__device__ bool is_last_block(unsigned* arrived) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(arrived, 1u) == gridDim.x - 1u;
        __threadfence();
        if (last) *arrived = 0;
    }
    __syncthreads();
    return last;
}

__device__ float away(float x) { return (x - 0.25f) * (x - 0.25f); }

// One block after the other takes `units` times 256 * Q quads.
template <int Q>
__device__ void sum_of_squares(const quad* __restrict__ x, float* y, float* partial, unsigned* arrived, unsigned n,
                               unsigned units) {
    float s = 0;
#pragma unroll 1
    for (unsigned k = 0; k < units; ++k) {
        quad q[Q];
        unsigned first = (blockIdx.x * units + k) * (256u * Q) + threadIdx.x;
#pragma unroll
        for (int j = 0; j < Q; ++j)
            q[j] = first + j * 256u < n ? x[first + j * 256u] : quad{0.25f, 0.25f, 0.25f, 0.25f};
#pragma unroll
        for (int j = 0; j < Q; ++j) s += (away(q[j].a) + away(q[j].b)) + (away(q[j].c) + away(q[j].d));
    }
    s = block_sum(s);
    if (threadIdx.x == 0) partial[blockIdx.x] = s;
    if (!is_last_block(arrived)) return;
    s = 0;
#pragma unroll 16
    for (unsigned i = threadIdx.x; i < gridDim.x; i += 256u) s += partial[i];
    s = block_sum(s);
    if (threadIdx.x == 0) *y = s;
}

extern "C" __global__ void __launch_bounds__(256)
    sum_of_few_squares_by_hand(const quad* __restrict__ x, float* __restrict__ y, float* partial, unsigned* arrived,
                               unsigned n) {
    sum_of_squares<8>(x, y, partial, arrived, n, 1);
}
extern "C" __global__ void __launch_bounds__(256, 3)
    sum_of_squares_by_hand(const quad* __restrict__ x, float* __restrict__ y, float* partial, unsigned* arrived,
                           unsigned n) {
    sum_of_squares<16>(x, y, partial, arrived, n, 2);
}

// In one pass: distances from the first element lose no digits to a mean that is far from zero; four are summed in
// float, all in double. A block takes 4 times 256 * 8 quads.
extern "C" __global__ void __launch_bounds__(256, 4)
    mean_var_by_hand(const quad* __restrict__ x, float* __restrict__ mean, float* __restrict__ variance,
                     double* partial, unsigned* arrived, unsigned n) {
    const float shift = x[0].a;
    double s = 0, t = 0;
#pragma unroll 1
    for (unsigned k = 0; k < 4; ++k) {
        quad q[8];
        unsigned first = (blockIdx.x * 4u + k) * (256u * 8u) + threadIdx.x;
#pragma unroll
        for (int j = 0; j < 8; ++j)
            q[j] = first + j * 256u < n ? x[first + j * 256u] : quad{shift, shift, shift, shift};
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            float a = q[j].a - shift, b = q[j].b - shift, c = q[j].c - shift, d = q[j].d - shift;
            s += (a + b) + (c + d);
            t += (a * a + b * b) + (c * c + d * d);
        }
    }
    s = block_sum(s), t = block_sum(t);
    if (threadIdx.x == 0) partial[2u * blockIdx.x] = s, partial[2u * blockIdx.x + 1u] = t;
    if (!is_last_block(arrived)) return;
    s = 0, t = 0;
#pragma unroll 8
    for (unsigned i = threadIdx.x; i < gridDim.x; i += 256u) s += partial[2u * i], t += partial[2u * i + 1u];
    s = block_sum(s) / (4.0 * n), t = block_sum(t) / (4.0 * n);
    if (threadIdx.x == 0) *mean = (float)(shift + s), *variance = (float)(t - s * s);
}

// Larger for larger values, and for earlier positions of equal ones.
__device__ word rank_of(float value, unsigned at) {
    unsigned bits = (unsigned)__float_as_int(value + 0.0f);  // of two zeros the earlier one is taken, whatever its sign
    return (word)(bits >> 31 ? ~bits : bits | 0x80000000u) << 32 | (unsigned)~at;
}

// Of elements that are not NaN. A thread keeps the quad of its largest element and looks at its end which of the four
// it was.
extern "C" __global__ void __launch_bounds__(256, 3)
    argmax_max_by_hand(const quad* __restrict__ x, float* __restrict__ largest, long long* __restrict__ position,
                       word* partial, unsigned* arrived, unsigned n) {
    const float lowest = __int_as_float((int)0xff800000u);
    float best = lowest;
    unsigned where = 0;
#pragma unroll 1
    for (unsigned k = 0; k < 2; ++k) {
        quad q[16];
        unsigned first = (blockIdx.x * 2u + k) * (256u * 16u) + threadIdx.x;
#pragma unroll
        for (int j = 0; j < 16; ++j)
            q[j] = first + j * 256u < n ? x[first + j * 256u] : quad{lowest, lowest, lowest, lowest};
#pragma unroll
        for (int j = 0; j < 16; ++j) {
            float m = fmaxf(fmaxf(q[j].a, q[j].b), fmaxf(q[j].c, q[j].d));
            if (m > best) best = m, where = first + j * 256u;
        }
    }
    quad q = x[where];
    word rank = block_max(rank_of(best, 4u * where + (q.a == best ? 0u : q.b == best ? 1u : q.c == best ? 2u : 3u)));
    if (threadIdx.x == 0) partial[blockIdx.x] = rank;
    if (!is_last_block(arrived)) return;
    rank = 0;
#pragma unroll 8
    for (unsigned i = threadIdx.x; i < gridDim.x; i += 256u) rank = larger(rank, partial[i]);
    rank = block_max(rank);
    if (threadIdx.x != 0) return;
    const unsigned at = ~(unsigned)rank;
    *position = at;
    *largest = ((const float*)x)[at];
}

// Of x * x, one block of 512 threads a row of `width` quads.
extern "C" __global__ void __launch_bounds__(512, 2)
    row_sums_by_hand(const quad* __restrict__ x, float* __restrict__ y, unsigned width) {
    const quad* row = x + (word)blockIdx.x * width;
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

// Of rows of `width` quads, one block each.
extern "C" __global__ void __launch_bounds__(256, 4)
    cosine_by_hand(const quad* __restrict__ a, const quad* __restrict__ b, float* __restrict__ y, unsigned width) {
    a += (word)blockIdx.x * width, b += (word)blockIdx.x * width;
    float s[3] = {0, 0, 0};
#pragma unroll 1
    for (unsigned j = threadIdx.x; j < width; j += 256u * 4u) {
        quad p[4], q[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            bool inside = j + k * 256u < width;
            p[k] = inside ? a[j + k * 256u] : quad{0, 0, 0, 0}, q[k] = inside ? b[j + k * 256u] : quad{0, 0, 0, 0};
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            s[0] += (p[k].a * q[k].a + p[k].b * q[k].b) + (p[k].c * q[k].c + p[k].d * q[k].d);
            s[1] += (p[k].a * p[k].a + p[k].b * p[k].b) + (p[k].c * p[k].c + p[k].d * p[k].d);
            s[2] += (q[k].a * q[k].a + q[k].b * q[k].b) + (q[k].c * q[k].c + q[k].d * q[k].d);
        }
    }
    __shared__ float part[3][8];
#pragma unroll
    for (int i = 0; i < 3; ++i) {
        s[i] = warp_sum(s[i]);
        if (threadIdx.x % 32u == 0) part[i][threadIdx.x / 32u] = s[i];
    }
    __syncthreads();
    if (threadIdx.x != 0) return;
#pragma unroll
    for (int i = 0; i < 3; ++i) {
        s[i] = 0;
        for (int k = 0; k < 8; ++k) s[i] += part[i][k];
    }
    y[blockIdx.x] = s[0] / sqrtf(s[1] * s[2]);
}

// One block for all rows of 32 columns: eight warps above each other, 16 rows of each on their way.
template <bool Squares>
__device__ void sum_columns(const float* __restrict__ x, float* __restrict__ y, unsigned rows, unsigned width) {
    __shared__ float part[8][32];
    unsigned lane = threadIdx.x % 32u, warp = threadIdx.x / 32u, column = blockIdx.x * 32u + lane;
    float s = 0;
    if (column < width)
#pragma unroll 1
        for (unsigned i = warp; i < rows; i += 8u * 16u) {
            float v[16];
#pragma unroll
            for (int k = 0; k < 16; ++k) v[k] = i + k * 8u < rows ? x[(word)(i + k * 8u) * width + column] : 0;
#pragma unroll
            for (int k = 0; k < 16; ++k) s += Squares ? v[k] * v[k] : v[k];
        }
    part[warp][lane] = s;
    __syncthreads();
    if (warp != 0 || column >= width) return;
    for (int k = 1; k < 8; ++k) s += part[k][lane];
    y[column] = s;
}

// Of x * x.
extern "C" __global__ void __launch_bounds__(256, 5)
    column_sums_by_hand(const float* __restrict__ x, float* __restrict__ y, unsigned rows, unsigned width) {
    sum_columns<true>(x, y, rows, width);
}

// A matrix after the other.
extern "C" __global__ void __launch_bounds__(256, 5)
    middle_sums_by_hand(const float* __restrict__ x, float* __restrict__ y, unsigned rows, unsigned width) {
    sum_columns<false>(x + (word)blockIdx.y * rows * width, y + (word)blockIdx.y * width, rows, width);
}

// Laid out as sums of columns, in one pass: distances from the first row lose no digits to a mean that is far from
// zero.
extern "C" __global__ void __launch_bounds__(256, 4)
    mean_var_columns_by_hand(const float* __restrict__ x, float* __restrict__ mean, float* __restrict__ variance,
                             unsigned rows, unsigned width) {
    __shared__ double part[2][8][32];
    unsigned lane = threadIdx.x % 32u, warp = threadIdx.x / 32u, column = blockIdx.x * 32u + lane;
    const float shift = column < width ? x[column] : 0;
    double s = 0, t = 0;
    if (column < width)
#pragma unroll 1
        for (unsigned i = warp; i < rows; i += 8u * 16u) {
            float v[16], few = 0, squares = 0;
#pragma unroll
            for (int k = 0; k < 16; ++k) v[k] = i + k * 8u < rows ? x[(word)(i + k * 8u) * width + column] : shift;
#pragma unroll
            for (int k = 0; k < 16; ++k) v[k] -= shift, few += v[k], squares += v[k] * v[k];
            s += few, t += squares;
        }
    part[0][warp][lane] = s, part[1][warp][lane] = t;
    __syncthreads();
    if (warp != 0 || column >= width) return;
    for (int k = 1; k < 8; ++k) s += part[0][k][lane], t += part[1][k][lane];
    s /= rows;
    mean[column] = (float)(shift + s);
    variance[column] = (float)(t / rows - s * s);
}

// A block's row of 4096 elements to registers, and its maximum.
__device__ float row_of_4096(const quad* __restrict__ x, quad (&q)[4]) {
    const quad* row = x + (word)blockIdx.x * 1024u;
    float m = -3.4e38f;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        q[j] = row[threadIdx.x + j * 256u];
        m = fmaxf(m, fmaxf(fmaxf(q[j].a, q[j].b), fmaxf(q[j].c, q[j].d)));
    }
    return block_max(m);
}

// Rows of 4096 elements, one block each, which stays in registers.
extern "C" __global__ void __launch_bounds__(256)
    softmax_4096_by_hand(const quad* __restrict__ x, quad* __restrict__ y) {
    quad q[4];
    float m = row_of_4096(x, q), s = 0;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        q[j] = quad{expf(q[j].a - m), expf(q[j].b - m), expf(q[j].c - m), expf(q[j].d - m)};
        s += (q[j].a + q[j].b) + (q[j].c + q[j].d);
    }
    s = block_sum(s);
#pragma unroll
    for (int j = 0; j < 4; ++j)
        y[(word)blockIdx.x * 1024u + threadIdx.x + j * 256u] = quad{q[j].a / s, q[j].b / s, q[j].c / s, q[j].d / s};
}

// Rows of 128 elements, one warp each.
extern "C" __global__ void __launch_bounds__(256)
    softmax_128_by_hand(const quad* __restrict__ x, quad* __restrict__ y, unsigned rows) {
    unsigned row = blockIdx.x * 8u + threadIdx.x / 32u, at = row * 32u + threadIdx.x % 32u;
    if (row >= rows) return;
    quad q = x[at];
    float m = warp_max(fmaxf(fmaxf(q.a, q.b), fmaxf(q.c, q.d)));
    q = quad{expf(q.a - m), expf(q.b - m), expf(q.c - m), expf(q.d - m)};
    float s = warp_sum((q.a + q.b) + (q.c + q.d));
    y[at] = quad{q.a / s, q.b / s, q.c / s, q.d / s};
}

// Rows of 4096 elements, one block each.
extern "C" __global__ void __launch_bounds__(256)
    log_softmax_4096_by_hand(const quad* __restrict__ x, quad* __restrict__ y) {
    quad q[4];
    float m = row_of_4096(x, q), s = 0;
#pragma unroll
    for (int j = 0; j < 4; ++j) s += (expf(q[j].a - m) + expf(q[j].b - m)) + (expf(q[j].c - m) + expf(q[j].d - m));
    m += logf(block_sum(s));
#pragma unroll
    for (int j = 0; j < 4; ++j)
        y[(word)blockIdx.x * 1024u + threadIdx.x + j * 256u] = quad{q[j].a - m, q[j].b - m, q[j].c - m, q[j].d - m};
}

__device__ quad minus(quad q, float m) { return quad{q.a - m, q.b - m, q.c - m, q.d - m}; }
__device__ float sum_of_four(quad q) { return (q.a + q.b) + (q.c + q.d); }
__device__ float sum_of_four_squares(quad q) { return (q.a * q.a + q.b * q.b) + (q.c * q.c + q.d * q.d); }
__device__ quad scaled(quad q, float f) { return quad{q.a * f + 0.5f, q.b * f + 0.5f, q.c * f + 0.5f, q.d * f + 0.5f}; }

// Rows of 4096 elements, one block each, which stay in registers: the distances from the mean are squared where it is
// known.
extern "C" __global__ void __launch_bounds__(256)
    layer_norm_4096_by_hand(const quad* __restrict__ x, quad* __restrict__ y) {
    const word row = (word)blockIdx.x * 1024u + threadIdx.x;
    quad q[4];
    float s = 0, t = 0;
#pragma unroll
    for (int j = 0; j < 4; ++j) q[j] = x[row + j * 256u];
#pragma unroll
    for (int j = 0; j < 4; ++j) s += sum_of_four(q[j]);
    const float mean = block_sum(s) / 4096.0f;
#pragma unroll
    for (int j = 0; j < 4; ++j) q[j] = minus(q[j], mean), t += sum_of_four_squares(q[j]);
    const float factor = 1.5f / sqrtf(block_sum(t) / 4096.0f + 1e-5f);
#pragma unroll
    for (int j = 0; j < 4; ++j) y[row + j * 256u] = scaled(q[j], factor);
}

// Rows of 1000 elements, one warp each.
extern "C" __global__ void __launch_bounds__(256)
    layer_norm_1000_by_hand(const quad* __restrict__ x, quad* __restrict__ y, unsigned rows) {
    const unsigned row = blockIdx.x * 8u + threadIdx.x / 32u, lane = threadIdx.x % 32u;
    if (row >= rows) return;
    const word first = (word)row * 250u + lane;
    quad q[8];
    float s = 0, t = 0;
#pragma unroll
    for (int j = 0; j < 8; ++j) q[j] = lane + j * 32u < 250u ? x[first + j * 32u] : quad{0, 0, 0, 0};
#pragma unroll
    for (int j = 0; j < 8; ++j) s += sum_of_four(q[j]);
    const float mean = warp_sum(s) / 1000.0f;
#pragma unroll
    for (int j = 0; j < 8; ++j)
        if (lane + j * 32u < 250u) q[j] = minus(q[j], mean), t += sum_of_four_squares(q[j]);
    const float factor = 1.5f / sqrtf(warp_sum(t) / 1000.0f + 1e-5f);
#pragma unroll
    for (int j = 0; j < 8; ++j)
        if (lane + j * 32u < 250u) y[first + j * 32u] = scaled(q[j], factor);
}
