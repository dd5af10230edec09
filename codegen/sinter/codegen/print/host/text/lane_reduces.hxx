// How the lanes of rows side by side combine: fours as pairs of pairs, which then halve; behind what combines two.
R"cxx(
static void lanes_reduce$r($type* to, const $stored (*from)[$tile] $origin, int lanes) {
    if (lanes == 0) return;
    $type fours[$half][$tile];
    int groups = 0;
    for (; 4 * groups + 4 <= lanes; ++groups, from += 4) {
#pragma GCC ivdep
        for (int l = 0; l < $tile; ++l) {
            $type a = $first, b = $second, c = $third, d = $fourth;
            combine$r(a, b);
            combine$r(c, d);
            combine$r(a, c);
            (lanes > 4 ? fours[groups] : to)[l] = a;
        }
    }
    const int rest = lanes % 4;
    if (rest > 0) {
#pragma GCC ivdep
        for (int l = 0; l < $tile; ++l) {
            $type a = $first;
            if (rest > 1) combine$r(a, $second);
            if (rest > 2) combine$r(a, $third);
            (lanes > 4 ? fours[groups] : to)[l] = a;
        }
        ++groups;
    }
    if (lanes <= 4) return;
    for (int h = $half / 2; h > 0; h /= 2)
        for (int g = 0; g < h && g + h < groups; ++g) {
#pragma GCC ivdep
            for (int l = 0; l < $tile; ++l) combine$r(fours[g][l], fours[g + h][l]);
        }
    __builtin_memcpy(to, fours[0], sizeof fours[0]);
}
)cxx"
