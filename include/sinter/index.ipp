// Bodies of index.hpp.
#pragma once

#include <sinter/codegen/scatter.hpp>
#include <sinter/index.hpp>

namespace sinter::inline SINTER_ABI::detail {

// Python's slice.indices: start, step and count along an axis of n elements.
SINTER_INLINE layout apply_slice(const layout& l, int axis, const slice& s) {
    std::int64_t n = l.shape[axis], step = s.step.given ? s.step.value : 1;
    if (step == 0) throw value_error("[slice] the step is zero");
    std::int64_t low = step < 0 ? -1 : 0, high = step < 0 ? n - 1 : n;
    auto clip = [&](const slice::bound& b, std::int64_t missing) {
        if (!b.given) return missing;
        std::int64_t v = b.value < 0 ? b.value + n : b.value;
        return v < low ? low : v > high ? high : v;
    };
    std::int64_t first = clip(s.start, step < 0 ? n - 1 : 0), last = clip(s.stop, step < 0 ? -1 : n);
    std::int64_t span = step < 0 ? first - last : last - first, stride = step < 0 ? -step : step;
    std::int64_t count = span <= 0 ? 0 : (span - 1) / stride + 1;
    return codegen::sliced(l, axis, count ? first : 0, step, count);
}

SINTER_INLINE void add_axis(layout& l, int axis) {
    l.shape.insert(axis, 1);
    l.strides.insert(axis, 0);
}

// `named`: the axis as the user counts them.
SINTER_INLINE layout apply_number(const layout& l, int axis, std::int64_t number, int named) {
    std::int64_t n = l.shape[axis], k = number < 0 ? number + n : number;
    if (k < 0 || k >= n)
        throw index_error("[index] index " + std::to_string(number) + " is out of bounds for axis " + std::to_string(named) +
                          " with size " + std::to_string(n));
    layout r = codegen::sliced(l, axis, k, 1, 1);
    r.shape.erase(axis);
    r.strides.erase(axis);
    return r;
}

SINTER_INLINE int axes_taken(const index_item& i) {
    if (i.kind == index_item::what::mask) return i.indices->shape.size();
    return i.kind == index_item::what::newaxis || i.kind == index_item::what::ellipsis ? 0 : 1;
}

// A mask stands for the positions of its true elements.
SINTER_INLINE std::vector<index_item> expand_masks(std::span<const index_item> items, const layout& l) {
    std::vector<index_item> out;
    int axis = 0;
    for (const index_item& i : items) {
        if (i.kind == index_item::what::mask) {
            for (int k = 0; k < i.indices->shape.size(); ++k)
                if (axis + k >= l.shape.size() || l.shape[axis + k] != i.indices->shape[k])
                    throw index_error("[index] a mask of shape " + to_string(i.indices->shape) +
                                      " does not fit an array of shape " + to_string(l.shape));
            for (handle& h : nonzero_positions(i.indices)) out.push_back({.kind = index_item::what::indices, .indices = h});
        } else {
            out.push_back(i);
        }
        axis += axes_taken(i);
    }
    return out;
}

SINTER_INLINE selection select(const handle& base, std::span<const index_item> given) {
    selection s;
    s.view = codegen::contiguous(base->shape);
    int taken = 0, ellipses = 0;
    for (const index_item& i : given) {
        taken += axes_taken(i);
        ellipses += i.kind == index_item::what::ellipsis;
    }
    if (taken > base->shape.size())
        throw index_error("[index] " + std::to_string(taken) + " indices for an array of " +
                          std::to_string(base->shape.size()) + " dimensions");
    if (ellipses > 1) throw index_error("[index] more than one ellipsis");
    if (given.size() == 1 && given[0].kind == index_item::what::mask) s.mask = given[0].indices;
    std::vector<index_item> items = expand_masks(given, s.view);
    int axis = 0, named = 0, first = -1, last = -1;
    for (const index_item& i : items) switch (i.kind) {
            case index_item::what::number: s.view = apply_number(s.view, axis, i.number, named++); break;
            case index_item::what::slice: s.view = apply_slice(s.view, axis, i.range), ++axis, ++named; break;
            case index_item::what::newaxis: add_axis(s.view, axis++); break;
            case index_item::what::ellipsis:
                axis += base->shape.size() - taken;
                named += base->shape.size() - taken;
                break;
            case index_item::what::mask:
            case index_item::what::indices:
                s.gather.axes = static_cast<std::uint8_t>(s.gather.axes | 1 << axis);
                s.indices.push_back(i.indices);
                s.axes.push_back(named);
                if (first < 0) first = axis;
                last = axis++;
                ++named;
        }
    // NumPy puts the index arrays' axes where they stand when they stand together, else first.
    bool together = last - first + 1 == static_cast<int>(s.indices.size());
    s.gather.position = static_cast<std::uint8_t>(together && first > 0 ? first : 0);
    return s;
}

SINTER_INLINE handle read_selection(const handle& base, const selection& s) {
    handle view = record_view(base, s.view);
    return s.indices.empty() ? view : record_gather(view, s.indices, s.gather);
}

// The number of each true element among the true ones, for values that are assigned in order.
SINTER_INLINE handle ranks_of(const handle& mask) {
    std::vector<char> set(static_cast<std::size_t>(mask->shape.product()));
    read(mask, set.data());
    std::vector<std::int64_t> rank(set.size());
    std::int64_t next = 0;
    for (std::size_t i = 0; i < set.size(); ++i) rank[i] = set[i] ? next++ : 0;
    return store(dtype::int64, mask->shape, rank.data());
}

// Numbers of an axis along axis `at` of a result of some rank, times a step.
SINTER_INLINE handle steps_along(std::int64_t extent, std::int64_t step, int at, int rank) {
    dims shape = dims::filled(rank, 1);
    shape[at] = extent;
    handle args[] = {record_reshape(record_index(dims(extent)), shape), record_scalar(codegen::scalar_value::of(step), {})};
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
    std::vector<handle> indices;
    int axis_of_result = 0, next = 0;
    for (int i = 0; i < s.view.shape.size(); ++i) {
        if (s.gather.axes >> i & 1) {
            handle index = record_broadcast("assignment", signed_index(s.indices[static_cast<std::size_t>(next++)]), index_shape);
            indices.push_back(record_reshape(index, widened));
            std::int64_t n = s.view.shape[i];
            handle wrapped[] = {with_number(codegen::op::less, indices.back(), 0), with_number(codegen::op::add, indices.back(), n),
                                indices.back()};
            add(with_number(codegen::op::multiply, record_apply(codegen::op::where, wrapped), s.view.strides[i]));
            continue;
        }
        if (axis_of_result == s.gather.position) axis_of_result += index_shape.size();
        add(steps_along(s.view.shape[i], s.view.strides[i], axis_of_result++, rank));
    }
    for (std::size_t k = indices.size(); k-- > 0;) {
        int axis = s.axes[k];
        std::int64_t n = base->shape[axis];
        handle outside[] = {with_number(codegen::op::less, indices[k], -n), with_number(codegen::op::greater_equal, indices[k], n)};
        handle bits = with_number(codegen::op::bitwise_and, indices[k], codegen::bad_index::mask);
        handle code = with_number(codegen::op::add, with_number(codegen::op::multiply, bits, 8), codegen::bad_index::base(axis));
        handle args[] = {record_apply(codegen::op::logical_or, outside), code, at};
        at = record_apply(codegen::op::where, args);
    }
    return at;
}

SINTER_INLINE handle record_scatter(codegen::routine how, const handle& base, const selection& s, const handle& value) {
    dims index_shape, picked = codegen::kept_shape(s.view.shape, s.gather.axes);
    for (const handle& i : s.indices) index_shape = codegen::broadcast_shapes("assignment", index_shape, i->shape);
    for (int i = 0; i < index_shape.size(); ++i) picked.insert(s.gather.position + i, index_shape[i]);
    if (base->type == dtype::complex64 || base->type == dtype::complex128)
        if (how == codegen::routine::scatter_max || how == codegen::routine::scatter_min)
            throw type_error("[" + std::string(to_string(how)) + "] is not defined for " + std::string(to_string(base->type)));
    handle values = record_broadcast("assignment", record_cast(value, base->type), picked);
    handle positions = record_broadcast("assignment", positions_of(base, s, index_shape), picked);
    runtime::statement statement;
    statement.kind = runtime::statement_kind::call;
    statement.routine = how;
    statement.inputs = {base.get(), values.get(), positions.get()};
    device where = device_of("assignment", statement.inputs);
    return runtime::make_pending(base->type, base->shape, where, std::move(statement));
}

SINTER_INLINE handle write_selection(const handle& base, const selection& s, const handle& value) {
    if (s.indices.empty()) return record_update(base, value, s.view);
    if (!s.mask) return record_scatter(codegen::routine::scatter, base, s, value);
    // where(mask, value, base): a mask over the leading axes covers whole rows.
    dims shape = s.mask->shape;
    std::int64_t count = s.indices[0]->shape[0];
    while (shape.size() < base->shape.size()) shape.push_back(1);
    handle mask = record_broadcast("assignment", record_reshape(s.mask, shape), base->shape);
    handle v = record_cast(value, base->type);
    dims picked(count);
    for (int i = s.mask->shape.size(); i < base->shape.size(); ++i) picked.push_back(base->shape[i]);
    if (v->shape.size() == picked.size() && v->shape[0] == count && v->shape[0] != 1) {
        if (count == 0) return base;
        v = record_broadcast("assignment", v, picked);
        handle rank = ranks_of(s.mask);
        v = record_gather(v, {&rank, 1}, {1, 0});
    } else {
        dims fits = codegen::broadcast_shapes("assignment", v->shape, picked);
        if (fits != picked)
            throw shape_error("[assignment] cannot broadcast " + to_string(v->shape) + " to " + to_string(picked));
        if (v->shape.size() == picked.size() && !picked.empty()) {
            dims rows = v->shape;
            for (int i = 1; i < s.mask->shape.size(); ++i) rows.insert(0, 1);
            v = record_reshape(v, rows);
        }
        v = record_broadcast("assignment", v, base->shape);
    }
    handle args[] = {mask, v, base};
    return record_apply(codegen::op::where, args);
}

SINTER_INLINE std::vector<handle> nonzero_positions(const handle& mask) {
    handle m = record_cast(mask, dtype::bool_);
    std::int64_t size = m->shape.product();
    std::vector<char> set(static_cast<std::size_t>(size));
    read(m, set.data());
    int rank = m->shape.size();
    std::vector<std::vector<std::int64_t>> at(static_cast<std::size_t>(rank));
    dims steps = codegen::contiguous_strides(m->shape);
    for (std::int64_t i = 0; i < size; ++i)
        if (set[static_cast<std::size_t>(i)])
            for (int k = 0; k < rank; ++k) at[static_cast<std::size_t>(k)].push_back(i / steps[k] % m->shape[k]);
    device_scope on(mask->where);
    std::vector<handle> out;
    for (const auto& v : at) out.push_back(store(dtype::int64, dims(v.size()), v.data()));
    return out;
}

}  // namespace sinter::inline SINTER_ABI::detail
