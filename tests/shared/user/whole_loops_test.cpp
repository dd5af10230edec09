// Loops over whole arrays against the same statements in loops in C++, bit for bit: what they compute, how often they
// plan, and what they refuse.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <sinter/sinter.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include "support/backends.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

SINTER_FUNCTION(collatz, (int x)->int { return x % 2 ? 3 * x + 1 : x / 2; })
SINTER_FUNCTION(pair_mean, (long i, array_view<double, 1> v)->double { return (v(i) + v((i + 1) % v.shape(0))) / 2; })

template <class T>
bool same_bits(const array<T>& a, const array<T>& b) {
    const std::vector<T> x = to_vector(a), y = to_vector(b);
    return a.shape() == b.shape() && x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}

array<double> spread(dims shape) { return sin(astype<double>(reshape(arange(shape.product()), shape)) * 1.7) + 0.25; }

}  // namespace

TEST_CASE("a loop whose condition reduces goes on for the whole array, and has the bits of the loop in C++") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t n : {1, 7, 257, 5003}) {
            const array<double> b = spread({n});
            auto [x, turns] =
                while_loop([&](auto x, auto) { return max(abs(x * x - abs(b))) > 1e-9; },
                           [&](auto x, auto k) { return std::tuple((x + abs(b) / x) / 2, k + 1); }, ones_like(b), 0);
            static_assert(std::same_as<decltype(x), array<double>> && std::same_as<decltype(turns), array<int>>);
            CHECK(turns.shape() == dims());
            array<double> y = ones_like(b);
            int count = 0;
            for (; bool(max(abs(y * y - abs(b))) > 1e-9); ++count) y = (y + abs(b) / y) / 2;
            CHECK(count > 2);
            CHECK(int(turns) == count);
            CHECK(same_bits(x, y));
        }
    });
}

TEST_CASE("a body may reduce, scan, move, index, sort and multiply what depends on the state") {
    on_every_backend([](const tested_backend&) {
        const array<double> m = spread({5, 5}) / 3, start = spread({5});
        const array<std::int64_t> places{4, 0, 0, 2, 1};
        auto check = [&](auto body) {
            const array<double> found = for_loop(6, body, start);
            array<double> expected = start;
            for (int i = 0; i < 6; ++i) expected = array<double>(body(expected)).eval();
            CHECK(same_bits(found, expected));
        };
        check([](array<double> v) { return v / (1 + abs(sum(v))); });
        check([](array<double> v) { return cumsum(v) / 4; });
        check([](array<double> v) { return roll(v, 2) - v / 3; });
        check([](array<double> v) { return flip(v) * 0.75; });
        check([&](array<double> v) { return take(v, places) + v; });
        check([](array<double> v) { return sort(v) - mean(v); });
        check([&](array<double> v) { return matmul(m, v); });
        check([&](array<double> v) { return linalg::solve(m + eye(5), v); });
        check([](array<double> v) { return concatenate(std::tuple(v(slice(2, none)), v(slice(none, 2))), 0) * v; });
        check([](array<double> v) { return map_index(v.shape(), pair_mean, v); });
        check([](array<double> v) {
            array<double> w = v * 2;
            w(slice(1, -1)) = (v(slice(2, none)) + v(slice(none, -2))) / 2;
            w(0) = 1;
            return w / 2;
        });
    });
}

TEST_CASE("parts of any shape and type are exchanged, kept and counted, and numbers of the state stay numbers") {
    on_every_backend([](const tested_backend&) {
        const array<std::complex<float>> z = spread({3, 1}) * std::complex<float>(0.5f, -1.25f);
        const array<std::int8_t> small{1, -2, 3, 0};
        auto condition = [](auto, auto, auto, auto n, auto) { return n < 7; };
        auto body = [](auto a, auto b, auto s, auto n, auto seen) {
            return std::tuple(b * conj(sum(a)), a, cumsum(s) - s, n + 1, seen || any(s == 2));
        };
        auto [a, b, s, n, seen] =
            while_loop(condition, body, z, array<std::complex<float>>(z + 1.0f), small, std::int16_t(0), false);
        static_assert(std::same_as<decltype(s), array<std::int8_t>> && std::same_as<decltype(seen), array<bool>>);
        array<std::complex<float>> x = z, y = z + 1.0f;
        array<std::int8_t> t = small;
        bool met = false;
        for (int i = 0; i < 7; ++i) {
            const array<std::complex<float>> next = y * conj(sum(x));
            y = std::exchange(x, next);
            met = met || bool(any(t == 2));
            t = astype<std::int8_t>(cumsum(t) - t);
        }
        CHECK(same_bits(a, x));
        CHECK(same_bits(b, y));
        CHECK(same_bits(s, t));
        CHECK(n.shape() == dims());
        CHECK(int(n) == 7);
        CHECK(bool(seen) == met);
    });
}

