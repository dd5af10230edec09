// Loops over expressions against plain loops in C++: what they compute, in how many kernels, and what they refuse.
#include "support/backends.hpp"

#include <sinter/sinter.hpp>

#include <cmath>
#include <vector>

using namespace sinter;
using namespace test_backends;

namespace {

SINTER_FUNCTION(halved, (float x)->float { return x / 2; })
SINTER_FUNCTION(quotient_and_rest, (int x, int y)->std::tuple<int, int> { return {x / y, x % y}; })

SINTER_FUNCTION(
    squared_in_place, (unsigned x, int turns)->unsigned {
        for (int i = 0; i < turns; ++i) x *= x;
        return x;
    })
SINTER_FUNCTION(
    squared_anew, (unsigned x, int turns)->unsigned {
        for (int i = 0; i < turns; ++i) x = x * x;
        return x;
    })

int escape(std::complex<float> c, int limit) {
    std::complex<float> z = 0;
    int n = 0;
    for (; n < limit && z.real() * z.real() + z.imag() * z.imag() < 4; ++n)
        z = {z.real() * z.real() - z.imag() * z.imag() + c.real(),
             z.real() * z.imag() + z.imag() * z.real() + c.imag()};
    return n;
}

array<std::complex<float>> plane(int rows, int columns) {
    array<float> re = arange(columns).astype<float>() / 8.0f - 2.0f, im = arange(rows).astype<float>() / 8.0f - 1.0f;
    return re + std::complex<float>(0, 1) * im(all, newaxis);
}

array<int> escape_times(const array<std::complex<float>>& c, int limit) {
    auto [z, same, n] =
        while_loop([&](auto z, auto, auto n) { return abs2(z) < 4 && n < limit; },
                   [](auto z, auto c, auto n) { return std::tuple(z * z + c, c, n + 1); }, zeros_like(c), c, 0);
    return n;
}

}  // namespace

TEST_CASE("in a while_loop each element stops for itself") {
    on_every_backend([](const tested_backend&) {
        for (auto [rows, columns] : {std::pair(0, 5), std::pair(1, 1), std::pair(2, 31), std::pair(17, 33)}) {
            array<std::complex<float>> c = plane(rows, columns);
            std::vector<std::complex<float>> points = to_vector(c);
            std::vector<int> n = to_vector(escape_times(c, 50));
            int wrong = 0;
            for (std::size_t i = 0; i < points.size(); ++i) wrong += n[i] != escape(points[i], 50);
            CHECK(wrong == 0);
        }
    });
}

TEST_CASE("a loop is one kernel, with what it reads and what reads it, and other numbers need no other kernel") {
    on_compiling_backends([](const tested_backend&) {
        array<std::complex<float>> c = plane(9, 33);
        c.eval();
        auto picture_of = [&](float scale, int limit) {
            return array<float>(sqrt(astype<float>(escape_times(c * scale, limit))));
        };
        array<float> picture = picture_of(0.5f, 20);
        CHECK(explain(picture).kernels() == 1);
        CHECK(explain(picture).bytes_read() == 8 * 9 * 33);
        picture.eval();
        auto before = counters();
        for (int limit : {21, 30}) {
            array<float> other = picture_of(0.25f, limit);
            other.eval();
        }
        CHECK(counters().kernels_compiled == before.kernels_compiled);
        CHECK(counters().launches == before.launches + 2);
        auto [z, same, n] =
            while_loop([](auto z, auto, auto n) { return abs2(z) < 4 && n < 7; },
                       [](auto z, auto c, auto n) { return std::tuple(z * z + c, c, n + 1); }, zeros_like(c), c, 0);
        before = counters();
        eval(z, same, n);
        CHECK(counters().launches == before.launches + 1);
    });
}

