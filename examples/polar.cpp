// The distance of a million pairs of points given in polar coordinates, through a function of the user's own.
#include <cmath>
#include <iostream>
#include <sinter/sinter.hpp>

using namespace sinter;

int main() {
    const int n = 1'000'000;
    random::seed(7);
    array<double> rho1 = random::uniform<double>(0, 10, {n}), theta1 = random::uniform<double>(0, 2 * pi, {n});
    array<double> rho2 = random::uniform<double>(0, 10, {n}), theta2 = random::uniform<double>(0, 2 * pi, {n});

    // Any generic function of expressions fuses, and may return several of them.
    auto to_cartesian = [](auto rho, auto theta) { return std::tuple(rho * cos(theta), rho * sin(theta)); };
    auto distance = [&](auto r1, auto t1, auto r2, auto t2) {
        auto [x1, y1] = to_cartesian(r1, t1);
        auto [x2, y2] = to_cartesian(r2, t2);
        return sqrt(square(x1 - x2) + square(y1 - y2));
    };

    eval(rho1, theta1, rho2, theta2);
    reset_counters();
    array<double> d = distance(rho1, theta1, rho2, theta2);
    std::vector<double> computed = to_vector(d);
    const counters_t used = counters();

    std::vector<double> r1 = to_vector(rho1), t1 = to_vector(theta1), r2 = to_vector(rho2), t2 = to_vector(theta2);
    double worst = 0;
    for (int i = 0; i < n; ++i)
        worst = std::max(worst, std::abs(computed[i] - std::hypot(r1[i] * std::cos(t1[i]) - r2[i] * std::cos(t2[i]),
                                                                  r1[i] * std::sin(t1[i]) - r2[i] * std::sin(t2[i]))));

    // Exactly known: from (1, 0) to (1, pi/2) is sqrt(2), from (3, 0) to (4, pi/2) is 5.
    array<double> rho{1, 3}, other{1, 4};
    array<double> known = distance(rho, zeros({2}), other, full({2}, pi / 2));
    std::cout << "distances of known pairs: " << known << "\ndistances: " << d << '\n';
    // The mean distance of such points is known only by sampling; its mean square is 2 * 100 / 3.
    const double mean_square = double(mean(square(d)));
    std::printf("mean square distance %.3f (exactly 66.667 in the limit)\n", mean_square);
    std::printf("%d pairs, %lld kernel, largest difference from the loop %.1e\n", n,
                static_cast<long long>(used.launches), worst);
    return worst < 1e-13 && used.launches == 1 && std::abs(mean_square - 200.0 / 3) < 0.3 ? 0 : 1;
}
