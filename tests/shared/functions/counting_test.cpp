// Counts of numbers and of elements in bins, against loops: every type, few and many bins, crowded ones, views and
// pending expressions.
#include <algorithm>
#include <cmath>
#include <limits>

#include <sinter/sinter.hpp>

#include "support/backends.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

template <class T>
std::vector<std::int64_t> counts_of(const std::vector<T>& numbers, std::size_t minlength = 0) {
    std::vector<std::int64_t> counts(minlength);
    for (const T n : numbers) {
        const auto at = static_cast<std::size_t>(n);
        if (counts.size() <= at) counts.resize(at + 1);
        ++counts[at];
    }
    return counts;
}

// Numbers below `end`, which all occur where there are enough, in no order.
template <class T>
std::vector<T> numbers_below(std::int64_t end, std::int64_t count) {
    std::vector<T> v;
    for (std::int64_t i = 0; i < count; ++i) v.push_back(static_cast<T>((i * 7919 + i / 13) % end));
    return v;
}

template <class T>
void check_bins(std::int64_t end, std::int64_t count) {
    CAPTURE(end);
    CAPTURE(count);
    CAPTURE(sizeof(T));
    const std::vector<T> v = numbers_below<T>(end, count);
    CHECK(to_vector(bincount(asarray(v))) == counts_of(v));
}

template <class T>
void check_views() {
    CAPTURE(sizeof(T));
    const std::vector<T> v = numbers_below<T>(101, 5003);
    const array<T> x = asarray(v);
    for (std::int64_t first : {1, 2, 3, 7, 16, 4999}) {
        const std::vector<T> part(v.begin() + first, v.end());
        CHECK(to_vector(bincount(x(slice(first, none)))) == counts_of(part));
    }
    std::vector<T> third;
    for (std::size_t i = 5002; i < v.size(); i -= 3) third.push_back(v[i]);
    CHECK(to_vector(bincount(x(slice(none, none, -3)))) == counts_of(third));
    CHECK(to_vector(bincount(ravel(transpose(reshape(x, {-1, 5003}))))) == counts_of(v));
}

// What a histogram counts, by its edges.
template <class T>
std::vector<std::int64_t> counts_between(const std::vector<double>& edges, const std::vector<T>& values) {
    const auto bins = static_cast<std::ptrdiff_t>(edges.size()) - 1;
    std::vector<std::int64_t> counts(static_cast<std::size_t>(bins));
    for (const T given : values) {
        const auto v = static_cast<double>(given);
        if (!(v >= edges.front() && v <= edges.back())) continue;
        const auto at = std::upper_bound(edges.begin(), edges.end(), v) - edges.begin();
        ++counts[static_cast<std::size_t>(std::min(at, bins) - 1)];
    }
    return counts;
}

template <class T>
void check_histogram(const std::vector<T>& values, const histogram_options& o) {
    CAPTURE(o.bins.count());
    CAPTURE(sizeof(T));
    const auto result = histogram(asarray(values), o);
    CHECK(result.hist.shape() == dims(o.bins.count()));
    CHECK(to_vector(result.hist) == counts_between(to_vector(result.bin_edges), values));
}

}  // namespace

