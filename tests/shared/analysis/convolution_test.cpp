// Convolutions and correlations against NumPy and SciPy, and long ones, by transforms, against plain sums.
#include "support/backends.hpp"
#include "support/expected.hpp"

#include <cmath>
#include <complex>
#include <sinter/sinter.hpp>
#include <string>
#include <vector>

using namespace sinter;
using namespace test_backends;
using expected::check;
using expected::check_stays;
using expected::missing;
using complex = std::complex<double>;

TEST_CASE("convolutions of vectors of either length are NumPy's in every mode") {
    on_every_backend([](const tested_backend& b) {
        const array<double> a{1, 2, 3, 4, 5}, v{0.5, -1, 2, 1};
        for (bool swap : {false, true}) {
            const array<double>&x = swap ? v : a, &y = swap ? a : v;
            check(convolve(x, y), array<double>{0.5, 0, 1.5, 4, 6.5, 6, 14, 5});
            check(convolve(x, y, "same"), array<double>{0, 1.5, 4, 6.5, 6});
            check(convolve(x, y, "valid"), array<double>{4, 6.5});
        }
        const array<complex> z{complex(1, 2), 3, complex(2, -1)}, w{complex(0, 1), complex(2, -1)};
        check(convolve(z, w), array<complex>{complex(-2, 1), complex(4, 6), complex(7, -1), complex(3, -4)});
        check(convolve(array<double>{1, missing, 3, inf, 5}, array<double>{1, 2}),
              array<double>{1, missing, missing, inf, inf, 10});
        check(convolve(array<std::int8_t>{100, 100}, array<std::int8_t>{1, 1}), array<std::int8_t>{100, -56, 100});
        check(convolve(array<bool>{true, false, false}, array<bool>{true, true}),
              array<bool>{true, true, false, false});
        check(convolve(array<int>{1, 2}, array<float>{0.5f}), array<double>{0.5, 1});
        check(convolve(array<half>{half(1.0f), half(2.0f)}, array<half>{half(1.0f), half(1.0f)}),
              array<half>{half(1.0f), half(3.0f), half(2.0f)});
        CHECK_THROWS_WITH_AS(convolve(a, zeros({0})), "[convolve] an operand is empty: (5,) and (0,)", value_error);
        CHECK_THROWS_AS(convolve(a, v, "some"), value_error);
        CHECK_THROWS_AS(convolve(a, zeros({2, 2})), shape_error);
        check_stays([&] { return convolve(a * 2, v, "same"); });
        if (!b.compiles()) return;
        const array<float> signal = random::normal<float>(0, 1, {1009}).eval(), window = hanning<float>(9).eval();
        for (const char* mode : {"full", "same", "valid"}) {
            reset_counters();
            convolve(signal, window, mode).eval();
            CHECK(counters().launches == (mode == std::string("valid") ? 1 : 2));
        }
    });
}

TEST_CASE("correlations of vectors of either length are NumPy's in every mode") {
    on_every_backend([](const tested_backend&) {
        const array<double> a{1, 2, 3, 4, 5}, v{0.5, -1, 2, 1};
        check(correlate(a, v), array<double>{8.5, 11});
        check(correlate(a, v, "same"), array<double>{4, 6, 8.5, 11, 7.5});
        check(correlate(a, v, "full"), array<double>{1, 4, 6, 8.5, 11, 7.5, -3, 2.5});
        check(correlate(v, a), array<double>{11, 8.5});
        check(correlate(v, a, "same"), array<double>{7.5, 11, 8.5, 6, 4});
        const array<complex> z{complex(1, 2), 3, complex(2, -1)}, w{complex(0, 1), complex(2, -1)};
        check(correlate(z, w, "full"), array<complex>{complex(0, 5), complex(8, 2), complex(5, -3), complex(-1, -2)});
        check(correlate(w, z, "same"), array<complex>{complex(5, 3), complex(8, -2), complex(0, -5)});
        CHECK_THROWS_AS(correlate(zeros({0}), v), value_error);
    });
}

