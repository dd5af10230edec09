// Objects in images against SciPy's: labels, erosions and dilations, distances, centres.
#include <algorithm>
#include <sinter/ndimage.hpp>
#include <sinter/sinter.hpp>
#include <string>
#include <vector>

#include "support/backends.hpp"
#include "support/expected.hpp"
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

/// An image that a file holds.
array<bool> image(const std::string& name) {
    const golden::numpy_result& r = scipy_golden::results("/golden/ndimage.txt").at(name);
    return array<bool>(detail::store(dtype::bool_, r.shape, r.bytes.data()));
}

void check_labels(const std::string& name, const array<bool>& x, const ndimage::label_options& o = {}) {
    auto [labels, n] = ndimage::label(x, o);
    check("label " + name, labels);
    check("label " + name + " number", full<std::int64_t>({}, n));
}

/// Objects numbered in the order of their first elements, by a flood from each of these.
std::vector<std::int32_t> flooded(const array<bool>& given, const array<bool>& structure) {
    const dims shape = given.shape();
    const std::vector<bool> x = to_vector(given), connected = to_vector(structure);
    const auto n = static_cast<std::size_t>(shape.product());
    std::vector<std::int32_t> labels(n, 0);
    std::int32_t count = 0;
    std::vector<std::size_t> open;
    auto enter = [&](std::size_t at) {
        if (!x[at] || labels[at]) return;
        labels[at] = count;
        open.push_back(at);
    };
    auto enter_neighbour = [&](std::size_t at, std::size_t place) {
        std::int64_t to = 0, stride = 1, rest = static_cast<std::int64_t>(at);
        for (int axis = shape.size() - 1; axis >= 0; --axis, place /= 3) {
            const std::int64_t there = rest % shape[axis] + static_cast<std::int64_t>(place % 3) - 1;
            if (there < 0 || there >= shape[axis]) return;
            to += there * stride;
            rest /= shape[axis];
            stride *= shape[axis];
        }
        enter(static_cast<std::size_t>(to));
    };
    for (std::size_t first = 0; first < n; ++first) {
        if (!x[first] || labels[first]) continue;
        ++count;
        enter(first);
        while (!open.empty()) {
            const std::size_t at = open.back();
            open.pop_back();
            for (std::size_t place = 0; place < connected.size(); ++place)
                if (connected[place]) enter_neighbour(at, place);
        }
    }
    return labels;
}

}  // namespace

TEST_CASE("labels are those of a flood from each object's first element, whichever neighbours are connected") {
    on_every_backend([](const tested_backend&) {
        for (const dims& shape : {dims(1), dims(130), dims(7, 64), dims(5, 1), dims(9, 131), dims(3, 4, 67)}) {
            CAPTURE(to_string(shape));
            const dims window = dims::filled(shape.size(), 3);
            const std::int64_t places = window.product();
            for (int k = 0; k < 6; ++k) {
                CAPTURE(k);
                // Symmetric: each place is connected as the one on the other side of the middle.
                const array<std::int64_t> p = arange<std::int64_t>(places), other = places - 1 - p;
                const array<bool> structure =
                    reshape(minimum(p, other) * 7 % (k + 2) != 1 || p == places / 2, window).eval();
                const array<bool> x = blobs(shape, 31 * k);
                const auto [labels, count] = ndimage::label(x, {.structure = structure});
                const std::vector<std::int32_t> want = flooded(x, structure);
                CHECK(to_vector(labels) == want);
                CHECK(count == *std::max_element(want.begin(), want.end()));
            }
        }
    });
}

