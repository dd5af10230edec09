// Bodies of picking.hpp.
#pragma once

#include <sinter/functions/picking.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE handle record_take(const handle& x, const handle& index, int axis) {
    return record_gather(x, {&index, 1}, {static_cast<std::uint8_t>(1 << axis), static_cast<std::uint8_t>(axis)});
}

SINTER_INLINE handle record_take_number(const handle& x, std::int64_t index, int axis) {
    std::int64_t n = x->shape[axis], k = index < 0 ? index + n : index;
    if (k < 0 || k >= n)
        throw index_error("[take] index " + std::to_string(index) + " is out of bounds for axis " +
                          std::to_string(axis) + " with size " + std::to_string(n));
    return record_squeeze(record_part(x, axis, k, k + 1), dims(axis));
}

SINTER_INLINE codegen::sequence<handle> indices_along(std::string_view name, const handle& x, const handle& index,
                                                      int axis) {
    int rank = x->shape.size();
    if (index->shape.size() != rank)
        throw value_error("[" + std::string(name) + "] indices and array have different numbers of axes: " +
                          to_string(index->shape) + " and " + to_string(x->shape));
    device_scope on(x->where);
    dims shape = x->shape, own = index->shape;
    shape[axis] = own[axis] = 1;
    shape = codegen::broadcast_shapes(name, shape, own);
    shape[axis] = index->shape[axis];
    codegen::sequence<handle> indices;
    for (int i = 0; i < rank; ++i) {
        if (i == axis) indices.push_back(record_broadcast(name, index, shape));
        else indices.push_back(record_along(record_index(dims(x->shape[i])), shape, i));
    }
    return indices;
}

SINTER_INLINE handle record_take_along(const handle& x, const handle& index, int axis) {
    return record_gather(x, indices_along("take_along_axis", x, index, axis),
                         {static_cast<std::uint8_t>((1 << x->shape.size()) - 1), 0, codegen::purpose::take_along_axis});
}

SINTER_INLINE handle record_index_within(std::string_view name, const handle& index, std::int64_t size,
                                         std::string_view mode) {
    if (mode == "raise") return index;
    if (mode != "wrap" && mode != "clip")
        throw value_error("[" + std::string(name) + "] the mode is not raise, wrap or clip: " + std::string(mode));
    if (size == 0) return index;
    recorder r;
    r.add_input(index);
    if (mode == "clip") {
        r.add_scalar(number(std::int64_t{0}));
        r.add_op(op::maximum);
        r.add_scalar(number(size - 1));
        r.add_op(op::minimum);
    } else {
        r.add_scalar(number(size));
        r.add_op(op::remainder);
    }
    return record(r, dtype::int64, index->shape);
}

// Unsigned numbers are not counted from the end by a gather.
SINTER_INLINE handle index_of_choice(const handle& index, std::int64_t choices, std::string_view mode) {
    if (choices == 0) throw value_error("[choose] there is no choice");
    if (mode == "raise") return record_cast(index, dtype::uint64);
    return record_index_within("choose", index, choices, mode);
}

SINTER_INLINE handle record_choose(const handle& index, codegen::span<const handle> choices, dtype type,
                                   std::string_view mode) {
    auto n = static_cast<std::int64_t>(choices.size());
    handle which = index_of_choice(index, n, mode);
    if (n > 32767) throw value_error("[choose] there are more than 32767 choices: stack them");
    if (n == 1) {
        dims row = choices[0]->shape;
        row.insert(0, 1);
        return record_choose(index, record_view(choices[0], codegen::contiguous(row)), mode);
    }
    device_scope on(index->where);
    dims shape = index->shape;
    for (const handle& c : choices) shape = codegen::broadcast_shapes("choose", shape, c->shape);
    // A gather from the numbers themselves checks the index.
    if (mode == "raise") which = record_gather(record_index(dims(n)), {&which, 1}, {1, 0, codegen::purpose::choose});
    recorder r;
    auto add_choice = [&](std::int64_t i) {
        const handle& c = choices[static_cast<std::size_t>(i)];
        r.add_input(c);
        if (c->type != type) r.add_cast(type);
    };
    for (std::int64_t i = 0; i < n - 1; ++i) {
        r.add_input(which);
        r.add_literal(dtype::int64, static_cast<std::int16_t>(i));
        r.add_op(op::equal);
        add_choice(i);
    }
    add_choice(n - 1);
    for (std::int64_t i = 0; i < n - 1; ++i) r.add_op(op::where);
    return record(r, type, shape);
}

