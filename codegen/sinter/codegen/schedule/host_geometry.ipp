// Bodies of host_geometry.hpp.
#pragma once

#include <sinter/codegen/schedule/host_geometry.hpp>
#include <sinter/codegen/schedule/stages.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE std::int64_t transposed_tiles_of(const kernel& k) {
    const std::int64_t along = k.space[k.how.tile_axis];
    std::int64_t across = k.space.back();
    for (int axis = k.how.tile_axis + 1; k.how.joins_axes && axis + 1 < k.space.size(); ++axis) across *= k.space[axis];
    auto tiles = [side = k.how.tile](std::int64_t n) { return (n + side - 1) / side; };
    return tiles(across) * tiles(along) * (k.kept_size() / across / along);
}

SINTER_INLINE bool has_finish(const kernel& k) {
    if (k.scans) return k.tree == reduce_tree::rows && !is_side_by_side(k.how.map);
    return k.selects || (k.reduces() && !k.is_row_kernel() && !is_side_by_side(k.how.map));
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
        if (k.tree == reduce_tree::columns || is_side_by_side(k.how.map))
            return {{false, (kept + host_tile - 1) / host_tile, part(reduced * host_tile)}};
        if (parts == 1) return {{false, kept, part(reduced)}};
        return {{false, kept * parts, 1}, {true, kept * parts, 1}};
    }
    std::int64_t parts = reduction_parts(k), tiles = (kept + host_tile - 1) / host_tile;
    if (k.is_row_kernel()) return {{false, kept, part(reduced)}};
    bool rows = k.tree == reduce_tree::rows && !is_side_by_side(k.how.map);
    std::int64_t items = rows ? kept : tiles, elements = (reduced + parts - 1) / parts * (rows ? 1 : host_tile);
    sequence<host_phase> phases{{false, items * parts, part(elements)}};
    if (parts > 1) phases.push_back({true, items, part(parts * (rows ? 1 : host_tile))});
    return phases;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
