// Equations, inverses, determinants and factorisations against NumPy: types, stacks, layouts, failures, and how often
// the library is called.
#include "support/backends.hpp"
#include "support/linalg_golden.hpp"

using namespace sinter;
using namespace test_backends;
using linalg_golden::failure_of;
using linalg_golden::for_each_type;
using linalg_golden::matrix;

namespace {

template <class T, expression E>
void check(const std::string& name, const E& e) {
    linalg_golden::check<T>(name, e, 1e-4, 1e-12);
}

template <class T>
void check_close(const array<T>& x, const array<T>& y) {
    CHECK(allclose(x, y, 0, std::numeric_limits<linalg::detail::real_part<T>>::epsilon() * 1000));
}

// What evaluating takes.
template <class F>
std::int64_t library_calls(F compute) {
    const auto before = counters().library_calls;
    compute();
    return counters().library_calls - before;
}

}  // namespace

TEST_CASE("linalg: equations with one right side, several, and stacks of both are solved") {
    on_every_backend([](const tested_backend&) {
        for_each_type([]<class T>(T) {
            auto a = matrix<T>("a"), v = matrix<T>("v"), b = matrix<T>("b"), s = matrix<T>("stack"), c = matrix<T>("c");
            check<T>("solve vector", linalg::solve(a, v));
            check<T>("solve matrix", linalg::solve(a, b));
            check<T>("solve transposed", linalg::solve(a.T(), b));
            check<T>("solve matrix", linalg::solve(a.T().copy().T(), b.T().copy().T()));
            check<T>("solve stacks", linalg::solve(s, c));
            check<T>("solve one for many", linalg::solve(s(0, 0), c));
            check<T>("solve vector of many", linalg::solve(s, c(0, all, 0)));
        });
    });
}

TEST_CASE("linalg: inverses and determinants are NumPy's") {
    on_every_backend([](const tested_backend&) {
        for_each_type([]<class T>(T) {
            auto a = matrix<T>("a"), s = matrix<T>("stack");
            check<T>("inv", linalg::inv(a));
            check<T>("inv transposed", linalg::inv(a.T()));
            check<T>("inv stack", linalg::inv(s));
            check<T>("det", linalg::det(a));
            check<T>("det stack", linalg::det(s));
            auto [sign, logabsdet] = linalg::slogdet(s);
            check<T>("slogdet sign", sign);
            check<T>("slogdet logabsdet", logabsdet);
        });
        golden::check("linalg inv integers", linalg::inv(golden::stored<std::int64_t>("linalg integers")), 1e-12);
        golden::check("linalg det integers", linalg::det(golden::stored<std::int64_t>("linalg integers")), 1e-12);
        CHECK(linalg::det(zeros({3, 3})).item() == 0);
        CHECK(linalg::slogdet(zeros({3, 3})).sign.item() == 0);
        CHECK(linalg::slogdet(zeros({3, 3})).logabsdet.item() == -constants::inf);
    });
}

TEST_CASE("linalg: Cholesky factors and triangular equations are NumPy's") {
    on_every_backend([](const tested_backend&) {
        for_each_type([]<class T>(T) {
            auto p = matrix<T>("positive"), q = matrix<T>("positive stack"), a = matrix<T>("a"), b = matrix<T>("b"),
                 v = matrix<T>("v");
            array<T> l = linalg::cholesky(p), u = linalg::cholesky(p, {.upper = true});
            check<T>("cholesky", l);
            check<T>("cholesky upper", u);
            check<T>("cholesky", linalg::cholesky(p.T().copy().T()));
            check<T>("cholesky upper", linalg::cholesky(p.T().copy().T(), {.upper = true}));
            check<T>("cholesky stack", linalg::cholesky(q));
            check<T>("cholesky solve", linalg::cholesky_solve(l, b));
            check<T>("cholesky solve", linalg::cholesky_solve(u, b, {.upper = true}));
            for (bool upper : {false, true}) {
                const array<T> of_one = linalg::cholesky_solve(upper ? u : l, v, {.upper = upper});
                array<T> factors = stack({upper ? u : l, upper ? u : l});
                check_close(linalg::cholesky_solve(factors, v, {.upper = upper}), array<T>(stack({of_one, of_one})));
            }
            for (int trans = 0; trans < 3; ++trans) {
                check<T>("triangular lower " + std::to_string(trans),
                         linalg::solve_triangular(a, b, {.lower = true, .trans = trans}));
                check<T>("triangular lower " + std::to_string(trans),
                         linalg::solve_triangular(a.T().copy().T(), b, {.lower = true, .trans = trans}));
            }
            check<T>("triangular upper unit", linalg::solve_triangular(a, v, {.unit_diagonal = true}));
        });
    });
}

