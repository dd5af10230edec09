// eval of several values, out into existing memory, and synchronize.
#include <array>
#include <list>
#include <map>
#include <sinter/sinter.hpp>

#include "support/backends.hpp"
#include "support/stored_arrays.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

struct inner_state {
    array<double> pressure;
    std::string name;
};

struct state {
    array<float> u;
    double time;
    inner_state inside;
    std::vector<array<float>> history;
    std::tuple<array<int>, int> pair;
};

template <class Body>
std::int64_t launches_of(Body body) {
    std::int64_t before = counters().launches;
    body();
    return counters().launches - before;
}

}  // namespace

TEST_CASE("eval computes ranges, tuples and structures of arrays together") {
    on_compiling_backends([](const tested_backend&) {
        const array<float> x = stored<float>({33});
        std::vector<array<float>> v{x * 2, x * 3};
        std::array<array<float>, 2> a{x * 4, x * 5};
        std::list<array<float>> l{x * 6};
        std::map<int, array<float>> m{{7, x * 7}};
        CHECK(launches_of([&] { eval(v, a, l, m, x * 8); }) == 1);
        CHECK(launches_of([&] {
                  CHECK(values(v[1])[5] == 3 * values(x)[5]);
                  CHECK(values(a[0])[5] == 4 * values(x)[5]);
                  CHECK(values(l.front())[5] == 6 * values(x)[5]);
                  CHECK(values(m[7])[5] == 7 * values(x)[5]);
              }) == 0);

        const array<double> y = stored<double>({33});
        const array<int> z = stored<int>({33});
        state s{x + 1, 0.5, {y + 2, "p"}, {x + 3, x + 4}, {z + 5, 1}};
        const state& constant = s;
        CHECK(launches_of([&] { eval(constant, std::tuple(x + 6)); }) <= 3);
        CHECK(launches_of([&] {
                  CHECK(values(s.u)[32] == values(x)[32] + 1);
                  CHECK(values(s.inside.pressure)[32] == values(y)[32] + 2);
                  CHECK(values(s.history[1])[32] == values(x)[32] + 4);
                  CHECK(values(std::get<0>(s.pair))[32] == values(z)[32] + 5);
              }) == 0);
        eval(std::vector<array<float>>{});
        eval(std::vector<array<double>>{y, y, y});
    });
}

TEST_CASE("synchronize computes everything that is pending and named") {
    on_compiling_backends([](const tested_backend&) {
        array<float> x = stored<float>({1023}), y = x + 1, z = sum(y * 2);
        { array<float> dropped = x - 1; }
        CHECK(launches_of([] { synchronize(); }) <= 2);
        CHECK(launches_of([&] {
                  CHECK(values(y)[3] == values(x)[3] + 1);
                  z.item();
              }) == 0);
    });
}

TEST_CASE("a result is computed into existing memory, whose address stays") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t n : {1, 2, 31, 33, 4097}) {
            const array<float> x = stored<float>({n}, 0.5);
            array<float> y = stored<float>({n});
            const std::vector<float> a = values(x), b = values(y);
            const float* address = y.data();
            out(y) = x * 2 + y;
            CHECK(y.data() == address);
            std::vector<float> want(a.size());
            for (std::size_t i = 0; i < a.size(); ++i) want[i] = a[i] * 2 + b[i];
            CHECK(values(y) == want);
            out(y) = 7;
            CHECK(y.data() == address);
            CHECK(values(y) == std::vector<float>(a.size(), 7));
            array<float> pending = y + 1;
            out(y) = x;
            CHECK(y.data() == address);
            CHECK(values(y) == a);
            CHECK(values(pending) == std::vector<float>(a.size(), 8));
            out(y) = arange<int>(n);
            CHECK(values(y)[a.size() - 1] == static_cast<float>(n - 1));
        }
        array<double> none = zeros({0, 3});
        out(none) = 1;
        CHECK(none.shape() == dims(0, 3));
    });
}

