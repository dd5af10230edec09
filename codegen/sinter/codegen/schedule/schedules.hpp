// The numbers that a GPU's schedules are tuned with, one row per family of devices; none of them changes the order in
// which a reduction combines, and so no result.
#pragma once

#include <sinter/codegen/base/config.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace sinter::inline SINTER_ABI::codegen {

/// Elements of the longest rows that a CPU takes side by side. On an Intel Xeon with 512-bit vectors, two threads and
/// 2^24 floats, side by side and one after the other: softmax of rows of 3, 32 and 64 elements 22 and 272, 23 and 42,
/// 25 and 26 ms, layer norms 29 and 130, 24 and 25, 40 and 18, sums 7.5 and 48, 7.1 and 10.7, 7.7 and 6.9.
inline constexpr int vectorised_row = 32;

/// Elements of the longest rows whose values a CPU keeps between stages, and how many values of each.
inline constexpr int host_persistent_row = 16384, kept_by_host = 4;

/// Elements that the loops of a CPU's kernel work on at a time.
inline constexpr int host_tile = 128;

/// How a map is spread over threads.
struct map_schedule {
    int vector_bytes = 16;            ///< that one thread loads or stores at once
    int wide_tile = 64;               ///< side of the square tiles in which operands of up to 4 bytes are transposed
    int narrow_tile = 32;             ///< the same for larger ones, or where wide tiles take too much shared memory
    int least_transposed = 10;        ///< elements along both axes of what is turned by tiles
    int shared_bytes = 48 << 10;      ///< that a kernel may use without asking
    std::uint32_t long_body = 96;     ///< instructions of a body that is limited by arithmetic: one element per thread
    std::uint32_t packed_body = 256;  ///< instructions of all the elements that one thread computes at once
    int random_packs = 4;             ///< that one thread draws where nothing is read
    int most_items = 8;               ///< single elements that one thread computes
    std::int64_t least_for_items =
        1
        << 20;  ///< elements of a kernel whose threads compute several, or several rows: fewer are at work all at once
    int resident_element_bytes =
        8;                       ///< most of an element of a scan that may stay in shared memory while its tile waits
    bool rows_by_length = true;  ///< short rows have texts for the powers of two that their lengths lie between
    std::int64_t thread_columns = 1 << 17;  ///< columns from which on a thread has each, if they are short
    int column_bytes = 64;                  ///< that a thread loads ahead of several short columns, at most
    int most_columns = 4;                   ///< which these are at most
    int column_length =
        512;  ///< elements of the longest columns that stay in registers between stages; a chunk of their order at most
    std::int64_t few_columns = 2048;  ///< of a scan, up to which many tiles of each are at work at once
    bool combines_pairs =
        true;  ///< a max beside the argmax of the same elements, or a min beside their argmin, is not joined by itself
    bool columns_of_one = false;  ///< reductions of one element each are taken as columns, many side by side
    int vectorised_row = 0;       ///< elements of the longest rows that are taken side by side; or 0
    int resident_bytes = 0;  ///< of shared memory of a thread block that holds its share of a row between stages; or 0
    std::int64_t long_row = 0;  ///< elements of a row of a map from which on no tile reaches into the next row; or 0
};

