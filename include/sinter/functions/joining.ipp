// Bodies of joining.hpp.
#pragma once

#include <sinter/array/host.hpp>
#include <sinter/array/reading.hpp>
#include <sinter/codegen/base/sorted_order.hpp>
#include <sinter/functions/joining.hpp>

#include <algorithm>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE void require_parts(std::string_view name, codegen::span<const handle> parts) {
    if (parts.empty()) throw value_error("[" + std::string(name) + "] at least one array is needed");
}

SINTER_INLINE handle record_concatenate(std::string_view name, codegen::span<const handle> parts, dtype type,
                                        std::int64_t given) {
    require_parts(name, parts);
    dims shape = parts[0]->shape;
    if (shape.empty())
        throw value_error("[" + std::string(name) + "] numbers without an axis cannot be joined: use stack");
    int axis = codegen::normalize_axis(name, given, shape.size());
    std::int64_t total = 0;
    for (const handle& p : parts) {
        dims fits = p->shape;
        if (fits.size() == shape.size()) fits[axis] = shape[axis];
        if (fits != shape)
            throw shape_error("[" + std::string(name) + "] all axes except axis " + std::to_string(axis) +
                              " must have the same size: " + to_string(shape) + " and " + to_string(p->shape));
        total = add_sizes(name, total, p->shape[axis]);
    }
    if (parts.size() == 1) return record_cast(parts[0], type);
    shape[axis] = total;
    device_scope on(parts[0]->where);
    handle joined = record_empty(type, shape);
    layout whole = codegen::contiguous(shape);
    std::int64_t start = 0;
    for (const handle& p : parts) {
        std::int64_t n = p->shape[axis];
        if (p->shape.product()) joined = record_update(joined, p, codegen::sliced(whole, axis, start, 1, n));
        start += n;
    }
    return joined;
}

SINTER_INLINE handle record_stack(std::string_view name, codegen::span<const handle> parts, dtype type,
                                  std::int64_t axis) {
    require_parts(name, parts);
    const int at = codegen::normalize_axis(name, axis, parts[0]->shape.size() + 1);
    codegen::sequence<handle> longer;
    for (const handle& p : parts) {
        if (p->shape != parts[0]->shape)
            throw shape_error("[" + std::string(name) + "] all arrays must have the same shape: " +
                              to_string(parts[0]->shape) + " and " + to_string(p->shape));
        longer.push_back(record_expand_dims(p, dims(at)));
    }
    return record_concatenate(name, longer, type, at);
}

SINTER_INLINE codegen::sequence<handle> with_axes(codegen::span<const handle> parts, int rank) {
    codegen::sequence<handle> longer;
    for (const handle& p : parts) longer.push_back(record_atleast(p, rank));
    return longer;
}

SINTER_INLINE handle record_hstack(codegen::span<const handle> parts, dtype type) {
    require_parts("hstack", parts);
    return record_concatenate("hstack", with_axes(parts, 1), type, parts[0]->shape.size() > 1 ? 1 : 0);
}

SINTER_INLINE handle record_vstack(codegen::span<const handle> parts, dtype type) {
    return record_concatenate("vstack", with_axes(parts, 2), type, 0);
}

SINTER_INLINE handle record_dstack(codegen::span<const handle> parts, dtype type) {
    return record_concatenate("dstack", with_axes(parts, 3), type, 2);
}

SINTER_INLINE handle record_column_stack(codegen::span<const handle> parts, dtype type) {
    codegen::sequence<handle> columns;
    for (const handle& p : parts)
        columns.push_back(p->shape.size() < 2 ? record_reshape(p, dims(p->shape.product(), 1)) : p);
    return record_concatenate("column_stack", columns, type, 1);
}

// The axes with times > 1 doubled into (times, n), or (n, times) when elements repeat, and merged again.
SINTER_INLINE handle record_repeated(std::string_view name, const handle& x, const dims& times, bool elements) {
    layout l{{}, {}, 0};
    dims steps = codegen::contiguous_strides(x->shape), shape = x->shape;
    for (int i = 0; i < shape.size(); ++i) {
        if (times[i] != 1 && !elements) {
            l.shape.push_back(times[i]);
            l.strides.push_back(0);
        }
        l.shape.push_back(shape[i]);
        l.strides.push_back(steps[i]);
        if (times[i] != 1 && elements) {
            l.shape.push_back(times[i]);
            l.strides.push_back(0);
        }
        shape[i] = multiply_sizes(name, shape[i], times[i]);
    }
    return record_reshape(record_view(x, l), shape);
}

