// Factorisations by LAPACK's own measure, for its kinds of matrices and awkward sizes.
#include "support/linalg_ratio.hpp"

#include <numeric>

using namespace sinter;
using namespace test_backends;
using namespace linalg_ratio;

namespace {

// The largest takes minutes on a CPU, and would take hours on an emulated GPU.
std::vector<std::int64_t> sizes() {
    std::vector<std::int64_t> all{0, 1, 2, 3, 5, 10, 50, 129};
    if (is_full() && !std::getenv("SINTER_EMULATED_CACHE")) all.push_back(1000);
    return all;
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

template <class Body>
void for_each_shape(Body body) {
    for (std::int64_t n : sizes()) {
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
        for (std::int64_t n : sizes()) {
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
        for (dims d : {dims(320, 33), dims(321, 9), dims(513, 513), dims(1025, 17), dims(2049, 70), dims(8193, 40),
                       dims(16385, 5), dims(40, 9000)}) {
            INFO(std::string(to_string(dtype_of<T>)), " ", to_string(d));
            const std::int64_t m = d[0], n = d[1], k = std::min(m, n);
            array<T> a = matrix<T>(m, n, spectrum::moderate);
            const auto f = linalg::lu_factor(a);
            const auto piv = to_vector(f.piv);
            std::vector<std::int64_t> rows(static_cast<std::size_t>(m));
            std::iota(rows.begin(), rows.end(), 0);
            for (std::int64_t i = 0; i < k; ++i)
                std::swap(rows[static_cast<std::size_t>(i)],
                          rows[static_cast<std::size_t>(piv[static_cast<std::size_t>(i)])]);
            const array<wide> w = widened(a), both = widened(f.lu),
                              lower = tril(both, -1)(all, slice(k)) + eye<wide>(m, k);
            const array<wide> exchanged = take(w, asarray(rows), 0);
            CHECK(ratio<T>(exchanged - matmul(lower, triu(both)(slice(k), all)), w, n) <= threshold);
            CHECK(double(max(abs(lower))) <= (codegen::is_complex(dtype_of<T>) ? 1.5 : 1 + epsilon<T>()));
        }
    });
}

TEST_CASE(
    "linalg: the largest element becomes the pivot, the first of equal ones, and by however little it is larger") {
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
        for (std::int64_t n : sizes()) {
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
        for (std::int64_t n : sizes()) {
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
                if (full && k > 129) continue;  // for squares it is the same
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
        for (std::int64_t n : sizes()) {
            CAPTURE(n);
            const double scale = scale_of<T>(s);
            array<T> a = matrix<T>(n, n, s);
            auto [w, v] = linalg::eig(a);
            array<wide> values = widened(w, scale), vectors = widened(v);
            CHECK(ratio<T>(matmul(widened(a, scale), vectors) - vectors * values, widened(a, scale), n) <= threshold);
        }
    });
}
