// Bodies of host_fours_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/host/rows/host_fours_writer.hpp>
#include <sinter/codegen/schedule/host_geometry.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// Rows of no more elements than lanes, each of which has one. Places of extremes have lanes of their own.
SINTER_INLINE bool host_fours_writer::takes_fours_of_rows(int stage) const {
    if (!k_.how.short_rows || side_by_side_ || call_around(k_)) return false;
    bool any = false;
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (k_.reductions[r].stage != stage) continue;
        if (indexed(r)) return false;
        any = true;
    }
    return any;
}

// As many as fill a cache line with one accumulator of each, so that what combines is whole vectors.
SINTER_INLINE int host_fours_writer::rows_at_once() const {
    constexpr int line_bytes = 64, most = 16;
    int rows = k_.how.many_rows ? most : rows_together;
    for (const reduction_step& x : k_.reductions)
        while (rows > rows_together && rows * size_of(x.accumulator()) > line_bytes) rows /= 2;
    return rows;
}

// Accumulators of the rows that combine at a time: one for each of their fours.
SINTER_INLINE int host_fours_writer::fours_lanes() const { return row_lanes / 4 * rows_at_once(); }

// Whether every order gives the same bits, or only the first element counts: rows need not be transposed.
SINTER_INLINE bool host_fours_writer::combines_directly(std::size_t r) const {
    const reduction_step& x = k_.reductions[r];
    return is_exact(x.how, x.type) || info(x.how).element == reduced_element::first;
}

// Whether elements are transposed in their own type, which is narrower than that of accumulators.
SINTER_INLINE bool host_fours_writer::keeps_type(std::size_t r) const {
    const reduction_step& x = k_.reductions[r];
    return info(x.how).element != reduced_element::first && !is_half(x.type);
}

// The reduction whose transposed elements this one reads.
SINTER_INLINE std::size_t host_fours_writer::slot_of(std::size_t r) const {
    const reduction_step& x = k_.reductions[r];
    for (std::size_t s = 0; s < r && keeps_type(r); ++s)
        if (k_.reductions[s].stage == x.stage && k_.reductions[s].argument == x.argument && keeps_type(s) &&
            !combines_directly(s))
            return s;
    return r;
}

SINTER_INLINE std::string host_fours_writer::four_type(std::size_t r) const {
    return keeps_type(r) ? stored_text(k_.reductions[r].type) : accumulator(r);
}

// Whether the argument's tile is written where it is transposed from, and lies in no array besides.
SINTER_INLINE bool host_fours_writer::fills_slot(std::size_t r) const {
    const std::uint32_t i = k_.reductions[r].argument;
    return keeps_type(r) && here_[i] && in_array_[i] && !is_uniform_here(i) && !outlives_stage(i) &&
           !is_bundle(k_, i) && k_.body[i].kind != instruction_kind::gather;
}

inline constexpr const char* row_fours_text =
#include <sinter/codegen/print/host/text/row_fours.hxx>
    ;
inline constexpr const char* row_vectors_text =
#include <sinter/codegen/print/host/text/row_vectors.hxx>
    ;

// What a shuffle takes in each four of two vectors of rows: up to 3 of the first vector's, from 4 on of the second's.
SINTER_INLINE std::string shuffled_fours(int rows, const int (&taken)[4]) {
    std::string s;
    for (int first = 0; first < rows; first += 4)
        for (int from : taken) s += joined({s.empty() ? "" : ", ", first + (from < 4 ? from : rows + from - 4)});
    return s;
}

// transpose_<rows>: of elements that are words. Pairs of words change places within 16 bytes, those of long ones within
// 32, which is what processors do in one step.
SINTER_INLINE void host_fours_writer::write_transposing(const std::string& type, int rows, bool is_long) {
    constexpr int pairs[4] = {0, 4, 1, 5}, last_pairs[4] = {2, 6, 3, 7}, even[4] = {0, 4, 2, 6}, odd[4] = {1, 5, 3, 7},
                  low[4] = {0, 1, 4, 5}, high[4] = {2, 3, 6, 7};
    fill(row_vectors_text, {{"type", type},
                            {"word", is_long ? "unsigned long long" : "unsigned"},
                            {"places", std::to_string(host_tile / 4 * rows_at_once())},
                            {"rows", std::to_string(rows)},
                            {"eight", rows == 8},
                            {"sixteen", rows == 16},
                            {"some", shuffled_fours(rows, is_long ? even : pairs)},
                            {"others", shuffled_fours(rows, is_long ? odd : last_pairs)},
                            {"low", shuffled_fours(rows, low)},
                            {"high", shuffled_fours(rows, high)},
                            {"second", is_long ? "2" : "1"},
                            {"third", is_long ? "1" : "2"}});
}

