// Digital filters by what they let pass: firwin, butter, cheby1, cheby2, iirnotch and iirpeak, designed on the host in
// float64.
#pragma once

#include <sinter/signal/get_window.hpp>

#include <array>
#include <optional>

namespace sinter::inline SINTER_ABI::signal {

/// The two polynomials of a filter, numerator and denominator by ascending powers of the delay.
struct transfer_function {
    array<double> b, a;
};

/// Frequencies: one number, or several in braces.
class frequencies {
public:
    template <class... N>
        requires(sizeof...(N) > 0 && (std::is_arithmetic_v<N> && ...))
    frequencies(N... each) : values_{static_cast<double>(each)...} {}
    frequencies(std::vector<double> each) : values_(std::move(each)) {}
    const std::vector<double>& values() const { return values_; }

private:
    std::vector<double> values_;
};

/// Options of firwin: the width of the transition, which chooses a Kaiser window; the window; whether zero frequency
/// passes, or "lowpass", "highpass", "bandpass", "bandstop"; whether the gain is one in the middle of the first band;
/// and the sampling frequency.
struct firwin_options {
    /// Whether zero frequency passes, or the kind of filter.
    struct zero_gain {
        zero_gain(bool passes) : name(passes ? "true" : "false") {}
        zero_gain(const char* of_name) : name(of_name) {}
        std::string_view name;
    };
    std::optional<double> width = {};
    signal::window window = "hamming";
    zero_gain pass_zero = true;
    bool scale = true;
    double fs = 2;
};

/// Options of butter, cheby1 and cheby2: "lowpass", "highpass", "bandpass" or "bandstop", and the sampling frequency.
struct butter_options {
    std::string_view btype = "lowpass";
    double fs = 2;
};
/// Options of iirnotch and iirpeak: the sampling frequency.
struct notch_options {
    double fs = 2;
};

namespace detail {

std::vector<double> design_firwin(std::int64_t taps, const std::vector<double>& cutoff, const firwin_options& o);
enum class iir_family : std::uint8_t { butter, cheby1, cheby2 };
/// A filter, its order, and the ripple, or how far the stop band lies below, in decibels.
struct iir_request {
    std::string_view operation;
    iir_family family;
    int order;
    double ripple = 0;
};
/// Two rows, numerator and denominator.
std::array<std::vector<double>, 2> design_iir(const iir_request& r, const std::vector<double>& wn,
                                              const butter_options& o);
/// Sections of six coefficients.
std::vector<double> design_iir_sections(const iir_request& r, const std::vector<double>& wn, const butter_options& o);
inline transfer_function iir_polynomials(const iir_request& r, const frequencies& wn, const butter_options& o) {
    auto [b, a] = design_iir(r, wn.values(), o);
    return {array<double>(stored_vector(b)), array<double>(stored_vector(a))};
}
std::array<std::vector<double>, 2> design_notch(std::string_view operation, double w0, double q, double fs,
                                                bool is_peak);
handle stored_sections(const std::vector<double>& sections);

}  // namespace detail

/// The taps of a filter of finite response by a window (scipy.signal.firwin): `firwin(31, 0.3)`, `firwin(31, {0.2,
/// 0.4}, {.pass_zero = false})`. Throws value_error for cut-offs that do not ascend between 0 and fs / 2, for filters
/// that cannot be, and for an unknown window.
inline array<double> firwin(std::int64_t numtaps, const frequencies& cutoff, const firwin_options& o = {}) {
    return array<double>(detail::stored_vector(detail::design_firwin(numtaps, cutoff.values(), o)));
}
/// Butterworth's digital filter as numerator and denominator (scipy.signal.butter): `auto [b, a] = butter(4, 0.2)`,
/// `butter(3, {100, 200}, {.btype = "bandpass", .fs = 1000})`. Of high orders the sections of butter_sos are exact
/// where polynomials are not. Throws value_error for critical frequencies outside of 0 and fs / 2.
inline transfer_function butter(int n, const frequencies& wn, const butter_options& o = {}) {
    return detail::iir_polynomials({"butter", detail::iir_family::butter, n}, wn, o);
}
/// The same with the kind behind the frequencies, as SciPy has it: `butter(4, 100, "highpass", {.fs = 1000})`.
template <std::convertible_to<std::string_view> B>
transfer_function butter(int n, const frequencies& wn, const B& btype, butter_options o = {}) {
    o.btype = btype;
    return butter(n, wn, o);
}
/// The same as second-order sections, of shape (sections, 6) (scipy.signal.butter with output="sos").
inline array<double> butter_sos(int n, const frequencies& wn, const butter_options& o = {}) {
    return array<double>(detail::stored_sections(
        detail::design_iir_sections({"butter", detail::iir_family::butter, n}, wn.values(), o)));
}
/// The same with the kind behind the frequencies, as SciPy has it.
template <std::convertible_to<std::string_view> B>
array<double> butter_sos(int n, const frequencies& wn, const B& btype, butter_options o = {}) {
    o.btype = btype;
    return butter_sos(n, wn, o);
}
/// Chebyshev's digital filter whose pass band has ripples of so many decibels (scipy.signal.cheby1): `auto [b, a] =
/// cheby1(4, 0.5, 0.2)`. Throws value_error as butter does, and for decibels that are not positive.
inline transfer_function cheby1(int n, double rp, const frequencies& wn, const butter_options& o = {}) {
    return detail::iir_polynomials({"cheby1", detail::iir_family::cheby1, n, rp}, wn, o);
}
/// The same with the kind behind the frequencies, as SciPy has it.
template <std::convertible_to<std::string_view> B>
transfer_function cheby1(int n, double rp, const frequencies& wn, const B& btype, butter_options o = {}) {
    o.btype = btype;
    return cheby1(n, rp, wn, o);
}
/// The same as second-order sections, of shape (sections, 6) (scipy.signal.cheby1 with output="sos").
inline array<double> cheby1_sos(int n, double rp, const frequencies& wn, const butter_options& o = {}) {
    return array<double>(detail::stored_sections(
        detail::design_iir_sections({"cheby1", detail::iir_family::cheby1, n, rp}, wn.values(), o)));
}
/// The same with the kind behind the frequencies, as SciPy has it.
template <std::convertible_to<std::string_view> B>
array<double> cheby1_sos(int n, double rp, const frequencies& wn, const B& btype, butter_options o = {}) {
    o.btype = btype;
    return cheby1_sos(n, rp, wn, o);
}
/// Chebyshev's digital filter whose stop band lies so many decibels below (scipy.signal.cheby2): `auto [b, a] =
/// cheby2(4, 40, 0.2)`. Throws value_error as butter does, and for decibels that are not positive.
inline transfer_function cheby2(int n, double rs, const frequencies& wn, const butter_options& o = {}) {
    return detail::iir_polynomials({"cheby2", detail::iir_family::cheby2, n, rs}, wn, o);
}
/// The same with the kind behind the frequencies, as SciPy has it.
template <std::convertible_to<std::string_view> B>
transfer_function cheby2(int n, double rs, const frequencies& wn, const B& btype, butter_options o = {}) {
    o.btype = btype;
    return cheby2(n, rs, wn, o);
}
/// The same as second-order sections, of shape (sections, 6) (scipy.signal.cheby2 with output="sos").
inline array<double> cheby2_sos(int n, double rs, const frequencies& wn, const butter_options& o = {}) {
    return array<double>(detail::stored_sections(
        detail::design_iir_sections({"cheby2", detail::iir_family::cheby2, n, rs}, wn.values(), o)));
}
/// The same with the kind behind the frequencies, as SciPy has it.
template <std::convertible_to<std::string_view> B>
array<double> cheby2_sos(int n, double rs, const frequencies& wn, const B& btype, butter_options o = {}) {
    o.btype = btype;
    return cheby2_sos(n, rs, wn, o);
}

/// A filter of second order that takes one frequency away, over a band of w0 / Q (scipy.signal.iirnotch): `auto [b, a]
/// = iirnotch(60, 30, {.fs = 1000})`. Throws value_error for a frequency outside of 0 and fs / 2.
inline transfer_function iirnotch(double w0, double q, const notch_options& o = {}) {
    auto [b, a] = detail::design_notch("iirnotch", w0, q, o.fs, false);
    return {array<double>(detail::stored_vector(b)), array<double>(detail::stored_vector(a))};
}
/// A filter of second order that lets one frequency pass, over a band of w0 / Q (scipy.signal.iirpeak). Throws
/// value_error for a frequency outside of 0 and fs / 2.
inline transfer_function iirpeak(double w0, double q, const notch_options& o = {}) {
    auto [b, a] = detail::design_notch("iirpeak", w0, q, o.fs, true);
    return {array<double>(detail::stored_vector(b)), array<double>(detail::stored_vector(a))};
}

/// The sampling frequency in its place: `iirnotch(60, 30, 200)`.
template <sinter::detail::real_scalar F>
transfer_function iirnotch(double w0, double q, F fs) {
    return iirnotch(w0, q, notch_options{static_cast<double>(fs)});
}
/// The sampling frequency in its place: `iirpeak(60, 30, 200)`.
template <sinter::detail::real_scalar F>
transfer_function iirpeak(double w0, double q, F fs) {
    return iirpeak(w0, q, notch_options{static_cast<double>(fs)});
}

}  // namespace sinter::inline SINTER_ABI::signal

#if SINTER_HEADER_ONLY
#include <sinter/signal/filter_design.ipp>
#endif
