// What the radix sort of values by their positions, or of words by their upper halves, begins with, in place of
// sort_count; behind rank.cuh.
R"cuda(
//@ if upper_halves
// The upper halves of words as keys, which are never in order, and how often each digit of those occurs.
//@ else
// Positions as keys, how often each digit of those occurs, for all passes at once, and whether one is less than the one
// before it; a block takes a part of them.
//@ end
extern "C" __global__ void __launch_bounds__(256)
    sort_count(const given_position* positions, element* keys, number* counts, number length, number part, int passes,
               long long size, unsigned* out_of_order, long long* error) {
    __shared__ unsigned count[digits][256];
    __shared__ bool has_less;
    if (threadIdx.x == 0) has_less = false;
    for (int i = threadIdx.x; i < passes * 256; i += 256) count[i / 256][i % 256] = 0;
    __syncthreads();
    const number begin = blockIdx.x * part, end = length - begin < part ? length : begin + part;
    bool is_less = false;
    const auto take = [&](number i, long long before, long long at) {
        //@ if upper_halves
        is_less = true;
        const element key = (element)((unsigned long long)at >> 32);
        //@ else
        is_less |= at < before;
        if (at < 0 || at >= size)
            if (atomicCAS((unsigned long long*)error, 0ull, 1ull) == 0) error[1] = at;
        const element key = (element)at;
        //@ end
        keys[i] = key;
        for (int pass = 0; pass < passes; ++pass) atomicAdd(&count[pass][digit(key, pass)], 1u);
    };
    number i = begin + threadIdx.x;
    for (; i + 7 * 256 < end; i += 8 * 256) {
        long long at[8], before[8];
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            at[k] = position_of(positions[i + k * 256], size);
            before[k] = position_of(positions[i + k * 256 ? i + k * 256 - 1 : 0], size);
        }
#pragma unroll
        for (int k = 0; k < 8; ++k) take(i + k * 256, before[k], at[k]);
    }
    for (; i < end; i += 256) take(i, position_of(positions[i ? i - 1 : 0], size), position_of(positions[i], size));
    if (is_less) has_less = true;
    __syncthreads();
    if (has_less && threadIdx.x == 0) *out_of_order = 1;
    for (int k = threadIdx.x; k < passes * 256; k += 256)
        if (unsigned n = count[k / 256][k % 256]) atomicAdd(&counts[k], (number)n);
}
)cuda"
