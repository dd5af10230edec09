// Steps that record what they recorded before are replayed; whatever differs is computed as without a graph.
#include <functional>
#include <sinter/sinter.hpp>
#include <thread>
#include <utility>

#include "support/steps.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_steps;

TEST_CASE("a step that records what it recorded before is neither planned nor looked up again") {
    on_compiling_backends([](const tested_backend&) {
        synchronize();  // what is pending otherwise would be computed along with the first step
        graph step(mix);
        array<double> u = stored<double>({37}, 0.125), v = u;
        for (int i = 0; i < 6; ++i) {
            const double factor = 1.0 / (2 + i);
            const counters_t before = counters();
            CHECK(replays_of([&] { u = step(u, factor); }) == (i > 0));
            if (i > 0)
                CHECK(counters().kernels_compiled + counters().disk_hits == before.kernels_compiled + before.disk_hits);
            v = array<double>(mix(v, factor)).eval();
            REQUIRE(values(u) == values(v));
        }
    });
}

TEST_CASE("a step that takes another branch computes what that says, and is replayed when it has settled") {
    on_every_backend([](const tested_backend& b) {
        int calls = 0;
        auto body = [&](auto x) {
            array<double> y = x + 1, z = y * 2;
            if (calls == 2) return array<double>(z - sum(y));
            return array<double>(z + sum(y) * sum(z));
        };
        graph step(body);
        const array<double> x = stored<double>({41}, 0.125);
        std::int64_t replayed = 0;
        for (calls = 0; calls < 12; ++calls) {
            std::vector<double> now;
            replayed += replays_of([&] { now = values(step(x)); });
            REQUIRE(now == plain(body, x));
        }
        CHECK((replayed >= 6) == b.compiles());
    });
}

TEST_CASE("a step that records more, or less, than before is computed as it says") {
    on_every_backend([](const tested_backend&) {
        int turns = 3;
        auto body = [&](auto x) {
            array<double> y = x;
            for (int i = 0; i < turns; ++i) y(slice(1, none)) = y(slice(none, -1)) + sum(y);
            return y;
        };
        graph step(body);
        const array<double> x = stored<double>({19}, 0.125);
        for (int n : {3, 3, 4, 4, 2, 2, 2, 0, 0, 3, 3, 3}) {
            turns = n;
            REQUIRE(values(step(x)) == plain(body, x));
        }
    });
}

TEST_CASE("a step reads the arrays that its function holds as they are at each call") {
    on_every_backend([](const tested_backend& b) {
        array<double> weight = stored<double>({31}, 0.25);
        auto body = [&](auto x) { return x * weight + sum(weight); };
        graph step(body);
        const array<double> x = stored<double>({31}, 0.125, 2);
        for (int i = 0; i < 4; ++i) {
            weight = stored<double>({31}, 0.25, i);
            const std::int64_t replayed = replays_of([&] { REQUIRE(values(step(x)) == plain(body, x)); });
            CHECK(replayed == (b.compiles() && i > 0));
        }
        weight = stored<double>({7, 31}, 0.5);
        REQUIRE(values(step(x)) == plain(body, x));
        weight = stored<double>({1}, 0.5);
        REQUIRE(values(step(x)) == plain(body, x));
        weight = weight + 1;  // pending
        REQUIRE(values(step(x)) == plain(body, x));
        weight = flip(stored<double>({62}, 0.5))(slice(none, none, 2));
        for (int i = 0; i < 3; ++i) REQUIRE(values(step(x)) == plain(body, x));
        weight = stored<double>({62}, 0.5)(slice(none, none, 2));
        REQUIRE(values(step(x)) == plain(body, x));
    });
}

TEST_CASE("numbers of a step may become equal, different and exponents") {
    on_every_backend([](const tested_backend&) {
        auto powers = [](auto x, double a, double b) { return power(x, a) + power(sum(x) + 1, b) * a; };
        auto many = [](auto x, double a, double b) {
            array<double> y = x;
            for (int i = 0; i < 20; ++i) y = y * a + b;
            return y + sum(y);
        };
        graph few(powers);
        graph of_many(many);
        const array<double> x = stored<double>({23}, 0.125, 1);
        const double pairs[][2] = {{2, 2},  {2, 3}, {0.5, 3}, {0.5, 0.5}, {0.5, 0.5},
                                   {-1, 2}, {2, 2}, {1, 0},   {0, 0.25}};
        for (const auto& [a, b] : pairs)
            for (int again = 0; again < 2; ++again) {
                REQUIRE(values(few(x, a, b)) == plain(powers, x, a, b));
                REQUIRE(values(of_many(x, a / 4, b / 4)) == plain(many, x, a / 4, b / 4));
            }
    });
}

