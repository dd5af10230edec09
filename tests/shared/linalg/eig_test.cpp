// Eigenvalues of stacks of any matrices: kinds whose values are known, residuals over what rounding may cost, failures,
// and that a stack is one call.
#include <algorithm>
#include <cmath>
#include <limits>

#include "support/backends.hpp"
#include "support/linalg_golden.hpp"

using namespace sinter;
using namespace test_backends;
using linalg_golden::failure_of;
using linalg_golden::for_each_type;

namespace {

using wide = std::complex<double>;

constexpr double threshold = 30, pi = 3.14159265358979323846;

/// n × n numbers by rows, as far from the matrix as `scale`; the norm that errors of the values are measured by, and
/// these.
struct sample {
    const char* name;
    std::vector<wide> elements, values;
    double scale = 1, norm = 0;
};

struct limits {
    double eps, most, least;
    int powers;  ///< of two by which rows and columns are scaled at most
    bool is_complex;
};

template <class T>
limits limits_of() {
    using R = linalg::detail::real_part<T>;
    using l = std::numeric_limits<R>;
    return {double(l::epsilon()), double(l::max()), double(l::min()), l::digits > 30 ? 40 : 15,
            codegen::is_complex(dtype_of<T>)};
}

double norm_of(const std::vector<wide>& a, std::size_t n) {
    double most = 0;
    for (std::size_t c = 0; c < n; ++c) {
        double sum = 0;
        for (std::size_t r = 0; r < n; ++r) sum += std::abs(a[r * n + c]);
        most = std::max(most, sum);
    }
    return most;
}

struct draws {
    unsigned state = 1;
    double next() { return ((state = state * 1664525u + 1013904223u) >> 8) / double(1 << 24) - 0.5; }
};

template <class F>
sample sample_of(const char* name, std::size_t n, F element, std::vector<wide> values = {}) {
    sample s{name, std::vector<wide>(n * n), std::move(values)};
    for (std::size_t i = 0; i < n * n; ++i) s.elements[i] = element(i / n, i % n);
    return s;
}

// (1 - 2uu') a (1 - 2uu'), so that nothing of a's pattern is left; u is a unit vector of equal elements.
void reflect(sample& s, std::size_t n) {
    const double all = 2.0 / static_cast<double>(n);
    for (int turn = 0; turn < 2; ++turn)
        for (std::size_t c = 0; c < n; ++c) {
            auto at = [&](std::size_t r) -> wide& { return s.elements[turn ? c * n + r : r * n + c]; };
            wide sum = 0;
            for (std::size_t r = 0; r < n; ++r) sum += at(r);
            for (std::size_t r = 0; r < n; ++r) at(r) -= all * sum;
        }
}

// Kinds whose values are on the diagonal, or where the matrix is so simple that they are known.
void add_simple(std::vector<sample>& l, std::size_t n, draws& d) {
    auto diagonal = [&](auto f) {
        std::vector<wide> v(n);
        for (std::size_t i = 0; i < n; ++i) v[i] = f(i);
        return v;
    };
    auto constant = [&](double x) { return std::vector<wide>(n, x); };
    l.push_back(sample_of("zero", n, [](auto, auto) { return 0.0; }, constant(0)));
    l.push_back(sample_of("identity", n, [](auto r, auto c) { return r == c ? 1.0 : 0.0; }, constant(1)));
    l.push_back(sample_of(
        "Jordan block", n, [](auto r, auto c) { return r == c       ? 2.0
                                                       : c == r + 1 ? 1.0
                                                                    : 0.0; }, constant(2)));
    l.push_back(sample_of(
        "Jordan block below", n, [](auto r, auto c) { return r == c       ? 2.0
                                                             : r == c + 1 ? 1.0
                                                                          : 0.0; }, constant(2)));
    auto at = [](std::size_t i) { return static_cast<double>(i) - 1.5; };
    l.push_back(sample_of(
        "upper triangular", n, [&](auto r, auto c) { return r == c  ? at(r)
                                                            : r < c ? d.next()
                                                                    : 0.0; }, diagonal(at)));
    l.push_back(sample_of(
        "companion of x^n = 1", n, [&](auto r, auto c) { return (r + n - 1) % n == c ? 1.0 : 0.0; },
        diagonal(
            [&](std::size_t i) { return std::polar(1.0, 2 * pi * static_cast<double>(i) / static_cast<double>(n)); })));
    auto weight = [](std::size_t c) { return 1 + static_cast<double>(c % 3); };
    std::vector<wide> lone = constant(0);
    for (std::size_t c = 0; c < n; ++c) lone[0] += weight(c);
    l.push_back(sample_of("equal rows", n, [&](auto, auto c) { return weight(c); }, lone));
}

// Kinds that need the iteration; those at the limits of numbers come last.
void add_iterated(std::vector<sample>& l, std::size_t n, const limits& t, draws& d) {
    l.push_back(sample_of("random", n, [&](auto, auto) { return d.next(); }));
    auto second_difference = [](auto r, auto c) { return r == c ? 2.0 : r + 1 == c || c + 1 == r ? -1.0 : 0.0; };
    std::vector<wide> values(n), pairs(n);
    for (std::size_t i = 0; i < n; ++i) {
        values[i] = 2 - 2 * std::cos(static_cast<double>(i + 1) * pi / static_cast<double>(n + 1));
        const double middle = static_cast<double>(i / 2);
        pairs[i] = i + 1 == n && n % 2 ? wide(middle) : wide(middle, i % 2 ? -std::sqrt(6.0) : std::sqrt(6.0));
    }
    l.push_back(sample_of("tridiagonal", n, second_difference, values));
    l.push_back(sample_of(
        "conjugate pairs", n,
        [](auto r, auto c) {
            return r == c ? static_cast<double>(r / 2) : r / 2 != c / 2 ? 0.0 : r < c ? 2.0 : -3.0;
        },
        pairs));
    reflect(l.back(), n);
    sample full = sample_of("symmetric", n, second_difference, values);
    reflect(full, n);
    l.push_back(full);
    sample scaled = full;
    scaled.name = "badly scaled", scaled.norm = norm_of(full.elements, n);
    for (std::size_t i = 0; i < n; ++i) {
        const double power = std::exp2(std::floor(2 * t.powers * d.next()));
        for (std::size_t k = 0; k < n; ++k) scaled.elements[i * n + k] *= power, scaled.elements[k * n + i] /= power;
    }
    l.push_back(scaled);
    full.name = "near overflow", full.scale = t.most / 64;
    l.push_back(full);
    full.name = "near underflow", full.scale = t.least / t.eps;
    l.push_back(full);
}

// Complex ones are turned by a diagonal unitary matrix, which leaves the values.
std::vector<sample> samples(std::size_t n, const limits& t) {
    std::vector<sample> l;
    draws d;
    add_simple(l, n, d);
    add_iterated(l, n, t, d);
    std::vector<wide> turn(n);
    for (wide& x : turn) x = t.is_complex ? std::polar(1.0, 6 * d.next()) : 1.0;
    for (sample& s : l)
        for (std::size_t i = 0; i < n * n; ++i)
            if (i / n != i % n) s.elements[i] *= turn[i / n] * std::conj(turn[i % n]);
    return l;
}

template <class T>
array<T> stack_of(const std::vector<sample>& l, std::size_t n) {
    std::vector<T> elements;
    for (const sample& s : l)
        for (const wide& x : s.elements) {
            if constexpr (codegen::is_complex(dtype_of<T>)) elements.push_back(T(x * s.scale));
            else elements.push_back(static_cast<T>(x.real() * s.scale));
        }
    const auto rows = static_cast<std::int64_t>(n);
    return array<T>(detail::store(dtype_of<T>, {static_cast<std::int64_t>(l.size()), rows, rows}, elements.data()));
}

// What rounding to the type made of the samples, and the values of those where they are not known, by LAPACK in double
// precision.
template <class T>
void round(std::vector<sample>& l, const array<T>& stack, std::size_t n) {
    const auto elements = to_vector(stack);
    const auto rows = static_cast<std::int64_t>(n);
    for (std::size_t k = 0; k < l.size(); ++k) {
        sample& s = l[k];
        for (std::size_t i = 0; i < n * n; ++i) s.elements[i] = wide(elements[k * n * n + i]) / s.scale;
        if (s.norm == 0) s.norm = norm_of(s.elements, n);
        if (!s.values.empty()) continue;
        const device_scope on(device::cpu());
        s.values =
            to_vector(linalg::eigvals(array<wide>(detail::store(dtype::complex128, {rows, rows}, s.elements.data()))));
    }
}

// The largest distance of a value from the closest of those that are left.
double distance(std::vector<wide> found, const std::vector<wide>& known) {
    double most = 0;
    for (const wide& x : known) {
        auto best = std::min_element(found.begin(), found.end(),
                                     [&](wide a, wide b) { return std::abs(a - x) < std::abs(b - x); });
        if (!(std::abs(*best - x) <= most)) most = std::abs(*best - x);
        found.erase(best);
    }
    return most;
}

// ‖a v - v w‖ / (n ‖a‖ eps), and infinite where a vector has not length 1, or is complex without a largest element that
// is real.
double residual(const sample& s, std::size_t n, const std::vector<wide>& w, const wide* v, const limits& t) {
    double most = 0;
    for (std::size_t k = 0; k < n; ++k) {
        double sum = 0, squares = 0, largest = 0, largest_real = 0;
        for (std::size_t r = 0; r < n; ++r) {
            const wide x = v[r * n + k];
            wide difference = -w[k] * x;
            for (std::size_t c = 0; c < n; ++c) difference += s.elements[r * n + c] * v[c * n + k];
            sum += std::abs(difference), squares += std::norm(x), largest = std::max(largest, std::abs(x));
            if (x.imag() == 0) largest_real = std::max(largest_real, std::abs(x));
        }
        if (!(std::abs(std::sqrt(squares) - 1) <= 4 * static_cast<double>(n + 1) * t.eps &&
              largest_real >= largest * (1 - 8 * t.eps)))
            return std::numeric_limits<double>::infinity();
        if (!(sum <= most)) most = sum;
    }
    const double bottom = static_cast<double>(n) * norm_of(s.elements, n) * t.eps;
    return most == 0 ? 0 : most / bottom;
}

template <class T>
std::vector<wide> wide_values(const std::vector<T>& all, std::size_t first, std::size_t n, double scale) {
    std::vector<wide> l;
    for (std::size_t i = 0; i < n; ++i) l.push_back(wide(all[first + i]) / scale);
    return l;
}

template <class T>
void check_stack(std::vector<sample> l, std::size_t n) {
    CAPTURE(n);
    const limits t = limits_of<T>();
    const array<T> a = stack_of<T>(l, n);
    round(l, a, n);
    auto [eigenvalues, eigenvectors] = linalg::eig(a);
    const auto w = to_vector(eigenvalues), alone = to_vector(linalg::eigvals(a)), v = to_vector(eigenvectors);
    for (std::size_t k = 0; k < l.size(); ++k) {
        INFO(std::string(to_string(dtype_of<T>)), " ", std::string(l[k].name));
        const double allowed = threshold * static_cast<double>(n) * t.eps * l[k].norm;
        const std::vector<wide> values = wide_values(w, k * n, n, l[k].scale),
                                vectors = wide_values(v, k * n * n, n * n, 1);
        CHECK(distance(values, l[k].values) <= allowed);
        CHECK(distance(wide_values(alone, k * n, n, l[k].scale), l[k].values) <= allowed);
        CHECK(residual(l[k], n, values, vectors.data(), t) <= threshold);
    }
}

}  // namespace

