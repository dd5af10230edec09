// Bodies of scattering.hpp.
#pragma once

#include <sinter/array/scatter.hpp>
#include <sinter/functions/scattering.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE handle record_put(const handle& x, const handle& index, const handle& value, std::string_view mode) {
    device_scope on(x->where);
    handle flat = record_reshape(x, {-1}),
           at = record_index_within("put", record_reshape(index, {-1}), x->shape.product(), mode),
           values = record_reshape(value, {-1});
    std::int64_t count = at->shape[0], given = values->shape[0];
    if (count == 0) return x;
    if (given == 0) throw value_error("[put] there are no values for " + std::to_string(count) + " positions");
    if (given != count && given != 1) {
        handle turns[] = {record_index(dims(count)), record_scalar(number(given), {})};
        handle turn = record_apply(codegen::op::remainder, turns);
        values = record_gather(values, {&turn, 1}, {1, 0});
    }
    index_item item{.kind = index_item::what::indices, .indices = at};
    handle written =
        record_scatter({codegen::routine::scatter, 0, codegen::purpose::put}, flat, select(flat, {&item, 1}), values);
    return record_reshape(written, x->shape);
}

SINTER_INLINE handle record_put_along(const handle& x, const handle& index, const handle& value, int axis) {
    device_scope on(x->where);
    selection s;
    s.view = codegen::contiguous(x->shape);
    s.indices = indices_along("put_along_axis", x, index, axis);
    for (int i = 0; i < x->shape.size(); ++i) s.axes.push_back(i);
    s.gather = {static_cast<std::uint8_t>((1 << x->shape.size()) - 1), 0};
    return record_scatter({codegen::routine::scatter, 0, codegen::purpose::put_along_axis}, x, s, value);
}

}  // namespace sinter::inline SINTER_ABI::detail
