// Indices that walk along rows: neighbours are read side by side where they lie so, and each by itself elsewhere.
#include <cstdint>
#include <doctest/doctest.h>
#include <sinter/sinter.hpp>
#include <string>
#include <vector>

#include "support/backends.hpp"
#include "support/type_lists.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_types;

namespace {

std::int64_t wrapped(std::int64_t at, std::int64_t n) { return (at % n + n) % n; }

// How many elements of a rolled array are not those that NumPy's definition names.
template <class T>
std::int64_t wrong_of_rolled(const array<T>& x, const dims& shifts, const dims& axes) {
    const std::vector<T> from = to_vector(x), rolled = to_vector(array<T>(roll(x, shifts, axes)));
    std::int64_t wrong = 0;
    for (std::int64_t place = 0; place < x.size(); ++place) {
        std::int64_t rest = place, source = 0, stride = 1;
        for (int axis = x.shape().size() - 1; axis >= 0; --axis) {
            const std::int64_t n = x.shape(axis);
            std::int64_t at = rest % n;
            for (int i = 0; i < axes.size(); ++i) at -= axes[i] == axis ? shifts[i] : 0;
            source += wrapped(at, n) * stride;
            rest /= n;
            stride *= n;
        }
        wrong += rolled[static_cast<std::size_t>(place)] != from[static_cast<std::size_t>(source)];
    }
    return wrong;
}

template <class T>
array<T> numbered(const dims& shape) {
    array<std::int64_t> all_numbers = arange<std::int64_t>(shape.product());
    return array<T>(astype<T>(reshape(all_numbers % std::int64_t{97}, shape))).eval();
}

}  // namespace

TEST_CASE("rows are rolled by any shift, alone and with their neighbours along other axes") {
    on_every_backend([](const tested_backend&) {
        for_each_type(types<std::int8_t, float, double>, []<class T>() {
            for (const dims& shape : {dims{3, 4}, {17, 516}, {131, 2052}, {5, 1001}}) {
                const array<T> x = numbered<T>(shape);
                for (const std::int64_t shift : {-1, 3, 4, -700}) {
                    CHECK(wrong_of_rolled(x, {2, shift}, {0, 1}) == 0);
                    CHECK(wrong_of_rolled(x, {shift, 5}, {1, 1}) == 0);
                }
            }
            const array<T> cube = numbered<T>({11, 61, 64});
            CHECK(wrong_of_rolled(cube, {1, -2, 3}, {0, 1, 2}) == 0);
            CHECK(wrong_of_rolled(cube, {1, 3}, {0, 2}) == 0);
            CHECK(wrong_of_rolled(cube, {61, 3}, {1, 2}) == 0);
        });
        const array<int> seven = arange<int>(7);
        CHECK(to_vector(array<int>(roll(seven, INT64_MIN))) == std::vector<int>{1, 2, 3, 4, 5, 6, 0});
    });
}

TEST_CASE("sums of rolled images are those of each element's neighbours, in one kernel without copies") {
    on_every_backend([](const tested_backend& b) {
        constexpr std::int64_t h = 271, w = 1000;
        const array<std::int8_t> x = numbered<std::int8_t>({h, w});
        array<std::int8_t> around = zeros_like(x);
        for (const std::int64_t i : {-1, 0, 1})
            for (const std::int64_t j : {-1, 0, 1})
                if (i || j) around += roll(x, {i, j}, {0, 1});
        reset_counters();
        around.eval();
        if (b.compiles()) CHECK(counters().launches == 1);
        const std::vector<std::int8_t> from = to_vector(x), found = to_vector(around);
        int wrong = 0;
        for (std::int64_t i = 0; i < h; ++i)
            for (std::int64_t j = 0; j < w; ++j) {
                int sum = 0;
                for (int k = 0; k < 9; ++k)
                    if (k != 4)
                        sum +=
                            from[static_cast<std::size_t>(wrapped(i + k / 3 - 1, h) * w + wrapped(j + k % 3 - 1, w))];
                wrong += found[static_cast<std::size_t>(i * w + j)] != static_cast<std::int8_t>(sum);
            }
        CHECK(wrong == 0);
    });
}

