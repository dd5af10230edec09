// Bodies of placement.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/distributed/placement.hpp>

namespace sinter::inline SINTER_ABI::distributed {

SINTER_INLINE std::string words_of_mesh(const placement& p) {
    auto axis = [](int a) { return a == no_axis ? "no_axis" : std::to_string(a); };
    if (p.axis != 0 || p.second != 1) return codegen::joined({p.rows, ", ", axis(p.axis), ", ", axis(p.second)});
    return p.rows > 0 ? std::to_string(p.rows) : "";
}

SINTER_INLINE std::string to_string(const placement& p) {
    switch (p.kind) {
        case placement_kind::replicated: return "replicated";
        case placement_kind::split: return codegen::joined({"split(", p.axis, ")"});
        case placement_kind::partial: return codegen::joined({"partial(", codegen::to_string(p.op), ")"});
        case placement_kind::block_cyclic: return codegen::joined({"block_cyclic(", p.block, ")"});
        case placement_kind::mesh: return codegen::joined({"mesh(", words_of_mesh(p), ")"});
    }
    return "";
}

SINTER_INLINE range part_along(const dims& shape, const placement& p, int ranks, int rank, int axis) {
    const mesh_line line = mesh_lines(p, ranks).along(axis);
    return part_of(shape[axis], line.count, line.place_of(rank));
}

SINTER_INLINE dims box::shape() const {
    dims s;
    for (int axis = 0; axis < begin.size(); ++axis) s.push_back(along(axis).size());
    return s;
}

SINTER_INLINE box common(const box& a, const box& b) {
    box both = a;
    for (int axis = 0; axis < a.begin.size(); ++axis) both.set(axis, common(a.along(axis), b.along(axis)));
    return both;
}

SINTER_INLINE box part_box(const dims& shape, const placement& p, int ranks, int rank) {
    box part = box::of(shape);
    for (int axis = 0; axis < shape.size(); ++axis) part.set(axis, part_along(shape, p, ranks, rank, axis));
    return part;
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
    const std::string name = codegen::joined({"[", operation, "] "});
    if (p.kind == placement_kind::split) p.axis = codegen::normalize_axis(operation, p.axis, rank);
    if (p.kind == placement_kind::block_cyclic && (rank != 2 || p.block < 1))
        throw value_error(codegen::joined({name, to_string(p),
                                           " is a placement of matrices in blocks of at least 1, not of an array of ",
                                           rank, rank == 1 ? " axis" : " axes"}));
    if (p.kind != placement_kind::mesh) return p;
    if (p.rows < 0 || (p.rows > 0 && ranks % p.rows != 0))
        throw value_error(codegen::joined({name, ranks, " ranks do not stand in ", p.rows, " rows"}));
    for (const int axis : {p.axis, p.second})
        if (axis != no_axis && (axis < -rank || axis >= rank))
            throw value_error(codegen::joined(
                {name, to_string(p), " splits axis ", axis, " of an array of ", rank, rank == 1 ? " axis" : " axes"}));
    p = renamed(p, [&](int axis) { return axis < 0 ? axis + rank : axis; });
    if (p.kind == placement_kind::mesh && p.axis == p.second)
        throw value_error(codegen::joined({name, to_string(p), " splits axis ", p.axis, " twice"}));
    return p;
}

}  // namespace sinter::inline SINTER_ABI::distributed
