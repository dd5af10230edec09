// Statistics and boxes of objects, grey erosions and dilations and percentiles of windows against SciPy's.
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
void check(const std::string& name, const E& e, double tolerance = 1e-14) {
    scipy_golden::check("/golden/ndimage.txt", name, e, tolerance);
}

/// Of objects, of all of them as one, of an image, and of integers by numbers that broadcast.
template <class F>
void check_statistic(const std::string& name, F f) {
    const array<double> x = data<double>({13, 17}) + 20;
    const array<std::int32_t> labels = ndimage::label(blobs({13, 17})).labels;
    const array<int> whole = data<int>({13, 17});
    const array<std::int64_t> rows = reshape(arange<std::int64_t>(13) % 4, {13, 1});
    check(name + " of objects", f(x, ndimage::object_options{.labels = labels, .index = {3, 1, 2, 1000}}), 1e-13);
    check(name + " of all objects", f(x, ndimage::object_options{.labels = labels}), 1e-13);
    check(name + " of an image", f(x, ndimage::object_options{}), 1e-13);
    check(name + " of integers", f(whole, ndimage::object_options{.labels = rows, .index = {0, 2, 3}}), 1e-13);
    CHECK_THROWS_AS(f(x, ndimage::object_options{.index = {1}}), value_error);
    CHECK_THROWS_AS(f(x, ndimage::object_options{.labels = labels, .index = {-1}}), value_error);
    CHECK_THROWS_AS(f(x, ndimage::object_options{.labels = rows(slice(0, 3)), .index = {1}}), shape_error);
}

/// First and last places and one more, -1 where an object is not there.
template <expression E>
void check_boxes(const std::string& name, const E& labels) {
    const auto boxes = ndimage::find_objects(labels);
    const int rank = labels.ndim();
    std::vector<std::int64_t> ends;
    for (const auto& box : boxes) {
        REQUIRE((box.empty() || box.size() == static_cast<std::size_t>(rank)));
        for (int axis = 0; axis < rank; ++axis) {
            const auto at = static_cast<std::size_t>(axis);
            ends.push_back(box.empty() ? -1 : box[at].start.value);
            ends.push_back(box.empty() ? -1 : box[at].stop.value);
        }
    }
    check("boxes " + name, reshape(asarray(ends), {static_cast<std::int64_t>(boxes.size()), rank, 2}));
}

}  // namespace

TEST_CASE("ndimage: statistics of objects are SciPy's, of an index, of all objects and of the image") {
    on_every_backend([](const tested_backend&) {
        check_statistic("sum_labels", [](const auto& x, const auto& o) { return ndimage::sum_labels(x, o); });
        check_statistic("mean", [](const auto& x, const auto& o) { return ndimage::mean(x, o); });
        check_statistic("variance", [](const auto& x, const auto& o) { return ndimage::variance(x, o); });
        check_statistic("standard_deviation",
                        [](const auto& x, const auto& o) { return ndimage::standard_deviation(x, o); });
        check_statistic("minimum", [](const auto& x, const auto& o) { return ndimage::minimum(x, o); });
        check_statistic("maximum", [](const auto& x, const auto& o) { return ndimage::maximum(x, o); });
        const array<bool> few = blobs({13, 17});
        CHECK(array_equal(ndimage::minimum(few, {.labels = astype<int>(few), .index = {0, 1}}),
                          array<bool>{false, true}));
        CHECK(array_equal(ndimage::maximum(few, {.labels = astype<int>(few), .index = {0, 1}}),
                          array<bool>{false, true}));
    });
}

TEST_CASE("ndimage: names that sinter has too are told apart by options") {
    using namespace ndimage;
    on_every_backend([](const tested_backend&) {
        const array<double> x{1, 2, 6};
        CHECK(mean(x).item() == 3);
        CHECK(minimum(x, 4.0 - x).item(2) == -2);
        CHECK(mean(x, {.labels = array<int>{0, 1, 1}}).item() == 4);
        CHECK(maximum(x, {.labels = array<int>{1, 1, 0}}).item() == 2);
    });
}

