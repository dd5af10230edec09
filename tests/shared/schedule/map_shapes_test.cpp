// Maps whose operands do not all lie side by side: neighbours along any axis, reversed and repeated ones, rows taken at
// positions; against loops over the same numbers, which are small and whole.
#include "support/backends.hpp"

#include <sinter/sinter.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "support/rows.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

/// Where an element is along each axis, zero behind the last one: millions of them are made, without optimisation.
using places = std::array<std::int64_t, 6>;

std::int64_t number_at(std::int64_t i) { return i * 7919 % 251; }

template <class T>
array<T> numbered(const dims& shape) {
    return astype<T>(reshape(arange<std::int64_t>(shape.product()) * 7919 % 251, shape)).eval();
}

std::int64_t row_major(const dims& shape, const places& at) {
    std::int64_t i = 0;
    for (int a = 0; a < shape.size(); ++a) i = i * shape[a] + at[static_cast<std::size_t>(a)];
    return i;
}

/// Whether every element is what a function of its place says.
template <class T, class Expected>
void check_elements(const array<T>& got, const Expected& expected) {
    const std::vector<T> elements = to_vector(got);
    const dims shape = got.shape();
    places at{};
    std::int64_t wrong = 0;
    for (const T& element : elements) {
        wrong += static_cast<double>(element) != expected(at);
        for (int a = shape.size(); a-- > 0;) {
            if (++at[static_cast<std::size_t>(a)] < shape[a]) break;
            at[static_cast<std::size_t>(a)] = 0;
        }
    }
    CAPTURE(to_string(shape));
    CHECK(wrong == 0);
}

double value_of(const dims& shape, const places& at) { return static_cast<double>(number_at(row_major(shape, at))); }

template <class T>
void check_stencil(const dims& shape) {
    const array<T> x = numbered<T>(shape);
    const auto in = slice(1, -1), lo = slice(none, -2), hi = slice(2, none);
    const array<T> y = x(lo, in, in) + x(hi, in, in) + x(in, lo, in) + x(in, hi, in) + x(in, in, lo) + x(in, in, hi) -
                       T(6) * x(in, in, in);
    check_elements(y, [&](const places& at) {
        double sum = 0;
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (int step : {0, 2}) {
                places from{at[0] + 1, at[1] + 1, at[2] + 1};
                from[axis] += step - 1;
                sum += value_of(shape, from);
            }
        return sum - 6 * value_of(shape, {at[0] + 1, at[1] + 1, at[2] + 1});
    });
}

template <class T>
void check_flips(const dims& shape) {
    const array<T> x = numbered<T>(shape);
    auto mirrored = [&](const places& at, std::size_t axis) {
        places from = at;
        from[axis] = shape[static_cast<int>(axis)] - 1 - at[axis];
        return from;
    };
    for (int axis = 0; axis < shape.size(); ++axis) {
        CAPTURE(axis);
        check_elements(array<double>(astype<double>(flip(x, axis)) + astype<double>(x)), [&](const places& at) {
            return value_of(shape, mirrored(at, static_cast<std::size_t>(axis))) + value_of(shape, at);
        });
        check_elements(array<T>(flip(x, axis)),
                       [&](const places& at) { return value_of(shape, mirrored(at, static_cast<std::size_t>(axis))); });
    }
}

void check_differences(std::int64_t rows, std::int64_t columns) {
    const array<float> p = numbered<float>({rows, 3}), q = numbered<float>({columns, 3});
    const array<float> d =
        square(p(all, newaxis, 0) - q(newaxis, all, 0)) + square(p(all, newaxis, 2) - q(newaxis, all, 2));
    check_elements(d, [&](const places& at) {
        double sum = 0;
        for (int c : {0, 2}) {
            const double apart = value_of({rows, 3}, {at[0], c}) - value_of({columns, 3}, {at[1], c});
            sum += apart * apart;
        }
        return sum;
    });
    const array<float> x = numbered<float>({rows}), y = numbered<float>({columns});
    check_elements(array<float>(x(all, newaxis) - 2.0f * y(newaxis, all)),
                   [&](const places& at) { return static_cast<double>(number_at(at[0]) - 2 * number_at(at[1])); });
}

