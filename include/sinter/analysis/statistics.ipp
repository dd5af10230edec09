// Bodies of statistics.hpp.
#pragma once

#include <sinter/analysis/statistics.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/scans.hpp>
#include <sinter/functions/term.hpp>

#include <array>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE handle variables_as_rows(std::string_view name, const handle& x, bool transposes) {
    if (x->shape.size() > 2)
        throw shape_error("[" + std::string(name) + "] more than two axes: " + to_string(x->shape));
    if (x->shape.size() < 2) return record_reshape(x, {1, x->shape.product()});
    return transposes ? transposed_all(x) : x;
}

SINTER_INLINE handle all_variables(std::string_view name, const handle& x, const handle& y, bool rowvar) {
    const handle rows = variables_as_rows(name, x, !rowvar);
    if (!y) return rows;
    // As NumPy, which transposes one row of the first array, and not of the second.
    const bool is_row = y->shape.size() == 2 && y->shape[0] == 1;
    const handle parts[] = {rows, variables_as_rows(name, y, !rowvar && !is_row)};
    return record_concatenate(name, parts, rows->type, 0);
}

SINTER_INLINE term sum_over(const term& x, int axis, bool keep) {
    return record_reduce(codegen::reduction::sum, x, static_cast<std::uint8_t>(1 << axis), keep);
}

SINTER_INLINE void require_observation_weights(const char* which, const handle& w, std::int64_t n) {
    if (w && (w->shape.size() != 1 || w->shape[0] != n))
        throw shape_error("[cov] " + std::string(which) + " of shape " + to_string(w->shape) + " for " +
                          std::to_string(n) + " observations");
}

// The factor of each observation, in float64; none where none is given.
SINTER_INLINE handle observation_weights(const cov_options& o, std::int64_t n) {
    const handle &f = o.fweights.value, &a = o.aweights.value;
    require_observation_weights("fweights", f, n);
    require_observation_weights("aweights", a, n);
    if (f && codegen::kind_rank(f->type) > 1) throw type_error("[cov] fweights are no integers");
    if (!f) return a ? record_cast(a, dtype::float64) : a;
    const term often = record_cast(f, dtype::float64);
    return a ? often * term(record_cast(a, dtype::float64)) : often;
}

SINTER_INLINE handle record_cov(const handle& given, const handle& second, const cov_options& o) {
    device_scope on(given->where);
    const term x = all_variables("cov", given, second, o.rowvar);
    if (x.shape()[0] == 0) return record_scalar(number_of(x.type(), 0.0), {0, 0});
    const std::int64_t n = x.shape()[1];
    const double ddof = o.ddof.value_or(o.bias ? 0 : 1);
    const handle weights = observation_weights(o, n);
    term away = x, weighted = x, divisor = constant_like(record_scalar(number(0.0), {}), static_cast<double>(n) - ddof);
    if (weights) {
        const term w = weights, total = sum_over(w, 0, false);
        away = x - sum_over(x * w, 1, true) / total;
        weighted = away * w;
        divisor = total - ddof;
        if (o.aweights.value && ddof != 0)
            divisor =
                total - ddof * sum_over(w * term(record_cast(o.aweights.value, dtype::float64)), 0, false) / total;
    } else {
        away = weighted = x - sum_over(x, 1, true) / static_cast<double>(n);
    }
    divisor = apply(op::maximum, divisor, 0);
    handle other = transposed_all(weighted);
    if (codegen::is_complex(x.type())) other = apply(op::conj, other);
    return record_squeeze(term(record_matmul(away, other, precision::highest, "cov")) * (1 / divisor));
}

SINTER_INLINE handle record_corrcoef(const handle& x, const handle& y, bool rowvar) {
    device_scope on(x->where);
    const term c = record_cov(x, y, {.rowvar = rowvar});
    if (c.shape().empty()) return c / c;
    const term deviation = apply(op::sqrt, apply(op::real, term(record_diagonal(c, 0))));
    const term r = c / vector_along(deviation, 0, 2) / vector_along(deviation, 1, 2);
    auto limited = [](const term& v) { return apply(op::maximum, apply(op::minimum, v, 1), -1); };
    if (!codegen::is_complex(r.type())) return limited(r);
    const term imaginary = record_scalar(number(std::complex<double>(0, 1)), {});
    return term(record_cast(limited(apply(op::real, r)), r.type())) +
           imaginary * term(record_cast(limited(apply(op::imag, r)), r.type()));
}

