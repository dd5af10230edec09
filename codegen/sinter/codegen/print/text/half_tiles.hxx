// Tiles of half precision to float and back, as half_to_float and float_to_half convert each, in vectors, which g++ makes
// no conversions of. What lies behind `count` up to a multiple of eight is converted, too.
R"cxx(
#if defined(__F16C__)
typedef short half_lanes __attribute__((vector_size(16)));
typedef float float_lanes __attribute__((vector_size(32)));
#if defined(__AVX512F__)
typedef short wide_half_lanes __attribute__((vector_size(32)));
typedef float wide_float_lanes __attribute__((vector_size(64)));
static inline int wide_halves_to_floats(float* to, const unsigned short* from, int count) {
    for (int l = 0; l < count; l += 16) {
        wide_half_lanes halves;
        __builtin_memcpy(&halves, from + l, sizeof halves);
        const wide_float_lanes floats = __builtin_ia32_vcvtph2ps512_mask(halves, wide_float_lanes{}, -1, 4);
        __builtin_memcpy(to + l, &floats, sizeof floats);
    }
    return count;
}
static inline int wide_floats_to_halves(unsigned short* to, const float* from, int count) {
    for (int l = 0; l < count; l += 16) {
        wide_float_lanes floats;
        __builtin_memcpy(&floats, from + l, sizeof floats);
        const wide_half_lanes halves = __builtin_ia32_vcvtps2ph512_mask(floats, 0, wide_half_lanes{}, -1);
        __builtin_memcpy(to + l, &halves, sizeof halves);
    }
    return count;
}
#else
static inline int wide_halves_to_floats(float*, const unsigned short*, int) { return 0; }
static inline int wide_floats_to_halves(unsigned short*, const float*, int) { return 0; }
#endif
static inline void halves_to_floats(float* to, const unsigned short* from, int count) {
    for (int l = wide_halves_to_floats(to, from, count / 16 * 16); l < count; l += 8) {
        half_lanes halves;
        __builtin_memcpy(&halves, from + l, sizeof halves);
        const float_lanes floats = __builtin_ia32_vcvtph2ps256(halves);
        __builtin_memcpy(to + l, &floats, sizeof floats);
    }
}
static inline void floats_to_halves(unsigned short* to, const float* from, int count) {
    for (int l = wide_floats_to_halves(to, from, count / 16 * 16); l < count; l += 8) {
        float_lanes floats;
        __builtin_memcpy(&floats, from + l, sizeof floats);
        const half_lanes halves = __builtin_ia32_vcvtps2ph256(floats, 0);
        __builtin_memcpy(to + l, &halves, sizeof halves);
    }
}
#else
static inline void halves_to_floats(float* to, const unsigned short* from, int count) {
    for (int l = 0; l < count; ++l) to[l] = half_to_float(from[l]);
}
static inline void floats_to_halves(unsigned short* to, const float* from, int count) {
    for (int l = 0; l < count; ++l) to[l] = float_to_half(from[l]);
}
#endif
)cxx"
