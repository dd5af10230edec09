// What follows from the schedule of a map: how its accesses move, which operands its tiles transpose, which of its
// values are checked; one table that the printers of both languages read; must not know the text.
#pragma once

#include <sinter/codegen/schedule/facts/access_moves.hpp>
#include <sinter/codegen/schedule/facts/walks.hpp>

namespace sinter::inline SINTER_ABI::codegen {

struct map_facts {
    int axis = 0;        ///< along which neighbours of transposed operands lie
    int side = 0;        ///< of the tiles; 0: none are transposed
    bool joins = false;  ///< lines of tiles are neighbours along all axes behind that one
    int items = 0;       ///< of a tile, for each thread of a GPU, and how far apart along a column
    int item_stride = 0;
    sequence<char> transposed;     ///< by access: in tiles
    sequence<char> reversed;       ///< by access: in tiles, and its neighbours lie against the axis
    sequence<char> fetched;        ///< by access: loaded along rows, all of a thread's before its block waits for tiles
    bool whole_rows = false;       ///< no tile of a CPU reaches from one row into the next
    bool mirrored = false;         ///< tiles on both sides of the diagonal read the same memory
    int rows_axis = 0;             ///< along which the rows of one thread of a GPU lie
    sequence<access_move> moves;   ///< by access, of elements over a GPU's grid, as are the next four
    sequence<std::uint32_t> walk;  ///< by access: which one's strides it advances by
    sequence<char> repeated;       ///< by access: the same for all rows of a thread, which has several
    sequence<char> shared;         ///< by instruction: the same for all neighbours of a thread, which has several
    sequence<walk_class> walks;    ///< by instruction: whole numbers that index, else any; empty where none do
    sequence<char> gathers_packs;  ///< by instruction: takes all neighbours at once
    sequence<char> gathers_walks;  ///< by instruction: the first and the last of neighbours tell where all lie
    bool gathers = false;          ///< at positions
    bool divides = false;          ///< by numbers whose inverses are known: what is not exact then is computed anew
};
map_facts map_facts_of(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/schedule/facts/map_facts.ipp>
#endif
