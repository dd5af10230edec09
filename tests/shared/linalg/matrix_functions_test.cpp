// Norms, conditions, ranks, least squares, powers and exponentials of matrices against NumPy.
#include "support/backends.hpp"
#include "support/linalg_golden.hpp"

using namespace sinter;
using namespace test_backends;
using linalg_golden::matrix;

namespace {

template <class T, expression E>
void check(const std::string& name, const E& e, double scale = 1) {
    linalg_golden::check<T>(name, e, scale * 2e-5, scale * 1e-12);
}

template <class Body>
void for_each_type(Body body) {
    body(float());
    body(double());
    body(std::complex<double>());
}

}  // namespace

TEST_CASE("linalg: norms of every order are NumPy's") {
    on_every_backend([](const tested_backend&) {
        for_each_type([]<class T>(T) {
            auto v = matrix<T>("norm v"), m = matrix<T>("norm m"), s = matrix<T>("norm s");
            const std::pair<const char*, linalg::norm_order> vectors[] = {
                {"None", none}, {"0", 0},    {"1", 1},      {"2", 2},     {"3", 3},
                {"0.5", 0.5},   {"-1", -1.}, {"-2", -2.0f}, {"inf", inf}, {"-inf", -inf}};
            for (const auto& [name, p] : vectors) {
                check<T>(std::string("vector norm ") + name, linalg::norm(v, p));
                check<T>(std::string("vector norm ") + name + " axis", linalg::norm(m, p, 1));
            }
            const std::pair<const char*, linalg::norm_order> matrices[] = {
                {"None", none}, {"fro", "fro"}, {"nuc", "nuc"}, {"1", 1},      {"-1", -1},
                {"2", 2},       {"-2", -2},     {"inf", inf},   {"-inf", -inf}};
            for (const auto& [name, p] : matrices) {
                check<T>(std::string("matrix norm ") + name, linalg::norm(m, p));
                check<T>(std::string("matrix norm ") + name + " axes", linalg::norm(s, p, {2, 0}, keepdims));
            }
            for (const auto& [name, p] : matrices)
                if (p.kind != linalg::norm_order::what::number || p.p > 0)
                    CHECK(array_equal(linalg::norm(zeros<T>({2, 0, 3}), p, {1, 2}), zeros({2})));
            CHECK(linalg::norm(zeros<T>({0}), inf).item() == 0);
            check<T>("norm all", linalg::norm(s));
            check<T>("norm all kept", linalg::norm(s, none, keepdims));
        });
        CHECK_THROWS_AS(linalg::norm(zeros({3, 3}), 3), value_error);
        CHECK_THROWS_AS(linalg::norm(zeros({3, 3, 3}), 1), value_error);
        CHECK_THROWS_AS(linalg::norm(zeros({3}), "fro"), value_error);
        CHECK_THROWS_AS(linalg::norm(zeros({3}), "frobenius"), value_error);
        CHECK_THROWS_AS(linalg::norm(zeros({3, 3}), none, {1, 1}), value_error);
    });
}

TEST_CASE("linalg: conditions, pseudo-inverses and ranks are NumPy's") {
    on_every_backend([](const tested_backend&) {
        for_each_type([]<class T>(T) {
            auto m = matrix<T>("norm m"), s = matrix<T>("norm s"), d = matrix<T>("deficient");
            const std::pair<const char*, linalg::norm_order> orders[] = {{"None", none}, {"1", 1},      {"-1", -1},
                                                                         {"2", 2},       {"-2", -2},    {"inf", inf},
                                                                         {"fro", "fro"}, {"nuc", "nuc"}};
            for (const auto& [name, p] : orders) check<T>(std::string("cond ") + name, linalg::cond(s, p), 10);
            check<T>("pinv", linalg::pinv(m), 10);
            check<T>("pinv stack", linalg::pinv(s), 10);
            check<T>("rank deficient", linalg::matrix_rank(d));
        });
        CHECK_THROWS_WITH_AS(linalg::cond(zeros({2, 0, 0})),
                             "[cond] matrices without elements have no condition: (2, 0, 0)", linalg_error);
        CHECK(linalg::cond(zeros({2, 2})).item() == inf);
        CHECK(linalg::cond(zeros({2, 2}), 1).item() == inf);
        CHECK(array_equal(linalg::cond(stack({ones({2, 2}), eye(2)}), "nuc"), array<double>{inf, 4}));
        CHECK(linalg::matrix_rank(zeros({3})).item() == 0);
        CHECK(linalg::matrix_rank(ones({3, 3})).item() == 1);
        CHECK(linalg::matrix_rank(eye(3) * array<double>{1, 1e-3, 1}, {.tol = 0.1}).item() == 2);
        CHECK(linalg::matrix_rank(zeros({2, 0, 3})).eval().shape() == dims(2));
        const array<double> twice = stack({eye(3) * array<double>{1, 1e-3, 1}, eye(3) * array<double>{1, 1e-3, 4}});
        CHECK(array_equal(linalg::matrix_rank(twice, {.rtol = array<double>{1e-2, 1e-4}}), array<std::int64_t>{2, 3}));
        CHECK(array_equal(linalg::matrix_rank(twice, {.tol = array<float>{1e-4f, 2}}), array<std::int64_t>{3, 1}));
        CHECK(linalg::matrix_rank(twice, {.rtol = array<double>{{0.5}, {0.1}, {0}}}).eval().shape() == dims(3, 2));
        const array<double> inverse = linalg::pinv(twice, {.rcond = array<double>{1e-2, 1e-4}});
        CHECK(inverse.item(0, 1, 1) == 0);
        CHECK(inverse.item(1, 1, 1) == doctest::Approx(1000));
        CHECK_THROWS_WITH_AS(linalg::pinv(twice, {.rcond = std::complex<double>(1)}),
                             "[pinv] a tolerance is complex: complex128", type_error);
        CHECK_THROWS_AS(linalg::matrix_rank(twice, {.tol = array<double>{1, 2, 3}}).eval(), shape_error);
        CHECK(linalg::pinv(zeros({0, 3})).eval().shape() == dims(3, 0));
    });
}