SINTER_INLINE handle record_digitize(const handle& x, const handle& bins, bool right) {
    if (bins->shape.size() != 1) throw shape_error("[digitize] bins are no vector: " + to_string(bins->shape));
    device_scope on(x->where);
    const std::int64_t n = bins->shape[0];
    if (n == 0) return record_scalar(number(std::int64_t{0}), x->shape);
    auto edge = [&](std::int64_t i) { return term(record_reshape(record_part(bins, 0, i, i + 1), dims())); };
    const term descends = edge(0) > edge(n - 1);
    const term ascending = choose_where(descends, record_flip("digitize", bins, dims(0)), bins);
    const term at = record_searchsorted(ascending, x, !right);
    return choose_where(descends, static_cast<double>(n) - at, at);
}

// The edges along one axis, float64; `ends` are those of the data, where they are wanted.
SINTER_INLINE handle edges_of(const histogram_bins& bins, std::span<const double> range, const double* ends) {
    if (bins.edges()) {
        if (bins.edges()->shape.size() != 1 || bins.edges()->shape[0] < 2)
            throw shape_error("[histogram2d] edges are no vector of two or more: " + to_string(bins.edges()->shape));
        return record_cast(bins.edges(), dtype::float64);
    }
    if (bins.count() < 1) throw value_error("[histogram2d] there are no bins: " + std::to_string(bins.count()));
    double low = range.empty() ? ends[0] : range[0], high = range.empty() ? ends[1] : range[1];
    require_range_of_bins("histogram2d", low, high);
    return record_linspace(low, high, add_sizes("histogram2d", bins.count(), 1), true, dtype::float64);
}

// The smallest and largest of x and of y, read at once.
SINTER_INLINE std::array<double, 4> ends_of_data(const handle& x, const handle& y) {
    if (x->shape[0] == 0) return {0, 1, 0, 1};
    using codegen::reduction;
    const handle ends[] = {record_reduce(reduction::min, x, 1, false), record_reduce(reduction::max, x, 1, false),
                           record_reduce(reduction::min, y, 1, false), record_reduce(reduction::max, y, 1, false)};
    evaluate(ends);
    std::array<double, 4> v{};
    for (std::size_t i = 0; i < 4; ++i) v[i] = read_item(ends[i], {}).as<double>();
    return v;
}

SINTER_INLINE void require_pairs(const handle& x, const handle& y, const histogram2d_options& o) {
    if (x->shape.size() != 1 || y->shape != x->shape)
        throw shape_error("[histogram2d] x and y are no vectors of one length: " + to_string(x->shape) + " and " +
                          to_string(y->shape));
    if (o.weights.value && o.weights.value->shape != x->shape)
        throw shape_error("[histogram2d] weights of shape " + to_string(o.weights.value->shape) + " for " +
                          to_string(x->shape));
    if (!o.range.empty() && (o.range.size() != 2 || o.range[0].size() != 2 || o.range[1].size() != 2))
        throw value_error("[histogram2d] a range has two ends for x and two for y");
}

SINTER_INLINE std::vector<handle> record_histogram2d(const handle& x, const handle& y, const histogram2d_options& o) {
    require_pairs(x, y, o);
    device_scope on(x->where);
    std::array<double, 4> ends{};
    if (o.range.empty() && !(o.bins.x.edges() && o.bins.y.edges())) ends = ends_of_data(x, y);
    const auto given = [&](std::size_t i) { return o.range.empty() ? std::span<const double>() : o.range[i]; };
    const handle xedges = edges_of(o.bins.x, given(0), ends.data());
    const handle yedges = edges_of(o.bins.y, given(1), ends.data() + 2);
    const std::int64_t nx = xedges->shape[0] - 1, ny = yedges->shape[0] - 1;
    const auto [row, row_exists] = bins_between(x, xedges);
    const auto [column, column_exists] = bins_between(y, yedges);
    const term places = term(row) * static_cast<double>(ny) + column, exist = term(row_exists) && column_exists;
    term counts = record_reshape(record_sums_at(dims(nx, ny).product(), places, exist, o.weights.value, dtype::float64),
                                 {nx, ny});
    if (o.density) {
        auto widths = [](const handle& e) { return term(record_tail(e, 0)) - term(record_head(e, 0)); };
        const term total = record_reduce(codegen::reduction::sum, counts, 3, false);
        counts = counts / vector_along(widths(xedges), 0, 2) / vector_along(widths(yedges), 1, 2) / total;
    }
    return {counts, xedges, yedges};
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
