// Bodies of growing.hpp.
#pragma once

#include <sinter/analysis/segments.hpp>
#include <sinter/array/reading.hpp>
#include <sinter/functions/picking.hpp>
#include <sinter/ndimage/growing.hpp>
#include <sinter/ndimage/measurements.hpp>

namespace sinter::inline SINTER_ABI::ndimage::detail {

SINTER_INLINE handle connecting_structure(const dims& window, const std::vector<bool>& counts) {
    for (std::int64_t size : window)
        if (size != 1 && size != 3) return {};
    const dims shape = dims::filled(window.size(), 3);
    std::vector<char> connected(static_cast<std::size_t>(shape.product()), 0);
    if (!counts[counts.size() / 2]) return {};
    for (std::size_t k = 0; k < counts.size(); ++k) {
        if (counts[k] != counts[counts.size() - 1 - k]) return {};
        std::int64_t place = 0, stride = 1, rest = static_cast<std::int64_t>(k);
        for (int axis = window.size() - 1; axis >= 0; stride *= 3, rest /= window[axis--])
            place += stride * (window[axis] == 3 ? rest % 3 : 1);
        connected[static_cast<std::size_t>(place)] = counts[k];
    }
    return store(dtype::bool_, shape, connected.data());
}

SINTER_INLINE handle record_grown(const handle& given, const handle& given_mask, const handle& structure, bool border) {
    const dims beyond = dims::filled(given->shape.size(), border ? 1 : 0);
    auto extended = [&](const handle& x) {
        return record_extended("binary_dilation", x, beyond, beyond, {"constant", 1.0});
    };
    const term x = extended(given);
    const term open = given_mask ? x || term(extended(given_mask)) : term(constant_like(x, 1.0));
    const auto [labels, count] = record_label(record_broadcast("label", open, x.shape()), {array<bool>(structure)});
    // Whether each object has an element of x; of what is no object none is one.
    const dims all(x.shape().product());
    const handle marks = record_reshape(record_cast(x, dtype::int32), all);
    const term reached = record_segments("binary_dilation", codegen::routine::scatter_max, marks,
                                         record_reshape(labels, all), count + 1, number(0));
    const handle grown = record_take(record_cast(reached, dtype::bool_), labels, 0);
    return border ? handle(shifted_copy(grown, beyond, given->shape)) : grown;
}

}  // namespace sinter::inline SINTER_ABI::ndimage::detail
