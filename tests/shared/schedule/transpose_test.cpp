// Maps whose operands lie in another order than the result: through tiles on a GPU, with every edge a tile can have.
#include <sinter/sinter.hpp>

#include "support/backends.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

/// 0, 1, 2, … in row-major order as an array in memory.
template <class T>
array<T> numbered(const dims& shape) {
    array<T> a = reshape(astype<T>(arange(shape.product()) % 1021), shape);
    return a.eval();
}

/// How many elements differ from those of the same expression written with whole-number indices.
template <class T, class Expected>
int count_wrong(const array<T>& got, Expected expected) {
    std::vector<T> values = to_vector(got);
    int wrong = 0;
    for (std::size_t i = 0; i < values.size(); ++i) wrong += !(values[i] == expected(static_cast<std::int64_t>(i)));
    return wrong;
}

std::int64_t number(std::int64_t i) { return i % 1021; }

}  // namespace

TEST_CASE_TEMPLATE("a matrix and its transpose are added element by element", T, std::int8_t, float, double,
                   std::complex<double>) {
    on_every_backend([](const tested_backend& b) {
        if (b.is_interpreter()) return;
        for (std::int64_t n : {182, 192, 257}) {
            array<T> x = numbered<T>({n, n});
            const auto before = counters().launches;
            array<T> y = (x + x.T()).eval();
            CHECK(counters().launches == before + 1);
            CHECK(count_wrong(y, [&](std::int64_t i) {
                      std::int64_t sum = number(i) + number(i % n * n + i / n);
                      if constexpr (std::is_same_v<T, std::int8_t>) return T(sum);
                      else return T(double(sum));
                  }) == 0);
        }
    });
}

TEST_CASE("transposed operands meet broadcast ones, positions, masks and other transposed ones") {
    on_every_backend([](const tested_backend& b) {
        if (b.is_interpreter()) return;
        const std::int64_t n = 211, m = 163;
        array<float> x = numbered<float>({n, m}), y = numbered<float>({m, n}), row = numbered<float>({m});
        array<bool> mask = (y > 100).eval();
        array<float> index = random::uniform<float>(0, 1, {n, m});
        array<float> r = where(mask.T(), x * 2 + y.T() * row, y.T() - reshape(row, {1, m})) + index;
        std::vector<float> noise = to_vector(index);
        CHECK(count_wrong(r.eval(), [&](std::int64_t k) {
                  std::int64_t i = k / m, j = k % m;
                  float a = float(number(k)), t = float(number(j * n + i)), v = float(number(j));
                  return (t > 100 ? a * 2 + t * v : t - v) + noise[std::size_t(k)];
              }) == 0);
    });
}

TEST_CASE("any order of the axes of a stack is read through tiles") {
    on_every_backend([](const tested_backend& b) {
        if (b.is_interpreter()) return;
        const std::int64_t d[] = {41, 37, 33};
        array<int> x = numbered<int>({d[0], d[1], d[2]});
        const int orders[][3] = {{0, 2, 1}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}, {1, 0, 2}};
        for (const auto& o : orders) {
            array<int> y = (transpose(x, {o[0], o[1], o[2]}) + 1).eval();
            const std::int64_t s1 = d[o[1]], s2 = d[o[2]];
            CHECK(count_wrong(y, [&](std::int64_t k) {
                      std::int64_t at[3];
                      at[o[0]] = k / (s1 * s2), at[o[1]] = k / s2 % s1, at[o[2]] = k % s2;
                      return int(number((at[0] * d[1] + at[1]) * d[2] + at[2]) + 1);
                  }) == 0);
        }
    });
}

TEST_CASE("tiles are those of their place among any number of other axes, also repeated ones") {
    on_every_backend([](const tested_backend& b) {
        if (b.is_interpreter()) return;
        // Axes in another order, so that none of the others lie side by side.
        for (const dims& d : {dims(3, 45, 2, 70), dims(2, 35, 3, 4, 37), dims(5, 2, 33, 2, 34)}) {
            const int rank = d.size();
            const array<int> x = numbered<int>(d);
            const array<int> y = (swapaxes(swapaxes(x, 0, rank - 2), 1, rank - 1) + 1).eval();
            dims order;
            for (int i = 0; i < rank; ++i) order.push_back(i);
            std::swap(order[0], order[rank - 2]);
            std::swap(order[1], order[rank - 1]);
            const dims at = y.shape();
            CHECK(count_wrong(y, [&](std::int64_t k) {
                      std::int64_t place[8] = {}, n = 0;
                      for (int i = rank; i-- > 0; k /= at[i]) place[order[i]] = k % at[i];
                      for (int i = 0; i < rank; ++i) n = n * d[i] + place[i];
                      return int(number(n) + 1);
                  }) == 0);
        }
        const array<int> z = numbered<int>({70, 28});
        const array<int> repeated = broadcast_to(reshape(transpose(z), {28, 1, 70}), {2, 28, 3, 70}).copy().eval();
        CHECK(count_wrong(repeated, [&](std::int64_t k) { return int(number(k % 70 * 28 + k / 210 % 28)); }) == 0);
    });
}

