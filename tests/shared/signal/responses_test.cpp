// Spectra of two signals, responses of filters, chirps, lags and medians against SciPy's.
#include <sinter/signal.hpp>
#include <sinter/sinter.hpp>
#include <string>
#include <vector>

#include "support/backends.hpp"
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

}  // namespace

TEST_CASE("signal: the power of a whole signal, and what two have in common, are SciPy's") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = data<double>({101}), y = data<double>({101}, 5), rows = data<double>({2, 67, 3}, 4);
        const array<double> others = array<double>(flip(rows, 2)(slice(0, 1)));
        const array<complex> w = data<complex>({50});
        auto [f, p] = signal::periodogram(x, {.fs = 8});
        check("periodogram f", f);
        check("periodogram", p);
        check("periodogram fewer",
              signal::periodogram(rows, {.window = "hann", .nfft = 32, .scaling = "spectrum", .axis = 1}).power);
        check("periodogram more", signal::periodogram(w, {.nfft = 64, .detrend = "none"}).power);
        auto [g, c] = signal::csd(x, y, {.fs = 8, .nperseg = 16});
        check("csd f", g);
        check("csd", c);
        CHECK(array_equal(signal::csd(x, y, 8, {.nperseg = 16}).values, c));
        check("csd median", signal::csd(x, y, {.nperseg = 15, .noverlap = 9, .nfft = 20, .average = "median"}).values);
        check("csd lengths", signal::csd(x, y(slice(0, 61)), {.nperseg = 16, .scaling = "spectrum"}).values);
        check("csd axes", signal::csd(rows, others, {.nperseg = 16, .axis = 1}).values);
        check("csd complex", signal::csd(w, y(slice(0, 50)), {.nperseg = 16}).values);
        check("coherence", signal::coherence(x, y, {.nperseg = 16}).power);
        check("coherence axes", signal::coherence(rows, others, {.window = "hamming", .nperseg = 15, .axis = 1}).power);
        CHECK(max(abs(signal::coherence(x, x * 3, {.nperseg = 16}).power - 1)).item() < 1e-13);
        CHECK_THROWS_WITH_AS(signal::coherence(x, w), "[coherence] signals of 101 and 50 elements", shape_error);
        CHECK_THROWS_WITH_AS(signal::csd(x, y, {.average = "mode"}), "[csd] the average is not mean or median: mode",
                             value_error);
    });
}

TEST_CASE("signal: responses of filters to frequencies, and filters of one frequency, are SciPy's") {
    on_every_backend([](const tested_backend& backend) {
        const auto [b, a] = signal::butter(3, 0.25);
        const array<double> sos = signal::butter_sos(5, 0.1);
        const std::pair<std::string, signal::freqz_options> requests[] = {
            {"plain", {.worN = 17}},
            {"whole", {.worN = 16, .whole = true, .fs = 8}},
            {"nyquist", {.worN = 9, .include_nyquist = true}},
            {"given", {.worN = array<double>{0.1, 1, 3}, .fs = 7}}};
        for (const auto& [name, o] : requests) {
            const auto [w, h] = signal::freqz(b, a, o);
            check("freqz " + name + " w", w);
            check("freqz " + name, h);
            check("freqz_sos " + name, signal::freqz_sos(sos, o).h);
        }
        check("freqz taps", signal::freqz(data<double>({101}), {1}, {.worN = 13}).h, 1e-12);
        const auto notch = signal::iirnotch(60, 30, {.fs = 1000}), peak = signal::iirpeak(60, 30, {.fs = 1000});
        check("iirnotch b", notch.b);
        check("iirnotch a", notch.a);
        check("iirpeak b", peak.b);
        check("iirpeak a", peak.a);
        CHECK_THROWS_AS(signal::iirnotch(500, 30, {.fs = 1000}), value_error);
        CHECK_THROWS_AS(signal::freqz(ones({2, 2})), shape_error);
        CHECK_THROWS_AS(signal::freqz_sos(ones({2, 5})), shape_error);
        CHECK_THROWS_AS(signal::freqz(b, a, {.worN = 0}), value_error);
        if (!backend.compiles()) return;
        eval(b, a);
        const std::int64_t before = counters().launches;
        signal::freqz(b, a).h.eval();
        CHECK(counters().launches == before + 1);
    });
}

