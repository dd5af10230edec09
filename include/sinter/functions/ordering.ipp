// Bodies of ordering.hpp.
#pragma once

#include <sinter/functions/term.hpp>
#include <sinter/codegen/kernels/sort/count.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/schedule/schedules.hpp>
#include <sinter/functions/ordering.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE std::pair<handle, handle> record_topk(const handle& x, std::int64_t k, int axis, bool largest) {
    std::int64_t n = x->shape[axis];
    if (k < 0 || k > n)
        throw value_error("[topk] " + std::to_string(k) + " elements of an axis with size " + std::to_string(n));
    device_scope on(x->where);
    // Equal elements keep their order from the reversed array as well.
    handle order = record_sort(codegen::routine::argsort, largest ? record_flip("topk", x, dims(axis)) : x, axis);
    if (largest)
        order =
            apply_two(codegen::op::subtract, record_scalar(number(n - 1), {}), record_flip("topk", order, dims(axis)));
    order = record_part(order, axis, 0, k);
    return {record_take_along(x, order, axis), order};
}

// Whether a stands before b in a sorted array, NaN last.
SINTER_INLINE handle real_stands_before(const handle& a, const handle& b) {
    const term less = apply_two(codegen::op::less, a, b);
    if (codegen::kind_rank(a->type) < 2) return less;
    return less || (apply(codegen::op::isnan, b) && apply(codegen::op::equal, a, term(a)));
}

// Complex numbers as NumPy sorts them: by real, then imaginary part, behind them those of which the imaginary part, the
// real part or both are NaN.
SINTER_INLINE handle stands_before(const handle& a, const handle& b) {
    if (!codegen::is_complex(a->type)) return real_stands_before(a, b);
    auto part = [](codegen::op which, const handle& z) { return apply(which, z); };
    const term ar = part(codegen::op::real, a), ai = part(codegen::op::imag, a);
    const term br = part(codegen::op::real, b), bi = part(codegen::op::imag, b);
    auto is_nan = [](const term& x) { return apply(codegen::op::isnan, x); };
    const term same = ar == br || (is_nan(ar) && is_nan(br));
    return (ar < br && (!is_nan(ai) || is_nan(bi))) || (ar > br && is_nan(bi) && !is_nan(ai)) ||
           (same && term(real_stands_before(ai, bi))) || (!same && is_nan(br));
}

SINTER_INLINE handle record_searchsorted(const handle& sorted, const handle& values, bool right) {
    if (sorted->shape.size() != 1)
        throw shape_error("[searchsorted] the sorted array is no vector: " + to_string(sorted->shape));
    device_scope on(values->where);
    std::int64_t n = sorted->shape[0], step = 1;
    handle at = record_scalar(number(std::int64_t{0}), values->shape);
    if (n == 0) return at;
    while (step <= n / 2) step *= 2;
    // The position grows by a power of two wherever the element that far stands before the value, or not behind it.
    for (; step > 0; step /= 2) {
        handle next = apply_two(codegen::op::add, at, record_scalar(number(step), {}));
        handle inside = apply_two(codegen::op::less_equal, next, record_scalar(number(n), {}));
        handle last =
            apply_two(codegen::op::subtract, apply_two(codegen::op::minimum, next, record_scalar(number(n), {})),
                      record_scalar(number(std::int64_t{1}), {}));
        handle element = record_gather(sorted, {&last, 1}, {1, 0});
        handle goes = right ? stands_before(values, element) : stands_before(element, values);
        if (right) goes = record_apply(codegen::op::logical_not, {&goes, 1});
        handle args[] = {apply_two(codegen::op::logical_and, inside, goes), next, at};
        at = record_apply(codegen::op::where, args);
    }
    return at;
}

