// Copies to shared memory that their threads do not wait for.
R"cuda(
// Brings a pack to shared memory, for the thread that asks, once it has waited for its copies.
template <class T>
static __device__ inline void copy_soon(T* to, const T* from) {
#if __CUDA_ARCH__ >= 800
    constexpr int step = sizeof(T) < 16 ? sizeof(T) : 16;
#pragma unroll
    for (int i = 0; i < (int)sizeof(T); i += step) {
        const unsigned at = (unsigned)__cvta_generic_to_shared(to) + i;
        if (step == 16)
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"((const char*)from + i) : "memory");
        else
            asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(at), "l"(from), "n"(step < 16 ? step : 8)
                         : "memory");
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
)cuda"