SINTER_INLINE handle record_choose(const handle& index, const handle& choices, std::string_view mode) {
    if (choices->shape.empty()) throw value_error("[choose] a single number has no choices");
    handle which = index_of_choice(index, choices->shape[0], mode);
    device_scope on(index->where);
    dims row = choices->shape;
    row.erase(0);
    dims shape = codegen::broadcast_shapes("choose", index->shape, row);
    codegen::sequence<handle> indices{record_broadcast("choose", which, shape)};
    for (int i = 0; i < row.size(); ++i)
        indices.push_back(record_along(record_index(dims(row[i])), shape, shape.size() - row.size() + i));
    return record_gather(choices, indices,
                         {static_cast<std::uint8_t>((1 << choices->shape.size()) - 1), 0, codegen::purpose::choose});
}

SINTER_INLINE handle record_compress(const handle& condition, const handle& x, int axis) {
    if (condition->shape.size() != 1)
        throw value_error("[compress] the condition is not a vector: " + to_string(condition->shape));
    if (condition->shape[0] > x->shape[axis])
        throw index_error("[compress] " + std::to_string(condition->shape[0]) + " conditions for axis " +
                          std::to_string(axis) + " with size " + std::to_string(x->shape[axis]));
    if (x->shape.size() == 1 && x->shape == condition->shape) return select_elements(condition, {&x, 1})[0];
    return record_take(x, nonzero_positions(condition)[0], axis);
}

SINTER_INLINE codegen::sequence<handle> record_nonzero(std::string_view name, const handle& x) {
    if (x->shape.empty())
        throw value_error("[" + std::string(name) + "] a single number has no positions: use atleast_1d");
    return nonzero_positions(x);
}

SINTER_INLINE handle record_argwhere(const handle& x) {
    return record_stack("argwhere", record_nonzero("argwhere", x), dtype::int64, 1);
}

// Throws when an element is not in [0, size): a wrong position must not become a valid one of another row.
SINTER_INLINE void require_range(std::string_view name, const handle& index, std::int64_t size) {
    recorder r;
    r.add_input(index);
    r.add_scalar(number(std::int64_t{0}));
    r.add_op(op::less);
    r.add_input(index);
    r.add_scalar(number(size));
    r.add_op(op::greater_equal);
    r.add_op(op::logical_or);
    handle wrong = record(r, dtype::bool_, index->shape);
    auto every = static_cast<std::uint8_t>((1 << index->shape.size()) - 1);
    if (index->shape.size() > 0) wrong = record_reduce(codegen::reduction::any, wrong, every, false);
    if (!read_item(wrong, {}).as<bool>()) return;
    auto extreme = [&](codegen::reduction how) {
        handle h = index->shape.size() > 0 ? record_reduce(how, index, every, false) : index;
        return std::to_string(read_item(h, {}).as<std::int64_t>());
    };
    throw value_error("[" + std::string(name) + "] an index is out of bounds for size " + std::to_string(size) +
                      ": from " + extreme(codegen::reduction::min) + " to " + extreme(codegen::reduction::max));
}

// How far apart in a flat array neighbours along each axis are.
SINTER_INLINE dims steps_of(std::string_view name, const dims& shape, char order) {
    if (order != 'C' && order != 'F')
        throw value_error("[" + std::string(name) + "] the order is not 'C' or 'F': " + std::string(1, order));
    if (order == 'C') return codegen::contiguous_strides(shape);
    dims steps = shape;
    std::int64_t step = 1;
    for (int k = 0; k < shape.size(); step *= shape[k++]) steps[k] = step;
    return steps;
}

