// Bodies of smoothing.hpp.
#pragma once

#include <sinter/array/matrix_products.hpp>
#include <sinter/array/reading.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/joining.hpp>
#include <sinter/functions/shape_functions.hpp>
#include <sinter/ndimage/neighbourhood.hpp>
#include <sinter/signal/smoothing.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::signal::detail {

// The polynomials that are orthogonal over -m … m, and their derivatives, at a place (Gorry, General least-squares
// smoothing and differentiation by the convolution method, 1990): by degree, for one derivative.
SINTER_INLINE std::vector<double> orthogonal_polynomials(std::int64_t m, int degree, int derivative, double place) {
    const auto half = static_cast<double>(m);
    const auto size = static_cast<std::size_t>(degree) + 1;
    std::vector<double> lower(size), own(size);
    for (int s = 0; s <= derivative; ++s) {
        for (int k = 0; k <= degree; ++k) {
            const auto at = static_cast<std::size_t>(k);
            if (k == 0) {
                own[at] = s == 0 ? 1 : 0;
                continue;
            }
            const double below = k * (2 * half - k + 1);
            const double rising = place * own[at - 1] + (s == 0 ? 0 : s * lower[at - 1]);
            own[at] = (4 * k - 2) / below * rising;
            if (k > 1) own[at] -= (k - 1) * (2 * half + k) / below * own[at - 2];
        }
        if (s < derivative) lower = own;
    }
    return own;
}

SINTER_INLINE std::vector<double> savgol_weights(std::int64_t m, int degree, int derivative, double place) {
    const std::vector<double> wanted = orthogonal_polynomials(m, degree, derivative, place);
    const auto n = static_cast<double>(2 * m + 1);
    std::vector<double> weights;
    for (std::int64_t i = -m; i <= m; ++i) {
        const std::vector<double> here = orthogonal_polynomials(m, degree, 0, static_cast<double>(i));
        double sum = 0, scale = 1 / n;
        for (int k = 0; k <= degree; ++k) {
            if (k > 0) scale *= (n - k) / (n + k);
            sum += (2 * k + 1) * scale * here[static_cast<std::size_t>(k)] * wanted[static_cast<std::size_t>(k)];
        }
        weights.push_back(sum);
    }
    return weights;
}

SINTER_INLINE void require_savgol(const handle& x, std::int64_t window, int degree, const savgol_options& o, int axis) {
    if (window < 1 || window % 2 == 0)
        throw value_error("[savgol_filter] a window has an odd number of elements, not " + std::to_string(window));
    if (degree < 0 || degree >= window)
        throw value_error("[savgol_filter] a window of " + std::to_string(window) + " has no polynomial of degree " +
                          std::to_string(degree));
    if (o.deriv < 0) throw value_error("[savgol_filter] there is no derivative " + std::to_string(o.deriv));
    if (o.mode == "interp" && window > x->shape[axis])
        throw value_error("[savgol_filter] a window of " + std::to_string(window) + " is longer than axis " +
                          std::to_string(axis) + " with size " + std::to_string(x->shape[axis]));
    if (o.mode != "interp" && o.mode != "mirror" && o.mode != "nearest" && o.mode != "wrap" && o.mode != "constant")
        throw value_error("[savgol_filter] the mode is not interp, mirror, nearest, wrap or constant: " +
                          std::string(o.mode));
}

// Vectors along an axis times a matrix of as many rows, by rows.
SINTER_INLINE handle times_along(const handle& x, int axis, const std::vector<double>& table, std::int64_t columns) {
    const int last = x->shape.size() - 1;
    handle lines = record_moveaxis(x, dims(axis), dims(last));
    dims shape = lines->shape;
    const handle factor = record_cast(store(dtype::float64, dims(shape.back(), columns), table.data()), x->type);
    lines = record_matmul(record_reshape(lines, dims(-1, shape.back())), factor);
    shape[last] = columns;
    return record_moveaxis(record_reshape(lines, shape), dims(last), dims(axis));
}

SINTER_INLINE handle record_savgol(const handle& x, std::int64_t window, int degree, const savgol_options& o) {
    const int axis = codegen::normalize_axis("savgol_filter", o.axis, x->shape.size());
    require_savgol(x, window, degree, o, axis);
    device_scope on(x->where);
    const std::int64_t n = x->shape[axis], m = window / 2;
    const dtype type = codegen::floating_of(x->type);
    const handle wide = record_cast(x, ndimage::detail::working_type(type));
    double scale = 1;
    for (int i = 0; i < o.deriv; ++i) scale /= o.delta;
    auto weights_at = [&](std::int64_t place) {
        std::vector<double> w = savgol_weights(m, degree, o.deriv, static_cast<double>(place));
        for (double& v : w) v *= scale;
        return w;
    };
    const bool goes_on = o.mode == "interp";
    const ndimage::detail::border beyond{goes_on ? "constant" : o.mode, o.cval};
    const handle all = ndimage::detail::record_correlate1d("savgol_filter", wide, weights_at(0), axis, 0, beyond);
    if (!goes_on || m == 0 || x->shape.product() == 0) return record_cast(all, type);
    handle parts[3] = {{}, record_part(all, axis, m, n - m), {}};
    for (const bool last : {false, true}) {
        std::vector<double> table(static_cast<std::size_t>(window * m));
        for (std::int64_t j = 0; j < m; ++j) {
            const std::vector<double> w = weights_at(last ? j + 1 : j - m);
            for (std::int64_t i = 0; i < window; ++i)
                table[static_cast<std::size_t>(i * m + j)] = w[static_cast<std::size_t>(i)];
        }
        const handle end = last ? record_part(wide, axis, n - window, n) : record_part(wide, axis, 0, window);
        parts[last ? 2 : 0] = times_along(end, axis, table, m);
    }
    return record_cast(record_concatenate("savgol_filter", parts, wide->type, axis), type);
}

SINTER_INLINE void require_odd(const ndimage::per_axis<std::int64_t>& size) {
    for (std::size_t axis = 0; axis < size.size(); ++axis)
        if (const std::int64_t n = size[static_cast<int>(axis)]; n % 2 != 1)
            throw value_error("[medfilt] a window is odd along every axis: " + std::to_string(n));
}

}  // namespace sinter::inline SINTER_ABI::signal::detail

SINTER_IEEE_END
