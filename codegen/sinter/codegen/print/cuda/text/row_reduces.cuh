// The lanes of a block of a row to one accumulator: of four threads, of a warp, of a thread block; behind row_lanes.cuh
// and thread_reduce.cuh.
R"cuda(
//@ if quads
// A lane of each of four neighbouring threads to the first one's.
template <auto& Combine, class T, class... Index>
static __device__ inline void quad_reduce(int lanes, T& a, Index&... ai) {
#pragma unroll
    for (int h = 1; h < 4; h *= 2) {
        const T y = from_lane(a, h);
        index yi;
        ((yi = from_lane(ai, h)), ...);
        if (lanes > h) Combine(a, ai..., y, (Index&)yi...);
    }
}
//@ end
//@ if across
// Of two threads each keeps a half of what they have and gets the other's part of it, which comes before its own or
// behind it: the earlier goes to `first`.
template <class T>
static __device__ inline void exchange(bool keeps_second, int h, T& first, T second, T& y, T& own) {
    y = from_other(keeps_second ? first : second, h), own = keeps_second ? second : first;
    first = keeps_second ? y : own;
}
// Of the lanes that four neighbouring threads have 256 apart, four neighbours to one; each thread gets another one.
template <auto& Combine, class T, class... Index>
static __device__ inline void reduce_across(int lanes, int t, T* a, Index*... ai) {
    const bool odd = t % 2 != 0, upper = t / 2 % 2 != 0;
    T y, own;
    index yi, own_index;
#pragma unroll
    for (int q = 0; q < 2; ++q) {
        exchange(odd, 1, a[q], a[q + 2], y, own);
        (exchange(odd, 1, ai[q], ai[q + 2], yi, own_index), ...);
        if (t / 2 * 2 + 1 + 256 * (odd ? q + 2 : q) < lanes)
            Combine(a[q], ai[q]..., odd ? own : y, (Index)(odd ? own_index : yi)...);
    }
    exchange(upper, 2, a[0], a[1], y, own);
    (exchange(upper, 2, ai[0], ai[1], yi, own_index), ...);
    if (t / 4 * 4 + 2 + 256 * (2 * odd + upper) < lanes)
        Combine(a[0], ai[0]..., upper ? own : y, (Index)(upper ? own_index : yi)...);
}
//@ end
// What each lane of a warp has to the first one's. Others than the lanes that count combine what nobody reads.
template <auto& Combine, class T, class... Index>
static __device__ inline void warp_reduce(int t, int groups, T& a, Index&... ai) {
//@ if by_loops
#pragma unroll 1
//@ else
#pragma unroll
    //@ end
    for (int h = 16; h > 0; h /= 2) {
        const T y = from_lane(a, h);
        index yi;
        ((yi = from_lane(ai, h)), ...);
        if (t + h < groups) Combine(a, ai..., y, (Index&)yi...);
    }
}
// What 256 threads have left in shared memory, by a warp, to its first thread's a: of the groups t, t + 32, … first
// every second one, then the others, by the same instructions.
template <auto& Combine, class T, class... Index>
static __device__ inline void buffer_reduce(const double* buffer, int t, int groups, T* a, Index*... ai) {
    T b[4];
    index bi[4];
//@ if by_loops
#pragma unroll 1
//@ else
#pragma unroll
    //@ end
    for (int second = 0; second < 2; ++second) {
        const int q = t + 32 * second;
#pragma unroll
        for (int h = 0; h < 4; ++h) {
            b[h] = ((const T*)buffer)[q + 64 * h];
            ((bi[h] = ((const Index*)(buffer + 256))[q + 64 * h]), ...);
        }
        if (q + 128 < groups) Combine(b[0], (Index&)bi[0]..., b[2], (Index&)bi[2]...);
        if (q + 192 < groups) Combine(b[1], (Index&)bi[1]..., b[3], (Index&)bi[3]...);
        if (q + 64 < groups) Combine(b[0], (Index&)bi[0]..., b[1], (Index&)bi[1]...);
        if (second == 0) {
            a[0] = b[0];
            ((ai[0] = bi[0]), ...);
        }
    }
    if (t + 32 < groups) Combine(a[0], ai[0]..., b[0], (Index&)bi[0]...);
    warp_reduce<Combine>(t, groups, a[0], ai[0]...);
}
//@ if block
// The four lanes of each of 256 threads to thread 0's first. The buffer is free again when all threads have met once
// more.
template <auto& Combine, class T, class... Index>
static __device__ inline void block_reduce(int size, double* buffer, T* a, Index*... ai) {
    const int t = threadIdx.x, lanes = size < 1024 ? size : 1024;
    thread_reduce<Combine>(lanes - 4 * t, a, ai...);
    ((T*)buffer)[t] = a[0];
    ((((Index*)(buffer + 256))[t] = ai[0]), ...);
    __syncthreads();
    if (t < 32) buffer_reduce<Combine>(buffer, t, (lanes + 3) / 4, a, ai...);
}
//@ end
)cuda"
