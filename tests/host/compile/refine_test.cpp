// Full code in the place of quick code: asked for by the second run, made in the background, waited for by a loop that
// goes on, and not put where it fails.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/compile/refine.hpp>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace sinter;
using namespace sinter::runtime;

namespace {

std::atomic<bool> may_compile{true}, may_go_on{true};
std::atomic<int> compiling{0}, most_compiling{0}, compiled{0};

void quick_run(void* const*, const long long*, const unsigned char*, long long, long long, long long*) {}
void full_run(void* const*, const long long*, const unsigned char*, long long, long long, long long*) {}

std::string compile_slowly(const codegen::kernel_source& source, device) {
    const int now = ++compiling;
    if (now > most_compiling) most_compiling = now;
    while (!may_compile || (source.name == "stuck" && !may_go_on)) std::this_thread::yield();
    --compiling;
    ++compiled;
    if (source.name == "bad") throw compile_error("[compile] refused\nand more");
    return source.text;
}

// A language whose code is its text.
const code_backend& language() {
    static const code_backend b{.emit = nullptr,
                                .key = nullptr,
                                .identity = nullptr,
                                .compile = compile_slowly,
                                .compile_quickly = nullptr,
                                .company = nullptr,
                                .compile_together = nullptr,
                                .load = [](const std::string& image, device) -> compiled_text {
                                    if (image == "damaged") throw device_error("[load] damaged");
                                    return {};
                                },
                                .find_entries = [](compiled_kernel& c, const compiled_text&, const codegen::kernel&,
                                                   device) { c.host_run = full_run; },
                                .configure = [](compiled_kernel& c, const codegen::kernel&,
                                                device) { c.most_cluster = c.source.text == "narrow" ? 2 : 8; }};
    return b;
}

bool refine_used(const compiled_kernel& c) {
    const refinable_code* const all[] = {&c};
    return runtime::refine_used(all);
}

void wait_out_patience() { std::this_thread::sleep_for(std::chrono::microseconds(refine_patience + 1'000)); }

bool is_full(const compiled_kernel& c) { return c.host_run == full_run; }

// Lives as long as the process, as every kernel does.
compiled_kernel& quick_kernel(const char* name, const char* text) {
    auto& c = *new compiled_kernel;
    c.source = {name, text, {}};
    c.host_run = quick_run;
    c.most_cluster = 4;
    keep_refinable(c, {&language(), {}, device::cpu(), std::string("refine_test ") + name});
    return c;
}

bool comes_to_an_end(const compiled_kernel& c) {
    for (int i = 0; i < 6000 && c.quick; ++i) {
        take_refined();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return !c.quick;
}

}  // namespace

TEST_CASE("the second run of a kernel asks for its full code, which takes the place of the quick one") {
    compiled_kernel& c = quick_kernel("good", "good");
    const std::uint64_t before = refined_kernels();
    const int compiled_before = compiled;
    CHECK(refine_used(c));
    take_refined();
    CHECK(compiled == compiled_before);
    may_compile = false;
    CHECK(refine_used(c));
    take_refined();
    CHECK(c.quick);
    CHECK_FALSE(is_full(c));
    may_compile = true;
    REQUIRE(comes_to_an_end(c));
    CHECK(is_full(c));
    CHECK(refined_kernels() == before + 1);
    CHECK(compiled == compiled_before + 1);
    CHECK_FALSE(refine_used(c));
}

TEST_CASE("code that cannot be made, or does not fit the launches of the quick one, replaces nothing") {
    const std::uint64_t before = refined_kernels();
    for (compiled_kernel* c :
         {&quick_kernel("bad", "bad"), &quick_kernel("damaged", "damaged"), &quick_kernel("narrow", "narrow")}) {
        refine_used(*c);
        refine_used(*c);
        REQUIRE(comes_to_an_end(*c));
        CHECK_FALSE(is_full(*c));
    }
    CHECK(refined_kernels() == before);
}

TEST_CASE("all kernels are compiled fully where that is waited for, one at a time") {
    compiled_kernel* c[] = {&quick_kernel("first", "a"), &quick_kernel("second", "b"), &quick_kernel("third", "c")};
    refine_used(*c[1]);
    most_compiling = 0;
    refine_all();
    for (const compiled_kernel* k : c) {
        CHECK_FALSE(k->quick);
        CHECK(is_full(*k));
    }
    CHECK(most_compiling == 1);
}

TEST_CASE("a loop that goes on with quick code waits for the full one") {
    compiled_kernel& c = quick_kernel("of a loop", "loop");
    const int compiled_before = compiled;
    may_compile = false;
    refine_used(c);
    refine_used(c);
    while (compiling == 0) std::this_thread::yield();
    wait_out_patience();
    std::thread later([] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        may_compile = true;
    });
    CHECK(refine_used(c));
    CHECK_FALSE(c.quick);
    CHECK(is_full(c));
    CHECK_FALSE(refine_used(c));
    CHECK(compiled == compiled_before + 1);
    later.join();
}

TEST_CASE(
    "what the background has not begun is compiled by the loop that waits, each once, and what fails stays quick") {
    compiled_kernel& ahead = quick_kernel("stuck", "ahead");
    may_go_on = false;
    refine_used(ahead);
    refine_used(ahead);
    while (compiling == 0) std::this_thread::yield();
    const compiled_kernel* const kernels[] = {&quick_kernel("one", "1"), &quick_kernel("two", "2"),
                                              &quick_kernel("three", "3")};
    const refinable_code* const loop[] = {kernels[0], kernels[1], kernels[2]};
    const int compiled_before = compiled;
    runtime::refine_used(loop);
    runtime::refine_used(loop);
    wait_out_patience();
    CHECK(runtime::refine_used(loop));
    CHECK_FALSE(runtime::refine_used(loop));
    for (const compiled_kernel* c : kernels) CHECK(is_full(*c));
    CHECK(compiled == compiled_before + 3);
    compiled_kernel& bad = quick_kernel("bad", "bad");
    refine_used(bad);
    refine_used(bad);
    wait_out_patience();
    CHECK(refine_used(bad));
    CHECK_FALSE(bad.quick);
    CHECK_FALSE(is_full(bad));
    may_go_on = true;
    REQUIRE(comes_to_an_end(ahead));
}

TEST_CASE("a child of a process that compiles in the background goes on with what there is") {
    compiled_kernel& c = quick_kernel("of the parent", "p");
    may_compile = false;
    refine_used(c);
    refine_used(c);
    while (compiling == 0) std::this_thread::yield();
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(60);
        refine_all();
        ::_exit(is_full(c));
    }
    int status = 1;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
    may_compile = true;
    REQUIRE(comes_to_an_end(c));
    CHECK(is_full(c));
}

TEST_CASE("a child that ends leaves its parent's background thread at the lowest priority") {
    const auto count_lowest = [] {
        int count = 0;
        for (const auto& task : std::filesystem::directory_iterator("/proc/self/task"))
            count += ::getpriority(PRIO_PROCESS, static_cast<id_t>(std::stoi(task.path().filename()))) == 19;
        return count;
    };
    compiled_kernel& c = quick_kernel("of a child that ends", "p");
    may_compile = false;
    refine_used(c);
    refine_used(c);
    while (compiling == 0) std::this_thread::yield();
    const int lowest = count_lowest();
    CHECK(lowest > 0);
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(60);
        std::exit(0);
    }
    int status = 1;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
    CHECK(count_lowest() == lowest);
    may_compile = true;
    REQUIRE(comes_to_an_end(c));
}
