// Makes a Hessenberg matrix in shared memory triangular, real ones but for pairs of conjugate eigenvalues; behind the
// shifts.
R"cuda(
// A sweep under way, in the registers of the first warp.
struct progress {
    int low, high;      // the active block's rows
    int start;          // the sweep's first reflector
    int turns, sweeps;  // since the last eigenvalue was found, and in all
    element x[order];   // the first reflector's column
};

// Ahues' and Tisseur's criterion for an element below the diagonal that may count as zero. Where it is `late`, what is
// small beside all its neighbours will do: a diagonal of almost zeros is never small itself.
template <class Matrix>
__device__ bool is_small(Matrix h, int k, span in, real tiny, bool late) {
    const real below = size_of(h(k, k - 1));
    if (below <= tiny) return true;
    const element c = h(k - 1, k - 1), d = h(k, k);
    real sum = size_of(c) + size_of(d);
    if (sum == 0 || late) {
        if (k - 2 >= in.first) sum += size_of(h(k - 1, k - 2));
        if (k + 1 <= in.last) sum += size_of(h(k + 1, k));
    }
    if (below > ulp * sum || late) return below <= ulp * sum;
    const real beside = size_of(h(k - 1, k)), gap = size_of(c - d), own = size_of(d);
    const real ab = larger(below, beside), ba = smaller(below, beside), aa = larger(own, gap), bb = smaller(own, gap),
               s = aa + ab;
    return ba * (ab / s) <= larger(tiny, ulp * (bb * (aa / s)));
}

// The first row of the block that ends at row `high`.
template <class Matrix>
__device__ int find_block(Matrix h, int high, span in, bool late) {
    const int lane = threadIdx.x % 32;
    const real tiny = least * ((in.last - in.first + 1) / ulp);
    for (int begin = high; begin > in.first; begin -= 32) {
        const int k = begin - lane;
        const unsigned found = __ballot_sync(0xFFFFFFFF, k > in.first && is_small(h, k, in, tiny, late));
        if (found) return begin - __ffs(found) + 1;
    }
    return in.first;
}

// The lowest row of the block where a sweep may begin, and its column.
__device__ void begin_sweep(tile h, progress& p) {
    const int lane = threadIdx.x % 32;
    const auto shift = find_shifts(h, p.low, p.high, p.turns);
    for (int begin = p.high - order + 1;; begin -= 32) {
        const int i = begin - lane;
        element x[order] = {};
        if (i >= p.low) find_start(h, i, shift, x);
        const unsigned found = __ballot_sync(0xFFFFFFFF, i == p.low || (i > p.low && may_start(h, i, x)));
        if (!found) continue;
        const int from = __ffs(found) - 1;
#pragma unroll
        for (int j = 0; j < order; ++j) p.x[j] = from_lane(x[j], from);
        p.start = begin - from;
        return;
    }
}

// Takes rows off the end of the active block until there is a sweep to begin, or something for the block to do.
__device__ bool deflate(tile h, progress& p, span in, bool wanted, sweep_log& log) {
    const int lane = threadIdx.x % 32;
    auto report = [&](int next) {
        if (lane == 0) log.next = next, log.last = p.high;
    };
    for (;;) {
        if (p.high < in.first) return report(done), false;
        p.low = find_block(h, p.high, in, p.turns >= 20);
        __syncwarp();
        if (lane == 0 && p.low > in.first) h(p.low, p.low - 1) = zero();
        __syncwarp();
        if (p.high - p.low >= order - 1) break;
        const bool pair = p.high > p.low;
        if (pair) split_rows(h, p.high, log);
        __syncwarp();
        if (pair && wanted) report(rotate);
        p.high = p.low - 1, p.turns = 0;
        if (pair && wanted) return false;
    }
    if (p.sweeps++ == 30 * (in.last - in.first < 10 ? 10 : in.last - in.first + 1)) return report(failed), false;
    ++p.turns;
    begin_sweep(h, p);
    return true;
}

// LAPACK's larfg: `becomes` is what is left of x.
__device__ reflector reflect_small(const element (&x)[order], real& becomes) {
    real size = 0, squares = 0, scale = 1;
    element y[order];
#pragma unroll
    for (int j = 0; j < order; ++j) y[j] = x[j], size = larger(size, size_of(x[j]));
    if (size > 0 && (size < small_square || size > 1 / small_square)) {
        scale = size;
#pragma unroll
        for (int j = 0; j < order; ++j) y[j] = over(x[j], scale);
    }
    // What is too small to have a square still has to move, or a sweep may leave everything as it is.
    bool needed = false;
#pragma unroll
    for (int j = 1; j < order; ++j) squares += square_of(y[j]), needed |= size_of(y[j]) != 0;
    const reflection r = reflection_of(y[0], 1, squares, needed);
    const element inverse = inverse_of(r.divisor);
    reflector result{r.factor, {}};
#pragma unroll
    for (int j = 1; j < order; ++j) result.rest[j - 1] = y[j] * inverse;
    becomes = r.becomes * scale;
    return result;
}

