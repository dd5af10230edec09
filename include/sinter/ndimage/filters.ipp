// Bodies of filters.hpp.
#pragma once

#include <sinter/array/printing/digits.hpp>
#include <sinter/array/reading.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/shape_functions.hpp>
#include <sinter/ndimage/filters.hpp>

#include <algorithm>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::ndimage::detail {

// As many elements have windows that a network sorts at most.
inline constexpr std::int64_t most_of_network = 16;

SINTER_INLINE std::vector<double> gaussian_weights(double sigma, int order, std::int64_t radius) {
    const std::size_t n = static_cast<std::size_t>(2 * radius + 1), terms = static_cast<std::size_t>(order) + 1;
    std::vector<double> w(n);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double x = static_cast<double>(i) - static_cast<double>(radius);
        w[i] = ieee::exp(-0.5 / (sigma * sigma) * (x * x));
        sum += w[i];
    }
    // A derivative is the Gaussian times a polynomial q: (q g)' = (q' - q x / sigma^2) g.
    std::vector<double> q(terms, 0.0);
    q[0] = 1;
    for (int turn = 0; turn < order; ++turn) {
        std::vector<double> next(terms, 0.0);
        for (std::size_t k = 0; k < terms; ++k) {
            if (k + 1 < terms) next[k] += static_cast<double>(k + 1) * q[k + 1];
            if (k > 0) next[k] += q[k - 1] / -(sigma * sigma);
        }
        q = next;
    }
    for (std::size_t i = 0; i < n; ++i) {
        const double x = static_cast<double>(radius) - static_cast<double>(i);
        double factor = 0;
        for (std::size_t k = terms; k-- > 0;) factor = factor * x + q[k];
        w[i] = factor * (w[i] / sum);
    }
    return w;
}

SINTER_INLINE handle record_gaussian(std::string_view operation, const handle& x, const per_axis<double>& sigma,
                                     const gaussian_options& o) {
    const dims axes = o.axes.of(operation, x->shape.size());
    require_count(operation, "sigma", sigma, axes.size());
    require_count(operation, "order", o.order, axes.size());
    handle y = x;
    for (int i = 0; i < axes.size(); ++i) {
        if (!(sigma[i] > 1e-15)) continue;
        if (o.order[i] < 0)
            throw value_error("[" + std::string(operation) + "] the order is negative: " + std::to_string(o.order[i]));
        const std::int64_t radius = o.radius ? *o.radius : static_cast<std::int64_t>(o.truncate * sigma[i] + 0.5);
        if (radius < 0)
            throw value_error("[" + std::string(operation) + "] the radius is negative: " + std::to_string(radius));
        const std::vector<double> weights = gaussian_weights(sigma[i], o.order[i], radius);
        y = record_correlate1d(operation, y, weights, static_cast<int>(axes[i]), 0, {o.mode, o.cval});
    }
    return y;
}

SINTER_INLINE handle record_gaussian1d(const handle& x, double sigma, const gaussian1d_options& o) {
    if (!(sigma >= 0)) throw value_error("[gaussian_filter1d] sigma is not 0 or more: " + number_text(sigma));
    return record_gaussian("gaussian_filter1d", x, sigma,
                           {.order = o.order,
                            .mode = o.mode,
                            .cval = o.cval,
                            .truncate = o.truncate,
                            .radius = o.radius,
                            .axes = codegen::normalize_axis("gaussian_filter1d", o.axis, x->shape.size())});
}

SINTER_INLINE handle record_means(std::string_view operation, const handle& x, std::int64_t size,
                                  const filter1d_options& o) {
    elements_before(operation, size, o.origin);
    const std::vector<double> ones(static_cast<std::size_t>(size), 1.0);
    const term wide = record_cast(x, working_type(x->type));
    const term sum = record_correlate1d(operation, wide, ones, o.axis, o.origin, {o.mode, o.cval});
    return record_cast(sum / static_cast<double>(size), x->type);
}

