// Combining rows that meet at a position, by the order that sorts the positions, in the order in which they stand.
R"cuda(
// A warp looks for positions that begin among 32, in turns of the grid; where few do, most warps have nothing to do, and
// small thread blocks make place for others. It takes the elements of 32 columns at a time,
// or, of narrow rows, those of several positions side by side.
extern "C" __global__ void __launch_bounds__($threads)
    combine_rows(const element* values,
                 //@ if keys
                 const key* keys, const key* sorted_keys, const number* order, const unsigned* out_of_order,
                 //@ else
                 const long long* positions, const long long* order,
                 //@ end
                 element* to, long long count, long long size, long long width,
                 int lanes
                 //@ if !keys
                 ,
                 long long* error
                 //@ end
    ) {
    constexpr int at_once = $at_once;
    //@ if keys
    const bool ordered = !*out_of_order;
    if (!ordered) keys = sorted_keys;
    const auto key_at = [&](long long k) { return (long long)keys[k]; };
    typedef number row_number;
    const auto row_at = [&](long long k) { return ordered ? (row_number)k : order[k]; };
    //@ else
    const auto key_at = [&](long long k) { return positions[order[k]]; };
    typedef long long row_number;
    const auto row_at = [&](long long k) { return order[k]; };
    //@ end
    const int lane = threadIdx.x % 32, group = lane / lanes, groups = 32 / lanes;
    for (long long first = (long long)blockIdx.x * $threads + threadIdx.x / 32 * 32; first < count;
         first += (long long)gridDim.x * $threads) {
        const long long i = first + lane;
        long long own = 0;
        bool begins = false;
        if (i < count) {
            own = key_at(i);
            begins = i == 0 || key_at(i - 1) != own;
            if (own < 0 || own >= size) {
                begins = false;
                //@ if !keys
                if (atomicCAS((unsigned long long*)error, 0ull, 1ull) == 0) error[1] = own;
                //@ end
            }
        }
        int n = 0;
        for (unsigned open = __ballot_sync(0xffffffffu, begins); open; open &= open - 1) {
            if (n++ % groups != group) continue;
            const long long begin = first + __ffs(open) - 1, row = key_at(begin);
            for (long long c = blockIdx.y * (long long)lanes + lane % lanes; c < width;
                 c += gridDim.y * (long long)lanes) {
                element x = to[row * width + c];
                long long k = begin;
                row_number from[at_once];
                element next[at_once], later[at_once];
                bool is[at_once], is_whole;
                // Which rows stand from `first` on, and whether as many are of this position.
                const auto look = [&](long long first) {
#pragma unroll
                    for (int l = 0; l < at_once; ++l) from[l] = row_at(first + l < count ? first + l : count - 1);
                    is_whole = first + at_once <= count && key_at(first + at_once - 1) == row;
                };
                const auto load = [&](element(&to)[at_once]) {
#pragma unroll
                    for (int l = 0; l < at_once; ++l) to[l] = values[(long long)from[l] * width + c];
                };
                // Combines what has been loaded while what stands behind it is, and where more stands behind that.
                const auto step = [&](const element(&loaded)[at_once], element(&behind)[at_once]) {
                    const bool goes_on = is_whole;
                    k += at_once;
                    if (goes_on) {
                        load(behind);
                        look(k + at_once);
                    }
#pragma unroll
                    for (int l = 0; l < at_once; ++l) {
                        const element value = loaded[l];
                        $combine;
                    }
                    return goes_on;
                };
                look(k);
                if (is_whole) {
                    load(next);
                    look(k + at_once);
                    while (step(next, later) && step(later, next));
                }
#pragma unroll
                for (int l = 0; l < at_once; ++l)
                    is[l] = (k + l < count) & (key_at(k + l < count ? k + l : count - 1) == row);
#pragma unroll
                for (int l = 0; l < at_once; ++l) next[l] = is[l] ? values[(long long)from[l] * width + c] : element();
#pragma unroll
                for (int l = 0; l < at_once; ++l)
                    if (is[l]) {
                        const element value = next[l];
                        $combine;
                    }
                to[row * width + c] = x;
            }
        }
    }
}
)cuda"
