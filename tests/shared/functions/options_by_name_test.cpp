// Options that ask for more results or take arrays, and operands in braces, as NumPy's documentation has them.
#include <string>
#include <vector>

#include <sinter/fft.hpp>
#include <sinter/linalg.hpp>
#include <sinter/sinter.hpp>

#include "support/backends.hpp"

using namespace sinter;
using namespace test_backends;
using integers = array<std::int64_t>;
using numbers = array<double>;

TEST_CASE("an option that asks for more results gives them beside the usual one") {
    on_every_backend([](const tested_backend&) {
        const auto [common, i, j] =
            intersect1d(integers{1, 1, 2, 3, 4}, integers{2, 1, 4, 6}, {.return_indices = true});
        CHECK(array_equal(common, {1, 2, 4}));
        CHECK(array_equal(i, {0, 2, 4}));
        CHECK(array_equal(j, {1, 0, 2}));
        const auto [x, step] = linspace(2.0, 3.0, 5, {.retstep = true});
        CHECK(array_equal(x, linspace(2.0, 3.0, 5)));
        CHECK(step == 0.25);
        CHECK(linspace(0, 1, 4, {.retstep = true, .endpoint = false}).step == 0.25);
        const auto open = indices({2, 3}, {.sparse = true});
        CHECK(open[0].shape() == dims{2, 1});
        CHECK(array_equal(open[1], integers{{0, 1, 2}}));
        const integers m = reshape(arange(6), {3, 2});
        const auto [mean, sum] = average(m, {.returned = true, .axis = 1, .weights = numbers{0.25, 0.75}});
        CHECK(array_equal(mean, {0.75, 2.75, 4.75}));
        CHECK(array_equal(sum, {1, 1, 1}));
    });
}

TEST_CASE("averages have options by name, and say where weights are of a higher type") {
    on_every_backend([](const tested_backend&) {
        CHECK(average(arange(1, 11), {.weights = arange(10, 0, -1)}).item() == 4);
        CHECK(average(eye(3), {.axis = 0, .weights = ones(3), .keepdims = true}).shape() == dims{1, 3});
        CHECK_THROWS_AS(average(array<float>{1, 2}, {.weights = numbers{1, 2}}), type_error);
        CHECK(average(array<float>{1, 2}, {.weights = array<float>{1, 3}}).item() == 1.75f);
        CHECK_THROWS_AS(average(eye(3), {.weights = numbers{1, 2}}), shape_error);
    });
}

TEST_CASE("variances are about a mean that is known, and correction is another name of ddof") {
    on_every_backend([](const tested_backend&) {
        const integers a{{14, 8, 11, 10}, {7, 9, 10, 11}, {10, 15, 5, 10}};
        CHECK(allclose(var(a, 1, {.mean = mean(a, 1, keepdims)}), var(a, 1)));
        CHECK(allclose(var(a, 1, {.mean = full({}, 10.0)}), mean(square(a - 10), 1)));
        CHECK(array_equal(stddev(a, {.correction = 1}), stddev(a, {.ddof = 1})));
        CHECK(bool(all(isnan(nanvar(a, 1, {.mean = mean(a, 1, keepdims), .correction = 4})))));
    });
}

TEST_CASE("numbers in braces are operands") {
    on_every_backend([](const tested_backend&) {
        CHECK(array_equal(integers{1, 2}, {1, 2}));
        CHECK_FALSE(array_equal(integers{1, 2}, {1, 2, 3}));
        CHECK(polyval({3, 0, 1}, 5).item() == 76);
        CHECK(array_equal(searchsorted(integers{11, 12, 13}, {-10, 20, 12}), {0, 3, 1}));
        const auto chosen = choose(integers{1, 0}, {-10, 10});
        CHECK(chosen.dtype() == dtype::int64);
        CHECK(array_equal(chosen, {10, -10}));
        CHECK(array_equal(histogram(integers{1, 2, 1}, {.bins = {0, 1, 2, 3}}).hist, {0, 2, 1}));
        CHECK(array_equal(partition(integers{7, 1, 5}, {0, 1}), {1, 5, 7}));
        CHECK_THROWS_AS(partition(integers{7, 1, 5}, {0, 3}), value_error);
    });
}

