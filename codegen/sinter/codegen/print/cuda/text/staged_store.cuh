// What a thread block has in shared memory, stored side by side.
R"cuda(
// Where element e of a span is: threads four elements apart shall meet all banks.
template <class T>
static __device__ inline unsigned place(unsigned e) {
    return sizeof(T) < 4 ? e : e + e / (128 / sizeof(T));
}
// What threads move at once: of narrow types half as much, to which a thread block's rows begin anywhere.
template <class T>
struct piece_of {
    static constexpr int bytes = sizeof(T) < 4 ? 8 : 16, lanes = bytes / sizeof(T);
    alignas(bytes) T v[lanes];
};
// What lies 256 elements or pieces apart is as far apart in shared memory wherever it begins.
template <class T>
static __device__ inline void store_staged(T* to, const T* staged, int count, int thread) {
    using piece = piece_of<T>;
    const int pieces = (unsigned long long)to % piece::bytes == 0 ? count / piece::lanes : 0;
    const T* from = staged + place<T>(thread * piece::lanes);
#pragma unroll 2
    for (int i = thread; i < pieces; i += 256, from += place<T>(256 * piece::lanes)) {
        piece p;
        if (sizeof(T) < 4) p = *(const piece*)from;
        else
            for (int e = 0; e < piece::lanes; ++e) p.v[e] = from[e];
        ((piece*)to)[i] = p;
    }
    const int rest = pieces * piece::lanes + thread;
    from = staged + place<T>(rest);
#pragma unroll 2
    for (int e = rest; e < count; e += 256, from += place<T>(256)) to[e] = *from;
}
)cuda"
