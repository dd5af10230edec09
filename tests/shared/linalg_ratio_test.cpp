// LAPACK's own measure of factorisations: residuals over what rounding may cost, for its kinds of matrices and awkward
// sizes.
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <sinter/sinter.hpp>
#include <vector>

#include "../backends.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

using wide = std::complex<double>;

constexpr double threshold = 30;
const std::int64_t sizes[] = {0, 1, 2, 3, 5, 10, 50, 129};

enum class spectrum { flat, moderate, ill, near_overflow, near_underflow, deficient, zero };
const spectrum all_spectra[] = {spectrum::flat,           spectrum::moderate,  spectrum::ill, spectrum::near_overflow,
                                spectrum::near_underflow, spectrum::deficient, spectrum::zero};
const char* const names[] = {"condition 1",    "condition 10", "condition 1/eps", "near overflow", "near underflow",
                             "rank deficient", "zero"};

template <class T>
using real_of = typename linalg::detail::real_part<T>;

template <class T>
double epsilon() {
    return std::numeric_limits<real_of<T>>::epsilon();
}

// What a matrix of a kind is multiplied by at the end.
template <class T>
double scale_of(spectrum s) {
    using R = real_of<T>;
    const double small = std::numeric_limits<R>::min() / std::numeric_limits<R>::epsilon() / 0.25;
    return s == spectrum::near_overflow ? 1 / small : s == spectrum::near_underflow ? small : 1;
}

std::vector<double> singular_values(spectrum s, std::int64_t k, double eps) {
    std::vector<double> d(static_cast<std::size_t>(k), 1.0);
    for (std::int64_t i = 0; i < k; ++i) {
        double& x = d[static_cast<std::size_t>(i)];
        const double part = k > 1 ? static_cast<double>(i) / static_cast<double>(k - 1) : 0;
        if (s == spectrum::moderate || s == spectrum::near_overflow || s == spectrum::near_underflow)
            x = std::pow(10.0, -part);
        if (s == spectrum::ill) x = std::pow(0.1 / eps, -part);
        if (s == spectrum::deficient) x = i >= (k + 1) / 2 ? 0 : std::pow(10.0, -part);
        if (s == spectrum::zero) x = 0;
    }
    return d;
}

// A reproducible unit vector.
std::vector<wide> direction(std::int64_t n, unsigned seed, bool is_complex) {
    std::vector<wide> v(static_cast<std::size_t>(n));
    double sum = 0;
    auto next = [&] { return ((seed = seed * 1664525u + 1013904223u) >> 8) / double(1 << 24) - 0.5; };
    for (wide& x : v) {
        x = {next(), is_complex ? next() : 0.0};
        sum += std::norm(x);
    }
    for (wide& x : v) x /= std::sqrt(sum > 0 ? sum : 1);
    return v;
}

// (1 - 2uu') D (1 - 2vv'), m rows and n columns, with these singular values; Hermitian and positive where v is u.
template <class T>
array<T> matrix(std::int64_t m, std::int64_t n, spectrum s, bool positive = false) {
    constexpr bool is_complex = codegen::is_complex(dtype_of<T>);
    const std::int64_t k = std::min(m, n);
    const std::vector<double> d = singular_values(s, k, epsilon<T>());
    const std::vector<wide> u = direction(m, 1, is_complex), v = positive ? u : direction(n, 2, is_complex);
    std::vector<T> elements(static_cast<std::size_t>(m * n));
    wide udv = 0;
    for (std::int64_t i = 0; i < k; ++i) udv += std::conj(u[std::size_t(i)]) * d[std::size_t(i)] * v[std::size_t(i)];
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
            auto ii = static_cast<std::size_t>(i), jj = static_cast<std::size_t>(j);
            wide x = i == j ? d[ii] : 0.0;
            if (j < k) x -= 2.0 * u[ii] * std::conj(u[jj]) * d[jj];
            if (i < k) x -= 2.0 * d[ii] * v[ii] * std::conj(v[jj]);
            x += 4.0 * u[ii] * udv * std::conj(v[jj]);
            if (positive && i == j) x = x.real();
            x *= scale_of<T>(s);
            if constexpr (is_complex) elements[ii * static_cast<std::size_t>(n) + jj] = T(x);
            else elements[ii * static_cast<std::size_t>(n) + jj] = static_cast<T>(x.real());
        }
    return array<T>(detail::store(dtype_of<T>, {m, n}, elements.data()));
}

