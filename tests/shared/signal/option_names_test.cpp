// Options of signals and objects by name, and the short names of bands.
#include <vector>

#include <sinter/ndimage.hpp>
#include <sinter/signal.hpp>
#include <sinter/sinter.hpp>

#include "support/backends.hpp"

using namespace sinter;
using namespace test_backends;

TEST_CASE("options of freqz are no denominator, and a denominator in braces is none") {
    on_every_backend([](const tested_backend&) {
        const array<double> b{1, 2, 1};
        const auto four = signal::freqz(b, {.worN = 4});
        CHECK(four.w.size() == 4);
        CHECK(allclose(four.h, signal::freqz(b, 1, {.worN = 4}).h));
        CHECK(allclose(signal::freqz(b, {2}, {.worN = 4}).h * 2.0, four.h));
        CHECK(signal::freqz(b, {1, 0.5}).w.size() == 512);
        CHECK(signal::freqz({1, 2}).w.size() == 512);
    });
}

TEST_CASE("bands have SciPy's short names") {
    on_every_backend([](const tested_backend&) {
        const auto same = [](const char* word, const char* letters, const std::vector<double>& band) {
            return bool(array_equal(signal::butter_sos(3, band, {.btype = word}),
                                    signal::butter_sos(3, band, {.btype = letters})));
        };
        CHECK(same("lowpass", "l", {0.2}));
        CHECK(same("highpass", "hp", {0.2}));
        CHECK(same("bandpass", "bp", {0.2, 0.4}));
        CHECK(same("bandstop", "bs", {0.2, 0.4}));
        CHECK_THROWS_AS(signal::butter_sos(3, {0.2}, {.btype = "x"}), value_error);
    });
}

TEST_CASE("the statistic of one object has no axis for it, and objects' numbers may be an array") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{1, 2, 3, 4, 5};
        const array<int> labels{1, 1, 0, 2, 2};
        const array<double> one = ndimage::mean(x, {.labels = labels, .index = 2});
        CHECK(one.ndim() == 0);
        CHECK(one.item() == 4.5);
        CHECK(to_vector(ndimage::sum_labels(x, {.labels = labels, .index = unique(labels)})) ==
              std::vector<double>{3, 3, 9});
        CHECK(to_vector(ndimage::center_of_mass(x, {.labels = labels, .index = 2})) ==
              std::vector<double>{(3 * 4 + 4 * 5) / 9.0});
        CHECK(ndimage::maximum(x, {.labels = labels, .index = {2}}).shape() == dims{1});
    });
}
