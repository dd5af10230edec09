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
    int axis = 0;                                     ///< of split
    codegen::reduction op = codegen::reduction::sum;  ///< of partial
    std::int64_t block = 0;                           ///< of block_cyclic
    int rows = 0;                                     ///< of mesh; 0: as nearly square as the ranks allow

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

/// Matrices split along both axes over ranks in so many rows, and columns: rank r has part r / columns of the rows and
/// part r % columns of the columns, each as `split` cuts an axis. Without a number the rows and columns of ranks are as
/// nearly square as their number is. Operations on elements keep it, and what is replicated is cut for them; reductions
/// bring it to a split along one axis first and give all ranks their results; linear algebra and products are a
/// library's, as of `block_cyclic`; all else asks for `reshard`.
constexpr placement mesh(int rows = 0) { return {.kind = placement_kind::mesh, .rows = rows}; }

/// `replicated`, `split(0)`, `partial(sum)`, `block_cyclic(64)`, `mesh(2)`.
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

/// A placement with its axis counted from 0, of an array of `rank` axes over so many ranks; throws index_error, and
/// value_error for what has no meaning.
placement checked(std::string_view operation, placement p, int rank, int ranks);

}  // namespace sinter::inline SINTER_ABI::distributed

#if SINTER_HEADER_ONLY
#include <sinter/codegen/distributed/placement.ipp>
#endif
