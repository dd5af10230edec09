// What is done with users' scalar functions: broadcasting, sharing kernels, signatures, host ranges, rows and
// reductions.
#include "support/backends.hpp"
#include "support/function_helpers.hpp"

#include <vector>

using namespace sinter;
using namespace test_backends;
using namespace test_functions;

namespace {

SINTER_FUNCTION(
    gaussian_pdf, (float x, float mean, float sigma)->float {
        float z = (x - mean) / sigma;
        return exp(-0.5f * z * z) / (sigma * 2.5066283f);
    })

SINTER_FUNCTION(polynomial, (float x, float y)->float { return (x * 3 + y) * x - y / 2; })

// Matrices [[a, b], [0, 1]] as numbers a·2^16 + b: associative, not commutative.
SINTER_FUNCTION(
    composed, (std::uint32_t f, std::uint32_t g)->std::uint32_t {
        std::uint32_t a = f >> 16, b = f & 0xFFFF, c = g >> 16, d = g & 0xFFFF;
        return (a * c & 0xFFFF) << 16 | ((a * d + b) & 0xFFFF);
    })

}  // namespace

TEST_CASE("arguments broadcast, convert as in assignments, and numbers are run-time scalars") {
    on_every_backend([](const tested_backend& b) {
        array<float> x = floats(5), y = floats(3);
        array<float> p = vectorize(polynomial)(x(all, newaxis), y * 2);
        CHECK(p.shape() == dims{5, 3});
        CHECK(bool(all(p == (x(all, newaxis) * 3.0f + y * 2) * x(all, newaxis) - y * 2 / 2)));
        array<double> d = linspace(0, 1, 5);
        CHECK(bool(all(vectorize(polynomial)(d, 2) == vectorize(polynomial)(astype<float>(d), 2.0f))));
        CHECK(vectorize(polynomial)(1, 2.0) == polynomial(1, 2));
        CHECK_THROWS_WITH_AS(vectorize(polynomial)(x, y),
                             doctest::Contains("[polynomial] shapes do not broadcast: (5,) and (3,)"), shape_error);
        if (!b.compiles()) return;
        for (int i = 0; i < 3; ++i) vectorize(polynomial)(x, i).eval();
        auto before = counters();
        for (int i = 3; i < 9; ++i) vectorize(polynomial)(x, i).eval();
        CHECK(counters().kernels_compiled == before.kernels_compiled);
    });
}

TEST_CASE("a function shares its kernel with what computes its arguments and what uses its results") {
    on_compiling_backends([](const tested_backend&) {
        array<float> x = floats(4097);
        x.eval();
        array<float> fused = vectorize(polynomial)(x * 2 + 1, sqrt(x)) * 3 - x;
        CHECK(explain(fused).kernels() == 1);
        CHECK(explain(fused).bytes_read() == 4 * 4097);
        array<float> written = ((x * 2 + 1) * 3.0f + sqrt(x)) * (x * 2 + 1) - sqrt(x) / 2;
        written = written * 3 - x;
        CHECK(bool(all(fused == written)));
        array<float> total = sum(vectorize(polynomial)(x, x));
        CHECK(explain(total).kernels() == 1);
        auto [d, e] = vectorize(polar_distance)(x, x + 1);
        array<float> both = d + e;
        CHECK(explain(both).kernels() == 1);
        std::string source = explain(both).source();
        CHECK(source.find("functions::polar_distance(") == source.rfind("functions::polar_distance("));
        CHECK(explain(d, e).kernels() == 1);
        array<float> turned = vectorize(polynomial)(x, x)(slice(none, none, -1));
        CHECK(explain(turned).kernels() == 1);
        CHECK(float(turned(0)) == float(vectorize(polynomial)(x, x)(-1)));
    });
}

TEST_CASE("an expensive function runs once for all that needs it") {
    on_compiling_backends([](const tested_backend&) {
        array<float> x = floats(1000);
        x.eval();
        array<int> n = vectorize(escape_time)(x, x, 50);
        array<int> more = n + 1;
        more.eval();
        auto before = counters();
        n.eval();
        CHECK(counters().launches == before.launches);
        auto [p, v, steps] = vectorize(step)(x, x);
        p.eval();
        before = counters();
        v.eval();
        steps.eval();
        CHECK(counters().launches == before.launches);
    });
}

TEST_CASE("signatures fix types, and several make a set of which the first that fits counts") {
    on_every_backend([](const tested_backend&) {
        array<int> i{1, 2, 300};
        array<float> f{0.5f, 1.5f};
        auto squares = vectorize<long(long), double(double)>(square_of);
        static_assert(std::same_as<decltype(squares(i)), array<std::int64_t>> &&
                      std::same_as<decltype(squares(f)), array<double>>);
        CHECK(to_vector(squares(i)) == std::vector<std::int64_t>{1, 4, 90000});
        CHECK(to_vector(squares(f)) == std::vector<double>{0.25, 2.25});
        CHECK(to_vector(vectorize(square_of)(f)) == std::vector<float>{0.25f, 2.25f});
        CHECK(to_vector(vectorize<int(int)>(square_of)(i)) == std::vector<int>{1, 4, 90000});
        CHECK(to_vector(vectorize<double(float, float)>(polynomial)(f, 1)) == std::vector<double>{0.75, 7.75});
    });
}