TEST_CASE("eig: values of stacks are those that are known, and vectors leave residuals that rounding explains") {
    on_compiling_backends([](const tested_backend&) {
        for_each_type([]<class T>(T) {
            for (std::size_t n : {1, 2, 3, 5, 10, 33}) check_stack<T>(samples(n, limits_of<T>()), n);
            if (!is_full()) return;
            for (std::size_t n : {31, 32, 50, 64, 65, 129}) check_stack<T>(samples(n, limits_of<T>()), n);
        });
    });
}

// Residuals over ‖a‖ n eps, the largest of a stack, and how far vectors are from a length of 1.
template <class T>
void check_pairs(const array<T>& a) {
    INFO(std::string(to_string(dtype_of<T>)), " ", to_string(a.shape()));
    const double n = static_cast<double>(a.shape()[2]), eps = limits_of<T>().eps;
    auto [w, v] = linalg::eig(a);
    const array<wide> x = astype<wide>(v), values = astype<wide>(w);
    const array<double> difference = sum(abs(matmul(astype<wide>(a), x) - x * expand_dims(values, 1)), 1),
                        lengths = sqrt(sum(square(abs(x)), 1));
    CHECK(double(max(difference)) <= threshold * n * eps * double(max(sum(abs(astype<wide>(a)), 1))));
    CHECK(double(max(abs(lengths - 1))) <= 4 * n * eps);
    const array<wide> traces = sum(diagonal(astype<wide>(a), 0, 1, 2), -1),
                      alone = sum(astype<wide>(linalg::eigvals(a)), -1);
    CHECK(double(max(abs(sum(values, -1) - traces))) <= threshold * n * n * eps);
    CHECK(double(max(abs(alone - traces))) <= threshold * n * n * eps);
}

