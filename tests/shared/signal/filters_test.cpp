// Convolutions by transforms, designs of filters and recursive filters against SciPy's.
#include <sinter/signal.hpp>
#include <sinter/sinter.hpp>
#include <string>
#include <vector>

#include "support/backends.hpp"
#include "support/expected.hpp"
#include "support/scipy_golden.hpp"

using namespace sinter;
using namespace test_backends;
using scipy_golden::data;

namespace {

template <expression E>
void check(const std::string& name, const E& e, double tolerance = 1e-13) {
    scipy_golden::check("/golden/signal.txt", name, e, tolerance);
}

template <expression E>
auto thinned(const E& e) {
    array<value_type_t<E>> x = e;
    return array<value_type_t<E>>(x(slice(none, none, x.size() / 64)));
}

// One element after the other, in more digits.
std::vector<double> filtered_in_turn(const array<double>& b, const array<double>& a, const array<double>& x,
                                     const std::vector<double>& first = {}) {
    const std::vector<double> above = to_vector(b), below = to_vector(a);
    std::vector<long double> z(std::max(above.size(), below.size()), 0);
    std::copy(first.begin(), first.end(), z.begin());
    std::vector<double> y;
    for (double v : to_vector(x)) {
        const long double out = above[0] * static_cast<long double>(v) + z[0];
        for (std::size_t i = 1; i < z.size(); ++i) {
            z[i - 1] = i + 1 < z.size() ? z[i] : 0;
            if (i < above.size()) z[i - 1] += above[i] * static_cast<long double>(v);
            if (i < below.size()) z[i - 1] -= below[i] * out;
        }
        y.push_back(static_cast<double>(out));
    }
    return y;
}

double largest_error(const array<double>& y, const std::vector<double>& wanted) {
    return (max(abs(y - array<double>(asarray(wanted)))) / max(abs(asarray(wanted)))).item();
}

}  // namespace

TEST_CASE("signal: convolutions by transforms are SciPy's in every mode, along all axes or some") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = data<double>({37}), v = data<double>({6}, 1), cube = data<double>({3, 4, 5}, 3);
        for (const char* mode : {"full", "same", "valid"}) {
            const std::string in = std::string(" ") + mode;
            check("fftconvolve" + in, signal::fftconvolve(x, v, {.mode = mode}));
            check("fftconvolve" + in, signal::fftconvolve(x, v, mode));
            check("fftconvolve two axes" + in,
                  signal::fftconvolve(cube, data<double>({1, 2, 3}, 2), std::string(mode), {1, 2}));
            check("fftconvolve two axes" + in,
                  signal::fftconvolve(cube, data<double>({1, 2, 3}, 2), {.mode = mode, .axes = {1, 2}}));
            array<double> y = signal::oaconvolve(data<double>({211}), v, {.mode = mode});
            check("oaconvolve" + in, array<double>(y(slice(64))));
            CHECK(array_equal(signal::oaconvolve(data<double>({211}), v, mode), y));
        }
        check("fftconvolve swapped", signal::fftconvolve(v, x, {.mode = "valid"}));
        check("fftconvolve complex",
              signal::fftconvolve(data<std::complex<double>>({7, 9}), data<double>({3, 2}), {.mode = "same"}));
        check("oaconvolve axis",
              signal::oaconvolve(data<double>({2, 97}), data<double>({2, 5}, 2), {.mode = "same", .axes = 1}));
        CHECK_THROWS_WITH_AS(signal::fftconvolve(x, cube),
                             "[fftconvolve] operands have not as many axes: (37,) and "
                             "(3, 4, 5)",
                             shape_error);
        CHECK_THROWS_AS(signal::fftconvolve(x, v, {.mode = "some"}), value_error);
        CHECK_THROWS_AS(signal::fftconvolve(zeros({2, 3}), zeros({3, 2}), {.mode = "valid"}), value_error);
        expected::check_stays([&] { return signal::fftconvolve(x * 2, v); });
    });
}

