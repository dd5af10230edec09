// Makes a Hessenberg matrix of many rows triangular by chains of bulges; behind eig_schur.cuh.
R"cuda(
constexpr int most_bulges = 16;

// Bulges on their way through the active block, `order` rows apart, and what their shifts are.
struct chain {
    int low, high;      // the active block's rows
    int turns, sweeps;  // since the last eigenvalue was found, and in all
    int bulges, at;     // how many, and where the first of them is, or -1
    sweep_shift shifts[most_bulges];
    reflector reflectors[most_bulges];
};

// What rank 0 has done in a window and all blocks do elsewhere: rows and columns from `top` on times the multiplier. Or
// that it has failed for row `top`.
struct message {
    int next, top, size, first, last;  // rows above the window from first on, columns on its right up to last
    int below, ahead;                  // diagonals of the multiplier that have numbers
    int near;  // columns beside the window that the next one has, which rank 0 does to go on while the others follow
};

// The shifts are the eigenvalues of as many last rows, which are found in `t`; or others when those have led nowhere.
__device__ void choose_shifts(matrix h, tile t, int window, chain& c, sweep_log& log) {
    const int most = order == 2 ? window / 4 - 1 : window * 5 / 32, rows = c.high - c.low + 1,
              bulges = smaller(most, larger(rows / 16, 2));
    const int n = (order - 1) * bulges, top = c.high - n + 1;
    for (int i = threadIdx.x; i < n * n; i += blockDim.x) t(i % n, i / n) = h(top + i % n, top + i / n);
    const outcome found = solve_block(t, t, n, {0, n - 1}, false, log);
    if (threadIdx.x == 0) {
        if (c.turns % 10 != 0 && found.next == done) {
            c.bulges = list_shifts(t, n, c.shifts);
        } else {
            for (int i = 0; i < bulges; ++i) c.shifts[i] = find_shifts(h, c.low, c.high - i * (order - 1), 20);
            c.bulges = bulges;
        }
        c.at = c.low;
    }
    __syncthreads();
}

// A bulge's next reflector, of a column that no other bulge reaches; `becomes` is what is left of the column.
struct next_reflector {
    int row, count;
    real becomes;
    reflector r;
};

// The rows and columns that a bulge's reflector reaches of those which the next one depends on.
struct bulge_block {
    element at[order + 1][order];
};
__device__ bulge_block take_block(tile w, int k, int count, int rows) {
    bulge_block b;
#pragma unroll
    for (int i = 0; i <= order; ++i)
#pragma unroll
        for (int j = 0; j < order; ++j) b.at[i][j] = i < rows && j < count ? w(k + i, k + j) : zero();
    return b;
}
// The column of the next reflector, once this one has multiplied it from both sides.
__device__ void multiply_block(bulge_block& b, const reflector& r, element (&x)[order]) {
#pragma unroll
    for (int j = 0; j < order; ++j) {
        element y[order];
#pragma unroll
        for (int i = 0; i < order; ++i) y[i] = b.at[i][j];
        reflect_elements<true>(r, y);
#pragma unroll
        for (int i = 0; i < order; ++i) b.at[i][j] = y[i];
    }
#pragma unroll
    for (int i = 0; i < order; ++i) {
        reflect_elements<false>(r, b.at[i + 1]);
        x[i] = b.at[i + 1][0];
    }
}

// Each thread of the first warp has a bulge: the next reflector if it is at this row then, which clears x, or begins
// the bulge.
__device__ next_reflector reflect_bulge(tile w, int row, int top, int me, const chain& c, element (&x)[order]) {
    next_reflector n{-1, 0, 0, {}};
    if (me >= c.bulges || row < c.low || row >= c.high) return n;
    n.row = row, n.count = smaller(order, c.high - row + 1);
    if (row == c.low) find_start(w, row - top, c.shifts[me], x);
    n.r = reflect_small(x, n.becomes);
    return n;
}

