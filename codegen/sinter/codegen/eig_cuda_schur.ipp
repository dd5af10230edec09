// The part of eig_cuda.hpp's text that makes a Hessenberg matrix triangular, real ones but for pairs of conjugate
// eigenvalues.
#pragma once

#include <sinter/codegen/eig_cuda.hpp>
#include <sinter/codegen/eig_cuda_shifts.ipp>

namespace sinter::inline SINTER_ABI::codegen {

// Reflectors of a sweep, and where the threads of the block have to apply them.
SINTER_INLINE const char* eig_sweep_log() {
    return R"(
struct reflector {
    element factor, rest[order - 1];
};

enum { done, failed, reflect, rotate };

// What the first warp has done in its window and the others do elsewhere.
struct sweep_log {
    reflector reflectors[side];
    int next;
    int first, count, last;          // the first row of a reflector, how many there are, and the last row they may touch
    int top, above, right, columns;  // rows from top to above, columns from right on
    real cosine, sine;
    real warps[32];
};
)";
}

SINTER_INLINE const char* eig_deflation() {
    return R"(
// A sweep under way, in the registers of the first warp.
struct progress {
    int low, high;     // the active block's rows
    int start, at;     // the sweep's first reflector, and its next, or -1
    int turns, sweeps;  // since the last eigenvalue was found, and in all
    element x[order];  // the first reflector's column
};

// Ahues' and Tisseur's criterion for an element below the diagonal that may count as zero. Where it is `late`, what is small beside
// all its neighbours will do: a diagonal of almost zeros is never small itself.
__device__ bool is_small(const matrix& h, int k, span in, real tiny, bool late) {
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
    const real ab = larger(below, beside), ba = smaller(below, beside), aa = larger(own, gap), bb = smaller(own, gap), s = aa + ab;
    return ba * (ab / s) <= larger(tiny, ulp * (bb * (aa / s)));
}

// The first row of the block that ends at row `high`.
__device__ int find_block(const matrix& h, int high, span in, bool late) {
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
__device__ void begin_sweep(const matrix& h, progress& p) {
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
        p.start = p.at = begin - from;
        return;
    }
}

// Takes rows off the end of the active block until there is a sweep to begin, or something for the block to do.
__device__ bool deflate(const matrix& h, progress& p, span in, bool wanted, sweep_log& log, int n) {
    const int lane = threadIdx.x % 32;
    auto report = [&](int next) {
        if (lane == 0) log.next = next, log.last = p.high, log.top = 0, log.above = p.high - 1, log.right = p.high + 1, log.columns = n;
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
)";
}

SINTER_INLINE const char* eig_chase() {
    return R"(
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
__device__ void reflect_at(const reflector& r, element* p, long long step, int count) {
    element y[order];
#pragma unroll
    for (int j = 0; j < order; ++j) y[j] = j < count ? p[j * step] : zero();
    reflect_elements<adjoint>(r, y);
#pragma unroll
    for (int j = 0; j < order; ++j)
        if (j < count) p[j * step] = y[j];
}

// The first warp goes on with a sweep as far as its window reaches, which holds the rows from `top` on and as many columns.
__device__ void chase(const matrix& w, int top, int until, progress& p, span rows, sweep_log& log) {
    const int lane = threadIdx.x % 32, first = p.at;
    for (; p.at < until; ++p.at) {
        const int k = p.at - top, count = smaller(order, p.high - p.at + 1);
        if (p.at > p.start) {
#pragma unroll
            for (int j = 0; j < order; ++j) p.x[j] = j < count ? w(k + j, k - 1) : zero();
        }
        real becomes = 0;
        const reflector r = reflect_small(p.x, becomes);
        __syncwarp();
        if (lane == 0) {
            log.reflectors[p.at - first] = r;
            if (p.at > p.start)
                for (int j = 0; j < count; ++j) w(k + j, k - 1) = j == 0 ? times(one(), becomes) : zero();
            else if (p.at > p.low) w(k, k - 1) = w(k, k - 1) * (one() - conjugate(r.factor));
        }
        for (int c = k + lane; c <= rows.last - top; c += 32) reflect_at<true>(r, &w(k, c), 1, count);
        __syncwarp();
        const int last = smaller(p.at + order, p.high) - top;
        for (int row = rows.first - top + lane; row <= last; row += 32) reflect_at<false>(r, &w(row, k), w.ld, count);
        __syncwarp();
    }
    if (lane == 0) log.next = reflect, log.first = first, log.count = until - first, log.last = p.high;
    if (until == p.high) p.at = -1;
}

// The first warp's part: it stops when there is something for the others to do.
__device__ void advance(const matrix& h, const matrix& window, progress& p, int n, span in, bool wanted, sweep_log& log) {
    const int lane = threadIdx.x % 32;
    const bool whole = n <= side;
    for (;;) {
        if (p.at < 0 && !deflate(h, p, in, wanted, log, n)) return;
        const span rows{wanted ? 0 : p.low, wanted ? n - 1 : p.high};
        if (whole) {
            chase(h, 0, p.high, p, rows, log);
            if (lane == 0) log.top = log.above = 0, log.right = log.columns = n;
            if (wanted) return;
            continue;
        }
        const int until = smaller(p.at + side - order - 1, p.high), top = p.at > p.low ? p.at - 1 : p.low, bottom = smaller(until - 1 + order, p.high);
        for (int c = top; c <= bottom; ++c)
            if (top + lane <= bottom) window(lane, c - top) = h(top + lane, c);
        __syncwarp();
        chase(window, top, until, p, {top, bottom}, log);
        for (int c = top; c <= bottom; ++c)
            if (top + lane <= bottom) h(top + lane, c) = window(lane, c - top);
        if (lane == 0) log.top = rows.first, log.above = top, log.right = bottom + 1, log.columns = rows.last + 1;
        __syncwarp();
        if (wanted || rows.first < top || bottom < rows.last) return;
    }
}
)";
}

