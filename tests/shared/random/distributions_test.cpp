// Distributions of random numbers: their probabilities beside SciPy's, the same bits on every backend and however they
// are computed, parameters that are arrays or wrong.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <sinter/sinter.hpp>
#include <sstream>

#include "support/backends.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

using random::generator;

template <class X>
array<double> numbers(const X& x) {
    return astype<double>(x);
}

using parameters = std::vector<double>;
using drawing = std::function<array<double>(generator&, const parameters&, std::int64_t)>;

/// Every distribution by name; the elements are of type T, then converted.
template <class T>
std::map<std::string, drawing> make_drawings() {
    using p = const parameters&;
    using g = generator&;
    using n = std::int64_t;
    return {
        {"uniform", [](g r, p v, n k) { return numbers(r.uniform<T>(v[0], v[1], {k})); }},
        {"normal", [](g r, p v, n k) { return numbers(r.normal<T>(v[0], v[1], {k})); }},
        {"lognormal", [](g r, p v, n k) { return numbers(r.lognormal<T>(v[0], v[1], {k})); }},
        {"exponential", [](g r, p v, n k) { return numbers(r.exponential<T>(v[0], {k})); }},
        {"laplace", [](g r, p v, n k) { return numbers(r.laplace<T>(v[0], v[1], {k})); }},
        {"logistic", [](g r, p v, n k) { return numbers(r.logistic<T>(v[0], v[1], {k})); }},
        {"gumbel", [](g r, p v, n k) { return numbers(r.gumbel<T>(v[0], v[1], {k})); }},
        {"cauchy", [](g r, p v, n k) { return numbers(r.cauchy<T>(v[0], v[1], {k})); }},
        {"pareto", [](g r, p v, n k) { return numbers(r.pareto<T>(v[0], {k})); }},
        {"weibull", [](g r, p v, n k) { return numbers(r.weibull<T>(v[0], {k})); }},
        {"rayleigh", [](g r, p v, n k) { return numbers(r.rayleigh<T>(v[0], {k})); }},
        {"triangular", [](g r, p v, n k) { return numbers(r.triangular<T>(v[0], v[1], v[2], {k})); }},
        {"gamma", [](g r, p v, n k) { return numbers(r.gamma<T>(v[0], v[1], {k})); }},
        {"chisquare", [](g r, p v, n k) { return numbers(r.chisquare<T>(v[0], {k})); }},
        {"standard_t", [](g r, p v, n k) { return numbers(r.standard_t<T>(v[0], {k})); }},
        {"beta", [](g r, p v, n k) { return numbers(r.beta<T>(v[0], v[1], {k})); }},
        {"power", [](g r, p v, n k) { return numbers(r.power<T>(v[0], {k})); }},
        {"vonmises", [](g r, p v, n k) { return numbers(r.vonmises<T>(v[0], v[1], {k})); }},
        {"wald", [](g r, p v, n k) { return numbers(r.wald<T>(v[0], v[1], {k})); }},
        {"f", [](g r, p v, n k) { return numbers(r.f<T>(v[0], v[1], {k})); }},
        {"noncentral_chisquare", [](g r, p v, n k) { return numbers(r.noncentral_chisquare<T>(v[0], v[1], {k})); }},
        {"noncentral_f", [](g r, p v, n k) { return numbers(r.noncentral_f<T>(v[0], v[1], v[2], {k})); }},
        {"negative_binomial", [](g r, p v, n k) { return numbers(r.negative_binomial(v[0], v[1], {k})); }},
        {"hypergeometric",
         [](g r, p v, n k) {
             return numbers(
                 r.hypergeometric(static_cast<int>(v[0]), static_cast<int>(v[1]), static_cast<int>(v[2]), {k}));
         }},
        {"zipf", [](g r, p v, n k) { return numbers(r.zipf(v[0], {k})); }},
        {"logseries", [](g r, p v, n k) { return numbers(r.logseries(v[0], {k})); }},
        {"poisson", [](g r, p v, n k) { return numbers(r.poisson(v[0], {k})); }},
        {"binomial", [](g r, p v, n k) { return numbers(r.binomial(static_cast<int>(v[0]), v[1], {k})); }},
        {"geometric", [](g r, p v, n k) { return numbers(r.geometric(v[0], {k})); }},
        {"integers",
         [](g r, p v, n k) { return numbers(r.integers(static_cast<int>(v[0]), static_cast<int>(v[1]), {k})); }},
    };
}

