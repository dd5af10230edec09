// How many elements the tiles before one select, by looking back.
R"cuda(
// Tells those behind how many elements a tile selects.
static __device__ inline void publish(unsigned long long* status, index tile, unsigned long long total) {
    *(volatile unsigned long long*)(status + tile) = (tile == 0 ? 2ull : 1ull) << 62 | total;
}
// How many elements the tiles before one select; a warp asks.
static __device__ inline unsigned long long selected_by_earlier(unsigned long long* status, index tile,
                                                                unsigned long long total, int lane) {
    unsigned long long sum = 0;
    for (index last = tile - 1; last >= 0; last -= 32) {
        unsigned long long word = 2ull << 62;
        for (bool missing = last >= lane; __ballot_sync(0xffffffffu, missing) != 0;)
            if (missing) {
                word = *(const volatile unsigned long long*)(status + (last - lane));
                missing = word == 0;
            }
        const unsigned found = __ballot_sync(0xffffffffu, word >> 63 != 0);
        const bool counts = (found & ((1u << lane) - 1u)) == 0;
        unsigned long long part = counts ? word & ((1ull << 62) - 1) : 0;
#pragma unroll
        for (int h = 16; h > 0; h /= 2) part += __shfl_down_sync(0xffffffffu, part, h);
        sum += __shfl_sync(0xffffffffu, part, 0);
        if (found != 0) break;
    }
    if (lane == 0 && tile > 0) *(volatile unsigned long long*)(status + tile) = 2ull << 62 | (sum + total);
    return sum;
}

// Adds up what the lanes before and the own one have.
template <class T>
static __device__ inline T running(T x, int lane) {
#pragma unroll
    for (int h = 1; h < 32; h *= 2) {
        const T y = __shfl_up_sync(0xffffffffu, x, h);
        if (lane >= h) x += y;
    }
    return x;
}
)cuda"
