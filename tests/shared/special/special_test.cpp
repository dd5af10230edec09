// Special functions and distributions against mpmath and SciPy, whose values tests/generate/special.py stores.
#include "support/backends.hpp"
#include "support/data_files.hpp"
#include "support/expected.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <iostream>
#include <map>
#include <sinter/special.hpp>
#include <sinter/sinter.hpp>
#include <sstream>
#include <string>
#include <vector>

using namespace sinter;
using namespace test_backends;

namespace {

template <class T>
using arguments = std::vector<array<T>>;
template <class T>
using function = std::function<array<T>(const arguments<T>&)>;

#define SPECIAL_1(name) {#name, [](const arguments<T>& x) { return special::name(x[0]); }}
#define SPECIAL_2(name) {#name, [](const arguments<T>& x) { return special::name(x[0], x[1]); }}
#define SPECIAL_3(name) {#name, [](const arguments<T>& x) { return special::name(x[0], x[1], x[2]); }}
#define DISTRIBUTION(name, ...)                                                               \
    {#name "::cdf", [](const arguments<T>& x) { return stats::name::cdf(__VA_ARGS__); }},     \
        {#name "::sf", [](const arguments<T>& x) { return stats::name::sf(__VA_ARGS__); }}, { \
        #name "::ppf", [](const arguments<T>& x) { return stats::name::ppf(__VA_ARGS__); }    \
    }
#define DENSE(name, ...)                                                                         \
    DISTRIBUTION(name, __VA_ARGS__),                                                             \
        {#name "::pdf", [](const arguments<T>& x) { return stats::name::pdf(__VA_ARGS__); }}, {  \
        #name "::logpdf", [](const arguments<T>& x) { return stats::name::logpdf(__VA_ARGS__); } \
    }
#define WHOLE(name, ...)                                                                         \
    DISTRIBUTION(name, __VA_ARGS__),                                                             \
        {#name "::pmf", [](const arguments<T>& x) { return stats::name::pmf(__VA_ARGS__); }}, {  \
        #name "::logpmf", [](const arguments<T>& x) { return stats::name::logpmf(__VA_ARGS__); } \
    }

template <class T>
const std::map<std::string, function<T>>& functions() {
    static const std::map<std::string, function<T>> table{
        SPECIAL_2(gammainc),
        SPECIAL_2(gammaincc),
        SPECIAL_2(gammaincinv),
        SPECIAL_2(gammainccinv),
        SPECIAL_3(betainc),
        SPECIAL_3(betaincc),
        SPECIAL_3(betaincinv),
        SPECIAL_2(polygamma),
        SPECIAL_1(zeta),
        SPECIAL_1(j0),
        SPECIAL_1(j1),
        SPECIAL_1(y0),
        SPECIAL_1(y1),
        SPECIAL_2(jn),
        SPECIAL_2(yn),
        SPECIAL_2(jv),
        SPECIAL_2(yv),
        SPECIAL_2(iv),
        SPECIAL_2(kv),
        SPECIAL_2(ive),
        SPECIAL_2(kve),
        SPECIAL_1(i0e),
        SPECIAL_1(i1e),
        SPECIAL_1(log_ndtr),
        SPECIAL_2(xlog1py),
        SPECIAL_2(rel_entr),
        SPECIAL_2(kl_div),
        SPECIAL_2(comb),
        {"jv_below", [](const arguments<T>& x) { return special::jv(x[0], x[1]); }},
        {"yv_below", [](const arguments<T>& x) { return special::yv(x[0], x[1]); }},
        {"hurwitz", [](const arguments<T>& x) { return special::zeta(x[0], x[1]); }},
        DENSE(norm, x[0], x[1], x[2]),
        DENSE(uniform, x[0], x[1], x[2]),
        DENSE(expon, x[0], x[1], x[2]),
        DENSE(lognorm, x[0], x[1], x[2], x[3]),
        DENSE(f, x[0], x[1], x[2], x[3], x[4]),
        DENSE(t, x[0], x[1], x[2], x[3]),
        DENSE(chi2, x[0], x[1], x[2], x[3]),
        DENSE(gamma, x[0], x[1], x[2], x[3]),
        DENSE(beta, x[0], x[1], x[2], x[3], x[4]),
        WHOLE(poisson, x[0], x[1], x[2]),
        WHOLE(binom, x[0], x[1], x[2], x[3])};
    return table;
}

/// A line of the golden file.
struct golden {
    std::string name;
    double units;
    bool has_zeros;
    std::vector<std::vector<double>> arguments;
    std::vector<double> values;
};

std::vector<golden> read_golden() {
    std::ifstream file(test_files::data_folder + "/golden/special.txt");
    REQUIRE(file);
    std::vector<golden> all;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        golden g;
        std::size_t arity = 0;
        std::string zeros;
        words >> g.name >> arity >> g.units >> zeros;
        g.has_zeros = zeros == "zeros";
        g.arguments.resize(arity);
        std::size_t at = 0;
        for (std::string word; words >> word; ++at) {
            const double v = std::strtod(word.c_str(), nullptr);
            if (at % (arity + 1) < arity) g.arguments[at % (arity + 1)].push_back(v);
            else g.values.push_back(v);
        }
        all.push_back(std::move(g));
    }
    return all;
}

/// The error in units of the type's last place: of the value times its logarithm, which is what an exponent's error
/// comes to, or of one where a function has zeros.
template <class T>
double error_of(const golden& g, double actual, double wanted) {
    if (std::isnan(wanted)) return std::isnan(actual) ? 0 : inf;
    const double rounded = static_cast<double>(static_cast<T>(wanted));
    if (std::isinf(rounded) || actual == rounded) return actual == rounded ? 0 : inf;
    const double least = static_cast<double>(std::numeric_limits<T>::min());
    const double magnitude = std::abs(wanted), exponent = std::max(1.0, std::abs(std::log(magnitude)));
    const double size = std::max(g.has_zeros ? std::max(1.0, magnitude) : magnitude * exponent, least);
    return std::abs(actual - wanted) / size / static_cast<double>(std::numeric_limits<T>::epsilon());
}

template <class T>
void check_against(const golden& g, const tested_backend& b) {
    arguments<T> x;
    for (const auto& a : g.arguments) x.push_back(astype<T>(asarray(a)));
    const std::vector<T> actual = to_vector(functions<T>().at(g.name)(x));
    double worst = 0;
    std::size_t where = 0;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const double e = error_of<T>(g, static_cast<double>(actual[i]), g.values[i]);
        if (!(e <= worst)) {
            worst = e;
            where = i;
        }
    }
    std::string at;
    for (const auto& a : g.arguments) at += std::to_string(a[where]) + " ";
    if (std::getenv("SINTER_TEST_ERRORS"))
        std::cout << b.name << (sizeof(T) == 4 ? " float32 " : " float64 ") << g.name << ' ' << worst << " at " << at
                  << ": " << static_cast<double>(actual[where]) << " for " << g.values[where] << '\n';
    INFO(g.name, " of ", at, ": ", static_cast<double>(actual[where]), " instead of ", g.values[where]);
    CHECK(worst <= (sizeof(T) == 4 ? 1.0 : g.units));
}

}  // namespace

