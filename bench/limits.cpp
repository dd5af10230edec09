// Measures what a machine can do: loops and CUDA kernels written by hand for the rows that sinter and its peers
// compute: limits cpu|cuda
#include "limits_cuda.hpp"

#include <algorithm>
#include <cmath>

#include <sinter/sinter.hpp>

#include <sinter/runtime/library/blas.hpp>
#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/device/cuda_graph.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/compile/nvrtc.hpp>
#include <sinter/runtime/base/thread_team.hpp>

using namespace sinter;
using namespace bench::limits;

namespace {

#if SINTER_HAS_CUDA

bench::work first_use(std::int64_t n) {
    auto call = [prepared = prepared_chain(n)](int i) { chain_launch(prepared, bench::unseen_bits())(i); };
    return {call, [] { device::cuda(0).synchronize(); }, true, {}};
}

// Compiled before, loaded, launched.
bench::work first_use_cached(std::int64_t n) {
    const runtime::cuda_properties& p = runtime::properties(0);
    std::vector<std::string> images;
    for (int i = 0; i < 64; ++i)
        images.push_back(runtime::compile_cuda(text_of_chain(bench::unseen_bits()), p.major, p.minor));
    auto call = [prepared = prepared_chain(n), images = std::move(images), next = std::size_t{0}](int) mutable {
        launch l = prepared;
        l.what = runtime::load_cuda_kernel(device::cuda(0), images[next++ % images.size()], "chain_by_hand");
        l(0);
    };
    return {call, [] { device::cuda(0).synchronize(); }, true, {}};
}

// A step of small launches, each after the one before it, recorded once: what changes from call to call is given to the
// first.
struct recorded_step {
    static constexpr int spreads = 20;
    std::vector<array<float>> in;
    runtime::buffer_ref x, y, share;
    std::uint32_t n;
    runtime::cuda_kernel begin = early("begin_step"), spread = early("spread");
    std::unique_ptr<runtime::cuda_graph> graph = {};
    std::vector<const void*> addresses = {};

    static runtime::cuda_kernel early(const char* name) {
        return runtime::cuda_kernel{kernel("plain.cu", name).function(), runtime::properties(0).major >= 9};
    }

    runtime::launch_extent blocks() const { return {ceil_div(n, 256)}; }

    runtime::recorded_launch first(const void*& from, float& given, float& noise, std::uint32_t& seed,
                                   void* (&parameters)[8]) {
        void* all[] = {&from, &x->data, &y->data, &share->data, &n, &given, &noise, &seed};
        std::copy(all, all + 8, parameters);
        return {begin, blocks(), {256}, 0, parameters};
    }

