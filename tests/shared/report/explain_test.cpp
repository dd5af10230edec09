// What explain tells: limits, resources, measured times, advice; and that telling changes nothing.
#include <sinter/sinter.hpp>

#include <sinter/runtime/device/cuda_driver.hpp>

#include "support/backends.hpp"
#include "support/scratch_folder.hpp"
#include "support/stored_arrays.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

bool has_hint(const explanation& e, const std::string& part) {
    for (const std::string& h : e.hints())
        if (mentions(h, part)) return true;
    return false;
}

SINTER_FUNCTION(doubled_widely, (float x)->float { return 2.0 * x; })
SINTER_FUNCTION(doubled, (float x)->float { return 2.0f * x; })

}  // namespace

TEST_CASE("a step has its bytes, its arithmetic and a least time, before it runs") {
    on_every_backend([](const tested_backend&) {
        array<float> x = stored<float>({1000, 33});
        explanation e = explain(exp(x) + 1);
        REQUIRE(e.steps().size() == 1);
        const explanation::step& s = e.steps()[0];
        CHECK(s.is_kernel);
        CHECK(s.name == "exp_add");
        CHECK(s.bytes_read == 4 * 33000);
        CHECK(s.bytes_written == 4 * 33000);
        CHECK(s.operations == e.operations());
        CHECK(s.operations > 2 * 33000);
        CHECK(s.operations_float64 == 0);
        CHECK(e.limit() > 0);
        CHECK(e.limit() == e.limit(s));
        CHECK(e.measured() == -1);
        CHECK(e.achieved() == -1);
        CHECK(mentions(e.text(), "kernel 1: exp_add over (33000,): 132000 bytes read, 132000 bytes written"));
        CHECK(mentions(e.text(), "limits: "));
        // Of one machine's limits: those measured here change with what else runs.
        const runtime::machine_limits limits{100e9, 1e12, 0.5e12, "a machine"};
        array<double> wide = stored<double>({1000, 33});
        CHECK(least_time(explain(wide + 1).steps()[0], limits) > least_time(explain(x + 1).steps()[0], limits));
    });
}

TEST_CASE("the limit of a GPU is that of its clocks, and arithmetic counts where it is more") {
    using namespace runtime;
    machine_limits l{100e9, 1e12, 0.5e12, "a machine"};
    step_summary s;
    s.bytes_read = 50'000'000'000;
    s.bytes_written = 50'000'000'000;
    CHECK(least_time(s, l) == doctest::Approx(1));
    s.operations = 4e12;
    CHECK(least_time(s, l) == doctest::Approx(4));
    s.operations_float64 = 4e12;
    CHECK(least_time(s, l) == doctest::Approx(8));
    CHECK(least_time(s, {0, 1e12, 1e12, "one that does not tell"}) == 0);
    if (!is_device_executable) return;
    const cuda_properties& p = properties(0);
    const machine_limits& gpu = limits_of_machine(device::cuda(0));
    CHECK(gpu.bytes_per_second == doctest::Approx(2e3 * p.memory_clock_khz * p.memory_bus_bits / 8));
    CHECK(gpu.operations_per_second >= gpu.float64_per_second);
    CHECK(gpu.float64_per_second > 0);
}

