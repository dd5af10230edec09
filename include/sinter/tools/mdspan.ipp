// Bodies of mdspan.hpp.
#pragma once

#include <sinter/tools/mdspan.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE void require_rank(const dims& shape, std::size_t rank) {
    if (shape.size() != static_cast<int>(rank))
        throw shape_error("[to_mdspan] an array of shape " + to_string(shape) + " does not have " +
                          std::to_string(rank) + " axes");
}

}  // namespace sinter::inline SINTER_ABI::detail
