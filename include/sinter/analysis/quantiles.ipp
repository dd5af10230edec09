// Bodies of quantiles.hpp.
#pragma once

#include <algorithm>
#include <sinter/analysis/quantiles.hpp>
#include <sinter/array/printing/digits.hpp>
#include <sinter/codegen/kernels/sort/selection.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/term.hpp>
#include <sinter/runtime/base/thread_team.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE void require_ranked(std::string_view name, const dims& shape, std::uint8_t mask) {
    for (int i = 0; i < shape.size(); ++i)
        if (mask >> i & 1 && shape[i] == 0)
            throw value_error("[" + std::string(name) + "] an array of shape " + to_string(shape) +
                              " has no element to rank");
}

// The rows that a reduction over some axes combines: kept axes first, then one.
SINTER_INLINE handle rows_to_rank(std::string_view name, const handle& x, std::uint8_t mask) {
    dims order, kept;
    std::int64_t n = 1;
    for (int i = 0; i < x->shape.size(); ++i)
        if (!(mask >> i & 1)) {
            order.push_back(i);
            kept.push_back(x->shape[i]);
        }
    for (int i = 0; i < x->shape.size(); ++i)
        if (mask >> i & 1) {
            order.push_back(i);
            n *= x->shape[i];
        }
    require_ranked(name, x->shape, mask);
    kept.push_back(n);
    return record_reshape(record_view(x, codegen::transposed(codegen::contiguous(x->shape), order)), kept);
}

// Between which elements of a sorted row a quantile lies: the first one's rank, and which share of the way from it to
// the next the result stands, or 0. Ranks are numbers, or terms where rows have different numbers of elements.
template <class N>
struct quantile_place {
    N low;
    N share;
};

SINTER_INLINE double round_by(op how, double v) {
    return how == op::floor ? ieee::floor(v) : how == op::ceil ? ieee::ceil(v) : ieee::rint(v);
}
SINTER_INLINE term round_by(op how, const term& v) { return apply(how, v); }
SINTER_INLINE double pick(bool condition, double a, double b) { return condition ? a : b; }
SINTER_INLINE term pick(const term& condition, double a, double b) {
    const term number = record_cast(condition, dtype::float64);
    return number * (a - b) + b;
}

// The place at a virtual index of Hyndman and Fan (Sample quantiles in statistical packages, 1996).
template <class N>
quantile_place<N> place_at(const N& at) {
    return {round_by(op::floor, at), at - round_by(op::floor, at)};
}

template <class N>
quantile_place<N> find_place(const quantile_request& r, double q, const N& n) {
    const N nearer = (n - 1) * q, cumulative = n * q - 1, none = n * 0.0;
    auto unbiased = [&](double alpha, double beta) {
        return place_at<N>(n * q + (alpha + q * (1 - alpha - beta)) - 1);
    };
    auto whole = [&](op how, const N& at) { return quantile_place<N>{round_by(how, at), none}; };
    const auto& m = r.method;
    if (m == "linear") return place_at(nearer);
    if (m == "lower") return whole(op::floor, nearer);
    if (m == "higher") return whole(op::ceil, nearer);
    if (m == "midpoint")
        return {round_by(op::floor, nearer), pick(round_by(op::floor, nearer) == round_by(op::ceil, nearer), 0, 0.5)};
    if (m == "nearest") return whole(op::rint, nearer);
    if (m == "inverted_cdf") return whole(op::ceil, cumulative);
    if (m == "averaged_inverted_cdf")
        return {round_by(op::floor, cumulative), pick(round_by(op::floor, cumulative) == cumulative, 0.5, 1)};
    if (m == "closest_observation") {
        const quantile_place<N> p = place_at<N>(cumulative - 0.5);
        // An odd rank that is met exactly stays.
        const N half = p.low * 0.5;
        return {p.low + pick(p.share == 0 && !(round_by(op::floor, half) == half), 0, 1), none};
    }
    if (m == "interpolated_inverted_cdf") return unbiased(0, 1);
    if (m == "hazen") return unbiased(0.5, 0.5);
    if (m == "weibull") return unbiased(0, 0);
    if (m == "median_unbiased") return unbiased(1 / 3.0, 1 / 3.0);
    if (m == "normal_unbiased") return unbiased(3 / 8.0, 3 / 8.0);
    throw value_error("[" + std::string(r.name) +
                      "] the method is not linear, lower, higher, midpoint, nearest, inverted_cdf, "
                      "averaged_inverted_cdf, closest_observation, interpolated_inverted_cdf, hazen, weibull, "
                      "median_unbiased or normal_unbiased: " +
                      std::string(m));
}

