// Filters by footprints, openings of grey images, gradients by Gaussians, and where extrema and medians of objects are,
// against SciPy's.
#include <sinter/ndimage.hpp>
#include <sinter/sinter.hpp>
#include <string>
#include <vector>

#include "support/backends.hpp"
#include "support/scipy_golden.hpp"

using namespace sinter;
using namespace test_backends;
using scipy_golden::blobs;
using scipy_golden::data;

namespace {

template <expression E>
void check(const std::string& name, const E& e, double tolerance = 1e-13) {
    scipy_golden::check("/golden/ndimage.txt", name, e, tolerance);
}

/// Numbers of which none occurs twice.
array<double> different() { return astype<double>(reshape(arange(221) * 37 % 223, {13, 17})); }

template <class F>
void check_objects(const std::string& name, F f) {
    const array<double> x = different();
    const array<std::int32_t> labels = ndimage::label(blobs({13, 17})).labels;
    check(name + " of objects", f(x, ndimage::object_options{.labels = labels, .index = {3, 1, 2}}));
    check(name + " of one object", f(x, ndimage::object_options{.labels = labels, .index = 2}));
    check(name + " of all objects", f(x, ndimage::object_options{.labels = labels}));
    check(name + " of an image", f(x, ndimage::object_options{}));
    CHECK_THROWS_AS(f(x, ndimage::object_options{.index = {1}}), value_error);
}

}  // namespace

TEST_CASE("ndimage: filters by footprints are SciPy's, by networks and by sorting") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = data<double>({5, 7});
        const array<int> whole = data<int>({5, 7});
        const array<bool> large = data<bool>({5, 7}, 2) || data<bool>({5, 7}, 4);
        auto check_all = [&](const std::string& name, const array<bool>& f) {
            const ndimage::footprint_options o{.footprint = f, .mode = "wrap", .origin = {0, 1}};
            check("minimum_filter " + name, ndimage::minimum_filter(x, o));
            check("maximum_filter " + name, ndimage::maximum_filter(x, o));
            check("median_filter " + name, ndimage::median_filter(x, o));
            check("rank_filter " + name,
                  ndimage::rank_filter(x, -2, {.footprint = f, .mode = "constant", .cval = 2.5}));
            check("percentile_filter " + name, ndimage::percentile_filter(whole, 30, {.footprint = f}));
        };
        check_all("few", data<bool>({2, 3}, 1));
        check_all("many", large);
        CHECK_THROWS_AS(ndimage::minimum_filter(x, {.footprint = ones<bool>({3})}), shape_error);
        CHECK_THROWS_AS(ndimage::median_filter(x, {.footprint = zeros({3, 3})}), value_error);
        CHECK_THROWS_AS(ndimage::rank_filter(x, 4, {.footprint = ones({2, 2})}), value_error);
        CHECK(ndimage::maximum_filter(zeros({0, 3}), {.footprint = ones({2, 2})}).shape() == dims{0, 3});
    });
}

TEST_CASE("ndimage: openings and closings of grey images and iterated structures are SciPy's") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = data<double>({5, 7}), heights = data<double>({3, 2}, 1);
        const array<bool> odd = data<bool>({2, 3}, 1);
        check("grey_opening", ndimage::grey_opening(x, {3, 4}));
        check("grey_closing", ndimage::grey_closing(data<int>({5, 7}), {2, 3}, {.mode = "nearest"}));
        check("grey_opening footprint", ndimage::grey_opening(x, {.footprint = odd}));
        check("grey_closing structure", ndimage::grey_closing(x, {.structure = heights}));
        for (int n : {1, 2, 4}) {
            const array<bool> cross = ndimage::generate_binary_structure(2, 1);
            check("iterate_structure " + std::to_string(n), ndimage::iterate_structure(cross, n));
            check("iterate_structure odd " + std::to_string(n), ndimage::iterate_structure(odd, n));
        }
    });
}

TEST_CASE("ndimage: second derivatives and gradients by Gaussians are SciPy's") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = data<double>({5, 7});
        for (const char* mode : {"reflect", "constant", "wrap"}) {
            const ndimage::derivative_options o{.mode = mode, .cval = 2.5};
            check("gaussian_laplace " + std::string(mode), ndimage::gaussian_laplace(x, {1, 1.5}, o));
            check("gaussian_gradient_magnitude " + std::string(mode), ndimage::gaussian_gradient_magnitude(x, 1.2, o));
        }
        CHECK_THROWS_AS(ndimage::gaussian_laplace(x, {1, 2, 3}), value_error);
    });
}

TEST_CASE("ndimage: weights along an axis may be an array") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = data<double>({5, 7});
        CHECK(array_equal(ndimage::convolve1d(x, array<int>{1, 3}), ndimage::convolve1d(x, {1, 3})));
        CHECK(array_equal(ndimage::correlate1d(x, std::vector<double>{1, 3, 2}, {.axis = 0}),
                          ndimage::correlate1d(x, array<double>{1, 3, 2}, {.axis = 0})));
    });
}

TEST_CASE("ndimage: medians and positions of extrema of objects are SciPy's") {
    on_every_backend([](const tested_backend&) {
        check_objects("minimum_position", [](const auto& x, const auto& o) { return ndimage::minimum_position(x, o); });
        check_objects("maximum_position", [](const auto& x, const auto& o) { return ndimage::maximum_position(x, o); });
        check_objects("median", [](const auto& x, const auto& o) { return ndimage::median(x, o); });
        const array<int> x{{4, 1, 7}, {1, 7, 2}}, labels{{1, 1, 1}, {2, 2, 0}};
        const auto e = ndimage::extrema(x, {.labels = labels, .index = {2, 1, 5}});
        CHECK(array_equal(e.minimum, {1, 1, 0}));
        CHECK(array_equal(e.maximum, {7, 7, 0}));
        CHECK(array_equal(e.minimum_position, array<int>{{1, 0}, {0, 1}, {-1, -1}}));
        CHECK(array_equal(e.maximum_position, array<int>{{1, 1}, {0, 2}, {-1, -1}}));
        CHECK(array_equal(ndimage::minimum_position(x), {0, 1}));
        CHECK(array_equal(ndimage::maximum_position(array<bool>{{false, true}}), {0, 1}));
        CHECK(bool(all(isnan(ndimage::median(x, {.labels = labels, .index = {5}})))));
        const array<double> gaps{1, constants::nan, 3, 4};
        CHECK(array_equal(ndimage::median(gaps, {.labels = array<int>{1, 1, 2, 2}, .index = {1, 2}}),
                          array<double>{constants::nan, 3.5}, {.equal_nan = true}));
    });
}
