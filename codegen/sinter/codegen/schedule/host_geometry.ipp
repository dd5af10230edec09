// Bodies of geometry.hpp for CPUs, and of what both have: parts of a reduction's order and their partial results.
#pragma once

#include <sinter/codegen/schedule/geometry.hpp>
#include <sinter/codegen/schedule/stages.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// A scan of few long rows takes two passes: totals of groups, then the groups.
SINTER_INLINE std::int64_t scan_parts(const kernel& k) {
    constexpr std::int64_t many_rows = 64;
    if (k.tree == reduce_tree::columns || k.kept_size() >= many_rows) return 1;
    return k.reduced_size() <= scan_group ? 1 : (k.reduced_size() + scan_group - 1) / scan_group;
}

// A selection counts in parts before it writes them, unless it is small.
SINTER_INLINE std::int64_t select_parts(const kernel& k) {
    return k.reduced_size() <= 65536 ? 1 : (k.reduced_size() + 16383) / 16384;
}

SINTER_INLINE std::int64_t reduction_parts(const kernel& k) {
    std::int64_t n = k.reduced_size();
    std::int64_t part = k.tree == reduce_tree::rows ? row_block : column_chunk(n);
    return n <= part ? 1 : (n + part - 1) / part;
}

SINTER_INLINE std::int64_t scan_tiles(const kernel& k) {
    std::int64_t tile = k.tree == reduce_tree::rows ? scan_tile : column_scan_tile;
    return (k.reduced_size() + tile - 1) / tile;
}

// The host keeps the groups' totals; a GPU a word of tickets and 64-bit words of half a value each: of tiles, in rows
// their totals and their prefixes, in columns the prefixes and the totals of groups of them.
SINTER_INLINE std::int64_t scan_bytes(const kernel& k, const reduction_step& r) {
    std::int64_t size = size_of(accumulator_type(r.how, r.type)), kept = k.kept_size(), tiles = scan_tiles(k);
    if (runs_on_host(k.how.map)) return scan_parts(k) > 1 ? kept * scan_parts(k) * size : 0;
    if (scans_one_tile(k)) return 0;
    const std::int64_t values =
        k.tree == reduce_tree::rows ? 2 * tiles : tiles + 2 * ((tiles + column_scan_fan - 1) / column_scan_fan);
    return 8 + kept * values * ((size + 3) / 4) * 8;
}

SINTER_INLINE sequence<std::int64_t> partial_bytes(const kernel& k) {
    sequence<std::int64_t> bytes;
    if (k.selects) return {runs_on_host(k.how.map) ? 8 * select_parts(k) : 8 + 8 * scan_tiles(k), 0};
    if (k.scans) {
        for (const reduction_step& r : k.reductions) {
            bytes.push_back(scan_bytes(k, r));
            bytes.push_back(0);
        }
        return bytes;
    }
    std::int64_t parts = reduction_parts(k), count = parts > 1 ? parts * k.kept_size() : 0;
    for (const reduction_step& r : k.reductions) {
        bytes.push_back(runs_on_host(k.how.map) || combines(r) ? count * size_of(accumulator_type(r.how, r.type)) : 0);
        bytes.push_back(is_indexed(r.how) ? count * 8 : 0);
    }
    return bytes;
}

SINTER_INLINE std::int64_t transposed_tiles_of(const kernel& k) {
    const std::int64_t across = k.space.back(), along = k.space[k.how.tile_axis];
    auto tiles = [side = k.how.tile](std::int64_t n) { return (n + side - 1) / side; };
    return tiles(across) * tiles(along) * (k.kept_size() / across / along);
}

SINTER_INLINE bool has_finish(const kernel& k) {
    if (k.scans) return k.tree == reduce_tree::rows && !is_side_by_side(k);
    return k.selects || (k.reduces() && !k.is_row_kernel() && !is_side_by_side(k));
}

SINTER_INLINE sequence<host_phase> host_phases(const kernel& k) {
    constexpr std::int64_t elements_per_part = 16384;
    auto part = [](std::int64_t elements_per_item) {
        return elements_per_item >= elements_per_part ? 1
                                                      : elements_per_part / (elements_per_item ? elements_per_item : 1);
    };
    std::int64_t kept = k.kept_size(), reduced = k.reduced_size();
    if (k.is(mapping::host_transposed_tiles)) return {{false, transposed_tiles_of(k), part(k.how.tile * k.how.tile)}};
    if (!k.reduces()) return {{false, kept, elements_per_part}};
    if (k.selects) {
        std::int64_t parts = select_parts(k);
        if (parts == 1) return {{false, 1, 1}};
        return {{false, parts, 1}, {true, parts, 1}};
    }
    if (k.scans) {
        std::int64_t parts = scan_parts(k);
        if (k.tree == reduce_tree::columns || is_side_by_side(k))
            return {{false, (kept + host_tile - 1) / host_tile, part(reduced * host_tile)}};
        if (parts == 1) return {{false, kept, part(reduced)}};
        return {{false, kept * parts, 1}, {true, kept * parts, 1}};
    }
    std::int64_t parts = reduction_parts(k), tiles = (kept + host_tile - 1) / host_tile;
    if (k.is_row_kernel()) return {{false, kept, part(reduced)}};
    bool rows = k.tree == reduce_tree::rows && !is_side_by_side(k);
    std::int64_t items = rows ? kept : tiles, elements = (reduced + parts - 1) / parts * (rows ? 1 : host_tile);
    sequence<host_phase> phases{{false, items * parts, part(elements)}};
    if (parts > 1) phases.push_back({true, items, part(parts * (rows ? 1 : host_tile))});
    return phases;
}

}  // namespace sinter::inline SINTER_ABI::codegen
