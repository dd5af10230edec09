// What a carry block of a scan of columns does: from what groups of tiles come to, the prefixes before them, one group
// after the other; behind tile_status.cuh.
R"cuda(
$type sum = {};
#pragma unroll 1
for (index g = 0; g + 1 < groups; g += $at_once) {
    tile_status<$type> status[$at_once];
#pragma unroll
    for (int q = 0; q < $at_once; ++q) {
        if (mine && g + q + 1 < groups) status[q] = fetch<$type>($group_total);
    }
#pragma unroll
    for (int q = 0; q < $at_once; ++q) {
        const bool is_group = mine && g + q + 1 < groups;
        $type v = sum;
        const bool there = is_group && received(status[q], v, launch);
        for (bool missing = is_group && !there; __ballot_sync(0xffffffffu, missing) != 0;)
            missing = missing && !received($group_total, v, launch);
        if (!is_group) continue;
        if (g + q > 0) combine$scan(sum, v);
        else sum = v;
        publish($group_prefix, sum, launch);
    }
}
)cuda"
