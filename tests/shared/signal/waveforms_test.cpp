// Waves, windows, states of filters, and peaks at given places against SciPy's.
#include <sinter/signal.hpp>
#include <sinter/sinter.hpp>
#include <string>

#include "support/backends.hpp"
#include "support/scipy_golden.hpp"

using namespace sinter;
using namespace test_backends;
using scipy_golden::data;

namespace {

template <expression E>
void check(const std::string& name, const E& e, double tolerance = 1e-13) {
    scipy_golden::check("/golden/signal.txt", name, e, tolerance);
}

void check_at_peaks(const std::string& name, const array<double>& x, std::int64_t wlen) {
    const array<std::int64_t> places{2, 5, 9, 30, 199};
    const auto rise = signal::peak_prominences(x, places, {.wlen = wlen});
    check("peak_prominences " + name + " prominences", rise.prominences);
    check("peak_prominences " + name + " left_bases", rise.left_bases);
    check("peak_prominences " + name + " right_bases", rise.right_bases);
    for (const auto& w : {signal::peak_widths(x, places, {.rel_height = 0.7, .wlen = wlen}),
                          signal::peak_widths(x, places, {.rel_height = 0.7, .prominence_data = rise})}) {
        check("peak_widths " + name + " widths", w.widths);
        check("peak_widths " + name + " width_heights", w.width_heights);
        check("peak_widths " + name + " left_ips", w.left_ips);
        check("peak_widths " + name + " right_ips", w.right_ips);
    }
}

}  // namespace

TEST_CASE("prominences and widths of peaks at given places are SciPy's") {
    on_every_backend([](const tested_backend&) {
        const golden::numpy_result& r = scipy_golden::results("/golden/signal.txt").at("peaks operand");
        const array<double> x(detail::store(dtype::float64, r.shape, r.bytes.data()));
        check_at_peaks("all", x, -1);
        check_at_peaks("window", x, 9);
        check("peaks below", signal::find_peaks(x, {.height = {none, 14}}).peaks);
        check("peaks height", signal::find_peaks(x, {.height = {14, none}}).peaks);
        CHECK(signal::peak_prominences(x, zeros<std::int64_t>({0})).prominences.size() == 0);
        CHECK_THROWS_AS(signal::peak_prominences(x, {200}), index_error);
        CHECK_THROWS_AS(signal::peak_widths(x, {-1}), index_error);
        CHECK_THROWS_AS(signal::peak_widths(x, {5}, -0.5), value_error);
        CHECK_THROWS_AS(signal::peak_prominences(x, array<std::int64_t>{{1}}), shape_error);
    });
}

TEST_CASE("square and sawtooth waves are SciPy's, also of parts that are arrays or none") {
    on_every_backend([](const tested_backend&) {
        const array<double> t = data<double>({41}) / 5.0, parts = data<double>({41}, 1) / 20.0;
        check("square", signal::square(t));
        check("square part", signal::square(t, 0.3));
        check("square parts", signal::square(t, parts));
        check("square float32", signal::square(astype<float>(t), 0.25));
        check("sawtooth", signal::sawtooth(t));
        check("sawtooth part", signal::sawtooth(t, 0.3));
        check("sawtooth parts", signal::sawtooth(t, parts));
        check("sawtooth float32", signal::sawtooth(astype<float>(t), 0.25), 1e-5);
        check("gausspulse", signal::gausspulse(t, {.fc = 0.5, .bw = 0.4, .bwr = -5}));
        check("gausspulse cutoff", full({}, signal::gausspulse("cutoff", {.fc = 5, .tpr = -50})));
        CHECK_THROWS_AS(signal::gausspulse(t, {.bw = 0}), value_error);
        CHECK_THROWS_AS(signal::gausspulse("end"), value_error);
    });
}

TEST_CASE("square of a signal is the one of all elements where both names are visible") {
    using namespace sinter::signal;
    on_every_backend([](const tested_backend&) {
        const array<double> x{2, 3};
        CHECK(square(x).item(1) == 9);
        CHECK(square(x + 1).item(1) == 16);
        CHECK(square(x, 0.5).item(1) == 1);
    });
}