TEST_CASE("eig: of a few matrices of many rows each has as many blocks as there are, and chains of bulges") {
    on_compiling_backends([](const tested_backend&) {
        const std::int64_t rows = is_full() ? 400 : 150;
        random::generator g(5);
        check_pairs(g.standard_normal<double>({2, rows, rows}).eval());
        check_pairs(g.standard_normal<float>({3, 131, 131}).eval());
        if (!is_full()) return;
        const array<wide> a = astype<wide>(g.standard_normal<double>({2, rows, rows})) +
                              wide(0, 1) * astype<wide>(g.standard_normal<double>({2, rows, rows}));
        check_pairs(a);
        check_pairs(array<std::complex<float>>(astype<std::complex<float>>(a)));
        // Two blocks that nothing connects, values that are all alike, and ones of which many are.
        array<double> parts = zeros({3, rows, rows});
        const std::int64_t half = rows / 3;
        parts(0, slice(half), slice(half)) = g.standard_normal<double>({half, half});
        parts(0, slice(half, rows), slice(half, rows)) = g.standard_normal<double>({rows - half, rows - half});
        parts(1) = ones({rows, rows});
        parts(2) =
            g.standard_normal<double>({rows, 1}) * g.standard_normal<double>({1, rows}) / static_cast<double>(rows) +
            eye<double>(rows);
        check_pairs(parts.eval());
    });
}

