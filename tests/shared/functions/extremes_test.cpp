// Places of extreme elements, axes of one element, shifted copies and quotients of small integers against plain loops,
// at sizes around those of tiles, blocks and chunks.
#include "support/backends.hpp"
#include "support/type_lists.hpp"

#include <cmath>
#include <limits>
#include <sinter/sinter.hpp>
#include <sinter/tools/testing.hpp>
#include <utility>
#include <vector>

#include "support/rows.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_types;
using namespace test_rows;

namespace {

struct numbers {
    std::uint64_t state = 88172645463325252u;
    std::uint64_t next() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return state >> 16;
    }
    std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(n)); }
};

// Few different values, so that most are ties; zeros of both signs.
template <class T>
std::vector<T> many_ties(std::int64_t count, std::int64_t range, int nans) {
    numbers r;
    std::vector<T> v(static_cast<std::size_t>(count));
    for (T& x : v) {
        x = static_cast<T>(r.below(range));
        if constexpr (std::is_floating_point_v<T>)
            if (r.next() % 2) x = -x;
    }
    if constexpr (std::is_floating_point_v<T>)
        for (int i = 0; i < nans; ++i)
            v[static_cast<std::size_t>(r.below(count))] = std::numeric_limits<T>::quiet_NaN();
    return v;
}

// NumPy's: the first of the greatest or least elements, or the first NaN.
template <class T, class At>
std::int64_t place_of(const At& at, std::int64_t n, bool greatest) {
    std::int64_t best = 0;
    for (std::int64_t i = 1; i < n; ++i) {
        const T x = at(best), y = at(i);
        if ((greatest ? y > x : y < x) || (y != y && x == x)) best = i;
    }
    return best;
}

template <class T>
void check_places(std::int64_t rows, std::int64_t columns, std::int64_t range, int nans) {
    const std::vector<T> v = many_ties<T>(rows * columns, range, nans);
    const array<T> x = asarray(v, {rows, columns});
    for (const bool greatest : {false, true})
        for (const int axis : {0, 1}) {
            const auto places = to_host(greatest ? argmax(x, axis) : argmin(x, axis));
            std::int64_t wrong = 0;
            for (std::int64_t i = 0; i < (axis ? rows : columns); ++i) {
                auto at = [&](std::int64_t j) {
                    return v[static_cast<std::size_t>(axis ? i * columns + j : j * columns + i)];
                };
                wrong += places(i) != place_of<T>(at, axis ? columns : rows, greatest);
            }
            INFO(rows, " x ", columns, ", axis ", axis, ", ", nans, " NaNs, the ", greatest ? "greatest" : "least");
            CHECK(wrong == 0);
        }
}

// Elements of which the greatest and the least are zeros of both signs, at times with a NaN.
template <class T>
array<T> zeros_between(std::int64_t rows, std::int64_t columns, bool nan) {
    numbers r;
    std::vector<T> v(static_cast<std::size_t>(rows * columns));
    for (std::size_t i = 0; i < v.size(); ++i) {
        const bool positive = static_cast<std::int64_t>(i) / columns % 2 != 0;
        v[i] = static_cast<T>(r.below(7) ? (positive ? 1 : -1) * (1 + r.below(3)) : 0);
        if constexpr (std::is_floating_point_v<T>) {
            if (v[i] == 0 && r.next() % 2) v[i] = -v[i];
            if (nan && r.below(3 * columns) == 0) v[i] = std::numeric_limits<T>::quiet_NaN();
        }
    }
    return asarray(v, {rows, columns});
}