TEST_CASE("linalg: least squares are NumPy's, of matrices without full rank too") {
    on_every_backend([](const tested_backend&) {
        for_each_type([]<class T>(T) {
            auto m = matrix<T>("norm m"), b = matrix<T>("lstsq b"), d = matrix<T>("deficient");
            auto [x, residuals, rank, s] = linalg::lstsq(m, b);
            check<T>("lstsq x", x, 10);
            check<T>("lstsq residuals", residuals, 10);
            CHECK(rank.item() == 3);
            check<T>("lstsq s", s);
            check<T>("lstsq vector", linalg::lstsq(m, std::as_const(b)(all, 0)).x, 10);
            check<T>("lstsq wide", linalg::lstsq(m.T(), std::as_const(b)(slice(3))).x, 10);
            const auto stacked = linalg::lstsq(stack({m, array<T>(2 * m)}), std::as_const(b)(newaxis));
            check<T>("lstsq x", std::as_const(stacked.x)(0), 10);
            check<T>("lstsq x", 2 * std::as_const(stacked.x)(1), 10);
            check<T>("lstsq residuals", std::as_const(stacked.residuals)(1), 10);
            check<T>("lstsq s", std::as_const(stacked.s)(0));
            CHECK(array_equal(stacked.rank, array<std::int64_t>{3, 3}));
            const array<T> same = linalg::lstsq(stack({m, m}), std::as_const(b)(all, 0)).x;
            check<T>("lstsq vector", same(1), 10);
            // Of single precision NumPy takes what is left of the missing rank for a part of the matrix.
            if constexpr (codegen::real_of(dtype_of<T>) == dtype::float64)
                check<T>("lstsq deficient", linalg::lstsq(d, b).x, 10);
        });
        auto refuses = [](const dims& a, const dims& b) {
            const std::string text = "[lstsq] shapes do not fit: " + to_string(a) + " and " + to_string(b);
            CHECK_THROWS_WITH_AS(linalg::lstsq(zeros(a), zeros(b)), text.c_str(), shape_error);
        };
        refuses({3, 2}, {2});
        refuses({3}, {3});
        refuses({3, 2}, {});
        refuses({2, 3, 2}, {3, 3, 2});
        refuses({2, 1, 3, 2}, {3, 4, 3, 2});
        CHECK(linalg::lstsq(ones({2, 1, 3, 2}), ones({4, 3, 5})).x.shape() == dims(2, 4, 2, 5));
        CHECK(linalg::lstsq(ones({1, 3, 2}), ones({4, 3, 5})).residuals.shape() == dims(4, 5));
    });
}

