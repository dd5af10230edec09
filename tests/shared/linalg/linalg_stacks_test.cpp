// Stacks of matrices beyond what libraries take in one call: that they are one all the same, and as good as one by one.
#include "support/linalg_ratio.hpp"

using namespace sinter;
using namespace test_backends;
using namespace linalg_ratio;

namespace {

constexpr std::int64_t kinds = std::size(all_spectra);

// So many matrices, of each kind in turn.
template <class T>
array<T> some_of_each(std::int64_t count, std::int64_t m, std::int64_t n) {
    array<T> s = zeros<T>({count, m, n});
    for (std::int64_t i = 0; i < count; ++i) s(i) = matrix<T>(m, n, all_spectra[i % kinds]);
    return s;
}

template <class T>
array<T> one_of_each(std::int64_t m, std::int64_t n) {
    return some_of_each<T>(kinds, m, n);
}

// Values beside those that the matrix was made of.
template <class T, class S>
void check_values(spectrum kind, const dims& shape, const S& values) {
    INFO(std::string(to_string(dtype_of<T>)), " ", to_string(shape), ", ", names[static_cast<int>(kind)]);
    const array<double> known = asarray(singular_values(kind, values.shape()[0], epsilon<T>())),
                        found = real(widened(values, scale_of<T>(kind)));
    CHECK(double(max(abs(found - known))) <=
          threshold * static_cast<double>(std::max(shape[0], shape[1])) * epsilon<T>());
    if (found.size() > 1) CHECK(bool(all(diff(found) <= 0.0)));
}

template <class T, class A, class U, class S, class V>
void check_svd(spectrum kind, const A& matrix, const U& u, const S& values, const V& vh) {
    const double scale = scale_of<T>(kind);
    const array<wide> a = widened(matrix, scale), s = widened(values, scale), left = widened(u), right = widened(vh);
    const std::int64_t k = s.size(), longest = std::max(a.shape()[0], a.shape()[1]);
    check_values<T>(kind, a.shape(), values);
    INFO(std::string(to_string(dtype_of<T>)), " ", to_string(a.shape()), ", ", names[static_cast<int>(kind)]);
    CHECK(ratio<T>(matmul(left(all, slice(k)) * s, right(slice(k), all)) - a, a, longest) <= threshold);
    CHECK(orthogonality<T>(left) <= threshold);
    CHECK(orthogonality<T>(adjoint(right)) <= threshold);
}

// Launches and library calls of a computation whose kernels have been compiled.
template <class F>
std::pair<std::int64_t, std::int64_t> work_of(F compute) {
    const auto before = counters();
    compute();
    const auto after = counters();
    return {after.launches - before.launches, after.library_calls - before.library_calls};
}

}  // namespace

TEST_CASE("linalg: inverses of stacks of matrices of every small size, rows of which change places") {
    for_each_type([]<class T>(T) {
        for (std::int64_t n = 1; n <= 33; ++n)
            for (const std::int64_t count : {1, 2, 37}) {
                random::seed(static_cast<std::uint64_t>(100 * n + count));
                array<T> a = astype<T>(random::normal(0.0, 1.0, {count, n, n}));
                // Nothing on the diagonal that could be a first pivot.
                if (n > 1) a = roll(a * T(0.1) + T(4) * eye<T>(n), 1, 1);
                const array<T> product = matmul(a, linalg::inv(a));
                INFO(std::string(to_string(dtype_of<T>)), " ", count, " of ", n, " x ", n);
                CHECK(double(max(abs(product - eye<T>(n)))) <= 1e4 * epsilon<T>());
            }
        array<T> one_singular = zeros<T>({9, 3, 3}) + eye<T>(3);
        one_singular(7, 2) = T(0);
        CHECK_THROWS_AS(to_vector(array<T>(linalg::inv(one_singular))), linalg_error);
    });
}

