// Counting on GPUs: how often each number, or how many elements of each bin, there are; behind bins.hxx.
R"cuda(
struct alignas(16) pack {
    element x[at_once];
};

// Shows `see` each element, most of them loaded 16 bytes at a time. The lanes of a warp come together, some perhaps
// without an element.
template <class F>
__device__ __forceinline__ void for_elements(const element* from, long long count, F&& see) {
    const long long threads = (long long)gridDim.x * blockDim.x,
                    first = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    const int lane = threadIdx.x % 32;
    long long before = (16 - (unsigned long long)from % 16) % 16 / sizeof(element);
    if (before > count) before = count;
    const long long packs = (count - before) / at_once, single = count - packs * at_once;
    const pack* const whole = (const pack*)(from + before);
    if (first - lane < single) {
        element x = element();
        if (first < single) x = from[first < before ? first : first + packs * at_once];
        see(x, first < single);
    }
    for (long long k = first; k - lane < packs; k += together * threads) {
        pack p[together];
#pragma unroll
        for (int l = 0; l < together; ++l)
            if (k + l * threads < packs) p[l] = whole[k + l * threads];
#pragma unroll
        for (int l = 0; l < together; ++l)
#pragma unroll
            for (int i = 0; i < at_once; ++i) see(p[l].x[i], k + l * threads < packs);
    }
}

//@ if histogram
struct counter {
    binning bins;
    __device__ counter(const double* edges, long long count) : bins(binning_of(edges, count)) {}
    // What is in no bin is behind all of them.
    __device__ __forceinline__ place place_of(element x) { return (place)bin_of(bins, (double)x); }
};
//@ else
struct counter {
    __device__ counter(const double*, long long) {}
    //@ if ends
    word least = 0, most = 0;
    //@ end
    __device__ __forceinline__ place place_of(element x) {
        const word at = (word)x;
        //@ if ends
        least = at < least ? at : least;
        most = at > most ? at : most;
        //@ end
        return (place)at;
    }
    //@ if ends
    // By how much the least number is negative, and the largest.
    __device__ void tell(unsigned long long* to) const {
        long long low = least, high = most;
#pragma unroll
        for (int bits = 16; bits > 0; bits /= 2) {
            const long long lower = __shfl_xor_sync(0xffffffffu, low, bits);
            const long long higher = __shfl_xor_sync(0xffffffffu, high, bits);
            low = lower < low ? lower : low;
            high = higher > high ? higher : high;
        }
        if (threadIdx.x % 32) return;
        if (low < 0) atomicMax(to, 0ull - (unsigned long long)low);
        if (high > (long long)((volatile unsigned long long*)to)[1]) atomicMax(to + 1, (unsigned long long)high);
    }
    //@ end
};
//@ end

// Places behind which nothing is counted: of numbers also those that are negative.
__device__ __forceinline__ place end_of(long long bins) { return bins < most_places ? (place)bins : most_places; }

// Each thread block counts in its shared memory.
extern "C" __global__ void __launch_bounds__(1024)
    count_in_shared(const element* from, const double* edges, unsigned long long* to, long long count, long long bins) {
    extern __shared__ double memory[];
    //@ if histogram
    unsigned* const own = (unsigned*)(memory + bins + 1);
    for (int i = threadIdx.x; i <= bins; i += blockDim.x) memory[i] = edges[i];
    //@ else
    unsigned* const own = (unsigned*)memory;
    //@ end
    for (int i = threadIdx.x; i < bins; i += blockDim.x) own[i] = 0;
    __syncthreads();
    counter c(memory, bins);
    const place end = end_of(bins);
    for_elements(from, count, [&](element x, bool is) {
        if (!is) return;
        const place at = c.place_of(x);
        if (at < end) atomicAdd(own + at, 1u);
    });
    __syncthreads();
    for (int i = threadIdx.x; i < bins; i += blockDim.x)
        if (own[i]) atomicAdd(to + i, (unsigned long long)own[i]);
    //@ if ends
    c.tell(to + bins);
    //@ end
}

// Where bins are too many for that: equal ones of a warp are counted at once.
extern "C" __global__ void __launch_bounds__(1024)
    count_in_memory(const element* from, const double* edges, unsigned long long* to, long long count, long long bins) {
    counter c(edges, bins);
    const place end = end_of(bins);
    for_elements(from, count, [&](element x, bool is) {
        place at = end;
        if (is) at = c.place_of(x);
        const unsigned lanes = __match_any_sync(0xffffffffu, at);
        const unsigned before = lanes & ((1u << threadIdx.x % 32) - 1);
        if (at < end && !before) atomicAdd(to + at, (unsigned long long)__popc(lanes));
    });
    //@ if ends
    c.tell(to + bins);
    //@ end
}
)cuda"