// One at a time and all at once.
template <class T, class... A>
void check_extremes(const tested_backend& b, const array<T>& x, A... along) {
    const array<T> high = array<T>(max(x, along...)).eval(), low = array<T>(min(x, along...)).eval();
    const array<std::int64_t> highest = argmax(x, along...).eval(), lowest = argmin(x, along...).eval();
    array<std::int64_t> at = argmax(x, along...), least_at = argmin(x, along...);
    array<T> greatest = max(x, along...), least = min(x, along...);
    reset_counters();
    eval(at, greatest, least, least_at);
    if (b.is_cuda()) CHECK(counters().launches == 1);
    CHECK(same_bits(greatest, high));
    CHECK(same_bits(least, low));
    CHECK(array_equal(at, highest));
    CHECK(array_equal(least_at, lowest));
}

template <class T>
void check_extremes(const tested_backend& b) {
    for (const dims& shape : {dims{3, 40007}, dims{7, 4097}, dims{40, 1023}, dims{900, 33}, dims{2, 5}, dims{5000, 3}})
        for (const bool nan : {false, true}) {
            const array<T> x = zeros_between<T>(shape[0], shape[1], nan);
            INFO(to_string(shape), nan ? ", NaNs" : "");
            check_extremes(b, x), check_extremes(b, x, 0), check_extremes(b, x, 1);
        }
}

template <class T>
void check_quotients() {
    constexpr T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    std::vector<T> edges{low, low + 1, high, high - 1, high / 2, high / 2 + 1, 0, 1, 2, 3, 7, 100}, a, b;
    for (int i : {1, 2, 3, 7, 100}) edges.push_back(static_cast<T>(0 - i));
    for (T x : edges)
        for (T y : edges) a.push_back(x), b.push_back(y);
    numbers r;
    for (int i = 0; i < 5000; ++i) {
        const T y = static_cast<T>(r.next() >> r.below(40));
        // Multiples of the divisor and their neighbours are where rounding could go wrong.
        const T x = static_cast<T>(r.next()),
                near = static_cast<T>((y == 0 ? 0 : std::int64_t(x) / y * y) + r.below(3) - 1);
        a.push_back(r.next() % 2 ? x : near), b.push_back(y);
    }
    const array<T> x = asarray(a), y = asarray(b);
    const auto quotients = to_host(floor_divide(x, y)), rests = to_host(x % y);
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::int64_t q = 0, rest = 0;
        if (b[i] != 0) {
            q = std::int64_t(a[i]) / b[i], rest = std::int64_t(a[i]) % b[i];
            if (rest != 0 && (rest < 0) != (b[i] < 0)) --q, rest += b[i];
        }
        const auto at = static_cast<std::int64_t>(i);
        wrong += quotients(at) != static_cast<T>(q) || rests(at) != static_cast<T>(rest);
    }
    CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("the place of an extreme element is that of the first of equals or of the first NaN, along both axes") {
    on_every_backend([](const tested_backend&) {
        for (auto [rows, columns] :
             {std::pair{1, 9001}, {3, 4097}, {5, 128}, {129, 127}, {600, 17}, {1100, 3}, {9001, 1}})
            for (const int range : {2, 1000}) {
                for (const int nans : {0, 1, 40}) check_places<float>(rows, columns, range, nans);
                check_places<double>(rows, columns, range, 1);
                check_places<std::int8_t>(rows, columns, range > 100 ? 100 : range, 0);
                check_places<std::uint16_t>(rows, columns, range, 0);
                check_places<std::int64_t>(rows, columns, range, 0);
            }
        check_places<float>(2, 9001, 5, 9001);
    });
}

TEST_CASE(
    "the places of extremes of what is computed, in rows around the lanes' number and over lines of memory, are those "
    "of a stored copy") {
    on_every_backend([](const tested_backend&) {
        for (const std::int64_t n : {31, 32, 33, 63, 65, 95, 96, 97, 161, 4129})
            for_each_type(types<float, double, std::int8_t>, [&]<class T>() {
                const array<T> x = asarray(many_ties<T>(5 * n, 4, 2), {5, n});
                const std::vector<T> v = to_vector(array<T>(x * T(2) + T(1)));
                const auto places = to_host(argmax(x * T(2) + T(1), 1));
                for (std::int64_t row = 0; row < 5; ++row) {
                    auto at = [&](std::int64_t i) { return v[static_cast<std::size_t>(row * n + i)]; };
                    INFO(n, " elements, row ", row);
                    CHECK(places(row) == place_of<T>(at, n, true));
                }
                const array<T> part = x(all, slice(1, n)).copy();
                CHECK(array_equal(argmin(x(all, slice(1, n))), argmin(part)));
                CHECK(array_equal(argmax(x.T()), argmax(x.T().copy())));
            });
    });
}

