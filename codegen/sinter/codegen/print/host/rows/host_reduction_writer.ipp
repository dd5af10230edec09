// Bodies of host_reduction_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/host/rows/host_reduction_writer.hpp>
#include <sinter/codegen/schedule/host_geometry.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// Compilers make vectors of what has no branches.
SINTER_INLINE std::string host_reduction_writer::combine(std::size_t r, const std::string& x, const std::string& xi,
                                                         const std::string& y, const std::string& yi) const {
    const reduction how = k_.reductions[r].how;
    if (how == reduction::any || how == reduction::all)
        return joined({x, how == reduction::any ? " |= " : " &= ", y, ";"});
    return combine_text(k_.reductions[r], x, y, xi, yi);
}

// One statement per reduction by reduction_text; the second one is added where it carries an index.
SINTER_INLINE std::string host_reduction_writer::per_reduction(const std::string& direct, const std::string& with_index,
                                                               int stage) const {
    std::string s;
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        if (stage == any_stage || k_.reductions[r].stage == stage)
            s += reduction_text(direct + "{?" + with_index + "?}", r, accumulator(r), indexed(r));
    if (s.ends_with(' ')) s.pop_back();
    return s;
}

// A line for a reduction by reduction_text.
SINTER_INLINE void host_reduction_writer::write_for(std::size_t r, const std::string& text) {
    lines(reduction_text(text, r, accumulator(r), indexed(r)));
}

// combine<r>: lanes of one block to one value; reduce<r>: a sequence of values to one, block by block.
SINTER_INLINE void host_reduction_writer::write_reduces() {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r), a = accumulator(r);
        if (side_by_side_ && indexed(r)) continue;
        if (k_.tree == reduce_tree::columns || side_by_side_) {
            open({"static inline void combine", id, "(", a, "& x", indexed(r) ? ", long long& xi" : "", ", ", a, " y",
                  indexed(r) ? ", long long yi" : "", ")"});
            if (indexed(r)) line({"if (", wins(r, "y", "x"), ") { x = y; xi = yi; }"});
            else line(combine(r, "x", "xi", "y", "yi"));
            close();
            continue;
        }
        if (indexed(r)) {
            write_place(r);
            continue;
        }
        write_row_reduce(r);
        open({"static void reduce", id, "(", a, "* a, long long count)"});
        open("while (count > 1)");
        line("long long parts = 0;");
        open("for (long long first = 0; first < count; first += 4096, ++parts)");
        line("const int size = count - first < 4096 ? (int)(count - first) : 4096;");
        line({"for (int l = 1024; l < size; ++l) { ", combine(r, "a[first + l % 1024]", "", "a[first + l]", ""), " }"});
        line({"combine", id, "(a + first, size < 1024 ? size : 1024);"});
        line("a[parts] = a[first];");
        close();
        line("count = parts;");
        close();
        close();
    }
}

// halve<r>: the fours of a block to one value; combine<r>: its lanes to fours, which are pairs of pairs, and these.
// What is left of many fours lies in few vectors, whose steps are written out.
SINTER_INLINE void host_reduction_writer::write_row_reduce(std::size_t r) {
    constexpr int few = 16;
    const std::string id = std::to_string(r), a = accumulator(r);
    open({"static inline void halve", id, "(", a, "* a, int groups)"});
    line("int h = 128;");
    line("while (h >= groups && h > 0) h /= 2;");
    auto step = [&](const std::string& last, const std::string& half) {
        open_lanes(last, "int g", "0", 1);
        line(combine(r, "a[g]", "", "a[g + " + half + "]", ""));
        close();
    };
    open({"for (; h > (groups >= ", few, " ? ", few / 2, " : 0); h /= 2)"});
    line("const int last = groups - h < h ? groups - h : h;");
    step("last", "h");
    close();
    open({"if (groups >= ", few, ")"});
    for (int h = few / 2; h > 0; h /= 2) step(std::to_string(h), std::to_string(h));
    close();
    close();
    open({"static void combine", id, "(", a, "* a, int lanes)"});
    line({a, " b[512];"});
    // Neighbours once and again: what compilers load four apart they shuffle more often.
    for (const char* from : {"a", "b"}) {
        open_lanes(from[0] == 'a' ? "lanes / 2" : "lanes / 4", "int g", "0", 1);
        for (int c = 0; c < 2; ++c) line({a, " z", c, " = ", from, "[2 * g + ", c, "];"});
        line(combine(r, "z0", "", "z1", ""));
        write_accumulator(r, "b[g]", "z0");
        close();
    }
    open("if (lanes % 4)");
    line({a, " x = a[lanes / 4 * 4];"});
    line({"for (int l = lanes / 4 * 4 + 1; l < lanes; ++l) { ", combine(r, "x", "", "a[l]", ""), " }"});
    line("b[lanes / 4] = x;");
    close();
    line({"halve", id, "(b, (lanes + 3) / 4);"});
    line("a[0] = b[0];");
    close();
}

