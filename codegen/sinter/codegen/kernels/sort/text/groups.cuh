// Combining values that meet at a position, which stand or have been sorted in its order, in the order in which they
// stand.
R"cuda(
// Values that are loaded before they are combined.
constexpr int side_by_side = $at_once;
// Values of a position that one thread combines by itself, in fours; behind them a warp loads and one of its threads
// combines.
constexpr int fours = 8, per_lane = 4, at_once = 32 * per_lane;

// The values of one place, which are held from `begin` to `end`, to x. Those that come next are loaded while these are
// combined.
__device__ __forceinline__ void combine_place(element& x, const element* held, unsigned begin, unsigned end) {
    unsigned k = begin;
    element next[side_by_side];
    const auto load = [&] {
        if (k + side_by_side <= end)
#pragma unroll
            for (int l = 0; l < side_by_side; ++l) next[l] = held[k + l];
    };
    for (load(); k + side_by_side <= end;) {
        element now[side_by_side];
#pragma unroll
        for (int l = 0; l < side_by_side; ++l) now[l] = next[l];
        k += side_by_side;
        load();
#pragma unroll
        for (int l = 0; l < side_by_side; ++l) {
            const element value = now[l];
            $combine;
        }
    }
    for (; k < end; ++k) {
        const element value = held[k];
        $combine;
    }
}

__device__ __forceinline__ void combine_group(const key* keys, const element* values, element* to, element* own,
                                              long long i, long long count, long long size) {
    const int lane = threadIdx.x % 32;
    long long k = i + 1;
    key at = 0;
    element first_value = element();
    bool is_open = false;
    if (i < count) {
        at = keys[i];
        // Before it is known whether a position begins here: what comes next lies beside it.
        first_value = values[i];
        is_open = (unsigned long long)at < (unsigned long long)size && (i == 0 || keys[i - 1] != at);
    }
    element x;
    if (is_open) {
        x = to[at];
        {
            const element value = first_value;
            $combine;
        }
        for (int n = 0; n < fours && k + 3 < count && keys[k + 3] == at; ++n, k += 4) {
            element next[4];
#pragma unroll
            for (int l = 0; l < 4; ++l) next[l] = values[k + l];
#pragma unroll
            for (int l = 0; l < 4; ++l) {
                const element value = next[l];
                $combine;
            }
        }
        is_open = k + 3 < count && keys[k + 3] == at;
        for (; !is_open && k < count && keys[k] == at; ++k) {
            const element value = values[k];
            $combine;
        }
        if (!is_open) to[at] = x;
    }
    for (unsigned open = __ballot_sync(0xffffffffu, is_open); open; open &= open - 1) {
        const int owner = __ffs(open) - 1;
        const key place = __shfl_sync(0xffffffffu, at, owner);
        long long first = __shfl_sync(0xffffffffu, k, owner);
        key ahead[per_lane];
        element next[per_lane];
        const auto load = [&] {
#pragma unroll
            for (int l = 0; l < per_lane; ++l) {
                const long long from = first + 32 * l + lane;
                ahead[l] = from < count ? keys[from] : ~place;
                next[l] = from < count ? values[from] : element();
            }
        };
        load();
        for (int n = at_once; n == at_once;) {
            n = 0;
#pragma unroll
            for (int l = 0; l < per_lane; ++l) {
                own[32 * l + lane] = next[l];
                n += __popc(__ballot_sync(0xffffffffu, ahead[l] == place));
            }
            __syncwarp();
            first += at_once;
            if (n == at_once) load();
            if (lane == owner) combine_place(x, own, 0, n);
            __syncwarp();
        }
        if (lane == owner) to[at] = x;
    }
}

// Those that stand in order; others only where they have been sorted.
extern "C" __global__ void __launch_bounds__(256)
    combine(const key* keys, const element* values, const key* sorted_keys, const element* sorted_values,
            const unsigned* out_of_order, element* to, long long count, long long size) {
    __shared__ element loaded[8][at_once];
    if (*out_of_order) {
        //@ if parts
        return;
        //@ else
        keys = sorted_keys;
        values = sorted_values;
        //@ end
    }
    // Neighbours in turn: positions of many values that begin in one warp would be combined one after another.
    const long long part = (count + 256ll * gridDim.x - 1) / (256ll * gridDim.x) * 256, begin = blockIdx.x * part,
                    end = count - begin < part ? count : begin + part;
    for (long long first = begin; first < end; first += 256)
        combine_group(keys, values, to, loaded[threadIdx.x / 32], first + threadIdx.x, count, size);
}
)cuda"
