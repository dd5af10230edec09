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
template <class T>
static __device__ inline void store_staged(T* to, const T* staged, int count, int thread) {
    using piece = piece_of<T>;
    const int pieces = (unsigned long long)to % piece::bytes == 0 ? count / piece::lanes : 0;
    for (int i = thread; i < pieces; i += 256) {
        piece p;
        if (sizeof(T) < 4) p = ((const piece*)staged)[i];
        else
            for (int e = 0; e < piece::lanes; ++e) p.v[e] = staged[place<T>(i * piece::lanes + e)];
        ((piece*)to)[i] = p;
    }
    for (int e = pieces * piece::lanes + thread; e < count; e += 256) to[e] = staged[place<T>(e)];
}
)cuda"
