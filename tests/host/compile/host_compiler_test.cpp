// The host compiler: a kernel from text to result, both ways of compiling, error messages, equal names of images.
#include <dlfcn.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/base/file.hpp>
#include <sinter/runtime/base/library.hpp>
#include <sinter/runtime/base/thread.hpp>
#include <sinter/runtime/compile/host_compiler.hpp>
#include <sinter/runtime/compile/host_toolchain.hpp>
#include <regex>
#include <set>
#include <sinter/sinter.hpp>
#include <thread>
#include <vector>

using namespace sinter::runtime;

static const char* const gaussian = R"(
typedef long long int64;
extern "C" float expf(float);
extern "C" void kernel(const float* __restrict x, float* __restrict y, float mean, float sigma, int64 n) {
    for (int64 i = 0; i < n; ++i) {
        const float z = (x[i] - mean) / sigma;
        y[i] = expf(-0.5f * z * z) / (sigma * 2.5066283f);
    }
}
)";
using gaussian_kernel = void(const float*, float*, float, float, long long);

static void check_gaussian(const std::string& bytes) {
    const shared_image image(bytes);
    std::vector<float> x(1003), y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = float(i) / 100 - 5;
    image.function<gaussian_kernel>("kernel")(x.data(), y.data(), 0.5f, 2.0f, 1003);
    int wrong = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        wrong += !(std::fabs(y[i] - std::exp(-0.5 * std::pow((x[i] - 0.5) / 2, 2)) / (2 * 2.5066282746)) < 1e-6);
    CHECK(wrong == 0);
}

SINTER_FUNCTION(damped, (double x)->double { return exp(-fabs(x)) + 1; })

SINTER_FUNCTION(
    series, (double x)->double {
        double sum = 0;
        for (int i = 0; i < 4; ++i) sum += exp(-x * i);
        return sum;
    })

static bool missing_compiler() {
    std::string why;
    if (host_compiler_available(&why)) return false;
    MESSAGE("skipped: " << why);
    return true;
}

TEST_CASE("a kernel goes from text to a callable function and is counted") {
    if (missing_compiler()) return;
    const std::int64_t before = sinter::counters().kernels_compiled;
    const std::string bytes = compile_host(gaussian);
    CHECK(sinter::counters().kernels_compiled == before + 1);
    check_gaussian(bytes);
}

TEST_CASE("the compiler's own driver gives the same results") {
    if (missing_compiler()) return;
    std::string image, log;
    const bool compiled = compile_by_driver(*find_host_toolchain(), gaussian, image, log);
    CAPTURE(log);
    REQUIRE(compiled);
    check_gaussian(image);
}

TEST_CASE("g++ is run without its driver") {
    if (missing_compiler()) return;
    const host_toolchain& tools = *find_host_toolchain();
    if (tools.version.find("clang") != std::string::npos) return;
    CAPTURE(tools.to_text());
    REQUIRE(tools.is_direct());
    std::string image;
    REQUIRE(compile_directly(tools, gaussian, image));
    check_gaussian(image);
    host_toolchain broken = tools;
    broken.assemble = {"false"};
    CHECK_FALSE(compile_directly(broken, gaussian, image));
    broken.assemble = {"/no/such/program"};
    CHECK_FALSE(compile_directly(broken, gaussian, image));
    broken = tools;
    broken.link[0] = "/no/such/program";
    CHECK_FALSE(compile_directly(broken, gaussian, image));
}

TEST_CASE("a text that does not compile is an error with the log and the numbered source") {
    if (missing_compiler()) return;
    std::string message;
    try {
        compile_host("int first;\nint second = undeclared_name;\n");
    } catch (const sinter::compile_error& e) {
        message = e.what();
    }
    CAPTURE(message);
    CHECK(message.find("[compile] ") == 0);
    CHECK(message.find("undeclared_name") != std::string::npos);
    CHECK(message.find("   2 | int second = undeclared_name;\n") != std::string::npos);
    check_gaussian(compile_host(gaussian));
}

