// Bodies of axes.hpp.
#pragma once

#include <sinter/functions/axes.hpp>

namespace sinter::inline SINTER_ABI {

SINTER_INLINE axes axes::of(std::initializer_list<std::int64_t> list) {
    axes a;
    a.given_ = list.size() != 0;
    for (std::int64_t axis : list) a.list_.push_back(axis);
    return a;
}

SINTER_INLINE dims axes::list(std::string_view operation, int rank) const {
    const std::string_view name = name_or(operation);
    dims found;
    for (int i = 0; !given_ && i < rank; ++i) found.push_back(i);
    for (std::int64_t a : list_) {
        const int axis = codegen::normalize_axis(name, a, rank);
        for (std::int64_t other : found)
            if (other == axis)
                throw value_error("[" + std::string(name) + "] axis " + std::to_string(a) + " is given twice");
        found.push_back(axis);
    }
    return found;
}

SINTER_INLINE std::uint8_t axes::mask(std::string_view operation, int rank) const {
    int m = 0;
    for (std::int64_t axis : list(operation, rank)) m |= 1 << axis;
    return static_cast<std::uint8_t>(m);
}

}  // namespace sinter::inline SINTER_ABI
