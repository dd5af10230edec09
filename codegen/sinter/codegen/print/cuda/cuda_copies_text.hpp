// CUDA text by which thread blocks bring what they load to shared memory, while they do something else; must not know
// what it is for.
#pragma once

namespace sinter::inline SINTER_ABI::codegen {

// What a thread loads before it knows what is before it takes no registers in shared memory, and no order of
// instructions keeps it from asking for all of it at once.
inline constexpr const char* copies_text = R"(
// Brings a pack to shared memory, for the thread that asks, once it has waited for its copies.
template <class T> static __device__ inline void copy_soon(T* to, const T* from) {
#if __CUDA_ARCH__ >= 800
    constexpr int step = sizeof(T) < 16 ? sizeof(T) : 16;
    #pragma unroll
    for (int i = 0; i < (int)sizeof(T); i += step) {
        const unsigned at = (unsigned)__cvta_generic_to_shared(to) + i;
        if (step == 16) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(at), "l"((const char*)from + i) : "memory");
        else asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" :: "r"(at), "l"(from), "n"(step < 16 ? step : 8) : "memory");
    }
#else
    *to = *from;
#endif
}
static __device__ inline void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
)";

inline constexpr const char* copies_in_order_text = R"(
// Copies since the last end are awaited together; then all are that ended before, but for the last `left` ends.
static __device__ inline void end_of_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
static __device__ inline void wait_for_copies(int left) {
#if __CUDA_ARCH__ >= 800
    if (left > 2) asm volatile("cp.async.wait_group 3;" ::: "memory");
    else if (left == 2) asm volatile("cp.async.wait_group 2;" ::: "memory");
    else if (left == 1) asm volatile("cp.async.wait_group 1;" ::: "memory");
    else asm volatile("cp.async.wait_group 0;" ::: "memory");
#endif
}

)";

inline constexpr const char* shifted_text = R"(
// A block of a row, whose elements begin anywhere, and those before them back to a multiple of 16 bytes, as they lie in memory; but
// none of other rows.
template <class T>
static __device__ inline void copy_shifted(T* to, const T* row, index begin, int size, int shift, index reduced, int t,
                                           unsigned long long* = nullptr) {
    constexpr int lanes = 16 / sizeof(T);
    const T* const from = row + begin - shift;
    if (shift > 0 && begin > 0 && begin + 4096 + lanes <= reduced) {
#pragma unroll
        for (int l = 0; l < 4096; l += 256 * lanes) copy_soon((pack<T, lanes>*)(to + l + lanes * t), (const pack<T, lanes>*)(from + l + lanes * t));
        if (t == 0) copy_soon((pack<T, lanes>*)(to + 4096), (const pack<T, lanes>*)(from + 4096));
        return;
    }
    const int first = begin == 0 ? shift : 0, end = shift > 0 && begin + size + lanes <= reduced ? 4096 + lanes : shift + size;
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

)";

// In front of what devices without such copies do instead, and behind it.
inline constexpr const char* bulk_copies_text = R"(
// Parts of rows, whose elements begin anywhere, as they lie in memory, back to a multiple of 16 bytes; but none of other rows. One
// thread asks for all whole packs of a part, its warp brings the ends, and their bytes are counted.
#if __CUDA_ARCH__ >= 900
static __device__ inline bool asks(int t) { return t == 0; }
template <class T>
static __device__ inline void copy_shifted(T* to, const T* row, index begin, int size, int shift, index reduced, int,
                                           unsigned long long* barriers) {
    constexpr int lanes = 16 / sizeof(T);
    const bool behind = shift > 0 && begin + size + lanes <= reduced;
    const int first = shift > 0 && begin == 0 ? lanes : 0, end = behind ? 4096 + lanes : (shift + size) / lanes * lanes;
    if (end <= first) return;
    const int bytes = (end - first) * (int)sizeof(T);
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" :: "r"(in_shared_memory(barriers)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 :: "r"(in_shared_memory(to + first)), "l"(row + begin - shift + first), "r"(bytes), "r"(in_shared_memory(barriers)) : "memory");
}
template <class T>
static __device__ inline void copy_ends(T* to, const T* row, index begin, int size, int shift, index reduced, int t) {
    constexpr int lanes = 16 / sizeof(T);
    const int all = shift + size, at = t < lanes ? t : all / lanes * lanes + t - lanes;
    const bool behind = shift > 0 && begin + size + lanes <= reduced;
    if (t < lanes ? shift > 0 && begin == 0 && at >= shift : t < 2 * lanes && !behind && at < all) to[at] = row[begin - shift + at];
}
static __device__ inline void end_of_copies() {}
static __device__ inline void arrive(unsigned long long* barriers, int t) {
    __syncwarp();
    if (t == 0) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(in_shared_memory(barriers)) : "memory");
}
static __device__ inline void await_tile(unsigned long long* barriers, unsigned phase, int) {
    unsigned all = 0;
    while (all == 0)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(all) : "r"(in_shared_memory(barriers)), "r"(phase) : "memory");
}
// Behind what threads have done in shared memory, before the next copies come there.
static __device__ inline void finish_before_copies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
#else
)";

inline constexpr const char* bulk_else_text = R"(static __device__ inline bool asks(int) { return true; }
template <class T> static __device__ inline void copy_ends(T*, const T*, index, int, int, index, int) {}
static __device__ inline void arrive(unsigned long long*, int) {}
static __device__ inline void await_tile(unsigned long long*, unsigned, int left) {
    wait_for_copies(left);
    __syncthreads();
}
static __device__ inline void finish_before_copies() {}
#endif

)";

}  // namespace sinter::inline SINTER_ABI::codegen