TEST_CASE("stacks of squares and their transposes are added, whichever axes are exchanged") {
    on_every_backend([](const tested_backend& b) {
        if (b.is_interpreter()) return;
        const std::int64_t few = 3, n = 131;
        auto check = [&](const dims& shape, const dims& order, int p, int q) {
            array<float> x = numbered<float>(shape), y = (2 * x + transpose(x, order)).eval();
            CHECK(count_wrong(y, [&](std::int64_t k) {
                      std::int64_t at[3] = {k / (shape[1] * shape[2]), k / shape[2] % shape[1], k % shape[2]};
                      std::swap(at[p], at[q]);
                      return float(2 * number(k) + number((at[0] * shape[1] + at[1]) * shape[2] + at[2]));
                  }) == 0);
        };
        check({few, n, n}, {0, 2, 1}, 1, 2);
        check({n, few, n}, {2, 1, 0}, 0, 2);
    });
}

TEST_CASE("a part of a transposed matrix is read, and assigned to a part") {
    on_every_backend([](const tested_backend& b) {
        if (b.is_interpreter()) return;
        const std::int64_t n = 300;
        array<double> x = numbered<double>({n, n}), y = zeros({n, n});
        y(slice(1, n), slice(0, n - 3)) = x.T()(slice(0, n - 1), slice(3, n)) * 2;
        CHECK(count_wrong(y.eval(), [&](std::int64_t k) {
                  std::int64_t i = k / n, j = k % n;
                  return i == 0 || j >= n - 3 ? 0.0 : 2.0 * double(number((j + 3) * n + i - 1));
              }) == 0);
    });
}

TEST_CASE("a matrix is replaced by its transpose and itself") {
    on_every_backend([](const tested_backend& b) {
        if (b.is_interpreter()) return;
        const std::int64_t n = 190;
        array<float> x = numbered<float>({n, n});
        x = x - x.T() * 2;
        CHECK(count_wrong(x.eval(), [&](std::int64_t k) {
                  return float(number(k)) - 2 * float(number(k % n * n + k / n));
              }) == 0);
    });
}

SINTER_FUNCTION(wave_or_other, (float x, float y)->float { return exp(x) > y ? sin(x) : y; })

TEST_CASE_TEMPLATE("tiles cut off anywhere hold every element of every size", T, bool, std::int8_t, std::int16_t, half,
                   bfloat16, float, std::int64_t, complex_half, std::complex<float>, std::complex<double>) {
    on_every_backend([](const tested_backend& b) {
        if (b.is_interpreter()) return;
        for (const dims& s : {dims{97, 400}, dims{33, 1023}, dims{385, 193}, dims{49, 1000}, dims{4097, 32},
                              dims{4097, 5}, dims{31, 2000}, dims{1, 40000}, dims{0, 40000}}) {
            array<T> x = reshape(astype<T>(arange(s.product()) % 1021 % (std::is_same_v<T, bool> ? 2 : 127)), s);
            const std::vector<T> values = to_vector(x);
            array<T> y = x.T().copy();
            CAPTURE(s[0]);
            CHECK(count_wrong(y, [&](std::int64_t i) { return values[std::size_t(i % s[0] * s[1] + i / s[0])]; }) == 0);
        }
    });
}

TEST_CASE_TEMPLATE("functions of transposed operands have the bits that they have of copies, in one kernel", T, float,
                   double) {
    on_compiling_backends([](const tested_backend& b) {
        const std::int64_t n = 211, m = 163;
        array<T> x = random::uniform<T>(-3, 3, {m, n}), y = random::uniform<T>(0, 2, {n, m}),
                 row = random::uniform<T>(0, 2, {m});
        eval(x, y, row);
        array<T> straight = x.T().copy();
        straight.eval();
        auto formula = [&](const array<T>& t) {
            return std::pair<array<T>, array<T>>(exp(t) * y - sin(t) * row,
                                                 power(y, t) + cos(T(0.5)) + where(t > 0, log(y), t));
        };
        auto [u, v] = formula(x.T());
        if (b.is_host()) CHECK(explain(u).source().find("transpose(tile") != std::string::npos);
        const auto before = counters().launches;
        eval(u, v);
        CHECK(counters().launches == before + 1);
        auto [p, q] = formula(straight);
        CHECK(array_equal(u, p));
        CHECK(array_equal(v, q));
    });
}

TEST_CASE("users' functions of transposed operands have the bits that they have of copies") {
    on_compiling_backends([](const tested_backend& b) {
        array<float> x = random::uniform<float>(-3, 3, {300, 200}), y = random::uniform<float>(0, 2, {200, 300});
        eval(x, y);
        array<float> straight = x.T().copy();
        straight.eval();
        array<float> u = vectorize(wave_or_other)(x.T(), y);
        if (b.is_host()) CHECK(explain(u).source().find("transpose(tile") != std::string::npos);
        CHECK(array_equal(u, array<float>(vectorize(wave_or_other)(straight, y))));
    });
}

