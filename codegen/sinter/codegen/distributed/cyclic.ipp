// Bodies of cyclic.hpp.
#pragma once

#include <sinter/codegen/distributed/cyclic.hpp>

namespace sinter::inline SINTER_ABI::distributed {

SINTER_INLINE std::vector<std::int64_t> elements_of(const dims& shape, const placement& p, int ranks, int rank,
                                                    int axis) {
    std::vector<std::int64_t> own;
    if (p.kind == placement_kind::block_cyclic) {
        const rank_grid grid = grid_of(ranks);
        const int which = axis == 0 ? grid.row_of(rank) : grid.column_of(rank);
        const int count = axis == 0 ? grid.rows : grid.columns;
        for (std::int64_t i = 0, n = cyclic_count(shape[axis], p.block, which, count); i < n; ++i)
            own.push_back(cyclic_element(i, p.block, which, count));
        return own;
    }
    const range part = part_along(shape, p, ranks, rank, axis);
    for (std::int64_t i = part.begin; i < part.end; ++i) own.push_back(i);
    return own;
}

SINTER_INLINE common_elements in_common(const std::vector<std::int64_t>& first,
                                        const std::vector<std::int64_t>& second) {
    common_elements both;
    for (std::size_t i = 0, j = 0; i < first.size() && j < second.size();) {
        if (first[i] == second[j]) {
            both.first.push_back(static_cast<std::int64_t>(i));
            both.second.push_back(static_cast<std::int64_t>(j));
        }
        const bool is_less = first[i] < second[j], is_greater = second[j] < first[i];
        i += !is_greater;
        j += !is_less;
    }
    return both;
}

}  // namespace sinter::inline SINTER_ABI::distributed
