// The arithmetic of complex numbers under a name, whose parts are `real`.
R"cuda(
struct alignas(2 * sizeof(real)) $complex {
    real re, im;
};
__device__ $complex conjugate($complex x) { return {x.re, -x.im}; }
__device__ real size_of($complex x) { return size_of(x.re) + size_of(x.im); }
__device__ $complex operator-($complex a) { return {-a.re, -a.im}; }
__device__ $complex operator+($complex a, $complex b) { return {a.re + b.re, a.im + b.im}; }
__device__ $complex operator-($complex a, $complex b) { return {a.re - b.re, a.im - b.im}; }
__device__ $complex operator*($complex a, $complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
__device__ $complex operator/($complex a, $complex b) {
    const bool wide = size_of(b.re) >= size_of(b.im);
    const real r = wide ? b.im / b.re : b.re / b.im, d = wide ? b.re + b.im * r : b.im + b.re * r;
    if (wide) return {(a.re + a.im * r) / d, (a.im - a.re * r) / d};
    return {(a.re * r + a.im) / d, (a.im * r - a.re) / d};
}
)cuda"
