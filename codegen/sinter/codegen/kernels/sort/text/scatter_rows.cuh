// Writing rows of values to positions of an array of rows: the threads of blocks along x take the elements of one,
// with those of the other blocks along y.
R"cuda(
// Rows are combined by atomic operations, or assigned: then `order` sorts the positions, and the last row of each is
// the one that stays.
extern "C" __global__ void __launch_bounds__(256)
    scatter(const element* values, const given_position* positions, const long long* order, element* to,
            long long count, long long size, long long width, long long* error) {
    const long long i = blockIdx.x * (long long)blockDim.y + threadIdx.y;
    if (i >= count) return;
    //@ if atomic
    const long long from = i;
    //@ else
    const long long from = order[i];
    //@ end
    const long long row = position_of(positions[from], size);
    if (row < 0 || row >= size) {
        if (atomicCAS((unsigned long long*)error, 0ull, 1ull) == 0) error[1] = row;
        return;
    }
    //@ if !atomic
    if (i + 1 < count && positions[order[i + 1]] == row) return;
    //@ end
    for (long long c = blockIdx.y * blockDim.x + threadIdx.x; c < width; c += gridDim.y * blockDim.x) {
        //@ if atomic
        const long long at = row * width + c;
        const element value = values[i * width + c];
        $combine;
        //@ else
        to[row * width + c] = values[from * width + c];
        //@ end
    }
}
)cuda"
