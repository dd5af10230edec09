// Bodies of scatter.hpp.
#pragma once

#include <sinter/array/index.hpp>
#include <sinter/array/scatter.hpp>
#include <sinter/codegen/kernels/sort/scatter.hpp>
#include <sinter/runtime/execute/calls.hpp>

namespace sinter::inline SINTER_ABI::detail {

// Numbers of an axis along axis `at` of a result of some rank, times a step.
SINTER_INLINE handle steps_along(std::int64_t extent, std::int64_t step, int at, int rank) {
    dims shape = dims::filled(rank, 1);
    shape[at] = extent;
    handle args[] = {record_reshape(record_index(dims(extent)), shape),
                     record_scalar(codegen::scalar_value::of(step), {})};
    return record_apply(codegen::op::multiply, args);
}

SINTER_INLINE handle with_number(codegen::op o, const handle& x, std::int64_t number) {
    handle args[] = {x, record_scalar(codegen::scalar_value::of(number), {})};
    return record_apply(o, args);
}

// An index as int64; what is too large for it stays out of range.
SINTER_INLINE handle signed_index(const handle& index) {
    if (index->type != dtype::uint64) return record_cast(index, dtype::int64);
    handle args[] = {index, record_scalar(codegen::scalar_value::of(static_cast<std::uint64_t>(INT64_MAX)), {})};
    return record_cast(record_apply(codegen::op::minimum, args), dtype::int64);
}

// Where the elements of a selection lie in the flat base; see codegen::bad_index for those that are not there.
SINTER_INLINE handle positions_of(const handle& base, const selection& s, const dims& index_shape) {
    device_scope on(base->where);
    int kept_axes = s.view.shape.size() - static_cast<int>(s.indices.size()), rank = kept_axes + index_shape.size();
    handle at = record_scalar(codegen::scalar_value::of(s.view.offset), {});
    auto add = [&](const handle& more) {
        handle args[] = {at, more};
        at = record_apply(codegen::op::add, args);
    };
    dims widened = index_shape;
    while (widened.size() < rank - s.gather.position) widened.push_back(1);
    codegen::sequence<handle> indices;
    int axis_of_result = 0, next = 0;
    for (int i = 0; i < s.view.shape.size(); ++i) {
        if (s.gather.axes >> i & 1) {
            handle index =
                record_broadcast("assignment", signed_index(s.indices[static_cast<std::size_t>(next++)]), index_shape);
            indices.push_back(record_reshape(index, widened));
            std::int64_t n = s.view.shape[i];
            handle wrapped[] = {with_number(codegen::op::less, indices.back(), 0),
                                with_number(codegen::op::add, indices.back(), n), indices.back()};
            add(with_number(codegen::op::multiply, record_apply(codegen::op::where, wrapped), s.view.strides[i]));
            continue;
        }
        if (axis_of_result == s.gather.position) axis_of_result += index_shape.size();
        add(steps_along(s.view.shape[i], s.view.strides[i], axis_of_result++, rank));
    }
    for (std::size_t k = indices.size(); k-- > 0;) {
        int axis = s.axes[k];
        if (axis < 0) continue;
        std::int64_t n = base->shape[axis];
        handle outside[] = {with_number(codegen::op::less, indices[k], -n),
                            with_number(codegen::op::greater_equal, indices[k], n)};
        handle bits = with_number(codegen::op::bitwise_and, indices[k], codegen::bad_index::mask);
        handle code =
            with_number(codegen::op::add, with_number(codegen::op::multiply, bits, 8), codegen::bad_index::base(axis));
        handle args[] = {record_apply(codegen::op::logical_or, outside), code, at};
        at = record_apply(codegen::op::where, args);
    }
    return at;
}

// Elements of the rows that a selection picks as a whole, its last axes: one after the other in the base, which is made
// of such rows; 1 where it picks single elements.
SINTER_INLINE std::int64_t width_of_rows(const handle& base, const selection& s, int& axes) {
    const layout& at = s.view;
    std::int64_t width = 1;
    axes = 0;
    for (int i = at.shape.size() - 1; i >= 0 && !(s.gather.axes >> i & 1) && at.strides[i] == width; --i, ++axes)
        width *= at.shape[i];
    const int kept = at.shape.size() - static_cast<int>(s.indices.size());
    bool whole =
        width > 1 && s.gather.position <= kept - axes && at.offset % width == 0 && base->shape.product() % width == 0;
    for (int i = 0; whole && i < at.shape.size() - axes; ++i) whole = at.strides[i] % width == 0;
    if (whole) return width;
    axes = 0;
    return 1;
}

// The rows of a selection, each as one element.
SINTER_INLINE selection rows_of(const selection& s, int axes, std::int64_t width) {
    selection rows = s;
    rows.view.offset /= width;
    for (int i = 0; i < axes; ++i) {
        rows.view.shape.erase(rows.view.shape.size() - 1);
        rows.view.strides.erase(rows.view.strides.size() - 1);
    }
    for (std::int64_t& stride : rows.view.strides) stride /= width;
    return rows;
}

// Whether single integers pick all that a base has along its first axis.
SINTER_INLINE bool picks_rows(const handle& base, const selection& s, const dims& index_shape) {
    if (index_shape.product() == 0 || s.indices.size() != 1 || s.axes[0] != 0 || s.gather.position != 0) return false;
    const dtype type = s.indices[0]->type;
    return codegen::kind_rank(type) == 1 && type != dtype::uint64 && s.gather.axes == 1 &&
           s.view == codegen::contiguous(base->shape);
}

// Whether a call finds the positions itself, of elements or whole rows along the first axis.
SINTER_INLINE bool takes_indices(const codegen::call_info& how, const handle& base, const dims& index_shape,
                                 std::int64_t width) {
    return width * base->shape[0] == base->shape.product() &&
           (base->where.is_cpu() ||
            codegen::takes_indices(how, base->type, index_shape.product(), base->shape[0], width));
}

// Whether one row, or number, is assigned to as many rows as there are, or more, which are found first: so that none
// takes memory for each time that it is assigned.
SINTER_INLINE bool fills_rows(const codegen::call_info& how, const handle& base, const handle& value,
                              const dims& index_shape) {
    int axes = value->shape.size();
    while (axes > 0 && value->shape[value->shape.size() - axes] == 1) --axes;
    return how.what == codegen::routine::scatter && base->shape.size() > 1 && axes < base->shape.size() &&
           index_shape.product() >= base->shape[0];
}

SINTER_INLINE handle record_filled_rows(const codegen::call_info& how, const handle& base, const handle& index,
                                        const handle& value) {
    device_scope on(base->where);
    const handle none = record_scalar(codegen::scalar_value::of(false), dims(base->shape[0]));
    const index_item item{.kind = index_item::what::indices, .indices = index};
    const handle assigned =
        record_scatter(how, none, select(none, {&item, 1}), record_scalar(codegen::scalar_value::of(true), dims()));
    dims rows = base->shape, row = value->shape;
    for (int i = 1; i < rows.size(); ++i) rows[i] = 1;
    while (row.size() >= base->shape.size()) row.erase(0);
    const handle args[] = {
        record_broadcast("assignment", record_reshape(assigned, rows), base->shape),
        record_broadcast("assignment", record_reshape(record_cast(value, base->type), row), base->shape), base};
    return record_apply(codegen::op::where, args);
}

SINTER_INLINE handle record_scatter(const codegen::call_info& how, const handle& base, const selection& s,
                                    const handle& value) {
    dims index_shape, picked = codegen::kept_shape(s.view.shape, s.gather.axes);
    for (const handle& i : s.indices) index_shape = codegen::broadcast_shapes("assignment", index_shape, i->shape);
    for (int i = 0; i < index_shape.size(); ++i) picked.insert(s.gather.position + i, index_shape[i]);
    if (codegen::is_complex(base->type))
        if (how.what == codegen::routine::scatter_max || how.what == codegen::routine::scatter_min)
            throw type_error("[" + std::string(to_string(how.what)) + "] is not defined for " +
                             std::string(to_string(base->type)));
    for (int axis : s.axes)
        if (axis >= 0) require_indexable(codegen::failing_function(how), base->shape[axis], axis, index_shape);
    handle values = record_broadcast("assignment", record_cast(value, base->type), picked);
    int axes = 0;
    const std::int64_t width = width_of_rows(base, s, axes);
    for (int i = 0; i < axes; ++i) picked.erase(picked.size() - 1);
    const bool rows = picks_rows(base, s, index_shape);
    const bool indices = rows && takes_indices(how, base, index_shape, width);
    if (rows && fills_rows(how, base, value, index_shape)) return record_filled_rows(how, base, s.indices[0], value);
    const handle positions =
        indices ? s.indices[0]
                : record_broadcast("assignment", positions_of(base, rows_of(s, axes, width), index_shape), picked);
    runtime::statement statement;
    runtime::use_calls();
    statement.kind = runtime::statement_kind::call;
    statement.call = indices ? how.with(codegen::call_info::indices) : how;
    statement.inputs = {base.get(), values.get(), positions.get()};
    device where = device_of("assignment", statement.inputs);
    return runtime::make_pending(base->type, base->shape, where, std::move(statement));
}

}  // namespace sinter::inline SINTER_ABI::detail
