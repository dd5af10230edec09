// LAPACK's routines in the arrays' own memory: what they leave there, that nothing is copied, and what they refuse.
#include "support/backends.hpp"
#include "support/linalg_golden.hpp"

using namespace sinter;
using namespace test_backends;
using linalg_golden::for_each_type;
namespace lapack = sinter::linalg::lapack;

namespace {

template <class T>
double tolerance() {
    return codegen::real_of(dtype_of<T>) == dtype::float32 ? 1e-3 : 1e-11;
}

template <class T>
array<T> draw(const dims& shape) {
    array<T> x = astype<T>(random::standard_normal(shape));
    if constexpr (codegen::is_complex(dtype_of<T>)) x = x + T(0, 1) * astype<T>(random::standard_normal(shape));
    return x;
}

template <class A, class B>
void check_close(const A& a, const B& b) {
    CHECK(a.shape() == b.shape());
    CHECK(allclose(a, b, 0, tolerance<value_type_t<A>>()));
}

/// As LAPACK sees an array, and back.
template <class T>
array<T> seen(const array<T>& x) {
    return x.mT().copy();
}

}  // namespace

TEST_CASE("lapack: LU factors and Cholesky's solve equations where they lie, in stacks too") {
    on_every_backend([](const tested_backend&) {
        random::seed(11);
        for_each_type([]<class T>(T) {
            for (const dims& stack : {dims(), dims(3)}) {
                dims square = stack, sides = stack;
                square.push_back(5), square.push_back(5), sides.push_back(2), sides.push_back(5);
                const array<T> a = draw<T>(square) + 4 * eye<T>(5), b = draw<T>(sides);
                array<T> lu = a.copy();
                array<std::int32_t> pivots;
                lapack::getrf(lu, pivots);
                for (char trans : {'N', 't', 'C'}) {
                    array<T> x = b.copy(), op = trans == 'N' ? array<T>(a.mT()) : trans == 't' ? a : array<T>(conj(a));
                    lapack::getrs(trans, lu, pivots, x);
                    check_close(matmul(op, x.mT()), array<T>(b.mT()));
                }
                const array<T> p = matmul(a, conj(a.mT())) + 5 * eye<T>(5);
                for (char uplo : {'U', 'L'}) {
                    array<T> f = p.copy(), x = b.copy();
                    lapack::potrf(uplo, f);
                    lapack::potrs(uplo, f, x);
                    check_close(matmul(p.mT(), x.mT()), array<T>(b.mT()));
                    array<T> y = b.copy();
                    lapack::trsm('L', uplo, 'N', 'N', a, y);
                    check_close(matmul(uplo == 'U' ? array<T>(triu(seen(a))) : array<T>(tril(seen(a))), y.mT()),
                                array<T>(b.mT()));
                }
                array<T> l = a(ellipsis, 0, slice(4)), d = a(ellipsis, 1, all) + 5, u = a(ellipsis, 2, slice(4)),
                         x = b.copy();
                lapack::gtsv(l, d, u, x);
                check_close(x, array<T>(linalg::solve_tridiagonal(l, d, u, b.mT()).mT()));
            }
        });
    });
}