// From the nearer end, as NumPy does, so that the value grows with the share.
SINTER_INLINE term between(const term& a, const term& b, double share) {
    return share < 0.5 ? a + (b - a) * share : b - (b - a) * (1 - share);
}

using known_place = quantile_place<double>;

// Elements of rows by their ranks: those that quantiles need, in ascending order, or all of the sorted rows.
class ranked_rows {
public:
    ranked_rows(const handle& rows, codegen::span<const known_place> places) : length_(rows->shape.back()) {
        for (const known_place& p : places) {
            ranks_.push_back(within(static_cast<std::int64_t>(p.low)));
            if (p.share != 0) ranks_.push_back(within(static_cast<std::int64_t>(p.low) + 1));
        }
        if (codegen::is_floating(rows->type)) ranks_.push_back(length_ - 1);
        std::sort(ranks_.begin(), ranks_.end());
        ranks_.erase(std::unique(ranks_.begin(), ranks_.end()), ranks_.end());
        const auto count = static_cast<std::int64_t>(ranks_.size());
        const int axis = rows->shape.size() - 1;
        const codegen::selection_schedule& s = selection_on(rows->where);
        const bool occupies =
            rows->where.is_cuda() || codegen::occupies(s, rows->shape.product() / length_, runtime::thread_count());
        if (occupies && codegen::selects_ranks(s, rows->type, length_, count)) {
            const handle ranks = store(dtype::int64, dims(count), ranks_.data());
            elements_ = record_of_rows(codegen::routine::order_statistics, rows, axis, count, rows->type, ranks);
        } else {
            elements_ = record_sort(codegen::routine::sort, rows, axis);
            ranks_.clear();
        }
    }

    std::int64_t length() const { return length_; }
    bool is_floating() const { return codegen::is_floating(elements_->type); }
    /// The element of a rank, or the first or last where there is none.
    handle element(std::int64_t rank, dtype type) const {
        rank = within(rank);
        const auto at = ranks_.empty() ? rank : std::lower_bound(ranks_.begin(), ranks_.end(), rank) - ranks_.begin();
        const int axis = elements_->shape.size() - 1;
        return record_cast(record_squeeze(record_part(elements_, axis, at, at + 1), dims(axis)), type);
    }

private:
    std::int64_t within(std::int64_t rank) const { return std::max<std::int64_t>(0, std::min(rank, length_ - 1)); }

    std::vector<std::int64_t> ranks_;
    std::int64_t length_;
    handle elements_;
};

// A result, or NaN where a row holds it, last.
SINTER_INLINE handle unless_nan(const ranked_rows& rows, const term& r) {
    if (!rows.is_floating()) return r;
    const term last = rows.element(rows.length() - 1, r.type());
    return choose_where(apply(op::isnan, last), last, r);
}

SINTER_INLINE handle quantile_of(const ranked_rows& rows, const known_place& p, dtype type) {
    const auto low = static_cast<std::int64_t>(p.low);
    const term a = rows.element(low, type);
    if (p.share == 0) return unless_nan(rows, a);
    return unless_nan(rows, between(a, rows.element(low + 1, type), p.share));
}

SINTER_INLINE void require_shares(const quantile_request& r) {
    for (double q : r.shares)
        if (!(q >= 0 && q <= r.whole))
            throw value_error("[" + std::string(r.name) + "] a share is not between 0 and " +
                              std::to_string(static_cast<int>(r.whole)) + ": " + number_text(q));
    if (r.shares.empty()) throw value_error("[" + std::string(r.name) + "] there are no shares");
}

// Rows of a reduction's result in the shape that it has with its axes kept.
SINTER_INLINE handle with_kept_axes(const handle& r, dims shape, std::uint8_t mask) {
    for (int i = 0; i < shape.size(); ++i)
        if (mask >> i & 1) shape[i] = 1;
    return record_reshape(r, shape);
}

