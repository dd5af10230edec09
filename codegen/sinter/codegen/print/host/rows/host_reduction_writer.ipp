// Bodies of host_reduction_writer.hpp.
#pragma once

#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/host/rows/host_reduction_writer.hpp>
#include <sinter/codegen/schedule/host_geometry.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// Compilers make vectors of what has no branches.
SINTER_INLINE std::string host_reduction_writer::combine(std::size_t r, const std::string& x, const std::string& xi,
                                                         const std::string& y, const std::string& yi) const {
    const reduction how = k_.reductions[r].how;
    if (how == reduction::any || how == reduction::all) return x + (how == reduction::any ? " |= " : " &= ") + y + ";";
    return combine_text(k_.reductions[r], x, y, xi, yi);
}

// One statement per reduction by reduction_text; the second one is added where it carries an index.
SINTER_INLINE std::string host_reduction_writer::per_reduction(const std::string& direct, const std::string& with_index,
                                                               int stage) const {
    std::string s;
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        if (stage == any_stage || k_.reductions[r].stage == stage)
            s += reduction_text(direct + "{?" + with_index + "?}", r, accumulator(r), indexed(r));
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
            open("static inline void combine" + id + "(" + a + "& x" + (indexed(r) ? ", long long& xi" : "") + ", " +
                 a + " y" + (indexed(r) ? ", long long yi" : "") + ")");
            if (indexed(r)) line("if (" + wins(r, "y", "x") + ") { x = y; xi = yi; }");
            else line(combine(r, "x", "xi", "y", "yi"));
            close();
            continue;
        }
        if (indexed(r)) {
            write_place(r);
            continue;
        }
        write_row_reduce(r);
        open("static void reduce" + id + "(" + a + "* a, long long count)");
        open("while (count > 1)");
        line("long long parts = 0;");
        open("for (long long first = 0; first < count; first += 4096, ++parts)");
        line("const int size = count - first < 4096 ? (int)(count - first) : 4096;");
        line("for (int l = 1024; l < size; ++l) { " + combine(r, "a[first + l % 1024]", "", "a[first + l]", "") + " }");
        line("combine" + id + "(a + first, size < 1024 ? size : 1024);");
        line("a[parts] = a[first];");
        close();
        line("count = parts;");
        close();
        close();
    }
    if (side_by_side_) write_vectorised_reduces();
}

