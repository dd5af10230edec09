// Bodies of sort_rows_cuda.hpp.
#pragma once

#include <sinter/codegen/kernels/sort/sort.hpp>
#include <sinter/codegen/kernels/sort/sort_rows_cuda.hpp>
#include <sinter/codegen/kernels/sort/order_text.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// The steps depend on no element, so that a row costs the same whatever is in it. Exchanges within a lane are the most
// frequent ones of a bitonic sort if a lane has items that stand side by side.
inline constexpr const char* sort_network_text = R"(// The one that comes first to the first place.
__device__ __forceinline__ void exchange(item& a, item& b) {
    const bool swap = comes_before(b, a);
    const item first = either(swap, b, a);
    b = either(swap, a, b);
    a = first;
}

// Exchanges with the lane whose number differs in `bits`: of two lanes the upper keeps what comes last. Mirrored, a lane's
// first item meets the other's last.
template <bool mirrored>
__device__ __forceinline__ void exchange_lanes(item (&x)[items], int bits, bool upper) {
    item other[items];
    #pragma unroll
    for (int i = 0; i < items; ++i) other[i] = of_lane(x[mirrored ? items - 1 - i : i], bits);
    #pragma unroll
    for (int i = 0; i < items; ++i) x[i] = either(comes_before(other[i], x[i]) != upper, other[i], x[i]);
}

// Exchanges over a distance, then over half of it, and so on: what is bitonic becomes sorted.
__device__ __forceinline__ void merge_items(item (&x)[items], int distance) {
    #pragma unroll
    for (; distance > 0; distance /= 2)
        #pragma unroll
        for (int i = 0; i < items; ++i)
            if (!(i & distance)) exchange(x[i], x[i | distance]);
}

// Sorts the items of `lanes` lanes, from those of the first lane to those of the last.
__device__ __forceinline__ void sort_items(item (&x)[items]) {
    #pragma unroll
    for (int size = 2; size <= items; size *= 2) {
        #pragma unroll
        for (int i = 0; i < items; ++i)
            if (!(i & size / 2)) exchange(x[i], x[i ^ (size - 1)]);
        merge_items(x, size / 4);
    }
    #pragma unroll 1
    for (int size = 2; size <= lanes; size *= 2) {
        exchange_lanes<true>(x, size - 1, threadIdx.x & size / 2);
        #pragma unroll 1
        for (int bit = size / 4; bit > 0; bit /= 2) exchange_lanes<false>(x, bit, threadIdx.x & bit);
        merge_items(x, items / 2);
    }
}

// Where element k of a warp's rows lies in shared memory: with gaps, so that lanes find their items in different banks.
__device__ constexpr int place(int k) { return k + k / (128 / (int)sizeof(element)); }

)";

// Of the elements that equal one another but have different bits, which a network does not keep in order.
inline constexpr const char* sort_restore_text =
    R"(// Writes the elements of a row that are ordered as `equal` once more, in the order in which they stand.
__device__ void restore(item equal, const element* row, int length, element* sorted, int begin) {
    const unsigned lane = threadIdx.x % 32, own = ~0u >> (32 - lanes) << lane / lanes * lanes, below = own & ((1u << lane) - 1);
    int next = begin;
    #pragma unroll 1
    for (int k = lane % lanes; k < lanes * items; k += lanes)
        next += __popc(__ballot_sync(0xffffffffu, k < length && item_of(row[k], k) < equal) & own);
    #pragma unroll 1
    for (int k = lane % lanes; k < lanes * items; k += lanes) {
        const bool is_equal = k < length && item_of(row[k], k) == equal;
        const unsigned those = __ballot_sync(0xffffffffu, is_equal) & own;
        if (is_equal) sorted[place(next + __popc(those & below))] = row[k];
        next += __popc(those);
    }
}

)";

