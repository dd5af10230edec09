// Balances a matrix, and reduces it to Hessenberg form where one block has it; behind eig_helpers.cuh.
R"cuda(
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
    auto swap = [](int& x, int& y) {
        const int was = x;
        x = y, y = was;
    };
    if (threadIdx.x == 0) swap(w.place[r], w.place[s]), swap(w.pairs[r], w.pairs[s]), swap(w.counts[r], w.counts[s]);
    __syncthreads();
}

// The first or last row whose count is zero, or -1; each warp finds it.
__device__ int find_zero(const int* counts, span in, bool last) {
    const int lane = threadIdx.x % 32, length = in.last - in.first + 1;
    for (int begin = 0; begin < length; begin += 32) {
        const int at = begin + lane;
        const unsigned found =
            __ballot_sync(0xFFFFFFFF, at < length && counts[last ? in.last - at : in.first + at] == 0);
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

// The power of two by which column i is to be multiplied and row i divided so that they become alike, or 1; by whole
// warps.
__device__ real scale_of(matrix h, int n, span in, int i, real before) {
    constexpr real low = 2 * (least / ulp), high = 1 / low;
    const int lane = threadIdx.x % 32;
    real c_most = 0, r_most = 0, c_sum = 0, r_sum = 0;
    for (int k = in.first + lane; k <= in.last; k += 32)
        c_most = larger(c_most, size_of(h(k, i))), r_most = larger(r_most, size_of(h(i, k)));
    c_most = most_of_warp(c_most), r_most = most_of_warp(r_most);
    if (c_most == 0 || r_most == 0) return 1;
    for (int k = in.first + lane; k <= in.last; k += 32)
        c_sum += square_of(over(h(k, i), c_most)), r_sum += square_of(over(h(i, k), r_most));
    real c = c_most * sqrt(sum_of_warp(c_sum)), r = r_most * sqrt(sum_of_warp(r_sum)), f = 1;
    const real sum = c + r;
    for (int k = lane; k < n; k += 32) {
        if (k < in.first) c_most = larger(c_most, size_of(h(k, i)));
        if (k > in.last) r_most = larger(r_most, size_of(h(i, k)));
    }
    c_most = most_of_warp(c_most), r_most = most_of_warp(r_most);
    while (c < r / 2 && larger(f, larger(c, c_most)) < high && smaller(r, r_most) > low)
        f *= 2, c *= 2, c_most *= 2, r /= 2, r_most /= 2;
    while (c / 2 >= r && larger(r, r_most) < high && smaller(f, smaller(c, c_most)) > low)
        f /= 2, c /= 2, c_most /= 2, r *= 2, r_most *= 2;
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

// A similar matrix with nothing below its first subdiagonal, in shared memory by one warp; z becomes the unitary matrix
// that leads back.
__device__ void reduce_small(tile h, tile z, int n, span in, bool wanted, element* v) {
    const int lane = threadIdx.x;
    for (int k = in.first; k < in.last - 1; ++k) {
        const int i = k + 1 + lane;
        const element x = i <= in.last ? h(i, k) : zero();
        const real scale = most_of_warp(size_of(x));
        const real squares = sum_of_warp(lane > 0 && scale > 0 ? square_of(over(x, scale)) : 0);
        const reflection r = reflection_of(from_lane(x, 0), scale, squares, squares > 0);
        if (i <= in.last)
            v[i] = lane == 0 ? one() : over(x, r.scale) / r.divisor,
            h(i, k) = lane == 0 ? times(one(), r.becomes) : zero();
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
)cuda"
