// Bodies of windows.hpp.
#pragma once

#include <sinter/array/constants.hpp>
#include <sinter/functions/term.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/analysis/windows.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE term kaiser_window(std::int64_t m, double beta) {
    const double half = static_cast<double>(m - 1) / 2;
    const term at = (term(record_range(number(0.0), number(1.0), m)) - half) / half;
    const term bessel = apply(op::i0, beta * apply(op::sqrt, 1 - at * at));
    return bessel / apply(op::i0, constant_like(at, beta));
}

SINTER_INLINE handle record_window(window shape, std::int64_t m, double beta, dtype type) {
    if (m < 2) return record_scalar(number_of(type, 1.0), dims(std::max<std::int64_t>(m, 0)));
    const double last = static_cast<double>(m - 1);
    // From the first element to the last by twos, so that their halves are symmetric.
    const term n = record_range(number(-last), number(2.0), m);
    auto cosine = [&](double times) { return apply(op::cos, times * pi * n / last); };
    term w = n;
    switch (shape) {
        case window::hanning: w = 0.5 + 0.5 * cosine(1); break;
        case window::hamming: w = 0.54 + 0.46 * cosine(1); break;
        case window::blackman: w = 0.42 + 0.5 * cosine(1) + 0.08 * cosine(2); break;
        case window::bartlett: w = choose_where(n <= 0, 1 + n / last, 1 - n / last); break;
        case window::kaiser: w = kaiser_window(m, beta); break;
    }
    return record_cast(w, type);
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
