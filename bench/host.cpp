// The host backend beside hand-written loops of the same threads and the machine's memory bandwidth.
#include "table.hpp"

#include <sinter/sinter.hpp>

#include <sinter/runtime/thread_team.hpp>

#include <chrono>
#include <cmath>
#include <iostream>

using namespace sinter;

// libmvec's exp through the same kind of prototype that generated kernels use.
extern "C" __attribute__((__simd__("notinbranch"))) float expf(float) noexcept;

namespace {

constexpr std::int64_t n = 10'000'000;
constexpr float center = 0.25f, sigma = 1.5f;

struct by_hand {
    const float* x;
    float* y;
    float scale, factor;
};

void gaussian_loop(void* context, std::int64_t begin, std::int64_t end) {
    auto c = *static_cast<by_hand*>(context);
    for (std::int64_t i = begin; i < end; ++i) {
        float z = (c.x[i] - center) / sigma;
        c.y[i] = ::expf(-0.5f * z * z) / c.factor;
    }
}

void copy_loop(void* context, std::int64_t begin, std::int64_t end) {
    auto c = *static_cast<by_hand*>(context);
    for (std::int64_t i = begin; i < end; ++i) c.y[i] = c.scale * c.x[i];
}

void loop(benchmark::State& state, runtime::loop_body body) {
    std::vector<float> x(n, 0.5f), y(n);
    by_hand c{x.data(), y.data(), 3, sigma * std::sqrt(2 * static_cast<float>(pi))};
    for (auto _ : state) {
        runtime::parallel_for(n, 16384, body, &c);
        benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(state.iterations() * n * 8);
}

void gaussian_sinter(benchmark::State& state) {
    array<float> x = random::uniform<float>(-3, 3, {n}).eval();
    for (auto _ : state) {
        array<float> pdf = exp(-0.5f * square((x - center) / sigma)) / (sigma * std::sqrt(2 * static_cast<float>(pi)));
        pdf.eval();
    }
    state.SetBytesProcessed(state.iterations() * n * 8);
}

void sum_sinter(benchmark::State& state) {
    array<float> x = random::uniform<float>(-3, 3, {n}).eval();
    for (auto _ : state) benchmark::DoNotOptimize(sum(square(x - center)).item());
    state.SetBytesProcessed(state.iterations() * n * 4);
}

void tiny_sinter(benchmark::State& state) {
    array<float> x = random::uniform<float>(-3, 3, {16}).eval();
    for (auto _ : state) array<float>(x * x + x).eval();
}

// A scalar literal of another kind of expression each time: nothing of it is in any cache.
void first_use(benchmark::State& state) {
    static int next = 0;
    array<float> x = random::uniform<float>(-3, 3, {1000}).eval();
    for (auto _ : state) {
        array<float> y = x;
        for (int bits = 1'000'000 + next++ + static_cast<int>(::time(nullptr) % 10'000) * 64; bits > 0; bits /= 2)
            y = bits % 2 ? sqrt(y + 1) : y * x;
        y.eval();
    }
}

}  // namespace

int main(int argc, char** argv) {
    device_scope on(device::cpu());
    bench::add("STREAM scale", [](benchmark::State& s) { loop(s, copy_loop); });
    bench::add("gaussian pdf, 1e7 float32, by hand", [](benchmark::State& s) { loop(s, gaussian_loop); });
    bench::add("gaussian pdf, 1e7 float32", gaussian_sinter);
    bench::add("sum((x - m)²), 1e7 float32", sum_sinter);
    bench::add("eval(x*x + x), n = 16", tiny_sinter);
    benchmark::RegisterBenchmark("first use of a new kernel", first_use)
        ->Unit(benchmark::kMicrosecond)->Repetitions(9)->Iterations(1)->ReportAggregatesOnly()->UseRealTime();
    std::cout << runtime::thread_count() << " threads, " << runtime::host_compiler_identity() << "\n";
    bench::print_table(argc, argv, "Host",
                       {{"STREAM scale", "", 0},
                        {"gaussian pdf, 1e7 float32, by hand", "STREAM scale", 0},
                        {"gaussian pdf, 1e7 float32", "gaussian pdf, 1e7 float32, by hand", 1.25},
                        {"sum((x - m)²), 1e7 float32", "STREAM scale", 0},
                        {"eval(x*x + x), n = 16", "", 0},
                        {"first use of a new kernel", "", 0}});
}
