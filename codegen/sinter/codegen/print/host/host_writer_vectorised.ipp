// Bodies of host_writer.hpp that print reductions and scans vectorised over rows of few
// elements: many rows side by side, element after element.
#pragma once

#include <sinter/codegen/print/host/host_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// The row order of reduce_tree.hpp, where every element has a lane of its own: fours as pairs of pairs, which then
// halve.
SINTER_INLINE void host_writer::write_vectorised_reduces() {
    const std::string tile = std::to_string(host_tile);
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (indexed(r)) continue;
        const std::string id = std::to_string(r), a = accumulator(r);
        open("static inline void lane_combine" + id + "(" + a + " (*a)[" + tile + "], int x, int y)");
        line("#pragma GCC ivdep");
        line("for (int l = 0; l < " + tile + "; ++l) combine" + id + "(a[x][l], a[y][l]);");
        close();
        open("static void lanes_reduce" + id + "(" + a + " (*a)[" + tile + "], int lanes)");
        open("for (int g = 0; g < lanes; g += 4)");
        line("if (g + 1 < lanes) lane_combine" + id + "(a, g, g + 1);");
        line("if (g + 3 < lanes) lane_combine" + id + "(a, g + 2, g + 3);");
        line("if (g + 2 < lanes) lane_combine" + id + "(a, g, g + 2);");
        close();
        line("for (int h = " + std::to_string(vectorised_row / 2) + "; h >= 4; h /= 2)");
        line("    for (int g = 0; g < h && g + h < lanes; g += 4) lane_combine" + id + "(a, g, g + h);");
        close();
    }
}

SINTER_INLINE void host_writer::write_vectorised_lanes() {
    const std::string tile = "[" + std::to_string(host_tile) + "]";
    for (int stage = 0; stage < k_.stages; ++stage) write_origin_variables(stage);
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        line(accumulator(r) + number_text(" a", r) + "[" + std::to_string(indexed(r) ? 1 : vectorised_row) + "]" +
             tile + " = {};");
        if (indexed(r))
            line(place_type(r) + number_text(" at", r) + tile + " = {}; long long" + number_text(" ai", r) + "[1]" +
                 tile + ";");
    }
}

// The values of element `row` of the tile's rows, each in a lane of its own, or the places of extremes up to it.
SINTER_INLINE void host_writer::write_vectorised_values() {
    write_origins("row == 0");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (k_.reductions[r].stage != stage_) continue;
        if (indexed(r)) write_places_of_row(r);
        else line("for (int l = 0; l < m; ++l) a" + std::to_string(r) + "[row][l] = " + accumulated(r) + ";");
    }
}

// Leaves the results in lane 0.
SINTER_INLINE void host_writer::write_vectorised_results(int stage) {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (k_.reductions[r].stage != stage) continue;
        const std::string id = std::to_string(r);
        if (indexed(r))
            line("for (int l = 0; l < " + std::to_string(host_tile) + "; ++l) ai" + id + "[0][l] = at" + id + "[l];");
        else line("lanes_reduce" + id + "(a" + id + ", (int)reduced);");
    }
}

SINTER_INLINE void host_writer::write_vectorised_rows() {
    const std::string tile = std::to_string(host_tile);
    write_function_head(name_);
    write_reduction_parameters();
    tile_axes t{0, k_.kept, 0, true};
    schedule(t);
    write_arrays();
    write_vectorised_lanes();
    open("for (long long item = begin; item < end; ++item)");
    line("const long long i = item * " + tile + ", first = 0;");
    open("for (long long row = first; row < reduced; ++row)");
    write_bases_of("row", k_.kept, k_.space.size());
    write_tile(t, "kept");
    write_vectorised_values();
    close();
    write_vectorised_results(0);
    line("const long long last = kept - i < " + tile + " ? kept : i + " + tile + ";");
    line(name_ + "_epilogue(memory, n, c, i, last, error" + per_reduction(", a#[0]", ", ai#[0]") + ");");
    close();
    close();
}

// Where the values of element `row` are that are kept up to a stage: they lie as the lanes do.
SINTER_INLINE void host_writer::write_vectorised_persistent(int stage) {
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (persistent_[i] && k_.body[i].stage <= stage)
            line(stored_text(k_.body[i].type) + number_text("* t", i) + number_text(" = k", i) + " + row * " +
                 std::to_string(host_tile) + ";");
}