// halve<r>: the fours of a block to one value; combine<r>: its lanes to fours, which are pairs of pairs, and these.
// What is left of many fours lies in few vectors, whose steps are written out.
SINTER_INLINE void host_reduction_writer::write_row_reduce(std::size_t r) {
    constexpr int few = 16;
    const std::string id = std::to_string(r), a = accumulator(r);
    open("static inline void halve" + id + "(" + a + "* a, int groups)");
    line("int h = 128;");
    line("while (h >= groups && h > 0) h /= 2;");
    auto step = [&](const std::string& last, const std::string& half) {
        open_lanes(last, "int g", "0", 1);
        line(combine(r, "a[g]", "", "a[g + " + half + "]", ""));
        close();
    };
    open("for (; h > (groups >= " + std::to_string(few) + " ? " + std::to_string(few / 2) + " : 0); h /= 2)");
    line("const int last = groups - h < h ? groups - h : h;");
    step("last", "h");
    close();
    open("if (groups >= " + std::to_string(few) + ")");
    for (int h = few / 2; h > 0; h /= 2) step(std::to_string(h), std::to_string(h));
    close();
    close();
    open("static void combine" + id + "(" + a + "* a, int lanes)");
    line(a + " b[256];");
    open_lanes("lanes / 4", "int g", "0", 1);
    for (int c = 0; c < 4; ++c) line(a + number_text(" z", c) + " = a[4 * g + " + std::to_string(c) + "];");
    write_four(r, "z0", "z1", "z2", "z3");
    write_accumulator(r, "b[g]", "z0");
    close();
    open("if (lanes % 4)");
    line(a + " x = a[lanes / 4 * 4];");
    line("for (int l = lanes / 4 * 4 + 1; l < lanes; ++l) { " + combine(r, "x", "", "a[l]", "") + " }");
    line("b[lanes / 4] = x;");
    close();
    line("halve" + id + "(b, (lanes + 3) / 4);");
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

inline constexpr const char* lane_reduces_text =
#include <sinter/codegen/print/host/text/lane_reduces.hxx>
    ;

// The row order of reduce_tree.hpp, where every element has a lane of its own: fours as pairs of pairs, which then
// halve.
SINTER_INLINE void host_reduction_writer::write_vectorised_reduces() {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        if (!indexed(r))
            fill(lane_reduces_text, {{"r", std::to_string(r)},
                                     {"type", accumulator(r)},
                                     {"tile", std::to_string(host_tile)},
                                     {"half", std::to_string(vectorised_row / 2)}});
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
    line("const long long reduced = " + reduced + ";");
    line("const long long kept = " + kept + ";");
    std::string rows = "4096",
                columns = "((reduced + 4095) / 4096 <= 512 ? 512 : ((reduced + 4095) / 4096 + 7) / 8 * 8)";
    line("const long long size = " + (k_.tree == reduce_tree::rows ? rows : columns) + ";");
    line("const long long parts = reduced <= size ? 1 : (reduced + size - 1) / size;");
    int at = static_cast<int>(k_.operands.size());
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        line(accumulator(r) + number_text("* partial", r) + " = (" + accumulator(r) + "*)memory[" +
             std::to_string(at++) + "];");
        if (indexed(r))
            line(number_text("long long* position", r) + " = (long long*)memory[" + std::to_string(at) + "];");
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
    open("if (" + begins + ")");
    for (std::uint32_t i : origins(k_, stage_)) {
        const std::string to = number_text("origin", i);
        if (origins_lie_along()) line("for (int l = 0; l < m; ++l) " + to + "[l] = " + value(i) + ";");
        else line("for (int l = 0; l < 1; ++l) " + to + " = " + value(i) + ";");
    }
    close();
}

// Sets them for what begins later in the row, whose first element or, of columns, first tile is computed for that.
SINTER_INLINE void host_reduction_writer::write_origins_anew(const tile_axes& t) {
    const bool at_once = takes_blocks_at_once(t);
    if (origins(k_, stage_).empty() || (k_.how.short_rows && !at_once)) return;
    open(at_once ? "if (first < last)" : "if (first > 0)");
    line(std::string("const long long ") + (origins_lie_along() ? "row" : "i") + " = 0;");
    if (origins_lie_along()) write_bases_of("row", k_.kept, k_.space.size());
    write_tile(t, origins_lie_along() ? "kept" : "1");
    write_origins("m > 0");
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
        open("if (" + is_first + ")");
        unroll();
        line("for (int l = 0; l < m; ++l) " + to + " = " + cast + ";");
        close("} else {");
        open_lanes();
        line("const " + accumulator(r) + " y = " + cast + ";");
        line(combine(r, to, "", "y", ""));
        close();
        close();
    }
}

// Whether all that a lane of a whole block combines can be computed in one turn of a loop: nothing has a loop of its
// own or is wanted again.
SINTER_INLINE bool host_reduction_writer::takes_blocks_at_once(const tile_axes& t) const {
    if (last_phase_ > 0 || in_parts_ || side_by_side_ || call_around(k_)) return false;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if ((persistent_[i] && k_.body[i].stage <= t.stage) || (here_[i] && is_bundle(k_, i))) return false;
    for (const store& s : k_.stores)
        if (s.stage == t.stage) return false;
    bool any = false;
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (k_.reductions[r].stage != t.stage) continue;
        if (indexed(r)) return false;
        any = true;
    }
    return any;
}

// Combines an element with what its lane has in variables.
SINTER_INLINE void host_reduction_writer::write_turn(const tile_axes& t, const std::string& at, bool begins) {
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (here_[i] && !is_uniform_here(i)) write_instruction(i, at, false);
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (k_.reductions[r].stage != t.stage) continue;
        const std::string z = number_text("z", r), y = number_text("y", r);
        if (!begins) line("const " + accumulator(r) + " " + y + " = " + accumulated(r) + ";");
        line(begins ? z + " = " + accumulated(r) + ";" : combine(r, z, "", y, ""));
    }
}