TEST_CASE("lapack: factors by reflections, eigenvalues and singular values multiply to their matrices") {
    on_every_backend([](const tested_backend& where) {
        random::seed(12);
        for_each_type([&]<class T>(T) {
            using R = linalg::detail::real_part<T>;
            const array<T> wide = draw<T>({3, 5}), square = draw<T>({4, 4}), symmetric = square + conj(square.T());
            array<T> f = wide.copy(), tau;
            lapack::geqrf(f, tau);
            const array<T> r = triu(seen(f)(slice(3), all));
            lapack::orgqr(f, tau);
            check_close(matmul(seen(f), r), seen(wide));

            for (char uplo : {'U', 'L'}) {
                array<T> v = symmetric.copy();
                array<R> w;
                lapack::syevd('V', uplo, v, w);
                check_close(matmul(seen(symmetric), seen(v)), seen(v) * w);
            }
            for (char jobz : {'S', 'A'}) {
                array<T> a = wide.copy(), u, vt;
                array<R> s;
                lapack::gesdd(jobz, a, s, u, vt);
                CHECK(u.shape() == (jobz == 'A' ? dims(5, 5) : dims(3, 5)));
                check_close(matmul(array<T>(seen(u)(all, slice(3)) * s), array<T>(seen(vt)(slice(3), all))),
                            seen(wide));
            }
            for (const char* jobs : {"AS", "SA", "SS", "AN", "NS"})
                for (const array<T>& given : {wide, array<T>(wide.T().copy())}) {
                    array<T> a = given.copy(), u, vt;
                    array<R> s;
                    lapack::gesvd(jobs[0], jobs[1], a, s, u, vt);
                    const std::int64_t m = given.shape(1), n = given.shape(0);
                    CHECK(u.shape() == (jobs[0] == 'A' ? dims(m, m) : jobs[0] == 'S' ? dims(3, m) : dims(0)));
                    CHECK(vt.shape() == (jobs[1] == 'A' ? dims(n, n) : jobs[1] == 'S' ? dims(n, 3) : dims(0)));
                    check_close(s, linalg::svdvals(given));
                    if (jobs[0] == 'N' || jobs[1] == 'N') continue;
                    check_close(matmul(array<T>(seen(u)(all, slice(3)) * s), array<T>(seen(vt)(slice(3), all))),
                                seen(given));
                }
            if (where.is_cuda() && !codegen::is_complex(dtype_of<T>)) return;
            using C = linalg::detail::complex_of<T>;
            array<T> a = square.copy();
            array<C> w, v;
            lapack::geev('N', 'V', a, w, v);
            check_close(matmul(astype<C>(seen(square)), seen(v)), array<C>(seen(v) * w));
        });
    });
}

TEST_CASE("lapack: products with the q of reflectors are those with the matrix that orgqr forms, in stacks too") {
    on_every_backend([](const tested_backend&) {
        random::seed(13);
        for_each_type([]<class T>(T) {
            const char adjoint = codegen::is_complex(dtype_of<T>) ? 'C' : 'T';
            for (const dims& stack : {dims(), dims(3)})
                for (const std::int64_t columns : {2, 5, 7}) {
                    CAPTURE(columns);
                    auto shape = [&](std::int64_t n, std::int64_t m) {
                        dims s = stack;
                        s.push_back(n), s.push_back(m);
                        return s;
                    };
                    const std::int64_t rows = 5, least = std::min(rows, columns);
                    array<T> a = draw<T>(shape(columns, rows)), tau, r;
                    lapack::geqrf(a, tau);
                    array<T> q = zeros<T>(shape(rows, rows)), all_of_tau = tau;
                    q(ellipsis, slice(least), all) = a(ellipsis, slice(least), all);
                    q = q.copy();
                    lapack::orgqr(q, all_of_tau);
                    const array<T> wide = draw<T>(shape(4, rows)), tall = draw<T>(shape(rows, 4));
                    for (const bool turned : {false, true}) {
                        const array<T> op = turned ? array<T>(conj(q)) : array<T>(q.mT());
                        array<T> c = wide.copy(), d = tall.copy();
                        lapack::ormqr('L', turned ? adjoint : 'N', a, tau, c);
                        check_close(c.mT(), matmul(op, wide.mT()));
                        lapack::unmqr('R', turned ? adjoint : 'N', a, tau, d);
                        check_close(d.mT(), matmul(tall.mT(), op));
                    }
                }
        });
        array<double> a = eye(3), tau = ones({3}), c = zeros({2, 4});
        CHECK_THROWS_WITH_AS(lapack::ormqr('L', 'N', a, tau, c), "[ormqr] reflectors do not fit: (2, 4) (3, 3) (3,)",
                             shape_error);
        CHECK_THROWS_WITH_AS(lapack::ormqr('L', 'C', a, tau, c), "[ormqr] trans is one of NT, not C", value_error);
    });
}

