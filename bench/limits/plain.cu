// What memory and launches can do: copy, read and write of n float4 by blocks of 256 threads, and a launch that does nothing else.
struct alignas(16) quad { float a, b, c, d; };

extern "C" __global__ void __launch_bounds__(256) copy_by_hand(const quad* __restrict__ x, quad* __restrict__ y, unsigned n) {
    unsigned i = blockIdx.x * 256u + threadIdx.x;
    if (i < n) y[i] = x[i];
}

extern "C" __global__ void __launch_bounds__(256) read_by_hand(const quad* __restrict__ x, float* __restrict__ y, unsigned n) {
    quad v[4];
    unsigned first = blockIdx.x * 1024u + threadIdx.x;
#pragma unroll
    for (int j = 0; j < 4; ++j) v[j] = first + j * 256u < n ? x[first + j * 256u] : quad{0, 0, 0, 0};
    float s = 0;
#pragma unroll
    for (int j = 0; j < 4; ++j) s += (v[j].a + v[j].b) + (v[j].c + v[j].d);
    // Never so, but the compiler cannot know: the loads stay.
    if (s == 1.2345e30f) y[0] = s;
}

extern "C" __global__ void __launch_bounds__(256) write_by_hand(quad* __restrict__ y, unsigned n) {
    unsigned i = blockIdx.x * 256u + threadIdx.x;
    float v = (float)i;
    if (i < n) y[i] = quad{v, v + 1, v + 2, v + 3};
}

extern "C" __global__ void tiny_by_hand(const float* __restrict__ x, float* __restrict__ y, unsigned n) {
    unsigned i = blockIdx.x * 256u + threadIdx.x;
    if (i < n) y[i] = x[i] * x[i] + x[i];
}
