// Spectra of segments of signals (scipy.signal): stft and its inverse, spectrogram, welch, csd, coherence, periodogram.
#pragma once

#include <sinter/signal/get_window.hpp>
#include <sinter/signal/transforms.hpp>

#include <optional>

namespace sinter::inline SINTER_ABI::signal {

// Segments are a view of the signal: one kernel multiplies them by the window, one call transforms all of them. Real
// signals have one-sided spectra unless {.return_onesided = false}, complex ones two-sided spectra. Results are in the
// signal's own precision, integers as float64, half as float. Averages over no elements have no frequencies, as
// SciPy's.

/// Options of stft: the sampling frequency, the window and its length, at most the signal's, the overlap, by default
/// half of that, the points of a transform; "constant" or "linear" trends that are taken away, or "none"; how the
/// signal goes on, "zeros", "even", "odd", "constant" or "none", and whether the last segment is filled with zeros;
/// "spectrum" or "psd".
struct stft_options {
    double fs = 1;
    signal::window window = "hann";
    std::optional<std::int64_t> nperseg = {};
    std::optional<std::int64_t> noverlap = {};
    std::optional<std::int64_t> nfft = {};
    std::string_view detrend = "none";
    bool return_onesided = true;
    std::string_view boundary = "zeros";
    bool padded = true;
    std::int64_t axis = -1;
    std::string_view scaling = "spectrum";
};
/// Options of istft: as of stft; by default as long as the spectra say.
struct istft_options {
    double fs = 1;
    signal::window window = "hann";
    std::optional<std::int64_t> nperseg = {};
    std::optional<std::int64_t> noverlap = {};
    std::optional<std::int64_t> nfft = {};
    bool boundary = true;
    std::int64_t time_axis = -1;
    std::int64_t freq_axis = -2;
    std::string_view scaling = "spectrum";
};
/// Options of spectrogram: the overlap is by default an eighth; "density" or "spectrum"; "psd", "magnitude" or "angle".
struct spectrogram_options {
    double fs = 1;
    signal::window window = {"tukey", 0.25};
    std::optional<std::int64_t> nperseg = {};
    std::optional<std::int64_t> noverlap = {};
    std::optional<std::int64_t> nfft = {};
    std::string_view detrend = "constant";
    bool return_onesided = true;
    std::string_view scaling = "density";
    std::int64_t axis = -1;
    std::string_view mode = "psd";
};
/// Options of welch: "mean" or "median" over the segments.
struct welch_options {
    double fs = 1;
    signal::window window = "hann";
    std::optional<std::int64_t> nperseg = {};
    std::optional<std::int64_t> noverlap = {};
    std::optional<std::int64_t> nfft = {};
    std::string_view detrend = "constant";
    bool return_onesided = true;
    std::string_view scaling = "density";
    std::int64_t axis = -1;
    std::string_view average = "mean";
};

/// Options of periodogram: as of welch.
struct periodogram_options {
    double fs = 1;
    signal::window window = "boxcar";
    std::optional<std::int64_t> nfft = {};
    std::string_view detrend = "constant";
    bool return_onesided = true;
    std::string_view scaling = "density";
    std::int64_t axis = -1;
};
/// Options of coherence: as of welch.
struct coherence_options {
    double fs = 1;
    signal::window window = "hann";
    std::optional<std::int64_t> nperseg = {};
    std::optional<std::int64_t> noverlap = {};
    std::optional<std::int64_t> nfft = {};
    std::string_view detrend = "constant";
    std::int64_t axis = -1;
};

/// Frequencies, times of the middles of segments, and the spectra: frequencies along the signal's axis, segments along
/// a last one.
template <class T>
struct spectra {
    array<double> f, t;
    array<T> values;
};
/// Frequencies and the power of each.
template <class T>
struct power_spectrum {
    array<double> f;
    array<T> power;
};
/// Frequencies and what two signals have in common at each.
template <class T>
struct cross_spectrum {
    array<double> f;
    array<T> values;
};
/// Times and the signal.
template <class T>
struct resynthesis {
    array<double> t;
    array<T> x;
};

namespace detail {

struct recorded_spectra {
    handle f, t, values;
};

recorded_spectra record_stft(const handle& x, const stft_options& o);
recorded_spectra record_spectrogram(const handle& x, const spectrogram_options& o);
recorded_spectra record_welch(std::string_view operation, const handle& x, const welch_options& o);
recorded_spectra record_periodogram(const handle& x, const periodogram_options& o);
/// Of two signals of the same type.
recorded_spectra record_csd(const handle& x, const handle& y, const welch_options& o);
recorded_spectra record_coherence(const handle& x, const handle& y, const coherence_options& o);
/// Two-sided spectra where the result is complex.
recorded_spectra record_istft(const handle& z, dtype result, const istft_options& o);

}  // namespace detail

/// The transforms of segments (scipy.signal.stft): `auto [f, t, z] = stft(x, {.fs = 8000, .nperseg = 512})`. Throws
/// value_error for an unknown word, and for an overlap or a number of points that the window does not allow.
template <expression X>
auto stft(const X& x, const stft_options& o = {}) {
    using T = detail::complex_element<value_type_t<X>>;
    auto r = detail::record_stft(detail::as_handle(x), o);
    return spectra<T>{array<double>(r.f), array<double>(r.t), array<T>(r.values)};
}
/// The same with the sampling frequency behind the signal, as SciPy has it: `stft(x, 8000, {.nperseg = 256})`.
template <expression X>
auto stft(const X& x, double fs, stft_options o = {}) {
    o.fs = fs;
    return stft(x, o);
}
/// The signal of such transforms, by overlapping and adding (scipy.signal.istft): `auto [t, x] = istft(z)`. Of
/// two-sided spectra, input_onesided=False, the complex signal's type is named: `istft<std::complex<double>>(z)`.
template <class R = void, expression Z>
auto istft(const Z& z, const istft_options& o = {}) {
    using T = std::conditional_t<std::is_void_v<R>, detail::real_element<value_type_t<Z>>, R>;
    static_assert(codegen::is_complex(dtype_of<value_type_t<Z>>), "sinter: istft takes complex spectra");
    auto r = detail::record_istft(detail::as_handle(z), dtype_of<T>, o);
    return resynthesis<T>{array<double>(r.t), array<T>(r.values)};
}
/// The same with the sampling frequency behind the spectra, as SciPy has it.
template <class R = void, expression Z>
auto istft(const Z& z, double fs, istft_options o = {}) {
    o.fs = fs;
    return istft<R>(z, o);
}
/// The powers of segments, or the sizes or angles of their spectra (scipy.signal.spectrogram).
template <expression X>
auto spectrogram(const X& x, const spectrogram_options& o = {}) {
    using T = detail::real_element<value_type_t<X>>;
    auto r = detail::record_spectrogram(detail::as_handle(x), o);
    return spectra<T>{array<double>(r.f), array<double>(r.t), array<T>(r.values)};
}
/// The same with the sampling frequency behind the signal, as SciPy has it.
template <expression X>
auto spectrogram(const X& x, double fs, spectrogram_options o = {}) {
    o.fs = fs;
    return spectrogram(x, o);
}
/// The density of power, averaged over segments (scipy.signal.welch): `auto [f, p] = welch(x, {.fs = 8000})`.
template <expression X>
auto welch(const X& x, const welch_options& o = {}) {
    using T = detail::real_element<value_type_t<X>>;
    auto r = detail::record_welch("welch", detail::as_handle(x), o);
    return power_spectrum<T>{array<double>(r.f), array<T>(r.values)};
}
/// The same with the sampling frequency behind the signal, as SciPy has it: `welch(x, 8000, {.nperseg = 1024})`.
template <expression X>
auto welch(const X& x, double fs, welch_options o = {}) {
    o.fs = fs;
    return welch(x, o);
}
/// The density of power of a signal as one segment (scipy.signal.periodogram): `auto [f, p] = periodogram(x, {.fs =
/// 8000})`. Fewer points than the signal has are its first ones.
template <expression X>
auto periodogram(const X& x, const periodogram_options& o = {}) {
    using T = detail::real_element<value_type_t<X>>;
    auto r = detail::record_periodogram(detail::as_handle(x), o);
    return power_spectrum<T>{array<double>(r.f), array<T>(r.values)};
}
/// The same with the sampling frequency behind the signal, as SciPy has it.
template <expression X>
auto periodogram(const X& x, double fs, periodogram_options o = {}) {
    o.fs = fs;
    return periodogram(x, o);
}
/// The density of conj(x) y, averaged over segments (scipy.signal.csd): `auto [f, p] = csd(x, y, {.nperseg = 128})`.
/// The shorter signal goes on with zeros, other axes broadcast.
template <expression X, expression Y>
auto csd(const X& x, const Y& y, const welch_options& o = {}) {
    using E = result_type_t<value_type_t<X>, value_type_t<Y>>;
    using T = detail::complex_element<E>;
    auto r = detail::record_csd(detail::record_cast(detail::as_handle(x), dtype_of<E>),
                                detail::record_cast(detail::as_handle(y), dtype_of<E>), o);
    return cross_spectrum<T>{array<double>(r.f), array<T>(r.values)};
}
/// The same with the sampling frequency behind the signals, as SciPy has it.
template <expression X, expression Y>
auto csd(const X& x, const Y& y, double fs, welch_options o = {}) {
    o.fs = fs;
    return csd(x, y, o);
}
/// How much of two signals' power is common, |csd|^2 over both of welch (scipy.signal.coherence): `auto [f, c] =
/// coherence(x, y)`; each signal is transformed once. Throws shape_error where lengths differ.
template <expression X, expression Y>
auto coherence(const X& x, const Y& y, const coherence_options& o = {}) {
    using E = result_type_t<value_type_t<X>, value_type_t<Y>>;
    using T = detail::real_element<E>;
    auto r = detail::record_coherence(detail::record_cast(detail::as_handle(x), dtype_of<E>),
                                      detail::record_cast(detail::as_handle(y), dtype_of<E>), o);
    return power_spectrum<T>{array<double>(r.f), array<T>(r.values)};
}
/// The same with the sampling frequency behind the signals, as SciPy has it.
template <expression X, expression Y>
auto coherence(const X& x, const Y& y, double fs, coherence_options o = {}) {
    o.fs = fs;
    return coherence(x, y, o);
}

}  // namespace sinter::inline SINTER_ABI::signal

#if SINTER_HEADER_ONLY
#include <sinter/signal/spectra.ipp>
#endif