// transpose_fours: one function for each type. halve_fours<r>: the fours of some rows to one value of each.
SINTER_INLINE void host_fours_writer::write_fours_reduces() {
    sequence<std::string> types;
    const int rows = rows_at_once();
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (!takes_fours_of_rows(k_.reductions[r].stage) || combines_directly(r)) continue;
        const std::string type = four_type(r);
        const int size = size_of(keeps_type(r) ? k_.reductions[r].type : k_.reductions[r].accumulator());
        const bool many = rows > rows_together && (size == 4 || size == 8);
        if (codegen::find(types.begin(), types.end(), type) == types.end()) {
            if (many) write_transposing(type, rows, size == 8);
            fill(row_fours_text, {{"type", type},
                                  {"places", std::to_string(host_tile / 4 * rows)},
                                  {"rows", std::to_string(rows)},
                                  {"many", many},
                                  {"in_words", size == 4},
                                  {"in_long_words", size == 8}});
            types.push_back(type);
        }
        write_halving(r);
    }
}

SINTER_INLINE void host_fours_writer::write_halving(std::size_t r) {
    open({"static void halve_fours", r, "(", accumulator(r), "* a, int groups, int wide)"});
    line("int h = 128;");
    line("while (h >= groups && h > 0) h /= 2;");
    open("for (; h > 0; h /= 2)");
    // A pointer of its own, since compilers take int sums of places that wrap apart, element by element.
    line("const int last = wide * (groups - h < h ? groups - h : h);");
    line({"const ", accumulator(r), "* b = a + wide * h;"});
    open_lanes("last", "int j", "0", 1);
    line(combine(r, "a[j]", "", "b[j]", ""));
    close();
    close();
    close();
}

// Of a tile of some rows: their elements, and these transposed. Where rows are less than they are taken to be, the
// others have what lay there before.
SINTER_INLINE void host_fours_writer::write_fours_arrays(const tile_axes& t) {
    const int stage = t.stage;
    lies_straight_ = rows_lie_straight(t);
    const std::string most = std::to_string(rows_at_once()), tile = std::to_string(host_tile);
    for (std::uint32_t i : origins(k_, stage)) line({"double origins", i, "[", most, "] = {};"});
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (k_.reductions[r].stage != stage || combines_directly(r) || slot_of(r) != r) continue;
        line({four_type(r), " fours", r, "[4][", host_tile / 4 * rows_at_once(), "];"});
        line({"const ", four_type(r), "* from", r, "[", most, "];"});
        if (lies_straight_) continue;
        line({four_type(r), " rows", r, "[", most, "][", tile, "];"});
        line({"__builtin_memset(rows", r, ", 0, ", rows_together, " * sizeof rows", r, "[0]);"});
        line({"for (int k = 0; k < ", most, "; ++k) from", r, "[k] = rows", r, "[k];"});
    }
}

// Loops over the tiles of some rows and over the rows of each, of which `row` is the first and `rows` says how many.
SINTER_INLINE void host_fours_writer::begin_fours_of_rows(const tile_axes& t, const std::string& row,
                                                          const std::string& rows) {
    // Where elements are computed, they leave the nearest cache sooner.
    const std::string longest = lies_straight_ ? "" : "reduced <= 256 && ";
    const std::string few = std::to_string(rows_together), most = std::to_string(rows_at_once());
    const std::string wide = most == few ? few : joined({longest, rows, " >= ", most, " ? ", most, " : ", few});
    line({"const int wide = ", wide, ";"});
    line({"const int side = ", rows, " < wide ? (int)(", rows, ") : wide;"});
    open("if (reduced == 0) for (int k = 0; k < wide; ++k)");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        if (k_.reductions[r].stage == t.stage) line({"a", r, "[k] = ", identity_text(k_.reductions[r]), ";"});
    close();
    open({"for (long long i = 0; i < reduced; i += ", host_tile, ")"});
    open("for (int k = 0; k < side; ++k)");
    line({"const long long row = ", row, " + k;"});
    write_bases_of("row", 0, k_.kept);
}

// A tile of row k, whose elements are where they are transposed from.
SINTER_INLINE void host_fours_writer::write_row_tile(const tile_axes& t) {
    sequence<std::size_t> filled;
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        if (k_.reductions[r].stage == t.stage && !combines_directly(r) && slot_of(r) == r && fills_slot(r))
            filled.push_back(r);
    auto argument = [&](std::size_t r) { return number_text("* t", k_.reductions[r].argument) + " = "; };
    if (!lies_straight_) {
        for (std::size_t r : filled) line({four_type(r), argument(r), "rows", r, "[k];"});
        return write_tile(t, "reduced");
    }
    line({"const long long i", t.first, " = i;"});
    write_pointers(t);
    for (std::size_t r : filled) {
        const std::uint32_t from = k_.body[k_.reductions[r].argument].payload;
        line({"const ", four_type(r), argument(r), "p", from, ";"});
        line({"from", r, "[k] = p", from, ";"});
        // Where rows are less, compilers do best with what follows the last.
        line({"if (k + 1 == side) for (int other = side; other < ", rows_together, "; ++other) from", r, "[other] = p",
              from, ";"});
    }
}