TEST_CASE("linalg: what is unique in factorisations is NumPy's") {
    on_every_backend([](const tested_backend&) {
        for_each_type([]<class T>(T) {
            auto a = matrix<T>("tall"), s = matrix<T>("symmetric");
            for (bool is_wide : {false, true}) {
                auto [p, l, u] = linalg::lu(is_wide ? a.T() : a);
                const std::string name = is_wide ? "lu wide " : "lu ";
                check<T>(name + "p", p);
                check<T>(name + "l", l);
                check<T>(name + "u", u);
            }
            check<T>("qr size", abs(linalg::qr(a, "r").r));
            check<T>("eigvalsh", linalg::eigvalsh(s));
            check<T>("eigvalsh upper", linalg::eigvalsh(triu(s), 'U'));
            check<T>("svdvals", linalg::svdvals(a));
            check<T>("svdvals stack", linalg::svdvals(s));
            array<std::complex<double>> w = astype<std::complex<double>>(linalg::eigvals(std::as_const(a)(slice(4))));
            auto order = argsort(real(w) + imag(w) * 1e-3);
            array<linalg::detail::complex_of<T>> sorted = astype<linalg::detail::complex_of<T>>(w[order]);
            check<T>("eigvals", sorted);
        });
    });
}

TEST_CASE("linalg: factors of stacks multiply to their matrices, and solve") {
    on_every_backend([](const tested_backend&) {
        for_each_type([]<class T>(T) {
            constexpr bool is_single = codegen::real_of(dtype_of<T>) == dtype::float32;
            auto same = [](const auto& x, const auto& y) {
                CHECK(x.shape() == y.shape());
                CHECK(allclose(x, y, 0, is_single ? 1e-4 : 1e-11));
            };
            auto s = matrix<T>("stack"), h = matrix<T>("symmetric"), c = matrix<T>("c");
            for (const array<T>& x : {s, array<T>(std::as_const(s)(ellipsis, slice(2), all)),
                                      array<T>(std::as_const(s)(ellipsis, slice(2)))}) {
                auto [q, r] = linalg::qr(x);
                same(matmul(q, r), x);
                same(matmul(linalg::qr(x, "complete").q, linalg::qr(x, "complete").r), x);
                auto [p, l, u] = linalg::lu(x);
                same(matmul(p, matmul(l, u)), x);
                for (bool full : {true, false}) {
                    auto [left, values, right] = linalg::svd(x, {.full_matrices = full});
                    const std::int64_t k = values.shape(-1);
                    same(matmul(std::as_const(left)(ellipsis, slice(k)) * std::as_const(values)(ellipsis, newaxis, all),
                                std::as_const(right)(ellipsis, slice(k), all)),
                         x);
                }
            }
            auto [w, v] = linalg::eigh(h);
            same(matmul(h, v), v * std::as_const(w)(ellipsis, newaxis, all));
            auto [z, e] = linalg::eig(s);
            same(matmul(astype<linalg::detail::complex_of<T>>(s), e), e * std::as_const(z)(ellipsis, newaxis, all));
            auto f = linalg::lu_factor(s);
            same(linalg::lu_solve(f, c), linalg::solve(s, c));
            same(linalg::lu_solve(f, c, 1), linalg::solve(s.mT(), c));
            same(linalg::lu_solve(f, c, 2), linalg::solve(conj(s).mT(), c));
        });
    });
}

