// Writing values to positions of an array: by atomic operations, or by the order that sorts the positions.
R"cuda(
// Where elements are not combined by atomic operations, `order` sorts the positions: of assignments the last value of
// each position is the one that stays, else a thread combines the values of one position, in the order in which they
// stand.
extern "C" __global__ void __launch_bounds__(256)
    scatter(const element* values, const given_position* positions, const long long* order, element* to,
            long long count, long long size, long long* error) {
    const long long i = blockIdx.x * 256ll + threadIdx.x;
    if (i >= count) return;
    //@ if atomic
    const long long at = position_of(positions[i], size);
    //@ else
    //@ if assigns
    const long long from = order[i], at = positions[from];
    //@ else
    const long long at = positions[order[i]];
    //@ end
    //@ end
    if (at < 0 || at >= size) {
        if (atomicCAS((unsigned long long*)error, 0ull, 1ull) == 0) error[1] = at;
        return;
    }
    //@ if atomic
    const element value = values[i];
    $combine;
    //@ else
    //@ if assigns
    if (i + 1 == count || positions[order[i + 1]] != at) to[at] = values[from];
    //@ else
    if (i > 0 && positions[order[i - 1]] == at) return;
    element x = to[at];
    long long k = i;
    // Four at a time, so that their loads are under way together.
    for (; k + 3 < count && positions[order[k + 3]] == at; k += 4) {
        element next[4];
#pragma unroll
        for (int l = 0; l < 4; ++l) next[l] = values[order[k + l]];
#pragma unroll
        for (int l = 0; l < 4; ++l) {
            const element value = next[l];
            $combine;
        }
    }
    for (; k < count && positions[order[k]] == at; ++k) {
        const element value = values[order[k]];
        $combine;
    }
    to[at] = x;
    //@ end
    //@ end
}
)cuda"
