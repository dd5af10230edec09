// Options of reductions, sorting, searching, differences and comparisons against NumPy.
#include "support/backends.hpp"
#include "support/expected.hpp"

#include <limits>
#include <sinter/sinter.hpp>
#include <vector>

using namespace sinter;
using namespace test_backends;
using expected::check;
using expected::check_stays;
using expected::missing;

TEST_CASE("reductions take conditions and initial values as NumPy's") {
    on_every_backend([](const tested_backend& b) {
        const array<double> a{{1, 2, 3}, {4, 5, 6}};
        const array<bool> w{{true, false, true}, {false, false, false}}, row{true, false, false};
        check(sum(a, {.where = w}), full({}, 4.0));
        check(sum(a, {.where = row}), full({}, 5.0));
        check(sum(a, 1, {.initial = 10, .where = w}), array<double>{14, 10});
        check(sum(a, {0, 1}, keepdims, {.initial = -1}), array<double>{{20}});
        check(sum<float>(a, {.initial = 0.5}), full({}, 21.5f));
        check(sum(array<int>{1, 2}, {.initial = 3}), full({}, std::int64_t{6}));
        check(prod(a, 0, {.where = w}), array<double>{1, 1, 3});
        check(max(a, 1, {.initial = -1, .where = w}), array<double>{3, -1});
        check(min(a, {.initial = 2.5}), full({}, 1.0));
        check(max(zeros({0}), {.initial = 3}), full({}, 3.0));
        check(min(zeros({2, 0}), 1, keepdims, {.initial = 3}), array<double>{{3}, {3}});
        check(mean(a, 1, {.where = w}), array<double>{2, missing});
        check(mean(array<int>{1, 2, 6}, {.where = row}), full({}, 1.0));
        check(var(a, {.where = w}), full({}, 1.0));
        check(stddev(a, 1, {.ddof = 1, .where = array<bool>{true, false, true}}),
              array<double>{1.4142135623730951, 1.4142135623730951});
        check(stddev(a, 0, keepdims, {.ddof = 1}),
              array<double>{{2.1213203435596424, 2.1213203435596424, 2.1213203435596424}});
        check(any(a > 2, 1, {.where = w}), array<bool>{true, false});
        check(all(a < 2, 1, {.where = w}), array<bool>{false, true});
        check(all(a < 2, {.where = row}), full({}, false));
        const array<double> holes{1, missing, 3};
        const array<bool> first{true, true, false};
        check(nansum(holes, {.where = first}), full({}, 1.0));
        check(nanmean(holes, {.where = first}), full({}, 1.0));
        check(nanvar(holes, 0, {.ddof = 1, .where = first}), full({}, missing));
        check(nanmax(holes, {.initial = 7}), full({}, 7.0));
        CHECK_THROWS_WITH_AS(max(a, {.where = w}), "[max] a condition needs an initial value", value_error);
        CHECK_THROWS_AS(sum(a, {.where = array<bool>{true, false}}), shape_error);
        CHECK_THROWS_AS(sum(array<std::uint8_t>{1}, {.initial = -1}), value_error);
        const array<float> x = random::normal<float>(0, 1, {37, 67}).eval();
        check_stays([&] { return stddev(x, 1, {.where = x > 0}); });
        if (!b.compiles()) return;
        reset_counters();
        sum(x, 1, {.initial = 2, .where = x > 0}).eval();
        CHECK(counters().launches == 1);
    });
}

TEST_CASE("sorting in descending order keeps the order of equal elements, NaN first") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{4, 1, 3, 8, 1, missing};
        check(sort(x, {.descending = true}), array<double>{missing, 8, 4, 3, 1, 1});
        check(argsort(x, {.descending = true}), array<std::int64_t>{5, 3, 0, 2, 1, 4});
        check(sort(x, {.stable = true}), array<double>{1, 1, 3, 4, 8, missing});
        const array<int> m{{3, 1, 2}, {6, 5, 7}};
        check(sort(m, {.axis = 0, .descending = true}), array<int>{{6, 5, 7}, {3, 1, 2}});
        check(argsort(m, {.descending = true}), array<std::int64_t>{{0, 2, 1}, {2, 0, 1}});
        check(sort(zeros({0}), {.descending = true}), zeros({0}));
        CHECK_THROWS_AS(sort(m, {.axis = 2}), index_error);
    });
}

