// Filters of images against SciPy's at every border, for several types, ranks and windows.
#include <sinter/ndimage.hpp>
#include <sinter/sinter.hpp>
#include <string>
#include <vector>

#include "support/backends.hpp"
#include "support/expected.hpp"
#include "support/scipy_golden.hpp"

using namespace sinter;
using namespace test_backends;
using scipy_golden::data;

namespace {

template <expression E>
void check(const std::string& name, const E& e, double tolerance = 1e-14) {
    scipy_golden::check("/golden/ndimage.txt", name, e, tolerance);
}

}  // namespace

TEST_CASE("ndimage: filters are SciPy's at every border, also where an axis is shorter than the window") {
    on_every_backend([](const tested_backend& b) {
        const array<double> x = data<double>({5, 7}), w = data<double>({3, 3}, 1), even = data<double>({2, 4}, 2);
        for (const char* mode : {"reflect", "constant", "nearest", "mirror", "wrap"}) {
            const std::string at = std::string(" ") + mode;
            check("convolve" + at, ndimage::convolve(x, even, {.mode = mode, .cval = -1}));
            check("tiny" + at,
                  ndimage::correlate1d(data<double>({2}), {1, 2, 3, 4, 5, 6, 7}, {.mode = mode, .cval = 2.5}));
            // Each is a kernel to compile, and they go on beyond borders by the same function.
            if (b.compiles() && at != " mirror") continue;
            check("gaussian" + at, ndimage::gaussian_filter(x, 1.5, {.mode = mode, .cval = 2.5}));
            check("uniform" + at, ndimage::uniform_filter(x, {3, 4}, {.mode = mode, .cval = 2.5}));
            check("correlate" + at, ndimage::correlate(x, w, {.mode = mode, .cval = 2.5}));
            check("median" + at, ndimage::median_filter(x, 3, {.mode = mode, .cval = 2.5}));
            check("sobel" + at, ndimage::sobel(x, 0, {.mode = mode, .cval = 2.5}));
            check("laplace" + at, ndimage::laplace(x, {.mode = mode, .cval = 2.5}));
        }
    });
}

TEST_CASE("ndimage: windows, origins, orders and axes of filters mean what they mean in SciPy") {
    on_every_backend([](const tested_backend& b) {
        const array<double> x = data<double>({5, 7}), cube = data<double>({3, 4, 5}, 3), even = data<double>({2, 4}, 2);
        check("gaussian derivatives", ndimage::gaussian_filter(x, {1, 0.8}, {.order = {1, 2}, .truncate = 3}));
        check("uniform origin", ndimage::uniform_filter(x, 4, {.origin = {1, -2}}));
        check("gaussian 1d", ndimage::gaussian_filter1d(x, 1.5, {.axis = 0, .order = 1, .mode = "wrap"}));
        check("uniform 1d", ndimage::uniform_filter1d(data<std::int32_t>({5, 7}), 3, {.axis = 0, .origin = -1}));
        CHECK(array_equal(ndimage::uniform_filter1d(x, 1), x));
        CHECK(array_equal(ndimage::gaussian_filter1d(x, 0), x));
        CHECK_THROWS_WITH_AS(ndimage::gaussian_filter1d(x, -1), "[gaussian_filter1d] sigma is not 0 or more: -1",
                             value_error);
        CHECK_THROWS_AS(ndimage::gaussian_filter1d(x, constants::nan), value_error);
        CHECK_THROWS_WITH_AS(ndimage::gaussian_filter1d(x, 1, {.order = -1}),
                             "[gaussian_filter1d] the order is negative: -1", value_error);
        CHECK_THROWS_WITH_AS(ndimage::uniform_filter1d(x, 0), "[uniform_filter1d] a window has no elements: 0",
                             value_error);
        CHECK_THROWS_WITH_AS(ndimage::gaussian_filter1d(x, 1, {.axis = 2}),
                             doctest::Contains("[gaussian_filter1d] axis 2"), index_error);
        CHECK_THROWS_WITH_AS(ndimage::uniform_filter1d(x, 3, {.axis = 2}),
                             doctest::Contains("[uniform_filter1d] axis 2"), index_error);
        CHECK_THROWS_WITH_AS(ndimage::uniform_filter1d(x, 3, {.origin = 2}), doctest::Contains("[uniform_filter1d]"),
                             value_error);
        check("convolve1d", ndimage::convolve1d(x, {1, 2, -3, 4}, {.axis = 0, .mode = "wrap", .origin = 1}));
        check("many taps", ndimage::gaussian_filter(data<double>({400}), 20, {.mode = "nearest"}), 1e-13);
        check("median 9", ndimage::median_filter(x, {9, 8}));
        check("maximum", ndimage::maximum_filter(x, {2, 3}, {.origin = {0, 1}}));
        // Each is a kernel to compile.
        if (b.compiles()) return;
        check("gaussian of one axis", ndimage::gaussian_filter(cube, 1, {.radius = 2, .axes = 1}));
        check("correlate origin", ndimage::correlate(x, even, {.origin = {-1, 1}}));
        check("convolve origin", ndimage::convolve(x, even, {.origin = {-1, 1}}));
        check("convolve cube", ndimage::convolve(cube, data<double>({3, 2, 3}, 5), {.mode = "mirror"}));
        check("median 5", ndimage::median_filter(x, {5, 4}, {.mode = "nearest"}));
        check("rank", ndimage::rank_filter(x, -2, 3, {.mode = "wrap"}));
        check("minimum", ndimage::minimum_filter(x, {3, 4}, {.mode = "constant", .cval = -3}));
        check("prewitt", ndimage::prewitt(cube, 1));
        check("sobel cube", ndimage::sobel(cube));
    });
}