// y becomes H'y, for `adjoint`, or y H.
template <bool adjoint>
__device__ void reflect_elements(const reflector& r, element (&y)[order]) {
    element dot = y[0];
#pragma unroll
    for (int j = 1; j < order; ++j) dot = dot + (adjoint ? conjugate(r.rest[j - 1]) : r.rest[j - 1]) * y[j];
    dot = (adjoint ? conjugate(r.factor) : r.factor) * dot;
    y[0] = y[0] - dot;
#pragma unroll
    for (int j = 1; j < order; ++j) y[j] = y[j] - dot * (adjoint ? r.rest[j - 1] : conjugate(r.rest[j - 1]));
}

// The same for elements in memory, of which there are two or three.
template <bool adjoint>
__device__ void reflect_at(const reflector& r, element* p, int step, int count) {
    element y[order];
#pragma unroll
    for (int j = 0; j < order; ++j) y[j] = j < count ? p[j * step] : zero();
    reflect_elements<adjoint>(r, y);
#pragma unroll
    for (int j = 0; j < order; ++j)
        if (j < count) p[j * step] = y[j];
}

// The first warp takes a sweep through the active block, and these rows and columns.
__device__ void sweep(tile h, progress& p, span all, sweep_log& log) {
    const int lane = threadIdx.x % 32, first = p.start;
    for (int k = first; k < p.high; ++k) {
        const int count = smaller(order, p.high - k + 1);
        if (k > first) {
#pragma unroll
            for (int j = 0; j < order; ++j) p.x[j] = j < count ? h(k + j, k - 1) : zero();
        }
        real becomes = 0;
        const reflector r = reflect_small(p.x, becomes);
        __syncwarp();
        if (lane == 0) {
            log.reflectors[k - first] = r;
            if (k > first)
                for (int j = 0; j < count; ++j) h(k + j, k - 1) = j == 0 ? times(one(), becomes) : zero();
            else if (k > p.low) h(k, k - 1) = h(k, k - 1) * (one() - conjugate(r.factor));
        }
        for (int c = k + lane; c <= all.last; c += 32) reflect_at<true>(r, &h(k, c), 1, count);
        __syncwarp();
        for (int row = all.first + lane; row <= smaller(k + order, p.high); row += 32)
            reflect_at<false>(r, &h(row, k), h.ld, count);
        __syncwarp();
    }
    if (lane == 0) log.next = reflect, log.first = first, log.count = p.high - first, log.last = p.high;
}

// The first warp's part: it stops when there is something for the others to do.
__device__ void advance(tile h, progress& p, int n, span in, bool wanted, sweep_log& log) {
    do {
        if (!deflate(h, p, in, wanted, log)) return;
        sweep(h, p, wanted ? span{0, n - 1} : span{p.low, p.high}, log);
    } while (!wanted);
}

// A row times all reflectors of a log, from column log.first on; its elements lie `step` apart.
__device__ void reflect_row_by_log(const sweep_log& log, element* p, int step) {
    const int last = log.last - log.first;
    element y[order];
#pragma unroll
    for (int j = 0; j < order; ++j) y[j] = j <= last ? p[j * step] : zero();
    for (int i = 0; i < log.count; ++i) {
        const element next = i + order <= last ? p[(i + order) * step] : zero();
        reflect_elements<false>(log.reflectors[i], y);
        p[i * step] = y[0];
#pragma unroll
        for (int j = 1; j < order; ++j) y[j - 1] = y[j];
        y[order - 1] = next;
    }
#pragma unroll
    for (int j = 0; j < order - 1; ++j)
        if (log.count + j <= last) p[(log.count + j) * step] = y[j];
}

__device__ void rotate_pair(const sweep_log& log, element* p, int step) {
    const element x = p[0], y = p[step];
    p[0] = times(x, log.cosine) + times(y, log.sine);
    p[step] = times(y, log.cosine) - times(x, log.sine);
}

// Whether the iteration has converged, or the row that it has failed for.
struct outcome {
    int next, row;
};

// What the log says for z, and of a rotation for the columns on its right and the rows above, too.
__device__ void follow(tile h, tile z, int n, span in, const sweep_log& log) {
    const int columns = log.next == rotate ? n - 1 - log.last : 0, rows = log.next == rotate ? log.last - 1 : 0;
    for (int i = threadIdx.x; i < columns + rows + in.last - in.first + 1; i += blockDim.x) {
        const bool is_column = i < columns, in_h = i < columns + rows;
        const int row = in_h ? i - columns : in.first + i - columns - rows;
        const tile m{in_h ? h.first : z.first, in_h ? h.ld : z.ld};
        if (log.next == rotate)
            rotate_pair(log, is_column ? &h(log.last - 1, log.last + 1 + i) : &m(row, log.last - 1),
                        is_column ? 1 : m.ld);
        else reflect_row_by_log(log, &m(row, log.first), m.ld);
    }
}

// LAPACK's lahqr for at most `side` rows in shared memory: one warp makes the sweeps, the block does the same to z.
__device__ outcome solve_block(tile h, tile z, int n, span in, bool wanted, sweep_log& log) {
    progress p{in.first, in.last, 0, 0, 0, {}};
    for (;;) {
        __syncthreads();
        if (threadIdx.x < 32) advance(h, p, n, in, wanted, log);
        __syncthreads();
        if (log.next == done || log.next == failed) return {log.next, log.last};
        follow(h, z, n, in, log);
    }
}
)cuda"