SINTER_INLINE handle record_uniform(const handle& x, const per_axis<std::int64_t>& size, const filter_options& o) {
    const int rank = x->shape.size();
    require_count("uniform_filter", "size", size, rank);
    require_count("uniform_filter", "origin", o.origin, rank);
    handle y = x;
    for (int axis = 0; axis < rank; ++axis)
        if (size[axis] != 1) y = record_means("uniform_filter", y, size[axis], {axis, o.mode, o.cval, o.origin[axis]});
    return y;
}

SINTER_INLINE handle record_uniform1d(const handle& x, std::int64_t size, const filter1d_options& o) {
    filter1d_options along = o;
    along.axis = codegen::normalize_axis("uniform_filter1d", o.axis, x->shape.size());
    return record_means("uniform_filter1d", x, size, along);
}

SINTER_INLINE handle record_extreme(extreme which, const handle& x, const per_axis<std::int64_t>& size,
                                    const filter_options& o) {
    const bool is_minimum = which == extreme::minimum;
    const std::string_view name = is_minimum ? "minimum_filter" : "maximum_filter";
    const int rank = x->shape.size();
    require_count(name, "size", size, rank);
    require_count(name, "origin", o.origin, rank);
    handle y = x;
    for (int axis = 0; axis < rank; ++axis) {
        dims before = dims::filled(rank, 0), after = before, window = dims::filled(rank, 1);
        before[axis] = elements_before(name, size[axis], o.origin[axis]);
        after[axis] = size[axis] - 1 - before[axis];
        window[axis] = size[axis];
        if (size[axis] == 1 || x->shape.product() == 0) continue;
        const codegen::sequence<term> copies =
            shifted_copies(record_extended(name, y, before, after, {o.mode, o.cval}), window, y->shape);
        term found = copies[0];
        for (const term& copy : copies) found = apply(is_minimum ? op::minimum : op::maximum, found, copy);
        y = found;
    }
    return y;
}

// The comparators of Batcher's odd-even merging that reach the element of this rank, in their order.
SINTER_INLINE std::vector<std::pair<std::size_t, std::size_t>> selection_network(std::size_t n, std::size_t rank) {
    std::vector<std::pair<std::size_t, std::size_t>> all, needed;
    for (std::size_t p = 1; p < n; p *= 2)
        for (std::size_t k = p; k >= 1; k /= 2)
            for (std::size_t j = k % p; j + k < n; j += 2 * k)
                for (std::size_t i = 0; i < std::min(k, n - j - k); ++i)
                    if ((i + j) / (p * 2) == (i + j + k) / (p * 2)) all.emplace_back(i + j, i + j + k);
    std::vector<bool> is_read(n, false);
    is_read[rank] = true;
    for (std::size_t at = all.size(); at-- > 0;) {
        const auto [low, high] = all[at];
        if (!is_read[low] && !is_read[high]) continue;
        is_read[low] = is_read[high] = true;
        needed.push_back(all[at]);
    }
    std::reverse(needed.begin(), needed.end());
    return needed;
}

SINTER_INLINE handle select_by_network(codegen::sequence<term> values, std::size_t rank) {
    for (const auto& [low, high] : selection_network(values.size(), rank)) {
        const term smaller = apply(op::minimum, values[low], values[high]);
        values[high] = apply(op::maximum, values[low], values[high]);
        values[low] = smaller;
    }
    return values[rank];
}

// A rank from the end, or by default the middle one; throws value_error where there is none such.
SINTER_INLINE std::int64_t rank_within(std::string_view operation, std::optional<std::int64_t> given, std::int64_t n) {
    const std::int64_t rank = !given ? n / 2 : *given < 0 ? *given + n : *given;
    if (rank < 0 || rank >= n)
        throw value_error("[" + std::string(operation) + "] rank " + std::to_string(*given) + " of windows of " +
                          std::to_string(n) + " elements");
    return rank;
}

