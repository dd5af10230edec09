// The host backend beside hand-written loops of the same threads and the machine's memory bandwidth.
#include "table.hpp"

#include <sinter/sinter.hpp>

#include <sinter/runtime/host_compiler.hpp>
#include <sinter/runtime/thread_team.hpp>

#include <immintrin.h>

#include <cmath>
#include <cstring>
#include <ctime>
#include <iostream>

using namespace sinter;

// libmvec's exp for the widest vectors that this machine has.
#if defined(__AVX512F__)
using vector = __m512;
extern "C" vector _ZGVeN16v_expf(vector);
inline vector vector_exp(vector x) { return _ZGVeN16v_expf(x); }
#elif defined(__AVX2__)
using vector = __m256;
extern "C" vector _ZGVdN8v_expf(vector);
inline vector vector_exp(vector x) { return _ZGVdN8v_expf(x); }
#else
using vector = __m128;
extern "C" vector _ZGVbN4v_expf(vector);
inline vector vector_exp(vector x) { return _ZGVbN4v_expf(x); }
#endif

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
    constexpr std::int64_t width = sizeof(vector) / sizeof(float);
    for (std::int64_t i = begin; i + width <= end; i += width) {
        vector x;
        std::memcpy(&x, c.x + i, sizeof x);
        vector z = (x - center) / sigma;
        vector y = vector_exp(-0.5f * (z * z)) / c.factor;
        std::memcpy(c.y + i, &y, sizeof y);
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
            if (bits % 2) y = sqrt(y + 1);
            else y = y * x;
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
    std::string compiler = runtime::host_compiler_identity();
    std::cout << runtime::thread_count() << " threads, " << compiler.substr(0, compiler.find('\n')) << "\n";
    bench::print_table(argc, argv, "Host",
                       {{"STREAM scale", "", 0},
                        {"gaussian pdf, 1e7 float32, by hand", "STREAM scale", 0},
                        {"gaussian pdf, 1e7 float32", "gaussian pdf, 1e7 float32, by hand", 1.25},
                        {"sum((x - m)²), 1e7 float32", "STREAM scale", 0},
                        {"eval(x*x + x), n = 16", "", 0},
                        {"first use of a new kernel", "", 0}});
}
