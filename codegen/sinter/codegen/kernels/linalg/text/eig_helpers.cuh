// What the steps of the eigenvalue decomposition share; behind eig_element.cuh and grid_barrier.cuh.
R"cuda(
constexpr int side = 32;

// A matrix by columns.
struct matrix {
    element* first;
    long long ld;
    __device__ element& operator()(int row, int column) const { return first[row + column * ld]; }
};
// One in shared memory.
struct tile {
    element* first;
    int ld;
    __device__ element& operator()(int row, int column) const { return first[row + column * ld]; }
};

template <class T>
__device__ T larger(T a, T b) {
    return a > b ? a : b;
}
template <class T>
__device__ T smaller(T a, T b) {
    return a < b ? a : b;
}

__device__ real most_of_block(real x, real* warps) {
    x = most_of_warp(x);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = x;
    __syncthreads();
    for (int i = 0; i < (int)blockDim.x / 32; ++i) x = larger(x, warps[i]);
    __syncthreads();
    return x;
}

// Blocks add up in one order, so that all have the same.
template <class T>
__device__ T sum_of_block(T x, T* parts) {
    for (int bits = 16; bits > 0; bits /= 2) x = x + across_warp(x, bits);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = x;
    __syncthreads();
    x = parts[0];
    for (int i = 1; i < (int)blockDim.x / 32; ++i) x = x + parts[i];
    __syncthreads();
    return x;
}

// The largest part of an element, or an infinity where one is infinite or no number; sums of parts may overflow.
__device__ real norm_of_matrix(const element* a, int n, real* warps) {
    real x = 0;
    for (long long i = threadIdx.x; i < (long long)n * n; i += blockDim.x) {
        const real re = size_of(real_part(a[i])), im = size_of(imaginary_part(a[i]));
        x = re <= most && im <= most ? larger(x, larger(re, im)) : most * 2;
    }
    return most_of_block(x, warps);
}

// Elements i of `far` by warps, k of `near` by lanes, some of which are read before the first is written: memory may be
// far, too.
template <class Read, class Write>
__device__ void copy_elements(int far, int near, Read read, Write write) {
    constexpr int batch = 4;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    for (int first = warp; first < far; first += batch * warps)
        for (int k = lane; k < near; k += 32) {
            element x[batch];
#pragma unroll
            for (int i = 0; i < batch; ++i) x[i] = read(smaller(first + i * warps, far - 1), k);
#pragma unroll
            for (int i = 0; i < batch; ++i)
                if (first + i * warps < far) write(first + i * warps, k, x[i]);
        }
}

// A power of two that brings a norm into the range in which squares neither overflow nor vanish.
__device__ real range_factor(real norm) {
    real f = 1;
    while (norm > 0 && norm * f < small_norm) f *= 16;
    while (norm * f > 1 / small_norm) f /= 16;
    return f;
}
)cuda"