SINTER_INLINE handle record_rank(std::string_view operation, const handle& x, std::optional<std::int64_t> given,
                                 const per_axis<std::int64_t>& size, const filter_options& o) {
    const int axes = x->shape.size();
    require_count(operation, "size", size, axes);
    dims window;
    for (int axis = 0; axis < axes; ++axis) window.push_back(size[axis]);
    const auto [before, after] = reach_of(operation, window, o.origin);
    const std::int64_t n = window.product(), rank = rank_within(operation, given, n);
    if (x->shape.product() == 0) return x;
    device_scope on(x->where);
    const handle extended = record_extended(operation, x, before, after, {o.mode, o.cval});
    if (n <= most_of_network)
        return select_by_network(shifted_copies(extended, window, x->shape), static_cast<std::size_t>(rank));
    const handle rows = record_reshape(record_windows(extended, window, all_axes(axes)), dims(x->shape.product(), n));
    const handle sorted = record_sort(codegen::routine::sort, rows, 1);
    return record_reshape(record_part(sorted, 1, rank, rank + 1), x->shape);
}

SINTER_INLINE std::int64_t rank_of_share(double percentile, double n) {
    const double share = percentile < 0 ? percentile + 100 : percentile;
    if (!(share >= 0 && share <= 100))
        throw value_error("[percentile_filter] no percentage: " + number_text(percentile));
    return static_cast<std::int64_t>(share == 100 ? n - 1 : n * share / 100);
}

SINTER_INLINE handle record_percentile(const handle& x, double percentile, const per_axis<std::int64_t>& size,
                                       const filter_options& o) {
    require_count("percentile_filter", "size", size, x->shape.size());
    double n = 1;
    for (int axis = 0; axis < x->shape.size(); ++axis) n *= static_cast<double>(size[axis]);
    return record_rank("percentile_filter", x, rank_of_share(percentile, n), size, o);
}

// The shifted copies of an image that a footprint counts.
SINTER_INLINE codegen::sequence<term> counted_copies(std::string_view operation, const handle& x,
                                                     const footprint_options& o) {
    const dims window = o.footprint.value->shape;
    const int rank = x->shape.size();
    if (window.size() != rank)
        throw shape_error("[" + std::string(operation) + "] a footprint of shape " + to_string(window) +
                          " has not the " + std::to_string(rank) + " axes of the image");
    const auto [before, after] = reach_of(operation, window, o.origin);
    const std::vector<bool> counts = read_footprint(operation, o.footprint.value);
    const codegen::sequence<term> all =
        shifted_copies(record_extended(operation, x, before, after, {o.mode, o.cval}), window, x->shape);
    codegen::sequence<term> counted;
    for (std::size_t k = 0; k < all.size(); ++k)
        if (counts[k]) counted.push_back(all[k]);
    return counted;
}

SINTER_INLINE handle record_rank_of_copies(std::string_view operation, const codegen::sequence<term>& copies,
                                           std::optional<std::int64_t> given) {
    const auto n = static_cast<std::int64_t>(copies.size());
    const std::int64_t rank = rank_within(operation, given, n);
    const handle first = copies[0];
    if (first->shape.product() == 0) return first;
    if (n <= most_of_network) return select_by_network(copies, static_cast<std::size_t>(rank));
    codegen::sequence<handle> parts;
    for (const term& copy : copies) parts.push_back(copy);
    const int last = first->shape.size();
    const handle sorted = record_sort(codegen::routine::sort, record_stack(operation, parts, first->type, last), last);
    return record_reshape(record_part(sorted, last, rank, rank + 1), first->shape);
}

SINTER_INLINE handle record_rank_of_footprint(std::string_view operation, const handle& x,
                                              std::optional<std::int64_t> rank, const footprint_options& o) {
    device_scope on(x->where);
    return record_rank_of_copies(operation, counted_copies(operation, x, o), rank);
}

SINTER_INLINE handle record_extreme_of_footprint(extreme which, const handle& x, const footprint_options& o) {
    const bool is_minimum = which == extreme::minimum;
    device_scope on(x->where);
    const codegen::sequence<term> copies = counted_copies(is_minimum ? "minimum_filter" : "maximum_filter", x, o);
    term found = copies[0];
    for (const term& copy : copies) found = apply(is_minimum ? op::minimum : op::maximum, found, copy);
    return found;
}

