// Variances of elements that float64 holds exactly: one pass beside the mean, NumPy's values and the same bits
// everywhere.
#include "support/backends.hpp"

#include <sinter/sinter.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace sinter;
using namespace test_backends;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Normally distributed, more or less.
std::vector<double> noise(std::int64_t count) {
    std::vector<double> v(static_cast<std::size_t>(count));
    std::uint64_t state = 2026;
    for (double& x : v) {
        x = -6;
        for (int i = 0; i < 12; ++i) {
            state = state * 6364136223846793005ull + 1442695040888963407ull;
            x += static_cast<double>(state >> 11) * 0x1p-53;
        }
    }
    return v;
}

template <class T, class F>
array<T> made_of(const dims& shape, F value) {
    std::vector<T> v;
    std::int64_t i = 0;
    for (double x : noise(shape.product())) v.push_back(static_cast<T>(value(x, i++)));
    return reshape(asarray(v), shape).eval();
}

/// Of so many elements from a first one on, each a step from the one before.
template <class T>
double variance_of(const std::vector<T>& x, std::int64_t first, std::int64_t count, std::int64_t step) {
    auto at = [&](std::int64_t i) -> long double {
        return static_cast<double>(x[static_cast<std::size_t>(first + i * step)]);
    };
    long double sum = 0, squares = 0;
    for (std::int64_t i = 0; i < count; ++i) sum += at(i);
    const long double mean = sum / static_cast<long double>(count);
    for (std::int64_t i = 0; i < count; ++i) squares += (at(i) - mean) * (at(i) - mean);
    return static_cast<double>(squares / static_cast<long double>(count));
}

template <class R>
void check_near(R got, double expected, double tolerance) {
    if (static_cast<double>(got) == static_cast<double>(static_cast<R>(expected))) return;
    CHECK(std::fabs(static_cast<double>(got) - expected) <= tolerance * expected);
}

/// Variances of all, of rows and of columns of a matrix against two passes over long double.
template <class T>
void check_variances(const array<T>& x, double tolerance) {
    const std::int64_t rows = x.shape(0), columns = x.shape(1);
    CAPTURE(rows);
    CAPTURE(columns);
    const std::vector<T> v = to_vector(x);
    auto whole = var(x), of_columns = var(x, 0), of_rows = var(x, 1);
    eval(whole, of_columns, of_rows);
    check_near(whole.item(), variance_of(v, 0, rows * columns, 1), tolerance);
    const auto down = to_vector(of_columns), along = to_vector(of_rows);
    for (std::int64_t i = 0; i < columns; i += 1 + columns / 20)
        check_near(down[static_cast<std::size_t>(i)], variance_of(v, i, rows, columns), tolerance);
    for (std::int64_t i = 0; i < rows; i += 1 + rows / 20)
        check_near(along[static_cast<std::size_t>(i)], variance_of(v, i * columns, columns, 1), tolerance);
}

