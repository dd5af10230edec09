// A warp's reductions where a kernel has many, one after the other; behind thread_reduce.cuh.
R"cuda(
// Groups of lanes in shared memory, combined by fours, to its first.
template <auto& Combine, class T>
static __device__ __noinline__ void buffer_reduce(T* buffer, int groups) {
    const int t = threadIdx.x % 32;
#pragma unroll 1
    for (int h = 128; h > 0; h /= 2) {
        for (int g = t; g < h && g + h < groups; g += 32) Combine(buffer[g], buffer[g + h]);
        __syncwarp();
    }
}
// Up to 4096 partial results to the first of a buffer.
template <auto& Combine, class T>
static __device__ __noinline__ void partials_reduce(const T* p, int size, T* buffer) {
    const int t = threadIdx.x % 32, lanes = size < 1024 ? size : 1024;
#pragma unroll 1
    for (int begin = 4 * t; begin < lanes; begin += 128) {
        T a[4];
#pragma unroll
        for (int j = 0; j < 4; ++j) {
#pragma unroll
            for (int c = 0; c < 4; ++c) {
                const int l = 1024 * j + begin + c;
                if (l >= size) continue;
                if (j == 0) a[c] = p[l];
                else Combine(a[c], p[l]);
            }
        }
        thread_reduce<Combine>(lanes - begin, a);
        buffer[begin / 4] = a[0];
    }
    __syncwarp();
    buffer_reduce<Combine>(buffer, (lanes + 3) / 4);
}
)cuda"