TEST_CASE("two arrays that lie transposed, one of them backwards, meet in a stack") {
    on_every_backend([](const tested_backend& b) {
        if (b.is_interpreter()) return;
        const std::int64_t few = 3, n = 101, m = 130;
        array<int> x = numbered<int>({few, m, n}), y = numbered<int>({few, m, n});
        array<double> z = astype<double>(transpose(x, {0, 2, 1})) - 3 * flip(transpose(y, {0, 2, 1}));
        CHECK(count_wrong(z, [&](std::int64_t k) {
                  const std::int64_t h = k / (n * m), i = k / m % n, j = k % m;
                  return double(number((h * m + j) * n + i) -
                                3 * number(((few - 1 - h) * m + m - 1 - j) * n + n - 1 - i));
              }) == 0);
    });
}

TEST_CASE("quarters of a turn are read through tiles, forwards and backwards, in one kernel") {
    on_every_backend([](const tested_backend& b) {
        if (b.is_interpreter()) return;
        const std::int64_t n = 199, m = 263;
        array<int> x = numbered<int>({n, m}), y = numbered<int>({m, n});
        array<int> left = rot90(x) * 2 + y, right = rot90(x, 3) * 2 + y, both = rot90(x) - 3 * rot90(x, 3);
        if (b.is_cuda())
            for (const array<int>& z : {left, right, both})
                CHECK(explain(z).schedule().find("transposed in shared memory") != std::string::npos);
        eval(left, right, both);
        auto turned_left = [&](std::int64_t k) { return number(k % n * m + m - 1 - k / n); };
        auto turned_right = [&](std::int64_t k) { return number((n - 1 - k % n) * m + k / n); };
        CHECK(count_wrong(left, [&](std::int64_t k) { return int(turned_left(k) * 2 + number(k)); }) == 0);
        CHECK(count_wrong(right, [&](std::int64_t k) { return int(turned_right(k) * 2 + number(k)); }) == 0);
        CHECK(count_wrong(both, [&](std::int64_t k) { return int(turned_left(k) - 3 * turned_right(k)); }) == 0);
    });
}

TEST_CASE("a large reduction of a matrix and its transpose has the bits that it has of a copy") {
    on_every_backend([](const tested_backend& b) {
        if (b.is_interpreter()) return;
        const std::int64_t n = 1031;
        array<float> x = random::generator(5).normal<float>(0, 1, {n, n}).eval(), straight = x.T().copy().eval();
        CHECK(array_equal(array<float>(sum(square(x - x.T()))), array<float>(sum(square(x - straight)))));
        CHECK(array_equal(array<float>(max(abs(x - x.T()))), array<float>(max(abs(x - straight)))));
        CHECK(array_equal(array<float>(sum(x * x.T(), 1)), array<float>(sum(x * straight, 1))));
        CHECK(array_equal(array<double>(sum<double>(flip(x.T()))), array<double>(sum<double>(flip(straight)))));
        const auto before = counters().launches;
        array<float> s = sqrt(sum(square(x - x.T()))).eval();
        CHECK(counters().launches == before + (b.is_cuda() ? 2 : 1));
    });
}

TEST_CASE("what lies across and is repeated is read as it lies, however much is computed from it") {
    on_every_backend([](const tested_backend& b) {
        if (b.is_interpreter()) return;
        const std::int64_t n = 131, m = 257, few = 33;
        array<int> x = numbered<int>({n, few}), y = numbered<int>({few, m});
        auto distances = sum(square(expand_dims(x, 1) - expand_dims(y.T(), 0)), 2);
        const auto before = counters().launches;
        array<int> d = array<int>(distances).eval();
        CHECK(counters().launches == before + 1);
        CHECK(count_wrong(d, [&](std::int64_t k) {
                  int total = 0;
                  for (std::int64_t l = 0; l < few; ++l) {
                      const int by = int(number(k / m * few + l)) - int(number(l * m + k % m));
                      total += by * by;
                  }
                  return total;
              }) == 0);
    });
}

TEST_CASE("repeats are split where that leaves tiles to what lies across, and stored where it would not") {
    on_every_backend([](const tested_backend& b) {
        if (!b.is_cuda()) return;
        const std::int64_t n = 199, m = 263;
        array<int> x = numbered<int>({n, m}), y = numbered<int>({m, 2 * n}), z = numbered<int>({2 * m, n});
        auto launches_of = [&](const auto& e, auto expected) {
            CHECK(explain(e).schedule().find("transposed in shared memory") != std::string::npos);
            const auto before = counters().launches;
            array<int> r = array<int>(e).eval();
            CHECK(count_wrong(r, expected) == 0);
            return counters().launches - before;
        };
        CHECK(launches_of(repeat(x, 2, 0) + y.T(), [&](std::int64_t k) {
                  return int(number(k / m / 2 * m + k % m) + number(k % m * 2 * n + k / m));
              }) == 2);
        CHECK(launches_of(tile(x, {1, 2}) + z.T(), [&](std::int64_t k) {
                  const std::int64_t i = k / (2 * m), j = k % (2 * m);
                  return int(number(i * m + j % m) + number(j * n + i));
              }) == 1);
    });
}
