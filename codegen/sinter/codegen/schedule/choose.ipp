// Bodies of choose.hpp.
#pragma once

#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/schedule/choose.hpp>
#include <sinter/codegen/schedule/approximations.hpp>
#include <sinter/codegen/schedule/choose_access.hpp>
#include <sinter/codegen/schedule/choose_rows.hpp>
#include <sinter/codegen/schedule/choose_scan.hpp>
#include <sinter/codegen/schedule/resident_rows.hpp>
#include <sinter/codegen/schedule/stages.hpp>
#include <sinter/codegen/schedule/facts/windows.hpp>

#include <algorithm>
#include <bit>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// 256 threads with as many groups of four as rows have.
SINTER_INLINE void choose_group_capacity(schedule& s, const kernel& k) {
    s.row_capacity = static_cast<int>((k.reduced_size() + row_lanes - 1) / row_lanes) * row_lanes;
    s.close_capacity = true;
}

// Whether 256 threads take a row that is only reduced: of few blocks of the reductions' order, and with nothing that is
// better loaded ahead.
SINTER_INLINE bool fits_one_block(const kernel& k) {
    constexpr int most = 4;
    if (k.tree != reduce_tree::rows || !k.reduces() || k.scans || k.selects || draws(k)) return false;
    const bool short_enough = k.reduced_size() <= reduction_schedules.reduced_tiles * row_block;
    return short_enough && k.body.size() <= unrolled_body && combined_reductions(k) <= most;
}

// Rows too long for registers: a thread block holds one in shared memory, or a cluster does, of more thread blocks to a
// multiprocessor if there is room for them.
SINTER_INLINE void choose_resident_capacity(schedule& s, const kernel& k, const family_schedule& on) {
    constexpr int most = results_in_shared_memory * row_block, cluster = 8, least = 2;
    constexpr int wide = 8;  // bytes
    const resident_layout resident = plan_residents(k, resident_values(k, true));
    const int many = resident.widest >= wide ? reduction_schedules.blocks_per_multiprocessor_of_wide
                                             : reduction_schedules.blocks_per_multiprocessor;
    const bool in_shared = k.reduced_size() <= most;
    auto hold = [&](int blocks, int members) {
        s.blocks = blocks;
        s.resident_bytes = least * on.resident_bytes / blocks;
        const int each = resident_tiles(k, resident, s.resident_bytes, in_shared);
        return k.reduced_size() <= std::int64_t{members} * row_block * each;
    };
    s.map = mapping::cooperative_row;
    if (in_shared) {
        s.row_capacity = most;
        if (hold(least, 1)) s.map = mapping::resident_row;
        else if (!hold(many, cluster) && !hold(least, cluster)) s.row_capacity = 0;
    }
    if (s.row_capacity == 0) hold(many, 1);
}

// Up to which length rows are kept between stages: by CPUs, by a GPU's thread block in registers, or by several in
// their shared memory, so few that every device has room for all of them at once.
SINTER_INLINE void choose_persistent_capacity(schedule& s, const kernel& k, const family_schedule& on) {
    for (int capacity : {host_persistent_row, row_block, 1024, 512, 256, 128, 64})
        if (k.reduced_size() <= capacity) s.row_capacity = capacity;
    if (!on.rows_by_length || s.short_rows) return;
    s.row_capacity = 0;
    const int own = blocks_in_registers(k) * row_block;
    if (k.reduced_size() <= own) choose_group_capacity(s, k);
    else choose_resident_capacity(s, k, on);
}

SINTER_INLINE int capacity_of_column(std::int64_t n) {
    for (int capacity : column_capacities)
        if (n <= capacity) return capacity;
    return 0;
}

// One where there are so many short columns that a thread for each keeps a GPU busy; eight, the lanes of the order,
// where later stages read the elements again.
SINTER_INLINE int threads_of_column(const kernel& k, const family_schedule& on) {
    if (k.tree != reduce_tree::columns || !k.reduces() || k.scans || k.selects || k.reduced_size() == 0) return 0;
    const std::int64_t n = k.reduced_size(), most = k.is_row_kernel() ? thread_column : column_chunk(1);
    const int capacity = capacity_of_column(n),
              copies = k.is_row_kernel() ? capacity : std::min(capacity, 2 * column_lanes);
    if (n <= most && k.kept_size() >= on.thread_columns && may_unroll(k, copies)) return 1;
    return k.is_row_kernel() ? column_lanes : 0;
}

