// Bodies of shape_functions.hpp.
#pragma once

#include <sinter/functions/shape_functions.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE dims all_axes(int rank) {
    dims axes;
    for (int i = 0; i < rank; ++i) axes.push_back(i);
    return axes;
}

// Axes as a bit mask; throws index_error out of range and value_error when one is named twice.
SINTER_INLINE unsigned axis_mask(std::string_view name, const dims& axes, int rank) {
    unsigned mask = 0;
    for (std::int64_t a : axes) {
        unsigned bit = 1u << codegen::normalize_axis(name, a, rank);
        if (mask & bit) throw value_error("[" + std::string(name) + "] an axis is repeated: " + to_string(axes));
        mask |= bit;
    }
    return mask;
}

SINTER_INLINE handle record_transpose(const handle& x, const dims& order) {
    int rank = x->shape.size();
    if (order.size() != rank)
        throw value_error("[transpose] axes " + to_string(order) + " do not match an array of shape " +
                          to_string(x->shape));
    axis_mask("transpose", order, rank);
    dims axes = order;
    for (std::int64_t& a : axes) a = codegen::normalize_axis("transpose", a, rank);
    return record_view(x, codegen::transposed(codegen::contiguous(x->shape), axes));
}

SINTER_INLINE handle record_swapaxes(const handle& x, std::int64_t a, std::int64_t b) {
    int rank = x->shape.size();
    dims order = all_axes(rank);
    std::swap(order[codegen::normalize_axis("swapaxes", a, rank)], order[codegen::normalize_axis("swapaxes", b, rank)]);
    return record_transpose(x, order);
}

SINTER_INLINE handle record_moveaxis(const handle& x, const dims& from, const dims& to) {
    int rank = x->shape.size();
    if (from.size() != to.size())
        throw value_error("[moveaxis] as many places as axes are needed: " + to_string(from) + " and " + to_string(to));
    unsigned moved = axis_mask("moveaxis", from, rank);
    axis_mask("moveaxis", to, rank);
    dims order = dims::filled(rank, -1);
    for (int i = 0; i < from.size(); ++i)
        order[codegen::normalize_axis("moveaxis", to[i], rank)] = codegen::normalize_axis("moveaxis", from[i], rank);
    int next = 0;
    for (std::int64_t& o : order) {
        if (o >= 0) continue;
        while (moved >> next & 1) ++next;
        o = next++;
    }
    return record_transpose(x, order);
}

SINTER_INLINE handle record_squeeze(const handle& x) {
    dims shape;
    for (std::int64_t n : x->shape)
        if (n != 1) shape.push_back(n);
    return record_view(x, codegen::contiguous(shape));
}

SINTER_INLINE handle record_squeeze(const handle& x, const dims& axes) {
    unsigned mask = axis_mask("squeeze", axes, x->shape.size());
    dims shape;
    for (int i = 0; i < x->shape.size(); ++i) {
        if (!(mask >> i & 1)) shape.push_back(x->shape[i]);
        else if (x->shape[i] != 1)
            throw value_error("[squeeze] axis " + std::to_string(i) +
                              " has a size other than one: " + to_string(x->shape));
    }
    return record_view(x, codegen::contiguous(shape));
}

SINTER_INLINE handle record_expand_dims(const handle& x, const dims& axes) {
    int rank = x->shape.size() + axes.size();
    if (rank > max_rank) throw shape_error("[expand_dims] at most 8 axes are supported, got " + std::to_string(rank));
    unsigned mask = axis_mask("expand_dims", axes, rank);
    dims shape;
    for (int i = 0, next = 0; i < rank; ++i) shape.push_back(mask >> i & 1 ? 1 : x->shape[next++]);
    return record_view(x, codegen::contiguous(shape));
}