SINTER_INLINE const char* eig_iterate() {
    return R"(
// All reflectors of a log for elements that lie `step` apart, from row or column log.first on.
template <bool adjoint>
__device__ void reflect_line(const sweep_log& log, element* p, long long step) {
    const int last = log.last - log.first;
    element y[order];
#pragma unroll
    for (int j = 0; j < order; ++j) y[j] = j <= last ? p[j * step] : zero();
    for (int i = 0; i < log.count; ++i) {
        const element next = i + order <= last ? p[(i + order) * step] : zero();
        reflect_elements<adjoint>(log.reflectors[i], y);
        p[i * step] = y[0];
#pragma unroll
        for (int j = 1; j < order; ++j) y[j - 1] = y[j];
        y[order - 1] = next;
    }
#pragma unroll
    for (int j = 0; j < order - 1; ++j)
        if (log.count + j <= last) p[(log.count + j) * step] = y[j];
}

__device__ void rotate_pair(const sweep_log& log, element* p, long long step) {
    const element x = p[0], y = p[step];
    p[0] = times(x, log.cosine) + times(y, log.sine);
    p[step] = times(y, log.cosine) - times(x, log.sine);
}

// What the log says for the columns on the right of the window, the rows above it, and z.
__device__ void follow(const matrix& h, const matrix& z, span in, bool wanted, const sweep_log& log) {
    const int columns = larger(log.columns - log.right, 0), rows = larger(log.above - log.top, 0);
    const int all = columns + rows + (wanted ? in.last - in.first + 1 : 0);
    for (int i = threadIdx.x; i < all; i += blockDim.x) {
        const bool is_column = i < columns, in_h = i < columns + rows;
        const int row = in_h ? log.top + i - columns : in.first + i - columns - rows;
        const matrix& m = in_h ? h : z;
        if (log.next == rotate) rotate_pair(log, is_column ? &h(log.last - 1, log.right + i) : &m(row, log.last - 1), is_column ? 1 : m.ld);
        else if (is_column) reflect_line<true>(log, &h(log.first, log.right + i), 1);
        else reflect_line<false>(log, &m(row, log.first), m.ld);
    }
}

// LAPACK's lahqr. One warp chases the bulges of a sweep along the diagonal, the block applies what it did to all else.
__device__ void iterate(const matrix& h, const matrix& z, const matrix& window, int n, span in, bool wanted, sweep_log& log) {
    progress p{in.first, in.last, 0, -1, 0, 0, {}};
    for (;;) {
        __syncthreads();
        if (threadIdx.x < 32) advance(h, window, p, n, in, wanted, log);
        __syncthreads();
        if (log.next == done || log.next == failed) return;
        follow(h, z, in, wanted, log);
    }
}
)";
}

SINTER_INLINE std::string eig_schur(dtype t) {
    return std::string(eig_sweep_log()) + (is_complex(t) ? eig_shifts_of_complex() : eig_shifts_of_reals()) +
           eig_deflation() + eig_chase() + eig_iterate();
}

}  // namespace sinter::inline SINTER_ABI::codegen