// Accumulators stay in registers, where those of tiles that follow each other would be loaded and stored for each.
SINTER_INLINE void host_reduction_writer::write_block_at_once(const tile_axes& t) {
    const sequence<char> kept = in_array_;
    in_array_.assign(k_.body.size(), 0);
    open("if (last - first == " + std::to_string(row_block) + ")");
    line("const long long i" + std::to_string(t.first) + " = first;");
    write_pointers(t);
    open_lanes(std::to_string(row_lanes));
    line(per_reduction("@ z#; ", "", t.stage));
    for (int turn = 0; turn < row_block / row_lanes; ++turn) {
        open("");
        write_turn(t, turn == 0 ? "l" : "(l + " + std::to_string(turn * row_lanes) + ")", turn == 0);
        close();
    }
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        if (k_.reductions[r].stage == t.stage) write_accumulator(r, number_text("a", r) + "[l]", number_text("z", r));
    close();
    close();
    in_array_ = kept;
}

// Rows of no more elements than lanes: fours of elements become one without a lane's place in memory.
SINTER_INLINE void host_reduction_writer::write_short_row_at_once(const tile_axes& t) {
    const sequence<char> kept = in_array_;
    in_array_.assign(k_.body.size(), 0);
    open("else if (last - first <= " + std::to_string(row_lanes) + ")");
    line("const int lanes = (int)(last - first);");
    line("const long long i" + std::to_string(t.first) + " = first;");
    write_pointers(t);
    auto write_element = [&](const std::string& at, const std::string& direct) {
        open("");
        for (std::uint32_t i = 0; i < k_.body.size(); ++i)
            if (here_[i] && !is_uniform_here(i)) write_instruction(i, at, false);
        for (std::size_t r = 0; r < k_.reductions.size(); ++r)
            if (k_.reductions[r].stage == t.stage) line(number_text("z", r) + direct + " = " + accumulated(r) + ";");
        close();
    };
    open_lanes("lanes / 4", "int l", "0", 1);
    line(per_reduction("@ z#_0, z#_1, z#_2, z#_3; ", "", t.stage));
    for (int c = 0; c < 4; ++c) write_element("(4 * l + " + std::to_string(c) + ")", number_text("_", c));
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (k_.reductions[r].stage != t.stage) continue;
        const std::string z = number_text("z", r);
        write_four(r, z + "_0", z + "_1", z + "_2", z + "_3");
        write_accumulator(r, number_text("a", r) + "[l]", z + "_0");
    }
    close();
    open("for (int l = lanes / 4 * 4; l < lanes; ++l)");
    line(per_reduction("@ z#; ", "", t.stage));
    write_element("l", "");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        if (k_.reductions[r].stage == t.stage)
            line("if (l % 4 == 0) { " + number_text("a", r) + "[l / 4] = " + number_text("z", r) + "; } else { " +
                 combine(r, number_text("a", r) + "[l / 4]", "", number_text("z", r), "") + " }");
    close();
    close();
    in_array_ = kept;
}

// What becomes of a row's part whose lanes, or fours, lie in a<r>.
SINTER_INLINE void host_reduction_writer::write_lanes_combined(std::size_t r, bool at_once) {
    const std::string id = std::to_string(r), places = std::to_string(place_lanes);
    if (indexed(r))
        return line("ai" + id + "[0] = first + place" + id + "(a" + id + ", at" + id + ", lanes < " + places +
                    " ? lanes : " + places + ");");
    if (at_once)
        line("if (last - first <= " + std::to_string(row_lanes) + ") halve" + id + "(a" + id + ", (lanes + 3) / 4);");
    line((at_once ? "else combine" : "combine") + id + "(a" + id + ", lanes);");
}

// What the lanes of a row's part have: accumulators, and of extremes the turn and at last the place of theirs.
SINTER_INLINE void host_reduction_writer::write_lane_arrays() {
    line(per_reduction("@ a#[" + std::to_string(row_lanes) + "]; ", "long long ai#[1]; "));
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        if (indexed(r)) line(turn_type(r) + number_text(" at", r) + "[" + std::to_string(place_lanes) + "];");
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
