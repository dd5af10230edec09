// Gaussian elimination of tridiagonal matrices with exchanges of neighbouring rows, a thread per right-hand side.
R"cuda(
// Matrices of n rows with `columns` right-hand sides each, `count` in all; `work` holds the factors of the 64 that each
// block is at, four elements for a row of each, side by side.
extern "C" __global__ void __launch_bounds__(64)
    solve_tridiagonal(const element* lower, const element* diagonal, const element* upper, element* b, element* work,
                      long long n, long long columns, long long count, unsigned long long* worst) {
    __shared__ element tile[4][64][width + 1];
    __shared__ long long matrix_of[64];
    const int me = threadIdx.x;
    element* own = work + blockIdx.x * n * 256 + me;
    for (long long first = blockIdx.x * 64ll; first < count; first += gridDim.x * 64ll) {
        const long long number = first + me, matrix = number / columns;
        matrix_of[me] = matrix;
        long long singular = 0;
        element d = zero(), u = zero(), y = zero();
        auto keep = [&](long long row, element a, element next, element second, element right) {
            element* to = own + row * 256;
            to[0] = a, to[64] = next, to[128] = second, to[192] = right;
        };
        for (long long begin = 0; begin < n; begin += width) {
            __syncthreads();
            for (int i = me; i < 64 * width; i += 64) {
                const int line = i / width, at = i % width;
                const long long row = begin + at, of = matrix_of[line];
                if (first + line >= count || row >= n) continue;
                tile[0][line][at] = row > 0 ? lower[of * (n - 1) + row - 1] : zero();
                tile[1][line][at] = diagonal[of * n + row];
                tile[2][line][at] = row + 1 < n ? upper[of * (n - 1) + row] : zero();
                tile[3][line][at] = b[(first + line) * n + row];
            }
            __syncthreads();
            for (int at = 0; number < count && at < width && begin + at < n; ++at) {
                const long long row = begin + at;
                const element below = tile[0][me][at], a = tile[1][me][at], next = tile[2][me][at],
                              right = tile[3][me][at];
                if (row == 0) {
                    d = a, u = next, y = right;
                } else if (size_of(d) >= size_of(below)) {
                    if (size_of(d) == 0 && singular == 0) singular = row;
                    const element f = below / d;
                    keep(row - 1, d, u, zero(), y);
                    d = a - f * u, u = next, y = right - f * y;
                } else {
                    const element f = d / below;
                    keep(row - 1, below, a, next, right);
                    d = u - f * a, u = -(f * next), y = y - f * right;
                }
            }
        }
        if (size_of(d) == 0 && singular == 0) singular = n;
        if (number < count && singular > 0) atomicMax(worst, ~(unsigned long long)(matrix << 32 | singular));
        keep(n - 1, d, zero(), zero(), y);
        element x1 = zero(), x2 = zero();
        for (long long begin = (n - 1) / width * width; begin >= 0; begin -= width) {
            __syncthreads();
            for (int at = width - 1; at >= 0; --at) {
                const long long row = begin + at;
                if (row >= n) continue;
                const element* f = own + row * 256;
                const element x = (f[192] - f[64] * x1 - f[128] * x2) / f[0];
                tile[3][me][at] = x;
                x2 = x1, x1 = x;
            }
            __syncthreads();
            for (int i = me; i < 64 * width; i += 64) {
                const int line = i / width, at = i % width;
                if (first + line < count && begin + at < n) b[(first + line) * n + begin + at] = tile[3][line][at];
            }
        }
    }
}

extern "C" __global__ void report_matrix(const unsigned long long* worst, long long* error) {
    if (*worst == 0) return;
    error[1] = (long long)~*worst;
    error[0] = 1;
}
)cuda"