TEST_CASE("unique_all is NumPy's, and a search goes through a sorter") {
    on_every_backend([](const tested_backend&) {
        const auto u = unique_all(array<int>{{3, 1}, {2, 3}});
        check(u.values, array<int>{1, 2, 3});
        check(u.indices, array<std::int64_t>{1, 2, 0});
        check(u.inverse_indices, array<std::int64_t>{{2, 0}, {1, 2}});
        check(u.counts, array<std::int64_t>{1, 1, 2});
        check(searchsorted(array<int>{3, 1, 2}, array<double>{1.5, 2, 3},
                           {.side = side::right, .sorter = array<int>{1, 2, 0}}),
              array<std::int64_t>{1, 2, 3});
        check(searchsorted(array<int>{1, 2, 3}, 2, {.side = side::right}), full({}, std::int64_t{2}));
        CHECK_THROWS_AS(searchsorted(array<int>{3, 1, 2}, 2, {.sorter = array<int>{1, 2}}), shape_error);
        CHECK_THROWS_AS(searchsorted(array<int>{3, 1, 2}, 2, {.sorter = array<double>{1, 2, 0}}), type_error);
        using complex = std::complex<double>;
        const array<complex> z{complex(1, missing), complex(missing, 2), complex(1, 0)};
        check(unique_all(z).inverse_indices, array<std::int64_t>{1, 1, 0});
        check(unique_inverse(z).inverse_indices, array<std::int64_t>{1, 1, 0});
    });
}

TEST_CASE("differences begin and end with what is asked for") {
    on_every_backend([](const tested_backend&) {
        const array<int> x{1, 4, 9}, m{{1, 2}, {4, 8}};
        check(diff(x, {.prepend = 0, .append = array<int>{16, 25}}), array<int>{1, 3, 5, 7, 9});
        check(diff(m, {.axis = 0, .prepend = 5}), array<int>{{-4, -3}, {3, 6}});
        check(diff(x, {.n = 2, .prepend = 0}), array<int>{2, 2});
        check(diff(x, {.n = 0, .prepend = 0}), x);
        CHECK_THROWS_AS(diff(x, {.prepend = 0.5}), type_error);
        CHECK_THROWS_AS(diff(array<std::int8_t>{1, 2}, {.prepend = 1000}), value_error);
        CHECK_THROWS_AS(diff(array<std::int8_t>{1, 2}, {.prepend = array<int>{1}}), type_error);
        CHECK_THROWS_AS(diff(array<float>{1, 2}, {.append = array<double>{0.1}}), type_error);
        CHECK_THROWS_AS(diff(m, {.prepend = array<int>{1, 2, 3}}), shape_error);
    });
}

TEST_CASE("comparisons, norms and inverses take their options in braces") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{1, missing}, y{1.05, missing};
        check(isclose(x, y, {.rtol = 0.1}), array<bool>{true, false});
        check(isclose(x, y, {.rtol = 0.1, .equal_nan = true}), array<bool>{true, true});
        CHECK(allclose(x, y, {.atol = 0.1, .equal_nan = true}));
        CHECK_FALSE(allclose(x, y, {.atol = 0.1}));
        CHECK(isclose(1.0, 1.05, {.rtol = 0.1}));
        CHECK(array_equal(x, x, {.equal_nan = true}));
        CHECK_FALSE(array_equal(x, x));
        CHECK_FALSE(array_equal(x, y, {.equal_nan = true}));
        const array<double> m{{3, 4}, {6, 8}};
        check(linalg::norm(m, {.axis = 1}), array<double>{5, 10});
        check(linalg::norm(m, {.ord = 1, .axis = 1, .keepdims = true}), array<double>{{7}, {14}});
        check(linalg::norm(m, {.ord = "fro"}), full({}, 11.180339887498949), 1e-15);
        check(linalg::norm(m, {.ord = 1, .axis = {0, 1}}), full({}, 12.0));
        check(linalg::pinv(m, {.rcond = 1e-10}), array<double>{{0.024, 0.048}, {0.032, 0.064}}, 1e-12);
    });
}