TEST_CASE("host ranges give host results") {
    on_every_backend([](const tested_backend&) {
        std::vector<float> x{0, 1, 2};
        auto h = vectorize(polynomial)(x, 1);
        static_assert(std::same_as<decltype(h), host_array<float>>);
        CHECK(h(1) == polynomial(1, 1));
        auto [d, e] = vectorize(polar_distance)(x, std::vector<float>{0, 0, 0});
        CHECK(d(2) == 10);
        CHECK(e[1] == 1);
    });
}

TEST_CASE("the bits of a function do not depend on what it shares a kernel with") {
    on_every_backend([](const tested_backend&) {
        array<float> x = floats(1000) * 3 - 4, y = array<float>(full({1000}, 2.5f));
        eval(x, y);
        array<float> alone = vectorize(gaussian_pdf)(x, 0.5f, 2.5f);
        alone.eval();
        CHECK(bool(all(vectorize(gaussian_pdf)(x, 0.5f, y) == alone)));
        CHECK(
            bool(all(vectorize(gaussian_pdf)(reshape(x, {10, 100}).T(), 0.5f, 2.5f).T() == reshape(alone, {10, 100}))));
        CHECK(bool(all(vectorize(gaussian_pdf)(x, 0.5f, 2.5f)(slice(5, none, 7)) == alone(slice(5, none, 7)))));
        CHECK(float(sum(vectorize(gaussian_pdf)(x, 0.5f, 2.5f))) == float(sum(alone)));
        CHECK(bool(all(vectorize(gaussian_pdf)(x(slice(1)), 0.5f, y(slice(1))) == alone(slice(1)))));
        auto [d, e] = vectorize(polar_distance)(x, y);
        eval(d, e);
        auto [d2, e2] = vectorize(polar_distance)(x, 2.5f);
        CHECK(bool(all(d2 == d)));
        CHECK(bool(all(e2 == e)));
    });
}

TEST_CASE("functions run where rows are reduced and their results go back to the elements") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t n : {7, 300, 5000}) {
            array<float> x = reshape(floats(3 * n), {3, n});
            x.eval();
            array<float> y = vectorize(polynomial)(x, sum(x, 1)(all, newaxis));
            array<float> s = sum(x, 1);
            s.eval();
            CHECK(bool(all(y == vectorize(polynomial)(x, s(all, newaxis)))));
            auto [d, e] = vectorize(divided)(arange(3 * n), 7);
            array<std::int64_t> q = reshape(d, {3, n});
            array<std::int64_t> centred = q - sum(q, 1, keepdims);
            auto [t, u] = vectorize(divided)(sum(q, 1), 5);
            array<std::int64_t> mixed = q * t(all, newaxis) + where(u, 1, 0)(all, newaxis);
            q.eval();
            array<std::int64_t> sums = sum(q, 1);
            sums.eval();
            CHECK(bool(all(centred == q - sums(all, newaxis))));
            CHECK(
                bool(all(mixed == q * floor_divide(sums, 5)(all, newaxis) + where(sums % 5 != 0, 1, 0)(all, newaxis))));
            auto [a, b] = vectorize(polar_distance)(x, x);
            array<float> one = a - max(b, 1, keepdims);
            eval(a, b);
            CHECK(double(max(abs(one - (a - max(b, 1, keepdims))))) == 0);
        }
    });
}

TEST_CASE("the normal density in float32 agrees with float64") {
    on_every_backend([](const tested_backend& b) {
        std::int64_t n = b.is_interpreter() ? 10'000 : 1'000'000;
        array<double> x = linspace(-7, 27, n);
        array<float> pdf = vectorize(gaussian_pdf)(x, 10, 3);
        array<double> z = (astype<double>(astype<float>(x)) - 10.0) / 3.0,
                      exact = exp(-0.5 * z * z) / (3 * std::sqrt(2 * pi));
        CHECK(double(max(abs(astype<double>(pdf) - exact) - 1e-7 * abs(exact))) <= 5e-7);
    });
}

TEST_CASE("a function of two numbers reduces, accumulates and makes outer products") {
    on_every_backend([](const tested_backend& backend) {
        for (std::int64_t n : {1, 2, 3, 31, 33, 1023}) {
            if (backend.is_cuda() && n > 100) continue;
            array<std::uint32_t> x = astype<std::uint32_t>((arange(n * 2) * 40503 + 77) * 65599);
            std::vector<std::uint32_t> v = to_vector(x), row = to_vector(reduce(composed, reshape(x, {2, n}), 1)),
                                       all_of = to_vector(accumulate(composed, reshape(x, {2, n}), -1));
            for (std::int64_t r = 0; r < 2; ++r) {
                std::uint32_t total = v[static_cast<std::size_t>(r * n)];
                int wrong = 0;
                for (std::int64_t i = 0; i < n; ++i) {
                    auto at = static_cast<std::size_t>(r * n + i);
                    if (i) total = composed(total, v[at]);
                    wrong += all_of[at] != total;
                }
                CHECK(wrong == 0);
                CHECK(row[static_cast<std::size_t>(r)] == total);
            }
        }
        array<float> x = floats(4), y = floats(3);
        CHECK(bool(all(outer(polynomial, x, y) == vectorize(polynomial)(x(all, newaxis), y))));
        CHECK(reduce(polynomial, zeros<float>({0, 3}), 0, 1).shape() == dims{3});
        CHECK(float(sum(reduce(polynomial, zeros<float>({0, 3}), 0, 2))) == 6);
        CHECK_THROWS_AS(reduce(polynomial, zeros<float>({0, 3})), value_error);
    });
}
