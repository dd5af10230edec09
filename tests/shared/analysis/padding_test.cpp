// Modes of pad, take and put, weights and methods of quantiles, and unique slices, against NumPy's values.
#include "support/backends.hpp"
#include "support/expected.hpp"

#include <sinter/sinter.hpp>
#include <vector>

using namespace sinter;
using namespace test_backends;
using expected::check;
using expected::check_stays;
using expected::missing;

TEST_CASE("pad continues by ramps and statistics of the ends as NumPy does, axis by axis") {
    on_every_backend([](const tested_backend&) {
        const array<double> m{{1, 5, 2}, {7, 3, 4}};
        const array<std::int64_t> i{3, 1, 4, 1, 5};
        check(pad(m, {{1, 2}, {2, 1}}, {.mode = "linear_ramp", .end_values = -2}),
              array<double>{{-2, -2, -2, -2, -2, -2},
                            {-2, -0.5, 1, 5, 2, -2},
                            {-2, 2.5, 7, 3, 4, -2},
                            {-2, 0.25, 2.5, 0.5, 1, -2},
                            {-2, -2, -2, -2, -2, -2}});
        check(pad(i, {3, 7}, {.mode = "linear_ramp", .end_values = -2}),
              array<std::int64_t>{-2, -1, 1, 3, 1, 4, 1, 5, 4, 3, 2, 1, 0, -1, -2});
        check(pad(m, {{1, 2}, {2, 1}}, {.mode = "maximum"}),
              array<double>{
                  {7, 7, 7, 5, 4, 7}, {5, 5, 1, 5, 2, 5}, {7, 7, 7, 3, 4, 7}, {7, 7, 7, 5, 4, 7}, {7, 7, 7, 5, 4, 7}});
        check(pad(m, {{1, 2}, {2, 1}}, {.mode = "minimum", .stat_length = 2}),
              array<double>{
                  {1, 1, 1, 3, 2, 2}, {1, 1, 1, 5, 2, 2}, {3, 3, 7, 3, 4, 3}, {1, 1, 1, 3, 2, 2}, {1, 1, 1, 3, 2, 2}});
        check(pad(m, {{1, 2}, {2, 1}}, {.mode = "median"}),
              array<double>{
                  {4, 4, 4, 4, 3, 4}, {2, 2, 1, 5, 2, 2}, {4, 4, 7, 3, 4, 4}, {4, 4, 4, 4, 3, 4}, {4, 4, 4, 4, 3, 4}});
        check(pad(i, {2, 1}, {.mode = "mean"}), array<std::int64_t>{3, 3, 3, 1, 4, 1, 5, 3});
        check(pad(m, {{0, 0}, {1, 0}}, {.mode = "mean"}), array<double>{{8 / 3.0, 1, 5, 2}, {14 / 3.0, 7, 3, 4}});
        CHECK(pad(m, 2, {.mode = "empty"}).shape() == dims(6, 7));
        check_stays([&] { return pad(m * 2, 1, {.mode = "mean"}); });
        CHECK_THROWS_AS(pad(m, 1, {.mode = "maximum", .stat_length = 0}), value_error);
        CHECK_THROWS_WITH_AS(pad(m, 1, {.mode = "some"}),
                             "[pad] the mode is not constant, edge, reflect, symmetric, wrap, linear_ramp, maximum, "
                             "mean, median, minimum or empty: some",
                             value_error);
        CHECK_THROWS_AS(pad(zeros({0}), 1, {.mode = "mean"}), value_error);
        for (const char* mode : {"constant", "edge", "reflect", "wrap"}) {
            const array<float> none = pad(zeros<float>({0, 3}), {{0, 0}, {1, 2}}, {.mode = mode});
            CHECK(none.shape() == dims(0, 6));
            CHECK(none.get_handle()->type == dtype::float32);
        }
    });
}

