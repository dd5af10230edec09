// The interpreter against values known from NumPy and against brute force written here.
#include <doctest/doctest.h>
#include <sinter/codegen/interpret.hpp>
#include <sinter/codegen/reduce_tree.hpp>

#include <cmath>
#include <limits>
#include <optional>
#include <random>

using namespace sinter;
using namespace sinter::codegen;

namespace {

node_id apply_to(graph& g, op o, std::initializer_list<node_id> args, const dims& shape) {
    return g.add_apply(o, std::span<const node_id>(args.begin(), args.size()), shape);
}

// The value of one root; elements behind its end must stay untouched.
template <class T>
std::vector<T> value_of(const graph& program, node_id root, std::vector<const void*> inputs = {}) {
    graph g = program;
    g.roots = {root};
    verify(g);
    REQUIRE(size_of(g.nodes[root].type) == static_cast<int>(sizeof(T)));
    std::size_t count = static_cast<std::size_t>(g.nodes[root].shape.product()), bytes = count * sizeof(T);
    std::vector<unsigned char> memory(bytes + 16, 0xA5);
    void* out[] = {memory.data()};
    interpret(g, inputs, out);
    for (std::size_t i = bytes; i < memory.size(); ++i) REQUIRE(memory[i] == 0xA5);
    std::vector<T> result(count);
    for (std::size_t i = 0; i < count; ++i) {
        T element;
        std::memcpy(&element, memory.data() + i * sizeof(T), sizeof(T));
        result[i] = element;
    }
    return result;
}

template <class T>
std::vector<T> counting(std::int64_t n) {
    std::vector<T> v(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<T>(i);
    return v;
}

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
    lane total;
    for (std::size_t start = 0; start < v.size(); start += chunk) {
        lane lanes[8];
        for (std::size_t i = start; i < start + chunk && i < v.size(); ++i) merge(lanes[(i - start) % 8], v[i], f);
        for (int h = 4; h >= 1; h /= 2)
            for (int t = 0; t < h; ++t) merge(lanes[t], lanes[t + h], f);
        merge(total, lanes[0], f);
    }
    return *total;
}

// Values of many magnitudes, so that every other order gives other bits.
template <class T>
std::vector<T> uneven(std::size_t n, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<T> v(n);
    for (T& x : v) x = static_cast<T>(std::ldexp(static_cast<double>(random()) - 2e9, static_cast<int>(random() % 40) - 50));
    return v;
}

double plus(double x, double y) { return x + y; }

template <class T>
T model_of(reduce_tree tree, const std::vector<T>& v) {
    std::vector<double> wide(v.begin(), v.end());
    if (v.empty()) return 0;
    return static_cast<T>(tree == reduce_tree::rows ? model_of_rows(wide, plus) : model_of_columns(wide, plus));
}

const std::size_t lengths[] = {0,    1,    2,    3,    5,    8,    9,     31,           33,         511,         512, 513,
                               1023, 1024, 1025, 4095, 4096, 4097, 12345, 4096 * 5 + 17, 512 * 3 + 5, 4096 * 4 + 2};

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
    CHECK(reduced<double>(reduction::prod, v, {5000}, 1)[0] == model_of_rows(v, [](double x, double y) { return x * y; }));
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

TEST_CASE("reductions over nothing give the identity or say that there is none") {
    std::vector<float> none;
    CHECK(reduced<float>(reduction::sum, none, {0}, 1) == std::vector<float>{0});
    CHECK(reduced<float>(reduction::prod, none, {2, 0}, 2) == std::vector<float>{1, 1});
    CHECK(reduced<float>(reduction::sum, none, {0, 3}, 1) == std::vector<float>{0, 0, 0});
    CHECK(reduced<float>(reduction::max, none, {0, 3}, 2).empty());
    CHECK_THROWS_WITH_AS(reduced<float>(reduction::min, none, {0}, 1), "[min] zero-size array has no identity", value_error);
    CHECK_THROWS_WITH_AS(reduced<std::int64_t>(reduction::argmax, none, {0, 3}, 1),
                         "[argmax] zero-size array has no identity", value_error);
    graph g;
    node_id x = g.add_input(0, dtype::bool_, {0});
    CHECK(value_of<bool>(g, g.add_reduce(reduction::all, x, 1), {nullptr})[0] == true);
    CHECK(value_of<bool>(g, g.add_reduce(reduction::any, x, 1), {nullptr})[0] == false);
}

TEST_CASE("operations read arrays, scalars and broadcasts") {
    graph g;
    std::vector<float> a = {1, 2, 3}, b = {10, 20};
    node_id x = g.add_input(0, dtype::float32, {3}), y = g.add_input(1, dtype::float32, {2, 1});
    node_id r = apply_to(g, op::multiply, {apply_to(g, op::add, {x, y}, {2, 3}), g.add_scalar(scalar_value::of(0.5f))}, {2, 3});
    CHECK(value_of<float>(g, r, {a.data(), b.data()}) == std::vector<float>{5.5, 6, 6.5, 10.5, 11, 11.5});
    node_id literals = apply_to(g, op::add, {g.add_literal(scalar_value::of(1)), g.add_scalar(scalar_value::of(2))}, {4});
    CHECK(value_of<int>(g, literals) == std::vector<int>{3, 3, 3, 3});
    node_id chosen = apply_to(g, op::where, {apply_to(g, op::greater, {x, g.add_literal(scalar_value::of(1.5f))}, {3}), x,
                                             g.add_literal(scalar_value::of(-1.f))}, {3});
    CHECK(value_of<float>(g, chosen, {a.data(), b.data()}) == std::vector<float>{-1, 2, 3});
    CHECK(value_of<int>(g, g.add_cast(chosen, dtype::int32), {a.data(), b.data()}) == std::vector<int>{-1, 2, 3});
}

TEST_CASE("index numbers elements row-major") {
    graph g;
    CHECK(value_of<std::int64_t>(g, g.add_index({2, 3})) == std::vector<std::int64_t>{0, 1, 2, 3, 4, 5});
    CHECK(value_of<std::int64_t>(g, g.add_index({})) == std::vector<std::int64_t>{0});
    CHECK(value_of<std::int64_t>(g, g.add_index({3, 0})).empty());
    CHECK(value_of<double>(g, g.add_empty(dtype::float64, {5})).size() == 5);
}

TEST_CASE("views of every element size read through offsets and strides") {
    auto check = [](auto zero) {
        using T = decltype(zero);
        std::vector<T> v = counting<T>(60);
        graph g;
        node_id x = g.add_input(0, dtype_of<T>, {3, 4, 5});
        layout l = sliced(sliced(transposed(contiguous({3, 4, 5}), {2, 0, 1}), 0, 4, -2, 3), 2, 1, 2, 2);
        std::vector<T> expected;
        for (int i : {4, 2, 0})
            for (int j = 0; j < 3; ++j)
                for (int k : {1, 3}) expected.push_back(v[static_cast<std::size_t>(j * 20 + k * 5 + i)]);
        CHECK(value_of<T>(g, g.add_view(x, l), {v.data()}) == expected);
        CHECK(value_of<T>(g, g.add_broadcast(g.add_literal(scalar_value::of(T(7))), {2, 2})) == std::vector<T>(4, T(7)));
    };
    check(std::uint8_t{});
    check(std::int16_t{});
    check(float{});
    check(double{});
    check(std::complex<double>{});
}

TEST_CASE("gather reads at index arrays, negative ones from the end") {
    std::vector<float> v = counting<float>(12);
    std::int64_t rows[] = {2, -1, 0, -3};
    graph g;
    node_id x = g.add_input(0, dtype::float32, {3, 4}), i = g.add_input(1, dtype::int64, {2, 2});
    std::vector<float> expected;
    for (int r : {2, 2, 0, 0})
        for (int c = 0; c < 4; ++c) expected.push_back(static_cast<float>(4 * r + c));
    CHECK(value_of<float>(g, g.add_gather(x, {&i, 1}, {1, 0}), {v.data(), rows}) == expected);
    std::vector<float> columns;
    for (int r = 0; r < 3; ++r)
        for (int c : {2, 3, 0, 1}) columns.push_back(static_cast<float>(4 * r + c));
    CHECK(value_of<float>(g, g.add_gather(x, {&i, 1}, {2, 1}), {v.data(), rows}) == columns);
}

TEST_CASE("gather takes several index arrays, and their axes stand where asked") {
    std::vector<std::int32_t> v = counting<std::int32_t>(2 * 3 * 4 * 5);
    std::int8_t a[] = {1, -2, 0};
    std::uint32_t b[] = {3, 0, 4};
    graph g;
    node_id x = g.add_input(0, dtype::int32, {2, 3, 4, 5});
    node_id indices[] = {g.add_input(1, dtype::int8, {3}), g.add_input(2, dtype::uint32, {3})};
    for (int position = 0; position <= 2; ++position) {
        node_id r = g.add_gather(x, indices, {0b1001, static_cast<std::uint8_t>(position)});
        std::vector<std::int32_t> result = value_of<std::int32_t>(g, r, {v.data(), a, b});
        REQUIRE(result.size() == 36);
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k)
                for (int m = 0; m < 4; ++m) {
                    int at = position == 0 ? (j * 3 + k) * 4 + m : position == 1 ? (k * 3 + j) * 4 + m : (k * 4 + m) * 3 + j;
                    int first = a[j] < 0 ? a[j] + 2 : a[j];
                    CHECK(result[static_cast<std::size_t>(at)] == ((first * 3 + k) * 4 + m) * 5 + static_cast<int>(b[j]));
                }
    }
}

