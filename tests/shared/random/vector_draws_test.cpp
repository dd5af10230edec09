// Random vectors and rarer distributions: sums, moments within bounds, shapes, parameters that are arrays or wrong.
#include "support/backends.hpp"
#include "support/expected.hpp"

#include <cmath>
#include <sinter/sinter.hpp>

using namespace sinter;
using namespace test_backends;
using random::generator;

namespace {

/// Whether the mean of each column lies within four standard errors of what is expected.
void check_means(const array<double>& x, const array<double>& mean, const array<double>& variance) {
    const double n = static_cast<double>(x.shape(0));
    const array<double> away = abs(sinter::mean(x, 0) - mean) / sqrt(variance / n);
    CHECK(max(away).item() < 4.5);
    const array<double> ratio = var(x, 0) / variance;
    CHECK(max(abs(ratio - 1)).item() < 0.1);
}

}  // namespace

TEST_CASE("shares of dirichlet sum up to one and have their means and variances, also for small weights") {
    on_every_backend([](const tested_backend& b) {
        const std::int64_t n = b.is_host() ? 40'000 : 10'000;
        generator g(5);
        for (const array<double>& alpha : {array<double>{0.3, 2, 5}, array<double>{20, 1, 1, 9}}) {
            const array<double> x = g.dirichlet(alpha, {n});
            CHECK(x.shape() == dims(n, alpha.size()));
            CHECK(max(abs(sum(x, 1) - 1)).item() < 1e-14);
            const double whole = sum(alpha).item();
            check_means(x, alpha / whole, alpha * (whole - alpha) / (whole * whole * (whole + 1)));
        }
        const array<float> small = g.dirichlet<float>(array<double>{1e-3, 1e-3, 1e-3}, {100});
        CHECK(all(isfinite(small)).item());
        CHECK(g.dirichlet(array<double>{4}, {2}).shape() == dims(2, 1));
        CHECK(g.dirichlet(array<double>{4, 5}).shape() == dims(2));
        CHECK_THROWS_AS(g.dirichlet(ones({2, 2})), shape_error);
        expected::check(g.dirichlet(array<double>{0, 2}), array<double>{0, 1});
        expected::check(g.dirichlet(array<double>{0, 2, 0}, {3}), broadcast_to(array<double>{0, 1, 0}, {3, 3}));
        expected::check(g.dirichlet(array<double>{0, 0}), array<double>{0, 0});
        CHECK(all(isnan(g.dirichlet(array<double>{-1}, {2}))).item());
        CHECK(all(isnan(g.dirichlet(array<double>{3, 1, -1}, {2}))).item());
        const array<double> shares = g.dirichlet(array<double>{2, 3}, {n})(all, 0), next = g.standard_gamma(3.0, {n});
        CHECK(std::abs(corrcoef(shares, next).item(0, 1)) < 0.05);
    });
}

TEST_CASE("counts of multinomial sum up to n and have their means and variances") {
    on_every_backend([](const tested_backend& b) {
        const std::int64_t n = b.is_host() ? 40'000 : 10'000;
        generator g(6);
        const array<double> p{0.2, 0.5, 0, 0.3};
        const array<std::int64_t> x = g.multinomial(30, p, {n});
        CHECK(x.shape() == dims(n, 4));
        CHECK(all(sum(x, 1) == 30).item());
        const array<double> some = take(p, {0, 1, 3});
        check_means(take(astype<double>(x), {0, 1, 3}, 1), 30 * some, 30 * some * (1 - some));
        CHECK(max(x(all, 2)).item() == 0);
        const array<std::int64_t> each = g.multinomial(array<int>{1, 7, 0}, p);
        CHECK(each.shape() == dims(3, 4));
        CHECK(array_equal(sum(each, 1), array<std::int64_t>{1, 7, 0}));
        CHECK(g.multinomial(5, array<double>{{1, 0}, {0, 1}}).item(1, 1) == 5);
        CHECK_THROWS_AS(g.multinomial(-1, p), value_error);
        CHECK_THROWS_AS(g.multinomial(1, zeros({0})), shape_error);
    });
}

TEST_CASE("counts of multinomial are -1 where an array holds no probabilities or a negative number of trials") {
    on_every_backend([](const tested_backend&) {
        generator g(5);
        const double none_at_all = std::numeric_limits<double>::quiet_NaN();
        const array<double> p{{0.5, 0.5}, {-0.1, 1.1}, {none_at_all, 1}, {1.1, -0.1}};
        const array<std::int64_t> x = g.multinomial(5, p);
        CHECK(sum(x(0)).item() == 5);
        CHECK(array_equal(x(slice(1, none)), full<std::int64_t>({3, 2}, -1)));
        const array<std::int64_t> each = g.multinomial(array<int>{-1, 4}, array<double>{0.25, 0.75});
        CHECK(array_equal(each(0), array<std::int64_t>{-1, -1}));
        CHECK(sum(each(1)).item() == 4);
    });
}

