// Reductions of the interpreter against a naive model of their order and values known from NumPy.
#include <cmath>
#include <limits>
#include <optional>
#include <sinter/codegen/graph/reduce_tree.hpp>

#include "support/interpret_value.hpp"

using namespace interpreter_tests;

namespace {

template <class R, class T>
std::vector<R> reduced(reduction how, const std::vector<T>& values, const dims& shape, std::uint8_t axes) {
    graph g;
    node_id x = g.add_input(0, dtype_of<T>, shape);
    return value_of<R>(g, g.add_reduce(how, x, axes), {values.data()});
}

// The order of reduce_tree.hpp, once more and naively: lanes that may be missing.
using lane = std::optional<double>;
template <class F>
void merge(lane& x, const lane& y, F f) {
    if (x && y) x = f(*x, *y);
    else if (y) x = y;
}

template <class F>
double model_of_rows(std::vector<double> v, F f) {
    do {
        std::vector<double> next;
        for (std::size_t start = 0; start < v.size(); start += 4096) {
            lane lanes[1024], groups[256];
            for (std::size_t l = 0; l < 1024; ++l)
                for (std::size_t i = start + l; i < start + 4096 && i < v.size(); i += 1024) merge(lanes[l], v[i], f);
            for (int t = 0; t < 256; ++t) {
                lane a = lanes[4 * t], b = lanes[4 * t + 2];
                merge(a, lanes[4 * t + 1], f);
                merge(b, lanes[4 * t + 3], f);
                merge(a, b, f);
                groups[t] = a;
            }
            for (int h = 128; h >= 1; h /= 2)
                for (int t = 0; t < h; ++t) merge(groups[t], groups[t + h], f);
            next.push_back(*groups[0]);
        }
        v = next;
    } while (v.size() > 1);
    return v[0];
}

template <class F>
double model_of_columns(const std::vector<double>& v, F f) {
    std::size_t even = (v.size() + 4095) / 4096, chunk = even <= 512 ? 512 : (even + 7) / 8 * 8;
    lane total, group;
    std::size_t chunks = 0;
    for (std::size_t start = 0; start < v.size(); start += chunk) {
        lane lanes[8];
        for (std::size_t i = start; i < start + chunk && i < v.size(); ++i) merge(lanes[(i - start) % 8], v[i], f);
        for (int h = 4; h >= 1; h /= 2)
            for (int t = 0; t < h; ++t) merge(lanes[t], lanes[t + h], f);
        if (chunks++ % 64 == 0) merge(total, group, f), group.reset();
        merge(group, lanes[0], f);
    }
    merge(total, group, f);
    return *total;
}

double plus(double x, double y) { return x + y; }

template <class T>
T model_of(reduce_tree tree, const std::vector<T>& v) {
    std::vector<double> wide(v.begin(), v.end());
    if (v.empty()) return 0;
    return static_cast<T>(tree == reduce_tree::rows ? model_of_rows(wide, plus) : model_of_columns(wide, plus));
}

const std::size_t lengths[] = {0,           1,           2,    3,    5,    8,    9,    31,   33,    511,
                               512,         513,         1023, 1024, 1025, 4095, 4096, 4097, 12345, 4096 * 5 + 17,
                               512 * 3 + 5, 4096 * 4 + 2};

template <class T>
void check_order() {
    for (std::size_t n : lengths) {
        CAPTURE(n);
        std::int64_t size = static_cast<std::int64_t>(n);
        std::vector<T> v = uneven<T>(2 * n, 7);
        std::vector<T> parts[2][2];
        for (std::size_t i = 0; i < 2 * n; ++i) {
            parts[0][i / (n ? n : 1)].push_back(v[i]);
            parts[1][i % 2].push_back(v[i]);
        }
        auto rows = reduced<T>(reduction::sum, v, {2, size}, 2);
        CHECK(rows[0] == model_of(reduce_tree::rows, parts[0][0]));
        CHECK(rows[1] == model_of(reduce_tree::rows, parts[0][1]));
        auto columns = reduced<T>(reduction::sum, v, {size, 2}, 1);
        CHECK(columns[0] == model_of(reduce_tree::columns, parts[1][0]));
        CHECK(columns[1] == model_of(reduce_tree::columns, parts[1][1]));
    }
}

}  // namespace

