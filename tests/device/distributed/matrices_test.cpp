// Matrices over ranks that NCCL links, by cuSOLVERMp and cuBLASMp: one rank on a GPU, or as many as are wanted where
// all of these are emulated, which records what is called.
#include <algorithm>
#include <sinter/runtime/distributed/cuda_matrix_engine.hpp>

#include "support/matrices_over_ranks.hpp"
#include "support/nccl_ranks.hpp"

using namespace sinter;
using namespace nccl_ranks;
using matrices_over_ranks::matrix_checks;

namespace {

using count_objects = long long();
using list_calls = const char*();

bool can_compute() {
    if (runtime::nccl_library() && runtime::cublasmp_library() && runtime::cusolvermp_library()) return true;
    MESSAGE("not run: there are no cuBLASMp, cuSOLVERMp and NCCL");
    return false;
}

bool is_emulated() { return runtime::cusolvermp_library().function<list_calls>("emulated_cusolvermp_calls"); }

/// What both libraries have made and not got back.
long long objects() {
    return runtime::cublasmp_library().function<count_objects>("emulated_cublasmp_objects")() +
           runtime::cusolvermp_library().function<count_objects>("emulated_cusolvermp_objects")();
}

std::string calls_of_solver() {
    return runtime::cusolvermp_library().function<list_calls>("emulated_cusolvermp_calls")();
}

/// Runs `body(checks)` on ranks that NCCL links, where one rank has the libraries too; operands and references are the
/// host's.
template <class Body>
void check_matrices(std::initializer_list<int> ranks, Body body) {
    if (!can_compute()) return;
    check_on_nccl(ranks,
                  [&](distributed::session& s, auto check) {
                      const device_scope on(device::cpu());
                      matrix_checks c{s};
                      body(c);
                      check(c.failed == 0 && c.passed > 0, c.wrong.c_str());
                  },
                  {.engine_of_one = true});
}

}  // namespace

TEST_CASE("LAPACK's ratios of matrices over ranks with a GPU each, of all types, shapes and blocks") {
    check_matrices({1, 2, 4}, [](matrix_checks& c) {
        matrices_over_ranks::all_of_type<double>(c, false);
        if (c.session.ranks() != 2) matrices_over_ranks::all_of_type<std::complex<float>>(c, false);
        if (c.session.ranks() == 1) {
            matrices_over_ranks::all_of_type<float>(c, false);
            matrices_over_ranks::all_of_type<std::complex<double>>(c, false);
        }
    });
}

TEST_CASE("matrices whose parts lie on GPUs are solved and multiplied there, and stay in their blocks") {
    check_matrices({1, 4}, [](matrix_checks& c) {
        const device_scope on(device::cuda(c.session.rank() % device_count()));
        const auto blocks = distributed::block_cyclic(4);
        const array<double> a = linalg_ratio::matrix<double>(21, 21, linalg_ratio::spectrum::moderate);
        const array<double> b = linalg_ratio::matrix<double>(21, 3, linalg_ratio::spectrum::moderate);
        const auto x = linalg::solve(distribute(a, blocks), distribute(b, blocks));
        c.check(x.placement() == blocks && x.local().device().is_cuda(), "placement of x");
        const auto back = matmul(distribute(a, blocks), x);
        c.measure(linalg_ratio::ratio<double>(linalg_ratio::widened(back.gather() - b), linalg_ratio::widened(b), 21),
                  "a @ x");
    });
}

TEST_CASE("what is wrong with a matrix all ranks with a GPU each throw alike") {
    check_matrices({1, 4}, [](matrix_checks& c) {
        const auto where = distributed::block_cyclic(2);
        const auto ones_of = [&] { return distribute(ones({5, 5}), where); };
        auto starts = [&](const std::string& words, const char* wanted) { c.check(words.find(wanted) == 0, words); };
        starts(message_of([&] { linalg::solve(ones_of(), distribute(ones({5}), distributed::split(0))); }),
               "[solve] the matrix is singular: pivot 2 is zero");
        starts(message_of([&] { linalg::cholesky(-ones_of()); }),
               "[cholesky] the matrix is not positive definite: leading minor of order 1");
        starts(message_of([&] { linalg::eigh(ones_of() / 0.0); }),
               "[eigh] the matrix has elements that are not finite");
        c.check(double(linalg::det(ones_of())) == 0, "det of a singular matrix");
    });
}

TEST_CASE("ranks that NCCL does not link have no cuSOLVERMp, and are told so") {
    const auto link = distributed::make_single_communicator();
    CHECK(message_of([&] {
              distributed::make_cuda_matrix_engine("solve", *link);
          }).find("[solve] a matrix over ranks needs NCCL for cuSOLVERMp, and these ranks are ") == 0);
}

TEST_CASE("what a solution brings to the host of a matrix's factors is their diagonal") {
    if (!can_compute() || !is_emulated()) return;
    const runtime::shared_library driver({"libcuda.so.1"});
    auto* bytes = driver.function<count_objects>("emulated_bytes_to_host");
    REQUIRE((bytes != nullptr));
    constexpr std::int64_t n = 130;
    long long moved = 0;
    check_matrices({1}, [&](matrix_checks& c) {
        const array<double> a = linalg_ratio::matrix<double>(n, n, linalg_ratio::spectrum::moderate);
        const array<double> b = linalg_ratio::matrix<double>(n, 1, linalg_ratio::spectrum::moderate);
        const auto where = distributed::block_cyclic(32);
        const auto x = distribute(a, where), y = distribute(b, where);
        const long long before = bytes();
        const array<double> found = linalg::solve(x, y).gather();
        moved = bytes() - before;
        c.measure(linalg_ratio::ratio<double>(linalg_ratio::widened(matmul(a, found) - b), linalg_ratio::widened(b), n),
                  "a @ x");
    });
    CHECK(moved >= 2 * n * 8);
    CHECK(moved < n * n * 8 / 4);
}

TEST_CASE("a session gives the libraries back all that they made") {
    if (!can_compute()) return;
    if (!is_emulated()) {
        MESSAGE("not run: these libraries do not record their calls");
        return;
    }
    const long long before = objects();
    const auto begin = calls_of_solver().size();
    long long during = 0;
    check_matrices({1}, [&](matrix_checks& c) {
        const auto where = distributed::block_cyclic(2);
        c.check(double(linalg::det(distribute(eye(5) * 2, where))) == 32, "det");
        during = objects();
    });
    CHECK(during == before + 4);
    CHECK(objects() == before);
    CHECK(calls_of_solver().substr(begin) ==
          "Create CreateDeviceGrid CreateMatrixDesc Getrf_bufferSize Getrf DestroyMatrixDesc DestroyGrid Destroy ");
}

TEST_CASE("one rank alone has the functions of ordinary arrays unless its session says otherwise") {
    if (!can_compute() || !is_emulated()) return;
    const auto begin = calls_of_solver().size();
    check_on_nccl({1}, [](distributed::session&, auto check) {
        const device_scope on(device::cpu());
        check(double(linalg::det(distribute(eye(5) * 2, distributed::block_cyclic(2)))) == 32, "det");
    });
    CHECK(calls_of_solver().size() == begin);
}