TEST_CASE("eig: sweeps end where diagonals vanish, subdiagonals have no squares, and a block is almost a rotation") {
    on_compiling_backends([](const tested_backend&) {
        const std::pair<std::size_t, std::vector<float>> hard[] = {
            {5, {0,
                 0,
                 -0.10582459f,
                 0,
                 0,
                 0,
                 0,
                 0,
                 -0.31554514f,
                 0,
                 -0.33670193f,
                 0,
                 0,
                 0,
                 -0.47287333f,
                 0,
                 -0.45074832f,
                 0,
                 0,
                 0,
                 0,
                 0,
                 0.46224868f,
                 0,
                 0}},
            {3, {0, 1, 0, -1, 0, 1e-9f, 2e-9f, -1e-9f, -2e-9f}},
            {4,
             {-2e-10f, 1, 0, -1e-10f, -1, -1e-10f, -2e-10f, -2e-10f, 2e-10f, -1e-10f, 0, 1, 1e-10f, 2e-10f, -1,
              -2e-10f}}};
        for (const auto& [rows, elements] : hard) {
            const auto n = rows;
            CAPTURE(n);
            std::vector<sample> l(2, {"hard", std::vector<wide>(n * n), {}});
            for (sample& x : l) std::copy(elements.begin(), elements.end(), x.elements.begin());
            check_stack<float>(l, n);
        }
    });
}