// Whether the mathematical library of this processor has any.
static bool has_vector_functions() {
#if defined(__x86_64__)
    return sinter::runtime::shared_library({"libmvec.so.1"}).path().find('/') != std::string::npos;
#else
    return false;
#endif
}

// A compiler that breaks down unless it is asked for little.
struct fragile_compiler {
    std::string folder = make_temporary_folder();
    host_toolchain tools = *find_host_toolchain();
    fragile_compiler() {
        const std::string script = folder + "/compiler";
        std::ofstream(script)
            << "#!/bin/sh\ncase \" $* \" in *' -O1 '*) exec '" << tools.compiler
            << "' \"$@\";; esac\necho 'kernel.cpp:1: internal compiler error: in extract_insn' >&2\nexit 1\n";
        std::filesystem::permissions(script, std::filesystem::perms::owner_all);
        tools.compiler = script;
    }
    ~fragile_compiler() { std::filesystem::remove_all(folder); }
};

TEST_CASE("a compiler that breaks down over a kernel is asked for less") {
    if (missing_compiler()) return;
    const fragile_compiler fragile;
    std::string image, log;
    const bool compiled = compile_by_driver(fragile.tools, gaussian, image, log);
    CAPTURE(log);
    REQUIRE(compiled);
    check_gaussian(image);
    CHECK_FALSE(compile_by_driver(fragile.tools, "int second = undeclared_name;\n", image, log));
}

// The libraries that the loader is told to load with an image.
static std::string libraries_of(const std::string& image) {
    std::string found;
    for (const char* name : {"libm.so", "libmvec.so"})
        if (image.find(name) != std::string::npos) found += std::string(name) + " ";
    return found;
}

TEST_CASE("a kernel is linked with math libraries where it calls one of their functions") {
    if (missing_compiler() || !find_host_toolchain()->is_direct()) return;
    std::string calling, plain, clearing;
    REQUIRE(compile_directly(*find_host_toolchain(), gaussian, calling));
    CHECK(libraries_of(calling) == "libm.so libmvec.so ");
    REQUIRE(compile_directly(*find_host_toolchain(), "extern \"C\" int kernel(int x) { return x * 3; }\n", plain));
    CHECK(libraries_of(plain) == "");
    CHECK(shared_image(plain).function<int(int)>("kernel")(5) == 15);
    // A call of memset is the compiler's own.
    REQUIRE(compile_directly(*find_host_toolchain(),
                             "extern \"C\" void kernel(char* x, long n) { __builtin_memset(x, 7, n); }\n", clearing));
    CHECK(libraries_of(clearing) == "");
    std::vector<char> x(1003);
    shared_image(clearing).function<void(char*, long)>("kernel")(x.data(), 1001);
    CHECK(std::count(x.begin(), x.end(), 7) == 1001);
}

// Texts of the same names that mean different things, of which one calls the math library.
static std::string counting_text(const char* step) {
    return std::string("#define STEP ") + step +
           "\nnamespace own {\nstatic int next(int x) { return x + STEP; }\n}\n"
           "extern \"C\" void count(int* x) {\n    *x = own::next(*x);\n}\n"
           "extern \"C\" void count_finish(int* x) {\n    *x = -own::next(*x);\n}\n#undef STEP\n";
}

