// Discrete Fourier transforms (numpy.fft) of arrays, along one axis, several, or all.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/creation.hpp>
#include <sinter/array/elements.hpp>
#include <sinter/fft/record_fft.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::fft {

// Integers and bool are transformed as double; half, float and double keep their precision, so float gives
// complex<float> and half complex_half. Half precision wants numbers of points that are powers of two, value_error
// otherwise; on a CPU it computes as float, on a GPU sums beyond 65504 are infinite, and a factor is applied half
// before and half after them. Axes may be negative. `n` and `s` crop or pad with zeros at the end; in `s`, -1 keeps an
// axis as long as it is. value_error where no point is left to transform, index_error for an axis that is not there.

/// Options of a transform along one axis, in NumPy's order: `fft(a, {.axis = 0, .norm = fft::norm::ortho})`.
struct axis_options {
    std::optional<std::int64_t> n = {};
    int axis = -1;
    fft::norm_name norm = fft::norm::backward;
};

/// Sizes or axes: a list in braces, one number, a dims, or none.
class list {
public:
    list() = default;
    list(const dims& d) : items_(d) {}
    // No constructor takes a list, because g++ 12 would take {.axis = 0} for one.
    template <std::integral... I>
        requires(sizeof...(I) > 0)
    list(I... items) : items_(dims(items...)) {}
    list(std::nullopt_t) {}
    operator const std::optional<dims>&() const { return items_; }
    bool is_given() const { return items_.has_value(); }

private:
    std::optional<dims> items_;
};

/// Options of a transform along several axes: sizes, which axes (by default the last ones that there are sizes for, or
/// all), and the factor.
struct axes_options {
    struct nothing {
    } by_name = {};  ///< so that {8, 8} means sizes
    list s = {};
    list axes = {};
    fft::norm_name norm = fft::norm::backward;
};

namespace detail {

using namespace sinter::detail;

template <class T>
using real_result = typename codegen::cpp_type<codegen::real_of(codegen::floating_of(dtype_of<T>))>::type;
template <class T>
using complex_result = typename codegen::cpp_type<codegen::complex_of(dtype_of<real_result<T>>)>::type;

/// The norm of the transform in the other direction.
constexpr norm swapped(norm n) { return n == norm::backward ? norm::forward : n == norm::forward ? norm::backward : n; }

template <expression A>
fourier_request request(std::string_view operation, codegen::routine what, bool inverse, norm how) {
    static_assert(dtype_of<value_type_t<A>> != dtype::bfloat16,
                  "sinter: there are no transforms of bfloat16: convert with astype<float>");
    return {operation, what, inverse, how, !std::is_reference_v<decltype(as_handle(std::declval<const A&>()))>};
}

template <class R, expression A>
array<R> along_axis(const fourier_request& r, const A& a, const axis_options& o) {
    return array<R>(record_fourier(r, as_handle(a), o.n, o.axis));
}

template <class R, expression A>
array<R> along_axes(const fourier_request& r, const A& a, const axes_options& o) {
    return array<R>(record_fourier(r, as_handle(a), o.s, o.axes));
}

/// The options of the functions of two axes: the last ones unless others are named.
inline axes_options of_two(axes_options o) {
    if (!o.axes.is_given()) o.axes = {-2, -1};
    return o;
}

template <expression A>
constexpr bool require_real() {
    static_assert(!codegen::is_complex(dtype_of<value_type_t<A>>),
                  "sinter: this transform is of real numbers: use fft, fftn or ifft");
    return true;
}

}  // namespace detail

// Every transform takes its options in braces, or n or s, axis or axes, and norm one after another.
#define SINTER_FFT_AXIS(name, Result, ...)                                                 \
    template <expression A>                                                                \
    auto name(const A& a, axis_options o = {}) {                                           \
        using R = detail::Result<value_type_t<A>>;                                         \
        __VA_ARGS__                                                                        \
    }                                                                                      \
    template <expression A, std::integral N>                                               \
    auto name(const A& a, N n, int axis = -1, fft::norm_name norm = fft::norm::backward) { \
        return name(a, axis_options{static_cast<std::int64_t>(n), axis, norm});            \
    }
#define SINTER_FFT_AXES(name, Result, ...)                                                     \
    template <expression A>                                                                    \
    auto name(const A& a, axes_options o = {}) {                                               \
        using R = detail::Result<value_type_t<A>>;                                             \
        __VA_ARGS__                                                                            \
    }                                                                                          \
    template <expression A>                                                                    \
    auto name(const A& a, dims s, list axes = {}, fft::norm_name norm = fft::norm::backward) { \
        return name(a, axes_options{.s = s, .axes = axes, .norm = norm});                      \
    }

/// The transform along one axis (numpy.fft.fft), always complex.
SINTER_FFT_AXIS(fft, complex_result,
                return detail::along_axis<R>(detail::request<A>("fft", codegen::routine::fft, false, o.norm), a, o);)
/// Its inverse (numpy.fft.ifft).
SINTER_FFT_AXIS(ifft, complex_result,
                return detail::along_axis<R>(detail::request<A>("ifft", codegen::routine::fft, true, o.norm), a, o);)
/// The transform of real numbers: the n // 2 + 1 elements that the others are conjugates of (numpy.fft.rfft).
SINTER_FFT_AXIS(rfft, complex_result, detail::require_real<A>();
                return detail::along_axis<R>(detail::request<A>("rfft", codegen::routine::rfft, false, o.norm), a, o);)
