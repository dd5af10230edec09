// Bodies of padding.hpp.
#pragma once

#include <sinter/analysis/padding.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/ops/ieee.hpp>

#include <algorithm>
#include <tuple>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

SINTER_INLINE pad_width::pad_width(std::initializer_list<std::initializer_list<std::int64_t>> each) {
    for (const auto& e : each) {
        if (e.size() != 1 && e.size() != 2)
            throw value_error("[pad] a width is {n} or {before, after}, got " + std::to_string(e.size()) + " numbers");
        before_.push_back(*e.begin());
        after_.push_back(*(e.end() - 1));
    }
}

SINTER_INLINE void pad_width::widths(int rank, dims& before, dims& after) const {
    if (before_.size() != 1 && before_.size() != rank)
        throw value_error("[pad] " + std::to_string(before_.size()) + " widths for an array of " +
                          std::to_string(rank) + " dimensions");
    for (int i = 0; i < rank; ++i) {
        before.push_back(before_[before_.size() == 1 ? 0 : i]);
        after.push_back(after_[after_.size() == 1 ? 0 : i]);
        if (before[i] < 0 || after[i] < 0)
            throw value_error("[pad] a width is negative: " + to_string(dims(before[i], after[i])));
    }
}

}  // namespace sinter::inline SINTER_ABI

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE term index_along(const dims& shape, int axis) {
    const handle at = record_axis_index(shape, axis);
    return shape[axis] < most_short_index ? record_cast(at, dtype::int32) : at;
}

// Places that lie no further beyond the axis than it is long need no division that finds their period.
SINTER_INLINE term extended_index(const term& place, std::int64_t n, std::int64_t beyond, extension how) {
    const auto size = static_cast<double>(n), last = size - 1;
    switch (how) {
        case extension::wrap:
            if (beyond > n) return apply(op::remainder, place, size);
            return choose_where(place < 0, place + size, choose_where(place < size, place, place - size));
        case extension::symmetric: {
            const term up = beyond > n ? apply(op::remainder, place, 2 * size) : apply(op::maximum, place, -1 - place);
            return apply(op::minimum, up, 2 * last + 1 - up);
        }
        case extension::reflect: {
            const term up =
                beyond > n - 1 ? apply(op::remainder, place, n == 1 ? 1 : 2 * last) : apply(op::absolute, place);
            return apply(op::minimum, up, 2 * last - up);
        }
        default: return apply(op::maximum, apply(op::minimum, place, last), 0);
    }
}

// The index that each element of a padded axis is read from.
SINTER_INLINE handle record_padded_index(const dims& shape, int axis, std::string_view mode, std::int64_t before,
                                         std::int64_t n) {
    static constexpr std::pair<std::string_view, extension> ways[] = {
        {"wrap", extension::wrap}, {"reflect", extension::reflect}, {"symmetric", extension::symmetric}};
    const term at = index_along(shape, axis);
    if (shape[axis] == n) return at;
    extension how = extension::edge;
    for (const auto& [name, way] : ways)
        if (mode == name) how = way;
    const std::int64_t beyond = std::max(before, shape[axis] - n - before);
    return extended_index(at - static_cast<double>(before), n, beyond, how);
}

SINTER_INLINE handle record_with_border(const handle& x, const dims& before, const dims& extent,
                                        const codegen::scalar_value& border) {
    // A recorder does not own its inputs before it is recorded.
    codegen::sequence<handle> places;
    recorder r;
    for (int i = 0; i < extent.size(); ++i) {
        if (x->shape[i] == extent[i]) continue;
        places.push_back(index_along(x->shape, i));
        r.add_input(places.back());
        r.add_scalar(number_of(places.back()->type, static_cast<double>(before[i])));
        r.add_op(op::greater_equal);
        r.add_input(places.back());
        r.add_scalar(number_of(places.back()->type, static_cast<double>(before[i] + extent[i])));
        r.add_op(op::less);
        r.add_op(op::logical_and);
        if (places.size() > 1) r.add_op(op::logical_and);
    }
    r.add_input(x);
    r.add_scalar(border);
    r.add_op(op::where);
    return record(r, x->type, x->shape);
}

// Of modes whose elements are elements of x.
SINTER_INLINE handle record_pad_elements(const handle& x, const dims& before, const dims& shape, const pad_options& o) {
    if (x->shape.product() == 0) return record_scalar(converted_number(x->type, number(0)), shape);
    // Axes before the first padded one and behind the last are taken as they are.
    int first = 0, end = shape.size();
    while (shape[first] == x->shape[first]) ++first;
    while (shape[end - 1] == x->shape[end - 1]) --end;
    dims padded;
    for (int i = first; i < end; ++i) padded.push_back(shape[i]);
    codegen::sequence<handle> index;
    for (int i = first; i < end; ++i)
        index.push_back(record_padded_index(padded, i - first, o.mode, before[i], x->shape[i]));
    return record_gather(x, index,
                         {static_cast<std::uint8_t>((1 << end) - (1 << first)), static_cast<std::uint8_t>(first)});
}

