// Bodies of sort_host_rows.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/fill_text.hpp>
#include <sinter/codegen/kernels/sort/sort.hpp>
#include <sinter/codegen/kernels/sort/sort_host_keys.hpp>
#include <sinter/codegen/kernels/sort/sort_host_rows.hpp>
#include <sinter/codegen/kernels/sort/order_text.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* sort_key_file =
#include <sinter/codegen/kernels/sort/text/host/key.hxx>
    ;

// Positions stand below the keys in one number. Where both do not fit, as much of the keys as does is looked at first,
// and what it leaves equal is sorted by the rest.
inline constexpr const char* sort_host_rows_text =
#include <sinter/codegen/kernels/sort/text/host/sort_key_rows.hxx>
    ;

inline constexpr const char* select_keys_text =
#include <sinter/codegen/kernels/sort/text/host/select_keys.hxx>
    ;

// Keys are as wide as elements, and beside positions 64 bits or, in short rows of narrow elements, 32.
SINTER_INLINE bool sort_keys_are_wide(const sort_task& t) {
    return size_of(t.type) == 8 || (t.positions && size_of(t.type) == 4);
}

SINTER_INLINE bool sort_by_keys(const sort_task& t) {
    if (is_complex(t.type) || t.length > std::int64_t{1} << 32) return false;
    return size_of(t.type) >= 4 || t.length <= 256;
}

SINTER_INLINE std::string sort_key_text(const sort_task& t) {
    const bool floating = is_floating(t.type);
    const std::string sign = joined({"((element)1 << ", 8 * size_of(t.type) - 1, ")"});
    const std::string flip = kind_of(t.type) == 'i' ? " ^ " + sign : "";
    return fill_text(sort_key_file, {{"positions", t.positions},
                                     {"floating", floating},
                                     {"key", sort_keys_are_wide(t) ? "unsigned long long" : "unsigned"},
                                     {"result", t.positions ? "long long" : "element"},
                                     {"key_of_x", floating ? "ordered(x)" : "(element)(x" + flip + ")"},
                                     {"element_of_k", "(element)(k" + flip + ")"},
                                     {"sign", sign}});
}

SINTER_INLINE kernel_source sort_host_by_keys(const sort_task& t) {
    return {"sort_rows", sort_element_text(t.type, "static inline") + sort_key_text(t) +
                             sort_keys_text_of(sort_keys_are_wide(t)) +
                             fill_text(sort_host_rows_text, {{"positions", t.positions}})};
}

SINTER_INLINE kernel_source order_statistics_host(dtype type) {
    const sort_task t{.type = type};
    return {"select_ranks", sort_element_text(type, "static inline") + sort_key_text(t) +
                                sort_keys_text_of(sort_keys_are_wide(t)) + select_keys_text};
}

SINTER_INLINE std::int64_t order_statistics_workspace(dtype type, std::int64_t length, std::int64_t count) {
    return (2 * length + count) * (sort_keys_are_wide({.type = type}) ? 8 : 4);
}

SINTER_INLINE sort_division sort_division_of(const sort_task& t, std::int64_t threads) {
    if (!sort_by_keys(t) || t.length <= 65536) return {};
    sort_division d{.parts = (t.length + 32767) / 32768, .buckets = 2};
    while (d.buckets < 1024 && (d.buckets < 4 * threads || d.buckets * 65536 < t.length)) d.buckets *= 2;
    return d;
}

SINTER_INLINE std::int64_t sort_key_workspace(const sort_task& t, const sort_division& d) {
    if (t.length <= 256) return 0;
    const std::int64_t keys = 2 * t.length * (sort_keys_are_wide(t) ? 8 : 4);
    return d.buckets ? keys + 8 * (8 + 3 * d.parts + 2 * d.buckets) + 4 * d.parts * (d.buckets + 1) : keys;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
