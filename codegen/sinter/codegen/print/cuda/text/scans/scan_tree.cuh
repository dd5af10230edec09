// The prefixes of a warp's values, each lane's own included; behind scan_lanes.cuh.
R"cuda(
static __device__ inline $type tree$scan($type x, int lane) {
#pragma unroll
    for (int h = 1; h < 32; h *= 2) {
        $type y = from_before(x, h);
        combine$scan(y, x);
        if (lane >= h) x = y;
    }
    return x;
}
)cuda"
