// The numbers that a GPU's schedules are tuned with, one row per family of devices; none of them changes the order in
// which a reduction combines, and so no result. What was measured for them stands in the tables of bench/tuning.
#pragma once

#include <sinter/codegen/base/config.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace sinter::inline SINTER_ABI::codegen {

/// Elements of the longest rows that a CPU takes side by side (bench/tuning, host): longer ones gain little or lose.
inline constexpr int vectorised_row = 32;

/// Elements of the longest rows whose values a CPU keeps between stages, and how many values of each.
inline constexpr int host_persistent_row = 16384, kept_by_host = 4;

/// Elements that the loops of a CPU's kernel work on at a time.
inline constexpr int host_tile = 128;

/// What schedules go by that differs between families of devices: widths and sides of tiles, how long rows and columns
/// are that stay in registers or shared memory, and what is worth several elements per thread (bench/tuning).
struct family_schedule {
    int vector_bytes = 16;            ///< that one thread loads or stores at once, or in several single elements
    int wide_tile = 64;               ///< side of the square tiles in which operands of up to 4 bytes are transposed
    int narrow_tile = 32;             ///< the same for larger ones, or where wide tiles take too much shared memory
    int least_transposed = 10;        ///< elements along the inner axis of what tiles transpose
    int least_along = 10;             ///< the same along the outer axis, where neighbours of operands lie
    bool joins_lines = false;         ///< lines of tiles lie along all axes behind that one where the last is short
    int shared_bytes = 48 << 10;      ///< that a kernel may use without asking
    std::uint32_t long_body = 96;     ///< instructions of a body that is limited by arithmetic: one element per thread
    std::uint32_t packed_body = 256;  ///< instructions of all the elements that one thread computes at once
    int random_packs = 4;             ///< that one thread draws where nothing is read: they share constant work
    int most_items = 8;               ///< single elements that one thread computes, or rows that share operands
    int rows_of_gather = 4;           ///< of neighbours that one thread takes at positions, all on their way at once
    int rows_of_tile = 4;     ///< single elements of a thread of maps of three axes and more, at least: they share the
                              ///< divisions that find their place
    bool splits_axes = true;  ///< a map's, where what it reads repeats, rather than store that first
    int unrolled_terms = 3;   ///< of a sum over an outer product that become additions, at most: threads that read more
                              ///< of a point each read far apart
    std::int64_t least_turned = 1 << 20;  ///< elements from which on what a reduction reads across is stored by tiles
    bool reverses = true;                 ///< neighbours are moved backwards at once, too
    std::int64_t least_for_items = 1 << 20;  ///< elements from which on threads compute several, or several rows:
                                             ///< fewer are at work all at once
    int resident_element_bytes = 8;          ///< most of an element of a scan that may stay in shared memory, rather
                                             ///< than in registers, while its tile waits
    bool rows_by_length = true;   ///< short rows have texts for the powers of two that their lengths lie between
    std::int64_t few_rows = 512;  ///< of more than four elements for each lane of a warp, up to which a thread block
                                  ///< has each
    std::int64_t thread_columns = 1 << 17;  ///< columns from which on a thread has each, if they are short
    int column_bytes = 64;                  ///< that a thread loads ahead of several short columns, at most
    int most_columns = 4;                   ///< which these are at most: of one too few bytes are on their way
    int column_length = 512;          ///< elements of the longest columns that stay in registers between stages, in
                                      ///< one kernel rather than three; a chunk of their order at most
    std::int64_t few_columns = 2048;  ///< of a scan, up to which many tiles of each are at work at once, rather
                                      ///< than each wait for the one before it
    bool combines_pairs = true;       ///< a max beside the argmax of the same elements, or a min beside their argmin,
                                      ///< is not combined by itself
    bool columns_of_one = false;      ///< reductions of one element each are taken as columns, many side by side
    std::int64_t specialize_from = 1 << 15;  ///< elements below which one general text serves every stride: fewer
                                             ///< kernels are worth more than speed
    int vectorised_lanes = 0;                ///< of the longest such rows of long words, whose fours might combine
    int vectorised_row = 0;                  ///< elements of the longest rows that are taken side by side; or 0
    int resident_bytes = 0;                  ///< of a thread block's shared memory that hold its share of a row; or 0
    std::int64_t known_step_bytes = 0;       ///< between neighbours that are loaded, up to which texts say how many
                                             ///< elements: compilers make vectors of such
    std::int64_t long_row = 0;           ///< elements of a map's row from which on no tile reaches into the next; or 0
    std::int64_t long_gathered_row = 0;  ///< the same of maps that gather: what follows each other in memory is copied
};

