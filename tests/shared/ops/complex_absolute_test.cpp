// The absolute value of complex numbers is hypot of their parts wherever it is computed, from the smallest to the
// largest.
#include <sinter/sinter.hpp>

#include "support/backends.hpp"

#include <cmath>
#include <limits>

using namespace sinter;
using namespace test_backends;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Pairs of all of these, with both signs.
const std::vector<double> parts = {0,        5e-324,   1.5e-323, 2.5e-310, 3e-308,      1.1e-200, 7e-155,
                                   3.3e-121, 3.9e-121, 1e-20,    0.1,      0.3,         1,        1.25,
                                   3,        4,        1e8,      7.7e149,  3e150,       3.3e150,  1.1e154,
                                   2e200,    1.2e308,  1.7e308,  infinite, not_a_number};

std::vector<std::complex<double>> pairs() {
    std::vector<std::complex<double>> all;
    for (double re : parts)
        for (double im : parts) {
            all.emplace_back(re, im);
            all.emplace_back(-re, im);
            all.emplace_back(re, -im);
        }
    return all;
}

}  // namespace

TEST_CASE("absolute values of complex numbers neither overflow nor lose digits on the way") {
    on_every_backend([](const tested_backend& on) {
        const std::vector<std::complex<double>> all = pairs();
        const std::vector<double> got = to_vector(abs(asarray(all)));
        REQUIRE(got.size() == all.size());
        // CUDA promises hypot within two units in the last place.
        const double tolerance = on.is_cuda() ? 5e-16 : 0, smallest = on.is_cuda() ? 1e-323 : 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const double wanted = std::hypot(all[i].real(), all[i].imag());
            INFO(all[i].real(), " and ", all[i].imag());
            if (std::isnan(wanted)) CHECK(std::isnan(got[i]));
            else if (std::isinf(wanted)) CHECK(got[i] == wanted);
            else CHECK(std::abs(got[i] - wanted) <= tolerance * wanted + smallest);
        }
    });
}

TEST_CASE("absolute values of complex numbers have the bits of hypot of the parts") {
    on_every_backend([](const tested_backend& on) {
        if (on.is_cuda()) return;
        random::generator g(5);
        const array<double> re = g.normal(0, 1, {4000}).eval(), im = (g.normal(0, 1, {4000}) * exp(re * 8)).eval();
        const std::vector<double> got = to_vector(abs(re + im * std::complex<double>(0, 1))), x = to_vector(re),
                                  y = to_vector(im);
        for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == std::hypot(x[i], y[i]));
    });
}