TEST_CASE("special functions and distributions have mpmath's and SciPy's values in float64 and float32") {
    const std::vector<golden> all = read_golden();
    on_every_backend([&](const tested_backend& b) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            check_against<double>(all[i], b);
            // What float32 adds is a conversion, of which a GPU needs few examples.
            if (!b.is_cuda() || i % 8 == 0) check_against<float>(all[i], b);
        }
    });
}

TEST_CASE("special functions have values at the ends of what is computed, and come to an end") {
    on_every_backend([](const tested_backend&) {
        auto near = [](const array<double>& x, double wanted) { return std::abs(x.item() / wanted - 1) < 1e-11; };
        const array<double> one = ones({1});
        CHECK(near(stats::t::ppf(1e-10 * one, 2000), -6.3944607384073934));
        CHECK(near(stats::t::ppf(1e-300 * one, 1), -3.1830988618379067e299));
        CHECK(near(stats::t::ppf(1e-300 * one, 3), -1.0331108360446529e+100));
        CHECK(near(special::iv(1500 * one, 1000), 388.89959418735878));
        CHECK(near(special::kv(1500 * one, 1000), 7.131663138213896e-7));
        CHECK(near(special::iv(2000 * one, 1440), 2.4850334151409691e85));
        CHECK(near(special::iv(-1500 * one, -1000), 388.89959418735878));
        CHECK(near(special::rel_entr(1e-300 * one, 1e300), -1.3815510557964275e-297));
        CHECK(near(stats::poisson::ppf(0.5 * one, 1e17), 1e17));
        CHECK(near(stats::binom::ppf(0.5 * one, 1e17, 0.5), 5e16));
        CHECK(special::jn(1e6 * one, 1).item() == 0);
        CHECK(special::jv(1e6 * one, 1).item() == 0);
        CHECK(std::isinf(special::yv(1e6 * one, 1).item()));
        CHECK(near(special::jv(1e5 * one, 1e5), 0.009636944011337864));
        for (double order : {inf, 1e17, -1e9}) {
            CHECK(isnan(special::jn(order * one, 1e18)).item());
            CHECK(isnan(special::yn(order * one, 1e18)).item());
        }
        CHECK(isnan(special::polygamma(1, -3e9 * one - 0.5)).item());
    });
}

