// Singular values and vectors of stacks of matrices, a block or a cluster of blocks for each; behind svd_element.cuh.
R"cuda(
__device__ element dot_of_warp(element x) {
    for (int bits = 16; bits > 0; bits /= 2) x = x + across_warp(x, bits);
    return x;
}

// Matrices of m rows and n columns, or where `adjoint` their adjoints, times a power of two which brings the largest
// part of an element near to one: so nothing overflows, and what underflows is nothing beside it. One with a NaN or an
// infinity becomes zero, and its info `bad`.
extern "C" __global__ void __launch_bounds__(256)
    scale_matrices(const element* a, element* to, long long m, long long n, int adjoint, int bad, int* exponents,
                   int* info) {
    __shared__ real warps[8];
    __shared__ int exponent;
    const long long size = m * n;
    a += blockIdx.x * size, to += blockIdx.x * size;
    const real infinity = __int_as_float(0x7F800000);
    real largest = 0;
    for (long long i = threadIdx.x; i < size; i += 256) {
        const real x = largest_part(a[i]);
        if (!(x <= largest)) largest = x - x == 0 ? x : infinity;
    }
    largest = most_of_warp(largest);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = largest;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (real x : warps)
            if (x > largest) largest = x;
        const bool finite = largest < infinity;
        if (!finite) info[blockIdx.x] = bad;
        exponents[blockIdx.x] = exponent = finite && largest > 0 ? exponent_of(largest) : 0;
        warps[0] = finite;
    }
    __syncthreads();
    const bool finite = warps[0] > 0;
    const long long rows = adjoint ? n : m, columns = adjoint ? m : n;
    for (long long c = threadIdx.x / 32; c < columns; c += 8)
        for (long long row = threadIdx.x % 32; row < rows; row += 32) {
            const element x = finite ? adjoint ? conjugate(a[c + row * m]) : a[c * m + row] : zero();
            to[c * rows + row] = scaled(x, -exponent);
        }
}

// LAPACK's larfg by a warp: the reflector that leaves of `rows` elements of c the first alone, which becomes a real
// number.
__device__ element make_reflector(element* c, long long rows) {
    const int lane = threadIdx.x % 32;
    const element alpha = c[0];
    real largest = 0;
    for (long long row = 1 + lane; row < rows; row += 32)
        if (const real x = size_of(c[row]); x > largest) largest = x;
    largest = most_of_warp(largest);
    if (largest == 0 && imaginary_part(alpha) == 0) return zero();
    if (size_of(alpha) > largest) largest = size_of(alpha);
    const int exponent = exponent_of(largest);
    real sum = 0;
    for (long long row = 1 + lane; row < rows; row += 32) sum += square_of(scaled(c[row], -exponent));
    const element first = scaled(alpha, -exponent);
    const real length = sqrt(square_of(first) + sum_of_warp(sum)), beta = real_part(first) > 0 ? -length : length;
    const element scale = one() / (first - real_element(beta));
    for (long long row = 1 + lane; row < rows; row += 32) c[row] = scaled(c[row], -exponent) * scale;
    __syncwarp();
    if (lane == 0) c[0] = scaled(real_element(beta), exponent);
    return (real_element(beta) - first) / real_element(beta);
}

// QR factors of matrices of m rows and n columns, as LAPACK's geqrf leaves them; each warp has columns of its own. The
// next reflector is made as soon as its column is done.
extern "C" __global__ void __launch_bounds__(512)
    reflect_columns(element* a, element* tau, long long m, long long n, int blocks) {
    const int lane = threadIdx.x % 32, warps = blockDim.x / 32;
    const long long matrix = blockIdx.x / blocks, first = blockIdx.x % blocks * warps + threadIdx.x / 32,
                    step = (long long)blocks * warps;
    const long long reflectors = m < n ? m : n;
    a += matrix * m * n, tau += matrix * reflectors;
    if (first == 0) {
        const element t = make_reflector(a, m);
        if (lane == 0) tau[0] = t;
    }
    for (long long i = 0; i < reflectors && i + 1 < n; ++i) {
        grid_barrier(blocks);
        const element *v = a + i * m, factor = conjugate(tau[i]);
        for (long long j = i + 1 + (first - (i + 1) % step + step) % step; j < n; j += step) {
            element *c = a + j * m, dot = lane == 0 ? c[i] : zero();
#pragma unroll 4
            for (long long row = i + 1 + lane; row < m; row += 32) dot = dot + conjugate(v[row]) * c[row];
            dot = factor * dot_of_warp(dot);
            if (lane == 0) c[i] = c[i] - dot;
#pragma unroll 4
            for (long long row = i + 1 + lane; row < m; row += 32) c[row] = c[row] - v[row] * dot;
            if (j > i + 1 || j == reflectors) continue;
            __syncwarp();
            const element t = make_reflector(c + j, m - j);
            if (lane == 0) tau[j] = t;
        }
    }
}

