// Rows of Fourier transforms and of SciPy's functions of signals and images.
#include "functions.hpp"

#include <sinter/ndimage.hpp>
#include <sinter/signal.hpp>

using namespace sinter;

namespace bench {

namespace {

array<bool> blobs(const sizes& s) { return array<bool>(hashed({s.side(2048), s.side(2048)}) < 0.55f).eval(); }

function_rows fourier() {
    return {
        {"fft_rows",
         [](const sizes& s) {
             return computing([](const auto& z) { return fft::fft(z); }, hashed_complex({s.line(20000), 1024}));
         }},
        {"rfft",
         [](const sizes& s) {
             return computing([](const auto& x) { return fft::rfft(x); }, hashed({s.line(1 << 24)}));
         }},
        {"fft2",
         [](const sizes& s) {
             return computing([](const auto& z) { return fft::fft2(z); }, hashed_complex({s.side(4096), s.side(4096)}));
         }},
        {"dct_rows",
         [](const sizes& s) {
             return computing([](const auto& x) { return signal::dct(x); }, hashed({s.line(20000), 1024}));
         }},
        {"fftconvolve",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& k) { return signal::fftconvolve(x, k, {.mode = "same"}); },
                              hashed({s.line(1e7)}), hashed({s.line(10000)}, 2));
         }},
        {"hilbert_rows",
         [](const sizes& s) {
             return computing([](const auto& x) { return signal::hilbert(x); }, hashed({s.line(5000), 1024}));
         }},
    };
}

function_rows filters() {
    return {
        {"lfilter",
         [](const sizes& s) {
             return computing([](const auto& x) { return signal::lfilter({0.2, 0.3}, {1, -0.5, 0.1}, x); },
                              hashed<double>({s.line(1e7)}));
         }},
        {"lfilter_rows",
         [](const sizes& s) {
             return computing([](const auto& x) { return signal::lfilter({0.2, 0.3}, {1, -0.5, 0.1}, x); },
                              hashed<double>({s.line(10000), 1000}));
         }},
        {"sosfilt",
         [](const sizes& s) {
             array<double> sos = signal::butter_sos(4, 0.2);
             return computing([=](const auto& x) { return signal::sosfilt(sos, x); },
                              hashed<double>({s.line(1000), 10000}));
         }},
        {"resample_poly",
         [](const sizes& s) {
             return computing([](const auto& x) { return signal::resample_poly(x, 3, 2); },
                              hashed<double>({s.line(5e6)}));
         }},
        {"stft",
         [](const sizes& s) {
             return computing([](const auto& x) { return std::tuple(array(signal::stft(x, {.nperseg = 256}).values)); },
                              hashed({s.line(1e7) / 128 * 128}));
         }},
        {"welch",
         [](const sizes& s) {
             return computing(
                 [](const auto& x) { return std::tuple(array(signal::welch(x, {.nperseg = 1024}).power)); },
                 hashed({s.line(1e7)}));
         }},
    };
}

function_rows of_images() {
    return {
        {"gaussian_filter",
         [](const sizes& s) {
             return computing([](const auto& x) { return ndimage::gaussian_filter(x, 2); },
                              hashed({s.side(4096), s.side(4096)}));
         }},
        {"uniform_filter",
         [](const sizes& s) {
             return computing([](const auto& x) { return ndimage::uniform_filter(x, 9); },
                              hashed({s.side(4096), s.side(4096)}));
         }},
        {"median_filter",
         [](const sizes& s) {
             return computing([](const auto& x) { return ndimage::median_filter(x, 3); },
                              hashed({s.side(4096), s.side(4096)}));
         }},
        {"maximum_filter",
         [](const sizes& s) {
             return computing([](const auto& x) { return ndimage::maximum_filter(x, 7); },
                              hashed({s.side(4096), s.side(4096)}));
         }},
        {"sobel",
         [](const sizes& s) {
             return computing([](const auto& x) { return ndimage::sobel(x); }, hashed({s.side(8192), s.side(8192)}));
         }},
        {"map_coordinates",
         [](const sizes& s) {
             const double side = static_cast<double>(s.side(2048));
             return computing([](const auto& x, const auto& c) { return ndimage::map_coordinates(x, c, {.order = 1}); },
                              hashed<double>({s.side(2048), s.side(2048)}),
                              array<double>(hashed<double>({2, s.line(4e6)}, 2) * (side - 1)).eval());
         }},
        {"zoom",
         [](const sizes& s) {
             return computing([](const auto& x) { return ndimage::zoom(x, 2); },
                              hashed<double>({s.side(2048), s.side(2048)}));
         }},
        {"label",
         [](const sizes& s) {
             return computing([](const auto& x) { return std::tuple(ndimage::label(x).labels); }, blobs(s));
         }},
        {"binary_erosion",
         [](const sizes& s) {
             return computing([](const auto& x) { return ndimage::binary_erosion(x); },
                              array<bool>(hashed({s.side(8192), s.side(8192)}) < 0.9f).eval());
         }},
        {"distance_transform",
         [](const sizes& s) {
             return computing([](const auto& x) { return ndimage::distance_transform_edt(x); },
                              array<bool>(hashed({s.side(2048), s.side(2048)}) < 0.99f).eval());
         }},
    };
}

}  // namespace

function_rows functions_of_signals() {
    function_rows rows;
    for (auto part : {fourier, filters, of_images})
        for (const function_row& row : part()) rows.push_back(row);
    return rows;
}

}  // namespace bench
