// Axes that are too short for a loop of their own: transposed in tiles whose lines lie along several of them, and rows
// that follow each other in one loop.
#include "support/backends.hpp"
#include "support/type_lists.hpp"

#include <complex>
#include <cstdint>
#include <sinter/sinter.hpp>
#include <vector>

using namespace sinter;
using namespace test_backends;

namespace {

template <class T>
array<T> numbers(const dims& shape) {
    return array<T>(reshape(astype<T>(arange<std::int64_t>(shape.product()) * 7919 % 251), shape)).eval();
}

// What a transposition is, element by element.
template <class T>
std::vector<T> transposed_by_hand(const std::vector<T>& x, const dims& shape, const dims& order) {
    const int rank = static_cast<int>(shape.size());
    std::vector<std::int64_t> strides(shape.size(), 1), at(shape.size(), 0);
    for (int i = rank - 1; i-- > 0;) strides[std::size_t(i)] = strides[std::size_t(i) + 1] * shape[i + 1];
    std::vector<T> y;
    for (std::size_t n = 0; n < x.size(); ++n) {
        std::int64_t from = 0;
        for (int i = 0; i < rank; ++i) from += at[std::size_t(i)] * strides[std::size_t(order[i])];
        y.push_back(x[std::size_t(from)]);
        for (int i = rank; i-- > 0 && ++at[std::size_t(i)] == shape[static_cast<int>(order[i])];)
            at[std::size_t(i)] = 0;
    }
    return y;
}

template <class T>
void check_transposed(const dims& shape, const dims& order) {
    CAPTURE(shape);
    CAPTURE(order);
    const array<T> x = numbers<T>(shape);
    const array<T> y = transpose(x, order).copy();
    const std::vector<T> expected = transposed_by_hand(to_vector(x), shape, order);
    CHECK(to_vector(y) == expected);
    const array<T> twice = transpose(x, order) + y;
    std::vector<T> sums;
    for (const T& v : expected) sums.push_back(T(v + v));
    CHECK(to_vector(twice) == sums);
}

template <class T>
void check_transposed_shapes() {
    check_transposed<T>({13, 37, 101}, {2, 1, 0});
    check_transposed<T>({5, 7, 11, 127}, {3, 2, 1, 0});
    check_transposed<T>({3, 17, 19, 31}, {0, 3, 2, 1});
    check_transposed<T>({331, 97}, {1, 0});
    check_transposed<T>({331, 17}, {1, 0});
    check_transposed<T>({2, 331, 29}, {0, 2, 1});
    check_transposed<T>({11, 5, 13, 23}, {0, 2, 1, 3});
    check_transposed<T>({11, 5, 13, 7}, {0, 2, 1, 3});
}

}  // namespace

TEST_CASE("a transposition whose innermost axis is short has each element at its place") {
    on_every_backend([](const tested_backend&) {
        check_transposed_shapes<float>();
        check_transposed_shapes<double>();
        check_transposed_shapes<std::uint8_t>();
        check_transposed_shapes<std::int16_t>();
        check_transposed_shapes<std::complex<float>>();
        check_transposed_shapes<std::complex<double>>();
    });
}

TEST_CASE("a transposed operand meets one that varies along joined axes in another way") {
    on_every_backend([](const tested_backend&) {
        const array<float> x = numbers<float>({13, 37, 101}), row = numbers<float>({13}),
                           line = numbers<float>({37, 1});
        const array<float> y = transpose(x).copy();
        const array<float> by_row = transpose(x) * row + 1.0f, by_line = transpose(x) - line;
        CHECK(to_vector(by_row) == to_vector(array<float>(y * row + 1.0f)));
        CHECK(to_vector(by_line) == to_vector(array<float>(y - line)));
        const array<float> called = exp(transpose(x) * 0.01f) / y, of_copy = exp(y * 0.01f) / y;
        CHECK(array_equal(called, of_copy, {.equal_nan = true}));
    });
}

TEST_CASE("rows of a part are computed alike wherever threads divide them") {
    on_every_backend([](const tested_backend&) {
        for (int n : {1, 2, 7, 8, 9, 11, 12, 13, 31, 33, 97}) {
            CAPTURE(n);
            const int rows = 40009 / n;
            const array<double> x = numbers<double>({rows + 2, n + 3});
            const array<double> y = x(slice(1, -1), slice(2, -1)) * 3.0 - x(slice(1, -1), slice(1, -2));
            const array<std::uint8_t> k = numbers<std::uint8_t>({rows, n + 1});
            const array<std::uint8_t> d = k(all, slice(1, none)) + k(all, slice(none, -1));
            const std::vector<double> from = to_vector(x), to = to_vector(y);
            const std::vector<std::uint8_t> small = to_vector(k), sums = to_vector(d);
            bool equal = to.size() == std::size_t(rows * n) && sums.size() == to.size();
            for (int r = 0; equal && r < rows; ++r)
                for (int i = 0; i < n; ++i) {
                    const std::size_t at = std::size_t((r + 1) * (n + 3) + i), k_at = std::size_t(r * (n + 1) + i);
                    equal = equal && to[std::size_t(r * n + i)] == from[at + 2] * 3.0 - from[at + 1] &&
                            sums[std::size_t(r * n + i)] == std::uint8_t(small[k_at] + small[k_at + 1]);
                }
            CHECK(equal);
        }
    });
}
