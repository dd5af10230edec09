// The results of a row's blocks to those of the next level, by what combines two; behind row_reduces.cuh.
R"cuda(
// Results of a level, and where what they come to goes.
template <class T>
struct level {
    const T* p;
    T* a;
};
//@ if few
// So few that the next level has them combined at once: every thread gets it, by itself or by its warp.
template <auto& Combine, class T, class... Index>
static __device__ inline void few_reduce(int tiles, level<T> x, level<Index>... xi) {
    //@ if by_warp
    const int t = threadIdx.x % 32;
    T a;
    index ai;
    if (t < tiles) {
        a = x.p[t];
        ((ai = xi.p[t]), ...);
    }
#pragma unroll
    for (int n = 0; n < 5; ++n) {
        const int h = n < 2 ? 1 + n : 64 >> n;  // four neighbours, and what they come to from the greatest distance on
        const T y = from_lane(a, h);
        index yi;
        ((yi = from_lane((Index&)ai, h)), ...);
        if (t + h < tiles) Combine(a, (Index&)ai..., y, (Index&)yi...);
    }
    *x.a = from_first(a, 32);
    ((*xi.a = from_first((Index&)ai, 32)), ...);
    //@ else
    T a[4];
    index ai[4];
#pragma unroll
    for (int q = 0; q < 4; ++q) {
        if (q < tiles) {
            a[q] = x.p[q];
            ((ai[q] = xi.p[q]), ...);
        }
    }
    thread_reduce<Combine>(tiles, a, (Index*)ai...);
    *x.a = a[0];
    ((*xi.a = ai[0]), ...);
    //@ end
}
//@ else
//@ if !one_level
// 4096 results, or the 1024 lanes that thread blocks have combined them to, by a warp to its first thread's a. Nothing
// is asked about their number, so that what is loaded comes all at once and stays in registers.
template <auto& Combine, class T, class... Index>
static __device__ inline void group_reduce(level<T> from, level<Index>... indices) {
    const int t = threadIdx.x % 32;
    T x[4], b[8];
    index xi[4], bi[8];
#pragma unroll
    for (int q = 0; q < 8; ++q) {
        const int first = 128 * q + 4 * t;
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            x[c] = from.p[first + c];
            ((xi[c] = indices.p[first + c]), ...);
        }
//@ if !lanes_are_combined
#pragma unroll
        for (int j = 1024; j < 4096; j += 1024) {
#pragma unroll
            for (int c = 0; c < 4; ++c)
                Combine(x[c], (Index&)xi[c]..., from.p[j + first + c], indices.p[j + first + c]...);
        }
        //@ end
        thread_reduce<Combine>(4, x, (Index*)xi...);
        b[q] = x[0];
        ((bi[q] = (Index&)xi[0]), ...);
    }
#pragma unroll
    for (int h = 4; h > 0; h /= 2) {
#pragma unroll
        for (int q = 0; q < h; ++q) Combine(b[q], (Index&)bi[q]..., b[q + h], (Index&)bi[q + h]...);
    }
    warp_reduce<Combine>(t, 256, b[0], (Index&)bi[0]...);
    from.a[0] = b[0];
    ((indices.a[0] = bi[0]), ...);
}
//@ end
// Up to $most results, `step` apart, to one of each thread.
template <auto& Combine, class T, class... Index>
static __device__ inline void lanes_reduce(index step, int size, level<T> from, level<Index>... indices) {
    const int first = 4 * threadIdx.x;
//@ if lanes_are_combined
#pragma unroll 1  // of the first level there are not more than 1024
//@ else
#pragma unroll
    //@ end
    for (int j = 0; j < $most / 1024; ++j) {
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            const int l = 1024 * j + first + c;
            if (l >= size) continue;
            if (j == 0) {
                from.a[c] = from.p[l * step];
                ((indices.a[c] = indices.p[l * step]), ...);
            } else {
                Combine(from.a[c], indices.a[c]..., from.p[l * step], indices.p[l * step]...);
            }
        }
    }
    thread_reduce<Combine>((size < 1024 ? size : 1024) - first, from.a, indices.a...);
}
//@ end
)cuda"
