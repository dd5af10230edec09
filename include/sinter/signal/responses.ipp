// Bodies of responses.hpp.
#pragma once

#include <sinter/array/constants.hpp>
#include <sinter/array/reading.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/shape_functions.hpp>
#include <sinter/functions/term.hpp>
#include <sinter/signal/responses.hpp>

#include <algorithm>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::signal::detail {

// Angles of frequencies, (n, 1).
SINTER_INLINE term angles_of(std::string_view operation, const freqz_options& o) {
    if (o.worN.value) {
        if (o.worN.value->shape.size() != 1)
            throw shape_error("[" + std::string(operation) +
                              "] frequencies are no vector: " + to_string(o.worN.value->shape));
        const term given = record_cast(o.worN.value, dtype::float64);
        return record_reshape(given * (2 * pi) / o.fs, dims(given.shape()[0], 1));
    }
    const std::int64_t n = o.worN.single ? o.worN.single->as<std::int64_t>() : 512;
    if (n < 1) throw value_error("[" + std::string(operation) + "] no frequencies: " + std::to_string(n));
    const std::int64_t steps = o.include_nyquist && !o.whole ? std::max<std::int64_t>(n - 1, 1) : n;
    const term k = record_range(number(0.0), number(1.0), n);
    return record_reshape(k * ((o.whole ? 2 : 1) * pi / static_cast<double>(steps)), dims(n, 1));
}

// The sums of c[k] e^(-i angle k) over the last axis of c, (…, 1, k).
SINTER_INLINE term on_circle(const term& c, const term& angle) {
    const int last = c.shape().size() - 1;
    const term phase = angle * term(record_range(number(0.0), number(1.0), c.shape()[last]));
    const auto axis = static_cast<std::uint8_t>(1 << last);
    const term real = record_reduce(codegen::reduction::sum, c * apply(op::cos, phase), axis, false);
    const term imag = record_reduce(codegen::reduction::sum, c * apply(op::sin, phase), axis, false);
    return real + imag * term(record_scalar(number(std::complex<double>(0, -1)), {}));
}

SINTER_INLINE std::pair<handle, handle> record_freqz(std::string_view operation, const handle& b, const handle& a,
                                                     const freqz_options& o) {
    const bool is_sections = !a;
    if (is_sections ? b->shape.size() != 2 || b->shape[1] != 6 : b->shape.size() != 1 || a->shape.size() != 1)
        throw shape_error("[" + std::string(operation) + "] coefficients are no " +
                          (is_sections ? "rows of six: " : "vectors: ") + to_string(b->shape) +
                          (is_sections ? "" : " and " + to_string(a->shape)));
    device_scope on(b->where);
    const term angle = angles_of(operation, o);
    const term w = record_reshape(angle * (o.fs / (2 * pi)), dims(angle.shape()[0]));
    if (!is_sections) {
        const handle top = record_reshape(b, dims(1, b->shape[0])), bottom = record_reshape(a, dims(1, a->shape[0]));
        return {w, on_circle(top, angle) / on_circle(bottom, angle)};
    }
    const std::int64_t count = b->shape[0];
    const handle top = record_reshape(record_part(b, 1, 0, 3), dims(count, 1, 3)),
                 bottom = record_reshape(record_part(b, 1, 3, 6), dims(count, 1, 3));
    return {w, record_reduce(codegen::reduction::prod, on_circle(top, angle) / on_circle(bottom, angle), 1, false)};
}

}  // namespace sinter::inline SINTER_ABI::signal::detail

SINTER_IEEE_END