// Whether all that a stage reduces are the elements of one array as they follow each other there.
SINTER_INLINE bool host_fours_writer::rows_lie_straight(const tile_axes& t) const {
    if (in_parts_ || t.last - t.first != 1) return false;
    for (const store& s : k_.stores)
        if (s.stage == t.stage) return false;
    for (const reduction_step& x : k_.reductions) {
        if (x.stage != t.stage) continue;
        const instruction& v = k_.body[x.argument];
        if (v.kind != instruction_kind::load || !here_[x.argument] || !k_.loads_memory(v) || is_half(x.type) ||
            is_exact(x.how, x.type) || k_.accesses[v.payload].step != stride_class::contiguous)
            return false;
    }
    int computed = 0;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) computed += here_[i] && !is_uniform_here(i);
    return computed == 1;
}

// Each row has an origin of its own, which its first tile begins with.
SINTER_INLINE void host_fours_writer::write_origins_of_rows() {
    for (std::uint32_t i : origins(k_, stage_)) {
        line({"if (i == 0) for (int l = 0; l < 1; ++l) origins", i, "[k] = ", value(i), ";"});
        line({"const double origin", i, " = origins", i, "[k];"});
    }
}

// The rows' origins as far as the transposed elements go.
SINTER_INLINE void host_fours_writer::write_origins_of_fours() {
    for (std::uint32_t i : origins(k_, stage_)) {
        line({"double origin", i, "[", host_tile / 4 * rows_at_once(), "];"});
        line({"for (int j = 0; j < (m + 3) / 4 * wide; j += wide) for (int k = 0; k < wide; ++k) origin", i,
              "[j + k] = origins", i, "[k];"});
    }
}

// A row's accumulator takes the tile's elements.
SINTER_INLINE void host_fours_writer::write_direct(std::size_t r) {
    const reduction_step& x = k_.reductions[r];
    const bool only_first = info(x.how).element == reduced_element::first;
    const std::string to = number_text("a", r) + "[k]", z = number_text("z", r);
    if (has_identity(x.how) && !only_first) line({"if (i == 0) ", to, " = ", identity_text(x), ";"});
    else line({"if (i == 0) for (int l = 0; l < 1; ++l) ", to, " = ", accumulated(r), ";"});
    if (only_first) return;
    open("");
    line({accumulator(r), " ", z, " = ", to, ";"});
    open_lanes();
    line({"const ", accumulator(r), " y = ", accumulated(r), ";"});
    line(combine(r, z, "", "y", ""));
    close();
    line({to, " = ", z, ";"});
    close();
}

SINTER_INLINE void host_fours_writer::write_slot(std::size_t r) {
    const reduction_step& x = k_.reductions[r];
    if (fills_slot(r)) return;
    open_lanes();
    line(assignment(keeps_type(r) ? x.type : x.accumulator(), number_text("rows", r) + "[k][l]",
                    keeps_type(r) ? value(x.argument) : accumulated(r)));
    close();
}

// Pairs of pairs of the transposed elements; of what is left of rows, one after the other.
SINTER_INLINE void host_fours_writer::write_fours(std::size_t r) {
    const reduction_step& x = k_.reductions[r];
    auto element = [&](int c) {
        const std::string from = joined({"fours", slot_of(r), "[", c, "][j]"});
        return keeps_type(r) ? element_text(x, from, "[j]") : from;
    };
    auto define = [&](int c) { line({accumulator(r), " z", c, " = ", element(c), ";"}); };
    open_lanes("m / 4 * wide", "int j", "0", 1);
    for (int c = 0; c < 4; ++c) define(c);
    write_four(r, "z0", "z1", "z2", "z3");
    write_accumulator(r, number_text("a", r) + "[i / 4 * wide + j]", "z0");
    close();
    open("if (m % 4)");
    open_lanes("m / 4 * wide + wide", "int j", "m / 4 * wide", 1);
    for (int c = 0; c < 3; ++c) {
        define(c);
        if (c > 0) line({"if (m % 4 > ", c, ") { ", combine(r, "z0", "", number_text("z", c), ""), " }"});
    }
    write_accumulator(r, number_text("a", r) + "[i / 4 * wide + j]", "z0");
    close();
    close();
}

// Ends both loops, behind the tile of a row, and leaves the results of the rows in the first accumulators.
SINTER_INLINE void host_fours_writer::end_fours_of_rows(const tile_axes& t) {
    write_origins_of_rows();
    sequence<std::size_t> combined;
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (k_.reductions[r].stage != t.stage) continue;
        if (combines_directly(r)) {
            write_direct(r);
            continue;
        }
        combined.push_back(r);
        if (slot_of(r) == r) write_slot(r);
    }
    close();
    if (!combined.empty())
        line({"const int m = reduced - i < ", host_tile, " ? (int)(reduced - i) : ", host_tile, ";"});
    for (std::size_t r : combined)
        if (slot_of(r) == r) write_for(r, "transpose_fours(fours#, from#, m, wide);");
    if (!combined.empty()) write_origins_of_fours();
    for (std::size_t r : combined) write_fours(r);
    close();
    for (std::size_t r : combined) write_for(r, "halve_fours#(a#, (int)((reduced + 3) / 4), wide);");
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