SINTER_INLINE device device_of_first(codegen::span<const handle> parts) {
    for (const handle& h : parts)
        if (h) return h->where;
    return runtime::current_device();
}

SINTER_INLINE handle record_tile(const handle& x, const dims& times) {
    dims shape = x->shape, each = times;
    while (shape.size() < each.size()) shape.insert(0, 1);
    while (each.size() < shape.size()) each.insert(0, 1);
    int doubled = 0;
    for (std::int64_t t : each) {
        if (t < 0) throw value_error("[tile] a number of times is negative: " + to_string(times));
        doubled += t != 1;
    }
    handle tiled = record_view(x, codegen::contiguous(shape));
    if (doubled + shape.size() <= max_rank) return record_repeated("tile", tiled, each, false);
    for (int i = 0; i < each.size(); ++i) {
        dims one = dims::filled(each.size(), 1);
        one[i] = each[i];
        tiled = record_repeated("tile", tiled, one, false);
    }
    return tiled;
}

SINTER_INLINE handle record_repeat(const handle& x, std::int64_t times, int axis) {
    if (times < 0) throw value_error("[repeat] the number of times is negative: " + std::to_string(times));
    dims each = dims::filled(x->shape.size(), 1);
    each[axis] = times;
    return record_repeated("repeat", x, each, true);
}

SINTER_INLINE handle record_take_known(const handle& x, codegen::span<const std::int64_t> at, int axis) {
    device_scope on(x->where);
    handle index = store(dtype::int64, dims(at.size()), at.data());
    return record_gather(x, {&index, 1}, {static_cast<std::uint8_t>(1 << axis), static_cast<std::uint8_t>(axis)});
}

SINTER_INLINE handle record_repeat(const handle& x, codegen::span<const std::int64_t> times, int axis) {
    std::int64_t n = x->shape[axis];
    if (times.size() == 1) return record_repeat(x, times[0], axis);
    if (static_cast<std::int64_t>(times.size()) != n)
        throw shape_error("[repeat] " + std::to_string(times.size()) + " counts for axis " + std::to_string(axis) +
                          " of " + to_string(x->shape));
    std::int64_t total = 0;
    for (std::int64_t count : times) {
        if (count < 0) throw value_error("[repeat] a count is negative: " + std::to_string(count));
        total = add_sizes("repeat", total, count);
    }
    auto at = reserved_on_host<std::int64_t>("repeat", total);
    for (std::int64_t i = 0; i < n; ++i)
        at.insert(at.end(), static_cast<std::size_t>(times[static_cast<std::size_t>(i)]), i);
    return record_take_known(x, at, axis);
}

SINTER_INLINE std::vector<std::int64_t> read_counts(std::string_view name, const handle& counts) {
    if (counts->shape.size() > 1)
        throw shape_error("[" + std::string(name) + "] counts are no vector: " + to_string(counts->shape));
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(counts->shape.product()));
    read(record_cast(counts, dtype::int64), numbers.data());
    for (const std::int64_t n : numbers)
        if (n < 0 && counts->type == dtype::uint64)
            throw value_error("[" + std::string(name) +
                              "] a count is too large: " + std::to_string(static_cast<std::uint64_t>(n)));
    return numbers;
}

// Where the elements stand along an axis that a shift moves, for each element of these axes.
SINTER_INLINE handle rolled_places(const dims& axes, int axis, std::int64_t shift) {
    const std::int64_t n = axes[axis];
    // Whose sums take a GPU half as many instructions.
    const dtype type = n <= std::int64_t{1} << 30 ? dtype::int32 : dtype::int64;
    const auto place = [&](std::int64_t at) {
        return type == dtype::int32 ? number(static_cast<std::int32_t>(at)) : number(at);
    };
    recorder r;
    dims along = dims::filled(axes.size(), 1);
    along[axis] = n;
    const handle number_of_row = record_reshape(record_index(dims(n)), along);
    handle number_of_place = record_cast(record_broadcast("roll", number_of_row, axes), type);
    const std::int64_t first = ((-shift) % n + n) % n;
    r.add_input(number_of_place);
    r.add_scalar(place(n - first));
    r.add_op(op::less);
    for (std::int64_t distance : {first, first - n}) {
        r.add_input(number_of_place);
        r.add_scalar(place(distance));
        r.add_op(op::add);
    }
    r.add_op(op::where);
    return record(r, type, axes);
}

