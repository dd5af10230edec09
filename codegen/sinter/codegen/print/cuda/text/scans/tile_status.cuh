// How thread blocks wait for each other: dynamic tile ids, and values with the number of the launch that wrote them.
R"cuda(
// The number of a thread block in the order in which they begin; above it that of the launch, which the last block to
// begin counts.
static __device__ inline unsigned long long take_tile_id(unsigned long long* next_tile_id) {
    const unsigned long long taken = atomicAdd(next_tile_id, 1ull);
    if ((unsigned)taken + 1 == gridDim.x * gridDim.z) *next_tile_id = ((taken >> 32) + 1) << 32;
    return taken + (1ull << 32);
}
// Writes a value for other thread blocks.
template <class T>
static __device__ inline void publish(unsigned long long* at, T value, unsigned launch) {
    union {
        T whole;
        unsigned half[(sizeof(T) + 3) / 4];
    } u;
    u.half[0] = 0;
    u.whole = value;
#pragma unroll
    for (int i = 0; i < (int)((sizeof(T) + 3) / 4); ++i)
        ((volatile unsigned long long*)at)[i] = (unsigned long long)launch << 32 | u.half[i];
}
// What stands where such a value will be, and the value itself; false when it is not there yet.
template <class T>
struct tile_status {
    unsigned long long word[(sizeof(T) + 3) / 4];
};
template <class T>
static __device__ inline tile_status<T> fetch(const unsigned long long* at) {
    tile_status<T> m;
#pragma unroll
    for (int i = 0; i < (int)((sizeof(T) + 3) / 4); ++i) m.word[i] = ((const volatile unsigned long long*)at)[i];
    return m;
}
template <class T>
static __device__ inline bool received(const tile_status<T>& m, T& value, unsigned launch) {
    union {
        T whole;
        unsigned half[(sizeof(T) + 3) / 4];
    } u;
    bool all = true;
#pragma unroll
    for (int i = 0; i < (int)((sizeof(T) + 3) / 4); ++i) {
        u.half[i] = (unsigned)m.word[i];
        all = all && m.word[i] >> 32 == launch;
    }
    if (all) value = u.whole;
    return all;
}
template <class T>
static __device__ inline bool received(const unsigned long long* at, T& value, unsigned launch) {
    return received(fetch<T>(at), value, launch);
}
)cuda"
