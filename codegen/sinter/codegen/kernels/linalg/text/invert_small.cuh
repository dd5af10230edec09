// Inverses of a stack of small matrices by Gauss and Jordan, a warp per matrix.
R"cuda(
// A lane holds a row, which it may become the pivot of once; rows beyond n are an identity's. Each step takes the first
// column away and puts the next of the inverse behind the last, so that no lane asks for a column by number.
extern "C" __global__ void __launch_bounds__(128)
    invert_small(const element* a, element* inverse, long long n, long long count, int* info) {
    __shared__ int rows[4][32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const long long matrix = blockIdx.x * 4ll + warp;
    if (matrix >= count) return;
    a += matrix * n * n, inverse += matrix * n * n;
    const bool real_row = lane < n;
    element v[32];
#pragma unroll
    for (int c = 0; c < 32; ++c) v[c] = real_row && c < n ? a[lane + c * n] : zero();
    bool free = real_row;
    int column = lane, singular = 0;
    for (int k = 0; k < n; ++k) {
        real best = free ? size_of(v[0]) : real(-1);
        int pivot = lane;
        if (best != best) best = 0;
#pragma unroll
        for (int bits = 16; bits > 0; bits /= 2) {
            const real other = __shfl_xor_sync(0xFFFFFFFF, best, bits);
            const int from = __shfl_xor_sync(0xFFFFFFFF, pivot, bits);
            if (other > best || (other == best && from < pivot)) best = other, pivot = from;
        }
        const element p = from_lane(v[0], pivot), factor = v[0], scale = one() / p;
        if (singular == 0 && size_of(p) == 0) singular = k + 1;
        const bool mine = lane == pivot;
        if (mine) free = false, column = k;
#pragma unroll
        for (int c = 0; c < 31; ++c) {
            const element x = from_lane(v[c + 1], pivot) * scale;
            v[c] = mine ? x : v[c + 1] - factor * x;
        }
        v[31] = mine ? scale : -(factor * scale);
    }
    if (real_row) rows[warp][column] = lane;
    __syncwarp();
    // This lane's row of the inverse is `column`; column c of the registers came at step (c + n) % 32 and belongs to
    // that pivot's row.
#pragma unroll
    for (int c = 0; c < 32; ++c) {
        const int step = (c + (int)n) % 32;
        if (real_row && step < n) inverse[column + rows[warp][step] * n] = v[c];
    }
    if (lane == 0) info[matrix] = singular;
}
)cuda"
