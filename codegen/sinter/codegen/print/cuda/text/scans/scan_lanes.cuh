// Values of other lanes, for scans.
R"cuda(
// The value of the lane that is `h` lanes before, and of one lane for all.
template <class T>
static __device__ inline T from_before(T x, int h) {
    return (T)__shfl_up_sync(0xffffffffu, x, h);
}
template <class T>
static __device__ inline T from(T x, int lane) {
    return (T)__shfl_sync(0xffffffffu, x, lane);
}
)cuda"
