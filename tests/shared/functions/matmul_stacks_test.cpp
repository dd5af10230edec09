// Products of stacks whose operands repeat matrices along different axes: numbers against plain loops, and that nothing
// is copied.
#include <complex>
#include <vector>

#include "support/backends.hpp"
#include "support/stored_arrays.hpp"
#include "support/type_lists.hpp"

#include <sinter/runtime/library/libraries.hpp>

using namespace sinter;
using namespace test_backends;
using namespace test_types;

namespace {

// Small integers: products and sums of a few are exact in every type, in any order.
template <class T>
array<T> integers(const dims& shape, int seed) {
    std::vector<T> v(static_cast<std::size_t>(shape.product()));
    for (std::size_t i = 0; i < v.size(); ++i) {
        const int re = static_cast<int>((i * 7 + i / 5 + static_cast<std::size_t>(seed)) % 5) - 2;
        if constexpr (codegen::is_complex(dtype_of<T>)) v[i] = T(static_cast<float>(re), static_cast<float>(i % 3) - 1);
        else v[i] = T(static_cast<float>(re));
    }
    return array<T>(detail::store(dtype_of<T>, shape, v.data()));
}

std::complex<double> wide(std::complex<double> x) { return x; }
std::complex<double> wide(std::complex<float> x) { return {x.real(), x.imag()}; }
std::complex<double> wide(complex_half x) { return {double(float(x.real())), double(float(x.imag()))}; }
std::complex<double> wide(half x) { return double(float(x)); }
std::complex<double> wide(bfloat16 x) { return double(float(x)); }
std::complex<double> wide(double x) { return x; }

/// Where an operand's matrix lies that is multiplied for the product's matrix `number`, in matrices.
std::size_t matrix_at(const dims& operand, const dims& product, std::size_t number) {
    std::size_t at = 0, step = 1;
    for (int from_end = 3; from_end <= product.size(); ++from_end) {
        const auto size = static_cast<std::size_t>(product[product.size() - from_end]);
        const std::size_t i = number % size;
        number /= size;
        if (from_end > operand.size()) continue;
        const auto own = static_cast<std::size_t>(operand[operand.size() - from_end]);
        if (own > 1) at += i * step;
        step *= own;
    }
    return at;
}

template <class T>
std::vector<std::complex<double>> plain_product(const array<T>& a, const array<T>& b, const dims& shape) {
    const std::vector<T> x = values(a), y = values(b);
    const auto m = static_cast<std::size_t>(a.shape(-2)), k = static_cast<std::size_t>(a.shape(-1)),
               n = static_cast<std::size_t>(b.shape(-1));
    std::vector<std::complex<double>> sums(static_cast<std::size_t>(shape.product()));
    for (std::size_t to = 0; to < sums.size(); ++to) {
        const std::size_t number = to / (m * n), row = to / n % m, column = to % n;
        const std::size_t left = matrix_at(a.shape(), shape, number) * m * k,
                          right = matrix_at(b.shape(), shape, number) * k * n;
        for (std::size_t l = 0; l < k; ++l) sums[to] += wide(x[left + row * k + l]) * wide(y[right + l * n + column]);
    }
    return sums;
}

template <class T>
void check(const array<T>& a, const array<T>& b, const dims& shape) {
    INFO(to_string(dtype_of<T>), " ", to_string(a.shape()), " x ", to_string(b.shape()));
    array<T> c = matmul(a, b);
    REQUIRE(c.shape() == shape);
    std::vector<std::complex<double>> got;
    for (const T& x : values(c)) got.push_back(wide(x));
    CHECK(got == plain_product(a, b, shape));
}

template <class T>
void check_shapes() {
    auto of = [](const dims& s) { return integers<T>(s, 1); };
    auto with = [](const dims& s) { return integers<T>(s, 2); };
    check(of({2, 1, 5, 3}), with({3, 3, 4}), {2, 3, 5, 4});
    check(of({2, 3, 5, 3}), with({1, 3, 3, 4}), {2, 3, 5, 4});
    check(of({2, 3, 5, 3}), with({2, 1, 3, 4}), {2, 3, 5, 4});
    check(of({4, 1, 2, 1, 3, 5}), with({3, 1, 2, 5, 2}), {4, 3, 2, 2, 3, 2});
    check(of({3, 5, 3}), with({2, 1, 3, 4}), {2, 3, 5, 4});
    // Matrices of multiples of 16 bytes, as tensor cores want them.
    check(of({2, 1, 8, 4}), with({3, 4, 16}), {2, 3, 8, 16});
    check(of({1, 3, 4, 8}), with({2, 3, 8, 6}), {2, 3, 4, 6});
    // One stride after all.
    check(of({2, 3, 5, 3}), with({3, 4}), {2, 3, 5, 4});
    check(of({5, 3}), with({2, 3, 3, 4}), {2, 3, 5, 4});
    check(of({2, 1, 5, 3}), with({1, 1, 3, 4}), {2, 1, 5, 4});
    check(of({2, 1, 3, 5, 3}), with({1, 1, 1, 3, 4}), {2, 1, 3, 5, 4});
    // Single rows and columns, and sums of nothing.
    check(of({2, 1, 1, 3}), with({3, 3, 4}), {2, 3, 1, 4});
    check(of({2, 1, 5, 3}), with({3, 3, 1}), {2, 3, 5, 1});
    check(of({2, 1, 5, 0}), with({3, 0, 4}), {2, 3, 5, 4});
    for (const dims& none : {dims{0, 1, 5, 3}, dims{2, 1, 0, 3}, dims{0, 3, 5, 3}}) {
        array<T> c = matmul(of(none), with({3, 3, 4})).eval();
        CHECK(c.shape() == dims(none[0], 3, none[2], 4));
    }
}

template <class T>
void check_layouts() {
    array<T> a = integers<T>({2, 1, 8, 16}, 1), b = integers<T>({3, 16, 24}, 2), at = integers<T>({2, 1, 16, 8}, 3),
             bt = integers<T>({3, 24, 16}, 4);
    check(array<T>(at.mT()), b, {2, 3, 8, 24});
    check(a, array<T>(bt.mT()), {2, 3, 8, 24});
    check(array<T>(at.mT()), array<T>(bt.mT()), {2, 3, 8, 24});
    // Parts of matrices, of stacks, and stacks that go backwards or are turned.
    check(array<T>(a(ellipsis, slice(8), slice(8))), array<T>(b(ellipsis, slice(8, 16), slice(1, 22))), {2, 3, 8, 21});
    check(array<T>(a(ellipsis, slice(1, 4), slice(16))), array<T>(b(slice(none, none, 2))), {2, 2, 3, 24});
    check(a, array<T>(b(slice(none, none, -1))), {2, 3, 8, 24});
    check(array<T>(swapaxes(integers<T>({3, 2, 8, 16}, 5), 0, 1)), b, {2, 3, 8, 24});
    check(array<T>(a(ellipsis, slice(none, none, 2))), array<T>(b(slice(none), slice(none, none, -2))), {2, 3, 8, 24});
}

template <class T>
void check_costs(const dims& left, const dims& right) {
    array<T> a = integers<T>(left, 1).eval(), b = integers<T>(right, 2).eval();
    matmul(a, b).eval();
    synchronize();
    reset_counters();
    const counters_t before = counters();
    array<T> c = matmul(a, b).eval();
    const counters_t after = counters();
    CHECK(after.library_calls - before.library_calls == 1);
    CHECK(after.launches - before.launches <= (c.device().is_cuda() ? 1 : 0));
    CHECK(after.bytes_to_device == before.bytes_to_device);
    // The pool's blocks are a quarter larger at most.
    CHECK(after.pool_peak - before.pool_used <= c.nbytes() * 5 / 4 + 4096);
    explanation e = explain(matmul(a, b));
    CHECK(e.kernels() == 0);
    CHECK(e.library_calls() == 1);
}

}  // namespace

