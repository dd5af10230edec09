// Lines of memory that are fetched into the cache.
R"cuda(
// Lets memory fetch a line into its cache for whoever needs it next.
static __device__ inline void fetch_soon(const void* line) {
#ifdef __CUDA_ARCH__
    asm volatile("prefetch.global.L2 [%0];" ::"l"(line));
#endif
}
)cuda"
