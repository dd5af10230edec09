// Columns: means and variances of 32 tall ones, and running sums of many.
//
// Running sums in double: a block has 32 threads for each row of 64 columns from the first row to the last, so that
// nobody waits for what another has summed, and asks for the next 128 rows before it sums these.
typedef unsigned long long word;

constexpr int C = 2, R = 16;
struct alignas(4 * C) pack {
    float v[C];
};

extern "C" __global__ void __launch_bounds__(256, 2)
    cumsum_columns_by_hand(const float* __restrict__ x, float* __restrict__ y, unsigned rows, unsigned width) {
    __shared__ double totals[2][8][32 * C];
    const unsigned lane = threadIdx.x % 32u, part = threadIdx.x / 32u, column = (blockIdx.x * 32u + lane) * C;
    double carried[C] = {};
    pack soon[R], now[R];
    const auto fetch = [&](unsigned begin) {
#pragma unroll
        for (int r = 0; r < R; ++r)
            if (begin + part * R + r < rows) soon[r] = *(const pack*)&x[(word)(begin + part * R + r) * width + column];
            else soon[r] = pack{};
    };
    fetch(0);
    int turn = 0;
#pragma unroll 1
    for (unsigned begin = 0; begin < rows; begin += 8u * R, turn ^= 1) {
#pragma unroll
        for (int r = 0; r < R; ++r) now[r] = soon[r];
        fetch(begin + 8u * R);
        double s[C] = {};
#pragma unroll
        for (int r = 0; r < R; ++r)
            for (int c = 0; c < C; ++c) s[c] += now[r].v[c];
        for (int c = 0; c < C; ++c) totals[turn][part][lane * C + c] = s[c];
        __syncthreads();
        for (int c = 0; c < C; ++c) {
            double before = carried[c];
#pragma unroll
            for (int p = 0; p < 8; ++p) {
                const double t = totals[turn][p][lane * C + c];
                if (p < part) before += t;
                carried[c] += t;
            }
            s[c] = before;
        }
#pragma unroll
        for (int r = 0; r < R; ++r) {
            pack u;
            for (int c = 0; c < C; ++c) u.v[c] = (float)(s[c] += now[r].v[c]);
            if (begin + part * R + r < rows) *(pack*)&y[(word)(begin + part * R + r) * width + column] = u;
        }
    }
}

// Means and variances of 32 columns: a block has consecutive rows, eight at a time by its warps, and the last block
// joins what all have.
extern "C" __global__ void __launch_bounds__(256)
    mean_var_tall_by_hand(const float* __restrict__ x, float* __restrict__ mean, float* __restrict__ variance,
                          double* parts, unsigned* counter, unsigned rows) {
    constexpr int L = 16;
    __shared__ double part[2][8][32];
    __shared__ bool is_last;
    const unsigned lane = threadIdx.x % 32u, warp = threadIdx.x / 32u;
    const unsigned share = (rows + gridDim.x - 1u) / gridDim.x, begin = blockIdx.x * share,
                   end = begin + share < rows ? begin + share : rows;
    const float shift = x[lane];
    double s = 0, t = 0;
#pragma unroll 1
    for (unsigned i = begin + warp; i < end; i += 8u * L) {
        float v[L], few = 0, squares = 0;
#pragma unroll
        for (int k = 0; k < L; ++k) v[k] = i + k * 8u < end ? x[(word)(i + k * 8u) * 32u + lane] : shift;
#pragma unroll
        for (int k = 0; k < L; ++k) v[k] -= shift, few += v[k], squares += v[k] * v[k];
        s += few, t += squares;
    }
    const auto join = [&] {
        part[0][warp][lane] = s, part[1][warp][lane] = t;
        __syncthreads();
        if (warp == 0)
            for (int k = 1; k < 8; ++k) s += part[0][k][lane], t += part[1][k][lane];
    };
    join();
    if (warp == 0) parts[2u * (32u * blockIdx.x + lane)] = s, parts[2u * (32u * blockIdx.x + lane) + 1u] = t;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        is_last = atomicAdd(counter, 1u) == gridDim.x - 1u;
        __threadfence();
        if (is_last) *counter = 0;
    }
    __syncthreads();
    if (!is_last) return;
    s = t = 0;
#pragma unroll 8
    for (unsigned b = warp; b < gridDim.x; b += 8u)
        s += parts[2u * (32u * b + lane)], t += parts[2u * (32u * b + lane) + 1u];
    join();
    if (warp != 0) return;
    s /= rows;
    mean[lane] = (float)(shift + s);
    variance[lane] = (float)(t / rows - s * s);
}
