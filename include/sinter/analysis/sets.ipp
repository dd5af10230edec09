// Bodies of sets.hpp.
#pragma once

#include <sinter/analysis/sets.hpp>
#include <sinter/functions/term.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE handle record_isin(const handle& elements, const handle& among, bool invert) {
    device_scope on(elements->where);
    const term x = elements, values = record_sort(codegen::routine::sort, record_reshape(among, {-1}), 0);
    const std::int64_t n = values.shape()[0];
    if (n == 0) return record_scalar(number(invert), x.shape());
    // What stands behind all but the last may be that one.
    const term nearest = elements_at(values, record_searchsorted(values, n - 1, x, false));
    return invert ? apply(codegen::op::not_equal, nearest, x) : nearest == x;
}

}  // namespace sinter::inline SINTER_ABI::detail