TEST_CASE("pad has another number, ramp or length on each side, and a later axis's numbers in the corners") {
    on_every_backend([](const tested_backend&) {
        const array<double> m{{1, 5, 2}, {7, 3, 4}};
        check(pad(m, {{1, 2}, {2, 1}}, {.constant_values = {{1, 2}, {3, 4}}}),
              array<double>{
                  {3, 3, 1, 1, 1, 4}, {3, 3, 1, 5, 2, 4}, {3, 3, 7, 3, 4, 4}, {3, 3, 2, 2, 2, 4}, {3, 3, 2, 2, 2, 4}});
        check(pad(m, 1, {.constant_values = {8, 9}}),
              array<double>{{8, 8, 8, 8, 9}, {8, 1, 5, 2, 9}, {8, 7, 3, 4, 9}, {8, 9, 9, 9, 9}});
        check(pad(m, {{0, 0}, {0, 2}}, {.constant_values = {{1, 2}, {3, 4}}}),
              array<double>{{1, 5, 2, 4, 4}, {7, 3, 4, 4, 4}});
        check(pad(zeros<int>({0, 2}), 1, {.constant_values = {{1, 2}, {3, 4}}}),
              array<int>{{3, 1, 1, 4}, {3, 2, 2, 4}});
        check(pad(m, {{1, 2}, {2, 1}}, {.mode = "linear_ramp", .end_values = {{-1, -2}, {-3, -4}}}),
              array<double>{{-3, -2, -1, -1, -1, -4},
                            {-3, -1, 1, 5, 2, -4},
                            {-3, 2, 7, 3, 4, -4},
                            {-3, -0.25, 2.5, 0.5, 1, -4},
                            {-3, -2.5, -2, -2, -2, -4}});
        check(pad(m, {{1, 2}, {2, 1}}, {.mode = "maximum", .stat_length = {{1, 2}, {2, 1}}}),
              array<double>{
                  {5, 5, 1, 5, 2, 2}, {5, 5, 1, 5, 2, 2}, {7, 7, 7, 3, 4, 4}, {7, 7, 7, 5, 4, 4}, {7, 7, 7, 5, 4, 4}});
        check_stays([&] { return pad(m * 2, 1, {.constant_values = {8, 9}}); });
        CHECK_THROWS_WITH_AS(pad(array<int>{1, 2}, 1, {.constant_values = {1, 1e10}}), doctest::Contains("[pad]"),
                             value_error);
        CHECK_THROWS_WITH_AS(pad(m, 1, {.constant_values = {{1, 2}, {3, 4}, {5, 6}}}),
                             "[pad] 3 pairs of constant_values for an array of 2 dimensions", value_error);
        CHECK_THROWS_WITH_AS(pad(m, 1, {.mode = "minimum", .stat_length = {2, 0}}),
                             "[pad] there is no minimum of no elements", value_error);
    });
}

TEST_CASE("pad reflects oddly as NumPy does, also further than the axis is long") {
    on_every_backend([](const tested_backend&) {
        const array<std::int64_t> i{3, 1, 4, 1, 5}, two{3, 1};
        pad_options o{.mode = "reflect", .reflect_type = "odd"};
        check(pad(i, {3, 7}, o), array<std::int64_t>{5, 2, 5, 3, 1, 4, 1, 5, 9, 6, 9, 7, 5, 8, 5});
        check(pad(two, {5, 4}, o), array<std::int64_t>{13, 11, 9, 7, 5, 3, 1, -1, -3, -5, -7});
        check(pad(array<std::int64_t>{3}, {2, 1}, o), array<std::int64_t>{3, 3, 3, 3});
        o.mode = "symmetric";
        check(pad(i, {3, 7}, o), array<std::int64_t>{2, 5, 3, 3, 1, 4, 1, 5, 5, 9, 6, 9, 7, 7, 5});
        check(pad(two, {5, 4}, o), array<std::int64_t>{7, 7, 5, 5, 3, 3, 1, 1, -1, -1, -3});
        check(pad(array<double>{{1, 5, 2}, {7, 3, 4}}, {{1, 2}, {2, 1}}, o), array<double>{{-3, 1, 1, 5, 2, 2},
                                                                                           {-3, 1, 1, 5, 2, 2},
                                                                                           {11, 7, 7, 3, 4, 4},
                                                                                           {11, 7, 7, 3, 4, 4},
                                                                                           {25, 13, 13, 1, 6, 6}});
        CHECK_THROWS_AS(pad(i, 1, {.mode = "reflect", .reflect_type = "none"}), value_error);
    });
}

TEST_CASE("the mode of pad may stand behind the width, with options behind it") {
    on_every_backend([](const tested_backend&) {
        const array<int> x{3, 1, 4};
        check(pad(x, 2, "wrap"), array<int>{1, 4, 3, 1, 4, 3, 1});
        check(pad(x, {1, 2}, std::string("edge")), array<int>{3, 3, 1, 4, 4, 4});
        check(pad(x, {{0, 1}}, "constant", {.constant_values = 8}), array<int>{3, 1, 4, 8});
        check(pad(x, 1, "reflect", {.reflect_type = "odd"}), array<int>{5, 3, 1, 4, 7});
        CHECK_THROWS_AS(pad(x, 1, "some"), value_error);
    });
}