template <expression E>
array<wide> widened(const E& e, double divisor = 1) {
    return astype<wide>(e) / wide(divisor);
}

template <expression E>
double norm1(const E& e) {
    if (e.size() == 0) return 0;
    return max(sum(abs(e), 0)).item();
}

template <expression E>
array<value_type_t<E>> adjoint(const E& e) {
    return conj(e).mT();
}

// ‖residual‖ / (n ‖a‖ eps), as LAPACK's tests count.
template <class T, expression E, expression A>
double ratio(const E& residual, const A& a, std::int64_t n) {
    const double top = norm1(residual), bottom = norm1(a);
    if (top == 0) return 0;
    return bottom == 0 ? 1 / epsilon<T>() : top / bottom / (static_cast<double>(n) * epsilon<T>());
}

// ‖q' q - 1‖ / (n eps)
template <class T, expression Q>
double orthogonality(const Q& q) {
    array<wide> w = widened(q);
    const std::int64_t k = q.shape()[1], n = q.shape()[0];
    if (q.size() == 0) return 0;
    return norm1(matmul(adjoint(w), w) - eye<wide>(k)) / (static_cast<double>(n) * epsilon<T>());
}

template <class Body>
void for_each_matrix(Body body) {
    on_compiling_backends([&](const tested_backend&) {
        auto of_type = [&]<class T>(T) {
            for (spectrum s : all_spectra) {
                INFO(std::string(to_string(dtype_of<T>)), ", ", std::string(names[static_cast<int>(s)]));
                body(T(), s);
            }
        };
        of_type(float());
        of_type(wide());
        // On a CPU the others differ in LAPACK's code only.
        if (!is_full() && !is_device_executable) return;
        of_type(double());
        of_type(std::complex<float>());
    });
}

const dims rectangles[] = {{5, 3}, {3, 5}, {50, 10}, {10, 50}, {129, 50}, {1, 7}, {7, 1}};

/// The body for an element of each type that LAPACK has.
template <class Body>
void for_each_type(Body body) {
    on_compiling_backends([&](const tested_backend&) {
        body(float());
        body(double());
        body(std::complex<float>());
        body(wide());
    });
}

template <class Body>
void for_each_shape(Body body) {
    for (std::int64_t n : sizes) {
        CAPTURE(n);
        body(n, n);
    }
    for (const dims& d : rectangles) {
        INFO(to_string(d));
        body(d[0], d[1]);
    }
}

}  // namespace

TEST_CASE("linalg: LU factors multiply to the matrix as far as rounding allows") {
    for_each_matrix([]<class T>(T, spectrum s) {
        for_each_shape([&](std::int64_t m, std::int64_t n) {
            const double scale = scale_of<T>(s);
            array<T> a = matrix<T>(m, n, s);
            auto [p, l, u] = linalg::lu(a);
            CHECK(ratio<T>(matmul(widened(p), matmul(widened(l), widened(u, scale))) - widened(a, scale),
                           widened(a, scale), n) <= threshold);
            if (l.size()) CHECK(double(max(abs(l))) <= 1.5);
        });
    });
}