TEST_CASE("stacks that broadcast along different axes are multiplied as plain loops would") {
    on_every_backend([](const tested_backend&) {
        for_each_type(types<float, double, std::complex<float>, std::complex<double>, half, bfloat16, complex_half>,
                      []<class T>() { check_shapes<T>(); });
    });
}

TEST_CASE("stacks that broadcast may be transposed, parts of others, and turned") {
    on_every_backend([](const tested_backend&) {
        for_each_type(types<float, std::complex<double>, half>, []<class T>() { check_layouts<T>(); });
    });
}

TEST_CASE("stacks that broadcast are one library call without copies") {
    on_compiling_backends([](const tested_backend& on) {
        check_costs<float>({2, 1, 37, 31}, {17, 31, 29});
        check_costs<float>({2, 17, 37, 31}, {1, 17, 31, 29});
        check_costs<double>({2, 17, 37, 31}, {2, 1, 31, 29});
        check_costs<std::complex<float>>({4, 1, 2, 1, 33, 5}, {3, 1, 2, 5, 22});
        check_costs<std::complex<double>>({2, 1, 37, 31}, {17, 31, 29});
        check_costs<double>({2, 17, 37, 31}, {31, 29});
        if (on.is_cuda()) check_costs<half>({2, 1, 32, 40}, {17, 40, 24});
    });
}

