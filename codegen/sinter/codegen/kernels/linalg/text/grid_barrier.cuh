// Where the threads of the blocks that share a matrix meet.
R"cuda(
// The threads of the blocks that share a matrix meet.
__device__ void grid_barrier(int blocks) {
#if __CUDA_ARCH__ >= 900
    if (blocks > 1) {
        asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
        return;
    }
#endif
    __syncthreads();
}
)cuda"