/// Its inverse, of n real numbers, by default 2 (m - 1) from m (numpy.fft.irfft). Imaginary parts that a real result
/// cannot have, of element 0 and, where n is even, n / 2, must be zero on GPUs.
SINTER_FFT_AXIS(irfft, real_result,
                return detail::along_axis<R>(detail::request<A>("irfft", codegen::routine::irfft, true, o.norm), a, o);)
/// The transform, real, of a signal with Hermitian symmetry of which one half is given (numpy.fft.hfft).
SINTER_FFT_AXIS(hfft, real_result, auto h = conj(a); using C = decltype(h); return detail::along_axis<R>(
                    detail::request<C>("hfft", codegen::routine::irfft, true, detail::swapped(o.norm)), h, o);)
/// Its inverse: half of a signal with Hermitian symmetry (numpy.fft.ihfft).
SINTER_FFT_AXIS(ihfft, complex_result, detail::require_real<A>(); return array<R>(conj(
    detail::along_axis<R>(detail::request<A>("ihfft", codegen::routine::rfft, false, detail::swapped(o.norm)), a, o)));)

/// The transform along several axes (numpy.fft.fftn): `fftn(a, {8, 8})`, `fftn(a, {.axes = {0, 1}})`.
SINTER_FFT_AXES(fftn, complex_result,
                return detail::along_axes<R>(detail::request<A>("fftn", codegen::routine::fft, false, o.norm), a, o);)
/// Its inverse (numpy.fft.ifftn).
SINTER_FFT_AXES(ifftn, complex_result,
                return detail::along_axes<R>(detail::request<A>("ifftn", codegen::routine::fft, true, o.norm), a, o);)
/// The transform of real numbers, of which the last of the axes keeps n // 2 + 1 elements (numpy.fft.rfftn).
SINTER_FFT_AXES(rfftn, complex_result, detail::require_real<A>();
                return detail::along_axes<R>(detail::request<A>("rfftn", codegen::routine::rfft, false, o.norm), a, o);)
/// Its inverse, of real numbers, by default 2 (m - 1) from m along the last of the axes (numpy.fft.irfftn).
SINTER_FFT_AXES(irfftn, real_result,
                return detail::along_axes<R>(detail::request<A>("irfftn", codegen::routine::irfft, true, o.norm), a,
                                             o);)

/// fftn along two axes, by default the last ones (numpy.fft.fft2).
SINTER_FFT_AXES(fft2, complex_result,
                return detail::along_axes<R>(detail::request<A>("fft2", codegen::routine::fft, false, o.norm), a,
                                             detail::of_two(o));)
/// ifftn along two axes, by default the last ones (numpy.fft.ifft2).
SINTER_FFT_AXES(ifft2, complex_result,
                return detail::along_axes<R>(detail::request<A>("ifft2", codegen::routine::fft, true, o.norm), a,
                                             detail::of_two(o));)
/// rfftn along two axes, by default the last ones (numpy.fft.rfft2).
SINTER_FFT_AXES(rfft2, complex_result, detail::require_real<A>();
                return detail::along_axes<R>(detail::request<A>("rfft2", codegen::routine::rfft, false, o.norm), a,
                                             detail::of_two(o));)
/// irfftn along two axes, by default the last ones (numpy.fft.irfft2).
SINTER_FFT_AXES(irfft2, real_result,
                return detail::along_axes<R>(detail::request<A>("irfft2", codegen::routine::irfft, true, o.norm), a,
                                             detail::of_two(o));)
#undef SINTER_FFT_AXIS
#undef SINTER_FFT_AXES

/// The frequencies of the elements of a transform of n points d apart, in cycles per unit (numpy.fft.fftfreq);
/// value_error unless n is positive and d not zero.
array<double> fftfreq(std::int64_t n, double d = 1);

/// The same for transforms of real numbers: none is negative (numpy.fft.rfftfreq).
array<double> rfftfreq(std::int64_t n, double d = 1);

/// Options of fftshift and ifftshift: the axes, by default all.
struct shift_options {
    axes_options::nothing by_name = {};
    list axes = {};
};
/// Frequency zero in the middle of the axes, by default of all (numpy.fft.fftshift).
template <expression A>
auto fftshift(const A& a, list axes = {}) {
    return array<value_type_t<A>>(detail::record_fftshift("fftshift", detail::as_handle(a), axes, false));
}
/// The same with options: `fftshift(x, {.axes = 1})`.
template <expression A>
auto fftshift(const A& a, const shift_options& o) {
    return fft::fftshift(a, o.axes);
}

/// The inverse of fftshift (numpy.fft.ifftshift).
template <expression A>
auto ifftshift(const A& a, list axes = {}) {
    return array<value_type_t<A>>(detail::record_fftshift("ifftshift", detail::as_handle(a), axes, true));
}
/// The same with options: `ifftshift(x, {.axes = 1})`.
template <expression A>
auto ifftshift(const A& a, const shift_options& o) {
    return fft::ifftshift(a, o.axes);
}

}  // namespace sinter::inline SINTER_ABI::fft

SINTER_IEEE_END

#if SINTER_HEADER_ONLY
#include <sinter/fft/fft.ipp>
#endif