TEST_CASE("linalg: Cholesky's factors of stacks of matrices of every small size, and the first that has none") {
    for_each_type([]<class T>(T) {
        for (std::int64_t n = 1; n <= 33; ++n)
            for (const std::int64_t count : {1, 37}) {
                random::seed(static_cast<std::uint64_t>(100 * n + count));
                const array<T> b = astype<T>(random::normal(0.0, 1.0, {count, n, n}));
                const array<T> a = matmul(b, conj(b).mT()) + eye<T>(n), low = tril(a) + T(7) * triu(ones<T>({n, n}), 1);
                const array<T> l = linalg::cholesky(low),
                               u = linalg::cholesky(array<T>(conj(low).mT()), {.upper = true});
                INFO(std::string(to_string(dtype_of<T>)), " ", count, " of ", n, " x ", n);
                CHECK(double(max(abs(matmul(l, conj(l).mT()) - a))) <= 30 * n * n * epsilon<T>());
                CHECK(double(max(abs(conj(l).mT() - u))) <= 1e3 * n * epsilon<T>());
                CHECK(array_equal(l, tril(l)));
            }
        array<T> stack = zeros<T>({300, 3, 3}) + eye<T>(3);
        stack(270, 1, 1) = T(-1);
        stack(290, 0, 0) = T(0);
        CHECK_THROWS_WITH_AS(to_vector(array<T>(linalg::cholesky(stack))), doctest::Contains("270"), linalg_error);
    });
}

TEST_CASE("linalg: singular vectors of stacks of larger matrices are orthonormal, whatever matrices are among them") {
    for_each_type([]<class T>(T) {
        std::vector<dims> shapes{{33, 33}, {50, 20}, {20, 50}, {1, 40}, {40, 1}};
        if (is_full())
            shapes.insert(shapes.end(), {dims(50, 50), dims(129, 129), dims(100, 200), dims(600, 50), dims(41, 2300)});
        for (const dims& d : shapes) {
            const array<T> a = one_of_each<T>(d[0], d[1]);
            for (bool full : {true, false}) {
                if (!full && d[0] == d[1]) continue;
                auto [u, s, vh] = linalg::svd(a, {.full_matrices = full});
                for (std::int64_t i = 0; i < kinds; ++i) check_svd<T>(all_spectra[i], a(i), u(i), s(i), vh(i));
            }
            const array<real_of<T>> alone = linalg::svdvals(a);
            for (std::int64_t i = 0; i < kinds; ++i) check_values<T>(all_spectra[i], d, alone(i));
        }
    });
}

TEST_CASE(
    "linalg: singular vectors of stacks that are found by polar decompositions are as good, whatever the condition") {
    for_each_type([]<class T>(T) {
        std::vector<dims> shapes{{9, 70, 66}};
        if (is_full()) shapes.insert(shapes.end(), {dims(9, 66, 150), dims(3, 513, 513), dims(9, 600, 65)});
        for (const dims& d : shapes) {
            const array<T> a = some_of_each<T>(d[0], d[1], d[2]);
            for (bool full : {true, false}) {
                auto [u, s, vh] = linalg::svd(a, {.full_matrices = full});
                for (std::int64_t i = 0; i < d[0]; ++i) check_svd<T>(all_spectra[i % kinds], a(i), u(i), s(i), vh(i));
            }
            const array<real_of<T>> alone = linalg::svdvals(a);
            for (std::int64_t i = 0; i < d[0]; ++i) check_values<T>(all_spectra[i % kinds], dims(d[1], d[2]), alone(i));
        }
    });
}

TEST_CASE("linalg: singular vectors of stacks of matrices with many rows or columns are as good") {
    for_each_type([]<class T>(T) {
        for (const dims& d : {dims(521, 19), dims(3, 530)}) {
            const array<T> a = one_of_each<T>(d[0], d[1]);
            auto [u, s, vh] = linalg::svd(a, {.full_matrices = false});
            for (std::int64_t i = 0; i < kinds; ++i) check_svd<T>(all_spectra[i], a(i), u(i), s(i), vh(i));
        }
    });
}

TEST_CASE(
    "linalg: singular vectors of stacks are as good where a matrix has more columns than a block on a GPU holds") {
    on_compiling_backends([](const tested_backend&) {
        array<wide> a = zeros<wide>({2, 90, 85});
        a(0) = matrix<wide>(90, 85, spectrum::ill);
        a(1) = matrix<wide>(90, 85, spectrum::deficient);
        auto [u, s, vh] = linalg::svd(a);
        check_svd<wide>(spectrum::ill, a(0), u(0), s(0), vh(0));
        check_svd<wide>(spectrum::deficient, a(1), u(1), s(1), vh(1));
    });
}

