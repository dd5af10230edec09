// What follows from the schedule of a GPU's kernel that reduces or scans: what each stage computes and reads, how
// threads take the elements of their rows, which stores are staged; one table that the printer reads and does not
// complete; must not know the text.
#pragma once

#include <sinter/codegen/schedule/approximations.hpp>
#include <sinter/codegen/schedule/choose_rows.hpp>
#include <sinter/codegen/schedule/resident_rows.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Of a stage.
struct stage_facts {
    sequence<char> here;    ///< by instruction: computed by the stage
    sequence<char> used;    ///< by instruction: read by it
    sequence<char> input;   ///< by instruction: the function of an element takes it: loaded before, or left earlier
    sequence<char> loaded;  ///< by instruction: loaded for all of a thread's items before the stage computes, in arrays
    sequence<char> copied;  ///< by instruction: so, by copies to shared memory that threads need not see to
    sequence<char> deferred;            ///< by instruction: left to who takes what it is made from out of shared memory
    sequence<std::size_t> combined;     ///< the reductions that threads combine
    sequence<std::size_t> accumulated;  ///< of these, those to which the function of an element adds it
    sequence<std::uint32_t> exchanged;  ///< what the others are made from, which passes through shared memory
    sequence<std::size_t> stores;       ///< the stage's, and those of them by whole packs, or that the function of an
    sequence<std::size_t> pack_stores;  ///< element leaves to its caller, since it may be computed twice
    sequence<std::size_t> left_stores;
    std::uint32_t divisor = no_load;  ///< what it divides its elements by, by the inverse; or none
    bool loads_single = false;        ///< the function of an element moves something by itself
    bool stores_single = false;
    bool combines_groups = false;  ///< a thread's groups combine as they come
    bool combines_lanes = false;   ///< anything is left to combine when a thread has gone over its groups
    bool in_any_order = false;     ///< it looks for the greatest or least in any order first
    bool at_end = false;           ///< the elements of a thread's lanes combine when all are there
    bool at_once = false;          ///< all blocks that a thread block has of a row combine after one wait
    bool swizzled = false;         ///< of full blocks, threads take their four neighbours in an order of their own
    bool aligned = false;          ///< it stores by whole packs where rows begin as they do in shared memory
    int barrier = 0;               ///< stages before it at which thread blocks wait for each other
};

/// Shared memory in which a thread block stages what it stores of its short rows.
struct staging_buffer {
    std::uint32_t access;
    int elements, bytes;
};
inline constexpr int no_buffer = -1;

/// How a thread goes over the elements of a row: groups of four, so far from one to the next, and from one of the four
/// to the next.
struct row_share {
    int groups = 0, of_tile = 0;  ///< of the whole row, and of one block of its order
    int tree = 0;                 ///< the power of two in whose order they combine
    int full = 0;                 ///< that every row fills, because it is nearly as long as the capacity
    int stride = row_lanes, step = 1;
    bool own_lanes = false;  ///< each group has lanes of its own, rather than the thread for all of its groups
    bool packs = false;      ///< groups are moved as a whole
    bool begins = false;     ///< each group's first element is there in every row
};

struct row_facts {
    sequence<char> persistent;  ///< by instruction: kept for later stages
    sequence<stage_facts> stages;
    sequence<char> packed;           ///< by access: four neighbours are moved at once
    sequence<char> fixed_divisor;    ///< by instruction: elements of rows are divided by it
    sequence<char> inverse_divisor;  ///< by instruction: so, by its inverse
    sequence<char> outlives;         ///< by instruction: of one of several rows side by side, needed by later stages
    sequence<char> across;           ///< by reduction: a thread's lanes, which lie 256 apart, combine by four threads
    int groups = 4;                  ///< of four elements that a thread takes of a row at once
    sequence<char> narrow;           ///< by reduction: until threads meet in 32 bits
    sequence<char> fits_int;         ///< the same of whole rows, so few elements have these
    sequence<std::size_t> alike;     ///< by reduction: the first whose functions do for it
    sequence<staging_buffer> staging;
    sequence<int> staged;       ///< by store: which of these; or no_buffer
    row_share share;            ///< of a thread of rows
    int lanes = 0;              ///< threads that share a short row, at most
    int row_stride = 0;         ///< from one of a thread's rows to the next
    bool side_by_side = false;  ///< a thread has several
    int blocks = 1;             ///< of the order, that the threads of a block have of a row in registers
    int exchange_groups = 0;    ///< of a row's lanes that pass through shared memory at once, and the elements of a
    int exchange_elements = 0;  ///< row there, and the bytes that this takes of all rows
    int exchange_bytes = 0;
    int rows_of_block = 0;          ///< short rows that a thread block has
    int column_elements = 0;        ///< that a thread has of a short column, at most; 0 where there may be any number
    int sure_elements = 0;          ///< and of every one of a text
    bool needs_kept = false;        ///< how many rows or columns there are, besides what is reduced
    bool counts_tiles = false;      ///< how many blocks of the order a row or column has
    bool is_repeated = false;       ///< threads beyond the last row or column compute it once more
    bool loads_or_zero = false;     ///< single elements are loaded without branches
    bool from_first = false;        ///< threads of a warp get what the first of several has
    bool from_other = false;        ///< and what one whose number differs in a bit has
    bool by_quads = false;          ///< four neighbouring threads combine their lanes, of some reduction each place by
    bool any_across = false;        ///< itself, of some across the places
    bool by_chunks = false;         ///< eight threads above each other combine what they have of a column
    bool counts_blocks = false;     ///< the last of a grid's thread blocks goes on
    bool takes_loaded = false;      ///< functions of an element take what is loaded, rather than load it
    bool decodes_element = false;   ///< and find its coordinates by themselves
    bool may_be_empty = true;       ///< rows may have no elements
    bool known_lanes = false;       ///< how many threads share a short row stands in the text
    bool fills_half = false;        ///< rows are longer than half of the capacity
    bool in_turn = false;           ///< a grid's threads wait for each reduction of a block
    bool by_levels = false;         ///< results of a row's blocks combine level by level
    bool few_results = false;       ///< there are so few of these that a thread or a warp combines them at once
    bool one_wait = false;          ///< a grid's threads wait once for all reductions of a block, each by a warp then
    bool prefetches = false;        ///< a block's elements are loaded while those before it combine
    bool combines_exactly = false;  ///< a grid's threads combine all blocks of a lane of the next level before they
                                    ///< meet, since the order does not matter
    int rows_ahead = 0;             ///< elements of its lane that a thread loads of columns before it uses the first

    // Of rows that are resident in shared memory.
    cooperative_row row{{}, 0, false};
    bool shares_rows = false;        ///< several thread blocks have a row together
    bool bulk = false;               ///< what they load comes there by copies of the hardware's own
    sequence<char> shifted;          ///< by instruction: lies there as in memory, at no multiple of a pack
    sequence<char> whole;            ///< by instruction: there for the elements before a full block's first one, too
    std::int64_t tile_elements = 0;  ///< for which there is room where a block of 4096 is resident
    bool has_gaps = false;           ///< these are more
    int swizzle_threads = 0;         ///< so many neighbours take theirs in the same order, where stages do that; or 0
    bool double_buffers = false;     ///< some stage combines one block after the other
    int most_results = 1;            ///< of a row's blocks, for which a thread block has room
    int barriers = 0;                ///< at which thread blocks that share a row wait for each other
};
row_facts row_facts_of(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/schedule/facts/row_facts.ipp>
#endif