TEST_CASE("eig: a stack of many matrices costs as many calls as one of few, and no call of a library on a GPU") {
    on_compiling_backends([](const tested_backend& where) {
        auto costs = [](std::int64_t matrices) {
            array<double> a = random::random({matrices, 4, 4}).eval();
            const auto before = counters();
            eval(linalg::eig(a));
            const auto after = counters();
            return std::pair(after.launches - before.launches, after.library_calls - before.library_calls);
        };
        costs(3);
        const auto few = costs(3), many = costs(30);
        CHECK(few == many);
        CHECK(many.second == (where.is_cuda() ? 0 : 1));
    });
}

TEST_CASE(
    "eig: leading axes broadcast, transposed matrices are read as they lie, and stacks without elements stay so") {
    on_compiling_backends([](const tested_backend&) {
        for_each_type([]<class T>(T) {
            using C = linalg::detail::complex_of<T>;
            const array<T> a = linalg_golden::matrix<T>("stack");
            const double tolerance = limits_of<T>().eps * 1000;
            auto same = [&](const array<T>& x) {
                auto [w, v] = linalg::eig(x);
                CHECK(w.shape() == dims(2, 3, 4));
                CHECK(allclose(matmul(astype<C>(x), v), v * std::as_const(w)(ellipsis, newaxis, all), 0, tolerance));
            };
            same(a);
            same(a.mT());
            same(array<T>(broadcast_to(a(1), {2, 3, 4, 4})));
            CHECK(linalg::eig(zeros<T>({0, 3, 3})).eigenvectors.eval().shape() == dims(0, 3, 3));
            CHECK(linalg::eig(zeros<T>({2, 0, 0})).eigenvalues.eval().shape() == dims(2, 0));
            CHECK(linalg::eig(zeros<T>({0, 0})).eigenvectors.eval().shape() == dims(0, 0));
        });
    });
}

TEST_CASE("eig: a matrix with numbers that are none is named in its stack") {
    on_compiling_backends([](const tested_backend&) {
        for (double bad : {constants::nan, constants::inf}) {
            array<double> a = eye(3) + zeros({2, 4, 3, 3});
            a(1, 2, 2, 0) = bad;
            CHECK(failure_of(linalg::eigvals(a)) == "[eigvals] matrix (1, 2) has elements that are not finite");
            CHECK(failure_of(linalg::eig(astype<std::complex<float>>(a)).eigenvectors) ==
                  "[eig] matrix (1, 2) has elements that are not finite");
            array<std::complex<double>> b = eye(3) + zeros({2, 4, 3, 3});
            b(1, 2, 2, 0) = std::complex<double>(0, bad);
            CHECK(failure_of(linalg::eig(b).eigenvectors) == "[eig] matrix (1, 2) has elements that are not finite");
            CHECK(failure_of(linalg::eigvals(astype<std::complex<float>>(b))) ==
                  "[eigvals] matrix (1, 2) has elements that are not finite");
        }
    });
}

TEST_CASE("eig: complex elements whose parts are finite have eigenvalues, though the parts' sum overflows") {
    on_every_backend([](const tested_backend&) {
        for_each_type([]<class T>(T) {
            if constexpr (codegen::is_complex(dtype_of<T>)) {
                using R = linalg::detail::real_part<T>;
                const R part = std::numeric_limits<R>::max() * R(0.6);
                for (int n : {2, 34}) {
                    CAPTURE(n);
                    array<T> a = flip(eye<T>(n), 1) * T(part, part) + zeros<T>({2, n, n});
                    auto [w, v] = linalg::eig(a);
                    const array<R> x = real(w) / part, y = imag(w) / part;
                    const double tolerance = limits_of<T>().eps * 100;
                    CHECK(allclose(abs(x), 1, 0, tolerance));
                    CHECK(allclose(x, y, 0, tolerance));
                    CHECK(allclose(sum(x, -1), 0, 0, tolerance));
                    const array<T> unit = astype<T>(x)(ellipsis, newaxis, all);
                    CHECK(allclose(matmul(flip(eye<T>(n), 1), v), v * unit, 0, tolerance));
                }
            }
        });
    });
}
