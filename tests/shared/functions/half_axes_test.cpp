// Reductions, scans, order and products of half precision on every backend, against sums in float64 that are rounded at
// the end.
#include "support/backends.hpp"

#include <sinter/sinter.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace sinter;
using namespace test_backends;

namespace {

template <class T>
array<T> numbers(const dims& shape, double scale = 1) {
    std::vector<T> v(static_cast<std::size_t>(shape.product()));
    std::uint64_t state = 77;
    for (T& x : v) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        x = T((static_cast<double>(state >> 40) / double(1 << 23) - 1) * scale);
    }
    return asarray(v, shape);
}

// Numbers of the type between two, the sum in float32 having one rounding of its own.
template <class T>
int steps_between(T a, T b) {
    auto place = [](T v) { return v.bits() & 0x8000 ? -(v.bits() & 0x7fff) : v.bits() & 0x7fff; };
    return a != a && b != b ? 0 : std::abs(place(a) - place(b));
}

template <class T>
void check_near(const char* what, const array<T>& got, const array<double>& expected, int steps = 1) {
    CAPTURE(what);
    REQUIRE(got.shape() == expected.shape());
    const std::vector<T> g = to_vector(got);
    const std::vector<double> e = to_vector(expected);
    int worst = 0;
    for (std::size_t i = 0; i < g.size(); ++i) worst = std::max(worst, steps_between(g[i], T(e[i])));
    CHECK(worst <= steps);
}

template <class Body>
void for_both(Body body) {
    on_every_backend([&](const tested_backend& b) {
        body.template operator()<half>(b);
        body.template operator()<bfloat16>(b);
    });
}

}  // namespace

TEST_CASE("sums, means and variances of half precision accumulate in more digits and round once") {
    for_both([]<class T>(const tested_backend&) {
        CHECK(double(sum(ones<T>({5000}))) == double(T(5000)));
        CHECK(double(mean(full({70000}, T(3)))) == 3);
        for (const dims& shape : {dims(1), dims(31), dims(33, 5), dims(5, 1000), dims(3, 8, 129), dims(20000)}) {
            if (!is_full() && (shape.product() == 31 || (shape.size() == 2 && dtype_of<T> == dtype::bfloat16)))
                continue;
            array<T> x = numbers<T>(shape);
            array<double> w = astype<double>(x);
            CAPTURE(to_string(shape));
            check_near<T>("sum", sum(x), sum(w));
            check_near<T>("sum of rows", sum(x, -1), sum(w, -1));
            check_near<T>("sum of columns", sum(x, 0), sum(w, 0));
            check_near<T>("prod", prod(x + 1.5, -1), prod(astype<double>(array<T>(x + 1.5)), -1));
            check_near<T>("mean", mean(x, 0, keepdims), mean(w, 0, keepdims));
            check_near<T>("var", var(x), var(w));
            check_near<T>("stddev", stddev(x, -1), stddev(w, -1));
            check_near<T>("min", min(x, 0), min(w, 0), 0);
            check_near<T>("max", max(x), max(w), 0);
            check_near<T>("cumsum", cumsum(x, -1), cumsum(w, -1));
            check_near<T>("cummax", cummax(x, 0), cummax(w, 0), 0);
            check_near<T>("reversed sum", sum(flip(x), -1), sum(flip(w), -1));
            CHECK(to_vector(argmax(x, 0)) == to_vector(argmax(w, 0)));
            CHECK(argmin(x).item() == argmin(w).item());
            CHECK(count_nonzero(x > 0).item() == count_nonzero(w > 0).item());
        }
        CHECK(bool(any(array<T>{0, 0.5})));
        CHECK_FALSE(bool(all(array<T>{0, 0.5})));
        CHECK(double(sum(zeros<T>({0}))) == 0);
        CHECK_THROWS_AS(max(zeros<T>({0})).eval(), value_error);
    });
}

TEST_CASE("a softmax of half precision is one kernel that reads and writes two bytes an element") {
    for_both([]<class T>(const tested_backend& b) {
        array<T> x = numbers<T>({40, 64}, 4).eval();
        auto softmax = [](const auto& v) {
            auto e = exp(v - max(v, 1, keepdims));
            return e / sum(e, 1, keepdims);
        };
        array<T> y = softmax(x);
        if (b.compiles()) {
            CHECK(explain(y).kernels() == 1);
            CHECK(explain(y).bytes_written() == 2 * x.size());
        }
        check_near<T>("softmax", y, softmax(astype<double>(x)), 8);
    });
}

TEST_CASE("half precision is sorted, searched and counted like other numbers") {
    for_both([]<class T>(const tested_backend&) {
        array<T> x = numbers<T>({300});
        x(7) = std::numeric_limits<T>::quiet_NaN();
        x(9) = -std::numeric_limits<T>::infinity();
        array<float> w = x;
        auto same = [](const auto& got, const auto& expected) { test::assert_array_equal(got, expected); };
        same(sort(x), sort(w));
        same(argsort(x), argsort(w));
        same(sort(reshape(x, {20, 15}), 0), sort(reshape(w, {20, 15}), 0));
        auto [values, at] = topk(x(slice(10, none)), 5);
        auto [wide_values, wide_at] = topk(w(slice(10, none)), 5);
        same(values, wide_values);
        same(at, wide_at);
        array<T> few = floor(x * 4);
        same(unique(few), unique(astype<float>(few)));
        array<T> sorted = sort(x);
        same(searchsorted(sorted, x), searchsorted(astype<float>(sorted), w));
        same(median(x(slice(10, 21))), median(w(slice(10, 21))));
        array<T> sums = zeros<T>({3});
        scatter_add(sums, array<std::int64_t>{0, 2, 0, 2, 2}, array<T>{1, 2, 3, 4, 0.5});
        CHECK(to_vector(sums) == std::vector<T>{4, 0, 6.5});
        scatter_max(sums, array<std::int64_t>{1, 2}, array<T>{5, 1});
        CHECK(to_vector(sums) == std::vector<T>{4, 5, 6.5});
    });
}

