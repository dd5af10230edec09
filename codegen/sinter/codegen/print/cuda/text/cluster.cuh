// What thread blocks of a cluster tell each other; behind barriers.cuh.
R"cuda(
// Clusters of thread blocks, which devices before compute capability 9.0 have not.
#if __CUDA_ARCH__ >= 900 || !defined(__CUDA_ARCH__)
static __device__ inline unsigned blocks_of_cluster() { return __clusterSizeInBlocks(); }
static __device__ inline bool in_cluster() { return blocks_of_cluster() > 1; }
#ifdef __CUDA_ARCH__
// Orders no writes: those that others must see are fenced by themselves, and a release would wait for all of memory.
static __device__ inline void arrive_at_cluster() {
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}
#else
static __device__ inline void arrive_at_cluster() { __cluster_barrier_arrive(); }
#endif
static __device__ inline void wait_for_cluster() { __cluster_barrier_wait(); }
template <class T>
static __device__ inline T* in_block(T* at, unsigned block) {
    return (T*)__cluster_map_shared_rank(at, block);
}
#else
static __device__ inline unsigned blocks_of_cluster() { return 1; }
static __device__ inline bool in_cluster() { return false; }
static __device__ inline void arrive_at_cluster() {}
static __device__ inline void wait_for_cluster() {}
template <class T>
static __device__ inline T* in_block(T* at, unsigned) {
    return at;
}
#endif

#if __CUDA_ARCH__ >= 900
static __device__ inline unsigned far(const void* at, unsigned block) {
    unsigned to;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(in_shared_memory(at)), "r"(block));
    return to;
}
// By the first warp.
static __device__ inline void await(unsigned long long* barriers, unsigned phase) {
    unsigned all = threadIdx.x < 32 ? 0 : 1;
    while (all == 0)
        asm volatile(
            "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, "
            "p; }"
            : "=r"(all)
            : "r"(in_shared_memory(barriers)), "r"(phase)
            : "memory");
}
template <class T>
static __device__ inline void send(T* at, const T& x, unsigned long long* barriers, unsigned block) {
    const unsigned to = far(at, block), count = far(barriers, block);
    if constexpr (sizeof(T) % 8 == 0) {
#pragma unroll
        for (int i = 0; i < (int)sizeof(T) / 8; ++i)
            asm volatile(
                "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(to + 8 * i),
                "l"(((const unsigned long long*)&x)[i]), "r"(count)
                : "memory");
    } else if constexpr (sizeof(T) == 4) {
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(to),
                     "r"(*(const unsigned*)&x), "r"(count)
                     : "memory");
    } else {
        *in_block(at, block) = x;
        asm volatile(
            "fence.acq_rel.cluster; mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], %1;" ::"r"(count),
            "n"((int)sizeof(T))
            : "memory");
    }
}
#else
static __device__ inline void await(unsigned long long*, unsigned) {
    arrive_at_cluster();
    wait_for_cluster();
}
template <class T>
static __device__ inline void send(T* at, const T& x, unsigned long long*, unsigned block) {
    *in_block(at, block) = x;
}
#endif

// Leaves a value for a team: in the shared memory of each of a cluster's blocks, or where all reach it.
template <class T>
static __device__ inline void leave(T* at, T x, bool in_shared, unsigned long long* barriers) {
    const unsigned blocks = in_shared ? blocks_of_cluster() : 1;
    if (blocks == 1) *at = x;
#pragma unroll 1
    for (unsigned block = 0; blocks > 1 && block < blocks; ++block) send(at, x, barriers, block);
}
)cuda"
