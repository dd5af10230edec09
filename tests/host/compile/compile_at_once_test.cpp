// Kernels of one plan are compiled at the same time, each once; what is refused, a fork and many threads change
// nothing of that.
#include "support/child_process.hpp"
#include "support/scratch_folder.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sinter/runtime/base/thread_team.hpp>
#include <sinter/runtime/compile/compile_pool.hpp>
#include <sinter/runtime/compile/host_compiler.hpp>
#include <sinter/runtime/compile/host_toolchain.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>
#include <sinter/runtime/compile/refine.hpp>
#include <sinter/sinter.hpp>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <vector>

using namespace sinter;

namespace {

// Three kernels, because the values have three shapes; so large that no part is computed with another.
struct three_values {
    array<float> a = arange<float>(1000.0f), b = arange<float>(3000.0f), c = arange<float>(7000.0f);
    array<float> x = exp(a * -0.01f), y = log1p(b), z = tanh(c);
    void compute() { eval(x, y, z); }
};

void print_counts(const char* what) {
    const counters_t c = counters();
    std::printf("%s compiled %lld disk %lld known %lld\n", what, static_cast<long long>(c.kernels_compiled),
                static_cast<long long>(c.disk_hits), static_cast<long long>(c.cache_hits));
    std::fflush(stdout);
}

// A compiler that does this before it compiles a kernel, whose text is "$text"; it has no inner commands to be learnt.
struct scripted_compiler : scratch_folder {
    explicit scripted_compiler(const std::string& lines) {
        const std::string script = path + "/compiler";
        std::ofstream(script)
            << "#!/bin/sh\ncd '" << path << "'\ncase \"$*\" in\n*--version*) echo 'g++ (scripted) 12'; exit 0;;\n"
            << "*-###* | *-print-*) exit 1;;\nesac\nfor a; do case \"$a\" in */kernel.cpp) text=$a;; esac; done\n"
            << lines << "\nexec '" << runtime::find_host_toolchain()->compiler << "' \"$@\"\n";
        std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    }
    finished run(const std::string& what) const {
        const char* p = std::getenv("PATH");
        return child_process({"SINTER_BACKEND=host", "SINTER_CACHE_DIR=" + path + "/cache",
                              "SINTER_CXX=" + path + "/compiler", std::string("PATH=") + (p ? p : "/usr/bin:/bin")},
                             what)
            .wait();
    }
    int lines_of(const char* file) const {
        std::ifstream in(path + "/" + file);
        return static_cast<int>(std::count(std::istreambuf_iterator<char>(in), {}, '\n'));
    }
};

// A language whose code is its text, and how many texts each of its compiler's runs had.
std::mutex guard;
std::vector<std::size_t> runs;

std::string compile_one(const codegen::kernel_source& source, device) {
    std::lock_guard lock(guard);
    runs.push_back(1);
    if (source.text == "wrong") throw compile_error("[compile] wrong");
    return source.text;
}

codegen::sequence<std::string> compile_several(codegen::span<const codegen::kernel_source* const> sources) {
    std::lock_guard lock(guard);
    runs.push_back(sources.size());
    codegen::sequence<std::string> images;
    for (const codegen::kernel_source* s : sources) {
        if (s->text == "wrong") return {};
        images.push_back(s->text + ", together");
    }
    return images;
}

const runtime::code_backend& language() {
    static const runtime::code_backend b{.emit = nullptr,
                                         .key = nullptr,
                                         .identity = nullptr,
                                         .compile = compile_one,
                                         .compile_quickly = compile_one,
                                         .company =
                                             [](const codegen::kernel_source& source) {
                                                 return source.name == "alone" ? 0 : source.name == "other" ? 2 : 1;
                                             },
                                         .compile_together = compile_several,
                                         .load = nullptr,
                                         .find_entries = nullptr,
                                         .configure = nullptr};
    return b;
}

// Quick code of so many texts, of which one may be another.
struct many_texts {
    std::vector<codegen::kernel_source> sources;
    std::vector<runtime::compilation> all;
    many_texts(std::size_t count, std::size_t other, const codegen::kernel_source& with) {
        runs.clear();
        for (std::size_t i = 0; i < count; ++i)
            sources.push_back(i == other ? with : codegen::kernel_source{"any", "text " + std::to_string(i), {}});
        for (const codegen::kernel_source& s : sources)
            all.push_back({&language(), &s, device::cpu(), true, {}, {}, nullptr});
        std::vector<runtime::compilation*> each;
        for (runtime::compilation& c : all) each.push_back(&c);
        runtime::compile_all(each);
    }
};

}  // namespace

