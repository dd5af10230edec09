// Users' scalar functions against plain calls of themselves: what their text may contain, and how arrays go in and out.
#include "support/backends.hpp"
#include "support/function_helpers.hpp"

#include <vector>

using namespace sinter;
using namespace test_backends;
using namespace test_functions;

#define TWICE(x) ((x) + (x))

namespace {

SINTER_FUNCTION(
    collatz, (std::int64_t n)->long {
        long steps = 0;
        for (; n > 1; ++steps) n = n % 2 ? 3 * n + 1 : n / 2;
        return steps;
    })

SINTER_FUNCTION(
    all_statements, (int x)->int {
        int table[4] = {7, -1, 3}, sum = 0;
        for (int i = 0; i < 10; ++i) {
            if (i == x) continue;
            if (i > 6) break;
            sum += table[i % 4];
        }
        do {
            --x;
        } while (x > 3);
        switch (x) {
            case 0: sum += 100; break;
            case 1:
            case 2: sum += 200; break;
            default: sum -= 1;
        }
        auto square = [&](int v) {
            int w = v;
            return w * w;
        };
        return x > 0 ? square(sum) : x < -2 ? sum : -sum;
    })

// A comment, with "quotes" and a { brace.
SINTER_FUNCTION(
    literals, (int x)->int {
        const char* text = "}; // no comment \" ( {";  // but this one is
        char c = '\'', d = '"', e = '{';
        /* also { this */
        return TWICE(x) + text[x % 4] + c + d - e + 1'000 + 0x1F + int(1.5e+1);
    })

SINTER_FUNCTION(
    mathematics, (float x, int n)->float {
        return exp(-x * x) + sqrt(2) * float(n) + abs(-x) + std::sin(x) + gamma(x + 1) + expit(x) + pow(x, 2) +
               hypot(x, n) + arcsin(x / 4) + std::min(x, 1.0f) + maximum(x, n) + clip(x, 0, 1) + fmod(x, 2) + sqrtf(x) +
               where(x > 1, n, x) + std::fma(x, x, x) + floor(x) + float(2 * pi);
    })

SINTER_FUNCTION(
    floats_stay_floats, (float x)->bool {
        return std::is_same_v<decltype(exp(x)), float> && std::is_same_v<decltype(pow(x, 2)), float> && x == x;
    })

SINTER_FUNCTION(
    shadows, (float exp, float scale)->float {
        float sqrt = exp + scale, gamma = 2, t = sqrt;
        return t * gamma;
    })

SINTER_STRUCT(two_floats, { float a, b; })
SINTER_FUNCTION(
    with_constants, (float x)->float {
        const two_floats pair = {x, 2 * x};
        const two_floats& same = pair;
        return same.a * pair.b;
    })

SINTER_FUNCTION(factorial, (int n)->int { return n < 2 ? 1 : n * factorial(n - 1); })

SINTER_FUNCTION(
    across,
    (float x)->float { return test_functions::scaled(x) + test_functions::inner::shifted(2) * test_functions::scale; })

SINTER_FUNCTION(
    across_by_short_names, (float x)->float {
        using namespace test_functions;
        namespace within = test_functions::inner;
        using within::offset, std::max;
        return scaled(x) + max(within::shifted(2), offset) * scale;
    })

SINTER_FUNCTION(
    local_functions, (float x, int n)->float {
        struct pair {
            float first, second;
            float sum() const { return first + second; }
        };
        auto square = [](auto v) { return v * v; };
        auto product = [](auto self, int k) -> int { return k < 2 ? 1 : k * self(self, k - 1); };
        return pair{square(x), static_cast<float>(square(n))}.sum() + product(product, n);
    })

SINTER_FUNCTION(
    limits, (float x)->float {
        if (x < 0) return NAN;
        if (x == 0) return std::numeric_limits<float>::infinity();
        if (x == 1) return -INFINITY;
        return x < 3 ? std::numeric_limits<float>::max() : std::numeric_limits<float>::epsilon();
    })

SINTER_FUNCTION(
    moebius, (std::complex<float> z, float r)->std::complex<float> {
        std::complex<float> w = (z * 2.0f + r) / (z - std::complex<float>(3, 1));
        w += z;
        if (w.real() > 100) w = {0, 0};
        return conj(w) * exp(z / 4.0f) + abs(w) + std::norm(z) - 1.0f;
    })

SINTER_FUNCTION(
    elements_in_braces, (float x)->std::tuple<float, std::complex<float>, bool> { return {x, {x, 1}, x > 0}; })

SINTER_FUNCTION(
    narrow, (std::int8_t a, std::uint8_t b, short c, unsigned short d, unsigned e, unsigned long f)->long {
        return a - b + c * 2L - d + long(e) + static_cast<long>(f % 1000);
    })

SINTER_FUNCTION(negated, (bool a)->bool { return !a; })

}  // namespace
TEST_CASE("a scalar function is an ordinary function") {
    CHECK(escape_time(0.1f, 0.2f, 9) == 9);
    CHECK(factorial(5) == 120);
    CHECK(test_functions::inner::shifted(4) == 7);
    CHECK(std::get<0>(polar_distance(1, 0)) == 5);
    CHECK(square_of(3) == 9);
    CHECK(square_of(1.5) == 2.25);
}