TEST_CASE("special functions broadcast, take numbers, keep the floating type of arrays and fuse") {
    on_every_backend([](const tested_backend& b) {
        const array<double> a{0.5, 2}, x{{1}, {3}};
        const array<double> y = special::gammainc(a, x);
        CHECK(y.shape() == dims(2, 2));
        CHECK(std::abs(y.item(1, 1) - 0.80085172652854419) < 1e-15);
        static_assert(std::same_as<value_type_t<decltype(special::gammainc(array<float>(), 2))>, float>);
        static_assert(std::same_as<value_type_t<decltype(special::gammainc(array<half>(), array<half>()))>, half>);
        static_assert(std::same_as<value_type_t<decltype(special::jn(array<int>(), array<float>()))>, double>);
        static_assert(std::same_as<decltype(special::iv(1, 2.0f)), double>);
        static_assert(std::same_as<decltype(special::kv(1.5f, 2.0f)), float>);
        CHECK(special::comb(5, array<int>{0, 2, 7}).item(1) == 10);
        CHECK(special::psi(1.0) == doctest::Approx(-0.57721566490153286));
        CHECK(special::gammaln(10.0) == doctest::Approx(12.801827480081469));
        CHECK(stats::norm::cdf(1.5) == stats::norm::cdf(1.5, 0));
        CHECK(stats::t::ppf(0.975, 5, 1) == doctest::Approx(1 + 2.5705818366147395));
        CHECK(stats::binom::cdf(3, 10, 0.5) == doctest::Approx(0.171875));
        CHECK(stats::norm::pdf(0.0) == doctest::Approx(0.3989422804014327));
        CHECK(stats::binom::pmf(3, 10, 0.5) == doctest::Approx(0.1171875));
        CHECK(stats::f::pdf(1.5, 2, 7, 0.5) == stats::f::pdf(1.0, 2, 7));
        CHECK_THROWS_AS(special::kv(zeros({2}), zeros({3})), shape_error);
        if (!b.compiles()) return;
        const array<double> z = linspace(0.1, 4, 1000).eval();
        reset_counters();
        (2 * special::gammainc(3, exp(z)) + special::ive(0.5, z) * stats::norm::sf(z)).eval();
        CHECK(counters().launches == 1);
        CHECK(counters().bytes_to_host == 0);
    });
}

