// LU factors with exchanges of rows, a panel of columns at a time; behind element.cuh and grid_barrier.cuh.
R"cuda(
// Where a panel's matrix is in a stack, which lies along the other axes of the grid: elements, pivots and rows apart.
struct panel_stack {
    long long count, elements;
    int pivots, rows;
};
__device__ long long matrix_of_grid() { return blockIdx.y + (long long)gridDim.y * blockIdx.z; }

//@ if exchanges
// Exchanges the rows that `factor_panel` has of a panel in the other columns from `begin` to `end`, and solves those
// between the panel and `solved` for its part of U; four columns to a warp. `a` is the panel's first row, from the
// matrix's first column.
extern "C" __global__ void __launch_bounds__(256)
    exchange_rows(element* a, long long ld, int begin, int end, int panel, int n, int solved, const int* from,
                  const int* to, panel_stack stack) {
    __shared__ element lower[width][width + 1];
    const long long matrix = matrix_of_grid();
    if (matrix >= stack.count) return;
    a += matrix * stack.elements, from += matrix * moves, to += matrix * moves;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int i = threadIdx.x; i < width * width; i += 256) {
        const int r = i % width, c = i / width;
        lower[c][r] = c < r && r < n ? a[r + (panel + c) * ld] : zero();
    }
    __syncthreads();
    const int source = lane < n ? from[lane] : 0, target = lane < n ? to[lane] : -1;
    element x[4], before[4];
    int column[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        column[k] = begin + (blockIdx.x * 8 + warp) * 4 + k;
        if (column[k] >= panel) column[k] += n;
        if (lane >= n || column[k] >= end) continue;
        x[k] = a[source + column[k] * ld];
        before[k] = a[lane + column[k] * ld];
    }
    __syncwarp();
    if (column[3] > panel && column[0] < solved) {
#pragma unroll 4
        for (int i = 0; i < width - 1; ++i) {
            const element factor = lower[i][lane % width];
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                const element y = from_lane(x[k], i);
                if (lane > i && column[k] > panel && column[k] < solved) x[k] = x[k] - factor * y;
            }
        }
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        if (lane >= n || column[k] >= end) continue;
        a[lane + column[k] * ld] = x[k];
        if (target >= 0) a[target + column[k] * ld] = before[k];
    }
}
//@ else
typedef unsigned long long word;

// A number that is larger where a size is, and never zero; NaNs are larger than all else.
__device__ word key_of(double size) {
    union {
        double size;
        word bits;
    } x{size};
    return (x.bits & ~0ull >> 1) + 1;
}
__device__ word key_of(float size) {
    union {
        float size;
        unsigned bits;
    } x{size};
    return ((x.bits & ~0u >> 1) + 1ull) << 32;
}

template <class T>
__device__ T inverse_of(T x) {
    return one() / x;
}
#if __CUDA_ARCH__
// A division's many steps would stand between any two columns; within the range it is used for this is as good but for
// the last bit.
__device__ double inverse_of(double x) {
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    for (int i = 0; i < 2; ++i) y = __fma_rn(__fma_rn(-x, y, 1.0), y, y);
    return y;
}
#endif

__device__ unsigned most_of_lanes(unsigned x) {
#if __CUDA_ARCH__ && __CUDA_ARCH__ < 800
    for (int bits = 16; bits > 0; bits /= 2) {
        const unsigned other = __shfl_xor_sync(0xFFFFFFFF, x, bits);
        x = x > other ? x : other;
    }
    return x;
#else
    return __reduce_max_sync(0xFFFFFFFF, x);
#endif
}

// The lane with the largest key, of equal ones the first by `at`: half of a key decides but for close ones.
__device__ int best_lane(word key, int at) {
    const unsigned high = (unsigned)(key >> 32), most = most_of_lanes(high);
    unsigned lanes = __ballot_sync(0xFFFFFFFF, high == most);
    if (lanes & (lanes - 1)) {
        const unsigned low = high == most ? (unsigned)key : 0, most_low = most_of_lanes(low);
        const bool equal = high == most && low == most_low;
        const unsigned least = ~most_of_lanes(equal ? ~(unsigned)at : 0u);
        lanes = __ballot_sync(0xFFFFFFFF, equal && (unsigned)at == least);
    }
    return __ffs(lanes) - 1;
}