// How many elements each row has over the reduced axes.
SINTER_INLINE std::int64_t row_length(const handle& x, std::uint8_t mask) {
    return codegen::kept_shape(x->shape, static_cast<std::uint8_t>(~mask)).product();
}

// Of halves the sum might be too large.
SINTER_INLINE term middle_of(const term& a, const term& b) {
    return codegen::is_half(a.type()) ? a / 2 + b / 2 : (a + b) / 2;
}

SINTER_INLINE handle record_median(const handle& x, const axes& a, bool keep, dtype type) {
    const std::uint8_t mask = a.mask("median", x->shape.size());
    device_scope on(x->where);
    handle r = record_scalar(number_of(type, ieee::quiet_nan), codegen::kept_shape(x->shape, mask));
    if (row_length(x, mask) > 0) {
        const std::int64_t n = row_length(x, mask);
        const known_place middle{static_cast<double>((n - 1) / 2), n % 2 ? 0 : 0.5};
        const ranked_rows rows(rows_to_rank("median", x, mask), {&middle, 1});
        const term low = rows.element((n - 1) / 2, type);
        r = unless_nan(rows, n % 2 ? low : middle_of(low, rows.element(n / 2, type)));
    }
    return keep ? with_kept_axes(r, x->shape, mask) : r;
}

// Weights in the shape of the array.
SINTER_INLINE handle fit_weights(const quantile_request& r, const handle& x, std::uint8_t mask) {
    const dims& shape = r.weights->shape;
    if (r.method != "inverted_cdf")
        throw value_error("[" + std::string(r.name) + "] weights need the method inverted_cdf, not " +
                          std::string(r.method));
    if (shape == x->shape) return record_cast(r.weights, dtype::float64);
    int axis = 0;
    while (axis < x->shape.size() && mask != 1 << axis) ++axis;
    if (axis == x->shape.size() || shape != dims(x->shape[axis]))
        throw shape_error("[" + std::string(r.name) + "] weights of shape " + to_string(shape) +
                          " do not fit an array of " + to_string(x->shape));
    return record_along(record_cast(r.weights, dtype::float64), x->shape, axis);
}

// The first element up to which the weights' sum reaches a share of them all; without NaN if asked.
SINTER_INLINE handle record_weighted_quantiles(const quantile_request& r, const handle& x, std::uint8_t mask, bool keep,
                                               dtype type, bool skips_nan) {
    const handle unordered = rows_to_rank(r.name, x, mask);
    const int axis = unordered->shape.size() - 1;
    const auto last = static_cast<std::uint8_t>(1 << axis);
    const handle order = record_sort(codegen::routine::argsort, unordered, axis);
    const term rows = record_take_along(unordered, order, axis);
    term weights = record_take_along(rows_to_rank(r.name, fit_weights(r, x, mask), mask), order, axis);
    const term is_nan = apply(op::isnan, rows);
    if (skips_nan) weights = choose_where(is_nan, constant_like(weights, 0), weights);
    const term sums = record_scan(codegen::reduction::sum, weights, axis);
    const std::int64_t n = rows.shape().back();
    const term shares = sums / term(record_part(sums, axis, n - 1, n));
    codegen::sequence<handle> parts;
    for (double q : r.shares) {
        // The share zero is the first element of any weight.
        const term before = q == 0 ? shares == 0 : shares < q / r.whole;
        const term many = record_reduce(codegen::reduction::sum, record_cast(before, dtype::int64), last, true);
        const term at = apply(op::minimum, many, static_cast<double>(n - 1));
        term one = record_cast(record_squeeze(record_take_along(rows, at, axis), dims(axis)), type);
        const handle missing =
            record_reduce(skips_nan ? codegen::reduction::all : codegen::reduction::any, is_nan, last, false);
        one = choose_where(missing, constant_like(one, ieee::quiet_nan), one);
        parts.push_back(keep ? with_kept_axes(one, x->shape, mask) : one.value);
    }
    return r.stacked ? record_stack(r.name, parts, type, 0) : parts[0];
}