// The numbers before and behind each axis; a later axis's stand in the corners.
SINTER_INLINE handle record_pad_numbers(const handle& x, const dims& before, const dims& shape, const pad_options& o) {
    auto number_at = [&](int axis, bool after) {
        return checked_number("pad", x->type, o.constant_values.at(axis, after).value);
    };
    const codegen::scalar_value first = number_at(0, false);
    const bool empty = x->shape.product() == 0;
    bool is_one = true;
    for (int i = 0; i < shape.size(); ++i)
        for (const bool after : {false, true}) is_one = is_one && number_at(i, after) == first;
    const handle padded = empty ? record_scalar(first, shape) : record_pad_elements(x, before, shape, o);
    if (is_one) return empty ? padded : record_with_border(padded, before, x->shape, first);
    term all = padded;
    for (int i = 0; i < shape.size(); ++i) {
        const term at = index_along(shape, i);
        for (const bool after : {false, true}) {
            const std::int64_t end = before[i] + (after ? x->shape[i] : 0);
            if (end == (after ? shape[i] : 0)) continue;
            const auto edge = static_cast<double>(end);
            all = choose_where(after ? at >= edge : at < edge, record_scalar(number_at(i, after), {}), all);
        }
    }
    return all;
}

// Elements at the beginning or the end of an axis.
SINTER_INLINE handle record_end(const handle& x, int axis, std::int64_t count, bool last) {
    const std::int64_t n = x->shape[axis];
    return last ? record_part(x, axis, n - count, n) : record_part(x, axis, 0, count);
}

// What stands beside an axis, of size one along it.
SINTER_INLINE handle record_statistic(const handle& x, int axis, bool last, const pad_options& o) {
    const std::int64_t n = x->shape[axis], given = o.stat_length.at(axis, last);
    const std::int64_t count = given < 0 ? n : std::min(n, given);
    const handle counted = record_end(x, axis, count, last);
    const auto mask = static_cast<std::uint8_t>(1 << axis);
    if (o.mode == "maximum") return record_reduce(codegen::reduction::max, counted, mask, true);
    if (o.mode == "minimum") return record_reduce(codegen::reduction::min, counted, mask, true);
    const bool is_whole = codegen::kind_rank(x->type) < 2;
    const dtype wide = codegen::is_complex(x->type) ? dtype::complex128 : dtype::float64;
    auto rounded = [&](const term& v) { return record_cast(is_whole ? apply(op::rint, v) : v, x->type); };
    if (o.mode == "mean") {
        const term sum = record_reduce(codegen::reduction::sum, record_cast(counted, wide), mask, true);
        return rounded(sum / static_cast<double>(count));
    }
    if (codegen::is_complex(x->type)) throw type_error("[pad] complex numbers have no median");
    return rounded(record_median(counted, axes(axis), true, wide));
}

// From a number at the far end to the neighbour of the edge, in float64.
SINTER_INLINE handle record_ramp(const handle& x, int axis, bool last, std::int64_t count, const pad_options& o) {
    const dtype wide = codegen::is_complex(x->type) ? dtype::complex128 : dtype::float64;
    const term edge = record_cast(record_end(x, axis, 1, last), wide);
    const term end =
        record_cast(record_scalar(checked_number("pad", x->type, o.end_values.at(axis, last).value), {}), wide);
    const term place =
        record_range(number(last ? static_cast<double>(count - 1) : 0.0), number(last ? -1.0 : 1.0), count);
    const term along = vector_along(record_cast(place, wide), axis, x->shape.size());
    const term ramp = end + along * ((edge - end) / static_cast<double>(count));
    return record_cast(codegen::kind_rank(x->type) < 2 ? apply(op::floor, ramp) : ramp, x->type);
}

// The axis with its statistics, ramps or memory without values on both sides.
SINTER_INLINE handle record_pad_axis(const handle& x, int axis, std::int64_t before, std::int64_t after,
                                     const pad_options& o) {
    codegen::sequence<handle> parts;
    for (const bool last : {false, true}) {
        if (last) parts.push_back(x);
        const std::int64_t count = last ? after : before;
        if (count == 0) continue;
        dims shape = x->shape;
        shape[axis] = count;
        if (o.mode == "linear_ramp") parts.push_back(record_ramp(x, axis, last, count, o));
        else if (o.mode == "empty") parts.push_back(record_scalar(converted_number(x->type, number(0)), shape));
        else parts.push_back(record_broadcast("pad", record_statistic(x, axis, last, o), shape));
    }
    return record_concatenate("pad", parts, x->type, axis);
}