TEST_CASE("linalg: a stack of any number of larger matrices is as much work for its host as one of three") {
    on_compiling_backends([](const tested_backend&) {
        auto same_for = [](std::int64_t some, std::int64_t more, std::int64_t m, std::int64_t n, auto compute) {
            const array<double> few = random::random({some, m, n}).eval(), many = random::random({more, m, n}).eval();
            compute(few), compute(many);
            CHECK(work_of([&] { compute(few); }) == work_of([&] { compute(many); }));
        };
        auto same = [&](auto compute) { same_for(3, 30, 40, 5, compute); };
        same_for(9, 11, 66, 65, [](const array<double>& a) { eval(linalg::svd(a)); });
        same_for(9, 11, 66, 65, [](const array<double>& a) { linalg::svdvals(a.mT()).eval(); });
        same_for(2, 4, 517, 18, [](const array<double>& a) { eval(linalg::qr(a)); });
        same_for(2, 4, 517, 18, [](const array<double>& a) { eval(linalg::svd(a.mT(), {.full_matrices = false})); });
        same([](const array<double>& a) { eval(linalg::svd(a)); });
        same([](const array<double>& a) { eval(linalg::svd(a, {.full_matrices = false})); });
        same([](const array<double>& a) { linalg::svdvals(a.mT()).eval(); });
        same([](const array<double>& a) { eval(linalg::qr(a)); });
        same([](const array<double>& a) { eval(linalg::qr(a, "complete")); });
        same([](const array<double>& a) { eval(linalg::lu(a)); });
        same([](const array<double>& a) { eval(linalg::lu_factor(a.mT())); });
    });
}

TEST_CASE("linalg: whatever is asked of a stack is as much work for its host for eleven matrices as for nine") {
    on_compiling_backends([](const tested_backend&) {
        std::vector<std::int64_t> sizes{20};
        if (!std::getenv("SINTER_EMULATED_CACHE")) sizes.push_back(is_full() ? 200 : 70);
        for (const std::int64_t n : sizes) {
            auto symmetric = [n](std::int64_t count) {
                array<double> x = random::random({count, n, n}).eval();
                return array<double>((x + x.mT()) / (8.0 * static_cast<double>(n)) + eye<double>(n)).eval();
            };
            const array<double> few = symmetric(9), many = symmetric(11), b = random::random({n, 2}).eval();
            auto same = [&](const char* name, auto compute) {
                INFO(std::string(name), " of ", n, " rows");
                compute(few), compute(many);
                CHECK(work_of([&] { compute(few); }) == work_of([&] { compute(many); }));
            };
            same("inv", [](auto& a) { linalg::inv(a).eval(); });
            same("solve", [&](auto& a) { linalg::solve(a, b).eval(); });
            same("det", [](auto& a) { linalg::det(a).eval(); });
            same("slogdet", [](auto& a) { eval(linalg::slogdet(a)); });
            same("cholesky", [](auto& a) { linalg::cholesky(a).eval(); });
            same("cholesky_solve", [&](auto& a) { linalg::cholesky_solve(linalg::cholesky(a), b).eval(); });
            same("solve_triangular", [&](auto& a) { linalg::solve_triangular(a, b).eval(); });
            same("solve_tridiagonal", [&](auto& a) {
                linalg::solve_tridiagonal(diagonal(a, -1, 1, 2), diagonal(a, 0, 1, 2), diagonal(a, 1, 1, 2),
                                          a(ellipsis, 0))
                    .eval();
            });
            same("lu", [](auto& a) { eval(linalg::lu(a)); });
            same("lu of tall ones", [](auto& a) { eval(linalg::lu(a(ellipsis, slice(7)))); });
            same("lu_solve", [&](auto& a) { linalg::lu_solve(linalg::lu_factor(a), b).eval(); });
            same("qr", [](auto& a) { eval(linalg::qr(a)); });
            same("qr of wide ones", [](auto& a) { eval(linalg::qr(a(ellipsis, slice(7), all))); });
            same("svd", [](auto& a) { eval(linalg::svd(a)); });
            same("svd of tall ones",
                 [](auto& a) { eval(linalg::svd(a(ellipsis, slice(7)), {.full_matrices = false})); });
            same("svdvals", [](auto& a) { linalg::svdvals(a).eval(); });
            same("eigh", [](auto& a) { eval(linalg::eigh(a)); });
            same("eigvalsh", [](auto& a) { linalg::eigvalsh(a).eval(); });
            same("eig", [](auto& a) { eval(linalg::eig(a)); });
            same("eigvals", [](auto& a) { linalg::eigvals(a).eval(); });
            same("pinv", [](auto& a) { linalg::pinv(a).eval(); });
            same("lstsq", [&](auto& a) { eval(linalg::lstsq(a, b)); });
            same("norm", [](auto& a) { linalg::norm(a, 2, {-2, -1}).eval(); });
            same("cond", [](auto& a) { linalg::cond(a).eval(); });
            same("matrix_rank", [](auto& a) { linalg::matrix_rank(a).eval(); });
            same("matrix_power", [](auto& a) { linalg::matrix_power(a, -3).eval(); });
            same("expm", [](auto& a) { linalg::expm(a).eval(); });
        }
    });
}