TEST_CASE("an impulse is one at a place, in the middle or counted from the end") {
    on_every_backend([](const tested_backend&) {
        CHECK(array_equal(signal::unit_impulse(5), {1, 0, 0, 0, 0}));
        CHECK(array_equal(signal::unit_impulse(5, -2), {0, 0, 0, 1, 0}));
        CHECK(array_equal(signal::unit_impulse({3, 4}, "mid"), array<int>{{0, 0, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 0}}));
        CHECK(array_equal(signal::unit_impulse<float>({2, 3}, {1, 0}), array<int>{{0, 0, 0}, {1, 0, 0}}));
        CHECK_THROWS_AS(signal::unit_impulse(5, 5), index_error);
        CHECK_THROWS_AS(signal::unit_impulse({2, 3}, {1, 1, 1}), value_error);
        CHECK_THROWS_AS(signal::unit_impulse(5, "end"), value_error);
    });
}

TEST_CASE("windows under their own names are SciPy's") {
    on_every_backend([](const tested_backend&) {
#define WINDOW(name)                                    \
    check("windows " #name, signal::windows::name(11)); \
    check("windows " #name " period", signal::windows::name(10, false));
        WINDOW(boxcar)
        WINDOW(triang)
        WINDOW(bartlett)
        WINDOW(hann)
        WINDOW(hamming)
        WINDOW(blackman)
        WINDOW(blackmanharris)
        WINDOW(nuttall)
        WINDOW(flattop)
        WINDOW(cosine)
        WINDOW(parzen)
        WINDOW(bohman)
        WINDOW(barthann)
        WINDOW(lanczos)
#undef WINDOW
#define WINDOW_OF(name, value)                                 \
    check("windows " #name, signal::windows::name(11, value)); \
    check("windows " #name " period", signal::windows::name(10, value, false));
        WINDOW_OF(kaiser, 4.5)
        WINDOW_OF(gaussian, 1.5)
        WINDOW_OF(general_hamming, 0.7)
        WINDOW_OF(tukey, 0.3)
#undef WINDOW_OF
        check("windows exponential", signal::windows::exponential(11, none, 3));
        check("windows exponential", signal::get_window({"exponential", none, 3.0}, 11, false));
        check("window of a number", signal::get_window(4.5, 9));
        CHECK(signal::windows::hann(0).size() == 0);
    });
}

TEST_CASE("a filter begins in the state that its past left") {
    on_every_backend([](const tested_backend&) {
        const array<double> b{0.1, 0.3, 0.2}, a{1, -0.5, 0.1}, x = data<double>({37});
        const array<double> state = signal::lfiltic(b, a, {0.5, 2}, {1, 2, 3});
        check("lfiltic", state);
        check("lfiltic long", signal::lfiltic(b, {2, 1}, {3, 1, 7}));
        const auto [y, zf] = signal::lfilter(b, a, x, {.zi = state});
        check("lfilter state", y);
        check("lfilter last state", zf);
        CHECK_THROWS_AS(signal::lfiltic(b, a, array<double>{{1}}), shape_error);
    });
}

TEST_CASE("a sampling frequency and a band may stand in their places") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = data<double>({64}), y = data<double>({64}, 1);
        CHECK(array_equal(signal::welch(x, 10, {.nperseg = 8}).f, signal::welch(x, {.fs = 10, .nperseg = 8}).f));
        CHECK(array_equal(signal::periodogram(x, 10.0).power, signal::periodogram(x, {.fs = 10}).power));
        CHECK(array_equal(signal::stft(x, 10, {.nperseg = 8}).t, signal::stft(x, {.fs = 10, .nperseg = 8}).t));
        CHECK(array_equal(signal::spectrogram(x, 10, {.nperseg = 8}).t,
                          signal::spectrogram(x, {.fs = 10, .nperseg = 8}).t));
        CHECK(array_equal(signal::csd(x, y, 10, {.nperseg = 8}).f, signal::csd(x, y, {.fs = 10, .nperseg = 8}).f));
        CHECK(array_equal(signal::coherence(x, y, 10, {.nperseg = 8}).f,
                          signal::coherence(x, y, {.fs = 10, .nperseg = 8}).f));
        CHECK(array_equal(signal::iirnotch(60, 30, 200).b, signal::iirnotch(60, 30, {.fs = 200}).b));
        CHECK(array_equal(signal::iirpeak(60, 30, 200).a, signal::iirpeak(60, 30, {.fs = 200}).a));
        CHECK(array_equal(signal::butter(4, 100, "high", {.fs = 1000}).b,
                          signal::butter(4, 100, {.btype = "high", .fs = 1000}).b));
    });
}
