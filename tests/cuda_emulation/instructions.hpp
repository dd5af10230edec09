// The instructions that kernels ask for by name, of an operand `x` into `r`.
namespace cuda_emulation {

inline float instruction(const char* text, float x) {
    const bool root = __builtin_strncmp(text, "\"rsqrt.approx.ftz.f32 ", 22) == 0;
    if (!root && __builtin_strncmp(text, "\"rcp.approx.ftz.f32 ", 20) != 0) __builtin_trap();
    if (__builtin_fabsf(x) < 0x1p-126f) x *= 0;
    const float r = root ? static_cast<float>(1 / __builtin_sqrt(x)) : 1 / x;
    return __builtin_fabsf(r) < 0x1p-126f ? r * 0 : r;
}

}  // namespace cuda_emulation

#define asm(...) (r = cuda_emulation::instruction(#__VA_ARGS__, x))
