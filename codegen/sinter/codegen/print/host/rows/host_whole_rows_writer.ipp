// Bodies of host_whole_rows_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/host/rows/host_whole_rows_writer.hpp>
#include <sinter/codegen/schedule/host_geometry.hpp>

#include <algorithm>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE bool host_whole_rows_writer::reduces_in(int stage) const {
    for (const reduction_step& r : k_.reductions)
        if (r.stage == stage) return true;
    return false;
}

SINTER_INLINE void host_whole_rows_writer::write_persistent_arrays() {
    std::string tile = "[" + std::to_string(host_tile) + "]",
                row = "[" + std::to_string(host_persistent_row + host_tile) + "];";
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        std::string type = stored_text(k_.body[i].type);
        if (persistent_[i]) line(type + number_text(" k", i) + row);
        else if (is_row_stage(k_.body[i].stage) && !is_given(k_.body[i]) && !is_bundle(k_, i))
            line({type, " t", i, tile, " = {};"});
    }
    if (side_by_side_) write_vectorised_lanes();
    else write_lane_arrays(k_.how.short_rows ? fours_lanes() : row_lanes);
    line(per_reduction("@ r#" + tile + "; ", "long long ri#" + tile + "; "));
}

// Short rows are taken several at a time, so that what is computed per row fills the vectors too.
SINTER_INLINE void host_whole_rows_writer::write_row_kernel() {
    std::string batch = std::to_string(host_batch), tile = std::to_string(host_tile);
    write_function_head(name_);
    write_reduction_parameters();
    if (side_by_side_) {
        line({"const long long batch = ", tile, ";"});
    } else {
        line({"const long long fit = ", batch, " / (reduced < ", batch, " ? reduced : ", batch, ");"});
        auto multiple = [](int rows) { return joined({"fit / ", rows, " * ", rows}); };
        const int few = rows_together, many = k_.how.short_rows ? rows_at_once() : few;
        line({"const long long batch = fit >= ", tile, " ? ", tile,
              many > few ? joined({" : fit >= ", many, " ? ", multiple(many)}) : "", " : fit < ", few,
              " ? fit : ", multiple(few), ";"});
    }
    write_persistent_arrays();
    write_stride();
    open("for (long long rows = begin; rows < end; rows += batch)");
    line("const int count = (int)(end - rows < batch ? end - rows : batch);");
    write_turned_loads("rows", "count");
    for (int stage = 0; stage < k_.stages; ++stage)
        if (is_row_stage(stage)) write_row_stage(stage);
        else {
            if (side_by_side_) write_vectorised_stage(stage);
            else write_element_stage(stage);
        }
    close();
    close();
}

// How far apart rows lie whose values are kept: what vector calls write beyond a row must not be the next one's, which
// may have been computed.
SINTER_INLINE void host_whole_rows_writer::write_stride() {
    int step = 1;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (persistent_[i]) step = std::max(step, call_step(i));
    const std::string even = std::to_string(step);
    if (!k_.how.short_rows || side_by_side_ || step == 1) line("const long long stride = reduced;");
    else line({"const long long stride = (reduced + ", step - 1, ") / ", even, " * ", even, ";"});
}

SINTER_INLINE void host_whole_rows_writer::write_element_stage(int stage) {
    tile_axes t{k_.kept, k_.space.size(), stage, true};
    schedule(t);
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (persistent_[i] && k_.body[i].stage <= stage) in_array_[i] = 1;
    open("");
    write_arrays();
    if (takes_fours_of_rows(stage)) {
        write_short_rows(t);
        return close();
    }
    open("for (int q = 0; q < count; ++q)");
    line("const long long row = rows + q;");
    write_bases_of("row", 0, k_.kept);
    write_row_values("q");
    write_row_elements(t);
    close();
    close();
}

// What has been computed once per row, of the row at a place of the batch.
SINTER_INLINE void host_whole_rows_writer::write_row_values(const std::string& at) {
    sequence<char> used = codegen::used_in(k_, stage_, here_);
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (used[i] && is_row_stage(k_.body[i].stage) && !is_given(k_.body[i]))
            line({"const ", type_text(k_.body[i].type), " w", i, " = t", i, "[", at, "];"});
}

// Where a tile of the row has the values that are kept for later stages.
SINTER_INLINE void host_whole_rows_writer::write_kept_pointers(const tile_axes& t, const std::string& at) {
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (persistent_[i] && k_.body[i].stage <= t.stage)
            line({stored_text(k_.body[i].type), "* t", i, " = k", i, " + ", at, " * stride + i;"});
}

SINTER_INLINE void host_whole_rows_writer::write_short_rows(const tile_axes& t) {
    write_fours_arrays(t);
    open("for (int q = 0; q < count;)");
    begin_fours_of_rows(t, "rows + q", "count - q");
    write_row_values("q + k");
    write_kept_pointers(t, "(q + k)");
    write_row_tile(t);
    write_element_stores(t);
    end_fours_of_rows(t);
    line({"for (int k = 0; k < side; ++k) { ", per_reduction("r#[q + k] = a#[k]; ", "", t.stage), " }"});
    line("q += side;");
    close();
}

// The elements of one row, in blocks of the reductions' order where there are any.
SINTER_INLINE void host_whole_rows_writer::write_row_elements(const tile_axes& t) {
    const bool reduces = reduces_in(t.stage);
    write_origin_variables(t.stage);
    if (reduces) {
        open("for (long long part = 0; part < parts; ++part)");
        line("const long long first = part * size, last = reduced - first < size ? reduced : first + size;");
    } else {
        line("const long long first = 0, last = reduced;");
    }
    const bool at_once = reduces && origins(k_, t.stage).empty() && takes_blocks_at_once(t);
    if (!at_once || write_part_at_once(t)) write_row_tiles(t, at_once);
    if (reduces) write_row_results(t.stage, at_once);
}

