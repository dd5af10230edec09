// Bodies of index.hpp.
#pragma once

#include <sinter/array/scatter.hpp>
#include <sinter/array/index.hpp>
#include <sinter/array/reading.hpp>
#include <sinter/runtime/compile/row_printers.hpp>
#include <sinter/runtime/lazy/element.hpp>

#include <mutex>

namespace sinter::inline SINTER_ABI::detail {

// Python's slice.indices: start, step and count along an axis of n elements.
SINTER_INLINE void apply_slice(layout& l, int axis, const slice& s) {
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
    std::int64_t count = span <= 0 ? 0 : stride == 1 ? span : (span - 1) / stride + 1;
    codegen::restrict_axis(l, axis, count ? first : 0, step, count);
}

SINTER_INLINE void add_axis(layout& l, int axis) {
    l.shape.insert(axis, 1);
    l.strides.insert(axis, 0);
}

// `named`: the axis as the user counts them.
SINTER_INLINE void apply_number(layout& l, int axis, std::int64_t number, int named) {
    std::int64_t n = l.shape[axis], k = number < 0 ? number + n : number;
    if (k < 0 || k >= n)
        throw index_error("[index] index " + std::to_string(number) + " is out of bounds for axis " +
                          std::to_string(named) + " with size " + std::to_string(n));
    codegen::restrict_axis(l, axis, k, 1, 1);
    l.shape.erase(axis);
    l.strides.erase(axis);
}

SINTER_INLINE int axes_taken(const index_item& i) {
    if (i.kind == index_item::what::mask) return i.indices->shape.size();
    return i.kind == index_item::what::newaxis || i.kind == index_item::what::ellipsis ? 0 : 1;
}

// A mask of an array's axes from one on; as in NumPy an axis of size zero, which holds nothing, fits any.
SINTER_INLINE handle fitting_mask(const handle& mask, const dims& shape, int axis) {
    dims sizes;
    for (int k = 0; k < mask->shape.size(); ++k) {
        const std::int64_t size = shape[axis + k];
        if (mask->shape[k] != size && mask->shape[k] != 0)
            throw index_error("[index] a mask of shape " + to_string(mask->shape) + " does not fit an array of shape " +
                              to_string(shape) + ": the size of axis " + std::to_string(axis + k) + " is " +
                              std::to_string(size) + ", the mask's " + std::to_string(mask->shape[k]));
        sizes.push_back(size);
    }
    if (sizes == mask->shape) return mask;
    device_scope on(mask->where);
    return record_scalar(codegen::scalar_value::of(false), sizes);
}

SINTER_INLINE selection select_by_mask(const dims& base, const handle& mask) {
    selection s(base);
    s.mask = fitting_mask(mask, base, 0);
    return s;
}

// Where the axes of index arrays stand in the result: where the arrays stand when they stand together, else first.
class gathered_place {
public:
    // An index array, or what counts as one, before this axis of the result.
    void pick(int axis) {
        if (first_ < 0) first_ = axis;
        apart_ = apart_ || ended_;
    }
    void keep() { ended_ = first_ >= 0; }
    std::uint8_t position() const { return static_cast<std::uint8_t>(apart_ || first_ < 0 ? 0 : first_); }

private:
    int first_ = -1;
    bool ended_ = false, apart_ = false;
};

// Applies the items of an index to the whole of a base, from left to right.
class selector {
public:
    // `whole`: axes that an ellipsis stands for.
    selector(selection& to, const dims& base, int whole) : s_(to), base_(base), whole_(whole) {}

    void apply(const index_item& i) {
        switch (i.kind) {
            case index_item::what::number: place_.pick(axis_); return apply_number(s_.view, axis_, i.number, named_++);
            case index_item::what::slice: apply_slice(s_.view, axis_, i.range); return keep(1, 1);
            case index_item::what::newaxis: add_axis(s_.view, axis_); return keep(1, 0);
            case index_item::what::ellipsis: return keep(whole_, whole_);
            case index_item::what::indices: return index_by(i.indices, named_++);
            case index_item::what::mask: return apply_mask(i.indices);
        }
    }
    void finish() { s_.gather.position = place_.position(); }

private:
    void keep(int axes, int named) {
        place_.keep();
        axis_ += axes;
        named_ += named;
    }
    void index_by(const handle& indices, int named) {
        place_.pick(axis_);
        s_.gather.axes = static_cast<std::uint8_t>(s_.gather.axes | 1 << axis_++);
        s_.indices.push_back(indices);
        s_.axes.push_back(named);
    }
    // A mask stands for the positions of its true elements; one without axes picks a new axis, or nothing of it.
    void apply_mask(const handle& mask) {
        if (mask->shape.empty()) {
            add_axis(s_.view, axis_);
            return index_by(nonzero_positions(record_reshape(mask, dims(1)))[0], -1);
        }
        for (const handle& h : nonzero_positions(fitting_mask(mask, base_, named_))) index_by(h, named_++);
    }