// Two rows or columns of a lane, if they are from `first` to `last`: what `order` elements become, which lie `step`
// apart.
template <bool adjoint>
__device__ void reflect_lines(const reflector& r, element* p, int line, int step, int count, int first, int last) {
    const int lane = threadIdx.x % 32;
    element y[2][order];
#pragma unroll
    for (int half = 0; half < 2; ++half)
#pragma unroll
        for (int j = 0; j < order; ++j) {
            const int i = lane + 32 * half;
            y[half][j] = j < count && i >= first && i <= last ? p[i * line + j * step] : zero();
        }
#pragma unroll
    for (int half = 0; half < 2; ++half) reflect_elements<adjoint>(r, y[half]);
#pragma unroll
    for (int half = 0; half < 2; ++half)
#pragma unroll
        for (int j = 0; j < order; ++j) {
            const int i = lane + 32 * half;
            if (j < count && i >= first && i <= last) p[i * line + j * step] = y[half][j];
        }
}

// All bulges' reflectors from the left and from the right, by all warps but the first; `at` is the first bulge's row.
__device__ void multiply_left(tile w, int top, int size, int at, int bulges, span active, const reflector* r) {
    for (int i = threadIdx.x / 32 - 1; i < bulges; i += blockDim.x / 32 - 1) {
        const int row = at - order * i;
        if (row >= active.first && row < active.last)
            reflect_lines<true>(r[i], &w(row - top, 0), w.ld, 1, smaller(order, active.last - row + 1), row - top,
                                size - 1);
    }
}
__device__ void multiply_right(tile w, tile u, int top, int size, int at, int bulges, span active, const reflector* r) {
    for (int i = threadIdx.x / 32 - 1; i < 2 * bulges; i += blockDim.x / 32 - 1) {
        const bool in_u = i >= bulges;
        const int bulge = in_u ? i - bulges : i, column = at - order * bulge;
        const int last = in_u ? size - 1 : smaller(column + order, active.last) - top;
        const tile m{in_u ? u.first : w.first, in_u ? u.ld : w.ld};
        if (column >= active.first && column < active.last)
            reflect_lines<false>(r[bulge], &m(0, column - top), 1, m.ld, smaller(order, active.last - column + 1), 0,
                                 last);
    }
}

// The block takes the chain through a window of `size` rows and columns from `top` on; u becomes the product of its
// reflectors. The first warp finds the next reflectors, a bulge to a thread, while the others, of which there have to
// be some, multiply by these.
__device__ void chase(tile w, tile u, int top, int size, int until, chain& c) {
    const int me = threadIdx.x, bulges = c.bulges, begin = c.at;
    const bool finds = threadIdx.x < 32;
    const span active{c.low, c.high};
    next_reflector next{-1};
    element x[order] = {};
    int row = begin - order * me;
    if (finds) {
        for (int j = 0; j < order; ++j)
            if (me < bulges && row > active.first && row + j <= active.last) x[j] = w(row + j - top, row - top - 1);
        next = reflect_bulge(w, row, top, me, c, x);
    }
    for (int at = begin; at < until; ++at, ++row) {
        const int k = row - top;
        bulge_block block;
        if (next.row >= 0) {
            c.reflectors[me] = next.r;
            for (int j = 0; j < next.count && row > active.first; ++j)
                w(k + j, k - 1) = j == 0 ? times(one(), next.becomes) : zero();
        }
        __syncwarp();
        if (next.row >= 0) block = take_block(w, k, next.count, active.last - row + 1);
        __syncthreads();
        if (next.row >= 0) multiply_block(block, next.r, x);
        if (!finds) multiply_left(w, top, size, at, bulges, active, c.reflectors);
        __syncthreads();
        if (!finds) multiply_right(w, u, top, size, at, bulges, active, c.reflectors);
        else if (at + 1 < until) next = reflect_bulge(w, row + 1, top, me, c, x);
        __syncthreads();
    }
}

// Rows and columns from `top` on, as they are in h, and an identity.
__device__ void open_window(matrix h, tile w, tile u, int top, int size) {
    copy_elements(
        size, size, [&](int c, int r) { return h(top + r, top + c); },
        [&](int c, int r, element x) { w(r, c) = x, u(r, c) = r == c ? one() : zero(); });
    __syncthreads();
}
__device__ void close_window(matrix h, tile w, int top, int size) {
    const int lane = threadIdx.x % 32;
    for (int c = threadIdx.x / 32; c < size; c += blockDim.x / 32)
        for (int r = lane; r < size; r += 32) h(top + r, top + c) = w(r, c);
    __syncthreads();
}

