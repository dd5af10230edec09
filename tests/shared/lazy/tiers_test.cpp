// Two tiers of code: what takes long is compiled quickly first, has equal bits, and is replaced where it is used again;
// accidents in the background harm nothing, and a process that ends waits for nothing.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sinter/runtime/compile/host_toolchain.hpp>
#include <sinter/runtime/compile/refine.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/sinter.hpp>
#include <string>
#include <thread>
#include <vector>

#include "support/backends.hpp"
#include "support/fresh_cache.hpp"

using namespace sinter;

namespace {

array<float> input() { return astype<float>(arange<std::int32_t>(50000) % 1013) * 0.37f + 0.1f; }

bool is_quick(const array<float>& x) {
    return explain(cumsum(x)).schedule().find("compiled quickly so far") != std::string::npos;
}

bool has_compiler() { return is_device_executable ? device_count() > 0 : runtime::host_compiler_available(); }

std::vector<float> sums(const array<float>& x) {
    array<float> y = cumsum(x);
    return to_vector(y);
}

// Until the quick code is replaced, or that takes too long.
template <class F>
bool replaced_while(const array<float>& x, const F& f) {
    for (int i = 0; i < 6000 && is_quick(x); ++i) {
        f();
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    f();
    return !is_quick(x);
}

struct cache_with_accidents : fresh_cache {
    /// A variable with which full code `hangs` or `fails`.
    std::string accident(const std::string& what) const {
        if (is_device_executable) return "SINTER_EMULATED_BACKGROUND=" + what;
        const std::string script = path + "/" + what;
        std::ofstream(script) << "#!/bin/sh\nlines=0\n"
                                 "for word; do case $word in */kernel.cpp) lines=$(wc -l <\"$word\");; esac; done\n"
                                 "case \" $* \" in *' -### '*) exit 0;; *' -O1 '* | *' -Og '*) lines=0;; esac\n"
                              << "[ $lines -lt 60 ] || " << (what == "hangs" ? "exec sleep 10" : "exit 1") << "\nexec '"
                              << runtime::find_host_toolchain()->compiler << "' \"$@\"\n";
        std::filesystem::permissions(script, std::filesystem::perms::owner_all);
        return "SINTER_CXX=" + script;
    }
};

// How many kernels there are in the folder.
int entries(const fresh_cache& cache) {
    int n = 0;
    for (const auto& entry : std::filesystem::directory_iterator(cache.path))
        n += entry.path().extension() == ".kernel";
    return n;
}

}  // namespace

TEST_CASE("what a child process that uses a long kernel once does") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    const array<float> x = input();
    eval(x);
    reset_counters();
    sums(x);
    std::printf("quick: %d\n", is_quick(x));
    print_counts();
}

TEST_CASE("a kernel that is used once is compiled quickly, once for all processes") {
    if (!has_compiler()) return;
    const fresh_cache cache;
    for (const char* counts : {"quick: 1\ncompiled 1 quick 1 disk 0\n", "quick: 1\ncompiled 0 quick 0 disk 1\n"}) {
        const finished f = cache.run("what a child process that uses a long kernel once does");
        CAPTURE(f.output);
        CHECK(has(f, counts));
        CHECK(f.status == 0);
    }
    const finished full = cache.run("what a child process that uses a long kernel once does", "SINTER_TIERS=0");
    CAPTURE(full.output);
    CHECK(has(full, "quick: 0\ncompiled 1 quick 0 disk 0\n"));
}

TEST_CASE("full code comes first where tiers are turned off, and where a pack is recorded") {
    if (!has_compiler()) return;
    const fresh_cache one, two;
    for (const finished& f :
         {one.run("what a child process that uses a long kernel once does", "SINTER_TIERS=0"),
          two.run("what a child process that uses a long kernel once does", "SINTER_RECORD=" + two.path + "/pack")}) {
        CAPTURE(f.output);
        CHECK(has(f, "quick: 0\ncompiled 1 quick 0 disk 0\n"));
    }
}

TEST_CASE("what a child process that uses a long kernel again does") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    const array<float> x = input();
    eval(x);
    reset_counters();
    const std::vector<float> first = sums(x);
    int different = 0;
    const bool replaced = replaced_while(x, [&] { different += sums(x) != first; });
    std::printf("replaced %d different %d\n", replaced, different);
    print_counts();
}

TEST_CASE("a kernel that is used again is replaced by its full code, which has equal bits and is kept on disk") {
    if (!has_compiler()) return;
    const fresh_cache cache;
    const finished first = cache.run("what a child process that uses a long kernel again does");
    CAPTURE(first.output);
    CHECK(has(first, "replaced 1 different 0\ncompiled 1 quick 1 disk 0\n"));
    const finished second = cache.run("what a child process that uses a long kernel again does");
    CAPTURE(second.output);
    CHECK(has(second, "replaced 1 different 0\ncompiled 0 quick 0 disk 1\n"));
    const fresh_cache untiered;
    untiered.run("what a child process that uses a long kernel again does", "SINTER_TIERS=0");
    CHECK(entries(cache) == entries(untiered));
}