/// Data-centre devices: compute capability 8.0, 9.0, 10.0. Measured on one H200, 2^29 elements: one 16-byte load per
/// thread and one tile per thread block move 4280 to 4470 GB/s, four 4-byte loads 4230 to 4490, one 4-byte load 2570 to
/// 4200, loops over the grid 5 to 15 % less. The tiles are reckoned, not measured: 32 loads of 4 bytes by each of 1024
/// threads are 128 KiB in flight per multiprocessor, where 48 KiB hide its memory's latency; 256 bytes of a row at once
/// fill two of its pages' bursts. Views of 2^28 floats, by one, two, four and eight elements a thread: the inside of a
/// square matrix 1267, 642, 527 and 555 us (as many aligned ones 502), backwards 1266, 640, 507 and 521, every other
/// one 636, 378, 370 and 371; five neighbours each of 2^26 doubles 326, 285, 284 and 293, or 306 to 311 side by side
/// instead of below each other. 1e8 random doubles take 217 us with one pack of two a thread, 195 with two, 179 with
/// four, 179 with eight; as many normal floats 218, 194, 181 and 175 with packs of four. argmax and max of 1e8
/// floats: 97.2 us as a pair, 103.0 joined one beside the other. cumsum down the columns of 16384 x 16384 floats: 568
/// us with what tiles load in shared memory, 710 in registers (a copy 508); of 20505 columns 854 in tiles of 32
/// columns, 661 of 64. One H100, 2^26 floats, of which a copy takes 180: cumsum of 8388608 x 8, 2164802 x 31 and 671088
/// x 100 25105, 6722 and 2295 us where each tile waits for the one before, 658, 383 and 373 where it asks for the
/// totals of all in its group; of 67108 x 1000 317 and 278; of 3 x 20000003 2376 with eight threads for each column,
/// 349 with one. Sums, variances and softmax of 3 x 20000003 along the first axis 762, 1427 and 2124 with eight threads
/// for each column, 118, 121 and 179 with one; softmax of 67 x 1000003 443 as three kernels, 306 as one. A matrix of 31
/// x 2164802 turned 562 without tiles, 268 with narrow ones; roll of 261123 x 257 by one 637 with one element a thread,
/// 257 with four. One H200, the same sizes, of which a copy takes 126: 261123 x 257 and 16372 x 4099 times a row plus a
/// column 200 and 171 where what repeats counts among the bytes on their way, 144 and 141 where it does not; of
/// 20000003 x 3 roll and the elements backwards 242 and 217 with a thread's rows below each other, 129 and 119 where
/// they alternate; 8388608 x 8 turned 188 with four rows a thread, 135 with eight. Sums of 64 x 3 x 2^20 along the
/// second axis 324 with one column a thread, 245 with four; variances and argmax of 31 x 2164802 along the first 129
/// and 142 with eight elements at a time, 78 and 80 with all. Running sums down 20000003 x 3, 8388608 x 8 and 2097152 x
/// 32 1870, 609 and 304 where groups hand on what is before them, 898, 360 and 304 where a warp does for all, 851, 338
/// and 244 with five thread blocks a multiprocessor instead of three; 20000003 x 3 748 in thread blocks of four columns
/// instead of eight, and of eight 911 where a warp's other lanes ask for later groups.
inline constexpr map_schedule data_center_maps{.resident_bytes = 114 << 10};

/// Compute capability 8.0 has room for two times 82 KiB. Not measured.
inline constexpr map_schedule earlier_data_center_maps{.resident_bytes = 82 << 10};

/// Others: half the bytes in flight hide the latency of their slower memory, and shared memory has room for fewer tiles
/// of a scan than registers have. Not measured.
inline constexpr map_schedule other_maps{.wide_tile = 32, .resident_element_bytes = 0, .resident_bytes = 48 << 10};

/// The CPU, which reads little of the rest.
inline constexpr map_schedule host_maps{.least_transposed = 32,
                                        .rows_by_length = false,
                                        .thread_columns = std::numeric_limits<std::int64_t>::max(),
                                        .column_length = 0,
                                        .few_columns = 0,
                                        .combines_pairs = false,
                                        .columns_of_one = true,
                                        .vectorised_row = vectorised_row,
                                        .long_row = 1024};

/// The row for a compute capability.
constexpr const map_schedule& map_schedule_of(int major, int minor) {
    if (minor != 0 || major < 8 || major >= 12) return other_maps;
    return major == 8 ? earlier_data_center_maps : data_center_maps;
}

/// Instructions of a body up to which a thread's elements are computed side by side: longer ones have work enough to
/// hide memory's latency.
inline constexpr std::size_t unrolled_body = 48;

/// How a tile of a scan along rows, or of a selection, is spread over threads. Its elements stay in registers while its
/// first warp hears from the tiles before it, so that memory is busy only when many tiles are at work.
struct scan_schedule {
    int threads = 256;  ///< of a thread block
    int chunks = 4;     ///< of scan_chunk elements that a thread holds
    int blocks = 0;     ///< that shall be at work on a multiprocessor at once, 0: as many as there are

    constexpr int elements() const { return 4 * threads * chunks; }
};

/// For scans whose elements take this many registers over the wait. One H200, cumsum of 2^27 floats (a copy takes 255
/// us) by hand and without tickets: 128 threads of 8 chunks 294 us with 9 blocks of 56 registers, 304 with 8 and 64,
/// 335 with 10 and 48; 256 threads of 4 chunks 318 with 6 blocks of 40 registers, 329 with 5 and 48. Where elements
/// take more, 32 of them are too many.
constexpr scan_schedule scan_schedule_of(int words) {
    if (words <= 1) return {128, 8, 9};
    return {256, 4, 65536 / 256 / (24 + 16 * words)};
}

