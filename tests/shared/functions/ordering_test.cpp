// What is found by sorting, against NumPy: partitions, the largest elements, search, unique values, quantiles and
// counts.
#include <algorithm>
#include <cmath>
#include <vector>

#include "support/backends.hpp"
#include "support/language_golden.hpp"

using namespace sinter;
using namespace test_backends;
using golden::check;
using golden::data;

namespace {

array<float> with_nan() {
    array<float> n = data<float>({33}, 3);
    n(3) = std::nanf("");
    n(17) = std::nanf("");
    return n;
}

}  // namespace

TEST_CASE("partitions put everything where it belongs") {
    on_every_backend([](const tested_backend&) {
        array<double> a = data<double>({9, 6}, 1);
        check("partition sorted", partition(a, 2, 1));
        check("partition sorted", take_along_axis(a, argpartition(a, -1), 1));
        CHECK_THROWS_WITH_AS(partition(a, 6), "[partition] rank 6 is out of bounds for an axis with size 6",
                             value_error);
    });
}

TEST_CASE("topk gives the largest or smallest with their positions, equal ones in order") {
    on_every_backend([](const tested_backend&) {
        array<int> x{{3, 1, 3, 2}, {0, 9, 9, 9}};
        auto [values, indices] = topk(x, 3);
        CHECK(to_vector(values) == std::vector<int>{3, 3, 2, 9, 9, 9});
        CHECK(to_vector(indices) == std::vector<std::int64_t>{0, 2, 3, 1, 2, 3});
        auto smallest = topk(x, 1, 0, {.largest = false});
        CHECK(to_vector(smallest.values) == std::vector<int>{0, 1, 3, 2});
        CHECK(to_vector(smallest.indices) == std::vector<std::int64_t>{1, 0, 0, 0});
        CHECK(topk(x, 0).values.shape() == dims{2, 0});
        CHECK_THROWS_AS(topk(x, 5), value_error);
        CHECK(std::isnan(topk(with_nan(), 1).values.item()));
    });
}

TEST_CASE("searchsorted finds both sides of equal elements, NaN last") {
    on_every_backend([](const tested_backend&) {
        array<int> s = sort(data<int>({40}, 1) % 13), v = data<int>({5, 7}, 2) % 15;
        check("searchsorted left", searchsorted(s, v));
        check("searchsorted right", searchsorted(s, v, side::right));
        array<float> n = sort(with_nan()), w{-100, 0.1f, 3.5f, std::numeric_limits<float>::infinity(), std::nanf("")};
        check("searchsorted float", searchsorted(n, w));
        check("searchsorted float right", searchsorted(n, w, side::right));
        CHECK(searchsorted(arange(1000) * 2, 777).item() == 389);
        for (std::int64_t size : {0, 1, 2, 3, 31, 33, 1023}) {
            array<std::int64_t> all_of = searchsorted(arange(size), arange(size));
            CHECK(bool(all(all_of == arange(size))));
        }
        CHECK_THROWS_AS(searchsorted(zeros({2, 2}), 1.0), shape_error);
    });
}

TEST_CASE("positions in long sorted vectors are those of a loop, between samples and on them") {
    on_compiling_backends([](const tested_backend&) {
        auto check_against_loop = [](const auto& sorted, const auto& values) {
            const auto s = to_vector(sorted), v = to_vector(values);
            const auto left = to_vector(searchsorted(sorted, values)),
                       right = to_vector(searchsorted(sorted, values, side::right));
            bool same = true;
            for (std::size_t i = 0; i < v.size(); ++i) {
                same = same && left[i] == std::lower_bound(s.begin(), s.end(), v[i]) - s.begin();
                same = same && right[i] == std::upper_bound(s.begin(), s.end(), v[i]) - s.begin();
            }
            CHECK(same);
        };
        for (std::int64_t n : {40000, 40031, 65536, 65567}) {
            CAPTURE(n);
            const array<float> values = arange<float>(3000) * (static_cast<float>(n) / 2950) - 20;
            // Each element three times, so that equal ones stand on both sides of a sample.
            const array<float> sorted = astype<float>(arange<std::int64_t>(n) / 3 * 3);
            check_against_loop(sorted, values);
            check_against_loop(astype<double>(sorted), astype<double>(sorted(slice(0, n, 7))));
            check_against_loop(astype<std::int64_t>(sorted), astype<std::int64_t>(values));
        }
        array<float> with_nan = arange<float>(50000);
        with_nan(slice(49000, 50000)) = std::nanf("");
        CHECK(searchsorted(with_nan, full({4000}, std::nanf(""))).item(17) == 49000);
        CHECK(searchsorted(with_nan, full({4000}, std::nanf("")), side::right).item(17) == 50000);
    });
}

