// Ranks of the elements of a tile by one digit: equal digits keep their order, since warps, rounds and lanes are
// counted in it.
R"cuda(
// The sum of x over the threads before this one, of the first 256 or, if there are fewer, of all.
template <class T>
__device__ __forceinline__ T sum_before(T x, T* sums) {
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    T sum = x;
    if (thread < owners) {
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            const T y = __shfl_up_sync(0xffffffffu, sum, step);
            if (lane >= step) sum += y;
        }
        if (lane == 31) sums[warp] = sum;
    }
    __syncthreads();
    sum -= x;
    if (thread < owners)
        for (int w = 0; w < warp; ++w) sum += sums[w];
    return sum;
}

// A thread's elements: a warp's lie side by side, those of its lanes in turn.
__device__ __forceinline__ unsigned first_element() { return threadIdx.x / 32 * (32 * items) + threadIdx.x % 32; }

// The thread's elements of a tile of `count`; behind them come more that no other comes after.
__device__ __forceinline__ void load_tile(const element* from, element (&x)[items], unsigned count) {
    from += first_element();
    if (count == tile) {
#pragma unroll
        for (int i = 0; i < items; ++i) x[i] = from[32 * i];
    } else {
#pragma unroll
        for (int i = 0; i < items; ++i) x[i] = first_element() + 32 * i < count ? from[32 * i] : last_element();
    }
}

// How many elements of the warp with an element's digit stand before it, below the digit. Behind the counts of all warps
// there is room for the lanes that have each digit, which they name themselves.
__device__ __forceinline__ void rank_in_warp(const element (&x)[items], unsigned (&rank)[items], int pass,
                                             unsigned (*counts)[256]) {
    unsigned *const own = counts[threadIdx.x / 32], *const lanes_with = counts[warps + threadIdx.x / 32];
    const unsigned lane = 1u << threadIdx.x % 32, below = lane - 1;
    for (int i = threadIdx.x; i < 2 * warps * 256; i += threads) counts[i / 256][i % 256] = 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < items; ++i) {
        const unsigned d = digit(x[i], pass);
        atomicAdd(lanes_with + d, lane);
        __syncwarp();
        const unsigned lanes = lanes_with[d], before = own[d];
        rank[i] = d << 16 | (before + __popc(lanes & below));
        __syncwarp();
        if (!(lanes & below)) {
            own[d] = before + __popc(lanes);
            lanes_with[d] = 0;
        }
        __syncwarp();
    }
    __syncthreads();
}

// From the counts of each warp to the place of its first element of each digit; returns where the thread's digits begin
// in the tile. `total` becomes the number of elements with the thread's first digit.
__device__ __forceinline__ unsigned count_warps(unsigned (*counts)[256], unsigned* sums, unsigned& total) {
    const int d = threadIdx.x * each;
    unsigned sum = 0;
    total = 0;
    if (threadIdx.x < owners)
        for (int e = 0; e < each; ++e) {
#pragma unroll
            for (int w = 0; w < warps; ++w) sum += counts[w][d + e];
            if (e == 0) total = sum;
        }
    const unsigned begin = sum_before(sum, sums);
    unsigned place = begin;
    if (threadIdx.x < owners)
        for (int e = 0; e < each; ++e)
#pragma unroll
            for (int w = 0; w < warps; ++w) {
                const unsigned count = counts[w][d + e];
                counts[w][d + e] = place;
                place += count;
            }
    __syncthreads();
    return begin;
}

__device__ __forceinline__ void rank_in_tile(unsigned (&rank)[items], const unsigned (*counts)[256]) {
#pragma unroll
    for (int i = 0; i < items; ++i) rank[i] = counts[threadIdx.x / 32][rank[i] >> 16] + (rank[i] & 0xffff);
    __syncthreads();
}
)cuda"
