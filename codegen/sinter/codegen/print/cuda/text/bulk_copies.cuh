// Copies of rows whose elements begin anywhere by one thread for all, on devices whose memory copies by itself; behind
// barriers.cuh.
R"cuda(
// Parts of rows, whose elements begin anywhere, as they lie in memory, back to a multiple of 16 bytes; but none of
// other rows. One thread asks for all whole packs of a part, its warp brings the ends, and their bytes are counted.
static __device__ inline bool asks(int t) { return t == 0; }
template <class T>
static __device__ inline void copy_shifted(T* to, const T* row, index begin, int size, int shift, index reduced, int,
                                           unsigned long long* barriers) {
    constexpr int lanes = 16 / sizeof(T);
    const bool behind = shift > 0 && begin + size + lanes <= reduced;
    const int first = shift > 0 && begin == 0 ? lanes : 0, end = behind ? 4096 + lanes : (shift + size) / lanes * lanes;
    if (end <= first) return;
    const int bytes = (end - first) * (int)sizeof(T);
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(in_shared_memory(barriers)),
                 "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     in_shared_memory(to + first)),
                 "l"(row + begin - shift + first), "r"(bytes), "r"(in_shared_memory(barriers))
                 : "memory");
}
template <class T>
static __device__ inline void copy_ends(T* to, const T* row, index begin, int size, int shift, index reduced, int t) {
    constexpr int lanes = 16 / sizeof(T);
    const int all = shift + size, at = t < lanes ? t : all / lanes * lanes + t - lanes;
    const bool behind = shift > 0 && begin + size + lanes <= reduced;
    if (t < lanes ? shift > 0 && begin == 0 && at >= shift : t < 2 * lanes && !behind && at < all)
        to[at] = row[begin - shift + at];
}
static __device__ inline void end_of_copies() {}
static __device__ inline void arrive(unsigned long long* barriers, int t) {
    __syncwarp();
    if (t == 0) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(in_shared_memory(barriers)) : "memory");
}
static __device__ inline void await_tile(unsigned long long* barriers, unsigned phase, int) {
    unsigned all = 0;
    while (all == 0)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(all)
                     : "r"(in_shared_memory(barriers)), "r"(phase)
                     : "memory");
}
// Behind what threads have done in shared memory, before the next copies come there.
static __device__ inline void finish_before_copies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
)cuda"
