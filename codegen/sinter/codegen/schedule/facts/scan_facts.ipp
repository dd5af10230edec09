// Bodies of scan_facts.hpp.
#pragma once

#include <sinter/codegen/schedule/choose_scan.hpp>
#include <sinter/codegen/schedule/facts/scan_facts.hpp>
#include <sinter/codegen/schedule/stages.hpp>
#include <sinter/codegen/schedule/workspaces.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// Whether a scan's argument is converted before it is added up: compilers would do that before the wait for other
// tiles, and keep the result in twice the registers.
SINTER_INLINE bool is_converted(const reduction_step& r) {
    const bool whole = r.type == dtype::float32 || r.type == dtype::int32 || r.type == dtype::uint32;
    return whole && r.accumulator() != r.type;
}

SINTER_INLINE scan_facts scan_facts_of(const kernel& k) {
    const schedule& s = k.how;
    scan_facts f;
    if (!k.scans && !k.selects) return f;
    f.one_tile = scans_one_tile(s.map);
    f.has_status = workspace_of(s.map) == workspace_kind::tile_status;
    f.threads = s.threads;
    f.within_warp = s.short_rows;
    f.chunks = s.short_rows ? 1 : s.chunks;
    f.elements = 4 * s.threads * s.chunks;
    f.segments = f.elements / scan_segment;
    f.columns = s.columns;
    f.asks_all_tiles = s.asks_all_tiles;
    f.packs = s.vector_width > 1;
    f.has_whole = f.packs && k.body.size() <= unrolled_body && !s.short_rows;
    f.part_packs = f.packs && !(k.selects && f.has_whole);
    f.buffer_values = (s.stays ? 0 : row_lanes) + (f.one_tile ? 4 * scan_fan : scan_fan);
    for (std::uint32_t i = 0; i < k.body.size(); ++i) {
        const bool tiles = k.scans && !f.one_tile && k.tree == reduce_tree::rows;
        if (tiles && k.body[i].stage == 0 && loads_pack(k, s, k.body[i])) f.fetched.push_back(i);
        if (s.stays && may_be_resident(k, s, k.body[i])) f.copied.push_back(i);
    }
    for (std::size_t r = 0; r < k.reductions.size() && k.tree == reduce_tree::rows; ++r)
        if (!f.one_tile && !s.stays && is_converted(k.reductions[r])) f.renewed.push_back(r);
    return f;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
