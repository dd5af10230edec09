// Results of rows that go back to the rows' elements: one kernel, one read, one write, and the bits of separate
// kernels.
#include "support/backends.hpp"
#include "support/rows.hpp"

#include <sinter/sinter.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <vector>

using namespace sinter;
using namespace test_backends;
using test_rows::numbers;

namespace {

using row = std::vector<double>;

double mean_of(const row& x) {
    long double s = 0;
    for (double v : x) s += v;
    return static_cast<double>(s / static_cast<long double>(x.size()));
}
double deviation_of(const row& x) {
    long double s = 0;
    const double m = mean_of(x);
    for (double v : x) s += (static_cast<long double>(v) - m) * (static_cast<long double>(v) - m);
    return std::sqrt(static_cast<double>(s / static_cast<long double>(x.size())));
}
row softmax_of(const row& x) {
    double most = x[0];
    long double s = 0;
    for (double v : x) most = v > most ? v : most;
    for (double v : x) s += std::exp(v - most);
    row y;
    for (double v : x) y.push_back(static_cast<double>(std::exp(v - most) / s));
    return y;
}

// Compares each row with a reference in float64.
template <class T>
void check_rows(const array<T>& x, const array<T>& y, const std::function<row(const row&)>& reference,
                double tolerance) {
    std::vector<T> in = to_vector(x), out = to_vector(y);
    REQUIRE(in.size() == out.size());
    const std::size_t m = static_cast<std::size_t>(x.shape(-1));
    double worst = 0;
    for (std::size_t i = 0; i < in.size(); i += m) {
        row expected = reference(
            row(in.begin() + static_cast<std::ptrdiff_t>(i), in.begin() + static_cast<std::ptrdiff_t>(i + m)));
        for (std::size_t j = 0; j < m; ++j) {
            const double size = std::fabs(expected[j]) > 1 ? std::fabs(expected[j]) : 1;
            const double off = std::fabs(static_cast<double>(out[i + j]) - expected[j]) / size;
            worst = off > worst || off != off ? off : worst;
        }
    }
    CHECK(worst <= tolerance);
}

// Expects one kernel that reads and writes so many elements.
template <class T>
void check_one_kernel(const tested_backend& b, const array<T>& y, std::int64_t read, std::int64_t written) {
    if (!b.compiles()) return;
    auto e = explain(y);
    CHECK(e.kernels() == 1);
    CHECK(e.bytes_read() == read * static_cast<std::int64_t>(sizeof(T)));
    CHECK(e.bytes_written() == written * static_cast<std::int64_t>(sizeof(T)));
    reset_counters();
    array<T>(y).eval();
    CHECK(counters().launches == 1);
}

template <class T>
array<T> softmax(const array<T>& x) {
    return exp(x - max(x, 1, keepdims)) / sum(exp(x - max(x, 1, keepdims)), 1, keepdims);
}
template <class T>
array<T> log_softmax(const array<T>& x) {
    return x - max(x, 1, keepdims) - log(sum(exp(x - max(x, 1, keepdims)), 1, keepdims));
}
template <class T>
array<T> layernorm(const array<T>& x, const array<T>& gamma, const array<T>& beta) {
    return (x - mean(x, 1, keepdims)) / sqrt(var(x, 1, keepdims) + 1e-5) * gamma + beta;
}

template <class T>
void check_lengths(const tested_backend& b, double tolerance) {
    for (std::int64_t m :
         {1, 2, 31, 33, 63, 64, 65, 127, 128, 129, 257, 1023, 1024, 1025, 4096, 4097, 8193, 16384, 16385}) {
        const std::int64_t n = m > 1000 ? 3 : 37;
        CAPTURE(m);
        // Longer rows than these need more rows to be one kernel.
        const bool fits = m <= 16384;
        array<T> x = numbers<T>({n, m});
        x.eval();
        array<T> y = softmax(x);
        if (fits) check_one_kernel(b, y, n * m, n * m);
        check_rows<T>(x, y, softmax_of, tolerance);
        y = log_softmax(x);
        if (fits) check_one_kernel(b, y, n * m, n * m);
        check_rows<T>(
            x, y,
            [](const row& r) {
                row s = softmax_of(r);
                for (double& v : s) v = std::log(v);
                return s;
            },
            4 * tolerance);
        y = (x - mean(x, 1, keepdims)) / (stddev(x, 1, keepdims) + 1);
        if (fits) check_one_kernel(b, y, n * m, n * m);
        check_rows<T>(
            x, y,
            [](const row& r) {
                row s = r;
                const double c = mean_of(r), d = deviation_of(r) + 1;
                for (double& v : s) v = (v - c) / d;
                return s;
            },
            tolerance);
        y = x / sqrt(sum(x * x, 1, keepdims));
        if (fits) check_one_kernel(b, y, n * m, n * m);
        check_rows<T>(
            x, y,
            [](const row& r) {
                long double q = 0;
                row s = r;
                for (double v : r) q += static_cast<long double>(v) * v;
                for (double& v : s) v = static_cast<double>(v / std::sqrt(q));
                return s;
            },
            tolerance);
    }
}

template <class T>
bool same_bits(const array<T>& a, const array<T>& b) {
    std::vector<T> x = to_vector(a), y = to_vector(b);
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}

}  // namespace