/// For scans whose tiles stay in shared memory, so many bytes of an element, while registers hold no more than the
/// prefixes of a thread's chunks, of so many words each. The same cumsum, marks zeroed before each: 296 us with 12
/// blocks of 40 registers, 307 with registers, 312 without fetching soon, 320 to 340 with 8 blocks, 330 and more with
/// 256 threads. A multiprocessor has room for 13 tiles of 4 bytes.
constexpr scan_schedule resident_schedule_of(int words, int bytes) {
    const int shared_fit = 52 / (bytes < 4 ? 4 : bytes), fit = 65536 / 128 / (24 + 8 * words);
    return {128, 8, fit < shared_fit ? fit : shared_fit};
}

/// For selections of elements of this many bytes, which pass through shared memory. One H200, half of 2^27 floats: 256
/// threads of 8 chunks 276 us with 5 blocks of 48 registers, 281 with 4 and 64; of 4 chunks 312 with 8 blocks, 321 with
/// 5; 128 threads of 8 chunks 291. Larger elements, or several, would take more than the 48 KB of shared memory that
/// need no asking.
constexpr scan_schedule select_schedule_of(int words, int bytes) {
    if (words <= 1 && bytes <= 4) return {256, 8, 5};
    return {256, 4, 65536 / 256 / (16 + 16 * words)};
}

/// How reductions over long rows and along columns are spread over thread blocks of 256.
struct reduction_schedule {
    int row_blocks = 4;   ///< that fit a multiprocessor
    int row_grid = 8;     ///< then a full reduction's grid has so many for each multiprocessor
    int many_blocks = 6;  ///< the same where little is loaded ahead, or random numbers are drawn and nothing is loaded
    int many_grid = 12;   ///< then a full reduction's grid has so many for each multiprocessor
    int few_bytes =
        32;  ///< that a thread loads ahead at most where little is, and its results take two registers at most
    int bytes_ahead = 192;   ///< most that a thread loads ahead of a row; beyond it, nothing
    int warp_row_lanes = 8;  ///< of threads that a row of up to 1024 elements has before they take more than four each
    int single_row_lanes = 2;       ///< the same where they are loaded one by one
    int persistent_row_lanes = 16;  ///< the same where its elements are kept between stages
    int persistent_row_groups =
        2;  ///< of four elements that each of these has at least, as long as the lanes fill a sector of memory
    int single_row_groups = 4;  ///< the same where they are loaded one by one
    int warp_row_groups = 4;    ///< of four elements that a thread of such a row takes before there are more threads
    int warp_row_bytes = 64;    ///< that a thread loads of several such rows before it uses the first of them
    std::size_t warp_row_body =
        12;  ///< instructions of a kernel of rows loaded one by one, up to which thread blocks fit a multiprocessor:
    int warp_row_blocks = 6;    ///< as many of threads with up to 16 elements
    int longer_row_blocks = 4;  ///< as many of threads with up to 32
    int inverse_work =
        64;  ///< operations on a thread's elements, at most, of a stage that divides these by the inverse
    int warp_row_words = 32;  ///< most registers for what it keeps of them between stages
    int rows_per_thread = 4;  ///< most of them
    int transposed_bytes =
        36
        << 10;  ///< of shared memory, at most, through which what a thread block's rows reduce goes round their lanes
    int staging_bytes =
        40 << 10;  ///< of shared memory, at most, through which a thread block stores its short rows as a span
    int persistent_tiles =
        4;  ///< blocks of 4096 elements of a row, at most, of which 256 threads keep what later stages need
    int persistent_bytes = 16;  ///< of them together, for one element of each
    int persistent_words =
        48;  ///< registers for what a thread keeps of several blocks, up to which three of its thread blocks shall fit
    int combined_words =
        4;  ///< registers for what a group of four joins to, from which on a thread's groups join as they come
    int combined_groups = 4;            ///< or up to so many groups
    int reduced_tiles = 2;              ///< such blocks that they take of a row that is only reduced, at most
    int blocks_per_multiprocessor = 3;  ///< most that hold their shares of rows in a multiprocessor's shared memory
    int blocks_per_multiprocessor_of_wide = 2;  ///< the same of values of 8 bytes or more
    int column_blocks = 5;                      ///< that fit a multiprocessor
    int column_blocks_of_wide = 4;              ///< the same where results take more than two registers
    int column_bytes_ahead = 64;        ///< that a thread loads of its lane of a chunk before it uses the first of them
    int persistent_column_bytes = 256;  ///< of a column, most that a thread keeps between stages
    double alone = 0.6;                 ///< of the time of thread blocks that fill the device: that of few
    double counted =
        0.25;  ///< of the time of a chunk: that in which a thread block stores and counts what its chunks come to
    double joined = 0.7;                 ///< the same in which the last ones join all
    int column_scan_blocks = 5;          ///< of scans of few columns that fit a multiprocessor
    int least_scan_columns = 4;          ///< of few ones that a thread block of a scan takes
    int tiles_at_once = 2;               ///< whose totals a thread of these asks for at once
    int groups_without_carry_block = 4;  ///< of tiles, up to which each hands on to the next what is before it; of
                                         ///< more, thread blocks of their own do,
    int most_carry_blocks = 4;  ///< one for each strip of columns and scan, if these are so few: they stay until the
                                ///< end, and tiles must have room
    int early_columns =
        1 << 22;  ///< most elements of columns whose kernel starts before the one in front of it has ended
};