// Texts for lengths between two numbers, so that few of their elements have to be tested for being there; one for all
// lengths where nothing is kept and there are more than are loaded at once.
SINTER_INLINE void choose_column_capacity(schedule& s, const kernel& k) {
    const std::int64_t n = std::max<std::int64_t>(k.reduced_size(), s.column_threads);
    if (!k.is_row_kernel() && n > loaded_column) return;
    const int capacity = capacity_of_column(n);
    if (may_unroll(k, capacity / s.column_threads)) s.row_capacity = capacity;
}

// How many columns a thread takes where one is so short that too few bytes would be on their way.
SINTER_INLINE int choose_columns(const kernel& k, const schedule& s, const family_schedule& on) {
    if (s.row_capacity == 0 || k.kept_size() < on.least_for_items) return 1;
    int bytes = 0;
    for (std::uint32_t i : loads_of_columns(k)) bytes += size_of(k.body[i].type) * s.row_capacity;
    int columns = on.most_columns;
    while (columns > 1 && (columns * bytes > on.column_bytes || !may_unroll(k, columns * s.row_capacity))) columns /= 2;
    return bytes > 0 ? columns : 1;
}

// Short rows of many elements are computed by texts for lengths between two powers of two, or of longer ones between
// these and three quarters of the greater, so that few threads idle and few of their elements have to be tested for
// being there.
SINTER_INLINE void choose_short_capacity(schedule& s, const kernel& k) {
    const bool large = is_large(k);
    if (!k.is_row_kernel()) s.row_capacity = row_lanes;
    s.close_capacity = large;
    while (large && s.row_capacity > 4 && k.reduced_size() <= s.row_capacity / 2) s.row_capacity /= 2;
    if (const int three = s.row_capacity / 4 * 3; large && three > least_of_three && k.reduced_size() <= three)
        s.row_capacity = three;
}

// Chooses for which lengths of rows a kernel's text is made, where it depends on them, and what of longer ones is held;
// large kernels are worth a text of their own.
SINTER_INLINE void choose_capacity(schedule& s, const kernel& k, const family_schedule& on) {
    s.column_threads = threads_of_column(k, on);
    if (s.column_threads > 0) return choose_column_capacity(s, k);
    if (k.is_row_kernel()) choose_persistent_capacity(s, k, on);
    else if (on.rows_by_length && is_large(k) && fits_one_block(k)) choose_group_capacity(s, k);
    if (on.rows_by_length && s.short_rows && !k.scans) choose_short_capacity(s, k);
}

// Short columns, of fewer chunks than a tile has, lie all the more side by side; few long ones have nobody idle beside
// them.
SINTER_INLINE int choose_scan_columns(const kernel& k, bool one_tile, const family_schedule& on) {
    constexpr int threads = 256, most_chunks = column_scan_tile / column_scan_chunk;
    if (k.kept_size() > on.few_columns && !one_tile) return 0;
    if (!one_tile)
        return static_cast<int>(std::bit_ceil(static_cast<unsigned>(
            std::clamp<std::int64_t>(k.kept_size(), reduction_schedules.least_scan_columns, 32))));
    int chunks = most_chunks;
    while (chunks > 1 && k.reduced_size() <= chunks / 2 * column_scan_chunk) chunks /= 2;
    return on.few_columns > 0 ? threads / chunks : 0;
}

// One after the other many reductions would each wait for memory and for all threads, and the compiler would take the
// same combinations apart for every one: the warps of a thread block share them out.
SINTER_INLINE bool shares_out_reductions(const kernel& k) {
    constexpr int many = 4;
    for (const reduction_step& r : k.reductions)
        if (is_indexed(r.how)) return false;
    return combined_reductions(k) >= many;
}

