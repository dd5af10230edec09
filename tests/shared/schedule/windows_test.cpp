// Reductions over short windows, several per thread, and over few gathered elements: the bits of each window by itself,
// whatever neighbouring ones share.
#include "support/backends.hpp"

#include <sinter/ndimage.hpp>
#include <sinter/sinter.hpp>

#include <complex>
#include <string>

#include "support/rows.hpp"

using namespace sinter;
using namespace test_backends;
using test_rows::drawn;
using test_rows::same_bits;

namespace {

// f(axes) with the last axis, or the last two.
template <class F>
auto over_last(std::int64_t axes, F f) {
    return axes == 1 ? f({-1}) : f({-2, -1});
}

// Windows as rows in memory of their own.
template <class E>
auto apart(const E& windows) {
    return array<value_type_t<E>>(windows * value_type_t<E>(1)).eval();
}

template <class E>
void check_windows(const E& windows, std::int64_t axes) {
    const auto rows = apart(windows);
    using T = typename std::remove_cvref_t<decltype(rows)>::value_type;
    over_last(axes, [&](sinter::detail::axis_list over) {
        CHECK(same_bits(array<T>(sum(windows, over)), array<T>(sum(rows, over))));
        CHECK(same_bits(array<T>(sqrt(mean(square(windows), over))), array<T>(sqrt(mean(square(rows), over)))));
        array<T> total = sum(windows, over), greatest = max(windows, over);
        eval(total, greatest);
        CHECK(same_bits(total, array<T>(sum(rows, over))));
        CHECK(same_bits(greatest, array<T>(max(rows, over))));
    });
}

template <class E>
void check_weighted(const E& windows, std::int64_t axes, std::uint64_t seed) {
    const dims shape = windows.shape();
    const auto rows = apart(windows);
    using T = typename std::remove_cvref_t<decltype(rows)>::value_type;
    const array<T> weights =
        drawn<T>(axes == 1 ? dims(shape.back()) : dims(shape[shape.size() - 2], shape.back()), seed);
    const array<T> products = array<T>(rows * weights).eval();
    over_last(axes, [&](sinter::detail::axis_list over) {
        CHECK(same_bits(array<T>(sum(windows * weights, over)), array<T>(sum(products, over))));
    });
}

template <class E>
bool has_windows(const E& e) {
    return explain(e).schedule().find("windows of constant size") != std::string::npos;
}

}  // namespace

TEST_CASE("windows along one axis share elements and sums and have the bits of each by itself") {
    on_every_backend([](const tested_backend& b) {
        const std::int64_t n = b.is_interpreter() ? 300 : 20'011;
        const array<float> x = drawn<float>({n}, 3);
        const array<double> wide = drawn<double>({n / 2}, 4);
        for (std::int64_t w : {2, 5, 31, 64}) {
            CAPTURE(w);
            check_windows(sliding_window_view(x, {w}), 1);
            check_weighted(sliding_window_view(x, {w}), 1, 5);
        }
        check_windows(sliding_window_view(wide, {33}), 1);
        const array<half> narrow = drawn<half>({n}, 6);
        CHECK(same_bits(array<half>(sum(sliding_window_view(narrow, {9}), -1)),
                        array<half>(sum(apart(sliding_window_view(narrow, {9})), -1))));
        const array<std::complex<float>> z = drawn<std::complex<float>>({n}, 7);
        CHECK(array_equal(sum(sliding_window_view(z, {9}), -1), sum(apart(sliding_window_view(z, {9})), -1)));
        const array<std::int32_t> whole = astype<std::int32_t>(drawn<double>({n}, 8) * 1000).eval();
        CHECK(array_equal(sum(sliding_window_view(whole, {21}), -1), sum(apart(sliding_window_view(whole, {21})), -1)));
        if (b.is_cuda()) {
            CHECK(has_windows(sum(sliding_window_view(x, {64}), -1)));
            CHECK_FALSE(has_windows(sum(sliding_window_view(x, {65}), -1)));
        }
    });
}

TEST_CASE("windows of images and volumes, along any axes and in steps, have the bits of each by itself") {
    on_every_backend([](const tested_backend& b) {
        const std::int64_t h = b.is_interpreter() ? 13 : 131, w = b.is_interpreter() ? 37 : 157;
        const array<float> x = drawn<float>({h, w}, 3);
        for (std::int64_t n : {2, 5}) {
            CAPTURE(n);
            check_windows(sliding_window_view(x, {n}, {0}), 1);
            check_windows(sliding_window_view(x, {n}, {1}), 1);
            check_weighted(sliding_window_view(x, {n}, {0}), 1, 4);
            for (std::int64_t m : {1, 3}) {
                CAPTURE(m);
                check_windows(sliding_window_view(x, {n, m}), 2);
                check_weighted(sliding_window_view(x, {n, m}), 2, 5);
            }
        }
        const array<double> cube = drawn<double>({h / 3, h / 2, w / 3}, 9);
        check_windows(sliding_window_view(cube, {3}, {1}), 1);
        check_windows(sliding_window_view(cube, {2, 3}, {0, 2}), 2);
        check_windows(sliding_window_view(transpose(x), {7}, {0}), 1);
        check_windows(array<float>(sliding_window_view(x, {5}, {1})(all, slice(none, none, 2))), 1);
        check_windows(array<float>(flip(sliding_window_view(x, {5}, {0}), 2)), 1);
        if (b.is_cuda()) CHECK(has_windows(sum(sliding_window_view(x, {5, 3}), {-2, -1})));
    });
}

TEST_CASE("elements between those of an image are the same computed many at a time or few") {
    on_every_backend([](const tested_backend& b) {
        if (b.is_interpreter()) return;
        const array<double> x = drawn<double>({31, 45}, 3);
        constexpr std::int64_t many = 20'000, few = 500;
        const array<double> places = array<double>(random::generator(5).uniform<double>(-9, 54, {2, many})).eval();
        for (const char* mode : {"constant", "reflect", "grid-wrap"})
            for (int order : {1, 3}) {
                CAPTURE(mode);
                CAPTURE(order);
                const array<double> y = ndimage::map_coordinates(x, places, {.order = order, .mode = mode});
                if (b.is_cuda()) CHECK(has_windows(y));
                for (std::int64_t first : {std::int64_t{0}, many / 2, many - few})
                    CHECK(same_bits(array<double>(y(slice(first, first + few))),
                                    array<double>(ndimage::map_coordinates(x, places(all, slice(first, first + few)),
                                                                           {.order = order, .mode = mode}))));
            }
    });
}

TEST_CASE("an index that is outside in one of several gathers of a kernel is told, whichever it is") {
    on_every_backend([](const tested_backend& b) {
        const std::int64_t n = b.is_interpreter() ? 100 : 70'001;
        const array<float> x = drawn<float>({n}, 3);
        for (int bad : {0, 1, 2}) {
            CAPTURE(bad);
            std::vector<array<std::int64_t>> places;
            for (int k = 0; k < 3; ++k) {
                array<std::int64_t> at = (arange<std::int64_t>(n) * (k + 2)) % n;
                if (k == bad) at(n / 3) = n + 7;
                places.push_back(at.eval());
            }
            array<float> y = take(x, places[0]) * take(x, places[1]) + take(x, places[2]);
            CHECK_THROWS_WITH_AS(to_vector(y),
                                 ("[take] index " + std::to_string(n + 7) + " is out of bounds for axis 0 with size " +
                                  std::to_string(n))
                                     .c_str(),
                                 index_error);
        }
    });
}
