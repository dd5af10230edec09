// Reductions that pass over NaN and the softmax family against NumPy and SciPy: types, axes, empty and single arrays.
#include "support/backends.hpp"
#include "support/expected.hpp"

#include <complex>
#include <sinter/sinter.hpp>

using namespace sinter;
using namespace test_backends;
using expected::check;
using expected::check_stays;
using expected::missing;

namespace {

array<double> holes() { return {{1, missing, 3}, {missing, missing, missing}, {-2, 0.5, inf}}; }

}  // namespace

TEST_CASE("sums and products take NaN for zero and for one") {
    on_every_backend([](const tested_backend&) {
        check(nansum(holes(), 1), array<double>{4, 0, inf});
        check(nansum(holes(), 0, keepdims), array<double>{{-1, 0.5, inf}});
        check(nansum(holes()(slice(2), all)), full({}, 4.0));
        check(nanprod(holes(), -1), array<double>{3, 1, -inf});
        check(nanprod(holes()(slice(2), all), {0, 1}), full({}, 3.0));
        check(nansum(array<float>{1.5f, float(missing)}), full({}, 1.5f));
        check(nansum<double>(array<float>{1.5f, float(missing)}), full({}, 1.5));
        check(nansum(array<std::int8_t>{100, 100}), full({}, std::int64_t{200}));
        check(nanprod(array<bool>{true, false}), full({}, std::int64_t{0}));
        check(nansum(array<half>{half(1.5f), half(float(missing))}), full({}, half(1.5f)));
        using complex = std::complex<double>;
        check(nansum(array<complex>{complex(1, 2), complex(missing, 1), complex(3, missing)}), full({}, complex(1, 2)));
        check(nanprod(array<complex>{complex(1, 2), complex(missing, 1)}), full({}, complex(1, 2)));
        check(nansum(zeros({0, 3}), 0), zeros({3}));
        check(nanprod(zeros({0})), full({}, 1.0));
        check(nansum(full({}, missing)), full({}, 0.0));
        CHECK_THROWS_AS(nansum(holes(), 2), index_error);
    });
}

TEST_CASE("means and variances are those of the elements that are not NaN") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{{1, missing, 3, 8},
                              {missing, missing, missing, missing},
                              {-2, 0.5, missing, missing},
                              {missing, 7, missing, missing}};
        check(nanmean(x, 1), array<double>{4, missing, -0.75, 7});
        check(nanmean(x), full({}, 2.9166666666666665));
        check(nanvar(x, 1), array<double>{8.666666666666666, missing, 1.5625, 0});
        check(nanvar(x, 1, {.ddof = 1}), array<double>{13, missing, 3.125, missing});
        check(nanstd(x, 0, keepdims), array<double>{{1.5, 3.25, 0, 0}});
        check(nanstd(x, {0, 1}), full({}, 3.5639007967238494), 1e-15);
        check(nanmean(astype<float>(x), 1), array<float>{4, float(missing), -0.75f, 7}, 1e-7);
        check(nanmean(array<int>{1, 2}), full({}, 1.5));
        check(nanvar(array<int>{1, 2}, {.ddof = 1}), full({}, 0.5));
        check(nanmean(array<half>{half(1.5f), half(float(missing)), half(2.5f)}), full({}, half(2.0f)));
        using complex = std::complex<double>;
        const array<complex> z{complex(1, 2), complex(missing, 1), complex(3, -1)};
        check(nanmean(z), full({}, complex(2, 0.5)));
        check(nanvar(z), full({}, 3.25));
        check(nanstd(z, 0, keepdims, {.ddof = 1}), array<double>{2.5495097567963922});
        check(nanmean(zeros({0})), full({}, missing));
        check(nanvar(zeros({2, 0}), 1), array<double>{missing, missing});
        check(nanmean(x * 2 - 1, -1), array<double>{7, missing, -2.5, 13});
    });
}

TEST_CASE("softmax, its logarithm and logsumexp are SciPy's") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{{1, 2, 3}, {1000, 1000, -inf}};
        check(softmax(x, 1),
              array<double>{{0.09003057317038046, 0.24472847105479764, 0.6652409557748219}, {0.5, 0.5, 0}});
        check(softmax(x(0)), array<double>{0.09003057317038046, 0.24472847105479764, 0.6652409557748219});
        check(softmax(x(slice(1), all), {0, 1}),
              array<double>{{0.09003057317038046, 0.24472847105479764, 0.6652409557748219}});
        check(log_softmax(x, -1), array<double>{{-2.4076059644443806, -1.4076059644443804, -0.4076059644443804},
                                                {-0.6931471805599453, -0.6931471805599453, -inf}});
        check(logsumexp(x, 1), array<double>{3.40760596444438, 1000.6931471805599});
        check(logsumexp(x, 1, keepdims), array<double>{{3.40760596444438}, {1000.6931471805599}});
        check(logsumexp(x), full({}, 1000.6931471805599));
        check(logsumexp(array<double>{-inf, -inf}), full({}, -inf));
        check(logsumexp(array<double>{1, inf}), full({}, inf));
        check(logsumexp(array<double>{1, missing}), full({}, missing));
        check(logsumexp(zeros({2, 0}), 1), array<double>{-inf, -inf});
        check(logsumexp(full({}, 2.0)), full({}, 2.0));
        check(softmax(array<int>{0, 0}), array<double>{0.5, 0.5});
        check(softmax(array<float>{0, 1}), array<float>{0.26894143f, 0.7310586f}, 1e-6);
        check(log_softmax(array<double>{missing, 1}), array<double>{missing, missing});
        check(softmax(zeros({0, 3}), 1), zeros({0, 3}));
        CHECK_THROWS_AS(softmax(zeros({0})), value_error);
        CHECK_THROWS_AS(softmax(x, 2), index_error);
    });
}

TEST_CASE("reductions that pass over NaN are one kernel, and nothing goes by way of the host") {
    on_every_backend([](const tested_backend& b) {
        const array<float> x = random::normal<float>(0, 1, {37, 67}).eval();
        check_stays([&] { return nanmean(x, 1); });
        check_stays([&] { return nanvar(x); });
        check_stays([&] { return logsumexp(x, 0); });
        check_stays([&] { return log_softmax(x, 1); });
        if (!b.compiles()) return;
        for (auto f : {+[](const array<float>& a) { return array<float>(nansum(a, 1)); },
                       +[](const array<float>& a) { return array<float>(nanmean(a, 1)); },
                       +[](const array<float>& a) { return array<float>(softmax(a, 1)); },
                       +[](const array<float>& a) { return array<float>(log_softmax(a, 1)); },
                       +[](const array<float>& a) { return array<float>(logsumexp(a, 1)); }}) {
            reset_counters();
            f(x).eval();
            CHECK(counters().launches == 1);
        }
    });
}