TEST_CASE("polynomials of matrices, of other constants and as values are NumPy's") {
    on_every_backend([](const tested_backend&) {
        CHECK(allclose(poly(numbers{{0, 1.0 / 3}, {-0.5, 0}}), numbers{1, 0, 1.0 / 6}));
        CHECK_THROWS_AS(poly(ones({2, 3})), shape_error);
        const numbers integral = polyint(numbers{1, 1, 1}, 3, {6, 5, 3});
        CHECK(allclose(integral, numbers{1 / 60.0, 1 / 24.0, 1 / 6.0, 3, 5, 3}));
        CHECK(array_equal(polyint(numbers{1, 1, 1}, 3, {.k = {6, 5, 3}}), integral));
        CHECK_THROWS_AS(polyint(numbers{1, 1}, 3, {1, 2}), value_error);
        const poly1d<double> p{1, 1, 1};
        CHECK(array_equal(polyint(p, 3, {6, 5, 3}).c(), integral));
        CHECK(array_equal(polyder(p, 2).c(), {2}));
        CHECK(polyval(p, 2).item() == 7);
    });
}

TEST_CASE("fits tell the covariance of their coefficients and what least squares give") {
    on_every_backend([](const tested_backend&) {
        const numbers x = arange(6.0), y{0, 0.8, 0.9, 0.1, -0.8, -1};
        const auto [p, v] = polyfit(x, y, 2, {.cov = true});
        CHECK(array_equal(p, polyfit(x, y, 2)));
        CHECK(allclose(v, v.T()));
        const numbers unscaled = polyfit(x, y, 2, {.cov = "unscaled"}).v;
        const numbers rest = y - polyval(p, x);
        CHECK(allclose(v, unscaled * (sum(square(rest)) / 3.0)));
        const auto fit = polyfit(x, y, 1, {.full = true});
        CHECK(fit.fit.rank.item() == 2);
        CHECK(allclose(fit.fit.residuals, numbers{1.4948571428571427}));
        CHECK_THROWS_AS(polyfit(x(slice(3)), y(slice(3)), 2, {.cov = true}), value_error);
    });
}

TEST_CASE("replacements of what is no number may be arrays") {
    on_every_backend([](const tested_backend&) {
        const numbers x{constants::inf, -constants::inf, constants::nan, 4};
        CHECK(array_equal(nan_to_num(x, {.nan = numbers{1, 2, 3, 4}, .posinf = 7, .neginf = numbers{0, 9, 0, 0}}),
                          {7, 9, 3, 4}));
        CHECK(nan_to_num(constants::nan, {.nan = 3}) == 3);
        CHECK_THROWS_AS(nan_to_num(x, {.nan = numbers{1, 2}}), shape_error);
        const std::complex<double> z(1.234, 2.345);
        CHECK(round(z, 1) == std::complex<double>(1.2, 2.3));
        CHECK(allclose(round(array{z}, 1), array{std::complex<double>(1.2, 2.3)}, 0, 1e-15));
    });
}

TEST_CASE("zeros around a matrix are trimmed, and a matrix has its rows as keys") {
    on_every_backend([](const tested_backend&) {
        const integers m{{0, 0, 2, 3, 0}, {0, 1, 0, 3, 0}, {0, 0, 0, 0, 0}};
        CHECK(array_equal(trim_zeros(m), integers{{0, 2, 3}, {1, 0, 3}}));
        CHECK(trim_zeros(m, {.axis = -1}).shape() == dims{3, 3});
        CHECK(trim_zeros(m, {.axis = 0, .trim = "f"}).shape() == dims{3, 5});
        CHECK(trim_zeros(zeros({2, 3})).shape() == dims{0, 0});
        CHECK_THROWS_AS(trim_zeros(m, {.axis = 2}), index_error);
        const integers keys{{9, 4, 0, 4}, {1, 5, 1, 4}};
        CHECK(array_equal(lexsort(keys), lexsort(std::tuple(integers(keys(0)), integers(keys(1))))));
        CHECK_THROWS_AS(lexsort(full<std::int64_t>({}, 3)), shape_error);
    });
}

TEST_CASE("numpy.linalg's and numpy.fft's options have their names") {
    on_every_backend([](const tested_backend&) {
        const integers m = reshape(arange(12), {3, 2, 2});
        CHECK(array_equal(linalg::trace(m), {3, 11, 19}));
        CHECK(array_equal(linalg::diagonal(m, {.offset = 1}), integers{{1}, {5}, {9}}));
        CHECK(linalg::multi_dot({ones({2, 3}), ones({3, 4}), ones({4, 1})}).shape() == dims{2, 1});
        CHECK(array_equal(fft::fftshift(m, {.axes = 1}), fft::fftshift(m, 1)));
        CHECK(array_equal(fft::ifftshift(m, {.axes = {0, 1}}), fft::ifftshift(m, {0, 1})));
        const numbers x{0, 1, 0, 0};
        CHECK(array_equal(fft::rfft(x, {.norm = "ortho"}), fft::rfft(x, {.norm = fft::norm::ortho})));
        CHECK_THROWS_AS(fft::rfft(x, {.norm = "other"}), value_error);
    });
}
