// Standard scores, standard errors, skewness and kurtosis against SciPy's values.
#include <sinter/sinter.hpp>
#include <sinter/special.hpp>

#include "support/backends.hpp"
#include "support/expected.hpp"

using namespace sinter;
using namespace test_backends;
using expected::check_stays;
using expected::missing;

namespace {

template <class T>
void check(const array<T>& x, const array<T>& wanted) {
    CHECK(allclose(x, wanted, {.rtol = 1e-13, .atol = 1e-15, .equal_nan = true}));
}

}  // namespace

TEST_CASE(
    "moments of samples are SciPy's along each axis, corrected for their size or not, and NaN where all are alike") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{{1, 5, 2.5, -3}, {7, 3, 4, -3}, {2, 2, 9, -3}, {0.5, 1, -4, -3}, {6, 3, 1, -3}};
        check(array<double>(stats::zscore(x)(0)), {-0.8595503566647261, 1.6583123951777, 0, missing});
        check(array<double>(stats::zscore(x, -1, {.ddof = 1})(1)),
              {1.0135340077343844, 0.05961964751378732, 0.2980982375689366, -1.3712518928171085});
        check(stats::sem(x), {1.3379088160259651, 0.6633249580710799, 2.1095023109728985, 0});
        check(stats::sem(x, 1, {.ddof = 0}),
              {1.4510233457804875, 1.8157298807917437, 2.1360009363293826, 1.0807260291119114, 1.6345871038277526});
        check(stats::skew(x), {0.3551360594332523, 0.37003665016361936, 0, missing});
        check(stats::skew(x, 1, {.bias = false}), {-0.6153850450933204, -1.0070351835978104, 0.5998326317847491,
                                                   -0.10251213329499251, -0.3578561105052925});
        check(stats::kurtosis(x), {-1.7014060110483444, -0.7830578512396698, -0.7400265118040656, missing});
        check(stats::kurtosis(x, 0, {.fisher = false}),
              {1.2985939889516556, 2.2169421487603302, 2.2599734881959344, missing});
        check(stats::kurtosis(x, 1, {.bias = false}),
              {0.7925210225766808, 1.8293389636351378, 1.7012572715331213, -5.027192089573942, 0.25730994152046804});
        check_stays([&] { return stats::skew(x * 2); });
        check_stays([&] { return stats::zscore(x * 2, 1); });
    });
}

TEST_CASE("moments of few, alike, missing and whole numbers are SciPy's") {
    on_every_backend([](const tested_backend&) {
        const array<double> alike{0.1, 0.1, 0.1}, gap{1, missing, 2};
        check(stats::zscore(alike), {missing, missing, missing});
        check(stats::zscore(gap), {missing, missing, missing});
        const array<float> near{1e6f, 1e6f, 1e6f + 0.0625f};
        const array<float> scores = stats::zscore(near);
        CHECK(std::abs(float(scores(0)) + 0.70710677f) < 1e-6f);
        CHECK(std::abs(float(scores(2)) - 1.4142135f) < 1e-6f);
        for (const array<double>& v : {stats::skew(alike), stats::kurtosis(alike), stats::skew(gap),
                                       stats::kurtosis(gap), stats::skew(zeros({0})), stats::sem(array<double>{3})})
            CHECK(std::isnan(v.item()));
        static_assert(std::same_as<decltype(stats::skew(array<float>())), array<float>>);
        static_assert(std::same_as<decltype(stats::kurtosis(array<float>())), array<float>>);
        static_assert(std::same_as<decltype(stats::skew(array<int>())), array<double>>);
        CHECK(stats::kurtosis(array<float>{1, 2, 9}, 0, {.bias = false}).item() == -1.5F);
        CHECK(stats::skew(array<double>{1, 2}).item() == 0);
        CHECK(stats::kurtosis(array<double>{1, 2, 9}, 0, {.bias = false}).item() ==
              doctest::Approx(-1.5).epsilon(1e-14));
        check(stats::zscore(array<int>{{3, 1, 2}, {5, 5, 9}}, 1),
              {{1.224744871391589, -1.224744871391589, 0},
               {-0.7071067811865474, -0.7071067811865474, 1.4142135623730951}});
        CHECK(stats::zscore(array<float>{3, 1, 2}).dtype() == dtype::float32);
        CHECK_THROWS_WITH_AS(stats::skew(gap, 1), doctest::Contains("[skew] axis 1"), index_error);
        CHECK_THROWS_WITH_AS(stats::zscore(gap, 1), doctest::Contains("[zscore] axis 1"), index_error);
    });
}