// The next rows of the active block that are to be taken from its end at once, or else its chain begins.
__device__ int find_rows(matrix h, tile t, int window, span in, chain& c, sweep_log& log) {
    for (;;) {
        const int high = c.high;
        if (high < in.first) return 0;
        __syncthreads();
        if (threadIdx.x < 32) {
            const int low = find_block(h, high, in, c.turns >= 20);
            __syncwarp();
            if (threadIdx.x == 0) {
                if (low > in.first) h(low, low - 1) = zero();
                c.low = low;
                if (low == high) c.high = low - 1, c.turns = 0;
            }
        }
        __syncthreads();
        const int low = c.low;
        __syncthreads();
        if (low == high) continue;
        if (high - low < side) return high - low + 1;
        if (threadIdx.x == 0) ++c.turns, ++c.sweeps;
        __syncthreads();
        choose_shifts(h, t, window, c, log);
        return 0;
    }
}

// A window of the chain, as far as it goes.
__device__ message chase_window(matrix h, tile w, tile u, int window, chain& c) {
    const int length = order * (c.bulges - 1), at = c.at, top = larger(c.low, at - length - 1),
              size = smaller(window, c.high - top + 1);
    const bool ends = top + size > c.high;
    const int until = ends ? c.high + length : top + size - order, next_top = larger(c.low, until - length - 1);
    open_window(h, w, u, top, size);
    chase(w, u, top, size, until, c);
    if (threadIdx.x == 0) c.at = ends ? -1 : until;
    return {multiply,
            top,
            size,
            0,
            0,
            (order - 1) * c.bulges,
            until - at + order,
            ends ? 0 : smaller(next_top + window, c.high + 1) - top - size};
}

// Rank 0's part: what is next, when there is something to do outside of the window.
__device__ message advance_chain(matrix h, tile w, tile u, int window, int n, span in, bool wanted, chain& c,
                                 sweep_log& log) {
    for (;;) {
        const int most = 30 * larger(10, in.last - in.first + 1);
        const int rows = c.at < 0 ? find_rows(h, w, window, in, c, log) : 0;
        if (rows == 0 && c.high < in.first) return {done};
        if (c.sweeps > most) return {failed, c.high};
        const span all{wanted ? 0 : c.low, wanted ? n - 1 : c.high};
        message m{multiply, c.low, rows, 0, 0, rows, rows, 0};
        if (rows > 0) {
            open_window(h, w, u, m.top, rows);
            const outcome found = solve_block(w, u, rows, {0, rows - 1}, true, log);
            if (found.next == failed) return {failed, m.top + found.row};
        } else {
            m = chase_window(h, w, u, window, c);
        }
        m.first = all.first, m.last = all.last;
        close_window(h, w, m.top, m.size);
        if (threadIdx.x == 0 && rows > 0) c.high = c.low - 1, c.turns = 0;
        __syncthreads();
        if (wanted || m.first < m.top || m.top + m.size <= m.last) return m;
    }
}

constexpr int lines_at_once = 64;

// Lines beside the window, or of z, times u. Of columns it is the adjoint, so that they are taken and left conjugate.
struct lines {
    matrix m;
    int first, count, top;
    bool columns;
};

// Products of what lanes have, two of `near` each, with some of `far`, which every lane reads.
template <class Near, class Far, class Range, class Write>
__device__ void multiply_tile(int near, int far, Near near_at, Far far_at, Range range, Write write) {
    constexpr int step = 4;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    for (int first = step * warp; first < far; first += step * warps) {
        const span in = range(first, first + step - 1);
        element sums[2][step];
#pragma unroll
        for (int k = 0; k < step; ++k) sums[0][k] = sums[1][k] = zero();
#pragma unroll 4
        for (int i = in.first; i <= in.last; ++i) {
            const element a = near_at(lane, i), b = near_at(lane + 32, i);
#pragma unroll
            for (int k = 0; k < step; ++k) {
                const element factor = far_at(smaller(first + k, far - 1), i);
                sums[0][k] = sums[0][k] + a * factor, sums[1][k] = sums[1][k] + b * factor;
            }
        }
#pragma unroll
        for (int k = 0; k < step; ++k)
#pragma unroll
            for (int half = 0; half < 2; ++half)
                if (first + k < far && lane + 32 * half < near) write(lane + 32 * half, first + k, sums[half][k]);
    }
}