TEST_CASE("linalg: solutions and inverses leave residuals that rounding explains") {
    for_each_matrix([]<class T>(T, spectrum s) {
        if (s == spectrum::deficient || s == spectrum::zero) return;
        for (std::int64_t n : sizes) {
            CAPTURE(n);
            const double scale = scale_of<T>(s);
            array<T> a = matrix<T>(n, n, s), b = matrix<T>(n, 3, spectrum::moderate);
            array<wide> wa = widened(a, scale), x = widened(linalg::solve(a, b), 1 / scale), wb = widened(b);
            if (n == 0) {
                CHECK(x.shape() == dims(0, 3));
                continue;
            }
            const double largest = norm1(wa) * norm1(x);
            CHECK(norm1(matmul(wa, x) - wb) / (largest * static_cast<double>(n) * epsilon<T>()) <= threshold);
            array<wide> inverse = widened(linalg::inv(a), 1 / scale);
            CHECK(norm1(matmul(inverse, wa) - eye<wide>(n)) /
                      (norm1(wa) * norm1(inverse) * static_cast<double>(n) * epsilon<T>()) <=
                  threshold);
        }
    });
}

TEST_CASE("linalg: inverses of every size round a warp and a block are as good from either side") {
    for_each_type([](auto t) {
        using T = decltype(t);
        for (std::int64_t n : {1, 31, 32, 33, 255, 256, 257, 512, 600, 2047}) {
            if (n > 1000 && !(is_device_executable && std::is_same_v<T, double>)) continue;  // seconds on a CPU
            CAPTURE(n);
            array<T> a = matrix<T>(n, n, spectrum::moderate);
            array<wide> x = widened(linalg::inv(a)), w = widened(a);
            const double allowed = threshold * norm1(w) * norm1(x) * static_cast<double>(n) * epsilon<T>();
            CHECK(norm1(matmul(x, w) - eye<wide>(n)) <= allowed);
            CHECK(norm1(matmul(w, x) - eye<wide>(n)) <= allowed);
        }
    });
}

TEST_CASE("linalg: LU factors of few and of many rows multiply to the matrix, rows being exchanged") {
    for_each_type([](auto t) {
        using T = decltype(t);
        for (dims d : {dims(320, 33), dims(321, 9), dims(513, 513), dims(1025, 17), dims(2049, 70), dims(8193, 40), dims(16385, 5), dims(40, 9000)}) {
            INFO(std::string(to_string(dtype_of<T>)), " ", to_string(d));
            const std::int64_t m = d[0], n = d[1], k = std::min(m, n);
            array<T> a = matrix<T>(m, n, spectrum::moderate);
            const auto f = linalg::lu_factor(a);
            const auto piv = to_vector(f.piv);
            std::vector<std::int64_t> rows(static_cast<std::size_t>(m));
            std::iota(rows.begin(), rows.end(), 0);
            for (std::int64_t i = 0; i < k; ++i) std::swap(rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(piv[static_cast<std::size_t>(i)])]);
            const array<wide> w = widened(a), both = widened(f.lu), lower = tril(both, -1)(all, slice(k)) + eye<wide>(m, k);
            const array<wide> exchanged = take(w, asarray(rows), 0);
            CHECK(ratio<T>(exchanged - matmul(lower, triu(both)(slice(k), all)), w, n) <= threshold);
            CHECK(double(max(abs(lower))) <= (codegen::is_complex(dtype_of<T>) ? 1.5 : 1 + epsilon<T>()));
        }
    });
}

TEST_CASE("linalg: the largest element becomes the pivot, the first of equal ones, and by however little it is larger") {
    on_compiling_backends([](const tested_backend&) {
        for (std::int64_t m : {3, 100, 321, 1500, 9001})
            for (std::int64_t largest : {std::int64_t(0), m / 3, m / 2, m - 1}) {
                std::vector<double> column(static_cast<std::size_t>(m), -1.0);
                for (std::size_t i = 0; i < column.size(); i += 2) column[i] = 1;
                array<double> equal = reshape(asarray(column), {m, 1});
                CHECK(linalg::lu_factor(equal).piv(0).item() == 0);
                column[static_cast<std::size_t>(largest)] = -std::nextafter(1.0, 2.0);
                array<double> close = reshape(asarray(column), {m, 1});
                CHECK(linalg::lu_factor(close).piv(0).item() == largest);
            }
    });
}

