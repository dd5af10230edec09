// Sums over a few elements of outer products, which become additions where they are read: the bits of the sums of what
// was stored first.
#include "support/backends.hpp"
#include "support/rows.hpp"

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <sinter/sinter.hpp>
#include <vector>

using namespace sinter;
using namespace test_backends;

namespace {

template <class T>
array<T> points(const dims& shape, int first) {
    array<T> x = astype<T>((arange<std::int64_t>(shape.product()) * 7919 + first) % 251 - 125);
    if constexpr (!std::is_integral_v<T>) x = x * T(0.37f) + T(1.0e-3f);
    return array<T>(reshape(x, shape)).eval();
}

template <class T>
bool has_bits(const array<T>& x, const array<T>& y) {
    const std::vector<T> a = to_vector(x), b = to_vector(y);
    return x.shape() == y.shape() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

// The sum over an axis of all differences, as it is and of what was stored first.
template <class T>
void check_sums(int count) {
    CAPTURE(count);
    const array<T> p = points<T>({37, count}, 3), q = points<T>({41, count}, 11);
    const array<T> a = transpose(p).copy(), b = transpose(q).copy();
    array<T> last = square(p(all, newaxis) - q(newaxis)), first = square(a(all, all, newaxis) - b(all, newaxis)),
             middle = p(all, all, newaxis) * b(newaxis);
    last.eval(), first.eval(), middle.eval();
    CHECK(has_bits(sum(square(p(all, newaxis) - q(newaxis)), 2).eval(), sum(last, 2).eval()));
    CHECK(has_bits(sum(square(a(all, all, newaxis) - b(all, newaxis)), 0).eval(), sum(first, 0).eval()));
    CHECK(has_bits(sum(p(all, all, newaxis) * b(newaxis), 1).eval(), sum(middle, 1).eval()));
    CHECK(has_bits(sum(sum(square(p(all, newaxis) - q(newaxis)), 2) * 2, 1).eval(),
                   sum(sum(last, 2).eval() * 2, 1).eval()));
}

}  // namespace

TEST_CASE("a sum over a few coordinates of an outer product has the bits of the sum of what was stored first") {
    on_every_backend([](const tested_backend&) {
        for (int count = 1; count <= 9; ++count) {
            check_sums<float>(count);
            check_sums<double>(count);
            check_sums<std::int32_t>(count);
        }
        check_sums<std::uint8_t>(3);
        check_sums<std::complex<float>>(3);
        check_sums<std::complex<double>>(2);
        check_sums<half>(3);
    });
}

TEST_CASE("a sum of two axes of an outer product adds in the order of their elements") {
    on_every_backend([](const tested_backend&) {
        const array<float> p = points<float>({29, 2, 3}, 5), q = points<float>({31, 2, 3}, 7);
        array<float> stored = p(all, newaxis) * q(newaxis);
        stored.eval();
        CHECK(has_bits(sum(p(all, newaxis) * q(newaxis), {2, 3}).eval(), sum(stored, {2, 3}).eval()));
    });
}

TEST_CASE("a few negative zeros of an outer product add up to zero, and what is no number stays none") {
    on_every_backend([](const tested_backend&) {
        const array<float> zero{-0.0f, -0.0f, -0.0f}, one = ones<float>({5, 3});
        const array<float> sums = sum(one(all, newaxis) * broadcast_to(zero, {7, 3})(newaxis), 2);
        for (float s : to_vector(sums)) CHECK(!std::signbit(s));
        const array<float> odd{{1, std::numeric_limits<float>::infinity()},
                               {2, std::numeric_limits<float>::quiet_NaN()}};
        const array<float> made = sum(odd(all, newaxis) - odd(newaxis), 2);
        CHECK(std::isnan(float(made(0, 0))));
        CHECK(std::isnan(float(made(1, 1))));
    });
}

TEST_CASE("points that attract each other compute their distances in one kernel") {
    on_every_backend([](const tested_backend& b) {
        const array<float> p = points<float>({67, 2}, 3);
        array<float> squares = square(p(newaxis) - p(all, newaxis));
        squares.eval();
        array<float> distances = sum(squares, 2);
        distances.eval();
        const array<float> expected = sum((p(newaxis) - p(all, newaxis)) / (distances + 0.01f)(all, all, newaxis), 1);
        expected.eval();
        array<float> pulls;
        const auto launches = test_rows::launches_of([&] {
            pulls = sum(
                (p(newaxis) - p(all, newaxis)) / (sum(square(p(newaxis) - p(all, newaxis)), 2, keepdims) + 0.01f), 1);
            pulls.eval();
        });
        CHECK(has_bits(pulls, expected));
        if (b.compiles()) CHECK(launches == 1);
    });
}