// A row that may become the pivot's: what is left of it from the panel's current column on.
struct alignas(16) candidate {
    element row[width];
    element inverse;
    word key;
    int at;
    int how;  // to divide by the pivot: 0 times its inverse, 1 by division, for that would overflow, 2 not at all, it
              // is zero
};

struct warp_best {
    word key;
    int at;
};

struct panel_scratch {
    warp_best warps[2][32];
    candidate found[2][16];
    candidate own;
    word barriers[2];
};

#if __CUDA_ARCH__ >= 900
// Blocks of a cluster send each other their candidates; a block waits until it has all of a column.
__device__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ unsigned in_block(unsigned address, int block) {
    unsigned there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(block));
    return there;
}
__device__ void begin_cluster(panel_scratch& scratch) {
    if (threadIdx.x == 0) {
        for (int i = 0; i < 2; ++i)
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&scratch.barriers[i]))
                         : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ void send_candidate(panel_scratch& scratch, int buffer, int rank, int blocks, int lane) {
    if (lane >= (int)sizeof(candidate) / 16) return;
    const ulonglong2 part = reinterpret_cast<const ulonglong2*>(&scratch.own)[lane];
    const unsigned to = shared_address(reinterpret_cast<ulonglong2*>(&scratch.found[buffer][rank]) + lane),
                   barrier = shared_address(&scratch.barriers[buffer]);
    for (int block = 0; block < blocks; ++block)
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 [%0], {%1, %2}, [%3];" ::"r"(
                         in_block(to, block)),
                     "l"(part.x), "l"(part.y), "r"(in_block(barrier, block))
                     : "memory");
}
__device__ void receive_candidates(panel_scratch& scratch, int buffer, int parity, int blocks) {
    const unsigned barrier = shared_address(&scratch.barriers[buffer]), bytes = blocks * (unsigned)sizeof(candidate);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
    unsigned done = 0;
    while (!done)
        asm volatile(
            "{\n.reg .pred p;\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, "
            "0, p;\n}"
            : "=r"(done)
            : "r"(barrier), "r"(parity)
            : "memory");
}
#endif

// A row of the panel: where it is by now, and whether it may still become a pivot's.
struct panel_row {
    int at;
    bool free;
    element v[width];
};

// Eight columns, of which v[0] is the current one: each step takes it away and puts what it becomes behind the other
// columns that are left, so that no register is asked for by number.
template <int left>
__device__ void factor_columns(panel_scratch& scratch, panel_row& my, int begin, int n, int first, int* pivots,
                               int& singular) {
    const int rank = blockIdx.x, blocks = gridDim.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll 1
    for (int k = 0; k < 8; ++k) {
        const int column = begin + k, buffer = column % 2;
        element factor = zero(), last = my.v[0];
        if (column >= n) {
#pragma unroll
            for (int i = 1; i < left; ++i) my.v[i - 1] = my.v[i];
            my.v[left - 1] = last;
            continue;
        }
        const word key = my.free ? key_of(size_of(my.v[0])) : 0;
        const bool mine = lane == best_lane(key, my.at);
        if (mine) scratch.warps[buffer][warp] = {key, my.at};
        __syncthreads();
        const bool is_warp = lane < (int)blockDim.x / 32;
        if (warp ==
            best_lane(is_warp ? scratch.warps[buffer][lane].key : 0, is_warp ? scratch.warps[buffer][lane].at : -1)) {
            candidate& c = blocks > 1 ? scratch.own : scratch.found[buffer][0];
            if (mine) {
                const real size = size_of(my.v[0]);
#pragma unroll
                for (int i = 0; i < left; ++i) c.row[i] = my.v[i];
                c.key = key, c.at = my.at, c.how = size > least && size < 1 / least ? 0 : size == 0 ? 2 : 1;
                c.inverse = inverse_of(my.v[0]);
            }
            __syncwarp();
            if (lane >= left - k && lane < left) c.row[lane] = zero();
#if __CUDA_ARCH__ >= 900
            __syncwarp();
            if (blocks > 1) send_candidate(scratch, buffer, rank, blocks, lane);
#endif
        }
        int block = 0;
        if (blocks == 1) __syncthreads();
#if __CUDA_ARCH__ >= 900
        else {
            receive_candidates(scratch, buffer, column / 2 % 2, blocks);
            block = best_lane(lane < blocks ? scratch.found[buffer][lane].key : 0,
                              lane < blocks ? scratch.found[buffer][lane].at : -1);
        }
#endif
        const candidate* pivot = &scratch.found[buffer][block];
        if (pivot->how == 2 && singular == 0) singular = first + column + 1;
        if (my.free && my.at == pivot->at) {
            pivots[column] = my.at + first + 1;
            my.at = column;
            my.free = false;
        } else if (my.free) {
            if (my.at == column) my.at = pivot->at;
            if (pivot->how == 0) factor = last * pivot->inverse;
            else if (pivot->how == 1) factor = last / pivot->row[0];
            if (pivot->how < 2) last = factor;
        }
#pragma unroll
        for (int i = 1; i < left; ++i) my.v[i - 1] = my.v[i] - factor * pivot->row[i];
        my.v[left - 1] = last;
    }
    if constexpr (left > 8) factor_columns<left - 8>(scratch, my, begin + 8, n, first, pivots, singular);
}