SINTER_INLINE void host_reduction_writer::write_accumulator(std::size_t r, const std::string& to,
                                                            const std::string& from) {
    line(assignment(accumulator_type(k_.reductions[r].how, k_.reductions[r].type), to, from));
}

SINTER_INLINE void host_reduction_writer::write_four(std::size_t r, const std::string& a, const std::string& b,
                                                     const std::string& c, const std::string& d) {
    line(combine(r, a, "", b, ""));
    line(combine(r, c, "", d, ""));
    line(combine(r, a, "", c, ""));
}

// The epilogue is a map over the kept axes that starts from the results of the reductions.
SINTER_INLINE void host_reduction_writer::write_epilogue() {
    write_function_head(name_ + "_epilogue", per_reduction(", const @* r#", ", const long long* ri#"));
    write_unpacking();
    tile_axes t{0, k_.kept, 1, false};
    schedule(t);
    write_tiles(t, "begin", "end");
    close();
    out_ += "\n";
}

SINTER_INLINE void host_reduction_writer::write_reduction_parameters() {
    write_unpacking();
    const std::string kept = extents_text(0, k_.kept), reduced = extents_text(k_.kept, k_.space.size());
    line({"const long long reduced = ", reduced, ";"});
    line({"const long long kept = ", kept, ";"});
    std::string rows = "4096",
                columns = "((reduced + 4095) / 4096 <= 512 ? 512 : ((reduced + 4095) / 4096 + 7) / 8 * 8)";
    line({"const long long size = ", k_.tree == reduce_tree::rows ? rows : columns, ";"});
    line("const long long parts = reduced <= size ? 1 : (reduced + size - 1) / size;");
    int at = static_cast<int>(k_.operands.size());
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        line({accumulator(r), "* partial", r, " = (", accumulator(r), "*)memory[", at++, "];"});
        if (indexed(r)) line({"long long* position", r, " = (long long*)memory[", at, "];"});
        ++at;
    }
}

// The first value of each row, for the reductions that take it from the others.
SINTER_INLINE void host_reduction_writer::write_origin_variables(int stage) {
    for (std::uint32_t i : origins(k_, stage))
        line(number_text("double origin", i) +
             (origins_lie_along() ? "[" + std::to_string(host_tile) + "];" : " = 0;"));
}

// Sets them from the tile that has been computed, if it begins a row.
SINTER_INLINE void host_reduction_writer::write_origins(const std::string& begins) {
    if (origins(k_, stage_).empty()) return;
    open({"if (", begins, ")"});
    for (std::uint32_t i : origins(k_, stage_)) {
        const std::string to = number_text("origin", i);
        if (origins_lie_along()) line({"for (int l = 0; l < m; ++l) ", to, "[l] = ", value(i), ";"});
        else line({"for (int l = 0; l < 1; ++l) ", to, " = ", value(i), ";"});
    }
    close();
}

// Adds the tile's values to lanes; the first value of a lane starts it.
SINTER_INLINE void host_reduction_writer::write_accumulation(const std::string& lane, const std::string& is_first) {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        const reduction_step& x = k_.reductions[r];
        if (x.stage != stage_) continue;
        if (indexed(r)) {
            if (k_.tree == reduce_tree::rows) write_place_of_tile(r);
            else write_places_of_row(r);
            continue;
        }
        std::string to = "a" + std::to_string(r) + lane, cast = accumulated(r);
        open({"if (", is_first, ")"});
        unroll();
        line({"for (int l = 0; l < m; ++l) ", to, " = ", cast, ";"});
        close("} else {");
        open_lanes();
        line({"const ", accumulator(r), " y = ", cast, ";"});
        line(combine(r, to, "", "y", ""));
        close();
        close();
    }
}

// What the lanes of a row's part have: accumulators, and of extremes the turn and at last the place of theirs.
SINTER_INLINE void host_reduction_writer::write_lane_arrays(int lanes) {
    line(per_reduction("@ a#[" + std::to_string(lanes) + "]; ", "long long ai#[1]; "));
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        if (indexed(r)) line({turn_type(r), " at", r, "[", place_lanes(), "];"});
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
