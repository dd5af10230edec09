// Copies of rows whose elements begin anywhere, by packs; behind copies.cuh.
R"cuda(
// A block of a row, whose elements begin anywhere, and those before them back to a multiple of 16 bytes, as they lie in
// memory; but none of other rows.
template <class T>
static __device__ inline void copy_shifted(T* to, const T* row, index begin, int size, int shift, index reduced, int t,
                                           unsigned long long* = nullptr) {
    constexpr int lanes = 16 / sizeof(T);
    const T* const from = row + begin - shift;
    if (shift > 0 && begin > 0 && begin + 4096 + lanes <= reduced) {
#pragma unroll
        for (int l = 0; l < 4096; l += 256 * lanes)
            copy_soon((pack<T, lanes>*)(to + l + lanes * t), (const pack<T, lanes>*)(from + l + lanes * t));
        if (t == 0) copy_soon((pack<T, lanes>*)(to + 4096), (const pack<T, lanes>*)(from + 4096));
        return;
    }
    const int first = begin == 0 ? shift : 0,
              end = shift > 0 && begin + size + lanes <= reduced ? 4096 + lanes : shift + size;
#pragma unroll
    for (int l = 0; l < 4096; l += 256 * lanes) {
        const int at = l + lanes * t;
        if (at >= first && at + lanes <= end) copy_soon((pack<T, lanes>*)(to + at), (const pack<T, lanes>*)(from + at));
    }
    // The last pack, or what no pack fills where the row begins and ends.
    const auto copy_single = [&](int at) {
        if (at >= first && at < end) copy_soon(to + at, from + at);
    };
    if (t >= lanes) return;
    if (first > 0) copy_single(t);
    if (end < 4096 + lanes) copy_single(end / lanes * lanes + t);
    else if (t == 0) copy_soon((pack<T, lanes>*)(to + 4096), (const pack<T, lanes>*)(from + 4096));
}
)cuda"