TEST_CASE("softmax, its logarithm, standardised and normalised rows of every length are one kernel and right") {
    on_every_backend([](const tested_backend& b) {
        check_lengths<float>(b, 2e-6);
        check_lengths<double>(b, 1e-13);
    });
}

TEST_CASE("a layer norm reads its input and its weights once") {
    on_every_backend([](const tested_backend& b) {
        for (std::int64_t m : {1, 33, 768, 1025, 5000}) {
            CAPTURE(m);
            array<float> x = numbers<float>({6, m}), gamma = numbers<float>({m}), beta = gamma * 2;
            eval(x, gamma, beta);
            array<float> y = layernorm(x, gamma, beta);
            check_one_kernel(b, y, 6 * m + 2 * m, 6 * m);
            std::vector<float> g = to_vector(gamma), o = to_vector(beta);
            check_rows<float>(
                x, y,
                [&](const row& r) {
                    row s = r;
                    const double c = mean_of(r), d = deviation_of(r);
                    for (std::size_t j = 0; j < s.size(); ++j)
                        s[j] = (s[j] - c) / std::sqrt(d * d + 1e-5) * g[j] + o[j];
                    return s;
                },
                1e-5);
        }
    });
}

TEST_CASE("fused rows have the bits of rows computed step by step") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t m : {2, 33, 1000, 1023, 1025, 4097, 9000}) {
            CAPTURE(m);
            array<float> x = numbers<float>({40, m});
            x.eval();
            array<float> most = max(x, 1, keepdims);
            most.eval();
            array<float> e = exp(x - most);
            e.eval();
            array<float> total = sum(e, 1, keepdims);
            total.eval();
            CHECK(same_bits<float>(softmax(x), e / total));
            array<float> middle = mean(x, 1, keepdims);
            array<double> spread = var(astype<double>(x), 1, keepdims);
            array<float> logs = log(abs(mean(x, 1, keepdims)) + 2);
            array<float> fused = (x - middle) * logs;
            middle.eval();
            logs.eval();
            CHECK(same_bits<float>(fused, (x - middle) * logs));
            CHECK(same_bits<double>(spread, var(astype<double>(x).eval(), 1, keepdims)));
        }
    });
}

TEST_CASE("a row kernel stores what stands on either side of a vector function") {
    on_every_backend([](const tested_backend& b) {
        for (std::int64_t n : {1, 31, 129, 5000}) {
            array<float> x = numbers<float>({3, n});
            x.eval();
            array<float> before = x * 0.25f + 1.0f;
            array<float> after = exp(before + 1.0f) * 0.5f;
            array<float> part = after / max(after, 1, keepdims);
            if (b.compiles()) CHECK(explain(before, after, part).kernels() == 1);
            eval(before, after, part);
            CHECK(array_equal(before, x * 0.25f + 1.0f));
            CHECK(allclose(after, exp(x * 0.25f + 2.0f) * 0.5f));
            CHECK(allclose(part, after / max(after, 1, keepdims)));
        }
    });
}

TEST_CASE("what else is wanted of a row kernel is stored by it") {
    on_every_backend([](const tested_backend& b) {
        array<double> x = numbers<double>({50, 300});
        x.eval();
        array<double> middle = mean(x, 1, keepdims);
        array<double> centred = x - middle;
        array<double> spread = sqrt(mean(square(centred), 1, keepdims));
        array<double> y = centred / spread;
        if (b.compiles()) {
            auto e = explain(y, middle, centred);
            CHECK(e.kernels() == 1);
            CHECK(e.bytes_read() == 50 * 300 * 8);
        }
        eval(y, middle, centred, spread);
        check_rows<double>(
            x, centred,
            [](const row& r) {
                row s = r;
                for (double& v : s) v -= mean_of(r);
                return s;
            },
            1e-13);
        check_rows<double>(
            x, y,
            [](const row& r) {
                row s = r;
                for (double& v : s) v = (v - mean_of(r)) / deviation_of(r);
                return s;
            },
            1e-12);
        std::vector<double> m = to_vector(middle), in = to_vector(x);
        CHECK(m.size() == 50);
        CHECK(m[49] == doctest::Approx(mean_of(row(in.end() - 300, in.end()))));
        // The producer of a softmax, named and wanted.
        array<double> z = x * 2 + 1;
        array<double> p = softmax(z);
        if (b.compiles()) {
            CHECK(explain(p, z).kernels() == 1);
            CHECK(explain(p, z).bytes_read() == 50 * 300 * 8);
        }
        eval(p, z);
        check_rows<double>(z, p, softmax_of, 1e-13);
    });
}

