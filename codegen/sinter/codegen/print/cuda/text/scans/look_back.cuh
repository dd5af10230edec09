// The prefixes before tiles: by looking back in short rows, by a carry block in long ones; behind scan_tree.cuh and
// tile_status.cuh.
R"cuda(
// The prefix before a tile of a row; its total is given to those that wait for it.
static __device__ inline $type before$scan(unsigned long long* status, unsigned launch, index tiles, index tile,
                                           $type total, int lane) {
    const int words = (sizeof($type) + 3) / 4;
    if (lane == 0 && tile + 1 < tiles) publish(status + words * tile, total, launch);
    $type x = total;
    if (tiles > 32) {
        for (bool missing = lane == 0 && tile > 0; __ballot_sync(0xffffffffu, missing) != 0;)
            missing = missing && !received(status + words * (tiles + tile), x, launch);
        return from(x, 0);
    }
    for (bool missing = lane < tile; __ballot_sync(0xffffffffu, missing) != 0;)
        missing = missing && !received(status + words * lane, x, launch);
    x = tree$scan(x, lane);
    return from(x, tile > 0 ? (int)tile - 1 : 0);
}
// From the totals of a row's tiles to the prefixes before them, by one thread block.
static __device__ inline void carry$scan(unsigned long long* status, unsigned launch, index tiles, int lane, int warp,
                                         int warps) {
    const int words = (sizeof($type) + 3) / 4;
    __shared__ double buffer[sizeof($type) / sizeof(double) + 1];
    __shared__ volatile index done;
    $type* const carried = ($type*)buffer;
    if (threadIdx.x == 0) done = 0;
    __syncthreads();
    tile_status<$type> early = fetch<$type>(status + words * (32 * warp + lane < tiles ? 32 * warp + lane : 0));
    for (index group = warp; 32 * group < tiles; group += warps) {
        const index tile = 32 * group + lane, later = tile + 32 * warps;
        $type x{}, e{}, whole{}, p{};
        bool missing = tile + 1 < tiles, waits = tile > 0 && tile < tiles, follows = false;
        missing = missing && !received(early, x, launch);
        unsigned known = __ballot_sync(0xffffffffu, !missing), before = ~known;
        early = fetch<$type>(status + words * (later < tiles ? later : 0));
        while (!follows || known != 0xffffffffu || before != known) {
            if (known != before) {
                before = known;
                whole = tree$scan(x, lane);
                e = from_before(whole, 1);
            }
            if (!follows && __ballot_sync(0xffffffffu, lane == 0 && done == group) != 0) {
                follows = true;
                __threadfence_block();
                p = *carried;
                __syncwarp();
            }
            if (follows && known == 0xffffffffu && lane == 31) {
                if (group > 0) {
                    $type next = p;
                    combine$scan(next, whole);
                    whole = next;
                }
                *carried = whole;
                __threadfence_block();
                done = group + 1;
            }
            if (follows && waits && (~known & ((1u << lane) - 1u)) == 0) {
                $type prefix = group > 0 ? p : e;
                if (group > 0 && lane > 0) combine$scan(prefix, e);
                publish(status + words * (tiles + tile), prefix, launch);
                waits = false;
            }
            if (known != 0xffffffffu) {
                missing = missing && !received(status + words * tile, x, launch);
                known = __ballot_sync(0xffffffffu, !missing);
            }
        }
    }
}
)cuda"