TEST_CASE(
    "texts that one run of the compiler compiles have an image each, with their own functions under their names") {
    if (missing_compiler() || !find_host_toolchain()->is_direct()) return;
    const std::string one = counting_text("1"), seven = counting_text("7");
    const std::string calling =
        "extern \"C\" double tgamma(double);\nextern \"C\" void count(double* x) {\n    *x = tgamma(*x);\n}\n";
    const std::string rooting =
        "extern \"C\" double sqrt(double);\nextern \"C\" void count(double* x) {\n    *x = sqrt(*x);\n}\n";
    const std::string* const texts[] = {&one, &calling, &seven, &rooting};
    const std::int64_t before = sinter::counters().kernels_compiled;
    const auto images = compile_host_together(texts);
    REQUIRE(images.size() == 4);
    CHECK(sinter::counters().kernels_compiled == before + 4);
    const shared_image first(images[0]), second(images[1]), third(images[2]);
    int x = 5, y = 5;
    first.function<void(int*)>("count")(&x);
    third.function<void(int*)>("count")(&y);
    CHECK(x == 6);
    CHECK(y == 12);
    first.function<void(int*)>("count_finish")(&x);
    third.function<void(int*)>("count_finish")(&y);
    CHECK(x == -7);
    CHECK(y == -19);
    double z = 5;
    second.function<void(double*)>("count")(&z);
    CHECK(z == doctest::Approx(24));
    CHECK(images[0].find("tgamma") == std::string::npos);
    // The compiler knows the function, an instruction of the processor's.
    CHECK(images[3].find("sqrt") == std::string::npos);
    const shared_image fourth(images[3]);
    z = 49;
    fourth.function<void(double*)>("count")(&z);
    CHECK(z == 7);
    CHECK_THROWS_AS(second.function<void(double*)>("count_finish"), const sinter::internal_error&);
}

TEST_CASE("functions whose heads have two lines have an image each, too") {
    if (missing_compiler() || !find_host_toolchain()->is_direct()) return;
    const std::string add = "extern \"C\" void move(int* x,\n                     int by) {\n    *x += by;\n}\n",
                      take = "extern \"C\" void move(int* x,\n                     int by) {\n    *x -= by;\n}\n";
    const std::string* const texts[] = {&add, &take};
    const auto images = compile_host_together(texts);
    REQUIRE(images.size() == 2);
    int x = 5;
    const shared_image first(images[0]), second(images[1]);
    first.function<void(int*, int)>("move")(&x, 7);
    CHECK(x == 12);
    second.function<void(int*, int)>("move")(&x, 2);
    CHECK(x == 10);
}

TEST_CASE("texts of which one is refused have no images, and users' functions and vectors stand by themselves") {
    if (missing_compiler() || !find_host_toolchain()->is_direct()) return;
    const std::string right = counting_text("1"), wrong = "extern \"C\" void more(int* x) {\n    *x = undeclared;\n}\n";
    const std::string* const texts[] = {&right, &wrong};
    CHECK(compile_host_together(texts).empty());
    std::string rows = right;
    for (int i = 0; i < 80; ++i) rows += "// a long text\n";
    CHECK(company_of(rows) != 0);
    CHECK(company_of(rows + "namespace functions {\n}\n") == 0);
    CHECK(company_of("#pragma GCC optimize(\"fp-contract=fast\")\n" + rows) == 0);
    // Loops that are to become vectors are unrolled before.
    const std::string unrolled = "#pragma GCC optimize 3\n" + rows;
    const std::string vectors = "typedef int four __attribute__((vector_size(16)));\n";
    CHECK(company_of(unrolled) == company_of(rows));
    CHECK(company_of(vectors + rows) != 0);
    CHECK(company_of(vectors + rows) != company_of(rows));
    CHECK(company_of(vectors + unrolled) == 0);
}

TEST_CASE("of an object that cannot be read the math libraries are linked") {
    for (const char* object :
         {"", "\177ELF", "no object at all, but one that is longer than a header of one is, by far"})
        CHECK(needs_math_libraries(object));
}

// The vector functions that an image calls.
static std::set<std::string> called(const std::string& image) {
    static const std::regex of_vectors("_ZGV[a-z0-9]+N[0-9]+v+_[a-z0-9]+");
    return std::set<std::string>(std::sregex_token_iterator(image.begin(), image.end(), of_vectors), {});
}

