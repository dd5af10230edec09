// Complex values of other lanes, for scans; behind scan_lanes.cuh.
R"cuda(
template <class T>
static __device__ inline complex<T> from_before(complex<T> x, int h) {
    return {from_before(x.re, h), from_before(x.im, h)};
}
template <class T>
static __device__ inline complex<T> from(complex<T> x, int lane) {
    return {from(x.re, lane), from(x.im, lane)};
}
)cuda"