TEST_CASE("replayed steps draw the random numbers that they would draw without a graph") {
    on_every_backend([](const tested_backend& b) {
        auto walk = [](auto x) {
            array<double> moved = x + random::normal<double>(0, 1, x.shape());
            return moved + sum(moved) * random::uniform<double>(-1, 1, x.shape());
        };
        graph step(walk);
        array<double> x = stored<double>({101}, 0.125), y = x;
        random::seed(11);
        const std::int64_t replayed = replays_of([&] {
            for (int i = 0; i < 6; ++i) x = step(x);
        });
        CHECK(replayed == (b.compiles() ? 5 : 0));
        random::seed(11);
        for (int i = 0; i < 6; ++i) y = array<double>(walk(y)).eval();
        CHECK(values(x) == values(y));
    });
}

TEST_CASE("memory of others is read when the statement that reads it is recorded, in a step that had its own before") {
    if (is_device_executable) return;
    on_every_backend([](const tested_backend&) {
        std::vector<double> theirs(12, 1);
        bool changes = false;
        graph step([&](auto x) {
            array<double> y = x + 1, z = y * 2;
            if (changes) theirs[3] += 1;
            return z + sum(z);
        });
        const array<double> own = full({12}, 1.0).eval();
        for (int i = 0; i < 3; ++i) CHECK(values(step(own)) == std::vector<double>(12, 52));
        const array<double> imported = from_device<double>(theirs.data(), {12}, device::cpu());
        changes = true;
        CHECK(values(step(imported)) == std::vector<double>(12, 52));
        changes = false;
        CHECK(values(step(own)) == std::vector<double>(12, 52));
    });
}

TEST_CASE("two graphs and arrays of other shapes take turns") {
    on_every_backend([](const tested_backend& b) {
        auto other = [](auto x, auto factor) { return cumsum(x * factor) - sum(x); };
        graph first(mix);
        graph second(other);
        std::int64_t replayed = 0;
        for (std::int64_t n : {5, 5, 1030, 1030, 1030, 5, 5, 1, 1, 0, 0})
            for (double factor : {0.5, 2.0}) {
                const array<double> x = stored<double>({n}, 0.125);
                replayed += replays_of([&] { REQUIRE(values(first(x, factor)) == plain(mix, x, factor)); });
                REQUIRE(values(second(x, factor)) == plain(other, x, factor));
            }
        CHECK((replayed > 4) == b.compiles());
    });
}

TEST_CASE("arguments may be one array, parts of one, and numbers of other types") {
    on_every_backend([](const tested_backend&) {
        auto body = [](auto x, auto y) {
            array<double> s = x * 2;
            return s + sum(y) + y;
        };
        graph step(body);
        const array<double> u = stored<double>({40}, 0.125), v = stored<double>({40}, 0.25, 3);
        const array<double> low = u(slice(none, 20)).copy().eval(), high = v(slice(20, none)).copy().eval();
        for (int round = 0; round < 3; ++round) {
            for (int i = 0; i < 2; ++i) REQUIRE(values(step(u, v)) == plain(body, u, v));
            for (int i = 0; i < 2; ++i) REQUIRE(values(step(u, u)) == plain(body, u, u));
            REQUIRE(values(step(low, high)) == plain(body, low, high));
            REQUIRE(values(step(u(slice(none, 20)), u(slice(20, none)))) == plain(body, low, u(slice(20, none))));
            REQUIRE(values(step(u(slice(none, 20)), v(slice(20, none)))) == plain(body, low, high));
            REQUIRE(values(step(u + 1, v)) == plain(body, array<double>(u + 1), v));
            REQUIRE(values(step(v, 0.5 * u)) == plain(body, v, array<double>(0.5 * u)));
            REQUIRE(values(step(astype<float>(u), v)) == plain(body, astype<float>(u), v));
        }
    });
}