SINTER_INLINE void host_whole_rows_writer::write_row_tiles(const tile_axes& t, bool is_rest) {
    open({is_rest ? "else " : "", "for (long long i = first; i < last; i += ", host_tile, ")"});
    write_kept_pointers(t, "q");
    write_tile(t, "last");
    write_origins("i == 0");
    if (reduces_in(t.stage)) {
        line("const int lane = (int)((i - first) % 1024);");
        write_accumulation("[lane + l]", "i - first < 1024");
    }
    write_element_stores(t);
    close();
}

// What the stage stores of a tile, unless its last loop has.
SINTER_INLINE void host_whole_rows_writer::write_element_stores(const tile_axes& t) {
    bool stores = false;
    for (const store& s : k_.stores) stores = stores || s.stage == t.stage;
    if (stores && !stores_in_last_loop(t)) write_stores(t);
}

// Joins the lanes of a block, and, at the end of the row, the blocks.
SINTER_INLINE void host_whole_rows_writer::write_row_results(int stage, bool at_once) {
    line("const int lanes = last - first < 1024 ? (int)(last - first) : 1024;");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        if (k_.reductions[r].stage == stage) write_lanes_combined(r, at_once);
    line({"if (parts > 1) { ",
          per_reduction("partial#[row * parts + part] = a#[0]; ", "position#[row * parts + part] = ai#[0]; ", stage),
          " }"});
    line({"else { ", per_reduction("r#[q] = a#[0]; ", "ri#[q] = ai#[0]; ", stage), " }"});
    close();
    open("if (parts > 1)");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (k_.reductions[r].stage != stage) continue;
        write_for(r, "reduce#(partial# + row * parts{?, position# + row * parts?}, parts);");
    }
    line(per_reduction("r#[q] = partial#[row * parts]; ", "ri#[q] = position#[row * parts]; ", stage));
    close();
}

// What is computed once per row, over the rows of a batch.
SINTER_INLINE void host_whole_rows_writer::write_row_stage(int stage) {
    tile_axes t{0, k_.kept, stage, false};
    schedule(t);
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (is_row_stage(k_.body[i].stage) && !is_uniform_here(i)) in_array_[i] = 1;
    bool any = false;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) any = any || (here_[i] && !is_uniform_here(i));
    for (const store& s : k_.stores) any = any || s.stage == stage;
    if (!any) return;
    open("");
    write_arrays();
    line("const long long i = rows, last = rows + count;");
    write_tile(t, "last");
    bool stores = false;
    for (const store& s : k_.stores) stores = stores || s.stage == stage;
    if (stores) write_stores(t);
    close();
}

SINTER_INLINE void host_whole_rows_writer::write_vectorised_rows() {
    const std::string tile = std::to_string(host_tile);
    write_function_head(name_);
    write_reduction_parameters();
    tile_axes t{0, k_.kept, 0, true};
    schedule(t);
    write_arrays();
    write_vectorised_lanes();
    open("for (long long item = begin; item < end; ++item)");
    line({"const long long i = item * ", tile, ", first = 0;"});
    line({"const int count = kept - i < ", tile, " ? (int)(kept - i) : ", tile, ";"});
    write_turned_loads("i", "count");
    open("for (long long row = first; row < reduced; ++row)");
    write_bases_of("row", k_.kept, k_.space.size());
    write_places();
    write_tile(t, "kept");
    write_vectorised_values();
    close();
    write_vectorised_results(0);
    line({"const long long last = kept - i < ", tile, " ? kept : i + ", tile, ";"});
    line({name_, "_epilogue(memory, n, c, i, last, error", per_reduction(", a#[0]", ", ai#[0]"), ");"});
    close();
    close();
}

// A stage of a row kernel's elements.
SINTER_INLINE void host_whole_rows_writer::write_vectorised_stage(int stage) {
    tile_axes t{0, k_.kept, stage, true};
    schedule(t);
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (persistent_[i] && k_.body[i].stage <= stage) in_array_[i] = 1;
    open("");
    write_arrays();
    line("const long long i = rows, last = rows + count, first = 0;");
    open("for (long long row = first; row < reduced; ++row)");
    write_bases_of("row", k_.kept, k_.space.size());
    write_vectorised_persistent(stage);
    write_places();
    write_tile(t, "last");
    write_vectorised_values();
    write_element_stores(t);
    close();
    write_turned_stores("rows", "count");
    write_vectorised_results(stage);
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (k_.reductions[r].stage != stage) continue;
        const std::string from =
            std::to_string(r) + "[l] = a" + (indexed(r) ? "i" : "") + std::to_string(r) + "[0][l];";
        line(std::string("for (int l = 0; l < count; ++l) r") + (indexed(r) ? "i" : "") + from);
    }
    close();
}

SINTER_INLINE void host_whole_rows_writer::write_kernel() {
    write_reduces();
    write_fours_reduces();
    if (side_by_side_) {
        find_places();
        write_vectorised_reduces();
        write_turning_functions();
    }
    if (k_.how.map == mapping::host_whole_rows || k_.is_row_kernel()) return write_row_kernel();
    write_epilogue();
    write_vectorised_rows();
}

SINTER_INLINE kernel_source print_host_whole_rows(const kernel& k) { return written_by<host_whole_rows_writer>(k); }
SINTER_INLINE kernel_source print_host_vector_rows(const kernel& k) { return written_by<host_whole_rows_writer>(k); }

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
