// Bodies of transforms.hpp.
#pragma once

#include <sinter/array/constants.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/joining.hpp>
#include <sinter/functions/term.hpp>
#include <sinter/ndimage/neighbourhood.hpp>
#include <sinter/signal/transforms.hpp>

#include <algorithm>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::signal::detail {

SINTER_INLINE handle record_hilbert(const handle& given, const hilbert_options& o) {
    const int axis = codegen::normalize_axis("hilbert", o.axis, given->shape.size());
    device_scope on(given->where);
    const handle x = record_cast(given, ndimage::detail::working_type(given->type));
    const term z = record_fourier({.operation = "hilbert", .what = codegen::routine::fft}, x, o.n, axis);
    const std::int64_t n = z.shape()[axis];
    dims along = dims::filled(z.shape().size(), 1);
    along[axis] = n;
    // Positive frequencies twice, negative ones not at all; of an even number of points the middle one is both.
    const term k = record_reshape(record_index(dims(n)), along);
    const term is_single = n % 2 ? k == 0 : k == 0 || k == static_cast<double>(n / 2);
    const term is_twice = k <= static_cast<double>((n - 1) / 2);
    const term zero = constant_like(z, 0);
    const term sided = choose_where(is_single, z, choose_where(is_twice, z * 2, zero));
    return record_fourier({.operation = "hilbert", .what = codegen::routine::fft, .inverse = true}, sided, {}, axis);
}

// ---- cosine transforms, along the last axis

// Re(z) cos + Im(z) sin of angles: the real part of z e^(-i angle).
SINTER_INLINE term turned_real(const term& z, const term& angle) {
    const term re = apply(op::real, z), im = apply(op::imag, z);
    return re * record_cast(apply(op::cos, angle), re.type()) + im * record_cast(apply(op::sin, angle), re.type());
}

SINTER_INLINE term complex_of_parts(const term& re, const term& im) {
    const dtype type = codegen::complex_of(re.type());
    const term i = record_scalar(converted_number(type, number(std::complex<double>(0, 1))), {});
    return term(record_cast(re, type)) + term(record_cast(im, type)) * i;
}

// So many angles from the first on, quarters of a turn over n apart.
SINTER_INLINE term quarter_angles(std::int64_t first, std::int64_t count, std::int64_t n) {
    const double step = pi / (2.0 * static_cast<double>(n));
    return record_range(number(static_cast<double>(first) * step), number(step), count);
}

// By Makhoul: even places in order, then odd ones backward, are transformed by as many points; of which those behind
// the middle are the conjugates of those before.
SINTER_INLINE handle dct_of_type_2(std::string_view operation, const handle& x, int last, std::int64_t n) {
    layout even = codegen::sliced(codegen::contiguous(x->shape), last, 0, 2, (n + 1) / 2);
    if (n == 1) return term(x) * 2;
    const handle odd = record_view(x, codegen::sliced(codegen::contiguous(x->shape), last, 1, 2, n / 2));
    const handle halves[] = {record_view(x, even), record_flip(operation, odd, dims(last))};
    const handle z = record_fourier({.operation = operation, .what = codegen::routine::rfft},
                                    record_concatenate(operation, halves, x->type, last), n, -1);
    const std::int64_t near = n / 2 + 1, far = n - near;
    const handle first = turned_real(z, quarter_angles(0, near, n)) * 2;
    if (far == 0) return first;
    const handle behind = record_flip(operation, record_part(z, last, 1, far + 1), dims(last));
    const handle parts[] = {first, turned_real(apply(op::conj, term(behind)), quarter_angles(near, far, n)) * 2};
    return record_concatenate(operation, parts, x->type, last);
}

