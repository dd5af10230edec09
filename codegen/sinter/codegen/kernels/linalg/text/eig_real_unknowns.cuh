// What the vectors of real matrices are: one column for a real eigenvalue, real and imaginary parts in two for a
// pair; behind eig_chains.cuh.
R"cuda(
struct unknowns {
    real *re, *im;
    __device__ complex at(int i) const { return {re[i], im ? im[i] : 0}; }
    __device__ void set(int i, complex x) const {
        re[i] = x.re;
        if (im) im[i] = x.im;
    }
};
__device__ unknowns unknowns_of(real* x, int n, int last, bool pair) {
    real* column = x + (long long)last * n;
    return pair ? unknowns{column - n, column} : unknowns{column, nullptr};
}

// 0: a real eigenvalue, 1 and 2: the first and the second of a pair.
__device__ void mark_pairs(matrix h, int n, int* pairs) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        pairs[i] = i + 1 < n && h(i + 1, i) != 0 ? 1 : i > 0 && h(i, i - 1) != 0 ? 2 : 0;
}
__device__ complex value_of(matrix h, int i, const int* pairs, real unit) {
    if (pairs[i] == 0) return {h(i, i) * unit, 0};
    const int first = pairs[i] == 1 ? i : i - 1;
    const real size = sqrt(size_of(h(first, first + 1))) * sqrt(size_of(h(first + 1, first)));
    return {h(i, i) * unit, (pairs[i] == 1 ? size : -size) * unit};
}

// The two last elements of a pair's vector, for the eigenvalue with the positive imaginary part.
__device__ void begin_pair(matrix h, int last, real imaginary, complex& x, complex& y) {
    const real b = h(last - 1, last), c = h(last, last - 1);
    const bool upper = size_of(b) >= size_of(c);
    x = {upper ? 1 : -imaginary / c, 0};
    y = {0, upper ? imaginary / b : 1};
}

// Two components of a solution at a time, where a pair stands on the diagonal: by elimination with all exchanges.
__device__ void solve_pair(matrix h, int i, complex value, real smallest, real largest, complex& x, complex& y,
                           real& scale) {
    const complex c[2][2] = {{complex{h(i, i), 0} - value, {h(i, i + 1), 0}},
                             {{h(i + 1, i), 0}, complex{h(i + 1, i + 1), 0} - value}};
    int p = 0, q = 0;
    for (int k = 1; k < 4; ++k)
        if (size_of(c[k / 2][k % 2]) > size_of(c[p][q])) p = k / 2, q = k % 2;
    complex first = c[p][q];
    if (size_of(first) < smallest) first = {smallest, 0};
    const complex beside = c[p][1 - q] / first, below = c[1 - p][q] / first;
    complex second = c[1 - p][1 - q] - below * c[p][1 - q];
    if (size_of(second) < smallest) second = {smallest, 0};
    const real most_right = larger(size_of(x), size_of(y));
    if (size_of(second) < 1 && most_right > largest * size_of(second)) scale = 1 / most_right;
    const complex right[2] = {complex{x.re * scale, x.im * scale}, complex{y.re * scale, y.im * scale}};
    const complex last = (right[1 - p] - below * right[p]) / second, other = right[p] / first - beside * last;
    x = q == 0 ? other : last;
    y = q == 0 ? last : other;
}
)cuda"