TEST_CASE("linalg: matrices without elements have inverses, factors and determinants") {
    on_every_backend([](const tested_backend&) {
        array<double> none = zeros({0, 0}), stack = zeros({0, 3, 3});
        CHECK(linalg::det(none).item() == 1);
        CHECK(linalg::det(stack).shape() == dims(0));
        CHECK(linalg::inv(none).eval().shape() == dims(0, 0));
        CHECK(linalg::inv(stack).eval().shape() == dims(0, 3, 3));
        CHECK(linalg::cholesky(stack).eval().shape() == dims(0, 3, 3));
        CHECK(linalg::solve(none, zeros({0, 2})).eval().shape() == dims(0, 2));
        CHECK(linalg::solve(eye(3), zeros({3, 0})).eval().shape() == dims(3, 0));
        CHECK(linalg::solve_triangular(none, zeros({0})).eval().shape() == dims(0));
        CHECK(array_equal(linalg::qr(zeros({3, 0}), "complete").q, eye(3)));
        CHECK(linalg::qr(zeros({3, 0})).q.eval().shape() == dims(3, 0));
        CHECK(array_equal(linalg::svd(zeros({2, 0})).u, eye(2)));
        CHECK(linalg::svd(zeros({2, 0})).s.eval().shape() == dims(0));
        CHECK(linalg::svd(zeros({0, 3}), {.full_matrices = false}).vh.eval().shape() == dims(0, 3));
        CHECK(linalg::eigh(none).eigenvectors.eval().shape() == dims(0, 0));
        CHECK(linalg::eigvals(stack).eval().shape() == dims(0, 3));
        CHECK(array_equal(linalg::lu(zeros({3, 0})).p, eye(3)));
    });
}

TEST_CASE("linalg: shapes that do not fit are refused when they are written") {
    CHECK_THROWS_WITH_AS(linalg::inv(zeros({2, 3})), "[inv] the last two axes are not of one size: (2, 3)",
                         shape_error);
    CHECK_THROWS_WITH_AS(linalg::det(zeros({3})), "[det] a matrix has two axes or more, not (3,)", shape_error);
    CHECK_THROWS_WITH_AS(linalg::solve(zeros({3, 3}), zeros({4})), "[solve] shapes do not fit: (3, 3) and (4,)",
                         shape_error);
    CHECK_THROWS_AS(linalg::solve(zeros({2, 3, 3}), zeros({4, 3, 1})), shape_error);
    CHECK_THROWS_AS(linalg::solve_triangular(eye(3), zeros({3}), {.trans = 3}), value_error);
    CHECK_THROWS_WITH_AS(linalg::qr(eye(3), "raw"), "[qr] mode is reduced, complete or r, not raw", value_error);
    CHECK_THROWS_WITH_AS(linalg::eigh(eye(3), 'X'), "[eigh] UPLO is L or U, not X", value_error);
    CHECK_THROWS_AS(linalg::eigvals(zeros({2, 3})), shape_error);
}

TEST_CASE("linalg: what cannot be computed is thrown where it is read, naming the matrix in its stack") {
    on_every_backend([](const tested_backend&) {
        array<double> stack = eye(3) + zeros({2, 4, 3, 3});
        stack(1, 2, 1, 1) = 0;
        array<double> negative = stack.copy();
        negative(1, 2, 1, 1) = -1;
        CHECK(failure_of(linalg::inv(zeros({3, 3}))) == "[inv] the matrix is singular: pivot 1 is zero");
        CHECK(failure_of(linalg::inv(stack)) == "[inv] matrix (1, 2) is singular: pivot 2 is zero");
        CHECK(failure_of(linalg::solve(stack, ones({3}))) == "[solve] matrix (1, 2) is singular: pivot 2 is zero");
        CHECK(failure_of(linalg::cholesky(negative)) ==
              "[cholesky] matrix (1, 2) is not positive definite: leading minor of order 2");
        CHECK(failure_of(linalg::cholesky(-eye(40))) ==
              "[cholesky] the matrix is not positive definite: leading minor of order 1");
        CHECK(failure_of(linalg::inv(zeros({2, 40, 40}))) == "[inv] matrix (0,) is singular: pivot 1 is zero");
        array<std::complex<double>> large = eye(40) + zeros({2, 40, 40});
        large(1, 30, 30) = -0.0;
        large(1, 35, 35) = 0;
        CHECK(failure_of(linalg::inv(large)) == "[inv] matrix (1,) is singular: pivot 31 is zero");
        CHECK(failure_of(linalg::inv(large(1))) == "[inv] the matrix is singular: pivot 31 is zero");
        array<float> floats = astype<float>(real(large));
        CHECK(failure_of(linalg::solve(floats, ones<float>({40}))) ==
              "[solve] matrix (1,) is singular: pivot 31 is zero");
        CHECK(failure_of(linalg::det(stack)) == "none");
    });
}

