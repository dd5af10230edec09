// Bodies of rearranging.hpp.
#pragma once

#include <sinter/analysis/rearranging.hpp>
#include <sinter/functions/picking.hpp>
#include <sinter/functions/term.hpp>

namespace sinter::inline SINTER_ABI {

SINTER_INLINE dims broadcast_shapes(const dims& a, const dims& b, const dims& c, const dims& d, const dims& e,
                                    const dims& f) {
    dims common = a;
    for (const dims* shape : {&b, &c, &d, &e, &f})
        common = codegen::broadcast_shapes("broadcast_shapes", common, *shape);
    return common;
}

}  // namespace sinter::inline SINTER_ABI

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE int split_axis(std::string_view name, int rank, int axis, int least_rank) {
    if (rank < least_rank)
        throw value_error("[" + std::string(name) + "] an array has too few axes: " + std::to_string(rank));
    return axis;
}

SINTER_INLINE handle record_row_of_blocks(codegen::span<const handle> parts, dtype type, int rank) {
    for (const handle& p : parts) rank = std::max(rank, p->shape.size());
    codegen::sequence<handle> raised;
    for (const handle& p : parts) {
        dims shape = dims::filled(rank - p->shape.size(), 1);
        for (std::int64_t n : p->shape) shape.push_back(n);
        raised.push_back(record_reshape(p, shape));
    }
    return record_concatenate("block", raised, type, -1);
}

SINTER_INLINE handle record_block(codegen::span<const blocks> rows, dtype type) {
    codegen::sequence<handle> lines;
    for (const blocks& row : rows) {
        if (row.is_row != rows[0].is_row) throw value_error("[block] rows in braces stand beside blocks without");
        if (row.is_row) lines.push_back(record_row_of_blocks(row.parts, type, 2));
        else
            for (const handle& part : row.parts) lines.push_back(part);
    }
    if (lines.empty()) throw value_error("[block] there are no blocks");
    return rows[0].is_row ? record_concatenate("block", lines, type, -2) : record_row_of_blocks(lines, type, 1);
}

SINTER_INLINE int only_axis(std::string_view name, const dims& shape) {
    if (shape.size() > 1)
        throw value_error("[" + std::string(name) + "] the axis of " + to_string(shape) + " has to be given");
    return 0;
}

SINTER_INLINE handle record_resize(const handle& x, const dims& shape) {
    codegen::require_sizes("resize", shape);
    const std::int64_t n = x->shape.product();
    device_scope on(x->where);
    if (n == 0) return record_scalar(converted_number(x->type, number(0)), shape);
    const term place = record_index(shape);
    return elements_at(record_reshape(x, dims(-1)), apply(codegen::op::remainder, place, static_cast<double>(n)));
}

// The distance that each bit of a byte is shifted, along an axis behind the last.
SINTER_INLINE term bit_shifts(std::string_view name, std::string_view order) {
    if (order != "big" && order != "little")
        throw value_error("[" + std::string(name) + "] the order of bits is big or little, not " + std::string(order));
    const term i = record_cast(record_index(dims(8)), dtype::uint8);
    return order == "big" ? apply(codegen::op::subtract, 7, i) : i;
}

SINTER_INLINE handle record_packbits(const handle& x, int axis, std::string_view order) {
    device_scope on(x->where);
    const term shifts = bit_shifts("packbits", order);
    const int last = x->shape.size() - 1;
    const handle bits =
        record_cast(record_cast(record_moveaxis(x, dims(axis), dims(last)), dtype::bool_), dtype::uint8);
    dims shape = bits->shape, rest = shape;
    const std::int64_t n = shape.back(), bytes = n / 8 + (n % 8 != 0);
    rest[last] = bytes * 8 - n;
    const handle parts[] = {bits, record_scalar(converted_number(dtype::uint8, number(0)), rest)};
    shape[last] = bytes;
    shape.push_back(8);
    const handle whole = record_reshape(record_concatenate("packbits", parts, dtype::uint8, last), shape);
    const handle sum = record_reduce(codegen::reduction::sum, apply_two(codegen::op::left_shift, whole, shifts),
                                     static_cast<std::uint8_t>(1 << (last + 1)), false);
    return record_moveaxis(record_cast(sum, dtype::uint8), dims(last), dims(axis));
}

