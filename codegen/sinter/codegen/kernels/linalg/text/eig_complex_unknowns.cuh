// What the vectors of complex matrices are; behind eig_chains.cuh.
R"cuda(
struct unknowns {
    element* x;
    __device__ complex at(int i) const { return x[i]; }
    __device__ void set(int i, complex y) const { x[i] = y; }
};
__device__ unknowns unknowns_of(element* x, int n, int last, bool) { return {x + (long long)last * n}; }

// Of complex eigenvalues each is by itself.
__device__ void mark_pairs(matrix, int n, int* pairs) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) pairs[i] = 0;
}
__device__ complex value_of(matrix h, int i, const int*, real unit) { return times(h(i, i), unit); }
__device__ void begin_pair(matrix, int, real, complex&, complex&) {}
__device__ void solve_pair(matrix, int, complex, real, real, complex&, complex&, real&) {}
)cuda"
