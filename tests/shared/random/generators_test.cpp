// Generators as values and what they draw besides distributions: permutations, choices, bytes and Sobol's points.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sinter/sinter.hpp>
#include <sstream>

#include "support/backends.hpp"

using namespace sinter;
using namespace test_backends;

using random::generator;

TEST_CASE("generators are values: copies draw the same, others do not, and a state brings one back") {
    on_every_backend([](const tested_backend&) {
        generator g(42), copy = g;
        CHECK(g == copy);
        array<double> a = g.normal(0, 1, {100});
        CHECK_FALSE(g == copy);
        CHECK(to_vector(a) == to_vector(copy.normal(0, 1, {100})));
        CHECK(to_vector(a) != to_vector(g.normal(0, 1, {100})));
        CHECK(to_vector(a) != to_vector(generator(43).normal(0, 1, {100})));

        random::generator_state kept = g.state();
        std::ostringstream out;
        out << g;
        array<double> next = g.gamma(2, 1, {100});
        g.set_state(kept);
        CHECK(to_vector(next) == to_vector(g.gamma(2, 1, {100})));
        generator read(0);
        std::istringstream in(out.str());
        in >> read;
        CHECK(to_vector(next) == to_vector(read.gamma(2, 1, {100})));
        CHECK_THROWS_AS(read.set_state({1, std::uint64_t{1} << 48, 0}), value_error);

        random::seed(42);
        CHECK(to_vector(a) == to_vector(random::normal(0, 1, {100})));
        CHECK(random::default_generator().state().stream == 1);
        CHECK_FALSE(generator() == generator());
    });
}

TEST_CASE("spawned generators draw numbers of their own") {
    on_every_backend([](const tested_backend&) {
        generator g(1), again(1);
        std::vector<generator> children = g.spawn(3), more = g.spawn(1);
        children.push_back(more[0]);
        children.push_back(g);
        std::set<double> first;
        for (generator& c : children) first.insert(c.random().item());
        CHECK(first.size() == 5);
        CHECK(again.spawn(4)[3] == more[0]);
    });
}

TEST_CASE("permutations hold every element once, and are all as likely") {
    on_every_backend([](const tested_backend&) {
        generator g(16);
        for (std::int64_t n : {0, 1, 2, 33, 4097}) {
            auto p = to_vector(g.permutation(n));
            std::sort(p.begin(), p.end());
            CHECK(p == to_vector(arange<std::int64_t>(n)));
        }
        std::map<std::vector<std::int64_t>, int> seen;
        for (int i = 0; i < 1200; ++i) ++seen[to_vector(g.permutation(3))];
        CHECK(seen.size() == 6);
        for (const auto& [order, count] : seen) CHECK(std::abs(count - 200) < 60);

        array<int> m = reshape(arange<int>(12), {4, 3}), rows = g.permutation(m), columns = g.permutation(m, -1);
        CHECK(to_vector(array<int>(sort(rows, 0))) == to_vector(m));
        CHECK(to_vector(array<int>(rows(all, 2) - rows(all, 0))) == std::vector<int>(4, 2));
        CHECK(to_vector(array<int>(sort(columns, 1))) == to_vector(m));
        array<int> v = arange<int>(100);
        g.shuffle(v);
        CHECK(to_vector(v) != to_vector(arange<int>(100)));
        CHECK(to_vector(array<int>(sort(v))) == to_vector(arange<int>(100)));
    });
}

TEST_CASE("probabilities on the host sum to one, are not negative and no NaN, as NumPy's") {
    generator g(17);
    CHECK_THROWS_WITH_AS(g.choice(3, {6}, {.p = {0.125, 0.125, 0.25}}),
                         "[choice] probabilities do not sum to 1 but to 0.5", value_error);
    CHECK_THROWS_WITH_AS(g.choice(3, {6}, {.p = {0.75, -0.25, 0.5}}),
                         "[choice] probabilities are not non-negative: -0.25 at 1", value_error);
    const std::vector<double> unknown{0.5, std::numeric_limits<double>::quiet_NaN()};
    CHECK_THROWS_WITH_AS(g.choice(2, {6}, {.p = unknown}), "[choice] probabilities contain NaN", value_error);
    CHECK_THROWS_AS(g.choice(2, {6}, {.p = std::vector<double>{0.5, 0.5 + 1e-7}}), value_error);
    CHECK(g.choice(10, {6}, {.p = std::vector<float>(10, 0.1f)}).size() == 6);
    CHECK(g.choice(3, {6}, {.p = {0.1, 0.2, 0.7 + 1e-9}}).size() == 6);
}

TEST_CASE("a few of many are chosen once, each equally often at each place, from memory for the few alone") {
    on_every_backend([](const tested_backend& b) {
        generator g(23);
        const std::int64_t many = std::int64_t{1} << 40;
        const array<std::int64_t> c = g.choice(many, {7, 31}, {.replace = false});
        CHECK(c.shape() == dims(7, 31));
        CHECK(unique(c).size() == 217);
        CHECK(bool(min(c) >= 0 && max(c) < many));
        CHECK(std::fabs(double(mean(astype<double>(c) / double(many))) - 0.5) < 0.1);
        CHECK(g.choice(many, {1}, {.replace = false}).size() == 1);
        // So many that draws meet, and chains of them are followed.
        const std::int64_t n = 10'007, few = n / 50;
        array<std::int64_t> seen = zeros<std::int64_t>({n}), head = zeros<std::int64_t>({2});
        const int rounds = b.is_interpreter() ? 40 : 400;
        for (int i = 0; i < rounds; ++i) {
            const array<std::int64_t> some = g.choice(n, {few}, {.replace = false});
            CHECK(unique(some).size() == few);
            scatter_add(seen, some, 1);
            head += stack({count_nonzero(some < few), count_nonzero(some(slice(few / 2, none)) < n / 2)});
        }
        const double each = double(rounds * few);
        CHECK(std::fabs(head.item(0) - each * double(few) / double(n)) < 5 * std::sqrt(each / 50));
        CHECK(std::fabs(head.item(1) - each / 4) < 5 * std::sqrt(each / 8));
        const double expected = each / double(n);
        CHECK(std::fabs(double(sum(square(seen - expected))) / expected / double(n) - 1) < 0.1);
    });
}

