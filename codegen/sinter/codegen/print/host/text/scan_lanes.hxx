// The prefixes of rows side by side, a chunk being four lanes; behind what combines two.
R"cxx(
static inline void lane_combine$r(const $type* x, $type* y) {
    for (int l = 0; l < $tile; ++l) y[l] = combine$r(x[l], y[l]);
}
static void scan_lanes$r($type (*a)[$tile], int lanes) {
    for (int g = 0; g < lanes; ++g)
        if (g % 4 != 0) lane_combine$r(a[g - 1], a[g]);
    $type before[$chunks][$tile];
    const int chunks = (lanes - 1) / 4;
    for (int c = 0; c < chunks; ++c) {
        for (int l = 0; l < $tile; ++l) before[c][l] = a[4 * c + 3][l];
    }
    for (int h = 1; h < chunks; h *= 2)
        for (int c = chunks - 1; c >= h; --c) lane_combine$r(before[c - h], before[c]);
    for (int g = 4; g < lanes; ++g) lane_combine$r(before[g / 4 - 1], a[g]);
}
)cxx"