TEST_CASE("lapack: nothing is copied, launched or moved, and the address stays") {
    on_compiling_backends([](const tested_backend&) {
        array<double> a = (draw<double>({50, 50}) + 20 * eye(50)).eval(), b = draw<double>({1, 50}).eval();
        const void *at = a.data(), *side = b.data();
        array<std::int32_t> pivots;
        synchronize();
        reset_counters();
        lapack::getrf(a, pivots);
        lapack::getrs('N', a, pivots, b);
        const counters_t used = counters();
        CHECK(used.library_calls == 2);
        CHECK(used.bytes_to_host == 0);
        CHECK(used.bytes_to_device == 0);
        CHECK(a.data() == at);
        CHECK(b.data() == side);
    });
}

TEST_CASE("lapack: what reads the old contents later has them, and memory of others is refused") {
    on_every_backend([](const tested_backend&) {
        array<double> p = (3 * eye(4) + 1.0).eval();
        array<double> before = sum(p), first = p(0, all) * 1.0;
        lapack::potrf('L', p);
        CHECK(before.item() == 28);
        CHECK(first.item(1) == 1);
        CHECK(allclose(tril(linalg::cholesky(3 * eye(4) + 1.0)).T(), triu(p)));

        array<double> q = (3 * eye(4) + 1.0).eval(), other = q;
        CHECK_THROWS_WITH_AS(lapack::potrf('L', q),
                             "[potrf] the array's memory is shared with other arrays: overwrite a copy()", value_error);
        CHECK(array_equal(q, 3 * eye(4) + 1.0));
        array<double> t = q.T();
        t.eval();
        other = array<double>();
        CHECK_THROWS_AS(lapack::potrf('L', t), value_error);
        CHECK_THROWS_WITH_AS(lapack::trsm('L', 'U', 'N', 'N', q, q), "[trsm] two arguments are one array", value_error);
    });
}

TEST_CASE("lapack: what is not zero in info is an error that names the routine") {
    on_every_backend([](const tested_backend&) {
        array<double> a = (eye(3) + zeros({2, 3, 3})).eval();
        a(1, 1, 1) = -1;
        a.eval();
        array<double> c = a.copy(), d = a.copy();
        d(1, 1, 1) = 0;
        d.eval();
        array<std::int32_t> pivots;
        auto message = [](auto call) {
            try {
                call();
            } catch (const linalg_error& e) {
                return std::string(e.what());
            }
            return std::string("none");
        };
        CHECK(message([&] { lapack::potrf('L', c), c.item(0, 0, 0); }) ==
              "[potrf] matrix (1,) is not positive definite: leading minor of order 2");
        CHECK(message([&] { lapack::getrf(d, pivots), d.item(0, 0, 0); }) ==
              "[getrf] matrix (1,) is singular: pivot 2 is zero");
        CHECK(message([&] { lapack::getrf(a, pivots), a.item(0, 0, 0); }) == "none");
    });
}

TEST_CASE("lapack: letters and shapes that do not fit are refused") {
    array<double> a = eye(3), b = zeros({1, 4}), w;
    CHECK_THROWS_WITH_AS(lapack::potrf('X', a), "[potrf] uplo is one of LU, not X", value_error);
    CHECK_THROWS_AS(lapack::syevd('S', 'U', a, w), value_error);
    CHECK_THROWS_WITH_AS(lapack::trsm('L', 'U', 'N', 'N', a, b), "[trsm] matrices do not fit: (1, 4) (3, 3)",
                         shape_error);
    array<double> wide = zeros({2, 3});
    CHECK_THROWS_WITH_AS(lapack::potrf('U', wide), "[potrf] the matrix is not square: (2, 3)", shape_error);
}