TEST_CASE(
    "signal: savgol_filter is SciPy's in every mode, for derivatives, along axes and of windows as long as the "
    "signal") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = data<double>({37}), rows = data<double>({3, 11, 2}, 4);
        for (const char* mode : {"interp", "mirror", "nearest", "wrap", "constant"})
            check(std::string("savgol ") + mode, signal::savgol_filter(x, 7, 3, {.mode = mode, .cval = 1.5}));
        for (int deriv : {1, 2, 5})
            check("savgol derivative " + std::to_string(deriv),
                  signal::savgol_filter(x, 9, 4, {.deriv = deriv, .delta = 0.5}), 1e-12);
        check("savgol axis", signal::savgol_filter(rows, 11, 2, {.axis = 1}));
        check("savgol line", signal::savgol_filter(data<float>({5}), 1, 0));
        check("savgol integers", signal::savgol_filter(arange(12) * 7 % 11, 5, 2));
        check("savgol long", thinned(signal::savgol_filter(data<double>({1009}, 2), 31, 3)), 1e-11);
        // Of long windows and high degrees SciPy's weights have seven digits: a polynomial stays what it is.
        const array<double> at = linspace<double>(-1, 1, 307),
                            curve = polyval(array<double>{3, -1, 2, 0, 5, 1, -2, 4}, at);
        const array<double> slope = polyval(polyder(array<double>{3, -1, 2, 0, 5, 1, -2, 4}), at);
        CHECK(allclose(signal::savgol_filter(curve, 101, 7), curve, {.rtol = 1e-12}));
        CHECK(allclose(signal::savgol_filter(curve, 101, 7, {.deriv = 1, .delta = 2.0 / 306}), slope, {.rtol = 1e-9}));
        CHECK(signal::savgol_filter(zeros<float>({0, 7}), 5, 2).shape() == dims(0, 7));
        CHECK(signal::savgol_filter(ones<half>({9}), 3, 1).dtype() == dtype::float16);
        expected::check_stays([&] { return signal::savgol_filter(x * 2, 5, 2); });
        auto refused = [&](std::int64_t window, int degree, const signal::savgol_options& o, const char* message) {
            CHECK_THROWS_WITH_AS(signal::savgol_filter(x, window, degree, o), message, value_error);
        };
        refused(6, 2, {}, "[savgol_filter] a window has an odd number of elements, not 6");
        refused(5, 5, {}, "[savgol_filter] a window of 5 has no polynomial of degree 5");
        refused(5, 2, {.mode = "some"},
                "[savgol_filter] the mode is not interp, mirror, nearest, wrap or constant: some");
        refused(5, 2, {.deriv = -1}, "[savgol_filter] there is no derivative -1");
        refused(39, 2, {}, "[savgol_filter] a window of 39 is longer than axis 0 with size 37");
    });
}

TEST_CASE("signal: windows, firwin and butter are SciPy's") {
    on_every_backend([](const tested_backend&) {
        auto both = [](const std::string& name, const signal::window& w) {
            check("window " + name, signal::get_window(w, 10));
            check("symmetric window " + name, signal::get_window(w, 9, {.fftbins = false}));
        };
        for (const char* name :
             {"boxcar", "triang", "bartlett", "hann", "hamming", "blackman", "blackmanharris", "nuttall", "flattop",
              "cosine", "parzen", "bohman", "barthann", "lanczos", "exponential"})
            both(name, name);
        both("exponential of 2.5", {"exponential", 2.5});
        both("general_hamming", {"general_hamming", 0.6});
        both("kaiser", {"kaiser", 6.5});
        both("gaussian", {"gaussian", 2.5});
        both("tukey", {"tukey", 0.4});
        check("firwin", signal::firwin(11, 0.3));
        check("firwin band", signal::firwin(12, {0.2, 0.45}, {.window = "hann", .pass_zero = false}));
        check("firwin stop", signal::firwin(13, {100, 200}, {.width = 80, .pass_zero = "bandstop", .fs = 1000}));
        check("firwin high", signal::firwin(9, 0.6, {.pass_zero = "highpass", .scale = false}));
        auto design = [](const std::string& name, int n, const signal::frequencies& wn, const char* btype) {
            auto [b, a] = signal::butter(n, wn, {.btype = btype});
            check("butter " + name + " b", b, 1e-12);
            check("butter " + name + " a", a, 1e-12);
            check("butter " + name + " sos", signal::butter_sos(n, wn, {.btype = btype}), 1e-12);
            CHECK(array_equal(signal::butter(n, wn, btype).a, a));
            check("butter " + name + " sos", signal::butter_sos(n, wn, std::string(btype)), 1e-12);
        };
        design("low", 4, 0.2, "lowpass");
        design("odd", 5, 0.3, "lowpass");
        design("high", 3, 0.4, "highpass");
        design("band", 3, {0.2, 0.5}, "bandpass");
        design("stop", 2, {0.3, 0.35}, "bandstop");
        CHECK(array_equal(signal::butter(3, 200, "highpass", {.fs = 1000}).b, signal::butter(3, 0.4, "highpass").b));
        CHECK_THROWS_WITH_AS(signal::get_window("square", 4),
                             "[get_window] the window is not boxcar, hann, hamming, blackman, blackmanharris, nuttall, "
                             "flattop, parzen, bohman, barthann, lanczos, exponential, bartlett, cosine, kaiser, "
                             "tukey, general_hamming, gaussian or triang: square",
                             value_error);
        CHECK_THROWS_WITH_AS(signal::get_window("kaiser", 4),
                             "[get_window] the window kaiser has a parameter: {\"kaiser\", beta}", value_error);
        CHECK_THROWS_WITH_AS(signal::get_window("gaussian", 4),
                             "[get_window] the window gaussian has a parameter: {\"gaussian\", deviation}",
                             value_error);
        CHECK(array_equal(signal::get_window(std::string("tukey"), 9), signal::get_window({"tukey", 0.5}, 9)));
        CHECK_THROWS_WITH_AS(signal::firwin(5, std::vector<double>{}), "[firwin] at least one frequency is needed",
                             value_error);
        CHECK_THROWS_AS(signal::butter(2, 1.5), value_error);
        CHECK_THROWS_AS(signal::butter(2, {0.1, 0.2}), value_error);
        CHECK_THROWS_AS(signal::firwin(10, 0.3, {.pass_zero = "highpass"}), value_error);
    });
}

