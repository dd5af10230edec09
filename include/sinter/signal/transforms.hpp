// Transforms of signals along an axis: hilbert, dct and idct, detrend.
#pragma once

#include <sinter/fft/record_fft.hpp>
#include <sinter/functions/creation.hpp>

#include <vector>

namespace sinter::inline SINTER_ABI::signal {

/// Options of hilbert: the number of points, by default as many as there are, and the axis.
struct hilbert_options {
    std::optional<std::int64_t> n = {};
    std::int64_t axis = -1;
};
/// Options of dct and idct: the type, 1 to 4, the number of points, the axis and the factor.
struct dct_options {
    int type = 2;
    std::optional<std::int64_t> n = {};
    std::int64_t axis = -1;
    fft::norm_name norm = fft::norm::backward;
};
/// Options of detrend: a "linear" or a "constant" trend, and where it may break.
struct detrend_options {
    std::int64_t axis = -1;
    std::string_view type = "linear";
    std::vector<std::int64_t> bp = {};
};

namespace detail {

using namespace sinter::detail;

/// Types of results in a signal's own precision: integers as float64, half as float.
constexpr dtype real_type(dtype t) {
    const dtype r = codegen::real_of(codegen::floating_of(t));
    return r == dtype::float16 || r == dtype::bfloat16 ? dtype::float32 : r;
}
template <class T>
using real_element = typename codegen::cpp_type<real_type(dtype_of<T>)>::type;
template <class T>
using complex_element = typename codegen::cpp_type<codegen::complex_of(real_type(dtype_of<T>))>::type;

handle record_hilbert(const handle& x, const hilbert_options& o);
handle record_dct(std::string_view operation, const handle& x, const dct_options& o);
handle record_detrend(const handle& x, const detrend_options& o);
/// Less the mean along an axis, or the line through it.
handle without_trend(std::string_view operation, const handle& x, int axis, std::string_view type);
/// With so many elements more at both ends of an axis: "odd", "even" or "constant".
handle with_ends(std::string_view operation, const handle& x, int axis, std::int64_t length, std::string_view how);

template <class X>
constexpr bool require_real_signal() {
    static_assert(!codegen::is_complex(dtype_of<value_type_t<X>>), "sinter: this transform is of real signals");
    return true;
}

}  // namespace detail

/// The analytic signal (scipy.signal.hilbert): the signal and, as its imaginary part, its Hilbert transform.
template <expression X>
auto hilbert(const X& x, const hilbert_options& o = {}) {
    detail::require_real_signal<X>();
    return array<detail::complex_element<value_type_t<X>>>(detail::record_hilbert(detail::as_handle(x), o));
}

/// Discrete cosine transforms (scipy.fft.dct): `dct(x)`, `dct(x, {.type = 4, .norm = fft::norm::ortho})`, by one
/// complex transform of as many points, of type 1 and 4 of twice as many. Throws value_error for another type, and for
/// type 1 of one point.
template <expression X>
auto dct(const X& x, const dct_options& o = {}) {
    detail::require_real_signal<X>();
    return array<detail::real_element<value_type_t<X>>>(detail::record_dct("dct", detail::as_handle(x), o));
}
/// Their inverses (scipy.fft.idct).
template <expression X>
auto idct(const X& x, dct_options o = {}) {
    detail::require_real_signal<X>();
    if (o.norm != fft::norm::ortho) o.norm = o.norm == fft::norm::backward ? fft::norm::forward : fft::norm::backward;
    if (o.type == 2 || o.type == 3) o.type = 5 - o.type;
    return array<detail::real_element<value_type_t<X>>>(detail::record_dct("idct", detail::as_handle(x), o));
}

/// Without the mean or the line of least squares (scipy.signal.detrend), from each break to the next. Throws
/// value_error for another type and for breaks outside of the axis.
template <expression X>
auto detrend(const X& x, const detrend_options& o = {}) {
    using T = value_type_t<X>;
    using R = std::conditional_t<codegen::is_complex(dtype_of<T>), detail::complex_element<T>, detail::real_element<T>>;
    return array<R>(detail::record_detrend(detail::as_handle(x), o));
}

}  // namespace sinter::inline SINTER_ABI::signal

#if SINTER_HEADER_ONLY
#include <sinter/signal/transforms.ipp>
#endif
