// Spectra of segments, cosine transforms, trends and other rates against SciPy's.
#include <sinter/signal.hpp>
#include <sinter/sinter.hpp>
#include <string>
#include <vector>

#include "support/backends.hpp"
#include "support/expected.hpp"
#include "support/scipy_golden.hpp"

using namespace sinter;
using namespace test_backends;
using complex = std::complex<double>;
using scipy_golden::data;

namespace {

template <expression E>
void check(const std::string& name, const E& e, double tolerance = 1e-13) {
    scipy_golden::check("/golden/signal.txt", name, e, tolerance);
}

template <class T>
void check_spectra(const std::string& name, const signal::spectra<T>& s) {
    check(name + " f", s.f);
    check(name + " t", s.t);
    check(name, s.values);
}

}  // namespace

TEST_CASE("signal: spectra of segments are SciPy's at every boundary, and the inverse leads back") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = data<double>({101}), rows = data<double>({2, 67, 3}, 4);
        const array<complex> w = data<complex>({50});
        check_spectra("stft plain", signal::stft(x, {.nperseg = 16}));
        check_spectra(
            "stft odd",
            signal::stft(x,
                         {.fs = 8, .window = "hamming", .nperseg = 15, .noverlap = 9, .nfft = 20, .scaling = "psd"}));
        check_spectra("stft even",
                      signal::stft(x, {.nperseg = 16, .detrend = "linear", .boundary = "even", .padded = false}));
        check_spectra("stft constant",
                      signal::stft(x, {.nperseg = 16, .return_onesided = false, .boundary = "constant"}));
        check_spectra("stft none",
                      signal::stft(rows, {.nperseg = 16, .detrend = "constant", .boundary = "none", .axis = 1}));
        check_spectra("stft complex", signal::stft(w, {.nperseg = 16}));
        auto [t, y] = signal::istft(signal::stft(x, {.nperseg = 16, .noverlap = 11}).values, {.fs = 4, .noverlap = 11});
        check("istft t", t);
        check("istft", y);
        auto z = signal::stft(rows, {.fs = 3, .nperseg = 15, .axis = 1, .scaling = "psd"}).values;
        check("istft axes", signal::istft(z, {.fs = 3, .nperseg = 15, .freq_axis = 1, .scaling = "psd"}).x);
        check("istft complex", signal::istft<complex>(signal::stft(w, {.nperseg = 16}).values).x);
        CHECK_THROWS_AS(signal::stft(x, {.nperseg = 16, .noverlap = 16}), value_error);
        CHECK_THROWS_AS(signal::stft(x, {.boundary = "edge"}), value_error);
        expected::check_stays([&] { return signal::stft(x * 2, {.nperseg = 16}).values; });
    });
}

TEST_CASE("signal: the sampling frequency may stand behind what is transformed, with options behind it") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = sin(arange<double>(67) * 0.7), y = cos(arange<double>(67) * 0.9);
        auto same = [](const auto& a, const auto& b) {
            const auto& [f, p] = a;
            const auto& [g, q] = b;
            CHECK(array_equal(f, g));
            CHECK(array_equal(p, q));
        };
        same(signal::welch(x, 8, {.nperseg = 16}), signal::welch(x, {.fs = 8, .nperseg = 16}));
        same(signal::periodogram(x, 8.5), signal::periodogram(x, {.fs = 8.5}));
        same(signal::csd(x, y, 8, {.nperseg = 16}), signal::csd(x, y, {.fs = 8, .nperseg = 16}));
        same(signal::coherence(x, y, 8, {.nperseg = 16}), signal::coherence(x, y, {.fs = 8, .nperseg = 16}));
        const auto z = signal::stft(x, 8, {.nperseg = 16});
        CHECK(array_equal(z.t, signal::stft(x, {.fs = 8, .nperseg = 16}).t));
        CHECK(array_equal(signal::spectrogram(x, 8, {.nperseg = 16}).f, z.f));
        CHECK(array_equal(signal::istft(z.values, 8).t, signal::istft(z.values, {.fs = 8}).t));
    });
}

TEST_CASE("signal: powers of segments and their averages are SciPy's") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = data<double>({101}), rows = data<double>({2, 67, 3}, 4);
        // The angle of what is real but for rounding may be pi or -pi.
        const array<double> angles = signal::spectrogram(x, {.fs = 8, .nperseg = 17, .mode = "angle"}).values;
        check("spectrogram angle", array<double>(angles(slice(1, none))), 1e-12);
        for (const char* mode : {"psd", "magnitude"}) {
            auto [f, t, s] = signal::spectrogram(x, {.fs = 8, .nperseg = 17, .mode = mode});
            check(std::string("spectrogram ") + mode, s, 1e-12);
            check("spectrogram f", f);
            check("spectrogram t", t);
        }
        auto [f, p] = signal::welch(x, {.fs = 8, .nperseg = 16});
        check("welch f", f);
        check("welch", p);
        check("welch median",
              signal::welch(rows, {.nperseg = 15, .scaling = "spectrum", .axis = 1, .average = "median"}).power);
        CHECK_THROWS_AS(signal::welch(x, {.average = "mode"}), value_error);
        const std::vector<double> weights(8, 1.0);
        CHECK(signal::stft(x, {.window = weights}).f.size() == 5);
        CHECK_THROWS_WITH_AS(signal::stft(x, {.window = weights, .nperseg = 4}),
                             "[stft] segments of 4 elements and a window of 8", value_error);
        CHECK_THROWS_WITH_AS(signal::istft(zeros<complex>({5, 0})), "[istft] no segments: (5, 0)", value_error);
        CHECK_THROWS_AS(signal::spectrogram(x, {.mode = "complex"}), value_error);
    });
}