TEST_CASE("densities far from the middle are small, not zero") {
    on_every_backend([](const tested_backend&) {
        auto near = [](const array<double>& d, double wanted) { return std::abs(d.item(0) / wanted - 1) < 1e-12; };
        const array<double> tiny{1e-250}, small{1e-200};
        CHECK(near(stats::gamma::pdf(tiny, 1.5), 1.1283791670955126e-125));
        CHECK(near(stats::gamma::pdf(small, 2.0), 1e-200));
        CHECK(near(stats::chi2::pdf(tiny, 3.0), 3.9894228040143268e-126));
        CHECK(near(stats::beta::pdf(tiny, 1.5, 2.0), 3.75e-125));
        CHECK(near(stats::f::pdf(tiny, 3.0, 4.0), 2.4356964481437337e-125));
        CHECK(near(stats::lognorm::pdf(small, 10.0), 1.2130856546630248e-262));
    });
}

TEST_CASE("shares and quantiles keep their digits where one parameter is large and an argument close to one") {
    on_every_backend([](const tested_backend&) {
        const array<double> z{-2.5, -2.5, -5, -5, -10}, df{1e5, 1e10, 1e7, 1e15, 1e12};
        const array<double> parts{0.0062104595962795227, 0.0062096653337186463, 2.8665640375042695e-7,
                                  2.8665157187924223e-7, 7.6198530435893876e-24};
        CHECK(allclose(stats::t::cdf(z, df), parts, {.rtol = 3e-14, .atol = 0}));
        CHECK(allclose(stats::t::sf(-z, df), parts, {.rtol = 3e-14, .atol = 0}));
        CHECK(allclose(stats::t::ppf(parts, df), z, {.rtol = 1e-14, .atol = 0}));
        CHECK(allclose(stats::t::ppf(array<double>{0.1, 0.975, 1e-20, 0.1}, array<double>{1e7, 1e5, 1e10, 1e300}),
                       array<double>{-1.2815516502030829, 1.9599877075346093, -9.2623401098955886, special::ndtri(0.1)},
                       {.rtol = 1e-14, .atol = 0}));
        CHECK(allclose(stats::t::cdf(array<double>{-2.5, 30}, 1e300), special::ndtr(array<double>{-2.5, 30}),
                       {.rtol = 0, .atol = 0}));
        const array<double> a{1e8, 1e10, 3e5, 2e4}, b{0.5, 3.25, 40, 0.01};
        const array<double> x = 1 - exp2(array<double>{-24, -30, -12, -10});
        CHECK(allclose(
            special::betainc(a, b, x),
            array<double>{0.00055506784882444392, 0.0068364539063082317, 8.3554780163262397e-6, 1.6507219456606116e-12},
            {.rtol = 1e-13, .atol = 0}));
        CHECK(allclose(special::betaincc(b, a, 1 - x), special::betainc(a, b, x), {.rtol = 1e-13, .atol = 0}));
    });
}

TEST_CASE("the incomplete beta function keeps its digits beside a tiny parameter, and has huge ones") {
    on_every_backend([](const tested_backend&) {
        const array<double> a{5.192341450580796e-12, 1, 0.5, 1}, b{0.027461240640344862, 1e200, 1e160, 1e300};
        const array<double> x{0.41552296873322103, 1e-200, 5e-161, 1e-300};
        const array<double> parts{0.99999999980929244, 0.63212055882855768, 0.68268949213708590, 0.63212055882855768};
        CHECK(allclose(special::betainc(a, b, x), parts, {.rtol = 1e-14, .atol = 0}));
        CHECK(allclose(special::betaincc(a, b, x), 1 - parts, {.rtol = 1e-6, .atol = 0}));
    });
}
