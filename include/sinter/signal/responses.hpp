// What filters do to frequencies (scipy.signal): freqz of transfer functions and freqz_sos of sections.
#pragma once

#include <sinter/functions/any_operand.hpp>
#include <sinter/signal/get_window.hpp>

#include <complex>

namespace sinter::inline SINTER_ABI::signal {

/// Options of freqz and freqz_sos: at how many frequencies, from 0 to fs / 2, or an array of them; whether up to fs;
/// the sampling frequency, by default such that they are angles; whether fs / 2 is the last.
struct freqz_options {
    sinter::detail::no_position named_only = {};
    sinter::detail::any_operand worN = 512;
    bool whole = false;
    double fs = 6.283185307179586;
    bool include_nyquist = false;
};
/// Frequencies, and the responses to them.
struct frequency_response {
    array<double> w;
    array<std::complex<double>> h;
};

namespace detail {

/// Frequencies and responses; without a denominator b has rows of six.
std::pair<handle, handle> record_freqz(std::string_view operation, const handle& b, const handle& a,
                                       const freqz_options& o);

}  // namespace detail

/// The response of a filter to frequencies, complex128 (scipy.signal.freqz): `auto [w, h] = freqz(b, a, {.worN =
/// 256})`, one kernel, which sums each polynomial on the unit circle. Throws shape_error for coefficients that are no
/// vector.
template <class = void>  // g++ takes {.worN = 4} for numbers too, and then prefers the function that is no template
frequency_response freqz(const sinter::detail::coefficients& b, const sinter::detail::coefficients& a,
                         const freqz_options& o = {}) {
    auto [w, h] = detail::record_freqz("freqz", b.get_handle(), a.get_handle(), o);
    return {array<double>(w), array<std::complex<double>>(h)};
}
/// The same of a filter without a denominator.
inline frequency_response freqz(const sinter::detail::coefficients& b, const freqz_options& o = {}) {
    return freqz<>(b, 1, o);
}
/// The same of second-order sections, of shape (sections, 6) (scipy.signal.freqz_sos), which is exact where polynomials
/// are not: the product of their responses.
inline frequency_response freqz_sos(const array<double>& sos, const freqz_options& o = {}) {
    auto [w, h] = detail::record_freqz("freqz_sos", sos.get_handle(), {}, o);
    return {array<double>(w), array<std::complex<double>>(h)};
}

}  // namespace sinter::inline SINTER_ABI::signal

#if SINTER_HEADER_ONLY
#include <sinter/signal/responses.ipp>
#endif
