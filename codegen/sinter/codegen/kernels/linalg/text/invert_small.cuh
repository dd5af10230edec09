// Inverses of a stack of small matrices by Gauss and Jordan, a lane per row and several matrices per warp.
R"cuda(
// A lane holds a row, which it may become the pivot of once; rows beyond n are an identity's. Each step takes the first
// column away and puts the next of the inverse behind the last, so that no lane asks for a column by number.
extern "C" __global__ void __launch_bounds__(128)
    invert_small(const element* a, element* inverse, long long n, long long count, int* info) {
    __shared__ int rows[128];
    const int lane = threadIdx.x % 32, row = threadIdx.x % most_rows, first = threadIdx.x - row;
    const long long matrix = (blockIdx.x * 128ll + threadIdx.x) / most_rows;
    // Lanes behind the last matrix invert that one too, and store nothing.
    const bool stores = matrix < count, real_row = row < n;
    const long long at = (stores ? matrix : count - 1) * n * n;
    a += at, inverse += at;
    element v[most_rows];
#pragma unroll
    for (int c = 0; c < most_rows; ++c) v[c] = real_row && c < n ? a[row + c * n] : zero();
    bool free = real_row;
    int column = row, singular = 0;
    for (int k = 0; k < n; ++k) {
        real best = free ? size_of(v[0]) : real(-1);
        int pivot = lane;
        if (best != best) best = 0;
#pragma unroll
        for (int bits = most_rows / 2; bits > 0; bits /= 2) {
            const real other = __shfl_xor_sync(0xFFFFFFFF, best, bits);
            const int from = __shfl_xor_sync(0xFFFFFFFF, pivot, bits);
            if (other > best || (other == best && from < pivot)) best = other, pivot = from;
        }
        const element p = from_lane(v[0], pivot), factor = v[0], scale = one() / p;
        if (singular == 0 && size_of(p) == 0) singular = k + 1;
        const bool mine = lane == pivot;
        if (mine) free = false, column = k;
#pragma unroll
        for (int c = 0; c < most_rows - 1; ++c) {
            const element x = from_lane(v[c + 1], pivot) * scale;
            v[c] = mine ? x : v[c + 1] - factor * x;
        }
        v[most_rows - 1] = mine ? scale : -(factor * scale);
    }
    if (real_row) rows[first + column] = row;
    __syncwarp();
    // This lane's row of the inverse is `column`; column c of the registers came at step (c + n) % most_rows and
    // belongs to that pivot's row.
#pragma unroll
    for (int c = 0; c < most_rows; ++c) {
        const int step = (c + (int)n) % most_rows;
        if (stores && real_row && step < n) inverse[column + rows[first + step] * n] = v[c];
    }
    if (stores && row == 0) info[matrix] = singular;
}
)cuda"
