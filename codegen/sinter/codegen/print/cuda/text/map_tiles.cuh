// Where a thread of a map of three axes and more stands.
R"cuda(
// Tiles along an axis of so many elements; their sides are powers of two.
static __device__ inline unsigned tiles_along(index count, unsigned side) {
    return (unsigned)((count + side - 1) >> (__ffs(side) - 1));
}

// Takes the coordinate of an axis off a number, whose last axis it is; without a division where nothing is left.
template <class T>
static __device__ inline T take_axis(T& number, T count) {
    T at = number, rest = 0;
    if (at >= count) {
        rest = at / count;
        at -= rest * count;
    }
    number = rest;
    return at;
}
)cuda"
