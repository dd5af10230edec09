// Signals by formulas (scipy.signal): chirp, square, sawtooth, gausspulse, unit_impulse.
#pragma once

#include <sinter/functions/any_operand.hpp>
#include <sinter/signal/fast_convolution.hpp>

#include <string_view>

namespace sinter::inline SINTER_ABI::signal {

/// Options of chirp: how the frequency goes, "linear", "quadratic", "logarithmic" or "hyperbolic"; the phase in
/// degrees at time 0; whether a parabola has its vertex there, rather than at t1.
struct chirp_options {
    std::string_view method = "linear";
    double phi = 0;
    bool vertex_zero = true;
};

/// Options of gausspulse: the frequency of the middle; the width of the band as a part of it, at so many decibels of
/// the spectrum; and at how many decibels of the envelope the pulse is cut off.
struct gausspulse_options {
    double fc = 1000;
    double bw = 0.5;
    double bwr = -6;
    double tpr = -60;
};
/// Where unit_impulse is one: the first place, "mid", a place for all axes or one for each in braces.
class impulse_place {
public:
    template <std::integral... I>
        requires(sizeof...(I) > 0)
    impulse_place(I... each) : each_(each...) {}
    impulse_place(const char* word) : word_(word) {}
    /// In an array of this shape; throws index_error, and value_error for another word and another number of places.
    dims of(const dims& shape) const;

private:
    dims each_;
    std::string_view word_;
};

namespace detail {

handle record_square(const handle& t, const sinter::detail::any_operand& duty);
handle record_sawtooth(const handle& t, const sinter::detail::any_operand& width);
handle record_gausspulse(const handle& t, const gausspulse_options& o);
double gausspulse_end(const gausspulse_options& o);
handle record_impulse(const dims& shape, const impulse_place& place);

template <class X>
handle times_of(const X& t) {
    static_assert(!codegen::is_complex(dtype_of<value_type_t<X>>), "sinter: times are real");
    return record_cast(as_handle(t), dtype_of<floating_element<value_type_t<X>>>);
}

handle record_chirp(const handle& t, double f0, double t1, double f1, const chirp_options& o);

}  // namespace detail

/// A cosine at times t whose frequency is f0 at time 0 and f1 at t1 (scipy.signal.chirp): `chirp(t, 6, 10, 1, {.method
/// = "quadratic"})`, in the floating type of t, half computed as float. Throws value_error for another method, and for
/// frequencies through which it does not go.
template <expression X>
auto chirp(const X& t, double f0, double t1, double f1, const chirp_options& o = {}) {
    static_assert(!codegen::is_complex(dtype_of<value_type_t<X>>), "sinter: times are real");
    return array<detail::floating_element<value_type_t<X>>>(detail::record_chirp(
        detail::record_cast(detail::as_handle(t), dtype_of<detail::floating_element<value_type_t<X>>>), f0, t1, f1, o));
}

// Without a constraint, so that where sinter::square is visible too, square(x) is that one.

/// A wave of ones and minus ones of period 2 pi at times t, one for a part `duty` of it, a number or an array that
/// broadcasts (scipy.signal.square); in the floating type of t. NaN for a part that is not in [0, 1].
template <class X>
auto square(X&& t, const sinter::detail::any_operand& duty) {
    using times = std::remove_cvref_t<X>;
    static_assert(expression<times>, "sinter: times are an array");
    return array<detail::floating_element<value_type_t<times>>>(detail::record_square(detail::times_of(t), duty));
}
/// The same, one for half of the period.
template <class X>
auto square(X&& t) {
    return signal::square(t, 0.5);
}
/// A wave of period 2 pi that rises from -1 to 1 for a part `width` of it and falls for the rest
/// (scipy.signal.sawtooth); in the floating type of t. NaN for a part that is not in [0, 1].
template <expression X>
auto sawtooth(const X& t, const sinter::detail::any_operand& width = 1.0) {
    return array<detail::floating_element<value_type_t<X>>>(detail::record_sawtooth(detail::times_of(t), width));
}
/// A cosine under a Gaussian at times t (scipy.signal.gausspulse): `gausspulse(t, {.fc = 5})`, in the floating type of
/// t. Throws value_error for a negative frequency and for a band without a width.
template <expression X>
auto gausspulse(const X& t, const gausspulse_options& o = {}) {
    return array<detail::floating_element<value_type_t<X>>>(detail::record_gausspulse(detail::times_of(t), o));
}
/// The time at which the pulse's envelope has fallen to tpr decibels: `gausspulse("cutoff", {.fc = 5})`. Throws
/// value_error for another word.
double gausspulse(const char* cutoff, const gausspulse_options& o = {});
/// Zeros and a single one (scipy.signal.unit_impulse): `unit_impulse(8)`, `unit_impulse({3, 5}, "mid")`,
/// `unit_impulse<float>({3, 5}, {0, 2})`. Throws index_error for a place that is not there.
template <class T = double>
array<T> unit_impulse(const dims& shape, const impulse_place& idx = 0) {
    return array<T>(detail::record_cast(detail::record_impulse(shape, idx), dtype_of<T>));
}

}  // namespace sinter::inline SINTER_ABI::signal

#if SINTER_HEADER_ONLY
#include <sinter/signal/waveforms.ipp>
#endif