bool is_count(const std::string& name) {
    for (const char* counted :
         {"poisson", "binomial", "geometric", "integers", "negative_binomial", "hypergeometric", "zipf", "logseries"})
        if (name == counted) return true;
    return false;
}

struct golden_case {
    std::string name;
    parameters values;
    double mean = 0, deviation = 0;
    std::vector<double> edges, shares;
};

std::vector<golden_case> golden_cases() {
    std::ifstream file(SINTER_TEST_DATA "/golden/distributions.txt");
    std::vector<golden_case> all;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        golden_case c;
        std::string word;
        words >> c.name;
        while (words >> word && word != ":") c.values.push_back(std::strtod(word.c_str(), nullptr));
        std::vector<double> rest;
        while (words >> word) rest.push_back(std::strtod(word.c_str(), nullptr));
        c.mean = rest.at(0);
        c.deviation = rest.at(1);
        for (std::size_t i = 2; i + 1 < rest.size(); i += 2) {
            c.edges.push_back(rest[i]);
            c.shares.push_back(rest[i + 1]);
        }
        all.push_back(c);
    }
    REQUIRE(all.size() > 50);
    return all;
}

/// Kolmogorov's distance at the edges and chi squared between them; bounds that one sample in ten thousand exceeds.
void check_probabilities(const golden_case& c, const array<double>& x) {
    const double n = static_cast<double>(x.size());
    eval(x);
    array<double> edges = asarray(c.edges);
    std::vector<std::int64_t> cells =
        to_vector(bincount(searchsorted(edges, x), static_cast<std::int64_t>(c.edges.size()) + 1));
    double distance = 0, chi = 0, below = 0, before = 0, share_before = 0, degrees = -1;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        double share = i < c.shares.size() ? c.shares[i] : 1, expected = n * (share - share_before);
        below += static_cast<double>(cells[i]);
        distance = std::max(distance, std::fabs(below - n * share));
        if (expected < 20) continue;
        chi += (below - before - expected) * (below - before - expected) / expected;
        ++degrees;
        before = below;
        share_before = share;
    }
    CHECK(distance / std::sqrt(n) < 2.25);
    if (degrees > 0) {
        // Wilson and Hilferty's normal approximation.
        double z = (std::cbrt(chi / degrees) - (1 - 2 / (9 * degrees))) / std::sqrt(2 / (9 * degrees));
        CHECK(z < 3.72);
    }
    if (c.deviation > 0) CHECK(std::fabs(sum(x - c.mean).item()) / (c.deviation * std::sqrt(n)) < 4);
}

template <class T>
void check_distributions(const tested_backend& b, std::int64_t n) {
    std::map<std::string, drawing> drawings = make_drawings<T>();
    std::uint64_t number = std::is_same_v<T, float> ? 3000 : 4000;
    for (const golden_case& c : golden_cases()) {
        ++number;
        // Counts have one type only.
        if (std::is_same_v<T, float> && is_count(c.name)) continue;
        CAPTURE(b.name);
        CAPTURE(c.name);
        CAPTURE(c.values[0]);
        CAPTURE(sizeof(T));
        generator g(number);
        check_probabilities(c, drawings.at(c.name)(g, c.values, n));
    }
}

/// Makes the same draw by the backend of the scope and by the interpreter, and compares their bytes.
template <class Make>
void check_same_bits(const char* what, Make make) {
    CAPTURE(std::string(what));
    generator a(42), b(42);
    auto got = to_vector(make(a));
    device_scope on(device::cpu());
    runtime::backend_scope use(runtime::backend::interpreter);
    auto want = to_vector(make(b));
    REQUIRE(got.size() == want.size());
    CHECK(std::memcmp(got.data(), want.data(), got.size() * sizeof(got[0])) == 0);
}

constexpr std::int64_t some = 4097;