TEST_CASE("what shares the memory that a result is computed into keeps its contents") {
    on_every_backend([](const tested_backend&) {
        const std::int64_t n = 1023;
        array<int> y = stored<int>({n});
        const std::vector<int> old = values(y);
        const array<int> alias = y, reversed = flip(y), part = std::as_const(y)(slice(10, 20));
        auto formula = y * 3;
        out(y) = y + flip(y) * 2 + y(slice(none, none, -1));
        std::vector<int> want(old.size());
        for (std::size_t i = 0; i < old.size(); ++i) want[i] = old[i] + 3 * old[old.size() - 1 - i];
        CHECK(values(y) == want);
        CHECK(values(alias) == old);
        CHECK(values(reversed) == std::vector<int>(old.rbegin(), old.rend()));
        CHECK(values(part) == std::vector<int>(old.begin() + 10, old.begin() + 20));
        CHECK(values(array<int>(formula))[7] == 3 * old[7]);
        for (int i = 0; i < 3; ++i) out(y) = flip(y) + 1;
        for (std::size_t i = 0; i < old.size(); ++i) want[i] += 3;
        CHECK(values(y) == std::vector<int>(want.rbegin(), want.rend()));

        array<int> row = std::as_const(alias)(slice(5, 8));
        row.eval();
        out(row) = -1;
        CHECK(values(row) == std::vector<int>{-1, -1, -1});
        CHECK(values(alias) == old);
    });
}

TEST_CASE("what is computed from numbers alone and waits keeps what it was made from when that memory is written") {
    on_every_backend([](const tested_backend&) {
        for (const std::int64_t n : {1, 7, 1031}) {
            array<double> b = arange<double>(n) * 2 - 0.5;
            const array<double> a = b + 1, view = b(slice(none, none, -1));
            out(b) = cumsum(a) + b;
            const array<double> old = arange<double>(n) * 2 - 0.5;
            CHECK(array_equal(a, old + 1));
            CHECK(array_equal(view, old(slice(none, none, -1))));
            CHECK(array_equal(b, cumsum(old + 1) + old));
        }
        array<double> b = arange<double>(3) * 2;
        const array<double> a = b + 1;
        const double* const address = b.data();
        out(b) = a * 10;
        CHECK(b.data() == address);
        CHECK(to_vector(a) == std::vector<double>{1, 3, 5});
        CHECK(to_vector(b) == std::vector<double>{10, 30, 50});
        const array<double> late = b + 1, alias = b;
        CHECK_THROWS_AS(out(b) = a, value_error);
        CHECK(to_vector(late) == std::vector<double>{11, 31, 51});
    });
}

TEST_CASE("a view is written into memory of its own, whatever was read before and what it is a view of stays") {
    on_every_backend([](const tested_backend&) {
        for (bool is_read : {false, true}) {
            array<double> b{{1, 2}, {3, 4}}, c = b * 2, d = c.T();
            if (is_read) eval(c);
            out(d) = d + 1;
            CHECK(to_vector(d) == std::vector<double>{3, 7, 5, 9});
            CHECK(to_vector(c) == std::vector<double>{2, 4, 6, 8});
            out(d) = d.T();
            CHECK(to_vector(d) == std::vector<double>{3, 5, 7, 9});
            array<double> backwards = c(all, slice(none, none, -1)), twin = backwards, row = c(1);
            if (is_read) eval(backwards, row);
            out(backwards) = 1;
            out(row) = row * 10;
            CHECK(to_vector(backwards) == std::vector<double>{1, 1, 1, 1});
            CHECK(to_vector(twin) == std::vector<double>{4, 2, 8, 6});
            CHECK(to_vector(row) == std::vector<double>{60, 80});
            CHECK(to_vector(c) == std::vector<double>{2, 4, 6, 8});
            array<double> spread = broadcast_to(b(0), {3, 2});
            if (is_read) eval(spread);
            out(spread) = reshape(arange<double>(6), {3, 2});
            CHECK(to_vector(spread) == std::vector<double>{0, 1, 2, 3, 4, 5});
            CHECK(to_vector(b) == std::vector<double>{1, 2, 3, 4});
        }
    });
}

TEST_CASE("memory that a result cannot be computed into is refused, and nothing changes") {
    on_every_backend([](const tested_backend&) {
        array<float> y{1, 2, 3};
        CHECK_THROWS_WITH_AS(out(y) = zeros<float>({4}),
                             "[out] an expression of shape (4,) does not fit an array of shape (3,)", shape_error);
        const array<float> alias = y;
        alias.data();
        CHECK_THROWS_WITH_AS(out(y) = 5,
                             "[out] the array's memory is shared and its address given away, so that nothing can move: "
                             "write a = a.copy() first, or a = e",
                             value_error);
        array<float> every_second = stored<float>({10})(slice(none, none, 2));
        every_second.eval();
        every_second.data();
        CHECK_THROWS_WITH_AS(out(every_second) = 5, doctest::Contains("write a = a.copy() first"), value_error);
        array<std::uint8_t> small{1};
        CHECK_THROWS_WITH_AS(out(small) = 300, doctest::Contains("300"), value_error);
        CHECK(values(y) == std::vector<float>{1, 2, 3});
        CHECK(values(small) == std::vector<std::uint8_t>{1});
    });
}