TEST_CASE("quick code calls the same functions as the full one, and there is none where that is not sure") {
    if (missing_compiler()) return;
    backend_scope use(backend::host);
    sinter::array<double> x = sinter::linspace(-7, 7, 1003);
    sinter::eval(x);
    for (const std::string& source :
         {sinter::explain(sum(pow(abs(x), x)), max(tan(x)), cumsum(atan2(x, x + 1))).source(),
          sinter::explain(tan(x - max(x)) / sum(tan(x - max(x)))).source()}) {
        const std::string quick = compile_host_quickly({"kernel", source, {}}, sinter::device::cpu());
        REQUIRE(is_shared_object(quick));
        CHECK(called(quick) == called(compile_host(source)));
        if (!find_host_toolchain()->is_clang() && has_vector_functions()) CHECK_FALSE(called(quick).empty());
    }
    const std::string of_users = sinter::explain(sum(sinter::vectorize(series)(x)), max(x), argmax(x)).source();
    CAPTURE(of_users);
    CHECK(std::count(of_users.begin(), of_users.end(), '\n') > 60);
    CHECK(compile_host_quickly({"kernel", of_users, {}}, sinter::device::cpu()).empty());
}

TEST_CASE("a kernel that a compiler breaks down over calls the same functions, so its bits are the same") {
    if (missing_compiler()) return;
    const fragile_compiler fragile;
    std::set<std::string> found;
    backend_scope use(backend::host);
    sinter::array<double> x = sinter::linspace(-7, 7, 1003);
    sinter::eval(x);
    for (const std::string& source :
         {sinter::explain(cos(x) * 2).source(), sinter::explain(cummin(x), tan(cummin(x))).source(),
          sinter::explain(sinter::vectorize(damped)(x)).source()}) {
        std::string whole, less, log;
        REQUIRE(compile_by_driver(*find_host_toolchain(), source, whole, log));
        REQUIRE(compile_by_driver(fragile.tools, source, less, log));
        CHECK(called(whole) == called(less));
        found.merge(called(whole));
    }
    // g++ calls vector functions of a library that has them.
    if (!find_host_toolchain()->is_clang() && has_vector_functions()) CHECK_FALSE(found.empty());
}

TEST_CASE("a program that a stoppable thread waits for ends soon after the flag is set") {
    std::atomic<bool> stops{false};
    std::thread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        stops = true;
    });
    const stoppable_scope stoppable(stops);
    std::string output;
    for (const char* seconds : {"60", "59"}) CHECK(run_process({"sleep", seconds}, 1, output) == exit_status::stopped);
    later.join();
}

TEST_CASE("a program that does not end is stopped after its time") {
    std::string output;
    const auto start = std::chrono::steady_clock::now();
    CHECK(run_process({"sleep", "60"}, 1, output, 1) == exit_status::late);
    CHECK(run_process({"sh", "-c", "trap '' TERM; while :; do sleep 1; done"}, 1, output, 1) == exit_status::late);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(30));
    CHECK(run_process({"sh", "-c", "sleep 0.1; echo done"}, 1, output, 30) == exit_status::success);
    CHECK(output == "done\n");
    CHECK(run_process({"false"}, 1, output, 30) == exit_status::failure);
    CHECK(run_process({"/no/such/program"}, 1, output, 30) == exit_status::failure);
}

TEST_CASE("a program that ignores the end of its children still learns what failed") {
    if (missing_compiler()) return;
    const auto before = std::signal(SIGCHLD, SIG_IGN);
    check_gaussian(compile_host(gaussian));
    CHECK_THROWS_AS(compile_host("int second = undeclared_name;\n"), sinter::compile_error);
    std::string image, log;
    CHECK(compile_by_driver(*find_host_toolchain(), gaussian, image, log));
    host_toolchain broken = *find_host_toolchain();
    if (broken.is_direct()) {
        broken.compile = {"false"};
        CHECK_FALSE(compile_directly(broken, gaussian, image));
    }
    std::signal(SIGCHLD, before);
}

TEST_CASE("images never stand in for each other, and a wrong one is an exception") {
    if (missing_compiler()) return;
    for (int n = 0; n < 12; ++n) {
        const std::string bytes = compile_host("extern \"C\" int number() { return " + std::to_string(n) + "; }");
        const shared_image first(bytes), second(bytes);
        CHECK(first.function<int()>("number")() == n);
        CHECK(second.function<int()>("number")() == n);
    }
    const shared_image image(compile_host("extern \"C\" int number() { return 1; }"));
    CHECK_THROWS_AS(image.symbol("absent"), sinter::internal_error);
    CHECK_THROWS_AS(shared_image(""), sinter::io_error);
    CHECK_THROWS_AS(shared_image("not an image"), sinter::io_error);
    CHECK_THROWS_AS(shared_image(std::string("\177ELF") + std::string(500, '\1')), sinter::io_error);
}

