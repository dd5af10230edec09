// Softmax and layer norms of rows of up to 320 floats that begin anywhere, one warp each: neighbouring lanes move
// neighbouring floats, which stay in registers.
typedef unsigned long long word;

template <class Join>
__device__ float warp_joined(float v, Join join) {
    for (int d = 16; d > 0; d /= 2) v = join(v, __shfl_xor_sync(0xffffffffu, v, d));
    return v;
}

extern "C" __global__ void __launch_bounds__(256)
    softmax_short_by_hand(const float* __restrict__ x, float* __restrict__ y, unsigned rows, unsigned width) {
    const unsigned lane = threadIdx.x % 32u, number = blockIdx.x * 8u + threadIdx.x / 32u;
    if (number >= rows) return;
    const float* const from = x + (word)number * width + lane;
    float* const to = y + (word)number * width + lane;
    float v[10], m = __int_as_float((int)0xff800000u), s = 0;
#pragma unroll
    for (int k = 0; k < 10; ++k) v[k] = lane + 32u * k < width ? from[32 * k] : __int_as_float((int)0xff800000u);
#pragma unroll
    for (int k = 0; k < 10; ++k) m = fmaxf(m, v[k]);
    m = warp_joined(m, [](float a, float b) { return fmaxf(a, b); });
#pragma unroll
    for (int k = 0; k < 10; ++k) s += v[k] = expf(v[k] - m);
    s = warp_joined(s, [](float a, float b) { return a + b; });
#pragma unroll
    for (int k = 0; k < 10; ++k)
        if (lane + 32u * k < width) to[32 * k] = v[k] / s;
}

extern "C" __global__ void __launch_bounds__(256)
    layer_norm_short_by_hand(const float* __restrict__ x, float* __restrict__ y, unsigned rows, unsigned width) {
    const unsigned lane = threadIdx.x % 32u, number = blockIdx.x * 8u + threadIdx.x / 32u;
    if (number >= rows) return;
    const float* const from = x + (word)number * width + lane;
    float* const to = y + (word)number * width + lane;
    const auto add = [](float a, float b) { return a + b; };
    float v[10], s = 0, t = 0;
#pragma unroll
    for (int k = 0; k < 10; ++k) v[k] = lane + 32u * k < width ? from[32 * k] : 0;
#pragma unroll
    for (int k = 0; k < 10; ++k) s += v[k];
    const float mean = warp_joined(s, add) / width;
#pragma unroll
    for (int k = 0; k < 10; ++k) v[k] = lane + 32u * k < width ? v[k] - mean : 0;
#pragma unroll
    for (int k = 0; k < 10; ++k) t += v[k] * v[k];
    const float deviation = sqrtf(warp_joined(t, add) / width + 1e-5f);
#pragma unroll
    for (int k = 0; k < 10; ++k)
        if (lane + 32u * k < width) to[32 * k] = v[k] / deviation * 1.5f + 0.5f;
}