TEST_CASE("gather names the index that is out of range") {
    std::vector<float> v = counting<float>(5);
    graph g;
    node_id x = g.add_input(0, dtype::float32, {5}), i = g.add_input(1, dtype::int64, {2});
    node_id r = g.add_gather(x, {&i, 1}, {1, 0});
    std::int64_t high[] = {4, 7}, low[] = {-5, -6};
    CHECK_THROWS_WITH_AS(value_of<float>(g, r, {v.data(), high}), "[take] index 7 is out of bounds for axis 0 with size 5",
                         index_error);
    CHECK_THROWS_WITH_AS(value_of<float>(g, r, {v.data(), low}), "[take] index -6 is out of bounds for axis 0 with size 5",
                         index_error);
    graph h;
    node_id base = h.add_input(0, dtype::float32, {5}), at = h.add_input(1, dtype::uint64, {1});
    std::uint64_t huge[] = {~std::uint64_t{0}};
    CHECK_THROWS_WITH_AS(value_of<float>(h, h.add_gather(base, {&at, 1}, {1, 0}), {v.data(), huge}),
                         "[take] index 18446744073709551615 is out of bounds for axis 0 with size 5", index_error);
}

TEST_CASE("update writes at a layout into a copy") {
    std::vector<std::int16_t> v = counting<std::int16_t>(12), w = {70, 71, 72, 73};
    graph g;
    node_id x = g.add_input(0, dtype::int16, {3, 4}), y = g.add_input(1, dtype::int16, {2, 2});
    layout l = sliced(sliced(contiguous({3, 4}), 0, 2, -2, 2), 1, 1, 2, 2);
    CHECK(value_of<std::int16_t>(g, g.add_update(x, y, l), {v.data(), w.data()}) ==
          std::vector<std::int16_t>{0, 72, 2, 73, 4, 5, 6, 7, 8, 70, 10, 71});
    node_id nine = g.add_scalar(scalar_value::of(9.0));
    CHECK(value_of<std::int16_t>(g, g.add_update(x, nine, l), {v.data(), w.data()}) ==
          std::vector<std::int16_t>{0, 9, 2, 9, 4, 5, 6, 7, 8, 9, 10, 9});
    CHECK(v == counting<std::int16_t>(12));
}