TEST_CASE("an image can be loaded from a private file as well") {
    if (missing_compiler()) return;
    void* handle = load_from_folder(compile_host("extern \"C\" int number() { return 41; }"));
    REQUIRE(handle);
    CHECK(reinterpret_cast<int (*)()>(dlsym(handle, "number"))() == 41);
}

extern "C" __attribute__((visibility("default"))) int interposed() { return -1; }

TEST_CASE("a kernel calls its own functions, not the program's of the same name") {
    if (missing_compiler()) return;
    const std::string source = R"(
extern "C" __attribute__((noinline)) int interposed() { return 17; }
extern "C" int number() { return interposed(); })";
    CHECK(shared_image(compile_host(source)).function<int()>("number")() == 17);
    std::string image, log;
    REQUIRE(compile_by_driver(*find_host_toolchain(), source, image, log));
    CHECK(shared_image(image).function<int()>("number")() == 17);
}

TEST_CASE("128-bit division and structure copies find their helper functions") {
    if (missing_compiler()) return;
    const shared_image image(compile_host(R"(
struct block { double values[64]; };
extern "C" void copy(block* to, const block* from) { *to = *from; }
extern "C" unsigned long long divide(unsigned long long high, unsigned long long low, unsigned long long by) {
    return (unsigned long long)(((unsigned __int128)high << 64 | low) / by);
})"));
    CHECK(image.function<unsigned long long(unsigned long long, unsigned long long, unsigned long long)>("divide")(
              1, 0, 16) == 1ull << 60);
}

TEST_CASE("the identity of the compiler is stable and names version and options") {
    if (missing_compiler()) return;
    const std::string identity = host_compiler_identity();
    CHECK(identity.find(find_host_toolchain()->version) != std::string::npos);
    CHECK(identity.find("-ffp-contract=off") != std::string::npos);
    CHECK(identity == host_compiler_identity());
}

TEST_CASE("commands are split as the driver quotes them, and survive being stored") {
    const argument_list words = split_command(R"( /a/cc1plus -D "x=\"1\"" --param "l1-cache-size=48" a\ b -o - |)");
    const argument_list expected{"/a/cc1plus", "-D", "x=\"1\"", "--param", "l1-cache-size=48", "a b", "-o", "-", "|"};
    CHECK(words == expected);
    host_toolchain t;
    t.compiler = "/usr/bin/g++", t.version = "g++ 1.2", t.compile = words, t.link = {"ld"};
    const auto copy = host_toolchain::from_text(t.to_text());
    REQUIRE(copy);
    CHECK(copy->to_text() == t.to_text());
    CHECK_FALSE(copy->is_direct());
    CHECK_FALSE(host_toolchain::from_text(t.to_text() + "more"));
    CHECK_FALSE(host_toolchain::from_text("a\nb\n3\nx\n"));
    CHECK(number_lines("a\n\nb") == "   1 | a\n   2 | \n   3 | b\n");
}

TEST_CASE("a kernel compiles in a fraction of a blink") {
    if (missing_compiler()) return;
    using clock = std::chrono::steady_clock;
    double best_compile = 1e9, best_load = 1e9;
    for (int n = 0; n < 5; ++n) {
        const std::string source = gaussian + ("// " + std::to_string(n) + "\n");
        const auto start = clock::now();
        const std::string bytes = compile_host(source);
        const auto compiled = clock::now();
        const shared_image image(bytes);
        REQUIRE(image.symbol("kernel"));
        const auto loaded = clock::now();
        best_compile = std::min(best_compile, std::chrono::duration<double, std::milli>(compiled - start).count());
        best_load = std::min(best_load, std::chrono::duration<double, std::milli>(loaded - compiled).count());
    }
    MESSAGE("compile " << best_compile << " ms, load " << best_load << " ms (best of 5)");
    CHECK(best_compile + best_load < 2000);
}
