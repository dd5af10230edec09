// Finds eigenvectors of a triangular matrix and leads them back; behind the unknowns.
R"cuda(
// Solutions of complex matrices have room of their own, those of real ones and z are side by side where the vectors
// will be.
__device__ workspace_view divide_workspace(char* workspace, complex* vectors, int n, bool wanted, int window,
                                           block_group blocks) {
    const long long size = (long long)n * n;
    workspace_view w;
    element* rest = reinterpret_cast<element*>(workspace);
    w.solutions = order == 2 ? rest : reinterpret_cast<element*>(vectors) + size;
    if (order == 2 && wanted) rest += size;
    w.columns = rest;
    w.multiplier = rest + (3 * blocks.count + 4) * (long long)n;
    w.scale = reinterpret_cast<real*>(w.multiplier + (blocks.count > 1 ? 2 * window * window : 0));
    w.norms = w.scale + n;
    w.place = reinterpret_cast<int*>(w.norms + n);
    w.pairs = w.place + n;
    w.counts = w.pairs + n;
    w.message = w.counts + n;
    return w;
}

__device__ void scale_unknowns(const unknowns& u, int last, real s) {
    __syncwarp();
    for (int i = threadIdx.x % 32; i <= last; i += 32) {
        const complex x = u.at(i);
        u.set(i, {x.re * s, x.im * s});
    }
    __syncwarp();
}

// The right side, for a vector that ends with 1 or with a pair's two elements.
__device__ void begin_vector(matrix h, const unknowns& u, int last, bool pair, real imaginary) {
    const int lane = threadIdx.x % 32;
    complex x{0, 0}, y{1, 0};
    if (pair) begin_pair(h, last, imaginary, x, y);
    for (int i = lane; i < last - pair; i += 32) {
        complex sum = y * complex_of(h(i, last));
        if (pair) sum = sum + x * complex_of(h(i, last - 1));
        u.set(i, -sum);
    }
    if (lane == 0) u.set(last, y);
    if (lane == 0 && pair) u.set(last - 1, x);
    __syncwarp();
}

// LAPACK's trevc: an eigenvector of the triangular matrix, by a warp. It is scaled down before it grows out of range.
__device__ void solve_vector(matrix h, int n, int last, bool pair, const workspace_view& w) {
    const int lane = threadIdx.x % 32;
    const real tiny = least * (n / ulp), largest = (1 - ulp) / tiny;
    const complex value = value_of(h, last - pair, w.pairs, 1);
    const real smallest = larger(ulp * size_of(value), tiny);
    const unknowns u = unknowns_of(w.solutions, n, last, pair);
    begin_vector(h, u, last, pair, value.im);
    for (int i = last - pair - 1; i >= 0; --i) {
        const bool two = w.pairs[i] == 2;
        complex y = u.at(i), x = two ? u.at(i - 1) : complex{0, 0};
        real scale = 1, growth = w.norms[i];
        if (two) {
            solve_pair(h, i - 1, value, smallest, largest, x, y, scale);
            growth = larger(growth, w.norms[i - 1]);
        } else {
            complex d = complex_of(h(i, i)) - value;
            if (size_of(d) < smallest) d = {smallest, 0};
            const real size = size_of(y);
            if (size_of(d) < 1 && size > largest * size_of(d)) scale = 1 / size;
            y = complex{y.re * scale, y.im * scale} / d;
        }
        const real size = larger(size_of(x), size_of(y));
        const real less = size > 1 && growth > largest / size ? 1 / size : 1;
        x = {x.re * less, x.im * less}, y = {y.re * less, y.im * less};
        if (scale * less != 1) scale_unknowns(u, last, scale * less);
        __syncwarp();
        for (int k = lane; k < i - two; k += 32) {
            complex sum = y * complex_of(h(k, i));
            if (two) sum = sum + x * complex_of(h(k, i - 1));
            u.set(k, u.at(k) - sum);
        }
        if (lane == 0) u.set(i, y);
        if (lane == 0 && two) u.set(i - 1, x);
        __syncwarp();
        i -= two;
    }
    real size = 0;
    for (int i = lane; i <= last; i += 32) size = larger(size, size_of(u.at(i)));
    size = most_of_warp(size);
    scale_unknowns(u, last, 1 / size);
}

// Element `row` of vector `column`, from z's times the triangular matrix's.
__device__ element led_back(matrix z, const element* solution, int row, int last) {
    element sum = zero();
#pragma unroll 4
    for (int i = 0; i <= last; ++i) sum = sum + z(row, i) * solution[i];
    return sum;
}

// A vector of length 1 by a warp; where it is complex its largest element becomes real. It may stand in two columns.
__device__ void normalize(matrix h, int n, int column, int pair, complex* to, const workspace_view& w) {
    const int lane = threadIdx.x % 32, first = column - (pair == 2);
    auto element_at = [&](int i) -> complex {
        const complex x = complex_of(h(i, first));
        if (pair == 0) return x;
        const real y = real_part(h(i, first + 1));
        return {x.re, pair == 2 ? -y : y};
    };
    real size = 0, squares = 0, longest = -1;
    for (int i = lane; i < n; i += 32) size = larger(size, size_of(element_at(i)));
    size = most_of_warp(size);
    int at = 0;
    for (int i = lane; i < n; i += 32) {
        const complex x = element_at(i);
        const real re = x.re / size, im = x.im / size, square = re * re + im * im;
        squares += square;
        if (square > longest) longest = square, at = i;
    }
    const real length = sqrt(sum_of_warp(squares)), most_square = most_of_warp(longest);
    const unsigned found = __ballot_sync(0xFFFFFFFF, longest == most_square);
    at = __shfl_sync(0xFFFFFFFF, at, __ffs(found) - 1);
    complex turn{1, 0};
    if (order == 2 || pair != 0) {
        const complex x = element_at(at);
        const real re = x.re / size, im = x.im / size, modulus = sqrt(re * re + im * im);
        turn = {re / modulus, -im / modulus};
    }
    for (int i = lane; i < n; i += 32) {
        const complex x = element_at(i);
        complex y = complex{x.re / size, x.im / size} * turn;
        y = {y.re / length, i == at && (order == 2 || pair != 0) ? 0 : y.im / length};
        to[w.place[i]] = y;
    }
}

__device__ void find_vectors(matrix h, matrix z, int n, complex* vectors, const workspace_view& w, block_group blocks) {
    const int lane = threadIdx.x % 32, warps = blockDim.x / 32 * blocks.count,
              warp = threadIdx.x / 32 * blocks.count + blocks.rank;
    for (int i = warp; i < n; i += warps) {
        real sum = 0;
        for (int k = lane; k < i; k += 32) sum += size_of(h(k, i));
        sum = sum_of_warp(sum);
        if (lane == 0) w.norms[i] = sum;
    }
    grid_barrier(blocks.count);
    for (int i = n - 1 - warp; i >= 0; i -= warps)
        if (w.pairs[i] != 1) solve_vector(h, n, i, w.pairs[i] == 2, w);
    grid_barrier(blocks.count);
    for (long long i = blocks.rank * blockDim.x + threadIdx.x; i < (long long)n * n; i += blocks.count * blockDim.x) {
        const int row = (int)(i % n), column = (int)(i / n);
        h(row, column) =
            times(led_back(z, w.solutions + (long long)column * n, row, column + (w.pairs[column] == 1)), w.scale[row]);
    }
    grid_barrier(blocks.count);
    for (int i = warp; i < n; i += warps) normalize(h, n, i, w.pairs[i], vectors + (long long)i * n, w);
}
)cuda"
