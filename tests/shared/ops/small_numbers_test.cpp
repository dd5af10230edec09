// Numbers below the smallest normal one, in threads that take them for zero themselves.
#include <doctest/doctest.h>

#include <sinter/sinter.hpp>
#include <sstream>

#include "support/backends.hpp"
#include "support/small_numbers.hpp"

using namespace sinter;

namespace {

template <class X>
std::string text(const X& x) {
    std::ostringstream s;
    s << x;
    return s.str();
}

}  // namespace

TEST_CASE("arrays keep small numbers in threads that flush them") {
    test_backends::on_every_backend([](const auto&) {
        const bool before = test_small_numbers::flushes();
        {
            const test_small_numbers::flushing_scope flushing;
            const bool inside = test_small_numbers::flushes();
            for (std::int64_t n : {1, 17, 300'007}) {
                const array<double> x = full({n}, 1e-310);
                CHECK(count_nonzero(x * 0.5).item() == n);
                CHECK(text((x * 0.5)(0)) == "5e-311");
                CHECK(text(min(x / 4.0)) == "2.5e-311");
            }
            CHECK(text(array<double>{5e-324, -5e-324, 0} + 0.0) == "[ 5.e-324 -5.e-324  0.e+000]");
            CHECK(text(array<float>{1e-45, 1e-40}) == "[1.e-45 1.e-40]");
            CHECK(text(full({2}, 1e-40f) * 1e-2) == "[1.e-42 1.e-42]");
            CHECK(text(linspace(0, 2e-323, 5)) == "[0.0e+000 4.9e-324 9.9e-324 1.5e-323 2.0e-323]");
            CHECK(bool(full({}, 5e-324)));
            CHECK(test_small_numbers::flushes() == inside);
        }
        CHECK(test_small_numbers::flushes() == before);
    });
}

TEST_CASE("beta of two tiny numbers is the sum of their inverses, or infinite") {
    test_backends::on_every_backend([](const test_backends::tested_backend&) {
        array<double> x{1e-200, 1e-300, 1e-308, 1e-310};
        array<double> found = beta(x, x), expected{2e200, 2e300, inf, inf};
        CHECK(bool(all(found == expected || abs(found / expected - 1.0) < 1e-15)));
        // Of which the sum, the product or each of the inverses leaves float64's range.
        array<double> a{-3e-309, -6e-309, 1e-310, 1e308, 1e308}, b{1e-309, 3e-309, -2e-310, 1e-308, 1e-100};
        array<double> sums = beta(a, b), right{inf, 1e308 / 0.6, inf, 1e308, 1e100};
        CHECK(bool(all(sums == right || abs(sums / right - 1.0) < 1e-15)));
    });
}