TEST_CASE("a turn reads several arrays from outside, each in its place") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = spread({33}), scale = cumsum(x), shift = sort(x), start = x * 2;
        const array<double> v = for_loop(3, [&](auto v) { return (v - mean(v)) * scale / 9 + shift(0) - start; }, x);
        array<double> w = x;
        for (int i = 0; i < 3; ++i) w = array<double>((w - mean(w)) * scale / 9 + shift(0) - start).eval();
        CHECK(same_bits(v, w));
    });
}

TEST_CASE("parts of the next state may be made of numbers, come from outside, and be results of one routine") {
    on_every_backend([](const tested_backend&) {
        const array<double> m = spread({6, 4}), outside = spread({4});
        auto [a, b, c, d] = for_loop(
            3,
            [&](auto i, auto a, auto b, auto, auto) {
                auto [q, r] = linalg::qr(a);
                return std::tuple(q + mean(r), zeros_like(b), outside, i * 2);
            },
            m, ones({3, 5}), zeros({4}), -1);
        array<double> w = m;
        for (int i = 0; i < 3; ++i) {
            auto [q, r] = linalg::qr(w);
            w = array<double>(q + mean(r)).eval();
        }
        CHECK(same_bits(a, w));
        CHECK(same_bits(b, zeros({3, 5})));
        CHECK(same_bits(c, outside));
        CHECK(int(d) == 4);
    });
}

TEST_CASE("halves and short integers round and wrap in each turn as they do outside") {
    on_every_backend([](const tested_backend&) {
        auto check = []<class T>(const array<T>& x) {
            auto body = [](const array<T>& v) { return array<T>(cumsum(v) * v); };
            const array<T> found = for_loop(4, body, x);
            array<T> expected = x;
            for (int i = 0; i < 4; ++i) expected = body(expected).eval();
            CHECK(same_bits(found, expected));
        };
        check(array<half>(astype<half>(spread({37}))));
        check(array<bfloat16>(astype<bfloat16>(spread({37}))));
        check(array<std::int16_t>(astype<std::int16_t>(arange(37) * 11)));
        check(array<std::uint8_t>(astype<std::uint8_t>(arange(37) * 3)));
    });
}

TEST_CASE("a loop runs where its state lives, and leaves nothing in memory") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = spread({100});
        eval(x);
        const device_scope other(device::cpu());
        auto run = [&] {
            auto [v, k] = while_loop([](auto v, auto k) { return max(v) > -1 && k < 50; },
                                     [](auto v, auto k) { return std::tuple(v * 0.5 + mean(v), k + 1); }, x, 0);
            CHECK(v.device() == x.device());
            CHECK(k.device() == x.device());
            CHECK(int(k) == 50);
        };
        run();
        synchronize();
        const std::int64_t before = counters().pool_used;
        run();
        CHECK(counters().pool_used == before);
    });
}

TEST_CASE("a loop of no turns gives the state that it began with, and arrays may be empty") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = spread({31});
        auto [same, k] =
            while_loop([](auto v, auto) { return sum(v) > 1e9; },
                       [](auto v, auto k) { return std::tuple(v * 2, k + 1); }, x(slice(none, none, 3)), 5);
        CHECK(same_bits(same, array<double>(x(slice(none, none, 3)))));
        CHECK(int(k) == 5);
        for (int n : {0, -3}) CHECK(same_bits(for_loop(n, [](auto v) { return v - mean(v); }, x), x));
        auto [none_at_all, turns] =
            while_loop([](auto v, auto k) { return all(v > 0) && k < 3; },
                       [](auto v, auto k) { return std::tuple(cumsum(v), k + 1); }, zeros({0}), 0);
        CHECK(none_at_all.shape() == dims{0});
        CHECK(int(turns) == 3);
    });
}

TEST_CASE("a condition that is not a number is false") {
    on_every_backend([](const tested_backend&) {
        auto [v, k] = while_loop([](auto v, auto) { return sum(v) < 100; },
                                 [](auto v, auto k) { return std::tuple(where(k == 4, constants::nan, v + 1), k + 1); },
                                 array<double>{1, 2}, 0);
        CHECK(int(k) == 5);
        CHECK(std::isnan(v.item(0)));
    });
}

