// Tridiagonal equations against SciPy, beside dense ones, by LAPACK's ratio, and where they fail.
#include "support/backends.hpp"
#include "support/linalg_golden.hpp"

using namespace sinter;
using namespace test_backends;
using linalg_golden::failure_of;
using linalg_golden::for_each_type;
using linalg_golden::matrix;

namespace {

/// The matrices of three diagonals.
template <class T>
array<T> dense(const array<T>& lower, const array<T>& diagonal, const array<T>& upper) {
    const std::int64_t n = diagonal.shape(-1);
    array<T> a = eye<T>(n) * diagonal(ellipsis, newaxis, all);
    if (n == 1) return a;
    a(ellipsis, slice(1, none), slice(none, -1)) += eye<T>(n - 1) * lower(ellipsis, newaxis, all);
    a(ellipsis, slice(none, -1), slice(1, none)) += eye<T>(n - 1) * upper(ellipsis, newaxis, all);
    return a;
}

template <class T>
array<T> draw(const dims& shape) {
    return astype<T>(random::standard_normal(shape));
}

}  // namespace

TEST_CASE("solve_tridiagonal: stacks with one and several right-hand sides are SciPy's, rows being exchanged") {
    on_every_backend([](const tested_backend&) {
        for_each_type([]<class T>(T) {
            for (int n : {1, 2, 3, 31, 33}) {
                auto part = [&](const char* name) {
                    return matrix<T>("tridiagonal " + std::string(name) + " " + std::to_string(n));
                };
                const array<T> l = part("lower"), d = part("diagonal"), u = part("upper"), b = part("b"), c = part("c");
                const std::string size = std::to_string(n);
                linalg_golden::check<T>("tridiagonal x " + size, linalg::solve_tridiagonal(l, d, u, b), 1e-4, 1e-12);
                linalg_golden::check<T>("tridiagonal y " + size, linalg::solve_tridiagonal(l, d, u, c), 1e-4, 1e-12);
                // As pyhpc-benchmarks and cuSPARSE give them: what lies outside of the matrix is not read.
                array<T> nothing = full<T>({3, 1}, std::numeric_limits<linalg::detail::real_part<T>>::quiet_NaN());
                linalg_golden::check<T>("tridiagonal x " + size,
                                        linalg::solve_tridiagonal(concatenate(std::tuple(nothing, l), 1), d,
                                                                  concatenate(std::tuple(u, nothing), 1), b),
                                        1e-4, 1e-12);
            }
        });
    });
}

TEST_CASE("solve_tridiagonal: residuals are within LAPACK's ratio, whatever the sizes, scales and layouts") {
    on_every_backend([](const tested_backend&) {
        random::seed(4);
        for_each_type([]<class T>(T) {
            using R = linalg::detail::real_part<T>;
            const double eps = std::numeric_limits<R>::epsilon();
            for (std::int64_t n : {1, 2, 5, 10, 50, 129, 1000})
                for (double scale : {1.0, std::sqrt(static_cast<double>(std::numeric_limits<R>::max())) / 1e6, 1e-15}) {
                    CAPTURE(n);
                    CAPTURE(scale);
                    const std::int64_t count = n > 100 ? 2 : 70;
                    const R s = static_cast<R>(scale);
                    array<T> l = draw<T>({count, n - 1}) * s, u = draw<T>({n - 1, count}).T() * s;
                    array<T> d = array<T>(draw<T>({count, n}) * s)(all, slice(none, none, -1)),
                             b = draw<T>({2, 1, n, 3});
                    array<T> x = linalg::solve_tridiagonal(l, d, u, b(all, all, slice(none, none, -1)));
                    CHECK(x.shape() == dims(2, count, n, 3));
                    using W = detail::wide_type<T>;
                    array<W> wl = astype<W>(l), wd = astype<W>(d), wu = astype<W>(u), y = astype<W>(x);
                    array<W> product = wd(all, all, newaxis) * y;
                    if (n > 1) {
                        product(all, all, slice(1, none)) +=
                            wl(all, all, newaxis) * std::as_const(y)(all, all, slice(none, -1));
                        product(all, all, slice(none, -1)) +=
                            wu(all, all, newaxis) * std::as_const(y)(all, all, slice(1, none));
                    }
                    array<W> residual = product - astype<W>(array<T>(b(all, all, slice(none, none, -1))));
                    array<double> size = max(abs(wd), -1) * 3;
                    array<double> ratio = max(max(abs(residual), {0, 3}), -1) / (size * max(abs(y), {0, 2, 3}) * eps);
                    CHECK(double(max(ratio)) < 30);
                }
        });
    });
}