TEST_CASE("signal: Hilbert and cosine transforms and trends are SciPy's") {
    on_every_backend([](const tested_backend&) {
        const array<double> rows = data<double>({2, 9, 3}, 4);
        for (int n : {8, 9}) {
            const array<double> x = data<double>({n});
            const std::string size = " " + std::to_string(n);
            check("hilbert" + size, signal::hilbert(x));
            for (int type : {1, 2, 3, 4}) {
                const std::string name = "dct " + std::to_string(type);
                check(name + " backward" + size, signal::dct(x, {.type = type}));
                check(name + " ortho" + size, signal::dct(x, {.type = type, .norm = fft::norm::ortho}));
                check(name + " forward" + size, signal::dct(x, {.type = type, .norm = fft::norm::forward}));
                check("i" + name + size, signal::idct(x, {.type = type}));
            }
        }
        check("hilbert axis", signal::hilbert(rows, {.n = 12, .axis = 1}));
        check("dct axis", signal::dct(rows, {.n = 11, .axis = 1}));
        check("dct float32", signal::dct(data<float>({9})), 1e-6);
        check("detrend", signal::detrend(rows, {.axis = 1}));
        check("detrend constant", signal::detrend(rows, {.axis = 0, .type = "constant"}));
        check("detrend breaks", signal::detrend(data<double>({31}), {.bp = {7, 20}}));
        CHECK(signal::dct(ones({1})).item(0) == 2);
        for (int type : {1, 2, 3, 4}) {
            CHECK(array_equal(signal::dct(zeros({2, 0}), {.type = type, .n = 3}), zeros({2, 3})));
            CHECK(signal::idct(zeros({0, 5}), {.type = type}).shape() == dims(0, 5));
        }
        CHECK_THROWS_AS(signal::dct(ones({1}), {.type = 1}), value_error);
        CHECK_THROWS_AS(signal::detrend(ones({3}), {.type = "square"}), value_error);
    });
}

TEST_CASE("signal: signals at another rate are SciPy's") {
    on_every_backend([](const tested_backend&) {
        const array<double> rows = data<double>({2, 9, 3}, 4);
        for (int n : {12, 13})
            for (int count : {8, 9, 12, 19, 20})
                check("resample " + std::to_string(n) + " " + std::to_string(count),
                      signal::resample(data<double>({n}), count));
        check("resample axis", signal::resample(rows, 6, {.axis = 1}));
        check("resample complex", signal::resample(data<complex>({12}), 7));
        const int rates[][2] = {{3, 1}, {1, 4}, {4, 6}, {7, 5}};
        for (auto [up, down] : rates)
            check("resample_poly " + std::to_string(up) + " " + std::to_string(down),
                  signal::resample_poly(data<double>({61}), up, down));
        check("resample_poly axis", signal::resample_poly(rows, 2, 3, {.axis = 1}));
        check("resample_poly taps",
              signal::resample_poly(data<double>({20}), 3, 2, {.window = std::vector<double>{1, 2, 3, 2, 0.5}}));
        CHECK_THROWS_AS(signal::resample_poly(rows, 0, 3), value_error);
        CHECK_THROWS_AS(signal::resample(rows, 0), value_error);
    });
}

TEST_CASE("signal: averages over the segments of no elements have no frequencies") {
    on_every_backend([](const tested_backend&) {
        const array<double> empty, some = ones({5});
        CHECK(signal::periodogram(empty).f.shape() == dims(0));
        CHECK(signal::periodogram(zeros({3, 0})).power.shape() == dims(3, 0));
        CHECK(signal::periodogram(zeros({0, 4})).power.shape() == dims(0, 3));
        CHECK(signal::welch(zeros({0, 7}), {.axis = 0}).power.shape() == dims(0, 7));
        CHECK(signal::csd(empty, ones({2, 5})).values.shape() == dims(2, 0));
        CHECK(signal::coherence(zeros({2, 1, 0}), zeros({3, 0})).power.shape() == dims(2, 3, 0));
        CHECK_THROWS_AS(signal::csd(zeros({2, 0}), zeros({3, 0})), shape_error);
        CHECK_THROWS_WITH_AS(signal::stft(empty), "[stft] the signal has no elements", value_error);
        CHECK_THROWS_AS(signal::periodogram(some, {.nfft = 0}), value_error);
        CHECK_THROWS_AS(signal::coherence(empty, some), shape_error);
    });
}
