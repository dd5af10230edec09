// Bodies of host_vector_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/host/rows/host_vector_writer.hpp>
#include <sinter/codegen/schedule/host_geometry.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE void host_vector_writer::write_vectorised_lanes() {
    const std::string tile = joined({"[", host_tile, "]"});
    for (int stage = 0; stage < k_.stages; ++stage) write_origin_variables(stage);
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        line({accumulator(r), " a", r, "[", indexed(r) ? 1 : vectorised_row, "]", tile, " = {};"});
        if (indexed(r)) line({place_type(r), " at", r, tile, " = {}; long long ai", r, "[1]", tile, ";"});
    }
}

// The values of element `row` of the tile's rows, each in a lane of its own, or the places of extremes up to it.
SINTER_INLINE void host_vector_writer::write_vectorised_values() {
    write_origins("row == 0");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (k_.reductions[r].stage != stage_) continue;
        if (indexed(r)) write_places_of_row(r);
        else write_for(r, "for (int l = 0; l < m; ++l) a#[row][l] = " + accumulated(r) + ";");
    }
}

// Leaves the results in lane 0.
SINTER_INLINE void host_vector_writer::write_vectorised_results(int stage) {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (k_.reductions[r].stage != stage) continue;
        write_for(r, indexed(r) ? "for (int l = 0; l < " + std::to_string(host_tile) + "; ++l) ai#[0][l] = at#[l];"
                                : "lanes_reduce#(a#, (int)reduced);");
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