const dims matrices[] = {{1, 1},     {3, 1},     {1, 3},    {7, 129},  {129, 7},
                         {33, 1025}, {1030, 33}, {3, 9001}, {9001, 3}, {2, 70'001}};

template <class X, class Y>
bool have_same_bits(const X& x, const Y& y) {
    using T = value_type_t<X>;
    const std::vector<T> a = to_vector(x), b = to_vector(y);
    return x.shape() == y.shape() && (a.empty() || std::memcmp(a.data(), b.data(), sizeof(T) * a.size()) == 0);
}

/// Expects as many launches of as many kernels, which read each byte of an operand once.
template <class... A>
void check_one_pass(std::int64_t bytes, const A&... results) {
    const explanation e = explain(results...);
    CHECK(e.kernels() == 1);
    CHECK(e.bytes_read() == bytes);
    reset_counters();
    eval(results...);
    CHECK(counters().launches == 1);
}

}  // namespace

TEST_CASE("a mean and a variance of elements of at most 32 bits are one kernel that reads them once") {
    on_compiling_backends([](const tested_backend&) {
        for (const dims& s : matrices) {
            CAPTURE(s);
            array<float> x = made_of<float>(s, [](double n, std::int64_t) { return n; });
            const std::int64_t bytes = 4 * s.product();
            check_one_pass(bytes, array<float>(mean(x)), array<float>(var(x)));
            check_one_pass(bytes, array<float>(mean(x, 0)), array<float>(var(x, 0)));
            check_one_pass(bytes, array<float>(mean(x, 1)), array<float>(stddev(x, 1)));
            check_one_pass(bytes, array<float>(var(x, 0)));
            check_one_pass(bytes / 4, array<double>(var(astype<std::int8_t>(x).eval(), 1)));
        }
    });
}

TEST_CASE("what a variance is of is neither stored nor computed by a kernel of its own") {
    on_compiling_backends([](const tested_backend&) {
        array<float> x = made_of<float>({300, 1100}, [](double n, std::int64_t) { return n; });
        const std::int64_t bytes = 4 * x.size();
        check_one_pass(bytes, array<float>(var(exp(x) * 2.0f)));
        check_one_pass(bytes, array<float>(var(exp(x) * 2.0f, 0)));
        check_one_pass(bytes, array<float>(var(exp(x) * 2.0f, 1)));
        check_one_pass(bytes, array<float>(var(x / sum(x * x, 1, keepdims), 1)));
        random::seed(5);
        CHECK(explain(var(random::normal<float>(1, 2, {500, 3000}))).kernels() == 1);
        CHECK(explain(var(random::normal<float>(1, 2, {500, 3000}), 0)).bytes_written() == 4 * 3000);
    });
}

TEST_CASE("variances have the same bits of pending operands and of evaluated ones, and on every backend") {
    std::vector<array<float>> before;
    on_every_backend([&](const tested_backend&) {
        std::size_t at = 0;
        for (const dims& s : matrices) {
            CAPTURE(s);
            array<float> x = made_of<float>(s, [](double n, std::int64_t) { return 100 + n; });
            array<float> scaled = sqrt(x) * 3.0f, also = scaled + 0.0f;
            array<float> gone = (x - max(x, 1, keepdims)) / sum(x, 1, keepdims), stays = gone + 0.0f;
            also.eval();
            stays.eval();
            array<float> middle = mean(scaled, 1);
            array<float> results[] = {var(scaled), var(scaled, 0), var(scaled, 1), var(gone, 1)};
            array<float> parts[] = {var(also), var(also, 0), var(also, 1), var(stays, 1)};
            eval(results[0], results[1], results[2], results[3], middle, scaled);
            for (std::size_t i = 0; i < 4; ++i) {
                CAPTURE(i);
                CHECK(have_same_bits(results[i], parts[i].eval()));
                if (before.size() <= at) before.push_back(asarray(to_vector(results[i])).eval());
                else CHECK(to_vector(before[at]) == to_vector(results[i]));
                ++at;
            }
        }
    });
}

TEST_CASE("variances of formulas and of picked elements have the bits of those of memory") {
    on_every_backend([](const tested_backend&) {
        for (const dims& s : matrices) {
            CAPTURE(s);
            array<float> x = made_of<float>(s, [](double n, std::int64_t) { return n; });
            array<std::int64_t> places = flip(arange<std::int64_t>(s[0])).eval();
            array<float> counted = reshape(arange<float>(static_cast<float>(s.product())), s),
                         picked = take(x, places, 0);
            array<float> round = sin(x) + cos(x) * 2.0f, turned = transpose(x), same = full<float>(s, 2.5f);
            for (const array<float>& pending : {counted, picked, round, turned, same}) {
                array<float> results[] = {var(pending), var(pending, 0), var(pending, 1)};
                eval(results[0], results[1], results[2]);
                array<float> stored = reshape(asarray(to_vector(pending)), pending.shape()).eval();
                CHECK(have_same_bits(results[0], var(stored)));
                CHECK(have_same_bits(results[1], var(stored, 0)));
                CHECK(have_same_bits(results[2], var(stored, 1)));
            }
        }
    });
}

TEST_CASE("variances keep their digits beside large offsets, far first elements and the extremes of types") {
    on_every_backend([](const tested_backend&) {
        for (const dims& s : matrices) {
            const std::int64_t columns = s[1];
            auto first = [=](std::int64_t i) { return i % columns == 0 || i < columns; };
            check_variances(made_of<float>(s, [](double n, std::int64_t) { return n; }), 2e-7);
            check_variances(made_of<float>(s, [](double n, std::int64_t) { return 1e7 + 8 * n; }), 2e-7);
            check_variances(made_of<float>(s, [=](double n, std::int64_t i) { return first(i) ? 1e6 : n; }), 2e-7);
            check_variances(made_of<float>(s, [](double n, std::int64_t) { return 1e19 * std::tanh(n); }), 2e-7);
            check_variances(made_of<float>(s, [](double n, std::int64_t) { return 1e-19 * n; }), 2e-7);
            constexpr double least = -2147483648.0, most = 2147483647.0, all_bits = 4294967295.0;
            check_variances(made_of<std::int32_t>(s, [](double n, std::int64_t) { return n < 0 ? least : most; }),
                            1e-10);
            check_variances(made_of<std::uint32_t>(s, [](double n, std::int64_t) { return n < 1 ? 0 : all_bits; }),
                            1e-10);
            check_variances(made_of<std::uint8_t>(s, [](double n, std::int64_t) { return n < -1 ? 0 : 255; }), 1e-11);
            check_variances(made_of<bool>(s, [](double n, std::int64_t) { return n < 1; }), 1e-11);
            check_variances(made_of<half>(s, [](double n, std::int64_t) { return 512 + 16 * n; }), 1e-3);
            check_variances(made_of<bfloat16>(s, [](double n, std::int64_t) { return 512 + 16 * n; }), 1e-2);
        }
    });
}

TEST_CASE("what is the same all along a row has no variance, and nothing has a negative one") {
    on_every_backend([](const tested_backend&) {
        for (const dims& s : matrices) {
            CAPTURE(s);
            array<float> same = full<float>(s, 1e7f / 3).eval();
            CHECK(all(var(same, 0) == 0.0f).item());
            CHECK(all(var(same, 1) == 0.0f).item());
            CHECK(var(same).item() == 0);
            array<float> steps = made_of<float>(s, [](double n, std::int64_t) { return 16777216 - (n < 2); });
            CHECK(all(var(steps, 0) >= 0.0f).item());
            CHECK(all(var(steps, 1) >= 0.0f).item());
        }
    });
}

TEST_CASE(
    "variances of infinities and NaN are NaN, of the largest floats infinite, and divide by zero where ddof takes "
    "all") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t n : {3, 700, 5001}) {
            CAPTURE(n);
            for (std::int64_t bad : {std::int64_t{0}, n / 2, n - 1})
                for (double what : {infinite, -infinite, std::nan("")}) {
                    array<float> x =
                        made_of<float>({2, n}, [=](double v, std::int64_t i) { return i == bad ? what : v; });
                    CHECK(std::isnan(var(x).item()));
                    CHECK(to_vector(isnan(var(x, 1))) == std::vector<bool>{true, false});
                    CHECK(sum(isnan(var(x, 0))).item() == 1);
                }
            array<float> far = made_of<float>({n}, [](double, std::int64_t i) { return i % 2 ? 3e38 : -3e38; });
            CHECK(std::isinf(var(far).item()));
            CHECK(std::isfinite(stddev(far).item()));
            array<float> x = made_of<float>({n}, [](double v, std::int64_t) { return v; });
            CHECK(std::isinf(var(x, {.ddof = static_cast<double>(n)}).item()));
            CHECK(std::isnan(var(x * 0.0f, {.ddof = static_cast<double>(n + 1)}).item()));
        }
        CHECK(std::isnan(var(ones<float>({1}), {.ddof = 1}).item()));
        CHECK(std::isnan(var(zeros<float>({0})).item()));
        CHECK(to_vector(isnan(var(zeros<float>({0, 2}), 0))) == std::vector<bool>{true, true});
        CHECK(to_vector(isnan(var(zeros<float>({2, 0}) + 1.0f, 1))) == std::vector<bool>{true, true});
        CHECK(var(zeros<float>({2, 0}), 0).shape() == dims{0});
    });
}
