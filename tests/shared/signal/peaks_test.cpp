// Peaks of signals against SciPy's.
#include <sinter/signal.hpp>
#include <sinter/sinter.hpp>
#include <string>

#include "support/backends.hpp"
#include "support/expected.hpp"
#include "support/scipy_golden.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

template <expression E>
void check(const std::string& name, const E& e, double tolerance = 1e-14) {
    scipy_golden::check("/golden/signal.txt", name, e, tolerance);
}

void check_properties(const std::string& name, const signal::found_peaks& p) {
    check(name, p.peaks);
    check(name + " prominences", p.prominences);
    check(name + " left_bases", p.left_bases);
    check(name + " right_bases", p.right_bases);
    check(name + " widths", p.widths);
    check(name + " width_heights", p.width_heights);
    check(name + " left_ips", p.left_ips);
    check(name + " right_ips", p.right_ips);
}

}  // namespace

TEST_CASE("signal: peaks and their properties are SciPy's under every condition") {
    on_every_backend([](const tested_backend&) {
        const golden::numpy_result& r = scipy_golden::results("/golden/signal.txt").at("peaks operand");
        const array<double> x(detail::store(dtype::float64, r.shape, r.bytes.data()));
        auto of = [&](const signal::find_peaks_options& o) { return signal::find_peaks(x, o); };
        check("peaks plain", of({}).peaks);
        check("peaks height", of({.height = 14}).peaks);
        check("peaks range", of({.height = signal::between(10, 18)}).peaks);
        check("peaks threshold", of({.threshold = 4}).peaks);
        check("peaks distance", of({.distance = 6}).peaks);
        check("peaks prominence", of({.prominence = 9}).peaks);
        check("peaks plateau", of({.plateau_size = {{2, 3}}}).peaks);
        check("peaks window", of({.prominence = signal::between(3, 12), .wlen = 9}).peaks);
        check_properties("peaks width", of({.width = 1.5, .rel_height = 0.7}));
        check_properties("peaks several", of({.height = 8, .distance = 5.5, .prominence = 4, .width = {{0.5, 9}}}));
        check("peaks plain", signal::find_peaks(astype<int>(x)).peaks);
        const array<double> infinite{0, constants::inf, 0, 3, 0};
        CHECK(array_equal(signal::find_peaks(infinite, {.height = 1}).peaks, array<int>{1, 3}));
        CHECK(array_equal(signal::find_peaks(infinite, {.height = {{1, 5}}}).peaks, array<int>{3}));
        CHECK(signal::find_peaks(array<double>{1, 2}).peaks.size() == 0);
        CHECK(signal::find_peaks(ones<float>({7})).widths.size() == 0);
        CHECK(signal::find_peaks(array<double>{3, 3, 1, 1, 2, 2}).peaks.size() == 0);
        CHECK_THROWS_WITH_AS(signal::find_peaks(ones({2, 2})), "[find_peaks] a signal is a vector: (2, 2)",
                             shape_error);
        CHECK_THROWS_AS(of({.distance = 0.5}), value_error);
    });
}