TEST_CASE("linalg: stacks of long matrices are decomposed at once, and their singular vectors are orthonormal") {
    on_compiling_backends([](const tested_backend&) {
        const array<double> few = random::random({2, 521, 3}).eval(), many = random::random({5, 521, 3}).eval();
        for (bool full : {true, false}) {
            auto compute = [&](const array<double>& a) { eval(linalg::svd(a, {.full_matrices = full})); };
            compute(few), compute(many);
            CHECK(work_of([&] { compute(few); }) == work_of([&] { compute(many); }));
            auto [u, s, vh] = linalg::svd(few, {.full_matrices = full});
            const array<double> left = u(all, all, slice(3));
            CHECK(double(max(abs(matmul(left * expand_dims(s, -2), vh) - few))) < 1e-12);
            CHECK(orthogonality<double>(u(1)) <= threshold);
        }
    });
}

TEST_CASE("linalg: a matrix of a stack that has no singular values is named where they are read") {
    on_compiling_backends([](const tested_backend&) {
        for (const dims& d : {dims(4, 36, 35), dims(9, 68, 66)})
            for (double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
                array<double> a = random::random(d);
                a(2, 7, 5) = bad;
                std::string what;
                try {
                    linalg::svd(a).s.eval().item(0, 0);
                } catch (const linalg_error& e) {
                    what = e.what();
                }
                CHECK(what == "[svd] matrix (2,) has elements that are not finite");
            }
    });
}

TEST_CASE("linalg: stacks of more than 65,535 matrices have eigenvalues and singular values") {
    on_every_backend([](const tested_backend&) {
        const std::int64_t count = 65'537;
        array<double> a = zeros<double>({count, 5, 5});
        const array<double> number = arange<double>(count);
        a(all, 0, 0) = number, a(all, 1, 1) = number, a(all, 0, 1) = 1.0, a(all, 1, 0) = 1.0;
        for (const array<double>& m : {a, array<double>(a(all, slice(0, 2), slice(0, 2)))}) {
            const array<double> values = linalg::eigvalsh(m);
            CHECK(double(max(abs(values(all, -1) - (number + 1.0)))) < 1e-9);
            CHECK(double(max(abs(sum(values, 1) - 2 * number))) < 1e-9);
        }
        const array<double> singular = linalg::svdvals(a);
        CHECK(double(max(abs(singular(all, 0) - (number + 1.0)))) < 1e-9);
    });
}

TEST_CASE("linalg: stacks of matrices without elements have factors, too") {
    on_compiling_backends([](const tested_backend&) {
        const array<double> none = zeros({3, 40, 0});
        CHECK(linalg::svdvals(none).eval().shape() == dims(3, 0));
        CHECK(array_equal(linalg::svd(none).u, linalg::qr(none, "complete").q));
        CHECK(linalg::svd(none.mT(), {.full_matrices = false}).vh.eval().shape() == dims(3, 0, 40));
        CHECK(linalg::lu_factor(none).lu.eval().shape() == dims(3, 40, 0));
    });
}