TEST_CASE("loops and branches of a function run for each element") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t n : {0, 1, 2, 31, 33, 1023, 4097}) {
            array<float> re = linspace<float>(-2, 1, n), im = linspace<float>(-1, 1, n);
            std::vector<float> r = values(re), i = values(im);
            std::vector<int> result = to_vector(vectorize(escape_time)(re, im, 100));
            REQUIRE(result.size() == static_cast<std::size_t>(n));
            int wrong = 0;
            for (std::size_t k = 0; k < result.size(); ++k) wrong += result[k] != escape_time(r[k], i[k], 100);
            CHECK(wrong == 0);
        }
    });
}

TEST_CASE("every statement of the language means in kernels what it means outside") {
    on_every_backend([](const tested_backend&) {
        array<int> x = arange(-5, 12).astype<int>();
        std::vector<int> in = to_vector(x), a = to_vector(vectorize(all_statements)(x)),
                         b = to_vector(vectorize(literals)(x + 5)), c = to_vector(vectorize(factorial)(x));
        std::vector<std::int64_t> d = to_vector(vectorize(collatz)(x + 20));
        array<float> halves = astype<float>(x) / 2;
        CHECK(bool(all(vectorize(with_constants)(halves) == 2 * halves * halves)));
        for (std::size_t k = 0; k < in.size(); ++k) {
            CHECK(a[k] == all_statements(in[k]));
            CHECK(b[k] == literals(in[k] + 5));
            CHECK(c[k] == factorial(in[k]));
            CHECK(d[k] == collatz(in[k] + 20));
        }
    });
}

TEST_CASE("names of mathematics mean sinter's scalar functions, and float stays float") {
    CHECK(floats_stay_floats(1));
    on_every_backend([](const tested_backend&) {
        array<float> x = floats(33);
        std::vector<float> in = values(x), out = to_vector(vectorize(mathematics)(x, 2)),
                           shadowed = to_vector(vectorize(shadows)(x, x + 1));
        for (std::size_t k = 0; k < in.size(); ++k) {
            CHECK(out[k] == doctest::Approx(mathematics(in[k], 2)).epsilon(1e-6));
            CHECK(shadowed[k] == shadows(in[k], in[k] + 1));
        }
        CHECK(std::isnan(double(vectorize(mathematics)(array<float>{7}, 2)(0))));
    });
}