TEST_CASE("random integers reach their end where it is asked for") {
    on_every_backend([](const tested_backend&) {
        random::generator g(1), h(1);
        const array<std::int64_t> dice = g.integers(1, 6, {1000}, {.endpoint = true});
        CHECK(array_equal(dice, h.integers(1, 7, {1000})));
        CHECK(max(dice).item() == 6);
        CHECK(to_vector(random::integers<std::uint8_t>(255, 255, {2}, {.endpoint = true})) ==
              std::vector<std::uint8_t>{255, 255});
        CHECK(to_vector(random::integers(array<int>{3, 5}, array<int>{3, 5}, {}, {.endpoint = true})) ==
              std::vector<std::int64_t>{3, 5});
        const std::int64_t low = std::numeric_limits<std::int64_t>::min(),
                           high = std::numeric_limits<std::int64_t>::max();
        CHECK(all(random::integers(low, high, {7}, {.endpoint = true}) != 0).item());
        CHECK_THROWS_AS(random::integers(2, 1, {1}, {.endpoint = true}), value_error);
        CHECK_THROWS_AS(random::integers<std::uint8_t>(0, 256, {1}, {.endpoint = true}), value_error);
    });
}

TEST_CASE(
    "quantiles keep axes by their options, powers rise by a bool, numbers are copied, arrays say where to insert") {
    on_every_backend([](const tested_backend&) {
        const array<double> m{{1, 2, 3}, {4, 5, 6}};
        check(quantile(m, 0.5, 1, {.method = "lower", .keepdims = true}), array<double>{{2}, {5}});
        check(percentile(m, {0, 100}, {.keepdims = true}), array<double>{{{1}}, {{6}}});
        check(nanquantile(m, 0.0, {0, 1}, {.keepdims = true}), array<double>{{1}});
        check(quantile(m, 1, 0, keepdims, {.keepdims = false}), array<double>{{4, 5, 6}});
        check(vander(array<int>{2, 3}, 3, true), array<std::int64_t>{{1, 2, 4}, {1, 3, 9}});
        check(vander(array<int>{2, 3}, 2, false), array<std::int64_t>{{2, 1}, {3, 1}});
        array<int> x{1, 2, 3};
        copyto(x, 0, x > 2);
        check(x, array<int>{1, 2, 0});
        copyto(x, 5, array<bool>{true});
        check(x, array<int>{5, 5, 5});
        copyto(x, 7);
        check(x, array<int>{7, 7, 7});
        CHECK_THROWS_WITH_AS(copyto(x, 3'000'000'000), doctest::Contains("[copyto]"), value_error);
        CHECK_THROWS_AS(copyto(x, 1, array<bool>{true, false}), shape_error);
        check(insert(m, array<std::int64_t>{0, -1}, 7, 1), array<double>{{7, 1, 2, 7, 3}, {7, 4, 5, 7, 6}});
        check(insert(x, array<std::uint8_t>{1, 3}, array<int>{8, 9}), array<int>{7, 8, 7, 7, 9});
        CHECK_THROWS_AS(insert(x, array<int>{4}, 1), index_error);
    });
}

TEST_CASE("arithmetic of two bool that has none is that of int8, as NumPy's") {
    on_every_backend([](const tested_backend&) {
        const array<bool> p{true, false, true, false}, q{true, true, false, false};
        check(floor_divide(p, q), array<std::int8_t>{1, 0, 0, 0});
        check(p % q, array<std::int8_t>{0, 0, 0, 0});
        check(fmod(p, true), array<std::int8_t>{0, 0, 0, 0});
        check(power(p, q), array<std::int8_t>{1, 0, 1, 1});
        check(p << q, array<std::int8_t>{2, 0, 1, 0});
        check(true >> p, array<std::int8_t>{0, 1, 0, 1});
        static_assert(std::same_as<decltype(floor_divide(true, true)), std::int8_t>);
        CHECK(explain(array<std::int8_t>(floor_divide(p, q) * p)).kernels() == 1);
    });
}
