// Elementwise rows, four elements a thread in 16-byte accesses, one tile a block of 256 threads; n counts quads.
struct alignas(16) quad {
    float v[4];
};
struct alignas(16) two {
    long long a, b;
};

extern "C" __global__ void __launch_bounds__(256)
    gaussian_by_hand(const quad* __restrict__ x, quad* __restrict__ y, unsigned n) {
    unsigned i = blockIdx.x * 256u + threadIdx.x;
    if (i >= n) return;
    quad q = x[i];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        float z = (q.v[k] - 0.25f) * (1 / 1.5f);
        q.v[k] = __expf(-0.5f * (z * z)) * (1 / (1.5f * 2.5066283f));
    }
    y[i] = q;
}

extern "C" __global__ void __launch_bounds__(256)
    polar_by_hand(const quad* __restrict__ r, const quad* __restrict__ t, const quad* __restrict__ q,
                  const quad* __restrict__ u, quad* __restrict__ y, unsigned n) {
    unsigned i = blockIdx.x * 256u + threadIdx.x;
    if (i >= n) return;
    quad a = r[i], b = t[i], c = q[i], d = u[i];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        float s1, c1, s2, c2;
        sincosf(b.v[k], &s1, &c1);
        sincosf(d.v[k], &s2, &c2);
        float dx = fmaf(a.v[k], c1, -c.v[k] * c2), dy = fmaf(a.v[k], s1, -c.v[k] * s2);
        a.v[k] = sqrtf(fmaf(dx, dx, dy * dy));
    }
    y[i] = a;
}

// For Black–Scholes, of numbers that are neither tiny nor huge: the bits of /, sqrtf, logf and erff without what those
// spend on other numbers; the last two take the steps of the library of CUDA 13.0.
static __device__ inline float ratio_of(float y, float x) {
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    r = fmaf(fmaf(-x, r, 1.0f), r, r);
    float q = y * r;
    return fmaf(fmaf(-x, q, y), r, q);
}
static __device__ inline float root_of(float x) {
    float r;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    float s = x * r;
    return fmaf(fmaf(-s, s, x), 0.5f * r, s);
}
static __device__ inline float log_of(float x) {
#if __CUDACC_VER_MAJOR__ == 13 && __CUDACC_VER_MINOR__ == 0
    int bits = __float_as_int(x), k = (bits - 0x3f2aaaab) & 0xff800000;
    float f = __int_as_float(bits - k) - 1.0f;
    float p = fmaf(f, -__int_as_float(0x3e055027), 0.14084610342979431152f);
    p = fmaf(f, p, -0.12148627638816833496f);
    p = fmaf(f, p, 0.13980610668659210205f);
    p = fmaf(f, p, -0.16684235632419586182f);
    p = fmaf(f, p, 0.20012299716472625732f);
    p = fmaf(f, p, -0.24999669194221496582f);
    p = fmaf(f, p, 0.33333182334899902344f);
    p = fmaf(f, p, -0.5f);
    return fmaf((float)k, 0.69314718246459960938f * 0x1p-23f, fmaf(f, f * p, f));
#else
    return logf(x);
#endif
}
static __device__ inline float erf_of(float x) {
#if __CUDACC_VER_MAJOR__ == 13 && __CUDACC_VER_MINOR__ == 0
    float r;
    asm("{ .reg .pred p; .reg .f32 a, t, c, s;\n"
        "abs.f32 a, %1; setp.ge.f32 p, a, 0f3F8060FE; mul.rn.f32 t, %1, %1; selp.f32 t, a, t, p;\n"
        "selp.f32 c, 0f38EB4C3A, 0f38B1E96A, p;\n"
        "@p fma.rn.f32 c, c, t, 0fBAAE005B; @!p fma.rn.f32 c, c, t, 0fBA574D20;\n"
        "@p fma.rn.f32 c, c, t, 0f3C09919F; @!p fma.rn.f32 c, c, t, 0f3BAAD5EA;\n"
        "@p fma.rn.f32 c, c, t, 0fBD24D99A; @!p fma.rn.f32 c, c, t, 0fBCDC1BE7;\n"
        "@p fma.rn.f32 c, c, t, 0f3E235519; @!p fma.rn.f32 c, c, t, 0f3DE718AF;\n"
        "@p fma.rn.f32 c, c, t, 0f3F69B4F9; @!p fma.rn.f32 c, c, t, 0fBEC093AC;\n"
        "@p fma.rn.f32 c, c, t, 0f3F210A14; @!p fma.rn.f32 c, c, t, 0f3E0375D3;\n"
        "neg.f32 s, a; selp.f32 s, s, %1, p; fma.rn.f32 %0, c, s, s;\n"
        "@p ex2.approx.ftz.f32 %0, %0; @p sub.rn.f32 %0, 0f3F800000, %0; @p copysign.f32 %0, %1, %0; }"
        : "=&f"(r)
        : "f"(x));
    return r;
#else
    return erff(x);
#endif
}