// What has lanes to combine has them in fours of rows where many long words lie side by side.
SINTER_INLINE int longest_side_by_side(const kernel& k, const family_schedule& on) {
    constexpr int long_word = 8;
    bool side_by_side = k.scans || call_around(k), is_long = false;
    for (const reduction_step& r : k.reductions) side_by_side = side_by_side || is_indexed(r.how);
    for (const operand& o : k.operands) is_long = is_long || size_of(o.type) >= long_word;
    return side_by_side || !is_long ? on.vectorised_row : on.vectorised_lanes;
}

SINTER_INLINE mapping choose_host_mapping(const kernel& k, const schedule& s, const family_schedule& on) {
    const bool side_by_side = is_large(k) && s.short_rows && k.reduced_size() <= longest_side_by_side(k, on);
    if (k.selects) return mapping::host_select;
    if (k.scans) return side_by_side ? mapping::host_vector_scans : mapping::host_scans;
    // A function around a loop may keep variables from one element to the next, in the order of the elements.
    if (!k.reduces())
        return s.tile > 0 && !call_around(k) && !k.has(instruction_kind::gather) ? mapping::host_transposed_tiles
                                                                                 : mapping::host_map;
    if (side_by_side) return mapping::host_vector_rows;
    if (k.is_row_kernel()) return mapping::host_whole_rows;
    return k.tree == reduce_tree::rows ? mapping::host_rows : mapping::host_columns;
}

SINTER_INLINE mapping choose_scan_mapping(const kernel& k, bool one_tile) {
    if (k.selects) return mapping::select;
    if (k.tree == reduce_tree::columns) return one_tile ? mapping::scan_columns : mapping::scan_column_tiles;
    return one_tile ? mapping::scan_rows : mapping::scan_row_tiles;
}

SINTER_INLINE mapping choose_mapping(const kernel& k, const schedule& s) {
    if (!k.reduces()) return s.tile > 0 ? mapping::transposed_tiles : s.map;
    if (s.column_threads == 1) return mapping::thread_per_column;
    if (s.column_threads > 1) return mapping::threads_per_column;
    if (s.map == mapping::windows) return s.map;
    if (s.short_rows) return mapping::rows_per_warp;
    if (s.map == mapping::resident_row || s.map == mapping::cooperative_row) return s.map;
    if (s.row_capacity > 0) return mapping::block_per_row;
    if (k.is_row_kernel()) return mapping::cooperative_row;  // of columns without elements
    if (k.tree == reduce_tree::columns) return mapping::grid_per_column;
    return shares_out_reductions(k) ? mapping::multi_output : mapping::grid_per_row;
}

// What maps of a GPU bound the registers of their text for: of few arrays transposed, four thread blocks and no fewer
// (566 us instead of 577).
SINTER_INLINE int blocks_of_map(const kernel& k, const schedule& s) {
    constexpr std::size_t few_transposed = 3, few = 5;
    if (s.map == mapping::transposed_tiles) return k.accesses.size() <= few_transposed ? 4 : 0;
    return s.approximates && !s.wide && k.accesses.size() <= few ? 8 : 0;
}

// What the text of a GPU depends on besides.
SINTER_INLINE schedule choose_details(schedule s, const kernel& k, const family_schedule& on) {
    if (k.scans || k.selects) {
        const bool columns = k.scans && k.tree == reduce_tree::columns;
        const int most = columns ? choose_scan_columns(k, scans_one_tile(s.map), on) : 0;
        choose_scan_details(s, k, most, on.resident_element_bytes);
    } else if (k.reduces()) {
        choose_row_details(s, k, on);
    } else {
        s.approximates = has_approximations(k, s);
        s.blocks = blocks_of_map(k, s);
    }
    return s;
}

// Whether many rows combine at a time: of longer ones a few fill vectors too, and more would leave the nearest cache.
SINTER_INLINE bool combines_many_rows(const schedule& s, const kernel& k) {
    return s.short_rows && is_large(k) && k.reduced_size() <= row_lanes / 2 &&
           (s.map == mapping::host_rows || s.map == mapping::host_whole_rows);
}

