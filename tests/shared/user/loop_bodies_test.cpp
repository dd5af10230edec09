// What bodies of loops may do with the arrays that stand for the state: change them, and keep none of them outside.
#include <cmath>
#include <cstdint>
#include <limits>
#include <sinter/sinter.hpp>
#include <string>
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

TEST_CASE("a body of single elements may nest thousands of operations") {
    const tested_backend interpreter{"interpreter", runtime::backend::interpreter};
    const backend_selection on(interpreter);
    const array<double> x{0.5, 1.5, 2.0}, y{0.25, -1.0, 3.0};
    auto body = [&](array<double> a) {
        array<double> once = a, twice = a;
        for (int i = 0; i < 6000; ++i) once = once * 0.5 + y;
        for (int i = 0; i < 6000; ++i) twice = twice * twice / (twice * twice + 2);
        return array<double>(once + twice);
    };
    array<double> expected = x;
    for (int i = 0; i < 2; ++i) {
        array<double> once = expected, twice = expected;
        for (int k = 0; k < 6000; ++k) once = array<double>(once * 0.5 + y).eval();
        for (int k = 0; k < 6000; ++k) twice = array<double>(twice * twice / (twice * twice + 2)).eval();
        expected = array<double>(once + twice).eval();
    }
    CHECK(bool(all(for_loop(2, body, x) == expected)));
}

TEST_CASE("a body of single elements that reads more numbers than expressions can name is refused") {
    const array<double> x{0.5, 1.5, 2.0};
    auto body = [](array<double> a) {
        for (int i = 0; i < 66000; ++i) a = a + (1 + i);
        return a;
    };
    CHECK_THROWS_WITH_AS(for_loop(2, body, x),
                         "[for_loop] a loop over single elements reads at most 65536 numbers and arrays, those of its "
                         "state among them",
                         value_error);
}

TEST_CASE("a loop whose turn nests a hundred operations of single elements computes what the plain loop does") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{0.5, 1.5, 2.0}, y{0.25, -1.0, 3.0};
        auto more = [&](auto a, auto n) {
            array<double> b = a;
            for (int i = 0; i < 100; ++i) b = b / 2 + y;
            return std::tuple(b, n + 1);
        };
        auto far = [&](auto a, auto n) {
            array<double> b = a;
            for (int i = 0; i < 100; ++i) b = b / 4 + y;
            return abs(b - y) > 0.3 && n < 3;
        };
        auto [found, turns] = while_loop(far, more, x, 0);
        for (int e = 0; e < 3; ++e) {
            double a = x.item(e), v = y.item(e);
            int n = 0;
            for (; n < 3; ++n) {
                double b = a;
                for (int i = 0; i < 100; ++i) b = b / 4 + v;
                if (!(std::abs(b - v) > 0.3)) break;
                for (int i = 0; i < 100; ++i) a = a / 2 + v;
            }
            CHECK(found.item(e) == a);
            CHECK(turns.item(e) == n);
        }
    });
}

TEST_CASE("an element or a row at the number of the turn is written over the last turn's state") {
    on_every_backend([](const tested_backend& b) {
        const array<double> c = sin(astype<double>(arange(4099))), m = reshape(sin(astype<double>(arange(35))), {7, 5});
        eval(c, m);
        const array<double> before = c.copy();
        auto next = [](auto i, auto a) {
            a(i + 1) = a(i) * 0.5 + 1;
            return a;
        };
        auto row = [](auto i, auto a) {
            a(i, all) = a(i, all) * 2 + max(a);
            return a;
        };
        const array<double> found = for_loop(5, next, c), rows = for_loop(7, row, m);
        array<double> expected = c.copy(), of_rows = m.copy();
        for (int i = 0; i < 5; ++i) expected(i + 1) = array<double>(expected(i) * 0.5 + 1);
        for (int i = 0; i < 7; ++i) of_rows(i, all) = array<double>(of_rows(i, all) * 2 + max(of_rows)).eval();
        CHECK(bool(all(found == expected)));
        CHECK(bool(all(rows == of_rows)));
        CHECK(bool(all(c == before)));
        if (!b.compiles()) return;
        const char* copied = "copy before an update";
        CHECK(explain(array<double>(for_loop(1, next, c))).text().find(copied) != std::string::npos);
        CHECK(explain(found).text().find(copied) == std::string::npos);
        CHECK(explain(rows).text().find(copied) == std::string::npos);
    });
}

