// The addresses of the matrices of stacks whose operands broadcast.
R"cuda(
// Where the matrices of a, b and c begin.
struct matrix_steps {
    long long shape[$axes], a[$axes], b[$axes], c;
};

extern "C" __global__ void __launch_bounds__(256)
    list_matrices(unsigned long long a, unsigned long long b, unsigned long long c, unsigned long long* lists,
                  long long count, matrix_steps steps) {
    const long long i = blockIdx.x * 256ll + threadIdx.x;
    if (i >= count) return;
    long long rest = i;
#pragma unroll
    for (int axis = $last_axis; axis >= 0; --axis) {
        const long long at = rest % steps.shape[axis];
        rest /= steps.shape[axis];
        a += at * steps.a[axis];
        b += at * steps.b[axis];
    }
    lists[i] = a;
    lists[count + i] = b;
    lists[2 * count + i] = c + i * steps.c;
}
)cuda"