TEST_CASE("functions call functions and read constants of other namespaces and headers") {
    on_every_backend([](const tested_backend&) {
        array<float> x = floats(9);
        std::vector<float> in = values(x), out = to_vector(vectorize(across)(x)),
                           shortly = to_vector(vectorize(across_by_short_names)(x));
        for (std::size_t k = 0; k < in.size(); ++k) {
            CHECK(out[k] == across(in[k]));
            CHECK(shortly[k] == across_by_short_names(in[k]));
        }
    });
}

TEST_CASE("functions may have generic lambdas and structures of their own") {
    on_every_backend([](const tested_backend&) {
        array<float> x = floats(9);
        std::vector<float> in = values(x), out = to_vector(vectorize(local_functions)(x, 4));
        for (std::size_t k = 0; k < in.size(); ++k) CHECK(out[k] == local_functions(in[k], 4));
    });
}

TEST_CASE("NaN and infinity pass through functions") {
    on_every_backend([](const tested_backend&) {
        std::vector<float> out = to_vector(vectorize(limits)(array<float>{-1, 0, 1, 2, 3}));
        CHECK(std::isnan(out[0]));
        CHECK(out[1] == INFINITY);
        CHECK(out[2] == -INFINITY);
        CHECK(out[3] == std::numeric_limits<float>::max());
        CHECK(out[4] == std::numeric_limits<float>::epsilon());
    });
}

TEST_CASE("a function that returns a tuple, a pair or a structure gives a tuple of arrays") {
    on_every_backend([](const tested_backend&) {
        array<float> x = floats(35), y = x * 0.5f + 1;
        auto [d, e] = vectorize(polar_distance)(x, y);
        auto [p, v, n] = vectorize(step)(x, y);
        auto [q, r] = vectorize(divided)(arange(-7, 7), 3);
        static_assert(std::same_as<decltype(n), array<int>> && std::same_as<decltype(r), array<bool>>);
        std::vector<float> xs = values(x), ys = values(y), ds = values(d), es = values(e), ps = values(p),
                           vs = values(v);
        for (std::size_t k = 0; k < xs.size(); ++k) {
            auto [a, b] = polar_distance(xs[k], ys[k]);
            test_functions::state s = step(xs[k], ys[k]);
            CHECK(ds[k] == doctest::Approx(a).epsilon(1e-5));
            CHECK(es[k] == doctest::Approx(b).epsilon(1e-5));
            CHECK(ps[k] == s.position);
            CHECK(vs[k] == s.velocity);
        }
        CHECK(bool(all(n == 3)));
        CHECK(to_vector(q) == std::vector<std::int64_t>{-2, -2, -1, -1, -1, 0, 0, 0, 0, 0, 1, 1, 1, 2});
        CHECK(int(sum(r)) == 9);
    });
}

TEST_CASE("complex numbers, bool and integers of every width go in and out") {
    on_every_backend([](const tested_backend&) {
        array<float> t = floats(11);
        array<std::complex<float>> z = astype<std::complex<float>>(t) * std::complex<float>(1, -0.5f);
        std::vector<std::complex<float>> in = to_vector(z), out = to_vector(vectorize(moebius)(z, t));
        std::vector<float> r = values(t);
        for (std::size_t k = 0; k < in.size(); ++k) {
            std::complex<float> w = moebius(in[k], r[k]);
            CHECK(std::abs(out[k] - w) <= 1e-5f * (1 + std::abs(w)));
        }
        array<int> i = arange(-4, 5).astype<int>();
        auto wide =
            vectorize(narrow)(astype<std::int8_t>(i), astype<std::uint8_t>(i + 5), astype<std::int16_t>(i * 1000),
                              astype<std::uint16_t>(i + 9), astype<std::uint32_t>(i + 8), astype<std::uint64_t>(i + 4));
        std::vector<int> is = to_vector(i);
        std::vector<std::int64_t> ws = to_vector(wide);
        for (std::size_t k = 0; k < is.size(); ++k)
            CHECK(ws[k] == narrow(static_cast<std::int8_t>(is[k]), static_cast<std::uint8_t>(is[k] + 5),
                                  static_cast<short>(is[k] * 1000), static_cast<unsigned short>(is[k] + 9),
                                  static_cast<unsigned>(is[k] + 8), static_cast<unsigned long>(is[k] + 4)));
        CHECK(to_vector(vectorize(negated)(i > 0)) == to_vector(i <= 0));
        auto [real_part, number, is_positive] = vectorize(elements_in_braces)(t - 1);
        CHECK(
            bool(all(number == real_part + std::complex<float>(0, 1) && real_part == t - 1 && is_positive == (t > 1))));
    });
}

