// Bodies of linear_filters.hpp.
#pragma once

#include <sinter/array/matrix_products.hpp>
#include <sinter/array/reading.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/joining.hpp>
#include <sinter/functions/term.hpp>
#include <sinter/ndimage/neighbourhood.hpp>
#include <sinter/signal/linear_filters.hpp>
#include <sinter/signal/transforms.hpp>

#include <algorithm>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::signal::detail {

// As many elements has a block, and as many numbers have the states that are combined at once.
inline constexpr std::int64_t block_elements = 32, most_state_numbers = 64;

// ---- responses

SINTER_INLINE std::size_t states_of(const filter_sections& f) {
    std::size_t n = 0;
    for (const filter_section& s : f) n += s.a.size() - 1;
    return n;
}

// One step in time of all sections, in transposed direct form.
SINTER_INLINE long double advance(const filter_sections& f, wide_numbers& z, long double x) {
    std::size_t at = 0;
    for (const filter_section& s : f) {
        const std::size_t k = s.a.size() - 1;
        const long double y = s.b[0] * x + (k ? z[at] : 0);
        for (std::size_t i = 0; i < k; ++i)
            z[at + i] = (i + 1 < k ? z[at + i + 1] : 0) + s.b[i + 1] * x - s.a[i + 1] * y;
        at += k;
        x = y;
    }
    return x;
}

// What n elements and the state before them, all of them rows of one matrix, make of n elements and the state after.
struct responses {
    std::size_t n, k;
    wide_numbers rows;  // (n + k, n + k)
    long double& at(std::size_t row, std::size_t column) { return rows[row * (n + k) + column]; }
};

SINTER_INLINE responses responses_of(const filter_sections& f, std::int64_t count) {
    responses r{static_cast<std::size_t>(count), states_of(f), {}};
    r.rows.assign((r.n + r.k) * (r.n + r.k), 0);
    wide_numbers z(r.k, 0);
    for (std::size_t t = 0; t < r.n; ++t) {
        const long double y = advance(f, z, t == 0 ? 1 : 0);
        for (std::size_t row = 0; row + t < r.n; ++row) r.at(row, row + t) = y;
        for (std::size_t i = 0; i < r.k; ++i) r.at(r.n - 1 - t, r.n + i) = z[i];
    }
    for (std::size_t i = 0; i < r.k; ++i) {
        std::fill(z.begin(), z.end(), 0);
        z[i] = 1;
        for (std::size_t t = 0; t < r.n; ++t) r.at(r.n + i, t) = advance(f, z, 0);
        for (std::size_t j = 0; j < r.k; ++j) r.at(r.n + i, r.n + j) = z[j];
    }
    return r;
}

SINTER_INLINE handle stored_rows(const responses& r, std::size_t first, std::size_t last, dtype type) {
    const std::size_t width = r.n + r.k;
    std::vector<double> v;
    for (std::size_t i = first * width; i < last * width; ++i) v.push_back(static_cast<double>(r.rows[i]));
    return record_cast(store(dtype::float64, dims(last - first, width), v.data()), type);
}

// ---- states between blocks

SINTER_INLINE wide_numbers multiply_square(const wide_numbers& a, const wide_numbers& b, std::size_t k) {
    wide_numbers c(k * k, 0);
    for (std::size_t i = 0; i < k; ++i)
        for (std::size_t m = 0; m < k; ++m)
            for (std::size_t j = 0; j < k; ++j) c[i * k + j] += a[i * k + m] * b[m * k + j];
    return c;
}

// The powers of a matrix from the first on.
SINTER_INLINE std::vector<wide_numbers> powers_of(const wide_numbers& p, std::size_t k, std::int64_t count) {
    std::vector<wide_numbers> all{p};
    while (static_cast<std::int64_t>(all.size()) < count) all.push_back(multiply_square(all.back(), p, k));
    return all;
}

