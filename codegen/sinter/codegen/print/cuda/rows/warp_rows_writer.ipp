// Bodies of warp_rows_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/cuda/rows/warp_rows_writer.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE void warp_rows_writer::write_kernel() {
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

SINTER_INLINE void warp_rows_writer::write_warp_element_stage(int stage) {
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

inline constexpr const char* warp_row_position_text =
#include <sinter/codegen/print/cuda/text/warp_row_position.cuh>
    ;

// Of rows along the outer axes a thread has as many as the others, those before the last ones once more: of rows that
// end somewhere compilers would not see what they share.
SINTER_INLINE void warp_rows_writer::write_warp_row_position() {
    const bool outer = k_.how.outer_rows, side_by_side = !outer && facts_.side_by_side,
               single = !outer && !side_by_side;
    const int rows = k_.how.rows_per_thread;
    const std::string last = std::to_string(k_.kept - 1), step = std::to_string(facts_.row_stride);
    fill(warp_row_position_text, {{"outer", outer},
                                  {"side_by_side", side_by_side},
                                  {"single", single},
                                  {"block", block_number()},
                                  {"step", step},
                                  {"by", (k_.how.wide ? "n" : "by") + last},
                                  {"beside", "n" + last},
                                  {"rows", std::to_string(rows)},
                                  {"rest", std::to_string(rows - 1)},
                                  {"all", std::to_string(facts_.rows_of_block)},
                                  {"threads", facts_.known_lanes ? step : "blockDim.y"}});
    if (single) write_decode("row", 0, k_.kept);
}

SINTER_INLINE void warp_rows_writer::write_warp_row_arrays() {
    const std::string each = per_thread_row(), lanes = each + "[" + std::to_string(row_groups()) + "]";
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!facts_.outlives[i]) continue;
        line({type_text(k_.body[i].type), " h", i, each, ";"});
        if (facts_.fixed_divisor[i]) line({divisor_type(i), " hd", i, each, ";"});
    }
    per_reduction("@ a#" + lanes + ", r#" + each + ";", "index ai#" + lanes + ", ri#" + each + ";");
    write_transpose_buffer();
    write_staging_buffers();
}

// What is computed once per row: every thread has it where later stages need it, and one stores it.
SINTER_INLINE void warp_rows_writer::write_warp_row_stage(int stage) {
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
        line({"h", id, "[u] = v", id, ";"});
        if (facts_.fixed_divisor[i]) line({"hd", id, "[u] = d", id, ";"});
    }
    if (stores && !ends) open("if (t == 0 && inside)");
    write_stores(stage);
    if (stores || ends) close();
    close_rows();
    in_row_ = false;
}

// A stage's results: every thread gets them where later stages go over the row's elements, else its first one.
SINTER_INLINE void warp_rows_writer::write_warp_row_results(int stage) {
    const int lanes = facts_.lanes;
    const std::string width = facts_.known_lanes ? std::to_string(lanes) : "blockDim.x", u = of_thread_row();
    auto result = [&](const std::string& from) {
        return k_.is_row_kernel() && lanes > 1 ? "from_first(" + from + ", " + width + ")" : from;
    };
    if (!k_.is_row_kernel() && facts_.may_be_empty) write_identities("size == 0", "[0]");
    for (std::size_t r : reductions_of(stage)) {
        std::string id = std::to_string(r);
        if (of(stage).combines_lanes)
            line({"warp_reduce<combine", id, of(stage).combines_groups ? ", false" : ", true", ">(t, (size + 3) / 4, ",
                  values_at(r, facts_.side_by_side ? "a" : "&a", ""), ");"});
        each_row("r" + id + u + " = " + result("a" + id + u + "[0]") + ";");
        if (indexed(r)) each_row("ri" + id + u + " = " + result("ai" + id + u + "[0]") + ";");
    }
}

SINTER_INLINE void warp_rows_writer::write_identities(const std::string& condition, const std::string& lane) {
    for (std::size_t r : reductions_of()) write_identity(r, condition, "a", lane);
}

// A row's greatest or least in any order, and, unless that is neither zero nor NaN, the head of what finds it in order.
SINTER_INLINE void warp_rows_writer::write_extremes(int stage) {
    std::string unclear;
    for (std::size_t r : reductions_of(stage)) {
        const std::string id = std::to_string(r);
        line({"r", id, " = ", k_.reductions[r].how == reduction::max ? "-1.0f / 0.0f;" : "1.0f / 0.0f;"});
        unclear += joined({unclear.empty() ? "!(fabsf(r" : " || !(fabsf(r", id, ") > 0)"});
    }
    open_unrolled("for (int g = 0; g < " + std::to_string(row_groups()) + "; ++g)");
    line({"const int l = ", group_begin(), ";"});
    write_group_check();
    open_unrolled("for (int c = 0; c < 4; ++c)");
    if (const std::string check = unless_whole("if (" + group_element() + " >= size)"); !check.empty())
        line({check, " continue;"});
    const bool exchanges = !of(stage).exchanged.empty();
    for (std::uint32_t i : of(stage).exchanged) line({"float e", i, ";"});
    if (!exchanges) per_reduction("@ y#;", "", stage);
    list("element", element_arguments(stage, "true", exchanges ? "e" : "y", ""), ");");
    for (std::size_t r : reductions_of(stage))
        write_for(r,
                  "r# = extreme#(r#, " +
                      (exchanges ? "e" + std::to_string(k_.reductions[r].argument) : std::string("y#")) + ");",
                  "");
    close();
    close();
    open_unrolled("for (int h = " + std::to_string(facts_.lanes / 2) + "; h > 0; h /= 2)");
    per_reduction("r# = extreme#(r#, from_other(r#, h));", "", stage);
    close();
    line("// Of zeros and NaN the first counts.");
    open({"if (__ballot_sync(0xffffffffu, ", unclear, ") != 0)"});
}