TEST_CASE("a counted loop of whole arrays counts from zero in its count's type, which may be an array of no axis") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = spread({17});
        const array<std::uint8_t> count = max(array<std::uint8_t>{2, 9, 4});
        array<std::uint8_t> last;
        auto [v, i] = for_loop(
            count,
            [](auto i, auto v, auto) {
                static_assert(std::same_as<decltype(i), array<std::uint8_t>>);
                return std::tuple(v / (1 + max(v)) + i, i);
            },
            x, std::uint8_t(77));
        array<double> w = x;
        for (int k = 0; k < 9; ++k) w = array<double>(w / (1 + max(w)) + k).eval();
        CHECK(same_bits(v, w));
        CHECK(int(i) == 8);
    });
}

TEST_CASE("loops and functions of single elements stand inside of a loop over whole arrays") {
    on_every_backend([](const tested_backend&) {
        const array<int> start = arange(1, 41).astype<int>();
        // Each element goes on by itself until it is odd, and all of them until the greatest is small.
        auto halve = [](array<int> v) {
            return while_loop([](auto u) { return u % 2 == 0 && u > 0; }, [](auto u) { return floor_divide(u, 2); }, v);
        };
        auto [v, turns] =
            while_loop([](auto v, auto k) { return max(v) > 20 && k < 50; },
                       [&](auto v, auto k) {
                           return std::tuple(minimum(halve(vectorize(collatz)(v)), floor_divide(sum(v), 16)), k + 1);
                       },
                       start, 0);
        std::vector<int> w = to_vector(start);
        int count = 0;
        for (; *std::max_element(w.begin(), w.end()) > 20 && count < 50; ++count) {
            std::int64_t total = 0;
            for (int u : w) total += u;
            for (int& u : w) {
                u = u % 2 ? 3 * u + 1 : u / 2;
                while (u % 2 == 0 && u > 0) u /= 2;
                u = static_cast<int>(std::min<std::int64_t>(u, total / 16));
            }
        }
        CHECK(count > 1);
        CHECK(to_vector(v) == w);
        CHECK(int(turns) == count);
    });
}

TEST_CASE("random numbers that a body draws are drawn once, and are the same in each turn") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t n : {5, 4099}) {
            const array<double> x = spread({n});
            for (int turns : {0, 1, 4}) {
                random::seed(11);
                const array<double> v =
                    for_loop(turns, [&](auto v) { return v - mean(v) + random::normal(0, 1, {n}); }, x);
                const array<double> after = random::random({3});
                random::seed(11);
                const array<double> drawn = random::normal(0, 1, {n});
                array<double> w = x;
                for (int i = 0; i < turns; ++i) w = array<double>(w - mean(w) + drawn).eval();
                CHECK(same_bits(v, w));
                CHECK(same_bits(after, random::random({3})));
            }
        }
    });
}

TEST_CASE("turns are one plan that is replayed, and what does not depend on the state is computed once") {
    on_compiling_backends([](const tested_backend& b) {
        const array<double> m = spread({40, 40}), x = spread({40});
        eval(m, x);
        auto run = [&](int turns, double scale) {
            const array<double> outside = cumsum(x * scale);
            return array<double>(for_loop(turns, [&](auto v) { return v / max(abs(v)) + outside; }, x));
        };
        run(4, 1);
        synchronize();
        counters_t before = counters();
        run(20, 2);
        counters_t after = counters();
        const std::int64_t one = after.launches - before.launches;
        CHECK(after.kernels_compiled == before.kernels_compiled);
        CHECK(after.steps_replayed - before.steps_replayed >= 17);
        run(40, 3);
        const std::int64_t two = counters().launches - after.launches;
        // Twenty turns more, of equally many kernels each.
        CHECK((two - one) % 20 == 0);
        CHECK((two - one) / 20 <= 2);
        CHECK(one - (two - one) <= 3);
        if (b.is_cuda()) CHECK(counters().bytes_to_host == before.bytes_to_host);
    });
}

TEST_CASE("a body of hundreds of statements stores what its parts hand on, and no more") {
    on_every_backend([](const tested_backend& b) {
        const array<double> x = spread({4099});
        auto body = [](array<double> v) {
            for (int i = 0; i < 150; ++i) v = (v + 0.25) * 0.75 - array<double>(v * 0.125);
            return array<double>(v - mean(v));
        };
        auto run = [&] { return array<double>(for_loop(3, body, x)); };
        const array<double> found = run();
        array<double> expected = x;
        for (int i = 0; i < 3; ++i) expected = body(expected).eval();
        CHECK(same_bits(found, expected));
        if (!b.compiles()) return;
        synchronize();
        reset_counters();
        const std::int64_t before = counters().pool_used;
        run();
        CHECK(counters().launches <= 3 * 4);
        CHECK(counters().pool_peak - before < 40 * 8 * x.size());
    });
}