SINTER_INLINE codegen::sequence<handle> record_unravel(const handle& index, const dims& shape, char order) {
    require_range("unravel_index", index, shape.product());
    const dims steps = steps_of("unravel_index", shape, order);
    codegen::sequence<handle> out;
    for (int i = 0; i < shape.size(); ++i) {
        recorder r;
        r.add_input(index);
        r.add_scalar(number(steps[i]));
        r.add_op(op::floor_divide);
        r.add_scalar(number(shape[i]));
        r.add_op(op::remainder);
        out.push_back(record(r, dtype::int64, index->shape));
    }
    return out;
}

// An index that is in range, as the mode makes it, or is read to see; along an axis without places none is.
SINTER_INLINE handle index_in_range(const handle& index, std::int64_t size, std::string_view mode) {
    if (mode != "raise" && mode != "wrap" && mode != "clip")
        throw value_error("[ravel_multi_index] mode is not raise, wrap or clip: " + std::string(mode));
    if (mode == "wrap" && size > 0) return apply(op::remainder, index, static_cast<double>(size));
    if (mode == "clip" && size > 0)
        return apply(op::maximum, apply(op::minimum, index, static_cast<double>(size - 1)), 0.0);
    require_range("ravel_multi_index", index, size);
    return index;
}

SINTER_INLINE handle record_ravel_index(codegen::span<const handle> indices, const dims& shape,
                                        const ravel_index_options& o) {
    if (static_cast<int>(indices.size()) != shape.size() || indices.empty())
        throw value_error("[ravel_multi_index] " + std::to_string(indices.size()) +
                          " arrays of indices for the shape " + to_string(shape));
    const dims steps = steps_of("ravel_multi_index", shape, o.order);
    dims common;
    // A recorder does not own its inputs before it is recorded.
    codegen::sequence<handle> kept;
    recorder r;
    for (int i = 0; i < shape.size(); ++i) {
        kept.push_back(
            index_in_range(record_cast(indices[static_cast<std::size_t>(i)], dtype::int64), shape[i], o.mode));
        const handle& index = kept.back();
        common = codegen::broadcast_shapes("ravel_multi_index", common, index->shape);
        r.add_input(index);
        r.add_scalar(number(steps[i]));
        r.add_op(op::multiply);
        if (i) r.add_op(op::add);
    }
    return record(r, dtype::int64, common);
}

SINTER_INLINE void require_axis_count(std::size_t wanted, std::size_t found) {
    if (found != wanted)
        throw value_error("[nonzero] positions along " + std::to_string(wanted) + " axes of an array of " +
                          std::to_string(found));
}

}  // namespace sinter::inline SINTER_ABI::detail

namespace sinter::inline SINTER_ABI {

#define SINTER_ELEMENT_TYPE(dtype_name, T)                                                                        \
    SINTER_INLINE array<T> choose(const array<std::int64_t>& index, std::initializer_list<detail::part<T>> parts, \
                                  choose_options o) {                                                             \
        const codegen::sequence<detail::handle> choices = detail::handles_of(parts);                              \
        return array<T>(detail::record_choose(index.get_handle(), choices, dtype_of<T>, o.mode));                 \
    }                                                                                                             \
    SINTER_INLINE array<T> choose(std::int64_t index, std::initializer_list<detail::part<T>> parts,               \
                                  choose_options o) {                                                             \
        const device_scope on(detail::device_of_first(detail::handles_of(parts)));                                \
        return choose(full<std::int64_t>({}, index), parts, o);                                                   \
    }
#include <sinter/codegen/base/element_types.def>
#undef SINTER_ELEMENT_TYPE

}  // namespace sinter::inline SINTER_ABI
