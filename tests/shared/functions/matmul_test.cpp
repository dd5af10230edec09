// Matrix products against NumPy: types, layouts, stacks, vectors, empty matrices, and what is fused around them.
#include "support/backends.hpp"
#include "support/language_golden.hpp"

#include <sinter/runtime/library/blas.hpp>

#include <utility>

using namespace sinter;
using namespace test_backends;
using golden::check;
using golden::data;

namespace {

template <class T>
void check_type(double tolerance) {
    check("matmul " + std::string(to_string(dtype_of<T>)), matmul(data<T>({5, 7}, 1), data<T>({7, 3}, 2)), tolerance);
}

}  // namespace

TEST_CASE("products of every type are NumPy's") {
    on_every_backend([](const tested_backend&) {
        check_type<float>(1e-6);
        check_type<double>(1e-14);
        check_type<std::complex<float>>(1e-6);
        check_type<std::complex<double>>(1e-14);
        check_type<std::int32_t>(0);
        check_type<std::uint8_t>(0);
        check_type<bool>(0);
        check("matmul mixed", matmul(data<float>({5, 7}, 1), data<std::int32_t>({7, 3}, 2)), 1e-14);
    });
}

TEST_CASE("products read transposed and strided matrices as they stand") {
    on_every_backend([](const tested_backend&) {
        array<double> a = data<double>({5, 7}, 1), b = data<double>({7, 3}, 2), big = data<double>({10, 14}, 1),
                      wide = data<double>({7, 6}, 2);
        check("matmul transposed", matmul(data<double>({7, 5}, 1).T(), data<double>({3, 7}, 2).T()), 1e-14);
        check("matmul strided",
              matmul(big(slice(none, none, 2), slice(none, none, 2)), wide(slice(none, none, -1), slice(1, 6, 2))),
              1e-14);
        check("gram", matmul(a, a.T()), 1e-14);
        check("chain", matmul(matmul(a, b), data<double>({3, 4}, 3)), 1e-14);
    });
}

TEST_CASE("stacks of matrices broadcast, vectors gain and lose an axis") {
    on_every_backend([](const tested_backend&) {
        array<double> a = data<double>({5, 7}, 1), b = data<double>({7, 3}, 2), stack = data<double>({4, 5, 7}, 1);
        check("matmul stack", matmul(stack, data<double>({4, 7, 3}, 2)), 1e-14);
        check("matmul stack broadcast", matmul(data<double>({2, 1, 5, 7}, 1), data<double>({4, 7, 3}, 2)), 1e-14);
        check("matmul stack matrix", matmul(stack, b), 1e-14);
        check("matmul matrix vector", matmul(a, data<double>({7}, 3)), 1e-14);
        check("matmul vector matrix", matmul(data<double>({5}, 3), a), 1e-14);
        check("matmul vector vector", matmul(data<double>({7}, 3), data<double>({7}, 4)), 1e-14);
        check("matmul vector vector", dot(data<double>({7}, 3), data<double>({7}, 4)), 1e-14);
        check("matmul stack vector", matmul(stack, data<double>({7}, 2)), 1e-14);
        check("outer", outer(data<double>({4}, 1), data<double>({3}, 2)));
    });
}

TEST_CASE(
    "products with a matrix of one row or one column are sums over what it is multiplied with, wherever it lies") {
    on_every_backend([](const tested_backend&) {
        auto of_type = []<class T>(T) {
            const array<T> m = data<T>({9, 14}, 1), long_one = data<T>({14, 6}, 2), other = data<T>({6, 9}, 3);
            auto product = [](const array<T>& a, const array<T>& b) {
                return sum(a(all, all, newaxis) * b(newaxis, all, all), 1);
            };
            auto near = [](const array<T>& a, const array<T>& b) {
                CHECK(a.shape() == b.shape());
                CHECK(double(max(abs(a - b))) < 1e-4);
            };
            const slice odd(1, none, 2), one(2, 3);
            const array<T> turned = m.T(), row = other(one), column = long_one(all, one);
            for (const array<T>& b : {column, array<T>(other(one, slice(0, 7)).T())}) {
                if (b.shape(0) == 14) near(matmul(m, b), product(m, b));
                else near(matmul(m(all, odd), b), product(array<T>(m(all, odd)), b));
            }
            near(matmul(array<T>(long_one.T()), column), product(array<T>(long_one.T()), column));
            near(matmul(row, m), product(row, m));
            near(matmul(array<T>(other(all, one).T()), other), product(array<T>(other(all, one).T()), other));
            near(matmul(array<T>(column.T()), turned), product(array<T>(column.T()), turned));
            near(matmul(row, array<T>(other.T())), product(row, array<T>(other.T())));
            near(matmul(row, array<T>(row.T())), product(row, array<T>(row.T())));
            if constexpr (codegen::is_complex(dtype_of<T>)) {
                const array<T> adjoint = conj(long_one).T();
                near(matmul(adjoint, column), product(adjoint, column));
                near(matmul(array<T>(column.T()), array<T>(conj(m).T())),
                     product(array<T>(column.T()), array<T>(conj(m).T())));
            }
        };
        of_type(float());
        of_type(double());
        of_type(std::complex<float>());
        of_type(std::complex<double>());
    });
}

