// Quantiles by every method and of elements that are not NaN, and histograms and counts with options, against NumPy.
#include "support/backends.hpp"
#include "support/expected.hpp"

#include <sinter/sinter.hpp>

using namespace sinter;
using namespace test_backends;
using expected::check;
using expected::check_stays;
using expected::missing;

TEST_CASE("quantiles by every method are NumPy's") {
    on_every_backend([](const tested_backend&) {
        struct row {
            const char* method;
            array<double> values;
        };
        const row rows[] = {
            {"linear", {1, 1.4, 2, 2.2, 2.6, 3, 3.5, 6.4, 8}},
            {"lower", {1, 1, 2, 2, 2, 3, 3, 4, 8}},
            {"higher", {1, 2, 2, 3, 3, 3, 4, 8, 8}},
            {"midpoint", {1, 1.5, 2, 2.5, 2.5, 3, 3.5, 6, 8}},
            {"nearest", {1, 1, 2, 2, 3, 3, 3, 8, 8}},
            {"inverted_cdf", {1, 1, 2, 2, 2, 3, 4, 8, 8}},
            {"averaged_inverted_cdf", {1, 1, 2, 2, 2.5, 3, 4, 8, 8}},
            {"closest_observation", {1, 1, 1, 2, 2, 2, 3, 4, 8}},
            {"interpolated_inverted_cdf", {1, 1, 1.25, 1.5, 2, 2.5, 3.125, 6, 8}},
            {"hazen", {1, 1, 1.75, 2, 2.5, 3, 3.625, 8, 8}},
            {"weibull", {1, 1, 1.5, 1.8, 2.4, 3, 3.75, 8, 8}},
            {"median_unbiased",
             {1, 1, 1.6666666666666667, 1.9333333333333333, 2.466666666666667, 3, 3.666666666666667, 8, 8}},
            {"normal_unbiased", {1, 1, 1.6875, 1.95, 2.475, 3, 3.65625, 8, 8}},
        };
        const array<double> x{4, 1, 3, 8, 2};
        for (const row& r : rows) {
            CAPTURE(r.method);
            check(quantile(x, {0, 0.1, 0.25, 0.3, 0.4, 0.5, 0.625, 0.9, 1}, {.method = r.method}), r.values, 1e-14);
        }
        check(percentile(x, 10, 0, keepdims, {.method = "higher"}), array<double>{2});
        check(quantile(reshape(x, {1, 5}), 0.25, {0, 1}, {.method = "lower"}), full({}, 2.0));
        check(quantile(array<double>{1, missing}, 0.5, {.method = "nearest"}), full({}, missing));
        CHECK_THROWS_WITH_AS(quantile(x, 0.5, {.method = "best"}),
                             "[quantile] the method is not linear, lower, higher, midpoint, nearest, inverted_cdf, "
                             "averaged_inverted_cdf, closest_observation, interpolated_inverted_cdf, hazen, weibull, "
                             "median_unbiased or normal_unbiased: best",
                             value_error);
        CHECK_THROWS_AS(quantile(x, 1.5), value_error);
        CHECK_THROWS_AS(quantile(zeros({0}), 0.5), value_error);
    });
}

TEST_CASE("several shares stand in an array as well, which may have been computed") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{4, 1, 3, 8, 2}, shares = arange(1.0, 3.0) / 4;
        check(quantile(x, shares), array<double>{2, 3});
        check(percentile(x, 100.0f * array<float>{0.25f, 0.5f}), array<double>{2, 3});
        check(quantile(reshape(x, {5, 1}), array<double>{0.5}, 0, keepdims, {.method = "lower"}), array<double>{{{3}}});
        check(nanquantile(array<double>{missing, 1, 2}, shares(slice(1, 2)), 0), array<double>{1.5});
        const array<float> bend{1, 4, 2, 8};
        const array<double> one = quantile(bend, max(array<double>{0.25, 0.5}));
        CHECK(one.shape() == dims());
        CHECK(double(one) == 3);
        CHECK(bool(all(quantile(bend, std::vector<float>{0.5f, 1}) == array<double>{3, 8})));
        check(quantile(x, ones({1, 2})), array<double>{{8, 8}});
        CHECK_THROWS_WITH_AS(quantile(x, ones({1, 2, 1})),
                             "[quantile] several shares are a vector or a matrix, not of the shape (1, 2, 1)",
                             shape_error);
    });
}

