// Compiler options of kernels that are given as text: whom they reach, what they leave alone, and what keys know of
// them.
#include "support/backends.hpp"
#include "support/scratch_folder.hpp"

#include <sinter/sinter.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <vector>

using namespace sinter;
using namespace test_backends;

namespace {

using scaled_kernel = elementwise_kernel<"T x", "T y", "y = moved(x) * SCALE", "scaled", R"(
    #ifndef OFFSET
    #define OFFSET 1
    #endif
    template <class T>
    __device__ T moved(T x) { return x + OFFSET; }
)">;

array<float> ramp(std::int64_t n) { return astype<float>(arange(n)) / 4; }

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("definitions given as options hold for their kernel alone, also where several share a launch") {
    on_compiling_backends([](const tested_backend&) {
        const scaled_kernel twice({"-DSCALE=2"}), thrice({"--define-macro=SCALE=3", "-DOFFSET=5"}),
            once({"-DSCALE", "-D OFFSET=7"}), undone({"-DSCALE=4", "-DOFFSET=9", "-UOFFSET"});
        for (std::int64_t n : {0, 1, 33}) {
            array<float> x = ramp(n);
            x.eval();
            array<float> all_of_them = twice(x) + thrice(x) * 10 + once(x) * 100 + undone(x) * 1000 + twice(x * 2);
            CHECK(explain(all_of_them).kernels() == (n > 0));
            CHECK(bool(all(all_of_them ==
                           (x + 1) * 2 + (x + 5) * 3 * 10 + (x + 7) * 100 + (x + 1) * 4 * 1000 + (x * 2 + 1) * 2)));
        }
        const elementwise_kernel<"T x", "T y", "y = WEIGHT(x)", "weighted"> weighted(
            {"-DWEIGHT(v)=((v) * 2 + POSITION)", "-DPOSITION=i"});
        CHECK(to_vector(weighted(array<int>{5, 6, 7})) == std::vector<int>{10, 13, 16});
        const elementwise_kernel<"T x", "T y", "y = x + SCALE", "without"> without;
        CHECK_THROWS_AS(without(ramp(3)).eval(), compile_error);
    });
}

TEST_CASE("preambles of one kernel each may define the same names in one launch") {
    on_compiling_backends([](const tested_backend&) {
        elementwise_kernel<"T x", "T y", "y = step(x) + LEVEL", "first",
                           "#define LEVEL 1\n__device__ float step(float x) { return x * 2; }">
            first;
        elementwise_kernel<"T x", "T y", "y = step(x) + LEVEL", "second",
                           "#define LEVEL 2\n__device__ float step(float x) { return x * 3; }">
            second;
        elementwise_kernel<"T x", "T y", "y = step(x) - LEVEL", "third",
                           "#define LEVEL 1\n__device__ float step(float x) { return x * 2; }">
            third;
        elementwise_kernel<"T x", "T y", "y = step(x)", "fourth", "__device__ float step(float x) { return sqrt(x); }">
            fourth;
        array<float> x = ramp(33);
        array<float> y = first(x) + second(x) * 10 + third(x) * 100 + fourth(x);
        CHECK(explain(y).kernels() == 1);
        CHECK(bool(all(y == (x * 2 + 1) + (x * 3 + 2) * 10 + (x * 2 - 1) * 100 + sqrt(x))));
    });
}

TEST_CASE("options are a part of what a kernel is known by") {
    on_compiling_backends([](const tested_backend&) {
        elementwise_kernel<"T x", "T y", "y = x * KNOWN_BY", "known_by"> five({"-DKNOWN_BY=5"}), six({"-DKNOWN_BY=6"}),
            again({"-DKNOWN_BY=5"});
        array<float> x = ramp(7);
        CHECK(bool(all(five(x).eval() == x * 5)));
        auto before = counters();
        array<float> y = again(x), z = six(x);
        y.eval();
        CHECK(counters().kernels_compiled == before.kernels_compiled);
        CHECK(counters().cache_hits > before.cache_hits);
        z.eval();
        CHECK(bool(all(z == x * 6)));
        CHECK(bool(all(y == x * 5)));
        CHECK(says(explain(six(x)).source(), "#define KNOWN_BY 6"));
        CHECK_FALSE(says(explain(six(x)).source(), "#define KNOWN_BY 5"));
    });
}

