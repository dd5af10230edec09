// What real and complex elements differ in for eigenvalues, and limits of their numbers; behind parts.cuh.
R"cuda(
//@ if complex
typedef element complex;
constexpr int order = 2;  // of reflectors
__device__ real across_warp(real x, int bits) { return __shfl_xor_sync(0xFFFFFFFF, x, bits); }
__device__ element over(element x, real s) { return {x.re / s, x.im / s}; }
__device__ element inverse_of(element x) { return over(conjugate(x), square_of(x)); }
__device__ complex complex_of(element x) { return x; }
//@ else
constexpr int order = 3;  // of reflectors
__device__ element over(element x, real s) { return x / s; }
__device__ element inverse_of(element x) { return 1 / x; }
__device__ complex complex_of(element x) { return {x, 0}; }
//@ end
//@ if float64
constexpr real ulp = 2.220446049250313e-16, least = 2.2250738585072014e-308, most = 1.7976931348623157e308;
constexpr real small_norm = 6.7178761075670888e-139, small_square = 1e-130;
//@ else
constexpr real ulp = 1.1920929e-7f, least = 1.17549435e-38f, most = 3.40282347e38f;
constexpr real small_norm = 9.0949470e-13f, small_square = 1e-13f;
//@ end
)cuda"
