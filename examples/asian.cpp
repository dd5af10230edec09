// The price of an Asian option of twelve dates: how far 8,192 points of Sobol's sequence, scrambled by cuRAND, are from
// it, and how far as many pseudo-random ones are; draws both errors as an SVG file.
#include <cmath>
#include <iostream>
#include <sinter/sinter.hpp>

#include "svg.hpp"

using namespace sinter;

constexpr int dates = 12, points = 1 << 20, shown = 8192;
constexpr double spot = 100, strike = 100, rate = 0.05, volatility = 0.2, dt = 1.0 / dates;

/// Brownian motion at the dates by its principal components, the largest first, as a matrix for normal numbers.
array<double> principal_components() {
    array<double> k = arange<double>(1, dates + 1), j = k;
    const double turn = pi / (2 * dates + 1);
    array<double> deviations = std::sqrt(dt) / (2 * sin((k - 0.5) * turn));
    return deviations(all, newaxis) * (2 / std::sqrt(2.0 * dates + 1)) * sin((2 * k(all, newaxis) - 1) * j * turn);
}

/// What the option pays for each row of normal numbers, discounted.
array<double> payoffs(const array<double>& normals) {
    array<double> t = dt * arange<double>(1, dates + 1);
    array<double> motion = matmul(normals, principal_components());
    array<double> prices = spot * exp((rate - volatility * volatility / 2) * t + volatility * motion);
    return std::exp(-rate * dt * dates) * maximum(mean(prices, 1) - strike, 0.0);
}

/// The root mean square of the errors of all means of n points that follow each other.
double error_of(const array<double>& payoff, int n, double price) {
    return std::sqrt(double(mean(square(mean(reshape(payoff, {-1, n}), 1) - price))));
}

int main() {
    bool scrambles = true;
    array<double> even, chance;
    try {
        even = random::sobol(points, dates, {.scramble = true});
        chance = random::curand(random::curand::xorwow, 1).normal(0, 1, {points, dates});
    } catch (const device_error& e) {
        std::cout << e.what() << "\ngoing on with unscrambled points and sinter's own random numbers\n";
        scrambles = false;
        even = random::sobol(points, dates);
        chance = random::generator(1).normal(0, 1, {points, dates});
    }
    // The points lie in [0, 1), and no normal number may be infinite.
    array<double> by_sobol = payoffs(ndtri(maximum(even, 0x1p-54))), by_chance = payoffs(chance);
    eval(by_sobol, by_chance);

    const double price = double(mean(by_sobol));
    example::line lines[] = {{"pseudo-random points", {}}, {scrambles ? "scrambled Sobol" : "Sobol", {}}};
    for (int n = 64; n <= 4 * shown; n *= 2) {
        lines[0].points.push_back({n, error_of(by_chance, n, price)});
        lines[1].points.push_back({n, error_of(by_sobol, n, price)});
    }
    example::write_lines("asian.svg", "points", "error of the price", {lines[0], lines[1]});

    const double of_chance = error_of(by_chance, shown, price), of_sobol = error_of(by_sobol, shown, price);
    std::printf("price %.4f; with %d points the error is %.1e, with as many of Sobol's %.1e: 1/%.0f of it\n", price,
                shown, of_chance, of_sobol, of_chance / of_sobol);
    return std::abs(price - double(mean(by_chance))) < 0.05 && of_sobol <= of_chance / 20 ? 0 : 1;
}
