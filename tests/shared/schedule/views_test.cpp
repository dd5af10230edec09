// Kernels over views: what is computed from parts of arrays, wherever they begin and whichever way they go, is what is
// computed from copies of them.
#include <functional>
#include <sinter/sinter.hpp>

#include "support/backends.hpp"
#include "support/stored_arrays.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

array<double> dense(const array<double>& x) { return x.copy().eval(); }

/// Elements [at, at + n), the last one first.
slice backwards(std::int64_t at, std::int64_t n) {
    return slice(at + n - 1, at == 0 ? slice::bound() : slice::bound(at - 1), -1);
}

std::int64_t new_kernels() { return counters().kernels_compiled + counters().disk_hits; }

/// What walks over memory in ways of its own, by name.
struct walk {
    const char* name;
    std::function<array<double>(const array<double>&)> of;
};

const std::vector<walk>& walks() {
    static const std::vector<walk> all_of_them = {
        {"map", [](const array<double>& x) { return array<double>(x * x + 1); }},
        {"neighbours",
         [](const array<double>& x) { return array<double>(x(all, slice(1, none)) * 2 - x(all, slice(none, -1))); }},
        {"turned",
         [](const array<double>& x) {
             return array<double>(x.T() + 1.0 * reshape(arange(x.size()), {x.shape(1), x.shape(0)}));
         }},
        {"broadcast",
         [](const array<double>& x) { return array<double>(x - x(slice(0, 1), all) * x(all, slice(0, 1))); }},
        {"sum", [](const array<double>& x) { return array<double>(reshape(sum(x * 0.5), {1})); }},
        {"sum of rows", [](const array<double>& x) { return array<double>(sum(x, 1)); }},
        {"sum of columns", [](const array<double>& x) { return array<double>(sum(x, 0)); }},
        {"largest of rows", [](const array<double>& x) { return astype<double>(argmax(x, 1)); }},
        {"largest of columns", [](const array<double>& x) { return astype<double>(argmax(x, 0)); }},
        {"centred rows", [](const array<double>& x) { return array<double>(x - max(x, 1, keepdims)); }},
        {"running sum of rows", [](const array<double>& x) { return array<double>(cumsum(x, 1)); }},
        {"running sum of columns", [](const array<double>& x) { return array<double>(cumsum(x, 0)); }},
        {"selection", [](const array<double>& x) { return array<double>(x[x > 11.0]); }},
        {"rows by index",
         [](const array<double>& x) { return array<double>(take(x, arange(x.shape(0)) * 7 % x.shape(0) - 1, 0)); }},
        {"columns by index", [](const array<double>& x) { return array<double>(take(x, arange(5) - 2, 1)); }},
    };
    return all_of_them;
}

SINTER_FUNCTION(with_next, (long i, array_view<double, 1> x)->double { return x(i) + 2 * x((i + 1) % x.shape(0)); })

}  // namespace

TEST_CASE("whatever walks over a view reads its elements, backwards as well") {
    on_every_backend([](const tested_backend& b) {
        for (const dims& shape : {dims{7, 6}, dims{263, 131}, dims{5, 9001}}) {
            if (b.is_interpreter() && shape.product() > 50) continue;
            const array<double> x = stored<double>({shape[0] + 3, 2 * shape[1] + 5}, 0.25, -3).eval();
            const slice back(none, none, -1);
            const array<double> views[] = {
                x(slice(3, none), slice(5, none, 2)), x(slice(3, none), slice(4, shape[1] + 4)),
                x(slice(1, shape[0] + 1), slice(none, 4, -2)), x(back, back)(slice(2, -1), slice(shape[1])),
                x.T()(slice(3, shape[1]), slice(none, 1, -1))};
            for (const array<double>& v : views) {
                const array<double> copy = dense(v);
                for (const walk& w : walks()) {
                    CAPTURE(w.name);
                    CAPTURE(to_string(v.shape()));
                    CHECK(values(w.of(v)) == values(w.of(copy)));
                }
            }
        }
    });
}