TEST_CASE("float64 sums follow the reduction order bit for bit") { check_order<double>(); }
TEST_CASE("float32 sums follow the reduction order bit for bit in float64") { check_order<float>(); }

TEST_CASE("reductions longer than two levels of blocks follow the order") {
    std::vector<double> v = uneven<double>(2 * (4096 * 513 + 3), 3);
    std::vector<double> column;
    for (std::size_t i = 0; i < v.size(); i += 2) column.push_back(v[i]);
    std::int64_t n = static_cast<std::int64_t>(column.size());
    REQUIRE(column_chunk(n) == 520);
    CHECK(reduced<double>(reduction::sum, v, {n, 2}, 1)[0] == model_of(reduce_tree::columns, column));
    std::vector<double> row = uneven<double>(4096 * 4096 + 4097, 4);
    CHECK(reduced<double>(reduction::sum, row, {static_cast<std::int64_t>(row.size())}, 1)[0] ==
          model_of(reduce_tree::rows, row));
}

TEST_CASE("the order of several axes numbers them row-major, and axes of size one do not choose it") {
    std::vector<double> v = uneven<double>(3 * 70 * 50, 5);
    std::vector<double> outer_and_last, first_two;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 50; ++k) outer_and_last.push_back(v[i * 3500 + 11 * 50 + k]);
    for (std::size_t i = 0; i < 210; ++i) first_two.push_back(v[i * 50 + 7]);
    CHECK(reduced<double>(reduction::sum, v, {3, 70, 50}, 0b101)[11] == model_of(reduce_tree::rows, outer_and_last));
    CHECK(reduced<double>(reduction::sum, v, {3, 70, 50}, 0b011)[7] == model_of(reduce_tree::columns, first_two));
    CHECK(reduced<double>(reduction::sum, v, {10500, 1}, 0b01)[0] == model_of(reduce_tree::rows, v));
    CHECK(reduced<double>(reduction::sum, v, {1, 10500}, 0b01) == v);
}

TEST_CASE("products and extrema follow the order too") {
    std::vector<double> v = uneven<double>(5000, 6);
    for (double& x : v) x = 1 + x * 0x1p-60;
    CHECK(reduced<double>(reduction::prod, v, {5000}, 1)[0] ==
          model_of_rows(v, [](double x, double y) { return x * y; }));
    std::vector<double> zeros = {-0.0, 0.0, -0.0};
    CHECK(std::signbit(reduced<double>(reduction::max, zeros, {3}, 1)[0]));
}

TEST_CASE("integer sums wrap in 64 bits and bool sums count") {
    std::vector<std::int8_t> small(1000, 100);
    small[3] = -128;
    CHECK(reduced<std::int64_t>(reduction::sum, small, {1000}, 1)[0] == 99772);
    std::vector<std::int64_t> big = {std::numeric_limits<std::int64_t>::max(), 5, -3};
    CHECK(reduced<std::int64_t>(reduction::sum, big, {3}, 1)[0] == std::numeric_limits<std::int64_t>::min() + 1);
    std::vector<std::uint8_t> bytes(300, 255);
    CHECK(reduced<std::uint64_t>(reduction::sum, bytes, {300}, 1)[0] == 76500);
    graph g;
    bool flags[] = {true, false, true, true, false};
    node_id x = g.add_input(0, dtype::bool_, {5});
    CHECK(value_of<std::int64_t>(g, g.add_reduce(reduction::sum, x, 1), {flags})[0] == 3);
    CHECK(value_of<bool>(g, g.add_reduce(reduction::any, x, 1), {flags})[0] == true);
    CHECK(value_of<bool>(g, g.add_reduce(reduction::all, x, 1), {flags})[0] == false);
    CHECK(value_of<std::int64_t>(g, g.add_reduce(reduction::argmin, x, 1), {flags})[0] == 1);
}

