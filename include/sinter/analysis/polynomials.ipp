// Bodies of polynomials.hpp.
#pragma once

#include <sinter/analysis/polynomials.hpp>
#include <sinter/functions/term.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE handle record_polyval(const handle& coefficients, const handle& x) {
    if (coefficients->shape.size() != 1)
        throw shape_error("[polyval] the coefficients are no vector: " + to_string(coefficients->shape));
    device_scope on(x->where);
    term y = record_scalar(converted_number(x->type, number(0)), x->shape);
    for (std::int64_t i = 0; i < coefficients->shape[0]; ++i)
        y = y * term(x) + term(record_reshape(record_part(coefficients, 0, i, i + 1), dims()));
    return y;
}

SINTER_INLINE void require_fit(const dims& x, const dims& y, std::int64_t degree, const dims& weights) {
    if (degree < 0) throw value_error("[polyfit] the degree is negative: " + std::to_string(degree));
    if (x.size() != 1) throw shape_error("[polyfit] x is no vector: " + to_string(x));
    if (x[0] == 0) throw value_error("[polyfit] there are no points");
    if ((y.size() != 1 && y.size() != 2) || y[0] != x[0])
        throw shape_error("[polyfit] x and y do not fit: " + to_string(x) + " and " + to_string(y));
    if (weights.product() != 0 && weights != x)
        throw shape_error("[polyfit] weights and points do not fit: " + to_string(weights) + " and " + to_string(x));
}

SINTER_INLINE std::int64_t free_points(const dims& x, std::int64_t degree) {
    const std::int64_t n = x[0] - degree - 1;
    if (n <= 0)
        throw value_error("[polyfit] a covariance is scaled by more points than coefficients, not by " +
                          std::to_string(x[0]) + " for " + std::to_string(degree + 1));
    return n;
}

}  // namespace sinter::inline SINTER_ABI::detail
