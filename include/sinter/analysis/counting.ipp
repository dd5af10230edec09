// Bodies of counting.hpp.
#pragma once

#include <atomic>
#include <mutex>
#include <sinter/array/printing/digits.hpp>
#include <sinter/array/scatter.hpp>
#include <sinter/analysis/bin_rules.hpp>
#include <sinter/analysis/counting.hpp>
#include <sinter/codegen/kernels/sort/count.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/schedule/schedules.hpp>
#include <sinter/functions/ordering.hpp>
#include <sinter/functions/term.hpp>
#include <sinter/runtime/execute/calls.hpp>
#include <sinter/runtime/lazy/compile_ahead.hpp>
#include <sinter/runtime/lazy/steps/step_scope.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

// Counts of numbers or of elements in bins, added to zeros.
SINTER_INLINE handle record_counts(const codegen::call_info& how, std::int64_t size,
                                   std::initializer_list<handle> operands) {
    const handle zeros = record_scalar(number(std::int64_t{0}), dims(size));
    runtime::statement s;
    runtime::use_calls();
    s.kind = runtime::statement_kind::call;
    s.call = how;
    s.inputs = {zeros.get()};
    for (const handle& x : operands) s.inputs.push_back(x.get());
    const device where = device_of(codegen::to_string(how.what), s.inputs);
    return runtime::make_pending(dtype::int64, dims(size), where, std::move(s));
}

