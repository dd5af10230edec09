// Newton's method at every point of the plane: which cube root of one it finds, and how soon; writes a PNG.
#include <iostream>
#include <sinter/image.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;
using complex = std::complex<float>;

int main() {
    const int rows = 480, columns = 640;
    array<float> x = (linspace(0.5, columns - 0.5, columns) / columns * 4 - 2).astype<float>();
    array<float> y = (1.5 - linspace(0.5, rows - 0.5, rows) / rows * 3).astype<float>();
    array<complex> start = x + complex(0, 1) * y(all, newaxis);

    reset_counters();
    const float near = 1e-3f;
    auto [z, steps] =
        while_loop([=](auto z, auto n) { return abs2(z * z * z - 1) > near * near && n < 60; },
                   [](auto z, auto n) { return std::tuple(z - (z * z * z - 1) / (3 * z * z), n + 1); }, start, 0);
    eval(z, steps);
    const counters_t used = counters();

    // The roots are 1 and (-1 ± i√3) / 2: the sign of the imaginary part tells them apart.
    const float third = std::sqrt(3.0f) / 2;
    array<int> root = where(imag(z) > 0.5f, 1, where(imag(z) < -0.5f, 2, 0)).astype<int>();
    array<float> off =
        abs(z - where(root == 0, complex(1, 0), where(root == 1, complex(-0.5f, third), complex(-0.5f, -third))));
    const double share = double(mean(astype<double>(root == 0))), found = double(mean(astype<double>(off < near)));

    // A step squares a third of what is left of z³ - 1: how far the last one went too far makes the light continuous.
    array<float> left = clip(abs(z * z * z - 1), 1e-7f, near);
    array<float> light = exp(-0.09f * (astype<float>(steps) - log2(log(left / 3) / std::log(near / 3)))) * 1.05f;
    auto channel = [&](float first, float second, float last) {
        return array<float>(light * where(root == 0, first, where(root == 1, second, last)));
    };
    imsave("newton.png",
           stack(std::tuple(channel(1, 0.25f, 0.3f), channel(0.75f, 0.75f, 0.35f), channel(0.3f, 0.7f, 0.95f)), 2));
    std::cout << "steps: " << steps << '\n';
    std::printf("%.4f of the points end at a root, %.3f at 1, in %.2f steps on average, %lld kernels\n", found, share,
                double(mean(astype<double>(steps))), static_cast<long long>(used.launches));
    return found > 0.999 && share > 0.37 && share < 0.42 && used.launches <= 3 ? 0 : 1;
}