SINTER_INLINE void warp_rows_writer::write_transpose_buffer() {
    if (const int bytes = facts_.exchange_bytes; bytes > 0)
        line({"alignas(16) __shared__ double transposed[", bytes / 8, "];"});
}

// Where a row has a stage's values for its lanes to turn: all stages' at the row's own place, since other rows' warps
// may be at other stages.
SINTER_INLINE void warp_rows_writer::write_transposed_places(int stage) {
    const std::string own =
        "transposed + " + std::to_string(facts_.exchange_bytes / 8 / facts_.row_stride) + " * threadIdx.y";
    int at = 0;
    for (std::uint32_t i : of(stage).exchanged) {
        const std::string type = type_text(k_.body[i].type);
        line({type, "* const buffer", i, " = (", type, "*)(", own, at == 0 ? ");" : " + " + std::to_string(at) + ");"});
        at += facts_.exchange_elements * size_of(k_.body[i].type) / 8;
    }
}

// The groups of a stage that reduces: a row's lanes leave what they have of them, which lies apart, and take four
// neighbours each. Groups that have room at once are some of those that combine one after the other.
SINTER_INLINE void warp_rows_writer::write_striped_groups(int stage) {
    const int lanes = facts_.share.step, count = facts_.exchange_groups;
    const bool all = count == row_groups(), lacks = tree_groups() > row_groups();
    const std::string whole = std::to_string(4 * lanes), groups = std::to_string(row_groups());
    const std::string slot = whole + (all ? " * g" : " * (i % " + std::to_string(count) + ")");
    auto open_in_order = [&] {
        line("#pragma unroll");
        open_groups_to_combine(all ? "0" : "begin", all ? tree_groups() : count);
        if (lacks) open({"if (g < ", groups, ")"});
    };
    write_transposed_places(stage);
    if (!all) {
        open_unrolled("for (int begin = 0; begin < " + std::to_string(tree_groups()) +
                      "; begin += " + std::to_string(count) + ")");
    }
    line("__syncwarp();");
    if (all) {
        open_unrolled("for (int g = 0; g < " + groups + "; ++g)");
    } else open_in_order();
    line({"const int l = ", group_begin(), ";"});
    open_unrolled("for (int c = 0; c < 4; ++c)");
    const std::string place = joined({"[", slot, " + ", lanes, " * c + t]"});
    list(unless_full("if (" + group_element() + " < size) ") + "element",
         element_arguments(stage, "true", "buffer", place), ");");
    close();
    if (lacks && !all) close();
    close();
    line("__syncwarp();");
    open_in_order();
    line({"const int first = ", whole, " * g + 4 * t;"});
    open(unless_full("if (first < size)"));
    write_transposed_reduces(stage, "[" + slot + " + 4 * t]");
    write_group_places(stage, true);
    close();
    if (lacks) close();
    write_group_reduces(stage);
    close();
    if (!all) close();
}

// A lane's four neighbours to one.
SINTER_INLINE void warp_rows_writer::write_transposed_reduces(int stage, const std::string& place) {
    for (std::uint32_t i : of(stage).exchanged) {
        const std::string id = std::to_string(i), pack = "const pack<" + type_text(k_.body[i].type) + ", 4>";
        line({pack, " e", id, " = *(", pack, "*)&buffer", id, place, ";"});
    }
    for (std::size_t r : reductions_of(stage)) {
        const reduction_step& x = k_.reductions[r];
        const std::uint32_t i = exchanged_value(k_, x, of(stage).here);
        const std::string id = std::to_string(r),
                          v = cast_text(k_.body[i].type, x.type, "e" + std::to_string(i) + ".v[c]");
        write_for(r, "@ b#[4];", "index bi#[4];");
        write_unrolled("for (int c = 0; c < 4; ++c) b" + id + "[c] = " + element_text(x, v) +
                       (indexed(r) ? ", bi" + id + "[c] = first + c;" : ";"));
        line({"thread_reduce<combine", id, ">(", lanes_left("first"), ", ", values_at(r, "b", ""), ");"});
    }
}

// The thread block's rows, and where they are in shared memory.
SINTER_INLINE void warp_rows_writer::write_staging_buffers() {
    if (facts_.staging.empty()) return;
    const std::string rows = std::to_string(facts_.rows_of_block);
    for (std::size_t r = 0; r < facts_.staging.size(); ++r)
        line({"alignas(16) __shared__ ", operand_type(facts_.staging[r].access), " staged", r, "[",
              facts_.staging[r].elements, "];"});
    line({"const index opening = ", block_number(), " * ", rows, ";"});
    leave_beyond("opening >= kept");
    line({"const int count = (int)(kept - opening < ", rows, " ? kept - opening : ", rows, ") * size;"});
    line({"const int thread = threadIdx.y * ", facts_.lanes, " + t;"});
}

// What a stage has gathered, once all threads have.
SINTER_INLINE void warp_rows_writer::write_staged_stores(int stage) {
    bool any = false;
    for (std::size_t s : of(stage).stores) {
        if (facts_.staged[s] == no_buffer) continue;
        if (!any) line("__syncthreads();");
        any = true;
        const std::string buffer = joined({"staged", facts_.staged[s]});
        line({"store_staged(", operand_name(k_.stores[s].access), " + opening * size, ", buffer, ", count, thread);"});
    }
}

SINTER_INLINE kernel_source print_rows_per_warp(const kernel& k) { return written_by<warp_rows_writer>(k); }

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