TEST_CASE("numbers of every integer type are counted, few and many, in few and many bins") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t count : {1, 31, 1000, 40'009})
            for (std::int64_t end : {1, 2, 127}) {
                check_bins<std::int8_t>(end, count);
                check_bins<std::uint8_t>(end, count);
                check_bins<std::int16_t>(end, count);
                check_bins<std::uint16_t>(end, count);
                check_bins<std::int32_t>(end, count);
                check_bins<std::uint32_t>(end, count);
                check_bins<std::int64_t>(end, count);
                check_bins<std::uint64_t>(end, count);
            }
        for (std::int64_t end : {1023, 1024, 1025, 4096, 4097, 30'000}) {
            check_bins<std::int16_t>(end, 40'009);
            check_bins<std::int32_t>(end, 40'009);
            check_bins<std::uint64_t>(end, 40'009);
        }
        for (std::int64_t end : {50'000, 3'000'000})
            for (std::int64_t count : {1000, 200'003}) {
                check_bins<std::int32_t>(end, count);
                check_bins<std::uint32_t>(end, count);
                check_bins<std::int64_t>(end, count);
            }
        check_bins<std::int32_t>(1000, 300'007);
        const array<bool> flags = arange(1003) % 4 == 0;
        CHECK(to_vector(bincount(flags)) == std::vector<std::int64_t>{752, 251});
    });
}

TEST_CASE("numbers that occur often are counted as others are, wherever they stand") {
    on_every_backend([](const tested_backend&) {
        for (std::int32_t hot : {0, 1000, 70'000}) {
            CAPTURE(hot);
            std::vector<std::int32_t> all_equal(30'011, hot), sorted = numbers_below<std::int32_t>(hot + 3, 30'011),
                                                              mixed;
            std::sort(sorted.begin(), sorted.end());
            for (std::int32_t i = 0; i < 30'011; ++i) mixed.push_back(i % 3 ? hot : i);
            CHECK(to_vector(bincount(asarray(all_equal))) == counts_of(all_equal));
            CHECK(to_vector(bincount(asarray(sorted))) == counts_of(sorted));
            CHECK(to_vector(bincount(asarray(mixed))) == counts_of(mixed));
        }
    });
}

TEST_CASE("numbers are counted where views have them, and where expressions will") {
    on_every_backend([](const tested_backend&) {
        check_views<std::int8_t>();
        check_views<std::uint16_t>();
        check_views<std::int32_t>();
        check_views<std::int64_t>();
        const array<float> x = linspace<float>(0, 1, 1001);
        std::vector<std::int32_t> tenths;
        for (float v : to_vector(x)) tenths.push_back(static_cast<std::int32_t>(v * 10));
        CHECK(to_vector(bincount(astype<std::int32_t>(x * 10))) == counts_of(tenths));
        CHECK(to_vector(bincount(astype<std::int32_t>(x * 10), 20)) == counts_of(tenths, 20));
        CHECK(to_vector(bincount(astype<std::int32_t>(x * 10), 5000)) == counts_of(tenths, 5000));
        const array<std::int64_t> twice = bincount(bincount(astype<std::int32_t>(x * 10)) % 50);
        CHECK(twice.size() == 1 + max(bincount(astype<std::int32_t>(x * 10)) % 50).item());
    });
}

TEST_CASE("nothing is counted of no numbers, and negative ones are refused by the least of them") {
    on_every_backend([](const tested_backend&) {
        CHECK(bincount(zeros<int>({0})).size() == 0);
        CHECK(to_vector(bincount(zeros<int>({0}), 3)) == std::vector<std::int64_t>(3));
        CHECK_THROWS_WITH_AS(bincount(array<std::int8_t>{3, -128, -1}), "[bincount] a number is negative: -128",
                             value_error);
        CHECK_THROWS_WITH_AS(bincount(array<std::int32_t>{3, -1}, 7), "[bincount] a number is negative: -1",
                             value_error);
        const std::int64_t least = std::numeric_limits<std::int64_t>::min();
        CHECK_THROWS_WITH_AS(bincount(array<std::int64_t>{least, 5}),
                             "[bincount] a number is negative: -9223372036854775808", value_error);
        CHECK_THROWS_WITH_AS(bincount(array<std::uint64_t>{5, ~std::uint64_t{0}}),
                             "[bincount] a number is negative: -1", value_error);
        CHECK_THROWS_WITH_AS(bincount(zeros<int>({2, 2})), "[bincount] the array is no vector: (2, 2)", value_error);
        std::vector<std::int32_t> late = numbers_below<std::int32_t>(9, 100'003);
        late[99'999] = -7;
        CHECK_THROWS_WITH_AS(bincount(asarray(late)), "[bincount] a number is negative: -7", value_error);
    });
}

TEST_CASE("histograms count what lies inside, in few and many bins, of every type") {
    on_every_backend([](const tested_backend&) {
        std::vector<float> v;
        for (std::int64_t i = 0; i < 20'011; ++i)
            v.push_back(static_cast<float>(std::sin(0.37 * static_cast<double>(i))));
        v[17] = std::nanf("");
        v[18] = -std::nanf("");
        v[19] = HUGE_VALF;
        v[20] = -HUGE_VALF;
        const std::vector<double> wide(v.begin(), v.end());
        for (std::int64_t bins : {1, 7, 256, 1024, 5000, 60'000})
            for (const std::vector<double>& range : {std::vector{-1.0, 1.0}, {-0.25, 0.5}, {3.0, 4.0}}) {
                check_histogram(v, {.bins = bins, .range = range});
                check_histogram(wide, {.bins = bins, .range = range});
            }
        check_histogram(numbers_below<std::uint8_t>(256, 10'007), {.bins = 256, .range = {0, 256}});
        check_histogram(numbers_below<std::uint8_t>(200, 10'007), {.bins = 16});
        check_histogram(numbers_below<std::int32_t>(1000, 10'007), {.bins = 999});
        check_histogram(numbers_below<std::uint64_t>(1000, 10'007), {.bins = 10, .range = {0, 500}});
        check_histogram(std::vector<float>(10'007, 0.5f), {.bins = 300});
        const array<bool> flags = arange(1003) % 4 == 0;
        CHECK(to_vector(histogram(flags, 2).hist) == std::vector<std::int64_t>{752, 251});
        CHECK(to_vector(histogram(zeros<float>({0}), 3).hist) == std::vector<std::int64_t>(3));
    });
}

TEST_CASE("histograms count in views, in half precision and of expressions") {
    on_every_backend([](const tested_backend&) {
        const array<float> x = reshape(sin(arange<float>(3003)), {3, 1001});
        const auto parts = histogram(x(all, slice(none, none, 2)), 9);
        CHECK(to_vector(parts.hist) ==
              counts_between(to_vector(parts.bin_edges), to_vector(array<float>(x(all, slice(none, none, 2))))));
        const auto twice = histogram(x * 2, 11);
        CHECK(to_vector(twice.hist) == counts_between(to_vector(twice.bin_edges), to_vector(array<float>(x * 2))));
        const auto halves = histogram(astype<half>(x), 13);
        CHECK(to_vector(halves.hist) ==
              counts_between(to_vector(halves.bin_edges), to_vector(array<float>(astype<half>(x)))));
    });
}

TEST_CASE("numbers that are not large are counted in one pass over them") {
    on_compiling_backends([](const tested_backend&) {
        const array<std::int32_t> x = (arange<std::int32_t>(20'011) % 1000).eval();
        array<std::int64_t> counts = bincount(x).eval();
        reset_counters();
        counts = bincount(x).eval();
        CHECK(counters().launches <= 3);
    });
}

TEST_CASE("edges of histograms are chosen by NumPy's rules, and those on the host that descend are refused") {
    on_every_backend([](const tested_backend& b) {
        const array<double> d{1, 2, 3, 4, 5, 7, 8, 9, 9, 9, 12, 1.5};
        auto count = [&](const char* rule) { return histogram_bin_edges(d, rule).size() - 1; };
        CHECK(count("auto") == 5);
        CHECK(count("doane") == 5);
        CHECK(count("fd") == 3);
        CHECK(count("rice") == 5);
        CHECK(count("scott") == 3);
        CHECK(count("sqrt") == 4);
        CHECK(count("sturges") == 5);
        CHECK(array_equal(histogram(d, "fd").hist, array<std::int64_t>{5, 3, 4}));
        CHECK(array_equal(histogram_bin_edges(d, {.bins = "sqrt", .range = {0, 6}}), linspace<double>(0, 6, 5)));
        CHECK(array_equal(histogram_bin_edges(astype<int>(d), 4), linspace<double>(1, 12, 5)));
        CHECK(array_equal(histogram_bin_edges(d, array<int>{1, 2, 2, 9}), array<double>{1, 2, 2, 9}));
        CHECK(histogram_bin_edges(zeros({0}), "auto").size() == 2);
        CHECK(histogram_bin_edges(ones({9}), "auto").size() == 2);
        CHECK(histogram_bin_edges(array<int>{1, 2, 3, 2, 1, 2, 3, 1}, "rice").size() == 3);
        auto said = [](auto f) {
            try {
                f();
            } catch (const error& e) {
                return std::string(e.what());
            }
            return std::string();
        };
        if (!b.is_cuda()) {
            CHECK(said([&] { histogram(d, array<int>{3, 5, 4}); }) ==
                  "[histogram] edges do not increase: 4 behind 5 at 2");
            CHECK_THROWS_AS(histogram2d(d, d, {.bins = array<double>{0, 2, 1}}), value_error);
        }
        CHECK_THROWS_AS(histogram(d, "magic"), value_error);
        CHECK_THROWS_AS(histogram(d, {.bins = "auto", .weights = d}), type_error);
        CHECK_THROWS_AS(histogram_bin_edges(d, 0), value_error);
    });
}

TEST_CASE("points of any number of coordinates are counted in grids as numpy.histogramdd counts them") {
    on_every_backend([](const tested_backend& b) {
        const array<double> d{1, 2, 3, 4, 5, 7, 8, 9, 9, 9, 12, 1.5};
        const auto [n, edges] = histogramdd(stack(std::tuple(d, d * d, -d), 1), {.bins = {2, 3, 2}});
        CHECK(array_equal(n, array<double>{{{0, 6}, {0, 0}, {0, 0}}, {{0, 0}, {5, 0}, {1, 0}}}));
        CHECK(edges.size() == 3);
        CHECK(array_equal(edges[0], array<double>{1, 6.5, 12}));
        CHECK(array_equal(edges[2], array<double>{-12, -6.5, -1}));
        const auto dense = histogramdd(std::tuple(d, arange(12)), {.bins = 2, .range = {{0, 20}, {}}, .density = true});
        CHECK(allclose(dense.hist, array<double>{{5 / 660.0 * 1.2, 1 / 132.0}, {0, 1 / 660.0}}));
        CHECK(array_equal(dense.edges[1], array<double>{0, 5.5, 11}));
        const auto flat = histogramdd(d, {.bins = array<double>{0, 3, 12}, .weights = d});
        CHECK(array_equal(flat.hist, array<double>{4.5, 66}));
        CHECK(array_equal(histogramdd(std::tuple(d, d * 2), {.bins = {3, 4}}).hist,
                          histogram2d(d, d * 2, {.bins = {3, 4}}).hist));
        CHECK(histogramdd(zeros({0, 2}), {.bins = 3}).hist.shape() == dims(3, 3));
        CHECK_THROWS_AS(histogramdd(zeros({2, 2, 2})), shape_error);
        CHECK_THROWS_AS(histogramdd(zeros({2, 9}), {.bins = 1}), shape_error);
        CHECK_THROWS_AS(histogramdd(zeros({2, 0})), shape_error);
        CHECK_THROWS_AS(histogramdd(zeros({4, 3}), {.bins = {3, 4}}), value_error);
        CHECK_THROWS_AS(histogramdd(zeros({4, 1}), {.range = {{0, 1}, {0, 1}}}), value_error);
        CHECK_THROWS_AS(histogramdd(zeros({4, 1}), {.weights = zeros({3})}), shape_error);
        if (!b.is_cuda()) CHECK_THROWS_AS(histogramdd(zeros({4, 1}), {.bins = {array<double>{2, 1}}}), value_error);
    });
}
