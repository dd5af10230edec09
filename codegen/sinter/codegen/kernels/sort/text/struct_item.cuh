// What a network of exchanges sorts where that takes several numbers: positions of wide elements, and complex ones,
// whose value is
// found by its position; behind element.hxx.
R"cuda(
//@ if complex
typedef $part part;
// NaN in the imaginary part only comes behind all other numbers, then NaN in the real part only, then in both.
__device__ part upper_key(part re, part im) {
    return is_nan(re) ? ~(part)0 - !is_nan(im) : is_nan(im) ? ~(part)0 - 2 : ordered(re);
}
__device__ part lower_key(part re, part im) { return is_nan(im) && !is_nan(re) ? ordered(re) : ordered(im); }

//@ end
// What is sorted: what orders as the element does, and where it stands in its row.
//@ if complex128
struct item {
    unsigned long long key, lower;
    unsigned position;
};
__device__ bool comes_before(const item& a, const item& b) {
    const bool by_position = (a.key == b.key) & (a.lower == b.lower);
    return (a.key < b.key) | ((a.key == b.key) & (a.lower < b.lower)) | (by_position & (a.position < b.position));
}
__device__ item either(bool first, const item& a, const item& b) {
    return {first ? a.key : b.key, first ? a.lower : b.lower, first ? a.position : b.position};
}
__device__ item of_lane(const item& x, int bits) {
    return {__shfl_xor_sync(0xffffffffu, x.key, bits), __shfl_xor_sync(0xffffffffu, x.lower, bits),
            __shfl_xor_sync(0xffffffffu, x.position, bits)};
}
__device__ item last_item() { return {~0ull, ~0ull, ~0u}; }
//@ else
struct item {
    unsigned long long key;
    unsigned position;
};
__device__ bool comes_before(const item& a, const item& b) {
    const bool by_position = a.key == b.key;
    return (a.key < b.key) | (by_position & (a.position < b.position));
}
__device__ item either(bool first, const item& a, const item& b) {
    return {first ? a.key : b.key, first ? a.position : b.position};
}
__device__ item of_lane(const item& x, int bits) {
    return {__shfl_xor_sync(0xffffffffu, x.key, bits), __shfl_xor_sync(0xffffffffu, x.position, bits)};
}
__device__ item last_item() { return {~0ull, ~0u}; }
//@ end
__device__ item item_of(element x, unsigned position) { return {$key, position}; }
__device__ result result_of(item x, const element* row) { return $result; }
)cuda"