// LU factors of m rows and n columns, at most `width`, as LAPACK's getrf, by one block or a cluster: a thread holds a
// row, and rows change place only when all is done. `from`: which row each of the first n was; `to`: where each of
// these went, or -1 if it is among them, both of them `moves` apart; `rows`, which may be null, tells the same of the
// whole matrix, from whose row `first` this begins.
extern "C" __global__ void __launch_bounds__($threads)
    factor_panel(element* a, long long ld, int m, int n, int first, int* pivots, int* from, int* to, int* rows,
                 int* info, panel_stack stack) {
    __shared__ panel_scratch scratch;
    const long long matrix = matrix_of_grid();
    if (matrix >= stack.count) return;
    a += matrix * stack.elements, pivots += matrix * stack.pivots, from += matrix * moves, to += matrix * moves,
        info += matrix;
    if (rows) rows += matrix * stack.rows;
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    panel_row my;
    my.at = row;
    my.free = row < m;
#pragma unroll
    for (int c = 0; c < width; ++c) my.v[c] = row < m && c < n ? a[row + c * ld] : zero();
    const int number = rows && first > 0 && row < m ? rows[row] : row;
#if __CUDA_ARCH__ >= 900
    if (gridDim.x > 1) begin_cluster(scratch);
#endif
    int singular = 0;
    factor_columns<width>(scratch, my, 0, n, first, pivots, singular);
    if (row >= m) return;
#pragma unroll
    for (int c = 0; c < width; ++c)
        if (c < n) a[my.at + c * ld] = my.v[width - 8 - c / 8 * 8 + c % 8];
    if (my.at < n) from[my.at] = row;
    if (row < n) to[row] = my.at < n ? -1 : my.at;
    if (rows) rows[my.at] = number;
    if (row == 0 && singular > 0 && *info == 0) *info = singular;
}

//@ if any_rows
// The best of all blocks, each of which has one in `own`; for whole warps.
__device__ int best_of_blocks(const warp_best& own) {
#if __CUDA_ARCH__ >= 900
    if (gridDim.x > 1) {
        const int lane = threadIdx.x % 32;
        warp_best there{0, -1};
        if (lane < (int)gridDim.x) {
            asm volatile("ld.shared::cluster.u64 %0, [%1];"
                         : "=l"(there.key)
                         : "r"(in_block(shared_address(&own.key), lane))
                         : "memory");
            asm volatile("ld.shared::cluster.u32 %0, [%1];"
                         : "=r"(there.at)
                         : "r"(in_block(shared_address(&own.at), lane))
                         : "memory");
        }
        return __shfl_sync(0xFFFFFFFF, there.at, best_lane(there.key, there.at));
    }
#endif
    return own.at;
}