TEST_CASE("a turn that fails after it has written over the state throws what it would outside") {
    on_every_backend([](const tested_backend&) {
        const array<double> c = sin(astype<double>(arange(33))), before = c.copy();
        auto past_the_end = [](auto i, auto a) {
            a(i) = a(i + 30);
            return a;
        };
        for (int k = 0; k < 2; ++k)
            CHECK_THROWS_AS(to_vector(array<double>(for_loop(9, past_the_end, c))), index_error);
        CHECK(bool(all(c == before)));
        CHECK(bool(for_loop(3, past_the_end, c).item(2) == before.item(32)));
    });
}

TEST_CASE("a loop over whole arrays stands in the body of another, and reads what that one's turn has computed") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = sin(astype<double>(arange(7))) + 2;
        auto check = [&](auto body) {
            array<double> expected = x;
            for (int i = 0; i < 3; ++i) expected = array<double>(body(expected)).eval();
            for (int turns : {3, 3}) CHECK(bool(all(array<double>(for_loop(turns, body, x)) == expected)));
        };
        auto added = [](array<double> v, auto of) {
            return for_loop(2, [&](array<double> w) { return array<double>(w * 0.5 + sum(w * of) * 0.01); }, v);
        };
        check([&](array<double> v) { return added(v, 1.5); });
        check([&](array<double> v) { return array<double>(added(array<double>(v + 1), v) + max(v)); });
        check([&](array<double> v) { return array<double>(added(v, 0.5) - added(array<double>(-v), v)); });
        check([&](array<double> v) {
            return for_loop(2, [&](array<double> w) { return array<double>(added(w, v) + cumsum(w) * 0.1); }, v);
        });
    });
}

TEST_CASE("an inner loop may have several parts, its own condition, and a number of turns that the outer one counts") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{0.5, 1.5, 2.0};
        auto halved = [](auto a, auto most) {
            return while_loop([&](auto v, auto k) { return max(abs(v)) > 0.1 && k < most; },
                              [](auto v, auto k) { return std::tuple(v * 0.5 + sum(v) * 0.01, k + 1); }, a, 0);
        };
        auto body = [&](auto a, auto k) {
            auto [v, n] = halved(array<double>(a + 1), k + 2);
            return std::tuple(array<double>(v + a * 0.5), k + n);
        };
        auto [found, turns] = while_loop([](auto a, auto k) { return max(a) < 50 && k < 12; }, body, x, 0);
        array<double> expected = x;
        int count = 0;
        while (double(max(expected)) < 50 && count < 12) {
            auto [v, n] = body(expected, count);
            expected = array<double>(v).eval();
            count = int(n);
        }
        CHECK(bool(all(found == expected)));
        CHECK(int(turns) == count);
        auto counted = [](auto i, array<double> a) {
            return for_loop(i, [&](array<double> v) { return array<double>(v + cumsum(a) * 0.125); }, a);
        };
        array<double> w = x;
        for (int i = 0; i < 4; ++i) w = array<double>(counted(i, w)).eval();
        CHECK(bool(all(for_loop(4, counted, x) == w)));
    });
}

TEST_CASE("what an inner loop reads on the host, keeps or fails with is thrown through the outer one") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{0.5, 1.5, 2.0};
        array<double> kept;
        auto sums = [](array<double> v) { return array<double>(v + sum(v)); };
        CHECK_THROWS_WITH_AS(for_loop(
                                 2,
                                 [&](array<double> v) {
                                     array<double> w = for_loop(2, sums, v);
                                     return w * double(w.item(0));
                                 },
                                 x),
                             "[for_loop] the state was read while the loop was recorded: in a condition and a body it "
                             "has no value yet",
                             type_error);
        CHECK_THROWS_WITH_AS(for_loop(
                                 2,
                                 [&](array<double> v) {
                                     kept = for_loop(2, sums, v);
                                     return kept * 2;
                                 },
                                 x),
                             "[for_loop] a condition or a body keeps a value of shape (3,) outside that depends on the "
                             "state: return it as a part of the state",
                             type_error);
        auto taken = [](auto p) { return take(p, p + max(p)); };
        const array<std::int64_t> places{0, 1, 2};
        CHECK_THROWS_AS(to_vector(for_loop(2, [&](auto p) { return for_loop(3, taken, p); }, places)), index_error);
        CHECK(bool(all(for_loop(2, [&](array<double> v) { return for_loop(1, sums, v); }, x) == sums(sums(x)))));
    });
}
