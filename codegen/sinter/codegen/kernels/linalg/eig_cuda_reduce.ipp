// Bodies of eig_cuda_reduce.hpp.
#pragma once

#include <sinter/codegen/kernels/linalg/eig_cuda_reduce.hpp>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE const char* eig_reduce() {
    return R"(
// What a matrix needs besides itself: its rows and columns are in other places and scaled when it is balanced.
struct workspace_view {
    element *solutions, *columns, *multiplier;
    real *scale, *norms;
    int *place, *pairs, *counts, *message;
};

// The blocks that a matrix has.
struct block_group {
    int rank, count;
};

// From first to last.
struct span {
    int first, last;
};

// Where entries may stand in the way: exchanges rows and columns r and s.
__device__ void exchange(matrix h, int n, int r, int s, const workspace_view& w) {
    if (r == s) return;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        const element x = h(i, r);
        h(i, r) = h(i, s), h(i, s) = x;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        const element x = h(r, i);
        h(r, i) = h(s, i), h(s, i) = x;
    }
    auto swap = [](int& x, int& y) { const int was = x; x = y, y = was; };
    if (threadIdx.x == 0) swap(w.place[r], w.place[s]), swap(w.pairs[r], w.pairs[s]), swap(w.counts[r], w.counts[s]);
    __syncthreads();
}

// The first or last row whose count is zero, or -1; each warp finds it.
__device__ int find_zero(const int* counts, span in, bool last) {
    const int lane = threadIdx.x % 32, length = in.last - in.first + 1;
    for (int begin = 0; begin < length; begin += 32) {
        const int at = begin + lane;
        const unsigned found = __ballot_sync(0xFFFFFFFF, at < length && counts[last ? in.last - at : in.first + at] == 0);
        if (found) return last ? in.last - begin - __ffs(found) + 1 : in.first + begin + __ffs(found) - 1;
    }
    return -1;
}

// Eigenvalues that stand alone move to the ends: rows without entries beside the diagonal down, such columns up.
__device__ span isolate(matrix h, int n, const workspace_view& w) {
    int *rows = w.pairs, *columns = w.counts;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        int in_row = 0, in_column = 0;
        for (int k = 0; k < n; ++k)
            if (k != i) in_row += size_of(h(i, k)) != 0, in_column += size_of(h(k, i)) != 0;
        rows[i] = in_row, columns[i] = in_column;
    }
    span in{0, n - 1};
    for (int turn = 0; turn < 2; ++turn) {
        const bool down = turn == 0;
        int* counts = down ? rows : columns;
        for (;;) {
            __syncthreads();
            const int found = find_zero(counts, in, down), end = down ? in.last : in.first;
            __syncthreads();
            if (found < 0) break;
            exchange(h, n, found, end, w);
            for (int i = in.first + threadIdx.x; i <= in.last; i += blockDim.x)
                if (i != end) counts[i] -= size_of(down ? h(i, end) : h(end, i)) != 0;
            if (down) --in.last;
            else ++in.first;
        }
    }
    return in;
}

// The power of two by which column i is to be multiplied and row i divided so that they become alike, or 1; by whole warps.
__device__ real scale_of(matrix h, int n, span in, int i, real before) {
    constexpr real low = 2 * (least / ulp), high = 1 / low;
    const int lane = threadIdx.x % 32;
    real c_most = 0, r_most = 0, c_sum = 0, r_sum = 0;
    for (int k = in.first + lane; k <= in.last; k += 32) c_most = larger(c_most, size_of(h(k, i))), r_most = larger(r_most, size_of(h(i, k)));
    c_most = most_of_warp(c_most), r_most = most_of_warp(r_most);
    if (c_most == 0 || r_most == 0) return 1;
    for (int k = in.first + lane; k <= in.last; k += 32) c_sum += square_of(over(h(k, i), c_most)), r_sum += square_of(over(h(i, k), r_most));
    real c = c_most * sqrt(sum_of_warp(c_sum)), r = r_most * sqrt(sum_of_warp(r_sum)), f = 1;
    const real sum = c + r;
    for (int k = lane; k < n; k += 32) {
        if (k < in.first) c_most = larger(c_most, size_of(h(k, i)));
        if (k > in.last) r_most = larger(r_most, size_of(h(i, k)));
    }
    c_most = most_of_warp(c_most), r_most = most_of_warp(r_most);
    while (c < r / 2 && larger(f, larger(c, c_most)) < high && smaller(r, r_most) > low) f *= 2, c *= 2, c_most *= 2, r /= 2, r_most /= 2;
    while (c / 2 >= r && larger(r, r_most) < high && smaller(f, smaller(c, c_most)) > low) f /= 2, c /= 2, c_most /= 2, r *= 2, r_most *= 2;
    if (c + r >= real(0.95) * sum) return 1;
    if ((f < 1 && before < 1 && f * before <= low / 2) || (f > 1 && before > 1 && before >= 2 * high / f)) return 1;
    return f;
}