TEST_CASE("quantiles weigh elements by inverted_cdf, with NaN left out where asked") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{3, 1, 4, 1, 5}, w{1, 2, 0, 4, 1}, m{{1, 5, 2}, {7, 3, 4}};
        quantile_options o{.method = "inverted_cdf", .weights = w};
        check(quantile(x, {0, 0.25, 0.5, 0.9, 1}, o), array<double>{1, 1, 1, 5, 5});
        check(quantile(m, {0.2, 0.7}, 1, {.method = "inverted_cdf", .weights = array<int>{1, 2, 3}}),
              array<double>{{2, 3}, {5, 4}});
        const array<double> gaps{
            {missing, 1, 4, 1, 5}, {2, missing, missing, 7, 1}, {missing, missing, missing, missing, missing}};
        check(nanquantile(gaps, {0, 0.3, 0.8}, 1, o), array<double>{{1, 1, missing}, {1, 2, missing}, {1, 7, missing}});
        check(quantile(gaps, 0.5, 1, o), array<double>{missing, missing, missing});
        check_stays([&] { return quantile(x * 2, 0.5, o); });
        CHECK_THROWS_AS(quantile(x, 0.5, {.weights = w}), value_error);
        CHECK_THROWS_AS(quantile(m, 0.5, o), shape_error);
    });
}

TEST_CASE("the axes of a matrix of shares are the first ones of quantiles") {
    on_every_backend([](const tested_backend&) {
        const array<double> m{{1, 5, 2}, {7, 3, 4}}, shares{{0, 0.25}, {0.5, 1}};
        check(quantile(m, shares, 1), array<double>{{{1, 3}, {1.5, 3.5}}, {{2, 4}, {5, 7}}});
        check(percentile(m, shares * 100), array<double>{{1, 2.25}, {3.5, 7}});
        check(quantile(m, shares, 1, keepdims), array<double>{{{{1}, {3}}, {{1.5}, {3.5}}}, {{{2}, {4}}, {{5}, {7}}}});
        const array<double> gaps{{missing, 1, 4, 1, 5}, {2, missing, missing, 7, 1}};
        check(nanquantile(gaps, shares, 1), array<double>{{{1, 1}, {1, 1.5}}, {{2.5, 2}, {5, 7}}});
        check(quantile(m, shares, 1, {.method = "inverted_cdf", .weights = array<int>{1, 2, 3}}),
              array<double>{{{1, 3}, {2, 3}}, {{2, 4}, {5, 7}}});
        CHECK_THROWS_AS(quantile(m, shares + 1), value_error);
    });
}

TEST_CASE("quantiles of what is not NaN are NumPy's by every method") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{{missing, 1, 4, 1, 5}, {2, missing, missing, 7, 1}};
        auto by = [&](const char* method) { return nanquantile(x, {0.25, 0.5, 0.6}, 1, {.method = method}); };
        check(by("lower"), array<double>{{1, 1}, {1, 2}, {1, 2}});
        check(by("higher"), array<double>{{1, 2}, {4, 2}, {4, 7}});
        check(by("midpoint"), array<double>{{1, 1.5}, {2.5, 2}, {2.5, 4.5}});
        check(by("nearest"), array<double>{{1, 1}, {4, 2}, {4, 2}});
        check(by("inverted_cdf"), array<double>{{1, 1}, {1, 2}, {4, 2}});
        check(by("averaged_inverted_cdf"), array<double>{{1, 1}, {2.5, 2}, {4, 2}});
        check(by("closest_observation"), array<double>{{1, 1}, {1, 2}, {1, 2}});
        check(by("interpolated_inverted_cdf"), array<double>{{1, 1}, {1, 1.5}, {2.2, 1.8}});
        check(by("hazen"), array<double>{{1, 1.25}, {2.5, 2}, {3.7, 3.5}});
        check(by("weibull"), array<double>{{1, 1}, {2.5, 2}, {4, 4}});
        check(by("median_unbiased"), array<double>{{1, 7 / 6.0}, {2.5, 2}, {3.8, 11 / 3.0}});
        check(by("normal_unbiased"), array<double>{{1, 1.1875}, {2.5, 2}, {3.775, 3.625}});
        CHECK_THROWS_AS(by("some"), value_error);
    });
}

