// Normal vectors: their means and covariances, the same on every backend, and covariances that are none.
#include <sinter/sinter.hpp>

#include "support/backends.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

const array<double>& covariance() {
    static const array<double>& c = *new array<double>{{2, 0.6, -0.4}, {0.6, 1, 0.2}, {-0.4, 0.2, 0.5}};
    return c;
}

}  // namespace

TEST_CASE("multivariate_normal: means and covariances are those asked for, by each method and in each type") {
    on_every_backend([](const tested_backend& b) {
        array<double> mean_of{1, -2, 3}, cov = covariance().to(b.is_cuda() ? device::cuda(0) : device::cpu());
        const std::int64_t n = b.is_interpreter() ? 20'000 : 200'000;
        const double bound = 6 / std::sqrt(static_cast<double>(n));
        for (const char* method : {"svd", "eigh", "cholesky"}) {
            CAPTURE(method);
            random::generator g(8);
            array<double> x = g.multivariate_normal(mean_of, cov, {n}, {.method = method});
            array<float> single = g.multivariate_normal<float>(mean_of, cov, {n}, {.method = method});
            CHECK(x.shape() == dims(n, 3));
            for (const array<double>& y : {x, array<double>(astype<double>(single))}) {
                array<double> away = y - mean(y, 0);
                CHECK(allclose(mean(y, 0), mean_of, 0, 2 * bound));
                CHECK(allclose(matmul(away.T(), away) / static_cast<double>(n), cov, 0, 3 * bound));
            }
        }
    });
}

TEST_CASE("multivariate_normal: the numbers are the root of the covariance times those of standard_normal") {
    on_every_backend([](const tested_backend&) {
        array<double> mean_of{1, -2, 3}, cov = covariance() * 1.0;
        random::generator g(9), h(9);
        array<double> z = h.standard_normal({5, 2, 3}), l = linalg::cholesky(cov);
        CHECK(allclose(g.multivariate_normal(mean_of, cov, {5, 2}, {.method = "cholesky"}), matmul(z, l.T()) + mean_of,
                       0, 1e-12));
        // Of two roots the symmetric one, whose signs no library chooses.
        array<double> y = random::generator(9).multivariate_normal(mean_of, cov, {5, 2}),
                      e = random::generator(9).multivariate_normal(mean_of, cov, {5, 2}, {.method = "eigh"});
        CHECK(allclose(y, e, 0, 1e-12));
        // scipy.linalg.sqrtm
        array<double> root{{1.3698093837273646, 0.2743324958214189, -0.2199180165171784},
                           {0.27433249582141866, 0.947766759029421, 0.1627263107652205},
                           {-0.21991801651717824, 0.16272631076522054, 0.6520400400250669}};
        CHECK(allclose(y, matmul(z, root) + mean_of, 0, 1e-12));
        random::seed(9);
        CHECK(array_equal(random::multivariate_normal(mean_of, cov, {5, 2}), y));
        CHECK(random::multivariate_normal(mean_of, cov).shape() == dims(3));
        CHECK(random::multivariate_normal(mean_of, cov, {0, 2}).eval().shape() == dims(0, 2, 3));
    });
}

TEST_CASE("multivariate_normal: a semidefinite covariance draws from its subspace, others are refused") {
    on_every_backend([](const tested_backend&) {
        array<double> zero = zeros({2}), flat = ones({2, 2}), wrong{{1, 2}, {2, 1}}, skew{{1, 0.5}, {0, 1}};
        array<double> x = random::multivariate_normal(zero, flat, {100});
        const auto& part = std::as_const(x);
        CHECK(allclose(part(all, 0), part(all, 1), 0, 1e-7));
        CHECK(double(max(abs(x))) > 0.5);
        CHECK_THROWS_WITH_AS(random::multivariate_normal(zero, wrong),
                             "[multivariate_normal] the covariance is not symmetric and positive semidefinite",
                             value_error);
        CHECK_THROWS_AS(random::multivariate_normal(zero, skew), value_error);
        CHECK_THROWS_AS(random::multivariate_normal(zero, wrong, {}, {.method = "eigh"}), value_error);
        CHECK_NOTHROW(random::multivariate_normal(zero, wrong, {3}, {.check_valid = "ignore"}).eval());
        array<double> later = random::multivariate_normal(zero, wrong, {3}, {.method = "cholesky"});
        CHECK_THROWS_AS(later.item(0, 0), linalg_error);
    });
}

TEST_CASE("multivariate_normal: shapes and names that do not fit are refused") {
    array<double> m = zeros({3}), c = eye(3);
    CHECK_THROWS_WITH_AS(random::multivariate_normal(zeros({2}), c),
                         "[multivariate_normal] mean and covariance have different lengths: (2,) and (3, 3)",
                         shape_error);
    CHECK_THROWS_AS(random::multivariate_normal(c, c), shape_error);
    CHECK_THROWS_AS(random::multivariate_normal(m, zeros({3, 2})), shape_error);
    CHECK_THROWS_AS(random::multivariate_normal(m, m), shape_error);
    CHECK_THROWS_AS(random::multivariate_normal(m, c, {2}, {.method = "qr"}), value_error);
    CHECK_THROWS_AS(random::multivariate_normal(m, c, {2}, {.check_valid = "warn"}), value_error);
}