TEST_CASE("linalg: Cholesky factors multiply to the matrix as far as rounding allows") {
    for_each_matrix([]<class T>(T, spectrum s) {
        if (s == spectrum::deficient || s == spectrum::zero || s == spectrum::ill) return;
        for (std::int64_t n : sizes) {
            CAPTURE(n);
            const double scale = scale_of<T>(s);
            array<T> a = matrix<T>(n, n, s, true);
            array<wide> l = widened(linalg::cholesky(a), std::sqrt(scale)),
                        u = widened(linalg::cholesky(a, {.upper = true}), std::sqrt(scale));
            CHECK(ratio<T>(matmul(l, adjoint(l)) - widened(a, scale), widened(a, scale), n) <= threshold);
            CHECK(ratio<T>(matmul(adjoint(u), u) - widened(a, scale), widened(a, scale), n) <= threshold);
        }
    });
}

TEST_CASE("linalg: QR factors are orthonormal and multiply to the matrix") {
    for_each_matrix([]<class T>(T, spectrum s) {
        for_each_shape([&](std::int64_t m, std::int64_t n) {
            const double scale = scale_of<T>(s);
            array<T> a = matrix<T>(m, n, s);
            for (const char* mode : {"reduced", "complete"}) {
                auto [q, r] = linalg::qr(a, mode);
                CHECK(ratio<T>(matmul(widened(q), widened(r, scale)) - widened(a, scale), widened(a, scale),
                               std::max(m, n)) <= threshold);
                CHECK(orthogonality<T>(q) <= threshold);
            }
        });
    });
}

TEST_CASE("linalg: eigenvectors of Hermitian matrices are orthonormal and diagonalise them") {
    for_each_matrix([]<class T>(T, spectrum s) {
        for (std::int64_t n : sizes) {
            CAPTURE(n);
            const double scale = scale_of<T>(s);
            array<T> a = matrix<T>(n, n, s, true);
            auto [w, v] = linalg::eigh(a);
            array<wide> values = widened(w, scale), vectors = widened(v);
            CHECK(ratio<T>(matmul(widened(a, scale), vectors) - vectors * values, widened(a, scale), n) <= threshold);
            CHECK(orthogonality<T>(v) <= threshold);
            if (n > 1) CHECK(bool(all(diff(w) >= real_of<T>(0))));
        }
    });
}

TEST_CASE("linalg: singular vectors are orthonormal and singular values descend") {
    for_each_matrix([]<class T>(T, spectrum s) {
        for_each_shape([&](std::int64_t m, std::int64_t n) {
            const double scale = scale_of<T>(s);
            const std::int64_t k = std::min(m, n);
            array<T> a = matrix<T>(m, n, s);
            for (bool full : {true, false}) {
                auto [u, values, vh] = linalg::svd(a, {.full_matrices = full});
                array<wide> product = matmul(widened(std::as_const(u)(all, slice(k))) * widened(values, scale),
                                             widened(std::as_const(vh)(slice(k), all)));
                CHECK(ratio<T>(product - widened(a, scale), widened(a, scale), std::max(m, n)) <= threshold);
                CHECK(orthogonality<T>(u) <= threshold);
                CHECK(orthogonality<T>(adjoint(vh)) <= threshold);
                if (k > 1) CHECK(bool(all(diff(values) <= real_of<T>(0))));
                array<wide> alone = widened(linalg::svdvals(a), scale);
                if (k > 0)
                    CHECK(ratio<T>(alone - widened(values, scale), widened(a, scale), std::max(m, n)) <= threshold);
            }
        });
    });
}

TEST_CASE("linalg: eigenvectors of any matrices are mapped to multiples of themselves") {
    for_each_matrix([]<class T>(T, spectrum s) {
        for (std::int64_t n : sizes) {
            CAPTURE(n);
            const double scale = scale_of<T>(s);
            array<T> a = matrix<T>(n, n, s);
            auto [w, v] = linalg::eig(a);
            array<wide> values = widened(w, scale), vectors = widened(v);
            CHECK(ratio<T>(matmul(widened(a, scale), vectors) - vectors * values, widened(a, scale), n) <= threshold);
        }
    });
}