// `@…@` and `~…~` are as in the text of the radix sort; % lines are for values that can be equal and have different
// bits.
inline constexpr const char* sort_warp_rows_text = R"(// A warp sorts `rows_per_warp` rows, which lie side by side.
extern "C" __global__ void __launch_bounds__($)
sort_rows(const element* from, @long long* to@~element* to~, long long rows, int length, int passes) {
    __shared__ union {
        element from[place(32 * items)];
        result to[place(32 * items)];
    } scratch[8];
    auto& own = scratch[threadIdx.x / 32];
    const int lane = threadIdx.x % 32, begin = lane / lanes * length, column = lane % lanes * items;
    constexpr int rows_per_warp = 32 / lanes;
    const long long step = (long long)gridDim.x * (8 * rows_per_warp);
    for (long long row = ((long long)blockIdx.x * 8 + threadIdx.x / 32) * rows_per_warp; row < rows; row += step) {
        const int count = (rows - row < rows_per_warp ? (int)(rows - row) : rows_per_warp) * length;
        const element* const source = from + row * length;
        #pragma unroll
        for (int i = 0; i < items; ++i) {
            const int k = lane + 32 * i;
            if (k < count) own.from[place(k)] = source[k];
        }
        __syncwarp();
        // What is not there comes last.
        const int there = begin < count ? length - column : 0;
        item x[items];
%       bool has_others = false;
        #pragma unroll
        for (int i = 0; i < items; ++i) {
            x[i] = last_item();
            if (i >= there) continue;
            const element e = own.from[place(begin + column + i)];
            x[i] = item_of(e, column + i);
%           has_others |= result_of(x[i], source) != e;
        }
        __syncwarp();
        sort_items(x);
        #pragma unroll
        for (int i = 0; i < items; ++i)
            if (i < there) own.to[place(begin + column + i)] = result_of(x[i], source + begin);
        __syncwarp();
%       if (__ballot_sync(0xffffffffu, has_others)) {
%           restore(zero_item, source + begin, begin < count ? length : 0, own.to, begin);
%           restore(last_item(), source + begin, begin < count ? length : 0, own.to, begin);
%           __syncwarp();
%       }
        #pragma unroll
        for (int i = 0; i < items; ++i) {
            const int k = lane + 32 * i;
            if (k < count) to[row * length + k] = own.to[place(k)];
        }
        __syncwarp();
    }
}
)";

// An item of one number: what an element is ordered by and, behind it, where it stands.
SINTER_INLINE std::string sort_number_item_text(dtype t, bool positions) {
    const int bits = 8 * size_of(t);
    const char kind = kind_of(t);
    const bool wide = (positions ? 2 * bits : bits) > 32;
    const std::string number = wide ? "unsigned long long" : "unsigned";
    const std::string sign = (bits == 64 ? "1ull << " : "1u << ") + std::to_string(bits - 1);
    const std::string key = kind == 'f' ? "ordered(x)" : kind == 'i' ? "(element)(x ^ " + sign + ")" : "x";
    std::string s = "// What is sorted: a number that orders as the element does";
    s += positions ? ", with where it stands in its row in its low bits.\n" : ".\n";
    s += "typedef " + number + " item;\n" + "__device__ item item_of(element x, int position) { return ";
    if (positions) {
        const std::string shift = std::to_string(bits == 32 ? 32 : 16);
        s += "(item)" + key + " << " + shift + " | position; }\n";
        s += "__device__ result result_of(item x, const element*) { return x & " +
             std::string(bits == 32 ? "0xffffffffu" : "0xffffu") + "; }\n";
    } else if (kind == 'f') {
        s += key + "; }\n";
        s += "constexpr item zero_item = " + sign + ";\n" +
             "__device__ result result_of(item x, const element*) { return x < zero_item ? 0 - x : x ^ zero_item; }\n";
    } else {
        s += key + "; }\n";
        s += "__device__ result result_of(item x, const element*) { return " +
             std::string(kind == 'i' ? "(element)(x ^ " + sign + ")" : "(element)x") + "; }\n";
    }
    s += "__device__ bool comes_before(item a, item b) { return a < b; }\n"
         "__device__ item either(bool first, item a, item b) { return first ? a : b; }\n"
         "__device__ item last_item() { return ~(item)0; }\n"
         "__device__ item of_lane(item x, int bits) { return __shfl_xor_sync(0xffffffffu, x, bits); }\n\n";
    return s;
}

// What a complex number is ordered by: two numbers as wide as its parts.
inline constexpr const char* sort_complex_item_text =
    R"(// NaN in the imaginary part only comes behind all other numbers, then NaN in the real part only, then in both.
__device__ part upper_key(part re, part im) {
    return is_nan(re) ? ~(part)0 - !is_nan(im) : is_nan(im) ? ~(part)0 - 2 : ordered(re);
}
__device__ part lower_key(part re, part im) { return is_nan(im) && !is_nan(re) ? ordered(re) : ordered(im); }

)";

// An item that takes several numbers: positions of wide elements, and complex ones, whose value is found by its
// position.
SINTER_INLINE std::string sort_struct_item_text(dtype t, bool positions) {
    const char kind = kind_of(t);
    const bool two = t == dtype::complex128;
    std::string s, sign = "1ull << 63", key = kind == 'f' ? "ordered(x)" : kind == 'i' ? "x ^ " + sign : "x";
    if (kind == 'c') {
        s += std::string("typedef ") + (two ? "unsigned long long" : "unsigned") + " part;\n" + sort_complex_item_text;
        if (two) key = "upper_key(x.re, x.im), lower_key(x.re, x.im)";
        else key = "(unsigned long long)upper_key(x, x >> 32) << 32 | lower_key(x, x >> 32)";
    }
    s += "// What is sorted: what orders as the element does, and where it stands in its row.\n";
    s += "struct item {\n    unsigned long long key";
    s += std::string(two ? ", lower" : "") + ";\n    unsigned position;\n};\n";
    s += "__device__ item item_of(element x, unsigned position) {\n    return {" + key + ", position};\n}\n";
    s += std::string("__device__ result result_of(item x, const element* row) { return ") +
         (positions ? "x.position" : "row[x.position]") + "; }\n";
    s += "__device__ bool comes_before(const item& a, const item& b) {\n    const bool by_position = ";
    s += two ? "(a.key == b.key) & (a.lower == b.lower)" : "a.key == b.key";
    s += ";\n    return (a.key < b.key) | ";
    if (two) s += "((a.key == b.key) & (a.lower < b.lower)) | ";
    s += "(by_position & (a.position < b.position));\n}\n";
    std::string selected, shuffled;
    for (const std::string part : {"key", "lower", "position"}) {
        if (part == "lower" && !two) continue;
        const std::string between = selected.empty() ? "" : ",\n            ";
        selected += between + "first ? a." + part + " : b." + part;
        shuffled += between + "__shfl_xor_sync(0xffffffffu, x." + part + ", bits)";
    }
    s += "__device__ item either(bool first, const item& a, const item& b) {\n    return {" + selected + "};\n}\n";
    s += "__device__ item of_lane(const item& x, int bits) {\n    return {" + shuffled + "};\n}\n";
    s += std::string("__device__ item last_item() { return {~0ull, ") + (two ? "~0ull, " : "") + "~0u}; }\n\n";
    return s;
}

SINTER_INLINE std::string sort_warp_rows(const sort_task& t, const sort_shape& s) {
    const bool wide = sort_items_are_wide(t);
    const bool restores = kind_of(t.type) == 'f' && !t.positions;
    std::string text = sort_element_text(t.type, "__device__ ");
    text += std::string("typedef ") + (t.positions ? "unsigned" : "element") + " result;\n\n";
    text += wide ? sort_struct_item_text(t.type, t.positions) : sort_number_item_text(t.type, t.positions);
    text += "// A row lies in so many lanes, so many items in each.\n";
    text += "constexpr int lanes = " + std::to_string(s.lanes) + ", items = " + std::to_string(s.items) + ";\n\n";
    text += sort_network_text;
    if (restores) text += sort_restore_text;
    std::string body = sort_variant(sort_warp_rows_text, t.positions);
    // Blocks of a multiprocessor, at least: as many as registers suffice for without leaving any item in memory.
    body.replace(body.find('$'), 1, size_of(t.type) == 16 ? "256, 2" : "256, 3");
    for (std::size_t at = body.find("\n%"); at != std::string::npos; at = body.find("\n%", at)) {
        if (restores) body.replace(++at, 1, " ");
        else body.erase(at, body.find('\n', at + 1) - at);
    }
    return text + body;
}

}  // namespace sinter::inline SINTER_ABI::codegen
