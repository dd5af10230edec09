// Signals by formulas (scipy.signal): chirp.
#pragma once

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

namespace detail {

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

}  // namespace sinter::inline SINTER_ABI::signal

#if SINTER_HEADER_ONLY
#include <sinter/signal/waveforms.ipp>
#endif
