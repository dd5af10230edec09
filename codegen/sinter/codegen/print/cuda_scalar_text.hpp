// CUDA text of scalar functions that GPUs compute in other steps than CPUs, to the same bits; must not know which
// kernels use them.
#pragma once

#include <sinter/codegen/base/config.hpp>

#include <string_view>

namespace sinter::inline SINTER_ABI::codegen {

// A scalar function for GPUs: NVRTC computes what is shifted out of a product in 64 bits, and takes a union apart
// instead.
inline constexpr std::string_view cuda_halves =
    "static __device__ inline product_halves halves(unsigned long long product) {\n"
    "    union { unsigned long long whole; unsigned int half[2]; } parts = {product};\n"
    "    return {parts.half[0], parts.half[1]};\n"
    "}\n";

// The steps of sqrtf without its branch for subnormal and infinite numbers; exact for all others, as tried on a
// device. The bound is for zeros, whose inverse roots are infinite.
inline constexpr std::string_view cuda_plain_root =
    "static __device__ inline float plain_root(float x) {\n"
    "    float r;\n"
    "    asm(\"rsqrt.approx.ftz.f32 %0, %1;\" : \"=f\"(r) : \"f\"(x));\n"
    "    r = fminf(fabsf(r), 3.402823466e38f);\n"
    "    float s = x * r;\n"
    "    return fma(fma(-s, s, x), 0.5f * r, s);\n"
    "}\n";

inline constexpr std::string_view cuda_lesser =
    "static __device__ inline float lesser(float x, float y) { return fminf(x, y); }\n";
inline constexpr std::string_view cuda_greater =
    "static __device__ inline float greater(float x, float y) { return fmaxf(x, y); }\n";

// The steps of 1 / x, sqrtf, logf and erff without what they do for subnormal numbers and those that are not finite;
// all the bits between were compared on a device with CUDA 13.0. The coefficients of logf and erff are a toolkit's own:
// with another one kernels take its functions, so that a value has the same bits in every kernel.
inline constexpr std::string_view cuda_approximate_inverse =
    "static __device__ inline float approximate_inverse(float x) {\n"
    "    float r;\n"
    "    asm(\"rcp.approx.ftz.f32 %0, %1;\" : \"=f\"(r) : \"f\"(x));\n"
    "    return fma(fma(-x, r, 1.0f), r, r);\n"
    "}\n";
inline constexpr std::string_view cuda_approximate_root_of =
    "static __device__ inline float approximate_root_of(float x) {\n"
    "    float r;\n"
    "    asm(\"rsqrt.approx.ftz.f32 %0, %1;\" : \"=f\"(r) : \"f\"(x));\n"
    "    float s = x * r;\n"
    "    return fma(fma(-s, s, x), 0.5f * r, s);\n"
    "}\n";
inline constexpr std::string_view cuda_approximate_log_of =
    "static __device__ inline float approximate_log_of(float x) {\n"
    "#if __CUDACC_VER_MAJOR__ == 13 && __CUDACC_VER_MINOR__ == 0\n"
    "    int bits = __float_as_int(x), k = (bits - 0x3f2aaaab) & 0xff800000;\n"
    "    float f = __int_as_float(bits - k) - 1.0f;\n"
    "    float p = fma(f, -__int_as_float(0x3e055027), 0.14084610342979431152f);\n"
    "    p = fma(f, p, -0.12148627638816833496f);\n"
    "    p = fma(f, p, 0.13980610668659210205f);\n"
    "    p = fma(f, p, -0.16684235632419586182f);\n"
    "    p = fma(f, p, 0.20012299716472625732f);\n"
    "    p = fma(f, p, -0.24999669194221496582f);\n"
    "    p = fma(f, p, 0.33333182334899902344f);\n"
    "    p = fma(f, p, -0.5f);\n"
    "    return fma((float)k, 0.69314718246459960938f * 0x1p-23f, fma(f, f * p, f));\n"
    "#else\n"
    "    return logf(x);\n"
    "#endif\n"
    "}\n";
// Both halves of erff in the same steps, of the number or its square, each with its own coefficients. Both take the
// operand's sign, which a number of the second half has anyway, so that no sign is chosen on the way.
inline constexpr std::string_view cuda_approximate_erf =
    "static __device__ inline float approximate_erf(float x) {\n"
    "#if __CUDACC_VER_MAJOR__ == 13 && __CUDACC_VER_MINOR__ == 0\n"
    "    float r;\n"
    "    asm(\"{ .reg .pred p; .reg .f32 a, t, c, s;\\n\"\n"
    "        \"abs.f32 a, %1; setp.ge.f32 p, a, 0f3F8060FE; mul.rn.f32 t, %1, %1; selp.f32 t, a, t, p;\\n\"\n"
    "        \"selp.f32 c, 0f38EB4C3A, 0f38B1E96A, p;\\n\"\n"
    "        \"@p fma.rn.f32 c, c, t, 0fBAAE005B; @!p fma.rn.f32 c, c, t, 0fBA574D20;\\n\"\n"
    "        \"@p fma.rn.f32 c, c, t, 0f3C09919F; @!p fma.rn.f32 c, c, t, 0f3BAAD5EA;\\n\"\n"
    "        \"@p fma.rn.f32 c, c, t, 0fBD24D99A; @!p fma.rn.f32 c, c, t, 0fBCDC1BE7;\\n\"\n"
    "        \"@p fma.rn.f32 c, c, t, 0f3E235519; @!p fma.rn.f32 c, c, t, 0f3DE718AF;\\n\"\n"
    "        \"@p fma.rn.f32 c, c, t, 0f3F69B4F9; @!p fma.rn.f32 c, c, t, 0fBEC093AC;\\n\"\n"
    "        \"@p fma.rn.f32 c, c, t, 0f3F210A14; @!p fma.rn.f32 c, c, t, 0f3E0375D3;\\n\"\n"
    "        \"fma.rn.f32 %0, c, %1, %1; abs.f32 s, %0; neg.f32 s, s;\\n\"\n"
    "        \"@p ex2.approx.ftz.f32 %0, s; @p sub.rn.f32 %0, 0f3F800000, %0; copysign.f32 %0, %1, %0; }\"\n"
    "        : \"=&f\"(r) : \"f\"(x));\n"
    "    return r;\n"
    "#else\n"
    "    return erff(x);\n"
    "#endif\n"
    "}\n";

// Powers of two to about 22 bits. Of bfloat16 the least results are subnormal floats.
inline constexpr std::string_view cuda_half_exp =
    "static __device__ inline float half_exp(float x) {\n"
    "    float r;\n"
    "    x *= 1.4426950408889634f;\n"
    "    asm(\"ex2.approx.ftz.f32 %0, %1;\" : \"=f\"(r) : \"f\"(x));\n"
    "    return r;\n"
    "}\n";
inline constexpr std::string_view cuda_bfloat16_exp =
    "static __device__ inline float bfloat16_exp(float x) {\n"
    "    float r;\n"
    "    x *= 1.4426950408889634f;\n"
    "    asm(\"ex2.approx.f32 %0, %1;\" : \"=f\"(r) : \"f\"(x));\n"
    "    return r;\n"
    "}\n";
inline constexpr std::string_view cuda_near_inverse =
    "static __device__ inline float near_inverse(float x) {\n"
    "    float r;\n"
    "    asm(\"rcp.approx.ftz.f32 %0, %1;\" : \"=f\"(r) : \"f\"(x));\n"
    "    return r;\n"
    "}\n";

// Devices for data centres compute float64 half as fast as float32, others a 32nd or 64th.
inline constexpr std::string_view cuda_divided_by_fixed_float =
    "static __device__ inline float divided_by_fixed_float(float x, const fixed_float_divisor& y) {\n"
    "#if __CUDA_ARCH__ % 100 == 0 && __CUDA_ARCH__ < 1200\n"
    "    return (float)fma((double)x, y.inverse, (double)x * y.rest);\n"
    "#else\n"
    "    return x / y.number;\n"
    "#endif\n"
    "}\n";

inline constexpr std::string_view cuda_least_or_nan =
    "static __device__ inline float least_or_nan(float x, float y) {\n"
    "#if __CUDA_ARCH__ >= 800\n"
    "    float r;\n"
    "    asm(\"min.NaN.f32 %0, %1, %2;\" : \"=f\"(r) : \"f\"(x), \"f\"(y));\n"
    "    return r;\n"
    "#else\n"
    "    return y < x || y != y ? y : x;\n"
    "#endif\n"
    "}\n";

inline constexpr std::string_view cuda_half_to_float =
    "static __device__ inline float half_to_float(unsigned short x) {\n"
    "    float r;\n"
    "    asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(r) : \"h\"(x));\n"
    "    return r;\n"
    "}\n";
inline constexpr std::string_view cuda_float_to_half =
    "static __device__ inline unsigned short float_to_half(float x) {\n"
    "    unsigned short r;\n"
    "    asm(\"cvt.rn.f16.f32 %0, %1;\" : \"=h\"(r) : \"f\"(x));\n"
    "    return r;\n"
    "}\n";
inline constexpr std::string_view cuda_double_to_half =
    "static __device__ inline unsigned short double_to_half(double x) {\n"
    "    unsigned short r;\n"
    "    asm(\"cvt.rn.f16.f64 %0, %1;\" : \"=h\"(r) : \"d\"(x));\n"
    "    return r;\n"
    "}\n";
inline constexpr std::string_view cuda_bfloat16_to_float =
    "static __device__ inline float bfloat16_to_float(unsigned short x) { return __int_as_float((int)((unsigned int)x "
    "<< 16)); }\n";
inline constexpr std::string_view cuda_float_to_bfloat16 =
    "static __device__ inline unsigned short float_to_bfloat16(float x) {\n"
    "#if __CUDA_ARCH__ >= 800\n"
    "    unsigned short r;\n"
    "    asm(\"cvt.rn.bf16.f32 %0, %1;\" : \"=h\"(r) : \"f\"(x));\n"
    "    return r;\n"
    "#else\n"
    "    unsigned int bits = (unsigned int)__float_as_int(x), rounded = bits + 0x7fffu + (bits >> 16 & 1u);\n"
    "    return (unsigned short)(x != x ? bits >> 16 | 0x40u : rounded >> 16);\n"
    "#endif\n"
    "}\n";

struct cuda_function {
    std::string_view name, text;
};
inline constexpr cuda_function cuda_functions[] = {{"halves", cuda_halves},
                                                   {"plain_root", cuda_plain_root},
                                                   {"lesser", cuda_lesser},
                                                   {"greater", cuda_greater},
                                                   {"approximate_inverse", cuda_approximate_inverse},
                                                   {"approximate_root_of", cuda_approximate_root_of},
                                                   {"approximate_log_of", cuda_approximate_log_of},
                                                   {"approximate_erf", cuda_approximate_erf},
                                                   {"half_exp", cuda_half_exp},
                                                   {"bfloat16_exp", cuda_bfloat16_exp},
                                                   {"near_inverse", cuda_near_inverse},
                                                   {"divided_by_fixed_float", cuda_divided_by_fixed_float},
                                                   {"least_or_nan", cuda_least_or_nan},
                                                   {"half_to_float", cuda_half_to_float},
                                                   {"float_to_half", cuda_float_to_half},
                                                   {"double_to_half", cuda_double_to_half},
                                                   {"bfloat16_to_float", cuda_bfloat16_to_float},
                                                   {"float_to_bfloat16", cuda_float_to_bfloat16}};

inline std::string_view cuda_text_of(std::string_view function) {
    for (const cuda_function& f : cuda_functions)
        if (f.name == function) return f.text;
    return "";
}

}  // namespace sinter::inline SINTER_ABI::codegen
