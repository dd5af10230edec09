// The radix sort of rows of many tiles, which reads and writes every element once per digit; behind rank.cuh.
R"cuda(
//@ if !values
// The passes by which the elements of a row differ, as bits, the last of all if none does: the others would change
// nothing. The block that is the last to have counted a part of the row tells them. `shared`: two words of the block.
__device__ __forceinline__ void tell_passes(unsigned* shared, const number* counts, unsigned* arrived, unsigned* wanted,
                                            number length, number parts, int passes) {
    unsigned &same = shared[0], &is_last = shared[1];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        same = 0;
        is_last = atomicAdd(arrived, 1u) + 1 == parts;
    }
    __syncthreads();
    if (!is_last) return;
    for (int pass = 0; pass < passes; ++pass)
        if (((const volatile number*)counts)[pass * 256 + threadIdx.x] == length) atomicAdd(&same, 1u << pass);
    __syncthreads();
    const unsigned differ = ~same & ((1u << passes) - 1);
    if (threadIdx.x == 0) *wanted = differ ? differ : 1u << (passes - 1);
}

// How often each digit occurs in a row, for all passes at once; a block counts a part of a row.
extern "C" __global__ void __launch_bounds__(256)
    sort_count(const element* from, number* counts, unsigned* arrived, unsigned* wanted, number length, number part,
               number parts, int passes) {
    __shared__ unsigned count[digits][256], shared[2];
    for (int i = threadIdx.x; i < passes * 256; i += 256) count[i / 256][i % 256] = 0;
    __syncthreads();
    const number row = blockIdx.x / parts, begin = blockIdx.x % parts * part;
    const number end = length - begin < part ? length : begin + part;
    from += (long long)row * length;
    number i = begin + threadIdx.x;
    for (; i + 7 * 256 < end; i += 8 * 256) {
        element x[8];
#pragma unroll
        for (int k = 0; k < 8; ++k) x[k] = from[i + k * 256];
#pragma unroll
        for (int k = 0; k < 8; ++k)
            for (int pass = 0; pass < passes; ++pass) atomicAdd(&count[pass][digit(x[k], pass)], 1u);
    }
    for (; i < end; i += 256)
        for (int pass = 0; pass < passes; ++pass) atomicAdd(&count[pass][digit(from[i], pass)], 1u);
    __syncthreads();
    for (int k = threadIdx.x; k < passes * 256; k += 256)
        if (unsigned n = count[k / 256][k % 256]) atomicAdd(&counts[row * passes * 256 + k], (number)n);
    tell_passes(shared, counts + row * passes * 256, arrived + row, wanted + row, length, parts, passes);
}

//@ end
// What a tile tells those behind it about a digit: its own count, or that of all tiles up to it and of all lower
// digits.
constexpr int number_bits = sizeof(number) * 8;
constexpr number own_count = (number)1 << (number_bits - 2), whole_count = (number)2 << (number_bits - 2);

__device__ __forceinline__ number heard(const number* from) { return *(const volatile number*)from; }
__device__ __forceinline__ void tell(number* to, number word) { *(volatile number*)to = word; }

// The sum over all tiles of the row before the one whose word is `at`, back to the row's first.
__device__ __forceinline__ number look_back(const number* at, const number* first) {
    number sum = 0;
    for (;;) {
        const number* from[4];
        number word[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            at = at > first ? at - 256 : first;
            from[k] = at;
            word[k] = heard(at);
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            while (!(word[k] & (own_count | whole_count))) word[k] = heard(from[k]);
            sum += word[k] & (own_count - 1);
            if (word[k] & whole_count) return sum;
        }
    }
}

