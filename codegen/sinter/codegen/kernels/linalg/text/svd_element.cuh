// What the singular value decomposition needs of elements besides scaling.cuh.
R"cuda(
// The square of a length that is nothing beside the largest, which is one or more.
constexpr real least = epsilon * epsilon * epsilon * epsilon;
constexpr int most_sweeps = 30;
//@ if complex
__device__ real length_of(real re, real im) {
    const real a = size_of(re), b = size_of(im), high = a > b ? a : b, low = a > b ? b : a;
    return high > 0 ? high * sqrt(1 + low / high * (low / high)) : 0;
}
__device__ element conjugate_phase(real re, real im, real length) { return {re / length, -im / length}; }
// A NaN where there is one.
__device__ real largest_part(element x) {
    const real a = size_of(x.re), b = size_of(x.im);
    return a == a && !(a > b) ? b : a;
}
//@ else
__device__ real length_of(real x, real) { return size_of(x); }
__device__ element conjugate_phase(real x, real, real) { return x < 0 ? -1 : 1; }
__device__ real largest_part(element x) { return size_of(x); }
//@ end
)cuda"
