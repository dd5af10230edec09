// What follows from the schedule of a map: which operands its tiles transpose, which of its values are checked; one
// table that the printers of both languages read; must not know the text.
#pragma once

#include <sinter/codegen/schedule/kernel.hpp>

namespace sinter::inline SINTER_ABI::codegen {

struct map_facts {
    int axis = 0;   ///< along which neighbours of transposed operands lie
    int side = 0;   ///< of the tiles; 0: none are transposed
    int items = 0;  ///< of a tile, for each thread of a GPU, and how far apart along a column
    int item_stride = 0;
    sequence<char> transposed;  ///< by access: in tiles
    sequence<char> fetched;     ///< by access: loaded along rows, all of a thread's before its block waits for tiles
    bool whole_rows = false;    ///< no tile of a CPU reaches from one row into the next
    bool mirrored = false;      ///< tiles on both sides of the diagonal read the same memory
    bool divides = false;       ///< by numbers whose inverses are known: what is not exact then is computed anew
};
map_facts map_facts_of(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/schedule/facts/map_facts.ipp>
#endif