TEST_CASE("matmul sums over ascending k") {
    auto check = [](auto zero, std::int64_t m, std::int64_t k, std::int64_t n) {
        using T = decltype(zero);
        using wide = std::conditional_t<std::is_same_v<T, float>, double, T>;
        std::vector<T> a = uneven<T>(static_cast<std::size_t>(2 * m * k), 1), b = uneven<T>(static_cast<std::size_t>(2 * k * n), 2);
        graph g;
        node_id args[] = {g.add_input(0, dtype_of<T>, {2, m, k}), g.add_input(1, dtype_of<T>, {2, k, n})};
        std::vector<T> result = value_of<T>(g, g.add_call(routine::matmul, args, dtype_of<T>, {2, m, n}), {a.data(), b.data()});
        for (std::int64_t s = 0; s < 2; ++s)
            for (std::int64_t i = 0; i < m; ++i)
                for (std::int64_t j = 0; j < n; ++j) {
                    wide sum = 0;
                    for (std::int64_t x = 0; x < k; ++x)
                        sum += wide(a[static_cast<std::size_t>((s * m + i) * k + x)]) *
                               wide(b[static_cast<std::size_t>((s * k + x) * n + j)]);
                    CHECK(result[static_cast<std::size_t>((s * m + i) * n + j)] == static_cast<T>(sum));
                }
    };
    check(float{}, 3, 17, 5);
    check(double{}, 7, 33, 2);
    check(float{}, 1, 0, 3);
    check(std::int64_t{}, 2, 3, 4);
}

