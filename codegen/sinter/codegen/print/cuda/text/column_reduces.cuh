// What threads that stand above each other have of a column to one accumulator, by what combines two.
R"cuda(
//@ if chunk
// Eight threads to the first of them. The buffer is free again when all threads have met once more.
template <auto& Combine, class T, class... Index>
static __device__ inline void chunk_reduce(int lanes, double* buffer, T& a, Index&... ai) {
    const int at = threadIdx.x + blockDim.x * (threadIdx.y + 8 * threadIdx.z);
    T* shared = (T*)buffer;
    index* shared_index = (index*)(buffer + 256);
    shared[at] = a;
    ((shared_index[at] = ai), ...);
    __syncthreads();
    if (threadIdx.y != 0) return;
    T b[8];
    index bi[8];
#pragma unroll
    for (int l = 0; l < 8; ++l) {
        b[l] = shared[at + l * blockDim.x];
        ((bi[l] = (Index&)shared_index[at + l * blockDim.x]), ...);
    }
#pragma unroll
    for (int h = 4; h > 0; h /= 2) {
#pragma unroll
        for (int l = 0; l < h; ++l) {
            if (l + h < lanes) Combine(b[l], (Index&)bi[l]..., b[l + h], (Index&)bi[l + h]...);
        }
    }
    a = b[0];
    ((ai = bi[0]), ...);
}
//@ end
//@ if rows
// What a thread has, and what comes to it.
template <class T>
struct row_value {
    T& x;
    T a;
};
// Up to `rows` threads to the first one's x, from the first to the last. The buffer is free again when all threads have
// met once more.
template <auto& Combine, class T, class... Index>
static __device__ inline void rows_reduce(bool is_first, int rows, double* buffer, row_value<T> value,
                                          row_value<Index>... indices) {
    const int at = threadIdx.x + blockDim.x * (threadIdx.y + 8 * threadIdx.z);
    T* shared = (T*)buffer;
    index* shared_index = (index*)(buffer + 256);
    shared[at] = value.a;
    ((shared_index[at] = indices.a), ...);
    __syncthreads();
    if (threadIdx.y + threadIdx.z != 0) return;
    if (is_first) {
        value.x = shared[at];
        ((indices.x = shared_index[at]), ...);
    }
#pragma unroll 8
    for (int l = is_first; l < rows; ++l)
        Combine(value.x, indices.x..., shared[at + l * blockDim.x], (Index&)shared_index[at + l * blockDim.x]...);
}
//@ end
)cuda"
