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

SINTER_INLINE handle record_between(const handle& x, const any_operand& before, const any_operand& behind, int axis) {
    device_scope on(x->where);
    codegen::sequence<handle> parts;
    auto refuse = [&](dtype other) {
        throw type_error("[diff] " + std::string(to_string(other)) + " does not go beside elements of " +
                         std::string(to_string(x->type)));
    };
    auto value_of = [&](const any_operand& o) {
        if (!o.single) return o.value;
        if (codegen::kind_rank(o.single->type) > codegen::kind_rank(x->type)) refuse(o.single->type);
        return record_scalar(checked_number("diff", x->type, *o.single), {});
    };
    for (const handle& part : {value_of(before), x, value_of(behind)}) {
        if (!part) continue;
        if (codegen::promote(part->type, x->type) != x->type) refuse(part->type);
        if (!part->shape.empty() && part->shape.size() != x->shape.size())
            throw shape_error("[diff] axes differ: " + to_string(part->shape) + " and " + to_string(x->shape));
        dims one = x->shape;
        one[axis] = 1;
        parts.push_back(part->shape.empty() ? record_broadcast("diff", part, one) : part);
    }
    return record_concatenate("diff", parts, x->type, axis);
}

SINTER_INLINE any_operand raveled(any_operand o) {
    if (o.value) o.value = record_reshape(o.value, dims(-1));
    return o;
}

SINTER_INLINE int line_axis(std::string_view name, std::int64_t axis, int rank) {
    if (rank == 0) throw value_error("[" + std::string(name) + "] a single number has no neighbours");
    return codegen::normalize_axis(name, axis, rank);
}

}  // namespace sinter::inline SINTER_ABI::detail
