// Windows, interpolation, polynomials, gradients and cross products against NumPy.
#include "support/backends.hpp"
#include "support/expected.hpp"

#include <complex>
#include <sinter/sinter.hpp>
#include <sstream>

using namespace sinter;
using namespace test_backends;
using expected::check;
using expected::check_stays;
using expected::missing;
using complex = std::complex<double>;

TEST_CASE("windows are NumPy's, also of one and of no element") {
    on_every_backend([](const tested_backend&) {
        check(hanning(5), array<double>{0, 0.5, 1, 0.5, 0});
        check(hanning(4), array<double>{0, 0.75, 0.75, 0});
        check(hamming(4), array<double>{0.08, 0.77, 0.77, 0.08}, 1e-14);
        check(blackman(5), array<double>{0, 0.34, 1, 0.34, 0}, 1e-14, 2e-17);
        check(bartlett(4), array<double>{0, 2.0 / 3, 2.0 / 3, 0});
        check(kaiser(5, 14),
              array<double>{7.726866835270368e-06, 0.16493218754795194, 1, 0.16493218754795194, 7.726866835270368e-06});
        check(kaiser(4, 0), array<double>{1, 1, 1, 1});
        check(hanning<float>(3), array<float>{0, 1, 0});
        for (int n : {0, 1}) {
            check(hanning(n), ones({n}));
            check(bartlett(n), ones({n}));
            check(kaiser(n, 5), ones({n}));
        }
        check(hamming(-3), ones({0}));
    });
}

TEST_CASE("interp is NumPy's between, at and beyond the points") {
    on_every_backend([](const tested_backend&) {
        const array<double> xp{1, 2, 4, 7}, fp{3, -1, 2, 0};
        const array<double> x{0, 1, 1.5, 2, 3.25, 7, 8, missing};
        check(interp(x, xp, fp), array<double>{3, 3, 1, -1, 0.875, 0, 0, missing});
        check(interp(x, xp, fp, {.left = -9, .right = 9.0}), array<double>{-9, 3, 1, -1, 0.875, 0, 9, missing});
        check(interp(reshape(x, {2, 4}) + 0, xp, fp)(0), array<double>{3, 3, 1, -1});
        check(interp(array<int>{-180, -170, -185, 185, -10, -5, 0, 365}, array<int>{190, -190, 350, -350},
                     array<int>{5, 10, 3, 4}, {.period = 360}),
              array<double>{7.5, 5, 8.75, 6.25, 3, 3.25, 3.5, 3.75});
        check(interp(1.5, xp, fp), full({}, 1.0));
        check(interp(array<float>{1.5f}, astype<float>(xp), astype<float>(fp)), array<double>{1});
        check(interp(array<double>{1, 2, 3}, array<double>{2}, array<double>{5}), array<double>{5, 5, 5});
        const array<complex> z{complex(3, 0), complex(-1, 2), complex(2, -1), complex(0, 3)};
        check(interp(array<double>{1.5, 2.5}, xp, z), array<complex>{complex(1, 1), complex(-0.25, 1.25)});
        check(interp(array<double>{0.5, 1.5}, array<double>{0, 1, 2}, array<double>{0, 0, inf}), array<double>{0, inf});
        check(interp(array<double>{1.5}, array<double>{1, inf}, array<double>{1, 1}), array<double>{1});
        check(interp(zeros({0}), xp, fp), zeros({0}));
        CHECK_THROWS_WITH_AS(interp(x, zeros({0}), zeros({0})), "[interp] there are no points", value_error);
        CHECK_THROWS_WITH_AS(interp(x, xp, zeros({3})), "[interp] there are 4 points and 3 values", value_error);
        CHECK_THROWS_AS(interp(x, xp, fp, {.period = 0}), value_error);
        check_stays([&] { return interp(x, xp, fp); });
        check_stays([&] { return interp(x, xp, fp, {.period = 5}); });
    });
}

TEST_CASE("interpolation between many points finds the line of each element") {
    on_every_backend([](const tested_backend&) {
        const array<double> xp = square(arange<double>(1001)).eval(), fp = sin(xp).eval();
        const array<double> x = (arange<double>(997) * 1000 + 0.5).eval();
        const array<double> y = interp(x, xp, fp);
        // Within one part, by the formula for a line.
        const double low = 100.0 * 100, high = 101.0 * 101, at = 10000.5;
        CHECK(y.item(10) ==
              doctest::Approx(std::sin(low) + (at - low) / (high - low) * (std::sin(high) - std::sin(low))));
    });
}