// s[c] = s[c - 1] p + g[c] along the second axis of (rows, count, k).
SINTER_INLINE handle scan_states(const handle& g, const wide_numbers& p) {
    const std::int64_t rows = g->shape[0], count = g->shape[1], k = g->shape[2];
    const auto width = static_cast<std::size_t>(k);
    const std::int64_t group = std::min(count, std::max<std::int64_t>(2, most_state_numbers / k));
    const std::int64_t groups = (count + group - 1) / group;
    const std::vector<wide_numbers> powers = powers_of(p, width, group);
    const auto n = static_cast<std::size_t>(group);
    std::vector<double> within(n * width * n * width, 0.0), onward(width * n * width);
    for (std::size_t to = 0; to < n; ++to)
        for (std::size_t i = 0; i < width; ++i)
            for (std::size_t j = 0; j < width; ++j) {
                onward[i * n * width + to * width + j] = static_cast<double>(powers[to][i * width + j]);
                for (std::size_t from = 0; from <= to; ++from)
                    within[(from * width + i) * n * width + to * width + j] =
                        from == to ? (i == j ? 1.0 : 0.0) : static_cast<double>(powers[to - from - 1][i * width + j]);
            }
    auto stored = [&](std::int64_t height, const std::vector<double>& v) {
        return record_cast(store(dtype::float64, dims(height, group * k), v.data()), g->type);
    };
    // Zeros in front leave the state as it is.
    handle front = g;
    if (const std::int64_t missing = groups * group - count) {
        const handle parts[] = {record_scalar(number_of(g->type, 0), dims(rows, missing, k)), g};
        front = record_concatenate("lfilter", parts, g->type, 1);
    }
    handle s = record_matmul(record_reshape(front, dims(rows * groups, group * k)), stored(group * k, within));
    if (groups > 1) {
        const handle ends =
            record_part(record_reshape(s, dims(rows, groups, group * k)), 2, (group - 1) * k, group * k);
        const handle later = scan_states(record_part(ends, 1, 0, groups - 1), powers.back());
        const handle parts[] = {record_scalar(number_of(g->type, 0), dims(rows, 1, k)), later};
        const handle starts = record_concatenate("lfilter", parts, g->type, 1);
        s = term(s) + term(record_matmul(record_reshape(starts, dims(rows * groups, k)), stored(k, onward)));
    }
    return record_part(record_reshape(s, dims(rows, groups * group, k)), 1, groups * group - count, groups * group);
}

// ---- filters

// Along the second axis of (rows, n), n > 0, from states (rows, k), which may be none.
SINTER_INLINE filtered filter_rows(const filter_sections& f, const handle& x, const handle& first, bool wants_state) {
    const std::int64_t rows = x->shape[0], n = x->shape[1], k = static_cast<std::int64_t>(states_of(f));
    const std::int64_t block = std::min(n, block_elements), blocks = (n + block - 1) / block;
    responses r = responses_of(f, block);
    handle whole = x;
    if (const std::int64_t missing = blocks * block - n) {
        const handle parts[] = {x, record_scalar(number_of(x->type, 0), dims(rows, missing))};
        whole = record_concatenate("lfilter", parts, x->type, 1);
    }
    whole = record_reshape(whole, dims(rows * blocks, block));
    const handle local = record_matmul(whole, stored_rows(r, 0, r.n, x->type));
    handle y = record_part(local, 1, 0, block), state;
    if (k > 0 && (blocks > 1 || first)) {
        handle starts =
            first ? record_reshape(first, dims(rows, 1, k)) : record_scalar(number_of(x->type, 0), dims(rows, 1, k));
        if (blocks > 1) {
            const handle ends = record_part(record_reshape(local, dims(rows, blocks, block + k)), 2, block, block + k);
            const handle parts[] = {starts, record_part(ends, 1, 0, blocks - 1)};
            wide_numbers p;
            for (std::size_t i = r.n; i < r.n + r.k; ++i)
                for (std::size_t j = r.n; j < r.n + r.k; ++j) p.push_back(r.at(i, j));
            starts = scan_states(record_concatenate("lfilter", parts, x->type, 1), p);
        }
        state = record_reshape(record_part(starts, 1, blocks - 1, blocks), dims(rows, k));
        const handle before = record_reshape(starts, dims(rows * blocks, k));
        const handle free = record_matmul(before, stored_rows(r, r.n, r.n + r.k, x->type));
        y = term(y) + term(record_part(free, 1, 0, block));
    }
    filtered result{record_part(record_reshape(y, dims(rows, blocks * block)), 1, 0, n), {}};
    if (!wants_state) return result;
    const std::int64_t rest = n - (blocks - 1) * block;
    const responses end = responses_of(f, rest);
    const handle tail = record_matmul(record_part(x, 1, n - rest, n), stored_rows(end, 0, end.n, x->type));
    result.state = record_part(tail, 1, rest, rest + k);
    if (state) {
        const handle free = record_matmul(state, stored_rows(end, end.n, end.n + end.k, x->type));
        result.state = term(result.state) + term(record_part(free, 1, rest, rest + k));
    }
    return result;
}

