// Signals at another rate (scipy.signal.resample, resample_poly, decimate).
#pragma once

#include <sinter/signal/fast_convolution.hpp>
#include <sinter/signal/get_window.hpp>
#include <sinter/signal/transforms.hpp>

namespace sinter::inline SINTER_ABI::signal {

struct resample_options {
    std::int64_t axis = -1;
};
/// Options of resample_poly: the axis, and the window of the filter, or its taps.
struct resample_poly_options {
    std::int64_t axis = -1;
    signal::window window = {"kaiser", 5.0};
};

/// Options of decimate: the filter's order, by default 8 of "iir", Chebyshev's, and 20 q of "fir", Hamming's; the axis;
/// and whether nothing is delayed.
struct decimate_options {
    std::optional<int> n = {};
    std::string_view ftype = "iir";
    std::int64_t axis = -1;
    bool zero_phase = true;
};

namespace detail {

handle record_decimate(const handle& x, std::int64_t q, const decimate_options& o);
handle record_resample(const handle& x, std::int64_t count, std::int64_t axis);
handle record_resample_poly(const handle& x, std::int64_t up, std::int64_t down, const resample_poly_options& o);

template <class T>
using resampled = std::conditional_t<codegen::is_complex(dtype_of<T>), complex_element<T>, real_element<T>>;

}  // namespace detail

/// As many elements as are asked for, by Fourier transforms (scipy.signal.resample): the signal is taken to be
/// periodic. Of the signal's own precision, integers as float64. Along the last axis by default, where SciPy's is the
/// first one.
template <expression X>
auto resample(const X& x, std::int64_t num, const resample_options& o = {}) {
    return array<detail::resampled<value_type_t<X>>>(detail::record_resample(detail::as_handle(x), num, o.axis));
}
/// At `up / down` times the rate, by a filter of finite response (scipy.signal.resample_poly): windows of the signal
/// times a matrix of its taps, where there are results; zeros lie beyond the ends.
template <expression X>
auto resample_poly(const X& x, std::int64_t up, std::int64_t down, const resample_poly_options& o = {}) {
    return array<detail::resampled<value_type_t<X>>>(detail::record_resample_poly(detail::as_handle(x), up, down, o));
}

/// Every q-th element of the signal without what is too fast for that (scipy.signal.decimate): `decimate(x, 4)`,
/// `decimate(x, 4, {.ftype = "fir"})`. Of the signal's own precision, integers as float64. Throws value_error for
/// another filter and where q is not positive.
template <expression X>
auto decimate(const X& x, std::int64_t q, const decimate_options& o = {}) {
    using T = detail::floating_element<value_type_t<X>>;
    return array<T>(detail::record_cast(detail::record_decimate(detail::as_handle(x), q, o), dtype_of<T>));
}

}  // namespace sinter::inline SINTER_ABI::signal

#if SINTER_HEADER_ONLY
#include <sinter/signal/resampling.ipp>
#endif