TEST_CASE("signal: Chebyshev's filters are SciPy's, as polynomials and as sections") {
    on_every_backend([](const tested_backend&) {
        const std::pair<std::string, signal::frequencies> bands[] = {
            {"lowpass", 0.2}, {"highpass", 0.4}, {"bandpass", {0.2, 0.5}}, {"bandstop", {0.3, 0.45}}};
        auto check_filter = [&](const std::string& name, const signal::transfer_function& f, const array<double>& sos) {
            check(name + " b", f.b, 1e-12);
            check(name + " a", f.a, 1e-12);
            check(name + " sos", signal::freqz_sos(sos, {.worN = 25}).h, 1e-12);
        };
        for (const auto& [btype, wn] : bands) {
            const signal::butter_options o{.btype = btype};
            check_filter("cheby1 " + btype, signal::cheby1(4, 0.5, wn, o), signal::cheby1_sos(4, 0.5, wn, o));
            check_filter("cheby1 odd " + btype, signal::cheby1(5, 2, wn, o), signal::cheby1_sos(5, 2, wn, o));
            check_filter("cheby1 " + btype, signal::cheby1(4, 0.5, wn, btype), signal::cheby1_sos(4, 0.5, wn, btype));
            check_filter("cheby2 " + btype, signal::cheby2(4, 40, wn, o), signal::cheby2_sos(4, 40, wn, o));
            check_filter("cheby2 " + btype, signal::cheby2(4, 40, wn, btype), signal::cheby2_sos(4, 40, wn, btype));
            check_filter("cheby2 odd " + btype, signal::cheby2(5, 30, wn, o), signal::cheby2_sos(5, 30, wn, o));
        }
        CHECK_THROWS_WITH_AS(signal::cheby1(4, 0, 0.2), "[cheby1] decibels are not positive: 0", value_error);
        CHECK_THROWS_AS(signal::cheby2(0, 40, 0.2), value_error);
    });
}

TEST_CASE("signal: decimated signals are SciPy's") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = data<double>({211}), rows = data<double>({2, 97, 3}, 4);
        for (const char* ftype : {"iir", "fir"})
            for (const bool zero_phase : {true, false})
                check(std::string("decimate ") + ftype + (zero_phase ? " True" : " False"),
                      signal::decimate(x, 4, {.ftype = ftype, .zero_phase = zero_phase}), 1e-11);
        check("decimate axis", signal::decimate(rows, 3, {.n = 5, .axis = 1}), 1e-11);
        check("decimate taps", signal::decimate(rows, 2, {.n = 12, .ftype = "fir", .axis = 1}), 1e-12);
        check("decimate int32", signal::decimate(data<int>({100}), 2), 1e-11);
        CHECK_THROWS_AS(signal::decimate(x, 0), value_error);
        CHECK_THROWS_AS(signal::decimate(x, 2, {.ftype = "bessel"}), value_error);
    });
}

TEST_CASE("signal: chirps, lags of correlations and medians are SciPy's") {
    on_every_backend([](const tested_backend&) {
        const array<double> t = data<double>({41}) / 20;
        for (const char* method : {"linear", "quadratic", "logarithmic", "hyperbolic"}) {
            check(std::string("chirp ") + method, signal::chirp(t, 2, 3, 0.5, {.method = method, .phi = 30}), 1e-12);
            check(std::string("chirp ") + method + " level", signal::chirp(t, 2, 3, 2, {.method = method}), 1e-12);
        }
        check("chirp vertex", signal::chirp(t, 2, 3, 0.5, {.method = "quadratic", .vertex_zero = false}), 1e-12);
        static_assert(std::same_as<value_type_t<decltype(signal::chirp(array<float>(), 1, 1, 2))>, float>);
        CHECK_THROWS_AS(signal::chirp(t, -1, 3, 2, {.method = "logarithmic"}), value_error);
        CHECK_THROWS_AS(signal::chirp(t, 1, 3, 2, {.method = "cubic"}), value_error);
        const std::pair<std::int64_t, std::int64_t> lengths[] = {{7, 4}, {4, 7}, {6, 6}, {5, 2}};
        for (const auto& [n, m] : lengths)
            for (const char* mode : {"full", "same", "valid"})
                check("lags " + std::to_string(n) + " " + std::to_string(m) + " " + mode,
                      signal::correlation_lags(n, m, mode));
        CHECK_THROWS_AS(signal::correlation_lags(3, 2, "all"), value_error);
        check("medfilt", signal::medfilt(data<double>({37}), 5));
        check("medfilt image", signal::medfilt(data<int>({5, 7}), {3, 5}));
        CHECK_THROWS_WITH_AS(signal::medfilt(t, 4), "[medfilt] a window is odd along every axis: 4", value_error);
    });
}