TEST_CASE("a loop runs once for all parts of its state that are kept, and other numbers need no other kernel") {
    on_compiling_backends([](const tested_backend&) {
        array<float> x = linspace(0, 1, 33).astype<float>(), y = x(all, newaxis);
        eval(x, y);
        auto run = [&](float start, int limit) {
            return while_loop([&](auto, auto b, auto n) { return n < limit && b < 8.0f; },
                              [&](auto a, auto b, auto n) { return std::tuple(a + x, a + b * y, n + 1); }, start, start,
                              0);
        };
        auto [a, b, n] = run(0.5f, 20);
        const std::string source = explain(a, b, n).source();
        const std::size_t call = source.find("functions::while_loop(");
        CHECK(call != std::string::npos);
        CHECK(source.find("functions::while_loop(", call + 1) == std::string::npos);
        n.eval();
        // An argument that happens to equal another is a number like others.
        const std::int64_t compiled = counters().kernels_compiled;
        auto [c, d, m] = run(8.0f, 1);
        m.eval();
        CHECK(counters().kernels_compiled == compiled);
        CHECK(all(m == 0).item());
        std::vector<float> kept = to_vector(a), rows = to_vector(b);
        std::vector<int> turns = to_vector(n);
        for (int at : {0, 32, 33 * 33 - 1}) {
            float first = 0.5f, second = 0.5f, px = (at % 33) / 32.0f, py = (at / 33) / 32.0f;
            int k = 0;
            for (; k < 20 && second < 8; ++k) second = first + second * py, first += px;
            CHECK(turns[at] == k);
            CHECK(kept[at] == doctest::Approx(first));
            CHECK(rows[at] == doctest::Approx(second));
        }
    });
}

TEST_CASE("the state broadcasts, keeps its first types, and may be one array or a number") {
    on_every_backend([](const tested_backend&) {
        array<float> x = arange(1, 6).astype<float>();
        array<std::int16_t> steps = array<std::int16_t>{0, 1, 2}(all, newaxis);
        auto [a, b, n] = while_loop([](auto a, auto, auto n) { return a < 20 && n < 9; },
                                    [](auto a, auto b, auto n) { return std::tuple(a * 2.5 + b, b, n + 1); }, x, steps,
                                    std::int8_t(0));
        static_assert(std::same_as<decltype(a), array<float>> && std::same_as<decltype(b), array<std::int16_t>> &&
                      std::same_as<decltype(n), array<std::int8_t>>);
        CHECK(a.shape() == dims{3, 5});
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 5; ++j) {
                float v = static_cast<float>(j + 1);
                int count = 0;
                for (; v < 20 && count < 9; ++count) v = v * 2.5f + static_cast<float>(i);
                CHECK(a.item(i, j) == v);
                CHECK(n.item(i, j) == count);
                CHECK(b.item(i, j) == i);
            }
        array<int> one = while_loop([](auto v) { return v < 1000; }, [](auto v) { return v * 3; }, 1);
        CHECK(one.shape() == dims());
        CHECK(int(one) == 2187);
        array<float> wide = arange(3).astype<float>();
        array<float> sums = for_loop(2, [&](auto s) { return s + wide(all, newaxis); }, array<float>{1, 2});
        CHECK(sums.shape() == dims{3, 2});
        CHECK(sums.item(2, 1) == 6);
        CHECK(to_vector(for_loop(3, [](auto) { return 7; }, array<int>{1, 2})) == std::vector<int>{7, 7});
    });
}

