// A million pendulums with friction, by Runge and Kutta: how often each goes round before it stays; writes a PNG.
#include <iostream>
#include <sinter/image.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;

constexpr float friction = 0.15f, dt = 0.15f;

/// What changes angle and speed.
auto rate = [](const auto& angle, const auto& speed) { return std::pair(+speed, -sin(angle) - friction * speed); };

/// One step of the classical method, over numbers, arrays or what stands for them in a loop.
auto step = [](const auto& angle, const auto& speed) {
    auto [a1, s1] = rate(angle, speed);
    auto [a2, s2] = rate(angle + dt / 2 * a1, speed + dt / 2 * s1);
    auto [a3, s3] = rate(angle + dt / 2 * a2, speed + dt / 2 * s2);
    auto [a4, s4] = rate(angle + dt * a3, speed + dt * s3);
    return std::tuple(angle + dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4), speed + dt / 6 * (s1 + 2 * s2 + 2 * s3 + s4));
};

int main() {
    const int side = 1000, turns = 80;
    array<float> angles = linspace(-pi, pi, side).astype<float>(), speeds = linspace(6, -6, side).astype<float>();

    reset_counters();
    auto [angle, speed] = for_loop(turns, step, angles, speeds(all, newaxis));
    eval(angle, speed);
    const counters_t used = counters();

    // The same steps for some pendulums alone, in double precision.
    double worst = 0;
    for (int i = 0; i < side; i += 97)
        for (int j = 3; j < side; j += 89) {
            double a = double(angles.item(j)), s = double(speeds.item(i));
            for (int n = 0; n < turns; ++n) std::tie(a, s) = step(a, s);
            if (std::abs(std::cos(a / 2)) > 0.3) worst = std::max(worst, std::abs(a - angle.item(i, j)));
        }

    array<float> rounds = rint(angle / float(2 * pi)), rest = angle - float(2 * pi) * rounds;
    array<float> light = 1 - 0.25f * minimum(abs(rest) + abs(speed), 3.0f);
    auto channel = [&](float shift) { return array<float>(light * (0.55f + 0.45f * cos(1.3f * rounds + shift))); };
    imsave("pendulum.png", stack(std::tuple(channel(0), channel(2.1f), channel(4.2f)), 2));
    std::cout << "rounds: " << rounds << '\n';
    std::printf("%d pendulums, %d steps each, %lld kernel; largest difference from double precision %.1e\n",
                side * side, turns, static_cast<long long>(used.launches), worst);
    return worst < 1e-2 && used.launches <= 3 ? 0 : 1;
}
