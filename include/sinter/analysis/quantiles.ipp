// Bodies of quantiles.hpp.
#pragma once

#include <sinter/analysis/quantiles.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/term.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

// The rows that a reduction over some axes combines, sorted: kept axes first, then one.
SINTER_INLINE handle sorted_rows(std::string_view name, const handle& x, std::uint8_t mask) {
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
    if (n == 0)
        throw value_error("[" + std::string(name) + "] an array of shape " + to_string(x->shape) +
                          " has no element to rank");
    kept.push_back(n);
    handle rows = record_reshape(record_view(x, codegen::transposed(codegen::contiguous(x->shape), order)), kept);
    return record_sort(codegen::routine::sort, rows, kept.size() - 1);
}

// Between which elements of a sorted row a quantile lies: how far from the first, and which share of the way from one
// to the next the result stands, or of the place itself where there is none.
struct quantile_place {
    double at;
    double share;
};

// The place at a virtual index of Hyndman and Fan (Sample quantiles in statistical packages, 1996).
SINTER_INLINE quantile_place place_at(double at) { return {ieee::floor(at), at - ieee::floor(at)}; }

SINTER_INLINE quantile_place find_place(const quantile_request& r, double q, double n) {
    const double nearer = (n - 1) * q, cumulative = n * q - 1;
    auto unbiased = [&](double alpha, double beta) { return place_at(n * q + (alpha + q * (1 - alpha - beta)) - 1); };
    const auto& m = r.method;
    if (m == "linear") return place_at(nearer);
    if (m == "lower") return {ieee::floor(nearer), 0};
    if (m == "higher") return {ieee::ceil(nearer), 0};
    if (m == "midpoint") return {ieee::floor(nearer), ieee::floor(nearer) == ieee::ceil(nearer) ? 0 : 0.5};
    if (m == "nearest") return {ieee::rint(nearer), 0};
    if (m == "inverted_cdf") return {ieee::ceil(cumulative), 0};
    if (m == "averaged_inverted_cdf") return {ieee::floor(cumulative), ieee::floor(cumulative) == cumulative ? 0.5 : 1};
    if (m == "closest_observation") {
        const quantile_place p = place_at(cumulative - 0.5);
        const bool stays = p.share == 0 && ieee::floor(p.at / 2) * 2 != p.at;
        return {stays ? p.at : p.at + 1, 0};
    }
    if (m == "interpolated_inverted_cdf") return unbiased(0, 1);
    if (m == "hazen") return unbiased(0.5, 0.5);
    if (m == "weibull") return unbiased(0, 0);
    if (m == "median_unbiased") return unbiased(1 / 3.0, 1 / 3.0);
    if (m == "normal_unbiased") return unbiased(3 / 8.0, 3 / 8.0);
    throw value_error("[" + std::string(r.name) + "] there is no method " + std::string(m));
}

// From the nearer end, as NumPy does, so that the value grows with the share.
SINTER_INLINE term between(const term& a, const term& b, double share) {
    return share < 0.5 ? a + (b - a) * share : b - (b - a) * (1 - share);
}

SINTER_INLINE term sorted_element(const handle& rows, std::int64_t i, dtype type) {
    const int axis = rows->shape.size() - 1;
    i = std::max<std::int64_t>(0, std::min(i, rows->shape[axis] - 1));
    return record_cast(record_squeeze(record_part(rows, axis, i, i + 1), dims(axis)), type);
}

// A result, or NaN where a row holds it, last.
SINTER_INLINE handle unless_nan(const handle& rows, const term& r) {
    if (!codegen::is_floating(rows->type)) return r;
    const term last = sorted_element(rows, rows->shape.back() - 1, r.type());
    return choose_where(apply(op::isnan, last), last, r);
}

SINTER_INLINE handle quantile_of(const quantile_request& r, const handle& rows, double q, dtype type) {
    const quantile_place p = find_place(r, q, static_cast<double>(rows->shape.back()));
    const auto low = static_cast<std::int64_t>(p.at);
    const term a = sorted_element(rows, low, type);
    if (p.share == 0) return unless_nan(rows, a);
    return unless_nan(rows, between(a, sorted_element(rows, low + 1, type), p.share));
}

