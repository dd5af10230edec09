// Bodies of host.hpp.
#pragma once

#include <sinter/array/host.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE void throw_host_index(std::initializer_list<std::int64_t> at, const dims& shape) {
    std::string index;
    for (std::int64_t i : at) index += (index.empty() ? "" : ", ") + std::to_string(i);
    throw index_error("[host_array] no element at (" + index + ") of an array of shape " + to_string(shape));
}

SINTER_INLINE void throw_host_size(std::string_view operation, std::int64_t count, const dims& shape) {
    throw shape_error("[" + std::string(operation) + "] " + std::to_string(count) +
                      " elements do not fill an array of shape " + to_string(shape));
}

}  // namespace sinter::inline SINTER_ABI::detail