SINTER_INLINE handle record_quantiles(const quantile_request& r, const handle& x, const axes& a, bool keep,
                                      dtype type) {
    require_shares(r);
    const std::uint8_t mask = a.mask(r.name, x->shape.size());
    device_scope on(x->where);
    if (r.weights) return record_weighted_quantiles(r, x, mask, keep, type, false);
    const handle unordered = rows_to_rank(r.name, x, mask);
    std::vector<known_place> places;
    for (double q : r.shares)
        places.push_back(find_place(r, q / r.whole, static_cast<double>(unordered->shape.back())));
    const ranked_rows rows(unordered, places);
    codegen::sequence<handle> parts;
    for (const known_place& p : places) {
        const handle one = quantile_of(rows, p, type);
        parts.push_back(keep ? with_kept_axes(one, x->shape, mask) : one);
    }
    return r.stacked ? record_stack(r.name, parts, type, 0) : parts[0];
}

// The quantile at a place among the first `count` elements of sorted rows; the median where there is no place.
SINTER_INLINE handle nan_quantile_of(const handle& rows, const term& count, const quantile_place<term>* place,
                                     dtype type) {
    const int axis = rows->shape.size() - 1;
    const term last = count - 1;
    const term at = place ? place->low : last / 2;
    auto within = [&](const term& i) { return apply(op::maximum, apply(op::minimum, i, last), 0); };
    auto element = [&](const term& i) {
        dims one = i.shape();
        one.push_back(1);
        const handle index = record_reshape(record_cast(within(i), dtype::int64), one);
        return term(record_cast(record_squeeze(record_take_along(rows, index, axis), dims(axis)), type));
    };
    const term a = element(apply(op::floor, at)), b = element(place ? at + 1 : apply(op::ceil, at));
    term r = choose_where(a == b, a, middle_of(a, b));
    if (place) {
        const term part = record_cast(place->share, type);
        const term between = choose_where(part < 0.5, a + (b - a) * part, b - (b - a) * (1 - part));
        r = choose_where(part == 0, a, between);
    }
    return choose_where(count == 0, constant_like(r, ieee::quiet_nan), r);
}

SINTER_INLINE handle record_nan_quantiles(const quantile_request& r, const handle& x, const axes& a, bool keep,
                                          dtype type) {
    const bool is_median = r.name == "nanmedian";
    if (!is_median) require_shares(r);
    const std::uint8_t mask = a.mask(r.name, x->shape.size());
    device_scope on(x->where);
    const dims kept = codegen::kept_shape(x->shape, mask);
    codegen::sequence<handle> parts;
    if (r.weights && row_length(x, mask) > 0) return record_weighted_quantiles(r, x, mask, keep, type, true);
    if (row_length(x, mask) == 0) {
        parts.assign(std::max<std::size_t>(r.shares.size(), 1), record_scalar(number_of(type, ieee::quiet_nan), kept));
    } else {
        const handle unordered = rows_to_rank(r.name, x, mask);
        const handle rows = record_sort(codegen::routine::sort, unordered, unordered->shape.size() - 1);
        const term exist = record_cast(!apply(op::isnan, rows), dtype::float64);
        const auto last = static_cast<std::uint8_t>(1 << (rows->shape.size() - 1));
        const term count = record_reduce(codegen::reduction::sum, exist, last, false);
        if (is_median) parts.push_back(nan_quantile_of(rows, count, nullptr, type));
        for (double q : r.shares) {
            const quantile_place<term> place = find_place(r, q / r.whole, count);
            parts.push_back(nan_quantile_of(rows, count, &place, type));
        }
    }
    if (keep)
        for (handle& p : parts) p = with_kept_axes(p, x->shape, mask);
    return r.stacked ? record_stack(r.name, parts, type, 0) : parts[0];
}

SINTER_INLINE std::vector<double> read_shares(std::string_view name, const array<double>& q) {
    if (q.ndim() > 2)
        throw shape_error("[" + std::string(name) + "] several shares are a vector or a matrix, not of the shape " +
                          to_string(q.shape()));
    return to_vector(q);
}

SINTER_INLINE handle with_axes_of_shares(const handle& results, const dims& shares) {
    dims shape = shares;
    for (int i = 1; i < results->shape.size(); ++i) shape.push_back(results->shape[i]);
    return record_reshape(results, shape);
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