// Rows of the elements on which a filter's last k states depend, zeros before them; n of them are there.
SINTER_INLINE handle last_columns(const handle& x, std::int64_t k) {
    const std::int64_t n = x->shape[1];
    if (n >= k) return record_part(x, 1, n - k, n);
    const handle parts[] = {record_scalar(number_of(x->type, 0), dims(x->shape[0], k - n)), x};
    return record_concatenate("lfilter", parts, x->type, 1);
}

// The states that a section in transposed direct form has after n elements.
SINTER_INLINE handle state_after(const filter_section& s, const handle& x, const handle& y, const handle& first) {
    const auto k = s.a.size() - 1;
    const auto states = static_cast<std::int64_t>(k), n = x->shape[1];
    auto weighted = [&](const handle& h, const wide_numbers& c) {
        std::vector<double> v(k * k, 0.0);
        for (std::size_t j = 0; j < k; ++j)
            for (std::size_t i = 0; i <= j; ++i) v[j * k + i] = static_cast<double>(c[i + k - j]);
        return term(record_matmul(last_columns(h, states),
                                  record_cast(store(dtype::float64, dims(states, states), v.data()), h->type)));
    };
    const handle z = weighted(x, s.b) - weighted(y, s.a);
    if (n >= states || !first) return z;
    const handle parts[] = {record_part(first, 1, n, states),
                            record_scalar(number_of(x->type, 0), dims(x->shape[0], n))};
    return term(z) + term(record_concatenate("lfilter", parts, x->type, 1));
}

// A section of many coefficients in its parts; what the first state is to come to passes the poles alone.
SINTER_INLINE filtered filter_rows_in_parts(const filter_section& s, const parted_filter& parts, const handle& x,
                                            const handle& first, bool wants_state) {
    const std::int64_t n = x->shape[1], taken = std::min(n, static_cast<std::int64_t>(s.a.size() - 1));
    std::vector<double> taps;
    for (auto b = parts.taps.rbegin(); b != parts.taps.rend(); ++b)
        taps.push_back(static_cast<double>(*b / parts.scale));
    const auto size = static_cast<std::int64_t>(taps.size());
    handle y = ndimage::detail::record_correlate1d("lfilter", x, taps, 1, size - 1 - size / 2, {"constant", 0});
    if (!parts.sections.empty()) y = filter_rows(parts.sections, y, {}, false).y;
    if (first) {
        const handle both[] = {
            term(record_part(first, 1, 0, taken)) * constant_like(x, static_cast<double>(1 / parts.scale)),
            record_scalar(number_of(x->type, 0), dims(x->shape[0], n - taken))};
        handle free = record_concatenate("lfilter", both, x->type, 1);
        if (!parts.poles.empty()) free = filter_rows(parts.poles, free, {}, false).y;
        y = term(y) + term(free);
    }
    return {y, wants_state ? state_after(s, x, y, first) : handle()};
}

// Whether a block's end, as it follows from the state before, is about as large as that: what many poles that lie
// together make of it is far larger, and cancels.
SINTER_INLINE bool keeps_digits(const filter_sections& f) {
    const responses r = responses_of(f, block_elements);
    const auto states = r.rows.begin() + static_cast<std::ptrdiff_t>(r.n * (r.n + r.k));
    const auto is_small = [](long double v) SINTER_COMPARES {
        return codegen::ieee::is_finite(static_cast<double>(v)) && v * v < 256;
    };
    return codegen::all_of(states, r.rows.end(), is_small);
}

