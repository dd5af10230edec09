// vectorize with a signature of core axes: functions of arrays over leading axes.
#include "support/backends.hpp"

#include <sinter/sinter.hpp>

using namespace sinter;
using namespace test_backends;

namespace {

array<double> ramp(const dims& shape) { return reshape(astype<double>(arange(shape.product())) - 7, shape); }

}  // namespace

TEST_CASE("a function of matrices is applied over the leading axes, which broadcast") {
    on_every_backend([](const tested_backend&) {
        auto product = vectorize<"(m,n),(n,p)->(m,p)">([](auto a, auto b) { return matmul(a, b); });
        for (auto [a, b] : {std::pair(dims{2, 3}, dims{3, 4}), std::pair(dims{5, 2, 3}, dims{3, 1}),
                            std::pair(dims{2, 1, 2, 3}, dims{3, 3, 5}), std::pair(dims{0, 2, 3}, dims{3, 4}),
                            std::pair(dims{31, 1, 1}, dims{31, 1, 1})}) {
            array<double> x = ramp(a), y = ramp(b), z = product(x, y), expected = matmul(x, y);
            CHECK(z.shape() == expected.shape());
            CHECK(bool(all(z == expected)));
        }
        CHECK(bool(all(product(ramp({4, 3, 2}).T(), ramp({4, 2})) == matmul(ramp({4, 3, 2}).T(), ramp({4, 2})))));
    });
}

TEST_CASE("vectors, numbers, several results and sizes that only a result has") {
    on_every_backend([](const tested_backend&) {
        array<double> x = ramp({4, 5}), y = ramp({5});
        array<double> dot = vectorize<"(i),(i)->()">([](auto a, auto b) { return sum(a * b); })(x, y);
        CHECK(bool(all(dot == sum(x * y, 1))));
        auto [mean_of, centred] =
            vectorize<" (n) -> (), (n) ">([](auto a) { return std::tuple(mean(a), a - mean(a)); })(x);
        CHECK(mean_of.shape() == dims{4});
        CHECK(bool(all(centred == x - mean(x, 1, keepdims))));
        array<double> pairs = vectorize<"(n)->(k)">([](auto a) { return a(slice(none, none, 2)); })(x);
        CHECK(bool(all(pairs == x(all, slice(none, none, 2)))));
        array<double> crossed =
            vectorize<"(3),(3)->(3)">([](auto a, auto b) { return a * 2 - b; })(ramp({2, 3}), ramp({3}));
        CHECK(bool(all(crossed == ramp({2, 3}) * 2 - ramp({3}))));
        CHECK(vectorize<"()->()">([](auto a) { return a + 1; })(x).shape() == dims{4, 5});
    });
}

TEST_CASE("axes that do not fit are named") {
    on_every_backend([](const tested_backend&) {
        auto product = vectorize<"(m,n),(n,p)->(m,p)">([](auto a, auto) { return a; });
        CHECK_THROWS_WITH_AS(
            product(ramp({2, 3}), ramp({4, 5})),
            "[vectorize] (m,n),(n,p)->(m,p): axis n of argument 1, of shape (4, 5) has size 4, but n is 3",
            shape_error);
        CHECK_THROWS_WITH_AS(product(ramp({2, 3}), ramp({3})),
                             "[vectorize] (m,n),(n,p)->(m,p) needs 2 axes of argument 1, of shape (3,)", shape_error);
        CHECK_THROWS_WITH_AS(
            product(ramp({2, 3}), ramp({3, 7})),
            "[vectorize] (m,n),(n,p)->(m,p): the function returned shape (2, 3) as result 0 with m = 2, p = 7",
            shape_error);
        CHECK_THROWS_WITH_AS(product(ramp({2, 2, 3}), ramp({3, 3, 3})),
                             "[vectorize] shapes do not broadcast: (2,) and (3,)", shape_error);
        CHECK_THROWS_WITH_AS(vectorize<"(n)->(k)">([](auto a) { return a; })(ramp({0, 3})),
                             "[vectorize] (n)->(k): without a call nothing says how large k is", shape_error);
        CHECK_THROWS_WITH_AS(vectorize<"(n,)->(n)">([](auto a) { return a; })(ramp({3})),
                             "[vectorize] a signature of core axes reads (m,n),(n,p)->(m,p): (n,)->(n)", value_error);
        CHECK_THROWS_WITH_AS(vectorize<"(3)->(3)">([](auto a) { return a; })(ramp({2})),
                             "[vectorize] (3)->(3): axis 3 of argument 0, of shape (2,) has size 2", shape_error);
    });
}
