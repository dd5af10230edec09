// Bodies of cross.hpp.
#pragma once

#include <sinter/functions/term.hpp>
#include <sinter/functions/cross.hpp>

namespace sinter::inline SINTER_ABI::detail {

// The components along an axis, each without it.
SINTER_INLINE codegen::sequence<term> components_of(const handle& x, std::int64_t along) {
    const int axis = codegen::normalize_axis("cross", along, x->shape.size());
    const std::int64_t n = x->shape[axis];
    if (n != 2 && n != 3) throw value_error("[cross] vectors have 2 or 3 elements, not " + std::to_string(n));
    codegen::sequence<term> parts;
    for (std::int64_t i = 0; i < n; ++i) parts.push_back(record_squeeze(record_part(x, axis, i, i + 1), dims(axis)));
    return parts;
}

// Element k of the product, where a third element that is not there is zero.
SINTER_INLINE handle cross_component(codegen::span<const term> a, codegen::span<const term> b, std::size_t k) {
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    const bool has_first = i < a.size() && j < b.size(), has_second = j < a.size() && i < b.size();
    if (has_first && has_second) return a[i] * b[j] - a[j] * b[i];
    return has_first ? a[i] * b[j] : -(a[j] * b[i]);
}

SINTER_INLINE handle record_cross(const handle& x, const handle& y, dtype type, const cross_options& o) {
    device_scope on(x->where);
    const codegen::sequence<term> a = components_of(record_cast(x, type), o.axis.value_or(o.axisa));
    const codegen::sequence<term> b = components_of(record_cast(y, type), o.axis.value_or(o.axisb));
    if (a.size() == 2 && b.size() == 2) return cross_component(a, b, 2);
    codegen::sequence<handle> parts;
    for (std::size_t k = 0; k < 3; ++k) parts.push_back(cross_component(a, b, k));
    return record_stack("cross", parts, type, o.axis.value_or(o.axisc));
}

}  // namespace sinter::inline SINTER_ABI::detail
