// Products of few columns and terms, one or a stack of them, a row by each thread.
R"cuda(
struct matrix_walk {
    long long matrix, row, column;
};

extern "C" __global__ void __launch_bounds__(256)
    multiply(const element* a, const element* b, element* c, matrix_walk in_a, matrix_walk in_b, unsigned rows, int m,
             int n, int k) {
    const unsigned number = blockIdx.x * 256u + threadIdx.x;
    if (number >= rows) return;
    const unsigned matrix = number / m;
    const int row = (int)(number - matrix * m);
    const element* const x = a + matrix * in_a.matrix + row * in_a.row;
    const element* const y = b + matrix * in_b.matrix;
    element sum[$width];
#pragma unroll
    for (int j = 0; j < $width; ++j) sum[j] = 0;
#pragma unroll 4
    for (int l = 0; l < k; ++l) {
        const element term = x[l * in_a.column];
#pragma unroll
        for (int j = 0; j < $width; ++j)
            if (j < n) sum[j] = fma(term, y[l * in_b.row + j * in_b.column], sum[j]);
    }
#pragma unroll
    for (int j = 0; j < $width; ++j)
        if (j < n) c[(long long)number * n + j] = sum[j];
}
)cuda"
