// Which elements of an axis are whose, in every placement; must not know messages.
#pragma once

#include <sinter/codegen/distributed/placement.hpp>
#include <vector>

namespace sinter::inline SINTER_ABI::distributed {

/// The elements of an axis that a rank has, ascending.
std::vector<std::int64_t> elements_of(const dims& shape, const placement& p, int ranks, int rank, int axis);

/// Where the elements that two ranks have in common stand in the lists of both, each ascending.
struct common_elements {
    std::vector<std::int64_t> first, second;
};
common_elements in_common(const std::vector<std::int64_t>& first, const std::vector<std::int64_t>& second);

}  // namespace sinter::inline SINTER_ABI::distributed

#if SINTER_HEADER_ONLY
#include <sinter/codegen/distributed/cyclic.ipp>
#endif