// What n exchanges of a row with a chosen one, in their order, make of `from`, `to` and `rows`; by one thread.
__device__ void note_exchanges(const int* chosen, int n, int* from, int* to, int* rows) {
    int places[2 * width], held[2 * width], count = 0;
    auto entry = [&](int place) -> int& {
        for (int i = 0; i < count; ++i)
            if (places[i] == place) return held[i];
        places[count] = held[count] = place;
        return held[count++];
    };
    for (int column = 0; column < n; ++column) {
        int &x = entry(column), &y = entry(chosen[column]), was = x;
        x = y, y = was;
        if (!rows) continue;
        was = rows[column];
        rows[column] = rows[chosen[column]], rows[chosen[column]] = was;
    }
    for (int i = 0; i < n; ++i) from[i] = entry(i), to[i] = -1;
    for (int i = 0; i < count; ++i)
        if (held[i] < n && places[i] >= n) to[held[i]] = places[i];
}

// The same for more rows than all threads of a cluster: rows stay in memory, and change place at once.
extern "C" __global__ void __launch_bounds__(1024)
    factor_long_panel(element* a, long long ld, int m, int n, int first, int* pivots, int* from, int* to, int* rows,
                      int* info, panel_stack stack) {
    __shared__ warp_best warps[32], of_block;
    __shared__ element pivot_row[width];
    __shared__ int chosen[width];
    const long long matrix = matrix_of_grid();
    if (matrix >= stack.count) return;
    a += matrix * stack.elements, pivots += matrix * stack.pivots, from += matrix * moves, to += matrix * moves,
        info += matrix;
    if (rows) rows += matrix * stack.rows;
    const int me = threadIdx.x, lane = me % 32, threads = blockDim.x, rank = blockIdx.x, own = rank * threads + me,
              step = gridDim.x * threads;
    auto has = [&](int row) { return row / threads % (int)gridDim.x == rank; };
    int singular = 0;
    warp_best best{0, -1};
    auto look_at = [&](int row, element x) {
        const word key = key_of(size_of(x));
        if (key > best.key) best = {key, row};
    };
    for (int row = own; row < m; row += step) look_at(row, a[row]);
    for (int column = 0; column < n; ++column) {
        if (lane == best_lane(best.key, best.at)) warps[me / 32] = best;
        __syncthreads();
        const warp_best of_lane = lane < threads / 32 ? warps[lane] : warp_best{0, -1};
        const int best_warp = best_lane(of_lane.key, of_lane.at);
        if (me == 0) of_block = warps[best_warp];
        grid_barrier(gridDim.x);
        const int pivot = best_of_blocks(of_block);
        element other = zero();
        if (me < n) other = a[column + me * ld], pivot_row[me] = a[pivot + me * ld];
        grid_barrier(gridDim.x);
        if (me < n && has(pivot)) a[pivot + me * ld] = other;
        __syncthreads();
        if (me < n && has(column)) a[column + me * ld] = pivot_row[me];
        const real size = size_of(pivot_row[column]);
        const bool invertible = size > least && size < 1 / least;
        const element inverse = inverse_of(pivot_row[column]);
        if (size == 0 && singular == 0) singular = first + column + 1;
        if (own == 0) chosen[column] = pivot, pivots[column] = pivot + first + 1;
        best = {0, -1};
        for (int row = own > column ? own : own + (column - own + step) / step * step; row < m; row += step) {
            element factor = a[row + column * ld];
            if (size != 0) a[row + column * ld] = factor = invertible ? factor * inverse : factor / pivot_row[column];
            else factor = zero();
#pragma unroll
            for (int k = 1; k < width; ++k) {
                if (k <= column || k >= n) continue;
                const element x = a[row + k * ld] - factor * pivot_row[k];
                a[row + k * ld] = x;
                if (k == column + 1) look_at(row, x);
            }
        }
        __syncthreads();
    }
    if (rows && first == 0)
        for (int row = own; row < m; row += step) rows[row] = row;
    grid_barrier(gridDim.x);
    if (own > 0) return;
    note_exchanges(chosen, n, from, to, rows);
    if (singular > 0 && *info == 0) *info = singular;
}
//@ end
//@ end
)cuda"
