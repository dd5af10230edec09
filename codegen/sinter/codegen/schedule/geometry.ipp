// Bodies of geometry.hpp.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/schedule/choose_rows.hpp>
#include <sinter/codegen/schedule/geometry.hpp>
#include <sinter/codegen/schedule/resident_rows.hpp>
#include <sinter/codegen/schedule/facts/windows.hpp>

#include <algorithm>
#include <bit>
#include <limits>

SINTER_COLD_BEGIN

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE std::int64_t ceil_divide(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// A row of thread blocks; where the row is too long, z counts rows.
SINTER_INLINE cuda_launch blocks_in_a_row(std::int64_t count) {
    constexpr std::int64_t longest = 0x7fffffff;
    std::int64_t rows = (count + longest - 1) / longest;
    return {{static_cast<unsigned>(count < longest ? count : longest), 1, static_cast<unsigned>(rows)},
            {cuda_threads, 1, 1}};
}

// The smallest power of two that is at least `count`, up to `most`.
SINTER_INLINE unsigned threads_for(std::int64_t count, unsigned most) {
    unsigned n = 1;
    while (n < most && n < count) n *= 2;
    return n;
}

SINTER_INLINE cuda_launch launch_transposed_tiles(const kernel& k, const cuda_machine&) {
    std::int64_t across = k.space.back(), along = k.space[k.how.tile_axis];
    auto tiles = [&](std::int64_t n) { return static_cast<unsigned>(ceil_divide(n, k.how.tile)); };
    auto side = static_cast<unsigned>(k.how.tile);
    return {{tiles(across), tiles(along), static_cast<unsigned>(k.kept_size() / across / along)},
            {side, cuda_threads / side, 1}};
}

// Whether elements go round loops of a function, each as often as it needs.
SINTER_INLINE bool goes_round(const kernel& k) {
    for (const invocation* f : k.invocations)
        if (f->function->cost >= expensive_function && f->ranks.empty()) return true;
    return false;
}

// Thread blocks for each row of a map that has so many groups, where x threads stand side by side.
SINTER_INLINE double blocks_of_rows(std::int64_t groups, unsigned x) {
    return double(ceil_divide(groups, x)) / (cuda_threads / x);
}

// As few thread blocks side by side as cover a row, none of them wider than its share of it: at most a warp's lanes
// idle; narrower ones where that leaves clearly fewer thread blocks. Warps that go round loops take patches of 8 x 4
// elements, since neighbours in both directions tend to go round as often (bench/tuning).
SINTER_INLINE cuda_launch rows_of_map(const kernel& k) {
    constexpr unsigned patch = 8;
    constexpr std::int64_t most = 65535;
    constexpr double worth = 0.9;
    std::int64_t groups = k.space[1] / k.how.vector_width, across = ceil_divide(groups, cuda_threads),
                 share = ceil_divide(groups, across);
    unsigned x = static_cast<unsigned>(across == 1 ? share : ceil_divide(share, 32) * 32);
    for (unsigned narrower : {128u, 64u, 32u})
        if (blocks_of_rows(groups, narrower) < worth * blocks_of_rows(groups, x)) x = narrower;
    if (goes_round(k) && k.how.vector_width == 1 && x >= 32 && k.space[0] >= cuda_threads / patch) x = patch;
    const unsigned y = cuda_threads / x;
    const std::int64_t rows = ceil_divide(k.space[0], std::int64_t{y} * k.how.packs), layers = ceil_divide(rows, most),
                       high = ceil_divide(rows, layers);
    return {{static_cast<unsigned>(ceil_divide(groups, x)), static_cast<unsigned>(high), static_cast<unsigned>(layers)},
            {x, y, 1}};
}

// Thread blocks are tiles of rows of the innermost axis, two lines of memory long or more, beside each other along the
// next axis and along all others, so that what neighbours along any of them read comes from a multiprocessor's own
// cache.
SINTER_INLINE cuda_launch tiles_of_map(const kernel& k) {
    constexpr unsigned widest = 64, narrower = 32, least_layers = 4, most_layers = 64;
    constexpr std::int64_t most = 65535;
    constexpr double worth = 0.9;
    const int rank = k.space.size();
    const std::int64_t groups = k.space[rank - 1] / k.how.vector_width, rows = k.space[rank - 2],
                       layers = k.kept_size() / k.space[rank - 1] / rows;
    unsigned x = static_cast<unsigned>(std::min<std::int64_t>(groups, widest));
    if (groups > narrower && blocks_of_rows(groups, narrower) < worth * blocks_of_rows(groups, x)) x = narrower;
    const unsigned left = std::bit_floor(cuda_threads / x), deep = threads_for(layers, std::min(least_layers, left));
    const unsigned y = threads_for(ceil_divide(rows, k.how.packs), left / deep), z = std::min(left / y, most_layers);
    const std::int64_t tiles = ceil_divide(rows, std::int64_t{y} * k.how.packs) * ceil_divide(layers, z),
                       high = ceil_divide(tiles, ceil_divide(tiles, most));
    return {{static_cast<unsigned>(ceil_divide(groups, x)), static_cast<unsigned>(high),
             static_cast<unsigned>(ceil_divide(tiles, high))},
            {x, y, z}};
}

SINTER_INLINE cuda_launch launch_joined_rows(const kernel& k, const cuda_machine&) {
    return blocks_in_a_row(ceil_divide(k.kept_size(), cuda_threads * k.how.vector_width));
}

SINTER_INLINE cuda_launch launch_elements(const kernel& k, const cuda_machine&) {
    if (k.space.size() == 2) return rows_of_map(k);
    if (k.space.size() > 2) return tiles_of_map(k);
    return blocks_in_a_row(ceil_divide(k.kept_size(), cuda_threads * k.how.vector_width * k.how.packs));
}

// Into how many thread blocks a row's blocks of 4096 elements go. One row: a grid of which some wait until others have
// left. Few: all that fit the device, at once. Many: so many that each takes several blocks, the whole of a row that
// has four.
SINTER_INLINE std::int64_t blocks_of_row(const kernel& k, int multiprocessors) {
    constexpr const reduction_schedule& s = reduction_schedules;
    constexpr std::int64_t most = 65535;
    const bool many = takes_many_blocks(k, k.how);
    std::int64_t rows = k.kept_size(), parts = reduction_parts(k), blocks = parts;
    const bool wide = k.how.blocks == s.row_blocks_of_wide;
    const int fit = wide ? s.row_blocks_of_wide : s.row_blocks, grid = wide ? 2 * s.row_blocks_of_wide : s.row_grid;
    std::int64_t resident = std::int64_t{many ? s.many_grid : fit} * multiprocessors;
    if (rows > reduce_counters) return 1;
    if (rows == 1) blocks = std::int64_t{many ? s.many_grid : grid} * multiprocessors;
    else if (rows * 16 <= resident) blocks = resident / rows;
    else if (rows * parts >= 4 * resident || (parts <= 4 && rows >= resident)) blocks = ceil_divide(parts, 4);
    if (blocks > parts) blocks = parts;
    // The 1024 lanes of a block of the next level go round among them without a rest.
    if (parts > row_lanes && blocks < row_lanes && k.how.ahead > 0)
        blocks = ceil_divide(row_lanes, ceil_divide(row_lanes, blocks));
    return blocks < most ? blocks : most;
}

// As many thread blocks for a row as hold it, or more where there are few rows. The blocks of a team wait for each
// other: where they may be a cluster, which is placed as a whole, there is one for each row; else teams that are all at
// work at once take the rows in turn. A thread block that holds a whole row has it for itself.
SINTER_INLINE cuda_launch launch_cooperative_row(const kernel& k, const cuda_machine& machine) {
    const cooperative_row s = cooperative_row_of(k);
    const std::int64_t rows = k.kept_size(), parts = ceil_divide(k.reduced_size(), row_block);
    const std::int64_t fixed = fixed_bytes_of_block(k);
    const std::int64_t bytes = s.resident.bytes == 0 ? 0
                               : s.whole             ? resident_tile_bytes(k, s.resident)
                                                     : resident_tile_elements(k) * s.resident.bytes;
    auto resident_blocks_for = [&](std::int64_t blocks) {
        const std::int64_t resident = bytes * std::min<std::int64_t>(blocks, s.blocks);
        return machine.multiprocessors *
               std::clamp<std::int64_t>(machine.shared_bytes / (resident + fixed), 1, k.how.blocks);
    };
    const std::int64_t least = resident_blocks_for(s.blocks), holders = ceil_divide(parts, s.blocks),
                       members = s.whole ? holders : std::min(holders, least);
    const std::int64_t each =
        k.is(mapping::resident_row) ? parts : ceil_divide(parts, std::max(members, std::min(parts, least / rows)));
    const std::int64_t team = ceil_divide(parts, each), teams = std::min(rows, resident_blocks_for(each) / team);
    cuda_launch l{};
    l.cluster = team <= machine.most_cluster ? static_cast<unsigned>(team) : 1;
    l.cooperative = team > l.cluster;
    l.starts_early = !l.cooperative;
    l.shared_bytes = static_cast<unsigned>(bytes * std::min<std::int64_t>(each, s.blocks));
    l.grid[0] = static_cast<unsigned>(std::min<std::int64_t>(l.cooperative ? teams : rows, 0x7fffffff));
    l.grid[1] = static_cast<unsigned>(team);
    l.grid[2] = l.block[1] = l.block[2] = 1;
    l.block[0] = cuda_threads;
    return l;
}

SINTER_INLINE cuda_launch launch_resident_row(const kernel& k, const cuda_machine& machine) {
    return launch_cooperative_row(k, machine);
}

SINTER_INLINE cuda_launch launch_rows_per_warp(const kernel& k, const cuda_machine&) {
    const unsigned x = threads_for(ceil_divide(k.reduced_size(), 4), static_cast<unsigned>(k.how.lanes)),
                   y = cuda_threads / x;
    const std::int64_t beside = k.how.outer_rows ? k.space[k.kept - 1] : 1,
                       tiles = ceil_divide(k.kept_size() / beside, k.how.rows_per_thread);
    cuda_launch l = blocks_in_a_row(ceil_divide(tiles * beside, y));
    l.block[0] = x;
    l.block[1] = y;
    return l;
}

// Threads of a row of windows in equal shares; or as many as there are tiles along the outer axis, for each place along
// the others.
SINTER_INLINE cuda_launch launch_windows(const kernel& k, const cuda_machine&) {
    const std::int64_t n = k.space[k.how.tile_axis], others = k.kept_size() / n;
    if (!slides_across(k, k.how))
        return blocks_in_a_row(ceil_divide(ceil_divide(n, k.how.packs) * others, cuda_threads));
    const std::int64_t blocks = ceil_divide(n, k.how.packs * window_threads),
                       threads = ceil_divide(ceil_divide(ceil_divide(n, blocks), k.how.packs), 32) * 32;
    cuda_launch l = blocks_in_a_row(ceil_divide(n, k.how.packs * threads) * others);
    l.block[0] = static_cast<unsigned>(threads);
    return l;
}

SINTER_INLINE cuda_launch launch_block_per_row(const kernel& k, const cuda_machine&) {
    return blocks_in_a_row(k.kept_size());
}

SINTER_INLINE cuda_launch launch_grid_per_row(const kernel& k, const cuda_machine& machine) {
    cuda_launch l = blocks_in_a_row(k.kept_size());
    l.grid[1] = static_cast<unsigned>(blocks_of_row(k, machine.multiprocessors));
    return l;
}

SINTER_INLINE cuda_launch launch_multi_output(const kernel& k, const cuda_machine& machine) {
    return launch_grid_per_row(k, machine);
}

// How long so many thread blocks take, in times of one where all that fit run: what is left over when these have ended
// runs no faster than the memory answers.
SINTER_INLINE double rounds_of(std::int64_t blocks, std::int64_t resident, int multiprocessors) {
    const std::int64_t rest = blocks % resident;
    const double share = double(ceil_divide(rest, multiprocessors) * multiprocessors) / double(resident);
    return double(blocks / resident) + (rest > 0 ? std::max(reduction_schedules.alone, share) : 0);
}

// How many chunks of its columns a thread block takes, `least` of them side by side: all of them; or a power of two,
// which costs the time in which partial results are stored and counted, and at the end that in which they combine.
SINTER_INLINE std::int64_t chunks_of_block(std::int64_t across, std::int64_t parts, std::int64_t least,
                                           std::int64_t resident, int multiprocessors) {
    constexpr const reduction_schedule& s = reduction_schedules;
    const bool has_counters = across * (ceil_divide(parts, column_group) + 1) <= reduce_counters;
    auto time_of = [&](std::int64_t each) {
        const double rounds = rounds_of(across * ceil_divide(parts, each * least), resident, multiprocessors);
        return each * least < parts ? rounds * (double(each) + s.counted) + s.joined : rounds * double(each);
    };
    std::int64_t best = parts;
    if (!has_counters) return best;
    double time = least == 1 ? time_of(parts) : std::numeric_limits<double>::max();
    for (std::int64_t each = column_group / least; each > 0; each /= 2)
        if (const double t = time_of(each); t < time) {
            time = t;
            best = each * least;
        }
    return best;
}

SINTER_INLINE cuda_launch launch_threads_per_column(const kernel& k, const cuda_machine&) {
    const int across = cuda_threads / k.how.column_threads;
    cuda_launch l = blocks_in_a_row(ceil_divide(k.kept_size(), across * k.how.packs));
    l.block[0] = static_cast<unsigned>(across);
    l.block[1] = static_cast<unsigned>(k.how.column_threads);
    return l;
}

SINTER_INLINE cuda_launch launch_thread_per_column(const kernel& k, const cuda_machine& machine) {
    return launch_threads_per_column(k, machine);
}

// Thread blocks of columns as equal in number as may be; powers of two of chunks, so that all are of one group.
SINTER_INLINE cuda_launch launch_grid_per_column(const kernel& k, const cuda_machine& machine) {
    const std::int64_t kept = k.kept_size() / k.how.packs, parts = reduction_parts(k);
    const auto x = static_cast<unsigned>(ceil_divide(kept, ceil_divide(kept, 32))), z = std::bit_floor(32 / x);
    cuda_launch l = blocks_in_a_row(ceil_divide(kept, x));
    const std::int64_t resident = std::int64_t{blocks_of_columns(k)} * machine.multiprocessors;
    l.grid[1] = static_cast<unsigned>(
        ceil_divide(parts, chunks_of_block(ceil_divide(kept, x), parts, z, resident, machine.multiprocessors)));
    l.block[0] = x;
    l.block[1] = column_lanes;
    l.block[2] = z;
    l.starts_early = k.kept_size() * k.reduced_size() <= reduction_schedules.early_columns;
    return l;
}

// A sub-warp or up to eight warps for each row.
SINTER_INLINE cuda_launch launch_scan_rows(const kernel& k, const cuda_machine&) {
    const std::int64_t n = k.reduced_size();
    const unsigned x = k.how.short_rows ? threads_for(ceil_divide(n, scan_chunk), 32)
                                        : 32 * threads_for(ceil_divide(n, scan_segment), 8);
    cuda_launch l = blocks_in_a_row(ceil_divide(k.kept_size(), cuda_threads / x));
    l.block[0] = x;
    l.block[1] = cuda_threads / x;
    return l;
}

SINTER_INLINE cuda_launch launch_scan_row_tiles(const kernel& k, const cuda_machine&) {
    const std::int64_t tiles = ceil_divide(k.reduced_size(), scan_tile),
                       carry_blocks = tiles > scan_fan ? static_cast<std::int64_t>(k.reductions.size()) : 0;
    cuda_launch l = blocks_in_a_row(k.kept_size() * (tiles + carry_blocks));
    l.block[0] = static_cast<unsigned>(k.how.threads);
    return l;
}

// A thread for each chunk of each column of a tile.
SINTER_INLINE cuda_launch launch_scan_column_tiles(const kernel& k, const cuda_machine&) {
    const std::int64_t strips = ceil_divide(k.kept_size(), k.how.columns),
                       tiles = ceil_divide(k.reduced_size(), column_scan_tile),
                       carry_blocks = strips * static_cast<std::int64_t>(k.reductions.size());
    const bool runs = k.how.asks_all_tiles &&
                      ceil_divide(tiles, column_scan_fan) > reduction_schedules.groups_without_carry_block &&
                      carry_blocks <= reduction_schedules.most_carry_blocks;
    cuda_launch l = blocks_in_a_row(strips * tiles + (runs ? carry_blocks : 0));
    l.block[0] = static_cast<unsigned>(k.how.columns);
    l.block[1] = static_cast<unsigned>(k.how.chunks);
    return l;
}

SINTER_INLINE cuda_launch launch_scan_columns(const kernel& k, const cuda_machine& machine) {
    return launch_scan_column_tiles(k, machine);
}

SINTER_INLINE cuda_launch launch_select(const kernel& k, const cuda_machine&) {
    return blocks_in_a_row(ceil_divide(k.reduced_size(), 4 * k.how.threads * k.how.chunks));
}

SINTER_INLINE sequence<cuda_launch> cuda_launches(const kernel& k, const cuda_machine& machine) {
    if (k.kept_size() == 0) return {};
    switch (k.how.map) {
#define SINTER_MAPPING_cuda_map(name) \
    case mapping::name: return {launch_##name(k, machine)};
#define SINTER_MAPPING_cuda_rows SINTER_MAPPING_cuda_map
#include <sinter/codegen/schedule/mappings.def>
        default: throw internal_error("[codegen] a schedule of the CPU is launched on a GPU");
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END

SINTER_COLD_END
