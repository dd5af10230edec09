// Bodies of host.hpp.
#pragma once

#include <sinter/array/host.hpp>

#include <cstring>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE std::string text_of_host(dtype type, const dims& shape, const void* elements, bool repr) {
    const print_options options = get_printoptions();
    const dims shown = shown_shape(shape, options);
    if (shown == shape) return format_array(type, shape, elements, repr, options);
    const auto size = static_cast<std::size_t>(codegen::size_of(type));
    codegen::sequence<char> data(static_cast<std::size_t>(shown.product()) * size + 1);
    for (std::int64_t n = 0; n < shown.product(); ++n) {
        std::int64_t from = 0, stride = 1, rest = n;
        for (int axis = shape.size() - 1; axis >= 0; --axis) {
            const std::int64_t i = rest % shown[axis], behind = shape[axis] - shown[axis];
            rest /= shown[axis];
            from += (behind > 0 && i >= shown[axis] / 2 ? i + behind : i) * stride;
            stride *= shape[axis];
        }
        std::memcpy(data.data() + static_cast<std::size_t>(n) * size,
                    static_cast<const char*>(elements) + static_cast<std::size_t>(from) * size, size);
    }
    return format_array(type, shape, data.data(), repr, options);
}

SINTER_INLINE void throw_host_index(std::initializer_list<std::int64_t> at, const dims& shape) {
    std::string index;
    for (std::int64_t i : at) index += (index.empty() ? "" : ", ") + std::to_string(i);
    throw index_error("[host_array] no element at (" + index + ") of an array of shape " + to_string(shape));
}

SINTER_INLINE void throw_ragged(std::int64_t size, std::int64_t first, int axis) {
    throw shape_error("[asarray] ragged data: a range of " + std::to_string(size) + " beside one of " +
                      std::to_string(first) + " along axis " + std::to_string(axis));
}

SINTER_INLINE void throw_host_size(std::string_view operation, std::int64_t count, const dims& shape) {
    throw shape_error("[" + std::string(operation) + "] " + std::to_string(count) +
                      " elements do not fill an array of shape " + to_string(shape));
}

}  // namespace sinter::inline SINTER_ABI::detail
