// Running sums in double of tiles of 4096 floats, each by one block of 128 threads, and the first block puts the tiles
// together; n counts quads.
struct alignas(16) quad {
    float a, b, c, d;
};
typedef unsigned long long word;

// What a word holds is half a sum and the number of the launch that wrote it, so that nothing is zeroed between
// launches.
__device__ void tell(word* at, double sum, unsigned launch) {
    word bits = (word)__double_as_longlong(sum), mark = (word)launch << 32;
    ((volatile word*)at)[0] = mark | (bits & 0xffffffffu);
    ((volatile word*)at)[1] = mark | bits >> 32;
}

__device__ bool is_told(const word* at, double& sum, unsigned launch) {
    word low = ((const volatile word*)at)[0], high = ((const volatile word*)at)[1];
    if (low >> 32 != launch || high >> 32 != launch) return false;
    sum = __longlong_as_double((long long)(high << 32 | (low & 0xffffffffu)));
    return true;
}

__device__ double running(double x, int lane) {
#pragma unroll
    for (int h = 1; h < 32; h *= 2) {
        double y = __shfl_up_sync(0xffffffffu, x, h);
        if (lane >= h) x += y;
    }
    return x;
}

// A warp takes every fourth group of 32 tiles and tells each tile what is before it as soon as the tiles before have
// told.
__device__ void run_tiles(const word* totals, word* prefixes, unsigned tiles, unsigned launch, int lane,
                          unsigned warp) {
    __shared__ volatile double carried;
    __shared__ volatile unsigned done;
    if (threadIdx.x == 0) done = 0, carried = 0;
    __syncthreads();
    for (unsigned group = warp; 32 * group < tiles; group += 4) {
        const unsigned tile = 32 * group + lane;
        double x = 0, sum = 0, p = 0;
        bool missing = tile < tiles, waits = tile < tiles, follows = false;
        unsigned known = 0;
        while (!follows || known != 0xffffffffu) {
            missing = missing && !is_told(totals + 2 * tile, x, launch);
            unsigned now = __ballot_sync(0xffffffffu, !missing);
            if (now != known) sum = running(x, lane);
            known = now;
            if (!follows && __ballot_sync(0xffffffffu, lane == 0 && done == group) != 0) {
                __threadfence_block();
                p = carried;
                follows = true;
                __syncwarp();
            }
            if (follows && known == 0xffffffffu && lane == 31) {
                carried = p + sum;
                __threadfence_block();
                done = group + 1;
            }
            double before = __shfl_up_sync(0xffffffffu, sum, 1);
            if (follows && waits && (~known & ((1u << lane) - 1u)) == 0) {
                tell(prefixes + 2 * tile, lane > 0 ? p + before : p, launch);
                waits = false;
            }
        }
    }
}

__device__ void ask_for(quad* to, const quad* from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from)
                 : "memory");
}

// marks: how many launches there were and how many blocks of this one began, then the tiles' totals and what is before
// them.
extern "C" __global__ void __launch_bounds__(128, 12) cumsum_by_hand(const quad* x, quad* y, word* marks, unsigned n) {
    __shared__ quad room[1024];
    __shared__ double sums[32];
    __shared__ word ticket;
    const unsigned tiles = (n + 1023) / 1024, soon = (blockIdx.x - 1) * 1024 + 8 * threadIdx.x;
    const int lane = threadIdx.x % 32u;
    const unsigned warp = threadIdx.x / 32u;
    if (threadIdx.x == 0) {
        word mine = atomicAdd(marks, (word)1);
        if ((unsigned)mine == tiles) *marks = ((mine >> 32) + 1) << 32;
        ticket = mine;
    }
    if (blockIdx.x > 0 && soon < n) asm volatile("prefetch.global.L2 [%0];" ::"l"(x + soon));
    __syncthreads();
    const unsigned launch = (unsigned)(ticket >> 32) + 1, tile = (unsigned)ticket - 1;
    word *totals = marks + 1, *prefixes = totals + 2 * tiles;
    if ((unsigned)ticket == 0) return run_tiles(totals, prefixes, tiles, launch, lane, warp);
#pragma unroll
    for (unsigned q = 0; q < 8; ++q) {
        unsigned at = 32 * (warp + 4 * q) + lane;
        if (1024 * tile + at < n) ask_for(room + at, x + 1024 * tile + at);
        else room[at] = quad{0, 0, 0, 0};
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    double before[8];
#pragma unroll
    for (int q = 0; q < 8; ++q) {
        quad v = room[32 * (warp + 4 * q) + lane];
        double sum = running((double)v.a + v.b + v.c + v.d, lane);
        if (lane == 31) sums[warp + 4 * q] = sum;
        before[q] = __shfl_up_sync(0xffffffffu, sum, 1);
        if (lane == 0) before[q] = 0;
    }
    __syncthreads();
    if (warp == 0) {
        double own = sums[lane], sum = running(own, lane), prefix = 0;
        if (lane == 31) tell(totals + 2 * tile, sum, launch);
        for (bool missing = lane == 0; __ballot_sync(0xffffffffu, missing) != 0;)
            missing = missing && !is_told(prefixes + 2 * tile, prefix, launch);
        double earlier = __shfl_up_sync(0xffffffffu, sum, 1);
        sums[lane] = __shfl_sync(0xffffffffu, prefix, 0) + (lane > 0 ? earlier : 0);
    }
    __syncthreads();
#pragma unroll
    for (unsigned q = 0; q < 8; ++q) {
        unsigned at = 32 * (warp + 4 * q) + lane;
        quad v = room[at];
        double sum = sums[warp + 4 * q] + before[q];
        quad u;
        u.a = (float)(sum += v.a), u.b = (float)(sum += v.b), u.c = (float)(sum += v.c), u.d = (float)(sum += v.d);
        if (1024 * tile + at < n) y[1024 * tile + at] = u;
    }
}