// A stage of a row kernel's elements.
SINTER_INLINE void host_writer::write_vectorised_stage(int stage) {
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
    write_tile(t, "last");
    write_vectorised_values();
    bool stores = false;
    for (const store& s : k_.stores) stores = stores || s.stage == stage;
    if (stores && !stores_in_last_loop(t)) write_stores(t);
    close();
    write_vectorised_results(stage);
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (k_.reductions[r].stage != stage) continue;
        const std::string from =
            std::to_string(r) + "[l] = a" + (indexed(r) ? "i" : "") + std::to_string(r) + "[0][l];";
        line(std::string("for (int l = 0; l < count; ++l) r") + (indexed(r) ? "i" : "") + from);
    }
    close();
}

// The row order of scans, where a chunk's prefix is one of up to eight; the last chunk's own total is not wanted.
SINTER_INLINE void host_writer::write_scan_lanes() {
    const std::string tile = std::to_string(host_tile);
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        const std::string id = std::to_string(r), a = accumulator(r);
        open("static inline void lane_combine" + id + "(const " + a + "* x, " + a + "* y)");
        line("for (int l = 0; l < " + tile + "; ++l) y[l] = combine" + id + "(x[l], y[l]);");
        close();
        open("static void scan_lanes" + id + "(" + a + " (*a)[" + tile + "], int lanes)");
        line("for (int g = 0; g < lanes; ++g)");
        line("    if (g % 4 != 0) lane_combine" + id + "(a[g - 1], a[g]);");
        line(a + " before[" + std::to_string(vectorised_row / scan_chunk) + "][" + tile + "];");
        line("const int chunks = (lanes - 1) / 4;");
        open("for (int c = 0; c < chunks; ++c)");
        line("for (int l = 0; l < " + tile + "; ++l) before[c][l] = a[4 * c + 3][l];");
        close();
        line("for (int h = 1; h < chunks; h *= 2)");
        line("    for (int c = chunks - 1; c >= h; --c) lane_combine" + id + "(before[c - h], before[c]);");
        line("for (int g = 4; g < lanes; ++g) lane_combine" + id + "(before[g / 4 - 1], a[g]);");
        close();
    }
}

SINTER_INLINE void host_writer::write_vectorised_scans() {
    const std::string tile = std::to_string(host_tile),
                      lanes = "[" + std::to_string(vectorised_row) + "][" + tile + "] = {}; ";
    write_scan_lanes();
    write_function_head(name_);
    write_reduction_parameters();
    tile_axes t{0, k_.kept, 2, true};
    schedule(t);
    write_arrays();
    t.stage = 0;
    schedule(t);
    write_arrays();
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (persistent_[i])
            line(stored_text(k_.body[i].type) + number_text(" k", i) + "[" + std::to_string(vectorised_row) + " * " +
                 tile + "];");
    line(per_reduction("@ lanes#" + lanes, ""));
    open("for (long long item = begin; item < end; ++item)");
    line("const long long i = item * " + tile + ";");
    open("for (long long row = 0; row < reduced; ++row)");
    write_bases_of("row", k_.kept, k_.space.size());
    write_vectorised_persistent(0);
    line(per_reduction("@* a# = lanes#[row]; ", ""));
    write_tile(t, "kept");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        const reduction_step& x = k_.reductions[r];
        line("for (int l = 0; l < m; ++l) a" + std::to_string(r) +
             "[l] = " + cast_text(x.type, accumulator_type(x.how, x.type), value(x.argument)) + ";");
    }
    close();
    line(per_reduction("scan_lanes#(lanes#, (int)reduced); ", ""));
    open("for (long long row = 0; row < reduced; ++row)");
    write_bases_of("row", k_.kept, k_.space.size());
    write_vectorised_persistent(2);
    line(per_reduction("const @* a# = lanes#[row]; ", ""));
    line("const int m = kept - i < " + tile + " ? (int)(kept - i) : " + tile + ";");
    if (!in_parts_) line("const long long i0 = i;");
    write_scan_results(t);
    close();
    close();
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen
