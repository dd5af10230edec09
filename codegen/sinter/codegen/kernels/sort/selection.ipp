// Bodies of selection.hpp.
#pragma once

#include <cstring>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/codegen/kernels/sort/order_text.hpp>
#include <sinter/codegen/kernels/sort/selection.hpp>
#include <sinter/codegen/kernels/sort/sort.hpp>
#include <sinter/codegen/print/fill_text.hpp>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE selection_task selection_task_of(const call_info& c, dtype operand, const dims& shape,
                                               std::int64_t count) {
    const std::int64_t length = shape.back();
    return {.type = operand,
            .descending = c.what == routine::topk && c.has(call_info::descending),
            .rows = length ? shape.product() / length : 0,
            .length = length,
            .count = count};
}

// Places are numbers of 32 bits.
SINTER_INLINE bool may_select(dtype t, std::int64_t length, std::int64_t least) {
    return !is_complex(t) && length >= least && length < (std::int64_t{1} << 32) - 1;
}

SINTER_INLINE bool selects_first(const selection_schedule& s, dtype t, std::int64_t length, std::int64_t count) {
    return may_select(t, length, s.least_length) && count > 0 && count <= s.most_first &&
           s.lengths_of_first * count <= length;
}

SINTER_INLINE bool selects_ranks(const selection_schedule& s, dtype t, std::int64_t length, std::int64_t count) {
    return may_select(t, length, s.least_ranked) && size_of(t) >= s.least_bytes && count > 0 && count <= s.most_ranks;
}

SINTER_INLINE bool occupies(const selection_schedule& s, std::int64_t rows, std::int64_t threads) {
    return threads <= s.threads_of_row * rows;
}

SINTER_INLINE int digits_of_selection(dtype t) { return size_of(t) + 4; }

SINTER_INLINE int room_for_candidates(dtype t) { return size_of(t) == 8 ? 2816 : 4096; }

SINTER_INLINE std::int64_t bytes_of_target(dtype t) { return size_of(t) == 8 ? 40 : 28; }

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* candidates_file =
#include <sinter/codegen/kernels/sort/text/candidates.cuh>
    ;
inline constexpr const char* topk_file =
#include <sinter/codegen/kernels/sort/text/topk.cuh>
    ;
inline constexpr const char* order_statistics_file =
#include <sinter/codegen/kernels/sort/text/order_statistics.cuh>
    ;

// A thread block's tile leaves half of the room for candidates, or more, to those that came before.
SINTER_INLINE std::string candidates_text(dtype t, bool descending) {
    const char kind = kind_of(t);
    const bool wide = size_of(t) == 8;
    const std::string sign = sign_bit_text(t);
    const std::string plain = kind == 'f' ? "ordered(x)" : kind == 'i' ? "(x ^ " + sign + ")" : "x";
    return sort_element_text(t, "__device__ __forceinline__") +
           fill_text(candidates_file, {{"key", wide ? "unsigned long long" : "unsigned"},
                                       {"capacity", std::to_string(room_for_candidates(t))},
                                       {"items", wide ? "4" : "8"},
                                       {"key_of_x", "(element)" + ("(" + ((descending ? "~" : "") + plain) + ")")}});
}

SINTER_INLINE kernel_source topk_cuda(const selection_task& t) {
    return {"topk_" + std::string(to_string(t.type)),
            candidates_text(t.type, t.descending) +
                fill_text(topk_file, {{"least_blocks", std::to_string(cuda_selection.blocks)}})};
}

SINTER_INLINE kernel_source order_statistics_cuda(const selection_task& t, bool counts) {
    const std::string sign = "(" + sign_bit_text(t.type) + ")";
    const std::string element = kind_of(t.type) == 'i' ? "k ^ " + sign : "k";
    std::string text = candidates_text(t.type, false);
    text += is_floating(t.type) ? "constexpr key sign = " + sign + ";\n" : "";
    text += fill_text(order_statistics_file, {{"most_ranks", std::to_string(cuda_selection.most_ranks)},
                                              {"least_blocks", std::to_string(cuda_selection.blocks)},
                                              {"floating", is_floating(t.type)},
                                              {"counts", counts},
                                              {"element_of_k", element}});
    return {(counts ? "count_digits_" : "take_ranks_") + std::string(to_string(t.type)), std::move(text)};
}

// The order of one row: where its elements stand.
SINTER_INLINE void order_of_row(dtype t, std::int64_t length, const char* row, std::int64_t* order) {
    sort_reference({.type = t, .positions = true, .rows = 1, .length = length}, row, order);
}

SINTER_INLINE void topk_reference(const selection_task& t, const void* from, std::int64_t* to) {
    const std::int64_t size = size_of(t.type), n = t.length;
    sequence<std::int64_t> order(static_cast<std::size_t>(n));
    sequence<char> turned(static_cast<std::size_t>(n * size));
    for (std::int64_t r = 0; r < t.rows; ++r, to += t.count) {
        const char* row = static_cast<const char*>(from) + r * n * size;
        // Equal elements keep their order from the reversed row as well.
        for (std::int64_t i = 0; i < n && t.descending; ++i)
            std::memcpy(turned.data() + i * size, row + (n - 1 - i) * size, static_cast<std::size_t>(size));
        order_of_row(t.type, n, t.descending ? turned.data() : row, order.data());
        for (std::int64_t i = 0; i < t.count; ++i)
            to[i] =
                t.descending ? n - 1 - order[static_cast<std::size_t>(n - 1 - i)] : order[static_cast<std::size_t>(i)];
    }
}

SINTER_INLINE void order_statistics_reference(const selection_task& t, const void* from, const std::int64_t* ranks,
                                              void* to) {
    const std::int64_t size = size_of(t.type);
    sequence<std::int64_t> order(static_cast<std::size_t>(t.length));
    for (std::int64_t r = 0; r < t.rows; ++r) {
        const char* row = static_cast<const char*>(from) + r * t.length * size;
        order_of_row(t.type, t.length, row, order.data());
        for (std::int64_t i = 0; i < t.count; ++i)
            std::memcpy(static_cast<char*>(to) + (r * t.count + i) * size,
                        row + order[static_cast<std::size_t>(ranks[i])] * size, static_cast<std::size_t>(size));
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