TEST_CASE("measuring takes time from scratch results and changes no value") {
    on_every_backend([](const tested_backend& b) {
        array<float> x = stored<float>({100'000});
        array<float> y = x * 2 + 1;
        const std::vector<float> expected = to_vector((x * 2 + 1).eval());
        explanation e = explain(y, measured);
        if (b.is_interpreter()) {
            CHECK(e.measured() == -1);
            CHECK(mentions(e.text(), "not measured: the interpreter has no kernels to time"));
        } else {
            CHECK(e.measured() > 0);
            CHECK(e.steps()[0].seconds == e.measured());
            CHECK(e.achieved() == doctest::Approx(e.limit() / e.measured()));
            CHECK(mentions(e.text(), " of the limit"));
            CHECK(e.cached());
        }
        // y waits as it did before, and computing it finds the kernel.
        const counters_t before = counters();
        CHECK(explain(y).kernels() == 1);
        CHECK(to_vector(y) == expected);
        if (b.compiles()) CHECK(counters().launches == before.launches + 1);
        if (b.compiles()) CHECK(counters().kernels_compiled == before.kernels_compiled);
        // Now there is nothing to measure.
        explanation after = explain(y, measured);
        CHECK(after.measured() == -1);
        CHECK(mentions(after.text(), "not measured: it is computed already"));
        if (b.compiles()) CHECK(after.kernels() == 1);
    });
}

TEST_CASE("what would be overwritten is measured on a copy") {
    on_compiling_backends([](const tested_backend&) {
        array<float> x = stored<float>({50'000});
        std::vector<float> expected = to_vector(x);
        for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = (i >= 10 && i < 20 ? 7 : expected[i]) + 1;
        x(slice(10, 20)) = 7;
        x += 1;
        explanation e = explain(x, measured);
        CHECK(e.measured() > 0);
        CHECK(explain(x, measured).measured() > 0);
        CHECK(to_vector(x) == expected);
    });
}

TEST_CASE("what is computed from a file is measured where the file fits, and throws where it does not") {
    on_compiling_backends([](const tested_backend& b) {
        scratch_folder folder;
        const std::string path = folder.path + "/x.npy";
        const array<float> x = stored<float>({50'000});
        save(path, x);
        const std::vector<float> wanted = to_vector(x * 2);
        const array<float> y = load<float>(path, mapped) * 2;
        CHECK(explain(y, measured).measured() > 0);
        CHECK(to_vector(y) == wanted);
        if (!b.is_cuda()) return;
        synchronize();
        memory_pool().trim();
        memory_pool().set_limit(memory_pool().used() + 100'000);
        const array<float> z = load<float>(path, mapped) * 2;
        CHECK_THROWS_AS(explain(z, measured), out_of_memory);
        memory_pool().set_limit(0);
        CHECK(to_vector(z) == wanted);
    });
}

TEST_CASE("several values, library calls and reductions are measured step by step") {
    on_compiling_backends([](const tested_backend&) {
        array<float> m = stored<float>({33, 33});
        array<float> p = matmul(m, m) * sum(m, 0);
        array<float> q = sort(p, 0);
        explanation e = explain(measured, p, q);
        CHECK(e.steps().size() >= 3);
        int calls = 0;
        double seconds = 0;
        for (const explanation::step& s : e.steps()) {
            CHECK(s.seconds >= 0);
            seconds += s.seconds;
            calls += !s.is_kernel;
            if (s.name == "matmul") CHECK(s.bytes_read == 2 * 4 * 33 * 33);
            if (s.name == "matmul") CHECK(s.operations == 2 * 33 * 33 * 33);
        }
        CHECK(calls >= 2);
        CHECK(e.measured() == doctest::Approx(seconds));
        CHECK(mentions(e.text(), "call: matmul over (33, 33)"));
        array<float> longer = stored<float>({600, 3}), z = longer - sum(longer, 0);
        CHECK(explain(z).steps().back().after == "sum of kernel 1");
        CHECK(mentions(explain(z).text(), ", after sum of kernel 1: "));
    });
}

TEST_CASE("an index out of bounds is told by measuring on the CPU, and again by reading") {
    on_compiling_backends([](const tested_backend& b) {
        array<float> x = stored<float>({10});
        array<std::int64_t> i{3, 12};
        array<float> y = take(x * 2, i);
        if (b.is_host()) CHECK_THROWS_AS(explain(y, measured), index_error);
        else CHECK(explain(y, measured).measured() > 0);
        CHECK_THROWS_AS(to_vector(y), index_error);
        CHECK(to_vector(x).size() == 10);
    });
}

TEST_CASE("registers are known of a GPU's kernels once they are compiled, and of the CPU's never") {
    on_every_backend([](const tested_backend& b) {
        array<float> x = stored<float>({1000});
        array<float> y = cos(x) * 0.125f + sin(x + 0.0625f);
        if (b.is_cuda()) {
            const explanation e = explain(y, measured);
            CHECK(e.steps()[0].registers > 0);
            CHECK(e.steps()[0].local_bytes >= 0);
            CHECK(mentions(e.text(), " registers, "));
            y.eval();
            CHECK(explain(y).steps()[0].registers == e.steps()[0].registers);
        } else {
            y.eval();
            const explanation e = explain(cos(x) * 0.125f + sin(x + 0.0625f));
            CHECK(e.steps()[0].registers == -1);
            CHECK(mentions(e.text(), "registers and spills: not known on the CPU"));
        }
    });
}

TEST_CASE("before compiling a GPU's explanation says when registers will be known") {
    on_every_backend([](const tested_backend& b) {
        if (!b.is_cuda()) return;
        array<float> x = stored<float>({1000});
        const explanation e = explain(tan(x) - 0.03125f * exp(x * x));
        CHECK(e.steps()[0].registers == -1);
        CHECK(mentions(e.text(), "registers and spills: known once compiled"));
    });
}

TEST_CASE("accidental float64 is found in expressions and in functions") {
    on_every_backend([](const tested_backend&) {
        array<float> x = stored<float>({100});
        array<int> n = stored<int>({100});
        array<float> y = x + astype<float>(n * 0.5);
        CHECK(has_hint(explain(y), "float64 arithmetic in a float32 program: multiply: an operand is int32"));
        y = x + astype<float>(n) * 0.5;
        CHECK(explain(y).hints().empty());
        y = (x - mean(x)) / stddev(x) + var(x) + median(x);
        const explanation e = explain(y);
        for (const std::string& h : e.hints()) CHECK_FALSE(mentions(h, "float64"));
        y = vectorize(doubled_widely)(x);
        CHECK(has_hint(explain(y), "doubled_widely has 2.0, which is a double"));
        y = vectorize(doubled)(x);
        CHECK(explain(y).hints().empty());
        y = random::normal<float>(0, 1, {100}) + random::uniform<float>(0, 1, {100}) + linspace<float>(0, 1, 100);
        CHECK(explain(y).hints().empty());
    });
}

TEST_CASE("what follows a reduction is computed once and not at every element that it goes back to") {
    on_every_backend([](const tested_backend&) {
        const std::int64_t rows = 600, columns = 70;
        array<float> x = stored<float>({rows, columns});
        const array<double> wide = astype<double>(x);
        const explanation e = explain(var(wide, 0));
        REQUIRE(e.steps().size() == 2);
        CHECK(mentions(e.steps()[0].name, "sum_divide"));
        // Per element a conversion, a difference, its square and a sum; per column two quotients and a conversion.
        CHECK(e.steps()[1].operations <= 4 * rows * columns + 10 * columns);
        double operations = 0;
        for (const auto& step : explain(x / sqrt(sum(x * x))).steps()) operations += step.operations;
        CHECK(operations <= 7 * rows * columns);
        CHECK(explain(x - mean(x, 1, keepdims)).kernels() == 1);
        array<double> sums = sum(astype<double>(x), 0);
        sums.eval();
        array<double> means = sums / rows;
        means.eval();
        array<double> squares = sum(square(astype<double>(x) - means), 0);
        squares.eval();
        CHECK(array_equal(var(wide, 0), squares / rows));
    });
}

TEST_CASE("hints of an explanation are in its text") {
    on_every_backend([](const tested_backend&) {
        array<float> x = stored<float>({60, 70});
        array<std::int64_t> rows{1, 0, 3};
        array<float> z = take(exp(x) * x, rows, 0);
        const explanation e = explain(z);
        CHECK(e.kernels() == 2);
        CHECK(has_hint(e, "it is read at any place"));
        CHECK(mentions(e.text(), "  hint: kernel 1 stores multiply of shape (60, 70)"));
    });
}

TEST_CASE("a drawing names kernels and nodes as the text does") {
    on_every_backend([](const tested_backend&) {
        array<float> x = stored<float>({64});
        const std::string dot = explain(x / sum(x) * 2).dot();
        CHECK(dot.rfind("digraph sinter {", 0) == 0);
        CHECK(mentions(dot, "label=\"kernel 1: "));
        CHECK(mentions(dot, "[label=\"input 0\\nfloat32 (64,)\""));
        CHECK(mentions(dot, "peripheries=2"));
    });
}

TEST_CASE("explaining what needs nothing computed costs nothing") {
    on_every_backend([](const tested_backend&) {
        array<float> x = stored<float>({5});
        const explanation e = explain(x, measured);
        CHECK(e.kernels() == 0);
        CHECK(e.measured() == -1);
        array<float> none = zeros<float>({0, 3});
        const explanation empty = explain(none + 1, measured);
        CHECK(empty.kernels() == 0);
        CHECK(empty.bytes_written() == 0);
    });
}

TEST_CASE("a computed value tells of the steps that it comes from, not of those beside it") {
    on_every_backend([](const tested_backend& on) {
        if (!on.compiles()) return;
        const array<float> x = stored<float>({64}), y = stored<float>({80}), z = stored<float>({72});
        const array<float> a = exp(x), b = cos(y) * 2, c = sort(z + 1);
        eval(a, b, c);
        const explanation of_a = explain(a), of_b = explain(b), of_c = explain(c), all = explain(a, b, c);
        CHECK(of_a.kernels() == 1);
        CHECK(of_a.library_calls() == 0);
        CHECK(mentions(of_a.text(), "exp"));
        CHECK(!mentions(of_a.text(), "cos"));
        CHECK(!mentions(of_a.text(), "sort"));
        CHECK(of_b.kernels() == 1);
        CHECK(mentions(of_b.text(), "cos"));
        CHECK(!mentions(of_b.dot(), "exp"));
        CHECK(of_c.library_calls() == 1);
        CHECK(mentions(of_c.text(), "add"));
        CHECK(!mentions(of_c.source(), "cos"));
        CHECK(all.steps().size() == 4);
    });
}
