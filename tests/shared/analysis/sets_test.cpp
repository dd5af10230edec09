// Sets, bins, covariances, correlations, segments and histograms in two dimensions against NumPy and JAX.
#include "support/backends.hpp"
#include "support/expected.hpp"

#include <complex>
#include <sinter/sinter.hpp>

using namespace sinter;
using namespace test_backends;
using expected::check;
using expected::check_stays;
using expected::missing;
using complex = std::complex<double>;

TEST_CASE("membership is NumPy's for arrays, numbers and lists, and reads nothing") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{{5, 3, 1}, {missing, 2, 7}};
        check(isin(x, array<double>{1, 2, missing}), array<bool>{{false, false, true}, {false, true, false}});
        check(isin(x, array<int>{{1, 2}, {7, 0}}, {.invert = true}),
              array<bool>{{true, true, false}, {true, false, false}});
        check(isin(x, {1, 2}), array<bool>{{false, false, true}, {false, true, false}});
        check(isin(x * 2, 6), array<bool>{{false, true, false}, {false, false, false}});
        check(isin(array<int>{1, 2}, {1.5, 2.0}), array<bool>{false, true});
        check(isin(array<std::uint8_t>{255, 1, 44}, -1), array<bool>{false, false, false});
        check(isin(array<std::uint8_t>{255, 1, 44}, {300, 44}), array<bool>{false, false, true});
        check(isin(array<int>{1, 705032704}, 5'000'000'000), array<bool>{false, false});
        check(isin(array<float>{0.1f, 16777216}, 16777217), array<bool>{false, false});
        check(isin(x, zeros({0})), zeros<bool>({2, 3}));
        check(isin(zeros({0, 2}), x), zeros<bool>({0, 2}));
        check(isin(array<bool>{true, false}, array<bool>{true}), array<bool>{true, false});
        check(isin(array<complex>{complex(1, 2), 3, 4}, array<complex>{3, complex(1, 2), complex(0, 5)}),
              array<bool>{true, true, false});
        check_stays([&] { return isin(x, array<double>{1, 2}); });
        const array<std::int64_t> large = (arange(10007) * 7919) % 5003;
        const array<std::int64_t> even = arange(0, 5003, 2);
        check(isin(large, even), array<bool>(large % 2 == 0));
    });
}

TEST_CASE("complex numbers are searched in the order in which they are sorted") {
    on_every_backend([](const tested_backend&) {
        const array<complex> z{complex(1, 2), complex(missing, 1), complex(3, -1), complex(2, missing), complex(2, 0)};
        const array<complex> s = sort(z);
        check(searchsorted(s, z), array<std::int64_t>{0, 4, 2, 3, 1});
        check(searchsorted(s, z, side::right), array<std::int64_t>{1, 5, 3, 4, 2});
    });
}

TEST_CASE("intersections, unions and differences are NumPy's") {
    on_every_backend([](const tested_backend&) {
        check(intersect1d(array<int>{1, 3, 4, 3}, array<int>{3, 1, 2, 1}), array<int>{1, 3});
        check(intersect1d(array<double>{missing, 1}, array<double>{missing, 1}), array<double>{1});
        check(intersect1d(array<int>{4, 1}, array<double>{1, 4.5}, {.assume_unique = true}), array<double>{1});
        check(union1d(array<int>{-1, 0, 1}, array<double>{-2, 0.5, 2, 1}), array<double>{-2, -1, 0, 0.5, 1, 2});
        check(union1d(array<int>{{3, 1}, {1, 3}}, zeros<int>({0})), array<int>{1, 3});
        check(setdiff1d(array<int>{1, 2, 3, 2, 4, 1}, array<int>{3, 4, 5, 6}), array<int>{1, 2});
        check(setdiff1d(array<double>{9, missing, 2}, array<int>{2}), array<double>{9, missing});
        check(setdiff1d(array<int>{5, 4, 3, 2}, array<int>{3}, {.assume_unique = true}), array<int>{5, 4, 2});
        check(setdiff1d(array<int>{1}, array<int>{1}), zeros<int>({0}));
    });
}