TEST_CASE("polynomials are evaluated and fitted as NumPy's") {
    on_every_backend([](const tested_backend& b) {
        check(polyval(array<int>{3, 0, 1}, 5), full({}, 76));
        check(polyval(array<double>{3, 0, 1}, array<int>{{1, 2}, {3, 4}}), array<double>{{4, 13}, {28, 49}});
        check(polyval(array<double>{3, 0, 1}, inf), full({}, missing));
        check(polyval(zeros({0}), array<double>{1, 2}), zeros({2}));
        check(polyval(array<complex>{complex(0, 1), 1}, array<double>{2}), array<complex>{complex(1, 2)});
        CHECK_THROWS_AS(polyval(zeros({2, 2}), array<double>{1}), shape_error);
        const array<double> p = arange<double>(1, 101).eval(), x = array<double>{0.5, -0.9}.eval();
        check_stays([&] { return polyval(p, x); });
        check(polyval(p, x), array<double>{198, 52.8808798046374});
        reset_counters();
        polyval(p(slice(8)), x).eval();
        if (b.compiles()) CHECK(counters().launches == 1);

        const array<double> at{0, 1, 2, 3, 4, 5}, v{0, 0.8, 0.9, 0.1, -0.8, -1};
        check(polyfit(at, v, 3),
              array<double>{0.08703703703703655, -0.8134920634920602, 1.6931216931216868, -0.0396825396825359}, 1e-11);
        check(polyfit(at, stack({v, array<double>(at * at)}, 1), 2),
              array<double>{{-0.16071428571428578, 1}, {0.5007142857142857, 0}, {0.22142857142857125, 0}}, 1e-11,
              1e-13);
        check(polyfit(at, v, 1, {.w = array<double>{1, 2, 1, 1, 1, 3}}),
              array<double>{-0.39579256360078274, 1.0209393346379652}, 1e-12);
        check(polyfit(array<int>{1, 2, 3}, array<int>{2, 4, 6}, 1), array<double>{2, 0}, 1e-12, 1e-12);
        CHECK_THROWS_AS(polyfit(at, v, -1), value_error);
        CHECK_THROWS_AS(polyfit(zeros({0}), zeros({0}), 1), value_error);
        CHECK_THROWS_AS(polyfit(at, zeros({5}), 1), shape_error);
    });
}

TEST_CASE("the only derivative is an operand of arithmetic, and several are none") {
    on_every_backend([](const tested_backend&) {
        const array<double> u{0, 1, 4, 9, 16};
        check(u - 0.5 * gradient(u), array<double>{-0.5, 0, 2, 6, 12.5});
        check(gradient(u) / 2 + gradient(u), array<double>{1.5, 3, 6, 9, 10.5});
        check(-gradient(u), array<double>{-1, -2, -4, -6, -7});
        check(gradient(astype<float>(u)) * u, array<double>{0, 2, 16, 54, 112});
        CHECK_THROWS_AS(static_cast<void>(1.0 + gradient(ones({3, 3}))), value_error);
    });
}

