// Bodies of rank.hpp.
#pragma once

#include <sinter/codegen/base/error.hpp>
#include <sinter/tools/rank.hpp>
#include <string>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE void require_rank(const char* operation, const dims& shape, int rank) {
    if (shape.size() != rank)
        throw shape_error("[" + std::string(operation) + "] an array of shape " + to_string(shape) + " does not have " +
                          std::to_string(rank) + (rank == 1 ? " axis" : " axes"));
}

}  // namespace sinter::inline SINTER_ABI::detail
