// Barriers that count bytes which arrive in a thread block's shared memory.
R"cuda(
// Counts of bytes that arrive in a block's shared memory, each begun with one thread: what they come from need not
// meet, nor wait for what else it has written.
#if __CUDA_ARCH__ >= 900
static __device__ inline unsigned in_shared_memory(const void* at) { return (unsigned)__cvta_generic_to_shared(at); }
static __device__ inline void init_barriers(unsigned long long* barriers, int count) {
    for (int n = 0; n < count; ++n)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(in_shared_memory(barriers + n)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
static __device__ inline void expect(unsigned long long* barriers, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(in_shared_memory(barriers)), "r"(bytes)
                 : "memory");
}
#else
static __device__ inline void init_barriers(unsigned long long*, int) {}
static __device__ inline void expect(unsigned long long*, int) {}
#endif
)cuda"
