// map_index against plain loops: functions that read their neighbours, of any rank and type, fused with what is around.
#include "support/backends.hpp"

#include <sinter/sinter.hpp>

#include <vector>

using namespace sinter;
using namespace test_backends;

namespace {

SINTER_FUNCTION(
    heat, (long i, long j, array_view<float, 2> u, float rate)->float {
        if (i == 0 || j == 0 || i == u.shape(0) - 1 || j == u.shape(1) - 1) return u(i, j);
        return u(i, j) + rate * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - 4 * u(i, j));
    })

SINTER_FUNCTION(
    blurred, (int i, const array_view<double, 1>& x, array_view<std::int64_t, 1> width)->std::tuple<double, int> {
        double sum = 0;
        int count = 0;
        for (long k = max(0L, i - width(i)); k <= i + width(i) && k < x.shape(0); ++k, ++count) sum += x(k);
        return {sum / count, count};
    })

SINTER_FUNCTION(
    turned, (int i, int j, int k, array_view<std::complex<float>, 3> z, int by)->std::complex<float> {
        std::complex<float> a = z(k, (i + by) % z.shape(1), j);
        return a * std::complex<float>(0, 1) + a;
    })

SINTER_FUNCTION(
    product_at, (long i, long j, array_view<float, 2> a, array_view<float, 2> b)->float {
        float sum = 0;
        for (long k = 0; k < a.shape(1); ++k) sum += a(i, k) * b(k, j);
        return sum;
    })

SINTER_FUNCTION(first_of, (long i, array_view<bool, 1> x)->bool { return x(i) != x(0); })
SINTER_FUNCTION(neighbour, (long i, array_view<int, 1> x, int step)->int { return x(i + step); })

std::vector<float> stepped(const std::vector<float>& u, std::size_t rows, std::size_t columns, float rate) {
    std::vector<float> v = u;
    for (std::size_t i = 1; i + 1 < rows; ++i)
        for (std::size_t j = 1; j + 1 < columns; ++j) {
            auto at = [&](std::size_t r, std::size_t c) { return u[r * columns + c]; };
            v[i * columns + j] =
                at(i, j) + rate * (at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1) - 4 * at(i, j));
        }
    return v;
}

}  // namespace

TEST_CASE("a stencil reads its neighbours, step after step") {
    on_every_backend([](const tested_backend&) {
        for (auto [rows, columns] :
             {std::pair(0, 4), std::pair(1, 1), std::pair(3, 33), std::pair(31, 17), std::pair(200, 257)}) {
            array<float> u = reshape(astype<float>(arange(rows * columns) * 7919 % 1000) / 1000.0f, {rows, columns});
            std::vector<float> expected = to_vector(u);
            for (int step = 0; step < 3; ++step) {
                u = map_index(u.shape(), heat, u, 0.125f);
                expected = stepped(expected, static_cast<std::size_t>(rows), static_cast<std::size_t>(columns), 0.125f);
            }
            CHECK(to_vector(u) == expected);
        }
    });
}

TEST_CASE("functions of indices may have several results, any rank and any type") {
    on_every_backend([](const tested_backend&) {
        array<double> x = astype<double>(arange(33)) * 0.75;
        auto [mean, count] = map_index(dims(33), blurred, x, arange(33) % 4);
        for (int i = 0; i < 33; ++i) {
            double sum = 0;
            int n = 0;
            for (int k = std::max(0, i - i % 4); k <= i + i % 4 && k < 33; ++k, ++n) sum += k * 0.75;
            CHECK(mean.item(i) == sum / n);
            CHECK(count.item(i) == n);
        }
        array<std::complex<float>> z = reshape(astype<float>(arange(24)) * std::complex<float>(1, -0.5f), {2, 3, 4});
        array<std::complex<float>> t = map_index({3, 4, 2}, turned, z, 2);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 4; ++j)
                for (int k = 0; k < 2; ++k) {
                    std::complex<float> a = z.item(k, (i + 2) % 3, j);
                    CHECK(t.item(i, j, k) == std::complex<float>(a.real() - a.imag(), a.imag() + a.real()));
                }
        array<float> a = reshape(astype<float>(arange(35)), {5, 7}), b = reshape(astype<float>(arange(21)) - 9, {7, 3});
        CHECK(bool(all(map_index({5, 3}, product_at, a, b) == matmul(a, b))));
        array<bool> flags = arange(31) % 3 == 0;
        CHECK(to_vector(map_index(dims(31), first_of, flags)) == to_vector(arange(31) % 3 != 0));
        CHECK(to_vector(map_index(dims(3), neighbour, array<int>{5, 6, 7, 8}, array<int>{1, 0, -2})) ==
              std::vector<int>{6, 6, 5});
    });
}