TEST_CASE("quick code of more texts than processors comes from runs of at most five, that of others from their own") {
    const auto processors = static_cast<std::size_t>(std::max(runtime::thread_count(), 2));
    const std::size_t count = 3 * processors + 1;
    const many_texts some(count, 2, {"alone", "text 2", {}});
    for (std::size_t i = 0; i < count; ++i)
        CHECK(some.all[i].image == "text " + std::to_string(i) + (i == 2 ? "" : ", together"));
    CHECK(runs.size() == processors + 1);
    CHECK(std::ranges::count(runs, 3u) == static_cast<std::ptrdiff_t>(processors));
    const many_texts many(20 * processors, count, {});
    CHECK(runs.size() == 4 * processors);
    CHECK(std::ranges::max(runs) == 5);
    const many_texts few(processors, count, {});
    CHECK(std::ranges::max(runs) == 1);
    const many_texts mixed(count, 2, {"other", "text 2", {}});
    CHECK(mixed.all[2].image == "text 2");
    CHECK(runs.size() == processors + 1);
}

TEST_CASE("texts that are refused together are compiled one by one, and the one that is wrong alone fails") {
    const auto processors = static_cast<std::size_t>(std::max(runtime::thread_count(), 2));
    const many_texts some(2 * processors, processors, {"any", "wrong", {}});
    for (std::size_t i = 0; i < some.all.size(); ++i) CHECK(!some.all[i].failure == (i != processors));
    CHECK(some.all[0].image == "text 0");
    CHECK_THROWS_WITH_AS(std::rethrow_exception(some.all[processors].failure), "[compile] wrong", compile_error);
}

TEST_CASE("what a child process with three kernels computes") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    three_values v;
    v.compute();
    print_counts("at first");
    std::printf("sum %.3f\n", sum(astype<double>(v.x)).item() + sum(astype<double>(v.y)).item());
}

// Each waits until there are two of them; one that is alone for so long has no other beside it.
static const char* const waits_for_another =
    "echo >> begun\nfor i in $(seq 300); do [ $(wc -l < begun) -ge 2 ] && break; sleep 0.1; done\n"
    "[ $(wc -l < begun) -ge 2 ] || echo >> alone";

TEST_CASE("what a child process with a sort and a kernel computes") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    const array<float> x = asarray(std::vector<float>{3, 1, 2});
    const array<float> y = exp(sort(x));
    eval(y);
    print_counts("at first");
}

TEST_CASE("the text of a plan's call is compiled at the same time as its kernel") {
    if (!runtime::host_compiler_available()) return;
    const scripted_compiler compiler(waits_for_another);
    const finished f = compiler.run("what a child process with a sort and a kernel computes");
    CAPTURE(f.output);
    CHECK(has(f, "at first compiled 2 disk 0"));
    CHECK(compiler.lines_of("begun") >= 2);
    CHECK(compiler.lines_of("alone") == 0);
}

TEST_CASE("what a child process computes whose kernels were compiled before") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    const three_values v;
    precompile(std::tuple(v.x, v.y), v.z);
    print_counts("before");
    std::printf("launched %lld\n", static_cast<long long>(counters().launches));
    std::printf("last %.3f", to_vector(v.x)[999]);
    std::printf(" %.3f", to_vector(v.y)[2999]);
    std::printf(" %.3f\n", to_vector(v.z)[6999]);
    print_counts("after");
}

