// Elements times powers of two; behind element.cuh.
R"cuda(
//@ if complex
__device__ element real_element(real x) { return {x, 0}; }
__device__ element scaled(element x, int exponent) { return {ldexp(x.re, exponent), ldexp(x.im, exponent)}; }
//@ else
__device__ element real_element(real x) { return x; }
__device__ element scaled(element x, int exponent) { return ldexp(x, exponent); }
//@ end

// e of x = f 2^e, 1 <= f < 2, for a finite x that is not zero.
__device__ int exponent_of(double x) {
    const bool tiny = x < 1e-300;
    union {
        double x;
        unsigned long long bits;
    } y{tiny ? x * 18446744073709551616.0 : x};
    return (int)(y.bits >> 52) - 1023 - (tiny ? 64 : 0);
}
)cuda"
