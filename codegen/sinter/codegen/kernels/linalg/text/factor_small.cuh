// Cholesky's factors of a stack of small matrices, a lane per row and several matrices per warp.
R"cuda(
// A lane holds a row of the lower triangle, or of the upper one's adjoint. Each step takes the first column away, which
// is a column of the factor then, and what it gives to the others, whose rows' lanes are asked for it.
extern "C" __global__ void __launch_bounds__(128)
    factor_small(element* a, long long n, long long count, int upper, int* info) {
    const int row = threadIdx.x % most_rows, first = threadIdx.x % 32 - row;
    const long long matrix = (blockIdx.x * 128ll + threadIdx.x) / most_rows;
    // Lanes behind the last matrix have one of zeros.
    const bool is_real = matrix < count && row < n;
    a += (matrix < count ? matrix : 0) * n * n;
    element v[most_rows];
#pragma unroll
    for (int c = 0; c < most_rows; ++c)
        v[c] = is_real && c <= row ? (upper ? conjugate(a[c + row * n]) : a[row + c * n]) : zero();
    int failed = 0;
    for (int k = 0; k < n; ++k) {
        const real square = real_part(from_lane(v[0], first + k)), root = sqrt(square);
        if (failed == 0 && square <= 0) failed = k + 1;
        const element l = row == k ? of_real(root) : v[0] / of_real(root);
        if (is_real && row >= k && failed == 0) a[upper ? k + row * n : row + k * n] = upper ? conjugate(l) : l;
#pragma unroll
        for (int c = 0; c < most_rows - 1; ++c)
            v[c] = v[c + 1] - l * conjugate(from_lane(l, first + (k + 1 + c) % most_rows));
    }
    if (is_real && row == 0) info[matrix] = failed;
}
)cuda"
