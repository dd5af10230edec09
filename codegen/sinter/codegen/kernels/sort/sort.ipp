// Bodies of sort.hpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <sinter/codegen/base/sorted_order.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/codegen/kernels/sort/sort.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE sort_task sort_task_of(const call_info& how, dtype operand, const dims& shape) {
    std::int64_t length = shape.back();
    return {.type = operand,
            .positions = how.what == routine::argsort,
            .rows = length ? shape.product() / length : 0,
            .length = length,
            .spread = how.what == routine::argsort && how.has(call_info::spread)};
}

SINTER_INLINE sort_task sort_task_on_cuda(const sort_task& t) {
    if (!t.spread || t.type != dtype::uint64 || t.rows != 1) return t;
    const sort_shape s = sort_shape_of(t);
    if (s.whole_rows || s.wide) return t;
    return {.type = dtype::uint32,
            .length = t.length,
            .key_bits = 32,
            .carried = 4,
            .carries_numbers = true,
            .upper_halves = true};
}

SINTER_INLINE int sort_digits(dtype t) { return size_of(t) + (is_complex(t) ? 1 : 0); }

SINTER_INLINE int sort_passes(const sort_task& t) {
    if (t.kept_together >= 0) return 1;
    return t.key_bits ? std::min((t.key_bits + 7) / 8, sort_digits(t.type)) : sort_digits(t.type);
}

SINTER_INLINE bool sort_items_are_wide(const sort_task& t) {
    return is_complex(t.type) || (t.positions && size_of(t.type) == 8);
}

// A radix sort costs as much again with each digit, a network with the length of a row; and registers hold what it
// sorts.
SINTER_INLINE std::int64_t longest_in_network(const sort_task& t) {
    if (sort_items_are_wide(t)) return 256;
    return sort_digits(t.type) == 1 ? 128 : std::min(256 * sort_digits(t.type), 1024);
}

SINTER_INLINE sort_shape sort_shape_of(const sort_task& t) {
    sort_shape s{.whole_rows = true, .wide = t.length >= std::int64_t{1} << 30, .threads = 384, .items = 20};
    const int bytes = std::max({size_of(t.type), t.positions ? s.wide ? 8 : 4 : 1, t.carried});
    if (t.length <= longest_in_network(t)) {
        const int width = static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(t.length)));
        // Rows lie in shared memory, of which a block has 48 KiB without asking.
        s.threads = width > 512 && size_of(t.type) == 8 ? 128 : 256;
        s.items = width > 512 ? 32 : width > 256 ? 16 : std::min(width, 8);
        s.lanes = width / s.items;
        return s;
    }
    if (t.length <= 256) return s.threads = 32, s.items = 8, s;
    if (t.length <= 1024) return s.threads = 128, s.items = 8, s;
    // A tile's elements lie in shared memory, of which a block has 48 KiB without asking, and in registers.
    s.items = bytes == 16 ? 6 : bytes == 8 ? 12 : 16;
    s.whole_rows = t.length <= s.tile();
    if (!s.whole_rows && bytes <= 4 && !t.positions && !t.carried) s.items = 20;
    if (!s.whole_rows && bytes == 8 && !t.carried) s.items = 14;
    return s;
}

template <class T>
SINTER_COMPARES bool comes_before(const void* row, std::int64_t a, std::int64_t b) {
    const T* const x = static_cast<const T*>(row);
    return orders_before(x[a], x[b]);
}

SINTER_INLINE void sort_reference(const sort_task& t, const void* from, void* to) {
    const auto before = with_sortable_type(t.type, []<class T>(std::type_identity<T>) { return &comes_before<T>; });
    const auto size = static_cast<std::size_t>(size_of(t.type));
    const char* row = static_cast<const char*>(from);
    char* sorted = static_cast<char*>(to);
    for (std::int64_t r = 0; r < t.rows; ++r, row += static_cast<std::size_t>(t.length) * size)
        for (std::int64_t i : sorted_order(t.length, row, before)) {
            const bool wants_place = t.positions;
            const std::size_t bytes = wants_place ? sizeof i : size;
            std::memcpy(sorted,
                        wants_place ? reinterpret_cast<const char*>(&i) : row + static_cast<std::size_t>(i) * size,
                        bytes);
            sorted += bytes;
        }
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END