TEST_CASE("kernels of results that are read one after the other are compiled at the same time, before any runs") {
    if (!runtime::host_compiler_available()) return;
    const scripted_compiler compiler(waits_for_another);
    const finished f = compiler.run("what a child process computes whose kernels were compiled before");
    CAPTURE(f.output);
    CHECK(has(f, "before compiled 3 disk 0"));
    CHECK(has(f, "launched 0"));
    CHECK(has(f, "last 0.000 8.006 1.000"));
    CHECK(has(f, "after compiled 3 disk 0"));
    CHECK(compiler.lines_of("begun") >= 3);
    CHECK(compiler.lines_of("alone") == 0);
}

TEST_CASE("what a child process sorts and adds whose texts were compiled before") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    const array<float> x = asarray(std::vector<float>{3, 1, 2});
    const array<std::int64_t> at = asarray(std::vector<std::int64_t>{4, 0, 4});
    array<float> sums = zeros<float>({5});
    scatter_add(sums, at, x);
    const array<float> sorted = sort(x);
    precompile(sorted, sums);
    print_counts("before");
    std::printf("launched %lld\n", static_cast<long long>(counters().launches));
    std::printf("last %.3f", to_vector(sorted)[2]);
    std::printf(" %.3f\n", to_vector(sums)[4]);
    print_counts("after");
}

TEST_CASE("texts that calls need are compiled at the same time too, before any runs") {
    if (!runtime::host_compiler_available()) return;
    const scripted_compiler compiler(waits_for_another);
    const finished f = compiler.run("what a child process sorts and adds whose texts were compiled before");
    CAPTURE(f.output);
    CHECK(has(f, "launched 0"));
    CHECK(has(f, "last 3.000 5.000"));
    const std::string before = f.output.substr(f.output.find("before compiled"), 17);
    CHECK(has(f, "after" + before.substr(6)));
    CHECK(compiler.lines_of("begun") >= 2);
    CHECK(compiler.lines_of("alone") == 0);
}

TEST_CASE("what a child process computes by texts of both tiers") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    const auto say = [](const char* what, std::uint64_t refined) {
        std::printf("%s: quick %lld refined %d\n", what, static_cast<long long>(counters().kernels_quick),
                    static_cast<int>(runtime::refined_kernels() - refined));
    };
    const array<float> x = random::uniform<float>(-1, 1, {1009});
    const array<std::int64_t> many = arange<std::int64_t>((1 << 20) + 1) % 7;
    const auto wait_for_full_code = [] {
        std::lock_guard lock(runtime::runtime_lock());
        runtime::refine_all();
    };
    eval(x, many);
    wait_for_full_code();
    reset_counters();
    std::uint64_t refined = runtime::refined_kernels();
    const std::vector<float> first = to_vector(sort(x)), second = to_vector(sort(x));
    say("at first", refined);
    wait_for_full_code();
    const std::vector<float> third = to_vector(sort(x));
    say("sorted", refined);
    std::printf("equal %d sorted %d\n", first == second && first == third, std::ranges::is_sorted(third));
    reset_counters();
    refined = runtime::refined_kernels();
    const std::vector<std::int64_t> large = to_vector(sort(many));
    std::printf("counted %lld\n", static_cast<long long>(std::ranges::count(large, 0)));
    say("a large call", refined);
}

TEST_CASE("a sort on a CPU goes with quick code first, which full code replaces, and a large call waits for that") {
    if (!runtime::host_compiler_available()) return;
    const scratch_folder folder;
    const char* p = std::getenv("PATH");
    const finished f = child_process({"SINTER_BACKEND=host", "SINTER_CACHE_DIR=" + folder.path + "/cache",
                                      std::string("PATH=") + (p ? p : "/usr/bin:/bin")},
                                     "what a child process computes by texts of both tiers")
                           .wait();
    CAPTURE(f.output);
    CHECK(has(f, "at first: quick 1 refined 0"));
    CHECK(has(f, "sorted: quick 1 refined 1"));
    CHECK(has(f, "equal 1 sorted 1"));
    CHECK(has(f, "counted 149797"));
    CHECK(has(f, "a large call: quick 0 refined 0"));
}