// Rows too short for the blocks that are transposed in registers lie apart as they are.
SINTER_INLINE bool turns_rows(const schedule& s, const kernel& k) {
    constexpr int shortest = 4, block_bytes = 16;
    if (s.map != mapping::host_vector_rows) return false;
    const sequence<char> turned = turned_accesses(k);
    for (std::size_t a = 0; a < k.accesses.size(); ++a)
        if (turned[a] && k.reduced_size() >= std::max(shortest, block_bytes / size_of(k.operand_of(a).type)))
            return true;
    return false;
}

// What the text of a CPU depends on: of rows, whether they are so short that values are kept between stages.
SINTER_INLINE schedule for_host(const schedule& s, const kernel& k) {
    const bool transposes = s.map == mapping::host_transposed_tiles;
    const sequence<char> kept = persistent_on_host(k, s);
    const bool keeps = codegen::find(kept.begin(), kept.end(), 1) != kept.end();
    return {.map = s.map,
            .flat = s.flat,
            .fast = s.fast,
            .threads = 0,
            .long_rows = s.long_rows && s.map == mapping::host_map,
            .tile = transposes ? side_of_host_tiles(k, s.tile_axis) : 0,
            .tile_axis = transposes ? s.tile_axis : 0,
            .joins_axes = transposes && s.joins_axes,
            .short_rows = s.short_rows,
            .many_rows = combines_many_rows(s, k),
            .turns_rows = turns_rows(s, k),
            .row_capacity = keeps ? host_persistent_row : 0};
}

// Rows that a warp takes, or fewer threads: of few long ones, which leave a device idle, a thread block has each.
SINTER_INLINE bool has_short_rows(const kernel& k, const family_schedule& on) {
    constexpr int elements_of_warp = 4 * 32;
    if (k.selects || k.tree != reduce_tree::rows) return false;
    if (k.scans) return k.reduced_size() <= scan_segment;
    const bool one_group = k.reduced_size() <= elements_of_warp;
    return k.reduces() && k.reduced_size() <= row_lanes && (one_group || k.kept_size() > on.few_rows);
}

// Whether there is one axis along which every access is contiguous.
SINTER_INLINE bool is_flat(const kernel& k) {
    return !k.reduces() && k.space.size() == 1 &&
           codegen::all_of(k.accesses.begin(), k.accesses.end(), [](const access& a) { return a.at.strides[0] == 1; });
}

SINTER_INLINE schedule choose(const kernel& k, const family_schedule& on) {
    const bool rows = k.reduces() && k.tree == reduce_tree::rows, scans = k.scans || k.selects;
    const bool one_tile = k.scans && k.reduced_size() <= (rows ? scan_tile : column_scan_tile);
    schedule s;
    s.flat = is_flat(k);
    s.wide = k.kept_size() * k.reduced_size() > largest_narrow || reaches_far(k);
    s.fast = k.fast;
    const std::int64_t long_row = k.indexed.empty() ? on.long_row : on.long_gathered_row;
    s.long_rows = long_row && !k.reduces() && k.space.size() > 1 && k.space.back() >= long_row;
    for (const instruction& i : k.body) s.calls = s.calls || (!is_large(k) && repetitions(k, i) >= least_repetitions);
    s.short_rows = has_short_rows(k, on);
    choose_capacity(s, k, on);
    if (is_large(k)) {
        const tile_choice t = choose_tile(k, on);
        s.tile = t.side;
        s.tile_axis = t.axis;
        s.joins_axes = t.joins;
        s.reverses = s.tile > 0 && on.reverses;
        if (s.tile == 0) s.vector_width = choose_vector_width(k, s, on);
        if (const int width = choose_joined_width(k, s, on)) {
            s.map = mapping::joined_rows;
            s.vector_width = width;
        }
    }
    if (on.rows_by_length && k.reduces()) choose_windows(s, k);
    if (s.column_threads == 1) s.packs = choose_columns(k, s, on);
    else if (!k.reduces()) s.packs = choose_packs(k, s, on);
    s.map = !on.rows_by_length ? choose_host_mapping(k, s, on)
            : scans            ? choose_scan_mapping(k, one_tile)
                               : choose_mapping(k, s);
    return on.rows_by_length ? choose_details(s, k, on) : for_host(s, k);
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