TEST_CASE("what computes an operand of a product of stacks computes it once, not for each matrix") {
    on_compiling_backends([](const tested_backend&) {
        array<double> a = stored<double>({2, 1, 37, 31}), b = stored<double>({17, 31, 29}),
                      m = stored<double>({31, 29});
        explanation e = explain(matmul(a * 2.0, b + 1.0));
        CHECK(e.library_calls() == 1);
        CHECK(e.bytes_written() == 8 * (2 * 37 * 31 + 17 * 31 * 29));
        CHECK(explain(matmul(b.mT(), m * 2.0)).bytes_written() == 8 * 31 * 29);
    });
}

TEST_CASE("a product of stacks has the same bits however its operands were computed and whatever follows") {
    on_every_backend([](const tested_backend&) {
        auto normals = [](const dims& s, std::uint64_t seed) {
            return random::generator(seed).normal<float>(0, 1, s).eval();
        };
        array<float> a = normals({2, 1, 8, 33}, 1), b = normals({3, 33, 12}, 2), bias = normals({12}, 3),
                     total = normals({2, 3, 8, 12}, 4);
        array<float> c = matmul(a * 3.0f, b - 1.0f).eval(), x = (a * 3.0f).eval(), y = (b - 1.0f).eval();
        CHECK(array_equal(c, matmul(x, y)));
        CHECK(array_equal(c, matmul(x, y(slice(none, none, -1)).eval()(slice(none, none, -1)))));
        CHECK(array_equal(c + bias, matmul(x, y) + bias));
        CHECK(array_equal(relu(c + bias), relu(matmul(x, y) + bias)));
        CHECK(array_equal(c * 0.3f, matmul(x, y) * 0.3f));
        array<float> by_steps = total + c;
        total += matmul(x, y);
        CHECK(array_equal(total, by_steps));
    });
}

TEST_CASE("stacks that broadcast have products in every precision") {
    on_every_backend([](const tested_backend&) {
        for (const dims& sizes : {dims{5, 7, 3}, dims{8, 4, 12}, dims{4, 3200, 4}}) {
            const std::int64_t m = sizes[0], k = sizes[1], n = sizes[2];
            array<float> a = integers<float>({2, 1, m, k}, 1), b = integers<float>({3, k, n}, 2);
            array<double> exact = matmul(astype<double>(a), astype<double>(b));
            for (precision p : {precision::highest, precision::tf32x3, precision::tf32, precision::bf16})
                CHECK(array_equal(astype<double>(matmul(a, b, p)), exact));
        }
        array<std::complex<float>> a = integers<std::complex<float>>({2, 1, 8, 4}, 1),
                                   b = integers<std::complex<float>>({3, 4, 6}, 2);
        CHECK(array_equal(matmul(a, b, precision::tf32), matmul(a, b)));
    });
}

