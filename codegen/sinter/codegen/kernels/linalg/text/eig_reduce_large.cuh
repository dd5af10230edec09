// Reduces matrices that blocks share to Hessenberg form; behind eig_reduce.cuh.
R"cuda(
// What is still to be done with h and z for a reflector that has the elements of v from its column + 1 on: h less (h v)
// factor v' on the right, and so from the left. Each block has v and the next column by itself, and a second v; y is h
// v, x is v' h, q is z v.
struct reduction {
    element factor, product;  // v' y
    element *v, *next, *column, *x, *y, *next_y, *q;
};

// Three columns of each block, and four that blocks share.
__device__ reduction divide_columns(element* workspace, long long n, block_group blocks) {
    element *own = workspace + 3 * blocks.rank * n, *all = workspace + 3 * blocks.count * n;
    return {zero(), zero(), own, own + n, own + 2 * n, all, all + n, all + 2 * n, all + 3 * n};
}

// A column as it becomes, its reflector and what that leaves of it. Blocks do so by themselves.
__device__ real reflect_column(matrix h, int k, int last, const reduction& r, element& factor, real* warps) {
    const element beside = conjugate(r.v[k]), right = r.factor * beside,
                  left = conjugate(r.factor) * (r.x[k] - r.factor * r.product * beside);
    real scale = 0, squares = 0;
    for (int i = threadIdx.x; i <= last; i += blockDim.x) {
        const element x = h(i, k) - r.y[i] * right - (i >= k ? r.v[i] * left : zero());
        r.column[i] = x;
        if (i > k) scale = larger(scale, size_of(x));
    }
    scale = most_of_block(scale, warps);
    for (int i = threadIdx.x; i <= last; i += blockDim.x)
        if (i > k + 1 && scale > 0) squares += square_of(over(r.column[i], scale));
    squares = sum_of_block(squares, warps);
    const reflection made = reflection_of(r.column[k + 1], scale, squares, squares > 0);
    for (int i = threadIdx.x; i <= last; i += blockDim.x)
        if (i > k) r.next[i] = i == k + 1 ? one() : over(r.column[i], made.scale) / made.divisor;
    factor = made.factor;
    __syncthreads();
    return made.becomes;
}

// 32 rows without what a reflector takes off, k being its column + 1, and their sums with the next one. Each warp has
// some columns.
__device__ void update_rows(matrix m, span rows, span columns, int k, int last, bool is_h, const reduction& r,
                            element* parts) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32,
              row = smaller(rows.first + lane, rows.last);
    element* sums = is_h ? r.next_y : r.q;
    const bool mine = rows.first + lane <= rows.last;
    const element y = is_h ? r.y[row] : r.q[row], v = is_h && row >= k ? r.v[row] : zero(),
                  twice = r.factor * r.product;
    element sum = zero();
    constexpr int batch = order == 2 ? 4 : 8;
    for (int begin = columns.first + warp; begin <= columns.last; begin += batch * warps) {
        // All reads before the first write, so that they are on their way together.
        element x[batch], beside[batch], below[batch], next[batch];
#pragma unroll
        for (int i = 0; i < batch; ++i) {
            const int j = smaller(begin + i * warps, columns.last);
            x[i] = m(row, j);
            beside[i] = j <= last ? conjugate(r.v[j]) : zero();
            below[i] = is_h ? r.x[j] : zero();
            next[i] = r.next && j > k && j <= last ? r.next[j] : zero();
        }
#pragma unroll
        for (int i = 0; i < batch; ++i) {
            const int j = begin + i * warps;
            if (j > columns.last) continue;
            x[i] = x[i] - y * (r.factor * beside[i]);
            if (is_h) x[i] = x[i] - v * (conjugate(r.factor) * (below[i] - twice * beside[i]));
            if (mine) m(row, j) = x[i];
            sum = sum + x[i] * next[i];
        }
    }
    parts[threadIdx.x] = sum;
    __syncthreads();
    if (warp == 0 && mine) {
        for (int i = 1; i < warps; ++i) sum = sum + parts[i * 32 + lane];
        sums[row] = sum;
    }
    __syncthreads();
}

// v' h, some columns by a warp.
__device__ void multiply_columns(matrix h, int n, int k, int last, const reduction& r, block_group blocks) {
    constexpr int batch = 4;
    const int lane = threadIdx.x % 32, warps = blockDim.x / 32 * blocks.count;
    for (int first = k + 1 + blocks.rank * (blockDim.x / 32) + threadIdx.x / 32; first < n; first += batch * warps) {
        element sums[batch];
#pragma unroll
        for (int j = 0; j < batch; ++j) sums[j] = zero();
#pragma unroll 4
        for (int i = k + 1 + lane; i <= last; i += 32) {
            const element v = conjugate(r.next[i]);
#pragma unroll
            for (int j = 0; j < batch; ++j) sums[j] = sums[j] + v * h(i, smaller(first + j * warps, n - 1));
        }
#pragma unroll
        for (int j = 0; j < batch; ++j) {
            for (int bits = 16; bits > 0; bits /= 2) sums[j] = sums[j] + across_warp(sums[j], bits);
            if (lane == 0 && first + j * warps < n) r.x[first + j * warps] = sums[j];
        }
    }
}

// As reduce_small, by all blocks. One pass over the rows of h and z does what a reflector makes of them and multiplies
// them by the next.
__device__ void reduce_to_hessenberg(matrix h, matrix z, int n, span in, bool wanted, reduction r, real* warps,
                                     element* parts, block_group blocks) {
    const int above = in.last / 32 + 1, all = above + (wanted ? (in.last - in.first) / 32 + 1 : 0);
    for (int i = threadIdx.x; i < n; i += blockDim.x) r.v[i] = r.x[i] = r.y[i] = r.q[i] = zero();
    r.factor = r.product = zero();
    grid_barrier(blocks.count);
    for (int k = in.first; k < in.last; ++k) {
        const bool ends = k == in.last - 1;
        element factor = zero();
        const real becomes = ends ? 0 : reflect_column(h, k, in.last, r, factor, warps);
        if (ends) r.next = nullptr;
        for (int i = blocks.rank; i < all; i += blocks.count) {
            const bool is_h = i < above;
            const int first = is_h ? i * 32 : in.first + (i - above) * 32;
            const span columns{is_h && !ends ? k + 1 : k, is_h ? n - 1 : in.last};
            update_rows(is_h ? h : z, {first, smaller(first + 31, in.last)}, columns, k, in.last, is_h, r, parts);
        }
        if (ends) break;
        grid_barrier(blocks.count);
        if (blocks.rank == 0)
            for (int i = threadIdx.x; i <= in.last; i += blockDim.x)
                h(i, k) = i <= k ? r.column[i] : i == k + 1 ? times(one(), becomes) : zero();
        multiply_columns(h, n, k, in.last, r, blocks);
        element product = zero();
        for (int i = k + 1 + threadIdx.x; i <= in.last; i += blockDim.x)
            product = product + conjugate(r.next[i]) * r.next_y[i];
        r.product = sum_of_block(product, parts);
        r.factor = factor;
        element *v = r.v, *y = r.y;
        r.v = r.next, r.next = v, r.y = r.next_y, r.next_y = y;
        grid_barrier(blocks.count);
    }
    grid_barrier(blocks.count);
}
)cuda"