// By a shift for each axis. Neighbouring axes that move are taken together, so that nothing is stored between them.
SINTER_INLINE handle record_rolls(const handle& x, const dims& shift_of_axis) {
    if (x->shape.product() == 0) return x;
    device_scope on(x->where);
    const auto moves = [&](int axis) { return shift_of_axis[axis] % x->shape[axis] != 0; };
    handle h = x;
    for (int axis = 0, end = 0; axis < x->shape.size(); axis = end + 1) {
        codegen::gather_info how{0, static_cast<std::uint8_t>(axis)};
        dims moved;
        for (end = axis; end < x->shape.size() && moves(end); ++end) {
            how.axes |= static_cast<std::uint8_t>(1 << end);
            moved.insert(moved.size(), x->shape[end]);
        }
        codegen::sequence<handle> places;
        for (int i = axis; i < end; ++i) places.push_back(rolled_places(moved, i - axis, shift_of_axis[i]));
        if (how.axes) h = record_gather(h, {places.data(), places.size()}, how);
    }
    return h;
}

SINTER_INLINE handle record_roll(const handle& x, std::int64_t shift, int axis) {
    return record_rolls(x, dims(shift), dims(axis));
}

// As many shifts as axes, or one of either for all of the others.
SINTER_INLINE handle record_rolls(const handle& x, const dims& shifts, const dims& axes) {
    if (shifts.size() != axes.size() && shifts.size() != 1 && axes.size() != 1)
        throw value_error("[roll] as many shifts as axes are needed: " + to_string(shifts) + " and " + to_string(axes));
    dims shift_of_axis = dims::filled(x->shape.size(), 0);
    const int count = axes.size() == 1 ? shifts.size() : axes.size();
    for (int i = 0; i < count; ++i) {
        const int axis = codegen::normalize_axis("roll", axes[axes.size() == 1 ? 0 : i], x->shape.size());
        const std::int64_t n = x->shape[axis], shift = shifts[shifts.size() == 1 ? 0 : i];
        // Of one axis shifts add up.
        if (n > 0) shift_of_axis[axis] = (shift_of_axis[axis] + shift % n) % n;
    }
    return record_rolls(x, shift_of_axis);
}

// A position for insert or delete, within [0, limit].
SINTER_INLINE std::int64_t normalize_place(std::string_view name, std::int64_t at, std::int64_t n, std::int64_t limit) {
    if (at < -n || at > limit)
        throw index_error("[" + std::string(name) + "] index " + std::to_string(at) + " is out of bounds for size " +
                          std::to_string(n));
    return at < 0 ? at + n : at;
}

// The values in the shape of what is inserted; `count` places, or as many as the values have.
SINTER_INLINE handle fit_inserted(const handle& x, const handle& values, int axis, std::int64_t count,
                                  bool number_index) {
    handle v = record_cast(values, x->type);
    dims shape = v->shape;
    while (shape.size() < x->shape.size()) shape.insert(0, 1);
    v = record_reshape(v, shape);
    if (number_index && shape.size() == x->shape.size()) v = record_moveaxis(v, dims(0), dims(axis));
    dims wanted = x->shape;
    wanted[axis] = count < 0 ? v->shape[axis] : count;
    return record_broadcast("insert", v, wanted);
}

SINTER_INLINE handle record_insert(const handle& x, std::int64_t at, const handle& values, int axis) {
    std::int64_t n = x->shape[axis], place = normalize_place("insert", at, n, n);
    handle parts[] = {record_part(x, axis, 0, place), fit_inserted(x, values, axis, -1, true),
                      record_part(x, axis, place, n)};
    return record_concatenate("insert", parts, x->type, axis);
}

SINTER_INLINE handle record_insert(const handle& x, codegen::span<const std::int64_t> at, const handle& values,
                                   int axis) {
    std::int64_t n = x->shape[axis], done = 0, count = static_cast<std::int64_t>(at.size());
    handle v = fit_inserted(x, values, axis, count == 1 ? -1 : count, false);
    codegen::sequence<std::int64_t> places;
    for (std::int64_t p : at) places.push_back(normalize_place("insert", p, n, n));
    auto comes_before = [&](std::size_t a, std::size_t b) { return places[a] < places[b]; };
    codegen::sequence<handle> parts;
    for (std::int64_t which : codegen::sorted_order(places.size(), comes_before)) {
        const std::int64_t place = places[static_cast<std::size_t>(which)];
        parts.push_back(record_part(x, axis, done, place));
        parts.push_back(count == 1 ? v : record_part(v, axis, which, which + 1));
        done = place;
    }
    parts.push_back(record_part(x, axis, done, n));
    return record_concatenate("insert", parts, x->type, axis);
}

