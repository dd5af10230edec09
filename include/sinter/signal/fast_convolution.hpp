// Convolutions of arrays along their axes by Fourier transforms (scipy.signal.fftconvolve, oaconvolve).
#pragma once

#include <sinter/analysis/convolution.hpp>
#include <sinter/fft/record_fft.hpp>
#include <sinter/ndimage/neighbourhood.hpp>

namespace sinter::inline SINTER_ABI::signal {

/// Options of convolutions: "full", wherever operands meet, "same", the middle of it of the first operand's shape, or
/// "valid", where they overlap as a whole; and the axes, by default all.
struct convolve_options {
    std::string_view mode = "full";
    ndimage::axis_list axes = {};
};

namespace detail {

using namespace sinter::detail;

/// The type of results of floating arithmetic on T.
template <class T>
using floating_element = typename codegen::cpp_type<codegen::floating_of(dtype_of<T>)>::type;
template <class A, class V>
using convolved = floating_element<result_type_t<value_type_t<A>, value_type_t<V>>>;

handle record_fftconvolve(std::string_view operation, const handle& a, const handle& v, const convolve_options& o,
                          bool in_blocks);

handle record_lags(std::int64_t n, std::int64_t m, std::string_view mode);

template <class T, expression A, expression V>
array<T> convolve_by_transforms(std::string_view operation, const A& a, const V& v, const convolve_options& o,
                                bool in_blocks) {
    static_assert(dtype_of<T> != dtype::bfloat16,
                  "sinter: there are no transforms of bfloat16: convert with astype<float>");
    return array<T>(record_fftconvolve(operation, record_cast(as_handle(a), dtype_of<T>),
                                       record_cast(as_handle(v), dtype_of<T>), o, in_blocks));
}

}  // namespace detail

using sinter::convolve2d;

/// The convolution of two arrays of the same rank by transforms of a fast length (scipy.signal.fftconvolve); axes that
/// are not convolved broadcast. Of the common floating type, integers as float64, half computed as float. Throws
/// value_error for another mode and for "valid" where neither operand is the larger one along all axes, shape_error
/// where ranks differ or other axes do not broadcast.
template <expression A, expression V>
auto fftconvolve(const A& a, const V& v, const convolve_options& o = {}) {
    return detail::convolve_by_transforms<detail::convolved<A, V>>("fftconvolve", a, v, o, false);
}
/// The same with the mode behind the operands, as SciPy has it: `fftconvolve(x, v, "same")`.
template <expression A, expression V, std::convertible_to<std::string_view> M>
auto fftconvolve(const A& a, const V& v, const M& mode, const ndimage::axis_list& axes = {}) {
    return fftconvolve(a, v, convolve_options{.mode = mode, .axes = axes});
}
/// The same of a long operand and a short one, by transforms of blocks whose results are added where they overlap
/// (scipy.signal.oaconvolve); along several axes as fftconvolve.
template <expression A, expression V>
auto oaconvolve(const A& a, const V& v, const convolve_options& o = {}) {
    return detail::convolve_by_transforms<detail::convolved<A, V>>("oaconvolve", a, v, o, true);
}
/// The same with the mode behind the operands, as SciPy has it: `oaconvolve(x, v, "same")`.
template <expression A, expression V, std::convertible_to<std::string_view> M>
auto oaconvolve(const A& a, const V& v, const M& mode, const ndimage::axis_list& axes = {}) {
    return oaconvolve(a, v, convolve_options{.mode = mode, .axes = axes});
}

/// By how much the second signal lies behind the first at each element of their correlation
/// (scipy.signal.correlation_lags): "full", "same" or "valid"; int64. Throws value_error for another mode.
inline array<std::int64_t> correlation_lags(std::int64_t in1_len, std::int64_t in2_len,
                                            std::string_view mode = "full") {
    return array<std::int64_t>(detail::record_lags(in1_len, in2_len, mode));
}

}  // namespace sinter::inline SINTER_ABI::signal

#if SINTER_HEADER_ONLY
#include <sinter/signal/fast_convolution.ipp>
#endif