TEST_CASE("gradients of any spacing and order at the ends are NumPy's") {
    on_every_backend([](const tested_backend& b) {
        const array<double> f{1, 2, 4, 7, 11, 16}, x{0, 1, 1.5, 3.5, 4, 6};
        const array<double> g = gradient(f);
        check(g, array<double>{1, 1.5, 2.5, 3.5, 4.5, 5});
        check(gradient(f, 2)[0], array<double>{0.5, 0.75, 1.25, 1.75, 2.25, 2.5});
        check(gradient(f, 2, {.edge_order = 2})[0], array<double>{0.25, 0.75, 1.25, 1.75, 2.25, 2.75});
        check(gradient(f, full({}, 2.0))[0], array<double>{0.5, 0.75, 1.25, 1.75, 2.25, 2.5});
        check(gradient(f, x)[0], array<double>{1, 3, 3.5, 6.7, 6.9, 2.5}, 1e-14);
        check(gradient(f, x, {.edge_order = 2})[0], array<double>{-1, 3, 3.5, 6.7, 6.9, -1.9}, 1e-14);
        const array<double> m{{1, 2, 6, 3}, {3, 4, 5, 9}, {8, 1, 0, 2}};
        auto both = gradient(m);
        REQUIRE(both.size() == 2);
        check(both[0], array<double>{{2, 2, -1, 6}, {3.5, -0.5, -3, -0.5}, {5, -3, -5, -7}});
        check(both[1], array<double>{{1, 2.5, 0.5, -3}, {1, 1, 2.5, 4}, {-7, -4, 0.5, 2}});
        both = gradient(m, 2, array<double>{0, 1, 3, 4});
        check(both[0], array<double>{{1, 1, -0.5, 3}, {1.75, -0.25, -1.5, -0.25}, {2.5, -1.5, -2.5, -3.5}});
        check(both[1],
              array<double>{{1, 4.0 / 3, -4.0 / 3, -3}, {1, 5.0 / 6, 17.0 / 6, 4}, {-7, -29.0 / 6, 7.0 / 6, 2}});
        check(gradient(m, {.axis = -1, .edge_order = 2})[0],
              array<double>{{-0.5, 2.5, 0.5, -6.5}, {1, 1, 2.5, 5.5}, {-10, -4, 0.5, 3.5}});
        check(gradient(array<int>{1, 4})[0], array<double>{3, 3});
        check(gradient(array<float>{1, 4})[0], array<float>{3, 3});
        check(gradient(array<complex>{complex(0, 1), complex(2, 5)})[0], array<complex>{complex(2, 4), complex(2, 4)});
        CHECK_THROWS_WITH_AS(gradient(array<double>{1}), "[gradient] axis 0 has 1 elements, and at least 2 are needed",
                             value_error);
        CHECK_THROWS_AS(gradient(f, array<double>{1, 2}), value_error);
        CHECK_THROWS_AS(gradient(m, 1, 2, 3), value_error);
        CHECK_THROWS_AS(gradient(f, {.edge_order = 3}), value_error);
        CHECK_THROWS_AS(static_cast<void>(array<double>(gradient(m))), value_error);
        check_stays([&] { return gradient(f, x); });
        if (!b.compiles()) return;
        const array<double> stored = m.eval();
        reset_counters();
        const array<double> length = sqrt(square(gradient(stored)[0]) + square(gradient(stored)[1]));
        length.eval();
        CHECK(counters().launches == 1);
        std::ostringstream one, two;
        one << gradient(array<double>{1, 4, 9});
        two << gradient(array<double>{{1, 4}, {9, 25}});
        CHECK(one.str() == "[3. 4. 5.]");
        CHECK(two.str() == "[[ 8. 21.]\n [ 8. 21.]]\n[[ 3.  3.]\n [16. 16.]]");
    });
}

TEST_CASE("cross products of two and three elements along any axis are NumPy's") {
    on_every_backend([](const tested_backend&) {
        check(cross(array<int>{1, 2, 3}, array<int>{4, 5, 6}), array<int>{-3, 6, -3});
        check(cross(array<int>{1, 2}, array<int>{4, 5}), full({}, -3));
        check(cross(array<int>{1, 2}, array<int>{4, 5, 6}), array<int>{12, -6, -3});
        check(cross(array<int>{1, 2, 3}, array<double>{4, 5}), array<double>{-15, 12, -3});
        const array<double> a = reshape(arange<double>(12), {4, 3}), v{1, -1, 2};
        check(cross(a, v), array<double>{{4, 2, -1}, {13, -1, -7}, {22, -4, -13}, {31, -7, -19}});
        check(cross(a.T(), v, {.axisa = 0, .axisc = 0}),
              array<double>{{4, 13, 22, 31}, {2, -1, -4, -7}, {-1, -7, -13, -19}});
        check(cross(a(slice(3), all).T(), a(slice(1, none), all), {.axis = 0}),
              array<double>{{-3, 5, 13}, {6, -10, -26}, {-3, 5, 13}});
        check(cross(zeros({0, 3}), v), zeros({0, 3}));
        CHECK_THROWS_WITH_AS(cross(zeros({4}), v), "[cross] vectors have 2 or 3 elements, not 4", value_error);
        CHECK_THROWS_AS(cross(zeros({2, 3}), zeros({4, 3})), shape_error);
        check_stays([&] { return cross(a, v); });
    });
}