TEST_CASE("tiles, single elements and rows of one value find the same positions in sorted vectors of every type") {
    on_every_backend([](const tested_backend&) {
        auto of_type = []<class T>(T) {
            for (std::int64_t n : {1, 2, 3, 63, 64, 100, 129}) {
                CAPTURE(n);
                CAPTURE(to_string(dtype_of<T>));
                const array<T> sorted = sort(astype<T>(arange(n) * 7 % 101 / 2)).eval();
                const array<T> values = astype<T>(arange(301) % 53 - 1).eval();
                const std::vector<T> s = to_vector(sorted), v = to_vector(values);
                for (side which : {side::left, side::right}) {
                    std::vector<std::int64_t> want;
                    for (std::size_t i = 0; i < v.size(); ++i)
                        want.push_back((which == side::left ? std::lower_bound(s.begin(), s.end(), v[i])
                                                            : std::upper_bound(s.begin(), s.end(), v[i])) -
                                       s.begin());
                    CHECK(to_vector(searchsorted(sorted, values, which)) == want);
                    CHECK(searchsorted(sorted, values(5), which).item() == want[5]);
                    const array<std::int64_t> rows =
                        searchsorted(sorted, values(all, newaxis), which) + zeros<std::int64_t>({301, 3});
                    CHECK(rows.item(300, 2) == want[300]);
                    CHECK(to_vector(sum(rows, 1))[17] == 3 * want[17]);
                }
            }
        };
        of_type(std::int8_t());
        of_type(std::int16_t());
        of_type(std::uint32_t());
        of_type(std::int64_t());
        of_type(float());
        of_type(double());
    });
}

TEST_CASE("unique values, their counts and who has which") {
    on_every_backend([](const tested_backend&) {
        array<int> c = data<int>({3, 4, 5}, 3) % 7;
        check("unique", unique(c));
        check("unique float", unique(floor(with_nan() / 3)));
        auto [values, counts] = unique_counts(c);
        check("unique", values);
        check("unique counts", counts);
        check("unique inverse", unique_inverse(c).inverse_indices);
        CHECK(unique(zeros({0})).size() == 0);
        CHECK(unique_counts(zeros({0})).counts.size() == 0);
        CHECK(to_vector(unique(zeros<int>({1000}))) == std::vector<int>{0});
    });
}

TEST_CASE("each NaN is a value of its own where unique is asked for that") {
    on_every_backend([](const tested_backend&) {
        const array<float> x{{std::nanf(""), 2, 1}, {2, std::nanf(""), 1}};
        const auto [values, indices, inverse, counts] = unique_all(x, {.equal_nan = false});
        CHECK(values.shape() == dims(4));
        CHECK(to_vector(isnan(values)) == std::vector<bool>{false, false, true, true});
        CHECK(to_vector(indices) == std::vector<std::int64_t>{2, 1, 0, 4});
        CHECK(array_equal(inverse, array<std::int64_t>{{2, 1, 0}, {1, 3, 0}}));
        CHECK(to_vector(counts) == std::vector<std::int64_t>{2, 2, 1, 1});
        CHECK(array_equal(unique_inverse(x, {.equal_nan = false}).inverse_indices, inverse));
        CHECK(to_vector(unique_counts(x, {.equal_nan = false}).counts) == std::vector<std::int64_t>{2, 2, 1, 1});
        CHECK(unique_values(x, {.equal_nan = false}).size() == 4);
        CHECK(unique(x).size() == 3);
        const array<std::complex<double>> z{std::complex<double>(1, std::nan("")), 3.0,
                                            std::complex<double>(std::nan(""), 0), 3.0};
        CHECK(to_vector(unique_all(z, {.equal_nan = false}).counts) == std::vector<std::int64_t>{2, 1, 1});
        CHECK(to_vector(unique_all(z).counts) == std::vector<std::int64_t>{2, 2});
        CHECK(unique_all(zeros({0}), {.equal_nan = false}).inverse_indices.size() == 0);
        CHECK(to_vector(unique_inverse(array<int>{4, 3, 4}, {.equal_nan = false}).inverse_indices) ==
              std::vector<std::int64_t>{1, 0, 1});
    });
}

