// Bodies of host_vector_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/host/rows/host_vector_writer.hpp>
#include <sinter/codegen/schedule/host_geometry.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* lane_reduces_text =
#include <sinter/codegen/print/host/text/lane_reduces.hxx>
    ;

SINTER_INLINE bool host_vector_writer::is_turned_load(std::uint32_t i) const {
    return k_.body[i].kind == instruction_kind::load && is_turned(k_.body[i].payload);
}

// What is loaded stays in its tile for all stages, and what a reduction takes where its lanes are.
SINTER_INLINE void host_vector_writer::find_places() {
    if (k_.how.turns_rows) turned_ = turned_accesses(k_);
    placed_.assign(k_.body.size(), 0);
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!is_turned_load(i)) continue;
        persistent_[i] = 0;
        placed_[i] = 1;
    }
    for (const reduction_step& r : k_.reductions) {
        const instruction& v = k_.body[r.argument];
        const bool has_loop =
            v.kind == instruction_kind::load || v.kind == instruction_kind::apply || v.kind == instruction_kind::invoke;
        if (!is_indexed(r.how) && has_loop && !persistent_[r.argument] && !is_row_stage(v.stage) &&
            !is_bundle(k_, r.argument))
            placed_[r.argument] = 1;
    }
}

// Whether values have to be written into the lanes of a reduction, since none of the loops leaves them together.
SINTER_INLINE bool host_vector_writer::fills_lanes(std::size_t r) const {
    const std::uint32_t i = k_.reductions[r].argument;
    return !indexed(r) && !placed_[i] && (!persistent_[i] || is_row_stage(k_.body[i].stage));
}

SINTER_INLINE std::string host_vector_writer::lanes_of(std::size_t r) const {
    const std::uint32_t i = k_.reductions[r].argument;
    if (fills_lanes(r)) return number_text("filled", r);
    if (is_turned_load(i)) return number_text("tile", k_.body[i].payload);
    if (placed_[i]) return number_text("lanes", i);
    return joined({"(const ", stored_text(k_.body[i].type), " (*)[", host_tile, "])k", i});
}

// The row order of reduce_tree.hpp, where every element has a lane of its own: fours as pairs of pairs, which then
// halve.
SINTER_INLINE void host_vector_writer::write_vectorised_reduces() {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (indexed(r)) continue;
        const reduction_step& x = k_.reductions[r];
        const dtype type = k_.body[x.argument].type;
        const bool fills = fills_lanes(r), is_bool = !fills && type == dtype::bool_;
        auto lane = [&](int at) {
            const std::string from = joined({is_bool ? "(bool)" : "", "from[", at, "][l]"});
            return fills ? from : element_text(x, from, "[l]");
        };
        const bool has_origin = !fills && info(x.how).element == reduced_element::square;
        fill(lane_reduces_text, {{"r", std::to_string(r)},
                                 {"type", accumulator(r)},
                                 {"stored", fills ? accumulator(r) : stored_text(type)},
                                 {"origin", has_origin ? number_text(", const double* origin", x.argument) : ""},
                                 {"first", lane(0)},
                                 {"second", lane(1)},
                                 {"third", lane(2)},
                                 {"fourth", lane(3)},
                                 {"tile", std::to_string(host_tile)},
                                 {"half", std::to_string(vectorised_row / 4)}});
    }
}

SINTER_INLINE void host_vector_writer::write_vectorised_lanes() {
    const std::string tile = joined({"[", host_tile, "]"}), rows = joined({"[", vectorised_row, "]"});
    for (int stage = 0; stage < k_.stages; ++stage) write_origin_variables(stage);
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        line({accumulator(r), " a", r, "[1]", tile, " = {};"});
        if (indexed(r)) line({place_type(r), " at", r, tile, " = {}; long long ai", r, "[1]", tile, ";"});
        if (fills_lanes(r)) line({accumulator(r), " filled", r, rows, tile, " = {};"});
    }
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (placed_[i] && !is_turned_load(i))
            line({"alignas(64) ", stored_text(k_.body[i].type), " lanes", i, rows, tile, " = {};"});
    write_turned_tiles();
}

// Where the values of element `row` are that stay beyond its loops.
SINTER_INLINE void host_vector_writer::write_places() {
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!placed_[i] || !here_[i] || !in_array_[i]) continue;
        const bool is_load = is_turned_load(i);
        line({is_load ? "const " : "", stored_text(k_.body[i].type), "* t", i, " = ", is_load ? "tile" : "lanes",
              is_load ? k_.body[i].payload : i, "[row];"});
    }
}

// The values of element `row` of the tile's rows, each in a lane of its own, or the places of extremes up to it.
SINTER_INLINE void host_vector_writer::write_vectorised_values() {
    write_origins("row == 0");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (k_.reductions[r].stage != stage_) continue;
        if (indexed(r)) write_places_of_row(r);
        else if (fills_lanes(r)) write_for(r, "for (int l = 0; l < m; ++l) filled#[row][l] = " + accumulated(r) + ";");
    }
}

// Leaves the results in lane 0.
SINTER_INLINE void host_vector_writer::write_vectorised_results(int stage) {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        const reduction_step& x = k_.reductions[r];
        if (x.stage != stage) continue;
        const bool has_origin = !fills_lanes(r) && info(x.how).element == reduced_element::square;
        const std::string origin = has_origin ? number_text(", origin", x.argument) : "";
        write_for(r, indexed(r) ? "for (int l = 0; l < " + std::to_string(host_tile) + "; ++l) ai#[0][l] = at#[l];"
                                : "lanes_reduce#(a#[0], " + lanes_of(r) + origin + ", (int)reduced);");
    }
}

// Where the values of element `row` are that are kept up to a stage: they lie as the lanes do.
SINTER_INLINE void host_vector_writer::write_vectorised_persistent(int stage) {
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (persistent_[i] && k_.body[i].stage <= stage)
            line({stored_text(k_.body[i].type), "* t", i, " = k", i, " + row * ", host_tile, ";"});
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
