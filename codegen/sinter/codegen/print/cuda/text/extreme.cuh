// The greatest or least of float32, by the instructions of newer GPUs; behind what combines them.
R"cuda(
//@ if any_order
// The greater or lesser, or NaN where one is.
static __device__ inline float extreme$r(float x, float y) {
#if __CUDA_ARCH__ >= 800
    asm("$extreme.NaN.f32 %0, %1, %2;" : "=f"(x) : "f"(x), "f"(y));
#else
    combine$r(x, y);
#endif
    return x;
}
//@ end
//@ if at_end
// A thread's elements to its four lanes: what is neither zero nor NaN is the same whoever combines first.
static __device__ inline void reduce_at_end$r(const float* all, float* a, int swizzle) {
#if __CUDA_ARCH__ >= 800
    bool plain = true;
#pragma unroll
    for (int c = 0; c < 4; ++c) {
        asm("{ .reg .f32 x, y; $extreme.NaN.f32 x, %1, %2; $extreme.NaN.f32 y, %3, %4; $extreme.NaN.f32 %0, x, y; }"
            : "=f"(a[c])
            : "f"(all[c]), "f"(all[4 + c]), "f"(all[8 + c]), "f"(all[12 + c]));
        plain = plain && fabsf(a[c]) > 0;
    }
    if (plain) return;
#endif
#pragma unroll
    for (int c = 0; c < 4; ++c) {
        a[c] = all[c];
#pragma unroll
        for (int g = 1; g < 4; ++g) combine$r(a[c], all[4 * g + c]);
    }
    //@ if gaps
    unswizzle(a, swizzle);
    //@ end
}
//@ end
)cuda"
