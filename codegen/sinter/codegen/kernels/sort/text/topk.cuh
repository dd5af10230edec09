// The first elements of rows in their order: what comes behind as many as are wanted is passed over; behind
// candidates.cuh.
R"cuda(
// Sorts the candidates by a bitonic network, with such as come last behind them.
__device__ __forceinline__ void sort_candidates(candidates& c) {
    unsigned size = 1;
    while (size < c.count) size *= 2;
    for (unsigned i = c.count + threadIdx.x; i < size; i += threads) {
        c.keys[i] = ~(key)0;
        c.places[i] = ~0u;
    }
#pragma unroll 1
    for (unsigned width = 2; width <= size; width *= 2)
#pragma unroll 1
        for (unsigned step = width / 2; step > 0; step /= 2) {
            __syncthreads();
            for (unsigned i = threadIdx.x; i < size / 2; i += threads) {
                const unsigned a = 2 * i - (i & (step - 1)), b = step == width / 2 ? a ^ (width - 1) : a + step;
                const key x = c.keys[a], y = c.keys[b];
                const unsigned at = c.places[a], place = c.places[b];
                if (y > x || (y == x && place > at)) continue;
                c.keys[a] = y;
                c.keys[b] = x;
                c.places[a] = place;
                c.places[b] = at;
            }
        }
    __syncthreads();
}

// Adds the elements of a tile of a row, or of those at places in it, that come no later than `last`.
__device__ __forceinline__ void add_tile(candidates& c, const bound& last, const element* source, const long long* at,
                                         long long begin, long long end) {
    const int left = end - begin < tile ? (int)(end - begin) : tile;
    unsigned place[items];
    element x[items];
#pragma unroll
    for (int i = 0; i < items; ++i) {
        const int k = threadIdx.x + i * threads;
        place[i] = (unsigned)begin + k;
        x[i] = element();
        if (k >= left) continue;
        if (at) place[i] = (unsigned)at[begin + k];
        x[i] = source[place[i]];
    }
    // The largest key that comes no later, whatever its digits are that are not known of the last.
    const key most = last.x | ~last.x_known;
    key y[items];
    unsigned is = 0;
#pragma unroll
    for (int i = 0; i < items; ++i) {
        y[i] = key_of(x[i]);
        is |= (unsigned)((int)threadIdx.x + i * threads < left && y[i] <= most) << i;
    }
    if (is)
#pragma unroll
        for (int i = 0; i < items; ++i)
            if (!last.reaches(y[i], place[i])) is &= ~(1u << i);
    append(c, is, y, place);
}

// Where the first `wanted` stand of each of the equal parts of a row's `count` elements, or of those at `places` in the
// row.
extern "C" __global__ void __launch_bounds__(256, $least_blocks)
    topk(const element* from, const long long* places, long long* to, long long rows, long long length, long long count,
         long long parts, unsigned wanted) {
    __shared__ candidates c;
    for (long long part = blockIdx.x; part < rows * parts; part += gridDim.x) {
        const long long row = part / parts, end = (part % parts + 1) * count / parts;
        const element* const source = from + row * length;
        const long long* const at = places ? places + row * count : places;
        bound last = {};
        if (threadIdx.x == 0) c.count = 0;
        __syncthreads();
#pragma unroll 1
        for (long long begin = part % parts * count / parts; begin < end; begin += tile) {
            add_tile(c, last, source, at, begin, end);
            __syncthreads();
            const bool is_full = c.count > capacity - tile || (begin + tile >= end && c.count > wanted);
            __syncthreads();
            if (!is_full) continue;
            last = find_bound(c, {}, 0, digits, wanted - 1, c.count, false);
            keep(c, last);
        }
        sort_candidates(c);
        for (unsigned i = threadIdx.x; i < wanted; i += threads) to[part * wanted + i] = c.places[i];
        __syncthreads();
    }
}
)cuda"