SINTER_INLINE filtered filter_finite_rows(const filter_sections& f, const handle& x, const handle& first,
                                          bool wants_state) {
    if (f.size() > 1 || f[0].a.size() <= 3 || keeps_digits(f)) return filter_rows(f, x, first, wants_state);
    const std::optional<parted_filter> parts = part(f[0]);
    if (!parts) return filter_rows(f, x, first, wants_state);
    // What a numerator leaves of a float, poles near its zeros would make larger again.
    const dtype finer = codegen::is_complex(x->type) ? dtype::complex128 : dtype::float64;
    const handle state = first ? record_cast(first, finer) : first;
    const filtered r = filter_rows_in_parts(f[0], *parts, record_cast(x, finer), state, wants_state);
    return {record_cast(r.y, x->type), r.state ? record_cast(r.state, x->type) : r.state};
}

// The same where the numbers may be infinite or NaN, of which a product of matrices would make NaN also before them.
SINTER_INLINE filtered filter_all_rows(const filter_sections& f, const handle& x, const handle& first,
                                       bool wants_state) {
    const std::int64_t n = x->shape[1];
    const term is_finite = apply(op::isfinite, x);
    const handle bad = record_cast(!is_finite, dtype::int8);
    const handle spoilt = record_scan(codegen::reduction::max, bad, 1);
    filtered r = filter_finite_rows(f, choose_where(is_finite, x, constant_like(x, 0)), first, wants_state);
    const handle nan = constant_like(x, codegen::ieee::quiet_nan);
    r.y = choose_where(record_cast(spoilt, dtype::bool_), nan, r.y);
    if (r.state) r.state = choose_where(record_cast(record_part(spoilt, 1, n - 1, n), dtype::bool_), nan, r.state);
    return r;
}

SINTER_INLINE bool is_finite_response(const filter_sections& f) {
    for (const filter_section& s : f)
        for (std::size_t i = 1; i < s.a.size(); ++i)
            if (s.a[i] != 0) return false;
    return f.size() == 1;
}

SINTER_INLINE filtered record_filter(std::string_view operation, const filter_sections& f, const handle& given,
                                     std::int64_t given_axis, const handle& given_state) {
    const int rank = given->shape.size(), axis = codegen::normalize_axis(operation, given_axis, rank);
    const dtype result = codegen::floating_of(given->type);
    const auto k = static_cast<std::int64_t>(states_of(f));
    dims wanted = given->shape;
    wanted[axis] = k;
    if (given_state && given_state->shape != wanted)
        throw shape_error("[" + std::string(operation) + "] the state's shape is " + to_string(given_state->shape) +
                          " instead of " + to_string(wanted));
    device_scope on(given->where);
    const handle x = record_cast(given, ndimage::detail::working_type(given->type));
    if (given->shape.product() == 0)
        return {record_cast(given, result), given_state ? record_cast(given_state, result) : handle()};
    if (!given_state && is_finite_response(f)) {
        std::vector<double> taps(f[0].b.rbegin(), f[0].b.rend());
        const auto n = static_cast<std::int64_t>(taps.size());
        return {
            record_cast(ndimage::detail::record_correlate1d(operation, x, taps, axis, n - 1 - n / 2, {"constant", 0}),
                        result),
            {}};
    }
    const handle last = record_moveaxis(x, dims(axis), dims(rank - 1));
    const std::int64_t n = given->shape[axis], rows = given->shape.product() / n;
    handle state;
    if (given_state)
        state = record_reshape(record_moveaxis(record_cast(given_state, x->type), dims(axis), dims(rank - 1)),
                               dims(rows, k));
    const filtered r = filter_all_rows(f, record_reshape(last, dims(rows, n)), state, bool(given_state));
    auto back = [&](const handle& h, std::int64_t count) {
        dims shape = last->shape;
        shape[rank - 1] = count;
        return record_cast(record_moveaxis(record_reshape(h, shape), dims(rank - 1), dims(axis)), result);
    };
    return {back(r.y, n), given_state ? back(r.state, k) : handle()};
}

SINTER_INLINE filtered record_sosfilt(const filter_sections& f, const handle& x, std::int64_t given_axis,
                                      const handle& state) {
    const int rank = x->shape.size(), axis = codegen::normalize_axis("sosfilt", given_axis, rank);
    dims wanted = x->shape, joined = x->shape, split = x->shape;
    const auto sections = static_cast<std::int64_t>(f.size());
    wanted[axis] = 2;
    wanted.insert(0, sections);
    if (state->shape != wanted)
        throw shape_error("[sosfilt] the state's shape is " + to_string(state->shape) + " instead of " +
                          to_string(wanted));
    joined[axis] = 2 * sections;
    split[axis] = 2;
    split.insert(axis, sections);
    const handle z = record_reshape(record_moveaxis(state, dims(0), dims(axis)), joined);
    const filtered r = record_filter("sosfilt", f, x, axis, z);
    return {r.y, record_moveaxis(record_reshape(r.state, split), dims(axis), dims(0))};
}