TEST_CASE("ndimage: objects are numbered as SciPy numbers them, whatever neighbours are connected") {
    on_every_backend([](const tested_backend& b) {
        const array<bool> m = blobs({13, 17}), cube = blobs({4, 5, 6}, 3);
        check_labels("image", m);
        check_labels("cube", cube);
        // Each structure is a kernel to compile.
        if (b.is_interpreter()) {
            check_labels("full", m, {.structure = ndimage::generate_binary_structure(2, 2)});
            check_labels("line", array<bool>(m(0)));
            check_labels("rows", m, {.structure = array<int>{{0, 0, 0}, {1, 1, 1}, {0, 0, 0}}});
        }
        check("label snake", ndimage::label(image("snake")).labels);
        check("structure", ndimage::generate_binary_structure(3, 2));
        CHECK(ndimage::label(zeros<bool>({0, 3})).num_features == 0);
        CHECK(ndimage::label(zeros({4, 3})).num_features == 0);
        CHECK(ndimage::label(ones<int>({4, 3})).num_features == 1);
        CHECK_THROWS_AS(ndimage::label(m, {.structure = ones<bool>({2, 3})}), shape_error);
        CHECK_THROWS_WITH_AS(ndimage::label(m, {.structure = array<int>{{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}}),
                             "[label] the structure is not symmetric", value_error);
    });
}

TEST_CASE("ndimage: shapes are eroded and dilated as SciPy does") {
    on_every_backend([](const tested_backend&) {
        const array<bool> m = blobs({13, 17}), cube = blobs({4, 5, 6}, 3), odd = data<bool>({2, 3}, 1);
        const array<bool> full = ndimage::generate_binary_structure(2, 2);
        check("erosion", ndimage::binary_erosion(m));
        check("erosion border", ndimage::binary_erosion(m, {.structure = full, .iterations = 2, .border_value = true}));
        check("erosion odd", ndimage::binary_erosion(m, {.structure = odd, .origin = {0, 1}}));
        check("erosion masked", ndimage::binary_erosion(m, {.mask = data<bool>({13, 17}, 2)}));
        check("dilation", ndimage::binary_dilation(astype<float>(m)));
        check("dilation odd", ndimage::binary_dilation(m, {.structure = odd, .border_value = true, .origin = {-1, 0}}));
        check("dilation cube", ndimage::binary_dilation(cube, {.iterations = 2}));
        check("dilation all",
              ndimage::binary_dilation(blobs({13, 17}, 1) && arange(17) < 2, {.iterations = 0, .mask = m}));
        check("opening", ndimage::binary_opening(m));
        check("closing", ndimage::binary_closing(m, {.structure = full}));
        CHECK_THROWS_AS(ndimage::binary_erosion(m, {.structure = ones<bool>({3})}), shape_error);
    });
}

TEST_CASE("ndimage: dilations and erosions that end by themselves are SciPy's, whatever neighbours count") {
    on_every_backend([](const tested_backend&) {
        const array<bool> m = blobs({13, 17}), cube = blobs({4, 5, 6}, 3), sparse = blobs({13, 17}, 5);
        const array<bool> few = m && arange(17) % 7 == 2, few_of_cube = cube && arange(6) == 1;
        const std::pair<std::string, array<bool>> structures[] = {
            {"default", ndimage::generate_binary_structure(2, 1)},
            {"full", ndimage::generate_binary_structure(2, 2)},
            {"rows", {{false, false, false}, {true, true, true}, {false, false, false}}},
            {"flat", ones<bool>({1, 3})},
            {"diagonal", eye<bool>(3)},
            {"lopsided", {{false, true, false}, {false, true, true}, {false, false, false}}},
            {"wide", {{true, false, true, false, true}}},
            {"even", ones<bool>({1, 2})}};
        for (const auto& [name, structure] : structures) {
            for (const bool border : {false, true}) {
                const ndimage::morphology_options o{
                    .structure = structure, .iterations = -1, .mask = sparse, .border_value = border};
                check("grown " + name + (border ? " 1" : " 0"), ndimage::binary_dilation(few, o));
                check("worn " + name + (border ? " 1" : " 0"), ndimage::binary_erosion(m, o));
            }
        }
        check("grown cube", ndimage::binary_dilation(few_of_cube, {.iterations = -1, .mask = cube}));
        check("grown cube border", ndimage::binary_propagation(few_of_cube, {.mask = cube, .border_value = true}));
        check("grown everywhere", ndimage::binary_dilation(few, {.iterations = 0}));
        check("worn everywhere",
              ndimage::binary_erosion(m || arange(17) > 3, {.iterations = -1, .border_value = true}));
        check("propagation origin", ndimage::binary_propagation(few, {.mask = sparse, .origin = {0, 1}}));
        check("opening until stable", ndimage::binary_opening(m, {.iterations = -1, .mask = sparse}));
        CHECK(ndimage::binary_propagation(ones<bool>({})).item());
        CHECK(ndimage::binary_propagation(zeros<bool>({0, 3})).shape() == dims(0, 3));
    });
}

TEST_CASE("ndimage: holes are what cannot be reached from beyond the borders") {
    on_every_backend([](const tested_backend&) {
        const array<bool> rings = image("rings"), cube = blobs({4, 5, 6}, 3);
        check("filled rings", ndimage::binary_fill_holes(astype<float>(rings)));
        check("filled full",
              ndimage::binary_fill_holes(rings, {.structure = ndimage::generate_binary_structure(2, 2)}));
        check("filled cube", ndimage::binary_fill_holes(cube));
        check("filled lopsided",
              ndimage::binary_fill_holes(rings, {.structure = array<int>{{0, 1, 0}, {0, 1, 1}, {0, 0, 0}}}));
        CHECK(all(ndimage::binary_fill_holes(ones({4, 3}))).item());
        CHECK(!any(ndimage::binary_fill_holes(zeros({4, 3}))).item());
    });
}

TEST_CASE("ndimage: a dilation within a mask takes as many kernels for a long way as for a short one") {
    on_every_backend([](const tested_backend&) {
        auto kernels_of = [](std::int64_t n) {
            array<bool> corridor = zeros<bool>({n, 5}), seed = zeros<bool>({n, 5});
            corridor(all, 2) = true;
            seed(0, 2) = true;
            eval(corridor, seed);
            const std::int64_t before = counters().launches;
            CHECK(sum(ndimage::binary_dilation(seed, {.iterations = -1, .mask = corridor})).item() == n);
            return counters().launches - before;
        };
        kernels_of(61);
        CHECK(kernels_of(61) == kernels_of(7));
    });
}

TEST_CASE("ndimage: distances to what is zero are exact, along all axes and by their spacing") {
    on_every_backend([](const tested_backend&) {
        const array<bool> m = blobs({13, 17}), cube = blobs({4, 5, 6}, 3), near = m || arange(17) % 6 > 0;
        check("distance image", ndimage::distance_transform_edt(m));
        check("distance large", ndimage::distance_transform_edt(near));
        check("distance cube", ndimage::distance_transform_edt(cube, {.sampling = {1, 0.5, 2}}));
        check("distance line", ndimage::distance_transform_edt(array<bool>(m(1))));
        CHECK(all(ndimage::distance_transform_edt(ones({3, 2})) == inf).item());
        expected::check_stays([&] { return ndimage::distance_transform_edt(m); });
    });
}

TEST_CASE("ndimage: centres of mass are SciPy's, of an image and of its objects") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = data<double>({13, 17}) + 20;
        const array<std::int32_t> labels = ndimage::label(blobs({13, 17})).labels;
        check("centre", ndimage::center_of_mass(x));
        check("centre of labels", ndimage::center_of_mass(x, {.labels = labels}));
        check("centres", ndimage::center_of_mass(x, {.labels = labels, .index = {3, 1, 2}}));
        CHECK(array_equal(ndimage::center_of_mass(ones({2, 3}), {.labels = array<int>{{-1, 0, 2}, {0, -5, 1}}}),
                          array<double>{0.5, 2}));
        CHECK_THROWS_AS(ndimage::center_of_mass(x, {.labels = ones<int>({3})}), shape_error);
        CHECK_THROWS_AS(ndimage::center_of_mass(x, {.index = {1}}), value_error);
    });
}