TEST_CASE("unique finds the different slices of an axis, where they stand, which each is and how often it occurs") {
    on_every_backend([](const tested_backend&) {
        using whole = array<std::int64_t>;
        const array<int> u{{2, 1, 2, 0}, {1, 1, 1, 0}, {2, 1, 2, 0}, {1, 0, 1, 5}};
        const auto rows = unique_all(u, 0), columns = unique_all(u * 1, -1);
        check(rows.values, array<int>{{1, 0, 1, 5}, {1, 1, 1, 0}, {2, 1, 2, 0}});
        check(columns.values, array<int>{{0, 1, 2}, {0, 1, 1}, {0, 1, 2}, {5, 0, 1}});
        for (const auto& found : {rows, columns}) {
            check(found.indices, whole{3, 1, 0});
            check(found.inverse_indices, whole{2, 1, 2, 0});
            check(found.counts, whole{1, 1, 2});
        }
        check(unique(reshape(u, {4, 2, 2}), 0), reshape(rows.values, {3, 2, 2}));
        check(unique_counts(u, 0).counts, whole{1, 1, 2});
        check(unique_inverse(u, 1).inverse_indices, whole{2, 1, 2, 0});
        CHECK(unique(zeros({0, 3}), 0).shape() == dims(0, 3));
        CHECK_THROWS_AS(unique(u, 2), index_error);
    });
}

TEST_CASE("take and put wrap and clip indices, meshgrid may stay sparse, and asarray takes ranges of ranges") {
    on_every_backend([](const tested_backend&) {
        const array<std::int64_t> i{3, 1, 4, 1, 5}, at{7, -1, -9, 2};
        check(take(i, at, {.mode = "wrap"}), array<std::int64_t>{4, 5, 1, 4});
        check(take(i, at, 0, {.mode = "clip"}), array<std::int64_t>{5, 3, 3, 4});
        CHECK_THROWS_AS(take(i, at, {.mode = "some"}), value_error);
        CHECK_THROWS_AS(to_host(take(i, at, {.mode = "raise"})), index_error);
        array<std::int64_t> v = i;
        put(v, {7, -1}, 9, {.mode = "wrap"});
        check(v, array<std::int64_t>{3, 1, 9, 1, 9});
        put(v, {7, -8}, array<std::int64_t>{0, 6}, {.mode = "clip"});
        check(v, array<std::int64_t>{6, 1, 9, 1, 0});
        const auto [x, y] = meshgrid(arange(3), arange(2), {.sparse = true});
        check(x, array<std::int64_t>{{0, 1, 2}});
        check(y, array<std::int64_t>{{0}, {1}});
        CHECK(std::get<2>(meshgrid(arange(3), arange(2), arange(4), {"ij", true})).shape() == dims(1, 1, 4));
        check(asarray(std::vector<std::vector<int>>{{1, 2, 3}, {4, 5, 6}}), array<int>{{1, 2, 3}, {4, 5, 6}});
        check(asarray<float>(std::vector<std::vector<std::vector<int>>>{{{1, 2}}, {{3, 4}}}),
              array<float>{{{1, 2}}, {{3, 4}}});
        check(asarray({3, 1, 2}), array<int>{3, 1, 2});
        check(asarray<float>({3, 1, 2}), array<float>{3, 1, 2});
        check(asarray<float>({3, 1.5, 2}), array<float>{3, 1.5f, 2});
        check(asarray<double>({{3, 1.5}, {2, 4}}), array<double>{{3, 1.5}, {2, 4}});
        check(asarray<int>({{{3}, {1}}, {{2}, {4}}}), array<int>{{{3}, {1}}, {{2}, {4}}});
        check(asarray<double>({}), zeros({0}));
        CHECK_THROWS_WITH_AS(asarray(std::vector<std::vector<double>>{{1, 2}, {3}}),
                             "[asarray] ragged data: a range of 1 beside one of 2 along axis 1", shape_error);
    });
}

TEST_CASE("axes before and behind those that are padded are taken as they are") {
    on_every_backend([](const tested_backend&) {
        const array<float> x = reshape(sin(arange<float>(3 * 2 * 5 * 4 * 7)), {3, 2, 5, 4, 7}).eval();
        for (const char* mode : {"constant", "edge", "reflect", "symmetric", "wrap"}) {
            CAPTURE(mode);
            const pad_options o{.mode = mode};
            const array<float> inner = pad(x, {{0}, {0}, {2, 1}, {0}, {0}}, o),
                               two = pad(x, {{0}, {1}, {0}, {2, 1}, {0}}, o),
                               ends = pad(x, {{1, 2}, {0}, {0}, {0}, {3}}, o);
            CHECK(inner.shape() == dims(3, 2, 8, 4, 7));
            for (int i = 0; i < 3; ++i)
                CHECK(array_equal(inner(i, 1, all, 2, 5), pad(x(i, 1, all, 2, 5), {{2, 1}}, o)));
            for (int k = 0; k < 7; k += 3)
                CHECK(array_equal(two(2, all, 3, all, k), pad(x(2, all, 3, all, k), {{1}, {2, 1}}, o)));
            CHECK(array_equal(ends(all, 1, 4, 3, all), pad(x(all, 1, 4, 3, all), {{1, 2}, {3}}, o)));
        }
    });
}