TEST_CASE("the places of extremes of what is computed from a row's own extremes are those of a stored copy") {
    on_every_backend([](const tested_backend&) {
        for (const std::int64_t n : {31, 33, 65, 97, 161, 4129, 9001})
            for_each_type(types<float, double, int>, [&]<class T>() {
                const array<T> x = asarray(many_ties<T>(5 * n, 40, 2), {5, n}), least = min(x, 1, keepdims).eval(),
                               most = max(x, 1, keepdims).eval(), shifted = array<T>(x - least).eval(),
                               scaled = array<T>(x * most).eval();
                INFO(n, " elements");
                CHECK(array_equal(argmax(x - min(x, 1, keepdims), 1), argmax(shifted, 1)));
                CHECK(array_equal(argmin(x * max(x, 1, keepdims), 1), argmin(scaled, 1)));
                CHECK(argmin(x - min(x)).item() == argmin(array<T>(x - min(least)).eval()).item());
                CHECK(array_equal(argmax(broadcast_to(min(x, 1, keepdims), {5, n}), 1), zeros<std::int64_t>({5})));
                const array<T> part = x(all, slice(0, n - 3)), stored = part.copy(),
                               over = array<T>(stored - max(stored, 1, keepdims)).eval();
                CHECK(array_equal(argmax(part - max(part, 1, keepdims), 1), argmax(over, 1)));
            });
    });
}

TEST_CASE(
    "the places of extreme elements of short, long and rising rows are found beside other reductions of the same "
    "rows") {
    on_every_backend([](const tested_backend&) {
        for (const std::int64_t n : {5, 130, 5003}) {
            const array<float> x = reshape(arange<float>(7 * n), {7, n}).eval();
            array<std::int64_t> place = argmax(x, 1), least = argmin(x, 1);
            array<float> shifted = x - max(x, 1, keepdims), total = sum(x, 1);
            eval(place, least, shifted, total);
            CHECK(array_equal(place, full<std::int64_t>({7}, n - 1)));
            CHECK(array_equal(least, zeros<std::int64_t>({7})));
            CHECK(array_equal(max(shifted, 1), zeros<float>({7})));
        }
    });
}

TEST_CASE("an extreme element beside its place has the bits that it has alone, in whatever order both are asked for") {
    on_every_backend([](const tested_backend& b) {
        for_each_type(types<float, double, std::int8_t, std::int64_t>, [&]<class T>() { check_extremes<T>(b); });
    });
}

TEST_CASE("reductions over an axis of one element return the element, or its place, at every size of the others") {
    on_every_backend([](const tested_backend&) {
        for (const std::int64_t n : {1, 127, 129, 40001}) {
            std::vector<float> v = many_ties<float>(n, 50, n > 1);
            const array<float> x = asarray(v, {1, n});
            const array<double> wide = astype<double>(x);
            for (const array<float>& y : {array<float>(sum(x, 0)), array<float>(prod(x, 0)), array<float>(max(x, 0)),
                                          array<float>(sum(x.T(), 1)), array<float>(min(x, 0) * 1.0f)})
                CHECK_NOTHROW(sinter::test::assert_array_equal(y, x(0)));
            CHECK_NOTHROW(sinter::test::assert_array_equal(mean(wide, 0), wide(0)));
            CHECK(array_equal(argmax(x, 0), zeros<std::int64_t>({n})));
            CHECK(array_equal(any(x, 0), x(0) != 0));
            CHECK(array_equal(sum(reshape(x, {1, 1, n}), {0, 1}) == x(0), x(0) == x(0)));
        }
    });
}

