// Straight-line functions of users: kernels are those of the written-out expression, results those of a plain call.
#include "support/backends.hpp"

#include <sinter/sinter.hpp>

#include <bit>
#include <limits>
#include <random>
#include <vector>

using namespace sinter;
using namespace test_backends;

namespace {

SINTER_CONSTANT(float, lowered_scale, 2)
SINTER_FUNCTION(
    lowered_cubic, (float x, float y)->float {
        float t = x * 3 + y;
        t *= x;
        return t - y / 3;
    })
SINTER_FUNCTION(
    lowered_sample, (float x, float y, float a, float b, float c)->float {
        float t = x * a + y;
        t *= x;
        return exp(t - y / b) / c;
    })
SINTER_CONSTANT(float, lowered_deviation, 1.5f)
SINTER_FUNCTION(
    lowered_density, (float x, float mean)->float {
        const float z = (x - mean) / lowered_deviation;
        return exp(-0.5f * (z * z)) / (lowered_deviation * 2.5066283f);
    })
SINTER_FUNCTION(
    lowered_steps, (float x, float y)->float {
        if (x < y) x = lowered_cubic(y, x) * lowered_scale;
        else if (x == y) x = std::abs(x);
        if (y > 1e30f) return x;
        return !(x > 4) || y != y ? x : -y;
    })
SINTER_FUNCTION(
    lowered_exact, (float x, float y, int n, bool up)->float {
        const float low = std::min(x, y), high = std::max(x, y), q = x / 3 + y / 0.1f, r = sqrtf(fabs(x)) / 7.5f;
        float sum = (high - low) * n - q;
        sum += floor(y) * 0x1.8p-3f;
        if (up && n >= 0) return clip(sum, -1e30f, 1e30f);
        return up ? r : sum + maximum(x, r) + (isnan(y) || x <= y) * copysign(q, r);
    })
SINTER_FUNCTION(
    lowered_double, (auto x, const double& y) {
        double a = x / 3, b = a * a - 1e-300 * y;
        return x < y ? std::floor(b) : b / 0.7 + float(0.1) * 0;
    })
SINTER_FUNCTION(
    lowered_pair, (float r, float t)->std::tuple<float, float> {
        const float c = cos(t), s = sin(t);
        return {r * c, r * s};
    })
SINTER_FUNCTION(
    lowered_distance, (float r1, float t1, float r2, float t2)->float {
        auto [x1, y1] = lowered_pair(r1, t1);
        const auto [x2, y2] = lowered_pair(r2, t2);
        float dx = x1 - x2, dy = y1 - y2;
        return sqrt(dx * dx + dy * dy);
    })
SINTER_STRUCT(lowered_point, {
    float x, y;
    int quadrant = 0;
})
SINTER_FUNCTION(
    lowered_structure, (float a, float b)->lowered_point {
        const float d = a - b;
        if (a < 0) return {d, b < 0 ? -b : b, 2};
        return lowered_point{d / 3, a, b < 0 ? 4 : 1};
    })
SINTER_FUNCTION(lowered_powers, (float x, float y)->float { return pow(x, 2) * y + pow(y, 5) - powf(x, -3); })
SINTER_FUNCTION(lowered_fifths, (float x, float y)->float { return pow(x, 5) - powf(y, -1.5f); })
SINTER_FUNCTION(text_cubes, (float x, float y)->float { return pow(x, 3) * y; })
SINTER_FUNCTION(lowered_wide_powers, (double x)->double { return std::pow(x, 2) + std::pow(x, 7) + pow(x, -2); })
SINTER_FUNCTION(lowered_identity, (float x)->float { return x; })
SINTER_FUNCTION(lowered_number, (float x)->float { return x == x ? 7 : 7; })

SINTER_FUNCTION(text_promotes, (float x, float y)->float { return 0.1 * x + y * (1 / 2) + 2 / 3; })
SINTER_FUNCTION(
    text_loops, (float x, float y)->float {
        for (int i = 0; i < 3; ++i) x = x * y + 1;
        return x;
    })
SINTER_FUNCTION(text_branches, (float x, float y)->float { return x > 1 ? sqrt(x) * log(x) * exp(y) : y; })
SINTER_FUNCTION(text_powers, (float x, float y)->float { return pow(abs(x), 0.5f) + y; })

// Every pair of what rounds, overflows or is no number, and random bits.
std::vector<std::pair<float, float>> awkward_pairs() {
    const float inf = std::numeric_limits<float>::infinity(), tiny = std::numeric_limits<float>::denorm_min();
    std::vector<float> values{0.0f, -0.0f, 1,      -1,    3,      0.1f,     inf,  -inf, std::nanf(""),
                              tiny, -tiny, 1e-38f, 3e38f, -3e38f, 16777216, 4.5f, -2.5f};
    std::vector<std::pair<float, float>> pairs;
    for (float x : values)
        for (float y : values) pairs.push_back({x, y});
    std::mt19937 bits(5);
    while (pairs.size() < 4999)
        pairs.push_back({std::bit_cast<float>(std::uint32_t(bits())), std::bit_cast<float>(std::uint32_t(bits()))});
    return pairs;
}

template <class T>
bool same(T a, T b) {
    return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

bool is_called(const std::string& source) { return source.find("functions::") != std::string::npos; }

// What sequences of loads, sums and packs come to.
template <class F, class Call>
int wrong_of(const F& f, Call call) {
    std::vector<float> x, y;
    for (auto [a, b] : awkward_pairs()) x.push_back(a), y.push_back(b);
    auto results = to_vector(call(vectorize(f), array<float>(asarray(x)), array<float>(asarray(y))));
    int wrong = 0;
    for (std::size_t i = 0; i < x.size(); ++i) wrong += !same(results[i], call(f, x[i], y[i]));
    return wrong;
}

}  // namespace

TEST_CASE("a straight-line function has the kernel of the expression that it stands for") {
    on_compiling_backends([](const tested_backend&) {
        for (std::int64_t n : {31, 4097, 1'000'003}) {
            array<float> x = linspace<float>(-1, 2, n), y = linspace<float>(3, 4, n);
            eval(x, y);
            array<float> f = vectorize(lowered_sample)(x, y, 3, 0.7f, 1.5f), g = exp((x * 3 + y) * x - y / 0.7f) / 1.5f;
            CHECK(explain(f).source() == explain(g).source());
            CHECK(bool(all(f == g)));
            array<float> u = x * 2, v = sqrt(y), s = sum(vectorize(lowered_sample)(u, v, 3, 0.7f, 1.5f) * 5),
                         t = sum(exp((u * 3 + v) * u - v / 0.7f) / 1.5f * 5);
            CHECK(explain(s).source() == explain(t).source());
        }
    });
}

TEST_CASE("a function that takes apart what another returns has the kernel of the expression") {
    on_compiling_backends([](const tested_backend&) {
        for (std::int64_t n : {31, 1'000'003}) {
            array<float> r = linspace<float>(0.5, 1.5, n), t = linspace<float>(-3, 3, n), s = linspace<float>(1, 2, n),
                         u = linspace<float>(0, 7, n);
            eval(r, t, s, u);
            array<float> dx = r * cos(t) - s * cos(u), dy = r * sin(t) - s * sin(u), g = sqrt(dx * dx + dy * dy);
            array<float> f = vectorize(lowered_distance)(r, t, s, u);
            CHECK_FALSE(is_called(explain(f).source()));
            CHECK(explain(f).operations() == explain(g).operations());
            CHECK(bool(all(f == g)));
        }
    });
}

TEST_CASE("numbers in the text of a straight-line function are part of its kernel") {
    on_compiling_backends([](const tested_backend& b) {
        array<float> x = linspace<float>(-1, 2, 1'000'003);
        x.eval();
        array<float> f = vectorize(lowered_density)(x, 0.25f);
        std::string source = explain(f).source();
        CHECK_FALSE(is_called(source));
        CHECK(source.find("-0.5f") != std::string::npos);
        CHECK(source.find("0.25f") == std::string::npos);
        CHECK((source.find("divided_by(") != std::string::npos) == b.is_cuda());
    });
}

TEST_CASE("a straight-line function gives the bits of a plain call, for NaN, infinities and denormals as well") {
    on_every_backend([](const tested_backend&) {
        CHECK(wrong_of(lowered_cubic, [](auto f, auto x, auto y) { return f(x, y); }) == 0);
        CHECK(wrong_of(lowered_steps, [](auto f, auto x, auto y) { return f(x, y); }) == 0);
        for (int n : {-3, 0, 16777217})
            for (bool up : {false, true})
                CHECK(wrong_of(lowered_exact, [=](auto f, auto x, auto y) { return f(x, y, n, up); }) == 0);
        CHECK(wrong_of(lowered_identity, [](auto f, auto x, auto) { return f(x); }) == 0);
        CHECK(wrong_of(lowered_number, [](auto f, auto x, auto) { return f(x); }) == 0);
        array<double> a = linspace(-1e3, 1e3, 1009), b = linspace(1e300, -7, 1009);
        std::vector<double> as = to_vector(a), bs = to_vector(b), out = to_vector(vectorize(lowered_double)(a, b));
        int wrong = 0;
        for (std::size_t i = 0; i < as.size(); ++i) wrong += !same(out[i], lowered_double(as[i], bs[i]));
        CHECK(wrong == 0);
    });
}

TEST_CASE("functions with loops, arithmetic of other types or dear branches stay calls with the bits of C++") {
    on_every_backend([](const tested_backend& b) {
        auto call = [](auto f, auto x, auto y) { return f(x, y); };
        CHECK(wrong_of(text_promotes, call) == 0);
        CHECK(wrong_of(text_loops, call) == 0);
        array<float> x = linspace<float>(0, 3, 33), y = x + 1;
        eval(x, y);
        CHECK(double(max(abs(vectorize(text_branches)(x, y) - where(x > 1, sqrt(x) * log(x) * exp(y), y)))) < 1e-4);
        if (!b.compiles()) return;
        CHECK(is_called(explain(array<float>(vectorize(text_promotes)(x, y))).source()));
        CHECK(is_called(explain(array<float>(vectorize(text_loops)(x, y))).source()));
        CHECK(is_called(explain(array<float>(vectorize(text_branches)(x, y))).source()));
        CHECK(is_called(explain(array<float>(vectorize(text_powers)(x, y))).source()));
        CHECK_FALSE(is_called(explain(array<float>(vectorize(lowered_exact)(x, y, 2, true))).source()));
        CHECK_FALSE(is_called(explain(array<float>(vectorize(lowered_steps)(x, y))).source()));
    });
}

TEST_CASE("a power that is not a product keeps the value that C++ gives it") {
    on_every_backend([](const tested_backend&) {
        array<float> x{-0.0f, -INFINITY, 4};
        CHECK(to_vector(vectorize(text_powers)(x, 0)) == std::vector<float>{0, INFINITY, 2});
    });
}

TEST_CASE(
    "powers by whole numbers become operations where these have the bits of C++'s function, and calls otherwise") {
    on_every_backend([](const tested_backend& b) {
        auto call = [](auto f, auto x, auto y) { return f(x, y); };
        if (b.is_interpreter()) {
            CHECK(wrong_of(lowered_fifths, call) == 0);
            CHECK(wrong_of(text_cubes, call) == 0);
        }
        array<float> x = linspace<float>(-3, 2.5f, 1031), y = linspace<float>(1, -4, 1031);
        array<double> wide = astype<double>(x) / 3;
        eval(x, y, wide);
        std::vector<float> xs = to_vector(x), ys = to_vector(y), f = to_vector(vectorize(lowered_powers)(x, y)),
                           g = to_vector(vectorize(text_cubes)(x, y));
        std::vector<double> ws = to_vector(wide), h = to_vector(vectorize(lowered_wide_powers)(wide));
        for (std::size_t i = 0; i < xs.size(); ++i) {
            const double a = xs[i], c = ys[i], w = ws[i];
            CHECK(f[i] == doctest::Approx(a * a * c + std::pow(c, 5) - std::pow(a, -3))
                              .epsilon(1e-5)
                              .scale(std::abs(std::pow(c, 5)) + std::abs(std::pow(a, -3))));
            CHECK(g[i] == doctest::Approx(a * a * a * c).epsilon(1e-5));
            CHECK(h[i] == doctest::Approx(w * w + std::pow(w, 7) + 1 / (w * w)).epsilon(1e-13));
        }
        if (!b.compiles()) return;
        array<float> written = x * x * y + pow(y, 5) - pow(x, -3), called = vectorize(lowered_powers)(x, y);
        CHECK(explain(called).kernels() == 1);
        CHECK(bool(all(called == written)));
        CHECK_FALSE(is_called(explain(array<float>(vectorize(lowered_powers)(x, y))).source()));
        CHECK_FALSE(is_called(explain(array<double>(vectorize(lowered_wide_powers)(wide))).source()));
        CHECK(is_called(explain(array<float>(vectorize(text_cubes)(x, y))).source()));
    });
}

TEST_CASE("a structure in braces is as many results, without a call") {
    on_every_backend([](const tested_backend& b) {
        for (std::int64_t n : {0, 1, 31, 1031}) {
            array<float> a = linspace<float>(-2, 3, n), c = linspace<float>(5, -4, n);
            eval(a, c);
            auto [x, y, quadrant] = vectorize(lowered_structure)(a, c);
            static_assert(std::same_as<decltype(quadrant), array<int>>);
            if (b.compiles() && n > 0) {
                CHECK(explain(x, y, quadrant).kernels() == 1);
                CHECK_FALSE(is_called(explain(x, y, quadrant).source()));
            }
            std::vector<float> as = to_vector(a), cs = to_vector(c), xs = to_vector(x), ys = to_vector(y);
            std::vector<int> qs = to_vector(quadrant);
            int wrong = 0;
            for (std::size_t i = 0; i < as.size(); ++i) {
                const lowered_point p = lowered_structure(as[i], cs[i]);
                wrong += !same(p.x, xs[i]) || !same(p.y, ys[i]) || p.quadrant != qs[i];
            }
            CHECK(wrong == 0);
        }
    });
}

TEST_CASE("the results of a straight-line function share a kernel, and one alone leaves out what the others need") {
    on_compiling_backends([](const tested_backend&) {
        array<float> r = linspace<float>(0, 1, 4099), t = linspace<float>(0, 6, 4099);
        eval(r, t);
        auto [x, y] = vectorize(lowered_pair)(r, t);
        explanation both = explain(x, y), one = explain(x);
        CHECK(both.kernels() == 1);
        CHECK_FALSE(is_called(both.source()));
        CHECK(one.operations() < both.operations());
        auto before = counters();
        eval(x, y);
        CHECK(counters().launches == before.launches + 1);
        array<float> written = r * cos(t);
        CHECK(bool(all(x == written)));
    });
}

TEST_CASE("numbers stay run-time scalars, arguments broadcast, and a result of no array has the call's shape") {
    on_every_backend([](const tested_backend& b) {
        array<float> x = linspace<float>(-1, 2, 5), y = linspace<float>(3, 4, 7);
        array<float> f = vectorize(lowered_sample)(x(all, newaxis), 1, y, 2.5f, 3);
        CHECK(f.shape() == dims{5, 7});
        CHECK(bool(all(f(all, 3) == vectorize(lowered_sample)(x, 1, y(3), 2.5f, 3))));
        CHECK(vectorize(lowered_number)(x(all, newaxis) + y).shape() == dims{5, 7});
        CHECK(float(sum(vectorize(lowered_number)(x))) == 35);
        std::vector<float> theirs{1, 2, 3};
        array<float> copy = vectorize(lowered_identity)(from_device(theirs.data(), {3}));
        copy.eval();
        theirs[0] = 9;
        CHECK(float(copy(0)) == 1);
        if (!b.compiles()) return;
        for (int i = 0; i < 3; ++i) vectorize(lowered_sample)(x, x, i * 0.3f, i + 0.7f, 1).eval();
        auto before = counters();
        for (int i = 3; i < 9; ++i) vectorize(lowered_sample)(x, x, i * 0.3f, i + 0.7f, i + 1).eval();
        CHECK(counters().kernels_compiled == before.kernels_compiled);
    });
}

TEST_CASE("loops over elements, reductions and outer products compute straight-line functions") {
    on_every_backend([](const tested_backend&) {
        array<float> x = linspace<float>(0.5f, 3, 33);
        array<float> last =
            while_loop([](auto v) { return v < 100; }, [](auto v) { return vectorize(lowered_cubic)(v, 1) + 1; }, x);
        std::vector<float> in = to_vector(x), out = to_vector(last);
        for (std::size_t i = 0; i < in.size(); ++i) {
            float v = in[i];
            while (v < 100) v = lowered_cubic(v, 1) + 1;
            CHECK(out[i] == v);
        }
        array<float> four{1, 2, 3, 4};
        CHECK(float(reduce(lowered_cubic, four)) == lowered_cubic(lowered_cubic(1, 2), lowered_cubic(3, 4)));
        CHECK(float(outer(lowered_cubic, four, four)(1, 2)) == lowered_cubic(2, 3));
    });
}