TEST_CASE("what a step computes for nothing changes nothing") {
    on_compiling_backends([](const tested_backend&) {
        graph step([](auto x) {
            array<double> unused = x(slice(none, none, -1)) * 3, kept = x + 1;
            unused = unused + kept;
            return kept + sum(kept);
        });
        array<double> u = stored<double>({100000}, 0.125), v = u;
        const std::int64_t replayed = replays_of([&] {
            for (int i = 0; i < 8; ++i) {
                u = step(std::move(u) * 0.5);
                v = array<double>(v * 0.5 + 1 + sum(v * 0.5 + 1)).eval();
                REQUIRE(values(u) == values(v));
            }
        });
        CHECK(replayed == 5);  // the first call alone may not overwrite what it is given
    });
}

TEST_CASE("a step keeps no memory of its arguments and results") {
    on_compiling_backends([](const tested_backend&) {
        graph step(mix);
        synchronize();
        const std::int64_t before = counters().pool_used;
        for (int i = 0; i < 5; ++i) {
            array<double> x = stored<double>({5000}, 0.125);
            (void)values(step(x, 0.5));
        }
        CHECK(counters().pool_used == before);
    });
}

TEST_CASE("steps inside steps, copies of a graph and graphs that call themselves give what they say") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = stored<double>({13}, 0.125);
        graph inner([](auto u) { return u + sum(u); });
        graph outer([&](auto u, double d) { return inner(inner(u) * d) * 2; });
        auto again = outer;
        for (int i = 0; i < 5; ++i) {
            const double d = 0.5 * i;
            array<double> once = x + sum(x), scaled = once * d, expected = (scaled + sum(scaled)) * 2;
            REQUIRE(values(outer(x, d)) == values(expected));
            REQUIRE(values(again(x, d)) == values(expected));
            REQUIRE(values(inner(x)) == values(once));
        }
        std::function<array<double>(array<double>, int)> count;
        graph calls(
            [&](array<double> u, int depth) { return depth == 0 ? u : array<double>(count(u + sum(u), depth - 1)); });
        count = [&](array<double> u, int depth) { return calls(u, depth); };
        for (int i = 0; i < 3; ++i) {
            const array<double> once = x + sum(x), twice = once + sum(once);
            REQUIRE(values(calls(x, 2)) == values(twice));
            REQUIRE(values(calls(x, 0)) == values(x));
        }
    });
}

TEST_CASE("threads may call one graph at a time or at once") {
    on_compiling_backends([](const tested_backend& b) {
        graph step(mix);
        const array<double> x = stored<double>({57}, 0.125);
        (void)step(x, 1.0);
        std::vector<int> wrong(3, 0);
        std::vector<std::thread> threads;
        for (int t = 0; t < 3; ++t)
            threads.emplace_back([&, t] {
                backend_selection on(b);
                for (int i = 0; i < 40; ++i) {
                    const double factor = 0.5 * t + i;
                    wrong[static_cast<std::size_t>(t)] += values(step(x, factor)) != plain(mix, x, factor);
                }
            });
        for (std::thread& t : threads) t.join();
        CHECK(wrong == std::vector<int>{0, 0, 0});

        // One call inside another, by another thread.
        bool calls = true;
        std::vector<double> inside;
        std::function<std::vector<double>()> other;
        graph outer([&](auto u, double factor) {
            array<double> scaled = u * factor;
            if (std::exchange(calls, false)) std::thread([&] { inside = other(); }).join();
            return scaled + sum(scaled);
        });
        other = [&] {
            backend_selection on(b);
            return values(outer(x, 7.0));
        };
        for (int i = 0; i < 6; ++i) {
            calls = true;
            REQUIRE(values(outer(x, 0.5 * i)) == plain(mix, x, 0.5 * i));
            REQUIRE(inside == plain(mix, x, 7.0));
        }
        CHECK(replays_of([&] { (void)step(x, 2.0), (void)step(x, 3.0); }) >= 1);
    });
}

TEST_CASE("a step goes from backend to backend") {
    if (is_device_executable) return;
    graph step(mix);
    for (int round = 0; round < 3; ++round)
        on_every_backend([&](const tested_backend& b) {
            const array<double> x = stored<double>({33}, 0.125);
            const std::int64_t replayed = replays_of([&] {
                for (int i = 0; i < 2; ++i) REQUIRE(values(step(x, 0.5)) == plain(mix, x, 0.5));
            });
            if (!b.compiles()) CHECK(replayed == 0);
        });
}
