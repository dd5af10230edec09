// Maps whose operands lie in another order than the result: through tiles on a GPU, with every edge a tile can have.
#include <sinter/sinter.hpp>

#include "../backends.hpp"

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

TEST_CASE_TEMPLATE("a matrix and its transpose are added element by element", T, std::int8_t, float, double, std::complex<double>) {
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
