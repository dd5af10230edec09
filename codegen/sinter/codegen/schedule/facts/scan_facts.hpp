// What follows from the schedule of a GPU's scan or selection: what a tile has of each thread, what it copies, fetches
// and keeps; one table that the printer reads; must not know the text.
#pragma once

#include <sinter/codegen/schedule/kernel.hpp>

namespace sinter::inline SINTER_ABI::codegen {

struct scan_facts {
    bool has_status = false;   ///< tiles leave words in memory that say what of them is there
    bool one_tile = false;     ///< lines are within one tile each: none waits for those before it
    bool within_warp = false;  ///< so are rows within the chunks that a warp has at once
    int threads = 0;
    int chunks = 1;    ///< of four elements in a row that a thread has
    int elements = 0;  ///< of a tile of a selection, and its segments
    int segments = 0;
    int columns = 0;  ///< side by side that a thread block takes
    bool asks_all_tiles = false;
    bool packs = false;               ///< four neighbours are moved at once
    bool has_whole = false;           ///< there is a text without checks for full tiles
    bool part_packs = false;          ///< also in tiles that are not full: a selection has only one such
    int buffer_values = 0;            ///< of each reduction of rows, for which there is shared memory
    sequence<std::uint32_t> fetched;  ///< loads of which memory fetches a tile while its number is asked for
    sequence<std::uint32_t>
        copied;  ///< loads that stay in shared memory until the tile's prefix is there, and are used twice
    sequence<std::size_t> renewed;  ///< reductions whose arguments are converted again after the wait, not kept
    bool is_resident() const { return !copied.empty(); }
};
scan_facts scan_facts_of(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/schedule/facts/scan_facts.ipp>
#endif