__device__ void multiply_lines(const lines& l, tile u, const message& m, tile x) {
    if (l.columns) {
        copy_elements(
            l.count, m.size, [=](int line, int i) { return conjugate(l.m(l.top + i, l.first + line)); },
            [=](int line, int i, element y) { x(line, i) = y; });
        __syncthreads();
        multiply_tile(
            m.size, l.count, [=](int k, int i) { return u(i, k); }, [=](int line, int i) { return x(line, i); },
            [=](int, int) { return span{0, m.size - 1}; },
            [=](int k, int line, element y) { l.m(l.top + k, l.first + line) = conjugate(y); });
    } else {
        copy_elements(
            m.size, l.count, [=](int i, int line) { return l.m(l.first + line, l.top + i); },
            [=](int i, int line, element y) { x(line, i) = y; });
        __syncthreads();
        multiply_tile(
            l.count, m.size, [=](int line, int i) { return x(line, i); }, [=](int k, int i) { return u(i, k); },
            [=](int first, int last) { return span{larger(0, first - m.ahead), smaller(m.size - 1, last + m.below)}; },
            [=](int line, int k, element y) { l.m(l.first + line, l.top + k) = y; });
    }
    __syncthreads();
}

// What a message says, by these blocks; columns from `right` on.
__device__ void multiply_rest(matrix h, matrix z, tile u, tile x, span in, bool wanted, const message& m, int right,
                              block_group blocks) {
    constexpr int count = lines_at_once;
    const int columns = (m.last - right + count) / count, rows = (m.top - m.first + count - 1) / count;
    const int all = columns + rows + (wanted ? (in.last - in.first + count) / count : 0);
    for (int i = blocks.rank; i < all; i += blocks.count) {
        lines l{i < columns + rows ? h : z, 0, 0, m.top, i < columns};
        const int first = i < columns ? right : i < columns + rows ? m.first : in.first;
        const int end = i < columns ? m.last + 1 : i < columns + rows ? m.top : in.last + 1;
        l.first = first + count * (i < columns ? i : i < columns + rows ? i - columns : i - columns - rows);
        l.count = smaller(count, end - l.first);
        multiply_lines(l, u, m, x);
    }
}

// LAPACK's laqr5 with chains of a few small bulges: K. Braman, R. Byers and R. Mathias, "The multishift QR algorithm,
// part I", SIAM J. Matrix Anal. Appl. 23 (2002). Rank 0 takes them along the diagonal, all blocks apply what it did to
// the rest.
__device__ outcome iterate(matrix h, matrix z, element* shared, int window, int n, span in, bool wanted,
                           const workspace_view& r, block_group blocks, chain& c, sweep_log& log) {
    const tile u{shared, window + 1}, w{shared + window * (window + 1), window + 1}, x{w.first, lines_at_once + 1};
    if (threadIdx.x == 0) c.low = in.first, c.high = in.last, c.turns = c.sweeps = 0, c.at = -1;
    grid_barrier(blocks.count);
    // Messages take turns, for rank 0 writes the next one while the others read this.
    for (int buffer_phase = 0;; buffer_phase ^= 1) {
        message& said = reinterpret_cast<message*>(r.message)[buffer_phase];
        element* multiplier = r.multiplier + buffer_phase * window * window;
        if (blocks.rank == 0) {
            const message m = advance_chain(h, w, u, window, n, in, wanted, c, log);
            if (threadIdx.x == 0) said = m;
            if (blocks.count > 1 && m.next == multiply)
                copy_elements(
                    window, window, [=](int i, int k) { return u(k, i); },
                    [=](int i, int k, element x) { multiplier[i * window + k] = x; });
        }
        grid_barrier(blocks.count);
        const message m = said;
        if (m.next != multiply) return {m.next, m.top};
        if (blocks.rank > 0) {
            copy_elements(
                window, window, [=](int i, int k) { return multiplier[i * window + k]; },
                [=](int i, int k, element x) { u(k, i) = x; });
            __syncthreads();
        }
        const int right = m.top + m.size;
        if (m.near == 0 || blocks.count == 1) {
            multiply_rest(h, z, u, x, in, wanted, m, right, blocks);
            grid_barrier(blocks.count);
        } else if (blocks.rank == 0) {
            multiply_lines({h, right, m.near, m.top, true}, u, m, x);
        } else {
            multiply_rest(h, z, u, x, in, wanted, m, right + m.near, {blocks.rank - 1, blocks.count - 1});
        }
    }
}
)cuda"