TEST_CASE("complex sums and products are computed in complex128") {
    using c = std::complex<float>;
    std::vector<c> v = {{1, 2}, {3, -1}, {0, 1}};
    CHECK(reduced<c>(reduction::sum, v, {3}, 1)[0] == c(4, 2));
    CHECK(reduced<c>(reduction::prod, v, {3}, 1)[0] == c(-5, 5));
    std::vector<c> tiny = {{1e8f, 0}, {1, 0}, {-1e8f, 0}};
    CHECK(reduced<c>(reduction::sum, tiny, {3}, 1)[0] == c(1, 0));
}

TEST_CASE("extrema propagate NaN and keep small types") {
    std::vector<double> v = {3, -1, NAN, 7};
    CHECK(std::isnan(reduced<double>(reduction::min, v, {4}, 1)[0]));
    CHECK(std::isnan(reduced<double>(reduction::max, v, {4}, 1)[0]));
    CHECK(reduced<double>(reduction::max, v, {2, 2}, 2)[0] == 3);
    std::vector<std::int8_t> small = {5, -128, 127, 0};
    CHECK(reduced<std::int8_t>(reduction::min, small, {4}, 1)[0] == -128);
    CHECK(reduced<std::int8_t>(reduction::max, small, {4}, 1)[0] == 127);
    std::vector<std::uint64_t> large = {1, ~std::uint64_t{0}, 3};
    CHECK(reduced<std::uint64_t>(reduction::max, large, {3}, 1)[0] == ~std::uint64_t{0});
}

TEST_CASE("extrema without NaN leave it out, take the first of equals and give NaN where there is nothing else") {
    std::vector<double> v = {NAN, 3, -1, NAN, 7, NAN};
    CHECK(reduced<double>(reduction::nanmin, v, {6}, 1)[0] == -1);
    CHECK(reduced<double>(reduction::nanmax, v, {6}, 1)[0] == 7);
    CHECK(std::isnan(reduced<double>(reduction::nanmax, v, {6, 1}, 2)[3]));
    std::vector<double> zeros = {NAN, -0.0, 0.0};
    CHECK(std::signbit(reduced<double>(reduction::nanmax, zeros, {3}, 1)[0]));
    std::vector<std::int8_t> small = {5, -128, 127, 0};
    CHECK(reduced<std::int8_t>(reduction::nanmin, small, {4}, 1)[0] == -128);
    CHECK(reduced<std::int8_t>(reduction::nanmax, small, {4}, 1)[0] == 127);
    CHECK_THROWS_WITH_AS(reduced<double>(reduction::nanmax, std::vector<double>{}, {0}, 1),
                         "[nanmax] zero-size array has no identity", value_error);
}