TEST_CASE("linalg: QR factors of stacks are orthonormal and multiply to their matrices") {
    for_each_type([]<class T>(T) {
        std::vector<dims> shapes{{33, 33}, {50, 20}, {20, 50}, {130, 5}, {1700, 3}, {525, 37}, {18, 515}};
        if (is_full()) shapes.insert(shapes.end(), {dims(129, 129), dims(300, 260), dims(540, 560), dims(5000, 130)});
        for (const dims& d : shapes) {
            const array<T> a = one_of_each<T>(d[0], d[1]);
            for (const char* mode : {"reduced", "complete"}) {
                if (d[0] > 500 && *mode == 'c' && !(is_full() && d[0] < 1000)) continue;
                auto [q, r] = linalg::qr(a, mode);
                for (std::int64_t i = 0; i < kinds; ++i) {
                    INFO(std::string(to_string(dtype_of<T>)), " ", to_string(d), " ", std::string(mode), ", ",
                         std::string(names[i]));
                    const double scale = scale_of<T>(all_spectra[i]);
                    const array<wide> of = widened(a(i), scale), left = widened(std::as_const(q)(i)),
                                      right = widened(std::as_const(r)(i), scale);
                    CHECK(ratio<T>(matmul(left, right) - of, of, std::max(d[0], d[1])) <= threshold);
                    CHECK(orthogonality<T>(left) <= threshold);
                }
            }
        }
    });
}

TEST_CASE("linalg: LU factors of stacks that are not square multiply to their matrices") {
    for_each_type([]<class T>(T) {
        std::vector<dims> shapes{{50, 20}, {20, 50}, {70, 40}, {321, 9}, {7, 100}, {1100, 35}};
        if (is_full()) shapes.insert(shapes.end(), {dims(530, 600), dims(1100, 550)});
        for (const dims& d : shapes) {
            const array<T> a = one_of_each<T>(d[0], d[1]);
            auto [p, l, u] = linalg::lu(a);
            for (std::int64_t i = 0; i < kinds; ++i) {
                INFO(std::string(to_string(dtype_of<T>)), " ", to_string(d), ", ", std::string(names[i]));
                const double scale = scale_of<T>(all_spectra[i]);
                const array<wide> of = widened(a(i), scale), order = widened(p(i)), lower = widened(l(i)),
                                  upper = widened(u(i), scale);
                CHECK(ratio<T>(matmul(order, matmul(lower, upper)) - of, of, std::max(d[0], d[1])) <= threshold);
                CHECK(double(max(abs(lower))) <= 1.5);
            }
        }
    });
}

TEST_CASE(
    "linalg: LU factors of stacks of matrices with more rows than all threads of a cluster are one call's, and as of "
    "one matrix") {
    for_each_type([]<class T>(T) {
        const std::int64_t m = 16391, n = 19;
        auto with_zeros = [&](std::int64_t count) {
            array<T> a = astype<T>(random::randn<double>(count, m, n));
            a(all, slice(100, 16000), 5) = T(0);
            return a.eval();
        };
        const array<T> few = with_zeros(2), many = with_zeros(3);
        auto compute = [](const array<T>& a) { eval(linalg::lu_factor(a)); };
        compute(few), compute(many);
        CHECK(work_of([&] { compute(few); }) == work_of([&] { compute(many); }));
        auto [lu, piv] = linalg::lu_factor(many);
        for (std::int64_t i = 0; i < 3; ++i) {
            auto [alone, piv_alone] = linalg::lu_factor(many(i));
            CHECK(array_equal(piv(i), piv_alone));
            CHECK(double(max(abs(lu(i) - alone))) <= 1e3 * epsilon<T>());
            CHECK(double(max(abs(tril(lu(i), -1)))) <= 1.5);
        }
    });
}

TEST_CASE("linalg: of a stack that is not square the first matrix with a zero pivot is named, and its pivot") {
    on_compiling_backends([](const tested_backend&) {
        for (const dims& d : {dims(4, 5, 40), dims(4, 40, 5)}) {
            array<double> a = random::random(d);
            a(2, 3) = 0;
            a(3, 1) = 0;
            a.eval();
            array<std::int32_t> pivots;
            std::string what;
            try {
                linalg::lapack::getrf(a, pivots);
                a.item(0, 0, 0);
            } catch (const linalg_error& e) {
                what = e.what();
            }
            CHECK(what == "[getrf] matrix (2,) is singular: pivot 4 is zero");
        }
    });
}
