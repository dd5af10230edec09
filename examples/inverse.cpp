// Random matrices, and their inverses, from 1 x 1 to 10000 x 10000 on the CPU and a GPU, and singular values; writes an
// SVG.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <sinter/sinter.hpp>

#include "svg.hpp"

using namespace sinter;

constexpr int runs = 4;           // of which the first is dropped
constexpr double patience = 1.5;  // seconds that one may take

struct point {
    int size;
    double mean, deviation;  // seconds; the mean is foretold and negative where it would take too long
};

template <class F>
point measure(int size, F run) {
    array<double> seconds = zeros({runs});
    for (int i = 0; i < runs; ++i) {
        synchronize();
        const auto start = std::chrono::steady_clock::now();
        auto results = run(size);
        eval(results);
        synchronize();
        seconds(i) = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    const auto rest = std::as_const(seconds)(slice(1, none));
    return {size, double(mean(rest)), double(stddev(rest))};
}

/// All sizes until a run would take too long: `order` says how its time grows.
template <class F>
std::vector<point> sweep(int order, F run) {
    std::vector<point> points;
    for (int i = 0; i <= 8; ++i) {
        const int size = static_cast<int>(std::pow(10, i / 2.0));
        const double foretold =
            points.empty() ? 0 : std::abs(points.back().mean) * std::pow(double(size) / points.back().size, order);
        points.push_back(size > 300 && foretold > patience ? point{size, -foretold, 0} : measure(size, run));
    }
    return points;
}

int main() {
    random::seed(42);
    std::vector<std::pair<std::string, std::vector<point>>> columns;
    std::vector<device> devices{device::cpu()};
    if (device_count() > 0) devices.push_back(device::cuda(0));
    for (device where : devices) {
        device_scope on(where);
        const std::string name = where.is_cuda() ? "GPU: " : "CPU: ";
        columns.emplace_back(name + "randn", sweep(2, [](int n) { return random::randn(n, n); }));
        columns.emplace_back(name + "inv(randn)", sweep(3, [](int n) { return linalg::inv(random::randn(n, n)); }));
    }
    std::printf("ms per matrix of doubles, mean ± standard deviation of %d runs after a first one\n%6s", runs - 1,
                "size");
    for (const auto& [name, points] : columns) std::printf(" %24s", name.c_str());
    for (int i = 0; i <= 8; ++i) {
        std::printf("\n%6d", columns[0].second[i].size);
        for (const auto& [name, points] : columns)
            if (points[i].mean > 0) std::printf(" %13.4f ± %8.4f", points[i].mean * 1e3, points[i].deviation * 1e3);
            else std::printf(" %8s about %.0f s: left out", "", -points[i].mean);
    }
    std::vector<example::line> lines;
    for (const auto& [name, points] : columns) {
        lines.push_back({name, {}});
        for (const point& p : points)
            if (p.mean > 0) lines.back().points.push_back({double(p.size), p.mean});
    }
    example::write_lines("inverse.svg", "size", "seconds", lines);
    for (device where : devices) {
        device_scope on(where);
        const point p = measure(100, [](int n) { return linalg::svd(random::randn(n, n)); });
        std::printf("\nsvd(randn(100, 100)) on %s: %.3f ± %.3f ms", where.is_cuda() ? "GPU" : "CPU", p.mean * 1e3,
                    p.deviation * 1e3);
    }
    array<double> a = random::randn(100, 100);
    const double error = double(max(abs(matmul(a, linalg::inv(a)) - eye(100))));
    std::printf("\nlargest element of a @ inv(a) - 1 of a 100 x 100 matrix: %.1e\n", error);
    return error < 1e-9 ? 0 : 1;
}
