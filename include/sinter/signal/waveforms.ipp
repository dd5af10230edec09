// Bodies of waveforms.hpp.
#pragma once

#include <sinter/array/constants.hpp>
#include <sinter/array/printing/digits.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/creation.hpp>
#include <sinter/functions/term.hpp>
#include <sinter/signal/waveforms.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::signal::detail {

SINTER_INLINE void require_frequencies(bool holds, std::string_view method, double f0, double f1) {
    if (!holds)
        throw value_error("[chirp] no " + std::string(method) + " way from " + number_text(f0) + " to " +
                          number_text(f1));
}

// The phase in turns.
SINTER_INLINE term turns_of(const term& t, double f0, double t1, double f1, const chirp_options& o) {
    if (o.method == "linear") return (t * f0) + t * t * (0.5 * (f1 - f0) / t1);
    if (o.method == "quadratic") {
        const double beta = (f1 - f0) / (t1 * t1);
        if (o.vertex_zero) return t * f0 + t * t * t * (beta / 3);
        const term rest = t1 - t;
        return t * f1 + (rest * rest * rest - t1 * t1 * t1) * (beta / 3);
    }
    if (o.method == "logarithmic") {
        require_frequencies(f0 * f1 > 0, o.method, f0, f1);
        if (f0 == f1) return t * f0;
        const double rate = ieee::log(f1 / f0) / t1;
        return apply(op::expm1, t * rate) * (f0 / rate);
    }
    if (o.method != "hyperbolic")
        throw value_error("[chirp] the method is not linear, quadratic, logarithmic or hyperbolic: " +
                          std::string(o.method));
    require_frequencies(f0 != 0 && f1 != 0, o.method, f0, f1);
    if (f0 == f1) return t * f0;
    const double pole = f1 * t1 / (f1 - f0);
    return apply(op::log, apply(op::absolute, 1.0 - t / pole)) * (-pole * f0);
}

SINTER_INLINE handle record_chirp(const handle& given, double f0, double t1, double f1, const chirp_options& o) {
    device_scope on(given->where);
    const term t = record_cast(given, ndimage::detail::working_type(given->type));
    const term phase = turns_of(t, f0, t1, f1, o) * (2 * pi) + o.phi / 180 * pi;
    return record_cast(apply(op::cos, phase), given->type);
}

// The time within a period, the part as a value beside it, and whether it is one.
struct wave_place {
    term at, part, is_part;
};

SINTER_INLINE wave_place place_in_wave(const handle& given, const sinter::detail::any_operand& part) {
    const term t = record_cast(given, ndimage::detail::working_type(given->type));
    const term w = record_cast(part.as_value(), t.type());
    return {apply(op::remainder, t, 2 * pi), w, w >= 0 && w <= 1};
}

SINTER_INLINE handle record_square(const handle& t, const sinter::detail::any_operand& duty) {
    device_scope on(t->where);
    const auto [at, part, is_part] = place_in_wave(t, duty);
    const term wave = choose_where(at < part * (2 * pi), constant_like(at, 1), constant_like(at, -1));
    return record_cast(choose_where(is_part, wave, constant_like(at, ieee::quiet_nan)), t->type);
}

SINTER_INLINE handle record_sawtooth(const handle& t, const sinter::detail::any_operand& width) {
    device_scope on(t->where);
    const auto [at, part, is_part] = place_in_wave(t, width);
    const term rise = at / (part * pi) - 1, fall = ((part + 1) * pi - at) / ((1 - part) * pi);
    const term wave = choose_where(at < part * (2 * pi), rise, fall);
    return record_cast(choose_where(is_part, wave, constant_like(at, ieee::quiet_nan)), t->type);
}

// What times are squared by in the exponent.
SINTER_INLINE double gausspulse_rate(const gausspulse_options& o) {
    if (!(o.fc >= 0 && o.bw > 0 && o.bwr < 0))
        throw value_error("[gausspulse] no band of frequency " + number_text(o.fc) + ", width " + number_text(o.bw) +
                          " at " + number_text(o.bwr) + " decibels");
    const double at = pi * o.fc * o.bw;
    return -(at * at) / (4 * ieee::log(ieee::pow(10, o.bwr / 20)));
}

SINTER_INLINE double gausspulse_end(const gausspulse_options& o) {
    if (!(o.tpr < 0)) throw value_error("[gausspulse] the envelope does not fall to " + number_text(o.tpr));
    return ieee::sqrt(-ieee::log(ieee::pow(10, o.tpr / 20)) / gausspulse_rate(o));
}

SINTER_INLINE handle record_gausspulse(const handle& given, const gausspulse_options& o) {
    device_scope on(given->where);
    const term t = record_cast(given, ndimage::detail::working_type(given->type));
    const term envelope = apply(op::exp, t * t * -gausspulse_rate(o));
    return record_cast(envelope * apply(op::cos, t * (2 * pi * o.fc)), given->type);
}

SINTER_INLINE handle record_impulse(const dims& shape, const impulse_place& place) {
    const dims at = place.of(shape);
    handle is_there = record_scalar(number(true), shape);
    for (int axis = 0; axis < shape.size(); ++axis)
        is_there = term(is_there) && (term(record_axis_index(shape, axis)) == static_cast<double>(at[axis]));
    return is_there;
}

}  // namespace sinter::inline SINTER_ABI::signal::detail

namespace sinter::inline SINTER_ABI::signal {

SINTER_INLINE dims impulse_place::of(const dims& shape) const {
    if (!word_.empty() && word_ != "mid")
        throw value_error("[unit_impulse] a place is a number or mid, not " + std::string(word_));
    if (word_.empty() && each_.size() != 1 && each_.size() != shape.size())
        throw value_error("[unit_impulse] places " + to_string(each_) + " in an array of shape " + to_string(shape));
    dims at;
    for (int axis = 0; axis < shape.size(); ++axis) {
        const std::int64_t n = shape[axis], i = !word_.empty() ? n / 2 : each_[each_.size() == 1 ? 0 : axis];
        if (i < -n || i >= n)
            throw index_error("[unit_impulse] no place " + std::to_string(i) + " along an axis of " +
                              std::to_string(n));
        at.push_back(i < 0 ? i + n : i);
    }
    return at;
}

SINTER_INLINE double gausspulse(const char* cutoff, const gausspulse_options& o) {
    if (std::string_view(cutoff) != "cutoff")
        throw value_error("[gausspulse] what is asked for is the cutoff, not " + std::string(cutoff));
    return detail::gausspulse_end(o);
}

}  // namespace sinter::inline SINTER_ABI::signal

SINTER_IEEE_END