SINTER_INLINE handle record_flip(std::string_view name, const handle& x, const dims& axes) {
    unsigned mask = axis_mask(name, axes, x->shape.size());
    layout l = codegen::contiguous(x->shape);
    for (int i = 0; i < x->shape.size(); ++i)
        if (mask >> i & 1) l = codegen::sliced(l, i, l.shape[i] ? l.shape[i] - 1 : 0, -1, l.shape[i]);
    return record_view(x, l);
}

SINTER_INLINE handle record_rot90(const handle& x, std::int64_t times, const dims& axes) {
    if (axes.size() != 2) throw value_error("[rot90] two axes are needed: " + to_string(axes));
    axis_mask("rot90", axes, x->shape.size());
    switch ((times % 4 + 4) % 4) {
        case 0: return x;
        case 1: return record_swapaxes(record_flip("rot90", x, dims(axes[1])), axes[0], axes[1]);
        case 2: return record_flip("rot90", x, axes);
        default: return record_flip("rot90", record_swapaxes(x, axes[0], axes[1]), dims(axes[1]));
    }
}

SINTER_INLINE handle record_atleast(const handle& x, int rank) {
    dims shape = x->shape;
    if (shape.empty()) shape = dims::filled(rank, 1);
    if (rank > 1 && shape.size() == 1) shape.insert(0, 1);
    if (rank > 2 && shape.size() == 2) shape.push_back(1);
    return record_view(x, codegen::contiguous(shape));
}

SINTER_INLINE handle record_windows(const handle& x, const dims& window, const dims& axes) {
    if (window.size() != axes.size())
        throw value_error("[sliding_window_view] as many sizes as axes are needed: " + to_string(window) + " and " +
                          to_string(axes));
    layout l = codegen::contiguous(x->shape);
    for (int i = 0; i < axes.size(); ++i) {
        int axis = codegen::normalize_axis("sliding_window_view", axes[i], x->shape.size());
        std::int64_t n = l.shape[axis] - window[i] + 1;
        if (window[i] < 0 || n < 1)
            throw value_error("[sliding_window_view] a window " + to_string(window) + " does not fit in " +
                              to_string(x->shape));
        l.shape[axis] = n;
        l.shape.push_back(window[i]);
        l.strides.push_back(l.strides[axis]);
    }
    return record_view(x, l);
}

SINTER_INLINE handle record_part(const handle& x, int axis, std::int64_t start, std::int64_t stop) {
    std::int64_t count = stop > start ? stop - start : 0;
    return record_view(x, codegen::sliced(codegen::contiguous(x->shape), axis, count ? start : 0, 1, count));
}

SINTER_INLINE std::vector<std::int64_t> split_points(std::string_view name, std::int64_t size, std::int64_t parts,
                                                     bool equal) {
    if (parts <= 0)
        throw value_error("[" + std::string(name) + "] the number of parts is not positive: " + std::to_string(parts));
    if (equal && size % parts)
        throw value_error("[" + std::string(name) + "] " + std::to_string(size) + " elements do not divide into " +
                          std::to_string(parts) + " equal parts: use array_split");
    std::vector<std::int64_t> at;
    std::int64_t next = 0;
    for (std::int64_t i = 0; i + 1 < parts; ++i) at.push_back(next += size / parts + (i < size % parts));
    return at;
}

SINTER_INLINE codegen::sequence<handle> record_split(const handle& x, codegen::span<const std::int64_t> at,
                                                     std::int64_t given) {
    int axis = codegen::normalize_axis("split", given, x->shape.size());
    std::int64_t n = x->shape[axis], start = 0;
    auto place = [&](std::int64_t p) { return p < 0 ? (p + n < 0 ? 0 : p + n) : p > n ? n : p; };
    codegen::sequence<handle> parts;
    for (std::int64_t p : at) {
        parts.push_back(record_part(x, axis, start, place(p)));
        start = place(p);
    }
    parts.push_back(record_part(x, axis, start, n));
    return parts;
}

}  // namespace sinter::inline SINTER_ABI::detail