TEST_CASE("what a child process that uses a short kernel does") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    const array<float> x = input();
    eval(x);
    reset_counters();
    array<float> y = x * 3 + 1;
    const bool is_right = to_vector(y)[1000] == to_vector(x)[1000] * 3 + 1;
    std::printf("right %d\n", is_right);
    print_counts();
}

TEST_CASE("a short kernel is compiled fully at once, and quickly where quick code stays") {
    if (!has_compiler()) return;
    const fresh_cache first, second;
    const finished both = first.run("what a child process that uses a short kernel does");
    CAPTURE(both.output);
    CHECK(has(both, "right 1\ncompiled 1 quick 0 disk 0\n"));
    const finished quick = second.run("what a child process that uses a short kernel does", "SINTER_TIERS=quick");
    CAPTURE(quick.output);
    CHECK(has(quick, "right 1\ncompiled 1 quick 1 disk 0\n"));
}

TEST_CASE("what a child process that counts between ends that are none does") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    const array<float> x = input() / 0.0f;
    eval(x);
    reset_counters();
    CHECK_THROWS_AS(histogram(x, 7), value_error);
    std::printf("compiled what follows %d\n", counters().kernels_compiled > 1);
}

TEST_CASE("what counts in bins is compiled while their ends are looked for") {
    if (!has_compiler()) return;
    const fresh_cache cache;
    const finished f = cache.run("what a child process that counts between ends that are none does");
    CAPTURE(f.output);
    CHECK(has(f, "compiled what follows 1\n"));
}

TEST_CASE("quick code stays where that is asked for, and gives way in a later process") {
    if (!has_compiler()) return;
    const fresh_cache cache;
    const finished quick = cache.run("what a child process that uses a long kernel again does", "SINTER_TIERS=quick");
    CAPTURE(quick.output);
    CHECK(has(quick, "different 0\ncompiled 1 quick 1 disk 0\n"));
    const finished both = cache.run("what a child process that uses a long kernel again does");
    CAPTURE(both.output);
    CHECK(has(both, "replaced 1 different 0\ncompiled 0 quick 0 disk 1\n"));
}

