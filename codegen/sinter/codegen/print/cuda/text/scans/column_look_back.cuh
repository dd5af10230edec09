// The prefix before a tile of a scan of columns, which its first threads leave in above<r> and for the tiles behind:
// that of the groups before its own, and in the group that of the tile before or of the totals of all; behind
// tile_status.cuh. Its first threads' p<r> is the tile's total.
R"cuda(
const $type t = p$scan;
$type e = t;
//@ if asks
if (first && tile + 1 < tiles) publish($own_status, t, launch);
__shared__ double earlier$scan[$doubles];
$tiles_before;
#pragma unroll 1
for (int round = 0; round < $rounds; round += $at_once) {
    tile_status<$type> status[$at_once];
#pragma unroll
    for (int q = 0; q < $at_once; ++q) {
        const int at = part + 8 * (round + q);
        if (at < place && column < kept) status[q] = fetch<$type>($earlier_status);
    }
#pragma unroll
    for (int q = 0; q < $at_once; ++q) {
        const int at = part + 8 * (round + q);
        const bool before = at < place && column < kept;
        $type v = t;
        const bool there = before && received(status[q], v, launch);
        for (bool missing = before && !there; __ballot_sync(0xffffffffu, missing) != 0;)
            missing = missing && !received($earlier_status, v, launch);
        if (before) tiles_before[at][x] = v;
    }
}
__syncthreads();
if (first && place > 0) e = tiles_before[0][x];
for (int j = 1; first && j < place; ++j) combine$scan(e, tiles_before[j][x]);
//@ else
for (bool missing = first && place > 0; __ballot_sync(0xffffffffu, missing) != 0;)
    missing = missing && !received($status_before, e, launch);
//@ end
$type whole = t, b = e;
if (place > 0) whole = e, combine$scan(whole, t);
//@ if asks
if (first && carry_blocks > 0 && place == $last) publish($group_total, whole, launch);
//@ else
if (first && place < $last && tile + 1 < tiles) publish($own_status, whole, launch);
//@ end
for (bool missing = first && group > 0; __ballot_sync(0xffffffffu, missing) != 0;)
    missing = missing && !received($group_before, b, launch);
if (first) {
    $type sum = b;
    if (group > 0) combine$scan(sum, whole);
    else sum = whole;
    //@ if asks
    if (carry_blocks == 0 && place == $last && tile + 1 < tiles) publish($group_prefix, sum, launch);
    //@ else
    if (place == $last && tile + 1 < tiles) publish($group_prefix, sum, launch);
    //@ end
    if (group > 0 && place > 0) combine$scan(b, e);
    (($type*)above$scan)[x] = b;
}
)cuda"