SINTER_INLINE handle first_positions(const handle& sorted) {
    std::int64_t n = sorted->shape[0];
    device_scope on(sorted->where);
    if (n == 0) return store(dtype::int64, dims(0), nullptr);
    handle before = record_part(sorted, 0, 0, n - 1), after = record_part(sorted, 0, 1, n);
    handle differs = apply_two(codegen::op::not_equal, before, after);
    if (codegen::kind_rank(sorted->type) >= 2) {
        handle nan = record_apply(codegen::op::isnan, {&before, 1});
        differs = apply_two(codegen::op::logical_and, differs, record_apply(codegen::op::logical_not, {&nan, 1}));
    }
    handle parts[] = {record_scalar(number(true), dims(1)), differs};
    return nonzero_positions(record_concatenate("unique", parts, dtype::bool_, 0))[0];
}

SINTER_INLINE handle record_run_lengths(const handle& first, std::int64_t size) {
    device_scope on(first->where);
    std::int64_t n = first->shape[0];
    if (n == 0) return first;
    handle parts[] = {record_part(first, 0, 1, n), record_scalar(number(size), dims(1))};
    return apply_two(codegen::op::subtract, record_concatenate("unique", parts, dtype::int64, 0), first);
}

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

// One quantile of sorted rows in a floating type; q < 0 asks for the median.
SINTER_INLINE handle quantile_of(const handle& rows, double q, dtype type) {
    int axis = rows->shape.size() - 1;
    std::int64_t n = rows->shape[axis];
    auto element = [&](std::int64_t i) {
        return record_cast(record_squeeze(record_part(rows, axis, i, i + 1), dims(axis)), type);
    };
    double at = q < 0 ? 0 : q * static_cast<double>(n - 1);
    std::int64_t low = q < 0 ? (n - 1) / 2 : static_cast<std::int64_t>(ieee::floor(at));
    handle a = element(low), r = a;
    double share = q < 0 ? 0 : at - static_cast<double>(low);
    if (q < 0 && n % 2 == 0) {
        r = apply_two(codegen::op::divide, apply_two(codegen::op::add, a, element(low + 1)), constant_like(a, 2));
    } else if (share > 0) {
        // From the nearer end, as NumPy does, so that the value grows with q.
        handle b = element(low + 1), distance = apply_two(codegen::op::subtract, b, a);
        bool near_low = share < 0.5;
        handle part = apply_two(codegen::op::multiply, distance, constant_like(a, near_low ? share : 1 - share));
        r = apply_two(near_low ? codegen::op::add : codegen::op::subtract, near_low ? a : b, part);
    }
    handle last = element(n - 1);
    if (!codegen::is_floating(rows->type)) return r;
    handle args[] = {record_apply(codegen::op::isnan, {&last, 1}), last, r};
    return record_apply(codegen::op::where, args);
}

SINTER_INLINE void require_share(std::string_view name, double q) {
    if (!(q >= 0 && q <= 1))
        throw value_error("[" + std::string(name) + "] a share is not between 0 and " +
                          (name == "percentile" ? "100: " : "1: ") +
                          std::to_string(name == "percentile" ? q * 100 : q));
}

// Rows of a reduction's result in the shape that it has with its axes kept.
SINTER_INLINE handle with_kept_axes(const handle& r, dims shape, std::uint8_t mask) {
    for (int i = 0; i < shape.size(); ++i)
        if (mask >> i & 1) shape[i] = 1;
    return record_reshape(r, shape);
}

SINTER_INLINE handle record_quantile(std::string_view name, const handle& x, double q, const axes& a, bool keep,
                                     dtype type) {
    if (name != "median") require_share(name, q);
    std::uint8_t mask = a.mask(name, x->shape.size());
    device_scope on(x->where);
    const bool is_nan =
        name == "median" && codegen::kept_shape(x->shape, static_cast<std::uint8_t>(~mask)).product() == 0;
    handle r = is_nan ? record_scalar(number_of(type, ieee::quiet_nan), codegen::kept_shape(x->shape, mask))
                      : quantile_of(sorted_rows(name, x, mask), q, type);
    return keep ? with_kept_axes(r, x->shape, mask) : r;
}

