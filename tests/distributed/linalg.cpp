// Linear algebra of matrices over ranks of MPI, measured as LAPACK's tests measure, in all types and placements, and
// what is wrong with matrices told on all ranks: linalg
#include <mpi.h>

#define DOCTEST_CONFIG_DISABLE
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sinter/distributed.hpp>

#include "support/matrices_over_ranks.hpp"

using namespace sinter;
using namespace matrices_over_ranks;

bool is_device_executable = false;

namespace {

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

void refusals(matrix_checks& c) {
    distributed::session& s = c.session;
    const auto rows = distributed::split(0);
    const auto ones_of = [&] { return distribute(ones({5, 5}), rows); };
    auto starts = [&](const std::string& words, const char* wanted) {
        c.check(words.find(wanted) == 0, "'" + words + "' is not '" + wanted + "'");
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

void in_a_mesh(matrix_checks& c) {
    const array<double> a = linalg_ratio::matrix<double>(13, 13, spectrum::moderate),
                        b = linalg_ratio::matrix<double>(13, 5, spectrum::moderate);
    for (const auto& where : {distributed::mesh(), distributed::mesh(1)}) {
        const auto x = distribute(a, where), y = distribute(b, where);
        const auto found = linalg::solve(x, y), product = matmul(x, y);
        c.check(found.placement() == where && product.placement() == where, "results in a mesh");
        c.measure(ratio<double>(widened(b) - matmul(widened(a), widened(found.gather())), widened(b), 13), "solve");
        c.measure(ratio<double>(matmul(widened(a), widened(b)) - widened(product.gather()), widened(b), 13), "matmul");
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

void grids_of_ended_sessions(matrix_checks& c) {
    const MPI_Fint before = next_handle();
    for (int i = 0; i < 3; ++i) {
        const distributed::session inner(c.session.link().split(0));
        const MPI_Fint without = next_handle();
        c.check(double(linalg::det(distribute(eye(5) * 2, distributed::split(0)))) == 32, "an inner session's det");
        c.check(next_handle() != without, "a grid has communicators of its own");
    }
    c.check(next_handle() == before, "which end with the session");
}

}  // namespace

int main(int argc, char** argv) {
    const bool full = argc > 1 && std::strcmp(argv[1], "full") == 0;
    distributed::session s;
    matrix_checks c{s};
    all_of_type<double>(c, full);
    all_of_type<float>(c, full);
    all_of_type<std::complex<float>>(c, full);
    all_of_type<wide>(c, full);
    if (s.ranks() > 1) {
        refusals(c);
        in_a_mesh(c);
        grids_of_ended_sessions(c);
    }
    std::printf("%s", c.wrong.c_str());
    if (s.is_root()) std::printf("%d passed, %d failed\n", c.passed, c.failed);
    return c.failed != 0;
}