TEST_CASE("a statement over parts of an array that begin elsewhere is the kernel that it was") {
    on_every_backend([](const tested_backend& b) {
        for (std::int64_t n : {60, 40000}) {
            const array<float> x = stored<float>({n + 24}, 0.5);
            array<float> y = zeros<float>({n + 24}).eval();
            const std::vector<float> all_of_x = values(x);
            std::int64_t made = 0;
            for (int round = 0; round < 3; ++round) {
                for (std::int64_t at : {0, 4, 8, 1, 2, 3, 12, 7, 20, 0}) {
                    const std::int64_t before = new_kernels();
                    y(slice(at, at + n)) = 3 * x(slice(at, at + n)) - x(slice(at + 4, at + 4 + n));
                    const std::vector<float> got = values(y);
                    made += new_kernels() - before;
                    int wrong = 0;
                    for (std::int64_t i = 0; i < n; ++i) {
                        auto e = static_cast<std::size_t>(at + i);
                        wrong += got[e] != 3 * all_of_x[e] - all_of_x[e + 4];
                    }
                    CAPTURE(at);
                    CHECK(wrong == 0);
                }
                // Neighbours that are moved at once by four, by two and alone.
                if (b.compiles()) CHECK(made <= (n < 100 ? 1 : 3));
            }
        }
    });
}

TEST_CASE("steps over parts of arrays that begin elsewhere are replayed with those") {
    on_every_backend([](const tested_backend&) {
        auto body = [](auto a, auto b) {
            array<double> s = a * 2 - b;
            return s + sum(s) + b;
        };
        for (std::int64_t n : {37, 33000}) {
            graph step(body);
            std::vector<array<double>> arrays;
            for (int i = 0; i < 6; ++i) arrays.push_back(stored<double>({n + 20}, 0.125, i).eval());
            for (int round = 0; round < 3; ++round)
                for (std::int64_t at : {0, 4, 1, 2, 16, 7})
                    for (const array<double>& x : arrays) {
                        const array<double> a = x(slice(at, at + n)), c = x(backwards(at, n));
                        CAPTURE(at);
                        REQUIRE(values(array<double>(step(a, c))) == values(array<double>(body(dense(a), dense(c)))));
                    }
        }
    });
}

TEST_CASE("a step that updates a part of an array where the last call updated another is right each time") {
    on_every_backend([](const tested_backend&) {
        const std::int64_t n = 41;
        auto body = [](array<double>& u, std::int64_t at) {
            u(slice(at, at + n)) = u(slice(at + 1, at + 1 + n)) * 0.5 + sum(u(slice(at + 2, at + n)));
        };
        array<double> u = stored<double>({n + 20}, 0.125).eval();
        std::vector<double> same = values(u);
        graph step([&](std::int64_t at) { body(u, at); });
        for (std::int64_t at : {0, 0, 0, 4, 4, 4, 3, 3, 0, 4, 3, 3, 3}) {
            step(at);
            array<double> v = array<double>(detail::store(dtype::float64, {n + 20}, same.data()));
            body(v, at);
            same = values(v);
            REQUIRE(values(u) == same);
        }
    });
}

TEST_CASE("parts of arrays without elements add up to nothing") {
    on_every_backend([](const tested_backend&) {
        const array<double> none_of_five = zeros<double>({0, 5}).eval(), five_of_none = zeros<double>({5, 0}).eval();
        CHECK(values(sum(none_of_five(all, slice(2, none)), 0)) == std::vector<double>(3, 0.0));
        CHECK(values(sum(five_of_none(slice(3, none), all) + 1.0, 1)) == std::vector<double>(2, 0.0));
        CHECK(values(array<double>(cumsum(none_of_five(all, slice(none, none, -1)) * 2, 0))).empty());
        const array<double> x = stored<double>({6}).eval();
        CHECK(values(x(slice(6, none)) * x(slice(3, 3))).empty());
        CHECK(item(sum(x(slice(6, none)))) == 0);
    });
}

TEST_CASE("a part without elements beside one with elements leaves that where it is") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = stored<double>({33, 2, 3}).eval();
        const array<int> index = stored<int>({4}, -1).eval();
        const array<double> part = x(slice(-32, -10, 3), slice(0, none, -1), slice(none, 1, 2));
        array<double> nothing = x(slice(7, 28, -2), index % 2, slice(-2, 1)), c = part * 2;
        eval(nothing, c);
        CHECK(nothing.shape() == dims(0, 4, 0));
        CHECK(values(c) == values(array<double>(dense(part) * 2)));
    });
}

TEST_CASE("sums of nothing are stored where they belong") {
    on_every_backend([](const tested_backend&) {
        const array<double> nothing = zeros<double>({3, 0}).eval();
        array<double> x = stored<double>({7}, 1, 1).eval();
        x(slice(2, 5)) = sum(nothing, 1);
        CHECK(values(x) == std::vector<double>{1, 2, 0, 0, 0, 6, 7});
    });
}