TEST_CASE(
    "linalg: what iterates refuses numbers that are not finite, and triangles that it does not read may have them") {
    on_every_backend([](const tested_backend&) {
        for_each_type([]<class T>(T) {
            using R = linalg::detail::real_part<T>;
            for (R bad : {std::numeric_limits<R>::quiet_NaN(), -std::numeric_limits<R>::infinity()})
                for (int n : {1, 3, 20, 40, 130}) {
                    array<T> one = eye<T>(n), many = eye<T>(n) + zeros<T>({2, 3, n, n});
                    one(n - 1, n / 2) = T(bad);
                    many(1, 2, n - 1, n / 2) = T(bad);
                    auto says = [](const auto& result, const std::string& operation, bool stacked) {
                        CHECK(failure_of(result) == "[" + operation + "] " +
                                                        (stacked ? "matrix (1, 2)" : "the matrix") +
                                                        " has elements that are not finite");
                    };
                    for (const array<T>& a : {one, many}) {
                        CAPTURE(n);
                        const bool stacked = a.ndim() > 2;
                        if (stacked && n > 40) continue;
                        says(linalg::svdvals(a), "svdvals", stacked);
                        says(linalg::svd(a, {.full_matrices = false}).u, "svd", stacked);
                        says(linalg::eigvals(a), "eigvals", stacked);
                        says(linalg::eig(a.mT()).eigenvectors, "eig", stacked);
                        says(linalg::eigvalsh(a), "eigvalsh", stacked);
                        says(linalg::eigh(a.mT(), 'U').eigenvectors, "eigh", stacked);
                        if (n == 1) continue;
                        CHECK(max(linalg::eigvalsh(a, 'U')).item() == 1);
                        CHECK(max(linalg::eigvalsh(a.mT())).item() == 1);
                    }
                }
        });
    });
}

TEST_CASE("linalg: values of finite numbers are never NaN: those that overflow on the way are a failure") {
    on_every_backend([](const tested_backend&) {
        for_each_type([]<class T>(T) {
            using R = linalg::detail::real_part<T>;
            for (int n : {1, 2, 5, 40})
                for (int count : {1, 3}) {
                    random::generator g(n);
                    array<R> x = g.uniform<R>(0.9, 1, {2, count, n, n}) * std::numeric_limits<R>::max();
                    array<T> a = astype<T>(x(0));
                    if constexpr (codegen::is_complex(dtype_of<T>)) a = a + T(0, 1) * astype<T>(x(1));
                    auto holds = [&](const auto& values, const std::string& operation) {
                        const std::string says = failure_of(values);
                        CAPTURE(n);
                        CAPTURE(says);
                        if (says == "none") CHECK(!any(isnan(values)).item());
                        else
                            CHECK(says == "[" + operation +
                                              "] matrix (0,) has elements so large that its values overflow: they came "
                                              "out as NaN");
                    };
                    holds(linalg::svdvals(a), "svdvals");
                    holds(linalg::eigvals(a), "eigvals");
                    holds(linalg::eigvalsh(a), "eigvalsh");
                }
        });
    });
}

TEST_CASE("linalg: a failure belongs to what depends on it, again and again, and to nothing else") {
    on_every_backend([](const tested_backend&) {
        array<double> bad = linalg::inv(zeros({3, 3})), good = linalg::inv(2 * eye(3));
        array<double> after = bad + 1, beside = good + 1;
        CHECK(beside.item(0, 0) == 1.5);
        for (int i = 0; i < 2; ++i) CHECK_THROWS_AS(after.item(0, 0), linalg_error);
        for (int i = 0; i < 2; ++i) CHECK_THROWS_AS(bad.item(0, 0), linalg_error);
        CHECK_THROWS_AS(sum(bad).item(), linalg_error);
        CHECK(good.item(1, 1) == 0.5);
    });
}