template <class T>
void check_rows(std::int64_t rows, std::int64_t width, std::int64_t taken) {
    const array<T> t = numbered<T>({rows, width});
    const array<std::int64_t> places_of_rows = (arange<std::int64_t>(taken) * 31 % (2 * rows) - rows).eval();
    const array<T> y = take(t, places_of_rows, 0) + T(1);
    check_elements(y, [&](const places& at) {
        const std::int64_t from = at[0] * 31 % (2 * rows) - rows, row = from < 0 ? from + rows : from;
        return value_of({rows, width}, {row, at[1]}) + 1;
    });
}

// A matrix beside a row and a column, of which neighbours may go on in the next row.
template <class T>
void check_broadcasts(std::int64_t rows, std::int64_t columns) {
    CAPTURE(rows);
    CAPTURE(columns);
    const array<T> x = numbered<T>({rows, columns}), row = numbered<T>({columns}), column = numbered<T>({rows, 1});
    const auto at_point = [&](const places& at) { return value_of({rows, columns}, at); };
    const auto as = [](double v) { return static_cast<double>(static_cast<T>(static_cast<std::int64_t>(v))); };
    check_elements(array<T>(maximum(x, row)),
                   [&](const places& at) { return std::max(at_point(at), static_cast<double>(number_at(at[1]))); });
    check_elements(array<T>(where(x > column, x, row)), [&](const places& at) {
        const auto of_row = static_cast<double>(number_at(at[0]));
        return at_point(at) > of_row ? at_point(at) : static_cast<double>(number_at(at[1]));
    });
    check_elements(array<T>(x + row + column), [&](const places& at) {
        return as(at_point(at) + static_cast<double>(number_at(at[1]) + number_at(at[0])));
    });
    check_elements(array<bool>(x > row),
                   [&](const places& at) { return at_point(at) > static_cast<double>(number_at(at[1])) ? 1.0 : 0.0; });
}

}  // namespace