TEST_CASE("digitize finds bins of ascending and descending edges without reading them") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{0.2, 6.4, 3.0, 1.6, missing, -1, 10, 20}, bins{0, 1, 2.5, 4, 10};
        const array<double> down = flip(bins);
        check(digitize(x, bins), array<std::int64_t>{1, 4, 3, 2, 5, 0, 5, 5});
        check(digitize(x, bins, {.right = true}), array<std::int64_t>{1, 4, 3, 2, 5, 0, 4, 5});
        check(digitize(x, down), array<std::int64_t>{4, 1, 2, 3, 0, 5, 0, 0});
        check(digitize(x, down, {.right = true}), array<std::int64_t>{4, 1, 2, 3, 0, 5, 1, 0});
        check(digitize(x, array<int>{3}), array<std::int64_t>{0, 1, 1, 0, 1, 0, 1, 1});
        check(digitize(x, zeros({0})), zeros<std::int64_t>({8}));
        check(digitize(2.5, bins), full({}, std::int64_t{3}));
        CHECK_THROWS_AS(digitize(x, zeros({2, 2})), shape_error);
        check_stays([&] { return digitize(x, bins); });
    });
}

TEST_CASE("a search whose results meet again in one value is computed in that value's kernel, and stored otherwise") {
    on_compiling_backends([](const tested_backend&) {
        const array<double> x = array<double>(arange(1001) * 0.017 - 3.0).eval(), bins{0, 1, 2.5, 4, 10};
        const array<double> edges = array<double>(bins * 1.0).eval();
        const array<std::int64_t> at = searchsorted(edges, x).eval();
        auto shared = [&] {
            const array<std::int64_t> place = searchsorted(edges, x);
            return array<std::int64_t>(place * place + minimum(place, 3));
        };
        CHECK(explain(shared()).kernels() == 1);
        check(shared(), array<std::int64_t>(at * at + minimum(at, 3)));
        auto summed = [&] {
            const array<std::int64_t> place = searchsorted(edges, x);
            return array<std::int64_t>(place - sum(place * place));
        };
        check(summed(), array<std::int64_t>(at - sum(at * at)));
    });
}

TEST_CASE("covariances with degrees of freedom and weights are NumPy's") {
    on_every_backend([](const tested_backend&) {
        const array<int> m{{1, 2, 4, 3}, {2, 0, 1, 5}, {7, 7, 1, 0}};
        const array<double> c{{5.0 / 3, 1.0 / 3, -25.0 / 6}, {1.0 / 3, 14.0 / 3, -5}, {-25.0 / 6, -5, 14.25}};
        check(cov(m), c);
        check(cov(m.T(), {.rowvar = false}), c);
        check(cov(m(0), m(1)), array<double>{{5.0 / 3, 1.0 / 3}, {1.0 / 3, 14.0 / 3}});
        check(cov(m(0)), full({}, 5.0 / 3));
        check(cov(m, {.bias = true}), array<double>(c * 0.75));
        check(cov(astype<float>(m), {.ddof = 2}), array<double>(c * 1.5));
        const array<int> f{1, 2, 1, 3};
        const array<double> a{0.1, 0.2, 0.5, 1};
        check(cov(m, {.fweights = f}), array<double>{{0.9523809523809523, 0.7857142857142857, -2.928571428571429},
                                                     {0.7857142857142857, 5.619047619047619, -6.928571428571428},
                                                     {-2.928571428571429, -6.928571428571428, 13.142857142857142}});
        check(cov(m, {.fweights = f, .aweights = a})(0),
              array<double>{0.4099526066350711, 0.15560821484992104, -1.137440758293839});
        check(cov(m, {.ddof = 0, .aweights = a})(2),
              array<double>{-1.3580246913580245, -3.5185185185185186, 6.358024691358025});
        const array<complex> z = m + complex(0, 1) * flip(m, 0);
        check(cov(z)(0), array<complex>{complex(15.916666666666666, 0), complex(-4.666666666666666, -5.333333333333333),
                                        complex(-8.333333333333332, 12.583333333333332)});
        check(cov(zeros({0, 3})), zeros({0, 0}));
        CHECK_THROWS_AS(cov(zeros({2, 2, 2})), shape_error);
        CHECK_THROWS_AS(cov(m, {.fweights = array<int>{1}}), shape_error);
        CHECK_THROWS_AS(cov(m, {.fweights = a}), type_error);
        check_stays([&] { return cov(m, {.aweights = a}); });
    });
}

TEST_CASE("correlations are NumPy's") {
    on_every_backend([](const tested_backend&) {
        const array<double> m{{1, 2, 4, 3}, {2, 0, 1, 5}, {7, 7, 1, 0}};
        check(corrcoef(m), array<double>{{1, 0.11952286093343936, -0.8549819600709617},
                                         {0.11952286093343936, 1, -0.6131393394849658},
                                         {-0.8549819600709616, -0.6131393394849659, 1}});
        check(corrcoef(m(0), m(2)), array<double>{{1, -0.8549819600709617}, {-0.8549819600709616, 1}});
        check(corrcoef(m(0)), full({}, 1.0));
        const array<complex> z = m + complex(0, 1) * flip(m, 0);
        check(corrcoef(z)(0), array<complex>{1, complex(-0.38287969212109363, -0.4375767909955356),
                                             complex(-0.5235602094240838, 0.7905759162303665)});
        check_stays([&] { return corrcoef(m); });
    });
}