TEST_CASE("solve_tridiagonal: one matrix for many, one side for many matrices, integers, and nothing at all") {
    on_every_backend([](const tested_backend&) {
        random::seed(5);
        array<double> l = draw<double>({6}), d = draw<double>({7}), u = draw<double>({6}),
                      b = draw<double>({3, 4, 7, 2});
        CHECK(allclose(linalg::solve_tridiagonal(l, d, u, b), linalg::solve(dense(l, d, u), b), 1e-9));
        array<double> many = draw<double>({3, 4, 7}), v = draw<double>({7}), w = draw<double>({4, 7});
        CHECK(allclose(linalg::solve_tridiagonal(l, many, u, v),
                       linalg::solve(dense(l, many, u), reshape(v, {7, 1}))(ellipsis, 0), 1e-9));
        CHECK(allclose(linalg::solve_tridiagonal(l, many, u, w),
                       linalg::solve(dense(l, many, u), reshape(w, {4, 7, 1}))(ellipsis, 0), 1e-9));
        array<double> x = linalg::solve_tridiagonal(array{1, 1}, array{2, 2, 2}, array{1, 1}, array{4, 8, 8});
        CHECK(allclose(x, array<double>{1, 2, 3}));
        CHECK(linalg::solve_tridiagonal(zeros({0}), zeros({0}), zeros({0}), zeros({0})).eval().shape() == dims(0));
        CHECK(linalg::solve_tridiagonal(zeros({0, 2}), ones({0, 3}), zeros({2}), zeros({0, 3})).eval().shape() ==
              dims(0, 3));
        CHECK(linalg::solve_tridiagonal(zeros({2}), ones({3}), zeros({2}), zeros({3, 0})).eval().shape() == dims(3, 0));
        CHECK(array_equal(linalg::solve_tridiagonal(zeros({0}), array{4.0}, zeros({0}), array{2.0}), array{0.5}));
    });
}

TEST_CASE("solve_tridiagonal: a singular matrix is thrown where the value is read, naming it and its pivot") {
    on_every_backend([](const tested_backend&) {
        array<double> d = ones({2, 300, 5}), none = zeros({4});
        d(1, 250, 3) = 0;
        d(1, 251, 1) = 0;
        CHECK(failure_of(linalg::solve_tridiagonal(none, d, none, ones({5}))) ==
              "[solve_tridiagonal] matrix (1, 250) is singular: pivot 4 is zero");
        CHECK(failure_of(linalg::solve_tridiagonal(zeros({1}), array{1.0, 0.0}, zeros({1}), ones({2}))) ==
              "[solve_tridiagonal] the matrix is singular: pivot 2 is zero");
        CHECK(failure_of(linalg::solve_tridiagonal(ones({1}), zeros({2}), ones({1}), ones({2}))) == "none");
        array<double> bad = linalg::solve_tridiagonal(none, d, none, ones({5})), good = ones({3}) + 1;
        for (int i = 0; i < 2; ++i) CHECK_THROWS_AS(sum(bad + 1).item(), linalg_error);
        CHECK(good.item(0) == 2);
    });
}

TEST_CASE("solve_tridiagonal: shapes that do not fit are refused when they are written") {
    array<double> d = ones({2, 5}), s = zeros({4});
    CHECK_THROWS_WITH_AS(linalg::solve_tridiagonal(zeros({3}), d, s, ones({5})),
                         "[solve_tridiagonal] lower of shape (3,) does not fit a diagonal of 5", shape_error);
    CHECK_THROWS_AS(linalg::solve_tridiagonal(s, d, zeros({6}), ones({5})), shape_error);
    CHECK_THROWS_WITH_AS(linalg::solve_tridiagonal(s, d, s, ones({4})),
                         "[solve_tridiagonal] shapes do not fit: a diagonal of (2, 5) and a right-hand side of (4,)",
                         shape_error);
    CHECK_THROWS_AS(linalg::solve_tridiagonal(s, d, s, ones({3, 5})), shape_error);
    CHECK_THROWS_AS(linalg::solve_tridiagonal(zeros({3, 4}), d, s, ones({5})), shape_error);
    CHECK_THROWS_AS(linalg::solve_tridiagonal(s, sum(d), s, ones({5})), shape_error);
}

TEST_CASE("solve_tridiagonal: a stack is one call, and what is read of its operands alone is computed beside it") {
    on_compiling_backends([](const tested_backend& b) {
        array<double> d = (random::random({1000, 8}) + 4.0).eval(), s = random::random({1000, 7}).eval(),
                      r = random::random({1000, 8}).eval();
        const auto before = counters();
        linalg::solve_tridiagonal(s, d, s, r).eval();
        CHECK(counters().library_calls - before.library_calls == (b.is_cuda() ? 0 : 1));
        CHECK(explain(linalg::solve_tridiagonal(s, d, s, r)).library_calls() == 1);
        CHECK(explain(linalg::solve_tridiagonal(s, d, s, r)).kernels() <= 1);
    });
}
