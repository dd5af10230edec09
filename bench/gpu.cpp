// The cuda backend beside the device's own copy bandwidth and the price of a launch, measured in the same run.
#include "table.hpp"

#include <sinter/sinter.hpp>

#include <sinter/runtime/copy.hpp>
#include <sinter/runtime/cuda_driver.hpp>
#include <sinter/runtime/nvrtc.hpp>

#include <ctime>
#include <iostream>

using namespace sinter;

namespace {

constexpr std::int64_t n = 100'000'000;

// Inputs rotate, so that none is found in the L2 cache.
std::vector<array<float>> inputs(std::int64_t size, int count) {
    std::vector<array<float>> list;
    for (int i = 0; i < count; ++i) list.push_back(random::uniform<float>(-3, 3, {size}).eval());
    device::cuda(0).synchronize();
    return list;
}

// Times `repeat` evaluations between two waits.
template <class F>
void timed(benchmark::State& state, std::int64_t bytes, int repeat, F f) {
    f(0);
    device::cuda(0).synchronize();
    for (auto _ : state) {
        for (int i = 0; i < repeat; ++i) f(i);
        device::cuda(0).synchronize();
    }
    state.SetBytesProcessed(state.iterations() * repeat * bytes);
    state.SetItemsProcessed(state.iterations() * repeat);
}

constexpr int batch = 20;

void copy_limit(benchmark::State& state) {
    auto x = inputs(n, 2);
    runtime::buffer_ref to = runtime::allocate_buffer(device::cuda(0), 4 * n);
    timed(state, 8 * n, batch, [&](int i) {
        runtime::copy_between(device::cuda(0), to->data, device::cuda(0), x[static_cast<std::size_t>(i % 2)].data(), 4 * n);
    });
}

void copy_kernel(benchmark::State& state) {
    auto x = inputs(n, 2);
    timed(state, 8 * n, batch, [&](int i) { array<float>(x[static_cast<std::size_t>(i % 2)] + 1).eval(); });
}

void gaussian(benchmark::State& state) {
    auto x = inputs(n, 2);
    timed(state, 8 * n, batch, [&](int i) {
        array<float> pdf = exp(-0.5f * square((x[static_cast<std::size_t>(i % 2)] - 0.25f) / 1.5f)) / (1.5f * 2.5066283f);
        pdf.eval();
    });
}

void sum_of_squares(benchmark::State& state) {
    auto x = inputs(n, 2);
    timed(state, 4 * n, batch, [&](int i) { array<float>(sum(square(x[static_cast<std::size_t>(i % 2)] - 0.25f))).eval(); });
}

void polar(benchmark::State& state) {
    auto a = inputs(n, 4);
    timed(state, 20 * n, batch, [&](int) {
        array<float> d = sqrt(square(a[0] * cos(a[1]) - a[2] * cos(a[3])) + square(a[0] * sin(a[1]) - a[2] * sin(a[3])));
        d.eval();
    });
}

void rows_and_columns(benchmark::State& state) {
    auto x = inputs(16384 * 16384, 1);
    array<float> m = reshape(x[0], {16384, 16384}), row = inputs(16384, 1)[0], column = reshape(inputs(16384, 1)[0], {16384, 1});
    timed(state, 8ll * 16384 * 16384, 5, [&](int) { array<float>(m * row + column * 2).eval(); });
}

void column_sums(benchmark::State& state) {
    auto x = inputs(16384 * 16384, 1);
    array<float> m = reshape(x[0], {16384, 16384});
    timed(state, 4ll * 16384 * 16384, 5, [&](int) { array<float>(sum(m * m, 0)).eval(); });
}

void row_sums(benchmark::State& state) {
    auto x = inputs(16384 * 16384, 1);
    array<float> m = reshape(x[0], {16384, 16384});
    timed(state, 4ll * 16384 * 16384, 5, [&](int) { array<float>(sum(m * m, 1)).eval(); });
}

void uniform_double(benchmark::State& state) {
    timed(state, 8 * n, batch, [&](int) { random::random<double>({n}).eval(); });
}

void tiny(benchmark::State& state) {
    array<float> x = inputs(16, 1)[0];
    timed(state, 0, 1000, [&](int) { array<float>(x * x + x).eval(); });
}

void first_use(benchmark::State& state) {
    static int next = 0;
    array<float> x = inputs(1000, 1)[0];
    for (auto _ : state) {
        array<float> y = x;
        for (int bits = 1'000'000 + next++ + static_cast<int>(::time(nullptr) % 10'000) * 64; bits > 0; bits /= 2)
            if (bits % 2) y = sqrt(y + 1);
            else y = y * x;
        y.eval();
        device::cuda(0).synchronize();
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (device_count() == 0) {
        std::string why;
        runtime::cuda_available(&why);
        std::cout << "no CUDA device: " << why << "\n";
        return 0;
    }
    device_scope on(device::cuda(0));
    std::cout << runtime::properties(0).name << ", driver " << runtime::cuda_driver_version() << ", "
              << runtime::nvrtc_identity() << "; times are per batch: " << batch << " evaluations (1e8), 5 (16384²), 1000 (tiny)\n";
    bench::add("copy, 1e8 float32", copy_limit, 7);
    bench::add("x + 1, 1e8 float32", copy_kernel, 7);
    bench::add("gaussian pdf, 1e8 float32", gaussian, 7);
    bench::add("polar distance, 1e8 float32", polar, 7);
    bench::add("sum((x - m)²), 1e8 float32", sum_of_squares, 7);
    bench::add("x·row + col·2, 16384² float32", rows_and_columns, 7);
    bench::add("sum(x·x, 0), 16384² float32", column_sums, 7);
    bench::add("sum(x·x, 1), 16384² float32", row_sums, 7);
    bench::add("random, 1e8 float64", uniform_double, 7);
    bench::add("eval(x*x + x), n = 16, 1000 times", tiny, 7);
    benchmark::RegisterBenchmark("first use of a new kernel", first_use)
        ->Unit(benchmark::kMicrosecond)->Repetitions(9)->Iterations(1)->ReportAggregatesOnly()->UseRealTime();
    bench::print_table(argc, argv, "GPU",
                       {{"copy, 1e8 float32", "", 0},
                        {"x + 1, 1e8 float32", "copy, 1e8 float32", 0},
                        {"gaussian pdf, 1e8 float32", "copy, 1e8 float32", 1.05},
                        {"polar distance, 1e8 float32", "copy, 1e8 float32", 0},
                        {"sum((x - m)²), 1e8 float32", "copy, 1e8 float32", 0},
                        {"x·row + col·2, 16384² float32", "", 0},
                        {"sum(x·x, 0), 16384² float32", "", 0},
                        {"sum(x·x, 1), 16384² float32", "", 0},
                        {"random, 1e8 float64", "", 0},
                        {"eval(x*x + x), n = 16, 1000 times", "", 0},
                        {"first use of a new kernel", "", 0}});
}
