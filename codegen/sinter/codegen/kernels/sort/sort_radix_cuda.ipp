// Bodies of radix_sort_cuda.hpp.
#pragma once

#include <sinter/codegen/kernels/sort/sort.hpp>
#include <sinter/codegen/kernels/sort/sort_radix_cuda.hpp>
#include <sinter/codegen/kernels/sort/sort_rows_cuda.hpp>
#include <sinter/codegen/kernels/sort/order_text.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// Ranks the elements of a tile by one digit. Equal digits keep their order because warps, rounds and lanes are counted
// in it.
inline constexpr const char* sort_rank_text = R"(// The lanes of the warp that have the same digit.
__device__ __forceinline__ unsigned lanes_with(unsigned d) {
    unsigned lanes = 0xffffffffu;
    #pragma unroll
    for (int bit = 0; bit < 8; ++bit) {
        const int set = (int)(d << (31 - bit)) >> 31;
        lanes &= ~(__ballot_sync(0xffffffffu, set < 0) ^ set);
    }
    return lanes;
}

// The sum of x over the threads before this one, of the first 256 or, if there are fewer, of all.
template <class T> __device__ __forceinline__ T sum_before(T x, T* sums) {
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    T sum = x;
    if (thread < owners) {
        #pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            const T y = __shfl_up_sync(0xffffffffu, sum, step);
            if (lane >= step) sum += y;
        }
        if (lane == 31) sums[warp] = sum;
    }
    __syncthreads();
    sum -= x;
    if (thread < owners)
        for (int w = 0; w < warp; ++w) sum += sums[w];
    return sum;
}

// A thread's elements: a warp's lie side by side, those of its lanes in turn.
__device__ __forceinline__ unsigned first_element() { return threadIdx.x / 32 * (32 * items) + threadIdx.x % 32; }

// The thread's elements of a tile of `count`; behind them come more that no other comes after.
__device__ __forceinline__ void load_tile(const element* from, element (&x)[items], unsigned count) {
    from += first_element();
    if (count == tile) {
        #pragma unroll
        for (int i = 0; i < items; ++i) x[i] = from[32 * i];
    } else {
        #pragma unroll
        for (int i = 0; i < items; ++i) x[i] = first_element() + 32 * i < count ? from[32 * i] : last_element();
    }
}

// How many elements of the warp with an element's digit stand before it, below the digit.
__device__ __forceinline__ void rank_in_warp(const element (&x)[items], unsigned (&rank)[items], int pass,
                                             unsigned (*counts)[256]) {
    unsigned* const own = counts[threadIdx.x / 32];
    const unsigned below = (1u << threadIdx.x % 32) - 1;
    for (int i = threadIdx.x; i < warps * 256; i += threads) counts[i / 256][i % 256] = 0;
    __syncthreads();
    #pragma unroll
    for (int i = 0; i < items; ++i) {
        const unsigned d = digit(x[i], pass), lanes = lanes_with(d), before = own[d];
        rank[i] = d << 16 | (before + __popc(lanes & below));
        __syncwarp();
        if (!(lanes & below)) own[d] = before + __popc(lanes);
        __syncwarp();
    }
    __syncthreads();
}

// From the counts of each warp to the place of its first element of each digit; returns where the thread's digits begin in
// the tile. `total` becomes the number of elements with the thread's first digit.
__device__ __forceinline__ unsigned count_warps(unsigned (*counts)[256], unsigned* sums, unsigned& total) {
    const int d = threadIdx.x * each;
    unsigned sum = 0;
    total = 0;
    if (threadIdx.x < owners)
        for (int e = 0; e < each; ++e) {
            #pragma unroll
            for (int w = 0; w < warps; ++w) sum += counts[w][d + e];
            if (e == 0) total = sum;
        }
    const unsigned begin = sum_before(sum, sums);
    unsigned place = begin;
    if (threadIdx.x < owners)
        for (int e = 0; e < each; ++e)
            #pragma unroll
            for (int w = 0; w < warps; ++w) {
                const unsigned count = counts[w][d + e];
                counts[w][d + e] = place;
                place += count;
            }
    __syncthreads();
    return begin;
}

__device__ __forceinline__ void rank_in_tile(unsigned (&rank)[items], const unsigned (*counts)[256]) {
    #pragma unroll
    for (int i = 0; i < items; ++i) rank[i] = counts[threadIdx.x / 32][rank[i] >> 16] + (rank[i] & 0xffff);
    __syncthreads();
}

)";