TEST_CASE("medians and quantiles pass over NaN as NumPy's") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{{3, 1, missing, 2}, {missing, missing, missing, missing}, {5, missing, 7, 1}};
        check(nanmedian(x, 1), array<double>{2, missing, 5});
        check(nanmedian(x), full({}, 2.5));
        check(nanmedian(x, 0, keepdims), array<double>{{4, 1, 7, 1.5}});
        check(nanmedian(astype<float>(x), -1), array<float>{2, float(missing), 5});
        check(nanmedian(array<int>{1, 2}), full({}, 1.5));
        check(nanmedian(zeros({0})), full({}, missing));
        check(nanquantile(x, 0.3, 1), array<double>{1.6, missing, 3.4}, 1e-15);
        check(nanpercentile(x, {25, 80}, 1), array<double>{{1.5, missing, 3}, {2.6, missing, 6.2}}, 1e-15);
        check(nanquantile(x, {0, 1, 0.5}), array<double>{1, 7, 2.5});
        check(nanquantile(array<double>{1, inf, missing}, 0.5), full({}, missing));
        CHECK_THROWS_AS(nanquantile(x, -0.1), value_error);
        check_stays([&] { return nanquantile(x, 0.3, 1); });
    });
}

TEST_CASE("histograms with edges, weights and as densities are NumPy's") {
    on_every_backend([](const tested_backend&) {
        const array<double> y{4, 1, 3, 8, 2}, w{0.5, 1, 2, 4, 8}, edges{1, 2, 5, 8};
        check(histogram(y, edges).hist, array<std::int64_t>{1, 3, 1});
        check(histogram(y, {.bins = array<int>{1, 2, 5, 8}}).bin_edges, edges);
        const auto [density, found] = histogram<double>(y, {.bins = 4, .density = true});
        check(density, array<double>{0.22857142857142856, 0.22857142857142856, 0, 0.11428571428571428});
        check(found, array<double>{1, 2.75, 4.5, 6.25, 8});
        check(histogram<double>(y, {.bins = 4, .weights = w}).hist, array<double>{9, 2.5, 0, 4});
        check(histogram<double>(y, {.bins = array<double>{0, 1, 2.5, 4}, .density = true}).hist,
              array<double>{0, 1.0 / 3, 1.0 / 3});
        check(histogram<double>(y, {.bins = 3, .range = {1, 4}, .density = true, .weights = w}).hist,
              array<double>{0.08695652173913043, 0.6956521739130435, 0.21739130434782608});
        check(histogram(y, {.bins = 2, .weights = array<int>{1, 2, 3, 4, 5}}).hist, array<std::int64_t>{11, 4});
        check(histogram<float>(reshape(y, {1, 5}), {.bins = 1, .weights = reshape(w, {1, 5})}).hist,
              array<float>{15.5f});
        CHECK_THROWS_WITH_AS(histogram<std::int64_t>(y, {.density = true}),
                             "[histogram] a density is no int64: write histogram<double>", type_error);
        CHECK_THROWS_AS(histogram<std::int64_t>(y, {.weights = w}), type_error);
        CHECK_THROWS_AS(histogram(y, {.weights = zeros<int>({3})}), shape_error);
        CHECK_THROWS_AS(histogram(y, array<double>{1}), shape_error);
        check_stays([&] { return histogram<double>(y, {.bins = edges, .weights = w}).hist; });
    });
}