namespace other {
SINTER_CONSTANT(int, twin, 1)
SINTER_FUNCTION(same_text, (int x)->int { return x + twin; })
}  // namespace other
namespace another {
SINTER_CONSTANT(int, twin, 2)
SINTER_FUNCTION(same_text, (int x)->int { return x + twin; })
namespace nearer {
SINTER_CONSTANT(int, twin, 3)
SINTER_FUNCTION(innermost, (int x)->int { return x + twin + ::other::twin * 10 + other::same_text(x) * 100; })
}  // namespace nearer
}  // namespace another

int plain(int x) { return x; }
SINTER_FUNCTION(calls_a_plain_function, (int x)->int { return plain(x); })
int number_of_the_program = 3;
SINTER_FUNCTION(has_a_parameter, (int number_of_the_program)->int { return number_of_the_program; })
SINTER_FUNCTION(uses_a_variable, (int x)->int { return x + number_of_the_program; })
constexpr int line_of_the_variable = __LINE__ - 1;
SINTER_FUNCTION(uses_a_vector, (int x)->int { return std::vector<int>(3, x)[0]; })

namespace one {
SINTER_FUNCTION(ambiguous, (int x)->int { return x; })
}  // namespace one
namespace two {
SINTER_FUNCTION(ambiguous, (int x)->int { return -x; })
}  // namespace two
namespace shortcut = two;
SINTER_FUNCTION(says_which, (int x)->int { return two::ambiguous(x); })
using namespace one;
SINTER_FUNCTION(does_not_say_which, (int x)->int { return ambiguous(x); })

TEST_CASE("equal names in several namespaces mean what C++ takes them to mean") {
    on_every_backend([](const tested_backend&) {
        array<int> x{5};
        array<int> a = vectorize(other::same_text)(x) * 100 + vectorize(another::same_text)(x);
        CHECK(int(a(0)) == 607);
        CHECK(int(vectorize(another::nearer::innermost)(x)(0)) == another::nearer::innermost(5));
        CHECK(int(vectorize(says_which)(x)(0)) == -5);
    });
}

TEST_CASE("what kernels do not have is named where the function is used") {
    on_every_backend([](const tested_backend&) {
        array<int> x{5};
        CHECK_THROWS_WITH_AS(
            vectorize(calls_a_plain_function)(x),
            "[calls_a_plain_function] calls plain, which is neither a SINTER_FUNCTION nor a function of sinter",
            type_error);
        CHECK_THROWS_WITH_AS(vectorize(uses_a_vector)(x), "[uses_a_vector] kernels do not have std::vector",
                             type_error);
        CHECK_THROWS_WITH_AS(vectorize(does_not_say_which)(x),
                             "[does_not_say_which] ambiguous could be any of: one::ambiguous, two::ambiguous",
                             type_error);
    });
}

TEST_CASE("a variable of the program in a function is named with the function and its line") {
    on_compiling_backends([](const tested_backend&) {
        array<int> x{5};
        const std::string wanted = "function_test.cpp:" + std::to_string(line_of_the_variable) +
                                   ": kernels know no 'number_of_the_program': pass it as an argument";
        try {
            array<int>(vectorize(uses_a_variable)(x)).eval();
            FAIL("it was computed");
        } catch (const compile_error& e) {
            const std::string_view what = e.what();
            CHECK(what.starts_with("[uses_a_variable] "));
            CHECK(what.find(wanted) < what.find('\n'));
        }
    });
}
