// Steps that leave something outside, go on with what they return, update arrays or throw.
#include <sinter/sinter.hpp>
#include <stdexcept>
#include <thread>

#include "support/steps.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_steps;

TEST_CASE("a step that throws half way leaves what it has given away usable, and works again") {
    on_every_backend([](const tested_backend&) {
        bool fails = false;
        array<double> kept = zeros({3}), early = kept;
        auto body = [&](auto x) {
            array<double> y = x * 2, total = sum(y);
            if (fails) {
                early = y;
                kept = y + total;
                throw std::runtime_error("half way");
            }
            return y - total;
        };
        graph step(body);
        const array<double> x = stored<double>({29}, 0.125);
        for (int i = 0; i < 9; ++i) {
            fails = i % 3 == 2;
            if (fails) {
                CHECK_THROWS_AS(step(x), std::runtime_error);
                synchronize();
                const std::int64_t launches = counters().launches;
                const std::vector<double> twice = values(early);
                CHECK(counters().launches == launches);
                REQUIRE(twice == values(array<double>(x * 2)));
                REQUIRE(values(kept) == values(array<double>(x * 2 + sum(x * 2))));
            } else {
                REQUIRE(values(step(x)) == plain(body, x));
            }
        }
    });
}

TEST_CASE("what a step leaves outside keeps its value, computed or not") {
    on_every_backend([](const tested_backend&) {
        array<double> last, total = zeros({2});
        std::vector<array<double>> all;
        int calls = 0;
        auto body = [&](auto x, double d) {
            array<double> y = x + d;
            if (calls != 3) last = y * 2;
            total += d;
            if (calls % 4 > 1) total.eval();
            if (calls > 5) all.push_back(y);
            return y + sum(y);
        };
        graph step(body);
        const array<double> x = stored<double>({17}, 0.125);
        double expected = 0;
        for (calls = 0; calls < 12; ++calls) {
            const array<double> before = last, result = step(x, 0.5 * calls), y = x + 0.5 * calls;
            expected += 0.5 * calls;
            REQUIRE(values(result) == values(array<double>(y + sum(y))));
            if (calls % 2) REQUIRE(values(total) == std::vector<double>{expected, expected});
            if (calls == 3) REQUIRE(values(last) == values(before));
            else REQUIRE(values(last) == values(array<double>(y * 2)));
        }
        for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i].item(1) == 0.125 + 0.5 * static_cast<double>(i + 6));
    });
}

TEST_CASE("a step may begin and cease to leave something outside, itself or by another thread") {
    on_every_backend([](const tested_backend& b) {
        int calls = 0;
        std::vector<array<double>> kept, made;
        auto body = [&](auto x, double d) {
            array<double> y = x + d, z = y * 2;
            if (calls == 3 || calls == 6) kept.push_back(y);
            if (calls == 5 || calls == 9)
                std::thread([&] {
                    backend_selection on(b);
                    made.push_back(y * 3);
                }).join();
            return z + sum(z);
        };
        graph step(body);
        const array<double> x = stored<double>({17}, 0.125);
        std::int64_t replayed = 0;
        for (calls = 0; calls < 40; ++calls) {
            const double d = 0.5 * calls;
            const array<double> z = (x + d) * 2, expected = z + sum(z);
            std::vector<double> now;
            replayed += replays_of([&] { now = values(step(x, d)); });
            REQUIRE(now == values(expected));
            for (std::size_t i = 0; calls == 10 && i < 2; ++i) {
                CHECK(values(kept[i]) == values(array<double>(x + (i ? 3.0 : 1.5))));
                CHECK(values(made[i]) == values(array<double>((x + (i ? 4.5 : 2.5)) * 3)));
            }
        }
        CHECK((replayed > 10) == b.compiles());
    });
}

TEST_CASE("a step that returns what it goes on with is replayed, and returns it computed") {
    on_compiling_backends([](const tested_backend&) {
        array<double> held = stored<double>({21}, 0.125);
        graph step([&](auto x, double d) {
            array<double> faster = x * d, moved = cumsum(faster) + sum(faster) * d;
            return std::tuple(moved, faster, held, x);
        });
        array<double> x = stored<double>({21}, 0.25), v, same, back;
        const std::int64_t replayed = replays_of([&] {
            for (int i = 0; i < 8; ++i) {
                const array<double> faster = x * 0.5, moved = cumsum(faster) + sum(faster) * 0.5, kept = x * 0.25;
                const std::vector<double> expected[] = {values(moved), values(faster), values(kept), values(x)};
                held = x * 0.25;
                if (i != 5) held.eval();
                std::tie(x, v, same, back) = step(x, 0.5);
                const std::int64_t launches = counters().launches;
                REQUIRE(std::vector{values(x), values(v), values(same), values(back)} ==
                        std::vector(std::begin(expected), std::end(expected)));
                CHECK(counters().launches == launches);
            }
        });
        CHECK(replayed == 5);  // the call that computes what is held as well, and the next one, are not
    });
}

TEST_CASE("an array that a step updates is as it would be without, call after call") {
    on_compiling_backends([](const tested_backend&) {
        array<double> state = stored<double>({5, 8}, 0.125), same = state;
        const array<double> begin = state;
        auto body = [](array<double>& s, double d) {
            s(slice(1, 4), slice(none, none, 2)) = s(slice(1, 4), slice(1, none, 2)) * d;
            s(0) = sum(s, 0);
            s.eval();
        };
        graph step([&](double d) { body(state, d); });
        const std::int64_t replayed = replays_of([&] {
            for (int i = 0; i < 8; ++i) step(0.25 * i);
        });
        for (int i = 0; i < 8; ++i) body(same, 0.25 * i);
        CHECK(replayed == 5);  // the first call alone may not overwrite the array
        CHECK(values(state) == values(same));
        CHECK(values(begin) == values(stored<double>({5, 8}, 0.125)));
    });
}