    void operator()(int i, float given, float noise) {
        if (addresses.empty())
            for (const array<float>& a : in) addresses.push_back(a.data());
        const void* from = addresses[static_cast<std::size_t>(i) % in.size()];
        auto seed = static_cast<std::uint32_t>(i);
        void *parameters[8], *there[] = {&x->data, &y->data, &share->data, &n},
                             *back[] = {&y->data, &x->data, &share->data, &n};
        const runtime::recorded_launch changed = first(from, given, noise, seed, parameters);
        if (graph) {
            graph->replace(0, changed);
        } else {
            codegen::sequence<runtime::recorded_launch> launches;
            launches.push_back(changed);
            for (int k = 0; k < spreads; ++k) launches.push_back({spread, blocks(), {256}, 0, k % 2 ? back : there});
            graph = std::make_unique<runtime::cuda_graph>(device::cuda(0), launches);
        }
        graph->run();
    }
};

std::shared_ptr<recorded_step> step_of(std::int64_t n) {
    return std::shared_ptr<recorded_step>(
        new recorded_step{inputs(n), zeroed(4 * n), zeroed(4 * n), zeroed(4), static_cast<std::uint32_t>(n)});
}

// A call is a launch, as in sinter's row.
bench::work replay(std::int64_t n) {
    auto call = [step = step_of(n)](int i) {
        constexpr int launches = recorded_step::spreads + 1;
        if (i % launches == 0) (*step)(i / launches, 0.1f + 0.001f * static_cast<float>(i % 100), 0.01f);
    };
    return {call, [] { device::cuda(0).synchronize(); }, false, {}};
}

// The library's call alone, in memory that is there.
bench::work product(const std::string& row, std::int64_t n) {
    auto x = inputs(n * n);
    array<float> y = inputs(n * n)[0], b = inputs(n)[0], out = empty<float>({n, n}).eval();
    if (row != "matmul" && row != "matmul_tf32" && row != "layer_tf32")
        throw std::invalid_argument("no product by hand");
    runtime::gemm_mode mode;
    if (row != "matmul") mode.in = precision::tf32;
    if (row == "layer_tf32") mode.bias = b.data(), mode.last = codegen::activation::relu;
    const void* right = y.data();
    void* to = out.data();
    return {[=](int i) {
                (void)b, (void)out, (void)y;  // they keep their memory
                const array<float>& left = x[static_cast<std::size_t>(i) % x.size()];
                runtime::gemm_strided_batched(device::cuda(0), dtype::float32, n, n, n, {left.data(), n}, {right, n},
                                              to, n, 0, 1, mode);
            },
            [] { device::cuda(0).synchronize(); },
            false,
            {}};
}

bench::work cuda_row(const std::string& row, const std::string& size) {
    if (row.find("matmul") == 0 || row == "layer_tf32")
        return product(row, static_cast<std::int64_t>(std::sqrt(double(elements(size)))));
    if (row == "first_use") return first_use(elements(size));
    if (row == "first_use_cached") return first_use_cached(elements(size));
    if (row == "replay") return replay(elements(size));
    if (row == "load") return load_row(elements(size));
    launch l = cuda_launch(row, size);
    device::cuda(0).synchronize();
    return {l, [] { device::cuda(0).synchronize(); }, false, {}};
}

std::vector<float> result(const launch& l, std::size_t which, std::int64_t n) {
    std::vector<float> v(static_cast<std::size_t>(n));
    runtime::copy_to_host(v.data(), device::cuda(0), l.out[which]->data, v.size() * 4);
    return v;
}

template <class Check>
void check_reductions(const Check& check) {
    using arrays = const std::vector<array<float>>&;
    for (const char* size : {"20000", "1060000"})
        check("sum_of_squares", size, [](arrays x) { return array<float>(sum(square(x[0] - 0.25f))); });
    for (const char* size : {"20000", "100004"})
        check(
            "mean_var", size, [](arrays x) { return array<float>(mean(x[0])); },
            [](arrays x) { return array<float>(var(x[0])); });
    check("argmax_max", "100004", [](arrays x) { return array<float>(max(x[0])); });
    check("row_sums", "5x2052", [](arrays x) { return array<float>(sum(square(reshape(x[0], {5, 2052})), 1)); });
    check("column_sums", "67x264", [](arrays x) { return array<float>(sum(square(reshape(x[0], {67, 264})), 0)); });
    check(
        "mean_var_columns", "167x264", [](arrays x) { return array<float>(mean(reshape(x[0], {167, 264}), 0)); },
        [](arrays x) { return array<float>(var(reshape(x[0], {167, 264}), 0)); });
    check(
        "mean_var_columns", "50021x32", [](arrays x) { return array<float>(mean(reshape(x[0], {50021, 32}), 0)); },
        [](arrays x) { return array<float>(var(reshape(x[0], {50021, 32}), 0)); });
    check("cumsum_columns", "301x4160", [](arrays x) { return array<float>(cumsum(reshape(x[0], {301, 4160}), 0)); });
    check("middle_sums", "3x67x264", [](arrays x) { return array<float>(sum(reshape(x[0], {3, 67, 264}), 1)); });
    check("cosine", "5x5004", [](arrays x) {
        array<float> a = reshape(x[0], {5, 5004}), b = reshape(x[1], {5, 5004});
        return array<float>(sum(a * b, 1) / sqrt(sum(a * a, 1) * sum(b * b, 1)));
    });
    for (const char* size : {"3x4096", "13x128", "13x301"})
        check("softmax", size, [size](arrays x) {
            array<float> e = exp(reshape(x[0], {std::stoll(size), -1}));
            return array<float>(e / sum(e, 1, keepdims));
        });
    for (const char* size : {"3x4096", "3x16385", "5x20002"})
        check("log_softmax", size, [size](arrays x) {
            array<float> rows = reshape(x[0], {std::stoll(size), -1});
            return array<float>(rows - log(sum(exp(rows), 1, keepdims)));
        });
    for (const char* size : {"3x4096", "13x1000", "13x301"})
        check("layer_norm", size, [size](arrays x) {
            array<float> rows = reshape(x[0], {std::stoll(size), -1});
            return array<float>((rows - mean(rows, 1, keepdims)) / sqrt(var(rows, 1, keepdims) + 1e-5f) * 1.5f + 0.5f);
        });
}

// Whether the kernels compute what sinter computes from the same inputs; prints what tests/run counts.
int check_kernels() {
    int passed = 0, failed = 0;
    auto close = [&](const char* row, const launch& l, std::size_t which, const array<float>& expected) {
        double worst = 0;
        std::vector<float> got = result(l, which, expected.size()), want = to_vector(ravel(expected));
        for (std::size_t i = 0; i < got.size(); ++i)
            worst = std::max(worst, std::abs(double(got[i]) - want[i]) / (1 + std::abs(want[i])));
        const bool good = worst < 1e-4;
        ++(good ? passed : failed);
        if (!good) std::printf("FAILED %s: differs by %g\n", row, worst);
    };
    auto check = [&](const char* row, const char* size, auto... expected) {
        launch l = cuda_launch(row, size);
        for (int repeat = 0; repeat < 2; ++repeat) l(0);
        std::vector<array<float>> x;
        for (const auto& list : l.in) x.push_back(list[0]);
        std::size_t which = 0;
        (close(row, l, which++, expected(x)), ...);
    };
    using arrays = const std::vector<array<float>>&;
    const float c = 1.5f * std::sqrt(2 * float(pi));
    check("tiny", "16", [](arrays x) { return array<float>(x[0] * x[0] + x[0]); });
    check("copy", "1028", [](arrays x) { return x[0]; });
    check("write", "1028",
          [](arrays) { return array<float>(astype<float>(floor_divide(arange(1028), 4) + arange(1028) % 4)); });
    check("gaussian", "1028", [c](arrays x) { return array<float>(exp(-0.5f * square((x[0] - 0.25f) / 1.5f)) / c); });
    check("polar", "1028", [](arrays x) {
        return array<float>(
            sqrt(square(x[0] * cos(x[1]) - x[2] * cos(x[3])) + square(x[0] * sin(x[1]) - x[2] * sin(x[3]))));
    });
    check("black_scholes", "4100", [](arrays x) {
        const float r = 0.05f, v = 0.2f;
        array<float> root = v * sqrt(x[2]), d1 = (log(x[0] / x[1]) + (r + 0.5f * v * v) * x[2]) / root, d2 = d1 - root;
        auto normal = [](const auto& d) { return 0.5f * (1 + erf(d * float(std::sqrt(0.5)))); };
        return array<float>(x[0] * normal(d1) - x[1] * exp(-r * x[2]) * normal(d2));
    });
    check("broadcast", "20x1040",
          [](arrays x) { return array<float>(reshape(x[0], {20, 1040}) * x[1] + reshape(x[2], {20, 1}) * 2); });
    check("transpose", "68x68", [](arrays x) {
        array<float> m = reshape(x[0], {68, 68});
        return array<float>(m + m.T());
    });
    launch picked = cuda_launch("gather", "20000");
    picked(0);
    std::vector<std::int64_t> positions(20000);
    runtime::copy_to_host(positions.data(), device::cuda(0), picked.out[1]->data, 160000);
    close("gather", picked, 0, picked.in[0][0](asarray(positions)));
    launch spread = cuda_launch("scatter", "20000");
    spread(0);
    runtime::copy_to_host(positions.data(), device::cuda(0), spread.out[1]->data, 160000);
    const std::vector<float> there = result(spread, 0, 20000), given = to_vector(spread.in[0][0]);
    std::vector<bool> kept(20000, false), wanted(20000, false);
    for (std::size_t i = 0; i < 20000; ++i) {
        const auto at = static_cast<std::size_t>(positions[i]);
        wanted[at] = true;
        if (there[at] == given[i]) kept[at] = true;
    }
    ++(kept == wanted ? passed : failed);
    if (kept != wanted) std::printf("FAILED scatter\n");
    check_reductions(check);
    launch largest = cuda_launch("argmax_max", "100004");
    for (int repeat = 0; repeat < 2; ++repeat) largest(0);
    std::int64_t position = -1;
    runtime::copy_to_host(&position, device::cuda(0), largest.out[1]->data, sizeof position);
    const bool found = position == std::int64_t(argmax(largest.in[0][0]));
    ++(found ? passed : failed);
    if (!found) std::printf("FAILED argmax: %lld\n", static_cast<long long>(position));
    launch chain = chain_launch(prepared_chain(1000), 0b101101);
    chain(0);
    array<float> v = chain.in[0][0], w = v + 10;
    w = (w * v + 10 + 10) * v;
    close("first_use", chain, 0, w);
    auto step = step_of(1000);
    for (int repeat = 0; repeat < 3; ++repeat) (*step)(repeat, 0.1f, 0);
    array<float> a = step->in[2 % step->in.size()], b = a;
    for (int k = 0; k < recorded_step::spreads; ++k) {
        b(slice(1, -1)) = a(slice(1, -1)) + 0.1f * (a(slice(none, -2)) + a(slice(2, none)) - 2 * a(slice(1, -1)));
        std::swap(a, b);
    }
    close("replay", {{}, {}, {}, {}, {step->x}, {}}, 0, a);
    launch set = cuda_launch("mandelbrot_function", "36x260");
    set(0);
    std::vector<int> counts(36 * 260);
    runtime::copy_to_host(counts.data(), device::cuda(0), set.out[0]->data, counts.size() * 4);
    array<float> re = set.in[0][0], im = reshape(set.in[1][0], {36, 1});
    auto escaped =
        while_loop([](auto x, auto y, auto n) { return x * x + y * y < 4 && n < 256; },
                   [=](auto x, auto y, auto n) { return std::tuple(x * x - y * y + re, 2 * x * y + im, n + 1); }, 0.0f,
                   0.0f, zeros<int>({36, 260}));
    const bool equal = array_equal(ravel(std::get<2>(escaped)), asarray(counts));
    ++(equal ? passed : failed);
    if (!equal) std::printf("FAILED mandelbrot\n");
    launch normal = cuda_launch("randn", "20000"), average = cuda_launch("mean_exp_randn", "20000"),
           uniform = cuda_launch("random", "20000");
    normal(0), average(0), uniform(0);
    array<float> z = asarray(result(normal, 0, 20000));
    close("mean_exp_randn", average, 0, mean(exp(z)));
    std::vector<double> u(20000);
    runtime::copy_to_host(u.data(), device::cuda(0), uniform.out[0]->data, 160000);
    const bool plausible = std::abs(double(mean(z))) < 0.03 && std::abs(double(stddev(z)) - 1) < 0.03 &&
                           std::abs(double(mean(asarray(u))) - 0.5) < 0.01 &&
                           bool(all(asarray(u) < 1 && asarray(u) >= 0));
    ++(plausible ? passed : failed);
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}

#endif

}  // namespace

int main(int argc, char** argv) {
    const std::string kind = argc > 1 ? argv[1] : "cpu";
    if (kind == "cpu") {
        device_scope on(device::cpu());
        std::printf("{\"version\": \"%s\", \"about\": \"%d threads\"}\n", SINTER_VERSION, runtime::thread_count());
        std::fflush(stdout);
        return bench::serve(host_row);
    }
#if SINTER_HAS_CUDA
    if (device_count() > 0) {
        device_scope on(device::cuda(0));
        if (argc > 2 && std::string(argv[2]) == "check") return check_kernels();
        std::printf("{\"version\": \"%s\", \"about\": %s}\n", SINTER_VERSION,
                    bench::quoted(runtime::properties(0).name).c_str());
        std::fflush(stdout);
        return bench::serve(cuda_row);
    }
#endif
    std::printf("{\"missing\": \"no CUDA device\"}\n");
    return 0;
}
