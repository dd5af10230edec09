// Linear algebra of matrices over ranks of MPI, measured as LAPACK's tests measure, in all types and placements, and
// what is wrong with matrices told on all ranks: linalg
#include <mpi.h>

#define DOCTEST_CONFIG_DISABLE
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sinter/distributed.hpp>

#include "support/linalg_ratio.hpp"

using namespace sinter;
using linalg_ratio::adjoint;
using linalg_ratio::norm1;
using linalg_ratio::ratio;
using linalg_ratio::spectrum;
using linalg_ratio::wide;
using linalg_ratio::widened;

bool is_device_executable = false;

namespace {

int passed = 0, failed = 0;

void check(distributed::session& s, bool right, const std::string& what) {
    right ? ++passed : ++failed;
    if (!right) std::printf("wrong on rank %d: %s\n", s.rank(), what.c_str());
}

void measure(distributed::session& s, double value, const std::string& what) {
    check(s, value <= linalg_ratio::threshold, what + ": " + std::to_string(value));
}

// The words of what a call throws, which have to be those of all ranks.
template <class F>
std::string words_of(distributed::session& s, F f) {
    std::string own;
    try {
        f();
    } catch (const error& e) {
        own = e.what();
    }
    std::string first = own;
    first.resize(400, '\0');
    s.link().broadcast(first.data(), 400, 0);
    return first.c_str() == own ? own : own + " is not what rank 0 threw: " + first.c_str();
}

const distributed::placement placements[] = {distributed::split(0), distributed::split(1),
                                             distributed::block_cyclic(3)};

template <class T>
void square_matrices(distributed::session& s, std::int64_t n, const distributed::placement& where) {
    const std::string story = std::string(to_string(dtype_of<T>)) + ", n = " + std::to_string(n) + ", " +
                              to_string(where) + ", " + std::to_string(s.ranks()) + " ranks: ";
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
            measure(s, norm1(rest) == 0 ? 0 : norm1(rest) / size, story + "solve");
        }
        const array<wide> l = widened(linalg::cholesky(y).gather());
        measure(s, ratio<T>(wp - matmul(l, adjoint(l)), wp, n), story + "cholesky");
        check(s, bool(sinter::all(l == tril(l)).item()), story + "the other triangle is zero");
        const auto e = linalg::eigh(y);
        const array<wide> v = widened(e.eigenvectors.gather()), values = widened(e.eigenvalues.gather());
        measure(s, ratio<T>(matmul(wp, v) - v * values, wp, n), story + "eigh");
        measure(s, linalg_ratio::orthogonality<T>(v), story + "eigenvectors");
        const array<T> upper = linalg::cholesky(y, {.upper = true}).gather();
        measure(s, ratio<T>(wp - matmul(adjoint(widened(upper)), widened(upper)), wp, n), story + "cholesky, upper");
    }
    const array<T> a = linalg_ratio::matrix<T>(n, n, spectrum::flat);
    const wide wanted = linalg::det(widened(a)).item(),
               got = widened(linalg::det(distribute(a, where)).gather()).item();
    check(s, std::abs(got - wanted) <= 30 * double(n) * linalg_ratio::epsilon<T>() * std::abs(wanted), story + "det");
}

template <class T>
void rectangular_matrices(distributed::session& s, std::int64_t m, std::int64_t n,
                          const distributed::placement& where) {
    const std::string story = std::string(to_string(dtype_of<T>)) + ", " + std::to_string(m) + " x " +
                              std::to_string(n) + ", " + to_string(where) + ", " + std::to_string(s.ranks()) +
                              " ranks: ";
    for (spectrum kind : {spectrum::moderate, spectrum::deficient}) {
        const array<T> a = linalg_ratio::matrix<T>(m, n, kind);
        const array<wide> w = widened(a);
        const auto x = distribute(a, where);
        const auto f = linalg::qr(x);
        const array<wide> q = widened(f.q.gather()), r = widened(f.r.gather());
        check(s, f.q.placement() == where, story + "placement of q");
        measure(s, ratio<T>(w - matmul(q, r), w, std::max(m, n)), story + "qr");
        measure(s, linalg_ratio::orthogonality<T>(q), story + "q");
        check(s, bool(sinter::all(r == triu(r)).item()), story + "r is a triangle");
        const auto g = linalg::svd(x, {.full_matrices = false});
        const array<wide> u = widened(g.u.gather()), vh = widened(g.vh.gather()), values = widened(g.s.gather());
        measure(s, ratio<T>(w - matmul(u * values, vh), w, std::max(m, n)), story + "svd");
        measure(s, linalg_ratio::orthogonality<T>(u), story + "u");
        measure(s, linalg_ratio::orthogonality<T>(array<wide>(adjoint(vh))), story + "vh");
        const array<T> b = linalg_ratio::matrix<T>(m, 2, spectrum::moderate);
        const auto found = linalg::lstsq(x, distribute(b, distributed::split(0)));
        const auto wanted = linalg::lstsq(a, b);
        check(s, found.rank.gather().item() == wanted.rank.item(), story + "rank");
        const double size = norm1(widened(wanted.x)) * double(std::max(m, n)) * linalg_ratio::epsilon<T>() * 100;
        check(s, norm1(widened(found.x.gather()) - widened(wanted.x)) <= size, story + "lstsq");
        check(s, found.residuals.gather().shape() == wanted.residuals.shape(), story + "residuals");
    }
}