// LAPACK's gebal. Columns that are balanced already are asked once and all at a time.
__device__ span balance_alone(matrix h, int n, const workspace_view& w) {
    const span in = isolate(h, n, w);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int* asks = w.counts;
    for (bool again = true; again;) {
        __syncthreads();
        for (int i = in.first + warp; i <= in.last; i += blockDim.x / 32) {
            const real f = scale_of(h, n, in, i, w.scale[i]);
            if (lane == 0) asks[i] = f != 1;
        }
        __syncthreads();
        again = false;
        for (int i = in.first; i <= in.last; ++i) {
            if (!asks[i]) continue;
            const real f = scale_of(h, n, in, i, w.scale[i]);
            __syncthreads();
            if (f == 1) continue;
            again = true;
            for (int k = threadIdx.x; k < n; k += blockDim.x) {
                h(i, k) = times(h(i, k), 1 / f);
                h(k, i) = times(h(k, i), f);
            }
            if (threadIdx.x == 0) w.scale[i] *= f;
            __syncthreads();
        }
    }
    return in;
}

// The first block balances the matrix and tells the others.
__device__ span balance(matrix h, int n, const workspace_view& w, block_group blocks) {
    if (blocks.rank == 0) {
        const span in = balance_alone(h, n, w);
        if (threadIdx.x == 0) w.message[0] = in.first, w.message[1] = in.last;
    }
    grid_barrier(blocks.count);
    return {w.message[0], w.message[1]};
}

// H = 1 - factor v v' with v = (1, rest…), for which the adjoint of H makes (first, x…) a real number, 0…
struct reflection {
    element factor, divisor;  // of the rest, once it is divided by `scale`
    real scale, becomes;
};
__device__ reflection reflection_of(element first, real scale, real squares, bool needed) {
    if (!needed && imaginary_part(first) == 0) return {zero(), one(), 1, real_part(first)};
    const element alpha = over(first, scale);
    const real sum = square_of(alpha) + squares, inverse = rsqrt(sum), norm = sum * inverse;
    const bool up = real_part(alpha) >= 0;
    const real beta = up ? -norm : norm;
    return {one() + times(alpha, up ? inverse : -inverse), alpha - times(one(), beta), scale, beta * scale};
}

// A similar matrix with nothing below its first subdiagonal, in shared memory by one warp; z becomes the unitary matrix that leads back.
__device__ void reduce_small(tile h, tile z, int n, span in, bool wanted, element* v) {
    const int lane = threadIdx.x;
    for (int k = in.first; k < in.last - 1; ++k) {
        const int i = k + 1 + lane;
        const element x = i <= in.last ? h(i, k) : zero();
        const real scale = most_of_warp(size_of(x));
        const real squares = sum_of_warp(lane > 0 && scale > 0 ? square_of(over(x, scale)) : 0);
        const reflection r = reflection_of(from_lane(x, 0), scale, squares, squares > 0);
        if (i <= in.last) v[i] = lane == 0 ? one() : over(x, r.scale) / r.divisor, h(i, k) = lane == 0 ? times(one(), r.becomes) : zero();
        __syncwarp();
        for (int turn = 0; turn < (wanted ? 2 : 1); ++turn) {
            const tile m{turn == 0 ? h.first : z.first, h.ld};
            if (lane > in.last || (turn == 1 && lane < in.first)) continue;
            element dot = zero();
            for (int j = k + 1; j <= in.last; ++j) dot = dot + m(lane, j) * v[j];
            dot = r.factor * dot;
            for (int j = k + 1; j <= in.last; ++j) m(lane, j) = m(lane, j) - dot * conjugate(v[j]);
        }
        __syncwarp();
        if (i < n) {
            element dot = zero();
            for (int j = k + 1; j <= in.last; ++j) dot = dot + conjugate(v[j]) * h(j, i);
            dot = conjugate(r.factor) * dot;
            for (int j = k + 1; j <= in.last; ++j) h(j, i) = h(j, i) - dot * v[j];
        }
        __syncwarp();
    }
    __syncthreads();
}
)";
}

SINTER_INLINE const char* eig_reduce_large() {
    return R"(
// What is still to be done with h and z for a reflector that has the elements of v from its column + 1 on: h less (h v) factor v' on the
// right, and so from the left. Each block has v and the next column by itself, and a second v; y is h v, x is v' h, q is z v.
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
    const element beside = conjugate(r.v[k]), right = r.factor * beside, left = conjugate(r.factor) * (r.x[k] - r.factor * r.product * beside);
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

// 32 rows without what a reflector takes off, k being its column + 1, and their sums with the next one. Each warp has some columns.
__device__ void update_rows(matrix m, span rows, span columns, int k, int last, bool is_h, const reduction& r, element* parts) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32, row = smaller(rows.first + lane, rows.last);
    element* sums = is_h ? r.next_y : r.q;
    const bool mine = rows.first + lane <= rows.last;
    const element y = is_h ? r.y[row] : r.q[row], v = is_h && row >= k ? r.v[row] : zero(), twice = r.factor * r.product;
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

// As reduce_small, by all blocks. One pass over the rows of h and z does what a reflector makes of them and multiplies them by the next.
__device__ void reduce_to_hessenberg(matrix h, matrix z, int n, span in, bool wanted, reduction r, real* warps, element* parts,
                                     block_group blocks) {
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
        for (int i = k + 1 + threadIdx.x; i <= in.last; i += blockDim.x) product = product + conjugate(r.next[i]) * r.next_y[i];
        r.product = sum_of_block(product, parts);
        r.factor = factor;
        element *v = r.v, *y = r.y;
        r.v = r.next, r.next = v, r.y = r.next_y, r.next_y = y;
        grid_barrier(blocks.count);
    }
    grid_barrier(blocks.count);
}
)";
}

}  // namespace sinter::inline SINTER_ABI::codegen