TEST_CASE("views, transposes, parts and converted arrays are what a function reads") {
    on_every_backend([](const tested_backend&) {
        array<float> m = reshape(astype<float>(arange(60)), {6, 10});
        array<float> identity =
            map_index({2, 2}, product_at, array<float>{{1, 0}, {0, 1}}, m(slice(1, 3), slice(3, 5)));
        CHECK(bool(all(identity == m(slice(1, 3), slice(3, 5)))));
        array<float> turned_round = map_index({6, 6}, product_at, m, m.T());
        CHECK(bool(all(turned_round == matmul(m, m.T()))));
        CHECK(to_vector(map_index(dims(4), neighbour, arange(10).astype<std::int16_t>()(slice(none, none, 2)), 1)) ==
              std::vector<int>{2, 4, 6, 8});
        CHECK(to_vector(map_index(dims(2), neighbour, full({3}, 7), 1)) == std::vector<int>{7, 7});
        array<int> reshaped = arange(12).astype<int>();
        reshaped.eval();
        CHECK(to_vector(map_index(dims(2), neighbour, reshape(reshaped, {3, 4})(2), 1)) == std::vector<int>{9, 10});
    });
}

TEST_CASE("what a function reads is computed once before, and the rest is one kernel") {
    on_compiling_backends([](const tested_backend&) {
        array<float> u = reshape(astype<float>(arange(64 * 65)), {64, 65});
        u.eval();
        array<float> rate = u * 0 + 0.125f;
        array<float> v = sqrt(abs(map_index(u.shape(), heat, u, rate * 0.5f))) + u;
        CHECK(explain(v).kernels() == 1);
        CHECK(explain(v).bytes_read() == 4 * 64 * 65);
        CHECK(explain(array<float>(map_index(u.shape(), heat, u * 2, 0.5f) + 1)).kernels() == 2);
        array<float> total = sum(map_index(u.shape(), heat, u, 0.125f));
        CHECK(explain(total).kernels() == 1);
        CHECK(explain(map_index({65, 64}, product_at, u.T(), u)).kernels() <= 2);
        eval(v, rate, total);
        auto before = counters();
        for (float r : {0.25f, 0.125f}) map_index(u.shape(), heat, u, r).eval();
        CHECK(counters().kernels_compiled <= before.kernels_compiled + 1);
        CHECK(counters().launches == before.launches + 2);
    });
}

TEST_CASE("an array that is changed afterwards was read before") {
    on_every_backend([](const tested_backend&) {
        array<int> x = arange(1, 33).astype<int>();
        array<int> old = map_index(dims(31), neighbour, x, 1);
        x(slice(0, 16)) = 0;
        x += 1;
        CHECK(to_vector(old) == to_vector((arange(31) + 2).astype<int>()));
        array<int> y = arange(5).astype<int>();
        y(slice(0, 4)) = map_index(dims(4), neighbour, y, 1);
        CHECK(to_vector(y) == std::vector<int>{1, 2, 3, 4, 4});
        y = map_index(dims(4), neighbour, y + 1, 1) - 1;
        CHECK(to_vector(y) == std::vector<int>{2, 3, 4, 4});
    });
}

TEST_CASE("shapes that do not fit are named, and so is an index outside where it is looked at") {
    on_every_backend([](const tested_backend& b) {
        array<float> u = zeros<float>({3, 4});
        CHECK_THROWS_WITH_AS(map_index(dims(3), heat, u, 1), "[map_index] heat takes 2 indices, but the shape is (3,)",
                             shape_error);
        CHECK_THROWS_WITH_AS(map_index({3, 4}, heat, u(0), 1),
                             "[map_index] heat reads an array of 2 axes, but its shape is (4,)", shape_error);
        CHECK_THROWS_WITH_AS(map_index({1, 4}, heat, u, u),
                             "[map_index] elements of shape (3, 4) do not broadcast to (1, 4)", shape_error);
        array<int> x = arange(4).astype<int>();
        const int data[] = {1, 2};
        CHECK_THROWS_WITH_AS(neighbour(0, array_view<int, 1>(data, 2), 2),
                             "[array_view] index (2,) is outside of shape (2,)", index_error);
        if (b.is_interpreter())
            CHECK_THROWS_WITH_AS(map_index(dims(4), neighbour, x, -1).eval(),
                                 "[array_view] index (-1,) is outside of shape (4,)", index_error);
        CHECK_THROWS_WITH_AS(
            while_loop([](auto v) { return v < 3; }, [](auto v) { return map_index(dims(4), neighbour, v, 0); }, x),
            doctest::Contains("the condition of a loop over whole arrays is one bool"), shape_error);
    });
}