// Odd reflections: pieces of what is there, turned around the edges, until there is enough. As in NumPy whole periods
// of the axis are turned.
SINTER_INLINE handle record_pad_odd(const handle& x, int axis, std::int64_t before, std::int64_t after,
                                    bool symmetric) {
    const std::int64_t period = x->shape[axis];
    if (period == 1 && !symmetric)
        return record_pad_elements(
            x,
            [&] {
                dims d = dims::filled(x->shape.size(), 0);
                d[axis] = before;
                return d;
            }(),
            [&] {
                dims d = x->shape;
                d[axis] += before + after;
                return d;
            }(),
            {.mode = "edge"});
    const std::int64_t skipped = symmetric ? 0 : 1;
    handle all = x;
    while (before > 0 || after > 0) {
        const std::int64_t n = all->shape[axis];
        const std::int64_t most = symmetric ? n / period * period : (n - 1) / (period - 1) * (period - 1);
        const std::int64_t left = std::min(before, most), right = std::min(after, most);
        auto turned = [&](std::int64_t start, std::int64_t end, bool last) -> handle {
            const term piece = record_flip("pad", record_part(all, axis, start, end), dims(axis));
            return term(record_end(all, axis, 1, last)) * 2 - piece;
        };
        codegen::sequence<handle> parts;
        if (left > 0) parts.push_back(turned(skipped, skipped + left, false));
        parts.push_back(all);
        if (right > 0) parts.push_back(turned(n - skipped - right, n - skipped, true));
        all = record_concatenate("pad", parts, x->type, axis);
        before -= left;
        after -= right;
    }
    return all;
}

SINTER_INLINE void require_sides(const pad_options& o, int rank) {
    for (const auto& [name, count, fits] :
         {std::tuple{"constant_values", o.constant_values.size(), o.constant_values.fits(rank)},
          std::tuple{"end_values", o.end_values.size(), o.end_values.fits(rank)},
          std::tuple{"stat_length", o.stat_length.size(), o.stat_length.fits(rank)}})
        if (!fits)
            throw value_error("[pad] " + std::to_string(count) + " pairs of " + name + " for an array of " +
                              std::to_string(rank) + " dimensions");
    if (o.mode != "maximum" && o.mode != "minimum") return;
    for (int i = 0; i < rank; ++i)
        for (const bool after : {false, true})
            if (o.stat_length.at(i, after) == 0)
                throw value_error("[pad] there is no " + std::string(o.mode) + " of no elements");
}

SINTER_INLINE handle record_pad(const handle& x, const pad_width& width, const pad_options& o) {
    dims before, after, shape = x->shape;
    width.widths(shape.size(), before, after);
    constexpr std::string_view of_elements[] = {"constant", "edge", "reflect", "symmetric", "wrap"};
    constexpr std::string_view others[] = {"linear_ramp", "maximum", "mean", "median", "minimum", "empty"};
    auto is_among = [&](const auto& modes) {
        return codegen::find(std::begin(modes), std::end(modes), o.mode) != std::end(modes);
    };
    if (!is_among(of_elements) && !is_among(others))
        throw value_error(
            "[pad] the mode is not constant, edge, reflect, symmetric, wrap, linear_ramp, maximum, mean, "
            "median, minimum or empty: " +
            std::string(o.mode));
    if (o.reflect_type != "even" && o.reflect_type != "odd")
        throw value_error("[pad] reflect_type is even or odd, not " + std::string(o.reflect_type));
    const bool needs_elements = o.mode != "constant" && o.mode != "empty";
    require_sides(o, shape.size());
    device_scope on(x->where);
    for (int i = 0; i < shape.size(); ++i) {
        const std::int64_t border_size = add_sizes("pad", before[i], after[i]);
        if (needs_elements && shape[i] == 0 && border_size > 0)
            throw value_error("[pad] an empty axis has nothing to repeat: axis " + std::to_string(i) + " of " +
                              to_string(x->shape));
        shape[i] = add_sizes("pad", shape[i], border_size);
    }
    if (shape == x->shape) return x;
    if (o.mode == "constant") return record_pad_numbers(x, before, shape, o);
    const bool reflects = o.mode == "reflect" || o.mode == "symmetric";
    if (is_among(of_elements) && !(reflects && o.reflect_type == "odd"))
        return record_pad_elements(x, before, shape, o);
    handle all = x;
    for (int i = 0; i < shape.size(); ++i) {
        if (before[i] == 0 && after[i] == 0) continue;
        all = reflects ? record_pad_odd(all, i, before[i], after[i], o.mode == "symmetric")
                       : record_pad_axis(all, i, before[i], after[i], o);
    }
    return all;
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
