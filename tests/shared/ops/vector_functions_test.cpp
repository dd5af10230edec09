// Exponentials, logarithms, sines and cosines of arrays in which some elements are far from zero, which CPUs compute in
// another way than the others.
#include <sinter/tools/testing.hpp>

#include "support/backends.hpp"
#include "support/function_helpers.hpp"

#include <cmath>
#include <limits>
#include <vector>

using namespace sinter;
using namespace test_backends;
using namespace test_functions;

namespace {

// With branches, which keep them from becoming expressions.
SINTER_FUNCTION(
    called_exp, (double x)->double {
        double r = 1;
        for (int i = 0; i < 1; ++i) r = exp(x);
        return r;
    })
SINTER_FUNCTION(
    called_sin, (double x)->double {
        double r = 1;
        for (int i = 0; i < 1; ++i) r = sin(x);
        return r;
    })
SINTER_FUNCTION(
    called_cos, (double x)->double {
        double r = 1;
        for (int i = 0; i < 1; ++i) r = cos(x);
        return r;
    })

SINTER_FUNCTION(
    called_with_floats, (float x, int which)->float {
        float r = 1;
        for (int i = 0; i < 1; ++i) r = which == 0 ? sin(x) : which == 1 ? cos(x) : which == 2 ? erfc(x) : lgamma(x);
        return r;
    })

template <class T, class F>
void check_far_elements(F f, const std::vector<T>& far, std::int64_t n) {
    array<T> near = linspace<T>(T(0.25), T(9), n);
    near.eval();
    const std::vector<T> expected = to_vector(array<T>(f(near)));
    for (std::size_t k = 0; k < far.size(); ++k) {
        CAPTURE(far[k]);
        const std::int64_t place = n / 2 + static_cast<std::int64_t>(k) % (n - n / 2);
        array<T> x = near;
        x(place) = far[k];
        x.eval();
        std::vector<T> found = to_vector(array<T>(f(x)));
        // In place: what is computed a second time must not read what the first time wrote.
        array<T> changed = x;
        changed = f(changed);
        CHECK_NOTHROW(test::assert_array_equal(changed, array<T>(f(x))));
        // Beside arithmetic in the same loop, and where rows are reduced.
        array<T> beside = f(x * T(1)) + T(0);
        CHECK_NOTHROW(test::assert_array_equal(beside, changed));
        array<T> alone = x(slice(place, place + 1));
        const T single = static_cast<T>(f(alone).item());
        std::int64_t different = 0;
        for (std::int64_t i = 0; i < n; ++i)
            different += i != place && found[std::size_t(i)] != expected[std::size_t(i)];
        CHECK(different == 0);
        const T at = found[std::size_t(place)];
        CHECK((at == single || (std::isnan(at) && std::isnan(single))));
    }
}

template <class T>
std::vector<T> far_numbers() {
    using limits = std::numeric_limits<T>;
    const T large = sizeof(T) == 4 ? T(100) : T(740);
    return {limits::infinity(),
            -limits::infinity(),
            limits::quiet_NaN(),
            limits::max(),
            -limits::max(),
            T(0),
            T(-0.0),
            T(-1),
            limits::denorm_min(),
            large,
            -large};
}

}  // namespace

TEST_CASE(
    "an element far from zero has its own exponential, logarithm, sine and cosine, and its neighbours keep theirs") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t n : {1, 5, 127, 300}) {
            check_far_elements<float>([](const auto& x) { return exp(x); }, far_numbers<float>(), n);
            check_far_elements<float>([](const auto& x) { return log(x); }, far_numbers<float>(), n);
            check_far_elements<float>([](const auto& x) { return expit(x); }, far_numbers<float>(), n);
            check_far_elements<float>([](const auto& x) { return sin(x); }, far_numbers<float>(), n);
            check_far_elements<float>([](const auto& x) { return cos(x); }, far_numbers<float>(), n);
            check_far_elements<double>([](const auto& x) { return exp(x); }, far_numbers<double>(), n);
            check_far_elements<double>([](const auto& x) { return sin(x); }, far_numbers<double>(), n);
            check_far_elements<double>([](const auto& x) { return cos(x); }, far_numbers<double>(), n);
        }
    });
}

TEST_CASE("users' functions have the bits of the operations that they call, also of numbers far from zero") {
    on_every_backend([](const tested_backend& b) {
        array<double> x = linspace(-30, 30, 501);
        for (double far : far_numbers<double>()) {
            CAPTURE(far);
            x(7) = far;
            x(300) = 1e15;
            x.eval();
            CHECK_NOTHROW(test::assert_array_equal(array<double>(vectorize(called_exp)(x)), array<double>(exp(x))));
            CHECK_NOTHROW(test::assert_array_equal(array<double>(vectorize(called_sin)(x)), array<double>(sin(x))));
            CHECK_NOTHROW(test::assert_array_equal(array<double>(vectorize(called_cos)(x)), array<double>(cos(x))));
        }
        array<float> y = linspace<float>(-30, 30, 501);
        for (float far : far_numbers<float>()) {
            CAPTURE(far);
            y(7) = far;
            y(300) = 1e15f;
            y.eval();
            const array<float> wanted[] = {sin(y), cos(y), erfc(y), lgamma(y)};
            for (int which = 0; which < 4; ++which) {
                // That of a library of vectors has other bits, and which one is called depends on the loop.
                if (which == 2 && b.is_host()) continue;
                CHECK_NOTHROW(
                    test::assert_array_equal(array<float>(vectorize(called_with_floats)(y, which)), wanted[which]));
            }
        }
    });
}

TEST_CASE("regrouped sums of fast mathematics leave exponentials, logarithms, sines and cosines as they are on CPUs") {
    on_every_backend([](const tested_backend& b) {
        if (b.is_cuda()) return;
        array<double> d = linspace(-40, 40, 1001);
        array<float> x = linspace<float>(-86, 88.6f, 1001);
        eval(d, x);
        CHECK(double(max(abs(array<double>(fast_math(sin(d))) - array<double>(sin(d))))) < 1e-15);
        CHECK(double(max(abs(array<double>(fast_math(cos(d))) - array<double>(cos(d))))) < 1e-15);
        CHECK(float(max(abs(array<float>(fast_math(sin(x))) - array<float>(sin(x))))) < 1e-6f);
        CHECK(float(max(abs(array<float>(fast_math(cos(x))) - array<float>(cos(x))))) < 1e-6f);
        CHECK(double(max(abs(array<double>(fast_math(exp(d))) / array<double>(exp(d)) - 1.0))) < 1e-15);
        CHECK(float(max(abs(array<float>(fast_math(exp(x))) / array<float>(exp(x)) - 1.0f))) < 1e-6f);
        CHECK(float(max(abs(array<float>(fast_math(log(abs(x) + 1.0f))) - array<float>(log(abs(x) + 1.0f))))) < 1e-6f);
    });
}