TEST_CASE("ndimage: filters keep the image's type, and integers are truncated after each axis") {
    on_every_backend([](const tested_backend&) {
        check("gaussian float32", ndimage::gaussian_filter(data<float>({5, 7}), 1.5), 1e-6);
        check("gaussian uint8", ndimage::gaussian_filter(data<std::uint8_t>({5, 7}), 0.9));
        check("gaussian complex", ndimage::gaussian_filter(data<std::complex<double>>({5, 7}), 0.9));
        check("uniform int32", ndimage::uniform_filter(data<int>({5, 7}), 3));
        check("correlate int16", ndimage::correlate(data<std::int16_t>({5, 7}), data<double>({3, 3}, 1)));
        check("median int16", ndimage::median_filter(data<std::int16_t>({5, 7}), {2, 3}));
        CHECK(ndimage::gaussian_filter(zeros<half>({0, 3}), 2).shape() == dims(0, 3));
        CHECK(ndimage::median_filter(ones<half>({4}), 3).item(3) == half(1.0f));
        const array<bool> single{false, true, false, false};
        CHECK(array_equal(ndimage::uniform_filter(single, 3), array<bool>{true, true, true, false}));
    });
}

TEST_CASE("ndimage: differences of integers may be negative along one axis where their sum is not") {
    on_every_backend([](const tested_backend&) {
        const array<std::uint8_t> x{{9, 7, 5}, {0, 4, 8}, {0, 4, 8}};
        CHECK(ndimage::sobel(x).item(1, 1) == 20);
        CHECK(ndimage::prewitt(x).item(1, 1) == 12);
        CHECK(ndimage::laplace(x).item(1, 1) == 3);
        CHECK(ndimage::laplace(x).item(0, 1) == 0);
        const array<std::int16_t> wide = astype<std::int16_t>(x);
        CHECK(array_equal(ndimage::sobel(x, 0), astype<std::uint8_t>(maximum(ndimage::sobel(wide, 0), 0))));
    });
}

TEST_CASE("ndimage: wrong windows, modes and origins are told, and nothing of a filter passes through the host") {
    on_every_backend([](const tested_backend& b) {
        const array<float> x = data<float>({11, 13}).eval();
        CHECK_THROWS_WITH_AS(ndimage::gaussian_filter(x, 1, {.mode = "edge"}),
                             "[gaussian_filter] the mode is not reflect, constant, nearest, mirror or wrap: edge",
                             value_error);
        CHECK_THROWS_WITH_AS(ndimage::uniform_filter(x, 3, {.origin = 2}),
                             "[uniform_filter] origin 2 lies outside of a window of 3", value_error);
        CHECK_THROWS_WITH_AS(ndimage::gaussian_filter(x, {1, 2, 3}), "[gaussian_filter] 3 numbers of sigma for 2 axes",
                             value_error);
        CHECK_THROWS_AS(ndimage::correlate(x, ones<float>({3})), shape_error);
        CHECK_THROWS_AS(ndimage::rank_filter(x, 9, 3), value_error);
        CHECK_THROWS_AS(ndimage::sobel(x, 2), index_error);
        expected::check_stays([&] { return ndimage::gaussian_filter(x * 2, 1); });
        expected::check_stays([&] { return ndimage::median_filter(x * 2, 3); });
        if (!b.compiles()) return;
        reset_counters();
        ndimage::gaussian_filter(x, 1).eval();
        CHECK(counters().launches <= 4);
    });
}
