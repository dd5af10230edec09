// How the lanes of rows side by side combine: fours as pairs of pairs, which then halve; behind what combines two.
R"cxx(
static inline void lane_combine$r($type (*a)[$tile], int x, int y) {
#pragma GCC ivdep
    for (int l = 0; l < $tile; ++l) combine$r(a[x][l], a[y][l]);
}
static void lanes_reduce$r($type (*a)[$tile], int lanes) {
    for (int g = 0; g < lanes; g += 4) {
        if (g + 1 < lanes) lane_combine$r(a, g, g + 1);
        if (g + 3 < lanes) lane_combine$r(a, g + 2, g + 3);
        if (g + 2 < lanes) lane_combine$r(a, g, g + 2);
    }
    for (int h = $half; h >= 4; h /= 2)
        for (int g = 0; g < h && g + h < lanes; g += 4) lane_combine$r(a, g, g + h);
}
)cxx"
