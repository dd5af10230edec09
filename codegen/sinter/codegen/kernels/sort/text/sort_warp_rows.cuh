// Sorting of short rows, several in a warp, by exchanges that depend on no element: a row costs the same whatever is in
// it.
R"cuda(
// The one that comes first to the first place.
__device__ __forceinline__ void exchange(item& a, item& b) {
    const bool swap = comes_before(b, a);
    const item first = either(swap, b, a);
    b = either(swap, a, b);
    a = first;
}

// Exchanges with the lane whose number differs in `bits`: of two lanes the upper keeps what comes last. Mirrored, a
// lane's first item meets the other's last.
template <bool mirrored>
__device__ __forceinline__ void exchange_lanes(item (&x)[items], int bits, bool upper) {
    // Two at a time, so that registers do not have to hold all of the other lane's.
#pragma unroll
    for (int i = 0; i < items / 2; ++i) {
        const int k = items - 1 - i;
        const item a = of_lane(x[mirrored ? k : i], bits), b = of_lane(x[mirrored ? i : k], bits);
        x[i] = either(comes_before(a, x[i]) != upper, a, x[i]);
        x[k] = either(comes_before(b, x[k]) != upper, b, x[k]);
    }
}

// Exchanges over a distance, then over half of it, and so on: what is bitonic becomes sorted.
__device__ __forceinline__ void merge_items(item (&x)[items], int distance) {
#pragma unroll
    for (; distance > 0; distance /= 2)
#pragma unroll
        for (int i = 0; i < items; ++i)
            if (!(i & distance)) exchange(x[i], x[i | distance]);
}

// Sorts the items of `lanes` lanes, from those of the first lane to those of the last.
__device__ __forceinline__ void sort_items(item (&x)[items]) {
#pragma unroll
    for (int size = 2; size <= items; size *= 2) {
#pragma unroll
        for (int i = 0; i < items; ++i)
            if (!(i & size / 2)) exchange(x[i], x[i ^ (size - 1)]);
        merge_items(x, size / 4);
    }
#pragma unroll 1
    for (int size = 2; size <= lanes; size *= 2) {
        exchange_lanes<true>(x, size - 1, threadIdx.x & size / 2);
#pragma unroll 1
        for (int bit = size / 4; bit > 0; bit /= 2) exchange_lanes<false>(x, bit, threadIdx.x & bit);
        merge_items(x, items / 2);
    }
}

// Where element k of a warp's rows lies in shared memory: with gaps, so that lanes find their items in different banks.
__device__ constexpr int place(int k) { return k + k / (128 / (int)sizeof(element)); }

//@ if restores
// Writes the elements of a row that are ordered as `equal` once more, in the order in which they stand.
__device__ void restore(item equal, const element* row, int length, element* sorted, int begin) {
    const unsigned lane = threadIdx.x % 32, own = ~0u >> (32 - lanes) << lane / lanes * lanes,
                   below = own & ((1u << lane) - 1);
    int next = begin;
#pragma unroll 1
    for (int k = lane % lanes; k < lanes * items; k += lanes)
        next += __popc(__ballot_sync(0xffffffffu, k < length && item_of(row[k], k) < equal) & own);
#pragma unroll 1
    for (int k = lane % lanes; k < lanes * items; k += lanes) {
        const bool is_equal = k < length && item_of(row[k], k) == equal;
        const unsigned those = __ballot_sync(0xffffffffu, is_equal) & own;
        if (is_equal) sorted[place(next + __popc(those & below))] = row[k];
        next += __popc(those);
    }
}
//@ end

// A warp sorts `rows_per_warp` rows, which lie side by side.
extern "C" __global__ void __launch_bounds__($threads, $least_blocks)
    sort_rows(const element* from, $target* to, long long rows, int length, int passes) {
    constexpr int warps = $threads / 32;
    __shared__ union {
        element from[place(32 * items)];
        result to[place(32 * items)];
    } scratch[warps];
    auto& own = scratch[threadIdx.x / 32];
    const int lane = threadIdx.x % 32, begin = lane / lanes * length, column = lane % lanes * items;
    constexpr int rows_per_warp = 32 / lanes;
    const long long step = (long long)gridDim.x * (warps * rows_per_warp);
    for (long long row = ((long long)blockIdx.x * warps + threadIdx.x / 32) * rows_per_warp; row < rows; row += step) {
        const int count = (rows - row < rows_per_warp ? (int)(rows - row) : rows_per_warp) * length;
        const element* const source = from + row * length;
#pragma unroll
        for (int i = 0; i < items; ++i) {
            const int k = lane + 32 * i;
            if (k < count) own.from[place(k)] = source[k];
        }
        __syncwarp();
        // What is not there comes last.
        const int there = begin < count ? length - column : 0;
        item x[items];
        //@ if restores
        bool has_others = false;
        //@ end
#pragma unroll
        for (int i = 0; i < items; ++i) {
            x[i] = last_item();
            if (i >= there) continue;
            const element e = own.from[place(begin + column + i)];
            x[i] = item_of(e, column + i);
            //@ if restores
            has_others |= result_of(x[i], source) != e;
            //@ end
        }
        __syncwarp();
        sort_items(x);
#pragma unroll
        for (int i = 0; i < items; ++i)
            if (i < there) own.to[place(begin + column + i)] = result_of(x[i], source + begin);
        __syncwarp();
        //@ if restores
        if (__ballot_sync(0xffffffffu, has_others)) {
            restore(zero_item, source + begin, begin < count ? length : 0, own.to, begin);
            restore(last_item(), source + begin, begin < count ? length : 0, own.to, begin);
            __syncwarp();
        }
        //@ end
#pragma unroll
        for (int i = 0; i < items; ++i) {
            const int k = lane + 32 * i;
            if (k < count) to[row * length + k] = own.to[place(k)];
        }
        __syncwarp();
    }
}
)cuda"