TEST_CASE(
    "squares of distances from the first element, which is a reduction of its own, are added in the order of sums") {
    for (std::int64_t n : {1, 2, 513, 4097, 10'500}) {
        std::vector<double> v, squares;
        for (std::int64_t i = 0; i < n; ++i) v.push_back(1e8 + std::sqrt(static_cast<double>(i * 7 % 1001)));
        for (double x : v) squares.push_back((x - v[0]) * (x - v[0]));
        CHECK(reduced<double>(reduction::first, v, {n}, 1)[0] == v[0]);
        CHECK(reduced<double>(reduction::squares_from_first, v, {n}, 1)[0] == model_of(reduce_tree::rows, squares));
        for (double x : std::vector<double>(v)) v.push_back(-x);
        std::vector<double> down(v.size());
        for (std::size_t i = 0; i < v.size(); ++i) down[i] = v[i % 2 * v.size() / 2 + i / 2];
        CHECK(reduced<double>(reduction::squares_from_first, down, {n, 2}, 1)[1] ==
              model_of(reduce_tree::columns, squares));
        CHECK(reduced<double>(reduction::first, down, {n, 2}, 1)[1] == down[1]);
    }
    CHECK(reduced<double>(reduction::squares_from_first, std::vector<double>{}, {0, 2}, 1) ==
          std::vector<double>{0, 0});
}

TEST_CASE("among equal values argmin and argmax give the lowest index") {
    std::mt19937 random(1);
    for (std::size_t n : lengths) {
        if (n == 0) continue;
        CAPTURE(n);
        std::vector<std::int32_t> v(3 * n);
        for (auto& x : v) x = static_cast<std::int32_t>(random() % 4) - 2;
        auto low = reduced<std::int64_t>(reduction::argmin, v, {static_cast<std::int64_t>(n), 3}, 1);
        auto high = reduced<std::int64_t>(reduction::argmax, v, {3, static_cast<std::int64_t>(n)}, 2);
        for (std::size_t r = 0; r < 3; ++r) {
            std::size_t least = 0, most = 0;
            for (std::size_t i = 0; i < n; ++i) {
                if (v[i * 3 + r] < v[least * 3 + r]) least = i;
                if (v[r * n + i] > v[r * n + most]) most = i;
            }
            CHECK(low[r] == static_cast<std::int64_t>(least));
            CHECK(high[r] == static_cast<std::int64_t>(most));
        }
    }
}

TEST_CASE("argmin and argmax stop at the first NaN") {
    std::vector<float> v(5000, 1.f);
    v[10] = -5, v[20] = 5;
    v[4999] = v[3000] = v[1025] = NAN;
    CHECK(reduced<std::int64_t>(reduction::argmin, v, {5000}, 1)[0] == 1025);
    CHECK(reduced<std::int64_t>(reduction::argmax, v, {5000}, 1)[0] == 1025);
    CHECK(reduced<std::int64_t>(reduction::argmax, v, {100, 50}, 0b11)[0] == 1025);
}

TEST_CASE("positions without NaN are those of the first best number, and of the first NaN where there is no other") {
    std::vector<float> v(5000, NAN);
    v[1300] = v[2000] = -5, v[700] = v[4999] = 5;
    CHECK(reduced<std::int64_t>(reduction::nanargmin, v, {5000}, 1)[0] == 1300);
    CHECK(reduced<std::int64_t>(reduction::nanargmax, v, {5000}, 1)[0] == 700);
    CHECK(reduced<std::int64_t>(reduction::nanargmax, v, {1000, 5}, 1)[4] == 999);
    CHECK(reduced<std::int64_t>(reduction::nanargmin, v, {1000, 5}, 2)[3] == 0);
    std::vector<std::int32_t> whole = {3, -1, 7, -1};
    CHECK(reduced<std::int64_t>(reduction::nanargmin, whole, {4}, 1)[0] == 1);
}

TEST_CASE("reductions over nothing give the identity or say that there is none") {
    std::vector<float> none;
    CHECK(reduced<float>(reduction::sum, none, {0}, 1) == std::vector<float>{0});
    CHECK(reduced<float>(reduction::prod, none, {2, 0}, 2) == std::vector<float>{1, 1});
    CHECK(reduced<float>(reduction::sum, none, {0, 3}, 1) == std::vector<float>{0, 0, 0});
    CHECK(reduced<float>(reduction::max, none, {0, 3}, 2).empty());
    CHECK_THROWS_WITH_AS(reduced<float>(reduction::min, none, {0}, 1), "[min] zero-size array has no identity",
                         value_error);
    CHECK_THROWS_WITH_AS(reduced<std::int64_t>(reduction::argmax, none, {0, 3}, 1),
                         "[argmax] zero-size array has no identity", value_error);
    graph g;
    node_id x = g.add_input(0, dtype::bool_, {0});
    CHECK(value_of<bool>(g, g.add_reduce(reduction::all, x, 1), {nullptr})[0] == true);
    CHECK(value_of<bool>(g, g.add_reduce(reduction::any, x, 1), {nullptr})[0] == false);
}