template <class T>
void check_reals_same_bits() {
    check_same_bits("lognormal", [](generator& g) { return g.lognormal<T>(1, 3, {some}); });
    check_same_bits("exponential", [](generator& g) { return g.exponential<T>(3, {some}); });
    check_same_bits("laplace", [](generator& g) { return g.laplace<T>(0, 1, {some}); });
    check_same_bits("logistic", [](generator& g) { return g.logistic<T>(0, 1, {some}); });
    check_same_bits("gumbel", [](generator& g) { return g.gumbel<T>(0, 1, {some}); });
    check_same_bits("cauchy", [](generator& g) { return g.standard_cauchy<T>({some}); });
    check_same_bits("pareto", [](generator& g) { return g.pareto<T>(3, {some}); });
    check_same_bits("weibull", [](generator& g) { return g.weibull<T>(0.7, {some}); });
    check_same_bits("rayleigh", [](generator& g) { return g.rayleigh<T>(2, {some}); });
    check_same_bits("triangular", [](generator& g) { return g.triangular<T>(-1, 0.3, 1, {some}); });
    check_same_bits("gamma", [](generator& g) { return g.gamma<T>(linspace<T>(T(0.1), T(40), some), 2); });
    check_same_bits("chisquare", [](generator& g) { return g.chisquare<T>(3, {some}); });
    check_same_bits("standard_t", [](generator& g) { return g.standard_t<T>(2.5, {some}); });
    check_same_bits("power", [](generator& g) { return g.power<T>(linspace<T>(T(0.1), T(9), some)); });
    check_same_bits("vonmises", [](generator& g) { return g.vonmises<T>(1, linspace<T>(T(0), T(40), some)); });
    check_same_bits("wald", [](generator& g) { return g.wald<T>(linspace<T>(T(0.1), T(40), some), 2); });
    check_same_bits("noncentral_f", [](generator& g) { return g.noncentral_f<T>(3, 7.5, 2, {some}); });
    check_same_bits("beta", [](generator& g) { return g.beta<T>(linspace<T>(T(0.1), T(3), some), 0.8); });
}

}  // namespace

TEST_CASE("distributions have SciPy's probabilities") {
    on_every_backend([](const tested_backend& b) {
        const std::int64_t n = b.is_interpreter() ? 10'000 : 100'000;
        check_distributions<double>(b, n);
        check_distributions<float>(b, n);
    });
}

TEST_CASE("distributions have SciPy's probabilities in ten million numbers") {
    if (!is_full()) return;
    on_compiling_backends([](const tested_backend& b) {
        check_distributions<double>(b, 10'000'000);
        check_distributions<float>(b, 10'000'000);
    });
}

