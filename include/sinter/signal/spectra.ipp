// Bodies of spectra.hpp.
#pragma once

#include <sinter/array/reading.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/fft/fft.hpp>
#include <sinter/functions/joining.hpp>
#include <sinter/functions/term.hpp>
#include <sinter/ndimage/neighbourhood.hpp>
#include <sinter/signal/spectra.hpp>

#include <algorithm>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::signal::detail {

// What all spectra of segments are made by.
struct segmentation {
    std::string_view operation;
    double fs;
    std::vector<double> weights;
    std::int64_t length, step, points;
    std::string_view detrend;
    bool one_sided;
    double factor;  ///< of powers
};

// The segments' numbers as SciPy chooses what is not given.
struct segment_request {
    const signal::window& shape;
    std::optional<std::int64_t> nperseg, noverlap, nfft;
    std::int64_t overlap_part;
    std::string_view scaling;
};

SINTER_INLINE double sum_of(const std::vector<double>& v, bool squares) {
    double sum = 0;
    for (double x : v) sum += squares ? x * x : x;
    return sum;
}

SINTER_INLINE void require_overlap(std::string_view operation, std::int64_t length, std::int64_t overlap,
                                   std::int64_t points) {
    if (length < 1 || overlap < 0 || overlap >= length || points < length)
        throw value_error("[" + std::string(operation) + "] segments of " + std::to_string(length) +
                          " elements do not overlap by " + std::to_string(overlap) + ", or are not transformed by " +
                          std::to_string(points) + " points");
}

SINTER_INLINE segmentation segments_of(std::string_view operation, const handle& x, std::int64_t n, double fs,
                                       std::string_view detrend, bool one_sided, const segment_request& r) {
    const auto weighted = static_cast<std::int64_t>(r.shape.weights.size());
    if (weighted > 0 && r.nperseg.value_or(weighted) != weighted)
        throw value_error("[" + std::string(operation) + "] segments of " + std::to_string(*r.nperseg) +
                          " elements and a window of " + std::to_string(weighted));
    const std::int64_t given = weighted > 0 ? weighted : std::min(r.nperseg.value_or(256), n);
    if (n == 0) throw value_error("[" + std::string(operation) + "] the signal has no elements");
    if (given > n)
        throw value_error("[" + std::string(operation) + "] a window of " + std::to_string(given) +
                          " elements is longer than a signal of " + std::to_string(n));
    const std::int64_t overlap = r.noverlap.value_or(given / r.overlap_part), points = r.nfft.value_or(given);
    require_overlap(operation, given, overlap, points);
    std::vector<double> weights = window_weights(operation, r.shape, given, true);
    const bool is_density = r.scaling == "density" || r.scaling == "psd";
    if (!is_density && r.scaling != "spectrum")
        throw value_error("[" + std::string(operation) + "] unknown scaling: " + std::string(r.scaling));
    const double sum = sum_of(weights, false);
    const double factor = is_density ? 1 / (fs * sum_of(weights, true)) : 1 / (sum * sum);
    const bool is_one_sided = one_sided && !codegen::is_complex(x->type);
    return {operation, fs, std::move(weights), given, given - overlap, points, detrend, is_one_sided, factor};
}

// The spectra of the segments along the last axis, (…, segments, frequencies).
SINTER_INLINE handle transformed_segments(const segmentation& s, const handle& x) {
    const int last = x->shape.size() - 1;
    layout l = codegen::contiguous(x->shape);
    l.shape[last] = (x->shape[last] - s.length) / s.step + 1;
    l.strides[last] = s.step;
    l.shape.push_back(s.length);
    l.strides.push_back(1);
    handle parts = record_view(x, l);
    if (s.detrend != "none") parts = without_trend(s.operation, parts, last + 1, s.detrend);
    parts = term(parts) * term(record_cast(stored_vector(s.weights), x->type));
    const auto what = s.one_sided ? codegen::routine::rfft : codegen::routine::fft;
    return record_fourier({.operation = s.operation, .what = what}, parts, s.points, -1);
}