TEST_CASE("an empty inner dimension gives zeros") {
    on_every_backend([](const tested_backend&) {
        check("matmul empty", matmul(zeros<double>({3, 0}), zeros<double>({0, 2})));
        CHECK(matmul(zeros<double>({0, 4}), zeros<double>({4, 2})).eval().size() == 0);
    });
}

TEST_CASE("expressions around a product are fused kernels") {
    on_every_backend([](const tested_backend&) {
        array<double> a = data<double>({5, 7}, 1), b = data<double>({7, 3}, 2);
        array<double> c = matmul(a * 2 + 1, b - 3) + 1;
        explanation e = explain(c);
        CHECK(e.library_calls() == 1);
        CHECK(e.kernels() <= 3);
        check("matmul of expressions", c, 1e-13);
    });
}

TEST_CASE("products with vectors are fused with what computes the matrix and with what follows") {
    on_every_backend([](const tested_backend& b) {
        array<double> m = data<double>({5, 7}, 1), n = data<double>({5, 7}, 2), x = data<double>({7}, 3),
                      z = data<double>({5}, 4);
        auto is_one_kernel = [](array<double> y, std::int64_t read) {
            explanation e = explain(y);
            CHECK(e.kernels() == 1);
            CHECK(e.library_calls() == 0);
            CHECK(e.bytes_read() == 8 * (5 * 7 * 2 + read));
        };
        is_one_kernel(matmul(z, 2.5 * m) + matmul(z, 0.5 * n), 5);
        CHECK(allclose(matmul(z, 2.5 * m) + matmul(z, 0.5 * n), sum((2.5 * m + 0.5 * n) * z(all, newaxis), 0), 1e-14,
                       1e-14));
        array<double> y = matmul(2.5 * m, x) + matmul(0.5 * n, x);
        if (b.is_cuda()) is_one_kernel(y, 7);
        if (b.is_cuda()) CHECK(explain(y).bytes_written() == 8 * 5);
        CHECK(allclose(y, sum((2.5 * m + 0.5 * n) * x, 1), 1e-14, 1e-14));
    });
}

