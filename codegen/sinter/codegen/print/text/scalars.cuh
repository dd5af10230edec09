// Scalar functions that GPUs compute in other steps than CPUs, to the same bits; each ends at an empty line.
R"cuda(
// A scalar function for GPUs: NVRTC computes what is shifted out of a product in 64 bits, and takes a union apart
// instead.
static __device__ inline product_halves halves(unsigned long long product) {
    union {
        unsigned long long whole;
        unsigned int half[2];
    } parts = {product};
    return {parts.half[0], parts.half[1]};
}

// The steps of sqrtf without its branch for subnormal and infinite numbers; exact for all others, as tried on a
// device. The bound is for zeros, whose inverse roots are infinite.
static __device__ inline float plain_root(float x) {
    float r;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    r = fminf(fabsf(r), 3.402823466e38f);
    float s = x * r;
    return fma(fma(-s, s, x), 0.5f * r, s);
}

static __device__ inline float lesser(float x, float y) { return fminf(x, y); }

static __device__ inline float greater(float x, float y) { return fmaxf(x, y); }

// The steps of 1 / x, sqrtf, logf and erff without what they do for subnormal numbers and those that are not finite;
// all the bits between were compared on a device with CUDA 13.0. The coefficients of logf and erff are a toolkit's own:
// with another one kernels take its functions, so that a value has the same bits in every kernel.
static __device__ inline float approximate_inverse(float x) {
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return fma(fma(-x, r, 1.0f), r, r);
}

static __device__ inline float approximate_root_of(float x) {
    float r;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    float s = x * r;
    return fma(fma(-s, s, x), 0.5f * r, s);
}

static __device__ inline float approximate_log_of(float x) {
#if __CUDACC_VER_MAJOR__ == 13 && __CUDACC_VER_MINOR__ == 0
    int bits = __float_as_int(x), k = (bits - 0x3f2aaaab) & 0xff800000;
    float f = __int_as_float(bits - k) - 1.0f;
    float p = fma(f, -__int_as_float(0x3e055027), 0.14084610342979431152f);
    p = fma(f, p, -0.12148627638816833496f);
    p = fma(f, p, 0.13980610668659210205f);
    p = fma(f, p, -0.16684235632419586182f);
    p = fma(f, p, 0.20012299716472625732f);
    p = fma(f, p, -0.24999669194221496582f);
    p = fma(f, p, 0.33333182334899902344f);
    p = fma(f, p, -0.5f);
    return fma((float)k, 0.69314718246459960938f * 0x1p-23f, fma(f, f * p, f));
#else
    return logf(x);
#endif
}

// Both halves of erff in the same steps, of the number or its square, each with its own coefficients. Both take the
// operand's sign, which a number of the second half has anyway, so that no sign is chosen on the way.
static __device__ inline float approximate_erf(float x) {
#if __CUDACC_VER_MAJOR__ == 13 && __CUDACC_VER_MINOR__ == 0
    float r;
    asm("{ .reg .pred p; .reg .f32 a, t, c, s;\n"
        "abs.f32 a, %1; setp.ge.f32 p, a, 0f3F8060FE; mul.rn.f32 t, %1, %1; selp.f32 t, a, t, p;\n"
        "selp.f32 c, 0f38EB4C3A, 0f38B1E96A, p;\n"
        "@p fma.rn.f32 c, c, t, 0fBAAE005B; @!p fma.rn.f32 c, c, t, 0fBA574D20;\n"
        "@p fma.rn.f32 c, c, t, 0f3C09919F; @!p fma.rn.f32 c, c, t, 0f3BAAD5EA;\n"
        "@p fma.rn.f32 c, c, t, 0fBD24D99A; @!p fma.rn.f32 c, c, t, 0fBCDC1BE7;\n"
        "@p fma.rn.f32 c, c, t, 0f3E235519; @!p fma.rn.f32 c, c, t, 0f3DE718AF;\n"
        "@p fma.rn.f32 c, c, t, 0f3F69B4F9; @!p fma.rn.f32 c, c, t, 0fBEC093AC;\n"
        "@p fma.rn.f32 c, c, t, 0f3F210A14; @!p fma.rn.f32 c, c, t, 0f3E0375D3;\n"
        "fma.rn.f32 %0, c, %1, %1; abs.f32 s, %0; neg.f32 s, s;\n"
        "@p ex2.approx.ftz.f32 %0, s; @p sub.rn.f32 %0, 0f3F800000, %0; copysign.f32 %0, %1, %0; }"
        : "=&f"(r)
        : "f"(x));
    return r;
#else
    return erff(x);
#endif
}

// Powers of two to about 22 bits. Of bfloat16 the least results are subnormal floats.
static __device__ inline float half_exp(float x) {
    float r;
    x *= 1.4426950408889634f;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}

static __device__ inline float bfloat16_exp(float x) {
    float r;
    x *= 1.4426950408889634f;
    asm("ex2.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}

static __device__ inline float near_inverse(float x) {
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}

// Devices for data centres compute float64 half as fast as float32, others a 32nd or 64th.
static __device__ inline float divided_by_fixed_float(float x, const fixed_float_divisor& y) {
#if __CUDA_ARCH__ % 100 == 0 && __CUDA_ARCH__ < 1200
    return (float)fma((double)x, y.inverse, (double)x * y.rest);
#else
    return x / y.number;
#endif
}

static __device__ inline float least_or_nan(float x, float y) {
#if __CUDA_ARCH__ >= 800
    float r;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(x), "f"(y));
    return r;
#else
    return y < x || y != y ? y : x;
#endif
}

static __device__ inline float half_to_float(unsigned short x) {
    float r;
    asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(x));
    return r;
}

static __device__ inline unsigned short float_to_half(float x) {
    unsigned short r;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r) : "f"(x));
    return r;
}

static __device__ inline unsigned short double_to_half(double x) {
    unsigned short r;
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(r) : "d"(x));
    return r;
}

static __device__ inline float bfloat16_to_float(unsigned short x) {
    return __int_as_float((int)((unsigned int)x << 16));
}

static __device__ inline unsigned short float_to_bfloat16(float x) {
#if __CUDA_ARCH__ >= 800
    unsigned short r;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(r) : "f"(x));
    return r;
#else
    unsigned int bits = (unsigned int)__float_as_int(x), rounded = bits + 0x7fffu + (bits >> 16 & 1u);
    return (unsigned short)(x != x ? bits >> 16 | 0x40u : rounded >> 16);
#endif
}
)cuda"
