// Parts and multiples of elements, and what a warp's lanes have in all; behind element.cuh.
R"cuda(
//@ if complex
__device__ real imaginary_part(element x) { return x.im; }
__device__ real square_of(element x) { return x.re * x.re + x.im * x.im; }
__device__ element times(element x, real by) { return {x.re * by, x.im * by}; }
//@ else
__device__ real imaginary_part(element) { return 0; }
__device__ real square_of(element x) { return x * x; }
__device__ element times(element x, real by) { return x * by; }
//@ end
__device__ real sum_of_warp(real x) {
    for (int bits = 16; bits > 0; bits /= 2) x += __shfl_xor_sync(0xFFFFFFFF, x, bits);
    return x;
}
__device__ real most_of_warp(real x) {
    for (int bits = 16; bits > 0; bits /= 2) {
        const real other = __shfl_xor_sync(0xFFFFFFFF, x, bits);
        x = x > other ? x : other;
    }
    return x;
}
)cuda"
