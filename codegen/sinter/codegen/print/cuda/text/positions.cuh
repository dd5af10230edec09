// Positions along axes that are indexed.
R"cuda(
// Where an index points along an axis: a negative one counts from the end, and one that is out of range points at the
// first element, so that loads need not wait for a branch.
template <class N>
static __device__ inline index position_along(index extent, N at, bool& in_range) {
    if (N(-1) < N(0) && at < 0) at += (N)extent;
    const bool is_inside = (N(-1) > N(0) || at >= 0) && at < (N)extent;
    in_range = in_range && is_inside;
    return is_inside ? (index)at : 0;
}

// The first of a device's threads that finds an index out of range leaves it.
template <class N>
static __device__ __noinline__ void report_outside(long long* error, index extent, N given) {
    bool in_range = true;
    position_along(extent, given, in_range);
    if (!in_range && atomicCAS((unsigned long long*)error, 0ull, 1ull) == 0) error[1] = (long long)given;
}
)cuda"
