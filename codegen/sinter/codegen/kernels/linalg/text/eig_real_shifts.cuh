// How real matrices are iterated: shifts in conjugate pairs, and blocks of two rows that stay or fall apart; behind
// eig_sweep_log.cuh.
R"cuda(
struct sweep_shift {
    real re[2], im[2];
};

// The eigenvalues of the last two rows, or of rows that have not been tried, when that has led nowhere.
template <class Matrix>
__device__ sweep_shift find_shifts(Matrix h, int low, int high, int turns) {
    real a, b, c, d;
    if (turns % 10 == 0) {
        const bool at_end = turns % 20 == 0;
        const int i = at_end ? high : low;
        const real s = at_end ? size_of(h(high, high - 1)) + size_of(h(high - 1, high - 2))
                              : size_of(h(low + 1, low)) + size_of(h(low + 2, low + 1));
        a = d = real(0.75) * s + h(i, i), b = real(-0.4375) * s, c = s;
    } else {
        a = h(high - 1, high - 1), b = h(high - 1, high), c = h(high, high - 1), d = h(high, high);
    }
    const real s = size_of(a) + size_of(b) + size_of(c) + size_of(d);
    if (s == 0) return {{0, 0}, {0, 0}};
    a /= s, b /= s, c /= s, d /= s;
    const real middle = (a + d) / 2, det = (a - middle) * (d - middle) - b * c, root = sqrt(size_of(det));
    if (det >= 0) return {{middle * s, middle * s}, {root * s, -root * s}};
    const real x = middle + root, y = middle - root, near = (size_of(x - d) <= size_of(y - d) ? x : y) * s;
    return {{near, near}, {0, 0}};
}

// The first column of the shifted matrix product, from row i on.
__device__ void find_start(tile h, int i, const sweep_shift& shift, element (&x)[order]) {
    const real a = h(i, i), d = h(i + 1, i + 1), below = h(i + 1, i);
    real s = size_of(a - shift.re[1]) + size_of(shift.im[1]) + size_of(below);
    if (s == 0) s = 1;
    const real part = below / s;
    x[0] = part * h(i, i + 1) + (a - shift.re[0]) * ((a - shift.re[1]) / s) - shift.im[0] * (shift.im[1] / s);
    x[1] = part * (a + d - shift.re[0] - shift.re[1]);
    x[2] = part * h(i + 2, i + 1);
    s = size_of(x[0]) + size_of(x[1]) + size_of(x[2]);
    if (s > 0) x[0] /= s, x[1] /= s, x[2] /= s;
}
__device__ bool may_start(tile h, int i, const element (&x)[order]) {
    const real around = size_of(h(i - 1, i - 1)) + size_of(h(i, i)) + size_of(h(i + 1, i + 1));
    return size_of(h(i, i - 1)) * (size_of(x[1]) + size_of(x[2])) <= ulp * size_of(x[0]) * around;
}

struct rotation {
    real cosine, sine;
};

__device__ real with_sign(real size, real of) { return of < 0 ? -size : size; }

// LAPACK's lanv2: makes a block upper triangular, or its diagonal elements equal and the others of different signs.
__device__ rotation split_block(real& a, real& b, real& c, real& d) {
    if (c == 0) return {1, 0};
    if (b == 0) {
        const real was = d;
        d = a, a = was, b = -c, c = 0;
        return {0, 1};
    }
    const real gap = a - d, p = gap / 2, most_beside = larger(size_of(b), size_of(c));
    if (gap == 0 && (b < 0) != (c < 0)) return {1, 0};
    const real least_beside = smaller(size_of(b), size_of(c)) * ((b < 0) == (c < 0) ? 1 : -1),
               scale = larger(size_of(p), most_beside);
    const real disc = (p / scale) * p + (most_beside / scale) * least_beside;
    if (disc >= 4 * ulp) {
        const real z = p + with_sign(sqrt(scale) * sqrt(disc), p), length = hypot(c, z), cosine = z / length,
                   sine = c / length;
        a = d + z, d -= (most_beside / z) * least_beside, b -= c, c = 0;
        return {cosine, sine};
    }
    // Numbers that are almost none have too few digits for a rotation.
    const real up = larger(size_of(b + c), size_of(gap)) < small_norm ? 1 / small_norm : 1;
    const real sum = (b + c) * up, other = gap * up, length = hypot(sum, other);
    const real cosine = sqrt((1 + size_of(sum) / length) / 2),
               sine = -(other / (2 * length * cosine)) * with_sign(1, sum);
    const real aa = a * cosine + b * sine, bb = b * cosine - a * sine, cc = c * cosine + d * sine,
               dd = d * cosine - c * sine;
    b = bb * cosine + dd * sine, c = cc * cosine - aa * sine;
    a = d = (aa * cosine + cc * sine + dd * cosine - bb * sine) / 2;
    if (c == 0 || (b != 0 && (b < 0) != (c < 0))) return {cosine, sine};
    if (b == 0) {
        b = -c, c = 0;
        return {-sine, cosine};
    }
    const real root_b = sqrt(size_of(b)), root_c = sqrt(size_of(c)), apart = with_sign(root_b * root_c, c),
               part = 1 / sqrt(size_of(b + c));
    a += apart, d -= apart, b -= c, c = 0;
    const real other_cosine = root_b * part, other_sine = root_c * part;
    return {cosine * other_cosine - sine * other_sine, cosine * other_sine + sine * other_cosine};
}

// The pairs of shifts of a triangular matrix of n rows, last ones first.
__device__ int list_shifts(tile t, int n, sweep_shift* list) {
    int count = 0, alone = -1;
    for (int i = n - 1; i >= 0; --i) {
        if (i > 0 && t(i, i - 1) != 0) {
            const real size = sqrt(size_of(t(i - 1, i))) * sqrt(size_of(t(i, i - 1)));
            list[count++] = {{t(i, i), t(i, i)}, {size, -size}};
            --i;
        } else if (alone < 0) {
            alone = i;
        } else {
            list[count++] = {{t(alone, alone), t(i, i)}, {0, 0}};
            alone = -1;
        }
    }
    return count;
}

// The last two rows of the active block, by themselves.
__device__ void split_rows(tile h, int high, sweep_log& log) {
    const int lane = threadIdx.x % 32;
    real a = h(high - 1, high - 1), b = h(high - 1, high), c = h(high, high - 1), d = h(high, high);
    const rotation r = split_block(a, b, c, d);
    __syncwarp();
    if (lane != 0) return;
    h(high - 1, high - 1) = a, h(high - 1, high) = b, h(high, high - 1) = c, h(high, high) = d;
    log.cosine = r.cosine, log.sine = r.sine;
}
)cuda"
