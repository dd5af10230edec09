// Expressions that fast, inexact functions compute, beside exact ones on every backend.
#include <cmath>
#include <sinter/sinter.hpp>
#include <string>

#include "support/backends.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

array<float> numbers(std::int64_t n) {
    array<float> x = linspace<float>(-3, 3, n);
    x.eval();
    return x;
}

auto formula(const array<float>& x) { return x * 1.37f * (x * x + 0.1f) + x / (x * x + 1.3f) - sqrt(abs(x)); }

}  // namespace

TEST_CASE("fast_math is within rounding of the exact value, and the interpreter's is the exact value") {
    on_every_backend([](const tested_backend& b) {
        for (std::int64_t n : {0, 1, 7, 10007, 100003}) {
            const array<float> x = numbers(n), fast = fast_math(formula(x)), exact = formula(x);
            CHECK(fast.shape() == exact.shape());
            CHECK(allclose(fast, exact, 1e-5, 1e-5));
            if (b.is_interpreter()) CHECK(array_equal(fast, exact));
            CHECK(allclose(fast_math(exp(x) / (1 + exp(x))), exp(x) / (1 + exp(x)), 1e-5));
        }
        const array<double> d = linspace<double>(0, 2, 1009);
        CHECK(allclose(fast_math(log1p(d) * sin(d) / 3.0), log1p(d) * sin(d) / 3.0, 1e-12));
        const array<std::complex<float>> z = astype<std::complex<float>>(numbers(101)) * std::complex<float>(1, 2);
        CHECK(allclose(fast_math(z * z + z), z * z + z, 1e-5, 1e-5));
        CHECK(array_equal(fast_math(arange(7) * 3 / 2), arange(7) * 3 / 2));
    });
}

TEST_CASE("NaN and infinities stay in fast_math") {
    on_every_backend([](const tested_backend&) {
        const float nan = std::nanf(""), infinity = static_cast<float>(inf);
        const array<float> x{nan, infinity, -infinity, 0, 1};
        CHECK(array_equal(isnan(fast_math(x * 2 + 1)), array<bool>{true, false, false, false, false}));
        CHECK(array_equal(fast_math(where(isnan(x), 7.0f, x)), array<float>{7, infinity, -infinity, 0, 1}));
        CHECK(array_equal(isinf(fast_math(1 / x)), array<bool>{false, false, false, true, false}));
        CHECK(std::isnan(float(max(fast_math(x + 1)))));
    });
}

TEST_CASE("exact arithmetic keeps its bits beside fast_math, with which it shares no kernel") {
    on_every_backend([](const tested_backend& b) {
        const array<float> x = numbers(100003), alone = formula(x);
        alone.eval();
        const array<float> exact = formula(x), fast = fast_math(formula(x)), both = fast - exact;
        eval(exact, fast, both);
        CHECK(array_equal(exact, alone));
        CHECK(array_equal(both, fast - exact));
        // What goes into fast_math is computed exactly, and so is what comes out of it.
        const array<float> inner = formula(x) * 3, outer = fast_math(inner + 1) * 1.37f + x;
        const array<float> stored = fast_math(array<float>(formula(x) * 3).eval() + 1);
        stored.eval();
        CHECK(array_equal(outer, stored * 1.37f + x));
        if (!b.compiles()) return;
        const auto says = [](const std::string& text, const char* what) { return text.find(what) != text.npos; };
        const explanation of_fast = explain(fast_math(formula(x))), of_exact = explain(formula(x));
        CHECK(of_fast.kernels() == 1);
        CHECK(says(of_fast.schedule(), "fast math"));
        CHECK(!says(of_exact.schedule(), "fast math"));
        CHECK(of_fast.source() != of_exact.source());
        const explanation of_sum = explain(sum(fast_math(formula(x)) * 2));
        CHECK(of_sum.kernels() == 2);
        CHECK(says(of_sum.text(), "what fast_math computes shares no kernel with exact arithmetic"));
    });
}

TEST_CASE("fast_math of an array is the array, and of a reduction what that gives") {
    on_every_backend([](const tested_backend&) {
        const array<float> x = numbers(1009);
        CHECK(array_equal(fast_math(x), x));
        CHECK(float(fast_math(sum(x * x))) == float(sum(x * x)));
        array<float> m = reshape(numbers(12), {3, 4});
        CHECK(allclose(fast_math(m.T() * 2 + m.T()), m.T() * 3, 1e-6));
        m(slice(1, none)) = fast_math(m(slice(1, none)) * 2 + 1);
        CHECK(m.item(0, 0) == -3);
    });
}

TEST_CASE("fast_math shares no kernel with exact arithmetic behind views and products either") {
    on_every_backend([](const tested_backend& b) {
        const array<float> x = reshape(numbers(256 * 256), {256, 256}).eval(), alone = formula(x);
        alone.eval();
        const array<float> turned = fast_math(x * 1.37f + x / 3.1f).T(), exact = formula(x);
        eval(turned, exact);
        CHECK(array_equal(exact, alone));
        CHECK(allclose(turned, (x * 1.37f + x / 3.1f).T(), 1e-5));
        if (!b.compiles()) return;
        const auto is_fast = [](const auto& e) { return explain(e).schedule().find("fast math") != std::string::npos; };
        CHECK(is_fast(fast_math(exp(matmul(x, x) * 1e-6f) / 3.0f)));
        CHECK(!is_fast(exp(matmul(x, x) * 1e-6f) / 3.0f));
    });
}
