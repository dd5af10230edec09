// The kernel of eigenvalues and eigenvectors, a cluster of blocks per matrix; behind all of its steps.
R"cuda(
// h becomes the given elements times a factor, and z an identity.
__device__ void begin_matrix(const element* given, real factor, matrix h, matrix z, int n, bool wanted,
                             const workspace_view& w, block_group blocks) {
    const int first = blocks.rank * blockDim.x + threadIdx.x, step = blocks.count * blockDim.x;
    for (int i = first; i < n; i += step) w.scale[i] = 1, w.place[i] = i;
    for (long long i = first; i < (long long)n * n; i += step) {
        const int row = (int)(i % n), column = (int)(i / n);
        h(row, column) = times(given[i], factor);
        if (wanted) z(row, column) = row == column ? one() : zero();
    }
}

// Of n rows each; `vectors` are found where `wanted`, and worked in. Each matrix has a cluster of so many blocks, and
// of `workspace` it needs `workspace_bytes`. Its info is written where the iteration does not converge, as geev counts
// it, and where not all elements are finite.
extern "C" __global__ void __launch_bounds__(512, 1)
    solve_eig(element* a, complex* values, complex* vectors, char* workspace, long long workspace_bytes, int n,
              int wanted, int window, int count, int* info) {
    extern __shared__ element shared[];
    __shared__ sweep_log log;
    __shared__ chain c;
    __shared__ element parts[512];
    const long long size = (long long)n * n, number = blockIdx.x / count;
    const block_group blocks{(int)(blockIdx.x % count), count};
    a += number * size, values += number * n, vectors += number * size, info += number;
    const bool whole = n <= side;
    const int odd = n | 1;
    const workspace_view w = divide_workspace(workspace + number * workspace_bytes, vectors, n, wanted, window, blocks);
    const matrix h = whole ? matrix{shared, odd} : matrix{a, n},
                 z = whole ? matrix{shared + n * odd, odd} : matrix{reinterpret_cast<element*>(vectors), n};

    const real norm = norm_of_matrix(a, n, log.warps);
    if (!(norm <= most)) {
        if (threadIdx.x == 0 && blocks.rank == 0) *info = 0x7FFFFFFF;
        return;
    }
    const real factor = range_factor(norm);
    grid_barrier(count);
    begin_matrix(a, factor, h, z, n, wanted, w, blocks);
    grid_barrier(count);
    const span active = balance(h, n, w, blocks);
    const tile small{shared, odd}, small_z{shared + n * odd, odd};
    if (whole) reduce_small(small, small_z, n, active, wanted, w.columns);
    else reduce_to_hessenberg(h, z, n, active, wanted, divide_columns(w.columns, n, blocks), log.warps, parts, blocks);
    const outcome found = whole ? solve_block(small, small_z, n, active, wanted, log)
                                : iterate(h, z, shared, window, n, active, wanted, w, blocks, c, log);
    if (found.next == failed) {
        if (threadIdx.x == 0 && blocks.rank == 0) *info = found.row + 1;
        return;
    }
    if (blocks.rank == 0) mark_pairs(h, n, w.pairs);
    grid_barrier(count);
    for (int i = blocks.rank * blockDim.x + threadIdx.x; i < n; i += count * blockDim.x)
        values[i] = value_of(h, i, w.pairs, 1 / factor);
    if (wanted) find_vectors(h, z, n, vectors, w, blocks);
}
)cuda"
