// Two tiers of code for texts of written kernels: sorts, scatters and linear algebra run with quick code of equal bits
// first, and what was asked of it is asked of the code that takes its place.
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <sinter/codegen/kernels/linalg/linalg_cuda.hpp>
#include <sinter/codegen/kernels/sort/sort.hpp>
#include <sinter/codegen/kernels/sort/sort_radix_cuda.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>
#include <sinter/runtime/compile/nvrtc.hpp>
#include <sinter/runtime/compile/refine.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/sinter.hpp>
#include <string>
#include <thread>
#include <vector>

#include "support/fresh_cache.hpp"

using namespace sinter;

namespace {

array<float> numbers(std::int64_t n) { return astype<float>(arange<std::int64_t>(n) * 7919 % 10007) * 0.37f - 1000; }

// Rows of results, their bits side by side.
template <class... Arrays>
std::vector<std::uint32_t> bits_of(const Arrays&... results) {
    std::vector<std::uint32_t> bits;
    const auto add = [&](const array<float>& x) {
        for (float v : to_vector(x)) bits.push_back(std::bit_cast<std::uint32_t>(v));
    };
    (add(array<float>(results)), ...);
    return bits;
}

// Runs until the full code of so many texts is there, or there is nothing to wait for, and says what came of it.
template <class F>
void run_again(std::uint64_t texts, const F& f) {
    reset_counters();
    const auto first = f();
    const bool is_quick = counters().kernels_quick > 0;
    int different = 0;
    for (int i = 0; is_quick && i < 6000 && runtime::refined_kernels() < texts; ++i) {
        different += f() != first;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    different += f() != first;
    std::printf("replaced %d different %d\n", static_cast<int>(runtime::refined_kernels()), different);
    print_counts();
}

bool is_child() { return std::getenv("SINTER_TEST_CHILD") && device_count() > 0; }

}  // namespace

TEST_CASE("what a child process that sorts again does") {
    if (!is_child()) return;
    const array<float> x = numbers(9001);
    eval(x);
    run_again(1, [&] { return bits_of(sort(x)); });
}

TEST_CASE("a sort whose text is compiled quickly gives the same bits when the full one replaces it between two calls") {
    if (device_count() == 0) return;
    const fresh_cache cache;
    const finished first = cache.run("what a child process that sorts again does");
    CAPTURE(first.output);
    CHECK(has(first, "replaced 1 different 0\ncompiled 1 quick 1 disk 0\n"));
    CHECK(first.status == 0);
    const finished second = cache.run("what a child process that sorts again does", "SINTER_TIERS=0");
    CAPTURE(second.output);
    CHECK(has(second, "replaced 0 different 0\ncompiled 0 quick 0 disk 1\n"));
}

TEST_CASE("what a child process that sorts once does") {
    if (!is_child()) return;
    const array<float> x = numbers(9001);
    eval(x);
    reset_counters();
    eval(sort(x));
    std::printf("explained %d\n", explain(sort(x)).schedule().find("compiled quickly so far") != std::string::npos);
    print_counts();
}

TEST_CASE("a text that is used once is compiled quickly, once for all processes") {
    if (device_count() == 0) return;
    const fresh_cache cache;
    for (const char* counts :
         {"explained 1\ncompiled 1 quick 1 disk 0\n", "explained 1\ncompiled 0 quick 0 disk 1\n"}) {
        const finished f = cache.run("what a child process that sorts once does");
        CAPTURE(f.output);
        CHECK(has(f, counts));
        CHECK(f.status == 0);
    }
}

TEST_CASE("what a child process that factors a matrix does") {
    if (!is_child()) return;
    eval(linalg::cholesky(eye<float>(47) * 3.0f));
    std::string names = "found:";
    for (const char* name : codegen::linalg_kernels)
        if (runtime::text_in_memory(codegen::linalg_cuda(name), device::cuda(0))) names += std::string(" ") + name;
    std::printf("%s.\n", names.c_str());
}

TEST_CASE("a routine of linear algebra has those kernels compiled that it launches, and no others") {
    if (device_count() == 0) return;
    const fresh_cache cache;
    const finished f = cache.run("what a child process that factors a matrix does");
    CAPTURE(f.output);
    CHECK(has(f, "found: check_info.\n"));
}

TEST_CASE("what a child process that unrolls a short kernel does") {
    if (!is_child()) return;
    const array<float> x = numbers(40'000);
    eval(x);
    reset_counters();
    eval(power(abs(x) + 1.0f, 1.7f) * x + 2.0f);
    print_counts();
}

TEST_CASE("a short text that unrolls loops is compiled quickly first") {
    if (device_count() == 0) return;
    const fresh_cache cache;
    const finished f = cache.run("what a child process that unrolls a short kernel does");
    CAPTURE(f.output);
    CHECK(has(f, "compiled 1 quick 1 disk 0\n"));
}

TEST_CASE("what a child process that draws by rejection does") {
    if (!is_child()) return;
    reset_counters();
    const array<double> x = random::gamma(2.5, 1.0, {9001});
    eval(x);
    print_counts();
}

TEST_CASE("a long text that unrolls no loop is compiled quickly first") {
    if (device_count() == 0) return;
    const fresh_cache cache;
    const finished f = cache.run("what a child process that draws by rejection does");
    CAPTURE(f.output);
    CHECK(has(f, "compiled 1 quick 1 disk 0\n"));
}

TEST_CASE("a text is compiled fully at once where tiers are turned off, and where a pack is recorded") {
    if (device_count() == 0) return;
    const fresh_cache one, two;
    for (const finished& f :
         {one.run("what a child process that sorts once does", "SINTER_TIERS=0"),
          two.run("what a child process that sorts once does", "SINTER_RECORD=" + two.path + "/p")}) {
        CAPTURE(f.output);
        CHECK(has(f, "explained 0\ncompiled 1 quick 0 disk 0\n"));
    }
}

TEST_CASE("what a child process that decomposes stacks again does") {
    if (!is_child()) return;
    const array<float> x = reshape(numbers(3 * 41 * 23), {3, 41, 23}) * 0.001f;
    eval(x);
    run_again(1, [&] {
        const auto [u, s, v] = linalg::svd(x, {.full_matrices = false});
        return bits_of(u, s, v);
    });
}

TEST_CASE("what a child process that solves and scatters again does") {
    if (!is_child()) return;
    const array<float> a = reshape(numbers(37 * 37), {37, 37}) + 2000.0f * eye<float>(37), b = numbers(37);
    const array<std::int64_t> at = arange<std::int64_t>(5003) * 31 % 997;
    const array<float> values = numbers(5003);
    eval(a, b, at, values);
    run_again(4, [&] {
        array<float> sums = zeros<float>({997});
        scatter_add(sums, at, values);
        return bits_of(linalg::solve(a, b), sums);
    });
}

TEST_CASE("clusters, shared memory and several texts of a call go over to the full code with equal bits") {
    if (device_count() == 0) return;
    const fresh_cache cache;
    for (const char* what : {"what a child process that decomposes stacks again does",
                             "what a child process that solves and scatters again does"}) {
        const finished f = cache.run(what);
        CAPTURE(f.output);
        CHECK(has(f, " different 0\n"));
        CHECK_FALSE(has(f, "replaced 0"));
        CHECK_FALSE(has(f, "quick 0"));
        CHECK(f.status == 0);
    }
}

TEST_CASE("what a child process that sorts three times does") {
    if (!is_child()) return;
    const array<float> x = numbers(9001);
    eval(x);
    const auto first = bits_of(sort(x));
    int different = 0;
    for (int i = 0; i < 2; ++i) {
        std::this_thread::sleep_for(std::chrono::microseconds(runtime::refine_patience));
        different += bits_of(sort(x)) != first;
    }
    std::printf("replaced %d different %d\n", static_cast<int>(runtime::refined_kernels()), different);
}

TEST_CASE("a text whose full code cannot be made stays as it is, after a warning") {
    if (device_count() == 0 || !std::getenv("SINTER_EMULATED_CACHE")) return;
    const fresh_cache cache;
    const finished f =
        cache.run("what a child process that sorts three times does", "SINTER_EMULATED_BACKGROUND=fails");
    CAPTURE(f.output);
    CHECK(has(f, "replaced 0 different 0\n"));
    CHECK(has(f, "stays as it was compiled quickly"));
    CHECK(f.status == 0);
}

TEST_CASE("what a child process that measures a sort does") {
    if (!is_child()) return;
    const array<float> x = numbers(9001);
    eval(x);
    const auto measured = profiler::benchmark([&] { return sort(x); }, {.n_repeat = 2, .n_warmup = 1});
    std::printf("replaced %d of %d\n", static_cast<int>(runtime::refined_kernels()),
                static_cast<int>(measured.cpu_times.size()));
}

TEST_CASE("what is measured of a sort is full code") {
    if (device_count() == 0) return;
    const fresh_cache cache;
    const finished f = cache.run("what a child process that measures a sort does");
    CAPTURE(f.output);
    CHECK(has(f, "replaced 1 of 2\n"));
}

TEST_CASE("what a child process that finds a text by itself does") {
    if (!is_child()) return;
    const array<float> x = numbers(9001);
    const codegen::kernel_source text =
        codegen::radix_sort_cuda(codegen::sort_task_on_cuda({dtype::float32, false, 1, 9001}));
    eval(sort(x));
    const std::uint64_t before = runtime::refined_kernels();
    runtime::written_text const& found = runtime::find_text(text, device::cuda(0));
    std::printf("before %d then %d, quick %d\n", static_cast<int>(before), static_cast<int>(runtime::refined_kernels()),
                found.quick != nullptr);
}

TEST_CASE("a text that is found where nobody counts its runs has full code") {
    if (device_count() == 0) return;
    const fresh_cache cache;
    const finished f = cache.run("what a child process that finds a text by itself does");
    CAPTURE(f.output);
    CHECK(has(f, "before 0 then 1, quick 0\n"));
}

#if SINTER_HAS_CUDA
TEST_CASE("what a child process that replaces code beside a recorded step does") {
    if (!is_child()) return;
    auto& table = const_cast<runtime::cuda_driver&>(runtime::driver());
    static int recorded = 0;
    static const auto original = table.cuGraphInstantiateWithFlags;
    table.cuGraphInstantiateWithFlags = [](CUgraphExec* made, CUgraph graph, unsigned long long flags) {
        ++recorded;
        return original(made, graph, flags);
    };
    graph step([](auto a) { return array<float>(cumsum(a * 0.5f) - sum(cumsum(a))); });
    const array<float> x = numbers(9001), y = numbers(7001);
    eval(x, y);
    const auto first = bits_of(step(x));
    int different = 0;
    const auto recorded_after = [&](auto replaced) {
        replaced();
        const int before = recorded;
        for (int i = 0; i < 3; ++i) different += bits_of(step(x)) != first;
        return recorded - before;
    };
    recorded_after(runtime::refine_all);
    const int of_kernels = recorded_after(runtime::refine_all);
    const std::uint64_t before = runtime::refined_kernels();
    const int of_text = recorded_after([&] {
        for (int i = 0; i < 3; ++i) eval(sort(y));
        runtime::refine_all();
        eval(sort(y));
    });
    std::printf("recorded %d, %d, %d, replaced %d different %d\n", recorded > 0, of_kernels, of_text,
                static_cast<int>(runtime::refined_kernels() - before), different);
}

TEST_CASE("a text that is replaced leaves recordings of other kernels as they are") {
    if (device_count() == 0) return;
    const fresh_cache cache;
    const finished f = cache.run("what a child process that replaces code beside a recorded step does");
    CAPTURE(f.output);
    CHECK(has(f, "recorded 1, 0, 0, replaced 1 different 0\n"));
    CHECK(f.status == 0);
}

TEST_CASE("code that may have smaller clusters, or lacks a kernel, does not take a text's place") {
    if (device_count() == 0) return;
    const device where = device::cuda(0);
    const runtime::cuda_properties& gpu = runtime::properties(0);
    const auto loaded = [&](const std::string& text) {
        return runtime::compiled_text{runtime::cuda_module(where, runtime::compile_cuda(text, gpu.major, gpu.minor)),
                                      {}};
    };
    const std::string begin = "extern \"C\" __global__ void __launch_bounds__(256) meet() {", alone = begin + "}";
    const std::string clusters = begin + " __cluster_barrier_arrive(); __cluster_barrier_wait(); }";
    const bool has_clusters = gpu.major >= 9;
    const codegen::kernel_source source{"meet", has_clusters ? clusters : alone, {}};
    runtime::written_text& text = *new runtime::written_text(source, where, loaded(source.text));
    const runtime::cuda_kernel kernel = text.kernel("meet");
    void* const before = kernel.function();
    const int blocks = runtime::allow_cluster(where, kernel, {256}, 4);
    CHECK((blocks > 1) == has_clusters);
    CHECK_THROWS_AS(text.move_to(loaded("extern \"C\" __global__ void other() {}")), device_error);
    CHECK(kernel.function() == before);
    // A device that is no emulated one gives both as many.
    if (has_clusters && std::getenv("SINTER_EMULATED_CACHE")) {
        CHECK_FALSE(text.move_to(loaded(alone)));
        CHECK(kernel.function() == before);
    }
    REQUIRE(text.move_to(loaded(source.text)));
    CHECK(kernel.function() != before);
}
#endif

TEST_CASE("a plan keeps the shared memory that it was allowed when one for smaller matrices asks for less") {
    if (device_count() == 0) return;
    device_scope on(device::cuda(0));
    const auto values_of = [](std::int64_t n) {
        const array<double> x = astype<double>(arange<std::int64_t>(2 * n * n) * 7919 % 10007) * 1e-4;
        return to_vector(linalg::eigvals(astype<std::complex<double>>(reshape(x, {2, n, n}))));
    };
    const auto first = values_of(97);
    CHECK(values_of(64).size() == 128);
    CHECK(values_of(97) == first);
}