TEST_CASE("headers of a preamble are found in the folders of -I, and kernels are known by what they say") {
    on_compiling_backends([](const tested_backend& b) {
        scratch_folder folder;
        std::filesystem::create_directory(folder.path + "/deep");
        write(folder.path + "/deep/constants.h", "#pragma once\n#define LEVEL 10\n");
        write(folder.path + "/deep/steps.h",
              "#ifndef STEPS\n#define STEPS\n#include \"constants.h\"\n#include <deep/constants.h>\n"
              "template <class T>\n__device__ T step(T x) { return sqrt(x * x) + LEVEL; }\n#endif");
        using stepped = elementwise_kernel<"T x", "T y", "y = step(x)", "stepped",
                                           "#include \"deep/steps.h\"\n#include <deep/steps.h>">;
        array<float> x = ramp(9);
        const stepped first({"-I" + folder.path + "/none", "-I" + folder.path});
        CHECK(bool(all(first(x) == x + 10.0f)));
        // What has been read stays; a kernel that reads its headers later is another one.
        write(folder.path + "/deep/constants.h", "#pragma once\n#define LEVEL 20\n");
        CHECK(bool(all(first(x) == x + 10.0f)));
        const stepped later({"--include-path=" + folder.path});
        CHECK(bool(all(later(x) + first(x) == (x + 20.0f) + (x + 10.0f))));
        write(folder.path + "/deep/constants.h", "#include \"steps.h\"\n#include \"constants.h\"\n");
        const std::string endless = "[options] headers include each other without end: " + folder.path;
        CHECK_THROWS_WITH_AS(stepped({"-I " + folder.path})(x), doctest::Contains(endless.c_str()), io_error);
        const stepped lost({"-I" + folder.path + "/deep"});
        CHECK_THROWS_WITH_AS(lost(x).eval(), doctest::Contains("deep/steps.h"), compile_error);
        (void)b;
    });
}

TEST_CASE("a kernel with options of NVRTC is compiled by itself, and changes no bit of what is around") {
    on_compiling_backends([](const tested_backend& b) {
        elementwise_kernel<"T x, T y, raw T z", "T w, T v", "w = sqrt(x * x) + y; v = w + z[0] + i", "fast"> fast(
            {"--use_fast_math", "-lineinfo", "-DUNUSED"});
        elementwise_kernel<"T x, T y, raw T z", "T w, T v", "w = sqrt(x * x) + y; v = w + z[0] + i", "fast"> exact;
        array<float> x = ramp(33), y = reshape(x(slice(0, 3)), {3, 1});
        eval(x, y);
        auto [w, v] = fast(x + 1, y, x + 2);
        // Both results in one kernel, its operands in another.
        array<float> total = sum(w / 3 + v, 1);
        CHECK(explain(total).kernels() == 4);
        CHECK(std::apply([](auto... part) { return explain(part...).kernels(); }, fast(x, 2.0f, x)) == 1);
        auto [ew, ev] = exact(x + 1, y, x + 2);
        CHECK(explain(array<float>(sum(ew / 3 + ev, 1))).kernels() < 4);
        CHECK(bool(all(total == sum(ew / 3 + ev, 1))));
        CHECK(says(explain(w, total).text(),
                   "a function with compiler options or a loop of its own has a kernel of its own"));
        CHECK(says(explain(std::get<0>(fast(x, x, x))).source(),
                   "// NVRTC's options besides sinter's: --use_fast_math -lineinfo") == b.is_cuda());
        elementwise_kernel<"T x", "T y", "y = x + 1", "unknown_option"> unknown({"--no-such-option"});
        if (!b.is_cuda()) {
            CHECK(bool(all(unknown(x) == x + 1)));
            return;
        }
        try {
            unknown(x).eval();
            CHECK(false);
        } catch (const compile_error& e) {
            CHECK(says(e.what(), "--no-such-option"));
            CHECK(says(e.what(), "   1 | "));
        }
    });
}

