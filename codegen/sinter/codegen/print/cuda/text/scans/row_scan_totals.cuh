// From the totals of a tile's segments to the prefixes before them, by one warp for a scan; behind scan_tree.cuh and
// look_back.cuh.
R"cuda(
if (warp == $scan % warps) {
    $type x = $zero;
    if (128 * lane < size) x = totals$scan[lane];
    x = tree$scan(x, lane);
    $type p = from_before(x, 1);
    //@ if looks_back
    $type before_tile = before$scan(status$scan, launch, tiles, tile, from(x, 31), lane);
    if (tile > 0) {
        if (lane > 0) combine$scan(before_tile, p);
        p = before_tile;
    }
    //@ end
    totals$scan[lane] = p;
}
)cuda"