/// For every family. Measured on one H200 (limits of the same run: reading 1e8 float32 91.0 us, 2^28 236.0 us): the sum
/// of 1e8 squares takes 98.9 us with 4 thread blocks a multiprocessor that stay and load ahead, 100.8 with 5, 103.7
/// with 6, 100.9 to 103.7 with new ones for every four blocks of 4096, 121.1 with new ones for every block; in another
/// run 98.7 where a thread block joins what it can of the next level, 101.2 where the last one does; in a third 97.2
/// with as many thread blocks as fit, 95.3 with twice as many, 96.0 with three times and 96.9 with four times; 16384
/// rows of 16384 take 236.8 us with a thread block for each row, 258.1 with four. Columns of the same array: 243.0 us
/// with 16 loads ahead and a thread block for all chunks of 32 columns, 256.2 with one for each chunk, 282.5 with loads
/// four at a time; their means and variances 242 with 4 thread blocks a multiprocessor, 254 with 5. Means and variances
/// of the columns of 2097152 x 32: 173 us where the last thread block of all joins all chunks, 94 where the last of
/// each group joins the group, 87 where each takes eight chunks. Reckoned from these and from sums by hand with one to
/// 32 chunks a thread block: what few thread blocks, counting and joining cost. Variances of rows of 2^24 halves: 292
/// us with 6 thread blocks, whose registers do not hold both sums, 95 with 4. Softmax of 65536 rows of 128 by
/// hand: 19.9 us with 16 threads for each, which load twice at once, 20.8 with 32, 20.9 with 8. The mean of 1e8
/// exp(randn()): 252.4 us with a group of four words at a time and no bound, 231.8 with all four groups and 4 thread
/// blocks; in another run 234.0 with 4, 226.8 with 6, 222.4 with twice as many of these as fit at once, 234.0 with 7,
/// 227.0 with 8. Thread blocks of columns, about as many as there is room for, that start early are placed where those
/// of the kernel before leave room, not evenly: sums of 16384 columns take 323 us instead of 243. Rows of 2^28 floats
/// in all, of which a copy takes 504 us and a sum of all 239: softmax and layer norms of rows of 32 take 523 and 527
/// with 8 elements a lane, 523 and 549 with 4, 631 and 623 with 16, rows of 8 524 and 530 with two lanes, 720 and 679
/// with one; rows of 33, whose elements are moved one by one, 641 and 722 with 16, 727 and 846 with 8, 1088 and 1595
/// with 4. Sums of rows of 32 take 253 with eight lanes, 288 with four, those of 10, loaded one by one, 288 with four
/// lanes, 267 with two; sums of rows of 8 and 32 323 and 321 one row at a time, 272 and 254 with two, 273 and 256 with
/// four. Softmax of rows of 50 takes 786 where they are stored as spans, 1330 without; rows of 1001 and their layer
/// norms 563 and 555 loaded one by one before the first element is used, 680 and 646 loaded as spans by copies of 4
/// bytes, 619 and 641 by way of registers; rows of 301 and their layer norms stored by 4 bytes 683 and 718, by 16 bytes
/// 651 and 705, loaded by 16 bytes, which neighbouring threads share, 737 and 768. Softmax of rows of 5000, 8192 and
/// 16384: 519, 519 and 515 with 256 threads that keep up to 64 elements each, 767, 571 and 734 with 512 and 1024
/// threads, 855, 597 and 622 by clusters of thread blocks that keep 4096 each; of 12000 and 16384 544 and 515 with four
/// blocks of 4096, 584 and 568 where they keep two at most and longer rows are held in shared memory; sums of rows of
/// 7000 236 by 256 threads that load all first, 284 by blocks in turn. Rows of 24000, 65536 and 131072 that clusters
/// hold in shared memory: 673, 666 and 711 with three blocks of 64 KiB a multiprocessor, 675, 777 and 1097 with 48 KiB,
/// 682, 881 and 910 with two of 96, 961, 992 and 1353 with five of 32; log softmax and layer norms of rows of 50257 772
/// and 674 where 16 bytes are copied wherever rows begin, 820 and 761 element by element, softmax of rows of 50257 and
/// 100001 814 and 825, so 875 and 917; in clusters of 16384 elements each in registers 836, 932 and 973. Softmax of
/// rows of 65536 takes 644 where thread blocks wait for each part of theirs to join, 627 where all parts join after one
/// wait. Layer norms of rows of 12000 take 599 with two thread blocks a multiprocessor, 531 with three; of rows of 1000
/// 592 where the groups of a thread join when all are there, 530 where they join as they come, but softmax 520 and 633.
/// The sum of 2^28 halves takes 161 with four thread blocks a multiprocessor, 153 with six. 2^27 float64, softmax, its
/// logarithm and layer norms of rows of 1001: 1284, 858 and 1256 us where each thread stores its four neighbours, 665,
/// 581 and 562 by way of shared memory; of rows of 9001: 1155, 1137 and 919 with three thread blocks of 64 KiB a
/// multiprocessor, whose registers do not hold what is computed at once, 817, 729 and 607 with two of 96, 1207, 1092
/// and 979 with two of 64; of 20001: 1024, 1008 and 781, 923, 834 and 694. One H100, of which a copy takes 717: log
/// softmax of rows of 20001, 50257 and 100001 floats 889, 867 and 834 where each of up to three thread blocks a
/// multiprocessor holds 16384 elements and clusters meet after each stage, 750, 782 and 784 where one holds a row of up
/// to 24576 and those of a cluster count the bytes that arrive, 750, 837 and 807 with two of them; softmax and layer
/// norms 964, 948, 959 and 876, 828, 822, so and by whole packs 755, 804, 818 and 745, 798, 792. One H200, 2^26 floats,
/// a copy 129: softmax of rows of 301, 150, 601 and 1001, as many thread blocks as registers allow, divided and the
/// greatest found in order 164, 179, 165 and 143 us, by inverses and in any order 160, 186, 156 and 135, so with 4
/// thread blocks a multiprocessor 161, 168, 143 and 134, with 6 146, 159, 217 and 244; layer norms of rows of 301, 150
/// and 1000 168, 181 and 130, by inverses 154, 153 and 136, with 6 thread blocks 155, 165 and 197.
inline constexpr reduction_schedule reduction_schedules{};