SINTER_INLINE handle record_filtfilt(std::string_view operation, const filter_sections& f, const handle& given,
                                     const filtfilt_options& o, std::int64_t taps) {
    const int rank = given->shape.size(), axis = codegen::normalize_axis(operation, o.axis, rank);
    const std::string where = "[" + std::string(operation) + "] ";
    const bool pads = o.padtype != "none";
    if (pads && o.padtype != "odd" && o.padtype != "even" && o.padtype != "constant")
        throw value_error(where + "padtype is not odd, even, constant or none: " + std::string(o.padtype));
    const std::int64_t n = given->shape[axis];
    const std::int64_t length = !pads ? 0 : o.padlen ? *o.padlen : 3 * taps;
    if (length < 0 || length >= n)
        throw value_error(where + "a signal of " + std::to_string(n) + " elements is not longer than its padding " +
                          std::to_string(length));
    device_scope on(given->where);
    handle x = record_cast(given, ndimage::detail::working_type(given->type));
    if (length > 0) x = with_ends(operation, x, axis, length, o.padtype);
    // As if the first element had been there for ever: what is beyond it is filtered, and it becomes what it becomes.
    const term steady = constant_like(x, steady_response(operation, f));
    for (int turn = 0; turn < 2; ++turn) {
        const term first = record_part(x, axis, 0, 1);
        const handle beyond = record_filter(operation, f, term(x) - first, axis).y;
        x = record_flip(operation, term(beyond) + steady * first, dims(axis));
    }
    return record_cast(record_part(x, axis, length, length + n), codegen::floating_of(given->type));
}

SINTER_INLINE handle steady_states(const filter_sections& f) {
    std::vector<double> z;
    for (std::size_t i = 0; i < f.size(); ++i) {
        const double before = steady_response("sosfilt_zi", {f.begin(), f.begin() + static_cast<std::ptrdiff_t>(i)});
        for (double v : steady_state("sosfilt_zi", f[i])) z.push_back(v * before);
    }
    return store(dtype::float64, dims(f.size(), 2), z.data());
}

SINTER_INLINE handle record_sosfiltfilt(const filter_sections& f, const handle& x, const filtfilt_options& o) {
    auto short_ones = [&](const wide_numbers filter_section::*list) {
        return codegen::count_if(f.begin(), f.end(), [&](const filter_section& s) { return (s.*list)[2] == 0; });
    };
    const auto least = std::min(short_ones(&filter_section::b), short_ones(&filter_section::a));
    return record_filtfilt("sosfiltfilt", f, x, o, 2 * static_cast<std::int64_t>(f.size()) + 1 - least);
}

// A number of the state is what later coefficients make of what came before.
SINTER_INLINE term weighed_past(const wide_numbers& c, const array<double>& past, std::string_view what) {
    if (past.ndim() != 1)
        throw shape_error("[lfiltic] what " + std::string(what) + " is no vector: " + to_string(past.shape()));
    const std::int64_t k = static_cast<std::int64_t>(c.size()) - 1, n = std::min(past.size(), k);
    std::vector<double> rows(static_cast<std::size_t>(k * n), 0.0);
    for (std::int64_t m = 0; m < k; ++m)
        for (std::int64_t j = 0; m + j + 1 <= k && j < n; ++j)
            rows[static_cast<std::size_t>(m * n + j)] = static_cast<double>(c[static_cast<std::size_t>(m + j + 1)]);
    const handle matrix = store(dtype::float64, dims(k, n), rows.data());
    const handle column = record_reshape(record_part(past.get_handle(), 0, 0, n), dims(n, 1));
    return record_reshape(record_matmul(matrix, column), dims(k));
}

SINTER_INLINE handle record_past_state(const filter_section& s, const array<double>& y, const array<double>& x) {
    device_scope on(y.device());
    return weighed_past(s.b, x, "went in") - weighed_past(s.a, y, "came out");
}

}  // namespace sinter::inline SINTER_ABI::signal::detail

SINTER_IEEE_END
