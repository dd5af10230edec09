// The part of eig_cuda.hpp's text that balances a matrix and reduces it to Hessenberg form.
#pragma once

#include <sinter/codegen/eig_cuda.hpp>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE const char* eig_reduce() {
    return R"(
// What a matrix needs besides itself: its rows and columns are in other places and scaled when it is balanced.
struct work_room {
    element *solutions, *v, *multiplier;
    real *scale, *norms;
    int *place, *pairs, *counts, *message;
};

// The blocks that a matrix has.
struct team_of_blocks {
    int rank, count;
};

// From first to last.
struct span {
    int first, last;
};

// Where entries may stand in the way: exchanges rows and columns r and s.
__device__ void exchange(const matrix& h, int n, int r, int s, const work_room& w) {
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
__device__ span isolate(const matrix& h, int n, const work_room& w) {
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
__device__ real scale_of(const matrix& h, int n, span in, int i, real before) {
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
__device__ span balance_alone(const matrix& h, int n, const work_room& w) {
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
__device__ span balance(const matrix& h, int n, const work_room& w, team_of_blocks blocks) {
    if (blocks.rank == 0) {
        const span in = balance_alone(h, n, w);
        if (threadIdx.x == 0) w.message[0] = in.first, w.message[1] = in.last;
    }
    meet(blocks.count);
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
    const real norm = sqrt(square_of(alpha) + squares), beta = real_part(alpha) >= 0 ? -norm : norm;
    const element to = times(one(), beta);
    return {over(to - alpha, beta), alpha - to, scale, beta * scale};
}

// The reflector that clears column k below its first subdiagonal; each warp finds it, the first writes it.
__device__ reflection reflect_column(const matrix& h, int k, int last, element* v) {
    const int lane = threadIdx.x % 32;
    real scale = 0, squares = 0;
    for (int i = k + 1 + lane; i <= last; i += 32) scale = larger(scale, size_of(h(i, k)));
    scale = most_of_warp(scale);
    for (int i = k + 2 + lane; i <= last && scale > 0; i += 32) squares += square_of(over(h(i, k), scale));
    squares = sum_of_warp(squares);
    const reflection r = reflection_of(h(k + 1, k), scale, squares, squares > 0);
    if (threadIdx.x < 32)
        for (int i = k + 1 + lane; i <= last; i += 32) v[i] = i == k + 1 ? one() : over(h(i, k), r.scale) / r.divisor;
    return r;
}

// Of all lines that the blocks share out, 32 rows of h or z times H, from column k + 1 on; each warp has some of the columns.
__device__ void reflect_rows(const matrix& m, span rows, int k, int last, const element* v, element factor, element* parts) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32, row = rows.first + lane;
    const bool mine = row <= rows.last;
    element dot = zero();
#pragma unroll 4
    for (int i = k + 1 + warp; i <= last; i += warps)
        if (mine) dot = dot + m(row, i) * v[i];
    if (warps > 1) {
        parts[threadIdx.x] = dot;
        __syncthreads();
        dot = zero();
        for (int i = 0; i < warps; ++i) dot = dot + parts[i * 32 + lane];
        __syncthreads();
    }
    dot = factor * dot;
#pragma unroll 4
    for (int i = k + 1 + warp; i <= last; i += warps)
        if (mine) m(row, i) = m(row, i) - dot * conjugate(v[i]);
}

// The adjoint of H times the columns from k + 1 on, of n. What lies in shared memory has a column to a thread, else its lines are read
// by warps.
__device__ void reflect_columns(const matrix& h, int n, int k, int last, const element* v, element factor, team_of_blocks blocks) {
    const int team = n <= side ? 1 : 32, me = threadIdx.x % team, teams = blockDim.x / team * blocks.count;
    for (int begin = k + 1; begin < n; begin += teams) {
        const int column = begin + blocks.rank * (blockDim.x / team) + threadIdx.x / team;
        element dot = zero();
#pragma unroll 4
        for (int i = k + 1 + me; i <= last; i += team)
            if (column < n) dot = dot + conjugate(v[i]) * h(i, column);
        for (int bits = team / 2; bits > 0; bits /= 2) dot = dot + across_warp(dot, bits);
        dot = conjugate(factor) * dot;
#pragma unroll 4
        for (int i = k + 1 + me; i <= last; i += team)
            if (column < n) h(i, column) = h(i, column) - dot * v[i];
    }
}

// A similar matrix with nothing below its first subdiagonal; z becomes the unitary matrix that leads back. Each block has a v of its own.
__device__ void reduce_to_hessenberg(const matrix& h, const matrix& z, int n, span in, bool wanted, element* v, element* parts,
                                     team_of_blocks blocks) {
    const int above = in.last / 32 + 1, all = above + (wanted ? (in.last - in.first) / 32 + 1 : 0);
    for (int k = in.first; k < in.last - 1; ++k) {
        const reflection r = reflect_column(h, k, in.last, v);
        __syncthreads();
        if (size_of(r.factor) != 0)
            for (int i = blocks.rank; i < all; i += blocks.count) {
                const bool in_h = i < above;
                const span rows{in_h ? i * 32 : in.first + (i - above) * 32, in.last};
                reflect_rows(in_h ? h : z, rows, k, in.last, v, r.factor, parts);
            }
        meet(blocks.count);
        if (blocks.rank == 0)
            for (int i = k + 1 + threadIdx.x; i <= in.last; i += blockDim.x) h(i, k) = i == k + 1 ? times(one(), r.becomes) : zero();
        if (size_of(r.factor) != 0) reflect_columns(h, n, k, in.last, v, r.factor, blocks);
        meet(blocks.count);
    }
}
)";
}

}  // namespace sinter::inline SINTER_ABI::codegen
