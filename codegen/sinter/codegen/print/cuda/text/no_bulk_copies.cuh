// What stands for bulk_copies.cuh on devices without such copies; behind copies_in_order.cuh.
R"cuda(
static __device__ inline bool asks(int) { return true; }
template <class T>
static __device__ inline void copy_ends(T*, const T*, index, int, int, index, int) {}
static __device__ inline void arrive(unsigned long long*, int) {}
static __device__ inline void await_tile(unsigned long long*, unsigned, int left) {
    wait_for_copies(left);
    __syncthreads();
}
static __device__ inline void finish_before_copies() {}
)cuda"
