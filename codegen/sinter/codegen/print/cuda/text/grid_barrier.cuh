// Where the thread blocks of a cooperative reduction that are no cluster meet.
R"cuda(
// Waits until the thread blocks of a team have come here, `target` times in all.
static __device__ inline void grid_barrier(unsigned* counter, unsigned target) {
    __syncthreads();
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(counter, 1u);
        }
        for (bool missing = threadIdx.x == 0; __ballot_sync(0xffffffffu, missing) != 0;)
            missing = missing && *(volatile unsigned*)counter < target;
        __threadfence();
    }
    __syncthreads();
}
)cuda"
