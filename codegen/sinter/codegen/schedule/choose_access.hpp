// Chooses how many elements a thread of a kernel moves, side by side, one by one or transposed in tiles; must not know
// the text.
#pragma once

#include <sinter/codegen/schedule/kernel.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Side and axis of the tiles of a map that stores along its innermost axis while operands lie along another one, so
/// that both move in whole lines of memory; side 0 where nothing is transposed.
struct tile_choice {
    int side = 0;
    int axis = 0;
    bool joins = false;  ///< lines are neighbours along all axes behind `axis` together
};
tile_choice choose_tile(const kernel& k, const family_schedule& on);

/// The side where a CPU transposes.
int side_of_host_tiles(const kernel& k, int axis);

/// Neighbouring elements that a thread moves at once; `s` has the capacity for rows.
int choose_vector_width(const kernel& k, const schedule& s, const family_schedule& on);

/// Neighbours of a thread of a map that goes on in the next row; 0: rows are not joined.
int choose_joined_width(const kernel& k, const schedule& s, const family_schedule& on);

/// How often a thread of a map does so; `s` has the width and the tiles.
int choose_packs(const kernel& k, const schedule& s, const family_schedule& on);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/schedule/choose_access.ipp>
#endif
