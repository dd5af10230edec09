// Bodies of eigen.hpp, which need no Eigen.
#pragma once

#include <sinter/codegen/base/dims.hpp>
#include <sinter/codegen/base/error.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE void require_eigen_rank(const dims& shape, int rank) {
    if (shape.size() != rank)
        throw shape_error("[to_eigen] an array of shape " + to_string(shape) + " does not have " +
                          std::to_string(rank) + (rank == 1 ? " axis" : " axes"));
}

}  // namespace sinter::inline SINTER_ABI::detail