TEST_CASE("an index into a part without elements is refused") {
    on_every_backend([](const tested_backend&) {
        const array<double> nothing = zeros<double>({0, 5}).eval(), part = nothing(all, slice(2, none));
        const array<std::int64_t> some = stored<std::int64_t>({3}).eval(), none_at_all = some(slice(3, none));
        CHECK(values(array<double>(take(part, none_at_all, 0) + 1)).empty());
        CHECK_THROWS_AS(values(array<double>(take(part, some, 0)(all, slice(1, none)) + 1)), index_error);
    });
}

TEST_CASE("functions that read all of an array read all of a part of it, and of the array beside a part") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = stored<double>({50}, 0.5, 1).eval();
        for (std::int64_t at : {0, 3, 4}) {
            const array<double> part = x(slice(at, at + 40)), back = x(backwards(at, 40));
            auto sums = [](const array<double>& of, const array<double>& beside) {
                return values(array<double>(map_index(dims(40), with_next, of) - beside));
            };
            CHECK(sums(part, back) == sums(dense(part), dense(back)));
            CHECK(sums(back, part) == sums(dense(back), dense(part)));
            CHECK(sums(x, part) == sums(x, dense(part)));
        }
    });
}

TEST_CASE("threads that compute several elements of a view compute each of them, and none beside") {
    on_compiling_backends([](const tested_backend&) {
        const std::int64_t n = 1031, m = 1129, total = n * m;  // more than 2^20 of them in each view below
        array<float> x = astype<float>(arange(total) % 8191).eval();
        auto at = [](std::int64_t i) { return static_cast<float>(i % 8191); };
        auto expect = [](const array<float>& got, const std::function<float(std::int64_t)>& of) {
            const std::vector<float> v = to_vector(ravel(got));
            std::int64_t wrong = 0;
            for (std::size_t i = 0; i < v.size(); ++i) wrong += v[i] != of(static_cast<std::int64_t>(i));
            CHECK(wrong == 0);
        };
        expect(x(slice(none, none, -1)) * 2, [&](std::int64_t i) { return 2 * at(total - 1 - i); });
        expect(x(slice(1, none)) + x(slice(none, -1)), [&](std::int64_t i) { return at(i) + at(i + 1); });
        array<float> a = reshape(x, {n, m});
        const auto inner = slice(1, -1);
        expect(a(inner, inner) + 1, [&](std::int64_t i) { return at((i / (m - 2) + 1) * m + i % (m - 2) + 1) + 1; });
        expect(4 * a(inner, inner) - a(slice(2, none), inner) - a(slice(none, -2), inner), [&](std::int64_t i) {
            const std::int64_t k = (i / (m - 2) + 1) * m + i % (m - 2) + 1;
            return 4 * at(k) - at(k + m) - at(k - m);
        });
        array<float> b = reshape(x(slice(0, 97 * 103 * 113)), {97, 103, 113});
        expect(b(slice(none, none, -1), all, slice(none, none, -1)) * 2, [&](std::int64_t i) {
            return 2 * at((96 - i / (103 * 113)) * 103 * 113 + i / 113 % 103 * 113 + 112 - i % 113);
        });
        array<std::int8_t> bytes = astype<std::int8_t>(arange(total) % 101).eval();
        const std::vector<std::int8_t> reversed =
            to_vector(array<std::int8_t>(bytes(slice(none, none, -1)) + std::int8_t(1)));
        std::int64_t wrong = 0;
        for (std::int64_t i = 0; i < total; ++i)
            wrong += reversed[static_cast<std::size_t>(i)] != (total - 1 - i) % 101 + 1;
        CHECK(wrong == 0);
        array<float> c = a.copy();
        c(inner, inner) = a(slice(2, none), inner) - c(inner, inner);
        expect(c, [&](std::int64_t i) {
            const std::int64_t r = i / m, k = i % m;
            return r == 0 || r == n - 1 || k == 0 || k == m - 1 ? at(i) : at(i + m) - at(i);
        });
    });
}