TEST_CASE("what stands in braces tells whether a histogram is of counts, of sums or of a density") {
    on_every_backend([](const tested_backend&) {
        const array<double> y{4, 1, 3, 8, 2};
        const array<float> w{0.5f, 1, 2, 4, 8};
        const array<int> i{1, 2, 3, 4, 5};
        const array<std::int64_t> counts = histogram(y, {.bins = 3, .range = {0, 6}}).hist;
        check(counts, array<std::int64_t>{1, 2, 1});
        check(histogram(y, 3, {0, 6}).hist, counts);
        check(histogram(y, {3, {0, 6}}).hist, counts);
        check(histogram(y, {}).hist, histogram(y).hist);
        check(histogram(y, {.bins = 2, .weights = w}).hist, array<double>{11.5, 4});
        check(histogram(y, {.bins = 2, .weights = i}).hist, array<std::int64_t>{11, 4});
        check(histogram(y, {.bins = 2, .range = {0, 4}, .density = true}).hist, array<double>{0.125, 0.375});
        check(histogram(y, {.bins = 2, .density = true, .weights = i}).hist, array<double>{22.0 / 105, 8.0 / 105});
        check(histogram(y, {.bins = 2, .density = false, .weights = w}).hist, array<double>{11.5, 4});
        histogram_options kept{.bins = 2};
        check(histogram(y, kept).hist, array<std::int64_t>{4, 1});
        kept.weights = w;
        check(histogram<float>(y, kept).hist, array<float>{11.5f, 4});
        CHECK_THROWS_WITH_AS(
            histogram(y, {.weights = array<std::complex<double>>{1, 2, 3, 4, 5}}),
            "[histogram] sums of weights of complex128 are no float64: write histogram<std::complex<double>>",
            type_error);
    });
}

TEST_CASE("counts and densities are exact beyond what the type of the result counts to") {
    on_compiling_backends([](const tested_backend&) {
        const auto [counts, edges] =
            histogram<float>(ones<std::int8_t>({16'777'219}), {.bins = array<double>{0, 0.5, 2}});
        check(counts, array<float>{0, 16'777'220});
        const auto [dense, ends] = histogram<half>(arange<float>(200'000) / 200'000.0f, {.bins = 2, .density = true});
        check(dense, array<half>{half(1.0f), half(1.0f)});
    });
}

TEST_CASE("medians of the greatest halves are between them") {
    on_every_backend([](const tested_backend&) {
        const float a = 65504, b = 65472;
        const float middle = float(median(array<half>{half(a), half(b)}).item());
        CHECK(middle >= b);
        CHECK(middle <= a);
        CHECK(float(nanmedian(array<half>{half(a), half(b)}).item()) == middle);
    });
}

TEST_CASE("numbers are counted with weights as NumPy counts them") {
    on_every_backend([](const tested_backend&) {
        const array<int> i{1, 0, 3, 1};
        check(bincount<double>(i, {.weights = array<double>{0.5, 2, 3, 0.25}}), array<double>{2, 0.75, 0, 3});
        check(bincount<double>(i(slice(2)), {.minlength = 4, .weights = array<float>{1, 2}}),
              array<double>{2, 1, 0, 0});
        check(bincount(i, 5), array<std::int64_t>{1, 2, 0, 1, 0});
        check(bincount<double>(zeros<int>({0}), {.weights = zeros({0})}), zeros({0}));
        check(bincount(i, {}), array<std::int64_t>{1, 2, 0, 1});
        check(bincount(i, {.minlength = 5}), array<std::int64_t>{1, 2, 0, 1, 0});
        const array<float> w{0.5f, 2, 3, 0.25f};
        check(bincount(i, {.weights = w}), array<double>{2, 0.75, 0, 3});
        check(bincount(i, {.minlength = 5, .weights = w}), array<double>{2, 0.75, 0, 3, 0});
        check(bincount(i, w), array<double>{2, 0.75, 0, 3});
        check(bincount(i, 2 * w, 5), array<double>{4, 1.5, 0, 6, 0});
        check(bincount<float>(i, w), array<float>{2, 0.75f, 0, 3});
        check(bincount(i, i), array<double>{0, 2, 0, 3});
        check(bincount<std::int64_t>(i, i), array<std::int64_t>{0, 2, 0, 3});
        bincount_options kept{.minlength = 5};
        check(bincount(i, kept), array<std::int64_t>{1, 2, 0, 1, 0});
        kept.weights = w;
        check(bincount<double>(i, kept), array<double>{2, 0.75, 0, 3, 0});
        CHECK_THROWS_AS(bincount<std::int64_t>(i, {.weights = array<double>{1, 2, 3, 4}}), type_error);
        CHECK_THROWS_WITH_AS(
            bincount(i, array<std::complex<float>>{1, 2, 3, 4}),
            "[bincount] sums of weights of complex64 are no float64: write bincount<std::complex<double>>", type_error);
        CHECK_THROWS_AS(bincount<double>(i, {.weights = array<double>{1}}), shape_error);
        CHECK_THROWS_AS(bincount(array<int>{-1}), value_error);
    });
}