    selection& s_;
    const dims& base_;
    int whole_, axis_ = 0, named_ = 0;  // the next axis of the view, and of the base
    gathered_place place_;
};

// `taken`: axes that the items take.
SINTER_INLINE selection select_by_items(const dims& base, codegen::span<const index_item> items, int taken) {
    selection s(base);
    selector to(s, base, base.size() - taken);
    for (const index_item& i : items) to.apply(i);
    to.finish();
    return s;
}

SINTER_INLINE int require_axes(const dims& base, codegen::span<const index_item> given) {
    int taken = 0, ellipses = 0;
    for (const index_item& i : given) {
        taken += axes_taken(i);
        ellipses += i.kind == index_item::what::ellipsis;
    }
    if (taken > base.size())
        throw index_error("[index] " + std::to_string(taken) + " indices for an array of " +
                          std::to_string(base.size()) + " dimensions");
    if (ellipses > 1) throw index_error("[index] more than one ellipsis");
    return taken;
}

SINTER_INLINE selection select(const dims& base, codegen::span<const index_item> given) {
    const int taken = require_axes(base, given);
    if (given.size() == 1 && given[0].kind == index_item::what::mask && !given[0].indices->shape.empty())
        return select_by_mask(base, given[0].indices);
    return select_by_items(base, given, taken);
}

SINTER_INLINE selection with_positions(const selection& given) {
    selection s = given;
    if (!s.mask) return s;
    s.indices = nonzero_positions(s.mask);
    s.gather = {static_cast<std::uint8_t>((1 << s.mask->shape.size()) - 1), 0};
    for (int i = 0; i < s.mask->shape.size(); ++i) s.axes.push_back(i);
    s.mask = handle();
    return s;
}

// A loop over elements goes on in memory. The lock is held.
SINTER_INLINE void store_elements_in_turn(const handle& base) {
    if (runtime::has_elements_in_turn(*base)) runtime::evaluate(base.alone(), runtime::policy::only);
}

// Where a selected element of a stored base lies in its memory.
SINTER_INLINE std::int64_t place_of(const runtime::value& base, const selection& s) {
    std::int64_t at = base.at.offset, rest = s.view.offset;
    for (int i = base.shape.size(); i-- > 0; rest /= base.shape[i]) at += rest % base.shape[i] * base.at.strides[i];
    return at;
}

SINTER_INLINE handle read_selection(const handle& base, const selection& s) {
    if (s.mask && s.mask->shape.size() == base->shape.size()) return select_elements(s.mask, {&base, 1})[0];
    if (s.mask) return read_selection(base, with_positions(s));
    if (s.is_element()) {
        std::lock_guard lock(runtime::runtime_lock());
        store_elements_in_turn(base);
        if (handle element = base->is_stored() ? runtime::copied_element(*base, place_of(*base, s)) : handle())
            return element;
    }
    handle view = record_view(base, s.view);
    if (s.indices.empty()) return view;
    return record_gather(view, s.indices, s.gather);
}

// The number of each true element among the true ones, for values that are assigned in order.
SINTER_INLINE handle ranks_of(const handle& mask) {
    handle flat = record_view(record_cast(mask, dtype::bool_), codegen::contiguous(dims(mask->shape.product())));
    handle counts = record_scan(codegen::reduction::sum, flat, 0);
    recorder r;
    r.add_input(counts);
    r.add_scalar(codegen::scalar_value::of(std::int64_t{1}));
    r.add_op(codegen::op::subtract);
    r.add_scalar(codegen::scalar_value::of(std::int64_t{0}));
    r.add_op(codegen::op::maximum);
    return record_view(record(std::move(r), dtype::int64, flat->shape), codegen::contiguous(mask->shape));
}

SINTER_INLINE std::int64_t count_true(const handle& mask) {
    auto every = static_cast<std::uint8_t>((1 << mask->shape.size()) - 1);
    handle count = record_reduce(codegen::reduction::sum, record_cast(mask, dtype::bool_), every, false);
    return read_item(count, {}).as<std::int64_t>();
}

// A value without the axes of one in front that a selection does not have.
SINTER_INLINE handle without_leading_ones(const handle& value, const selection& s) {
    int axes_of_indices = 0;
    for (const handle& i : s.indices) axes_of_indices = std::max(axes_of_indices, i->shape.size());
    const int rank = s.view.shape.size() - static_cast<int>(s.indices.size()) + axes_of_indices;
    dims shape = value->shape;
    while (shape.size() > rank && shape[0] == 1) shape.erase(0);
    return shape.size() == value->shape.size() ? value : record_reshape(value, shape);
}

SINTER_INLINE bool write_element(const handle& base, const selection& s, const handle& value, int handles) {
    if (!s.is_element() || !value->shape.empty()) return false;
    std::lock_guard lock(runtime::runtime_lock());
    store_elements_in_turn(base);
    if (!base->is_stored() || s.view.offset >= base->shape.product()) return false;
    return runtime::write_element(*base, place_of(*base, s), *value, handles);
}

SINTER_INLINE handle write_selection(const handle& base, const selection& s, const handle& value) {
    if (!s.mask && s.indices.empty()) return record_update(base, without_leading_ones(value, s), s.view);
    if (!s.mask)
        return record_scatter({codegen::routine::scatter, 0, codegen::purpose::assignment}, base, s,
                              without_leading_ones(value, s));
    // where(mask, value, base): a mask over the leading axes covers whole rows.
    dims shape = s.mask->shape;
    // One number fits whatever the mask holds; how many elements there are is only asked for when it matters.
    std::int64_t count = value->shape.empty() ? 1 : count_true(s.mask);
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
        codegen::require_fills("assignment", v->shape, picked);
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

SINTER_INLINE handle record_select(const handle& mask, const handle* value) {
    runtime::statement s;
    runtime::use_row_printers();
    s.kind = runtime::statement_kind::select;
    s.inputs = {mask.get()};
    if (value) s.inputs.push_back(value->get());
    device where = device_of("select", s.inputs);
    return value ? runtime::make_pending((*value)->type, dims(mask->shape.product()), where, std::move(s))
                 : runtime::make_pending(dtype::int64, {}, where, std::move(s));
}

// A selection is written into memory for all elements, because how many it has is known afterwards. It stays there when
// it fills a quarter of it or the memory is small, else it is copied into memory of its size: that costs at most a
// quarter of what the kernel moved, while counting first would read everything twice.
SINTER_INLINE handle fitted(const handle& all, std::int64_t count) {
    constexpr std::int64_t small = 1 << 20;
    handle part = runtime::make_stored(all->type, dims(count), all->memory, codegen::contiguous(dims(count)));
    if (count * 4 >= all->shape[0] || all->bytes() <= small) return part;
    handle copy = contiguous_copy(part);
    runtime::evaluate(copy.alone(), runtime::policy::only);
    return copy;
}

SINTER_INLINE codegen::sequence<handle> select_elements(const handle& mask, codegen::span<const handle> values) {
    device_scope on(mask->where);
    codegen::sequence<handle> all, out;
    if (mask->shape.product() == 0) {
        for (const handle& v : values) out.push_back(store(v->type, dims(0), nullptr));
        return out;
    }
    handle m = record_cast(mask, dtype::bool_);
    for (const handle& v : values) all.push_back(record_select(m, &v));
    all.push_back(record_select(m, nullptr));
    evaluate(all);
    std::int64_t count = read_item(all.back(), {}).as<std::int64_t>();
    for (std::size_t i = 0; i < values.size(); ++i) out.push_back(fitted(all[i], count));
    return out;
}

SINTER_INLINE codegen::sequence<handle> nonzero_positions(const handle& mask) {
    device_scope on(mask->where);
    if (mask->shape.empty()) return {};
    dims steps = codegen::contiguous_strides(mask->shape);
    handle index = record_index(mask->shape);
    codegen::sequence<handle> at;
    for (int k = 0; k < mask->shape.size(); ++k) {
        recorder r;
        r.add_input(index);
        if (k + 1 < mask->shape.size()) {
            r.add_scalar(codegen::scalar_value::of(steps[k] > 0 ? steps[k] : std::int64_t{1}));
            r.add_op(codegen::op::floor_divide);
        }
        if (k > 0) {
            r.add_scalar(codegen::scalar_value::of(mask->shape[k]));
            r.add_op(codegen::op::remainder);
        }
        if (mask->shape.size() == 1) at.push_back(index);
        else at.push_back(record(std::move(r), dtype::int64, mask->shape));
    }
    return select_elements(mask, at);
}

}  // namespace sinter::inline SINTER_ABI::detail
