// Copies that are awaited in the order in which they were asked for; behind copies.cuh.
R"cuda(
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
)cuda"
