// The count of thread blocks that have come to a place.
R"cuda(
// Counts a thread block, and sees what others that were counted had written when their threads met before that.
static __device__ inline unsigned arrive(unsigned* counter) {
#if __CUDA_ARCH__ >= 700
    unsigned before;
    asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], 1;" : "=r"(before) : "l"(counter) : "memory");
#else
    __threadfence();
    const unsigned before = atomicAdd(counter, 1u);
    __threadfence();
#endif
    return before;
}
)cuda"
