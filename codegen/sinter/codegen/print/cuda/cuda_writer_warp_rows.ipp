// Bodies of cuda_writer.hpp that print kernels of several rows per warp, of up
// to 1024 elements each, or several per thread.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE void cuda_writer::write_rows_per_warp() {
    begin_reduction();
    write_head();
    write_sizes();
    line("const int t = threadIdx.x;");
    write_warp_row_position();
    write_persistent_arrays();
    write_warp_row_arrays();
    for (int stage = 0; stage < k_.stages; ++stage) {
        if (is_row_stage(stage)) write_warp_row_stage(stage);
        else write_element_stage(stage, [&] { write_warp_element_stage(stage); });
    }
    close();
}

SINTER_INLINE void cuda_writer::write_warp_element_stage(int stage) {
    const sequence<std::uint32_t> arrays = arrays_to_load(stage);
    write_element_arrays(arrays);
    write_element_loads(arrays);
    if (of(stage).in_any_order) write_extremes(stage);
    if (of(stage).exchanged.empty()) write_element_groups(stage);
    else write_striped_groups(stage);
    write_staged_stores(stage);
    if (reduces_in(stage)) write_warp_row_results(stage);
    if (of(stage).in_any_order) close();
}

// Of rows along the outer axes a thread has as many as the others, those before the last ones once more: of rows that
// end somewhere compilers would not see what they share.
SINTER_INLINE void cuda_writer::write_outer_row_position() {
    const std::string rows = std::to_string(k_.how.rows_per_thread), beside = "n" + std::to_string(k_.kept - 1);
    line("const index number = " + block_number() + " * " + std::to_string(facts_.row_stride) + " + threadIdx.y;");
    line("const index outer = kept / " + beside + ", tiles = (outer + " + std::to_string(k_.how.rows_per_thread - 1) +
         ") / " + rows + ";");
    line("const bool inside = number < tiles * " + beside + ";");
    line("const index tile = inside ? number / " + beside + " : 0, beside = inside ? number % " + beside + " : 0;");
    line("const index first = tile + 1 < tiles ? " + rows + " * tile : outer - " + rows + ";");
    line("const int size = (int)reduced;");
}

SINTER_INLINE void cuda_writer::write_warp_row_position() {
    if (k_.how.outer_rows) return write_outer_row_position();
    const std::string rows = std::to_string(facts_.row_stride);
    const char* why = "// Threads beyond the last row compute it once more, for they take part in shuffles.";
    if (facts_.side_by_side) {
        const std::string row_step = " + " + rows + " * u";
        line("const index first = " + block_number() + " * " + std::to_string(facts_.rows_of_block) +
             " + threadIdx.y;");
        line("const auto is_inside = [&](int u) { return first" + row_step + " < kept; };");
        line(why);
        line("const auto row_of = [&](int u) { return is_inside(u) ? first" + row_step + " : kept - 1; };");
        return line("const int size = (int)reduced;");
    }
    line("const index number = " + block_number() + " * " + (facts_.known_lanes ? rows : "blockDim.y") +
         " + threadIdx.y;");
    line(why);
    line("const bool inside = number < kept;");
    line("const index row = inside ? number : kept - 1;");
    line("const int size = (int)reduced;");
    write_decode("row", 0, k_.kept);
}

SINTER_INLINE void cuda_writer::open_rows() {
    if (!facts_.side_by_side) return;
    line("#pragma unroll");
    open("for (int u = 0; u < " + std::to_string(k_.how.rows_per_thread) + "; ++u)");
}
SINTER_INLINE void cuda_writer::close_rows() {
    if (facts_.side_by_side) close();
}

// Where row number u is, and whether there is one, for those who need it.
SINTER_INLINE void cuda_writer::write_turn(bool row, bool inside) {
    if (!facts_.side_by_side) return;
    if (k_.how.outer_rows) {
        if (row) write_decode("(first + u)", 0, k_.kept - 1);
        at_[static_cast<std::size_t>(k_.kept - 1)] = "beside";
        return;
    }
    if (inside) line("const bool inside = is_inside(u);");
    if (!row) return;
    line("const index row = row_of(u);");
    write_decode("row", 0, k_.kept);
}

SINTER_INLINE void cuda_writer::write_persistent_values(int stage) {
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!of(stage).used[i] || of(stage).here[i] || !facts_.outlives[i]) continue;
        std::string id = std::to_string(i);
        line("const " + type_text(k_.body[i].type) + " v" + id + " = h" + id + "[u];");
        if (facts_.fixed_divisor[i]) line("const " + divisor_type(i) + " d" + id + " = hd" + id + "[u];");
    }
}

SINTER_INLINE void cuda_writer::write_warp_row_arrays() {
    const std::string each = per_thread_row(), lanes = each + "[" + std::to_string(row_groups()) + "]";
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!facts_.outlives[i]) continue;
        line(type_text(k_.body[i].type) + " h" + std::to_string(i) + each + ";");
        if (facts_.fixed_divisor[i]) line(divisor_type(i) + " hd" + std::to_string(i) + each + ";");
    }
    per_reduction("@ a#" + lanes + ", r#" + each + ";", "index ai#" + lanes + ", ri#" + each + ";");
    write_transpose_buffer();
    write_staging_buffers();
}

// What is computed once per row: every thread has it where later stages need it, and one stores it.
SINTER_INLINE void cuda_writer::write_warp_row_stage(int stage) {
    const bool ends = stage + 1 == k_.stages;
    const bool stores = !of(stage).stores.empty();
    open_rows();
    write_turn(true, stores);
    write_persistent_values(stage);
    if (ends) open("if (t == 0 && inside)");
    write_body(stage);
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (k_.body[i].stage != stage || !facts_.outlives[i]) continue;
        const std::string id = std::to_string(i);
        line("h" + id + "[u] = v" + id + ";");
        if (facts_.fixed_divisor[i]) line("hd" + id + "[u] = d" + id + ";");
    }
    if (stores && !ends) open("if (t == 0 && inside)");
    write_stores(stage);
    if (stores || ends) close();
    close_rows();
    in_row_ = false;
}

