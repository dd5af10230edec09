// Bodies of fft.hpp.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/fft/fft.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::fft {

SINTER_INLINE array<double> fftfreq(std::int64_t n, double d) {
    const double step = sinter::detail::frequency_step("fftfreq", n, d);
    array<std::int64_t> i = arange<std::int64_t>(n);
    return where(i < (n - 1) / 2 + 1, i, i - n) * step;
}

SINTER_INLINE array<double> rfftfreq(std::int64_t n, double d) {
    const double step = sinter::detail::frequency_step("rfftfreq", n, d);
    return arange<std::int64_t>(n / 2 + 1) * step;
}

}  // namespace sinter::inline SINTER_ABI::fft

SINTER_IEEE_END