// The sums over a warp of four numbers, for all its lanes: half of the lanes add up two of them each, a quarter one.
__device__ void sum_four(real (&x)[4]) {
    const bool upper = threadIdx.x & 16, odd = threadIdx.x & 8;
    real one = upper ? x[2] : x[0], other = upper ? x[3] : x[1];
    one += __shfl_xor_sync(0xFFFFFFFF, upper ? x[0] : x[2], 16),
        other += __shfl_xor_sync(0xFFFFFFFF, upper ? x[1] : x[3], 16);
    real sum = (odd ? other : one) + __shfl_xor_sync(0xFFFFFFFF, odd ? one : other, 8);
    for (int bits = 4; bits > 0; bits /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, bits);
#pragma unroll
    for (int i = 0; i < 4; ++i) x[i] = __shfl_sync(0xFFFFFFFF, sum, i * 8);
}

// Columns u and v of q elements become orthogonal, by a warp, and those of z go along; false if they were, as far as
// rounding allows.
__device__ bool rotate_pair(element* u, element* v, element* zu, element* zv, int q, real tolerance) {
    const int lane = threadIdx.x % 32;
    real sums[4] = {0, 0, 0, 0};
    for (int row = lane; row < q; row += 32) {
        const element x = u[row], y = v[row], product = conjugate(x) * y;
        sums[0] += square_of(x), sums[1] += square_of(y), sums[2] += real_part(product),
            sums[3] += imaginary_part(product);
    }
    sum_four(sums);
    const real a = sums[0], b = sums[1], size = length_of(sums[2], sums[3]);
    if (!(size > tolerance * sqrt(a) * sqrt(b)) || a < least || b < least) return false;
    // Of the two angles the smaller one; the square of a large cotangent may overflow.
    const real cotangent = (b - a) / (2 * size), wide = size_of(cotangent);
    const real tangent = (cotangent < 0 ? -1 : 1) / (wide + (wide > 1 / epsilon ? wide : sqrt(1 + wide * wide)));
    // In this form what rounding does to the cosine leaves the columns' lengths alone.
    const real cosine = 1 / sqrt(1 + tangent * tangent), sine = cosine * tangent, half = sine / (1 + cosine);
    const element phase = conjugate_phase(sums[2], sums[3], size);
    auto rotate = [&](element* to_u, element* to_v) {
        for (int row = lane; row < q; row += 32) {
            const element x = to_u[row], y = phase * to_v[row];
            to_u[row] = x - times(y + times(x, half), sine);
            to_v[row] = y + times(x - times(y, half), sine);
        }
    };
    rotate(u, v);
    if (zu) rotate(zu, zv);
    return true;
}

// Where pair number t of n is in round r, which is below n - 1, n being even: after all rounds each has met each.
__device__ void pair_of_round(int n, int r, int t, int& left, int& right) {
    left = t == 0 ? n - 1 : (r + t) % (n - 1), right = t == 0 ? r : (r - t + n - 1) % (n - 1);
    if (left > right) {
        const int other = left;
        left = right, right = other;
    }
}

// What a block holds: two groups of columns of x and of z.
struct held_columns {
    element *x, *z;
    int q, width, left, right;
    __device__ int column(int i) const { return i < width ? left * width + i : (right - 1) * width + i; }
    __device__ bool has(int i) const { return column(i) < q; }
    __device__ element* z_at(int i) const { return z ? z + i * q : nullptr; }
};

// Rotates the pairs of a block: all of them, or those of columns in different groups.
__device__ bool rotate_held(const held_columns& h, bool all, real tolerance) {
    const int warps = blockDim.x / 32;
    bool rotated = false;
    for (int r = 0; r < (all ? 2 * h.width - 1 : h.width); ++r) {
        for (int t = threadIdx.x / 32; t < h.width; t += warps) {
            int i = t, j = h.width + (t + r) % h.width;
            if (all) pair_of_round(2 * h.width, r, t, i, j);
            if (h.has(i) && h.has(j))
                rotated |= rotate_pair(h.x + i * h.q, h.x + j * h.q, h.z_at(i), h.z_at(j), h.q, tolerance);
        }
        __syncthreads();
    }
    return rotated;
}

