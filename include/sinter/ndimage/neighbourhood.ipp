// Bodies of neighbourhood.hpp.
#pragma once

#include <sinter/array/reading.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/shape_functions.hpp>
#include <sinter/ndimage/neighbourhood.hpp>

#include <algorithm>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::ndimage {

SINTER_INLINE dims axis_list::of(std::string_view operation, int rank) const {
    if (!given_) return detail::all_axes(rank);
    dims axes;
    for (std::int64_t axis : items_) {
        const int a = codegen::normalize_axis(operation, axis, rank);
        for (std::int64_t other : axes)
            if (other == a)
                throw value_error("[" + std::string(operation) + "] an axis is named twice: " + to_string(items_));
        axes.push_back(a);
    }
    return axes;
}

}  // namespace sinter::inline SINTER_ABI::ndimage

namespace sinter::inline SINTER_ABI::ndimage::detail {

// As many shifted copies are summed one by one at most; more are windows that a kernel goes through by a loop.
inline constexpr std::int64_t most_copies = 128;

[[noreturn]] SINTER_INLINE void throw_count(std::string_view operation, std::string_view what, std::size_t count,
                                            int axes) {
    throw value_error("[" + std::string(operation) + "] " + std::to_string(count) + " numbers of " + std::string(what) +
                      " for " + std::to_string(axes) + " axes");
}

SINTER_INLINE extension extension_of(std::string_view operation, std::string_view mode) {
    struct row {
        std::string_view name;
        extension how;
    };
    static constexpr row rows[] = {
        {"reflect", extension::symmetric}, {"grid-mirror", extension::symmetric},  {"constant", extension::constant},
        {"nearest", extension::edge},      {"grid-constant", extension::constant}, {"mirror", extension::reflect},
        {"wrap", extension::wrap},         {"grid-wrap", extension::wrap},
    };
    for (const row& r : rows)
        if (mode == r.name) return r.how;
    throw value_error("[" + std::string(operation) +
                      "] the mode is not reflect, constant, nearest, mirror or wrap: " + std::string(mode));
}

SINTER_INLINE handle record_extended(std::string_view operation, const handle& x, const dims& before, const dims& after,
                                     const border& b) {
    const extension how = extension_of(operation, b.mode);
    dims shape = x->shape;
    for (int i = 0; i < shape.size(); ++i) shape[i] += before[i] + after[i];
    if (shape == x->shape || x->shape.product() == 0) return x;
    device_scope on(x->where);
    codegen::sequence<handle> index;
    handle inside;
    for (int i = 0; i < shape.size(); ++i) {
        const term at = index_along(shape, i);
        if (shape[i] == x->shape[i]) {
            index.push_back(at);
            continue;
        }
        const term place = at - static_cast<double>(before[i]);
        index.push_back(extended_index(place, x->shape[i], std::max(before[i], after[i]), how));
        if (how != extension::constant) continue;
        const term is_inside = place >= 0 && place < static_cast<double>(x->shape[i]);
        inside = inside ? handle(term(inside) && is_inside) : handle(is_inside);
    }
    const handle all = record_gather(x, index, {static_cast<std::uint8_t>((1 << shape.size()) - 1), 0});
    return inside ? handle(choose_where(inside, all, constant_like(all, b.cval))) : all;
}

SINTER_INLINE std::int64_t elements_before(std::string_view operation, std::int64_t size, std::int64_t origin) {
    const std::int64_t before = size / 2 + origin;
    if (size < 1)
        throw value_error("[" + std::string(operation) + "] a window has no elements: " + std::to_string(size));
    if (before < 0 || before >= size)
        throw value_error("[" + std::string(operation) + "] origin " + std::to_string(origin) +
                          " lies outside of a window of " + std::to_string(size));
    return before;
}

SINTER_INLINE window_reach reach_of(std::string_view operation, const dims& window,
                                    const per_axis<std::int64_t>& origin, bool flips) {
    require_count(operation, "origin", origin, window.size());
    window_reach reach;
    for (int axis = 0; axis < window.size(); ++axis) {
        const std::int64_t size = window[axis];
        const std::int64_t shift = flips ? -origin[axis] - (size % 2 == 0 ? 1 : 0) : origin[axis];
        reach.before.push_back(elements_before(operation, size, shift));
        reach.after.push_back(size - 1 - reach.before[axis]);
    }
    return reach;
}

SINTER_INLINE std::vector<bool> read_footprint(std::string_view operation, const handle& footprint) {
    const handle counts = record_cast(footprint, dtype::bool_);
    std::vector<char> bytes(static_cast<std::size_t>(counts->shape.product()));
    read(counts, bytes.data());
    if (std::find(bytes.begin(), bytes.end(), 1) == bytes.end())
        throw value_error("[" + std::string(operation) + "] no element of the window counts");
    return {bytes.begin(), bytes.end()};
}

SINTER_INLINE term shifted_copy(const handle& extended, const dims& start, const dims& shape) {
    layout l = codegen::contiguous(extended->shape);
    for (int i = 0; i < shape.size(); ++i) l.offset += start[i] * l.strides[i];
    l.shape = shape;
    return record_view(extended, l);
}

SINTER_INLINE codegen::sequence<term> shifted_copies(const handle& extended, const dims& window, const dims& shape) {
    codegen::sequence<term> copies;
    for (std::int64_t k = 0; k < window.product(); ++k) {
        dims start = window;
        std::int64_t rest = k;
        for (int i = window.size() - 1; i >= 0; rest /= window[i--]) start[i] = rest % window[i];
        copies.push_back(shifted_copy(extended, start, shape));
    }
    return copies;
}

SINTER_INLINE handle sum_over_windows(const handle& extended, const dims& window, const dims& axes,
                                      const handle& weights) {
    const term products = term(record_windows(extended, window, axes)) * term(weights);
    const int over = ((1 << window.size()) - 1) << extended->shape.size();
    return record_reduce(codegen::reduction::sum, products, static_cast<std::uint8_t>(over), false);
}

// What halves of weights that are alike up to a sign have in common: 1, -1, or 0 where they are not.
SINTER_INLINE int symmetry(codegen::span<const double> weights) {
    const std::size_t n = weights.size();
    if (n % 2 == 0) return 0;
    bool even = true, odd = true;
    for (std::size_t i = 0; i < n / 2; ++i) {
        even = even && !(ieee::fabs(weights[i] - weights[n - 1 - i]) > 0x1p-52);
        odd = odd && !(ieee::fabs(weights[i] + weights[n - 1 - i]) > 0x1p-52);
    }
    return even ? 1 : odd ? -1 : 0;
}

SINTER_INLINE handle sum_of_copies(codegen::span<const term> copies, codegen::span<const double> weights) {
    const std::size_t n = weights.size(), middle = n / 2;
    term sum = copies[middle] * weights[middle];
    const int alike = symmetry(weights);
    for (std::size_t i = 0; i < (alike ? middle : n); ++i) {
        if (i == middle) continue;
        if (alike == 0) sum = sum + copies[i] * weights[i];
        else if (alike > 0) sum = sum + (copies[i] + copies[n - 1 - i]) * weights[i];
        else sum = sum + (copies[i] - copies[n - 1 - i]) * weights[i];
    }
    return sum;
}

SINTER_INLINE handle record_correlate1d(std::string_view operation, const handle& x,
                                        codegen::span<const double> weights, int axis, std::int64_t origin,
                                        const border& b) {
    const auto size = static_cast<std::int64_t>(weights.size());
    dims before = dims::filled(x->shape.size(), 0), after = before, window = dims::filled(x->shape.size(), 1);
    before[axis] = elements_before(operation, size, origin);
    after[axis] = size - 1 - before[axis];
    window[axis] = size;
    device_scope on(x->where);
    const handle wide = record_extended(operation, record_cast(x, working_type(x->type)), before, after, b);
    if (x->shape.product() == 0) return x;
    if (size <= most_copies)
        return record_cast(sum_of_copies(shifted_copies(wide, window, x->shape), weights), x->type);
    const handle w = record_cast(store(dtype::float64, dims(size), weights.data()), wide->type);
    return record_cast(sum_over_windows(wide, dims(size), dims(axis), w), x->type);
}

SINTER_INLINE handle record_correlate_window(std::string_view operation, const handle& x, const handle& given,
                                             const per_axis<std::int64_t>& origin, const border& b, bool flip) {
    const int rank = x->shape.size();
    if (given->shape.size() != rank)
        throw shape_error("[" + std::string(operation) + "] weights " + to_string(given->shape) +
                          " have not as many axes as an image " + to_string(x->shape));
    const dims window = given->shape;
    const auto [before, after] = reach_of(operation, window, origin, flip);
    if (x->shape.product() == 0) return x;
    device_scope on(x->where);
    const handle wide = record_extended(operation, record_cast(x, working_type(x->type)), before, after, b);
    const handle turned = flip ? record_flip(operation, given, all_axes(rank)) : given;
    const handle weights = record_cast(turned, wide->type);
    if (window.product() > most_copies)
        return record_cast(sum_over_windows(wide, window, all_axes(rank), weights), x->type);
    const codegen::sequence<term> copies = shifted_copies(wide, window, x->shape);
    auto weight = [&](std::size_t k) {
        return term(record_view(weights, layout{{}, {}, static_cast<std::int64_t>(k)}));
    };
    term sum = copies[0] * weight(0);
    for (std::size_t k = 1; k < copies.size(); ++k) sum = sum + copies[k] * weight(k);
    return record_cast(sum, x->type);
}

}  // namespace sinter::inline SINTER_ABI::ndimage::detail

SINTER_IEEE_END
