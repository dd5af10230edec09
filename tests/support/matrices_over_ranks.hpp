// Linear algebra of matrices over ranks, measured as LAPACK's tests measure, in all placements; must not know what
// links the ranks, nor which library computes.
#pragma once

#include <cstdio>
#include <sinter/distributed.hpp>
#include <string>

#include "linalg_ratio.hpp"

namespace matrices_over_ranks {

using namespace sinter;
using linalg_ratio::adjoint;
using linalg_ratio::norm1;
using linalg_ratio::ratio;
using linalg_ratio::spectrum;
using linalg_ratio::wide;
using linalg_ratio::widened;

/// What one rank finds.
struct matrix_checks {
    distributed::session& session;
    int passed = 0, failed = 0;
    std::string wrong = {};

    void check(bool right, const std::string& what) {
        ++(right ? passed : failed);
        if (!right) wrong += "rank " + std::to_string(session.rank()) + ": " + what + "\n";
    }
    void measure(double value, const std::string& what) {
        check(value <= linalg_ratio::threshold, what + ": " + std::to_string(value));
    }
};

inline const distributed::placement placements[] = {distributed::split(0), distributed::split(1),
                                                    distributed::block_cyclic(3)};

template <class T>
void square_matrices(matrix_checks& c, std::int64_t n, const distributed::placement& where) {
    const std::string story = std::string(to_string(dtype_of<T>)) + ", n = " + std::to_string(n) + ", " +
                              to_string(where) + ", " + std::to_string(c.session.ranks()) + " ranks: ";
    for (spectrum kind : {spectrum::moderate, spectrum::ill}) {
        const array<T> a = linalg_ratio::matrix<T>(n, n, kind), p = linalg_ratio::matrix<T>(n, n, kind, true);
        const array<wide> w = widened(a), wp = widened(p);
        const auto x = distribute(a, where), y = distribute(p, where);
        for (std::int64_t count : {1, 3}) {
            const array<T> b = linalg_ratio::matrix<T>(n, count, spectrum::moderate);
            const auto right = distribute(b, count == 1 ? distributed::split(0) : where);
            const array<wide> found = widened(linalg::solve(x, right).gather());
            const array<wide> rest = widened(b) - matmul(w, found);
            const double size = norm1(w) * norm1(found) * double(n) * linalg_ratio::epsilon<T>();
            c.measure(norm1(rest) == 0 ? 0 : norm1(rest) / size, story + "solve");
        }
        const array<wide> l = widened(linalg::cholesky(y).gather());
        c.measure(ratio<T>(wp - matmul(l, adjoint(l)), wp, n), story + "cholesky");
        c.check(bool(sinter::all(l == tril(l)).item()), story + "the other triangle is zero");
        const auto e = linalg::eigh(y);
        const array<wide> v = widened(e.eigenvectors.gather()), values = widened(e.eigenvalues.gather());
        c.measure(ratio<T>(matmul(wp, v) - v * values, wp, n), story + "eigh");
        c.measure(linalg_ratio::orthogonality<T>(v), story + "eigenvectors");
        const array<T> upper = linalg::cholesky(y, {.upper = true}).gather();
        c.measure(ratio<T>(wp - matmul(adjoint(widened(upper)), widened(upper)), wp, n), story + "cholesky, upper");
    }
    const array<T> a = linalg_ratio::matrix<T>(n, n, spectrum::flat);
    const wide wanted = linalg::det(widened(a)).item(),
               got = widened(linalg::det(distribute(a, where)).gather()).item();
    c.check(std::abs(got - wanted) <= 30 * double(n) * linalg_ratio::epsilon<T>() * std::abs(wanted), story + "det");
}

template <class T>
void rectangular_matrices(matrix_checks& c, std::int64_t m, std::int64_t n, const distributed::placement& where) {
    const std::string story = std::string(to_string(dtype_of<T>)) + ", " + std::to_string(m) + " x " +
                              std::to_string(n) + ", " + to_string(where) + ", " + std::to_string(c.session.ranks()) +
                              " ranks: ";
    for (spectrum kind : {spectrum::moderate, spectrum::deficient}) {
        const array<T> a = linalg_ratio::matrix<T>(m, n, kind);
        const array<wide> w = widened(a);
        const auto x = distribute(a, where);
        const auto f = linalg::qr(x);
        const array<wide> q = widened(f.q.gather()), r = widened(f.r.gather());
        c.check(f.q.placement() == where, story + "placement of q");
        c.measure(ratio<T>(w - matmul(q, r), w, std::max(m, n)), story + "qr");
        c.measure(linalg_ratio::orthogonality<T>(q), story + "q");
        c.check(bool(sinter::all(r == triu(r)).item()), story + "r is a triangle");
        const auto g = linalg::svd(x, {.full_matrices = false});
        const array<wide> u = widened(g.u.gather()), vh = widened(g.vh.gather()), values = widened(g.s.gather());
        c.measure(ratio<T>(w - matmul(u * values, vh), w, std::max(m, n)), story + "svd");
        c.measure(linalg_ratio::orthogonality<T>(u), story + "u");
        c.measure(linalg_ratio::orthogonality<T>(array<wide>(adjoint(vh))), story + "vh");
        const array<T> b = linalg_ratio::matrix<T>(m, 2, spectrum::moderate);
        const auto found = linalg::lstsq(x, distribute(b, distributed::split(0)));
        const auto wanted = linalg::lstsq(a, b);
        c.check(found.rank.gather().item() == wanted.rank.item(), story + "rank");
        const double size = norm1(widened(wanted.x)) * double(std::max(m, n)) * linalg_ratio::epsilon<T>() * 100;
        c.check(norm1(widened(found.x.gather()) - widened(wanted.x)) <= size, story + "lstsq");
        c.check(found.residuals.gather().shape() == wanted.residuals.shape(), story + "residuals");
    }
}

template <class T>
void products(matrix_checks& c, std::int64_t m, std::int64_t k, std::int64_t n) {
    const array<T> a = linalg_ratio::matrix<T>(m, k, spectrum::moderate),
                   b = linalg_ratio::matrix<T>(k, n, spectrum::moderate);
    const array<wide> wanted = matmul(widened(a), widened(b));
    for (const auto& of_a : placements)
        for (const auto& of_b : placements) {
            const auto product = matmul(distribute(a, of_a), distribute(b, of_b));
            const std::string story = std::string(to_string(dtype_of<T>)) + ", product of " + to_string(of_a) +
                                      " and " + to_string(of_b) + ", " + to_string(product.shape());
            c.measure(ratio<T>(widened(product.gather()) - wanted, wanted, k), story);
        }
    const auto blocks = distribute(a, distributed::block_cyclic(2));
    c.check(bool(sinter::all((blocks * 2 + blocks).gather() == a * T(2) + a).item()), "elements in blocks");
    c.check(bool(sinter::all(blocks.reshard(distributed::split(1)).gather() == a).item()), "and back");
}

template <class T>
void all_of_type(matrix_checks& c, bool full) {
    const std::int64_t p = c.session.ranks();
    for (const auto& where : placements) {
        for (std::int64_t n : {std::int64_t{1}, std::max<std::int64_t>(1, p - 1), p + 3, std::int64_t{37}})
            square_matrices<T>(c, n, where);
        if (full) square_matrices<T>(c, 150, where);
        rectangular_matrices<T>(c, 1, 1, where);
        // Fewer rows or columns than ranks.
        rectangular_matrices<T>(c, 1, 2, where);
        rectangular_matrices<T>(c, 2, 2, where);
        rectangular_matrices<T>(c, 23, 7, where);
        rectangular_matrices<T>(c, 7, 23, where);
        if (full) rectangular_matrices<T>(c, 131, 70, where);
    }
    products<T>(c, 17, 9, 5);
    products<T>(c, 1, 1, 1);
}

}  // namespace matrices_over_ranks