SINTER_INLINE handle frequencies_of(const segmentation& s) {
    const double step = s.fs / static_cast<double>(s.points);
    if (s.one_sided) return fft::rfftfreq(s.points, 1 / (static_cast<double>(s.points) * step)).get_handle();
    return fft::fftfreq(s.points, 1 / s.fs).get_handle();
}

SINTER_INLINE handle times_of(const segmentation& s, std::int64_t count, double first) {
    const term i = record_range(number(0.0), number(1.0), count);
    return (i * static_cast<double>(s.step) + first) / s.fs;
}

// (…, segments, frequencies) with frequencies along the signal's axis and segments last.
SINTER_INLINE handle in_place(const handle& values, int axis) {
    const int rank = values->shape.size();
    return record_moveaxis(values, dims(rank - 1), dims(axis));
}

SINTER_INLINE handle signal_along_last(std::string_view operation, const handle& x, std::int64_t given, int& axis) {
    axis = codegen::normalize_axis(operation, given, x->shape.size());
    return record_moveaxis(record_cast(x, ndimage::detail::working_type(x->type)), dims(axis),
                           dims(x->shape.size() - 1));
}

// With half a segment more at both ends.
SINTER_INLINE handle with_boundary(const handle& x, std::int64_t length, std::string_view boundary) {
    const int last = x->shape.size() - 1;
    if (boundary == "odd" || boundary == "even" || boundary == "constant")
        return with_ends("stft", x, last, length, boundary);
    if (boundary != "zeros")
        throw value_error("[stft] the boundary is not zeros, even, odd, constant or none: " + std::string(boundary));
    dims both = dims::filled(last + 1, 0);
    both[last] = length;
    return ndimage::detail::record_extended("stft", x, both, both, {"constant", 0});
}

SINTER_INLINE recorded_spectra record_stft(const handle& given, const stft_options& o) {
    int axis = 0;
    device_scope on(given->where);
    handle x = signal_along_last("stft", given, o.axis, axis);
    const int last = x->shape.size() - 1;
    const segmentation s = segments_of("stft", x, x->shape[last], o.fs, o.detrend, o.return_onesided,
                                       {o.window, o.nperseg, o.noverlap, o.nfft, 2, o.scaling});
    const bool extends = o.boundary != "none";
    if (extends) x = with_boundary(x, s.length / 2, o.boundary);
    if (o.padded) {
        const std::int64_t beyond = (x->shape[last] - s.length) % s.step;
        dims none = dims::filled(last + 1, 0), more = none;
        more[last] = beyond ? (s.step - beyond) % s.length : 0;
        x = ndimage::detail::record_extended("stft", x, none, more, {"constant", 0});
    }
    const term z = transformed_segments(s, x);
    const double first = extends ? 0 : static_cast<double>(s.length) / 2;
    return {frequencies_of(s), times_of(s, z.shape()[last], first), in_place(z * ieee::sqrt(s.factor), axis)};
}

// Powers of (…, segments, frequencies), both sides together where spectra have one.
SINTER_INLINE term of_both_sides(const segmentation& s, const term& power) {
    if (!s.one_sided) return power;
    const std::int64_t count = power.shape()[power.shape().size() - 1];
    const term k = record_index(dims(count));
    const auto end = static_cast<double>(s.points % 2 ? count : count - 1);
    return choose_where(k > 0 && k < end, power * 2, power);
}

SINTER_INLINE term powers_of_segments(const segmentation& s, const handle& x) {
    return of_both_sides(s, apply(op::abs2, transformed_segments(s, x)) * s.factor);
}

SINTER_INLINE recorded_spectra record_spectrogram(const handle& given, const spectrogram_options& o) {
    int axis = 0;
    device_scope on(given->where);
    const handle x = signal_along_last("spectrogram", given, o.axis, axis);
    const int last = x->shape.size() - 1;
    const segmentation s = segments_of("spectrogram", x, x->shape[last], o.fs, o.detrend, o.return_onesided,
                                       {o.window, o.nperseg, o.noverlap, o.nfft, 8, o.scaling});
    if (o.mode != "psd" && o.mode != "magnitude" && o.mode != "angle")
        throw value_error("[spectrogram] the mode is not psd, magnitude or angle: " + std::string(o.mode));
    handle values;
    if (o.mode == "psd") values = powers_of_segments(s, x);
    else
        values = apply(o.mode == "angle" ? op::angle : op::absolute,
                       term(transformed_segments(s, x)) * ieee::sqrt(s.factor));
    return {frequencies_of(s), times_of(s, values->shape[last], static_cast<double>(s.length) / 2),
            in_place(values, axis)};
}

