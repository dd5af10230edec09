// That errors name the function that was called, not what it is made of, and show whole shapes.
#include "support/backends.hpp"

#include <limits>
#include <sinter/sinter.hpp>

using namespace sinter;
using namespace test_backends;
namespace lapack = linalg::lapack;

namespace {

template <class F>
std::string message_of(F call) {
    try {
        call();
    } catch (const error& e) {
        return e.what();
    }
    return "none";
}

// What reading a result says.
template <expression E>
std::string failure_of(const E& e) {
    return message_of([&] { to_vector(e); });
}

// Two matrices, the second of which has a number that is not one.
template <class T>
array<T> stack_with_nan() {
    array<T> a = eye<T>(5) + zeros<T>({2, 5, 5});
    a(1, 4, 3) = T(std::numeric_limits<double>::quiet_NaN());
    return a.eval();
}

const std::string of_nan = " matrix (1,) has elements that are not finite";

}  // namespace

TEST_CASE("products of any kind name themselves when shapes do not fit") {
    auto name_themselves = []<class T>(T) {
        const array<T> a = zeros<T>({3, 4}), b = zeros<T>({5, 6}), x = zeros<T>({3}), y = zeros<T>({4}),
                       s = zeros<T>({2, 3, 4});
        CHECK_THROWS_WITH_AS(matmul(a, b), "[matmul] inner dimensions differ: (3, 4) x (5, 6)", shape_error);
        CHECK_THROWS_WITH_AS(matmul(full({}, T(2)), y), "[matmul] an operand has no axes: () x (4,)", shape_error);
        CHECK_THROWS_WITH_AS(dot(a, b), "[dot] inner dimensions differ: (3, 4) x (5, 6)", shape_error);
        CHECK_THROWS_WITH_AS(dot(x, y), "[dot] inner dimensions differ: (3,) x (4,)", shape_error);
        CHECK_THROWS_WITH_AS(dot(s, b), "[dot] sizes differ: axis 2 of (2, 3, 4) and axis 0 of (5, 6)", shape_error);
        CHECK_THROWS_WITH_AS(inner(x, y), "[inner] sizes differ: axis 0 of (3,) and axis 0 of (4,)", shape_error);
        CHECK_THROWS_WITH_AS(inner(s, b), "[inner] sizes differ: axis 2 of (2, 3, 4) and axis 1 of (5, 6)",
                             shape_error);
        CHECK_THROWS_WITH_AS(vdot(a, y), "[vdot] numbers of elements differ: (3, 4) and (4,)", shape_error);
        CHECK_THROWS_WITH_AS(tensordot(a, b, 1), "[tensordot] sizes differ: axis 1 of (3, 4) and axis 0 of (5, 6)",
                             shape_error);
        CHECK_THROWS_WITH_AS(trace(x), "[trace] an array of shape (3,) has fewer than two axes", value_error);
        CHECK_THROWS_WITH_AS(trace(a, 0, 1, 1), "[trace] both axes are the same: 1", value_error);
        CHECK_THROWS_WITH_AS(trace(a, 0, 0, 2), "[trace] axis 2 is out of bounds for an array of 2 dimensions",
                             index_error);
        CHECK_THROWS_WITH_AS(diagonal(x), "[diagonal] an array of shape (3,) has fewer than two axes", value_error);
    };
    name_themselves(double());
    name_themselves(int());
}

