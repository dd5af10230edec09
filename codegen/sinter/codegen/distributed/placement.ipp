// Bodies of placement.hpp.
#pragma once

#include <sinter/codegen/distributed/placement.hpp>

namespace sinter::inline SINTER_ABI::distributed {

SINTER_INLINE std::string to_string(const placement& p) {
    switch (p.kind) {
        case placement_kind::replicated: return "replicated";
        case placement_kind::split: return "split(" + std::to_string(p.axis) + ")";
        case placement_kind::partial: return "partial(" + std::string(codegen::to_string(p.op)) + ")";
        case placement_kind::block_cyclic: return "block_cyclic(" + std::to_string(p.block) + ")";
        case placement_kind::mesh: return "mesh(" + (p.rows > 0 ? std::to_string(p.rows) : "") + ")";
    }
    return "";
}

SINTER_INLINE range part_along(const dims& shape, const placement& p, int ranks, int rank, int axis) {
    if (p.kind == placement_kind::split && p.axis == axis) return part_of(shape[axis], ranks, rank);
    if (p.kind != placement_kind::mesh) return {0, shape[axis]};
    const rank_grid grid = grid_of(p, ranks);
    return axis == 0 ? part_of(shape[0], grid.rows, grid.row_of(rank))
                     : part_of(shape[1], grid.columns, grid.column_of(rank));
}

SINTER_INLINE dims local_shape(const dims& shape, const placement& p, int ranks, int rank) {
    dims local = shape;
    for (int axis = 0; axis < shape.size(); ++axis) local[axis] = part_along(shape, p, ranks, rank, axis).size();
    if (p.kind == placement_kind::block_cyclic) {
        const rank_grid grid = grid_of(ranks);
        local[0] = cyclic_count(shape[0], p.block, grid.row_of(rank), grid.rows);
        local[1] = cyclic_count(shape[1], p.block, grid.column_of(rank), grid.columns);
    }
    return local;
}

SINTER_INLINE placement checked(std::string_view operation, placement p, int rank, int ranks) {
    const std::string name = "[" + std::string(operation) + "] ";
    if (p.kind == placement_kind::split) p.axis = codegen::normalize_axis(operation, p.axis, rank);
    if (p.kind == placement_kind::block_cyclic && (rank != 2 || p.block < 1))
        throw value_error(name + to_string(p) +
                          " is a placement of matrices in blocks of at least 1, not of an array of " +
                          std::to_string(rank) + (rank == 1 ? " axis" : " axes"));
    if (p.kind == placement_kind::mesh && rank != 2)
        throw value_error(name + to_string(p) + " is a placement of matrices, not of an array of " +
                          std::to_string(rank) + (rank == 1 ? " axis" : " axes"));
    if (p.kind == placement_kind::mesh && (p.rows < 0 || (p.rows > 0 && ranks % p.rows != 0)))
        throw value_error(name + std::to_string(ranks) + " ranks do not stand in " + std::to_string(p.rows) + " rows");
    return p;
}

}  // namespace sinter::inline SINTER_ABI::distributed
