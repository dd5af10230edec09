// Lanes that lie swizzled, one behind the other.
R"cuda(
// A thread's four lanes, of which it has lane c ^ swizzle at place c, one behind the other.
template <class T>
static __device__ inline void unswizzle(T* a, int swizzle) {
    const bool one = (swizzle & 1) != 0, two = (swizzle & 2) != 0;
    const T b0 = one ? a[1] : a[0], b1 = one ? a[0] : a[1], b2 = one ? a[3] : a[2], b3 = one ? a[2] : a[3];
    a[0] = two ? b2 : b0, a[1] = two ? b3 : b1, a[2] = two ? b0 : b2, a[3] = two ? b1 : b3;
}
)cuda"
