// Bodies of ordering.hpp.
#pragma once

#include <sinter/functions/term.hpp>
#include <sinter/codegen/kernels/sort/selection.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/functions/function.hpp>
#include <sinter/codegen/print/emit.hpp>
#include <sinter/codegen/schedule/schedules.hpp>
#include <sinter/functions/ordering.hpp>
#include <sinter/runtime/base/functions.hpp>

#include <bit>
#include <mutex>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE handle record_ordered(codegen::routine how, const handle& x, int axis, bool descending) {
    if (!descending) return record_sort(how, x, axis);
    device_scope on(x->where);
    // Equal elements keep their order from the reversed array as well.
    const term order = record_flip("sort", record_sort(how, record_flip("sort", x, dims(axis)), axis), dims(axis));
    if (how == codegen::routine::sort) return order;
    return static_cast<double>(x->shape[axis] - 1) - order;
}

SINTER_INLINE const codegen::selection_schedule& selection_on(device d) {
    return d.is_cuda() ? codegen::cuda_selection : codegen::host_selection;
}

SINTER_INLINE void require_rank(std::string_view name, std::int64_t kth, const handle& x, int axis) {
    const std::int64_t n = x->shape[axis];
    if (x->shape.product() != 0 && (kth < -n || kth >= n))
        throw value_error("[" + std::string(name) + "] rank " + std::to_string(kth) +
                          " is out of bounds for an axis with size " + std::to_string(n));
}

SINTER_INLINE std::pair<handle, handle> record_topk(const handle& x, std::int64_t k, int axis, bool largest) {
    std::int64_t n = x->shape[axis];
    if (k < 0 || k > n)
        throw value_error("[topk] " + std::to_string(k) + " elements of an axis with size " + std::to_string(n));
    device_scope on(x->where);
    const codegen::call_info how(codegen::routine::topk, largest ? codegen::call_info::descending : std::uint8_t{0});
    const handle order = codegen::selects_first(selection_on(x->where), x->type, n, k)
                             ? record_of_rows(how, x, axis, k, dtype::int64)
                             : record_part(record_ordered(codegen::routine::argsort, x, axis, largest), axis, 0, k);
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

// The first step leaves as many elements as halves can be taken of, those at the end where it goes on: no later one
// meets an end.
SINTER_INLINE handle record_unrolled_bisection(const handle& sorted, std::int64_t n, const handle& values, bool right) {
    auto goes_on = [&](const handle& from) {
        const handle element = record_gather(sorted, {&from, 1}, {1, 0});
        const handle goes = right ? stands_before(values, element) : stands_before(element, values);
        return right ? record_apply(codegen::op::logical_not, {&goes, 1}) : goes;
    };
    auto chosen = [](const handle& goes, const handle& next, const handle& at) {
        const handle args[] = {goes, next, at};
        return record_apply(codegen::op::where, args);
    };
    auto same_for_all = [&](std::int64_t x) { return record_scalar(number(x), values->shape); };
    auto behind = [](const handle& at, std::int64_t by) {
        return apply_two(codegen::op::add, at, record_scalar(number(by), {}));
    };
    std::int64_t step = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(n)));
    handle at = chosen(goes_on(same_for_all(step - 1)), same_for_all(n - step + 1), same_for_all(0));
    while ((step /= 2) > 0) at = chosen(goes_on(behind(at, step - 1)), behind(at, step), at);
    return at;
}

// The same order as text: whether y stands before x, and, on the right, whether it does not stand behind it.
inline constexpr const char* real_order[] = {"!(y >= x) && y == y", "y <= x || x != x"};
inline constexpr const char* complex_order =
    "[](auto ar, auto ai, auto br, auto bi) { const bool same = ar == br || (ar != ar && br != br); "
    "return (ar < br && (ai == ai || bi != bi)) || (ar > br && bi != bi && ai == ai) || "
    "(same ? ai < bi || (bi != bi && ai == ai) : br != br); }";
inline constexpr const char* complex_operands[] = {"(y.real(), y.imag(), x.real(), x.imag())",
                                                   "(x.real(), x.imag(), y.real(), y.imag())"};
// Of 2^k - 1 elements from `at` on each step halves what is left; the first step leaves so many of any number, those at
// the end where it goes on. What is known after the samples is known of every so many elements.
inline constexpr const char* bisection =
    "(array_view<T, 1> sorted, array_view<T, 1> samples, T x, long step, long every) { "
    "const auto goes = [x](const T y) { return ORDER; }; const view_index end = sorted.size(); "
    "view_index at = goes(samples[step - 1]) ? samples.size() - (view_index)step + 1 : 0; "
    "for (view_index by = (view_index)step >> 1; by > 0; by >>= 1) if (goes(samples[at + by - 1])) at += by; "
    "const view_index last = end - (view_index)every + 1; at *= (view_index)every; at = at < last ? at : last; "
    "for (view_index by = (view_index)every >> 1; by > 0; by >>= 1) if (goes(sorted[at + by - 1])) at += by; "
    "return at; }";

SINTER_INLINE const codegen::invocation& make_bisection(dtype type, bool right) {
    const std::string name = codegen::type_text(type);
    auto* d = new codegen::definition;
    d->name = "searchsorted";
    const std::string order = codegen::is_complex(type)
                                  ? (right ? "!" : "") + std::string(complex_order) + complex_operands[right]
                                  : real_order[right];
    d->text = codegen::replaced(bisection, "ORDER", order);
    d->text = codegen::replaced(codegen::replaced(d->text, "T ", name + " "), "<T,", "<" + name + ",");
    d->resolved = true;
    d->identity = "sinter::searchsorted\n" + d->text;
    // A read of memory for each bit of a position.
    d->cost = codegen::expensive_function;
    codegen::invocation f;
    f.function = d;
    f.parameters = {type, dtype::int64, type, dtype::int64, type, dtype::int64, dtype::int64};
    f.results = {dtype::int64};
    f.ranks = {1, 0, 1, 0, 0, 0, 0};
    return runtime::find_invocation(std::move(f));
}

