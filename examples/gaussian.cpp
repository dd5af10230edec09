// The density of a normal distribution at a million samples, in one kernel, checked against a plain loop.
#include <cmath>
#include <iostream>
#include <sinter/sinter.hpp>

using namespace sinter;

int main() {
    const int n = 1'000'000;
    const double mean = 0.5, sigma = 1.25;
    random::seed(42);
    array<double> x = random::uniform<double>(-3, 3, {n});
    x.eval();  // stored, so that the loop below sees the same samples

    // Four named steps are still one kernel: it reads x and writes density, 16 bytes per sample.
    array<double> away = (x - mean) / sigma;
    array<double> exponent = -0.5 * square(away);
    array<double> bell = exp(exponent);
    array<double> density = bell / (sigma * std::sqrt(2 * pi));
    const explanation plan = explain(density);
    std::cout << plan;
    const long long bytes = plan.bytes_read() + plan.bytes_written();

    reset_counters();
    std::vector<double> computed = to_vector(density);
    const counters_t used = counters();

    std::vector<double> samples = to_vector(x);
    double worst = 0;
    for (int i = 0; i < n; ++i) {
        const double t = (samples[i] - mean) / sigma;
        worst = std::max(worst, std::abs(computed[i] - std::exp(-0.5 * t * t) / (sigma * std::sqrt(2 * pi))));
    }
    std::cout << "density = " << density << '\n';
    std::printf("%d samples, %lld kernel, %lld bytes of memory traffic, largest difference from the loop %.1e\n", n,
                static_cast<long long>(used.launches), bytes, worst);
    return worst < 1e-15 && used.launches == 1 ? 0 : 1;
}
