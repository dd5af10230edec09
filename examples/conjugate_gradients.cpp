// Conjugate gradients for Poisson's equation on a square, until the residual is small: as a loop in C++, which reads a
// number a turn, and as one while_loop over whole arrays; the same bits, and the times of both.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <sinter/sinter.hpp>
#include <tuple>

using namespace sinter;

// Minus the Laplacian on a grid whose border is zero.
SINTER_FUNCTION(
    laplace, (long i, long j, array_view<double, 2> u)->double {
        const long rows = u.shape(0), columns = u.shape(1);
        double sum = 4 * u(i, j);
        if (i > 0) sum -= u(i - 1, j);
        if (j > 0) sum -= u(i, j - 1);
        if (i + 1 < rows) sum -= u(i + 1, j);
        return j + 1 < columns ? sum - u(i, j + 1) : sum;
    })

// The next solution, residual, direction and square of the residual's norm.
constexpr auto step = [](array<double> x, array<double> r, array<double> p, array<double> square_norm) {
    array<double> q = map_index(p.shape(), laplace, p);
    array<double> length = square_norm / sum(p * q);
    array<double> rest = r - length * q, next = sum(rest * rest);
    return std::tuple(array<double>(x + length * p), rest, array<double>(rest + next / square_norm * p), next);
};

constexpr int most = 2000;
std::tuple<array<double>, int> by_loop(const array<double>& b, double limit) {
    array<double> x = zeros_like(b), r = b, p = b, square_norm = sum(b * b);
    int turns = 0;
    for (; double(square_norm) > limit && turns < most; ++turns)
        std::tie(x, r, p, square_norm) = step(x, r, p, square_norm);
    return {x, turns};
}

std::tuple<array<double>, int> by_while_loop(const array<double>& b, double limit) {
    auto [x, r, p, square_norm, turns] =
        while_loop([&](auto, auto, auto, auto square_norm, auto turns) { return square_norm > limit && turns < most; },
                   [](auto x, auto r, auto p, auto square_norm, auto turns) {
                       return std::tuple_cat(step(x, r, p, square_norm), std::tuple(turns + 1));
                   },
                   zeros_like(b), b, b, sum(b * b), 0);
    return {x, int(turns)};
}

// What a call returns, and the milliseconds of the quickest of five.
template <class F>
auto timed(F f) {
    double best = 1e300;
    auto [x, turns] = f();
    for (int i = 0; i < 5; ++i) {
        synchronize();
        const auto start = std::chrono::steady_clock::now();
        std::tie(x, turns) = f();
        eval(x);
        synchronize();
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
        best = std::min(best, took.count());
    }
    return std::tuple(x, turns, best);
}

int main() {
    bool good = true;
    for (int n : {32, 200}) {
        array<double> t = (arange(n) + 1.0) / (n + 1.0);
        array<double> b = exp(-40 * (square(t(all, newaxis) - 0.3) + square(t - 0.6)));
        const double limit = 1e-16 * double(sum(b * b));
        auto [x, turns, loop_ms] = timed([&] { return by_loop(b, limit); });
        auto [y, same_turns, while_ms] = timed([&] { return by_while_loop(b, limit); });
        const double rest = std::sqrt(double(sum(square(b - map_index(y.shape(), laplace, y)))) / double(sum(b * b)));
        std::printf("%d x %d: %d turns, residual %.1e; loop in C++ %.2f ms, while_loop %.2f ms\n", n, n, turns, rest,
                    loop_ms, while_ms);
        good = good && turns == same_turns && turns < most && bool(array_equal(x, y)) && rest < 1e-7;
    }
    return good ? 0 : 1;
}
