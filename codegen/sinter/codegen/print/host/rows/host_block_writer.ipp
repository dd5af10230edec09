// Bodies of host_block_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/host/rows/host_block_writer.hpp>
#include <sinter/codegen/schedule/host_geometry.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// Sets them for what begins later in the row, whose first element or, of columns, first tile is computed for that.
SINTER_INLINE void host_block_writer::write_origins_anew(const tile_axes& t) {
    const bool at_once = takes_blocks_at_once(t);
    if (origins(k_, stage_).empty() || (k_.how.short_rows && !at_once)) return;
    open(at_once ? "if (first < last)" : "if (first > 0)");
    line({"const long long ", origins_lie_along() ? "row" : "i", " = 0;"});
    if (origins_lie_along()) write_bases_of("row", k_.kept, k_.space.size());
    write_tile(t, origins_lie_along() ? "kept" : "1");
    write_origins("m > 0");
    close();
}

// Whether all that a lane of a whole block combines can be computed in one turn of a loop: nothing has a loop of its
// own or is wanted again.
SINTER_INLINE bool host_block_writer::takes_blocks_at_once(const tile_axes& t) const {
    if (last_phase_ > 0 || side_by_side_ || call_around(k_)) return false;
    if (in_parts_ && k_.tree == reduce_tree::columns) return false;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if ((persistent_[i] && k_.body[i].stage <= t.stage) || (here_[i] && is_bundle(k_, i))) return false;
    for (const store& s : k_.stores)
        if (s.stage == t.stage) return false;
    std::size_t found = 0, places = 0;
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (k_.reductions[r].stage != t.stage) continue;
        ++found;
        places += indexed(r);
    }
    return found > 0 && (places == 0 || (places == found && k_.tree == reduce_tree::rows));
}

// Whether a reduction is a row's first element, which is at hand as what squares are taken from: no lane keeps it.
SINTER_INLINE bool host_block_writer::is_origin(std::size_t r) const {
    const reduction_step& x = k_.reductions[r];
    const sequence<std::uint32_t> from = origins(k_, x.stage);
    return x.how == reduction::first && is_floating(x.type) && x.accumulator() == x.type &&
           codegen::find(from.begin(), from.end(), x.argument) != from.end();
}

// The reductions of a stage that have lanes.
SINTER_INLINE sequence<std::size_t> host_block_writer::in_lanes(int stage) const {
    sequence<std::size_t> found;
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        if (k_.reductions[r].stage == stage && !is_origin(r)) found.push_back(r);
    return found;
}

// Combines an element with what its lane has in variables.
SINTER_INLINE void host_block_writer::write_turn(const tile_axes& t, const std::string& at, bool begins) {
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (here_[i] && !is_uniform_here(i)) write_instruction(i, at, false);
    for (std::size_t r : in_lanes(t.stage)) {
        const std::string z = number_text("z", r), y = number_text("y", r);
        if (!begins) line({"const ", accumulator(r), " ", y, " = ", accumulated(r), ";"});
        line(begins ? z + " = " + accumulated(r) + ";" : combine(r, z, "", y, ""));
    }
}

// Where element `from` of a row lies, and what follows it along the innermost axis.
SINTER_INLINE void host_block_writer::write_place_of(const tile_axes& t, const std::string& from) {
    if (in_parts_) write_decode(from, t.first, t.last);
    else line({"const long long i", t.first, " = ", from, ";"});
    write_pointers(t);
}

// Whether a part lies in one line of memory.
SINTER_INLINE std::string host_block_writer::in_row_text(const tile_axes& t) const {
    return joined({"first < last && last - first <= n", inner_text(t), " - first % n", inner_text(t)});
}

