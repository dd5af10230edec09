// What elements are and can do, complex ones behind complex.cuh.
R"cuda(
//@ if complex
__device__ element zero() { return {0, 0}; }
__device__ element one() { return {1, 0}; }
__device__ element of_real(real x) { return {x, 0}; }
__device__ real real_part(element x) { return x.re; }
__device__ element across_warp(element x, int bits) {
    return {__shfl_xor_sync(0xFFFFFFFF, x.re, bits), __shfl_xor_sync(0xFFFFFFFF, x.im, bits)};
}
__device__ element from_lane(element x, int lane) {
    return {__shfl_sync(0xFFFFFFFF, x.re, lane), __shfl_sync(0xFFFFFFFF, x.im, lane)};
}
//@ else
typedef real element;
__device__ element zero() { return 0; }
__device__ element one() { return 1; }
__device__ element conjugate(element x) { return x; }
__device__ element of_real(real x) { return x; }
__device__ real real_part(element x) { return x; }
__device__ element across_warp(element x, int bits) { return __shfl_xor_sync(0xFFFFFFFF, x, bits); }
__device__ element from_lane(element x, int lane) { return __shfl_sync(0xFFFFFFFF, x, lane); }
//@ end
)cuda"
