// How complex matrices are iterated: one shift at a time, until each row is a block; behind eig_sweep_log.cuh.
R"cuda(
typedef element sweep_shift;  // of which there is one

__device__ complex root_of(complex x) {
    const real length = hypot(x.re, x.im);
    if (length == 0) return {0, 0};
    const real t = sqrt((size_of(x.re) + length) / 2);
    if (x.re >= 0) return {t, x.im / (2 * t)};
    return {size_of(x.im) / (2 * t), x.im < 0 ? -t : t};
}

// The eigenvalue of the last two rows that is closer to the last, or another when that has led nowhere.
template <class Matrix>
__device__ sweep_shift find_shifts(Matrix h, int low, int high, int turns) {
    if (turns % 20 == 0) return h(high, high) + element{real(0.75) * size_of(h(high, high - 1)), 0};
    if (turns % 10 == 0) return h(low, low) + element{real(0.75) * size_of(h(low + 1, low)), 0};
    const element last = h(high, high), u = root_of(h(high - 1, high)) * root_of(h(high, high - 1));
    real s = size_of(u);
    if (s == 0) return last;
    const element x = times(h(high - 1, high - 1) - last, real(0.5));
    const real apart = size_of(x);
    s = larger(s, apart);
    const element part = over(x, s), other = over(u, s);
    element y = times(root_of(part * part + other * other), s);
    if (apart > 0 && part.re * y.re + part.im * y.im < 0) y = -y;
    return last - u * (u / (x + y));
}

// The first column of the shifted matrix, from row i on.
__device__ void find_start(tile h, int i, const sweep_shift& shift, element (&x)[order]) {
    x[0] = h(i, i) - shift, x[1] = h(i + 1, i);
    const real s = size_of(x[0]) + size_of(x[1]);
    if (s > 0) x[0] = over(x[0], s), x[1] = over(x[1], s);
}
__device__ bool may_start(tile h, int i, const element (&x)[order]) {
    const real around = size_of(h(i, i)) + size_of(h(i + 1, i + 1));
    return size_of(h(i, i - 1)) * size_of(x[1]) <= ulp * (size_of(x[0]) * around);
}
__device__ void split_rows(tile, int, sweep_log&) {}
__device__ int list_shifts(tile t, int n, sweep_shift* list) {
    for (int i = 0; i < n; ++i) list[i] = t(n - 1 - i, n - 1 - i);
    return n;
}
)cuda"
