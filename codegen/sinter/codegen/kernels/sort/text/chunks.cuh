// Combining many values that meet in few places: by chunks of values, each in shared memory of a warp; behind
// given_positions.hxx.
R"cuda(
// Chunks of a group, and turns of values that a warp loads before it combines them.
constexpr int chunks = $chunks, at_once = $at_once;

struct alignas(16) quad {
    unsigned word[4];
};

// The values of a warp's lanes to the places of a chunk, those that meet in the order of the lanes. `same`: the lanes
// whose values go to the lane's own place.
__device__ __forceinline__ void combine_lanes(element* own, unsigned place, element value, unsigned same) {
    const unsigned before = __popc(same & ((1u << threadIdx.x % 32) - 1));
    for (unsigned turn = 0; __ballot_sync(0xffffffffu, same && before >= turn); ++turn) {
        if (same && before == turn) {
            element x = own[place];
            $combine;
            own[place] = x;
        }
        __syncwarp();
    }
}

// The values from `begin` to `end` to the places of one chunk, which a warp has to itself. `bits`: of a place.
__device__ __forceinline__ void combine_chunk(element* own, const element* values, const given_position* positions,
                                              long long begin, long long end, long long size, int bits,
                                              long long* error) {
    given_position given[at_once];
    element next[at_once];
    const auto load = [&](long long from) {
#pragma unroll
        for (int l = 0; l < at_once; ++l) {
            const long long i = from + 32 * l + threadIdx.x % 32;
            given[l] = i < end ? positions[i] : given_position();
            next[l] = i < end ? values[i] : element();
        }
    };
    load(begin);
    for (long long from = begin; from < end; from += 32 * at_once) {
        unsigned place[at_once], same[at_once];
        element value[at_once];
#pragma unroll
        for (int l = 0; l < at_once; ++l) {
            const bool is_value = from + 32 * l + threadIdx.x % 32 < end;
            const long long at = is_value ? position_of(given[l], size) : -1;
            const bool is_inside = at >= 0 && at < size;
            if (is_value && !is_inside && atomicCAS((unsigned long long*)error, 0ull, 1ull) == 0) error[1] = at;
            place[l] = is_inside ? (unsigned)at : 0;
            same[l] = is_inside ? ~0u : 0;
            value[l] = next[l];
        }
        load(from + 32 * at_once);
#pragma unroll
        for (int l = 0; l < at_once; ++l) same[l] &= __ballot_sync(0xffffffffu, same[l] != 0);
        for (int bit = 0; bit < bits; ++bit)
#pragma unroll
            for (int l = 0; l < at_once; ++l) {
                const bool is_set = place[l] >> bit & 1;
                const unsigned set = __ballot_sync(0xffffffffu, is_set);
                same[l] &= is_set ? set : ~set;
            }
#pragma unroll
        for (int l = 0; l < at_once; ++l) combine_lanes(own, place[l], value[l], same[l]);
    }
}

// A thread block has a group of chunks, as many at once as it has warps, and joins them in their order.
extern "C" __global__ void __launch_bounds__($threads)
    combine_chunks(const element* values, const given_position* positions, element* partial, long long count,
                   long long size, long long length, int bits, long long* error) {
    extern __shared__ quad memory[];
    const int warps = blockDim.x / 32, warp = threadIdx.x / 32;
    element* const own = (element*)memory;
    element* const joined = own + warps * size;
    for (int first = 0; first < chunks; first += warps) {
        for (long long k = threadIdx.x % 32; k < size; k += 32) own[warp * size + k] = $identity;
        __syncwarp();
        const long long begin = ((long long)blockIdx.x * chunks + first + warp) * length,
                        end = count - begin < length ? count : begin + length;
        combine_chunk(own + warp * size, values, positions, begin, end, size, bits, error);
        __syncthreads();
        for (long long k = threadIdx.x; k < size; k += blockDim.x) {
            element x = $identity;
            if (first > 0) x = joined[k];
            for (int c = 0; c < warps; ++c) {
                const element value = own[c * size + k];
                $combine;
            }
            if (first + warps < chunks) joined[k] = x;
            else partial[blockIdx.x * size + k] = x;
        }
        __syncthreads();
    }
}

// What the groups of chunks have for a place, in their order.
extern "C" __global__ void __launch_bounds__(32)
    join_groups(const element* partial, element* to, long long size, int groups) {
    constexpr int ahead = 256 / sizeof(element);
    const long long k = blockIdx.x * 32ll + threadIdx.x;
    if (k >= size) return;
    element x = to[k];
    for (int first = 0; first < groups; first += ahead) {
        element next[ahead];
#pragma unroll
        for (int l = 0; l < ahead; ++l)
            if (first + l < groups) next[l] = partial[(first + l) * size + k];
#pragma unroll
        for (int l = 0; l < ahead; ++l) {
            if (first + l >= groups) break;
            const element value = next[l];
            $combine;
        }
    }
    to[k] = x;
}
)cuda"