TEST_CASE("convolutions of matrices are SciPy's in every mode and at every boundary") {
    on_every_backend([](const tested_backend&) {
        const array<double> m{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}, k{{1, 0}, {-1, 2}};
        const array<double> valid{{5, 7}, {11, 14}};
        check(convolve2d(m, k, "full", {.fillvalue = 1}),
              array<double>{{2, 3, 4, 2}, {5, 5, 7, 6}, {5, 11, 14, 12}, {-4, 7, 7, 20}});
        check(convolve2d(m, k, "same", {.fillvalue = 1}), array<double>{{2, 3, 4}, {5, 5, 7}, {5, 11, 14}});
        check(convolve2d(m, k, "full", {.boundary = "wrap"}),
              array<double>{{14, 8, 9, 14}, {9, 5, 7, 9}, {15, 11, 14, 15}, {14, 8, 9, 14}});
        check(convolve2d(m, k, "same", {.boundary = "symm"}), array<double>{{2, 2, 4}, {5, 5, 7}, {11, 11, 14}});
        check(convolve2d(m, k, "valid"), valid);
        check(convolve2d(k, m, "valid"), valid);
        check(convolve2d(k, m, "same"), valid);
        check(convolve2d(astype<int>(m), astype<int>(k), "valid"), array<int>{{5, 7}, {11, 14}});
        CHECK_THROWS_AS(convolve2d(zeros({2, 3}), zeros({3, 2}), "valid"), value_error);
        CHECK_THROWS_AS(convolve2d(m, k, "same", {.boundary = "edge"}), value_error);
        CHECK_THROWS_AS(convolve2d(m, array<double>{1}), shape_error);
        check_stays([&] { return convolve2d(m, k, "same"); });
    });
}

namespace {

std::vector<double> noise(std::int64_t n, std::uint64_t state) {
    std::vector<double> v(static_cast<std::size_t>(n));
    for (double& x : v) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        x = static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
    }
    return v;
}

std::vector<double> full_sums(const std::vector<double>& a, const std::vector<double>& v) {
    std::vector<double> c(a.size() + v.size() - 1, 0.0);
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < v.size(); ++j) c[i + j] += a[i] * v[j];
    return c;
}

}  // namespace

TEST_CASE("long convolutions by transforms are as exact as the elements' precision, those of integers are exact") {
    on_every_backend([](const tested_backend& b) {
        // The interpreter's transforms are slow.
        const std::int64_t n = b.is_interpreter() ? 307 : 1009;
        for (std::int64_t k : {std::int64_t{64}, std::int64_t{65}, n}) {
            const std::vector<double> x = noise(n, 1), y = noise(k, 2);
            const array<double> a = asarray(x), v = asarray(y), c = asarray(full_sums(x, y));
            check(convolve(a, v), c, 0, 1e-12);
            check(convolve(v, a, "valid"), array<double>(c(slice(k - 1, n))), 0, 1e-12);
            check(correlate(a, array<double>(flip(v)), "full"), c, 0, 1e-12);
            check(convolve(astype<float>(a), astype<float>(v)), array<float>(astype<float>(c)), 0, 1e-4);
            check(convolve(a * complex(0, 1), v), array<complex>(c * complex(0, 1)), 0, 1e-12);
        }
        const array<std::int64_t> ones_of(ones<std::int64_t>({n}));
        check(convolve(ones_of, ones_of, "valid"), array<std::int64_t>{n});
        // A rank one kernel is two convolutions.
        const array<double> image = reshape(asarray(noise(23 * 31, 3)), {23, 31});
        const array<double> u = asarray(noise(17, 4)), w = asarray(noise(19, 5));
        const array<double> columns = convolve2d(image, reshape(u, {17, 1}));
        check(convolve2d(image, outer(u, w)), array<double>(convolve2d(columns, reshape(w, {1, 19}))), 0, 1e-12);
    });
}