TEST_CASE("stacks that do not broadcast are shown with their matrices") {
    const std::string text = " shapes do not broadcast: (2, 3, 3) and (5, 3, 2)";
    auto shows = [&](const char* name, auto call) { CHECK(message_of(call) == "[" + std::string(name) + "]" + text); };
    const array<double> a = zeros({2, 3, 3}), b = zeros({5, 3, 2});
    shows("matmul", [&] { matmul(a, b); });
    shows("matmul", [&] { matmul(astype<int>(a), astype<int>(b)); });
    shows("solve", [&] { linalg::solve(a, b); });
    shows("solve_triangular", [&] { linalg::solve_triangular(a, b); });
    shows("cholesky_solve", [&] { linalg::cholesky_solve(a, b); });
    shows("lu_solve", [&] { linalg::lu_solve(linalg::lu_factor(a), b); });
    CHECK(linalg::solve(eye(3) + zeros({2, 1, 3, 3}), b).shape() == dims(2, 5, 3, 2));
    CHECK_THROWS_WITH_AS(
        linalg::solve_tridiagonal(zeros({2}), zeros({7, 3}), zeros({2, 3}), ones({3})),
        "[solve_tridiagonal] shapes do not broadcast: diagonals of (2,), (7, 3), (2, 3) and a right-hand side of (3,)",
        shape_error);
    CHECK_THROWS_WITH_AS(linalg::solve_tridiagonal(zeros({2}), zeros({7, 3}), zeros({2}), ones({6, 3, 1})),
                         "[solve_tridiagonal] shapes do not broadcast: diagonals of (2,), (7, 3), (2,) and a "
                         "right-hand side of (6, 3, 1)",
                         shape_error);
}

TEST_CASE("what a decomposition fails for is said by the function that was called") {
    on_every_backend([](const tested_backend&) {
        auto name_themselves = []<class T>(T) {
            const array<T> a = stack_with_nan<T>(), y = ones<T>({5});
            CHECK(failure_of(linalg::svd(a).u) == "[svd]" + of_nan);
            CHECK(failure_of(linalg::svdvals(a)) == "[svdvals]" + of_nan);
            CHECK(failure_of(linalg::pinv(a)) == "[pinv]" + of_nan);
            CHECK(failure_of(linalg::lstsq(a, y).x) == "[lstsq]" + of_nan);
            CHECK(failure_of(linalg::cond(a)) == "[cond]" + of_nan);
            CHECK(failure_of(linalg::cond(a, -2)) == "[cond]" + of_nan);
            CHECK(failure_of(linalg::cond(a, "nuc")) == "[cond]" + of_nan);
            CHECK(failure_of(linalg::matrix_rank(a)) == "[matrix_rank]" + of_nan);
            CHECK(failure_of(linalg::norm(a, 2, {1, 2})) == "[norm]" + of_nan);
            CHECK(failure_of(linalg::norm(a(1), "nuc")) == "[norm] the matrix has elements that are not finite");
            CHECK(failure_of(linalg::eigh(a).eigenvectors) == "[eigh]" + of_nan);
            CHECK(failure_of(linalg::eigvalsh(a)) == "[eigvalsh]" + of_nan);
            CHECK(failure_of(linalg::eig(a).eigenvectors) == "[eig]" + of_nan);
            CHECK(failure_of(linalg::eigvals(a)) == "[eigvals]" + of_nan);
            CHECK(failure_of(linalg::matrix_power(zeros<T>({2, 3, 3}), -3)) ==
                  "[matrix_power] matrix (0,) is singular: pivot 1 is zero");
        };
        name_themselves(float());
        name_themselves(std::complex<double>());
        const array<double> zero = zeros({5}), bad = stack_with_nan<double>()(1);
        const std::string text = "[multivariate_normal] the matrix ";
        CHECK(failure_of(random::multivariate_normal(zero, -eye(5), {}, {.method = "cholesky"})) ==
              text + "is not positive definite: leading minor of order 1");
        for (const char* method : {"svd", "eigh"})
            CHECK(message_of([&] { random::multivariate_normal(zero, bad, {2}, {.method = method}).eval(); }) ==
                  text + "has elements that are not finite");
    });
}