// The columns between shared memory and x and z, where they lie between rounds. At first x is the adjoint of the factor
// r, z an identity.
__device__ void move_columns(const held_columns& h, const element* r, long long ld, bool first, bool to_memory,
                             element* x, element* z) {
    const int lane = threadIdx.x % 32;
    for (int i = threadIdx.x / 32; i < 2 * h.width; i += blockDim.x / 32) {
        if (!h.has(i)) continue;
        const long long c = h.column(i);
        element *of_x = h.x + i * h.q, *of_z = h.z_at(i), *there = x + c * h.q, *there_z = z ? z + c * h.q : nullptr;
        for (int row = lane; row < h.q; row += 32) {
            if (to_memory) {
                there[row] = of_x[row];
                if (z) there_z[row] = of_z[row];
            } else {
                of_x[row] = !first ? there[row] : row < c ? zero() : conjugate(r[c + row * ld]);
                if (z) of_z[row] = !first ? there_z[row] : row == c ? one() : zero();
            }
        }
    }
    __syncthreads();
}

// Makes the columns of x orthogonal, x being the adjoint of factors r of q rows and columns, in matrices of r_rows
// rows; z, which may be null, is what x has been multiplied by. The groups of columns meet as the columns in them:
// round by round, each with each, every block with `turned` telling the others that it is not the last sweep. `bad` is
// the info of a matrix that takes too many.
extern "C" __global__ void __launch_bounds__(512)
    rotate_columns(const element* r, long long r_rows, element* x, element* z, int q, int width, int groups, int blocks,
                   int* turned, int bad, int* info) {
    extern __shared__ element held[];
    const long long matrix = blockIdx.x / blocks, size = (long long)q * q;
    const int rank = blockIdx.x % blocks;
    r += matrix * r_rows * q, x += matrix * size, turned += matrix;
    if (z) z += matrix * size;
    held_columns h{held, z ? held + 2ll * width * q : nullptr, q, width, 0, 1};
    const real tolerance = epsilon * sqrt((real)q);
    const bool stays = groups == 2;
    int sweep = 0;
    for (bool again = true; again && sweep < most_sweeps; ++sweep) {
        for (int round = 0; round < groups - 1; ++round) {
            bool rotated = false;
            for (int t = rank; t < groups / 2; t += blocks) {
                pair_of_round(groups, round, t, h.left, h.right);
                if (!stays || sweep == 0) move_columns(h, r, r_rows, sweep == 0 && round == 0, false, x, z);
                rotated |= rotate_held(h, round == 0, tolerance);
                if (!stays) move_columns(h, r, r_rows, false, true, x, z);
            }
            if (rotated && threadIdx.x % 32 == 0) atomicMax(turned, sweep + 1);
            grid_barrier(blocks);
        }
        again = *(volatile int*)turned > sweep;
    }
    if (stays) move_columns(h, r, r_rows, false, true, x, z);
    if (sweep == most_sweeps && threadIdx.x == 0 && rank == 0 && *(volatile int*)turned == sweep) info[matrix] = bad;
}

// The lengths of columns x as singular values, descending, times 2^exponents; which column each belongs to; and in y,
// which may be null, these columns with length one, or zero where that is too close to zero to know. `lengths` is room
// for one of each column, or where there are no columns has them, but for the sign.
extern "C" __global__ void __launch_bounds__(256)
    order_values(const element* x, int q, const int* exponents, real* lengths, real* values, int* order, element* y) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const long long matrix = blockIdx.x;
    if (x) x += matrix * q * q;
    lengths += matrix * q, values += matrix * q, order += matrix * q;
    for (int c = threadIdx.x; c < q && !x; c += 256) lengths[c] = size_of(lengths[c]);
    for (int c = warp; c < q && x; c += 8) {
        real sum = 0;
        for (int row = lane; row < q; row += 32) sum += square_of(x[(long long)c * q + row]);
        sum = sum_of_warp(sum);
        if (lane == 0) lengths[c] = sqrt(sum);
    }
    __syncthreads();
    for (int c = threadIdx.x; c < q; c += 256) {
        int before = 0;
        const real length = lengths[c];
        for (int i = 0; i < q; ++i) before += lengths[i] > length || (lengths[i] == length && i < c);
        order[before] = c;
        values[before] = ldexp(length, exponents[matrix]);
    }
    if (!y) return;
    __syncthreads();
    for (int c = warp; c < q; c += 8) {
        const real length = lengths[order[c]];
        const bool known = length > tiny;
        for (int row = lane; row < q; row += 32) {
            const element* from = x + (long long)order[c] * q + row;
            y[(matrix * q + c) * q + row] = known ? times(*from, 1 / length) : zero();
        }
    }
}
)cuda"
