// Bodies of fast_convolution.hpp.
#pragma once

#include <sinter/codegen/ops/fourier.hpp>
#include <sinter/functions/joining.hpp>
#include <sinter/functions/term.hpp>
#include <sinter/signal/fast_convolution.hpp>

#include <algorithm>

namespace sinter::inline SINTER_ABI::signal::detail {

SINTER_INLINE void require_convolvable(std::string_view operation, const handle& a, const handle& v,
                                       std::string_view mode) {
    if (a->shape.size() != v->shape.size())
        throw shape_error("[" + std::string(operation) + "] operands have not as many axes: " + to_string(a->shape) +
                          " and " + to_string(v->shape));
    if (mode != "full" && mode != "same" && mode != "valid")
        throw value_error("[" + std::string(operation) + "] the mode is not full, same or valid: " + std::string(mode));
}

// A product of spectra, of `points` along the axes.
SINTER_INLINE handle product_of_spectra(std::string_view operation, const handle& a, const handle& v,
                                        const dims& points, const dims& axes) {
    const bool complex = codegen::is_complex(a->type);
    const auto forward = complex ? codegen::routine::fft : codegen::routine::rfft;
    const auto backward = complex ? codegen::routine::fft : codegen::routine::irfft;
    const term product = term(record_fourier({.operation = operation, .what = forward}, a, points, axes)) *
                         term(record_fourier({.operation = operation, .what = forward}, v, points, axes));
    return record_fourier({.operation = operation, .what = backward, .inverse = true}, product, points, axes);
}

SINTER_INLINE handle convolve_whole(std::string_view operation, const handle& a, const handle& v, const dims& axes) {
    dims points;
    for (std::int64_t axis : axes)
        points.push_back(codegen::fast_length(a->shape[static_cast<int>(axis)] + v->shape[static_cast<int>(axis)] - 1));
    handle all = product_of_spectra(operation, a, v, points, axes);
    for (std::int64_t given : axes) {
        const int axis = static_cast<int>(given);
        all = record_part(all, axis, 0, a->shape[axis] + v->shape[axis] - 1);
    }
    return all;
}

// With so many zeros behind an axis.
SINTER_INLINE handle with_zeros(std::string_view operation, const handle& x, int axis, std::int64_t count) {
    if (count == 0) return x;
    dims shape = x->shape;
    shape[axis] = count;
    const handle parts[] = {x, record_scalar(number_of(x->type, 0), shape)};
    return record_concatenate(operation, parts, x->type, axis);
}

// Blocks of one axis, each as far from the next as a transform has room behind the shorter operand.
SINTER_INLINE handle convolve_blocks(std::string_view operation, const handle& a, const handle& v, int axis) {
    const std::int64_t n = a->shape[axis], window = v->shape[axis];
    const std::int64_t points = codegen::fast_length(std::min(n + window - 1, 8 * window)), step = points - window + 1;
    const std::int64_t blocks = (n + step - 1) / step;
    dims shape = a->shape, kernel = v->shape;
    shape[axis] = blocks;
    shape.insert(axis + 1, step);
    kernel.insert(axis, 1);
    const handle cut = record_reshape(with_zeros(operation, a, axis, blocks * step - n), shape);
    const handle all = product_of_spectra(operation, cut, record_reshape(v, kernel), dims(points), dims(axis + 1));
    dims whole = a->shape;
    for (int i = 0; i < whole.size(); ++i) whole[i] = std::max(whole[i], v->shape[i]);
    auto in_a_row = [&](const handle& part) {
        dims flat = whole;
        flat[axis] = (blocks + 1) * step;
        return term(record_reshape(with_zeros(operation, part, axis + 1, step - part->shape[axis + 1]), flat));
    };
    // What reaches beyond a block's step belongs to the next one, which begins a block later.
    const handle first = with_zeros(operation, record_part(all, axis + 1, 0, step), axis, 1);
    dims before = all->shape;
    before[axis] = 1;
    before[axis + 1] = std::max<std::int64_t>(points - step, 0);
    const handle parts[] = {record_scalar(number_of(all->type, 0), before), record_part(all, axis + 1, step, points)};
    handle sum = in_a_row(first);
    if (before[axis + 1] > 0) {
        const handle second = record_concatenate(operation, parts, all->type, axis);
        sum = term(sum) + in_a_row(second);
    }
    return record_part(sum, axis, 0, n + window - 1);
}

SINTER_INLINE handle record_fftconvolve(std::string_view operation, const handle& given_a, const handle& given_v,
                                        const convolve_options& o, bool in_blocks) {
    require_convolvable(operation, given_a, given_v, o.mode);
    const dims axes = o.axes.of(operation, given_a->shape.size());
    const dims &first = given_a->shape, &second = given_v->shape;
    bool covers = true, is_covered = true;
    dims outer_first = first, outer_second = second, size = first;
    for (std::int64_t given : axes) {
        const int axis = static_cast<int>(given);
        covers = covers && first[axis] >= second[axis];
        is_covered = is_covered && first[axis] <= second[axis];
        outer_first[axis] = outer_second[axis] = 1;
    }
    dims shape = codegen::broadcast_shapes(operation, outer_first, outer_second);
    if (o.mode == "valid" && !covers && !is_covered)
        throw value_error("[" + std::string(operation) + "] neither operand is the larger one along all axes: " +
                          to_string(first) + " and " + to_string(second));
    for (std::int64_t given : axes) {
        const int axis = static_cast<int>(given);
        const std::int64_t a = first[axis], v = second[axis];
        size[axis] = o.mode == "full" ? a + v - 1 : o.mode == "same" ? a : std::max(a, v) - std::min(a, v) + 1;
        shape[axis] = size[axis];
    }
    const handle a = record_widened(given_a), v = record_widened(given_v);
    device_scope on(a->where);
    if (first.product() == 0 || second.product() == 0 || axes.empty()) {
        if (axes.empty()) return record_cast(term(a) * term(v), given_a->type);
        return record_scalar(number_of(given_a->type, 0), dims(0));
    }
    const bool swaps = first[static_cast<int>(axes[0])] < second[static_cast<int>(axes[0])];
    handle all = in_blocks && axes.size() == 1
                     ? convolve_blocks(operation, swaps ? v : a, swaps ? a : v, static_cast<int>(axes[0]))
                     : convolve_whole(operation, a, v, axes);
    for (std::int64_t given : axes) {
        const int axis = static_cast<int>(given);
        const std::int64_t start = (first[axis] + second[axis] - 1 - size[axis]) / 2;
        all = record_part(all, axis, start, start + size[axis]);
    }
    return record_cast(all, given_a->type);
}

SINTER_INLINE handle record_lags(std::int64_t n, std::int64_t m, std::string_view mode) {
    std::int64_t first = 1 - m, count = n + m - 1;
    if (mode == "same") {
        first += count / 2 - n / 2;
        count = n;
    } else if (mode == "valid") {
        first = std::min<std::int64_t>(n - m, 0);
        count = std::abs(n - m) + 1;
    } else if (mode != "full") {
        throw value_error("[correlation_lags] the mode is not full, same or valid: " + std::string(mode));
    }
    return record_range(number(first), number(std::int64_t{1}), std::max<std::int64_t>(count, 0));
}

}  // namespace sinter::inline SINTER_ABI::signal::detail
