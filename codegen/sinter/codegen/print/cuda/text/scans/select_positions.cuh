// Where what a tile selects goes within the tile: segments[s] is how much lies before segment s, the last all of it;
// behind selected.cuh.
R"cuda(
const auto here = running(counts, lane), earlier = here - counts;
if (lane == 31) {
#pragma unroll
    for (int q = 0; q < $chunks; ++q) segments[warp + warps * q] = (unsigned)(here >> 8 * q & 255);
}
__syncthreads();
if (warp == 0) {
    //@ if two_of_lane
    const unsigned first = segments[2 * lane], own = first + segments[2 * lane + 1], x = running(own, lane);
    segments[2 * lane] = x - own;
    segments[2 * lane + 1] = x - own + first;
    //@ else
    const unsigned own = segments[lane], x = running(own, lane);
    segments[lane] = x - own;
    //@ end
    if (lane == 31) segments[$segments] = x;
    if (lane == 31) publish(status, tile, x);
}
__syncthreads();
const int total = (int)segments[$segments];
)cuda"
