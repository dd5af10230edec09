// Keys in 256 parts, which differ in a digit made of all bits but the lowest, so that keys of any range or stride are
// shared out.
R"cuda(
__device__ __forceinline__ unsigned folded(unsigned bits) { return (bits ^ bits >> 8 ^ bits >> 16 ^ bits >> 24) & 255; }

// Of the largest key the last one.
__device__ __forceinline__ unsigned part_of(unsigned key) {
    return folded(key >> kept_together) ^ folded(~0u >> kept_together) ^ 255;
}

//@ if digits
__device__ __forceinline__ unsigned digit(unsigned key, int) { return part_of(key); }

// A key that none comes after.
__device__ __forceinline__ unsigned last_element() { return ~0u; }
//@ else
// The number of a key in its part, and which key that is.
__device__ __forceinline__ unsigned place_in_part(unsigned key) {
    return key >> (8 + kept_together) << kept_together | (key & ((1u << kept_together) - 1));
}
__device__ __forceinline__ unsigned key_at(unsigned place, unsigned part) {
    const unsigned high = place >> kept_together;
    const unsigned digit = folded(high) ^ part ^ folded(~0u >> kept_together) ^ 255;
    return (high << 8 | digit) << kept_together | (place & ((1u << kept_together) - 1));
}
//@ end
)cuda"