// `if (…) ` of what is left out where a row ends, for those groups alone that it may not fill.
SINTER_INLINE std::string cuda_writer::unless_full(const std::string& check) const {
    const int full = full_groups();
    if (full == 0) return check;
    if (full == row_groups()) return "";
    const bool skips = check.find(">=") != check.npos;
    const std::string group = facts_.blocks > 1 ? "4 * p + g " : "g ";
    return "if (" + group + (skips ? ">= " : "< ") + std::to_string(full) + (skips ? " && " : " || ") + check.substr(4);
}

// The same of an element that packs do without.
SINTER_INLINE std::string cuda_writer::unless_whole(const std::string& check) const {
    return facts_.share.packs ? "" : unless_full(check);
}

// `if (…)` a group's first element is there, `l <` its end, or is not, `l >=`; nothing where each group's is.
SINTER_INLINE std::string cuda_writer::group_check(const std::string& how) const {
    return full_groups() < row_groups() && !facts_.share.begins ? unless_full("if (" + how + " size)") : "";
}

SINTER_INLINE void cuda_writer::write_group_check() {
    if (row_groups() % facts_.share.of_tile != 0)
        line("if (4 * p + g >= " + std::to_string(row_groups()) + ") continue;");
    if (const std::string check = group_check("l >="); !check.empty()) line(check + " continue;");
}

// An accumulator in its array, as joins take it.
SINTER_INLINE std::string cuda_writer::values_at(std::size_t r, const std::string& name, const std::string& at) const {
    const std::string id = std::to_string(r);
    return name + id + at + (indexed(r) ? ", " + name + "i" + id + at : "");
}

// So many groups from a power of two on, in the order in which they join.
SINTER_INLINE void cuda_writer::open_groups_to_combine(const std::string& begin, int count) {
    const int groups = tree_groups();
    std::string g;
    for (int from = 1, to = groups / 2; to > 0; from *= 2, to /= 2) {
        const std::string bit = "(i & " + std::to_string(from) + ")";
        g += (g.empty() ? "" : " | ") + (from < to   ? bit + " * " + std::to_string(to / from)
                                         : from > to ? bit + " / " + std::to_string(from / to)
                                                     : bit);
    }
    open("for (int i = " + begin + "; i < " + (begin == "0" ? "" : begin + " + ") + std::to_string(count) + "; ++i)");
    line("const int g = " + g + ";  // 0, " + std::to_string(groups / 2) + ", ...: as they combine");
}

// A group's lanes to its place, or to that of the group that it joins first.
SINTER_INLINE void cuda_writer::write_group_places(int stage, bool at_once) {
    const std::string u = of_thread_row(), half = std::to_string(tree_groups() / 2),
                      check = at_once ? "if (g < " + half + ") " : "";
    for (std::size_t r : reductions_of(stage)) {
        write_for(r, check + "a#" + u + "[g] = b#[0];", check + "ai#" + u + "[g] = bi#[0];");
        if (!at_once) continue;
        const std::string to = values_at(r, "a", u + "[g - " + half + "]");
        line("if (g >= " + half + ") combine" + std::to_string(r) + "(" + to + ", " + values_at(r, "b", "[0]") + ");");
    }
}

// What the group's first join allows to join next. A row that is longer than half of the capacity lacks no groups
// there.
SINTER_INLINE void cuda_writer::write_group_reduces(int stage) {
    const int half = tree_groups() / 2;
    if (half < 2) return;
    line("#pragma unroll");
    open("for (int h = " + std::to_string(half / 2) + "; g >= " + std::to_string(half) +
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
SINTER_INLINE std::string cuda_writer::lanes_left(const std::string& begin) const {
    const int full = full_groups();
    if (facts_.share.packs) return "4";
    return (full == 0 ? "size - " : "g < " + std::to_string(full) + " ? 4 : size - ") + begin;
}

// A statement for each of the rows that are side by side.
SINTER_INLINE void cuda_writer::each_row(const std::string& statement) {
    if (!facts_.side_by_side) return line(statement);
    line("#pragma unroll");
    line("for (int u = 0; u < " + std::to_string(k_.how.rows_per_thread) + "; ++u) " + statement);
}

// A stage's results: every thread gets them where later stages go over the row's elements, else its first one.
SINTER_INLINE void cuda_writer::write_warp_row_results(int stage) {
    const int lanes = facts_.lanes;
    const std::string width = facts_.known_lanes ? std::to_string(lanes) : "blockDim.x", u = of_thread_row();
    auto result = [&](const std::string& from) {
        return k_.is_row_kernel() && lanes > 1 ? "from_first(" + from + ", " + width + ")" : from;
    };
    if (!k_.is_row_kernel() && facts_.may_be_empty) write_identities("size == 0", "[0]");
    for (std::size_t r : reductions_of(stage)) {
        std::string id = std::to_string(r);
        if (of(stage).combines_lanes)
            line("warp_reduce<combine" + id + (of(stage).combines_groups ? ", false" : ", true") +
                 ">(t, (size + 3) / 4, " + values_at(r, facts_.side_by_side ? "a" : "&a", "") + ");");
        each_row("r" + id + u + " = " + result("a" + id + u + "[0]") + ";");
        if (indexed(r)) each_row("ri" + id + u + " = " + result("ai" + id + u + "[0]") + ";");
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen
