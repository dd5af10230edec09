// How an array lies over ranks, and which part of an axis is whose; must not know messages.
#pragma once

#include <cstdint>
#include <sinter/codegen/base/dims.hpp>
#include <sinter/codegen/ops/reduction.hpp>
#include <string>

namespace sinter::inline SINTER_ABI::distributed {

enum class placement_kind : std::uint8_t { replicated, split, partial, block_cyclic, mesh };
inline constexpr int placement_kinds = 5;

/// How an array lies over the ranks of a session.
struct placement {
    placement_kind kind = placement_kind::replicated;
    int axis = 0;                                     ///< of split; of mesh, the axis over rows of ranks, or no_axis
    codegen::reduction op = codegen::reduction::sum;  ///< of partial
    std::int64_t block = 0;                           ///< of block_cyclic
    int rows = 0;                                     ///< of mesh; 0: as nearly square as the ranks allow
    int second = 1;                                   ///< of mesh, the axis over columns of ranks, or no_axis

    bool operator==(const placement&) const = default;
};

/// Every rank has all of the array.
constexpr placement replicated() { return {}; }
/// Rank r has elements [r * c, (r + 1) * c) of one axis of n elements, c = ceil(n / ranks): the last ranks have fewer,
/// or none. Negative axes count from the end.
constexpr placement split(int axis) { return {.kind = placement_kind::split, .axis = axis}; }
/// Every rank has an array of the whole shape, and the array is their sum, product, minimum, maximum, all or any.
constexpr placement partial(codegen::reduction op = codegen::reduction::sum) {
    return {.kind = placement_kind::partial, .op = op};
}
/// Square blocks of matrices dealt out in turn over a grid of ranks, as ScaLAPACK has them: for linear algebra, which
/// brings other placements into this one and back. Operations on elements keep it; all else asks for `reshard`.
constexpr placement block_cyclic(std::int64_t block) { return {.kind = placement_kind::block_cyclic, .block = block}; }

/// Of a mesh: what is split over neither its rows nor its columns.
inline constexpr int no_axis = -1000;

/// Where ranks stand in so many rows, and columns, an array split along one axis over the rows and along another over
/// the columns: rank r has part r / columns of the one and part r % columns of the other, each as `split` cuts an axis.
/// `no_axis` for one of them: the ranks of a column, or of a row, have the same. Negative axes count from the end;
/// without a number the rows and columns of ranks are as nearly square as their number is. Each axis follows the rules
/// of `split`, beside others of the same mesh and what is replicated; reductions along a split axis bring the array to
/// a split along one axis first and give all ranks their results; linear algebra and products are a library's, as of
/// `block_cyclic`.
constexpr placement mesh(int rows = 0, int over_rows = 0, int over_columns = 1) {
    return {.kind = placement_kind::mesh, .axis = over_rows, .rows = rows, .second = over_columns};
}

/// `replicated`, `split(0)`, `partial(sum)`, `block_cyclic(64)`, `mesh(2)`, `mesh(2, 1, no_axis)`.
std::string to_string(const placement& p);

/// Elements begin … end - 1 of an axis.
struct range {
    std::int64_t begin = 0, end = 0;

    constexpr std::int64_t size() const { return end - begin; }
    bool operator==(const range&) const = default;
};

/// What both ranges have; an empty range where that is nothing.
constexpr range common(const range& a, const range& b) {
    const std::int64_t begin = a.begin > b.begin ? a.begin : b.begin, end = a.end < b.end ? a.end : b.end;
    return {begin, end > begin ? end : begin};
}

/// The elements of an axis of n that a rank has where the axis is split.
constexpr range part_of(std::int64_t n, int ranks, int rank) {
    const std::int64_t each = n / ranks + (n % ranks != 0);
    const std::int64_t begin = each * rank < n ? each * rank : n;
    return {begin, n - begin < each ? n : begin + each};
}

/// Ranks in rows and columns, as nearly square as their number is: rank r is in row r / columns.
struct rank_grid {
    int rows = 1, columns = 1;

    constexpr int row_of(int rank) const { return rank / columns; }
    constexpr int column_of(int rank) const { return rank % columns; }
};
constexpr rank_grid grid_of(int ranks) {
    int rows = 1;
    for (int r = 1; r * r <= ranks; ++r)
        if (ranks % r == 0) rows = r;
    return {rows, ranks / rows};
}

/// The ranks of a mesh.
constexpr rank_grid grid_of(const placement& mesh, int ranks) {
    return mesh.rows > 0 ? rank_grid{mesh.rows, ranks / mesh.rows} : grid_of(ranks);
}

/// The ranks along which an axis is split, or which have the same: so many, numbered from 0, `step` ranks apart.
struct mesh_line {
    int axis = no_axis;
    int count = 1, step = 1;

    constexpr int place_of(int rank) const { return rank / step % count; }
};

/// What a placement splits, one axis for each direction of its ranks; no other than replicated, split and mesh.
struct mesh_lines {
    mesh_line of[2];

    constexpr mesh_lines(const placement& p, int ranks) {
        if (p.kind == placement_kind::mesh) {
            const rank_grid grid = grid_of(p, ranks);
            of[0] = {p.axis, grid.rows, grid.columns};
            of[1] = {p.second, grid.columns, 1};
        } else {
            of[0] = {p.kind == placement_kind::split ? p.axis : no_axis, ranks, 1};
        }
    }
    /// That of an axis, or of one rank alone.
    constexpr mesh_line along(int axis) const {
        for (const mesh_line& line : of)
            if (line.axis == axis) return line;
        return {};
    }
};

/// Whether ranks have different elements of an axis.
constexpr bool splits(const placement& p, int axis) {
    const mesh_lines lines(p, 1);
    return lines.of[0].axis == axis || lines.of[1].axis == axis;
}

/// Of what several ranks have alike, whether a rank is the one that another one gets it from.
constexpr bool is_source(const placement& p, int ranks, int from, int to) {
    for (const mesh_line& line : mesh_lines(p, ranks).of)
        if (line.axis == no_axis && line.place_of(from) != line.place_of(to)) return false;
    return true;
}

/// The placement of an array whose axes are others, or none; what splits none is replicated.
template <class Rename>
constexpr placement renamed(placement p, Rename f) {
    auto of = [&](int axis) { return axis == no_axis ? no_axis : f(axis); };
    if (p.kind != placement_kind::split && p.kind != placement_kind::mesh) return p;
    p.axis = of(p.axis);
    if (p.kind == placement_kind::mesh) p.second = of(p.second);
    const bool is_split = p.axis != no_axis || (p.kind == placement_kind::mesh && p.second != no_axis);
    return is_split ? p : replicated();
}

/// How many of n elements one of `count` gets where blocks are dealt out in turn (ScaLAPACK's NUMROC).
constexpr std::int64_t cyclic_count(std::int64_t n, std::int64_t block, int which, int count) {
    const std::int64_t blocks = n / block, own = blocks / count * block, left = blocks % count;
    return own + (which < left ? block : which == left ? n % block : 0);
}
/// The number among all of an element of one's own.
constexpr std::int64_t cyclic_element(std::int64_t own, std::int64_t block, int which, int count) {
    return (own / block * count + which) * block + own % block;
}

/// The elements of an axis that a rank has where they stand beside each other: all of them, or where the axis is split.
range part_along(const dims& shape, const placement& p, int ranks, int rank, int axis);

/// The shape of a rank's part.
dims local_shape(const dims& shape, const placement& p, int ranks, int rank);

/// Elements that stand beside each other along every axis.
struct box {
    dims begin, end;

    static box of(const dims& shape) { return {dims::filled(shape.size(), 0), shape}; }
    range along(int axis) const { return {begin[axis], end[axis]}; }
    void set(int axis, range r) {
        begin[axis] = r.begin;
        end[axis] = r.end;
    }
    dims shape() const;
};
box common(const box& a, const box& b);
/// A rank's part where each of its axes is a range.
box part_box(const dims& shape, const placement& p, int ranks, int rank);

/// A placement with its axis counted from 0, of an array of `rank` axes over so many ranks; throws index_error, and
/// value_error for what has no meaning.
placement checked(std::string_view operation, placement p, int rank, int ranks);

}  // namespace sinter::inline SINTER_ABI::distributed

#if SINTER_HEADER_ONLY
#include <sinter/codegen/distributed/placement.ipp>
#endif