TEST_CASE("a CPU's library multiplies a matrix of contiguous rows by a vector as by a column, and any rows") {
    on_every_backend([](const tested_backend& b) {
        if (b.is_cuda() || !runtime::blas_available(device::cpu())) return;
        auto multiplies = []<class T>(T, double tolerance) {
            for (auto size : {std::pair<std::int64_t, std::int64_t>{1, 1}, {3, 1}, {1, 7}, {131, 257}, {401, 353}}) {
                const std::int64_t rows = size.first, n = size.second;
                CAPTURE(rows);
                CAPTURE(n);
                const array<T> m = data<T>({rows, n}, 1), x = data<T>({n}, 3);
                CHECK(explain(array<T>(matmul(m, x))).library_calls() == 1);
                CHECK(explain(array<T>(matmul(m, x))).kernels() == 0);
                CHECK(array_equal(matmul(m, x), squeeze(matmul(m, x(all, newaxis)), 1)));
                CHECK(allclose(matmul(m, x), sum(m * x, 1), tolerance, tolerance));
                const array<T> rows_of_two = matmul(m(slice(none, none, 2)), x);
                CHECK(allclose(rows_of_two, matmul(m, x)(slice(none, none, 2)), tolerance, tolerance));
            }
            CHECK(explain(array<T>(matmul(data<T>({2, 5, 7}, 1), data<T>({7}, 3)))).library_calls() == 1);
            CHECK(array<T>(matmul(zeros<T>({4, 0}), zeros<T>({0}))).eval().size() == 4);
        };
        multiplies(float(), 1e-4);
        multiplies(double(), 1e-12);
        multiplies(std::complex<float>(), 1e-4);
        multiplies(std::complex<double>(), 1e-12);
        // More rows than the library can count.
        const array<float> many = broadcast_to(ones<float>({1, 2}), {2'147'483'659, 2}) * 2;
        CHECK(explain(array<float>(sum(matmul(many, ones<float>({2}))))).library_calls() == 0);
    });
}

TEST_CASE("integers and bool are multiplied as by loops whose sums wrap, by tiles on a GPU where there are many") {
    on_every_backend([](const tested_backend& b) {
        auto multiplies = []<class T>(T, bool by_tiles, const array<T>& x, const array<T>& y) {
            const array<T> p = matmul(x, y);
            CHECK(explain(array<T>(matmul(x, y))).kernels() == (by_tiles ? 0 : 1));
            const dims& shape = p.shape();
            const std::int64_t m = shape[shape.size() - 2], n = shape.back(), k = x.shape().back();
            const std::vector<T> l = to_vector(array<T>(broadcast_to(x, dims(shape.product() / (m * n), m, k)))),
                                 r = to_vector(array<T>(broadcast_to(y, dims(shape.product() / (m * n), k, n))));
            std::vector<T> expected;
            for (std::int64_t i = 0; i < shape.product(); ++i) {
                const std::int64_t s = i / (m * n), row = i / n % m, column = i % n;
                std::uint64_t sum = 0;
                for (std::int64_t at = 0; at < k; ++at) {
                    const auto u = static_cast<std::uint64_t>(l[static_cast<std::size_t>((s * m + row) * k + at)]);
                    const auto v = static_cast<std::uint64_t>(r[static_cast<std::size_t>((s * k + at) * n + column)]);
                    sum = std::is_same_v<T, bool> ? sum | (u & v) : sum + u * v;
                }
                expected.push_back(static_cast<T>(sum));
            }
            CHECK(to_vector(p) == expected);
        };
        auto all_forms = [&]<class T>(T zero) {
            CAPTURE(to_string(dtype_of<T>));
            auto numbers = [](const dims& shape, std::int64_t seed) {
                const array<std::int64_t> n = (arange<std::int64_t>(shape.product()) + seed) * 0x1E3779B97F4A7C15;
                return array<T>(reshape(astype<T>((n >> 33) ^ n), shape)).eval();
            };
            const bool tiles = b.is_cuda();
            const array<T> x = numbers({257, 37}, 1), y = numbers({37, 449}, 2);
            multiplies(zero, tiles, x, y);
            multiplies(zero, tiles, numbers({37, 257}, 3).T(), numbers({385, 37}, 4).T());
            multiplies(zero, tiles, x(slice(0, 257), slice(3, 36)), y(slice(3, 36), slice(1, 445)));
            multiplies(zero, false, x(slice(0, 30)), y);
            multiplies(zero, tiles && sizeof(T) >= 4, numbers({66, 2100}, 3), numbers({2100, 128}, 9));
            multiplies(zero, tiles, numbers({5, 150, 8}, 5), numbers({8, 140}, 6));
            multiplies(zero, tiles, numbers({5, 1, 101, 19}, 7)(all, 0), numbers({1, 19, 200}, 8));
            CHECK(array_equal(einsum("ij,kj->ki", x, numbers({385, 37}, 9)), matmul(numbers({385, 37}, 9), x.T())));
            // Which a library of contractions would take of floating numbers.
            const array<T> stack = numbers({5, 37, 101}, 1), other = numbers({3, 37, 150}, 2);
            const array<T> rows = reshape(swapaxes(other, 1, 2), {450, 37}),
                           columns = reshape(swapaxes(stack, 0, 1), {37, 505});
            CHECK(array_equal(einsum("ajb,cji->bica", stack, other),
                              transpose(matmul(rows, columns).reshape({3, 150, 5, 101}), {3, 1, 0, 2})));
        };
        all_forms(false);
        all_forms(std::int8_t());
        all_forms(std::uint16_t());
        all_forms(int());
        all_forms(std::uint32_t());
        all_forms(std::int64_t());
        // So many that tiles are larger.
        const array<int> many = reshape(arange<int>(70 * 200 * 9) % 101, {70, 200, 9}),
                         one = reshape(arange<int>(9 * 250) % 89, {9, 250});
        CHECK(array_equal(matmul(many, one), matmul(astype<std::int64_t>(many), astype<std::int64_t>(one))));
        CHECK_THROWS_WITH_AS(matmul(many, ones<int>({10, 130})),
                             "[matmul] inner dimensions differ: (70, 200, 9) x (10, 130)", shape_error);
    });
}

TEST_CASE("a vector's product with a matrix has the same bits however its operands were computed") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t m : {1, 2, 31, 257})
            for (std::int64_t n : {1, 3, 1025}) {
                array<float> a = data<float>({m, n}, 1), x = data<float>({n}, 2), z = data<float>({m}, 3);
                array<float> scaled = a * 3.0f, evaluated = a * 3.0f, turned = (a * 3.0f).T();
                evaluated.eval();
                CHECK(array_equal(matmul(scaled, x), matmul(evaluated, x)));
                CHECK(array_equal(matmul(z, scaled), matmul(z, evaluated)));
                array<float> before = matmul(turned, z);
                turned.eval();
                CHECK(array_equal(before, matmul(turned, z)));
            }
    });
}

TEST_CASE("shapes that do not fit throw and name both") {
    on_every_backend([](const tested_backend&) {
        CHECK_THROWS_WITH_AS(matmul(zeros({3, 4}), zeros({5, 6})), "[matmul] inner dimensions differ: (3, 4) x (5, 6)",
                             shape_error);
        CHECK_THROWS_AS(matmul(zeros({3}), zeros({4})), shape_error);
        CHECK_THROWS_AS(matmul(full({}, 2.0), zeros({4})), shape_error);
        CHECK_THROWS_AS(matmul(zeros({2, 3, 4}), zeros({3, 4, 5})), shape_error);
        CHECK_THROWS_AS(matmul(zeros<int>({3, 4}), zeros<int>({5, 6})), shape_error);
    });
}