TEST_CASE("matmul of complex matrices and of small integers") {
    using c = std::complex<float>;
    c a[] = {{1, 2}, {3, 4}}, b[] = {{5, 6}, {7, 8}};
    graph g;
    node_id args[] = {g.add_input(0, dtype::complex64, {1, 2}), g.add_input(1, dtype::complex64, {2, 1})};
    CHECK(value_of<c>(g, g.add_call(routine::matmul, args, dtype::complex64, {1, 1}), {a, b})[0] == c(-18, 68));
    std::int8_t x[] = {100, 100}, y[] = {2, 3};
    graph h;
    node_id small[] = {h.add_input(0, dtype::int8, {1, 2}), h.add_input(1, dtype::int8, {2, 1})};
    CHECK(value_of<std::int8_t>(h, h.add_call(routine::matmul, small, dtype::int8, {1, 1}), {x, y})[0] == -12);
}

TEST_CASE("a caller can compute library routines itself") {
    graph g;
    node_id args[] = {g.add_input(0, dtype::float32, {1, 1}), g.add_input(0, dtype::float32, {1, 1})};
    g.roots = {g.add_call(routine::matmul, args, dtype::float32, {1, 1})};
    float x = 3, r = 0;
    const void* in[] = {&x};
    void* out[] = {&r};
    interpret(g, in, out, [](const graph&, node_id, const void* const* a, void* to) {
        *static_cast<float*>(to) = -*static_cast<const float*>(a[0]);
    });
    CHECK(r == -3);
}

TEST_CASE("roots may repeat, may be inputs, scalars and literals, and may lie where inputs lie") {
    graph g;
    node_id x = g.add_input(0, dtype::int32, {3}), y = g.add_input(1, dtype::int32, {3});
    node_id s = apply_to(g, op::add, {x, y}, {3}), five = g.add_literal(scalar_value::of(5.0));
    g.roots = {y, x, s, s, five};
    std::vector<int> a = {1, 2, 3}, b = {10, 20, 30}, c(3), d(3);
    double e = 0;
    const void* in[] = {a.data(), b.data()};
    void* out[] = {a.data(), b.data(), c.data(), d.data(), &e};
    interpret(g, in, out);
    CHECK(a == std::vector<int>{10, 20, 30});
    CHECK(b == std::vector<int>{1, 2, 3});
    CHECK(c == std::vector<int>{11, 22, 33});
    CHECK(d == c);
    CHECK(e == 5);
}

TEST_CASE("nodes that no root needs are not evaluated") {
    graph g;
    node_id x = g.add_input(0, dtype::float32, {0});
    g.add_reduce(reduction::min, x, 1);
    CHECK(value_of<float>(g, g.add_literal(scalar_value::of(1.f)))[0] == 1);
}

TEST_CASE("temporaries are freed after their last use and 20,000 nodes need no stack") {
    // Every value is 1 MiB: kept alive they would need 20 GiB.
    graph g;
    node_id v = g.add_input(0, dtype::uint8, {1 << 20}), one = g.add_scalar(scalar_value::of(std::uint8_t{1}));
    layout reversed = sliced(contiguous({1 << 20}), 0, (1 << 20) - 1, -1, 1 << 20);
    for (int i = 0; i < 100; ++i) v = g.add_view(v, reversed);
    node_id small = g.add_view(v, sliced(contiguous({1 << 20}), 0, 5, 7, 3));
    for (int i = 0; i < 20000; ++i) small = apply_to(g, op::add, {small, one}, {3});
    std::vector<std::uint8_t> in = counting<std::uint8_t>(1 << 20);
    CHECK(value_of<std::uint8_t>(g, small, {in.data()}) ==
          std::vector<std::uint8_t>{(5 + 20000) % 256, (12 + 20000) % 256, (19 + 20000) % 256});
}