TEST_CASE("rows may be several axes, views, masked, of integers, or compared with other rows") {
    on_every_backend([](const tested_backend& b) {
        array<double> t = numbers<double>({5, 6, 70});
        t.eval();
        array<double> y = t - mean(t, {1, 2}, keepdims);
        check_one_kernel(b, y, t.size(), t.size());
        check_rows<double>(
            reshape(t, {5, 420}), reshape(y, {5, 420}),
            [](const row& r) {
                row s = r;
                for (double& v : s) v -= mean_of(r);
                return s;
            },
            1e-13);
        // The reduced axes around a kept one.
        array<double> around = t / sum(abs(t), {0, 2}, keepdims);
        check_one_kernel(b, around, t.size(), t.size());
        array<double> total = sum(abs(t), {0, 2});
        CHECK(double(max(abs(around * reshape(total, {1, 6, 1}) - t))) < 1e-12);
        // Backwards, every second, transposed.
        array<double> v = t(3, all, slice(none, none, -2));
        check_rows<double>(v.eval(), softmax(v), softmax_of, 1e-13);
        array<double> turned = t(2).T();
        check_rows<double>(turned.eval(), softmax(array<double>(t(2).T())), softmax_of, 1e-13);
        array<bool> mask = t(1) > 0;
        mask.eval();
        array<double> scores = t(1);
        scores.eval();
        array<double> masked = softmax<double>(where(mask, scores * 0.125, -constants::inf));
        if (b.compiles()) CHECK(explain(masked).kernels() == 1);
        CHECK(double(max(abs(sum(masked, 1) - 1))) < 1e-13);
        CHECK(double(max(where(mask, 0.0, masked))) == 0);
        array<std::int32_t> i = astype<std::int32_t>(t(0));
        i.eval();
        array<double> away = i - mean(i, 1, keepdims);
        if (b.compiles()) CHECK(explain(away).kernels() == 1);
        CHECK(double(max(abs(sum(away, 1)))) < 1e-10);
        array<double> p = t(0), q = t(1);
        eval(p, q);
        array<double> cosine = sum(p * q, 1) / (sqrt(sum(p * p, 1)) * sqrt(sum(q * q, 1)));
        if (b.compiles()) CHECK(explain(cosine).kernels() == 1);
        CHECK(double(max(abs(cosine))) <= 1);
        array<std::int64_t> place = argmax(p, 1, keepdims);
        array<double> gap = p - max(p, 1, keepdims) + astype<double>(place * 0);
        if (b.compiles()) CHECK(explain(gap).kernels() == 1);
        CHECK(double(max(gap)) == 0);
        array<std::complex<double>> c = p + q * std::complex<double>(0, 1);
        c.eval();
        array<std::complex<double>> centre = c - mean(c, 1, keepdims);
        if (b.compiles()) CHECK(explain(centre).kernels() == 1);
        CHECK(double(max(abs(sum(centre, 1)))) < 1e-11);
    });
}

TEST_CASE("small arrays are standardised as a whole in one kernel, empty ones too in none") {
    on_every_backend([](const tested_backend& b) {
        array<double> x = numbers<double>({3, 4, 100});
        x.eval();
        array<double> y = (x - mean(x)) / stddev(x);
        check_one_kernel(b, y, 1200, 1200);
        check_rows<double>(
            ravel(x), ravel(y),
            [](const row& r) {
                row s = r;
                for (double& v : s) v = (v - mean_of(r)) / deviation_of(r);
                return s;
            },
            1e-12);
        for (const dims& shape : {dims(0, 5), dims(5, 0), dims(0, 0)}) {
            array<double> e = numbers<double>(shape);
            array<double> centred = e - mean(e, 1, keepdims);
            CHECK(to_vector(centred).empty());
            CHECK(sum(e, 1).eval().shape(0) == shape[0]);
        }
    });
}

TEST_CASE("several reductions of one operand share its pass") {
    on_compiling_backends([](const tested_backend&) {
        array<float> x = numbers<float>({60, 700});
        x.eval();
        array<float> least = min(x, 1), most = max(x, 1), middle = mean(x, 1);
        array<std::int64_t> where_most = argmax(x, 1);
        auto e = explain(least, most, middle, where_most);
        CHECK(e.kernels() == 1);
        CHECK(e.bytes_read() == 60 * 700 * 4);
        eval(least, most, middle, where_most);
        // One in the epilogue of the other.
        array<float> range = (max(x, 1) - min(x, 1)) / (abs(mean(x, 1)) + 1);
        CHECK(explain(range).kernels() == 1);
        array<float> all_range = ptp(x) / (abs(mean(x)) + 1);
        CHECK(explain(all_range).kernels() == 1);
        CHECK(float(max(range)) <= float(ptp(x)));
        // Beside the elements themselves.
        array<float> doubled = x * 2;
        array<float> total = sum(doubled, 1);
        CHECK(explain(doubled, total).kernels() == 1);
        eval(doubled, total);
        CHECK(same_bits<float>(total, sum(doubled, 1)));
    });
}
