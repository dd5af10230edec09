// Bodies of resampling.hpp.
#pragma once

#include <sinter/array/matrix_products.hpp>
#include <sinter/array/reading.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/joining.hpp>
#include <sinter/functions/term.hpp>
#include <sinter/ndimage/neighbourhood.hpp>
#include <sinter/signal/filter_design.hpp>
#include <sinter/signal/linear_filters.hpp>
#include <sinter/signal/resampling.hpp>

#include <algorithm>
#include <numeric>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::signal::detail {

// Linear and real: a complex signal is one for each part.
SINTER_INLINE handle resample_real(const handle& x, std::int64_t count, int axis) {
    const std::int64_t n = x->shape[axis], kept = std::min(n, count);
    const term z = record_fourier({.operation = "resample", .what = codegen::routine::rfft}, x, std::nullopt, axis);
    term part = record_part(z, axis, 0, kept / 2 + 1);
    if (kept % 2 == 0 && n != count) {
        // The highest frequency, which is both the positive and the negative one, is divided, or put together.
        dims along = dims::filled(x->shape.size(), 1);
        along[axis] = kept / 2 + 1;
        const term k = record_reshape(record_index(dims(kept / 2 + 1)), along);
        part = choose_where(k == static_cast<double>(kept / 2), part * (count < n ? 2 : 0.5), part);
    }
    dims none = dims::filled(x->shape.size(), 0), more = none;
    more[axis] = count / 2 - kept / 2;
    const handle wide = ndimage::detail::record_extended("resample", part, none, more, {"constant", 0});
    const term y =
        record_fourier({.operation = "resample", .what = codegen::routine::irfft, .inverse = true}, wide, count, axis);
    return y * (static_cast<double>(count) / static_cast<double>(n));
}

SINTER_INLINE handle join_parts(const term& re, const term& im) {
    const dtype type = codegen::complex_of(re.type());
    const term i = record_scalar(converted_number(type, number(std::complex<double>(0, 1))), {});
    return term(record_cast(re, type)) + term(record_cast(im, type)) * i;
}

SINTER_INLINE handle record_resample(const handle& given, std::int64_t count, std::int64_t given_axis) {
    const int axis = codegen::normalize_axis("resample", given_axis, given->shape.size());
    if (count < 1 || given->shape[axis] < 1)
        throw value_error("[resample] from " + std::to_string(given->shape[axis]) + " elements to " +
                          std::to_string(count));
    device_scope on(given->where);
    const term x = record_cast(given, ndimage::detail::working_type(given->type));
    if (!codegen::is_complex(x.type())) return resample_real(x, count, axis);
    return join_parts(resample_real(apply(op::real, x), count, axis), resample_real(apply(op::imag, x), count, axis));
}

