// A thread's lanes to one, by what combines two accumulators; each of these is one array, or two where an index goes
// with it.
R"cuda(
// A thread's four lanes to its first.
template <auto& Combine, class... T>
static __device__ inline void thread_reduce(int lanes, T*... a) {
    if (lanes > 1) Combine(a[0]..., a[1]...);
    if (lanes > 3) Combine(a[2]..., a[3]...);
    if (lanes > 2) Combine(a[0]..., a[2]...);
}
)cuda"