TEST_CASE("linalg: least squares of one matrix are those of a stack with it, which singular values find") {
    on_every_backend([](const tested_backend&) {
        for_each_type([]<class T>(T) {
            random::seed(7);
            const double eps = codegen::real_of(dtype_of<T>) == dtype::float64 ? 0x1p-52 : 0x1p-23;
            const auto drawn = [](const dims& shape) {
                array<T> x = astype<T>(random::normal(0.0, 1.0, shape));
                if constexpr (codegen::is_complex(dtype_of<T>))
                    x = x + astype<T>(random::normal(0.0, 1.0, shape)) * T(0, 1);
                return array<T>(x.eval());
            };
            const array<T> m = drawn({37, 11});
            for (const std::int64_t right : {1, 5, 11, 12})
                for (const double condition : {1.0, 30.0, 1e3, 1e20}) {
                    const array<T> scales = astype<T>(exp(linspace<double>(0, -std::log(condition), 11)));
                    const array<T> a = m * scales, b = drawn({37, right});
                    const auto one = linalg::lstsq(a, b);
                    const auto stacked = linalg::lstsq(array<T>(a(newaxis)), array<T>(b(newaxis)));
                    INFO(std::string(to_string(dtype_of<T>)), " ", right, " right sides, condition ", condition);
                    CHECK(one.rank.item() == stacked.rank.item());
                    const double size = double(max(abs(stacked.x))),
                                 distance = double(max(abs(one.x - std::as_const(stacked.x)(0))));
                    if (one.rank.item() == 11) CHECK(distance <= 100 * condition * eps * size);
                    else CHECK(distance == 0);
                }
            CHECK(linalg::lstsq(zeros<T>({5, 3}), ones<T>({5})).rank.item() == 0);
            CHECK(array_equal(linalg::lstsq(zeros<T>({5, 3}), ones<T>({5})).x, zeros<T>({3})));
            CHECK(double(max(abs(linalg::lstsq(m * T(1e30), m(all, slice(2))).x -
                                 eye<T>(11)(all, slice(2)) * T(1e-30)))) <= 1e3 * eps * 1e-30);
            array<T> hole = m.copy();
            hole(3, 3) = T(constants::nan);
            CHECK_THROWS_WITH_AS(to_vector(linalg::lstsq(hole, m(all, 0)).x),
                                 "[lstsq] the matrix has elements that are not finite", linalg_error);
        });
    });
}

TEST_CASE("linalg: powers, exponentials and chains of products are NumPy's and SciPy's") {
    on_every_backend([](const tested_backend&) {
        for_each_type([]<class T>(T) {
            auto s = matrix<T>("norm s");
            for (int n : {-3, -1, 0, 1, 2, 5, 8})
                check<T>("matrix power " + std::to_string(n), linalg::matrix_power(s, n), 100);
            check<T>("expm", linalg::expm(s), 10);
            check<T>("expm large", linalg::expm(s * T(6)), 100);
        });
        auto i = golden::stored<std::int64_t>("linalg power base");
        golden::check("linalg matrix power integers", linalg::matrix_power(i, 0));
        golden::check("linalg matrix power integers 5", linalg::matrix_power(i, 5));
        CHECK_THROWS_AS(linalg::matrix_power(i, -1), value_error);
        std::vector<array<double>> chain;
        for (int k = 0; k < 4; ++k) chain.push_back(golden::stored<double>("linalg chain " + std::to_string(k)));
        golden::check("linalg multi_dot", linalg::multi_dot(chain), 1e-13);
        golden::check("linalg multi_dot", linalg::multi_dot(chain[0], chain[1], chain[2], chain[3]), 1e-13);
        golden::check("linalg multi_dot", linalg::multi_dot({chain[0], chain[1], chain[2], chain[3]}), 1e-13);
        golden::check(
            "linalg multi_dot vectors",
            linalg::multi_dot(std::as_const(chain[0])(0), chain[1], chain[2], std::as_const(chain[3])(all, 0)), 1e-13);
        CHECK(array_equal(linalg::expm(zeros({2, 2})), eye(2)));
        CHECK_THROWS_AS(linalg::multi_dot(chain[0], chain[2]), shape_error);
    });
}

TEST_CASE("linalg: singular values of a tall matrix take no memory for its full factors") {
    on_every_backend([](const tested_backend&) {
        const auto check = [](const array<double>& a) {
            CHECK(linalg::svdvals(a).eval().shape() == dims(3));
            CHECK(linalg::svdvals(a.T()).eval().shape() == dims(3));
            CHECK(double(linalg::cond(a)) > 1);
            CHECK(std::int64_t(linalg::matrix_rank(a)) == 3);
            CHECK(double(linalg::norm(a, 2)) > 1);
        };
        const std::int64_t n = 2003, full = n * n * 8;
        const array<double> a = sin(square(reshape(arange<double>(n * 3), {n, 3})));
        // Libraries' workspaces stay.
        check(a(slice(0, 11)).eval());
        reset_counters();
        const std::int64_t used = counters().pool_used;
        check(a);
        CHECK(counters().pool_peak - used < full / 2);
    });
}
