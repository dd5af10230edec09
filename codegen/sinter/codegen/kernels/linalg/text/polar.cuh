// What a stack's polar decomposition does between its products; behind parts.cuh.
R"cuda(
__device__ real sum_of_block(real x) {
    __shared__ real warps[8];
    x = sum_of_warp(x);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = x;
    __syncthreads();
    x = 0;
    for (real of_warp : warps) x += of_warp;
    return x;
}

// The adjoints of factors r of q rows and columns, in matrices of r_rows rows, and the sums of their columns' squares.
extern "C" __global__ void __launch_bounds__(256)
    take_adjoint(const element* r, long long r_rows, element* to, real* squares, int q) {
    const long long matrix = blockIdx.x / q, column = blockIdx.x % q;
    r += matrix * r_rows * q, to += blockIdx.x * (long long)q;
    real sum = 0;
    for (int row = threadIdx.x; row < q; row += 256) {
        const element x = row < column ? zero() : conjugate(r[column + row * r_rows]);
        to[row] = x;
        sum += square_of(x);
    }
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) squares[blockIdx.x] = sum;
}

// Matrices of q rows and columns over their Frobenius norms.
extern "C" __global__ void __launch_bounds__(256)
    divide_by_norm(const element* from, const real* squares, element* to, int q) {
    squares += blockIdx.x / q * q, from += blockIdx.x * (long long)q, to += blockIdx.x * (long long)q;
    real sum = 0;
    for (int i = threadIdx.x; i < q; i += 256) sum += squares[i];
    sum = sum_of_block(sum);
    const real factor = sum > 0 ? 1 / sqrt(sum) : 0;
    for (int row = threadIdx.x; row < q; row += 256) to[row] = times(from[row], factor);
}

// c x + b, b along the diagonal.
extern "C" __global__ void __launch_bounds__(256) add_diagonal(element* x, double c, double b, int q) {
    const int column = blockIdx.x % q;
    x += blockIdx.x * (long long)q;
    for (int row = threadIdx.x; row < q; row += 256) {
        const element scaled = times(x[row], (real)c);
        x[row] = row == column ? scaled + times(one(), (real)b) : scaled;
    }
}
)cuda"