TEST_CASE("options reach every part of a reduction_kernel") {
    on_compiling_backends([](const tested_backend& b) {
        reduction_kernel<"T x", "T z", "x * SCALE", "JOIN(a, b)", "z = a + SHIFT", "START", "with_options"> k(
            {"-DSCALE=2", "-DJOIN(a, b)=(a > b ? a : b)", "-DSHIFT=100", "-DSTART=-7"});
        reduction_kernel<"T x", "T z", "x * SCALE", "JOIN(a, b)", "z = a + SHIFT", "START", "with_options"> other(
            {"-DSCALE=2", "-DJOIN(a, b)=(a < b ? a : b)", "-DSHIFT=0", "-DSTART=0"});
        for (int n : {1, 2, 33}) {
            array<int> x = astype<int>(arange(n)) - 3;
            CHECK(int(k(x)) == 2 * (n - 4) + 100);
            CHECK(int(other(x)) == -6);
        }
        CHECK(int(k(array<int>(zeros<int>({0})))) == 93);
        reduction_kernel<"T x", "T z", "x * x", "a + b", "z = sqrt(a)", "0", "fast_norm"> fast({"--use_fast_math"});
        array<float> x = ramp(b.is_cuda() ? 65 : 1023);
        CHECK(std::abs(float(fast(x)) - float(sqrt(sum(x * x)))) <= 1e-5f * float(sqrt(sum(x * x))));
    });
}

TEST_CASE("elements of a reduction_kernel combine in its reduce_type, and all its parts know the placeholders") {
    on_compiling_backends([](const tested_backend&) {
        reduction_kernel<"T x", "float32 z", "x", "(a) + b", "z = a", "0", "in_double", "", "float64"> in_double;
        reduction_kernel<"T x", "float32 z", "x", "(a) + b", "z = a", "0", "in_own_type"> in_own_type;
        array<float> x{16777216.0f, 1.0f, 1.0f, -16777216.0f};
        CHECK(float(in_double(x)) == 2);
        CHECK(float(in_own_type(x)) == 1);
        reduction_kernel<"T x, U y", "U z", "x * y", "T(a + b)", "z = U(a) / T(4)", "T(3)", "with_types", "", "T">
            with_types;
        array<double> z = with_types(array<int>{1, 2, 3}, array<double>{1.5, 2.5, 0.25});
        CHECK(double(z) == 1.5);
        CHECK(double(with_types(array<int>(zeros<int>({0})), array<double>(zeros<double>({0})))) == 0.75);
    });
}

TEST_CASE("what is no option is refused where it is given, and the interpreter has no compiler for any") {
    using copied = elementwise_kernel<"T x", "T y", "y = x", "copied">;
    CHECK_THROWS_WITH_AS(copied({"SCALE=3"}), "[options] an option is one line that begins with a dash: SCALE=3",
                         value_error);
    CHECK_THROWS_WITH_AS(copied({"-D"}), "[options] an option has no value: -D", value_error);
    CHECK_THROWS_WITH_AS(copied({"-DA=1\n#error"}),
                         "[options] an option is one line that begins with a dash: -DA=1\n#error", value_error);
    on_every_backend([](const tested_backend& b) {
        if (!b.is_interpreter()) return;
        CHECK_THROWS_WITH_AS(copied({"-DA"})(ramp(3)).eval(),
                             "[copied] a kernel that is given as text needs a compiler, which the interpreter has not",
                             device_error);
    });
}