TEST_CASE("medians and quantiles are NumPy's") {
    on_every_backend([](const tested_backend&) {
        array<double> a = data<double>({9, 6}, 1);
        array<float> f = data<float>({33}, 3);
        array<int> c = data<int>({3, 4, 5}, 3);
        check("median", median(a), 1e-15);
        check("median axis 0", median(a, 0), 1e-15);
        check("median axis 1", median(a, 1, keepdims), 1e-15);
        check("median axes", median(c, {0, 2}), 1e-15);
        check("median float32", median(f), 1e-7);
        check("median nan", median(with_nan()));
        check("quantile", quantile(a, 0.3), 1e-15);
        check("quantile axis 0", quantile(a, 0.8, 0), 1e-15);
        check("quantile float32", quantile(f, 0.77), 1e-6);
        check("quantile nan", quantile(with_nan(), 0.2));
        check("quantile int", quantile(c, 0.99, 1, keepdims), 1e-15);
        check("percentile list", percentile(a, {0, 25, 50, 99.5, 100}, 1), 1e-15);
        check("percentile list", percentile(a, std::vector<double>{0, 25, 50, 99.5, 100}, axes{1}), 1e-15);
        CHECK_THROWS_WITH_AS(quantile(a, 1.5), "[quantile] a share is not between 0 and 1: 1.5", value_error);
        CHECK_THROWS_WITH_AS(quantile(a, -1e-9), "[quantile] a share is not between 0 and 1: -1e-09", value_error);
        CHECK_THROWS_AS(quantile(zeros({0}), 0.5), value_error);
    });
}

TEST_CASE("the median of nothing is NaN, as NumPy's") {
    on_every_backend([](const tested_backend&) {
        CHECK(isnan(median(zeros({0})).item()));
        CHECK(isnan(median(zeros<int>({0})).item()));
        const array<double> columns = median(zeros({0, 3}), 0);
        CHECK(columns.shape() == dims(3));
        CHECK(bool(all(isnan(columns))));
        const array<float> rows = median(zeros<float>({3, 0}), 1, keepdims);
        CHECK(rows.shape() == dims(3, 1));
        CHECK(bool(all(isnan(rows))));
        CHECK(median(zeros({0, 3}), 1).shape() == dims(0));
    });
}

TEST_CASE("shares in braces are a first axis, one of them too, before axes that are kept") {
    on_every_backend([](const tested_backend&) {
        const array<int> m{{1, 2, 4}, {8, 16, 32}};
        CHECK(str(percentile(m, {25})) == "[2.5]");
        CHECK(str(percentile(m, 25)) == "2.5");
        CHECK(str(quantile(m, {0.5}, 1)) == "[[ 2. 16.]]");
        CHECK(str(quantile(m, {0, 1}, {0, 1})) == "[ 1. 32.]");
        CHECK(quantile(m, {0, 0.5, 1}, 1, keepdims).shape() == dims(3, 2, 1));
        CHECK(str(quantile(m, {0, 1}, 0, keepdims)) == "[[[ 1.  2.  4.]]\n\n [[ 8. 16. 32.]]]");
        CHECK(percentile(m, {50, 75}, keepdims).shape() == dims(2, 1, 1));
        CHECK(quantile(m, 0.5, {1, 0}, keepdims).shape() == dims(1, 1));
        CHECK_THROWS_WITH_AS(percentile(m, {50, 101}), "[percentile] a share is not between 0 and 100: 101",
                             value_error);
        CHECK_THROWS_WITH_AS(quantile(m, {}), "[quantile] there are no shares", value_error);
    });
}