// The mean of what medians of so many powers are.
SINTER_INLINE double bias_of_median(std::int64_t n) {
    double bias = 1;
    for (std::int64_t k = 1; k <= (n - 1) / 2; ++k)
        bias += 1 / static_cast<double>(2 * k + 1) - 1 / static_cast<double>(2 * k);
    return bias;
}

SINTER_INLINE term median_along(const term& power, int axis) {
    const std::int64_t count = power.shape()[axis];
    const handle sorted = record_sort(codegen::routine::sort, power, axis);
    const term low = record_part(sorted, axis, (count - 1) / 2, (count - 1) / 2 + 1);
    const term high = record_part(sorted, axis, count / 2, count / 2 + 1);
    return record_squeeze((low + high) * (0.5 / bias_of_median(count)), dims(axis));
}

SINTER_INLINE term sum_along(const term& x, int axis) {
    return record_reduce(codegen::reduction::sum, x, static_cast<std::uint8_t>(1 << axis), false);
}

// Over the segments, the axis before the last.
SINTER_INLINE term averaged(std::string_view operation, std::string_view average, const term& power) {
    const int axis = power.shape().size() - 2;
    if (average == "mean") return sum_along(power, axis) / static_cast<double>(power.shape()[axis]);
    if (average != "median")
        throw value_error("[" + std::string(operation) +
                          "] the average is not mean or median: " + std::string(average));
    if (!codegen::is_complex(power.type())) return median_along(power, axis);
    const term i = record_cast(record_scalar(number(std::complex<double>(0, 1)), {}), power.type());
    return median_along(apply(op::real, power), axis) + median_along(apply(op::imag, power), axis) * i;
}

// Averages over an axis without elements have no frequencies.
SINTER_INLINE recorded_spectra no_spectra(const dims& shape, dtype type) {
    return {record_scalar(number(0.0), dims(0)), {}, record_cast(record_scalar(number(0.0), shape), type)};
}

SINTER_INLINE recorded_spectra record_welch(std::string_view operation, const handle& given, const welch_options& o) {
    int axis = 0;
    device_scope on(given->where);
    const handle x = signal_along_last(operation, given, o.axis, axis);
    const int last = x->shape.size() - 1;
    if (x->shape[last] == 0) return no_spectra(given->shape, codegen::real_of(x->type));
    const segmentation s = segments_of(operation, x, x->shape[last], o.fs, o.detrend, o.return_onesided,
                                       {o.window, o.nperseg, o.noverlap, o.nfft, 2, o.scaling});
    const term values = averaged(operation, o.average, powers_of_segments(s, x));
    return {frequencies_of(s), {}, record_moveaxis(values, dims(last), dims(axis))};
}

SINTER_INLINE recorded_spectra record_periodogram(const handle& given, const periodogram_options& o) {
    const int axis = codegen::normalize_axis("periodogram", o.axis, given->shape.size());
    const std::int64_t n = given->shape[axis], points = o.nfft.value_or(n), used = std::min(n, points);
    if (n > 0 && points < 1)
        throw value_error("[periodogram] the number of points is not positive: " + std::to_string(points));
    return record_welch("periodogram", used < n ? record_part(given, axis, 0, std::max<std::int64_t>(used, 0)) : given,
                        {.fs = o.fs,
                         .window = o.window,
                         .nperseg = used,
                         .noverlap = 0,
                         .nfft = points,
                         .detrend = o.detrend,
                         .return_onesided = o.return_onesided,
                         .scaling = o.scaling,
                         .axis = axis});
}

// ---- two signals