/// Data-centre devices: compute capability 8.0, 9.0, 10.0.
inline constexpr family_schedule data_center_family{.resident_bytes = 114 << 10};

/// Compute capability 8.0 has room for two times 82 KiB. Not measured.
inline constexpr family_schedule earlier_data_center_family{.resident_bytes = 82 << 10};

/// Others: half the bytes in flight hide the latency of their slower memory, and shared memory has room for fewer tiles
/// of a scan than registers have. Not measured.
inline constexpr family_schedule other_family{.wide_tile = 32, .resident_element_bytes = 0, .resident_bytes = 48 << 10};

/// The CPU, which reads little of the rest.
inline constexpr family_schedule host_family{.least_transposed = 32,
                                             .least_along = 16,
                                             .joins_lines = true,
                                             .splits_axes = false,
                                             .unrolled_terms = 8,
                                             .least_turned = std::numeric_limits<std::int64_t>::max(),
                                             .reverses = false,
                                             .rows_by_length = false,
                                             .few_rows = 0,
                                             .thread_columns = std::numeric_limits<std::int64_t>::max(),
                                             .column_length = 0,
                                             .few_columns = 0,
                                             .combines_pairs = false,
                                             .columns_of_one = true,
                                             .specialize_from = 1 << 12,
                                             .vectorised_lanes = 20,
                                             .vectorised_row = vectorised_row,
                                             .known_step_bytes = 16,
                                             .long_row = 1024,
                                             .long_gathered_row = 32};

/// The row for a compute capability.
constexpr const family_schedule& family_schedule_of(int major, int minor) {
    if (minor != 0 || major < 8 || major >= 12) return other_family;
    return major == 8 ? earlier_data_center_family : data_center_family;
}

/// Instructions of a body up to which a thread's elements are computed side by side: longer ones have work enough to
/// hide memory's latency.
inline constexpr std::size_t unrolled_body = 48;

/// How a tile of a scan along rows, or of a selection, is spread over threads (bench/tuning, scan_schedule,
/// resident_schedule and select_schedule). Its elements stay in registers while its first warp hears from the tiles
/// before it, so that memory is busy only when many tiles are at work.
struct scan_schedule {
    int threads = 256;  ///< of a thread block
    int chunks = 4;     ///< of scan_chunk elements that a thread holds
    int blocks = 0;     ///< that shall be at work on a multiprocessor at once, 0: as many as there are

    constexpr int elements() const { return 4 * threads * chunks; }
};

/// For scans whose elements take this many registers over the wait: small thread blocks, and no more of them than leave
/// each enough registers. Where elements take more, 32 of them are too many.
constexpr scan_schedule scan_schedule_of(int words) {
    if (words <= 1) return {128, 8, 9};
    return {256, 4, 65536 / 256 / (24 + 16 * words)};
}

/// For scans whose tiles stay in shared memory, so many bytes of an element, while registers hold no more than the
/// prefixes of a thread's chunks, of so many words each: more tiles are at work than where registers hold all.
constexpr scan_schedule resident_schedule_of(int words, int bytes) {
    const int shared_fit = 52 / (bytes < 4 ? 4 : bytes), fit = 65536 / 128 / (24 + 8 * words);
    return {128, 8, fit < shared_fit ? fit : shared_fit};
}

/// For selections of elements of this many bytes, which pass through shared memory. Larger elements, or several, would
/// take more of it than needs no asking.
constexpr scan_schedule select_schedule_of(int words, int bytes) {
    if (words <= 1 && bytes <= 4) return {256, 8, 5};
    return {256, 4, 65536 / 256 / (16 + 16 * words)};
}

