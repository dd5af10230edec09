// That errors name the function that was called, not what it is made of, and show whole shapes.
#include <doctest/doctest.h>

#include <sinter/sinter.hpp>

using namespace sinter;
TEST_CASE("draws name themselves, negative sizes and how many there are to choose from") {
    random::generator g(5);
    array<double> x = zeros({3});
    CHECK_THROWS_WITH_AS(g.normal(0, 1, {2, -2}), "[normal] a size is negative: (2, -2)", shape_error);
    CHECK_THROWS_WITH_AS(g.random({-1}), "[random] a size is negative: (-1,)", shape_error);
    CHECK_THROWS_WITH_AS(random::rand(-1), "[rand] a size is negative: (-1,)", shape_error);
    CHECK_THROWS_WITH_AS(random::randn(2, -3), "[randn] a size is negative: (2, -3)", shape_error);
    CHECK_THROWS_WITH_AS(g.integers(0, 5, {-1}), "[integers] a size is negative: (-1,)", shape_error);
    CHECK_THROWS_WITH_AS(g.randint(5, 2), "[randint] low is not below high: 5 and 2", value_error);
    CHECK_THROWS_WITH_AS(g.randint(x, 2), "[randint] bounds are integers, not float64", type_error);
    CHECK_THROWS_WITH_AS(g.multivariate_normal(x, eye(3), {-1}), "[multivariate_normal] a size is negative: (-1,)",
                         shape_error);
    CHECK_THROWS_WITH_AS(g.permutation(x, 1), "[permutation] axis 1 is out of bounds for an array of 1 dimensions",
                         index_error);
    CHECK_THROWS_WITH_AS(g.shuffle(x, 1), "[shuffle] axis 1 is out of bounds for an array of 1 dimensions", index_error);
    CHECK_THROWS_WITH_AS(g.choice(0, {3, 4}), "[choice] cannot choose 12 of 0 elements", value_error);
    CHECK_THROWS_WITH_AS(g.choice(-1), "[choice] cannot choose 1 of -1 elements", value_error);
    CHECK_THROWS_WITH_AS(g.choice(zeros({3, 0}), {4}, {.axis = 1}), "[choice] cannot choose 4 of 0 elements", value_error);
    CHECK(random::generator(7).rand(2, 3).shape() == dims(2, 3));
    CHECK(array_equal(random::generator(7).randn(4), random::generator(7).standard_normal({4})));
}
