// Bodies of convolution.hpp.
#pragma once

#include <sinter/analysis/convolution.hpp>
#include <sinter/analysis/padding.hpp>
#include <sinter/fft/record_fft.hpp>
#include <sinter/functions/term.hpp>

namespace sinter::inline SINTER_ABI::detail {

// As many elements has the smaller operand at most where windows are summed.
inline constexpr std::int64_t most_window_elements = 64;

SINTER_INLINE void require_convolution(std::string_view name, const handle& a, const handle& v, std::string_view mode,
                                       int rank) {
    if (a->shape.size() != rank || v->shape.size() != rank)
        throw shape_error("[" + std::string(name) + "] operands have " + std::to_string(rank) +
                          (rank == 1 ? " axis: " : " axes: ") + to_string(a->shape) + " and " + to_string(v->shape));
    if (a->shape.product() == 0 || v->shape.product() == 0)
        throw value_error("[" + std::string(name) + "] an operand is empty: " + to_string(a->shape) + " and " +
                          to_string(v->shape));
    if (mode != "full" && mode != "same" && mode != "valid")
        throw value_error("[" + std::string(name) + "] the mode is not full, same or valid: " + std::string(mode));
}

// How many elements windows of so many reach over the borders, before and behind.
SINTER_INLINE std::pair<std::int64_t, std::int64_t> reach(std::int64_t window, std::string_view mode) {
    if (mode == "full") return {window - 1, window - 1};
    if (mode == "same") return {window / 2, window - 1 - window / 2};
    return {0, 0};
}

// The sums of products of each window with a kernel.
SINTER_INLINE handle sums_over_windows(const handle& x, const handle& kernel) {
    const dims window = kernel->shape;
    const term products = term(record_windows(x, window, all_axes(window.size()))) * term(kernel);
    const int over = ((1 << window.size()) - 1) << window.size();
    const auto how = x->type == dtype::bool_ ? codegen::reduction::any : codegen::reduction::sum;
    return record_cast(record_reduce(how, products, static_cast<std::uint8_t>(over), false), x->type);
}

// A number of points that is a product of twos, threes and fives.
SINTER_INLINE std::int64_t fast_points(std::int64_t least) {
    for (std::int64_t n = least;; ++n) {
        std::int64_t rest = n;
        for (std::int64_t factor : {2, 3, 5})
            while (rest % factor == 0) rest /= factor;
        if (rest == 1) return n;
    }
}

// The same by transforms, long enough that what comes round lies before the first whole window.
SINTER_INLINE handle windows_by_transforms(std::string_view name, const handle& given, const handle& kernel) {
    const handle x = record_widened(given);
    const dims axes = all_axes(x->shape.size());
    const bool complex = codegen::is_complex(x->type);
    const auto forward = complex ? codegen::routine::fft : codegen::routine::rfft;
    const auto backward = complex ? codegen::routine::fft : codegen::routine::irfft;
    dims points;
    for (std::int64_t n : x->shape) points.push_back(fast_points(n));
    const handle reversed = record_flip(name, record_widened(kernel), axes);
    const term product = term(record_fourier({.operation = name, .what = forward}, x, points, axes)) *
                         term(record_fourier({.operation = name, .what = forward}, reversed, points, axes));
    handle result = record_fourier({.operation = name, .what = backward, .inverse = true}, product, points, axes);
    for (int i = 0; i < axes.size(); ++i) result = record_part(result, i, kernel->shape[i] - 1, x->shape[i]);
    return record_cast(result, given->type);
}

SINTER_INLINE handle windows_with(std::string_view name, const handle& x, const handle& kernel) {
    if (codegen::kind_rank(x->type) < 2 || kernel->shape.product() <= most_window_elements)
        return sums_over_windows(x, kernel);
    return windows_by_transforms(name, x, kernel);
}

// The products of windows of the longer vector with the shorter one.
SINTER_INLINE handle correlate_longer(std::string_view name, const handle& x, const handle& kernel,
                                      std::string_view mode) {
    const auto [before, after] = reach(kernel->shape[0], mode);
    return windows_with(name, record_pad(x, pad_width(before, after), {}), kernel);
}

SINTER_INLINE handle number_as_vector(const handle& x) { return x->shape.size() == 0 ? record_reshape(x, {1}) : x; }

SINTER_INLINE handle record_convolve(const handle& x, const handle& y, std::string_view mode) {
    const handle a = number_as_vector(x), v = number_as_vector(y);
    require_convolution("convolve", a, v, mode, 1);
    device_scope on(a->where);
    const bool is_longer = a->shape[0] >= v->shape[0];
    const handle reversed = record_flip("convolve", is_longer ? v : a, dims(0));
    return correlate_longer("convolve", is_longer ? a : v, reversed, mode);
}

SINTER_INLINE handle record_correlate(const handle& a, const handle& given, std::string_view mode) {
    require_convolution("correlate", a, given, mode, 1);
    device_scope on(a->where);
    const handle v = codegen::is_complex(given->type) ? handle(apply(codegen::op::conj, given)) : given;
    if (a->shape[0] >= v->shape[0]) return correlate_longer("correlate", a, v, mode);
    return record_flip("correlate", correlate_longer("correlate", v, a, mode), dims(0));
}

SINTER_INLINE handle record_convolve2d(const handle& a, const handle& v, std::string_view mode,
                                       const convolve2d_options& o) {
    require_convolution("convolve2d", a, v, mode, 2);
    const bool fills = o.boundary == "fill";
    if (!fills && o.boundary != "wrap" && o.boundary != "symm")
        throw value_error("[convolve2d] the boundary is not fill, wrap or symm: " + std::string(o.boundary));
    device_scope on(a->where);
    auto covers = [](const dims& x, const dims& y) { return x[0] >= y[0] && x[1] >= y[1]; };
    const bool swaps = mode == "valid" && !covers(a->shape, v->shape);
    if (swaps && !covers(v->shape, a->shape))
        throw value_error("[convolve2d] neither operand is as large as the other along both axes: " +
                          to_string(a->shape) + " and " + to_string(v->shape));
    const handle &x = swaps ? v : a, &w = swaps ? a : v;
    const auto [top, bottom] = reach(w->shape[0], mode);
    const auto [left, right] = reach(w->shape[1], mode);
    const pad_options border{.mode = fills                  ? "constant"
                                     : o.boundary == "wrap" ? "wrap"
                                                            : "symmetric",
                             .constant_values = o.fillvalue};
    const handle padded = record_pad(x, {{top, bottom}, {left, right}}, border);
    return windows_with("convolve2d", padded, record_flip("convolve2d", w, dims(0, 1)));
}

}  // namespace sinter::inline SINTER_ABI::detail
