// Quantiles from above, logarithms of shares and moments of distributions, options by name, and samples without an
// axis, with SciPy's values.
#include <type_traits>
#include <sinter/sinter.hpp>
#include <sinter/special.hpp>

#include "support/backends.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

using numbers = array<double>;

template <class A>
bool near(const A& a, const numbers& b) {
    return allclose(a, b, 1e-12, 0, true) && array<double>(a).shape() == b.shape();
}

}  // namespace

TEST_CASE("isf is the inverse of sf, also of shares that cdf rounds away") {
    on_every_backend([](const tested_backend&) {
        const numbers p{1e-30, 1e-7, 0.3, 0.875};
        CHECK(near(stats::norm::sf(stats::norm::isf(p, 2, 3), 2, 3), p));
        CHECK(near(stats::t::sf(stats::t::isf(p, 5), 5), p));
        CHECK(near(stats::chi2::sf(stats::chi2::isf(p, 3), 3), p));
        CHECK(near(stats::gamma::sf(stats::gamma::isf(p, 2.5), 2.5), p));
        CHECK(near(stats::expon::sf(stats::expon::isf(p, 1), 1), p));
        CHECK(near(stats::lognorm::sf(stats::lognorm::isf(p, 0.5), 0.5), p));
        CHECK(near(stats::f::sf(stats::f::isf(p, 3, 4), 3, 4), p));
        const numbers few{1e-7, 0.3, 0.875};
        CHECK(near(stats::beta::isf(numbers{1e-10}, 2, 3, 1, 2), numbers{2.9994151536935814}));
        CHECK(near(stats::uniform::isf(few), 1.0 - few));
        CHECK(stats::poisson::isf(0.1, 3.5) == 6);
        CHECK(near(stats::binom::isf(numbers{0.1, 0.9}, 10, 0.3), numbers{5, 1}));
        CHECK(near(stats::norm::isf(numbers{-0.1, 1.5, 0.5}, 0, 1), numbers{constants::nan, constants::nan, 0}));
    });
}

TEST_CASE("logarithms of shares are exact where the shares are near zero and near one") {
    on_every_backend([](const tested_backend&) {
        CHECK(near(stats::norm::logcdf(numbers{-40, -3}), numbers{-804.6084420137539, -6.60772622151035}));
        CHECK(near(stats::norm::logsf(numbers{40, -1}), numbers{-804.6084420137538, -0.1727537790234499}));
        CHECK(allclose(stats::gamma::logcdf(numbers{0.1, 30}, 2.5), numbers{-7.02863697, -1.21545698e-11}, 1e-8, 0));
        CHECK(allclose(stats::binom::logsf(numbers{2}, 10, 0.3), numbers{-0.4825342690570286}, 1e-13, 0));
        CHECK(allclose(numbers{stats::poisson::logcdf(2, 3.5)}, numbers{-1.1367902851895193}, 1e-13, 0));
    });
}

TEST_CASE("means, variances, deviations and medians of distributions are SciPy's") {
    on_every_backend([](const tested_backend&) {
        static_assert(std::is_same_v<decltype(stats::norm::mean()), double>);
        CHECK(stats::norm::mean() == 0);
        CHECK(stats::norm::std(1, 2) == 2);
        CHECK(stats::norm::median(3) == 3);
        CHECK(near(stats::norm::var(numbers{1, 2}, 3), numbers{9, 9}));
        CHECK(near(stats::t::var(numbers{0.5, 1.5, 3}), numbers{constants::nan, constants::inf, 3}));
        CHECK(near(stats::t::mean(numbers{0.5, 5}, 7), numbers{constants::inf, 7}));
        CHECK(near(stats::chi2::std(numbers{4}), numbers{2.8284271247461903}));
        CHECK(near(stats::gamma::mean(numbers{2, -1}, 1, 3), numbers{7, constants::nan}));
        CHECK(near(stats::beta::var(numbers{2}, 3), numbers{0.04}));
        CHECK(near(stats::lognorm::var(numbers{0.5}), numbers{0.3646958540123865}));
        CHECK(near(stats::f::mean(3, numbers{5, 2}), numbers{5 / 3.0, constants::inf}));
        CHECK(near(stats::f::var(3, numbers{5, 4}), numbers{11.11111111111111, constants::inf}));
        CHECK(stats::poisson::std(4) == 2);
        CHECK(near(stats::binom::var(numbers{10}, 0.3), numbers{2.1}));
        CHECK(stats::binom::mean(10, 0.25, 2) == 4.5);
        CHECK(near(stats::gamma::median(numbers{2.5}), numbers{2.175730095547763}));
        CHECK(near(stats::poisson::median(numbers{2.5, 7}), numbers{2, 7}));
        CHECK(stats::uniform::mean(1, 4) == 3);
    });
}

TEST_CASE("loc and scale have their places and their names") {
    on_every_backend([](const tested_backend&) {
        const numbers x{-1, 0.25, 2};
        CHECK(array_equal(stats::norm::pdf(x, {.loc = 1, .scale = 2}), stats::norm::pdf(x, 1, 2)));
        CHECK(array_equal(stats::norm::pdf(x, {.scale = 2}), stats::norm::pdf(x, 0, 2)));
        CHECK(array_equal(stats::t::cdf(x, 3, {.loc = 1}), stats::t::cdf(x, 3, 1, 1)));
        CHECK(array_equal(stats::beta::logpdf(x, 2, 3, {.scale = 4}), stats::beta::logpdf(x, 2, 3, 0, 4)));
        CHECK(array_equal(stats::poisson::pmf(numbers{1, 3}, 2.5, {.loc = 1}),
                          stats::poisson::pmf(numbers{1, 3}, 2.5, 1)));
    });
}

TEST_CASE("factorials, multisets and weighted sums of exponentials are SciPy's") {
    on_every_backend([](const tested_backend&) {
        CHECK(array_equal(special::factorial(array<int>{3, 4, 5, -1, 0}), {6, 24, 120, 0, 1}));
        CHECK(special::factorial(5) == 120);
        CHECK(special::comb(10, 3, {.repetition = true}) == 220);
        CHECK(array_equal(special::comb(array<int>{10, 4}, 3, {.repetition = false}), {120, 4}));
        CHECK(near(logsumexp(arange(10), {.b = arange(10, 0, -1)}), full({}, 9.917017853303467)));
        const numbers x{{1, 2}, {3, constants::inf}}, b{{1, 2}, {3, 0}};
        CHECK(near(logsumexp(x, 1, {.b = b}), numbers{2.861994804058251, 4.09861228866811}));
        CHECK(near(logsumexp(numbers{{1, 2}}, 1, keepdims, {.b = 2}), numbers{{3.006408868078168}}));
    });
}

TEST_CASE("statistics of samples take options without an axis, and all elements as one sample") {
    on_every_backend([](const tested_backend&) {
        const array<int> x{2, 8, 0, 4, 1, 9, 9, 0};
        CHECK(near(stats::kurtosis(x, {.fisher = false}), full({}, 1.3339989247161492)));
        CHECK(near(stats::skew(eye(3), none), full({}, 0.7071067811865479)));
        CHECK(near(stats::sem(reshape(arange(20), {5, 4}), none, {.ddof = 0}), full({}, 1.2893796958227628)));
        const numbers scores{{-1.1832159566199232, -0.50709255283711}, {0.1690308509457033, 1.52127765851133}};
        CHECK(near(stats::zscore(numbers{{1, 2}, {3, 5}}, none), scores));
        CHECK(near(stats::skew(numbers{1, 2, 5}, {.bias = false}), full({}, 1.2933427807333968)));
    });
}