template <class T>
void products(distributed::session& s, std::int64_t m, std::int64_t k, std::int64_t n) {
    const array<T> a = linalg_ratio::matrix<T>(m, k, spectrum::moderate),
                   b = linalg_ratio::matrix<T>(k, n, spectrum::moderate);
    const array<wide> wanted = matmul(widened(a), widened(b));
    for (const auto& of_a : placements)
        for (const auto& of_b : placements) {
            const auto c = matmul(distribute(a, of_a), distribute(b, of_b));
            const std::string story = std::string(to_string(dtype_of<T>)) + ", product of " + to_string(of_a) +
                                      " and " + to_string(of_b) + ", " + to_string(c.shape());
            measure(s, ratio<T>(widened(c.gather()) - wanted, wanted, k), story);
        }
    const auto blocks = distribute(a, distributed::block_cyclic(2));
    check(s, bool(sinter::all((blocks * 2 + blocks).gather() == a * T(2) + a).item()), "elements in blocks");
    check(s, bool(sinter::all(blocks.reshard(distributed::split(1)).gather() == a).item()), "and back");
}

template <class T>
void all_of_type(distributed::session& s, bool full) {
    const std::int64_t p = s.ranks();
    for (const auto& where : placements) {
        for (std::int64_t n : {std::int64_t{1}, std::max<std::int64_t>(1, p - 1), p + 3, std::int64_t{37}})
            square_matrices<T>(s, n, where);
        if (full) square_matrices<T>(s, 150, where);
        rectangular_matrices<T>(s, 1, 1, where);
        rectangular_matrices<T>(s, 23, 7, where);
        rectangular_matrices<T>(s, 7, 23, where);
        if (full) rectangular_matrices<T>(s, 131, 70, where);
    }
    products<T>(s, 17, 9, 5);
    products<T>(s, 1, 1, 1);
}

void refusals(distributed::session& s) {
    const auto rows = distributed::split(0);
    const auto ones_of = [&] { return distribute(ones({5, 5}), rows); };
    auto starts = [&](const std::string& words, const char* wanted) {
        check(s, words.find(wanted) == 0, "'" + words + "' is not '" + wanted + "'");
    };
    starts(words_of(s, [&] { linalg::solve(ones_of(), distribute(ones({5}), rows)); }),
           "[solve] the matrix is singular: pivot 2 is zero");
    starts(words_of(s, [&] { linalg::cholesky(-ones_of()); }),
           "[cholesky] the matrix is not positive definite: leading minor of order 1");
    starts(words_of(s, [&] { linalg::eigh(ones_of() / 0.0); }), "[eigh] the matrix has elements that are not finite");
    starts(words_of(s, [&] { linalg::svd(ones_of() / 0.0, {.full_matrices = false}); }),
           "[svd] the matrix has elements that are not finite");
    starts(words_of(s, [&] { linalg::det(distribute(ones({2, 3}), rows)); }), "[det] square matrices are wanted");
    starts(words_of(s, [&] { linalg::qr(distribute(ones({2, 3, 3}), rows)); }), "[qr] over ranks it takes matrices");
    starts(words_of(s, [&] { linalg::svd(ones_of()); }), "[svd] over ranks there are reduced matrices");
    starts(words_of(s, [&] { linalg::solve(ones_of(), distribute(ones({4}), rows)); }), "[solve] shapes do not fit");
}

void in_a_mesh(distributed::session& s) {
    const array<double> a = linalg_ratio::matrix<double>(13, 13, spectrum::moderate),
                        b = linalg_ratio::matrix<double>(13, 5, spectrum::moderate);
    for (const auto& where : {distributed::mesh(), distributed::mesh(1)}) {
        const auto x = distribute(a, where), y = distribute(b, where);
        const auto found = linalg::solve(x, y), product = matmul(x, y);
        check(s, found.placement() == where && product.placement() == where, "results in a mesh");
        measure(s, ratio<double>(widened(b) - matmul(widened(a), widened(found.gather())), widened(b), 13), "solve");
        measure(s, ratio<double>(matmul(widened(a), widened(b)) - widened(product.gather()), widened(b), 13), "matmul");
    }
}

// The handle that MPI's next communicator gets, the first that is free.
MPI_Fint next_handle() {
    MPI_Comm fresh;
    MPI_Comm_dup(MPI_COMM_WORLD, &fresh);
    const MPI_Fint handle = MPI_Comm_c2f(fresh);
    MPI_Comm_free(&fresh);
    return handle;
}

void grids_of_ended_sessions(distributed::session& s) {
    const MPI_Fint before = next_handle();
    for (int i = 0; i < 3; ++i) {
        const distributed::session inner(s.link().split(0));
        const MPI_Fint without = next_handle();
        check(s, double(linalg::det(distribute(eye(5) * 2, distributed::split(0)))) == 32, "an inner session's det");
        check(s, next_handle() != without, "a grid has communicators of its own");
    }
    check(s, next_handle() == before, "which end with the session");
}

}  // namespace

int main(int argc, char** argv) {
    const bool full = argc > 1 && std::strcmp(argv[1], "full") == 0;
    distributed::session s;
    all_of_type<double>(s, full);
    all_of_type<float>(s, full);
    all_of_type<std::complex<float>>(s, full);
    all_of_type<wide>(s, full);
    if (s.ranks() > 1) {
        refusals(s);
        in_a_mesh(s);
        grids_of_ended_sessions(s);
    }
    if (s.is_root()) std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
