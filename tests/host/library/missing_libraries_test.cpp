// What is said where a numerical library is not installed: the package that has it, and by nobody who does without it.
#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sinter/runtime/compile/host_compiler.hpp>
#include <sinter/runtime/library/libraries.hpp>
#include <sinter/sinter.hpp>

#include "support/child_process.hpp"
#include "support/scratch_folder.hpp"

using namespace sinter;

TEST_CASE("what a child without libraries computes") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    array<double> a = reshape(arange<double>(9), {3, 3}) + eye(3);
    auto say = [](const char* what, auto compute) {
        try {
            std::printf("%s: %g\n", what, compute());
        } catch (const device_error& e) {
            std::printf("%s: %s\n", what, e.what());
        }
    };
    say("sum", [&] { return sum(a).item(); });
    say("integers", [&] { return static_cast<double>(sum(matmul(astype<int>(a), astype<int>(a))).item()); });
    say("product", [&] { return sum(matmul(a, a)).item(); });
    say("inverse", [&] { return sum(linalg::inv(a)).item(); });
    say("transform", [&] { return sum(abs(fft::fft(a))).item(); });
    say("float transform", [&] { return static_cast<double>(sum(abs(fft::fft(astype<float>(a)))).item()); });
}

TEST_CASE("a numerical library that is missing is named with its package where it is needed, and nowhere else") {
    if (!runtime::host_compiler_available()) return;
    scratch_folder broken;
    for (const char* name : {"libopenblas.so.0", "libopenblasp.so.0", "libopenblas.so", "libcblas.so.3", "libblas.so.3",
                             "libfftw3_threads.so.3", "libfftw3.so.3", "libfftw3f_threads.so.3", "libfftw3f.so.3"})
        std::ofstream(broken.path + "/" + name) << "no library";
    auto run = [&](const std::string& backend, const std::string& path) {
        return child_process(
                   {backend, "SINTER_CACHE_DIR=" + broken.path + "/cache", "LD_LIBRARY_PATH=" + broken.path, path},
                   "what a child without libraries computes")
            .wait();
    };
    const finished f = run("SINTER_BACKEND=host", inherited("PATH"));
    CAPTURE(f.output);
    CHECK(f.status == 0);
    CHECK(has(f, "sum: 39\n"));
    CHECK(has(f, "integers: 561\n"));
    CHECK(has(f, "product: [matmul] OpenBLAS was not found; install libopenblas0 ("));
    CHECK(has(f, "inverse: [linalg] OpenBLAS was not found; install libopenblas0 ("));
    CHECK(has(f, "\ntransform: [fft] FFTW was not found; install libfftw3-double3 ("));
    CHECK(has(f, "float transform: [fft] FFTW was not found; install libfftw3-single3 ("));
    // Without a compiler the interpreter stands in for kernels, not for libraries.
    const finished uncompiled = run("SINTER_BACKEND=", "PATH=/nonexistent");
    CAPTURE(uncompiled.output);
    CHECK(uncompiled.status == 0);
    CHECK(has(uncompiled, "product: [matmul] OpenBLAS was not found; install libopenblas0 ("));
}

TEST_CASE("what a child with another library in cuRAND's place computes") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    auto say = [](const char* what, auto compute) {
        try {
            std::printf("%s: %g\n", what, compute());
        } catch (const error& e) {
            std::printf("%s: %s\n", what, e.what());
        }
    };
    say("own", [] { return random::generator(1).integers(3, 4, {}).item() * 1.0; });
    say("sobol", [] { return sum(random::sobol(4, 2)).item(); });
    say("scrambled", [] { return sum(random::sobol(4, 2, {.scramble = true})).item(); });
    say("dimensions", [] { return sum(random::sobol(4, 1025)).item(); });
    say("generator", [] { return random::curand(random::curand::xorwow, 0).random().item(); });
    say("cupy", [] { return random::cupy::rand().item(); });
}

TEST_CASE("where cuRAND is none, what needs it says so and everything else works") {
    if (!runtime::zlib_library()) return;
    scratch_folder place;
    std::filesystem::create_directory(place.path + "/lib64");
    std::filesystem::copy_file(runtime::zlib_library().path(), place.path + "/lib64/libcurand.so.10");
    const finished f = child_process({"SINTER_BACKEND=interpreter", "CUDA_HOME=" + place.path, inherited("PATH")},
                                     "what a child with another library in cuRAND's place computes")
                           .wait();
    CAPTURE(f.output);
    CHECK(f.status == 0);
    CHECK(has(f, "own: 3\n"));
    CHECK(has(f, "sobol: 3\n"));
    const std::string none =
        place.path + "/lib64/libcurand.so.10 has no curandCreateGenerator: a later cuRAND is needed";
    CHECK(has(f, "scrambled: [sobol] points are scrambled by cuRAND; " + none));
    CHECK(has(f, "dimensions: [sobol] more than 1024 dimensions are by cuRAND; " + none));
    CHECK(has(f, "generator: [curand] " + none));
    CHECK(has(f, "cupy: [curand] " + none));
}

TEST_CASE("a library of CUDA's that is missing is named with its package") {
    const runtime::shared_library none({"libcunothing.so.1"});
    const std::string text = runtime::missing_cuda_library("cuSOLVER", none);
    CHECK(text.starts_with("cuSOLVER: libcunothing.so.1 not found: looked in"));
    CHECK(text.ends_with("\ninstall libcusolver of CUDA's toolkit (nvidia-cusolver on PyPI)"));
    CHECK(runtime::missing_cuda_library("cuRAND", none)
              .ends_with("\ninstall libcurand of CUDA's toolkit (nvidia-curand on PyPI)"));
}
