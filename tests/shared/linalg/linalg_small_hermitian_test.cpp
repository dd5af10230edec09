// Hermitian matrices of a few rows, which GPUs rotate: eigenvalues and vectors of any scale, as good as a library's.
#include "support/linalg_ratio.hpp"

using namespace sinter;
using namespace test_backends;
using namespace linalg_ratio;

TEST_CASE("linalg: small Hermitian matrices have eigenvalues and vectors of any scale, from either triangle") {
    for_each_type([]<class T>(T) {
        using R = real_of<T>;
        CAPTURE(to_string(dtype_of<T>));
        const auto largest = static_cast<double>(std::numeric_limits<R>::max()) / 64,
                   least = static_cast<double>(std::numeric_limits<R>::min());
        for (std::int64_t n = 1; n <= 5; ++n) {
            CAPTURE(n);
            array<T> a = zeros<T>({9, n, n});
            const array<T> any = matrix<T>(n, n, spectrum::moderate), ones_of = ones<T>({n, n});
            a(0) = any + adjoint(any);
            a(1) = ones_of;
            a(3) = eye<T>(n) * T(3);
            a(4) = diag(astype<T>(arange<R>(n) * R(-2) + R(1)));
            a(5) = a(4) + ones_of * T(std::numeric_limits<R>::epsilon() / 2);
            a(6) = (any + adjoint(any)) * T(static_cast<R>(largest));
            a(7) = ones_of * T(static_cast<R>(least));
            a(8) = matmul(any, adjoint(any));
            const auto f = linalg::eigh(a);
            const array<T> lower = tril(a) + triu(ones<T>({n, n}), 1) * T(7),
                           upper = triu(a) - tril(ones<T>({n, n}), -1);
            const array<R> alone = linalg::eigvalsh(a), from_lower = linalg::eigvalsh(lower),
                           from_upper = linalg::eigvalsh(upper, 'U');
            for (std::int64_t i = 0; i < a.shape()[0]; ++i) {
                CAPTURE(i);
                const double scale = i == 6 ? largest : i == 7 ? least : 1;
                const array<wide> m = widened(a(i), scale), v = widened(f.eigenvectors(i));
                const double allowed = 4 * static_cast<double>(n) * epsilon<T>() * (1 + double(max(abs(m))));
                const array<double> w = real(widened(f.eigenvalues(i), scale));
                CHECK(double(max(abs(matmul(m, v) - v * w))) <= allowed);
                CHECK(orthogonality<T>(v) <= threshold);
                if (n > 1) CHECK(bool(all(diff(w) >= 0.0)));
                CHECK(double(max(abs(widened(alone(i), scale) - w))) <= allowed);
                CHECK(double(max(abs(widened(from_lower(i), scale) - w))) <= allowed);
                CHECK(double(max(abs(widened(from_upper(i), scale) - w))) <= allowed);
            }
        }
    });
}

TEST_CASE("linalg: small Hermitian matrices have eigenvalues where both parts of an element are almost the largest") {
    on_every_backend([](const tested_backend&) {
        auto has_values = []<class R>(R) {
            using T = std::complex<R>;
            const R largest = std::numeric_limits<R>::max() * R(0.6);
            for (std::int64_t n = 2; n <= 4; ++n) {
                array<T> a = zeros<T>({2, n, n});
                a(1, 0, n - 1) = T(largest, largest), a(1, n - 1, 0) = T(largest, -largest);
                const array<R> values = linalg::eigvalsh(a)(1);
                CHECK(R(values(0)) / largest == doctest::Approx(-std::sqrt(2.0)));
                CHECK(R(values(n - 1)) / largest == doctest::Approx(std::sqrt(2.0)));
            }
        };
        has_values(float());
        has_values(double());
    });
}