SINTER_INLINE handle record_resample_poly(const handle& given, std::int64_t up, std::int64_t down,
                                          const resample_poly_options& o) {
    const int rank = given->shape.size(), axis = codegen::normalize_axis("resample_poly", o.axis, rank);
    if (up < 1 || down < 1)
        throw value_error("[resample_poly] rates are positive: " + std::to_string(up) + " and " + std::to_string(down));
    const std::int64_t common = std::gcd(up, down), n = given->shape[axis];
    up /= common;
    down /= common;
    device_scope on(given->where);
    const handle x = record_cast(given, ndimage::detail::working_type(given->type));
    if ((up == 1 && down == 1) || given->shape.product() == 0) return x;
    const std::int64_t fastest = std::max(up, down), count = (n * up + down - 1) / down;
    std::vector<double> taps = o.window.weights;
    if (taps.empty()) taps = design_firwin(20 * fastest + 1, {1 / static_cast<double>(fastest)}, {.window = o.window});
    const std::int64_t middle = (static_cast<std::int64_t>(taps.size()) - 1) / 2;
    // Result m meets element j at tap m down + middle - j up. Results are made `made` at once, from windows `step`
    // apart that are about twice as long as that, by the matrix of the taps that meet there.
    const auto count_of_taps = static_cast<std::int64_t>(taps.size());
    const std::int64_t each = (count_of_taps + up - 1) / up, group = (each + down - 1) / down;
    const std::int64_t made = group * up, step = group * down, blocks = (count + made - 1) / made;
    const std::int64_t first = middle / up - each + 1, span = ((made - 1) * down + middle) / up - first + 1;
    std::vector<double> weights(static_cast<std::size_t>(span * made), 0.0);
    for (std::int64_t k = 0; k < span; ++k)
        for (std::int64_t r = 0; r < made; ++r)
            if (const std::int64_t tap = r * down + middle - (first + k) * up; tap >= 0 && tap < count_of_taps)
                weights[static_cast<std::size_t>(k * made + r)] =
                    taps[static_cast<std::size_t>(tap)] * static_cast<double>(up);
    const handle last = record_moveaxis(x, dims(axis), dims(rank - 1));
    const std::int64_t rows = given->shape.product() / n, before = std::max<std::int64_t>(-first, 0);
    const std::int64_t behind = std::max<std::int64_t>((blocks - 1) * step + first + span - n, 0);
    const handle wide = ndimage::detail::record_extended("resample_poly", record_reshape(last, dims(rows, n)),
                                                         dims(0, before), dims(0, behind), {"constant", 0});
    const layout windows{dims(rows, blocks, span), dims(wide->shape[1], step, 1), first + before};
    const handle table = record_cast(store(dtype::float64, dims(span, made), weights.data()), x->type);
    const handle y = record_matmul(record_reshape(record_view(wide, windows), dims(rows * blocks, span)), table);
    dims shape = last->shape;
    shape[rank - 1] = blocks * made;
    return record_moveaxis(record_part(record_reshape(y, shape), rank - 1, 0, count), dims(rank - 1), dims(axis));
}

SINTER_INLINE handle slowed(const handle& x, std::int64_t q, const decimate_options& o) {
    const auto rate = static_cast<double>(q);
    if (o.ftype == "fir") {
        const std::vector<double> taps = design_firwin(o.n.value_or(20 * static_cast<int>(q)) + 1, {1 / rate}, {});
        const double one = 1;
        return record_filter("decimate", {{{taps.data(), taps.data() + taps.size()}, {&one, &one + 1}}}, x, o.axis).y;
    }
    const std::vector<double> all =
        design_iir_sections({"decimate", iir_family::cheby1, o.n.value_or(8), 0.05}, {0.8 / rate}, {});
    filter_sections f;
    for (const double* s = all.data(); s != all.data() + all.size(); s += 6) f.push_back({{s, s + 3}, {s + 3, s + 6}});
    if (o.zero_phase) return record_sosfiltfilt(f, x, {.axis = o.axis});
    return record_filter("decimate", f, x, o.axis).y;
}

SINTER_INLINE handle record_decimate(const handle& x, std::int64_t q, const decimate_options& o) {
    if (q < 1) throw value_error("[decimate] not every " + std::to_string(q) + "-th element");
    if (o.ftype != "iir" && o.ftype != "fir")
        throw value_error("[decimate] the filter is not iir or fir: " + std::string(o.ftype));
    const int axis = codegen::normalize_axis("decimate", o.axis, x->shape.size());
    device_scope on(x->where);
    if (o.ftype == "fir" && o.zero_phase) {
        const std::int64_t order = o.n.value_or(20 * static_cast<int>(q));
        return record_resample_poly(
            x, 1, q, {.axis = axis, .window = design_firwin(order + 1, {1 / static_cast<double>(q)}, {})});
    }
    const handle y = slowed(x, q, o);
    layout l = codegen::contiguous(y->shape);
    l.shape[axis] = (y->shape[axis] + q - 1) / q;
    l.strides[axis] *= q;
    return record_view(y, l);
}

}  // namespace sinter::inline SINTER_ABI::signal::detail

SINTER_IEEE_END