// What two signals have in common where one has no elements along its axis; nothing where both have some.
SINTER_INLINE std::optional<recorded_spectra> nothing_in_common(std::string_view operation, const handle& x,
                                                                const handle& y, std::int64_t along, dtype type) {
    const int of_x = codegen::normalize_axis(operation, along, x->shape.size());
    const int of_y = codegen::normalize_axis(operation, along, y->shape.size());
    if (x->shape[of_x] != 0 && y->shape[of_y] != 0) return std::nullopt;
    dims a = x->shape, b = y->shape;
    a[of_x] = b[of_y] = 0;
    return no_spectra(codegen::broadcast_shapes(operation, a, b), type);
}

// The spectra of two signals' segments, and where their frequencies belong in a result.
struct two_spectra {
    segmentation s;
    term x, y;
    int axis;

    recorded_spectra placed(const handle& values) const {
        return {frequencies_of(s), {}, record_moveaxis(values, dims(values->shape.size() - 1), dims(axis))};
    }
};

SINTER_INLINE two_spectra spectra_of_two(std::string_view operation, const handle& given_x, const handle& given_y,
                                         const welch_options& o) {
    int of_x = 0, of_y = 0;
    handle x = signal_along_last(operation, given_x, o.axis, of_x);
    handle y = signal_along_last(operation, given_y, o.axis, of_y);
    const int rank = std::max(x->shape.size(), y->shape.size());
    const std::int64_t n = std::max(x->shape[x->shape.size() - 1], y->shape[y->shape.size() - 1]);
    for (handle* each : {&x, &y}) {
        const int last = (*each)->shape.size() - 1;
        dims none = dims::filled(last + 1, 0), more = none;
        more[last] = n - (*each)->shape[last];
        if (more[last] > 0) *each = ndimage::detail::record_extended(operation, *each, none, more, {"constant", 0});
    }
    segmentation s = segments_of(operation, x, n, o.fs, o.detrend, o.return_onesided,
                                 {o.window, o.nperseg, o.noverlap, o.nfft, 2, o.scaling});
    const int axis = static_cast<int>(o.axis < 0 ? o.axis + rank : o.axis);
    const term of_x_segments = transformed_segments(s, x), of_y_segments = transformed_segments(s, y);
    return {std::move(s), of_x_segments, of_y_segments, axis};
}

SINTER_INLINE recorded_spectra record_csd(const handle& x, const handle& y, const welch_options& o) {
    device_scope on(x->where);
    const dtype type = codegen::complex_of(ndimage::detail::working_type(x->type));
    if (auto none = nothing_in_common("csd", x, y, o.axis, type)) return *none;
    const two_spectra z = spectra_of_two("csd", x, y, o);
    const term power = apply(op::conj, z.x) * z.y * z.s.factor;
    return z.placed(averaged("csd", o.average, of_both_sides(z.s, power)));
}

SINTER_INLINE recorded_spectra record_coherence(const handle& x, const handle& y, const coherence_options& o) {
    const std::int64_t n = x->shape[codegen::normalize_axis("coherence", o.axis, x->shape.size())],
                       m = y->shape[codegen::normalize_axis("coherence", o.axis, y->shape.size())];
    if (n != m)
        throw shape_error("[coherence] signals of " + std::to_string(n) + " and " + std::to_string(m) + " elements");
    device_scope on(x->where);
    const dtype type = codegen::real_of(ndimage::detail::working_type(x->type));
    if (auto none = nothing_in_common("coherence", x, y, o.axis, type)) return *none;
    const two_spectra z = spectra_of_two("coherence", x, y,
                                         {.fs = o.fs,
                                          .window = o.window,
                                          .nperseg = o.nperseg,
                                          .noverlap = o.noverlap,
                                          .nfft = o.nfft,
                                          .detrend = o.detrend,
                                          .axis = o.axis});
    auto summed = [](const term& segments) { return sum_along(segments, segments.shape().size() - 2); };
    const term common = apply(op::abs2, summed(apply(op::conj, z.x) * z.y));
    return z.placed(common / summed(apply(op::abs2, z.x)) / summed(apply(op::abs2, z.y)));
}

