// Bodies of interpolation.hpp.
#pragma once

#include <sinter/functions/term.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/analysis/interpolation.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE void require_points(const handle& points, const handle& values, const interp_options& o) {
    if (points->shape.size() != 1 || values->shape.size() != 1)
        throw shape_error("[interp] points and values are no vectors: " + to_string(points->shape) + " and " +
                          to_string(values->shape));
    if (points->shape[0] == 0) throw value_error("[interp] there are no points");
    if (points->shape != values->shape)
        throw value_error("[interp] there are " + std::to_string(points->shape[0]) + " points and " +
                          std::to_string(values->shape[0]) + " values");
    if (o.period && *o.period == 0) throw value_error("[interp] the period is zero");
}

// Points in one period in ascending order, with the neighbours on both sides.
SINTER_INLINE void wrap_points(term& x, term& points, term& values, double period) {
    const std::int64_t n = points.shape()[0];
    x = apply(op::remainder, x, period);
    points = apply(op::remainder, points, period);
    const term order = record_sort(codegen::routine::argsort, points, 0);
    points = elements_at(points, order);
    values = elements_at(values, order);
    auto part = [&](const term& v, std::int64_t at) { return term(record_part(v, 0, at, at + 1)); };
    const handle before[] = {part(points, n - 1) - period, points, part(points, 0) + period};
    const handle wrapped[] = {part(values, n - 1), values, part(values, 0)};
    points = record_concatenate("interp", before, points.type(), 0);
    values = record_concatenate("interp", wrapped, values.type(), 0);
}

// From the nearer point where the other gives NaN, as NumPy does.
SINTER_INLINE term between_points(const term& x, const term& points, const term& values, const term& at) {
    const double last = static_cast<double>(points.shape()[0] - 1);
    const term low = apply(op::maximum, apply(op::minimum, at - 1, last - 1), 0);
    const term high = apply(op::minimum, low + 1, last);
    const term x0 = elements_at(points, low), x1 = elements_at(points, high);
    const term y0 = elements_at(values, low), y1 = elements_at(values, high);
    const term slope = (y1 - y0) / (x1 - x0);
    term y = slope * (x - x0) + y0;
    y = choose_where(apply(op::isnan, y), slope * (x - x1) + y1, y);
    y = choose_where(apply(op::isnan, y) && y0 == y1, y0, y);
    return choose_where(x == x0, y0, y);
}

SINTER_INLINE handle record_interp(const handle& given, const handle& given_points, const handle& given_values,
                                   const interp_options& o) {
    require_points(given_points, given_values, o);
    device_scope on(given->where);
    term x = given, points = given_points, values = given_values;
    if (o.period) wrap_points(x, points, values, ieee::fabs(*o.period));
    const std::int64_t n = points.shape()[0];
    const term at = record_searchsorted(points, x, true);
    auto end = [&](const std::optional<any_number>& v, std::int64_t i) -> term {
        if (v && !o.period) return record_scalar(converted_number(values.type(), v->value), {});
        return record_reshape(record_part(values, 0, i, i + 1), dims());
    };
    const term greatest = record_reshape(record_part(points, 0, n - 1, n), dims());
    term y = choose_where(x == greatest, record_reshape(record_part(values, 0, n - 1, n), dims()),
                          between_points(x, points, values, at));
    y = choose_where(x > greatest, end(o.right, n - 1), y);
    y = choose_where(at == 0, end(o.left, 0), y);
    return choose_where(apply(op::isnan, x), x, y);
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
