// The functions of scalar_random.def against the C library's of the next wider type: their errors, and that those with
// fewer steps have the bits of the others.
#include <doctest/doctest.h>

#include <sinter/codegen/ops/scalar.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

using namespace sinter::codegen;

namespace {

/// Distance from the exact result in units in its last place, subnormal ones included.
template <class T, class Wider>
double ulps(T got, Wider exact) {
    constexpr int digits = sizeof(T) == 4 ? 24 : 53, least = sizeof(T) == 4 ? -126 : -1022;
    if (exact == 0) return got == 0 ? 0 : 1e9;
    const int exponent = std::max(std::ilogb(exact), least);
    return static_cast<double>(std::ldexp(std::fabs(static_cast<Wider>(got) - exact), digits - 1 - exponent));
}

/// Numbers of all sizes in whole steps of their bits.
template <class T, class Word>
std::vector<T> numbers_of_all_sizes(Word step) {
    std::vector<T> all;
    for (Word w = 0; w <= Word(-1) - step; w += step) {
        T x;
        std::memcpy(&x, &w, sizeof x);
        if (std::isfinite(x)) all.push_back(x);
    }
    return all;
}

template <class T>
bool same_bits(T a, T b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

/// The largest error of `near` where `is_near` holds, whose bits must be those of `vector`.
template <class T, class Exact, class Near, class IsNear, class Vector>
double largest_error(const std::vector<T>& at, Exact exact, Near near, IsNear is_near, Vector vector) {
    double most = 0;
    std::size_t different = 0, met = 0;
    for (T x : at) {
        if (!is_near(x)) continue;
        ++met;
        different += !same_bits(near(x), vector(x));
        most = std::max(most, ulps(near(x), exact(x)));
    }
    CHECK(met > at.size() / 4);
    CHECK(different == 0);
    return most;
}

}  // namespace

TEST_CASE("exponentials near zero have the bits of those of all numbers and at most 1.1 units of error") {
    auto at = numbers_of_all_sizes<float, std::uint32_t>(4093);
    CHECK(largest_error(
              at, [](float x) { return std::exp(static_cast<double>(x)); }, [](float x) { return scalar::near_exp(x); },
              [](float x) { return scalar::is_near_exp(x); }, [](float x) { return scalar::vector_exp(x); }) < 1.1);
    auto doubles = numbers_of_all_sizes<double, std::uint64_t>(0x3f1234567891ull);
    for (int i = -70000; i <= 70000; ++i) doubles.push_back(i * 0.01001);
    CHECK(largest_error(
              doubles, [](double x) { return std::exp(static_cast<long double>(x)); },
              [](double x) { return scalar::near_exp(x); }, [](double x) { return scalar::is_near_exp(x); },
              [](double x) { return scalar::vector_exp(x); }) < 1.1);
}

TEST_CASE("exponentials of numbers far from zero are infinite, subnormal, zero or no numbers as C's are") {
    for (double x : {709.0, 709.7, 709.79, 745.0, 746.0, 1e300, double(INFINITY), 708.5})
        for (double y : {x, -x}) {
            CAPTURE(y);
            const auto got = scalar::vector_exp(y);
            const double exact = std::exp(y);
            if (std::isinf(exact)) CHECK(got == exact);
            else CHECK(ulps(got, std::exp(static_cast<long double>(y))) < 1.6);
        }
    for (float x : {87.5f, 88.7f, 88.73f, 103.0f, 104.5f, 1e30f, INFINITY})
        for (float y : {x, -x}) {
            CAPTURE(y);
            const float got = scalar::vector_exp(y), exact = std::exp(y);
            if (std::isinf(exact)) CHECK(got == exact);
            else CHECK(ulps(got, std::exp(static_cast<double>(y))) < 1.6);
        }
    CHECK(std::isnan(scalar::vector_exp(std::nan(""))));
    CHECK(std::isnan(scalar::vector_exp(std::nanf(""))));
}

TEST_CASE("logarithms of normal numbers have the bits of those of all numbers and less than a unit of error") {
    auto at = numbers_of_all_sizes<float, std::uint32_t>(4093);
    for (int i = 1; i < 4000; ++i) at.push_back(static_cast<float>(i) * 0.001f);
    CHECK(largest_error(
              at, [](float x) { return std::log(static_cast<double>(x)); }, [](float x) { return scalar::near_log(x); },
              [](float x) { return scalar::is_near_log(x); }, [](float x) { return scalar::vector_log(x); }) < 1);
    CHECK(scalar::vector_log(0.0f) == -INFINITY);
    CHECK(scalar::vector_log(-0.0f) == -INFINITY);
    CHECK(scalar::vector_log(INFINITY) == INFINITY);
    CHECK(std::isnan(scalar::vector_log(-1.0f)));
    CHECK(std::isnan(scalar::vector_log(std::nanf(""))));
    CHECK(ulps(scalar::vector_log(1e-42f), std::log(static_cast<double>(1e-42f))) < 1);
}

namespace {

/// Of numbers of all sizes and beside multiples of pi / 2 the sines and cosines, which no program has larger than one.
template <class T, class Wider>
void check_sines_and_cosines(std::vector<T> at, const std::vector<Wider>& multiples) {
    for (Wider k : multiples) {
        // A sine or a cosine is smallest there and the other is largest.
        const T close = static_cast<T>(k * Wider(1.5707963267948966192313L));
        for (T x : {close, std::nextafter(close, T(1e9)), std::nextafter(close, T(-1e9))}) at.push_back(x);
    }
    CHECK(largest_error(
              at, [](T x) { return std::sin(static_cast<Wider>(x)); }, [](T x) { return scalar::near_sin(x); },
              [](T x) { return scalar::is_near_sin(x); }, [](T x) { return scalar::vector_sin(x); }) < 2);
    CHECK(largest_error(
              at, [](T x) { return std::cos(static_cast<Wider>(x)); }, [](T x) { return scalar::near_cos(x); },
              [](T x) { return scalar::is_near_cos(x); }, [](T x) { return scalar::vector_cos(x); }) < 2);
    std::size_t beyond = 0;
    for (T x : at)
        if (scalar::is_near_sin(x))
            beyond += !(std::fabs(scalar::near_sin(x)) <= 1 && std::fabs(scalar::near_cos(x)) <= 1);
    CHECK(beyond == 0);
    CHECK(std::signbit(scalar::near_sin(-T(0))));
    CHECK(!std::signbit(scalar::near_sin(T(0))));
    const T least = std::numeric_limits<T>::denorm_min();
    CHECK(scalar::near_sin(least) == least);
    CHECK(scalar::near_cos(T(0)) == 1);
    CHECK(scalar::vector_sin(T(1e30)) == std::sin(T(1e30)));
    CHECK(std::isnan(scalar::vector_cos(std::numeric_limits<T>::infinity())));
}

}  // namespace

TEST_CASE("sines and cosines have less than two units of error also beside their zeros, and are at most one") {
    std::vector<double> at = numbers_of_all_sizes<double, std::uint64_t>(0x3f1234567891ull);
    std::vector<long double> multiples;
    for (int i = -60000; i <= 60000; ++i) {
        at.push_back(i * 0.0101);
        multiples.push_back(i);
        at.push_back(static_cast<double>(i * 18000000.0L * 1.5707963267948966192313L));
    }
    at.push_back(6381956970095103.0 * 0x1p-13);  // 2^39.6 that lies next to a multiple of pi / 2
    check_sines_and_cosines<double, long double>(at, multiples);

    std::vector<float> floats = numbers_of_all_sizes<float, std::uint32_t>(4093);
    for (int i = -130000; i <= 130000; ++i) floats.push_back(static_cast<float>(i) * 1.0071f);
    check_sines_and_cosines<float, double>(floats, std::vector<double>(multiples.begin(), multiples.end()));
}

TEST_CASE(
    "the logarithm of the gamma function has no large error beside its zeros, and a float's little more than one") {
    double most = 0, most_left = 0, most_double = 0;
    for (int i = 1; i < 40000; ++i) {
        const float x = static_cast<float>(i) * 0.00123f, y = std::nextafter(static_cast<float>(i % 60), 100.0f);
        for (float right : {x, y, x * x * x})
            most = std::max(most, ulps(scalar::log_gamma(right), std::lgamma(static_cast<long double>(right))));
        for (float left : {-x, -y}) {
            if (left == std::rint(left)) continue;
            // Units of one at the least: near a zero the result is a difference.
            const long double exact = std::lgamma(static_cast<long double>(left));
            const double far = ulps(scalar::log_gamma(left), exact),
                         size = std::fmin(1, std::fabs(static_cast<double>(exact)));
            most_left = std::max(most_left, far * std::exp2(std::ilogb(size)));
            const double wide = left, error = static_cast<double>(std::fabs(scalar::log_gamma(wide) - exact));
            most_double = std::max(most_double, error / std::fmax(1, std::fabs(static_cast<double>(exact))));
        }
    }
    CHECK(most < 3);
    CHECK(most_left < 1);
    CHECK(most_double < 4 * std::numeric_limits<double>::epsilon());
    for (float pole : {0.0f, -0.0f, -1.0f, -24.0f, -1e30f, -INFINITY, INFINITY, 3e38f}) {
        CAPTURE(pole);
        CHECK(scalar::log_gamma(pole) == INFINITY);
        CHECK((scalar::log_gamma(static_cast<double>(pole)) == INFINITY) == (pole < 1e38f || std::isinf(pole)));
    }
    for (float zero : {1.0f, 2.0f}) CHECK(same_bits(scalar::log_gamma(zero), 0.0f));
    CHECK(std::isnan(scalar::log_gamma(std::nanf(""))));
}

TEST_CASE("beta of negative numbers has at most four units of error, also where its arguments' sum is rounded") {
    double most = 0;
    int count = 0;
    for (int i = 1; i < 20000; ++i) {
        const double x = std::fmod(i * 0.754877666246693, 30.0) * (i % 3 ? 1 : -1),
                     y = -std::fmod(i * 3.569840290998053, 40.0);
        const long double c = static_cast<long double>(x) + y;
        auto sign = [](long double z) { return z > 0 || std::fmod(std::floor(z), 2.0L) == 0 ? 1.0L : -1.0L; };
        auto gamma = [&](long double z) { return sign(z) * std::exp(std::lgamma(z)); };
        const long double exact = gamma(x) * gamma(y) / gamma(c);
        if (!std::isfinite(exact) || std::fabs(exact) < 1e-250L) continue;
        most = std::max(most, ulps(scalar::beta(x, y), exact));
        ++count;
    }
    CHECK(count > 15000);
    CHECK(most < 4);
}