TEST_CASE(
    "functions that decompose the same matrices share one call, and a plan that was made for one names no other") {
    on_compiling_backends([](const tested_backend&) {
        const array<double> a = (random::random({3, 7, 5}) + 0.5).eval(), bad = stack_with_nan<double>();
        auto calls = [](auto compute) {
            compute();
            synchronize();
            const auto before = counters().library_calls;
            compute();
            return counters().library_calls - before;
        };
        CHECK(calls([&] {
                  eval(linalg::svdvals(a), linalg::cond(a), linalg::matrix_rank(a), linalg::norm(a, 2, {1, 2}));
              }) == 1);
        CHECK(calls([&] { eval(linalg::pinv(a), linalg::svd(a, {.full_matrices = false}).u); }) == 2);
        const auto compiled = counters().kernels_compiled;
        CHECK(failure_of(linalg::svdvals(bad)) == "[svdvals]" + of_nan);
        CHECK(failure_of(linalg::svd(bad, {.compute_uv = false}).s) == "[svd]" + of_nan);
        CHECK(failure_of(linalg::svdvals(bad)) == "[svdvals]" + of_nan);
        CHECK(counters().kernels_compiled == compiled);
    });
}

TEST_CASE("norms and conditions name themselves where an order or an element is missing") {
    const array<double> m = eye(3);
    CHECK_THROWS_WITH_AS(linalg::norm(m, 3), "[norm] no norm of matrices of order 3", value_error);
    CHECK_THROWS_WITH_AS(linalg::norm(m, -0.5), "[norm] no norm of matrices of order -0.5", value_error);
    CHECK_THROWS_WITH_AS(linalg::cond(m, 3), "[cond] no norm of matrices of order 3", value_error);
    CHECK_THROWS_WITH_AS(linalg::norm(zeros({3}), "fro"), "[norm] no norm of vectors of order fro", value_error);
    const array<double> none = zeros({0}), wide = zeros({0, 3});
    CHECK_THROWS_WITH_AS(linalg::norm(none, -inf), "[norm] an array of shape (0,) has no element to reduce",
                         value_error);
    for (auto order : {-2.0, -std::numeric_limits<double>::infinity()})
        CHECK_THROWS_WITH_AS(linalg::norm(wide, order), "[norm] an array of shape (0, 3) has no element to reduce",
                             value_error);
    CHECK_THROWS_WITH_AS(linalg::norm(wide.T(), -1), "[norm] an array of shape (3, 0) has no element to reduce",
                         value_error);
    CHECK(linalg::norm(wide, -1).item() == 0);
    CHECK(linalg::norm(wide.T(), -inf).item() == 0);
    CHECK_THROWS_WITH_AS(linalg::svdvals(zeros({3})), "[svdvals] a matrix has two axes or more, not (3,)", shape_error);
    CHECK_THROWS_WITH_AS(fft::fftfreq(4, 0),
                         "[fftfreq] wants a positive number of points and a spacing that is not zero: 4 and 0",
                         value_error);
}

TEST_CASE("lapack: routines that run by another one's code name themselves and their own arguments") {
    using C = std::complex<double>;
    on_every_backend([](const tested_backend&) {
        array<double> a = stack_with_nan<double>().copy().eval(), b = a.copy().eval(), s, u, vt;
        array<C> h = stack_with_nan<C>().copy().eval(), w, v;
        CHECK(message_of([&] { lapack::gesdd('A', a, s, u, vt), s.item(0, 0); }) == "[gesdd]" + of_nan);
        CHECK(message_of([&] { lapack::gesvd('A', 'N', b, s, u, vt), s.item(0, 0); }) == "[gesvd]" + of_nan);
        CHECK(message_of([&] { lapack::heevd('V', 'U', h, s), s.item(0, 0); }) == "[heevd]" + of_nan);
    });
    array<double> a = eye(3), b = zeros({1, 4}).copy(), s, u, vt;
    array<C> tall = zeros<C>({4, 3}).copy(), tau = zeros<C>({3}), w, v;
    CHECK_THROWS_WITH_AS(lapack::potrs('L', a, b), "[potrs] matrices do not fit: (1, 4) (3, 3)", shape_error);
    CHECK_THROWS_WITH_AS(lapack::ungqr(tall, tau), "[ungqr] too few reflectors: (4, 3) (3,)", shape_error);
    CHECK_THROWS_WITH_AS(lapack::heevd('N', 'U', tall, s), "[heevd] the matrix is not square: (4, 3)", shape_error);
    CHECK_THROWS_WITH_AS(lapack::heevd('S', 'U', tall, s), "[heevd] jobz is one of NV, not S", value_error);
    CHECK_THROWS_WITH_AS(lapack::geev('N', 'X', tall, w, v), "[geev] jobvr is one of NV, not X", value_error);
    CHECK_THROWS_WITH_AS(lapack::trsm('L', 'U', 'Q', 'N', a, b), "[trsm] transa is one of NTC, not Q", value_error);
    array<double> shared = ones({2, 2}).copy().eval(), other = shared;
    CHECK_THROWS_WITH_AS(lapack::gesdd('N', shared, s, u, vt),
                         "[gesdd] the array's memory is shared with other arrays: overwrite a copy()", value_error);
}