TEST_CASE("a step with products of stacks is replayed") {
    on_every_backend([](const tested_backend&) {
        synchronize();
        graph step([](auto a, auto b) {
            array<double> c = matmul(a, b);
            return c + sum(c);
        });
        array<double> b = integers<double>({3, 3, 4}, 2);
        for (int i = 0; i < 4; ++i) {
            array<double> a = integers<double>({2, 1, 5, 3}, i).eval();
            array<double> c = matmul(a, b).eval(), got = step(a, b);
            CHECK(array_equal(got, c + sum(c)));
        }
    });
}

TEST_CASE("products of many rows, few terms and few columns are those of plain loops, in one launch of a GPU") {
    on_every_backend([](const tested_backend& b) {
        for_each_type(types<float, double>, [&]<class T>() {
            for (const dims& s : {dims{8192, 3, 3}, {8191, 3, 3}, {20011, 8, 8}, {30011, 1, 5}, {10007, 9, 2}}) {
                const std::int64_t m = s[0], k = s[1], n = s[2];
                const array<T> x = integers<T>({m, k}, 1), y = integers<T>({k, n}, 2), z = integers<T>({n, k}, 3);
                check(x, y, {m, n});
                check(array<T>(integers<T>({k, m}, 4).T()), array<T>(z.T()), {m, n});
                check(array<T>(integers<T>({2 * m, k + 1}, 5)(slice(none, none, 2), slice(1, none))), y, {m, n});
                const counters_t before = counters();
                const array<T> product = matmul(x, y).eval();
                if (b.is_cuda() && k <= 8) CHECK((counters().launches > before.launches) == (m >= 8192));
            }
        });
    });
}

TEST_CASE("many small matrices are multiplied as plain loops would, wherever they lie") {
    on_every_backend([](const tested_backend&) {
        for_each_type(types<float, double, std::complex<float>, half>, []<class T>() {
            for (const dims& s : {dims{1, 1, 1}, {2, 3, 4}, {4, 4, 4}, {3, 3, 1}, {1, 8, 5}, {8, 8, 8}, {5, 7, 6}}) {
                const std::int64_t m = s[0], k = s[1], n = s[2], many = 1031;
                const array<T> a = integers<T>({many, m, k}, 1), b = integers<T>({many, k, n}, 2);
                const array<T> one = integers<T>({m, k}, 3), other = integers<T>({k, n}, 4);
                check(a, b, {many, m, n});
                check(a, other, {many, m, n});
                check(one, b, {many, m, n});
                check(array<T>(integers<T>({many, k, m}, 5).mT()), array<T>(integers<T>({many, n, k}, 6).mT()),
                      {many, m, n});
                check(array<T>(integers<T>({many, m, k + 2}, 7)(ellipsis, slice(1, k + 1))),
                      array<T>(integers<T>({2 * many, k, n}, 8)(slice(none, none, 2))), {many, m, n});
            }
        });
    });
}

TEST_CASE("products of floats whose sides fill tiles of 128 x 128 take them where those fill the GPU") {
    on_compiling_backends([](const tested_backend& on) {
        if (!on.is_cuda()) return;
        auto* const tile = runtime::cublas_library().function<int()>("emulated_cublaslt_tile");
        // Tiles of a product over the GPU's 132 multiprocessors, sides that tiles of 64 divide and those of 128 do not.
        struct {
            std::int64_t batch, m, n;
            bool is_large;
        } const products[] = {{140, 128, 120, true},
                              {130, 128, 120, false},
                              {140, 64, 120, false},
                              {140, 128, 190, false},
                              {70, 120, 250, true}};
        for (const auto& p : products) {
            const array<float> x = astype<float>(random::integers(-3, 4, {p.batch, p.m, 20})).eval(),
                               y = astype<float>(random::integers(-3, 4, {p.batch, 20, p.n})).eval();
            const array<float> product = matmul(x, y).eval();
            if (tile) CHECK((tile() == 20) == p.is_large);
            CHECK(bool(
                sinter::all(product == sum(x(all, all, newaxis) * transpose(y, {0, 2, 1})(all, newaxis), -1)).item()));
        }
    });
}
