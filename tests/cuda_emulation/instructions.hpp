// The instructions that kernels ask for by name, of an operand `x` into `r`.
namespace cuda_emulation {

inline bool is_instruction(const char* text, const char* name) {
    return __builtin_strncmp(text + 1, name, __builtin_strlen(name)) == 0;
}

inline void instruct(const char* text, float& r, float x) {
    if (is_instruction(text, "ex2.approx.f32 ")) {
        r = __builtin_exp2f(x);
        return;
    }
    const bool root = is_instruction(text, "rsqrt.approx.ftz.f32 "),
               power = is_instruction(text, "ex2.approx.ftz.f32 ");
    if (!root && !power && !is_instruction(text, "rcp.approx.ftz.f32 ")) __builtin_trap();
    if (__builtin_fabsf(x) < 0x1p-126f) x *= 0;
    r = power ? __builtin_exp2f(x) : root ? static_cast<float>(1 / __builtin_sqrt(x)) : 1 / x;
    if (__builtin_fabsf(r) < 0x1p-126f) r *= 0;
}

// Conversions of half precision are the compiler's own.
inline void instruct(const char* text, float& r, unsigned short x) {
    if (!is_instruction(text, "cvt.f32.f16 ")) __builtin_trap();
    r = static_cast<float>(__builtin_bit_cast(_Float16, x));
}
inline void instruct(const char* text, unsigned short& r, float x) {
    if (!is_instruction(text, "cvt.rn.f16.f32 ")) __builtin_trap();
    r = x != x ? 0x7fff : __builtin_bit_cast(unsigned short, static_cast<_Float16>(x));
}
inline void instruct(const char* text, unsigned short& r, double x) {
    if (!is_instruction(text, "cvt.rn.f16.f64 ")) __builtin_trap();
    r = x != x ? 0x7fff : __builtin_bit_cast(unsigned short, static_cast<_Float16>(x));
}

}  // namespace cuda_emulation

#define asm(...) cuda_emulation::instruct(#__VA_ARGS__, r, x)
