// Values that the compiler takes for others.
R"cuda(
// The same value, of which the compiler does not know that it is the same.
static __device__ inline int renewed(int x) {
    asm volatile("" : "+r"(x));
    return x;
}
static __device__ inline unsigned renewed(unsigned x) { return (unsigned)renewed((int)x); }
static __device__ inline float renewed(float x) { return __int_as_float(renewed(__float_as_int(x))); }
)cuda"
