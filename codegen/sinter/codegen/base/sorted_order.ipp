// Bodies of sorted_order.hpp.
#pragma once

#include <algorithm>
#include <sinter/codegen/base/sorted_order.hpp>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE sequence<std::int64_t> sorted_order(std::int64_t count, const void* context,
                                                  bool (*before)(const void* context, std::int64_t a, std::int64_t b)) {
    sequence<std::int64_t> order(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) order[static_cast<std::size_t>(i)] = i;
    std::stable_sort(order.begin(), order.end(),
                     [context, before](std::int64_t a, std::int64_t b) { return before(context, a, b); });
    return order;
}

}  // namespace sinter::inline SINTER_ABI::codegen