TEST_CASE("colours of multivariate_hypergeometric are drawn without replacement") {
    on_every_backend([](const tested_backend&) {
        generator g(7);
        const array<int> colors{8, 3, 15};
        const array<std::int64_t> x = g.multivariate_hypergeometric(colors, 9, {10'000});
        CHECK(all(sum(x, 1) == 9).item());
        CHECK(all(x <= colors).item());
        const array<double> share = astype<double>(colors) / 26.0;
        check_means(astype<double>(x), 9 * share, 9 * share * (1 - share) * (17 / 25.0));
        CHECK(array_equal(g.multivariate_hypergeometric(colors, 26), colors));
        CHECK_THROWS_AS(g.multivariate_hypergeometric(colors, -1), value_error);
        using whole = array<std::int64_t>;
        for (const whole& wrong : {whole{8, 3, 15}, whole{90, -1, 15}, whole{2'000'000'000, 1, 1}})
            expected::check(g.multivariate_hypergeometric(wrong, 27, {2}), full<std::int64_t>({2, 3}, -1));
        expected::check(g.multivariate_hypergeometric(whole{4}, 5), whole{-1});
        expected::check(g.multivariate_hypergeometric(whole{4}, 4), whole{4});
    });
}

TEST_CASE("permuted orders each slice in its own way and keeps its elements") {
    on_every_backend([](const tested_backend&) {
        generator g(8);
        const array<std::int64_t> x = reshape(arange(60), {3, 20});
        const array<std::int64_t> y = g.permuted(x, 1), z = g.permuted(x);
        CHECK(array_equal(sort(y, 1), x));
        CHECK_FALSE(array_equal(y(0) + 20, y(1)));
        CHECK(array_equal(reshape(sort(ravel(z)), {3, 20}), x));
        CHECK_FALSE(array_equal(sort(z, 1), x));
        CHECK_THROWS_AS(g.permuted(x, 2), index_error);
    });
}

TEST_CASE("rarer distributions refuse wrong parameters, and mark where arrays hold them") {
    on_every_backend([](const tested_backend&) {
        generator g(9);
        CHECK_THROWS_AS(g.power(0), value_error);
        CHECK_THROWS_AS(g.vonmises(0, -1), value_error);
        CHECK_THROWS_AS(g.wald(0, 1), value_error);
        CHECK_THROWS_AS(g.f(0, 1), value_error);
        CHECK_THROWS_AS(g.noncentral_chisquare(1, -1), value_error);
        CHECK_THROWS_AS(g.negative_binomial(2, 0), value_error);
        CHECK_THROWS_WITH_AS(g.hypergeometric(2, 3, 6), "[hypergeometric] nsample is above ngood + nbad: 6",
                             value_error);
        CHECK_THROWS_WITH_AS(g.hypergeometric(3'000'000'000, 1, 1),
                             "[hypergeometric] ngood + nbad is not below 2e9: 3000000000 and 1", value_error);
        const array<double> df{-1, 2, 2}, nonc{1, -1, 1};
        for (const array<double>& x : {g.noncentral_chisquare(df, nonc), g.noncentral_f(df, 3, nonc)})
            expected::check(isnan(x), array<bool>{true, true, false});
        CHECK(isnan(g.noncentral_chisquare(2, nonc)).item(1));
        CHECK_THROWS_AS(g.zipf(1), value_error);
        CHECK_THROWS_AS(g.logseries(1), value_error);
        CHECK(isnan(g.wald(array<double>{-1, 1}, 1)).item(0));
        CHECK(isnan(g.vonmises(0, array<double>{-1, 1})).item(0));
        CHECK(g.zipf(array<double>{0.5, 2}).item(0) == -1);
        CHECK(g.hypergeometric(array<int>{2, 20}, 3, 6).item(0) == -1);
        CHECK(g.negative_binomial(array<double>{3, 3}, array<double>{2, 0.5}).item(0) == -1);
        CHECK(max(abs(g.vonmises(3, 0.5, {1000}))).item() <= pi);
        CHECK(max(g.hypergeometric(0, 5, 3, {9})).item() == 0);
        CHECK(min(g.hypergeometric(5, 0, 3, {9})).item() == 3);
    });
}