SINTER_INLINE handle record_numbers(const handle& x, std::int64_t minlength) {
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

SINTER_INLINE void require_weights(std::string_view name, const handle& x, const handle& weights, dtype type) {
    if (!weights) return;
    if (weights->shape != x->shape)
        throw shape_error("[" + std::string(name) + "] weights of shape " + to_string(weights->shape) +
                          " do not fit an array of shape " + to_string(x->shape));
    if (codegen::kind_rank(weights->type) > codegen::kind_rank(type))
        throw type_error("[" + std::string(name) + "] sums of weights of " + std::string(to_string(weights->type)) +
                         " are no " + std::string(to_string(type)) + ": write " + std::string(name) +
                         (codegen::is_complex(weights->type) ? "<std::complex<double>>" : "<double>"));
}

SINTER_INLINE handle record_sums_at(std::int64_t size, const handle& places, const handle& exists,
                                    const handle& weights, dtype type) {
    // All exist where it is not said which do.
    const term one = record_scalar(number_of(type, 1), places->shape), zero = constant_like(one, 0);
    const term weight = weights ? term(record_cast(weights, type)) : one;
    // Counts are exact in any order.
    codegen::call_info how = codegen::routine::scatter_add;
    if (!weights) how = how.with(codegen::call_info::any_order);
    const handle nothing = record_broadcast("histogram", zero, dims(size));
    const index_item item{.kind = index_item::what::indices,
                          .indices = exists ? choose_where(exists, places, constant_like(places, 0)) : term(places)};
    return record_scatter(how, nothing, select(nothing, {&item, 1}),
                          exists ? choose_where(exists, weight, zero) : weight);
}

SINTER_INLINE handle record_bincount(const handle& x, const bincount_options& o, dtype type) {
    if (x->shape.size() != 1) throw value_error("[bincount] the array is no vector: " + to_string(x->shape));
    if (o.minlength < 0) throw value_error("[bincount] minlength is negative: " + std::to_string(o.minlength));
    require_weights("bincount", x, o.weights.value, type);
    device_scope on(x->where);
    const handle counts = record_numbers(x, o.minlength);
    if (!o.weights.value || counts->shape[0] == 0) return record_cast(counts, type);
    const bool is_index = codegen::kind_rank(x->type) == 1 && x->type != dtype::uint64;
    const handle places = is_index ? x : record_cast(x, dtype::int64);
    return record_sums_at(counts->shape[0], places, {}, o.weights.value, type);
}

SINTER_INLINE void require_range_of_bins(std::string_view name, double& low, double& high) {
    if (!ieee::is_finite(low) || !ieee::is_finite(high) || low > high)
        throw value_error("[" + std::string(name) + "] not a range: from " + number_text(low) + " to " +
                          number_text(high));
    if (low == high) {
        low -= 0.5;
        high += 0.5;
    }
}

SINTER_INLINE std::pair<handle, handle> bins_between(const handle& x, const handle& edges) {
    const std::int64_t n = edges->shape[0] - 1;
    const term last = record_reshape(record_part(edges, 0, n, n + 1), dims());
    const term at = term(record_searchsorted(edges, x, true)) - 1;
    const term bin = choose_where(last == x, at - 1, at);
    return {bin, bin >= 0 && bin < static_cast<double>(n)};
}

SINTER_INLINE handle given_edges(std::string_view name, const handle& edges) {
    if (edges->shape.size() != 1 || edges->shape[0] < 2)
        throw shape_error("[" + std::string(name) + "] edges are no vector of two or more: " + to_string(edges->shape));
    const handle wide = record_cast(edges, dtype::float64);
    if (wide->where.is_cuda()) return wide;  // nothing is copied to the host to look at it
    codegen::sequence<double> e(static_cast<std::size_t>(edges->shape[0]), 0);
    read(wide, e.data());
    for (std::size_t i = 1; i < e.size(); ++i)
        if (e[i - 1] > e[i])
            throw value_error("[" + std::string(name) + "] edges do not increase: " + number_text(e[i]) + " behind " +
                              number_text(e[i - 1]) + " at " + std::to_string(i));
    return wide;
}

SINTER_INLINE void require_bins(const histogram_bins& bins, codegen::span<const double> range) {
    if (!bins.edges() && bins.rule().empty() && bins.count() < 1)
        throw value_error("[histogram] there are no bins: " + std::to_string(bins.count()));
    if (!range.empty() && range.size() != 2)
        throw value_error("[histogram] a range has two ends: " + std::to_string(range.size()) + " are given");
}

// Whether a vector's ends have not been looked for yet on such a device and of such a type.
SINTER_INLINE bool is_first_of_its_kind(const handle& x) {
    static std::atomic<std::uint64_t> known{0};
    const std::uint64_t kind = std::uint64_t{1} << (2 * static_cast<int>(x->type) + x->where.is_cuda());
    return (known.load(std::memory_order_relaxed) & kind) == 0 && (known.fetch_or(kind) & kind) == 0;
}

// The kernels that find the ends, and those that count between whichever ends there are.
SINTER_INLINE void compile_with_what_follows(codegen::span<const handle> ends, const handle& x, std::int64_t count) {
    if (runtime::this_step()) return;
    const handle edges = record_linspace(0, 1, add_sizes("histogram", count, 1), true, dtype::float64),
                 counts = record_counts(codegen::routine::histogram, count, {x, edges});
    runtime::value* const read[] = {ends[0].get(), ends[1].get()};
    std::lock_guard lock(runtime::runtime_lock());
    runtime::kernels_ahead kernels;
    kernels.add(read);
    kernels.add(*edges.get());
    kernels.add(*counts.get());
    kernels.compile();
}

// The edges of a vector's bins, float64; `then_counted`: between them elements are counted.
SINTER_INLINE handle edges_for(const handle& x, const histogram_bins& bins, codegen::span<const double> range,
                               bool then_counted) {
    require_bins(bins, range);
    if (bins.edges()) return given_edges("histogram", bins.edges());
    double low = 0, high = 1;
    if (!range.empty()) {
        low = range[0];
        high = range[1];
    } else if (x->shape[0] > 0) {
        const handle wide = record_cast(x, dtype::float64);
        handle ends[] = {record_reduce(codegen::reduction::min, wide, 1, false),
                         record_reduce(codegen::reduction::max, wide, 1, false)};
        if (then_counted && bins.rule().empty() && is_first_of_its_kind(x))
            compile_with_what_follows(ends, x, bins.count());
        evaluate(ends);
        low = read_item(ends[0], {}).as<double>();
        high = read_item(ends[1], {}).as<double>();
    }
    require_range_of_bins("histogram", low, high);
    const std::int64_t count = bins.rule().empty() ? bins.count() : bins_by_rule(bins.rule(), x, range, low, high);
    return record_linspace(low, high, add_sizes("histogram", count, 1), true, dtype::float64);
}

SINTER_INLINE handle as_counted(const handle& x) {
    return record_reshape(codegen::is_half(x->type) ? record_widened(x) : x, {-1});
}

SINTER_INLINE handle record_bin_edges(const handle& x, const histogram_bins& bins, codegen::span<const double> range) {
    const codegen::subnormal_scope exact;
    device_scope on(x->where);
    return edges_for(as_counted(x), bins, range, false);
}

SINTER_INLINE std::pair<handle, handle> record_histogram(const handle& given, const histogram_options& o, dtype type) {
    const codegen::subnormal_scope exact;
    if (o.density && !codegen::is_floating(type))
        throw type_error("[histogram] a density is no " + std::string(to_string(type)) + ": write histogram<double>");
    if (o.weights.value && !o.bins.rule().empty())
        throw type_error("[histogram] the rule " + o.bins.rule() + " does not count weights: give a number of bins");
    require_weights("histogram", given, o.weights.value, type);
    device_scope on(given->where);
    const handle x = as_counted(given);
    const bool equal = !o.bins.edges();
    const handle edges = edges_for(x, o.bins, o.range, !o.weights.value);
    const std::int64_t n = edges->shape[0] - 1;
    term counts = edges;
    if (equal && !o.weights.value) {
        runtime::evaluate(edges.alone());
        counts = record_counts(codegen::routine::histogram, n, {x, edges});
    } else {
        const auto [bins, exist] = bins_between(record_cast(x, dtype::float64), edges);
        const handle weights = o.weights.value ? record_reshape(o.weights.value, {-1}) : handle();
        const dtype wide = codegen::is_complex(type)    ? dtype::complex128
                           : codegen::is_floating(type) ? dtype::float64
                                                        : dtype::int64;
        counts = record_sums_at(n, bins, exist, weights, weights ? wide : dtype::int64);
    }
    if (!o.density) return {record_cast(counts, type), edges};
    const term widths = term(record_part(edges, 0, 1, n + 1)) - term(record_part(edges, 0, 0, n));
    const term wide = record_cast(counts, dtype::float64);
    return {record_cast(wide / widths / term(record_reduce(codegen::reduction::sum, wide, 1, false)), type), edges};
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