TEST_CASE("the middle of a spectrum of two axes is moved in one kernel") {
    on_every_backend([](const tested_backend& b) {
        const array<float> x = numbered<float>({131, 256});
        reset_counters();
        const array<float> shifted = array<float>(fft::fftshift(x)).eval();
        if (b.compiles()) CHECK(counters().launches == 1);
        CHECK(array_equal(shifted, roll(x, {65, 128}, {0, 1})));
        CHECK(array_equal(fft::ifftshift(shifted), x));
    });
}

TEST_CASE("indices that wrap around between neighbours, or stay at an end, are read one by one") {
    on_every_backend([](const tested_backend&) {
        constexpr std::int32_t rows = 131, n = 256, most = 2147483647;
        const array<float> x = numbered<float>({rows, n});
        const array<std::int32_t> number = arange<std::int32_t>(n);
        const std::vector<float> from = to_vector(x);
        const auto check = [&](const array<std::int32_t>& at, auto expected) {
            const std::vector<float> found = to_vector(array<float>(x(all, at) * 2.0f));
            int wrong = 0;
            for (std::int32_t i = 0; i < rows * n; ++i)
                wrong += found[static_cast<std::size_t>(i)] !=
                         2 * from[static_cast<std::size_t>(i / n * n + expected(i % n))];
            CHECK(wrong == 0);
        };
        check(maximum(number - 3, 0), [](std::int32_t i) { return i < 3 ? 0 : i - 3; });
        check(minimum(number + 5, n - 1), [](std::int32_t i) { return i + 5 < n ? i + 5 : n - 1; });
        check(abs(number - 130), [](std::int32_t i) { return i < 130 ? 130 - i : i - 130; });
        check(number - 7, [](std::int32_t i) { return i < 7 ? i + n - 7 : i - 7; });
        // The numbers that are compared wrap around in the middle of the row: a choice between neighbours that its ends
        // do not tell.
        const array<std::int32_t> far = number + (most - 101);
        check(where(far < -most + 2, number - 102, number),
              [](std::int32_t i) { return i >= 102 && i <= 104 ? i - 102 : i; });
        check(where(far < -most, number - 102, number), [](std::int32_t i) { return i == 102 ? 0 : i; });
        // A condition that changes twice between neighbours.
        check(where(astype<bool>(where(number < 200, number - 13, number)), number, number + 7),
              [](std::int32_t i) { return i == 13 ? 20 : i; });
    });
}

// Rows are so long that from the last one of some neighbours to the first lie as many elements as there are neighbours.
TEST_CASE("indices of which some count from the end are read one by one where what they read lies backwards or apart") {
    on_every_backend([](const tested_backend&) {
        for_each_type(types<std::int8_t, float>, []<class T>() {
            for (const std::int64_t neighbours : {4, 16, 64, 128}) {
                const std::int64_t n = 2 * neighbours, length = n - 2, rows = 40'000 / n + 1, before = n - n / 4;
                const array<T> x = numbered<T>({rows, length});
                const array<T> y = x(all, slice(none, none, -1))(all, arange<std::int64_t>(n) - before);
                const std::vector<T> from = to_vector(x), found = to_vector(y);
                std::int64_t wrong = 0;
                for (std::int64_t at = 0; at < rows * n; ++at) {
                    const std::int64_t place = length - 1 - wrapped(at % n - before, length);
                    wrong +=
                        found[static_cast<std::size_t>(at)] != from[static_cast<std::size_t>(at / n * length + place)];
                }
                CHECK(wrong == 0);
            }
        });
        constexpr std::int64_t rows = 10'007;
        const array<float> x = numbered<float>({rows, 4});
        const array<float> y = x(all, slice(none, none, 3))(all, arange<std::int64_t>(4) - std::int64_t{2});
        const std::vector<float> from = to_vector(x), found = to_vector(y);
        std::int64_t wrong = 0;
        for (std::int64_t at = 0; at < 4 * rows; ++at)
            wrong += found[static_cast<std::size_t>(at)] != from[static_cast<std::size_t>(at / 4 * 4 + at % 2 * 3)];
        CHECK(wrong == 0);
    });
}

TEST_CASE("a walk that leaves its axis is an error that names the first index outside") {
    on_every_backend([](const tested_backend&) {
        const array<float> x = numbered<float>({131, 256});
        const array<std::int64_t> number = arange<std::int64_t>(256);
        const array<float> y = x(all, array<std::int64_t>(number + std::int64_t{1}));
        CHECK_THROWS_WITH_AS(to_vector(y), "[take] index 256 is out of bounds for axis 1 with size 256", index_error);
    });
}