// Moves the elements of a tile to their places by one digit. `counts`: of each row's digits · `told`: a word per tile
// and digit, 0 before · `next`: number of the tile to be taken next, so that those before it are being worked on.
//@ if !values
// Elements go from one side to the other, and positions too, in the passes that are `wanted` of their row.
//@ end
extern "C" __global__ void __launch_bounds__($threads, $least_blocks)
    sort_sweep(const element* from, element* to,
               //@ if !values
               element* side, const unsigned* wanted,
               //@ end
               //@ if positions
               number* position_side, long long* result,
               //@ end
               //@ if values
               const carried* from_value, carried* to_value, const unsigned* out_of_order,
               //@ end
               const number* counts, number* told, unsigned* next, number length, number tiles, int pass, int passes) {
    __shared__ union alignas(16) {
        unsigned counts[2 * warps][256];
        element values[tile];
        //@ if positions
        number positions[tile];
        //@ end
        //@ if values
        carried carries[tile];
        //@ end
    } scratch;
    __shared__ number begin_of[256], number_sums[8];
    __shared__ unsigned sums[8], taken;
    const unsigned thread = threadIdx.x;
    //@ if values
    if (!*out_of_order) return;
    //@ end
    if (thread == 0) taken = atomicAdd(next, 1u);
    //@ if !values
    // While the first thread waits.
    const unsigned of_first_row = *wanted;
    //@ end
    __syncthreads();
    const number row = taken / tiles, first = (taken - row * tiles) * tile;
    const unsigned count = length - first < tile ? length - first : tile;
    const long long base = (long long)row * length;
    number* const word = told + (long long)taken * 256 + thread;
    //@ if !values
    const unsigned own_passes = row ? wanted[row] : of_first_row;
    if (!(own_passes >> pass & 1)) return;
    // Passes of the row from this one on, this one with them: the last one's result is the whole one's.
    const int left = __popc(own_passes >> pass);
    const bool begins = left == __popc(own_passes);
    //@ if positions
    const bool ends = left == 1;
    // Rows end in different passes, so that each has its positions where its own result comes to be.
    number *const own_side = position_side + base, *const own_result = (number*)(result + base);
    const number* const from_position = left % 2 ? own_side : own_result;
    number* const to_position = left % 2 ? own_result : own_side;
    //@ end
    if (!begins) from = left % 2 ? side : to;
    if (left % 2 == 0) to = side;
    //@ end

    element x[items];
    unsigned rank[items], total;
    load_tile(from + base + first, x, count);
    //@ if values
    carried c[items];
#pragma unroll
    for (int i = 0; i < items; ++i) {
        const unsigned k = first_element() + 32 * i;
        //@ if numbers
        c[i] = from_value ? k < count ? from_value[base + first + k] : carried() : (carried)(first + k);
        //@ else
        c[i] = k < count ? from_value[base + first + k] : carried();
        //@ end
    }
    //@ end
    rank_in_warp(x, rank, pass, scratch.counts);
    const unsigned begin = count_warps(scratch.counts, sums, total);
    if (thread == digit(last_element(), pass)) total -= tile - count;
    number before = 0;
    if (first == 0) {
        const number* const own = counts + ((long long)row * passes + pass) * 256;
        before = sum_before(thread < 256 ? own[thread] : (number)0, number_sums);
        if (thread < 256) tell(word, whole_count | (before + total));
    } else if (thread < 256) {
        tell(word, own_count | total);
    }
    rank_in_tile(rank, scratch.counts);
#pragma unroll
    for (int i = 0; i < items; ++i) scratch.values[rank[i]] = x[i];
    if (thread < 256) {
        if (first != 0) {
            before = look_back(word, word - (first / tile) * 256);
            tell(word, whole_count | (before + total));
        }
        begin_of[thread] = before - begin;
    }
    __syncthreads();
    //@ if carries
    number place[items];
    //@ end
    const auto put = [&](int i) {
        const unsigned k = thread + i * threads;
        const element v = scratch.values[k];
        const number at = begin_of[digit(v, pass)] + k;
        //@ if carries
        place[i] = at;
        //@ end
        //@ if positions
        if (!ends)
            //@ end
            to[base + at] = v;
    };
#pragma unroll
    for (int i = 0; i < items; ++i)
        if (count == tile || thread + i * threads < count) put(i);
    //@ if positions
    __syncthreads();
#pragma unroll
    for (int i = 0; i < items; ++i) {
        const unsigned k = first_element() + 32 * i;
        scratch.positions[rank[i]] = !begins && k < count ? from_position[first + k] : first + k;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < items; ++i) {
        const unsigned k = thread + i * threads;
        if (k >= count) continue;
        if (ends) result[base + place[i]] = scratch.positions[k];
        else to_position[place[i]] = scratch.positions[k];
    }
    //@ end
    //@ if values
    __syncthreads();
#pragma unroll
    for (int i = 0; i < items; ++i) scratch.carries[rank[i]] = c[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < items; ++i) {
        const unsigned k = thread + i * threads;
        if (k < count) to_value[base + place[i]] = scratch.carries[k];
    }
    //@ end
}
)cuda"
