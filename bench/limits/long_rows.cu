// Rows of more elements than registers hold, of any length and so at any multiple of four bytes: a block of 1024
// threads holds one in shared memory, from the multiple of 16 bytes before it to that behind it.
struct alignas(16) quad {
    float v[4];
};

typedef unsigned long long word;

__device__ void ask_for(quad* to, const quad* from) {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from)
                 : "memory");
#else
    *to = *from;
#endif
}
__device__ void wait_for_all() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

// Over the 1024 threads of a block; all get the result. `part` has room for 32.
template <class Join>
__device__ float block_joined(float v, float* part, Join join) {
    for (int d = 16; d > 0; d /= 2) v = join(v, __shfl_xor_sync(0xffffffffu, v, d));
    __syncthreads();
    if (threadIdx.x % 32u == 0) part[threadIdx.x / 32u] = v;
    __syncthreads();
    v = part[threadIdx.x % 32u];
    for (int d = 16; d > 0; d /= 2) v = join(v, __shfl_xor_sync(0xffffffffu, v, d));
    return v;
}

extern "C" __global__ void __launch_bounds__(1024) log_softmax_long_by_hand(const float* x, float* y, unsigned length) {
    extern __shared__ double shared[];
    quad* const held = (quad*)shared;
    __shared__ float part[32];
    const word first = (word)blockIdx.x * length, begin = first / 4, end = (first + length + 3) / 4;
    const unsigned quads = (unsigned)(end - begin), before = (unsigned)(first % 4), all = before + length;
    const quad* from = (const quad*)x + begin;
    // What no quad fills is taken by itself: it may belong to nobody.
    for (unsigned i = threadIdx.x; i < quads; i += 1024u) {
        if (4u * i >= before && 4u * i + 4u <= all) {
            ask_for(&held[i], &from[i]);
            continue;
        }
        for (unsigned c = 0; c < 4u; ++c) {
            const unsigned e = 4u * i + c;
            held[i].v[c] = e >= before && e < all ? x[first + e - before] : __int_as_float((int)0xff800000u);
        }
    }
    wait_for_all();
    __syncthreads();
    float m = __int_as_float((int)0xff800000u), s = 0;
#pragma unroll 4
    for (unsigned i = threadIdx.x; i < quads; i += 1024u) {
        const quad q = held[i];
        m = fmaxf(m, fmaxf(fmaxf(q.v[0], q.v[1]), fmaxf(q.v[2], q.v[3])));
    }
    m = block_joined(m, part, [](float a, float b) { return fmaxf(a, b); });
#pragma unroll 4
    for (unsigned i = threadIdx.x; i < quads; i += 1024u) {
        const quad q = held[i];
        s += (expf(q.v[0] - m) + expf(q.v[1] - m)) + (expf(q.v[2] - m) + expf(q.v[3] - m));
    }
    m += logf(block_joined(s, part, [](float a, float b) { return a + b; }));
#pragma unroll 4
    for (unsigned i = threadIdx.x; i < quads; i += 1024u) {
        quad q = held[i];
        for (int c = 0; c < 4; ++c) q.v[c] -= m;
        if (4u * i >= before && 4u * i + 4u <= all) ((quad*)y)[begin + i] = q;
        else
            for (unsigned c = 0; c < 4u; ++c)
                if (4u * i + c >= before && 4u * i + c < all) y[first + 4u * i + c - before] = q.v[c];
    }
}
