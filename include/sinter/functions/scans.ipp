// Bodies of scans.hpp.
#pragma once

#include <sinter/functions/scans.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE handle record_tail(const handle& x, int axis) {
    std::int64_t n = x->shape[axis];
    return record_part(x, axis, n > 0 ? 1 : 0, n);
}

SINTER_INLINE handle record_head(const handle& x, int axis) {
    std::int64_t n = x->shape[axis];
    return record_part(x, axis, 0, n > 0 ? n - 1 : 0);
}

SINTER_INLINE int line_axis(std::string_view name, std::int64_t axis, int rank) {
    if (rank == 0) throw value_error("[" + std::string(name) + "] a single number has no neighbours");
    return codegen::normalize_axis(name, axis, rank);
}

}  // namespace sinter::inline SINTER_ABI::detail
