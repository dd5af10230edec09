// Division by a number that is the same for all threads.
R"cuda(
// n / d is n * multiplier >> shift for n < 2^31.
struct index_divisor {
    unsigned multiplier, shift;
};
static __device__ inline unsigned operator/(unsigned n, index_divisor d) {
    return (unsigned)((unsigned long long)n * d.multiplier >> d.shift);
}
)cuda"