TEST_CASE("what a child process that sums many numbers does") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    const auto summed = [](std::int32_t n) { return sum(sqrt(astype<float>(arange<std::int32_t>(n)))); };
    const auto is_quick = [](const auto& e) {
        return explain(e).schedule().find("quickly so far") != std::string::npos;
    };
    if (const char* delay = std::getenv("SINTER_TEST_DELAY"); delay && *delay == '1') {
        eval(summed(300'000));
        std::printf("few: quick %d\n", is_quick(summed(300'000)));
    }
    eval(summed(30'000'000));
    std::printf("many: quick %d\n", is_quick(summed(30'000'000)));
    print_counts();
}

TEST_CASE("a run over so many elements that quick code loses what its compiler saved has full code") {
    if (is_device_executable || !has_compiler()) return;
    const fresh_cache one, two;
    const finished many = one.run("what a child process that sums many numbers does");
    CAPTURE(many.output);
    CHECK(has(many, "many: quick 0\ncompiled 1 quick 0 disk 0\n"));
    const finished after =
        two.run("what a child process that sums many numbers does", "SINTER_SEED=1", "SINTER_TEST_DELAY=1");
    CAPTURE(after.output);
    CHECK(has(after, "few: quick 1\nmany: quick 0\ncompiled 1 quick 1 disk 0\n"));
}

TEST_CASE("what a child process that replays a step with a long kernel does") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    array<float> x = input();
    eval(x);
    reset_counters();  // the input's kernels run once, and stay as they are
    graph step([](auto v) { return array<float>(sum(cumsum(v) * 0.5f)); });
    const std::vector<float> first = to_vector(array<float>(step(x)));
    int different = 0;
    const auto replay = [&] { different += to_vector(array<float>(step(x))) != first; };
    replay();
    const std::int64_t quick = counters().kernels_quick;
    const auto replaced = [&] { return static_cast<std::int64_t>(runtime::refined_kernels()) >= quick; };
    for (int i = 0; i < 6000 && !replaced(); ++i) {
        replay();
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    replay();
    std::printf("replaced %d different %d\n", replaced(), different);
    print_counts();
}

TEST_CASE("what a child process that goes on with a long kernel does") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    const array<float> x = input();
    const std::vector<float> first = sums(x);
    sums(x);
    std::this_thread::sleep_for(std::chrono::microseconds(runtime::refine_patience));
    reset_counters();
    const bool is_different = sums(x) != first;
    std::printf("different %d quick %d\n", is_different, is_quick(x));
    print_counts();
    std::fflush(stdout);
}

TEST_CASE("a loop that goes on has full code within its patience and a compilation") {
    if (!has_compiler()) return;
    const fresh_cache cache;
    const finished f = cache.run("what a child process that goes on with a long kernel does");
    CAPTURE(f.output);
    CHECK(has(f, "different 0 quick 0\ncompiled 0 quick 0 disk 0\n"));
    CHECK(f.status == 0);
}

TEST_CASE("a recorded step goes on with the full code") {
    if (!has_compiler()) return;
    const fresh_cache cache;
    const finished f = cache.run("what a child process that replays a step with a long kernel does");
    CAPTURE(f.output);
    CHECK(has(f, "replaced 1 different 0\n"));
    CHECK_FALSE(has(f, "quick 0"));
    CHECK(f.status == 0);
    const finished second = cache.run("what a child process that replays a step with a long kernel does");
    CAPTURE(second.output);
    CHECK(has(second, "quick 0"));
}

TEST_CASE("what a child process that measures a long kernel does") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    const array<float> x = input();
    const auto measured = profiler::benchmark([&] { return cumsum(x); }, {.n_repeat = 2, .n_warmup = 1});
    std::printf("quick: %d of %d\n", is_quick(x), static_cast<int>(measured.cpu_times.size()));
    print_counts();
}

TEST_CASE("what is measured is full code") {
    if (!has_compiler()) return;
    const fresh_cache cache;
    const finished f = cache.run("what a child process that measures a long kernel does");
    CAPTURE(f.output);
    CHECK(has(f, "quick: 0 of 2\n"));
    CHECK_FALSE(has(f, "quick 0"));
}

// Ends the process soon after the quick code has run often enough to be replaced.
void end_while_compiling(bool computes_aside) {
    const array<float> x = input();
    eval(x);
    bool equal = false;
    const auto compute = [&] {
        const std::vector<float> first = sums(x);
        equal = sums(x) == first && sums(x) == first;
    };
    if (computes_aside) std::thread(compute).join();
    else compute();
    std::printf("equal %d\n", equal);
    std::fflush(stdout);
    const char* delay = std::getenv("SINTER_TEST_DELAY");
    std::this_thread::sleep_for(std::chrono::milliseconds(delay ? std::atoi(delay) : 0));
    std::exit(0);
}

TEST_CASE("what a child process that ends in the middle of a background compilation does") {
    if (std::getenv("SINTER_TEST_CHILD")) end_while_compiling(false);
}

TEST_CASE("what a child process does whose other thread computes and that ends while code is compiled") {
    if (std::getenv("SINTER_TEST_CHILD")) end_while_compiling(true);
}

TEST_CASE("a process ends in the middle of a background compilation") {
    if (!has_compiler()) return;
    for (int i = 0; i < 10; ++i) {
        const fresh_cache cache;
        const finished f = cache.run("what a child process that ends in the middle of a background compilation does",
                                     "SINTER_SEED=1", "SINTER_TEST_DELAY=" + std::to_string(100 * i));
        CAPTURE(f.output);
        CHECK(has(f, "equal 1\n"));
        CHECK(f.status == 0);
    }
}

TEST_CASE("a process that found quick code on the disk ends while the library it has loaded since compiles") {
    if (!has_compiler()) return;
    const cache_with_accidents cache;
    const std::string accident = cache.accident("hangs");
    cache.run("what a child process that uses a long kernel once does", accident);
    const char* const cases[] = {
        "what a child process that ends in the middle of a background compilation does",
        "what a child process does whose other thread computes and that ends while code is compiled"};
    for (int i = 0; i < 12; ++i) {
        const finished f = cache.run(cases[i % 2], accident, "SINTER_TEST_DELAY=" + std::to_string(60 * (i / 2)));
        CAPTURE(f.output);
        CHECK(has(f, "equal 1\n"));
        CHECK(f.status == 0);
    }
}

TEST_CASE("a compiler that fails, or hangs, in the background harms nothing") {
    if (is_device_executable ? !test_backends::is_gpu_emulated() : !has_compiler()) return;
    const cache_with_accidents one, two;
    const finished hangs =
        one.run("what a child process that ends in the middle of a background compilation does", one.accident("hangs"));
    CAPTURE(hangs.output);
    CHECK(has(hangs, "equal 1\n"));
    CHECK(hangs.status == 0);
    const finished fails = two.run("what a child process that uses a long kernel again does", two.accident("fails"));
    CAPTURE(fails.output);
    CHECK(has(fails, "different 0\ncompiled 1 quick 1 disk 0\n"));
    const std::size_t warned = fails.output.find("stays as it was compiled quickly");
    CHECK(warned != std::string::npos);
    CHECK(fails.output.find("stays as it was compiled quickly", warned + 1) == std::string::npos);
}