SINTER_INLINE handle record_percentile_of_footprint(const handle& x, double percentile, const footprint_options& o) {
    device_scope on(x->where);
    const codegen::sequence<term> copies = counted_copies("percentile_filter", x, o);
    return record_rank_of_copies("percentile_filter", copies,
                                 rank_of_share(percentile, static_cast<double>(copies.size())));
}

// What becomes of Gaussians that have a derivative of this order along one axis each, in the type that is computed in.
template <class F>
handle sum_of_derivatives(std::string_view operation, const handle& x, int order, const per_axis<double>& sigma,
                          const derivative_options& o, F part) {
    const int rank = x->shape.size();
    require_count(operation, "sigma", sigma, rank);
    const handle wide = record_cast(x, working_type(x->type));
    handle sum;
    for (int axis = 0; axis < rank; ++axis) {
        std::vector<int> orders(static_cast<std::size_t>(rank), 0);
        orders[static_cast<std::size_t>(axis)] = order;
        const term along = part(term(
            record_gaussian(operation, wide, sigma, {.order = per_axis<int>(orders), .mode = o.mode, .cval = o.cval})));
        sum = sum ? handle(term(sum) + along) : handle(along);
    }
    return sum ? sum : wide;
}

SINTER_INLINE handle record_gaussian_laplace(const handle& x, const per_axis<double>& sigma,
                                             const derivative_options& o) {
    device_scope on(x->where);
    return record_cast(sum_of_derivatives("gaussian_laplace", x, 2, sigma, o, [](const term& d) { return d; }),
                       x->type);
}

SINTER_INLINE handle record_gaussian_gradient(const handle& x, const per_axis<double>& sigma,
                                              const derivative_options& o) {
    device_scope on(x->where);
    const term squares =
        sum_of_derivatives("gaussian_gradient_magnitude", x, 1, sigma, o, [](const term& d) { return d * d; });
    return record_cast(apply(op::sqrt, squares), x->type);
}

SINTER_INLINE handle record_smoothed_difference(std::string_view operation, const handle& x, std::int64_t given,
                                                codegen::span<const double> smooth, const derivative_options& o) {
    const int axis = codegen::normalize_axis(operation, given, x->shape.size());
    const double difference[] = {-1, 0, 1};
    const handle wide = record_cast(x, working_type(x->type));
    handle y = record_correlate1d(operation, wide, difference, axis, 0, {o.mode, o.cval});
    for (int other = 0; other < x->shape.size(); ++other)
        if (other != axis) y = record_correlate1d(operation, y, smooth, other, 0, {o.mode, o.cval});
    return record_cast(y, x->type);
}

SINTER_INLINE handle record_laplace(const handle& x, const derivative_options& o) {
    const double second[] = {1, -2, 1};
    const handle wide = record_cast(x, working_type(x->type));
    handle sum;
    for (int axis = 0; axis < x->shape.size(); ++axis) {
        const handle along = record_correlate1d("laplace", wide, second, axis, 0, {o.mode, o.cval});
        sum = sum ? handle(term(sum) + term(along)) : along;
    }
    return sum ? record_cast(sum, x->type) : x;
}

SINTER_INLINE handle record_correlate1d_of(std::string_view operation, const handle& x,
                                           const std::vector<double>& given, const filter1d_options& o, bool flip) {
    const int axis = codegen::normalize_axis(operation, o.axis, x->shape.size());
    std::vector<double> weights = given;
    std::int64_t origin = o.origin;
    if (flip) {
        std::reverse(weights.begin(), weights.end());
        origin = -origin - (weights.size() % 2 == 0 ? 1 : 0);
    }
    return record_correlate1d(operation, x, weights, axis, origin, {o.mode, o.cval});
}

}  // namespace sinter::inline SINTER_ABI::ndimage::detail

SINTER_IEEE_END