/// Where assignment at positions marks the places rather than sorts the positions.
struct scatter_schedule {
    std::int64_t places_of_value = 8;     ///< at most, for each value: marks of all places are cleared and walked over
    std::int64_t values_of_place = 2048;  ///< at most, for each place: marks of one place are made in turn
    std::int64_t cache_share = 2;         ///< of a device's cache marks of a turn fill one part of so many
    std::int64_t most_passes = 12;        ///< positions are read in each: beyond it, marks are all made at once
    int values_of_pass = 32;  ///< that a thread takes where there are turns, in most of which it may have nothing to do
};

/// For every family. One H200, 2^25 floats to as many places, marks by hand: a permutation of the positions takes 2400
/// us with marks, 3594 sorted; random positions 2150 and 3286; written in no order 1940. Of these, clearing the marks
/// takes 36, making them 1613, taking values 520 to 750; by value rather than by place, 2030 to 2800. By sinter 2437
/// and 2222; random positions of seven times as many places 3732, sorted of nine times as many 3807; of a 32nd 2056
/// sorted. One H100: a 32nd of the places 608 with marks, a 1024th 684, a 32768th 3040; half of the values at one place
/// 2930. Marks of 2^25 places, by hand on one H100 with a cache of 50 MB: made at once 2075, in four turns 1316, in six
/// 1127, in eight 1238; written in no order 2370.
inline constexpr scatter_schedule scatter_schedules{};

}  // namespace sinter::inline SINTER_ABI::codegen
