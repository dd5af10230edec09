// Blocks of the generator that follow each other, as `philox` has them one by one: lanes of vectors hold a number of 32
// bits each, of whose upper halves products know nothing. g++ makes worse vectors of the loop, or none.
R"cxx(
#if defined(__AVX2__) && !defined(__clang__)
typedef unsigned long long long_lanes __attribute__((vector_size(32)));
typedef int short_lanes __attribute__((vector_size(32)));
static inline long_lanes product_of_lower(long_lanes x, long_lanes y) {
    return (long_lanes)__builtin_ia32_pmuludq256((short_lanes)x, (short_lanes)y);
}
template <class W>
static inline void philox_blocks(unsigned long long first, int count, unsigned long long seed,
                                 unsigned long long stream, W* out) {
    const long_lanes zero = {0, 0, 0, 0}, lane = {0, 1, 2, 3};
    const long_lanes m0 = zero + 0xD2511F53ull, m1 = zero + 0xCD9E8D57ull;
    for (int b = 0; b < count; b += 8) {
        long_lanes c0[2], c1[2], c2[2], c3[2];
        for (int h = 0; h < 2; ++h) {
            c0[h] = lane + (first + b + 4 * h);
            c1[h] = c0[h] >> 32;
            c2[h] = zero + stream;
            c3[h] = c2[h] >> 32;
        }
        unsigned int k0 = (unsigned int)seed, k1 = (unsigned int)(seed >> 32);
        for (int round = 0; round < 10; ++round) {
            for (int h = 0; h < 2; ++h) {
                const long_lanes p0 = product_of_lower(c0[h], m0), p1 = product_of_lower(c2[h], m1);
                c0[h] = (p1 >> 32) ^ c1[h] ^ (unsigned long long)k0;
                c1[h] = p1;
                c2[h] = (p0 >> 32) ^ c3[h] ^ (unsigned long long)k1;
                c3[h] = p0;
            }
            k0 += 0x9E3779B9u;
            k1 += 0xBB67AE85u;
        }
        for (int h = 0; h < 2; ++h) {
            const long_lanes low = (c0[h] & 0xffffffffull) | c1[h] << 32, high = (c2[h] & 0xffffffffull) | c3[h] << 32;
            unsigned long long words[8];
            for (int l = 0; l < 4; ++l) {
                words[2 * l] = low[l];
                words[2 * l + 1] = high[l];
            }
            __builtin_memcpy(out + (b + 4 * h) * (16 / sizeof(W)), words, sizeof words);
        }
    }
}
#else
template <class W>
static inline void philox_blocks(unsigned long long first, int count, unsigned long long seed,
                                 unsigned long long stream, W* out) {
    for (int b = 0; b < count; ++b) {
        const philox_words p = philox(first + b, seed, stream);
        for (int w = 0; w < 16 / (int)sizeof(W); ++w)
            if constexpr (sizeof(W) == 4) out[4 * b + w] = p.w[w];
            else out[2 * b + w] = p.w[2 * w] | (unsigned long long)p.w[2 * w + 1] << 32;
    }
}
#endif
)cxx"