// Accumulators stay in registers, where those of tiles that follow each other would be loaded and stored for each.
SINTER_INLINE void host_block_writer::write_block_at_once(const tile_axes& t) {
    const sequence<char> kept = in_array_;
    in_array_.assign(k_.body.size(), 0);
    if (in_parts_) line({"const bool in_row = ", in_row_text(t), ";"});
    open({"if (", in_parts_ ? "in_row && " : "", "last - first == ", row_block, ")"});
    write_place_of(t, "first");
    open_lanes(std::to_string(row_lanes));
    line(per_reduction("@ z#; ", "", t.stage));
    for (int turn = 0; turn < row_block / row_lanes; ++turn) {
        open("");
        write_turn(t, turn == 0 ? "l" : "(l + " + std::to_string(turn * row_lanes) + ")", turn == 0);
        close();
    }
    for (std::size_t r : in_lanes(t.stage)) write_accumulator(r, number_text("a", r) + "[l]", number_text("z", r));
    close();
    close();
    in_array_ = kept;
}

// The places of extreme elements, where what is compared needs no array.
SINTER_INLINE void host_block_writer::write_places_at_once(const tile_axes& t) {
    const sequence<char> kept = in_array_;
    in_array_.assign(k_.body.size(), 0);
    if (in_parts_) line({"const bool in_row = ", in_row_text(t), ";"});
    open(in_parts_ ? "if (in_row)" : "");
    line("const long long m = last - first;");
    write_place_of(t, "first");
    write_places(in_lanes(t.stage), "", [&] {
        for (std::uint32_t i = 0; i < k_.body.size(); ++i)
            if (here_[i] && !is_uniform_here(i)) write_instruction(i, "l", false);
    });
    close();
    in_array_ = kept;
}

// A row's part whose lanes take their elements in registers; what may be left is for a loop over tiles, and true then.
SINTER_INLINE bool host_block_writer::write_part_at_once(const tile_axes& t) {
    const sequence<std::size_t> reductions = in_lanes(t.stage);
    if (!reductions.empty() && indexed(reductions[0])) {
        write_places_at_once(t);
        return in_parts_;
    }
    write_block_at_once(t);
    write_pieces_at_once(t);
    return in_parts_;
}

// Other parts of rows: pieces that lie in one row of memory, up to where the lanes begin anew.
SINTER_INLINE void host_block_writer::write_pieces_at_once(const tile_axes& t) {
    const sequence<char> kept = in_array_;
    in_array_.assign(k_.body.size(), 0);
    const std::string lanes = std::to_string(row_lanes), inner = inner_text(t);
    const std::string piece = in_parts_ ? "if (n" + inner + " >= " + std::to_string(host_tile / 2) + ") " : "";
    open({"else ", piece, "for (long long i = first; i < last;)"});
    write_place_of(t, "i");
    line({"const int lane = (int)((i - first) % ", lanes, "), left = ", lanes, " - lane;"});
    line({"const long long in_part = last - i",
          in_parts_ ? ", in_line = n" + inner + " - i" + inner + ", m = in_line < in_part ? in_line : in_part;"
                    : ", m = in_part;"});
    line("const int count = m < left ? (int)m : left;");
    for (const bool begins : {true, false}) {
        if (begins) open({"if (i - first < ", lanes, ")"});
        else close("} else {");
        open_lanes("count");
        for (std::size_t r : in_lanes(t.stage))
            line(accumulator(r) + number_text(" z", r) + (begins ? ";" : " = " + number_text("a", r) + "[lane + l];"));
        write_turn(t, "l", begins);
        for (std::size_t r : in_lanes(t.stage))
            write_accumulator(r, number_text("a", r) + "[lane + l]", number_text("z", r));
        close();
    }
    close();
    line("i += count;");
    close();
    in_array_ = kept;
}

// What becomes of a row's part whose lanes, or fours, lie in a<r>.
SINTER_INLINE void host_block_writer::write_lanes_combined(std::size_t r, bool at_once) {
    const std::string id = std::to_string(r), places = std::to_string(place_lanes());
    if (indexed(r))
        return line({"ai", id, "[0] = first + place", id, "(a", id, ", at", id, ", lanes < ", places,
                     " ? lanes : ", places, ");"});
    if (at_once && is_origin(r)) return line({"a", r, "[0] = origin", k_.reductions[r].argument, ";"});
    line({"combine", id, "(a", id, ", lanes);"});
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
