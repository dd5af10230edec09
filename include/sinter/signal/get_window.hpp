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
/// weights.
struct window {
    window(const char* of_name) : name(of_name) {}
    window(std::string of_name) : name(std::move(of_name)) {}
    window(std::string of_name, double of_parameter) : name(std::move(of_name)), parameter(of_parameter) {}
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

}  // namespace sinter::inline SINTER_ABI::signal

#if SINTER_HEADER_ONLY
#include <sinter/signal/get_window.ipp>
#endif
