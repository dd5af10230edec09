// Bodies of statistics.hpp.
#pragma once

#include <sinter/array/matrix_products.hpp>
#include <sinter/analysis/statistics.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/scans.hpp>
#include <sinter/functions/term.hpp>

#include <vector>

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

// The smallest and the largest coordinates along the axes whose bins need them, read at once; 0 and 1 of no points.
SINTER_INLINE std::vector<double> ends_of_data(const grid_request& r, codegen::span<const handle> x) {
    std::vector<double> ends;
    codegen::sequence<handle> wanted;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const bool is_given = r.bins[i].edges() || (!r.range.empty() && !r.range[i].empty());
        ends.insert(ends.end(), {0, 1});
        if (is_given || x[i]->shape[0] == 0) continue;
        for (auto how : {codegen::reduction::min, codegen::reduction::max})
            wanted.push_back(record_reduce(how, x[i], 1, false));
    }
    if (!wanted.empty()) evaluate(wanted);
    for (std::size_t i = 0, at = 0; i < x.size() && x[i]->shape[0] > 0; ++i) {
        if (r.bins[i].edges() || (!r.range.empty() && !r.range[i].empty())) continue;
        for (std::size_t end = 2 * i; end < 2 * i + 2; ++end) ends[end] = read_item(wanted[at++], {}).as<double>();
    }
    return ends;
}

// The edges along one axis, float64, between two ends where they are not given.
SINTER_INLINE handle edges_of(const grid_request& r, std::size_t axis, double low, double high) {
    const histogram_bins& bins = r.bins[axis];
    if (bins.edges()) return given_edges(r.name, bins.edges());
    if (!bins.rule().empty())
        throw value_error("[" + std::string(r.name) + "] bins are numbers or edges, not " + bins.rule());
    if (bins.count() < 1)
        throw value_error("[" + std::string(r.name) + "] there are no bins: " + std::to_string(bins.count()));
    if (!r.range.empty() && !r.range[axis].empty()) {
        low = r.range[axis][0];
        high = r.range[axis][1];
    }
    require_range_of_bins(r.name, low, high);
    return record_linspace(low, high, add_sizes(r.name, bins.count(), 1), true, dtype::float64);
}

SINTER_INLINE void require_coordinates(const grid_request& r, codegen::span<const handle> x) {
    const std::string name = "[" + std::string(r.name) + "] ";
    if (x.empty()) throw shape_error(name + "points have no coordinates");
    if (x.size() > static_cast<std::size_t>(max_rank))
        throw shape_error(name + "points have " + std::to_string(x.size()) + " coordinates, and arrays at most " +
                          std::to_string(max_rank) + " axes");
    for (const handle& h : x)
        if (h->shape.size() != 1 || h->shape != x[0]->shape)
            throw shape_error(name + "coordinates are no vectors of one length: " + to_string(x[0]->shape) + " and " +
                              to_string(h->shape));
    if (r.weights && r.weights->shape != x[0]->shape)
        throw shape_error(name + "weights of shape " + to_string(r.weights->shape) + " for " + to_string(x[0]->shape));
    if (!r.range.empty() && r.range.size() != x.size())
        throw value_error(name + std::to_string(r.range.size()) + " ranges for " + std::to_string(x.size()) + " axes");
    for (const std::vector<double>& ends : r.range)
        if (ends.size() != 2 && !ends.empty())
            throw value_error(name + "a range has two ends: " + std::to_string(ends.size()) + " are given");
}

SINTER_INLINE codegen::sequence<handle> record_grid_counts(const grid_request& r, codegen::span<const handle> x) {
    require_coordinates(r, x);
    device_scope on(x[0]->where);
    const std::vector<double> ends = ends_of_data(r, x);
    codegen::sequence<handle> results{{}};
    dims grid;
    handle places, exist;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const handle edges = edges_of(r, i, ends[2 * i], ends[2 * i + 1]);
        results.push_back(edges);
        grid.push_back(edges->shape[0] - 1);
        const auto [bin, exists] = bins_between(x[i], edges);
        places = i ? handle(term(places) * static_cast<double>(grid.back()) + term(bin)) : bin;
        exist = i ? handle(term(exist) && term(exists)) : exists;
    }
    term counts = record_reshape(record_sums_at(grid.product(), places, exist, r.weights, dtype::float64), grid);
    if (r.density) {
        const auto every = static_cast<std::uint8_t>((1 << grid.size()) - 1);
        const term total = record_reduce(codegen::reduction::sum, counts, every, false);
        for (int i = 0; i < grid.size(); ++i) {
            const handle& e = results[static_cast<std::size_t>(i) + 1];
            counts = counts / vector_along(term(record_tail(e, 0)) - term(record_head(e, 0)), i, grid.size());
        }
        counts = counts / total;
    }
    results[0] = counts;
    return results;
}

SINTER_INLINE codegen::sequence<handle> coordinates_of(const handle& points) {
    if (points->shape.size() < 2) return {record_reshape(points, {-1})};
    if (points->shape.size() != 2)
        throw shape_error("[histogramdd] points are no rows of a matrix: " + to_string(points->shape));
    codegen::sequence<handle> each;
    for (std::int64_t i = 0; i < points->shape[1]; ++i)
        each.push_back(record_squeeze(record_part(points, 1, i, i + 1), dims(1)));
    return each;
}

SINTER_INLINE histogramdd_result histogram_of_coordinates(codegen::span<const handle> coordinates,
                                                          const histogramdd_options& o) {
    auto h = record_grid_counts(
        {"histogramdd", o.bins.of(static_cast<std::int64_t>(coordinates.size())), o.range, o.density, o.weights.value},
        coordinates);
    histogramdd_result r{array<double>(h[0]), {}};
    for (std::size_t i = 1; i < h.size(); ++i) r.edges.emplace_back(h[i]);
    return r;
}

}  // namespace sinter::inline SINTER_ABI::detail

namespace sinter::inline SINTER_ABI {

SINTER_INLINE histogramdd_bins::histogramdd_bins(std::initializer_list<histogram_bins> each) : each_(each) {}
SINTER_INLINE histogramdd_bins::histogramdd_bins(std::vector<histogram_bins> each) : each_(std::move(each)) {}

SINTER_INLINE std::vector<histogram_bins> histogramdd_bins::of(std::int64_t axes) const {
    const auto count = static_cast<std::size_t>(axes);
    if (is_of_all_) return std::vector<histogram_bins>(count, each_[0]);
    if (each_.size() != count)
        throw value_error("[histogramdd] bins of " + std::to_string(each_.size()) + " axes for " +
                          std::to_string(axes));
    return each_;
}

}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END