TEST_CASE("choices are of the elements, with their probabilities, once where nothing is put back") {
    on_every_backend([](const tested_backend&) {
        generator g(17);
        array<float> x{1.5f, 2.5f, 3.5f, 4.5f};
        CHECK(g.choice(x, {2, 3}).shape() == dims(2, 3));
        array<std::int64_t> c = g.choice(4, {40'000}, {.p = array<double>{1.0, 0.0, 2.0, 5.0}});
        for (auto [value, share] : {std::pair{0, 0.125}, std::pair{1, 0.0}, std::pair{2, 0.25}, std::pair{3, 0.625}})
            CHECK(std::fabs(double(count_nonzero(c == value).item()) - 40'000 * share) <= 400 * (share > 0));
        auto once = to_vector(g.choice(x, {4}, {.replace = false}));
        std::sort(once.begin(), once.end());
        CHECK(once == to_vector(x));
        int first = 0;
        for (int i = 0; i < 600; ++i) {
            auto two = to_vector(g.choice(3, {2}, {.replace = false, .p = array<double>{0.6, 0.3, 0.1}}));
            CHECK(two[0] != two[1]);
            first += two[0] == 0;
        }
        CHECK(std::abs(first - 360) < 50);
        CHECK(g.choice(x, {0}).size() == 0);
        const array<double> shares{0.25, 0.75};
        const auto by = [](const random::probabilities& p) { return random::generator(3).choice(2, {20}, {.p = p}); };
        CHECK(array_equal(by(shares), by({0.25, 0.75})));
        CHECK(array_equal(by(shares * 4), by(std::vector<double>{0.25, 0.75})));
        // Along an axis parts are chosen, as many and in such a shape as asked for.
        array<int> m = reshape(arange<int>(12), {4, 3}), rows = g.choice(m, {2, 5}),
                   columns = g.choice(m, {3}, {.replace = false, .axis = -1});
        CHECK(rows.shape() == dims(2, 5, 3));
        CHECK(array_equal(rows(ellipsis, 2) - rows(ellipsis, 0), full<int>({2, 5}, 2)));
        CHECK(array_equal(sort(columns, 1), m));
        CHECK(g.choice(m).shape() == dims(3));
        CHECK_THROWS_AS(g.choice(m, {2}, {.axis = 2}), index_error);
        CHECK(g.choice(7).shape() == dims());
    });
}

TEST_CASE("bytes are random, and as many as asked for") {
    on_every_backend([](const tested_backend&) {
        generator g(18), h(18);
        for (std::int64_t n : {0, 1, 3, 4, 1023}) CHECK(static_cast<std::int64_t>(g.bytes(n).size()) == n);
        CHECK(h.bytes(0).empty());
        std::vector<std::byte> b = g.bytes(100'000);
        std::vector<int> counts(256);
        for (std::byte v : b) ++counts[std::to_integer<std::size_t>(v)];
        CHECK(*std::min_element(counts.begin(), counts.end()) > 290);
        CHECK(*std::max_element(counts.begin(), counts.end()) < 500);
    });
}

TEST_CASE("the points of Sobol's sequence are SciPy's") {
    on_every_backend([](const tested_backend&) {
        std::ifstream file(SINTER_TEST_DATA "/golden/sobol.txt");
        int cases = 0;
        for (std::string line; std::getline(file, line); ++cases) {
            std::istringstream words(line);
            std::int64_t first = 0, n = 0, dimensions = 0;
            words >> first >> n >> dimensions;
            std::vector<double> want;
            for (std::string word; words >> word;) want.push_back(std::strtod(word.c_str(), nullptr));
            CHECK(to_vector(random::sobol(n, dimensions, first)) == want);
            auto single = to_vector(random::sobol<float>(n, dimensions, first));
            CHECK(std::equal(single.begin(), single.end(), want.begin(),
                             [](float a, double b) { return double(a) == b; }));
        }
        CHECK(cases == 5);
        CHECK(random::sobol(0, 3).shape() == dims(0, 3));
        random::generator g(7);
        const random::generator before = g;
        CHECK(to_vector(g.sobol(5, 3, 2)) == to_vector(random::sobol(5, 3, 2)));
        CHECK(to_vector(g.sobol<float>(5, 3)) == to_vector(random::sobol<float>(5, 3)));
        CHECK(g == before);
        CHECK_THROWS_WITH_AS(random::sobol(1, 0), "[sobol] the number of dimensions is not above 0: 0", value_error);
        CHECK_THROWS_WITH_AS(random::sobol(1, 2, {.bits = 16}), "[sobol] bits is neither 32 nor 64: 16", value_error);
        CHECK_THROWS_AS(random::sobol(2, 2, {.bits = 32, .skip = (std::int64_t{1} << 32) - 1}), value_error);
        CHECK(to_vector(random::sobol(5, 3, {.skip = 2})) == to_vector(g.sobol(5, 3, {.skip = 2})));
        CHECK(to_vector(random::sobol(5, 3, {.skip = 2})) == to_vector(random::sobol(5, 3, 2)));
        CHECK_THROWS_AS(random::sobol(-1, 2), value_error);
    });
}
