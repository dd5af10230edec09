// QR factors of stacks of large matrices, a panel of columns at a time, and what a panel's reflectors do to other
// columns as products; behind scaling.cuh and grid_barrier.cuh.
R"cuda(
// What the blocks that share a panel add up: a number of each column, and the row that the next reflector begins with.
struct panel_scratch {
    element warps[8][width];
    element sums[width], top[width];
    int exponents[width];
    element *sums_of_blocks, *tops;  // two of each, which take turns
    int rank, blocks;
};

// The sums over all blocks of the columns' numbers, or where `most` is set the largest ones, in room.sums; each block's
// row `top`, which one of them has written, in room.top.
__device__ void combine(panel_scratch& scratch, const element (&mine)[width], int buffer_phase, bool most) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, own = threadIdx.x;
    auto join = [most](element a, element b) { return !most ? a + b : real_part(b) > real_part(a) ? b : a; };
#pragma unroll
    for (int k = 0; k < width; ++k) {
        element x = mine[k];
        for (int bits = 16; bits > 0; bits /= 2) x = join(x, across_warp(x, bits));
        if (lane == 0) scratch.warps[warp][k] = x;
    }
    element *sums = scratch.sums_of_blocks + buffer_phase * most_blocks * width,
            *top = scratch.tops + buffer_phase * width;
    __syncthreads();
    if (own < width) {
        element x = scratch.warps[0][own];
        for (int i = 1; i < 8; ++i) x = join(x, scratch.warps[i][own]);
        sums[scratch.rank * width + own] = x;
    }
    grid_barrier(scratch.blocks);
    if (own < width) {
        element x = sums[own];
        for (int i = 1; i < scratch.blocks; ++i) x = join(x, sums[i * width + own]);
        scratch.sums[own] = x, scratch.top[own] = top[own];
    }
    __syncthreads();
}

// The reflector that leaves of a column `first` alone, `squares` being the sum of the others' squares; see LAPACK's
// larfg.
struct reflector {
    element tau, scale;
    real becomes;
};
__device__ reflector make_reflector(element first, real squares) {
    const real length = sqrt(square_of(first) + squares), beta = real_part(first) > 0 ? -length : length;
    if (length == 0 || (squares == 0 && imaginary_part(first) == 0)) return {zero(), zero(), real_part(first)};
    return {(real_element(beta) - first) / real_element(beta), one() / (first - real_element(beta)), beta};
}