TEST_CASE("histograms of pairs with bins, edges, ranges, weights and densities are NumPy's") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{0.1, 0.5, 0.9, 1.5, 2, 2, -1, 0.5}, y{1, 2, 3, 4, 5, 5, 2, 3};
        auto [n, xe, ye] = histogram2d(x, y, {.bins = {3, 2}});
        check(n, array<double>{{1, 0}, {2, 2}, {0, 3}});
        check(xe, array<double>{-1, 0, 1, 2});
        check(ye, array<double>{1, 3, 5});
        array<double> infinite = y;
        infinite(-1) = inf;
        const auto limited = histogram2d(x, infinite, {.bins = {2, 3}, .range = {{0, 2}, {1, 4}}});
        check(limited.hist, array<double>{{1, 1, 1}, {0, 0, 1}});
        check(limited.yedges, array<double>{1, 2, 3, 4});
        const array<double> ex{0, 0.5, 2}, ey{1, 3, 5};
        check(histogram2d(x, y, {.bins = {ex, ey}, .density = true, .weights = arange(8)}).hist,
              array<double>{{0, 0}, {0.01515151515151515, 0.3181818181818182}});
        check(histogram2d(astype<float>(x), y, {.bins = 2, .density = true}).hist,
              array<double>{{0.08333333333333333, 0}, {0.041666666666666664, 0.20833333333333334}});
        check(histogram2d(zeros({0}), zeros({0}), {.bins = 2}).hist, zeros({2, 2}));
        check_stays([&] { return histogram2d(x, y, {.bins = {ex, 4}, .range = {{0, 2}, {1, 4}}}).hist; });
        CHECK_THROWS_AS(histogram2d(x, infinite), value_error);
        CHECK_THROWS_AS(histogram2d(x, zeros({3})), shape_error);
        CHECK_THROWS_AS(histogram2d(x, y, {.bins = 0}), value_error);
        CHECK_THROWS_AS(histogram2d(x, y, {.range = {{0, 1}}}), value_error);
    });
}

TEST_CASE("segments are summed and compared as JAX does it") {
    on_every_backend([](const tested_backend&) {
        const array<float> x{{1, 2}, {3, 4}, {-5, 6}, {7, 8}, {9, 1}};
        const array<int> s{2, 0, 2, 5, -1};
        check(segment_sum(x, s, {.num_segments = 4}), array<float>{{3, 4}, {0, 0}, {-4, 8}, {0, 0}});
        check(segment_sum(x, s).shape(0) == 6 ? segment_sum(x, s)(5) : x(0), array<float>{7, 8});
        check(segment_sum(x, s, 4), array<float>{{3, 4}, {0, 0}, {-4, 8}, {0, 0}});
        const float far = std::numeric_limits<float>::infinity();
        check(segment_min(x, s, {.num_segments = 3}), array<float>{{3, 4}, {far, far}, {-5, 2}});
        check(segment_max(x, s, {.num_segments = 3}), array<float>{{3, 4}, {-far, -far}, {1, 6}});
        check(segment_min(x, s, s.shape(0) - 2), segment_min(x, s, {.num_segments = 3}));
        check(segment_max(x, s, 3), segment_max(x, s, {.num_segments = 3}));
        check(segment_max(array<std::int8_t>{3, 9}, array<std::uint8_t>{1, 1}, {.num_segments = 2}),
              array<std::int8_t>{-128, 9});
        check(segment_sum(array<complex>{complex(1, 1), complex(2, 0)}, array<int>{0, 0}),
              array<complex>{complex(3, 1)});
        check(segment_sum(zeros({0}), zeros<int>({0}), {.num_segments = 2}), zeros({2}));
        check(segment_sum(zeros({0}), zeros<int>({0})), zeros({0}));
        check(segment_sum(x, s, {.num_segments = 0}), zeros<float>({0, 2}));
        CHECK_THROWS_AS(segment_sum(x, array<int>{1, 2}), shape_error);
        check_stays([&] { return segment_sum(x * 2, s, {.num_segments = 4}); });
        const array<std::int64_t> v = arange(10007);
        check(segment_sum(v, v % 10, {.num_segments = 10})(slice(2)), array<std::int64_t>{5005000, 5006001});
    });
}