TEST_CASE("all distributions have the same bits on every backend") {
    on_every_backend([](const tested_backend& b) {
        if (b.is_interpreter()) return;
        check_reals_same_bits<float>();
        check_reals_same_bits<double>();
        check_same_bits("poisson", [](generator& g) { return g.poisson(portable_exp(linspace(-8, 44, some))); });
        check_same_bits("binomial",
                        [](generator& g) { return g.binomial(arange(some) * arange(some), linspace(0, 1, some)); });
        check_same_bits("geometric", [](generator& g) { return g.geometric(portable_exp(linspace(-30, 0, some))); });
        check_same_bits("negative_binomial",
                        [](generator& g) { return g.negative_binomial(3, linspace(0.01, 1, some)); });
        check_same_bits("hypergeometric", [](generator& g) { return g.hypergeometric(arange(some), 300, 150); });
        check_same_bits("zipf", [](generator& g) { return g.zipf(linspace(1.01, 9, some)); });
        check_same_bits("logseries", [](generator& g) { return g.logseries(linspace(0, 0.999, some)); });
        check_same_bits("dirichlet", [](generator& g) { return g.dirichlet(array<double>{0.1, 2, 30}, {500}); });
        check_same_bits("multinomial",
                        [](generator& g) { return g.multinomial(arange(99), array<double>{0.1, 0.5, 0.4}); });
        check_same_bits("permuted", [](generator& g) { return g.permuted(reshape(arange(some), {-1, 17}), 1); });
        check_same_bits("integers",
                        [](generator& g) { return g.integers(-arange(some), arange(some) * 1'000'000'007); });
        check_same_bits("wide",
                        [](generator& g) { return g.integers<std::uint64_t>(0, 0x9000000000000001ull, {some}); });
        check_same_bits("permutation", [](generator& g) { return g.permutation(some); });
        check_same_bits("choice", [](generator& g) { return g.choice(100, {some}, {.p = arange<double>(100)}); });
    });
}

TEST_CASE("gamma numbers of one shape, most of which CPUs find in vectors, have the interpreter's bits") {
    on_compiling_backends([](const tested_backend&) {
        auto of_type = []<class T>(T) {
            for (double shape : {0.0, 0.3, 0.999, 1.0, 1.5, 2.5, 40.0, 1e25, 1e35, HUGE_VAL})
                for (std::int64_t n : {1, 7, 129, 5003}) {
                    CAPTURE(shape);
                    CAPTURE(n);
                    check_same_bits("gamma", [&](generator& g) { return g.gamma<T>(shape, 1.5, {n}); });
                }
            check_same_bits("sums", [](generator& g) { return sum(g.gamma<T>(2.5, 1, {7, 1001}), 1); });
            check_same_bits("both", [](generator& g) {
                auto small = g.gamma<T>(0.5, 1, {3001});
                return small / (small + g.gamma<T>(2.5, 1, {3001}));
            });
            check_same_bits("chisquare", [](generator& g) { return g.chisquare<T>(5, {3001}); });
            check_same_bits("standard_t", [](generator& g) { return g.standard_t<T>(5, {3001}); });
        };
        of_type(float());
        of_type(double());
    });
}

TEST_CASE("long permutations are the order of random words on every device") {
    // Of 200,000 words about five pairs have the same upper half.
    std::vector<std::int64_t> first;
    on_compiling_backends([&](const tested_backend&) {
        generator g(3);
        const std::vector<std::int64_t> order = to_vector(g.permutation(200'000));
        if (first.empty()) first = order;
        CHECK(order == first);
        std::vector<bool> seen(order.size());
        for (std::int64_t i : order) seen[static_cast<std::size_t>(i)] = true;
        CHECK(std::find(seen.begin(), seen.end(), false) == seen.end());
    });
}

TEST_CASE("a draw is the same bits however it is computed") {
    on_every_backend([](const tested_backend&) {
        generator g(5), h(5), k(5);
        array<double> stored = g.gamma(array<double>{0.5, 3.0, 40.0}, 2, {2, 1001, 3});
        stored.eval();
        array<double> fused = exp(-h.gamma(array<double>{0.5, 3.0, 40.0}, 2, {2, 1001, 3}) / 100);
        CHECK(to_vector(fused) == to_vector(array<double>(exp(-stored / 100))));
        array<double> part = k.gamma(array<double>{0.5, 3.0, 40.0}, 2, {2, 1001, 3})(1, slice(7, none, 5), 2);
        CHECK(to_vector(part) == to_vector(array<double>(stored(1, slice(7, none, 5), 2))));

        generator e(6), f(6);
        array<float> x = e.gumbel<float>(1, 2, {4097}), y = f.gumbel<float>(1, 2, {4097});
        x.eval();
        CHECK(to_vector(array<float>(y(slice(3, none, 2)) * 2)) == to_vector(array<float>(x(slice(3, none, 2)) * 2)));
        CHECK(sum(x).item() == sum(y).item());
    });
}

TEST_CASE("parameters may be arrays, and each element has its own") {
    on_every_backend([](const tested_backend&) {
        generator g(11);
        array<double> scale{1.0, 10.0, 100.0};
        array<double> x = g.exponential(scale, {20'000, 3});
        for (int i = 0; i < 3; ++i) CHECK(mean(x, 0).item(i) == doctest::Approx(std::pow(10.0, i)).epsilon(0.05));
        CHECK(g.exponential(scale).shape() == dims(3));
        CHECK(g.normal(scale(all, newaxis), scale).shape() == dims(3, 3));
        CHECK(g.normal<float>(scale, 1).dtype() == dtype::float32);
        CHECK(g.poisson(array<int>{1, 2}).shape() == dims(2));
        CHECK(g.normal().shape() == dims());
        CHECK(g.binomial(array<int>{0, 5, 7}, array<double>{0.5, 1.0, 0.0}).item(1) == 5);
        CHECK(to_vector(g.integers(array<int>{3, 8}, array<int>{4, 9})) == std::vector<std::int64_t>{3, 8});
        CHECK_THROWS_AS(g.exponential(scale, {4}), shape_error);
        CHECK_THROWS_AS(g.exponential(scale, {1}), shape_error);
        CHECK_THROWS_AS(g.normal(scale, array<double>{1.0, 2.0}), shape_error);
    });
}

TEST_CASE("elements whose parameters are out of range are NaN, or -1 where they count") {
    on_every_backend([](const tested_backend&) {
        generator g(12);
        array<double> v{-1.0, 0.5};
        auto only_second = [](const auto& x) { return std::isnan(x.item(0)) && !std::isnan(x.item(1)); };
        CHECK(only_second(g.exponential(v)));
        CHECK(only_second(g.normal(0, v)));
        CHECK(only_second(g.lognormal<float>(0, v)));
        CHECK(only_second(g.pareto(v)));
        CHECK(only_second(g.weibull(v)));
        CHECK(only_second(g.rayleigh(v)));
        CHECK(only_second(g.gamma(v)));
        CHECK(only_second(g.gamma(1, v)));
        CHECK(only_second(g.chisquare(v)));
        CHECK(only_second(g.standard_t(v)));
        CHECK(only_second(g.beta(v, 1)));
        CHECK(only_second(g.beta(1, v)));
        for (const array<std::int64_t>& n : {g.poisson(v), g.binomial(10, v), g.geometric(v)}) {
            CHECK(n.item(0) == -1);
            CHECK(n.item(1) >= 0);
        }
    });
}

TEST_CASE("numbers that are no parameters are refused by name and value") {
    generator g(13);
    CHECK_THROWS_WITH_AS(g.exponential(-1), "[exponential] scale is negative: -1", value_error);
    CHECK_THROWS_WITH_AS(g.normal(0, -2.5), "[normal] scale is negative: -2.5", value_error);
    CHECK_THROWS_WITH_AS(g.lognormal(0, -1), "[lognormal] sigma is negative: -1", value_error);
    CHECK_THROWS_WITH_AS(g.pareto(0), "[pareto] a is not positive: 0", value_error);
    CHECK_THROWS_WITH_AS(g.weibull(-3), "[weibull] a is negative: -3", value_error);
    CHECK_THROWS_WITH_AS(g.gamma(-1), "[gamma] shape is negative: -1", value_error);
    CHECK_THROWS_WITH_AS(g.gamma(1, -1), "[gamma] scale is negative: -1", value_error);
    CHECK_THROWS_WITH_AS(g.chisquare(0), "[chisquare] df is not positive: 0", value_error);
    CHECK_THROWS_WITH_AS(g.standard_t(0), "[standard_t] df is not positive: 0", value_error);
    CHECK_THROWS_WITH_AS(g.beta(1, 0), "[beta] b is not positive: 0", value_error);
    CHECK_THROWS_WITH_AS(g.triangular(0, 2, 1), "[triangular] mode is above right: 2 and 1", value_error);
    CHECK_THROWS_WITH_AS(g.triangular(3, 2, 4), "[triangular] left is above mode: 3 and 2", value_error);
    CHECK_THROWS_WITH_AS(g.triangular(1, 1, 1), "[triangular] left is right: 1", value_error);
    CHECK_THROWS_WITH_AS(g.poisson(-1), "[poisson] lam is negative: -1", value_error);
    CHECK_THROWS_WITH_AS(g.poisson(1e19), "[poisson] lam is too large: 1e+19", value_error);
    CHECK_THROWS_WITH_AS(g.binomial(-1, 0.5), "[binomial] n is negative: -1", value_error);
    CHECK_THROWS_WITH_AS(g.binomial(1, 1.5), "[binomial] p is not between 0 and 1: 1.5", value_error);
    CHECK_THROWS_WITH_AS(g.geometric(0), "[geometric] p is not above 0 and at most 1: 0", value_error);
    CHECK_THROWS_WITH_AS(g.integers(3, 3), "[integers] low is not below high: 3 and 3", value_error);
    CHECK_THROWS_WITH_AS(g.integers<std::uint8_t>(0, 257), "[integers] 257 does not fit in uint8", value_error);
    CHECK_THROWS_WITH_AS(g.choice(3, {4}, {.replace = false}),
                         "[choice] cannot choose 4 of 3 elements without replacement", value_error);
    CHECK_THROWS_AS(g.choice(3, {4}, {.p = array<double>{0.5, 0.5}}), value_error);
    CHECK_THROWS_AS(g.choice(0, {4}), value_error);
    CHECK_THROWS_AS(g.permutation(-1), value_error);
    CHECK_THROWS_AS(g.bytes(-1), value_error);
}

TEST_CASE("parameters at their ends give what they must") {
    on_every_backend([](const tested_backend&) {
        generator g(14);
        CHECK(all(g.exponential(0, {9}) == 0));
        CHECK(all(g.normal(2, 0, {9}) == 2));
        CHECK(all(g.gamma(0, 1, {9}) == 0));
        CHECK(all(g.weibull(0, {9}) == 0));
        CHECK(all(g.poisson(0, {9}) == 0));
        CHECK(all(g.binomial(0, 0.5, {9}) == 0));
        CHECK(all(g.binomial(7, 0, {9}) == 0));
        CHECK(all(g.binomial(7, 1, {9}) == 7));
        CHECK(all(g.geometric(1, {9}) == 1));
        CHECK(all(g.integers(4, 5, {9}) == 4));
        CHECK(max(g.integers<std::uint8_t>(0, 256, {9999})).item() == 255);
        array<std::int64_t> huge = g.poisson(1e15, {1000});
        CHECK(std::fabs(double(mean(huge).item()) - 1e15) < 5e6);
        CHECK(double(stddev(astype<double>(huge) - 1e15).item()) == doctest::Approx(std::sqrt(1e15)).epsilon(0.15));
        CHECK(mean(g.beta(1e-3, 1e-3, {1000})).item() == doctest::Approx(0.5).epsilon(0.15));
        CHECK(g.gamma(2, 1, {0, 3}).size() == 0);
        CHECK(to_vector(g.poisson(3, {0})).empty());
        CHECK(to_vector(g.normal(0, 1, {1})).size() == 1);
    });
}

TEST_CASE("integers of wide ranges are spread evenly") {
    on_every_backend([](const tested_backend&) {
        generator g(15);
        // A remainder would give the lower third twice as often.
        array<std::uint64_t> x = g.integers<std::uint64_t>(0, 0xc000000000000000ull, {30'000});
        CHECK(std::fabs(double(count_nonzero(x < 0x4000000000000000ull).item()) - 10'000) < 400);
        CHECK(std::fabs(double(count_nonzero(x < 0x8000000000000000ull).item()) - 20'000) < 400);
    });
}

TEST_CASE("random numbers of half precision are those of float, rounded once, and uniform ones stay below one") {
    on_every_backend([](const tested_backend&) {
        auto check = []<class T>(T) {
            auto same = [](const char* what, const array<T>& got, const array<float>& single) {
                CAPTURE(what);
                CHECK(to_vector(got) == to_vector(array<T>(astype<T>(single))));
            };
            generator g(5), h(5);
            same("normal", g.normal<T>(2, 0.5, {1001}), h.normal<float>(2, 0.5, {1001}));
            same("exponential", g.exponential<T>(array<half>{1, 2, 3}), h.exponential<float>(array<half>{1, 2, 3}));
            same("beta", g.beta<T>(T(2), 3, {33}), h.beta<float>(2, 3, {33}));
            same("standard_normal", g.randn<T>(7, 5), h.randn<float>(7, 5));
            same("multivariate_normal", g.multivariate_normal<T>(array<double>{1, 2}, eye(2) * 2.0, {9}),
                 h.multivariate_normal<float>(array<double>{1, 2}, eye(2) * 2.0, {9}));
            const float steps = 1 << std::numeric_limits<T>::digits;
            const array<T> u = g.random<T>({70001});
            same("random", u, floor(h.random<float>({70001}) * steps) / steps);
            CHECK(float(max(u)) == 1 - 1 / steps);
            CHECK(float(min(u)) == 0);
            CHECK(g == h);
        };
        check(half());
        check(bfloat16());
    });
}