TEST_CASE("ndimage: boxes of objects are SciPy's, also where numbers are missing") {
    on_every_backend([](const tested_backend&) {
        check_boxes("few", ndimage::label(blobs({13, 17})).labels);
        check_boxes("cube", ndimage::label(blobs({4, 5, 6}, 3)).labels);
        const array<int> rows = reshape(arange<int>(13) % 4 * 2, {13, 1});
        check_boxes("gaps", array<int>(broadcast_to(rows, {13, 17})));
        CHECK(ndimage::find_objects(zeros<int>({4, 3})).empty());
        CHECK(ndimage::find_objects(ones<int>({4, 3}), 2).size() == 2);
        CHECK(ndimage::find_objects(zeros<int>({0, 3})).empty());
        const array<int> labels{{0, 0, 1}, {0, 2, 1}};
        const auto boxes = ndimage::find_objects(labels);
        CHECK(array_equal(labels(boxes[0][0], boxes[0][1]), array<int>{{1}, {1}}));
    });
}

TEST_CASE("ndimage: grey erosions and dilations are SciPy's, flat, by footprints and by structures") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = data<double>({5, 7}), cube = data<double>({3, 4, 5}, 3);
        const array<double> heights = data<double>({3, 2}, 1), more = data<double>({2, 3}, 2);
        const array<int> whole = data<int>({5, 7});
        const array<bool> odd = data<bool>({2, 3}, 1);
        auto check_both = [&](const std::string& name, auto f) {
            check(name, f(x, 0));
            check(name + " origin", f(whole, 1));
            check(name + " cube", f(cube, 2));
        };
        const ndimage::filter_options options[] = {{.mode = "constant", .cval = -3}, {.origin = {-1, 1}}, {}};
        const ndimage::per_axis<std::int64_t> sizes[] = {{3, 4}, {2, 3}, 2};
        check_both("grey_erosion",
                   [&](const auto& y, int k) { return ndimage::grey_erosion(y, sizes[k], options[k]); });
        check_both("grey_dilation",
                   [&](const auto& y, int k) { return ndimage::grey_dilation(y, sizes[k], options[k]); });
        const ndimage::grey_options footprint{.footprint = odd, .mode = "wrap", .origin = {0, 1}},
            structure{.structure = heights, .mode = "nearest"}, both{.footprint = odd, .structure = more};
        check("grey_erosion footprint", ndimage::grey_erosion(x, footprint));
        check("grey_dilation footprint", ndimage::grey_dilation(x, footprint));
        check("grey_erosion structure", ndimage::grey_erosion(x, structure));
        check("grey_dilation structure", ndimage::grey_dilation(x, structure));
        check("grey_erosion both", ndimage::grey_erosion(x, both));
        check("grey_dilation both", ndimage::grey_dilation(x, both));
        CHECK_THROWS_AS(ndimage::grey_erosion(x, ndimage::grey_options{}), value_error);
        CHECK_THROWS_AS(ndimage::grey_erosion(x, {.footprint = zeros<bool>({2, 2})}), value_error);
        CHECK_THROWS_AS(ndimage::grey_dilation(x, {.structure = ones({3})}), shape_error);
    });
}

TEST_CASE("ndimage: percentiles of windows are SciPy's") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = data<double>({5, 7});
        const std::pair<std::string, double> shares[] = {{"0", 0},       {"20", 20},   {"50", 50},
                                                         {"75.5", 75.5}, {"100", 100}, {"-30", -30}};
        for (const auto& [name, share] : shares)
            check("percentile " + name, ndimage::percentile_filter(x, share, 3, {.mode = "wrap"}));
        check("percentile large", ndimage::percentile_filter(data<int>({5, 7}), 35, {5, 4}));
        CHECK_THROWS_AS(ndimage::percentile_filter(x, 101, 3), value_error);
    });
}
