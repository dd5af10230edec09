// The lanes of several short rows to one accumulator of each, by the threads that share a row; behind row_lanes.cuh.
R"cuda(
// What a row's threads have to the first one's, of $rows rows side by side; of its groups of lanes only where these
// have not been combined as they came. A row that is longer than half of the capacity lacks groups in the first step
// alone.
template <auto& Combine, bool Groups, class T, int N, class... Index>
static __device__ inline void warp_reduce(int t, int groups, T (*a)[N], Index (*... ai)[N]) {
    constexpr int rows = $rows, lanes = $lanes, tree = $groups;
    constexpr bool is_long = $is_long;
    if constexpr (Groups) {
#pragma unroll
        for (int h = tree / 2; h > 0; h /= 2) {
#pragma unroll
            for (int q = 0; q < h && q + h < N; ++q) {
#pragma unroll
                for (int u = 0; u < rows; ++u) {
                    if ((is_long && h < tree / 2) || t + lanes * (q + h) < groups)
                        Combine(a[u][q], ai[u][q]..., a[u][q + h], ai[u][q + h]...);
                }
            }
        }
    }
#pragma unroll
    for (int h = lanes / 2; h > 0; h /= 2) {
        T y[rows];
        index yi[rows];
#pragma unroll
        for (int u = 0; u < rows; ++u) {
            y[u] = from_lane(a[u][0], h);
            ((yi[u] = from_lane(ai[u][0], h)), ...);
        }
#pragma unroll
        for (int u = 0; u < rows; ++u) {
            if ((is_long && (h < lanes / 2 || tree > 1)) || t + h < groups)
                Combine(a[u][0], ai[u][0]..., y[u], (Index&)yi[u]...);
        }
    }
}
)cuda"