// ---- the inverse

// The sums of segments (…, count, length) that begin `step` apart.
SINTER_INLINE handle overlap_add(const handle& segments, std::int64_t step) {
    const int at = segments->shape.size() - 2;
    const std::int64_t count = segments->shape[at], length = segments->shape[at + 1];
    const std::int64_t parts = (length + step - 1) / step, blocks = count + parts - 1;
    dims before = dims::filled(at + 2, 0), after = before;
    before[at] = after[at] = parts - 1;
    after[at + 1] = parts * step - length;
    const handle wide = ndimage::detail::record_extended("istft", segments, before, after, {"constant", 0});
    // Block q of the signal is the sum of part j of segment q - j over all j.
    layout l = codegen::contiguous(wide->shape);
    const std::int64_t row = l.strides[at];
    l.offset = (parts - 1) * row;
    l.shape[at] = blocks;
    l.shape[at + 1] = parts;
    l.strides[at + 1] = step - row;
    l.shape.push_back(step);
    l.strides.push_back(1);
    const handle sums =
        record_reduce(codegen::reduction::sum, record_view(wide, l), static_cast<std::uint8_t>(1 << (at + 1)), false);
    dims flat = segments->shape;
    flat.erase(at + 1);
    flat[at] = blocks * step;
    return record_part(record_reshape(sums, flat), at, 0, (count - 1) * step + length);
}

SINTER_INLINE recorded_spectra record_istft(const handle& given, dtype result, const istft_options& o) {
    const int rank = given->shape.size();
    if (rank < 2) throw shape_error("[istft] spectra have two axes: " + to_string(given->shape));
    const int time = codegen::normalize_axis("istft", o.time_axis, rank),
              frequency = codegen::normalize_axis("istft", o.freq_axis, rank);
    if (time == frequency) throw value_error("[istft] one axis of time and frequency: " + std::to_string(time));
    device_scope on(given->where);
    const bool one_sided = !codegen::is_complex(result);
    const std::int64_t count = given->shape[time], known = given->shape[frequency];
    const std::int64_t usual = one_sided ? 2 * (known - 1) : known;
    const std::int64_t length = o.nperseg.value_or(usual);
    const std::int64_t points = o.nfft.value_or(one_sided && length == usual + 1 ? length : usual);
    const std::int64_t overlap = o.noverlap.value_or(length / 2), step = length - overlap;
    require_overlap("istft", length, overlap, points);
    if (count < 1) throw value_error("[istft] no segments: " + to_string(given->shape));
    const handle z = record_moveaxis(given, dims(time, frequency), dims(rank - 2, rank - 1));
    const auto what = one_sided ? codegen::routine::irfft : codegen::routine::fft;
    const handle back = record_fourier({.operation = "istft", .what = what, .inverse = true}, z, points, -1);
    const std::vector<double> weights = window_weights("istft", o.window, length, true);
    double factor = sum_of(weights, false);
    if (o.scaling == "psd") factor = ieee::sqrt(o.fs * sum_of(weights, true));
    else if (o.scaling != "spectrum") throw value_error("[istft] unknown scaling: " + std::string(o.scaling));
    const term w = record_cast(stored_vector(weights), back->type);
    const term x = overlap_add(term(record_part(back, rank - 1, 0, length)) * w * factor, step);
    const handle squares = record_broadcast("istft", stored_vector(weights), dims(count, length));
    term norm = overlap_add(term(squares) * term(squares), step);
    norm = record_cast(choose_where(norm > 1e-10, norm, constant_like(norm, 1)), back->type);
    handle y = x / norm;
    const std::int64_t n = (count - 1) * step + length;
    if (o.boundary) y = record_part(y, rank - 2, length / 2, n - length / 2);
    const term t = record_range(number(0.0), number(1.0), y->shape[rank - 2]);
    return {{}, t / o.fs, record_moveaxis(y, dims(rank - 2), dims(time < frequency ? time : time - 1))};
}

}  // namespace sinter::inline SINTER_ABI::signal::detail

SINTER_IEEE_END