SINTER_INLINE const codegen::invocation& bisection_of(dtype type, bool right) {
    static const codegen::invocation* known[2][dtype_count] = {};
    static std::once_flag made[2][dtype_count];
    const auto at = static_cast<std::size_t>(type);
    std::call_once(made[right][at], [&] { known[right][at] = &make_bisection(type, right); });
    return *known[right][at];
}

// How many elements of a sorted vector there are for each sample of it, a power of two: a first search among samples
// stays in a multiprocessor's cache, and what is left to search is one line of memory.
SINTER_INLINE std::int64_t elements_of_sample(std::int64_t n, int bytes, const handle& values) {
    const codegen::search_schedule& s = codegen::search_schedules;
    const std::int64_t every = s.line_bytes / bytes;
    return n * bytes < s.sampled_bytes || values->shape.product() < n / every ? 1 : every;
}

SINTER_INLINE handle record_bisection(const handle& sorted, std::int64_t n, const handle& values, bool right) {
    const dtype type = codegen::widened(sorted->type);
    const handle among = record_cast(sorted, type), wanted = record_cast(values, type);
    const std::int64_t every = elements_of_sample(n, codegen::size_of(type), values);
    const std::int64_t count = n / every;
    const handle samples =
        every > 1 ? record_view(among, codegen::sliced(codegen::contiguous(among->shape), 0, every - 1, every, count))
                  : among;
    recorder& r = fresh_recorder();
    r.add_input(among);
    r.add_scalar(number(n));
    r.add_input(samples);
    r.add_scalar(number(count));
    r.add_input(wanted);
    r.add_scalar(number(static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(count)))));
    r.add_scalar(number(every));
    r.add_invoke({&bisection_of(type, right), 0});
    return record(r, dtype::int64, values->shape);
}

SINTER_INLINE handle record_searchsorted(const handle& sorted, const handle& values, bool right) {
    return record_searchsorted(sorted, sorted->shape.empty() ? 0 : sorted->shape[0], values, right);
}

SINTER_INLINE handle record_searchsorted(const handle& sorted, std::int64_t n, const handle& values, bool right) {
    if (sorted->shape.size() != 1)
        throw shape_error("[searchsorted] the sorted array is no vector: " + to_string(sorted->shape));
    device_scope on(values->where);
    if (n == 0) return record_scalar(number(std::int64_t{0}), values->shape);
    // A GPU hides the time of a read behind other threads; a CPU has vectors of reads, which are six times as fast.
    return values->where.is_cuda() ? record_bisection(sorted, n, values, right)
                                   : record_unrolled_bisection(sorted, n, values, right);
}

SINTER_INLINE handle record_sorter(const handle& sorter, std::int64_t size) {
    if (sorter->shape != dims(size))
        throw shape_error("[searchsorted] a sorter of shape " + to_string(sorter->shape) + " for " +
                          std::to_string(size) + " elements");
    if (codegen::kind_rank(sorter->type) != 1)
        throw type_error("[searchsorted] a sorter has integers, not " + std::string(to_string(sorter->type)));
    return record_cast(sorter, dtype::int64);
}

SINTER_INLINE handle first_positions(const handle& sorted, bool equal_nan) {
    std::int64_t n = sorted->shape[0];
    device_scope on(sorted->where);
    if (n == 0) return store(dtype::int64, dims(0), nullptr);
    handle before = record_part(sorted, 0, 0, n - 1), after = record_part(sorted, 0, 1, n);
    handle differs = apply_two(codegen::op::not_equal, before, after);
    if (equal_nan && codegen::kind_rank(sorted->type) >= 2) {
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

SINTER_INLINE ordered_slices order_slices(const handle& x, int axis) {
    device_scope on(x->where);
    const std::int64_t n = x->shape[axis], length = n == 0 ? 0 : x->shape.product() / n;
    const handle rows = record_reshape(record_moveaxis(x, dims(axis), dims(0)), dims(n, length));
    term order = record_index(dims(n));
    // From the least important element to the first, by sorts that leave equal ones in their order.
    for (std::int64_t j = length; n > 0 && j-- > 0;) {
        const term key = elements_at(record_reshape(record_part(rows, 1, j, j + 1), dims(n)), order);
        order = elements_at(order, record_sort(codegen::routine::argsort, key, 0));
    }
    if (n == 0) return {order, order, order};
    const handle sorted = record_take(rows, order, 0);
    const handle differs = record_reduce(
        codegen::reduction::any,
        apply_two(codegen::op::not_equal, record_part(sorted, 0, 0, n - 1), record_part(sorted, 0, 1, n)), 2, false);
    const handle begins[] = {record_scalar(number(true), dims(1)), differs};
    const handle is_first = record_concatenate("unique", begins, dtype::bool_, 0);
    const term runs = record_scan(codegen::reduction::sum, record_cast(is_first, dtype::int64), 0);
    const handle places = record_sort(codegen::routine::argsort, order, 0);
    return {order, nonzero_positions(is_first)[0], elements_at(runs, places) - 1};
}

SINTER_INLINE array<std::int64_t> places_of_runs(const array<std::int64_t>& order, const array<std::int64_t>& first,
                                                 const dims& shape) {
    const array<std::int64_t> runs = searchsorted(first, arange<std::int64_t>(order.size()), side::right) - 1;
    return reshape(take(runs, argsort(order)), shape);
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