TEST_CASE("counts by number and by bin are NumPy's") {
    on_every_backend([](const tested_backend&) {
        array<int> s = data<int>({40}, 1) % 13;
        check("bincount", bincount(s));
        check("bincount minlength", bincount(s, 20));
        CHECK(bincount(zeros<int>({0}), 3).size() == 3);
        CHECK_THROWS_AS(bincount(s - 20), value_error);
        array<double> a = data<double>({9, 6}, 1);
        auto [counts, edges] = histogram(a);
        check("histogram", counts);
        check("histogram edges", edges, 1e-15);
        check("histogram range", histogram(data<float>({33}, 3), {.bins = 7, .range = {-5, 6}}).hist);
        CHECK_THROWS_AS(histogram(a, {.bins = 0}), value_error);
        CHECK(array_equal(histogram(a, 7).hist, histogram(a, {.bins = 7}).hist));
        CHECK_THROWS_WITH_AS(histogram(a, -3), "[histogram] there are no bins: -3", value_error);
    });
}

namespace {

// What a histogram counts that lies between two of its edges, where it does not count the same; -1 when all agree.
template <class T>
std::int64_t wrong_bin(const array<T>& x, const histogram_options& o) {
    const auto [counted, given] = histogram(x, o);
    const auto counts = to_host(counted);
    const auto edges = to_host(given), values = to_host(astype<double>(x));
    const auto bins = static_cast<std::int64_t>(counts.size());
    std::vector<std::int64_t> want(static_cast<std::size_t>(bins));
    for (const double v : values) {
        const double* const first = edges.data();
        const double* const last = first + bins;
        if (!(v >= *first && v <= *last)) continue;
        ++want[static_cast<std::size_t>(std::min(std::upper_bound(first, last + 1, v) - first, bins) - 1)];
    }
    for (std::int64_t b = 0; b < bins; ++b)
        if (counts.data()[b] != want[static_cast<std::size_t>(b)]) return b;
    return -1;
}

}  // namespace

TEST_CASE("elements on the edges of bins, and a rounding beside them, are of the bin that the edge opens") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t bins : {1, 2, 3, 7, 10, 49, 100, 1000})
            for (const std::vector<double>& range :
                 {std::vector{0.0, 1.0}, {-0.3, 0.7}, {1e6, 1e6 + 1}, {-1e-300, 1e-300}}) {
                CAPTURE(bins);
                CAPTURE(range[0]);
                const array<double> edges = histogram(zeros({1}), {.bins = bins, .range = range}).bin_edges;
                std::vector<double> near;
                for (double e : to_vector(edges))
                    near.insert(near.end(), {std::nextafter(e, -1e9), e, std::nextafter(e, 1e9)});
                near.insert(near.end(), {-1e300, 1e300, std::nan(""), HUGE_VAL, -HUGE_VAL});
                const array<double> x = asarray(near);
                CHECK(wrong_bin(x, {.bins = bins, .range = range}) == -1);
                CHECK(wrong_bin(array<float>(astype<float>(x)), {.bins = bins, .range = range}) == -1);
            }
        // Edges that lie as closely as numbers do, or farther apart than the largest of them.
        const array<double> close = 4503599627370496.0 + arange<double>(30) / 4;
        CHECK(wrong_bin(close, {.bins = 100}) == -1);
        CHECK(wrong_bin(asarray(std::vector{-1.7e308, -3.0, 0.0, 2.0, 1.7e308}),
                        {.bins = 3, .range = {-8e307, 8e307}}) == -1);
        CHECK(wrong_bin(asarray(std::vector{0.0, 5e-324, 3e-323}), {.bins = 4}) == -1);
    });
}