TEST_CASE("signal: recursive filters are SciPy's, short and over many blocks, along any axis and from any state") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = data<double>({37}), rows = data<double>({3, 70, 2}, 4), many = data<double>({5000}, 2);
        auto [b, a] = signal::butter(3, 0.25);
        check("lfilter", signal::lfilter(b, a, x));
        check("lfilter axis", signal::lfilter({0.5, 0.25}, {2, -1.5, 0.4}, rows, {.axis = 1}));
        check("lfilter first order", thinned(signal::lfilter({1}, {1, -0.999}, many)));
        check("lfilter long", thinned(signal::lfilter(b, a, many)));
        check("lfilter finite", signal::lfilter({1, 2, 3, -4}, {2}, rows, {.axis = 0}));
        check("lfilter long numerator", signal::lfilter({1, 2, 3, -4, 0.5}, {1, -0.5}, x));
        check("lfilter complex", signal::lfilter(b, a, data<std::complex<double>>({41})));
        check("lfilter float32", signal::lfilter(b, a, data<float>({100})), 2e-6);
        check("lfilter int32", signal::lfilter(b, a, data<int>({33})));
        check("lfilter_zi", signal::lfilter_zi(b, a));
        for (int n : {1, 2, 32, 71}) {
            array<double> part = many(slice(n));
            auto [y, z] = signal::lfilter(b, a, part, array<double>{1, -2, 0.5});
            check("lfilter state " + std::to_string(n), y);
            check("lfilter last state " + std::to_string(n), z);
        }
        const array<double> sos = signal::butter_sos(5, 0.1);
        check("sosfilt_zi", signal::sosfilt_zi(sos));
        check("sosfilt", thinned(signal::sosfilt(sos, many)));
        auto [y, z] = signal::sosfilt(sos, rows, data<double>({3, 3, 2, 2}, 1), {.axis = 1});
        check("sosfilt state", y);
        check("sosfilt last state", z);
        check("filtfilt", signal::filtfilt(b, a, x));
        for (const char* kind : {"even", "constant"}) {
            array<double> both = signal::filtfilt(b, a, rows, {.axis = 1, .padtype = kind, .padlen = 5});
            check(std::string("filtfilt ") + kind, array<double>(both(0)));
        }
        check("filtfilt none", signal::filtfilt(b, a, x, {.padtype = "none"}));
        check("sosfiltfilt", signal::sosfiltfilt(sos, x));
        check("sosfiltfilt even", signal::sosfiltfilt(sos, rows, {.axis = 1, .padtype = "even", .padlen = 5}));
        check("sosfiltfilt of zeros", signal::sosfiltfilt({{1, 0.5, 0, 1, -0.5, 0}, {0.5, 0, 0, 1, -0.2, 0.3}}, x));
        CHECK_THROWS_WITH_AS(signal::sosfiltfilt(sos, array<double>{1, 2}),
                             "[sosfiltfilt] a signal of 2 elements is not longer than its padding 18", value_error);
        CHECK_THROWS_WITH_AS(signal::lfilter({1}, {0, 1}, x), "[lfilter] a[0] is zero", value_error);
        CHECK_THROWS_WITH_AS(signal::filtfilt({1}, {1, -2, 1}, x),
                             "[filtfilt] no state is steady: the coefficients of a denominator sum to 0", linalg_error);
        CHECK_THROWS_AS(signal::lfilter_zi({1}, {1, -1}), linalg_error);
        CHECK_THROWS_AS(signal::sosfilt_zi({{1, 0, 0, 1, -0.5, 0}, {1, 0, 0, 1, -1, 0}}), linalg_error);
        CHECK_THROWS_AS(signal::lfilter(b, a, x, array<double>{1}), shape_error);
        CHECK_THROWS_AS(signal::sosfilt(ones({2, 5}), x), shape_error);
        CHECK_THROWS_AS(signal::filtfilt(b, a, array<double>{1, 2, 3}), value_error);
        CHECK(signal::lfilter(b, a, zeros<float>({0, 3})).shape() == dims(0, 3));
        const double nan = constants::nan, inf = constants::inf;
        CHECK(array_equal(signal::lfilter({0.5}, {1, -0.5}, array<double>{1, 2, 3, nan, 5, 6}),
                          array<double>{0.5, 1.25, 2.125, nan, nan, nan}, {.equal_nan = true}));
        array<double> spoilt = many(slice(203));
        spoilt(150) = inf;
        const array<double> whole = signal::lfilter(b, a, many(slice(203)));
        auto [partly, last] = signal::sosfilt({{1, 0.5, 0, 1, -0.5, 0}}, spoilt, zeros({1, 2}));
        CHECK(array_equal(signal::lfilter(b, a, spoilt)(slice(150)), whole(slice(150))));
        CHECK(all(isnan(signal::lfilter(b, a, spoilt)(slice(150, none)))).item());
        CHECK((all(isfinite(partly(slice(150)))).item() && all(isnan(last)).item()));
    });
}