TEST_CASE("one true element among many is found, and one false one, wherever it stands") {
    on_every_backend([](const tested_backend&) {
        for (const std::int64_t n : {1, 3, 129, 4097, 9001})
            for (const std::int64_t at : {std::int64_t{0}, n / 2, n - 1}) {
                const array<std::int64_t> place = arange<std::int64_t>(n);
                const array<bool> one = (place == at).eval(), others = (place != at).eval();
                CHECK(bool(any(one)));
                CHECK(bool(any(place == at)));
                CHECK_FALSE(bool(sinter::all(others)));
                CHECK_FALSE(bool(any(place == n)));
                CHECK(bool(sinter::all(place != n)));
                CHECK(array_equal(any(reshape(one, {n, 1}), 1), one));
                CHECK(count_nonzero(where(one, 2.5f, 0.0f)).item() == 1);
            }
    });
}

TEST_CASE("rolled and padded arrays have each element at its new place, in rows shorter and longer than tiles") {
    on_every_backend([](const tested_backend&) {
        for (auto [rows, columns] : {std::pair{3, 5}, {40, 127}, {7, 1025}, {33, 1500}}) {
            const array<std::int32_t> x = reshape(arange<std::int32_t>(rows * columns), {rows, columns}).eval();
            for (const int shift : {0, 1, -1, 130, -2000}) {
                auto from = [](int i, int by, int n) { return ((i - by) % n + n) % n; };
                const auto flat = to_host(roll(x, shift)), both = to_host(roll(x, {shift, -3}, {1, 0}));
                int wrong = 0;
                for (int i = 0; i < rows; ++i)
                    for (int j = 0; j < columns; ++j) {
                        wrong += flat(i, j) != from(i * columns + j, shift, rows * columns);
                        wrong += both(i, j) != from(i, -3, rows) * columns + from(j, shift, columns);
                    }
                CHECK(wrong == 0);
            }
            const auto padded = to_host(pad(x, {{2, 1}, {3, 129}}, {.constant_values = -7}));
            const auto wrapped = to_host(pad(x, {{1, 0}, {0, 2}}, {.mode = "wrap"}));
            int wrong = 0;
            for (int i = 0; i < rows + 3; ++i)
                for (int j = 0; j < columns + 132; ++j) {
                    const bool inside = i >= 2 && i < rows + 2 && j >= 3 && j < columns + 3;
                    wrong += padded(i, j) != (inside ? (i - 2) * columns + j - 3 : -7);
                }
            for (int i = 0; i < rows + 1; ++i)
                for (int j = 0; j < columns + 2; ++j)
                    wrong += wrapped(i, j) != (i + rows - 1) % rows * columns + j % columns;
            CHECK(wrong == 0);
        }
    });
}

TEST_CASE("a bad index in the middle of many good ones is the one that is named") {
    on_every_backend([](const tested_backend&) {
        const array<float> x = arange<float>(300).eval();
        for (const std::int64_t n : {200, 3000})
            for (const std::int64_t bad : {300, -301}) {
                array<std::int64_t> at = (arange<std::int64_t>(n) % 300).eval();
                at(150) = bad;
                const array<float> y = x(at.eval());
                const std::string text =
                    "[take] index " + std::to_string(bad) + " is out of bounds for axis 0 with size 300";
                CHECK_THROWS_WITH_AS(to_vector(y), text.c_str(), index_error);
            }
        const array<std::int64_t> back = (-1 - arange<std::int64_t>(300)).eval();
        CHECK(array_equal(x(back), x(slice(none, none, -1))));
    });
}

TEST_CASE(
    "quotients and remainders of integers up to 32 bits are NumPy's at the ends of their range and beside multiples") {
    on_every_backend([](const tested_backend&) {
        for_each_type(types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t>,
                      []<class T>() { check_quotients<T>(); });
    });
}
