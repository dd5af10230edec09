// Recursive filters along an axis (scipy.signal.lfilter, sosfilt, filtfilt).
#pragma once

#include <sinter/functions/any_operand.hpp>
#include <sinter/signal/fast_convolution.hpp>
#include <sinter/signal/filter_coefficients.hpp>
#include <sinter/signal/get_window.hpp>

#include <optional>

namespace sinter::inline SINTER_ABI::signal {

// The recurrence y[n] = b0 x[n] + b1 x[n - 1] + … - a1 y[n - 1] - … is computed in parallel along the axis: blocks of
// 32 elements by one matrix product each with the responses of the filter, the states between blocks by a scan of the
// linear recurrence, 64 numbers at a time, so that n elements take as many steps as n has digits to that base. The
// powers of a recurrence of many poles that lie together are far larger than what comes of them: one of three to 48 is
// computed as its numerator's convolution, and its poles as sections of two one after the other, in float64. Where
// zeros lie by such poles, as of narrow high passes and notches, sosfilt keeps more digits still. Coefficients,
// sections and states are real, float64; they are read on the host, where the responses are computed. Signals are
// filtered in their own floating precision otherwise, half as float and integers as float64. From an element that is
// infinite or NaN on a recursive filter gives NaN, also where SciPy still gives infinity. The powers of a filter that
// is not stable overflow after some thousand elements, and make NaN also of zeros.

/// Options of filters along one axis.
struct filter_options {
    std::int64_t axis = -1;
};

/// Options of filtfilt and sosfiltfilt: how the signal goes on beyond its ends, "odd", "even", "constant" or "none",
/// and how far, by default three times the number of coefficients, as SciPy has it.
struct filtfilt_options {
    std::int64_t axis = -1;
    std::string_view padtype = "odd";
    std::optional<std::int64_t> padlen = {};
};

namespace detail {

/// What a filter makes of x along an axis, and the state that it leaves; states stand along the axis, those of a
/// section after those of the one before. Without a first state it is zero.
struct filtered {
    handle y, state;
};
filtered record_filter(std::string_view operation, const filter_sections& f, const handle& x, std::int64_t axis,
                       const handle& state = {});
/// That of a section in which the outputs y and the inputs x came before, the last one first.
handle record_past_state(const filter_section& s, const array<double>& y, const array<double>& x);
/// The same with the states of sections along an axis of their own in front.
filtered record_sosfilt(const filter_sections& f, const handle& x, std::int64_t axis, const handle& state);
/// Forward and backward; by default the padding is three times as long as there are `taps`.
handle record_filtfilt(std::string_view operation, const filter_sections& f, const handle& x, const filtfilt_options& o,
                       std::int64_t taps);
/// Those of sections behind each other, in which a constant 1 passes them all, as rows.
handle steady_states(const filter_sections& f);
handle record_sosfiltfilt(const filter_sections& f, const handle& x, const filtfilt_options& o);

template <class X>
constexpr bool require_signal() {
    static_assert(dtype_of<value_type_t<X>> != dtype::bool_, "sinter: a signal is of numbers: convert it with astype");
    return true;
}

}  // namespace detail

/// A digital filter along an axis (scipy.signal.lfilter): `lfilter({0.1}, {1, -0.9}, x)`, `lfilter(b, 1, x)`. Throws
/// value_error when a[0] is zero, shape_error when a coefficient is no vector.
template <expression X>
auto lfilter(const sinter::detail::coefficients& b, const sinter::detail::coefficients& a, const X& x,
             const filter_options& o = {}) {
    detail::require_signal<X>();
    const auto f = detail::section_of("lfilter", b.get_handle(), a.get_handle());
    return array<detail::floating_element<value_type_t<X>>>(
        detail::record_filter("lfilter", f, detail::as_handle(x), o.axis).y);
}
/// From a state zi, x's shape with max(len(a), len(b)) - 1 elements along the axis, and with the last state: `auto [y,
/// zf] = lfilter(b, a, x, zi)`. Throws shape_error for another shape.
template <expression X, expression Z>
auto lfilter(const sinter::detail::coefficients& b, const sinter::detail::coefficients& a, const X& x, const Z& zi,
             const filter_options& o = {}) {
    detail::require_signal<X>();
    using T = detail::floating_element<value_type_t<X>>;
    const auto f = detail::section_of("lfilter", b.get_handle(), a.get_handle());
    auto r = detail::record_filter("lfilter", f, detail::as_handle(x), o.axis, detail::as_handle(zi));
    return std::pair<array<T>, array<T>>(r.y, r.state);
}
/// Options of lfilter and sosfilt that give the state before.
struct filter_state_options {
    /// An array; there is none by default.
    struct state : sinter::detail::any_array {
        template <expression Z>
        state(const Z& z) : any_array(z) {}
    };
    state zi;
    std::int64_t axis = -1;
};
/// The same with the state by name: `auto [y, zf] = lfilter(b, a, x, {.zi = zi})`.
template <expression X>
auto lfilter(const sinter::detail::coefficients& b, const sinter::detail::coefficients& a, const X& x,
             const filter_state_options& o) {
    using T = detail::floating_element<value_type_t<X>>;
    return lfilter(b, a, x, array<T>(detail::record_cast(o.zi.value, dtype_of<T>)), filter_options{o.axis});
}
/// The state of a filter by what came out of it and went into it before, the last one first (scipy.signal.lfiltic):
/// `lfiltic(b, a, {0.5}, {1, 2})`; what is not given was zero.
inline array<double> lfiltic(const sinter::detail::coefficients& b, const sinter::detail::coefficients& a,
                             const sinter::detail::coefficients& y, const sinter::detail::coefficients& x = {0.0}) {
    return array<double>(
        detail::record_past_state(detail::section_of("lfiltic", b.get_handle(), a.get_handle())[0], y, x));
}
/// The state of a filter that a constant 1 leaves as it is (scipy.signal.lfilter_zi). Throws linalg_error where the
/// denominator sums to 0.
inline array<double> lfilter_zi(const sinter::detail::coefficients& b, const sinter::detail::coefficients& a) {
    return array<double>(detail::stored_vector(
        detail::steady_state("lfilter_zi", detail::section_of("lfilter_zi", b.get_handle(), a.get_handle())[0])));
}

/// Second-order sections one after the other (scipy.signal.sosfilt), of shape (sections, 6), all in one scan. Throws
/// shape_error for another shape, value_error when a section's denominator does not begin with 1.
template <expression X>
auto sosfilt(const array<double>& sos, const X& x, const filter_options& o = {}) {
    detail::require_signal<X>();
    const auto f = detail::sections_of("sosfilt", sos.get_handle());
    return array<detail::floating_element<value_type_t<X>>>(
        detail::record_filter("sosfilt", f, detail::as_handle(x), o.axis).y);
}
/// From a state of shape (sections, …, 2, …), two elements along the axis, and with the last one.
template <expression X, expression Z>
auto sosfilt(const array<double>& sos, const X& x, const Z& zi, const filter_options& o = {}) {
    detail::require_signal<X>();
    using T = detail::floating_element<value_type_t<X>>;
    const auto f = detail::sections_of("sosfilt", sos.get_handle());
    auto r = detail::record_sosfilt(f, detail::as_handle(x), o.axis, detail::as_handle(zi));
    return std::pair<array<T>, array<T>>(r.y, r.state);
}

/// The states of sections, of shape (sections, 2), that a constant 1 leaves as they are (scipy.signal.sosfilt_zi).
/// Throws as sosfilt, and linalg_error where a denominator sums to 0.
inline array<double> sosfilt_zi(const array<double>& sos) {
    return array<double>(detail::steady_states(detail::sections_of("sosfilt_zi", sos.get_handle())));
}

/// Forward and backward, without a shift in time (scipy.signal.filtfilt by padding). Throws value_error when the signal
/// is not longer than the padding, and linalg_error where the denominator sums to 0.
template <expression X>
auto filtfilt(const sinter::detail::coefficients& b, const sinter::detail::coefficients& a, const X& x,
              const filtfilt_options& o = {}) {
    detail::require_signal<X>();
    const auto f = detail::section_of("filtfilt", b.get_handle(), a.get_handle());
    const auto taps = static_cast<std::int64_t>(f[0].a.size());
    return array<detail::floating_element<value_type_t<X>>>(
        detail::record_filtfilt("filtfilt", f, detail::as_handle(x), o, taps));
}
/// The same by second-order sections (scipy.signal.sosfiltfilt), of which narrow bands and high orders keep more
/// digits: `sosfiltfilt(butter_sos(8, {0.05, 0.08}, {.btype = "bandpass"}), x)`. Throws as sosfilt and filtfilt.
template <expression X>
auto sosfiltfilt(const array<double>& sos, const X& x, const filtfilt_options& o = {}) {
    detail::require_signal<X>();
    const auto f = detail::sections_of("sosfiltfilt", sos.get_handle());
    return array<detail::floating_element<value_type_t<X>>>(detail::record_sosfiltfilt(f, detail::as_handle(x), o));
}

}  // namespace sinter::inline SINTER_ABI::signal

#if SINTER_HEADER_ONLY
#include <sinter/signal/linear_filters.ipp>
#endif
