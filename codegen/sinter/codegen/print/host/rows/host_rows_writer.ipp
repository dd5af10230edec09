// Bodies of host_rows_writer.hpp.
#pragma once

#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/host/rows/host_rows_writer.hpp>
#include <sinter/codegen/schedule/host_geometry.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// Joins the lanes of a part of a row, and leaves what it comes to.
SINTER_INLINE void host_rows_writer::write_rows_results(bool at_once) {
    line("const int lanes = last - first < 1024 ? (int)(last - first) : 1024;");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        open("if (lanes > 0)");
        write_lanes_combined(r, at_once);
        close();
        write_for(r, "else a#[0] = " + identity_text(k_.reductions[r]) + "{?, ai#[0] = 0?};");
    }
    open("if (parts > 1)");
    line(per_reduction("partial#[item] = a#[0]; ", "position#[item] = ai#[0]; "));
    line("continue;");
    close();
    line(per_reduction("r#[ready] = a#[0]; ", "ri#[ready] = ai#[0]; "));
    line("++ready;");
    write_epilogue_call("item + 1");
}

// Of rows up to `last`, where results of many are ready or none follow.
SINTER_INLINE void host_rows_writer::write_epilogue_call(const std::string& last) {
    open({"if (ready == ", host_tile, " || ", last, " == end)"});
    line(
        {name_, "_epilogue(memory, n, c, ", last, " - ready, ", last, ", error", per_reduction(", r#", ", ri#"), ");"});
    line("ready = 0;");
    close();
}

SINTER_INLINE void host_rows_writer::write_short_rows(const tile_axes& t) {
    write_fours_arrays(t);
    open("for (long long item = begin; item < end;)");
    begin_fours_of_rows(t, "item", "end - item");
    write_row_tile(t);
    end_fours_of_rows(t);
    line({"for (int k = 0; k < side; ++k) { ", per_reduction("r#[ready + k] = a#[k]; "), " }"});
    line("ready += side;");
    line("item += side;");
    write_epilogue_call("item");
    close();
    close();
    out_ += "\n";
}

SINTER_INLINE void host_rows_writer::write_rows() {
    write_function_head(name_);
    write_reduction_parameters();
    tile_axes t{k_.kept, k_.space.size(), 0, true};
    schedule(t);
    write_arrays();
    std::string tile = std::to_string(host_tile);
    const bool in_fours = takes_fours_of_rows(t.stage);
    write_lane_arrays(in_fours ? fours_lanes() : row_lanes);
    line(per_reduction("@ r#[" + tile + "]; ", "long long ri#[" + tile + "]; "));
    line("long long ready = 0;");
    if (in_fours) return write_short_rows(t);
    open("for (long long item = begin; item < end; ++item)");
    line("const long long row = item / parts, first = item % parts * size;");
    line("const long long last = reduced - first < size ? reduced : first + size;");
    write_bases_of("row", 0, k_.kept);
    write_origin_variables(0);
    write_origins_anew(t);
    const bool at_once = takes_blocks_at_once(t);
    if (!at_once || write_part_at_once(t)) {
        open({at_once ? "else " : "", "for (long long i = first; i < last; i += ", tile, ")"});
        write_tile(t, "last");
        write_origins("i == 0");
        line("const int lane = (int)((i - first) % 1024);");
        write_accumulation("[lane + l]", "i - first < 1024");
        close();
    }
    write_rows_results(at_once);
    close();
    close();
    out_ += "\n";
}

SINTER_INLINE void host_rows_writer::write_rows_finish() {
    write_function_head(name_ + "_finish");
    write_reduction_parameters();
    open("for (long long row = begin; row < end; ++row)");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        write_for(r, "reduce#(partial# + row * parts{?, position# + row * parts?}, parts);");
    }
    line({name_, "_epilogue(memory, n, c, row, row + 1, error",
          per_reduction(", partial# + row * parts", ", position# + row * parts"), ");"});
    close();
    close();
}

SINTER_INLINE void host_rows_writer::write_kernel() {
    write_reduces();
    write_fours_reduces();
    write_epilogue();
    write_rows();
    write_rows_finish();
}

SINTER_INLINE kernel_source print_host_rows(const kernel& k) { return written_by<host_rows_writer>(k); }

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