/// How reductions over rows and along columns are spread over thread blocks of 256 (bench/tuning, reduction_schedule).
struct reduction_schedule {
    // Long rows, shared out over thread blocks.
    int row_blocks = 4;  ///< that fit a multiprocessor: more leave no registers for what is loaded ahead
    int row_grid = 8;    ///< then a full reduction's grid has so many for each multiprocessor, some of which wait
    int row_blocks_of_wide = 3;  ///< the same where results take more than two registers and so many bytes, or more,
    int wide_bytes = 128;        ///< are loaded ahead, which are then enough
    int many_blocks = 6;         ///< the same where little is loaded ahead, or nothing, and random numbers are drawn
    int many_grid = 12;          ///< then a full reduction's grid has so many for each multiprocessor
    int few_bytes = 32;     ///< that a thread loads ahead at most where little is, and its results take two registers
                            ///< at most: of more, too few are left
    int exact_bytes = 64;   ///< that a thread loads ahead at least where the order of elements does not matter
    int bytes_ahead = 192;  ///< most that a thread loads ahead of a row; beyond it, nothing

    // Rows of up to 1024 elements, by lanes of a warp.
    int warp_row_lanes = 8;           ///< of threads that a row has before they take more than four each
    int single_row_lanes = 2;         ///< the same where they are loaded one by one
    int persistent_row_lanes = 16;    ///< the same where these are kept between stages: each loads twice at once
    int persistent_row_groups = 2;    ///< of four elements that each of these has at least, as long as the lanes fill a
                                      ///< sector of memory, which is moved as a whole
    int single_row_groups = 4;        ///< the same where they are loaded one by one
    int warp_row_groups = 4;          ///< of four elements that a thread takes before a row has more threads
    int warp_row_bytes = 64;          ///< that a thread loads of several such rows before it uses the first of them: of
                                      ///< one, too few are on their way
    std::size_t warp_row_body = 12;   ///< instructions of a kernel of rows loaded one by one, up to which thread blocks
                                      ///< fit a multiprocessor, which are then worth more than registers:
    int warp_row_blocks = 6;          ///< as many of threads with up to 16 elements
    int longer_row_blocks = 4;        ///< as many of threads with up to 32
    int inverse_work = 64;            ///< operations on a thread's elements, at most, of a stage that divides these by
                                      ///< the inverse: it divides again where that is not sure to be exact
    int warp_row_words = 32;          ///< most registers for what it keeps of them between stages
    int rows_per_thread = 4;          ///< most of them
    int rows_of_thread = 4;           ///< most of those of an outer product, which one thread has to itself,
    int thread_row = 64;              ///< up to so many elements each,
    int thread_row_words = 64;        ///< and registers for what they do not share
    int transposed_bytes = 36 << 10;  ///< of shared memory, at most, through which what a thread block's rows reduce
                                      ///< goes round their lanes
    int staging_bytes = 40 << 10;     ///< of shared memory, at most, through which a thread block stores its short rows
                                      ///< staged

    // Longer rows; and how a thread's groups of shorter ones combine.
    int persistent_tiles = 4;                   ///< blocks of 4096 elements of a row, at most, of which 256 threads
                                                ///< keep what later stages need
    int persistent_bytes = 16;                  ///< of them together, for one element of each
    int persistent_words = 48;                  ///< registers for what a thread keeps of several blocks, up to which
                                                ///< three thread blocks shall fit, worth more than other registers
    int combined_words = 4;                     ///< registers for what a group of four combines to, from which on a
                                                ///< thread's groups combine as they come rather than when all are there
    int combined_groups = 4;                    ///< or up to so many groups
    int reduced_tiles = 2;                      ///< such blocks that they take of a row that is only reduced, at most,
                                                ///< and load all at once
    int blocks_per_multiprocessor = 3;          ///< most that hold their shares of rows in shared memory
    int blocks_per_multiprocessor_of_wide = 2;  ///< the same of values of 8 bytes or more: three would lack registers

