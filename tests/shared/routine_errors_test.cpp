// That errors name the function that was called, not what it is made of, and show whole shapes.
#include <doctest/doctest.h>

#include <sinter/sinter.hpp>

using namespace sinter;
TEST_CASE("products of any kind name themselves when shapes do not fit") {
    auto name_themselves = []<class T>(T) {
        const array<T> a = zeros<T>({3, 4}), b = zeros<T>({5, 6}), x = zeros<T>({3}), y = zeros<T>({4}),
                       s = zeros<T>({2, 3, 4});
        CHECK_THROWS_WITH_AS(matmul(a, b), "[matmul] inner dimensions differ: (3, 4) x (5, 6)", shape_error);
        CHECK_THROWS_WITH_AS(matmul(full({}, T(2)), y), "[matmul] an operand has no axes: () x (4,)", shape_error);
        CHECK_THROWS_WITH_AS(dot(a, b), "[dot] inner dimensions differ: (3, 4) x (5, 6)", shape_error);
        CHECK_THROWS_WITH_AS(dot(x, y), "[dot] inner dimensions differ: (3,) x (4,)", shape_error);
        CHECK_THROWS_WITH_AS(dot(s, b), "[dot] sizes differ: axis 2 of (2, 3, 4) and axis 0 of (5, 6)", shape_error);
        CHECK_THROWS_WITH_AS(inner(x, y), "[inner] sizes differ: axis 0 of (3,) and axis 0 of (4,)", shape_error);
        CHECK_THROWS_WITH_AS(inner(s, b), "[inner] sizes differ: axis 2 of (2, 3, 4) and axis 1 of (5, 6)", shape_error);
        CHECK_THROWS_WITH_AS(vdot(a, y), "[vdot] numbers of elements differ: (3, 4) and (4,)", shape_error);
        CHECK_THROWS_WITH_AS(tensordot(a, b, 1), "[tensordot] sizes differ: axis 1 of (3, 4) and axis 0 of (5, 6)",
                             shape_error);
        CHECK_THROWS_WITH_AS(trace(x), "[trace] an array of shape (3,) has fewer than two axes", value_error);
        CHECK_THROWS_WITH_AS(trace(a, 0, 1, 1), "[trace] both axes are the same: 1", value_error);
        CHECK_THROWS_WITH_AS(trace(a, 0, 0, 2), "[trace] axis 2 is out of bounds for an array of 2 dimensions", index_error);
        CHECK_THROWS_WITH_AS(diagonal(x), "[diagonal] an array of shape (3,) has fewer than two axes", value_error);
    };
    name_themselves(double());
    name_themselves(int());
}

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
