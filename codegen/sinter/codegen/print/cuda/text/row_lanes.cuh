// Values of a warp's other lanes, for reductions of rows.
R"cuda(
// The value of the lane that is `h` lanes further on.
template <class T>
static __device__ inline T from_lane(T x, int h) {
    return (T)__shfl_down_sync(0xffffffffu, x, h);
}
//@ if complex
template <class T>
static __device__ inline complex<T> from_lane(complex<T> x, int h) {
    return {from_lane(x.re, h), from_lane(x.im, h)};
}
//@ end
//@ if other
// The value of the lane whose number differs in the bits of `h`.
template <class T>
static __device__ inline T from_other(T x, int h) {
    return (T)__shfl_xor_sync(0xffffffffu, x, h);
}
//@ if complex
template <class T>
static __device__ inline complex<T> from_other(complex<T> x, int h) {
    return {from_other(x.re, h), from_other(x.im, h)};
}
//@ end
//@ end
//@ if first
// The value of the first of `width` lanes.
template <class T>
static __device__ inline T from_first(T x, int width) {
    return (T)__shfl_sync(0xffffffffu, x, 0, width);
}
//@ if complex
template <class T>
static __device__ inline complex<T> from_first(complex<T> x, int width) {
    return {from_first(x.re, width), from_first(x.im, width)};
}
//@ end
//@ end
)cuda"