TEST_CASE("signal: narrow and steep recursive filters keep their digits over thousands of elements") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = data<double>({4001}, 3);
        for (int order : {3, 4, 6})
            for (double w : {0.01, 0.05, 0.2}) {
                CAPTURE(order);
                CAPTURE(w);
                auto [b, a] = signal::butter(order, w);
                CHECK(largest_error(signal::lfilter(b, a, x), filtered_in_turn(b, a, x)) < 1e-10);
            }
        auto [steep, poles] = signal::butter(9, 0.08);
        CHECK(largest_error(signal::lfilter(steep, poles, x), filtered_in_turn(steep, poles, x)) < 1e-9);
        auto band = [](int order, double low, double high) {
            return signal::butter(order, {low, high}, {.btype = "bandpass"});
        };
        auto [b, a] = band(4, 0.05, 0.08);
        CHECK(largest_error(signal::lfilter(b, a, x), filtered_in_turn(b, a, x)) < 1e-9);
        // Coefficients of double say as much of the poles.
        CHECK(allclose(
            signal::filtfilt(b, a, x, {.padlen = 150}),
            signal::sosfiltfilt(signal::butter_sos(4, {0.05, 0.08}, {.btype = "bandpass"}), x, {.padlen = 150}),
            {.rtol = 0, .atol = 2e-7}));
        auto [c, d] = band(2, 0.01, 0.02);
        CHECK(largest_error(signal::lfilter(c, d, x), filtered_in_turn(c, d, x)) < 1e-8);
        // Poles on the unit circle, equal ones, one that is none, and those of a filter that is not stable.
        CHECK(largest_error(signal::lfilter({1}, {1, -3, 3, -1}, x), filtered_in_turn({1}, {1, -3, 3, -1}, x)) < 1e-9);
        CHECK(largest_error(signal::lfilter({1, 2, 1}, {1, -1.5, 0.75, -0.125, 0}, x),
                            filtered_in_turn({1, 2, 1}, {1, -1.5, 0.75, -0.125, 0}, x)) < 1e-12);
        auto [high, near] = signal::butter(4, 0.001, {.btype = "highpass"});
        CHECK(largest_error(signal::lfilter(high, near, x), filtered_in_turn(high, near, x)) < 1e-9);
        CHECK(largest_error(signal::lfilter(high, near, astype<float>(x)),
                            filtered_in_turn(high, near, astype<float>(x))) < 1e-6);
        // Zeros beside poles: narrow band stops, notches on top of each other, zeros of which a numerator has more.
        auto [stop, beside] = signal::butter(2, {0.01, 0.012}, {.btype = "bandstop"});
        CHECK(largest_error(signal::lfilter(stop, beside, x), filtered_in_turn(stop, beside, x)) < 1e-11);
        array<double> zeros_of = {1}, poles_of = {1};
        for (double angle : {0.16, 0.31, 0.47}) {
            zeros_of = convolve(zeros_of, array<double>{1, -2 * std::cos(angle), 1});
            poles_of = convolve(poles_of, array<double>{1, -2 * 0.995 * std::cos(angle), 0.995 * 0.995});
        }
        CHECK(largest_error(signal::lfilter(zeros_of, poles_of, x), filtered_in_turn(zeros_of, poles_of, x)) < 1e-13);
        const array<double> taps = convolve(array<double>{0, 0, 1}, signal::firwin(41, 0.2));
        CHECK(largest_error(signal::lfilter(taps, near, x), filtered_in_turn(taps, near, x)) < 1e-9);
        array<double> comb = zeros({49}), equal = {1};
        comb(0) = 1;
        comb(-1) = -0.9;
        CHECK(largest_error(signal::lfilter({1}, comb, x), filtered_in_turn({1}, comb, x)) < 1e-13);
        for (int turn = 0; turn < 4; ++turn) equal = convolve(equal, array<double>{1, 0, 1 - 1.0 / 512});
        CHECK(largest_error(signal::lfilter({1}, equal, x), filtered_in_turn({1}, equal, x)) < 1e-6);
        CHECK(largest_error(signal::lfilter({1}, {1, 0, 0, 0, -1}, x), filtered_in_turn({1}, {1, 0, 0, 0, -1}, x)) <
              1e-10);
        CHECK(largest_error(signal::lfilter({1}, {1, -1.1, 0.2, -0.5, 0.3}, x(slice(700))),
                            filtered_in_turn({1}, {1, -1.1, 0.2, -0.5, 0.3}, x(slice(700)))) < 1e-10);
    });
}