TEST_CASE("channels that lie side by side, few bytes apart, and rows backwards are as their elements say") {
    on_every_backend([](const tested_backend&) {
        constexpr std::int64_t rows = 53, columns = 307;
        auto expect = [&](auto type, std::int64_t channels) {
            using T = decltype(type);
            auto at = [&](std::int64_t i) { return i * 7 % 120 + 1; };
            const array<T> image =
                reshape(astype<T>(arange(rows * columns * channels) * 7 % 120 + 1), {rows, columns, channels}).eval();
            const int last = static_cast<int>(channels) - 1;
            const array<double> x = astype<double>(image(all, all, 0)) - 3.0 * astype<double>(image(all, all, last));
            const array<double> turned = astype<double>(image(0, slice(none, none, -1), 0)) + 1.0;
            const array<double> sums = sum(astype<double>(image(all, all, last)), 1);
            std::int64_t wrong = 0;
            const std::vector<double> v = to_vector(x), w = to_vector(turned), s = to_vector(sums);
            for (std::int64_t i = 0; i < rows * columns; ++i)
                wrong += v[static_cast<std::size_t>(i)] != double(at(i * channels) - 3 * at(i * channels + last));
            for (std::int64_t i = 0; i < columns; ++i)
                wrong += w[static_cast<std::size_t>(i)] != double(at((columns - 1 - i) * channels) + 1);
            for (std::int64_t r = 0; r < rows; ++r) {
                double total = 0;
                for (std::int64_t i = 0; i < columns; ++i) total += double(at((r * columns + i) * channels + last));
                wrong += s[static_cast<std::size_t>(r)] != total;
            }
            CHECK_MESSAGE(wrong == 0, channels, " channels of ", to_string(dtype_of<T>));
        };
        for (std::int64_t channels : {1, 2, 3, 4, 5}) {
            expect(std::uint8_t{}, channels);
            expect(std::int16_t{}, channels);
            expect(float{}, channels);
            expect(double{}, channels);
        }
    });
}

TEST_CASE("repeats of repeats and of their parts are read in one kernel of a GPU") {
    on_every_backend([](const tested_backend& b) {
        if (b.is_interpreter()) return;
        const std::int64_t n = 67, m = 89;
        array<int> x = reshape(astype<int>(arange(n * m)), {n, m}).eval(), y = ones<int>({n * 3, m * 2}).eval();
        auto counted = [&](const auto& e, int launches, auto expected) {
            const auto before = counters().launches;
            array<int> r = array<int>(e).eval();
            if (b.is_cuda()) CHECK(counters().launches == before + static_cast<std::uint64_t>(launches));
            const std::vector<int> values = to_vector(reshape(r, {r.size()}));
            int wrong = 0;
            const std::int64_t width = r.shape()[1];
            for (std::int64_t k = 0; k < r.size(); ++k)
                wrong += values[static_cast<std::size_t>(k)] != expected(k / width, k % width);
            CHECK(wrong == 0);
        };
        auto at = [&](std::int64_t i, std::int64_t j) { return static_cast<int>(i * m + j); };
        auto both = [&](std::int64_t i, std::int64_t j) { return at(i / 3, j / 2); };
        counted(repeat(repeat(x, 3, 0), 2, 1), 1, both);
        counted(repeat(repeat(x, 2, 1), 3, 0), 1, both);
        counted(repeat(repeat(x, 3, 0), 2, 1) + y, 1, [&](auto i, auto j) { return both(i, j) + 1; });
        counted(flip(repeat(repeat(x, 3, 0), 2, 1)), 1,
                [&](auto i, auto j) { return both(n * 3 - 1 - i, m * 2 - 1 - j); });
        counted(tile(repeat(x, 3, 0), {2, 2}), 1, [&](auto i, auto j) { return at(i % (n * 3) / 3, j % m); });
        counted(repeat(tile(x, {3, 1}), 2, 1) * y, 1, [&](auto i, auto j) { return at(i % n, j / 2); });
        counted(repeat(x, 3, 0)(slice(3, 3 * n), slice(1, m)) + 1, 1,
                [&](auto i, auto j) { return at(1 + i / 3, 1 + j) + 1; });
        // Stored first is what is repeated along rows beside an operand that tiles turn, which short rows would keep
        // from it.
        const array<int> z = reshape(astype<int>(arange(m * 2 * n)), {m * 2, n}).eval();
        counted(repeat(x, 2, 1) + z.T(), 2, [&](auto i, auto j) { return at(i, j / 2) + static_cast<int>(j * n + i); });
        // And what begins within a repeated element.
        counted(repeat(x, 3, 0)(slice(1, 3 * n - 2), slice(1, m)) + 1, 2,
                [&](auto i, auto j) { return at((1 + i) / 3, 1 + j) + 1; });
    });
}
