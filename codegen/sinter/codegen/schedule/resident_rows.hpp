// Where rows too long for registers stay between their stages, in the shared memory of one or several thread blocks,
// and what that takes; must not know the text.
#pragma once

#include <sinter/codegen/schedule/stages.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Where the shares of a row are that thread blocks hold between stages: kept values have so many bytes each of an
/// element, from an offset on. A value takes the place of another one that no later stage needs.
inline constexpr std::uint32_t no_load = 0xffffffff;
struct resident_layout {
    sequence<char> persistent;  ///< by instruction
    sequence<int> offset;
    int bytes = 0;
    sequence<std::uint32_t> load;  ///< that was the last to come to a value's place, maybe the value itself; or no_load
    int widest = 0;                ///< bytes of the widest value
};
resident_layout plan_residents(const kernel& k, const persistence& what);

/// Results of a row's blocks for which thread blocks that share it have room in shared memory.
inline constexpr int results_in_shared_memory = 32;

/// Elements behind a resident block of 4096 that keep the next at a multiple of 16 bytes, and that may be its own last
/// ones.
int gap_of_residents(const kernel& k, const resident_layout& resident);

/// Words of 8 bytes of a buffer of such thread blocks: for 256 values of its own reductions.
int tile_buffer_words(const kernel& k);

/// How many buffers of tile_buffer_words() a thread block has for each block of 4096 elements resident of a row; 0: it
/// has fixed_buffers(), and combines one after the other.
int buffers_of_tile(const kernel& k);
int fixed_buffers(const kernel& k);

/// Bytes of shared memory that a thread block that shares rows takes whatever its share is; results of rows that are
/// held as a whole lie there, too.
int fixed_bytes_of_block(const kernel& k, bool in_shared);
inline int fixed_bytes_of_block(const kernel& k) { return fixed_bytes_of_block(k, k.how.row_capacity > 0); }

/// Bytes of shared memory for each block of 4096 elements that a thread block holds; and how many of them it can hold,
/// at most.
int resident_tile_bytes(const kernel& k, const resident_layout& resident);
/// Most of these that a thread block holds: a warp each combines what they come to.
inline constexpr int most_resident_tiles = 8;
int resident_tiles(const kernel& k, const resident_layout& resident, int resident_bytes, bool in_shared);

/// Blocks of 4096 elements of a row that a thread block holds, and how.
struct cooperative_row {
    resident_layout resident;
    int blocks;
    bool whole;  ///< all of a row is resident
};
cooperative_row cooperative_row_of(const kernel& k);

/// Whether a resident instruction loads elements of a shared row that lie side by side in memory, but begin anywhere:
/// they are copied with what lies before them up to a multiple of 16 bytes, as they lie there.
bool lies_shifted(const kernel& k, const instruction& v);

/// Elements for which shared memory has room where a block of 4096 is resident.
std::int64_t resident_tile_elements(const kernel& k);

/// Most bytes of shared memory that a thread block's share of a row takes.
std::int64_t most_resident_bytes(const kernel& k);

/// Blocks of the reductions' order, one or several, of which 256 threads of a GPU keep a row's elements in registers
/// between stages.
int blocks_in_registers(const kernel& k);

/// What the threads keep that have a column to themselves.
sequence<char> persistent_of_column(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/schedule/resident_rows.ipp>
#endif
