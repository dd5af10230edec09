// Factors and triangular equations of matrices on either side of the size up to which a CPU calls no library for them.
#include "support/backends.hpp"
#include "support/linalg_golden.hpp"

using namespace sinter;
using namespace test_backends;
using linalg_golden::for_each_type;
namespace lapack = sinter::linalg::lapack;

namespace {

constexpr std::int64_t sides[] = {1, 2, 3, 7, 16, 17};

template <class T>
double tolerance() {
    return codegen::real_of(dtype_of<T>) == dtype::float32 ? 2e-4 : 1e-12;
}

template <class T>
array<T> draw(const dims& shape) {
    array<T> x = astype<T>(random::standard_normal(shape));
    if constexpr (codegen::is_complex(dtype_of<T>)) x = x + T(0, 1) * astype<T>(random::standard_normal(shape));
    return x;
}

// Which matrix an operation of LAPACK makes of one.
template <class T>
array<T> applied(char operation, const array<T>& a) {
    return operation == 'N' ? a : operation == 'T' ? array<T>(a.mT()) : array<T>(conj(a).mT());
}

// The matrix that is meant where only a triangle is read, perhaps with ones on its diagonal.
template <class T>
array<T> triangle_of(const array<T>& a, bool upper, bool unit) {
    const array<T> one = eye<T>(a.shape().back());
    return unit ? array<T>((upper ? triu(a, 1) : tril(a, -1)) + one) : upper ? triu(a) : tril(a);
}

}  // namespace

TEST_CASE("linalg: triangular equations hold from either side, of both triangles, transposed, conjugated, with ones") {
    on_every_backend([](const tested_backend&) {
        random::seed(5);
        for_each_type([]<class T>(T) {
            for (const std::int64_t n : sides) {
                const array<T> a = T(0.1) * draw<T>({3, n, n}) + T(2) * eye<T>(n);
                for (const char side : {'L', 'R'})
                    for (const char uplo : {'U', 'L'})
                        for (const char operation : {'N', 'T', 'C'})
                            for (const char diagonal : {'N', 'U'}) {
                                const array<T> b = side == 'L' ? draw<T>({3, 2, n}) : draw<T>({3, n, 2});
                                array<T> x = b.copy();
                                lapack::trsm(side, uplo, operation, diagonal, a, x);
                                // LAPACK sees arrays transposed.
                                const array<T> op =
                                    applied(operation, triangle_of(array<T>(a.mT()), uplo == 'U', diagonal == 'U'));
                                const array<T> product =
                                    side == 'L' ? matmul(op, array<T>(x.mT())) : matmul(array<T>(x.mT()), op);
                                INFO(std::string(to_string(dtype_of<T>)), " ", n, " ", side, uplo, operation, diagonal);
                                CHECK(double(max(abs(product - b.mT()))) <= tolerance<T>());
                            }
            }
        });
    });
}

TEST_CASE("linalg: a matrix has the same factors, solutions and inverse alone as in a stack that threads share") {
    on_every_backend([](const tested_backend& where) {
        if (where.is_cuda()) return;
        random::seed(6);
        for_each_type([]<class T>(T) {
            for (const std::int64_t n : sides) {
                const array<T> a = draw<T>({5000, n, n}), b = draw<T>({5000, n, 2});
                const array<T> x = linalg::solve(a, b), inverse = linalg::inv(a), determinant = linalg::det(a);
                INFO(std::string(to_string(dtype_of<T>)), " ", n);
                for (const std::int64_t i : {0, 2499, 2500, 4999}) {
                    const array<T> one = a(i), right = b(i);
                    CHECK(array_equal(x(i), linalg::solve(one, right)));
                    CHECK(array_equal(inverse(i), linalg::inv(one)));
                    CHECK(array_equal(determinant(i), linalg::det(one)));
                }
            }
        });
    });
}

TEST_CASE("linalg: what is NaN in a small matrix is NaN in its Cholesky factor, as in NumPy's") {
    on_every_backend([](const tested_backend&) {
        for_each_type([]<class T>(T) {
            for (const std::int64_t n : sides) {
                array<T> a = eye<T>(n);
                a(n / 2, n / 2) = T(codegen::ieee::quiet_nan);
                CHECK(bool(isnan(linalg::cholesky(a).eval()(n / 2, n / 2)).item()));
                a(n / 2, n / 2) = T(-1);
                CHECK_THROWS_AS(to_vector(array<T>(linalg::cholesky(a))), linalg_error);
            }
        });
    });
}

TEST_CASE("linalg: of small singular matrices the first is named, and determinants of such and with NaN are known") {
    on_every_backend([](const tested_backend&) {
        for_each_type([]<class T>(T) {
            array<T> stack = zeros<T>({5000, 3, 3}) + eye<T>(3);
            stack(4100, 1) = T(0);
            stack(2600, 2) = T(0);
            CHECK_THROWS_WITH_AS(to_vector(array<T>(linalg::inv(stack))), doctest::Contains("2600"), linalg_error);
            CHECK_THROWS_WITH_AS(to_vector(array<T>(linalg::solve(stack, stack))), doctest::Contains("2600"),
                                 linalg_error);
            const array<T> determinants = linalg::det(stack);
            CHECK(T(determinants(2600).item()) == T(0));
            CHECK(T(determinants(2601).item()) == T(1));
            stack(7, 0, 0) = T(codegen::ieee::quiet_nan);
            // Beside a pivot of zero, on either side of the diagonal.
            const T infinite = T(codegen::ieee::infinity);
            for (const std::int64_t i : {8, 9, 10, 11}) stack(i, 0, 0) = T(0);
            stack(8, 0, 1) = T(codegen::ieee::quiet_nan);
            stack(9, 1, 0) = T(codegen::ieee::quiet_nan);
            stack(10, 0, 2) = infinite;
            stack(11, 2, 0) = infinite;
            stack(12, 0, 0) = infinite;
            stack(12, 2, 2) = T(0);
            const array<bool> lost = isnan(linalg::det(stack));
            for (const std::int64_t i : {7, 8, 9, 10, 11, 12}) CHECK(lost(i).item());
            CHECK(!lost(13).item());
        });
    });
}