TEST_CASE("a for_loop has the same number of turns for all elements or each its own, and may count them") {
    on_every_backend([](const tested_backend&) {
        array<float> x = arange(1, 34).astype<float>();
        array<float> root = for_loop(20, [&](auto y) { return 0.5f * (y + x / y); }, ones_like(x));
        CHECK(double(max(abs(root * root - x) / x)) < 1e-6);
        CHECK(to_vector(for_loop(0, [](auto y) { return y + 1; }, x)) == to_vector(x));
        CHECK(to_vector(for_loop(-3, [](auto y) { return y + 1; }, x)) == to_vector(x));
        array<int> turns{0, 1, 2, 31};
        auto [sum, last] =
            for_loop(turns, [](auto i, auto s, auto) { return std::tuple(s + i, i); }, std::int64_t(0), -1);
        static_assert(std::same_as<decltype(last), array<int>>);
        CHECK(to_vector(sum) == std::vector<std::int64_t>{0, 0, 1, 465});
        CHECK(to_vector(last) == std::vector<int>{-1, 0, 1, 30});
        array<double> product =
            for_loop(std::int64_t(10), [](auto i, auto p) { return p * (i + 1); }, array<double>{1, 2});
        CHECK(to_vector(product) == std::vector<double>{3628800, 7257600});
    });
}

TEST_CASE("a turn may swap, name its values, call functions, and hold another loop") {
    on_every_backend([](const tested_backend&) {
        array<std::int64_t> n = arange(33);
        auto [a, b] =
            for_loop(n, [](auto a, auto b) { return std::tuple(b, a + b); }, std::int64_t(0), std::int64_t(1));
        CHECK(a.item(32) == 2178309);
        CHECK(b.item(1) == 1);
        array<float> x = arange(1, 8).astype<float>();
        array<float> y = for_loop(
            3,
            [&](auto v) {
                array<float> half = vectorize(halved)(v);
                half += x;
                return half * half - v;
            },
            x);
        for (int i = 0; i < 7; ++i) {
            float v = static_cast<float>(i + 1);
            for (int k = 0; k < 3; ++k) {
                float half = v / 2 + static_cast<float>(i + 1);
                v = half * half - v;
            }
            CHECK(y.item(i) == v);
        }
        // The greatest common divisor by division with a rest.
        array<int> p{12, 17, 100, 0}, q{18, 5, 75, 3};
        auto [g, zero] = while_loop([](auto, auto b) { return b != 0; },
                                    [](auto a, auto b) {
                                        auto [ratio, rest] = vectorize(quotient_and_rest)(a, b);
                                        return std::tuple(b, where(ratio < 0, 0, rest));
                                    },
                                    p, q);
        CHECK(to_vector(g) == std::vector<int>{6, 1, 25, 3});
        array<int> table = for_loop(
            4, [](auto i, auto s) { return for_loop(i, [](auto j, auto t) { return t * 2 + j; }, s + i); },
            array<int>{0, 1, -5});
        for (int e = 0; e < 3; ++e) {
            int s = std::vector<int>{0, 1, -5}[static_cast<std::size_t>(e)];
            for (int i = 0; i < 4; ++i) {
                s += i;
                for (int j = 0; j < i; ++j) s = s * 2 + j;
            }
            CHECK(table.item(e) == s);
        }
    });
}

TEST_CASE("a turn's operations mean what they mean outside of loops") {
    on_every_backend([](const tested_backend&) {
        auto same = [](auto f, const auto& x) {
            auto inside = for_loop(1, f, x);
            std::decay_t<decltype(inside)> outside = f(x);
            CHECK(bool(all(inside == outside || (inside != inside && outside != outside))));
        };
        array<int> i = arange(-40, 41).astype<int>();
        same([](auto v) { return (v * 123456789 + v) - v * v; }, i);
        same([](auto v) { return floor_divide(v, 7) + v % 5 - (-v) % 3; }, i);
        same([](auto v) { return ((v << 3) ^ (v >> 1)) | (v & 6); }, i);
        same([](auto v) { return floor(v) + abs(v) * sign(v); }, i);
        same([](auto v) { return where(v > 3 && v < 9, maximum(v, 5), minimum(v * v, 77)); }, i);
        same([](auto v) { return v * std::int8_t(3) + v; }, astype<std::int8_t>(i * 5));
        same([](auto v) { return v * 3 - 7; }, astype<std::uint8_t>(i + 40));
        same([](auto v) { return v - 100; }, astype<std::uint64_t>(i + 40));
        same([](auto v) { return !v || (v && v); }, i % 2 == 0);
        same(
            [](auto v) {
                return astype<float>(astype<int>(v * 3.7f)) + astype<float>(astype<bool>(v)) + pow(v, 2) -
                       pow(v, 3) / v;
            },
            astype<float>(i) / 4.0f);
        same(
            [](auto v) {
                return sqrt(abs(v)) + floor(v) + ceil(v / 3) - hypot(v, 2) * 0 + clip(v, -1, 1) + copysign(v, -v);
            },
            astype<double>(i) / 4);
        same([](auto v) { return v * v / (v + 5) - conj(v) + abs2(v) + real(v); },
             astype<float>(i) * std::complex<float>(0.5f, -1.25f));
        same([](auto v) { return where(real(v) > 0, v, -v) * 2; },
             astype<double>(i) * std::complex<double>(0.5, -1.25));
    });
}

