// Gathers along rows against loops: indices that are the same in a row, go straight through it, turn back, or jump.
#include <sinter/sinter.hpp>
#include <vector>

#include "support/backends.hpp"

using namespace sinter;
using namespace test_backends;
using index_array = array<std::int64_t>;

namespace {

// From `width` columns of 5 rows, for each element of the result what row(i), column(j) says.
template <class Row, class Column>
void check_elements(const char* name, const array<float>& x, const array<float>& got, Row row, Column column) {
    const std::vector<float> from = to_vector(x), found = to_vector(got);
    const std::int64_t width = x.shape()[1], columns = got.shape()[1];
    std::vector<float> want;
    for (std::int64_t i = 0; i < got.shape()[0]; ++i)
        for (std::int64_t j = 0; j < columns; ++j)
            want.push_back(from[static_cast<std::size_t>(row(i) * width + column(j))]);
    INFO(name);
    CHECK(found == want);
}

std::int64_t wrapped(std::int64_t i, std::int64_t n) { return (i % n + n) % n; }

// By indices of type I.
template <class I>
void check_width(std::int64_t width) {
    CAPTURE(width);
    const array<float> x = reshape(arange<float>(0, 5 * width), {5, width});
    const std::vector<std::int64_t> rows{3, -1, 0, 0, 4, -5, 2};
    auto same = [](std::int64_t i) { return i; };
    auto taken = [&](std::int64_t i) { return wrapped(rows[static_cast<std::size_t>(i)], 5); };
    check_elements("take rows", x, take(x, asarray(rows), 0), taken, same);
    check_elements(
        "roll", x, roll(x, {2, -3}, {0, 1}), [](std::int64_t i) { return wrapped(i - 2, 5); },
        [&](std::int64_t j) { return wrapped(j + 3, width); });
    const array<I> j = arange<I>(static_cast<I>(width));
    const auto w = static_cast<I>(width);
    check_elements("through zero", x, take(x, j - w / 2, 1), same,
                   [&](std::int64_t c) { return wrapped(c - width / 2, width); });
    check_elements("backwards through zero", x, take(x, w / 2 - j, 1), same,
                   [&](std::int64_t c) { return wrapped(width / 2 - c, width); });
    check_elements("there and back", x, take(x, abs(j - w / 3), 1), same,
                   [&](std::int64_t c) { return std::abs(c - width / 3); });
    check_elements("up to a border", x, take(x, minimum(j + 2, w - 1), 1), same,
                   [&](std::int64_t c) { return std::min(c + 2, width - 1); });
    check_elements("switched", x, take(x, where(j < w / 2, j + (w - w / 2), j - w / 2), 1), same,
                   [&](std::int64_t c) { return c < width / 2 ? c + width - width / 2 : c - width / 2; });
    check_elements("sum of two walks", x, take(x, (j + j) % w, 1), same, [&](std::int64_t c) { return 2 * c % width; });
    check_elements("rows backwards", x, take(flip(x, 1), asarray(rows), 0), taken,
                   [&](std::int64_t c) { return width - 1 - c; });
}

}  // namespace

TEST_CASE("gathered rows are those of loops, wherever rows and tiles end") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t width : {1, 2, 31, 32, 33, 127, 128, 129, 300, 1031, 6601}) {
            check_width<std::int64_t>(width);
            check_width<std::int32_t>(width);
        }
    });
}

TEST_CASE("an index that walks beyond its axis, or a row's that lies outside of it, is an error") {
    on_every_backend([](const tested_backend&) {
        const array<float> x = reshape(arange<float>(0, 5 * 200), {5, 200});
        const index_array j = arange<std::int64_t>(200);
        CHECK_THROWS_AS(to_vector(take(x, j + 1, 1)), index_error);
        CHECK_THROWS_AS(to_vector(take(x, j - 201, 1)), index_error);
        CHECK_THROWS_AS(to_vector(take(x, index_array{0, 5, 1}, 0)), index_error);
        CHECK_THROWS_AS(to_vector(take(x, index_array{0, -6, 1}, 0)), index_error);
        CHECK(take(x, index_array{4, -5}, 0).eval()(1, 199).item() == 199);
    });
}