SINTER_INLINE handle dct_of_type_3(std::string_view operation, const handle& x, int last, std::int64_t n) {
    if (n == 1) return x;
    const std::int64_t near = n / 2 + 1, even = (n + 1) / 2;
    const term angle = quarter_angles(0, near, n), re = record_part(x, last, 0, near);
    dims one = x->shape;
    one[last] = 1;
    const handle behind[] = {record_scalar(number_of(x->type, 0), one),
                             record_flip(operation, record_part(x, last, n - near + 1, n), dims(last))};
    const term im = -term(record_concatenate(operation, behind, x->type, last));
    const term c = record_cast(apply(op::cos, angle), x->type), s = record_cast(apply(op::sin, angle), x->type);
    const term v = complex_of_parts(re * c - im * s, re * s + im * c);
    const term y = record_fourier({.operation = operation, .what = codegen::routine::irfft, .inverse = true}, v, n, -1);
    const handle scaled = y * static_cast<double>(n);
    handle result = record_empty(x->type, x->shape);
    const layout whole = codegen::contiguous(x->shape);
    result = record_update(result, record_part(scaled, last, 0, even), codegen::sliced(whole, last, 0, 2, even));
    const handle odd = record_flip(operation, record_part(scaled, last, even, n), dims(last));
    return record_update(result, odd, codegen::sliced(whole, last, 1, 2, n / 2));
}

SINTER_INLINE handle dct_of_type_1(std::string_view operation, const handle& x, int last, std::int64_t n) {
    const handle parts[] = {x, record_flip(operation, record_part(x, last, 1, n - 1), dims(last))};
    const handle even = record_concatenate(operation, parts, x->type, last);
    return record_part(
        apply(op::real, term(record_fourier({.operation = operation, .what = codegen::routine::rfft}, even, {}, -1))),
        last, 0, n);
}

SINTER_INLINE handle dct_of_type_4(std::string_view operation, const handle& x, int last, std::int64_t n) {
    const term k = record_range(number(0.0), number(1.0), n), angle = k * (pi / (2.0 * static_cast<double>(n)));
    const term value = x;
    const term v = complex_of_parts(value * record_cast(apply(op::cos, angle), x->type),
                                    -(value * record_cast(apply(op::sin, angle), x->type)));
    const handle z = record_fourier({.operation = operation, .what = codegen::routine::fft}, v, 2 * n, -1);
    return turned_real(record_part(z, last, 0, n), (k * 2 + 1) * (pi / (4.0 * static_cast<double>(n)))) * 2;
}

// Elements at the ends of an axis times a factor.
SINTER_INLINE handle scaled_ends(const handle& x, std::int64_t n, bool both, double factor) {
    const term k = record_index(dims(n)), value = x;
    const term is_end = both ? k == 0 || k == static_cast<double>(n - 1) : k == 0;
    return choose_where(is_end, value * factor, value);
}

SINTER_INLINE handle record_dct(std::string_view operation, const handle& given, const dct_options& o) {
    const int rank = given->shape.size(), axis = codegen::normalize_axis(operation, o.axis, rank), last = rank - 1;
    const std::int64_t n = o.n.value_or(given->shape[axis]);
    if (o.type < 1 || o.type > 4)
        throw value_error("[" + std::string(operation) + "] the type is not 1, 2, 3 or 4: " + std::to_string(o.type));
    if (n < 1 || (n < 2 && o.type == 1))
        throw value_error("[" + std::string(operation) + "] too few points: " + std::to_string(n));
    device_scope on(given->where);
    if (given->shape.product() == 0) {
        dims shape = given->shape;
        shape[axis] = n;
        return record_scalar(number_of(ndimage::detail::working_type(given->type), 0), shape);
    }
    handle x = record_moveaxis(record_cast(given, ndimage::detail::working_type(given->type)), dims(axis), dims(last));
    if (n < x->shape[last]) x = record_part(x, last, 0, n);
    dims none = dims::filled(rank, 0), more = none;
    more[last] = n - x->shape[last];
    x = ndimage::detail::record_extended(operation, x, none, more, {"constant", 0});
    const bool ortho = o.norm == fft::norm::ortho;
    const double root_2 = ieee::sqrt(2.0), period = 2.0 * static_cast<double>(o.type == 1 ? n - 1 : n);
    if (ortho && (o.type == 1 || o.type == 3)) x = scaled_ends(x, n, o.type == 1, root_2);
    handle y = o.type == 1   ? dct_of_type_1(operation, x, last, n)
               : o.type == 2 ? dct_of_type_2(operation, x, last, n)
               : o.type == 3 ? dct_of_type_3(operation, x, last, n)
                             : dct_of_type_4(operation, x, last, n);
    if (ortho && o.type <= 2) y = scaled_ends(y, n, o.type == 1, 1 / root_2);
    if (o.norm != fft::norm::backward) y = term(y) * (ortho ? 1 / ieee::sqrt(period) : 1 / period);
    return record_moveaxis(y, dims(last), dims(axis));
}