SINTER_INLINE void require_shares(const quantile_request& r) {
    for (double q : r.shares)
        if (!(q >= 0 && q <= r.whole))
            throw value_error("[" + std::string(r.name) + "] a share is not between 0 and " +
                              std::to_string(static_cast<int>(r.whole)) + ": " + std::to_string(q));
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

SINTER_INLINE handle record_median(const handle& x, const axes& a, bool keep, dtype type) {
    const std::uint8_t mask = a.mask("median", x->shape.size());
    device_scope on(x->where);
    handle r = record_scalar(number_of(type, ieee::quiet_nan), codegen::kept_shape(x->shape, mask));
    if (row_length(x, mask) > 0) {
        const handle rows = sorted_rows("median", x, mask);
        const std::int64_t n = rows->shape.back();
        const term low = sorted_element(rows, (n - 1) / 2, type);
        r = unless_nan(rows, n % 2 ? low : (low + sorted_element(rows, n / 2, type)) / 2);
    }
    return keep ? with_kept_axes(r, x->shape, mask) : r;
}

SINTER_INLINE handle record_quantiles(const quantile_request& r, const handle& x, const axes& a, bool keep,
                                      dtype type) {
    require_shares(r);
    const std::uint8_t mask = a.mask(r.name, x->shape.size());
    device_scope on(x->where);
    const handle rows = sorted_rows(r.name, x, mask);
    std::vector<handle> parts;
    for (double q : r.shares) {
        const handle one = quantile_of(r, rows, q / r.whole, type);
        parts.push_back(keep ? with_kept_axes(one, x->shape, mask) : one);
    }
    return r.stacked ? record_stack(r.name, parts, type, 0) : parts[0];
}

// The quantile at a share of the first `count` elements of sorted rows, linearly interpolated; the median where there
// is no share.
SINTER_INLINE handle nan_quantile_of(const handle& rows, const term& count, const double* share, dtype type) {
    const int axis = rows->shape.size() - 1;
    const term last = count - 1;
    const term at = share ? last * *share : last / 2;
    const term low = apply(op::maximum, apply(op::floor, at), 0);
    const term high = apply(op::maximum, apply(op::minimum, share ? low + 1 : apply(op::ceil, at), last), 0);
    auto element = [&](const term& i) {
        dims one = i.shape();
        one.push_back(1);
        const handle index = record_reshape(record_cast(i, dtype::int64), one);
        return term(record_cast(record_squeeze(record_take_along(rows, index, axis), dims(axis)), type));
    };
    const term a = element(low), b = element(high), part = record_cast(at - low, type);
    const term middle = choose_where(a == b, a, (a + b) / 2);
    const term between = choose_where(part < 0.5, a + (b - a) * part, b - (b - a) * (1 - part));
    const term r = share ? choose_where(part == 0, a, between) : middle;
    return choose_where(count == 0, constant_like(r, ieee::quiet_nan), r);
}

SINTER_INLINE handle record_nan_quantiles(const quantile_request& r, const handle& x, const axes& a, bool keep,
                                          dtype type) {
    const bool is_median = r.name == "nanmedian";
    if (!is_median) require_shares(r);
    if (r.method != "linear")
        throw value_error("[" + std::string(r.name) + "] the method is not linear: " + std::string(r.method));
    const std::uint8_t mask = a.mask(r.name, x->shape.size());
    device_scope on(x->where);
    const dims kept = codegen::kept_shape(x->shape, mask);
    std::vector<handle> parts;
    if (row_length(x, mask) == 0) {
        parts.assign(std::max<std::size_t>(r.shares.size(), 1), record_scalar(number_of(type, ieee::quiet_nan), kept));
    } else {
        const handle rows = sorted_rows(r.name, x, mask);
        const term exist = record_cast(!apply(op::isnan, rows), dtype::float64);
        const auto last = static_cast<std::uint8_t>(1 << (rows->shape.size() - 1));
        const term count = record_reduce(codegen::reduction::sum, exist, last, false);
        if (is_median) parts.push_back(nan_quantile_of(rows, count, nullptr, type));
        for (double q : r.shares) {
            const double share = q / r.whole;
            parts.push_back(nan_quantile_of(rows, count, &share, type));
        }
    }
    if (keep)
        for (handle& p : parts) p = with_kept_axes(p, x->shape, mask);
    return r.stacked ? record_stack(r.name, parts, type, 0) : parts[0];
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
