// Bodies of waveforms.hpp.
#pragma once

#include <sinter/array/constants.hpp>
#include <sinter/array/printing/digits.hpp>
#include <sinter/codegen/ops/ieee.hpp>
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

}  // namespace sinter::inline SINTER_ABI::signal::detail

SINTER_IEEE_END