// ---- trends and ends

SINTER_INLINE handle without_trend(std::string_view operation, const handle& given, int axis, std::string_view type) {
    if (type != "constant" && type != "linear")
        throw value_error("[" + std::string(operation) + "] a trend is linear or constant: " + std::string(type));
    const term x = given;
    const std::int64_t n = x.shape()[axis];
    const auto over = static_cast<std::uint8_t>(1 << axis);
    auto mean_of = [&](const term& v) {
        return term(record_reduce(codegen::reduction::sum, v, over, true)) / static_cast<double>(n);
    };
    const term centred = x - mean_of(x);
    if (type == "constant" || n == 1) return centred;
    dims along = dims::filled(x.shape().size(), 1);
    along[axis] = n;
    const double count = static_cast<double>(n);
    const term at = record_range(number(-(count - 1) / 2), number(1.0), n);
    const term place = record_cast(record_reshape(at, along), x.type());
    // The mean of the squares of the places is (n^2 - 1) / 12.
    return centred - place * (mean_of(place * centred) / ((count * count - 1) / 12));
}

SINTER_INLINE handle with_ends(std::string_view operation, const handle& x, int axis, std::int64_t length,
                               std::string_view how) {
    const std::int64_t n = x->shape[axis];
    if (length == 0) return x;
    if (length >= n && how != "constant")
        throw value_error("[" + std::string(operation) + "] a signal of " + std::to_string(n) +
                          " elements does not go on by " + std::to_string(length));
    auto end = [&](std::int64_t place, std::int64_t start) {
        const term edge = record_part(x, axis, place, place + 1);
        if (how == "constant") {
            dims shape = x->shape;
            shape[axis] = length;
            return record_broadcast(operation, edge, shape);
        }
        const term beside = record_flip(operation, record_part(x, axis, start, start + length), dims(axis));
        return how == "odd" ? handle(edge * 2 - beside) : handle(beside);
    };
    const handle parts[] = {end(0, 1), x, end(n - 1, n - 1 - length)};
    return record_concatenate(operation, parts, x->type, axis);
}

SINTER_INLINE handle record_detrend(const handle& given, const detrend_options& o) {
    const int axis = codegen::normalize_axis("detrend", o.axis, given->shape.size());
    const std::int64_t n = given->shape[axis];
    device_scope on(given->where);
    const handle x = record_cast(given, ndimage::detail::working_type(given->type));
    if (given->shape.product() == 0) return x;
    if (o.type == "constant") return without_trend("detrend", x, axis, o.type);
    std::vector<std::int64_t> breaks = o.bp;
    breaks.push_back(0);
    breaks.push_back(n);
    std::sort(breaks.begin(), breaks.end());
    breaks.erase(std::unique(breaks.begin(), breaks.end()), breaks.end());
    if (breaks.front() < 0 || breaks.back() > n)
        throw value_error("[detrend] a break lies outside of an axis of " + std::to_string(n));
    codegen::sequence<handle> parts;
    for (std::size_t i = 0; i + 1 < breaks.size(); ++i)
        parts.push_back(without_trend("detrend", record_part(x, axis, breaks[i], breaks[i + 1]), axis, o.type));
    return record_concatenate("detrend", parts, x->type, axis);
}

}  // namespace sinter::inline SINTER_ABI::signal::detail

SINTER_IEEE_END
