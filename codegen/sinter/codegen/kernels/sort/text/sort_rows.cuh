// The radix sort of rows that a thread block holds; behind rank.cuh.
R"cuda(
// A thread block sorts a row.
extern "C" __global__ void __launch_bounds__($threads, $least_blocks)
    sort_rows(const element* from, $target* to, long long rows, int length, int passes) {
    __shared__ union alignas(16) {
        unsigned counts[2 * warps][256];
        element values[tile];
        unsigned positions[tile];
    } scratch;
    __shared__ unsigned sums[8];
    for (long long row = blockIdx.x; row < rows; row += gridDim.x) {
        element x[items];
        unsigned rank[items], total;
        //@ if positions
        unsigned position[items];
        //@ end
        load_tile(from + row * length, x, length);
        //@ if positions
#pragma unroll
        for (int i = 0; i < items; ++i) position[i] = first_element() + 32 * i;
            //@ end
#pragma unroll 1
        for (int pass = 0; pass < passes; ++pass) {
            rank_in_warp(x, rank, pass, scratch.counts);
            count_warps(scratch.counts, sums, total);
            rank_in_tile(rank, scratch.counts);
#pragma unroll
            for (int i = 0; i < items; ++i) scratch.values[rank[i]] = x[i];
            __syncthreads();
#pragma unroll
            for (int i = 0; i < items; ++i) x[i] = scratch.values[first_element() + 32 * i];
            __syncthreads();
            //@ if positions
#pragma unroll
            for (int i = 0; i < items; ++i) scratch.positions[rank[i]] = position[i];
            __syncthreads();
#pragma unroll
            for (int i = 0; i < items; ++i) position[i] = scratch.positions[first_element() + 32 * i];
            __syncthreads();
            //@ end
        }
#pragma unroll
        for (int i = 0; i < items; ++i) {
            const unsigned k = first_element() + 32 * i;
            if (k < length) to[row * length + k] = $sorted[i];
        }
    }
}
)cuda"