TEST_CASE("signal: the state of a filter of many coefficients goes on where the signal is parted") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = data<double>({311}, 3);
        auto [b, a] = signal::butter(5, 0.1);
        const std::vector<double> first{0.5, -1, 2, 0.25, 1};
        const std::vector<double> wanted = filtered_in_turn(b, a, x, first);
        for (std::int64_t n : {1, 3, 5, 32, 310}) {
            CAPTURE(n);
            auto [y, z] = signal::lfilter(b, a, array<double>(x(slice(n))), array<double>(asarray(first)));
            auto [rest, last] = signal::lfilter(b, a, array<double>(x(slice(n, none))), z);
            CHECK(largest_error(concatenate({y, rest}), wanted) < 1e-10);
            CHECK(last.shape() == dims(5));
        }
        // More coefficients above than below, and than there are elements.
        const array<double> longer{1, 2, 3, 4, 5, 6, 7}, shorter{2, -0.5};
        auto [y, z] = signal::lfilter(longer, shorter, array<double>{1, -1, 2}, ones({6}));
        CHECK(largest_error(y, filtered_in_turn(longer / 2, shorter / 2, array<double>{1, -1, 2}, {1, 1, 1, 1, 1, 1})) <
              1e-14);
        CHECK(signal::lfilter(longer, shorter, array<double>{4, 0, 1}, z).first.size() == 3);
    });
}

TEST_CASE("a number is a filter of one coefficient") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{1.5, 2, -3};
        CHECK(array_equal(signal::lfilter({1, 2}, 1, x), array<double>{1.5, 5, 1}));
        CHECK(array_equal(signal::filtfilt(2, 1, x, {.padtype = "none"}), 4 * x));
        CHECK(array_equal(real(signal::freqz(3, 1, {.worN = 2}).h), array<double>{3, 3}));
    });
}
