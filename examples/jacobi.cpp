// Heat in a plate whose border is held at given temperatures, by Jacobi's method until nothing changes by more than a
// tolerance: as a loop in C++, which reads a number a turn, and as one while_loop over whole arrays.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <sinter/sinter.hpp>
#include <tuple>

using namespace sinter;

// Inside the mean of the neighbours, on the border what is there.
SINTER_FUNCTION(
    relaxed, (long i, long j, array_view<float, 2> u)->float {
        if (i == 0 || j == 0 || i == u.shape(0) - 1 || j == u.shape(1) - 1) return u(i, j);
        return 0.25f * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1));
    })

constexpr float tolerance = 2e-5f;

std::tuple<array<float>, int> by_loop(array<float> u) {
    int turns = 0;
    for (float change = 1; change > tolerance; ++turns) {
        array<float> next = map_index(u.shape(), relaxed, u);
        change = float(max(abs(next - u)));
        u = next;
    }
    return {u, turns};
}

std::tuple<array<float>, int> by_while_loop(const array<float>& start) {
    auto [u, change, turns] = while_loop([](auto, auto change, auto) { return change > tolerance; },
                                         [](auto u, auto, auto turns) {
                                             array<float> next = map_index(u.shape(), relaxed, u);
                                             return std::tuple(next, max(abs(next - u)), turns + 1);
                                         },
                                         start, 1.0f, 0);
    return {u, int(turns)};
}

// What a call returns, and the milliseconds of the quickest of five.
template <class F>
auto timed(F f) {
    double best = 1e300;
    auto [u, turns] = f();
    for (int i = 0; i < 5; ++i) {
        synchronize();
        const auto start = std::chrono::steady_clock::now();
        std::tie(u, turns) = f();
        eval(u);
        synchronize();
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
        best = std::min(best, took.count());
    }
    return std::tuple(u, turns, best);
}

int main() {
    bool good = true;
    for (int n : {16, 64}) {
        array<float> plate = zeros<float>({n, n});
        plate(0) = 1;
        plate(all, -1) = linspace<float>(1, 0, n);
        auto [u, turns, loop_ms] = timed([&] { return by_loop(plate); });
        auto [v, same_turns, while_ms] = timed([&] { return by_while_loop(plate); });
        std::printf("%d x %d: %d turns, %.4f in the middle; loop in C++ %.2f ms, while_loop %.2f ms\n", n, n, turns,
                    v.item(n / 2, n / 2), loop_ms, while_ms);
        good = good && turns == same_turns && turns > n && bool(array_equal(u, v)) && v.item(n / 2, n / 2) > 0.2;
    }
    return good ? 0 : 1;
}
