// What a portfolio of five correlated assets is worth in a year, by Monte Carlo: its mean with a confidence interval,
// beside the exact one, and what is lost in the worst of twenty years; draws the distribution and how the interval
// narrows as SVG files.
#include <cmath>
#include <cstdio>
#include <sinter/linalg.hpp>
#include <sinter/plot.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;

int main() {
    constexpr std::int64_t paths = 1 << 20;
    const array<double> weight{0.3, 0.25, 0.2, 0.15, 0.1};    // of one unit of money
    const array<double> drift{0.05, 0.07, 0.03, 0.09, 0.02};  // of the logarithms, a year
    const array<double> volatility{0.2, 0.3, 0.1, 0.4, 0.05};
    // Neighbours move together, the others less so.
    array<double> apart = abs(arange<double>(5)(all, newaxis) - arange<double>(5));
    array<double> covariance = power(0.6, apart) * volatility(all, newaxis) * volatility;

    random::seed(2026);
    array<double> normal = random::normal(0, 1, {paths, 5});
    array<double> growth = exp(drift - square(volatility) / 2 + matmul(normal, linalg::cholesky(covariance).T()));
    array<double> worth = matmul(growth, weight);

    const double expected = double(sum(weight * exp(drift))), found = double(mean(worth));
    const double error = double(stddev(worth)) / std::sqrt(double(paths)), interval = ndtri(0.9995) * error;
    array<double> ordered = sort(worth);
    // The order statistics between which the quantile lies with a probability of 99.9 %.
    const double share = 0.05, spread = ndtri(0.9995) * std::sqrt(paths * share * (1 - share));
    const auto worst = static_cast<std::int64_t>(paths * share), reach = static_cast<std::int64_t>(spread) + 1;
    std::printf("mean worth %.5f +- %.5f (99.9 %%), exactly %.5f\n", found, interval, expected);
    std::printf("in one of twenty years at least %.4f is lost (between %.4f and %.4f), then %.4f in the mean\n",
                1 - ordered.item(worst), 1 - ordered.item(worst + reach), 1 - ordered.item(worst - reach),
                1 - double(mean(ordered(slice(worst)))));

    plot::figure worths({.title = "worth of the portfolio after a year", .xlabel = "worth", .ylabel = "paths"});
    worths.histogram(compress(worth < 2.5, worth), {.bins = 120});
    worths.save("portfolio.svg");

    // How the interval narrows while paths are added.
    array<double> many = exp2(arange<double>(6, 21));
    array<double> mean_of_many = take(cumsum(worth), astype<std::int64_t>(many) - std::int64_t{1}) / many;
    array<double> half = ndtri(0.9995) * stddev(worth) / sqrt(many);
    plot::figure narrowing(
        {.title = "99.9 % of the mean's interval", .xlabel = "paths", .ylabel = "mean worth", .xlog = true});
    narrowing.band(many, mean_of_many - half, mean_of_many + half, {.label = "interval"});
    narrowing.line(many, mean_of_many, {.label = "mean"});
    narrowing.line(many, expected + zeros_like(many), {.label = "exact"});
    narrowing.save("portfolio_interval.svg");
    return std::abs(found - expected) < interval ? 0 : 1;
}
