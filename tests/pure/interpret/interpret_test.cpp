// The interpreter against values known from NumPy and against brute force written here.
#include <malloc.h>

#include "support/interpret_value.hpp"

using namespace interpreter_tests;

TEST_CASE("operations read arrays, scalars and broadcasts") {
    graph g;
    std::vector<float> a = {1, 2, 3}, b = {10, 20};
    node_id x = g.add_input(0, dtype::float32, {3}), y = g.add_input(1, dtype::float32, {2, 1});
    node_id r =
        apply_to(g, op::multiply, {apply_to(g, op::add, {x, y}, {2, 3}), g.add_scalar(scalar_value::of(0.5f))}, {2, 3});
    CHECK(value_of<float>(g, r, {a.data(), b.data()}) == std::vector<float>{5.5, 6, 6.5, 10.5, 11, 11.5});
    node_id literals =
        apply_to(g, op::add, {g.add_literal(scalar_value::of(1)), g.add_scalar(scalar_value::of(2))}, {4});
    CHECK(value_of<int>(g, literals) == std::vector<int>{3, 3, 3, 3});
    node_id chosen = apply_to(g, op::where,
                              {apply_to(g, op::greater, {x, g.add_literal(scalar_value::of(1.5f))}, {3}), x,
                               g.add_literal(scalar_value::of(-1.f))},
                              {3});
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
        CHECK(value_of<T>(g, g.add_broadcast(g.add_literal(scalar_value::of(T(7))), {2, 2})) ==
              std::vector<T>(4, T(7)));
    };
    check(std::uint8_t{});
    check(std::int16_t{});
    check(float{});
    check(double{});
    check(std::complex<double>{});
}

TEST_CASE("views of many axes carry through all of them") {
    std::vector<std::int32_t> v = counting<std::int32_t>(2 * 3 * 2 * 3 * 2 * 3);
    graph g;
    node_id x = g.add_input(0, dtype::int32, {2, 3, 2, 3, 2, 3});
    layout l = transposed(contiguous({2, 3, 2, 3, 2, 3}), {5, 3, 1, 4, 2, 0});
    std::vector<std::int32_t> expected;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            for (int c = 0; c < 3; ++c)
                for (int d = 0; d < 8; ++d)
                    expected.push_back(a + 6 * b + 36 * c + 3 * (d / 4) + 18 * (d / 2 % 2) + 108 * (d % 2));
    CHECK(value_of<std::int32_t>(g, g.add_view(x, l), {v.data()}) == expected);
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
                    int at = position == 0   ? (j * 3 + k) * 4 + m
                             : position == 1 ? (k * 3 + j) * 4 + m
                                             : (k * 4 + m) * 3 + j;
                    int first = a[j] < 0 ? a[j] + 2 : a[j];
                    CHECK(result[static_cast<std::size_t>(at)] ==
                          ((first * 3 + k) * 4 + m) * 5 + static_cast<int>(b[j]));
                }
    }
}

TEST_CASE("gather names the index that is out of range") {
    std::vector<float> v = counting<float>(5);
    graph g;
    node_id x = g.add_input(0, dtype::float32, {5}), i = g.add_input(1, dtype::int64, {2});
    node_id r = g.add_gather(x, {&i, 1}, {1, 0});
    std::int64_t high[] = {4, 7}, low[] = {-5, -6};
    CHECK_THROWS_WITH_AS(value_of<float>(g, r, {v.data(), high}),
                         "[take] index 7 is out of bounds for axis 0 with size 5", index_error);
    CHECK_THROWS_WITH_AS(value_of<float>(g, r, {v.data(), low}),
                         "[take] index -6 is out of bounds for axis 0 with size 5", index_error);
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
        std::vector<T> a = uneven<T>(static_cast<std::size_t>(2 * m * k), 1),
                       b = uneven<T>(static_cast<std::size_t>(2 * k * n), 2);
        graph g;
        node_id args[] = {g.add_input(0, dtype_of<T>, {2, m, k}), g.add_input(1, dtype_of<T>, {2, k, n})};
        std::vector<T> result =
            value_of<T>(g, g.add_call(routine::matmul, args, dtype_of<T>, {2, m, n}), {a.data(), b.data()});
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

TEST_CASE("a contraction sums over the last axes, and repeats axes of size one") {
    std::vector<double> a = uneven<double>(2 * 3 * 4 * 5, 1), b = uneven<double>(2 * 7 * 4 * 5, 2);
    graph g;
    // A stack of 2, rows of a alone, columns of b alone; then two axes that are summed over.
    node_id args[] = {g.add_input(0, dtype::float64, {2, 3, 1, 4, 5}), g.add_input(1, dtype::float64, {2, 1, 7, 4, 5})};
    const auto found =
        value_of<double>(g, g.add_call(routine::contract, args, dtype::float64, {2, 3, 7}), {a.data(), b.data()});
    for (std::size_t s = 0; s < 2; ++s)
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 7; ++j) {
                double sum = 0;
                for (std::size_t x = 0; x < 20; ++x) sum += a[(s * 3 + i) * 20 + x] * b[(s * 7 + j) * 20 + x];
                CHECK(found[(s * 3 + i) * 7 + j] == sum);
            }
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

TEST_CASE("20,000 nodes need no stack") {
    graph g;
    node_id v = g.add_input(0, dtype::uint8, {3}), one = g.add_scalar(scalar_value::of(std::uint8_t{1}));
    for (int i = 0; i < 20000; ++i) v = apply_to(g, op::add, {v, one}, {3});
    std::vector<std::uint8_t> in = {5, 12, 19};
    CHECK(value_of<std::uint8_t>(g, v, {in.data()}) ==
          std::vector<std::uint8_t>{(5 + 20000) % 256, (12 + 20000) % 256, (19 + 20000) % 256});
}

TEST_CASE("temporaries are freed after their last use") {
    static std::size_t held;
    auto count_held = [] { return mallinfo2().hblkhd + mallinfo2().uordblks; };
    graph g;
    node_id v = g.add_input(0, dtype::uint8, {1024, 1024}), one = g.add_scalar(scalar_value::of(std::uint8_t{1}));
    for (int i = 0; i < 100; ++i) v = apply_to(g, op::add, {v, one}, {1024, 1024});
    node_id args[] = {v, v};
    g.roots = {g.add_call(routine::matmul, args, dtype::uint8, {1024, 1024})};
    std::vector<std::uint8_t> x(1 << 20), r(1 << 20);
    const void* in[] = {x.data()};
    void* out[] = {r.data()};
    std::size_t before = count_held();
    interpret(g, in, out, [](const graph&, node_id, const void* const*, void*) {
        held = mallinfo2().hblkhd + mallinfo2().uordblks;
    });
    CHECK(held - before < 4 << 20);
}
