// What bodies of loops may do with the arrays that stand for the state: change them, and keep none of them outside.
#include <cstdint>
#include <limits>
#include <sinter/sinter.hpp>
#include <tuple>

#include "support/backends.hpp"

using namespace sinter;
using namespace test_backends;

TEST_CASE("a body may change the arrays that it is given, of single elements and of whole arrays") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{0.5, 1.5, 2.0};
        auto check = [&](auto body, auto condition) {
            const array<double> found = while_loop(condition, body, x);
            array<double> expected = x;
            while (bool(any(array<bool>(condition(expected))))) expected = array<double>(body(expected)).eval();
            CHECK(bool(all(found == expected)));
        };
        auto small = [](const auto& a) { return sum(a) < 100; };
        check(
            [](auto& a) {
                a += 1;
                a *= max(a);
                return a;
            },
            small);
        check(
            [](auto&& a) {
                a(0) = sum(a);
                return a;
            },
            small);
        auto twice = [](auto& a) {
            a += 1;
            a *= 2;
            return a;
        };
        CHECK(bool(all(for_loop(2, twice, x) == 4 * x + 6)));
        auto [y, n] = for_loop(
            3,
            [](auto& i, auto& a, auto& count) {
                i += 1;
                count += i;
                a += sum(a);
                return std::tuple(a, count);
            },
            x, 0);
        CHECK(bool(all(y == x + 84)));
        CHECK(int(n) == 6);
        CHECK(bool(all(x == array<double>{0.5, 1.5, 2.0})));
    });
}

TEST_CASE("the state and what depends on it are refused outside, of single elements too") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{0.5, 1.5, 2.0};
        array<double> kept;
        const char* text =
            "[for_loop] a condition or a body keeps a value of shape (3,) outside that depends on the state: return it "
            "as a part of the state";
        auto keeping = [&](auto keep, auto body) {
            return [&kept, keep, body](auto a) {
                kept = keep(a);
                return body(a);
            };
        };
        auto itself = [](auto a) { return a; };
        auto doubled = [](auto a) { return a * 2; };
        auto moved = [](auto a) { return a + sum(a); };
        CHECK_THROWS_WITH_AS(for_loop(3, keeping(itself, doubled), x), text, type_error);
        CHECK_THROWS_WITH_AS(for_loop(3, keeping(itself, moved), x), text, type_error);
        CHECK_THROWS_WITH_AS(for_loop(3, keeping(doubled, doubled), x), text, type_error);
        CHECK_THROWS_WITH_AS(for_loop(3, keeping(doubled, moved), x), text, type_error);
        auto of_others = [&](auto) { return x * 3; };
        CHECK(bool(all(for_loop(1, keeping(of_others, doubled), x) == x * 2)));
        CHECK(bool(all(kept == x * 3)));
    });
}

TEST_CASE("a number of turns that no int64 holds is refused") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{0.5, 1.5, 2.0};
        auto moved = [](auto a) { return a + sum(a); };
        const std::uint64_t many = std::numeric_limits<std::uint64_t>::max();
        const char* text =
            "[for_loop] a loop over whole arrays has at most 9223372036854775807 turns, not 18446744073709551615";
        CHECK_THROWS_WITH_AS(for_loop(many, moved, x), text, value_error);
        CHECK_THROWS_WITH_AS(for_loop(max(array<std::uint64_t>{many, 1}), moved, x), text, value_error);
    });
}

TEST_CASE("a body of thousands of statements is recorded") {
    const array<double> x{0.5, 1.5, 2.0};
    auto body = [&](array<double> a) {
        array<double> b = a;
        for (int i = 0; i < 3000; ++i) b = b + (i % 1000 == 0 ? array<double>(sum(b) * 0) : a);
        return b;
    };
    CHECK(bool(all(for_loop(2, body, x) == array<double>(body(array<double>(body(x)).eval())))));
}
