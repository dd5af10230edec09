// Windows of signals by their names (scipy.signal.get_window).
#pragma once

#include <sinter/functions/creation.hpp>

#include <optional>
#include <string>
#include <vector>

namespace sinter::inline SINTER_ABI::signal {

/// A window: "boxcar", "triang", "bartlett", "hann", "hamming", "blackman", "blackmanharris", "nuttall", "flattop",
/// "cosine", "parzen", "bohman", "barthann", "lanczos", and with a parameter {"kaiser", beta}, {"gaussian", deviation},
/// {"general_hamming", alpha}, {"tukey", share}, by default 0.5, {"exponential", tau}, by default 1; or its own
/// weights; a number is the beta of a Kaiser window, and {"exponential", none, tau} has SciPy's place of the middle.
struct window {
    window(const char* of_name) : name(of_name) {}
    window(std::string of_name) : name(std::move(of_name)) {}
    window(std::string of_name, double of_parameter) : name(std::move(of_name)), parameter(of_parameter) {}
    window(std::string of_name, none_t, double of_parameter) : window(std::move(of_name), of_parameter) {}
    /// A Kaiser window by its beta.
    template <sinter::detail::real_scalar S>
    window(S beta) : name("kaiser"), parameter(static_cast<double>(beta)) {}
    window(std::vector<double> given) : weights(std::move(given)) {}

    std::string name;
    std::optional<double> parameter;
    std::vector<double> weights;
};

namespace detail {

using namespace sinter::detail;

/// In float64, symmetric or as one period; throws value_error for an unknown name and another number of weights.
std::vector<double> window_weights(std::string_view operation, const window& w, std::int64_t n, bool periodic);
handle stored_vector(const std::vector<double>& v);

}  // namespace detail

/// Options of get_window: whether the next period would follow, rather than that the weights are symmetric.
struct get_window_options {
    bool fftbins = true;
};
/// The n weights of a window, float64 (scipy.signal.get_window). They are computed on the host. Throws value_error for
/// an unknown name and a parameter that is missing.
inline array<double> get_window(const window& w, std::int64_t n, const get_window_options& o = {}) {
    return array<double>(detail::stored_vector(detail::window_weights("get_window", w, n, o.fftbins)));
}
/// The same with `fftbins` in its place.
template <std::same_as<bool> B>
array<double> get_window(const window& w, std::int64_t n, B fftbins) {
    return get_window(w, n, get_window_options{fftbins});
}

/// Windows under their own names (scipy.signal.windows), symmetric unless `sym` is false: `windows::hann(51)`,
/// `windows::kaiser(51, 14)`. They throw as get_window does.
namespace windows {

#define SINTER_WINDOW(name)                                      \
    inline array<double> name(std::int64_t m, bool sym = true) { \
        return get_window(#name, m, get_window_options{!sym});   \
    }
#define SINTER_WINDOW_OF(name, parameter, ...)                                                 \
    inline array<double> name(std::int64_t m, double parameter __VA_ARGS__, bool sym = true) { \
        return get_window(window(#name, parameter), m, get_window_options{!sym});              \
    }
/// A symmetric window, or with sym = false one period (scipy.signal.windows).
SINTER_WINDOW(boxcar)
SINTER_WINDOW(triang)
SINTER_WINDOW(bartlett)
SINTER_WINDOW(hann)
SINTER_WINDOW(hamming)
SINTER_WINDOW(blackman)
SINTER_WINDOW(blackmanharris)
SINTER_WINDOW(nuttall)
SINTER_WINDOW(flattop)
SINTER_WINDOW(cosine)
SINTER_WINDOW(parzen)
SINTER_WINDOW(bohman)
SINTER_WINDOW(barthann)
SINTER_WINDOW(lanczos)
/// A window of a parameter, which is the second argument (scipy.signal.windows).
SINTER_WINDOW_OF(kaiser, beta)
SINTER_WINDOW_OF(gaussian, std)
SINTER_WINDOW_OF(general_hamming, alpha)
SINTER_WINDOW_OF(tukey, alpha, = 0.5)
#undef SINTER_WINDOW
#undef SINTER_WINDOW_OF
/// Exponentials of the distance from the middle over tau; a middle elsewhere is not there
/// (scipy.signal.windows.exponential).
inline array<double> exponential(std::int64_t m, none_t = none, double tau = 1, bool sym = true) {
    return get_window(window("exponential", tau), m, get_window_options{!sym});
}

}  // namespace windows

}  // namespace sinter::inline SINTER_ABI::signal

#if SINTER_HEADER_ONLY
#include <sinter/signal/get_window.ipp>
#endif
