// Bodies of get_window.hpp.
#pragma once

#include <sinter/array/constants.hpp>
#include <sinter/array/reading.hpp>
#include <sinter/codegen/base/span.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/ops/scalar_rows.hpp>
#include <sinter/signal/get_window.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::signal::detail {

SINTER_INLINE handle stored_vector(const std::vector<double>& v) {
    return store(dtype::float64, dims(v.size()), v.data());
}

// The place between 0 and `last` of a sum of cosines.
SINTER_INLINE double sum_of_cosines(codegen::span<const double> factors, double place, double last) {
    double sum = 0;
    for (std::size_t k = 0; k < factors.size(); ++k)
        sum += factors[k] * ieee::cos(static_cast<double>(k) * (2 * pi * place / last - pi));
    return sum;
}

SINTER_INLINE double tukey_weight(double share, double place, double last) {
    const double from_end = place < last - place ? place : last - place, width = share * last / 2;
    if (share <= 0 || from_end > width) return 1;
    return 0.5 * (1 + ieee::cos(pi * (from_end / width - 1)));
}

SINTER_INLINE double kaiser_weight(double beta, double place, double last) {
    const double at = (place - last / 2) / (last / 2);
    const double inside = 1 - at * at;
    return codegen::compute_scalar<codegen::op::i0>(beta * ieee::sqrt(inside < 0 ? 0 : inside)) /
           codegen::compute_scalar<codegen::op::i0>(beta);
}

// The factors of the windows that are sums of cosines; empty for another name.
SINTER_INLINE codegen::span<const double> cosine_factors(std::string_view name) {
    static constexpr double boxcar[] = {1}, hann[] = {0.5, 0.5}, hamming[] = {0.54, 0.46},
                            blackman[] = {0.42, 0.50, 0.08}, blackmanharris[] = {0.35875, 0.48829, 0.14128, 0.01168},
                            nuttall[] = {0.3635819, 0.4891775, 0.1365995, 0.0106411},
                            flattop[] = {0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368};
    if (name == "boxcar") return boxcar;
    if (name == "hann") return hann;
    if (name == "hamming") return hamming;
    if (name == "blackman") return blackman;
    if (name == "blackmanharris") return blackmanharris;
    if (name == "nuttall") return nuttall;
    if (name == "flattop") return flattop;
    return {};
}

// Of an element so far from the middle of m, for a window that is a formula of that.
SINTER_INLINE std::optional<double> weight_at_distance(const window& w, double away, double m) {
    const double last = m - 1, of_half = away / (last / 2);
    if (w.name == "parzen") {
        const double part = away / (m / 2), rest = 1 - part;
        return away <= last / 4 ? 1 - 6 * part * part + 6 * part * part * part : 2 * rest * rest * rest;
    }
    if (w.name == "bohman")
        return of_half == 1 ? 0 : (1 - of_half) * ieee::cos(pi * of_half) + ieee::sin(pi * of_half) / pi;
    if (w.name == "barthann") return 0.62 - 0.48 * (away / last) + 0.38 * ieee::cos(2 * pi * (away / last));
    if (w.name == "lanczos") return codegen::compute_scalar<codegen::op::sinc>(of_half);
    if (w.name == "exponential") return ieee::exp(-away / w.parameter.value_or(1));
    return {};
}

SINTER_INLINE double parameter_of(std::string_view operation, const window& w, const char* called) {
    if (w.parameter) return *w.parameter;
    throw value_error("[" + std::string(operation) + "] the window " + w.name + " has a parameter: {\"" + w.name +
                      "\", " + called + "}");
}

SINTER_INLINE double window_weight(std::string_view operation, const window& w, double place, double m) {
    const double last = m - 1, middle = last / 2;
    if (const auto factors = cosine_factors(w.name); !factors.empty()) return sum_of_cosines(factors, place, last);
    const double from_end = place < last - place ? place : last - place;
    if (const auto weight = weight_at_distance(w, middle - from_end, m)) return *weight;
    if (w.name == "bartlett") return from_end / middle;
    if (w.name == "cosine") return ieee::sin(pi / m * (place + 0.5));
    if (w.name == "kaiser") return kaiser_weight(parameter_of(operation, w, "beta"), place, last);
    if (w.name == "tukey") return tukey_weight(w.parameter.value_or(0.5), place, last);
    if (w.name == "general_hamming") {
        const double factors[] = {parameter_of(operation, w, "alpha"), 1 - *w.parameter};
        return sum_of_cosines(factors, place, last);
    }
    if (w.name == "gaussian") {
        const double deviation = parameter_of(operation, w, "deviation");
        return ieee::exp(-(place - middle) * (place - middle) / (2 * deviation * deviation));
    }
    if (w.name == "triang") {
        const bool is_odd = 2 * ieee::floor(m / 2) != m;
        return is_odd ? 2 * (from_end + 1) / (m + 1) : (2 * from_end + 1) / m;
    }
    throw value_error("[" + std::string(operation) +
                      "] the window is not boxcar, hann, hamming, blackman, blackmanharris, nuttall, flattop, parzen, "
                      "bohman, barthann, lanczos, exponential, bartlett, cosine, kaiser, tukey, general_hamming, "
                      "gaussian or triang: " +
                      w.name);
}

SINTER_INLINE std::vector<double> window_weights(std::string_view operation, const window& w, std::int64_t n,
                                                 bool periodic) {
    if (n < 0) throw value_error("[" + std::string(operation) + "] a window of " + std::to_string(n) + " elements");
    if (!w.weights.empty()) {
        if (static_cast<std::int64_t>(w.weights.size()) != n)
            throw value_error("[" + std::string(operation) + "] a window has " + std::to_string(w.weights.size()) +
                              " weights instead of " + std::to_string(n));
        return w.weights;
    }
    std::vector<double> weights(static_cast<std::size_t>(n), 1.0);
    const auto m = static_cast<double>(periodic ? n + 1 : n);
    const double first = window_weight(operation, w, 0, m > 1 ? m : 2);
    if (n == 1) return weights;
    for (std::int64_t i = 0; i < n; ++i)
        weights[static_cast<std::size_t>(i)] = i == 0 ? first : window_weight(operation, w, static_cast<double>(i), m);
    return weights;
}

}  // namespace sinter::inline SINTER_ABI::signal::detail

SINTER_IEEE_END
