// test::assert_allclose and assert_array_equal: what passes, and what is said of what does not.
#include "support/backends.hpp"

#include <sinter/sinter.hpp>

using namespace sinter;
using namespace test_backends;

TEST_CASE("comparisons allow what they say and name the largest difference") {
    on_every_backend([](const tested_backend&) {
        array<float> x{1, 2, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()};
        test::assert_array_equal(x, x);
        test::assert_allclose(x, x + 0.0f);
        test::assert_allclose(array<double>{1, 100}, array<double>{1.001, 100.1}, {.rtol = 1e-2});
        test::assert_allclose(array<double>{0, 100}, array<double>{1e-8, 100}, {.rtol = 1e-7, .atol = 5e-7});
        test::assert_allclose(array<std::complex<float>>{{1, 2}}, array<std::complex<float>>{{1, 2}});
        test::assert_array_equal(array<int>{3, 3}, full({2}, 3));
        CHECK_THROWS_WITH_AS(test::assert_allclose(array<double>{1, 2, 4}, array<double>{1, 2.5, 4}, {.rtol = 0.1}),
                             "[assert_allclose] 1 of 3 elements differ, of shape (3,); largest difference 0.5, "
                             "relative 0.2; allowed are "
                             "rtol 0.1 and atol 0",
                             value_error);
        CHECK_THROWS_WITH_AS(test::assert_array_equal(array<int>{1, 2}, array<int>{1, 3}),
                             doctest::Contains("[assert_array_equal] 1 of 2 elements differ"), value_error);
        CHECK_THROWS_AS(test::assert_allclose(x, array<float>{1, 2, 3, std::numeric_limits<float>::infinity()}),
                        value_error);
    });
}