    // Columns.
    int column_blocks = 5;               ///< that fit a multiprocessor
    int column_blocks_of_wide = 4;       ///< the same where results take more than two registers
    int column_bytes = 4;                ///< that a thread moves at once of neighbouring columns of narrow types
    int column_bytes_ahead = 64;         ///< that a thread loads of its lane of a chunk before it uses the first
    int persistent_column_bytes = 256;   ///< of a column, most that a thread keeps between stages
    double alone = 0.6;                  ///< of the time of thread blocks that fill the device: that of few, as memory
                                         ///< answers no sooner
    double counted = 0.25;               ///< of the time of a chunk: that in which a thread block stores and counts
                                         ///< what its chunks come to
    double joined = 0.7;                 ///< the same in which the last ones combine all
    int column_scan_blocks = 5;          ///< of scans of few columns that fit a multiprocessor: they wait for memory
                                         ///< and each other
    int least_scan_columns = 4;          ///< of few ones that a thread block of a scan takes
    int tiles_at_once = 2;               ///< whose totals a thread of these asks for at once
    int groups_without_carry_block = 4;  ///< of tiles, up to which each hands on to the next what is before it; of
                                         ///< more, thread blocks of their own do, which is sooner done,
    int most_carry_blocks = 4;           ///< one for each strip of columns and scan, if these are so few: they stay
                                         ///< until the end, and tiles must have room
    int early_columns = 1 << 22;         ///< most elements of columns whose kernel starts before the one in front of it
                                         ///< has ended: larger ones would be placed unevenly
};

/// For every family.
inline constexpr reduction_schedule reduction_schedules{};

/// Where assignment at positions marks the places rather than sorts the positions (bench/tuning, scatter_schedule).
struct scatter_schedule {
    std::int64_t places_of_value = 8;      ///< at most, for each value: marks of all places are cleared and walked over
    std::int64_t values_of_place = 2048;   ///< at most, for each place: marks of one place are made in turn
    std::int64_t size_of_sectors = 16384;  ///< of an array, from which on a part has whole sectors of it; not measured
    std::int64_t cache_share = 2;          ///< of a device's cache marks of a turn fill one part of so many
    std::int64_t most_passes = 12;         ///< positions are read in each: beyond it, marks are all made at once
    int values_of_pass = 32;  ///< that a thread takes where there are turns, in most of which it may have nothing to do
};

/// For every family.
inline constexpr scatter_schedule scatter_schedules{};

/// How counting is laid out.
struct count_schedule {
    std::int64_t first_bins = 4096;  ///< numbers that are counted while it is not yet known how large they are
    int threads = 1024;              ///< of a block, which share one table: the fewer tables, the less is added up
    int blocks_of_multiprocessor = 2;
    std::int64_t elements_of_block = 8192;    ///< at least
    std::int64_t elements_of_thread = 65536;  ///< of the host, at least
};

/// For every family.
inline constexpr count_schedule count_schedules{};

/// How positions in a sorted vector are found.
struct search_schedule {
    std::int64_t line_bytes = 128;            ///< what is searched behind a sample; a GPU's line of memory
    std::int64_t sampled_bytes = 128 * 1024;  ///< of a vector, from which on samples are searched first
};

/// For every GPU.
inline constexpr search_schedule search_schedules{};

/// When elements are selected by their place in the order of a row rather than rows sorted, and how that is laid out.
struct selection_schedule {
    std::int64_t least_length = 1024;   ///< of rows: shorter ones are sorted in registers
    std::int64_t least_ranked = 1024;   ///< the same where ranks are selected
    std::int64_t most_first = 1024;     ///< first elements, at most: more leave too little room for candidates
    std::int64_t lengths_of_first = 4;  ///< so many times as long rows are at least
    std::int64_t most_ranks = 5;        ///< of which the digits are counted side by side
    int least_bytes = 1;                ///< of elements whose ranks are selected
    std::int64_t threads_of_row = 2;    ///< of a CPU, up to which one has a row's ranks before all could sort the row
    std::int64_t part = 16384;          ///< elements at least that a thread block, or a thread of the host, has,
    std::int64_t parts_of_first = 8;    ///< and so many times as many as first elements
    int blocks = 6;                     ///< that shall be at work on a multiprocessor at once
};

/// For every family of GPUs. Not measured.
inline constexpr selection_schedule cuda_selection{};

/// The CPU counts the digits of narrow elements sooner than it would divide their keys.
inline constexpr selection_schedule host_selection{.least_ranked = 257, .lengths_of_first = 64, .least_bytes = 4};

}  // namespace sinter::inline SINTER_ABI::codegen