TEST_CASE("linalg: operands keep their values, and what is computed for a call alone is overwritten by it") {
    on_compiling_backends([](const tested_backend&) {
        array<double> a = golden::stored<double>("linalg a float64"), b = golden::stored<double>("linalg b float64"),
                      was = a.copy(), side = b.copy();
        linalg::solve(a, b).eval();
        linalg::cholesky(matmul(a, a.T())).eval();
        linalg::solve_triangular(a, b).eval();
        linalg::inv(a).eval();
        CHECK(array_equal(a, was));
        CHECK(array_equal(b, side));
        // The operand is computed where its factor will lie, and the triangle is cut out in one kernel.
        CHECK(explain(linalg::cholesky(a + a.T() + 20 * eye(5))).kernels() == 2);
        // Stacks, transposes and vectors take no kernel of their own.
        CHECK(explain(linalg::inv(a.T())).kernels() == 0);
        CHECK(explain(linalg::solve(a.T(), b(all, 0).copy().eval())).kernels() == 0);
        CHECK(explain(linalg::solve_triangular(a.T(), b)).kernels() == 0);
    });
}

TEST_CASE("linalg: a matrix of several blocks is inverted from either side") {
    on_compiling_backends([](const tested_backend&) {
        array<double> a = (random::random({300, 300}) + 20 * eye(300)).eval(), x = linalg::inv(a);
        CHECK(allclose(matmul(x, a), eye(300), 0, 1e-12));
        CHECK(allclose(matmul(a, x), eye(300), 0, 1e-12));
    });
}

TEST_CASE("linalg: a stack is one call of the library") {
    on_compiling_backends([](const tested_backend& where) {
        array<double> s = (eye(4) * 3 + random::random({50, 4, 4})).eval(), b = random::random({50, 4, 2}).eval(),
                      large = (eye(40) * 9 + random::random({3, 40, 40})).eval();
        // On a GPU small matrices are inverted, factored and rotated by kernels of our own.
        CHECK(library_calls([&] { linalg::inv(s).eval(); }) == (where.is_cuda() ? 0 : 1));
        CHECK(library_calls([&] { linalg::solve(s, b).eval(); }) == 2);
        CHECK(library_calls([&] { linalg::det(s).eval(); }) == 1);
        CHECK(library_calls([&] { linalg::cholesky(matmul(s, s.mT())).eval(); }) == (where.is_cuda() ? 1 : 2));
        CHECK(library_calls([&] { linalg::solve_triangular(s, b).eval(); }) == 1);
        CHECK(library_calls([&] { linalg::inv(large).eval(); }) <= 2);
        // On a GPU q is made by a kernel of our own, since cuSOLVER makes one at a time.
        CHECK(library_calls([&] { eval(linalg::qr(s)); }) == (where.is_cuda() ? 1 : 2));
        CHECK(library_calls([&] { eval(linalg::eigh(s)); }) == (where.is_cuda() ? 0 : 1));
        CHECK(library_calls([&] { eval(linalg::eigh(large)); }) == 1);
        CHECK(library_calls([&] { linalg::svdvals(s).eval(); }) == 1);
        CHECK(allclose(matmul(linalg::inv(large), large), eye(40), 0, 1e-12));
        CHECK(explain(linalg::inv(s)).library_calls() == 1);
    });
}

TEST_CASE("linalg: results of one call that are read apart are computed once") {
    on_compiling_backends([](const tested_backend& where) {
        array<double> s = (eye(4) * 3 + random::random({4, 4})).eval();
        auto [sign, logabsdet] = linalg::slogdet(s);
        // A GPU finds LU factors of few columns by a kernel of our own.
        const auto before = counters();
        CHECK(library_calls([&sign = sign] { sign.eval(); }) == (where.is_cuda() ? 0 : 1));
        const auto between = counters();
        CHECK(library_calls([&logabsdet = logabsdet] { logabsdet.eval(); }) == 0);
        CHECK(counters().launches - between.launches <= 1);
        if (where.is_cuda()) CHECK(between.launches - before.launches >= 2);
        auto [eigenvalues, eigenvectors] = linalg::eigh(s);
        CHECK(library_calls([&eigenvalues = eigenvalues] { eigenvalues.eval(); }) == (where.is_cuda() ? 0 : 1));
        CHECK(library_calls([&eigenvectors = eigenvectors] { eigenvectors.eval(); }) == 0);
        auto [u, values, vh] = linalg::svd(s);
        array<double> later = u * 2;
        CHECK(library_calls([&values = values] { values.eval(); }) == 1);
        CHECK(library_calls([&, &u = u, &vh = vh] { later.eval(), vh.eval(), u.eval(); }) == 0);
        array<double> largest = max(linalg::svd(s, {.full_matrices = false}).s);
        CHECK(library_calls([&] { largest.eval(); }) == 1);
    });
}