// `@…@` lines are for positions only, `~…` lines for values only.
inline constexpr const char* sort_rows_text = R"(// A thread block sorts a row.
extern "C" __global__ void __launch_bounds__($)
sort_rows(const element* from, @long long* to@~element* to~, long long rows, int length, int passes) {
    __shared__ union {
        unsigned counts[warps][256];
        element values[tile];
        unsigned positions[tile];
    } scratch;
    __shared__ unsigned sums[8];
    for (long long row = blockIdx.x; row < rows; row += gridDim.x) {
        element x[items];
        unsigned rank[items], total;
@       unsigned position[items];
        load_tile(from + row * length, x, length);
@       #pragma unroll
@       for (int i = 0; i < items; ++i) position[i] = first_element() + 32 * i;
        #pragma unroll 1
        for (int pass = 0; pass < passes; ++pass) {
            rank_in_warp(x, rank, pass, scratch.counts);
            count_warps(scratch.counts, sums, total);
            rank_in_tile(rank, scratch.counts);
            #pragma unroll
            for (int i = 0; i < items; ++i) scratch.values[rank[i]] = x[i];
            __syncthreads();
            #pragma unroll
            for (int i = 0; i < items; ++i) x[i] = scratch.values[first_element() + 32 * i];
            __syncthreads();
@           #pragma unroll
@           for (int i = 0; i < items; ++i) scratch.positions[rank[i]] = position[i];
@           __syncthreads();
@           #pragma unroll
@           for (int i = 0; i < items; ++i) position[i] = scratch.positions[first_element() + 32 * i];
@           __syncthreads();
        }
        #pragma unroll
        for (int i = 0; i < items; ++i) {
            const unsigned k = first_element() + 32 * i;
            if (k < length) to[row * length + k] = @position[i]@~x[i]~;
        }
    }
}
)";

inline constexpr const char* sort_tiles_text =
    R"(// How often each digit occurs in a row, for all passes at once; a block counts a part of a row.
extern "C" __global__ void __launch_bounds__(256)
sort_count(const element* from, number* counts, number length, number part, number parts, int passes) {
    __shared__ unsigned count[digits][256];
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
}

// What a tile tells those behind it about a digit: its own count, or that of all tiles up to it and of all lower digits.
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

// Moves the elements of a tile to their places by one digit. `counts`: of each row's digits · `told`: a word per tile and
// digit, 0 before · `next`: number of the tile to be taken next, so that those before it are being worked on.
extern "C" __global__ void __launch_bounds__($)
sort_sweep(const element* from, element* to, @const number* from_position, number* to_position, long long* result, @
            const number* counts, number* told, unsigned* next, number length, number tiles, int pass,
            int passes) {
    __shared__ union {
        unsigned counts[warps][256];
        element values[tile];
@       number positions[tile];
    } scratch;
    __shared__ number begin_of[256], number_sums[8];
    __shared__ unsigned sums[8], taken;
    const unsigned thread = threadIdx.x;
    if (thread == 0) taken = atomicAdd(next, 1u);
    __syncthreads();
    const number row = taken / tiles, first = (taken - row * tiles) * tile;
    const unsigned count = length - first < tile ? length - first : tile;
    const long long base = (long long)row * length;
    number* const word = told + (long long)taken * 256 + thread;

    element x[items];
    unsigned rank[items], total;
    load_tile(from + base + first, x, count);
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
@   number place[items];
    const auto put = [&](int i) {
        const unsigned k = thread + i * threads;
        const element v = scratch.values[k];
        const number at = begin_of[digit(v, pass)] + k;
@       place[i] = at;
@       if (to)
        to[base + at] = v;
    };
    #pragma unroll
    for (int i = 0; i < items; ++i)
        if (count == tile || thread + i * threads < count) put(i);
@   __syncthreads();
@   #pragma unroll
@   for (int i = 0; i < items; ++i) {
@       const unsigned k = first_element() + 32 * i;
@       scratch.positions[rank[i]] = from_position && k < count ? from_position[base + first + k] : first + k;
@   }
@   __syncthreads();
@   #pragma unroll
@   for (int i = 0; i < items; ++i) {
@       const unsigned k = thread + i * threads;
@       if (k >= count) continue;
@       if (result) result[base + place[i]] = scratch.positions[k];
@       else to_position[base + place[i]] = scratch.positions[k];
@   }
}
)";

SINTER_INLINE kernel_source radix_sort_cuda(const sort_task& t) {
    sort_shape s = sort_shape_of(t);
    const std::string name = std::string(t.positions ? "argsort_" : "sort_") + std::string(to_string(t.type));
    if (s.lanes) return {name, sort_warp_rows(t, s)};
    const std::string threads = std::to_string(s.threads), items = std::to_string(s.items);
    std::string text = sort_digit_text(t.type, "__device__ ");
    text += std::string("typedef ") + (s.wide ? "unsigned long long" : "unsigned") + " number;\n";
    text += "constexpr int threads = " + threads + ", items = " + items +
            ", tile = threads * items, warps = threads / 32;\n";
    text += "// How many threads look after the 256 digits, and how many digits each has.\n";
    text += "constexpr int owners = threads < 256 ? threads : 256, each = 256 / owners, digits = " +
            std::to_string(sort_digits(t.type)) + ";\n\n";
    text += sort_rank_text;
    std::string body = sort_variant(s.whole_rows ? sort_rows_text : sort_tiles_text, t.positions);
    // Blocks of a multiprocessor, at least: what registers are to be spared for.
    body.replace(body.find('$'), 1, threads + (s.threads > 256 ? ", 2" : ", 8"));
    text += body;
    return {name, std::move(text)};
}

}  // namespace sinter::inline SINTER_ABI::codegen
