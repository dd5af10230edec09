// Libraries are opened in the background once something that needs them is recorded; forks and ends wait for that.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <sinter/runtime/library/libraries.hpp>
#include <sinter/sinter.hpp>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "support/child_process.hpp"

#if SINTER_HAS_CUDA

using namespace sinter;

namespace {

bool is_loaded(const std::string& library) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
        if (line.find("/" + library + ".so") != std::string::npos) return true;
    return false;
}

bool comes(const std::string& library) {
    for (int i = 0; i < 6000 && !is_loaded(library); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return is_loaded(library);
}

finished run(const std::string& what) {
    return child_process({inherited("PATH"), inherited("HOME"), inherited("CUDA_HOME"), inherited("LD_LIBRARY_PATH"),
                          inherited("SINTER_CACHE_DIR"), inherited("SINTER_EMULATED_CACHE")},
                         what)
        .wait();
}

}  // namespace

TEST_CASE("what a child process that only records routines loads") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    array<float> a = ones<float>({64, 64});
    std::printf("before: %d %d %d\n", is_loaded("libcublas"), is_loaded("libcusolver"), is_loaded("libcufft"));
    array<float> product = matmul(a, a);
    std::printf("cublas: %d\n", comes("libcublas"));
    auto spectrum = fft::rfft(a);
    std::printf("cufft: %d\n", comes("libcufft"));
    array<float> factor = linalg::cholesky(a + 64.0f * eye<float>(64));
    std::printf("cusolver: %d\n", comes("libcusolver"));
    std::printf("launches %lld\n", static_cast<long long>(counters().launches + counters().library_calls));
    std::fflush(stdout);
}

TEST_CASE("recording a routine opens its library, and nothing is run") {
    if (device_count() == 0) return;
    if (!runtime::cublas_library() || !runtime::cusolver_library() || !runtime::cufft_library()) return;
    const finished f = run("what a child process that only records routines loads");
    CAPTURE(f.output);
    CHECK(has(f, "before: 0 0 0\n"));
    CHECK(has(f, "cublas: 1\ncufft: 1\ncusolver: 1\nlaunches 0\n"));
    CHECK(f.status == 0);
}

TEST_CASE("what a child process that ends after it has recorded a routine does") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    array<float> a = ones<float>({64, 64});
    array<float> factor = linalg::cholesky(a);
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(60);
        const device_scope on(device::cpu());
        ::_exit(sum(arange<float>(100.0f)).item() == 4950 ? 0 : 1);
    }
    int status = 1;
    ::waitpid(child, &status, 0);
    std::printf("the child ended with %d\n", status);
    std::fflush(stdout);
    std::exit(status != 0);
}

TEST_CASE("a process ends, and is forked, while a library is being opened") {
    if (device_count() == 0) return;
    for (int i = 0; i < 10; ++i) {
        const finished f = run("what a child process that ends after it has recorded a routine does");
        CAPTURE(f.output);
        CHECK(has(f, "the child ended with 0\n"));
        CHECK(f.status == 0);
    }
}

#endif