SINTER_INLINE handle record_delete(const handle& x, codegen::span<const std::int64_t> at, int axis) {
    std::int64_t n = x->shape[axis], done = 0;
    std::vector<std::int64_t> places;
    for (std::int64_t p : at) places.push_back(normalize_place("delete_", p, n, n - 1));
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    if (places.size() > 16) {
        std::vector<std::int64_t> kept;
        auto next = places.begin();
        for (std::int64_t i = 0; i < n; ++i)
            if (next != places.end() && *next == i) ++next;
            else kept.push_back(i);
        return record_take_known(x, kept, axis);
    }
    codegen::sequence<handle> parts;
    for (std::int64_t p : places) {
        if (p > done) parts.push_back(record_part(x, axis, done, p));
        done = p + 1;
    }
    parts.push_back(record_part(x, axis, done, n));
    return record_concatenate("delete_", parts, x->type, axis);
}

SINTER_INLINE handle record_delete(const handle& x, const slice& at, int axis) {
    const std::int64_t n = x->shape[axis];
    const index_item item{.kind = index_item::what::slice, .range = at};
    const layout along = select(dims(n), {&item, 1}).view;
    const std::int64_t count = along.shape[0], step = along.strides[0];
    if (count == 0) return x;
    if (step == 1 || step == -1) {
        const std::int64_t first = step == 1 ? along.offset : along.offset - count + 1;
        const handle parts[] = {record_part(x, axis, 0, first), record_part(x, axis, first + count, n)};
        return record_concatenate("delete_", parts, x->type, axis);
    }
    std::vector<std::int64_t> places;
    for (std::int64_t i = 0; i < count; ++i) places.push_back(along.offset + i * step);
    return record_delete(x, places, axis);
}

SINTER_INLINE handle record_delete(const handle& x, const handle& at, int axis) {
    if (at->type != dtype::bool_)
        return record_delete(x, to_vector(array<std::int64_t>(record_cast(at, dtype::int64))), axis);
    if (at->shape != dims(x->shape[axis]))
        throw value_error("[delete_] conditions of shape " + to_string(at->shape) + " for axis " +
                          std::to_string(axis) + " with size " + std::to_string(x->shape[axis]));
    const handle stays = record_apply(op::logical_not, {&at, 1});
    if (x->shape.size() == 1) return select_elements(stays, {&x, 1})[0];
    const handle places = nonzero_positions(stays)[0];
    return record_gather(x, {&places, 1}, {static_cast<std::uint8_t>(1 << axis), static_cast<std::uint8_t>(axis)});
}

}  // namespace sinter::inline SINTER_ABI::detail

namespace sinter::inline SINTER_ABI {

#define SINTER_JOIN_PARTS(T, name)                                                      \
    SINTER_INLINE array<T> name(std::initializer_list<detail::part<T>> parts) {         \
        return array<T>(detail::record_##name(detail::handles_of(parts), dtype_of<T>)); \
    }
#define SINTER_JOIN_PARTS_ALONG(T, name)                                                             \
    SINTER_INLINE array<T> name(std::initializer_list<detail::part<T>> parts, std::int64_t axis) {   \
        return array<T>(detail::record_##name(#name, detail::handles_of(parts), dtype_of<T>, axis)); \
    }
#define SINTER_ELEMENT_TYPE(dtype_name, T)  \
    SINTER_JOIN_PARTS_ALONG(T, concatenate) \
    SINTER_JOIN_PARTS_ALONG(T, stack)       \
    SINTER_JOIN_PARTS(T, hstack)            \
    SINTER_JOIN_PARTS(T, vstack)            \
    SINTER_JOIN_PARTS(T, dstack)            \
    SINTER_JOIN_PARTS(T, column_stack)
#include <sinter/codegen/base/element_types.def>
#undef SINTER_ELEMENT_TYPE
#undef SINTER_JOIN_PARTS
#undef SINTER_JOIN_PARTS_ALONG

}  // namespace sinter::inline SINTER_ABI