TEST_CASE("arrays that a loop begins with stay as they are, also where turns overwrite their state") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = spread({20011}), copy = x.copy();
        eval(x, copy);
        array<double> v = for_loop(
            5,
            [](array<double> v) {
                v(slice(0, 10000)) = v(slice(10000, 20000)) + mean(v);
                return v;
            },
            x);
        CHECK(same_bits(x, copy));
        array<double> w = x;
        for (int i = 0; i < 5; ++i) {
            array<double> from = w.copy();
            w(slice(0, 10000)) = from(slice(10000, 20000)) + mean(from);
            w.eval();
        }
        CHECK(same_bits(v, w));
    });
}

TEST_CASE("what a loop over whole arrays refuses is said where it is written down, and nothing is left of it") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = spread({5});
        auto below = [](auto v) { return sum(v) < 4; };
        auto more = [](auto v) { return v + max(v); };
        CHECK_THROWS_WITH_AS(
            while_loop([](auto v) { return v < max(v); }, more, x),
            "[while_loop] the condition of a loop over whole arrays is one bool, not an array of shape "
            "(5,): reduce it by any or all",
            shape_error);
        CHECK_THROWS_WITH_AS(
            while_loop([](auto a, auto) { return sum(a) < 4; },
                       [](auto a, auto b) { return std::tuple(a + 1, b + a(slice(1, none))); }, x, 0.5),
            "[while_loop] a loop over whole arrays keeps the shapes of its state, but a turn makes (4,) "
            "of part 1, which begins as ()",
            shape_error);
        CHECK_THROWS_WITH_AS(
            for_loop(
                3, [](auto i, auto v) { return sum(v) + i; }, x),
            "[for_loop] a loop over whole arrays keeps the shapes of its state, but a turn makes () of "
            "part 0, which begins as (5,)",
            shape_error);
        CHECK_THROWS_WITH_AS(for_loop(array<int>{1, 2, 3, 4, 5}, more, x),
                             "[for_loop] a loop over whole arrays has one number of turns, not an array of shape (5,)",
                             shape_error);
        const char* read = "was read while the loop was recorded";
        CHECK_THROWS_WITH_AS(while_loop([](auto v) { return v < double(sum(v)); }, more, x), doctest::Contains(read),
                             type_error);
        CHECK_THROWS_WITH_AS(
            for_loop(3, [](auto v) { return v + nonzero(v > 1)[0](0); }, x), doctest::Contains(read), type_error);
        CHECK_THROWS_WITH_AS(
            for_loop(3, [](array<double> v) { return v - sum(v[v > 1]); }, x), doctest::Contains(read), type_error);
        CHECK_THROWS_WITH_AS(
            for_loop(3, [](array<double> v) { return v - sum(unique(v)); }, x), doctest::Contains(read), type_error);
        array<double> outside;
        CHECK_THROWS_WITH_AS(for_loop(
                                 3,
                                 [&](auto v) {
                                     outside = cumsum(v);
                                     return v + outside;
                                 },
                                 x),
                             "[for_loop] a condition or a body keeps a value of shape (5,) outside that depends on the "
                             "state: return it as a part of the state",
                             type_error);
        graph step([&](auto v) { return array<double>(while_loop(below, more, v)); });
        CHECK_THROWS_WITH_AS(step(x),
                             doctest::Contains("[graph] a loop over whole arrays is run while a step is recorded"),
                             value_error);
        CHECK_THROWS_AS(for_loop(
                            3,
                            [](auto v) -> array<double> {
                                throw std::runtime_error("out");
                                return cumsum(v);
                            },
                            x),
                        std::runtime_error);
        array<double> v = while_loop(below, more, x), w = x;
        while (double(sum(w)) < 4) w = w + max(w);
        CHECK(same_bits(v, w));
    });
}

TEST_CASE("what fails in a turn is thrown as it would be outside") {
    on_every_backend([](const tested_backend&) {
        const array<double> m = spread({4, 4});
        CHECK_THROWS_AS(to_vector(for_loop(3, [](auto a) { return linalg::cholesky(a); }, m)), linalg_error);
        const array<std::int64_t> places{0, 1, 2};
        CHECK_THROWS_AS(to_vector(for_loop(3, [](auto p) { return take(p, p + max(p)); }, places)), index_error);
        CHECK(same_bits(for_loop(2, [](auto v) { return v + sum(v); }, places), array<std::int64_t>{15, 16, 17}));
    });
}
