// Images between their elements against SciPy's: borders, orders, types, maps of coordinates.
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
void check(const std::string& name, const E& e, double tolerance = 1e-13) {
    scipy_golden::check("/golden/ndimage.txt", name, e, tolerance);
}

}  // namespace

TEST_CASE("ndimage: splines are SciPy's beyond every border") {
    on_every_backend([](const tested_backend& b) {
        const array<double> places = data<double>({2, 4, 3}, 2);
        for (const char* mode : {"constant", "grid-constant", "nearest", "mirror", "reflect", "wrap", "grid-wrap"}) {
            const std::string at = std::string(" ") + mode;
            const array<double> x = at == " reflect" ? data<double>({23, 24}) : data<double>({5, 7});
            // Each is a kernel to compile: the linear ones have all that differs beyond borders.
            if (b.compiles()) {
                check("map_coordinates linear" + at,
                      ndimage::map_coordinates(x, places, {.order = 1, .mode = mode, .cval = 2.5}));
                continue;
            }
            check("map_coordinates" + at, ndimage::map_coordinates(x, places, {.mode = mode, .cval = 2.5}));
            check("map_coordinates linear" + at,
                  ndimage::map_coordinates(x, places, {.order = 1, .mode = mode, .cval = 2.5}));
            array<double> moved = ndimage::shift(x, {1.3, -2.6}, {.order = 2, .mode = mode, .cval = 2.5});
            check("shift" + at, array<double>(moved(slice(5))));
        }
    });
}

TEST_CASE("ndimage: splines of every order, of every type and rank are SciPy's") {
    on_every_backend([](const tested_backend& b) {
        const array<double> x = data<double>({5, 7}), large = data<double>({23, 24});
        const array<double> places = data<double>({2, 4, 3}, 2);
        for (int order : {0, 2, 4, 5})
            check("map_coordinates order " + std::to_string(order),
                  ndimage::map_coordinates(large, places, {.order = order, .mode = "reflect"}));
        if (b.compiles()) return;
        check("map_coordinates cube",
              ndimage::map_coordinates(data<double>({3, 4, 5}, 3), data<double>({3, 6}, 1), {.mode = "mirror"}));
        check("map_coordinates coefficients",
              ndimage::map_coordinates(x, places, {.mode = "mirror", .prefilter = false}));
        check("map_coordinates uint8",
              ndimage::map_coordinates(data<std::uint8_t>({5, 7}), places, {.mode = "mirror"}));
        check("map_coordinates int16",
              ndimage::map_coordinates(data<std::int16_t>({5, 7}), places, {.mode = "nearest"}));
        check("map_coordinates float32", ndimage::map_coordinates(data<float>({5, 7}), places, {.mode = "nearest"}),
              2e-6);
        check("map_coordinates complex",
              ndimage::map_coordinates(data<std::complex<double>>({5, 7}), places, {.mode = "mirror"}));
        array<double> far = ndimage::shift(large, {30.5, -41}, {.order = 5, .mode = "nearest"});
        check("shift far", array<double>(far(slice(none, none, 5))));
        check("spline_filter", ndimage::spline_filter(x));
        check("spline_filter 5",
              array<double>(ndimage::spline_filter(large, {.order = 5, .mode = "reflect"})(slice(2))));
    });
}

TEST_CASE("ndimage: images are zoomed, turned and mapped as SciPy does") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = data<double>({5, 7}), cube = data<double>({3, 4, 5}, 3);
        const array<double> matrix{{0.9, 0.2}, {-0.3, 1.1}};
        check("affine", ndimage::affine_transform(x, matrix, {.offset = {0.5, -0.25}, .output_shape = dims(4, 6)}));
        check("affine diagonal",
              ndimage::affine_transform(x, array<double>{0.7, 1.2}, {.offset = 0.3, .mode = "nearest"}));
        check("affine homogeneous", ndimage::affine_transform(x, array<double>{{0.9, 0.2, 0.5}, {-0.3, 1.1, 1}},
                                                              {.order = 1, .mode = "mirror"}));
        check("zoom", ndimage::zoom(x, {2, 0.6}));
        check("zoom grid", ndimage::zoom(x, 1.7, {.mode = "grid-constant", .grid_mode = true}));
        check("zoom cube", ndimage::zoom(cube, {1, 1.5, 2}, {.order = 1, .mode = "nearest"}));
        check("rotate", ndimage::rotate(x, 30));
        array<double> turned =
            ndimage::rotate(data<double>({23, 24}), -100, {.reshape = false, .order = 2, .mode = "reflect"});
        check("rotate same shape", array<double>(turned(slice(3))));
        check("rotate cube", ndimage::rotate(cube, 45, {.axes = {2, 0}, .mode = "nearest"}));
        check("rotate right angle", ndimage::rotate(x, 90));
        CHECK_THROWS_WITH_AS(
            ndimage::map_coordinates(x, zeros({3, 4})),
            "[map_coordinates] coordinates have one row for each axis of the image (5, 7), and not the shape (3, 4)",
            shape_error);
        CHECK_THROWS_AS(ndimage::zoom(x, 0.01), value_error);
        CHECK_THROWS_AS(ndimage::shift(x, 1, {.order = 6}), value_error);
        CHECK_THROWS_AS(ndimage::affine_transform(x, ones({3, 3, 3})), shape_error);
        CHECK_THROWS_AS(ndimage::rotate(x, 3, {.axes = {1, 1}}), value_error);
        expected::check_stays([&] { return ndimage::rotate(x * 2, 30); });
    });
}