SINTER_INLINE handle record_unpackbits(const handle& x, int axis, std::int64_t count, std::string_view order) {
    device_scope on(x->where);
    const term shifts = bit_shifts("unpackbits", order);
    const int last = x->shape.size() - 1;
    const handle bytes = record_expand_dims(record_moveaxis(x, dims(axis), dims(last)), dims(-1));
    const term shifted = apply_two(codegen::op::right_shift, bytes, shifts);
    dims shape = x->shape;
    shape.erase(axis);
    const std::int64_t n = x->shape[axis] * 8;
    shape.push_back(n);
    const handle bits = record_reshape(apply(codegen::op::bitwise_and, shifted, 1), shape);
    const handle back = record_moveaxis(bits, dims(last), dims(axis));
    if (count < -n)
        throw value_error("[unpackbits] " + std::to_string(0 - static_cast<std::uint64_t>(count)) +
                          " bits fewer than " + std::to_string(n));
    const std::int64_t kept = count < 0 ? n + count : count == std::numeric_limits<std::int64_t>::max() ? n : count;
    if (kept <= n) return record_part(back, axis, 0, kept);
    dims more = back->shape;
    more[axis] = kept - n;
    const handle parts[] = {back, record_scalar(converted_number(dtype::uint8, number(0)), more)};
    return record_concatenate("unpackbits", parts, dtype::uint8, axis);
}

SINTER_INLINE handle record_trimmed(const handle& x, std::string_view trim, const axes& along) {
    if (trim != "f" && trim != "b" && trim != "fb" && trim != "bf")
        throw value_error("[trim_zeros] the ends are f, b or fb, not " + std::string(trim));
    const int rank = x->shape.size();
    const std::uint8_t mask = along.mask("trim_zeros", rank);
    device_scope on(x->where);
    const array<bool> counts(record_cast(x, dtype::bool_));
    handle trimmed = x;
    for (int axis = 0; axis < rank; ++axis) {
        if (!(mask >> axis & 1)) continue;
        const auto others = static_cast<std::uint8_t>(((1 << rank) - 1) & ~(1 << axis));
        const array<bool> lines(others ? record_reduce(codegen::reduction::any, counts.get_handle(), others, false)
                                       : counts.get_handle());
        const array<std::int64_t> places = flatnonzero(lines);
        const std::int64_t n = places.size();
        const std::int64_t first = n == 0 || trim == "b" ? 0 : std::int64_t(places.item(0)),
                           last = n == 0        ? 0
                                  : trim == "f" ? x->shape[axis]
                                                : places.item(-1) + 1;
        trimmed = record_part(trimmed, axis, first, last);
    }
    return trimmed;
}

SINTER_INLINE codegen::sequence<handle> parts_along(std::string_view operation, const handle& x) {
    if (x->shape.empty()) throw shape_error("[" + std::string(operation) + "] a number has no parts");
    codegen::sequence<handle> parts;
    dims rest = x->shape;
    rest.erase(0);
    for (std::int64_t i = 0; i < x->shape[0]; ++i) parts.push_back(record_reshape(record_part(x, 0, i, i + 1), rest));
    return parts;
}

SINTER_INLINE handle record_lexsort(codegen::span<const handle> keys, std::int64_t axis) {
    if (keys.empty()) throw value_error("[lexsort] there are no keys");
    const int a = codegen::normalize_axis("lexsort", axis, keys[0]->shape.size());
    device_scope on(keys[0]->where);
    handle order;
    for (const handle& key : keys) {
        if (key->shape != keys[0]->shape)
            throw shape_error("[lexsort] keys have different shapes: " + to_string(keys[0]->shape) + " and " +
                              to_string(key->shape));
        if (!order) order = record_sort(codegen::routine::argsort, key, a);
        else
            order = record_take_along(order,
                                      record_sort(codegen::routine::argsort, record_take_along(key, order, a), a), a);
    }
    return order;
}

}  // namespace sinter::inline SINTER_ABI::detail

namespace sinter::inline SINTER_ABI {

#define SINTER_ELEMENT_TYPE(dtype_name, T)                                                           \
    SINTER_INLINE array<T> block(std::initializer_list<detail::part_of_blocks<T>> rows) {            \
        codegen::sequence<detail::blocks> each;                                                      \
        for (const detail::blocks& row : rows) each.push_back(row);                                  \
        return array<T>(detail::record_block(each, dtype_of<T>));                                    \
    }                                                                                                \
    SINTER_INLINE array<T> concat(std::initializer_list<detail::part<T>> parts, std::int64_t axis) { \
        return concatenate(parts, axis);                                                             \
    }
#include <sinter/codegen/base/element_types.def>
#undef SINTER_ELEMENT_TYPE

}  // namespace sinter::inline SINTER_ABI