TEST_CASE("indices whose numbers wrap around on their way are those that they are, not those of the ends") {
    on_every_backend([](const tested_backend&) {
        constexpr std::int32_t most = 2147483647, least = -most - 1;
        const std::int64_t n = 40000;
        const array<double> x = arange<double>(1 << 17);
        const array<std::int32_t> i = arange<std::int32_t>(static_cast<std::int32_t>(n));
        const array<double> raised = x(maximum(i + (most - 5), least + 20) - (most - 5)),
                            switched = x(where(i + (most - 10) < most - 2, i, i + 50));
        const std::vector<double> a = to_vector(raised), b = to_vector(switched);
        for (std::int64_t k = 0; k < n; ++k) {
            // Of 32 bits, as std::int32_t has them since C++20.
            const auto sum = static_cast<std::int32_t>(k + most - 5), other = static_cast<std::int32_t>(k + most - 10);
            const std::int64_t up = sum < least + 20 ? least + 20 : sum;
            const auto at = static_cast<std::size_t>(k);
            CHECK(a[at] == static_cast<double>(static_cast<std::int32_t>(up - (most - 5))));
            CHECK(b[at] == static_cast<double>(other < most - 2 ? k : k + 50));
        }
    });
}

TEST_CASE(
    "indices that are read beside what they gather are computed once, and their steps are looked at all the same") {
    on_every_backend([](const tested_backend&) {
        const std::int64_t n = 40003;
        const array<double> x = arange<double>(n) * 3;
        const index_array i = arange<std::int64_t>(n), after = minimum(i + 1, n - 1), before = maximum(i - 2, 0);
        const std::vector<double> found = to_vector((x(after) - x(before)) / astype<double>(after - before));
        CHECK(found == std::vector<double>(static_cast<std::size_t>(n), 3.0));
    });
}

TEST_CASE("an index that comes from a function of vectors is the same wherever a tile looks at it") {
    on_every_backend([](const tested_backend&) {
        const std::int64_t n = 40003;
        const array<double> x = arange<double>(n + 100);
        for (const double cube : {125.0, 216.0, 343.0, 1000.0}) {
            const index_array root = astype<std::int64_t>(pow(full({n}, cube), full({n}, 1.0 / 3)));
            const std::vector<double> found = to_vector(take(x, arange<std::int64_t>(n) + root, 0));
            CHECK(found == to_vector(astype<double>(arange<std::int64_t>(n) + root.eval())));
        }
    });
}

TEST_CASE("the same indices in two views of one array find the elements of each") {
    on_every_backend([](const tested_backend&) {
        const array<float> x = arange<float>(16).eval();
        const index_array i = arange<std::int64_t>(4).eval(), zero = zeros<std::int64_t>({4}).eval();
        using numbers = std::vector<float>;
        CHECK(to_vector(take(x, i, 0) * 100 + take(x(slice(0, 10, 2)), i, 0)) == numbers{0, 102, 204, 306});
        const array<float> square = reshape(x, {4, 4});
        CHECK(to_vector(square(i, zero) * 100 + transpose(square)(i, zero)) == numbers{0, 401, 802, 1203});
        const index_array last = (i - 4).eval();
        CHECK(to_vector(take(x, last, 0) * 100 + take(x(slice(0, 4)), last, 0)) == numbers{1200, 1301, 1402, 1503});
        CHECK(to_vector(x(i) * 100 + square(i, zero)) == numbers{0, 104, 208, 312});
        CHECK(to_vector(sum(reshape(x(i) * 100.0f + x(slice(0, 16, 4))(i), {1, 4}), 1)) == numbers{624});
        CHECK_THROWS_AS(to_vector(take(x, i + 2, 0) * 100 + take(x(slice(0, 4)), i + 2, 0)), index_error);
    });
}
