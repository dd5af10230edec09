// Bodies of workspaces.hpp.
#pragma once

#include <sinter/codegen/schedule/stages.hpp>
#include <sinter/codegen/schedule/workspaces.hpp>

SINTER_COLD_BEGIN

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
    std::int64_t part = k.tree == reduce_tree::rows ? std::int64_t{row_lanes} * groups_of_block(k) : column_chunk(n);
    return n <= part ? 1 : (n + part - 1) / part;
}

SINTER_INLINE std::int64_t scan_tiles(const kernel& k) {
    std::int64_t tile = k.tree == reduce_tree::rows ? scan_tile : column_scan_tile;
    return (k.reduced_size() + tile - 1) / tile;
}

// The host keeps the groups' totals; a GPU a word of dynamic tile ids and 64-bit words of half a value each: of tiles,
// in rows their totals and their prefixes, in columns the prefixes and the totals of groups of them.
SINTER_INLINE std::int64_t scan_bytes(const kernel& k, const reduction_step& r) {
    std::int64_t size = size_of(r.accumulator()), kept = k.kept_size(), tiles = scan_tiles(k);
    if (runs_on_host(k.how.map)) return scan_parts(k) > 1 ? kept * scan_parts(k) * size : 0;
    if (scans_one_tile(k.how.map)) return 0;
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
        bytes.push_back(runs_on_host(k.how.map) || combines(r) ? count * size_of(r.accumulator()) : 0);
        bytes.push_back(is_indexed(r.how) ? count * 8 : 0);
    }
    return bytes;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
