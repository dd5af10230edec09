// Two functions over a million floats: a plain loop, the CPU, and a GPU with and without copies.
#include <chrono>
#include <iostream>
#include <sinter/sinter.hpp>

using namespace sinter;

SINTER_CONSTANT(float, sqrt_2pi, 2.5066283f)
SINTER_FUNCTION(
    gaussian_pdf, (float x, float mean, float sigma)->float {
        float z = (x - mean) / sigma;
        return exp(-0.5f * z * z) / (sigma * sqrt_2pi);
    })
SINTER_FUNCTION(
    polar_to_cartesian,
    (float rho, float theta)->std::tuple<float, float> { return {rho * cos(theta), rho * sin(theta)}; })
SINTER_FUNCTION(
    polar_distance, (float rho1, float theta1, float rho2, float theta2)->float {
        auto [x1, y1] = polar_to_cartesian(rho1, theta1);
        auto [x2, y2] = polar_to_cartesian(rho2, theta2);
        float dx = x1 - x2, dy = y1 - y2;
        return sqrt(dx * dx + dy * dy);
    })

/// Milliseconds of the fastest of some runs.
template <class F>
double milliseconds(F run) {
    double best = 1e30;
    for (int i = 0; i < 7; ++i) {
        const auto start = std::chrono::steady_clock::now();
        run();
        best =
            std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

/// One row of the table; all ways must agree with the plain loop.
template <class Plain, class Vectorized, class... V>
void compare(const char* name, Plain plain, Vectorized f, const std::vector<V>&... host) {
    const std::size_t n = std::get<0>(std::tie(host...)).size();
    std::vector<float> expected(n), result;
    std::printf("%-16s %10.3f", name, milliseconds([&] {
                    for (std::size_t i = 0; i < n; ++i) expected[i] = plain(host[i]...);
                }));
    auto measure = [&](device where, bool with_copies) {
        device_scope on(where);
        auto arguments = std::tuple(asarray(host)...);
        std::apply([](auto&... a) { eval(a...); }, arguments);
        array<float> r;
        std::printf(" %14.3f", milliseconds([&] {
                        if (with_copies) result = to_vector(f(asarray(host)...));
                        else {
                            r = std::apply(f, arguments);
                            r.eval();
                            where.synchronize();
                        }
                    }));
        if (!with_copies) result = to_vector(r);
        device_scope back(device::cpu());
        test::assert_allclose(asarray(result), asarray(expected), {.rtol = 1e-7, .atol = 5e-7});
    };
    measure(device::cpu(), false);
    if (device_count() > 0)
        for (bool with_copies : {true, false}) measure(device::cuda(0), with_copies);
    std::printf("\n");
}

int main() {
    const int n = 1'000'000;
    random::seed(42);
    auto uniform = [&](float low, float high) { return to_vector(random::uniform<float>(low, high, {n})); };
    std::vector<float> x = uniform(-3, 3), mean(n, 0.0f), sigma(n, 1.0f);
    std::vector<float> rho1 = uniform(0.5f, 1.5f), theta1 = uniform(-3.14f, 3.14f), rho2 = uniform(0.5f, 1.5f),
                       theta2 = uniform(-3.14f, 3.14f);
    std::printf("%d floats, ms   plain loop    sinter (CPU)%s\n", n,
                device_count() > 0 ? "  GPU with copies  GPU without" : "");
    compare("gaussian_pdf", gaussian_pdf, vectorize(gaussian_pdf), x, mean, sigma);
    compare("polar_distance", polar_distance, vectorize(polar_distance), rho1, theta1, rho2, theta2);
    std::puts("all results agree (rtol=1e-7, atol=5e-7)");
}
