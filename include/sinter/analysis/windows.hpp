// Windows of signals: hanning, hamming, blackman, bartlett and kaiser.
#pragma once

#include <sinter/functions/creation.hpp>

namespace sinter::inline SINTER_ABI {

namespace detail {

enum class window : std::uint8_t { hanning, hamming, blackman, bartlett, kaiser };

/// Computed in float64; beta is that of kaiser.
handle record_window(window shape, std::int64_t m, double beta, dtype type);

}  // namespace detail

// Each is a vector of m elements, float64 or of T, that stays a formula; fewer than one element are none.
#define SINTER_WINDOW_FUNCTION(name)                                                                \
    template <class T = double>                                                                     \
    array<T> name(std::int64_t m) {                                                                 \
        static_assert(codegen::is_floating(dtype_of<T>), "sinter: a window has floating elements"); \
        return array<T>(detail::record_window(detail::window::name, m, 0, dtype_of<T>));            \
    }
inline namespace functions {
/// A window of a raised cosine, 0 at its ends (numpy.hanning).
SINTER_WINDOW_FUNCTION(hanning)
/// A window of a raised cosine, 0.08 at its ends (numpy.hamming).
SINTER_WINDOW_FUNCTION(hamming)
/// A window of three terms of cosines (numpy.blackman).
SINTER_WINDOW_FUNCTION(blackman)
/// A window that is a triangle, 0 at its ends (numpy.bartlett).
SINTER_WINDOW_FUNCTION(bartlett)
}  // namespace functions
#undef SINTER_WINDOW_FUNCTION
/// Kaiser's window of Bessel functions (numpy.kaiser).
template <class T = double>
array<T> kaiser(std::int64_t m, double beta) {
    static_assert(codegen::is_floating(dtype_of<T>), "sinter: a window has floating elements");
    return array<T>(detail::record_window(detail::window::kaiser, m, beta, dtype_of<T>));
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/analysis/windows.ipp>
#endif
