// benchmark counts and prints as CuPy's.
#include <sinter/sinter.hpp>

#include "support/backends.hpp"
#include "support/stored_arrays.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a benchmark prints as cupyx.profiler does") {
    profiler::benchmark_result r;
    r.name = "square_diff";
    r.cpu_times = {44.4e-6, 42.5e-6, 51.1e-6};
    CHECK(r.text() == "square_diff         :    CPU:    46.000 us   +/-  3.689 (min:    42.500 / max:    51.100) us");
    r.gpu_times = {181.5e-6, 180.2e-6, 187.6e-6};
    r.gpu = 0;
    CHECK(r.text() ==
          "square_diff         :    CPU:    46.000 us   +/-  3.689 (min:    42.500 / max:    51.100) us "
          "    GPU-0:   183.100 us   +/-  3.226 (min:   180.200 / max:   187.600) us");
    profiler::benchmark_result once;
    once.name = "f";
    once.cpu_times = {1.5e-3};
    std::ostringstream out;
    out << once;
    CHECK(out.str() == "f                   :    CPU:  1500.000 us");
}

TEST_CASE("a benchmark calls, evaluates and measures as often as it is told") {
    on_every_backend([](const tested_backend& b) {
        array<float> x = stored<float>({1000});
        int calls = 0;
        const counters_t before = counters();
        auto r = profiler::benchmark(
            [&] {
                ++calls;
                return exp(x) + 1;
            },
            {.n_repeat = 7, .n_warmup = 3, .name = "exp"});
        CHECK(calls == 10);
        if (b.compiles()) CHECK(counters().launches - before.launches == 10);
        CHECK(r.cpu_times.size() == 7);
        CHECK(r.gpu_times.size() == (b.is_cuda() ? 7u : 0u));
        CHECK(r.gpu == (b.is_cuda() ? 0 : -1));
        for (double t : r.cpu_times) CHECK(t > 0);
        for (double t : r.gpu_times) CHECK(t > 0);
        CHECK(mentions(r.text(), "exp                 :    CPU: "));
        CHECK(mentions(r.text(), "GPU-0: ") == b.is_cuda());
    });
}

TEST_CASE("a benchmark takes functions of tuples, of structures, of nothing and of numbers") {
    on_every_backend([](const tested_backend& b) {
        array<float> x = stored<float>({100});
        const profiler::benchmark_options few{.n_repeat = 2, .n_warmup = 1};
        const counters_t before = counters();
        CHECK(profiler::benchmark([&] { return std::tuple(exp(x), 2, x * 3); }, few).cpu_times.size() == 2);
        if (b.compiles()) CHECK(counters().launches - before.launches == 3);
        struct pair {
            array<float> a, b;
        };
        CHECK(profiler::benchmark([&] { return pair{x + 1, x + 2}; }, few).cpu_times.size() == 2);
        int calls = 0;
        auto named = [&] { ++calls; };
        CHECK(profiler::benchmark(named, few).cpu_times.size() == 2);
        CHECK(calls == 3);
        CHECK(profiler::benchmark([&] { return 3.5; }, few).cpu_times.size() == 2);
    });
}

TEST_CASE("a benchmark stops in time and refuses what makes no sense") {
    int calls = 0;
    auto r = profiler::benchmark([&] { ++calls; }, {.n_warmup = 0, .max_duration = 0});
    CHECK(calls == 1);
    CHECK(r.cpu_times.size() == 1);
    CHECK_THROWS_WITH_AS(static_cast<void>(profiler::benchmark([] {}, {.n_repeat = 0})),
                         "[benchmark] n_repeat must be positive: 0", value_error);
    CHECK_THROWS_AS(static_cast<void>(profiler::benchmark([] {}, {.n_warmup = -1})), value_error);
    CHECK_THROWS_AS(static_cast<void>(profiler::benchmark([]() -> int { throw io_error("no"); }, {.n_repeat = 1})),
                    io_error);
}