SINTER_INLINE handle record_quantiles(std::string_view name, const handle& x, std::span<const double> q, double whole,
                                      const axes& a, bool keep) {
    for (double v : q) require_share(name, v / whole);
    device_scope on(x->where);
    std::uint8_t mask = a.mask(name, x->shape.size());
    handle rows = sorted_rows(name, x, mask);
    std::vector<handle> parts;
    for (double v : q) {
        handle r = quantile_of(rows, v / whole, dtype::float64);
        parts.push_back(keep ? with_kept_axes(r, x->shape, mask) : r);
    }
    if (parts.empty()) throw value_error("[" + std::string(name) + "] there are no shares");
    return record_stack(name, parts, dtype::float64, 0);
}

// Counts of numbers or of elements in bins, added to zeros.
SINTER_INLINE handle record_counts(const codegen::call_info& how, std::int64_t size,
                                   std::initializer_list<handle> operands) {
    const handle zeros = record_scalar(number(std::int64_t{0}), dims(size));
    runtime::statement s;
    s.kind = runtime::statement_kind::call;
    s.call = how;
    s.inputs = {zeros.get()};
    for (const handle& x : operands) s.inputs.push_back(x.get());
    const device where = device_of(codegen::to_string(how.what), s.inputs);
    return runtime::make_pending(dtype::int64, dims(size), where, std::move(s));
}

SINTER_INLINE handle record_bincount(const handle& x, std::int64_t minlength) {
    if (x->shape.size() != 1) throw value_error("[bincount] the array is no vector: " + to_string(x->shape));
    if (minlength < 0) throw value_error("[bincount] minlength is negative: " + std::to_string(minlength));
    device_scope on(x->where);
    if (x->shape[0] == 0) return record_scalar(number(std::int64_t{0}), dims(minlength));
    const codegen::call_info how = codegen::routine::bincount, with_ends = how.with(codegen::call_info::ends);
    // How large the numbers are is found while as many are counted as may well be enough.
    const std::int64_t bins = std::max(minlength, codegen::count_schedules.first_bins);
    const handle counts = record_counts(with_ends, add_sizes("bincount", bins, 2), {x});
    runtime::evaluate(counts.alone());
    std::int64_t ends[2];
    read_memory(counts, counts->at.offset + bins, 2, ends);
    if (ends[0]) {
        const auto low = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(ends[0]));
        throw value_error("[bincount] a number is negative: " + std::to_string(low));
    }
    const std::int64_t size = std::max(minlength, add_sizes("bincount", ends[1], 1));
    if (size <= bins) return record_part(counts, 0, 0, size);
    return record_counts(how, size, {x});
}

SINTER_INLINE void require_range_of_bins(std::string_view name, double& low, double& high) {
    if (!ieee::is_finite(low) || !ieee::is_finite(high) || low > high)
        throw value_error("[" + std::string(name) + "] not a range: from " + std::to_string(low) + " to " +
                          std::to_string(high));
    if (low == high) {
        low -= 0.5;
        high += 0.5;
    }
}

SINTER_INLINE std::pair<handle, handle> record_histogram(const handle& given, const histogram_options& o) {
    const codegen::subnormal_scope exact;
    if (o.bins < 1) throw value_error("[histogram] there are no bins: " + std::to_string(o.bins));
    if (!o.range.empty() && o.range.size() != 2)
        throw value_error("[histogram] a range has two ends: " + std::to_string(o.range.size()) + " are given");
    device_scope on(given->where);
    const std::int64_t edge_count = add_sizes("histogram", o.bins, 1);
    handle x = record_reshape(codegen::is_half(given->type) ? record_widened(given) : given, {-1});
    double low = 0, high = 1;
    if (!o.range.empty()) {
        low = o.range[0];
        high = o.range[1];
    } else if (x->shape[0] > 0) {
        const handle wide = record_cast(x, dtype::float64);
        handle ends[] = {record_reduce(codegen::reduction::min, wide, 1, false),
                         record_reduce(codegen::reduction::max, wide, 1, false)};
        evaluate(ends);
        low = read_item(ends[0], {}).as<double>();
        high = read_item(ends[1], {}).as<double>();
    }
    require_range_of_bins("histogram", low, high);
    handle edges = record_linspace(low, high, edge_count, true, dtype::float64);
    runtime::evaluate(edges.alone());
    return {record_counts(codegen::routine::histogram, o.bins, {x, edges}), edges};
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