TEST_CASE("products of half precision sum in float32 and round once") {
    for_both([]<class T>(const tested_backend& b) {
        auto check = [&](const char* what, auto product, const dims& left, const dims& right) {
            array<T> x = numbers<T>(left).eval(), y = numbers<T>(right).eval();
            check_near<T>(what, product(x, y), product(astype<double>(x), astype<double>(y)), 1);
        };
        auto multiply = [](const auto& x, const auto& y) { return matmul(x, y); };
        check("1x1", multiply, {1, 1}, {1, 1});
        check("31x33", multiply, {31, 33}, {33, 1});
        check("33x64", multiply, {33, 64}, {64, 31});
        check("stack", multiply, {3, 5, 7}, {3, 7, 4});
        check("broadcast", multiply, {2, 1, 5, 7}, {3, 7, 4});
        check("long sums", multiply, {3, 2000}, {2000, 4});
        check("vector", multiply, {40}, {40, 3});
        check("of a vector", multiply, {3, 1000}, {1000});
        check("vectors", multiply, {3000}, {3000});
        check("transposed", [](const auto& x, const auto& y) { return matmul(x.T(), y.T()); }, {9, 5}, {6, 9});
        check("sliced",
              [](const auto& x, const auto& y) { return matmul(x(slice(1, none, 2)), y(all, slice(none, none, -1))); },
              {9, 5}, {5, 6});
        check("dot", [](const auto& x, const auto& y) { return dot(x, y); }, {2, 3, 4}, {4, 5});
        check("tensordot", [](const auto& x, const auto& y) { return tensordot(x, y); }, {2, 3, 4}, {3, 4, 5});
        check("einsum", [](const auto& x, const auto& y) { return einsum("ij,kj->ik", x, y); }, {8, 50}, {6, 50});
        check("einsum of a batch", [](const auto& x, const auto& y) { return einsum("bi,bi->b", x, y); }, {8, 50},
              {8, 50});
        check("inner", [](const auto& x, const auto& y) { return inner(x, y); }, {8, 50}, {6, 50});
        check("outer", [](const auto& x, const auto& y) { return outer(x, y); }, {8}, {6});
        CHECK(to_vector(matmul(zeros<T>({2, 0}), zeros<T>({0, 1}))) == std::vector<T>{0, 0});
        CHECK(matmul(zeros<T>({2, 3}), zeros<float>({3, 1})).dtype() == dtype::float32);
        // A vector's products would each be rounded, and their sums too.
        CHECK(double(dot(full({5000}, T(1)), full({5000}, T(1)))) == double(T(5000)));
        CHECK_THROWS_WITH_AS(matmul(zeros<T>({2, 3}), zeros<T>({2, 3})),
                             "[matmul] inner dimensions differ: (2, 3) x (2, 3)", shape_error);
        if (b.is_interpreter()) return;
        array<T> m = numbers<T>({16, 16}).eval();
        explanation e = explain(array<T>(matmul(m, m)));
        CHECK(e.library_calls() == 1);
        // A GPU's library takes the matrices as they are.
        if (b.is_cuda()) CHECK(e.kernels() == 0);
    });
}

TEST_CASE("transforms, which have no bfloat16, say so") {
    on_every_backend([](const tested_backend&) {
        const detail::handle x = detail::as_handle(zeros<bfloat16>({4, 4}));
        CHECK_THROWS_WITH_AS(detail::record_fourier({"fft"}, x, std::nullopt, 0),
                             "[fft] there are no transforms of bfloat16: convert to float32 first", type_error);
    });
}

TEST_CASE("norms, powers and products of several matrices take half precision, and say so where they need LAPACK") {
    for_both([]<class T>(const tested_backend&) {
        array<T> x = reshape(array<T>{3, -4, 0, 12, 2, -1}, {2, 3}), a = reshape(array<T>{1, 2, -1, 0.5}, {2, 2});
        CHECK(float(linalg::norm(array<T>{3, -4, 12})) == 13);
        CHECK(to_vector(linalg::norm(x, none, 1)) == std::vector<T>{5, T(std::sqrt(149.0f))});
        CHECK(to_vector(linalg::norm(x, constants::inf, 0)) == std::vector<T>{12, 4, 1});
        CHECK(float(linalg::norm(x, 1)) == 15);
        CHECK(to_vector(ravel(linalg::matrix_power(a, 3))) == to_vector(ravel(matmul(matmul(a, a), a))));
        CHECK(to_vector(ravel(linalg::multi_dot(a, a, x))) == to_vector(ravel(matmul(matmul(a, a), x))));
        const std::string name(to_string(dtype_of<T>)),
            why = name + " has no inverses and singular values: convert with astype<float>()";
        CHECK_THROWS_WITH_AS(linalg::norm(x, 2), ("[norm] " + why).c_str(), type_error);
        CHECK_THROWS_WITH_AS(linalg::norm(x, "nuc"), ("[norm] " + why).c_str(), type_error);
        CHECK_THROWS_WITH_AS(linalg::matrix_power(a, -1), ("[matrix_power] " + why).c_str(), type_error);
    });
}