TEST_CASE("what is compiled ahead is not there for a step, and what it cannot be is thrown where it is read") {
    const runtime::backend_scope on(runtime::backend::interpreter);
    array<float> x = arange<float>(7.0f);
    CHECK_NOTHROW(precompile(x + 1));
    CHECK(sum(x).item() == 21);
    graph step([](const array<float>& y) {
        precompile(y * 2);
        return array<float>(y + 1);
    });
    CHECK_THROWS_WITH_AS(step(x), doctest::Contains("kernels are compiled while a step is recorded"), value_error);
}

TEST_CASE("kernels of one plan are compiled at the same time") {
    if (!runtime::host_compiler_available()) return;
    const scripted_compiler compiler(waits_for_another);
    const finished f = compiler.run("what a child process with three kernels computes");
    CAPTURE(f.output);
    CHECK(has(f, "at first compiled 3 disk 0"));
    CHECK(compiler.lines_of("begun") >= 3);
    CHECK(compiler.lines_of("alone") == 0);
}

TEST_CASE("what a child process whose second kernel is refused computes") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    for (int i = 0; i < 2; ++i) try {
            three_values().compute();
            std::printf("computed\n");
        } catch (const compile_error& e) {
            std::printf("refused: %s\n",
                        std::string(e.what()).find("log1p") != std::string::npos ? "log1p" : "another");
        }
    print_counts("with one refused");
}

TEST_CASE("a refused kernel is an error each time, and those before it stay known") {
    if (!runtime::host_compiler_available()) return;
    const scripted_compiler compiler(
        "echo >> begun\ngrep -q log1p \"$text\" && { echo 'refused: log1p'; exit 1; } >&2");
    const finished f = compiler.run("what a child process whose second kernel is refused computes");
    CAPTURE(f.output);
    CHECK(has(f, "refused: log1p\nrefused: log1p\n"));
    CHECK_FALSE(has(f, "computed"));
    CHECK_FALSE(has(f, "another"));
    CHECK_FALSE(has(f, "compiled 0"));
    CHECK_FALSE(has(f, "known 0"));
    CHECK(f.status == 0);
}

TEST_CASE("what a child process that forks while it compiles computes") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    three_values v, w;
    std::thread other([&] { v.compute(); });
    while (!std::filesystem::exists("begun")) std::this_thread::yield();
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(60);
        const double got = sum(astype<double>(sqrt(w.a))).item();
        std::printf("the child computes %.1f\n", got);
        std::fflush(stdout);
        ::_exit(0);
    }
    int status = 1;
    ::waitpid(child, &status, 0);
    other.join();
    std::printf("it ended with %d\n", status);
    print_counts("the parent");
}

TEST_CASE("a child of a process that is compiling computes") {
    if (!runtime::host_compiler_available()) return;
    const scripted_compiler compiler("echo >> begun\nsleep 1");
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(compiler.path);
    const finished f = compiler.run("what a child process that forks while it compiles computes");
    std::filesystem::current_path(before);
    CAPTURE(f.output);
    CHECK(has(f, "the child computes 21065.8"));
    CHECK(has(f, "it ended with 0"));
    CHECK(has(f, "the parent compiled 3"));
}

TEST_CASE("many threads that want one text at the same time have it compiled once") {
    if (!runtime::host_compiler_available()) return;
    const std::string text = "extern \"C\" int number() { return " + std::to_string(::getpid()) + "; }";
    const codegen::kernel_source source{"number", text, {}};
    const counters_t before = counters();
    std::atomic<int> right{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
        threads.emplace_back([&] {
            const runtime::written_text& c = runtime::find_text(source, device::cpu());
            right += c.function<int()>("number")() == ::getpid();
        });
    for (std::thread& t : threads) t.join();
    const counters_t after = counters();
    CHECK(right == 8);
    CHECK(after.kernels_compiled + after.disk_hits - before.kernels_compiled - before.disk_hits == 1);
    CHECK(after.cache_hits - before.cache_hits == 7);
}
