// The last-writer map of an assignment at positions, and the assignment by it.
R"cuda(
// The lanes of a warp mark the places of a value each, which is number `i`; -1: none.
static __device__ inline void set_last_writer(last_writer* last_writers, long long at, long long i) {
    const unsigned lane = threadIdx.x % 32;
    const long long before = __shfl_up_sync(0xffffffffu, at, 1);
    const bool passed = lane > 0 && at >= 0 && at == before;
    const unsigned ballot = __ballot_sync(0xffffffffu, passed);
    if (ballot) {
        const long long place = __shfl_sync(0xffffffffu, at, __ffs(ballot) - 1);
        const unsigned lanes = __ballot_sync(0xffffffffu, at == place);
        if (at == place && ((lanes & ((1u << lane) - 1)) != 0 || *(volatile last_writer*)(last_writers + at) > i))
            return;
    }
    if (at >= 0 && !passed) atomicMax(last_writers + at, (last_writer)(i + 1));
}

// Whether most neighbours of 32 samples have places near each other: their marks are in a cache by themselves.
static __device__ inline bool are_near(const given_position* positions, long long count) {
    const long long sample = (count - 1) / 32 * (threadIdx.x % 32),
                    step = (long long)positions[sample + 1] - (long long)positions[sample];
    return __popc(__ballot_sync(0xffffffffu, step > -1024 && step < 1024)) > 16;
}

// Of values at one position the last has the largest number: whatever the order in which marks are made, they are the
// same. Those of `places` have their turn, as many as a cache holds; a thread takes `each` values.
extern "C" __global__ void __launch_bounds__(256)
    find_last(const given_position* positions, last_writer* last_writers, long long count, long long size,
              long long places, int each, long long* error) {
    const bool at_once = gridDim.y == 1 || are_near(positions, count);
    if (at_once && blockIdx.y > 0) return;
    const long long first = at_once ? 0 : blockIdx.y * places,
                    end = at_once || size - first < places ? size : first + places;
    // From the last value on: where many values meet, most find a larger mark and need not wait for each other.
    const long long last = count - 1 - (blockIdx.x * 256ll * each + threadIdx.x);
    for (int k = 0; k < each; k += 4) {
        long long at[4];
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const long long i = last - 256 * (k + j);
            at[j] = k + j < each && i >= 0 ? position_of(positions[i], size) : 0;
        }
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const long long i = last - 256 * (k + j);
            if (at[j] < 0 || at[j] >= size)
                if (atomicCAS((unsigned long long*)error, 0ull, 1ull) == 0) error[1] = at[j];
            set_last_writer(last_writers, k + j < each && i >= 0 && at[j] >= first && at[j] < end ? at[j] : -1, i);
        }
    }
}

// Marks end with a whole group, whose values are all on their way at once.
//@ if rows
// The threads of a block along x take the elements of a group's rows, with those of the other blocks along y.
extern "C" __global__ void __launch_bounds__(256)
    take(const element* values, const last_writer_group* last_writers, element* to, long long groups, long long width) {
    const long long group = blockIdx.x * (long long)blockDim.y + threadIdx.y;
    if (group >= groups) return;
    const last_writer_group m = last_writers[group];
    for (long long c = blockIdx.y * blockDim.x + threadIdx.x; c < width; c += gridDim.y * blockDim.x) {
        element taken[at_once];
#pragma unroll
        for (int k = 0; k < at_once; ++k)
            if (m.last[k]) taken[k] = values[((long long)m.last[k] - 1) * width + c];
#pragma unroll
        for (int k = 0; k < at_once; ++k)
            if (m.last[k]) to[(group * at_once + k) * width + c] = taken[k];
    }
}
//@ else
extern "C" __global__ void __launch_bounds__(256)
    take(const element* values, const last_writer_group* last_writers, element* to, long long groups) {
    const long long group = blockIdx.x * 256ll + threadIdx.x;
    if (group >= groups) return;
    const last_writer_group m = last_writers[group];
    element taken[at_once];
#pragma unroll
    for (int k = 0; k < at_once; ++k)
        if (m.last[k]) taken[k] = values[m.last[k] - 1];
#pragma unroll
    for (int k = 0; k < at_once; ++k)
        if (m.last[k]) to[group * at_once + k] = taken[k];
}
//@ end
)cuda"