TEST_CASE("matrices whose rows are short or odd meet rows and columns at each of their elements") {
    on_every_backend([](const tested_backend&) {
        check_broadcasts<std::uint8_t>(1031, 1021);
        check_broadcasts<std::int16_t>(517, 2049);
        check_broadcasts<float>(350'003, 3);
        check_broadcasts<double>(150'001, 7);
        check_broadcasts<std::int32_t>(1, 3);
        check_broadcasts<float>(61'687, 17);
        check_broadcasts<std::uint8_t>(99'991, 11);
    });
}

TEST_CASE("neighbours along three axes of arrays of any size are added") {
    on_every_backend([](const tested_backend&) {
        check_stencil<float>({105, 103, 109});
        check_stencil<double>({3, 700, 520});
        check_stencil<float>({520, 700, 3});
        check_stencil<std::int32_t>({700, 4, 514});
        check_stencil<float>({9, 7, 5});
    });
}

TEST_CASE("arrays of any size are read backwards along each axis") {
    on_every_backend([](const tested_backend&) {
        check_flips<float>({1 << 18});
        check_flips<float>({100003});
        check_flips<float>({301, 1024});
        check_flips<double>({257, 514});
        check_flips<std::uint8_t>({70, 31, 48});
        check_flips<std::int16_t>({5, 33, 7, 40});
        check_flips<float>({11, 3, 101, 33});
    });
}

TEST_CASE("differences of every two points are those of their coordinates") {
    on_every_backend([](const tested_backend&) {
        check_differences(1031, 1028);
        check_differences(1028, 1031);
        check_differences(3, 524288);
        check_differences(350003, 4);
        check_differences(61, 64);
    });
}

TEST_CASE("rows of any width are taken at positions from either end") {
    on_every_backend([](const tested_backend&) {
        check_rows<float>(1001, 128, 9001);
        check_rows<float>(1001, 127, 9001);
        check_rows<double>(77, 6, 180001);
        check_rows<std::uint8_t>(77, 48, 23001);
        check_rows<float>(77, 64, 700);
        CHECK_THROWS_AS(to_vector(array<float>(take(numbered<float>({100, 64}), array<std::int64_t>{5, 100, 7}, 0))),
                        index_error);
    });
}

TEST_CASE("operands of four axes and more are repeated along any of them") {
    on_every_backend([](const tested_backend&) {
        for (const dims& shape :
             {dims(13, 17, 19, 256), dims(13, 17, 19, 259), dims(40, 3, 7, 1300), dims(1050, 31, 3, 11)}) {
            const array<float> x = numbered<float>(shape), a = numbered<float>({shape[1], 1, shape[3]}),
                               b = numbered<float>({shape[0], 1, shape[2], 1});
            check_elements(array<float>(x + 2.0f * a - b), [&](const places& at) {
                return value_of(shape, at) + 2 * value_of({shape[1], shape[3]}, {at[1], at[3]}) -
                       value_of({shape[0], shape[2]}, {at[0], at[2]});
            });
            check_elements(array<float>(a - b), [&](const places& at) {
                return value_of({shape[1], shape[3]}, {at[1], at[3]}) - value_of({shape[0], shape[2]}, {at[0], at[2]});
            });
        }
        const dims six(5, 7, 6, 9, 11, 64);
        const array<float> x = numbered<float>(six), y = transpose(x, {4, 1, 2, 3, 0, 5});
        check_elements(array<float>(y(slice(none, none, -1)) * 3.0f), [&](const places& at) {
            return 3 * value_of(six, {at[4], at[1], at[2], at[3], 10 - at[0], at[5]});
        });
    });
}

TEST_CASE("parts that are made of one array are joined along any axis, in one kernel where their shapes are equal") {
    on_every_backend([](const tested_backend& b) {
        for (const dims& shape : {dims(5, 7, 64), dims(33, 31, 37)})
            for (int axis = 0; axis < 3; ++axis) {
                CAPTURE(axis);
                const array<float> x = numbered<float>(shape);
                array<float> joined;
                const std::uint64_t launches = test_rows::launches_of([&] {
                    joined = concatenate(std::tuple(-x, x * 2.0f, x(slice(none, none, -1))), axis);
                    joined.eval();
                });
                if (b.compiles()) CHECK(launches == 1);
                check_elements(joined, [&](const places& at) {
                    const std::int64_t part = at[static_cast<std::size_t>(axis)] / shape[axis];
                    places from = at;
                    from[static_cast<std::size_t>(axis)] %= shape[axis];
                    if (part == 2) from[0] = shape[0] - 1 - from[0];
                    return (part == 0 ? -1 : part == 1 ? 2 : 1) * value_of(shape, from);
                });
            }
        const array<float> x = numbered<float>({100});
        const array<float> seven = stack(std::tuple(x, x + 1.0f, x + 2.0f, x + 3.0f, x + 4.0f, x + 5.0f, x + 6.0f));
        check_elements(seven, [](const places& at) { return static_cast<double>(number_at(at[1]) + at[0]); });
        const array<float> uneven = concatenate(std::tuple(x, x(slice(1, none)), x + 1.0f));
        check_elements(uneven, [](const places& at) {
            const std::int64_t i = at[0];
            return static_cast<double>(i < 100 ? number_at(i) : i < 199 ? number_at(i - 99) : number_at(i - 199) + 1);
        });
    });
}

TEST_CASE("parts that take turns within cache lines are written by one kernel, whatever they are made of") {
    on_every_backend([](const tested_backend& b) {
        const dims shape{33, 31};
        const array<double> x = numbered<double>(shape), y = x + 2000.0, z = x + 4000.0;
        y.eval();
        z.eval();
        array<double> stacked, side_by_side;
        const auto turns = test_rows::launches_of([&] { (stacked = stack(std::tuple(x, y, z), -1)).eval(); });
        const auto blocks =
            test_rows::launches_of([&] { (side_by_side = concatenate(std::tuple(x, y, z), 1)).eval(); });
        if (b.compiles()) CHECK(turns == 1);
        if (b.compiles()) CHECK(blocks == 3);
        check_elements(stacked, [&](const places& at) { return value_of(shape, {at[0], at[1]}) + 2000.0 * at[2]; });
        check_elements(side_by_side, [&](const places& at) {
            return value_of(shape, {at[0], at[1] % 31}) + 2000.0 * static_cast<double>(at[1] / 31);
        });
        const array<double> seven = stack(std::tuple(x, y, z, x * 3.0, y, z, x), 1);
        check_elements(seven, [&](const places& at) {
            constexpr std::array<double, 7> beyond{0, 2000, 4000, 0, 2000, 4000, 0};
            const auto part = static_cast<std::size_t>(at[1]);
            return (part == 3 ? 3 : 1) * value_of(shape, {at[0], at[2]}) + beyond[part];
        });
        array<double> overwritten = stack(std::tuple(x, y), -1);
        overwritten(ellipsis, 0) = overwritten(ellipsis, 1);
        check_elements(overwritten, [&](const places& at) { return value_of(shape, {at[0], at[1]}) + 2000.0; });
    });
}
