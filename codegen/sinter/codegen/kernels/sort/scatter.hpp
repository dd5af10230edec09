// Scattering as text: kernels that write values, or rows of them, to positions of an array, duplicates in order; pure,
// must not know who runs them.
#pragma once

#include <sinter/codegen/print/emit.hpp>
#include <sinter/codegen/kernels/sort/sort.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// A position in the flat base that stands for an index out of range instead: negative, with axis and index in it.
struct bad_index {
    static constexpr std::int64_t first = INT64_MIN, mask = (std::int64_t{1} << 59) - 1;

    int axis;
    std::int64_t index;
    explicit bad_index(std::int64_t position);
    /// index & mask, times 8, plus this is the position.
    static constexpr std::int64_t base(int axis) { return first + axis; }
};

/// How duplicates are met on a GPU.
enum class scatter_way : std::uint8_t {
    atomic,       ///< integers, or sums whose order does not matter, are combined by atomic operations
    last_writer,  ///< a last-writer map has for each place its last value, which it then takes
    sorted,       ///< positions are sorted first, so that values are combined in the order in which they stand
    grouped,      ///< the values are sorted by their positions, so that those that meet stand side by side
    parted,       ///< values are parted by their positions, and a thread block has the elements of each part at hand
    chunked,      ///< a warp has all places at hand, and combines the values of a chunk
};

/// The order in which many values are combined that meet in few places, on every device: those of a chunk one after
/// the other, then the chunks of a group, then what the groups have with the base; without groups each value with the
/// base.
struct chunk_shape {
    static constexpr int chunks = 32;  ///< of a group
    static constexpr std::int64_t most_groups = 128, least_length = 1024, least_groups = 2;
    static constexpr std::int64_t most_bytes = 16384;  ///< of all places
    std::int64_t groups = 0, length = 0;               ///< their number, and the values of a chunk, fewer of the last
};
chunk_shape chunk_shape_of(const call_info& how, dtype t, std::int64_t count, std::int64_t size, std::int64_t width);

/// How a thread block combines the values of a part: so many of each thread at once, for all places of the part, in so
/// much shared memory.
struct part_shape {
    static constexpr int ranking = 480, threads = ranking + 32;  ///< the last warp combines
    static constexpr int few = 32;  ///< places of a part, at most, that it has to itself: two tiles are held then
    int items;
    int kept_together;  ///< low bits in which the positions of one part differ, so that its elements fill sectors
    std::int64_t places, shared_bytes;
};
/// Threads of a block that combines rows.
inline constexpr int row_group_threads = 64;
part_shape part_shape_of(dtype t, std::int64_t size);

/// The way of `count` values, or rows of `width` of them, to the positions of an array of `size` elements or rows,
/// where a thread block may have so many bytes of shared memory.
scatter_way scatter_way_of(const call_info& how, dtype t, std::int64_t count, std::int64_t size, std::int64_t width = 1,
                           std::int64_t shared_bytes = 48 * 1024);

/// Whether a GPU finds the positions of indices itself: whatever the way, but where it sorts positions.
bool takes_indices(const call_info& how, dtype t, std::int64_t count, std::int64_t size, std::int64_t width);

/// The meaning of call_info::indices: so many of them to positions of an array, or to what stands for a bad one.
void positions_of_indices(dtype t, const void* indices, std::int64_t count, std::int64_t size, std::int64_t* positions);

/// The positions as a row to sort: none is as large as the array.
sort_task sort_of_positions(std::int64_t count, std::int64_t size);
/// The same in the fewest bytes, with values of a type that go along, or the numbers of rows; and only parted.
sort_task sort_of_values(dtype t, std::int64_t count, std::int64_t size);
sort_task sort_of_rows(std::int64_t count, std::int64_t size);
sort_task parts_of_values(dtype t, std::int64_t count, std::int64_t size);

/// A last-writer map: for each place one more than the number of its last value, 0 where there is none; so many bytes
/// each.
int bytes_of_last_writer(std::int64_t count);
/// Those of an array of `size` elements, all in groups of `last_writers_at_once`.
inline constexpr std::int64_t last_writers_at_once = 4;
std::int64_t bytes_of_last_writers(std::int64_t count, std::int64_t size);
/// In how many turns they are made, those of a part of the places in each, where a cache has so many bytes: `find_last`
/// is launched with as many blocks along y.
std::int64_t passes_of_last_writers(std::int64_t count, std::int64_t size, std::int64_t cache_bytes);

/// Host text: `scatter`, which goes through the values in order. CUDA text: `scatter` over values, or over sorted
/// positions; `combine` over values that are sorted by their positions, `combine_parts` where they are parted;
/// `combine_rows` over rows sorted by a task; `find_last` over values and `take` over groups of places. Of rows the
/// threads of a block along x take the elements of one.
kernel_source scatter_host(const call_info& how, dtype t, dtype given);
/// Of many values in few places, on both kinds of devices: `combine_group` or `combine_chunks`, and `join_groups`.
kernel_source chunked_scatter_host(const call_info& how, dtype t, dtype given);
kernel_source chunked_scatter_cuda(const call_info& how, dtype t, dtype given);
/// The chunks that a thread block takes at once, a warp each, where it may have so many bytes of shared memory, and
/// those that it has.
struct chunk_block {
    int chunks;
    std::int64_t shared_bytes;
};
chunk_block chunk_block_of(dtype t, std::int64_t size, std::int64_t most_shared_bytes);
kernel_source scatter_cuda(const call_info& how, dtype t, bool rows = false, dtype given = dtype::int64);
kernel_source grouped_scatter_cuda(routine how, dtype t, const sort_task& order);
kernel_source row_groups_cuda(routine how, dtype t, const sort_task& order);
kernel_source last_writer_scatter_cuda(dtype t, int last_writer_bytes, bool rows = false, dtype given = dtype::int64,
                                       bool indices = false);

/// The meaning: `to` holds the base; throws index_error for the first bad position.
void scatter_reference(const call_info& how, dtype t, const dims& shape, const void* values,
                       const std::int64_t* positions, std::int64_t count, std::int64_t width, void* to);

/// Throws the index_error of a bad position of an array of this shape.
[[noreturn]] void throw_bad_index(const call_info& how, std::int64_t position, const dims& shape);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/sort/scatter.ipp>
#endif
