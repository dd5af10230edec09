// Running sums in double along columns: a block has 32 threads for each row of 64 columns from the first row to the last, so that nobody
// waits for what another has summed, and asks for the next 128 rows before it sums these.
typedef unsigned long long word;

constexpr int C = 2, R = 16;
struct alignas(4 * C) pack { float v[C]; };

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
