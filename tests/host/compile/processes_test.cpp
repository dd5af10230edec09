// Whole processes: a warm disk cache without a compiler, many processes on a cold one, and backends that cannot run.
#include "support/child_process.hpp"
#include "support/scratch_folder.hpp"

#include <doctest/doctest.h>
#include <cstdio>
#include <cstdlib>
#include <sinter/runtime/compile/host_compiler.hpp>
#include <sinter/sinter.hpp>
#include <string>
#include <vector>

using namespace sinter;

namespace {

struct cache_folder : scratch_folder {
    std::string variable() const { return "SINTER_CACHE_DIR=" + path; }
};

std::string search_path() {
    const char* p = std::getenv("PATH");
    return std::string("PATH=") + (p ? p : "/usr/bin:/bin");
}

}  // namespace

TEST_CASE("what a child process computes") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    try {
        array<float> x = arange<float>(1000.0f);
        double got = sum(astype<double>(sqrt(x * 0.25f) + 1.0f)).item();
        counters_t c = counters();
        std::printf("result %.6f compiled %lld disk %lld launches %lld\n", got,
                    static_cast<long long>(c.kernels_compiled), static_cast<long long>(c.disk_hits),
                    static_cast<long long>(c.launches));
    } catch (const error& e) {
        std::printf("threw %s\n", e.what());
        if (dynamic_cast<const device_error*>(&e)) std::printf("device_error\n");
    }
    std::fflush(stdout);
}

TEST_CASE("a second process works from the disk cache without a compiler") {
    if (!runtime::host_compiler_available()) return;
    cache_folder cache;
    finished first = child_process({"SINTER_BACKEND=host", cache.variable(), search_path()}).wait();
    CAPTURE(first.output);
    REQUIRE(has(first, "result 11532.9"));
    finished second =
        child_process({"SINTER_BACKEND=host", cache.variable(), "SINTER_CXX=/nonexistent/c++", "PATH="}).wait();
    CAPTURE(second.output);
    CHECK(has(second, "result 11532.9"));
    CHECK(has(second, "compiled 0"));
    CHECK_FALSE(has(second, "interpreter"));
    CHECK_FALSE(has(second, "disk 0"));
}

TEST_CASE("sixteen processes on one cold cache all get right results") {
    if (!runtime::host_compiler_available()) return;
    cache_folder cache;
    std::vector<child_process> children;
    for (int i = 0; i < 16; ++i)
        children.emplace_back(std::vector<std::string>{"SINTER_BACKEND=host", cache.variable(), search_path()});
    for (child_process& c : children) {
        finished f = c.wait();
        CAPTURE(f.output);
        CHECK(f.status == 0);
        CHECK(has(f, "result 11532.9"));
    }
}

TEST_CASE("the host backend by name without compiler and cache says where it looked") {
    cache_folder cache;
    finished f =
        child_process({"SINTER_BACKEND=host", cache.variable(), "SINTER_CXX=/nonexistent/c++", "PATH="}).wait();
    CAPTURE(f.output);
    CHECK(has(f, "device_error"));
    CHECK(has(f, "/nonexistent/c++"));
    CHECK_FALSE(has(f, "result"));
}

TEST_CASE("the CUDA backend by name without a device gives the reason") {
    if (device_count() > 0) return;
    finished f = child_process({"SINTER_BACKEND=cuda", search_path()}).wait();
    CAPTURE(f.output);
    CHECK(has(f, "device_error"));
    bool says_why = has(f, "driver") || has(f, "libcuda") || has(f, "CUDA headers");
    CHECK(says_why);
    CHECK_FALSE(has(f, "result"));
}

TEST_CASE("without a compiler the interpreter computes after one warning") {
    if (device_count() > 0) return;
    cache_folder cache;
    finished f = child_process({cache.variable(), "SINTER_CXX=/nonexistent/c++", "PATH="}).wait();
    CAPTURE(f.output);
    CHECK(has(f, "result 11532.9"));
    CHECK(has(f, "launches 0"));
    std::size_t first = f.output.find("interpreter");
    CHECK(first != std::string::npos);
    CHECK(f.output.find("interpreter", first + 1) == std::string::npos);
}

TEST_CASE("an unknown backend's name is refused") {
    finished f = child_process({"SINTER_BACKEND=abacus", search_path()}).wait();
    CAPTURE(f.output);
    CHECK(has(f, "abacus"));
    CHECK_FALSE(has(f, "result"));
}
