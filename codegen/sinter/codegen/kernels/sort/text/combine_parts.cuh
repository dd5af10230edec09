// Combining values that meet at a position, which lie in parts by it, in the order in which they stand; behind parts.cuh
// and, in a namespace of keys, rank.cuh.
R"cuda(
// Places of a part for which one warp is enough.
constexpr unsigned most_few = $few;

struct alignas(16) quad {
    unsigned word[4];
};

// The last warp of a thread block, which ranks no keys: where a part has few places, it combines the values of a tile
// while those of the next are ranked. It waits as often as the others do: seven times for a tile.
__device__ __forceinline__ void combine_few(element* result, const element* held, const element* other_held,
                                            const unsigned (*ends)[2][most_few], unsigned places, number count) {
    const unsigned place = threadIdx.x - threads;
    const bool has_place = places <= most_few && place < places;
    element x = has_place ? result[place] : element();
    const auto combine_tile = [&](unsigned t) {
        if (has_place) combine_place(x, t % 2 ? other_held : held, ends[t % 2][0][place], ends[t % 2][1][place]);
    };
    unsigned t = 0;
    for (number first = 0; first < count; first += tile, ++t) {
        __syncthreads();
        __syncthreads();
        if (t > 0) combine_tile(t - 1);
        for (int wait = 0; wait < 5; ++wait) __syncthreads();
    }
    combine_tile(t - 1);
    if (has_place) result[place] = x;
}

// A thread block has a part. Each of its first 256 threads has all values of some places, which it finds side by side
// in each tile: of one place, whose element it keeps, where there are fewer than 256. `counts`: of the parts.
extern "C" __global__ void __launch_bounds__($threads, 2)
    combine_parts(const unsigned* keys, const element* values, element* to, const number* counts,
                  const unsigned* out_of_order, long long size, unsigned places) {
    extern __shared__ quad memory[];
    element* const held = (element*)memory;
    unsigned* const place_of = (unsigned*)(held + tile);
    element* const other_held = (element*)(place_of + (tile > 2 * warps * 256 ? tile : 2 * warps * 256));
    const bool few = places <= most_few, one_place = places < 256;
    element* const result = few ? other_held + tile : other_held;
    // Digits of a tile are counted before its places are known.
    unsigned(*const counted)[256] = (unsigned(*)[256])place_of;
    __shared__ number number_sums[8], begin_of_part, count_of_part;
    __shared__ unsigned sums[8], ends[2][2][most_few];
    const unsigned thread = threadIdx.x, part = blockIdx.x;
    if (!*out_of_order) return;
    const number own = thread < 256 ? counts[thread] : 0, before = keys_of_tile::sum_before(own, number_sums);
    if (thread == part) begin_of_part = before, count_of_part = own;
    __syncthreads();
    const number count = count_of_part;
    if (count == 0) return;
    keys += begin_of_part;
    values += begin_of_part;
    for (unsigned k = thread; k < places; k += threads + 32) {
        const unsigned at = key_at(k, part);
        result[k] = at < size ? to[at] : element();
    }
    __syncthreads();
    element x = element();
    if (!few && one_place && thread < places) x = result[thread];
    unsigned key[items];
    element own_value[items];
    const auto load = [&](number first) {
#pragma unroll
        for (int i = 0; i < items; ++i) {
            const number k = first + keys_of_tile::first_element() + 32 * i;
            key[i] = k < count ? keys[k] : ~0u;
            own_value[i] = k < count ? values[k] : element();
        }
    };
    if (thread < threads) load(0);
    else combine_few(result, held, other_held, ends, places, count);
    for (number first = 0; thread < threads && first < count; first += tile) {
        const unsigned n = count - first < tile ? (unsigned)(count - first) : tile;
        const bool odd = few && first / tile % 2;
        element* const target = odd ? other_held : held;
        unsigned place[items], rank[items], total;
#pragma unroll
        for (int i = 0; i < items; ++i) place[i] = key[i] < size ? place_in_part(key[i]) : ~0u;
        __syncthreads();
        keys_of_tile::rank_in_warp(place, rank, 0, counted);
        const unsigned begin = keys_of_tile::count_warps(counted, sums, total);
        if (thread == 255) total -= tile - n;
        keys_of_tile::rank_in_tile(rank, counted);
#pragma unroll
        for (int i = 0; i < items; ++i) {
            target[rank[i]] = own_value[i];
            if (!few) place_of[rank[i]] = place[i];
        }
        // Those of the next tile are on their way while these are combined.
        if (count - first > tile) load(first + tile);
        if (few && thread < places) ends[odd][0][thread] = begin, ends[odd][1][thread] = begin + total;
        __syncthreads();
        if (few || thread >= 256) continue;
        const unsigned end = begin + total;
        if (one_place) {
            if (thread < places) combine_place(x, held, begin, end);
            continue;
        }
        unsigned last = ~0u;
        for (unsigned k = begin; k < end; ++k) {
            const unsigned at = place_of[k];
            const element value = held[k];
            if (at != last) {
                if (last < places) result[last] = x;
                if (at < places) x = result[at];
                last = at;
            }
            $combine;
        }
        if (last < places) result[last] = x;
    }
    if (!few && one_place && thread < places) result[thread] = x;
    __syncthreads();
    for (unsigned k = thread; k < places; k += threads + 32) {
        const unsigned at = key_at(k, part);
        if (at < size) to[at] = result[k];
    }
}
)cuda"