TEST_CASE("what a loop cannot do is said") {
    on_every_backend([](const tested_backend&) {
        array<float> x = arange(5).astype<float>();
        auto below = [](auto v) { return v < 4; };
        CHECK_THROWS_WITH_AS(while_loop([](auto v) { return v < float(v.item(0)); }, [](auto v) { return v + 1; }, x),
                             "[while_loop] the state was read while the loop was recorded: in a condition and a body "
                             "it has no value yet",
                             type_error);
        CHECK_THROWS_WITH_AS(while_loop([](auto a, auto) { return a < 4; },
                                        [](auto a, auto b) { return std::tuple(a + 1, b); }, x, array<int>{1, 2}),
                             "[while_loop] shapes do not broadcast: (5,) and (2,)", shape_error);
        // And nothing of it is left.
        CHECK(to_vector(
                  while_loop(below, [](auto v) { return v + 2.5f; }, x)) == std::vector<float>{5, 6, 4.5f, 5.5f, 4});
    });
}

TEST_CASE("many loops are recorded one after the other without being read") {
    on_every_backend([](const tested_backend&) {
        array<float> x = arange(7).astype<float>();
        for (int k = 0; k < 100; ++k)
            x = while_loop([](auto v) { return v > 0.5f; }, [&](auto v) { return v * 0.5f; },
                           x + static_cast<float>(k));
        float expected = 3;
        for (int k = 0; k < 100; ++k)
            for (expected += static_cast<float>(k); expected > 0.5f;) expected *= 0.5f;
        CHECK(x.item(3) == expected);
    });
}

// Beside numbers drawn in the same kernel the host's compiler vectorises the loop and not what is around it.
TEST_CASE("an integer that each turn of a loop multiplies by itself is the same power on all backends") {
    on_every_backend([](const tested_backend&) {
        const auto drawn = [] {
            random::seed(5);
            return random::integers<int>(-9, 11, {5});
        };
        const std::vector<int> numbers = to_vector(array<int>(drawn()));
        const array<double> y = {1, 1, 1, 1, 1};
        for (int turns : {0, 1, 4, 20, 21}) {
            std::vector<int> expected = numbers;
            for (int& e : expected)
                for (int i = 0; i < turns; ++i)
                    e = static_cast<int>(static_cast<unsigned>(e) * static_cast<unsigned>(e));
            const auto powers = [&](auto square_of) {
                const auto turn = [&](auto, auto s, auto t) { return std::tuple(square_of(s), t + 1); };
                const array<int> result = std::get<0>(for_loop(turns, turn, drawn(), y));
                return to_vector(result);
            };
            CHECK(powers([](auto s) { return s * s; }) == expected);
            CHECK(powers([](auto s) { return square(s); }) == expected);
            CHECK(powers([](auto s) { return abs2(s); }) == expected);
            CHECK(to_vector(astype<int>(vectorize(squared_in_place)(astype<unsigned>(drawn()), turns))) == expected);
            CHECK(to_vector(astype<int>(vectorize(squared_anew)(astype<unsigned>(drawn()), turns))) == expected);
        }
    });
}
