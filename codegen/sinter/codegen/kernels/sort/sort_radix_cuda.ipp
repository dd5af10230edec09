// Bodies of sort_radix_cuda.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/fill_text.hpp>
#include <sinter/codegen/kernels/sort/sort.hpp>
#include <sinter/codegen/kernels/sort/sort_radix_cuda.hpp>
#include <sinter/codegen/kernels/sort/sort_rows_cuda.hpp>
#include <sinter/codegen/kernels/sort/order_text.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* sort_rank_text =
#include <sinter/codegen/kernels/sort/text/rank.cuh>
    ;

inline constexpr const char* sort_rows_text =
#include <sinter/codegen/kernels/sort/text/sort_rows.cuh>
    ;

inline constexpr const char* sort_tiles_text =
#include <sinter/codegen/kernels/sort/text/sort_tiles.cuh>
    ;

inline constexpr const char* parts_text =
#include <sinter/codegen/kernels/sort/text/parts.cuh>
    ;

inline constexpr const char* sort_halves_text =
#include <sinter/codegen/kernels/sort/text/sort_halves.cuh>
    ;

inline constexpr const char* given_positions_text =
#include <sinter/codegen/kernels/sort/text/given_positions.hxx>
    ;

inline constexpr const char* count_positions_text =
#include <sinter/codegen/kernels/sort/text/count_positions.cuh>
    ;

SINTER_INLINE std::string position_text(dtype given, bool indices, const char* function) {
    return fill_text(given_positions_text, {{"given", type_text(given)}, {"indices", indices}, {"function", function}});
}

SINTER_INLINE std::string carried_text(int bytes) {
    if (bytes == 16) return "struct alignas(16) carried { unsigned long long low, high; };\n";
    const char* words[] = {"char", "short", "", "int", "", "", "", "long long"};
    return joined({"typedef unsigned ", words[bytes - 1], " carried;\n"});
}

SINTER_INLINE std::string tile_constants(int threads, int items) {
    return joined({"constexpr int threads = ", threads, ", items = ", items,
                   ", tile = threads * items, warps = threads / 32;\n"
                   "// How many threads look after the 256 digits, and how many digits each has.\n"
                   "constexpr int owners = threads < 256 ? threads : 256, each = 256 / owners;\n"});
}

SINTER_INLINE std::string tile_of_keys_text(int threads, int items) {
    return joined({tile_constants(threads, items), "\nnamespace keys_of_tile {\n",
                   sort_digit_text(dtype::uint32, "__device__"), "\n", sort_rank_text,
                   "}  // namespace keys_of_tile\n\n"});
}

SINTER_INLINE std::string part_text(int kept_together, bool digits) {
    return joined(
        {"constexpr int kept_together = ", kept_together, ";\n\n", fill_text(parts_text, {{"digits", digits}})});
}

SINTER_INLINE kernel_source radix_sort_cuda(const sort_task& t) {
    sort_shape s = sort_shape_of(t);
    const std::string name = std::string(t.positions ? "argsort_" : "sort_") + std::string(to_string(t.type));
    if (s.lanes) return {name, sort_warp_rows(t, s)};
    const std::string threads = std::to_string(s.threads);
    std::string text = t.kept_together < 0 ? sort_digit_text(t.type, "__device__")
                                           : sort_element_text(t.type, "__device__") + part_text(t.kept_together, true);
    text += joined({"typedef ", s.wide ? "unsigned long long" : "unsigned", " number;\n"});
    text +=
        tile_constants(s.threads, s.items) + "constexpr int digits = " + std::to_string(sort_digits(t.type)) + ";\n\n";
    text += sort_rank_text;
    if (t.carried)
        text += carried_text(t.carried) + position_text(t.given, t.indices) +
                fill_text(count_positions_text, {{"upper_halves", t.upper_halves}});
    if (t.upper_halves) text += sort_halves_text;
    // Blocks of a multiprocessor, at least: what registers are to be spared for.
    if (s.whole_rows)
        text += fill_text(sort_rows_text, {{"positions", t.positions},
                                           {"target", t.positions ? "long long" : "element"},
                                           {"sorted", t.positions ? "position" : "x"},
                                           {"threads", threads},
                                           {"least_blocks", s.threads > 256 ? "2" : "8"}});
    else
        text += fill_text(sort_tiles_text, {{"positions", t.positions},
                                            {"values", t.carried > 0},
                                            {"numbers", t.carries_numbers},
                                            {"carries", t.positions || t.carried > 0},
                                            {"threads", threads},
                                            {"least_blocks", s.threads > 256 ? "2" : "8"}});
    return {name, std::move(text)};
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