// The bits of the operations one after the other. One H200, 2^26 of them: 312 to 314 us with 8 thread blocks on a
// multiprocessor (a copy of as many bytes 313), 321 to 326 with 6, 347 to 354 with 5; 316 to 321 with the fast
// intrinsics and other bits.
extern "C" __global__ void __launch_bounds__(256, 8)
    black_scholes_by_hand(const quad* __restrict__ price, const quad* __restrict__ strike,
                          const quad* __restrict__ years, quad* __restrict__ calls, quad* __restrict__ puts,
                          unsigned n) {
    unsigned i = blockIdx.x * 256u + threadIdx.x;
    if (i >= n) return;
    quad s = price[i], k = strike[i], t = years[i], call, put;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        const float r = 0.05f, v = 0.2f, drift = r + 0.5f * v * v, half = 0.70710678118654752440f;
        float spread = v * root_of(t.v[j]);
        float d1 = ratio_of(log_of(ratio_of(s.v[j], k.v[j])) + drift * t.v[j], spread), d2 = d1 - spread;
        float n1 = 0.5f * (1 + erf_of(d1 * half)), n2 = 0.5f * (1 + erf_of(d2 * half));
        float discounted = k.v[j] * expf(-r * t.v[j]);
        call.v[j] = s.v[j] * n1 - discounted * n2;
        put.v[j] = call.v[j] - s.v[j] + discounted;
    }
    calls[i] = call;
    puts[i] = put;
}

// x * row + column * 2 for rows of `width` quads: a block keeps its quad of the row for eight rows of the matrix.
extern "C" __global__ void __launch_bounds__(256)
    broadcast_by_hand(const quad* __restrict__ x, const quad* __restrict__ row, const float* __restrict__ column,
                      quad* __restrict__ y, unsigned rows, unsigned width) {
    unsigned j = blockIdx.x * 256u + threadIdx.x, first = blockIdx.y * 8u;
    if (j >= width) return;
    quad along = row[j];
#pragma unroll
    for (unsigned i = first; i < first + 8u; ++i) {
        if (i >= rows) break;
        quad q = x[i * width + j];
        float c = column[i] * 2;
#pragma unroll
        for (int k = 0; k < 4; ++k) q.v[k] = q.v[k] * along.v[k] + c;
        y[i * width + j] = q;
    }
}

// x + x.T of a square matrix of n rows, a tile of 64 x 64 a block: the tile of the other side of the diagonal passes
// through shared memory. Both tiles of a pair are taken one after the other, for the second finds in the cache what the
// first has read.
extern "C" __global__ void __launch_bounds__(256)
    transpose_by_hand(const float* __restrict__ x, float* __restrict__ y, unsigned n) {
    __shared__ float tile[64][65];
    unsigned shell = (unsigned)sqrtf((float)blockIdx.x);
    while (shell * shell > blockIdx.x) --shell;
    while ((shell + 1) * (shell + 1) <= blockIdx.x) ++shell;
    unsigned place = blockIdx.x - shell * shell, top = (place % 2 ? place / 2 : shell) * 64,
             left = (place % 2 ? shell : place / 2) * 64;
    unsigned lane = threadIdx.x % 64u, row = threadIdx.x / 64u;
    auto within = [=](unsigned i) { return i < n ? i : n - 1; };
    float straight[16], turned[16];
#pragma unroll
    for (unsigned l = 0; l < 16; ++l) straight[l] = x[within(top + row + 4 * l) * n + within(left + lane)];
#pragma unroll
    for (unsigned l = 0; l < 16; ++l) turned[l] = x[within(left + row + 4 * l) * n + within(top + lane)];
#pragma unroll
    for (unsigned l = 0; l < 16; ++l) tile[row + 4 * l][lane] = turned[l];
    __syncthreads();
#pragma unroll
    for (unsigned l = 0; l < 16; ++l)
        if (top + row + 4 * l < n && left + lane < n)
            y[(top + row + 4 * l) * n + left + lane] = straight[l] + tile[lane][row + 4 * l];
}

// x[i], four positions a thread, whose elements are fetched at once.
extern "C" __global__ void __launch_bounds__(256)
    gather_by_hand(const float* __restrict__ x, quad* __restrict__ y, const two* __restrict__ positions, unsigned n) {
    unsigned i = blockIdx.x * 256u + threadIdx.x;
    if (i >= n) return;
    two p = positions[2 * i], q = positions[2 * i + 1];
    y[i] = quad{x[p.a], x[p.b], x[q.a], x[q.b]};
}

// x[i] = v; of values at one position any may stay.
extern "C" __global__ void __launch_bounds__(256)
    scatter_by_hand(const quad* __restrict__ v, float* __restrict__ x, const two* __restrict__ positions, unsigned n) {
    unsigned i = blockIdx.x * 256u + threadIdx.x;
    if (i >= n) return;
    two p = positions[2 * i], q = positions[2 * i + 1];
    quad values = v[i];
    x[p.a] = values.v[0], x[p.b] = values.v[1], x[q.a] = values.v[2], x[q.b] = values.v[3];
}

// How many steps of z -> z * z + c stay within two, at most 256; a row of points after the other.
extern "C" __global__ void __launch_bounds__(256)
    mandelbrot_by_hand(const float* __restrict__ x, const float* __restrict__ y, int* __restrict__ counts,
                       unsigned width) {
    unsigned i = blockIdx.x * 256u + threadIdx.x;
    if (i >= width) return;
    float cr = x[i], ci = y[blockIdx.y], re = 0, im = 0;
    int n = 0;
    for (; n < 256; ++n) {
        float re2 = re * re, im2 = im * im;
        if (re2 + im2 >= 4) break;
        im = 2 * re * im + ci;
        re = re2 - im2 + cr;
    }
    counts[blockIdx.y * width + i] = n;
}