// QR factors of panels of m rows and n columns, at most `width`, as LAPACK's geqrf leaves them. A thread has rows of
// its own; one pass over them takes a reflector from the columns behind and adds up what the next one needs. Columns
// are scaled by powers of two, so that no square overflows and what vanishes is nothing beside the column. `scratch` is
// for sums, and matrices lie `apart` elements apart.
extern "C" __global__ void __launch_bounds__(256)
    reflect_panel(element* a, long long ld, long long apart, element* tau, long long tau_apart, long long m, int n,
                  int blocks, element* sums) {
    __shared__ panel_scratch shared;
    panel_scratch& scratch = shared;
    const long long matrix = blockIdx.x / blocks, step = blocks * 256ll;
    if (threadIdx.x == 0) {
        element* own = sums + matrix * (2 * (most_blocks + 1) * width);
        scratch.sums_of_blocks = own, scratch.tops = own + 2 * most_blocks * width;
        scratch.rank = blockIdx.x % blocks, scratch.blocks = blocks;
    }
    __syncthreads();
    const long long first = scratch.rank * 256ll + threadIdx.x;
    a += matrix * apart, tau += matrix * tau_apart;
    element numbers[width];
#pragma unroll
    for (int k = 0; k < width; ++k) numbers[k] = zero();
    for (long long row = first; row < m; row += step)
#pragma unroll
        for (int k = 0; k < width; ++k)
            if (k < n) {
                const element value = a[row + k * ld];
                const real re = size_of(real_part(value)), im = size_of(imaginary_part(value)),
                           size = re > im ? re : im;
                if (size > real_part(numbers[k])) numbers[k] = real_element(size);
            }
    int buffer_phase = 0;
    auto combined = [&](bool most) {
        combine(scratch, numbers, buffer_phase, most);
        buffer_phase ^= 1;
    };
    combined(true);
    const real infinity = __int_as_float(0x7F800000);
    if (threadIdx.x < width) {
        const real most = real_part(scratch.sums[threadIdx.x]);
        scratch.exponents[threadIdx.x] = most > 0 && most < infinity ? exponent_of(most) : 0;
    }
    __syncthreads();
    // Behind column j: rows below it, as they are without its reflector; j = -1: as they are given.
    for (int j = -1; j < n && j < m; ++j) {
        reflector r{zero(), zero(), 0};
        element w[width];
        if (j >= 0) {
            r = make_reflector(scratch.top[j], real_part(scratch.sums[j]));
            const element factor = conjugate(r.tau);
#pragma unroll
            for (int k = 0; k < width; ++k) w[k] = factor * (scratch.top[k] + conjugate(r.scale) * scratch.sums[k]);
            if (first == 0) tau[j] = r.tau;
        }
#pragma unroll
        for (int k = 0; k < width; ++k) numbers[k] = zero();
        for (long long row = j < 0 || first >= j ? first : first + (j - first + step - 1) / step * step; row < m;
             row += step) {
            element v = j < 0 ? zero() : row == j ? one() : a[row + j * ld] * r.scale, next = zero();
            if (j >= 0 && row > j) a[row + j * ld] = v;
#pragma unroll
            for (int k = 0; k < width; ++k) {
                if (k <= j || k >= n) continue;
                element value = a[row + k * ld];
                value = j < 0 ? scaled(value, -scratch.exponents[k]) : value - v * w[k];
                if (k == j + 1) next = conjugate(value);
                // Rows of R are done.
                a[row + k * ld] = row == j ? scaled(value, scratch.exponents[k]) : value;
                if (row == j + 1) scratch.tops[buffer_phase * width + k] = value;
                else if (row > j + 1) numbers[k] = numbers[k] + next * value;
            }
            if (j >= 0 && row == j) a[row + j * ld] = scaled(real_element(r.becomes), scratch.exponents[j]);
        }
        if (j + 1 < n && j + 1 < m) combined(false);
    }
}

// The reflectors of a panel of m rows and n columns as a matrix: ones along the diagonal, zeros above. A block for each
// column.
extern "C" __global__ void __launch_bounds__(256)
    take_reflectors(const element* a, long long ld, long long apart, element* v, long long m, int n) {
    const long long matrix = blockIdx.x / n;
    const int column = blockIdx.x % n;
    a += matrix * apart + column * ld, v += blockIdx.x * m;
    for (long long row = threadIdx.x; row < m; row += 256)
        v[row] = row > column ? a[row] : row == column ? one() : zero();
}

// t, for which 1 - v t v' is the product of n reflectors v with factors tau, of g = v' v; a warp for each matrix, a
// lane for a row.
extern "C" __global__ void __launch_bounds__(32)
    form_triangle(const element* g, const element* tau, long long tau_apart, element* t, int n) {
    __shared__ element rows[width][width];
    const int lane = threadIdx.x;
    g += blockIdx.x * (n * n), t += blockIdx.x * (n * n), tau += blockIdx.x * tau_apart;
    for (int column = 0; column < n && lane < n; ++column) {
        element sum = zero();
        for (int k = lane; k < column; ++k) sum = sum + rows[lane][k] * g[k + column * n];
        const element x = lane == column ? tau[column] : lane < column ? zero() - tau[column] * sum : zero();
        rows[lane][column] = x, t[lane + column * n] = x;
    }
}

// What reflectors are multiplied with: see form_q. A block for each column of n, of m rows.
extern "C" __global__ void __launch_bounds__(256)
    begin_q(const element* a, long long apart, const element* from, const int* order, element* to, long long m,
            long long n, long long k, int signs) {
    const long long matrix = blockIdx.x / n, column = blockIdx.x % n;
    const bool given = from && column < k,
               negative = signs && column < k && real_part(a[matrix * apart + column * (m + 1)]) < 0;
    const element* x = given ? from + (matrix * k + order[matrix * k + column]) * k : nullptr;
    to += blockIdx.x * m;
    for (long long row = threadIdx.x; row < m; row += 256) {
        const element value = given ? (row < k ? x[row] : zero()) : row == column ? one() : zero();
        to[row] = negative ? zero() - value : value;
    }
}
)cuda"
