// Smoothing of signals by fitted polynomials and by medians (scipy.signal.savgol_filter, medfilt).
#pragma once

#include <sinter/ndimage/filters.hpp>
#include <sinter/signal/fast_convolution.hpp>

#include <string_view>
#include <vector>

namespace sinter::inline SINTER_ABI::signal {

/// Options of savgol_filter: which derivative, for elements so far apart, along which axis, and what lies beyond the
/// ends: "interp", where the polynomials of the first and the last window go on, or "mirror", "nearest", "wrap" and
/// "constant" by cval.
struct savgol_options {
    int deriv = 0;
    double delta = 1;
    std::int64_t axis = -1;
    std::string_view mode = "interp";
    double cval = 0;
};

namespace detail {

/// What the elements of a window of 2 m + 1 weigh in the value, or a derivative, of the polynomial of least squares at
/// a place that is so far from the middle.
std::vector<double> savgol_weights(std::int64_t m, int degree, int derivative, double place);
/// Throws value_error for a window of an even number of elements.
void require_odd(const ndimage::per_axis<std::int64_t>& size);
handle record_savgol(const handle& x, std::int64_t window_length, int polyorder, const savgol_options& o);

}  // namespace detail

/// The values, or a derivative, of polynomials that are fitted to windows of an odd number of elements
/// (scipy.signal.savgol_filter): `savgol_filter(x, 7, 3)`, one kernel and for "interp" a small product at each end. In
/// the signal's own floating precision, integers as float64. Throws value_error for windows, degrees and modes that do
/// not fit.
template <expression X>
auto savgol_filter(const X& x, std::int64_t window_length, int polyorder, const savgol_options& o = {}) {
    static_assert(!codegen::is_complex(dtype_of<value_type_t<X>>), "sinter: savgol_filter takes real signals");
    return array<detail::floating_element<value_type_t<X>>>(
        detail::record_savgol(detail::as_handle(x), window_length, polyorder, o));
}

/// The middle elements of windows of an odd number along each axis, with zeros beyond the borders
/// (scipy.signal.medfilt): `medfilt(x, 5)`, by ndimage::median_filter. Throws value_error for even numbers.
template <expression X>
auto medfilt(const X& x, const ndimage::per_axis<std::int64_t>& kernel_size = 3) {
    detail::require_odd(kernel_size);
    return ndimage::median_filter(x, kernel_size, {.mode = "constant"});
}

}  // namespace sinter::inline SINTER_ABI::signal

#if SINTER_HEADER_ONLY
#include <sinter/signal/smoothing.ipp>
#endif
