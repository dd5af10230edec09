// Bodies of ordering.hpp.
#pragma once

#include <sinter/functions/term.hpp>
#include <sinter/codegen/kernels/sort/selection.hpp>
#include <sinter/codegen/kernels/sort/sort.hpp>
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

// Whether y stands before x in a sorted array, NaN last, and, on the right, whether it does not stand behind it.
// Complex numbers stand as NumPy sorts them: by real, then imaginary part, behind them those of which the imaginary
// part, the real part or both are NaN.
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

// The same for many at a time, each of whose steps is a loop that reads vectors of elements.
inline constexpr const char* bisections =
    "(array_view<T, 1> sorted, array_view<T, 1> samples, const T* wanted, const long long* steps, "
    "const long long* every, long long* to, int m) { "
    "const auto goes = [](const T y, const T x) { return ORDER; }; "
    "const auto search = [&](auto zero) { typedef decltype(zero) place; const T* const elements = sorted.data; "
    "const place step = (place)steps[0], behind = (place)(sorted.size() - step + 1); "
    "for (int from = 0; from < m; from += 64) { const int n = m - from < 64 ? m - from : 64; place at[64]; T x[64]; "
    "for (int l = 0; l < n; ++l) { x[l] = wanted[from + l]; at[l] = goes(elements[step - 1], x[l]) ? behind : zero; } "
    "for (place by = step / 2; by > 0; by /= 2) "
    "for (int l = 0; l < n; ++l) at[l] += goes(elements[at[l] + by - 1], x[l]) ? by : zero; "
    "for (int l = 0; l < n; ++l) to[from + l] = at[l]; } }; "
    "if (sorted.size() < 1 << 30) search(0); else search(0ll); }";

// What the interpreter calls.
template <class T, bool Right>
void bisect(const void* const* args, void* const* results) {
    const T* const sorted = static_cast<const T*>(args[0]);
    const T& x = *static_cast<const T*>(args[4]);
    std::int64_t at = 0;
    for (std::int64_t left = *static_cast<const std::int64_t*>(args[1]); left > 0;) {
        const std::int64_t half = left / 2;
        const T& middle = sorted[at + half];
        const bool goes_on = Right ? !codegen::orders_before(x, middle) : codegen::orders_before(middle, x);
        if (goes_on) at += half + 1;
        left = goes_on ? left - half - 1 : half;
    }
    *static_cast<std::int64_t*>(results[0]) = at;
}

SINTER_INLINE const codegen::invocation& make_bisection(dtype type, bool right) {
    const std::string name = codegen::type_text(type);
    auto* d = new codegen::definition;
    d->name = "searchsorted";
    const std::string order = codegen::is_complex(type)
                                  ? (right ? "!" : "") + std::string(complex_order) + complex_operands[right]
                                  : real_order[right];
    auto of_type = [&](const char* text) {
        const std::string s = codegen::replaced(codegen::replaced(text, "ORDER", order), "T*", name + "*");
        return codegen::replaced(codegen::replaced(s, "T ", name + " "), "<T,", "<" + name + ",");
    };
    d->text = of_type(bisection);
    d->tile = of_type(bisections);
    d->resolved = true;
    d->identity = "sinter::searchsorted\n" + d->text + d->tile;
    // A read of memory for each bit of a position.
    d->cost = codegen::expensive_function;
    codegen::invocation f;
    f.function = d;
    f.parameters = {type, dtype::int64, type, dtype::int64, type, dtype::int64, dtype::int64};
    f.results = {dtype::int64};
    f.ranks = {1, 0, 1, 0, 0, 0, 0};
    f.call = codegen::with_sortable_type(
        type, [right]<class T>(std::type_identity<T>) { return right ? &bisect<T, true> : &bisect<T, false>; });
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
    // A CPU's vectors of reads take longer to begin a second search than lines of memory take to come.
    const std::int64_t every = values->where.is_cuda() ? elements_of_sample(n, codegen::size_of(type), values) : 1;
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
    return record_bisection(sorted, n, values, right);
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
