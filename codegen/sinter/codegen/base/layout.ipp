// Bodies of layout.hpp.
#pragma once

#include <sinter/codegen/base/layout.hpp>

#include <cstdlib>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE layout contiguous(const dims& shape) { return {shape, contiguous_strides(shape), 0}; }

SINTER_INLINE bool is_contiguous(const layout& l) {
    if (l.offset != 0) return false;
    std::int64_t step = 1;
    for (int i = l.shape.size() - 1; i >= 0; --i) {
        if (l.shape[i] == 1) continue;
        if (l.shape[i] == 0) return true;
        if (l.strides[i] != step) return false;
        step *= l.shape[i];
    }
    return true;
}

SINTER_INLINE bool has_own_places(const layout& l) {
    struct axis {
        std::int64_t step, size;
    } axes[max_rank];
    int count = 0;
    for (int i = 0; i < l.shape.size(); ++i) {
        if (l.shape[i] <= 1) continue;
        const axis one{std::abs(l.strides[i]), l.shape[i]};
        int at = count++;  // by insertion: g++ 12 warns of std::sort over so few
        for (; at > 0 && axes[at - 1].step > one.step; --at) axes[at] = axes[at - 1];
        axes[at] = one;
    }
    std::int64_t reach = 0;
    for (int i = 0; i < count; ++i) {
        if (axes[i].step <= reach) return false;
        reach += axes[i].step * (axes[i].size - 1);
    }
    return true;
}

SINTER_INLINE layout transposed(const layout& l, const dims& order) {
    layout r = l;
    for (int i = 0; i < order.size(); ++i) {
        r.shape[i] = l.shape[static_cast<int>(order[i])];
        r.strides[i] = l.strides[static_cast<int>(order[i])];
    }
    return r;
}

SINTER_INLINE void restrict_axis(layout& l, int axis, std::int64_t start, std::int64_t step, std::int64_t count) {
    l.offset += start * l.strides[axis];
    l.strides[axis] *= step;
    l.shape[axis] = count;
}

SINTER_INLINE layout sliced(const layout& l, int axis, std::int64_t start, std::int64_t step, std::int64_t count) {
    layout r = l;
    restrict_axis(r, axis, start, step, count);
    return r;
}

SINTER_INLINE layout broadcasted(const layout& l, const dims& shape) {
    layout r{shape, dims::filled(shape.size(), 0), l.offset};
    int shift = shape.size() - l.shape.size();
    for (int i = 0; i < l.shape.size(); ++i) r.strides[i + shift] = l.shape[i] == 1 ? 0 : l.strides[i];
    return r;
}

SINTER_INLINE std::optional<layout> reshaped(const layout& l, const dims& shape) {
    layout r{shape, contiguous_strides(shape), l.offset};
    if (shape.product() == 0) return r;
    layout from = l;
    for (int i = from.shape.size() - 1; i >= 0; --i)
        if (from.shape[i] == 1) {
            from.shape.erase(i);
            from.strides.erase(i);
        }
    // Walk both shapes from the left in groups of equal products; inside a group the old axes must be mergeable.
    int i = 0, j = 0;
    while (i < from.shape.size() && j < shape.size()) {
        std::int64_t old_size = from.shape[i], new_size = shape[j];
        int i0 = i, j0 = j;
        while (old_size != new_size)
            if (old_size < new_size) old_size *= from.shape[++i];
            else new_size *= shape[++j];
        for (int k = i0; k < i; ++k)
            if (from.strides[k] != from.strides[k + 1] * from.shape[k + 1]) return std::nullopt;
        std::int64_t step = from.strides[i];
        for (int k = j; k >= j0; --k) {
            r.strides[k] = step;
            step *= shape[k];
        }
        ++i;
        ++j;
    }
    for (; j < shape.size(); ++j) r.strides[j] = 0;
    return r;
}

SINTER_INLINE bool lies_across(const layout& l, std::int64_t least) {
    const int inner = l.shape.size() - 1;
    auto is_neighbour = [&](int i) { return l.strides[i] == 1 || l.strides[i] == -1; };
    if (inner < 1 || l.shape[inner] < least || l.strides[inner] == 0 || is_neighbour(inner)) return false;
    for (int i = 0; i < inner; ++i)
        if (is_neighbour(i) && l.shape[i] >= least) return true;
    return false;
}

SINTER_INLINE std::optional<dims> split_axes(const dims& outer, const layout& inner) {
    const dims numbering = contiguous_strides(outer);
    dims split;
    for (int d = 0; d < inner.shape.size(); ++d) {
        const std::int64_t step = inner.strides[d] < 0 ? -inner.strides[d] : inner.strides[d];
        std::int64_t rest = inner.shape[d];
        for (int k = 0; k < outer.size(); ++k) {
            // Elements of the axis that one step along the array's axis spans.
            const std::int64_t span = step > 0 && numbering[k] % step == 0 ? numbering[k] / step : 0;
            if (span <= 1 || span >= rest || rest % span != 0) continue;
            if (split.size() == max_rank) return std::nullopt;
            split.push_back(rest / span);
            rest = span;
        }
        if (split.size() == max_rank) return std::nullopt;
        split.push_back(rest);
    }
    if (split.size() == inner.shape.size()) return std::nullopt;
    return split;
}

// Splits a step of inner's numbering into steps along outer's axes.
SINTER_INLINE dims split_step(std::int64_t step, const dims& numbering, bool round) {
    dims digits = numbering;
    for (int k = 0; k < numbering.size(); ++k) {
        std::int64_t n = numbering[k], q = step / n;
        if (round && 2 * (step - q * n) > n) ++q;
        if (round && 2 * (step - q * n) < -n) --q;
        digits[k] = q;
        step -= q * n;
    }
    return digits;
}

SINTER_INLINE std::optional<layout> compose_with(const layout& outer, const layout& inner, bool round) {
    dims numbering = contiguous_strides(outer.shape);
    int rank = outer.shape.size();
    dims low = split_step(inner.offset, numbering, false), high = low;
    layout r{inner.shape, dims::filled(inner.shape.size(), 0), outer.offset};
    for (int k = 0; k < rank; ++k) r.offset += low[k] * outer.strides[k];
    for (int d = 0; d < inner.shape.size(); ++d) {
        if (inner.shape[d] <= 1) continue;
        dims digits = split_step(inner.strides[d], numbering, round);
        for (int k = 0; k < rank; ++k) {
            std::int64_t reach = digits[k] * (inner.shape[d] - 1);
            (reach < 0 ? low : high)[k] += reach;
            r.strides[d] += digits[k] * outer.strides[k];
        }
    }
    // Without a carry along any axis the digits are the element's indices.
    for (int k = 0; k < rank; ++k)
        if (low[k] < 0 || high[k] >= outer.shape[k]) return std::nullopt;
    return r;
}

SINTER_INLINE std::optional<layout> composed(const layout& outer, const layout& inner) {
    if (inner.shape.product() == 0) return layout{inner.shape, dims::filled(inner.shape.size(), 0), 0};
    if (is_contiguous(outer)) return inner;
    if (outer.shape == inner.shape && is_contiguous(inner)) return outer;
    if (outer.shape.product() == 1) return layout{inner.shape, dims::filled(inner.shape.size(), 0), outer.offset};
    if (auto r = compose_with(outer, inner, false)) return r;
    if (auto r = compose_with(outer, inner, true)) return r;
    if (is_contiguous(inner) && inner.shape.product() == outer.shape.product()) return reshaped(outer, inner.shape);
    return std::nullopt;
}

}  // namespace sinter::inline SINTER_ABI::codegen
