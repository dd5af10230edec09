// Writing rows of values to positions of an array of rows: the threads of a block along x take the elements of one.
R"cuda(
// Where elements are not combined by atomic operations, `order` sorts the positions: of assignments the last row of
// each position is the one that stays, else those of one position are combined in the order in which they stand.
extern "C" __global__ void __launch_bounds__(256)
    scatter(const element* values, const long long* positions, const long long* order, element* to, long long count,
            long long size, long long width, long long* error) {
    const long long i = blockIdx.x * (long long)blockDim.y + threadIdx.y;
    if (i >= count) return;
    //@ if atomic
    const long long from = i;
    //@ else
    const long long from = order[i];
    //@ end
    const long long row = positions[from];
    if (row < 0 || row >= size) {
        if (atomicCAS((unsigned long long*)error, 0ull, 1ull) == 0) error[1] = row;
        return;
    }
    //@ if atomic
    //@ else
    //@ if assigns
    if (i + 1 < count && positions[order[i + 1]] == row) return;
    //@ else
    if (i > 0 && positions[order[i - 1]] == row) return;
    //@ end
    //@ end
    for (long long c = threadIdx.x; c < width; c += blockDim.x) {
        //@ if atomic
        const long long at = row * width + c;
        const element value = values[i * width + c];
        $combine;
        //@ else
        //@ if assigns
        to[row * width + c] = values[from * width + c];
        //@ else
        element x = to[row * width + c];
        long long k = i;
        // Four at a time, so that their loads are under way together.
        for (; k + 3 < count && positions[order[k + 3]] == row; k += 4) {
            element next[4];
#pragma unroll
            for (int l = 0; l < 4; ++l) next[l] = values[order[k + l] * width + c];
#pragma unroll
            for (int l = 0; l < 4; ++l) {
                const element value = next[l];
                $combine;
            }
        }
        for (; k < count && positions[order[k]] == row; ++k) {
            const element value = values[order[k] * width + c];
            $combine;
        }
        to[row * width + c] = x;
        //@ end
        //@ end
    }
}
)cuda"