TEST_CASE("draws name themselves, negative sizes and how many there are to choose from") {
    random::generator g(5);
    array<double> x = zeros({3});
    CHECK_THROWS_WITH_AS(g.normal(0, 1, {2, -2}), "[normal] a size is negative: (2, -2)", shape_error);
    CHECK_THROWS_WITH_AS(g.random({-1}), "[random] a size is negative: (-1,)", shape_error);
    CHECK_THROWS_WITH_AS(random::rand(-1), "[rand] a size is negative: (-1,)", shape_error);
    CHECK_THROWS_WITH_AS(random::randn(2, -3), "[randn] a size is negative: (2, -3)", shape_error);
    CHECK_THROWS_WITH_AS(g.integers(0, 5, {-1}), "[integers] a size is negative: (-1,)", shape_error);
    CHECK_THROWS_WITH_AS(g.randint(5, 2), "[randint] low is not below high: 5 and 2", value_error);
    CHECK_THROWS_WITH_AS(g.randint(x, 2), "[randint] bounds are integers, not float64", type_error);
    CHECK_THROWS_WITH_AS(g.multivariate_normal(x, eye(3), {-1}), "[multivariate_normal] a size is negative: (-1,)",
                         shape_error);
    CHECK_THROWS_WITH_AS(g.permutation(x, 1), "[permutation] axis 1 is out of bounds for an array of 1 dimensions",
                         index_error);
    CHECK_THROWS_WITH_AS(g.shuffle(x, 1), "[shuffle] axis 1 is out of bounds for an array of 1 dimensions",
                         index_error);
    CHECK_THROWS_WITH_AS(g.choice(0, {3, 4}), "[choice] cannot choose 12 of 0 elements", value_error);
    CHECK_THROWS_WITH_AS(g.choice(-1), "[choice] cannot choose 1 of -1 elements", value_error);
    CHECK_THROWS_WITH_AS(g.choice(zeros({3, 0}), {4}, {.axis = 1}), "[choice] cannot choose 4 of 0 elements",
                         value_error);
    CHECK(random::generator(7).rand(2, 3).shape() == dims(2, 3));
    CHECK(array_equal(random::generator(7).randn(4), random::generator(7).standard_normal({4})));
}

TEST_CASE("what functions compute by one call stays what it is when one of their results is changed") {
    on_every_backend([](const tested_backend&) {
        array<double> a = random::random({5, 5}).eval();
        const std::vector<double> expected = to_vector(array<double>(linalg::svdvals(a)));
        array<double> s = linalg::svdvals(a), t = linalg::svd(a, {.compute_uv = false}).s, u = s;
        s(slice(0, 1)) = 0.0;
        s.eval();
        CHECK(to_vector(t) == expected);
        CHECK(to_vector(u) == expected);
        array<double> x = linalg::inv(a), y = linalg::matrix_power(a, -1);
        x(0, 0) = 5;
        eval(x, y);
        CHECK(to_vector(y) == to_vector(array<double>(linalg::inv(a))));
    });
}
