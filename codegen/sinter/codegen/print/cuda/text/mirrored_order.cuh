// In which order thread blocks take a square's tiles.
R"cuda(
// (0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2), …, so that the second of two that read the same memory finds it in
// the cache.
struct mirrored_order {
    unsigned across, along;
};
static __device__ inline mirrored_order order_of_mirrored() {
    unsigned across = blockIdx.x, along = blockIdx.y;
    if (gridDim.x == gridDim.y) {
        const unsigned number = along * gridDim.x + across;
        unsigned shell = (unsigned)sqrtf((float)number);
        while (shell * shell > number) --shell;
        while ((shell + 1) * (shell + 1) <= number) ++shell;
        const unsigned place = number - shell * shell;
        along = place % 2 ? place / 2 : shell;
        across = place % 2 ? shell : place / 2;
    }
    return {across, along};
}
)cuda"
