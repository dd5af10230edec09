// Bodies of row_group_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/cuda/rows/row_group_writer.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE std::string row_group_writer::group_begin() const {
    const bool apart = facts_.share.step > 1 && tile_ != tile_kind::swizzled;
    return std::to_string(facts_.share.stride) + (apart ? " * g + t" : " * g + 4 * t");
}

// Element c of a group that begins at l.
SINTER_INLINE std::string row_group_writer::group_element() const {
    if (tile_ == tile_kind::swizzled) return "l + (c ^ swizzle)";
    return facts_.share.step > 1 ? "l + " + std::to_string(facts_.share.step) + " * c" : "l + c";
}

// A thread's place in a group of its elements, of all blocks where they are kept.
SINTER_INLINE std::string row_group_writer::group_place(std::uint32_t i) const {
    if (by_groups_) return "[c]";
    return facts_.blocks > 1 && facts_.persistent[i] ? "[16 * p + 4 * g + c]" : "[4 * g + c]";
}

SINTER_INLINE void row_group_writer::open_rows() {
    if (!facts_.side_by_side) return;
    open_unrolled("for (int u = 0; u < " + std::to_string(k_.how.rows_per_thread) + "; ++u)");
}

SINTER_INLINE void row_group_writer::close_rows() {
    if (facts_.side_by_side) close();
}

// A statement for each of the rows that are side by side.
SINTER_INLINE void row_group_writer::each_row(const std::string& statement) {
    if (!facts_.side_by_side) return line(statement);
    write_unrolled("for (int u = 0; u < " + std::to_string(k_.how.rows_per_thread) + "; ++u) " + statement);
}

// `if (…) ` of what is left out where a row ends, for those groups alone that it may not fill.
SINTER_INLINE std::string row_group_writer::unless_full(const std::string& check) const {
    const int full = full_groups();
    if (full == 0) return check;
    if (full == row_groups()) return "";
    const bool skips = check.find(">=") != check.npos;
    const std::string group = facts_.blocks > 1 ? "4 * p + g " : "g ";
    return joined({"if (", group, skips ? ">= " : "< ", full, skips ? " && " : " || ", check.substr(4)});
}

// The same of an element that packs do without.
SINTER_INLINE std::string row_group_writer::unless_whole(const std::string& check) const {
    return facts_.share.packs ? "" : unless_full(check);
}

// `if (…)` a group's first element is there, `l <` its end, or is not, `l >=`; nothing where each group's is.
SINTER_INLINE std::string row_group_writer::group_check(const std::string& how) const {
    return full_groups() < row_groups() && !facts_.share.begins ? unless_full("if (" + how + " size)") : "";
}

SINTER_INLINE void row_group_writer::write_group_check() {
    if (row_groups() % facts_.share.of_tile != 0) line({"if (4 * p + g >= ", row_groups(), ") continue;"});
    if (const std::string check = group_check("l >="); !check.empty()) line({check, " continue;"});
}

// So many groups from a power of two on, in the order in which they combine.
SINTER_INLINE void row_group_writer::open_groups_to_combine(const std::string& begin, int count) {
    const int groups = tree_groups();
    std::string g;
    for (int from = 1, to = groups / 2; to > 0; from *= 2, to /= 2) {
        const std::string bit = joined({"(i & ", from, ")"});
        g += (g.empty() ? "" : " | ") + (from < to   ? bit + " * " + std::to_string(to / from)
                                         : from > to ? bit + " / " + std::to_string(from / to)
                                                     : bit);
    }
    open({"for (int i = ", begin, "; i < ", begin == "0" ? "" : begin + " + ", count, "; ++i)"});
    line({"const int g = ", g, ";  // 0, ", groups / 2, ", ...: as they combine"});
}

// A group's lanes to its place, or to that of the group that it combines with first.
SINTER_INLINE void row_group_writer::write_group_places(int stage, bool at_once) {
    const std::string u = of_thread_row(), half = std::to_string(tree_groups() / 2),
                      check = at_once ? "if (g < " + half + ") " : "";
    for (std::size_t r : reductions_of(stage)) {
        write_for(r, check + "a#" + u + "[g] = b#[0];", check + "ai#" + u + "[g] = bi#[0];");
        if (!at_once) continue;
        const std::string to = values_at(r, "a", u + "[g - " + half + "]");
        line({"if (g >= ", half, ") combine", r, "(", to, ", ", values_at(r, "b", "[0]"), ");"});
    }
}

// What the group's first combination allows to combine next. A row that is longer than half of the capacity lacks no
// groups there.
SINTER_INLINE void row_group_writer::write_group_reduces(int stage) {
    const int half = tree_groups() / 2;
    if (half < 2) return;
    open_unrolled("for (int h = " + std::to_string(half / 2) + "; g >= " + std::to_string(half) +
                  " && h > 0 && (g & h) != 0; h /= 2)");
    line("const int q = g & (2 * h - 1);");
    const std::string check =
        facts_.fills_half ? "" : "if (" + std::to_string(facts_.lanes) + " * q + t < (size + 3) / 4) ";
    for (std::size_t r : reductions_of(stage)) {
        const std::string u = of_thread_row(), to = values_at(r, "a", u + "[q - h]"),
                          from = values_at(r, "a", u + "[q]");
        each_row(check + "combine" + std::to_string(r) + "(" + to + ", " + from + ");");
    }
    close();
}

// How many lanes of a group that begins there are, of four.
SINTER_INLINE std::string row_group_writer::lanes_left(const std::string& begin) const {
    const int full = full_groups();
    if (facts_.share.packs) return "4";
    return (full == 0 ? "size - " : "g < " + std::to_string(full) + " ? 4 : size - ") + begin;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
