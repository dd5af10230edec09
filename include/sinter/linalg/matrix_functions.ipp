// Bodies of matrix_functions.hpp.
#pragma once

#include <algorithm>
#include <sinter/linalg/matrix_functions.hpp>

namespace sinter::inline SINTER_ABI::linalg::detail {

SINTER_INLINE void require_equations(const char* operation, const dims& a, const dims& b) {
    const int last = a.size() - 1, other = b.size() - 1;
    bool fit = last > 0 && other >= 0 && b[std::max(other - 1, 0)] == a[last - 1];
    for (int i = 2; fit && i <= std::min(last, other); ++i)
        fit = a[last - i] == b[other - i] || a[last - i] == 1 || b[other - i] == 1;
    if (!fit)
        throw shape_error("[" + std::string(operation) + "] shapes do not fit: " + to_string(a) + " and " +
                          to_string(b));
}

}  // namespace sinter::inline SINTER_ABI::linalg::detail
