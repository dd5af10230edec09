// Products with what follows them: one library call on a GPU, the same bits as step by step, and memory that is used
// again.
#include <cmath>
#include <sinter/sinter.hpp>

#include "support/backends.hpp"
#include "support/product_helpers.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_products;

namespace {

// Normals, of which one is NaN, one infinite and one a negative zero where there is room.
array<float> special(const dims& shape, std::uint64_t seed) {
    array<float> x = normals(shape, seed);
    array<float> flat = reshape(x, {-1});
    const std::int64_t n = flat.size();
    flat(0) = -0.0f;
    if (n > 3) flat(n / 2) = constants::nan;
    if (n > 5) flat(n - 1) = constants::inf;
    return reshape(flat, shape).copy().eval();
}

// A layer of a network at once and step by step.
template <class X, class W, class B>
void check_layer(const X& x, const W& w, const B& b, precision in = precision::highest) {
    array<float> product = matmul(x, w, in);
    product.eval();
    array<float> sum = product + b;
    sum.eval();
    array<float> rectified = relu(sum);
    rectified.eval();
    CAPTURE(product.shape());
    array<float> sum_at_once = matmul(x, w, in) + b, other_sum = b + matmul(x, w, in),
                 at_once = relu(matmul(x, w, in) + b), without_vector = relu(matmul(x, w, in)),
                 vector_later = relu(matmul(x, w, in)) + b, both = relu(matmul(x, w, in) + b) + sum;
    for (array<float>* y : {&sum_at_once, &other_sum, &at_once, &without_vector, &vector_later, &both}) y->eval();
    CHECK(same_bits(sum_at_once, sum));
    CHECK(same_bits(other_sum, sum));
    CHECK(same_bits(at_once, rectified));
    CHECK(same_bits(without_vector, array<float>(relu(product))));
    CHECK(same_bits(vector_later, array<float>(without_vector + b)));
    CHECK(same_bits(both, array<float>(rectified + sum)));
}

// A number times a product at once and in two steps, from either side and in a reshaped result.
template <class T, class X, class W>
void check_factor(const X& x, const W& w, T factor, precision in = precision::highest) {
    array<T> product = matmul(x, w, in);
    product.eval();
    array<T> expected = factor * product;
    expected.eval();
    // One after the other, for what waits together would share the product, and each once the product has no name any
    // more.
    array<T> at_once = factor * matmul(x, w, in);
    at_once.eval();
    array<T> other_side = matmul(x, w, in) * factor;
    other_side.eval();
    array<T> reshaped = reshape(factor * matmul(x, w, in), {-1});
    reshaped.eval();
    CAPTURE(product.shape());
    CAPTURE(x.shape().back());
    CAPTURE(factor);
    CHECK(same_bits(at_once, expected));
    CHECK(same_bits(other_side, expected));
    CHECK(same_bits(reshaped, array<T>(reshape(expected, {-1}))));
}

}  // namespace

TEST_CASE("a layer of a network is one library call and at most one kernel") {
    on_compiling_backends([](const tested_backend& on) {
        array<float> x = normals({33, 17}, 1), w = normals({17, 31}, 2), b = normals({31}, 3), s = normals({33, 31}, 4);
        const bool gpu = on.is_cuda();
        CHECK(counted([&] { return array<float>(relu(matmul(x, w) + b) * s); }) == work{1, 1});
        CHECK(counted([&] { return array<float>(relu(matmul(x, w) + b)); }) == work{gpu ? 0 : 1, 1});
        CHECK(counted([&] { return array<float>(matmul(x, w) + b); }) == work{gpu ? 0 : 1, 1});
        CHECK(counted([&] { return array<float>(relu(matmul(x, w))); }) == work{gpu ? 0 : 1, 1});
        CHECK(counted([&] { return array<float>(s + matmul(x, w)); }) == work{gpu ? 0 : 1, 1});
        CHECK(counted([&] { return array<float>(relu(matmul(x, w) + s)); }) == work{gpu ? 0 : 1, 1});
        CHECK(counted([&] { return array<float>(gelu(matmul(x, w) + b)); }) == work{1, 1});
        CHECK(counted([&] { return array<float>(0.5f * matmul(x, w) + b); }) == work{1, 1});
        // Steps with names that have ended are as good.
        CHECK(counted([&] {
                  array<float> y = matmul(x, w);
                  y = y + b;
                  y = relu(y);
                  y = y * s;
                  return y;
              }) == work{1, 1});
    });
}

TEST_CASE("explanations name what a product's call does besides") {
    on_compiling_backends([](const tested_backend& on) {
        array<float> x = normals({8, 8}, 1), b = normals({8}, 3);
        array<float> layer = relu(matmul(x, x) + b), sum = matmul(x, x) + x;
        CHECK(mentions(explain(layer), "matmul + bias + relu over (8, 8)") == on.is_cuda());
        CHECK(mentions(explain(sum), "matmul_add over (8, 8)") == on.is_cuda());
        CHECK(explain(layer).kernels() == (on.is_cuda() ? 0 : 1));
    });
}

TEST_CASE("a layer has the same bits as its steps, whatever the sizes and layouts") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t m : {1, 2, 31, 65})
            for (std::int64_t k : {1, 3, 33})
                for (std::int64_t n : {1, 4, 31}) {
                    array<float> x = special({m, k}, 1), w = special({k, n}, 2), b = special({n}, 3);
                    check_layer(x, w, b);
                    check_layer(x, w, reshape(b, {1, n}));
                    check_layer(x, w, special({m, n}, 5));
                }
        array<float> x = normals({40, 30}, 1), v = normals({64}, 2), wide = normals({41, 33}, 3);
        for (precision p : {precision::highest, precision::tf32x3, precision::tf32, precision::bf16}) {
            check_layer(x.T(), x, v(slice(30)), p);
            check_layer(x, x.T(), v(slice(1, 41)), p);
            check_layer(x, x.T(), v(slice(none, 23, -1)), p);
            check_layer(wide(slice(1, none), slice(3, none)), x.T(), v(slice(40)), p);
            check_layer(x, x.T(), exp(v(slice(40))), p);
        }
    });
}

TEST_CASE("a number times a product is one library call, whatever the number of the call is") {
    on_compiling_backends([](const tested_backend& on) {
        const work scaled{on.is_cuda() ? 0 : 1, 1};
        array<float> x = normals({300, 200}, 1), w = normals({200, 260}, 2), product = matmul(x, w);
        array<double> wide_x = normals<double>({300, 200}, 3), wide_w = normals<double>({200, 260}, 4);
        product.eval();
        CHECK(counted([&] { return array<float>(0.5f * matmul(x, w)); }) == scaled);
        CHECK(counted([&] { return array<float>(matmul(x, w, precision::tf32) * 0.3f); }) == scaled);
        CHECK(counted([&] { return array<double>(0.3 * matmul(wide_x, wide_w)); }) == scaled);
        CHECK(counted([&] { return array<float>(reshape(0.3f * matmul(x, w), {100, 780})); }) == scaled);
        CHECK(counted([&] { return array<float>(0.3f * matmul(x, w) + product); }) == work{1, 1});
        CHECK(counted([&] { return array<float>(exp(0.3f * matmul(x, w))); }) == work{1, 1});
        CHECK(counted([&] { return array<float>(matmul(0.3f * matmul(x, w), product.T())); }) ==
              work{scaled.launches, 2});
        for (float factor : {0.3f, -2.0f, 1.0f, 1e30f, 0.1f}) {
            CHECK(counted([&] { return array<float>(factor * matmul(x, w)); }) == scaled);
            array<float> y = factor * matmul(x, w);
            CHECK(same_bits(y, array<float>(factor * product)));
        }
        array<float> y = 0.3f * matmul(x, w);
        CHECK(mentions(explain(y), "matmul * factor over (300, 260)") == on.is_cuda());
    });
}

TEST_CASE("a number times a product has the same bits as two steps, whatever the sizes and layouts") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t m : {1, 2, 5, 17, 129})
            for (std::int64_t k : {1, 3, 33, 700})
                for (std::int64_t n : {1, 2, 17, 64, 129}) {
                    check_factor<float>(normals({m, k}, 1), normals({k, n}, 2), 0.3f);
                    check_factor<double>(normals<double>({m, k}, 3), normals<double>({k, n}, 4), 1 / 3.0);
                }
        array<float> x = normals({40, 30}, 1), wide = normals({41, 33}, 3);
        array<float> stack = normals({3, 2, 9, 5}, 4), other = normals({3, 2, 5, 7}, 5);
        for (precision p : {precision::highest, precision::tf32x3, precision::tf32, precision::bf16}) {
            check_factor<float>(x.T(), x, 0.3f, p);
            check_factor<float>(x, x.T(), -1.7f, p);
            check_factor<float>(wide(slice(1, none), slice(3, none)), x.T(), 0.3f, p);
            check_factor<float>(stack, other, 0.3f, p);
            check_factor<float>(stack, normals({5, 7}, 6), 0.3f, p);
            check_factor<float>(swapaxes(other, -1, -2), swapaxes(stack, -1, -2), 0.3f, p);
        }
    });
}

TEST_CASE("special numbers times products are those of two steps, a NaN times zero among them") {
    on_every_backend([](const tested_backend&) {
        const float inf = constants::inf;
        for (std::int64_t size : {1, 3, 17, 129}) {
            array<float> x = special({size, 5}, 1), w = normals({5, size}, 2),
                         zeros_of_x = zeros<float>({size, 5}).eval();
            for (float factor : {0.0f, -0.0f, inf, -inf, std::nanf(""), 1e38f, 1e-40f}) {
                check_factor<float>(x, w, factor);
                check_factor<float>(zeros_of_x, w, factor);
            }
            array<float> nothing = 0.0f * matmul(x, w);
            CHECK(any(isnan(nothing)).item());
            array<double> wide = x.astype<double>();
            check_factor<double>(wide, w.astype<double>(), 0.0);
            check_factor<double>(wide, w.astype<double>(), constants::inf);
        }
    });
}

TEST_CASE("a loop of scaled products takes each number of its own, also where it is converted") {
    on_every_backend([](const tested_backend&) {
        array<float> x = normals({65, 70}, 1), w = normals({70, 66}, 2), product = matmul(x, w);
        product.eval();
        for (int i = 0; i < 6; ++i) {
            const double rate = 0.1 * i;
            array<float> y = static_cast<float>(rate) * matmul(x, w), z = matmul(x, w) * i;
            CHECK(same_bits(y, array<float>(static_cast<float>(rate) * product)));
            CHECK(same_bits(z, array<float>(product * static_cast<float>(i))));
            array<float> at_once = 0.5f * matmul(static_cast<float>(rate) * matmul(x, w), w.T());
            at_once.eval();
            array<float> inner = static_cast<float>(rate) * product;
            inner.eval();
            array<float> outer = matmul(inner, w.T());
            outer.eval();
            CHECK(same_bits(at_once, array<float>(0.5f * outer)));
        }
    });
}

TEST_CASE("stacks share a vector") {
    on_every_backend([](const tested_backend& on) {
        array<float> x = normals({3, 2, 9, 5}, 1), w = normals({3, 2, 5, 7}, 2), one = normals({5, 7}, 3),
                     b = special({7}, 4);
        check_layer(x, w, b);
        check_layer(x, one, b);
        check_layer(x, w, special({3, 2, 9, 7}, 5));
        check_layer(x, w, normals({2, 1, 7}, 6));
        if (on.is_cuda()) CHECK(counted([&] { return array<float>(relu(matmul(x, w) + b)); }) == work{0, 1});
    });
}

TEST_CASE("relu keeps NaN and the sign of zero, at once and step by step") {
    on_every_backend([](const tested_backend&) {
        const float nan = constants::nan, inf = constants::inf;
        array<float> x{{nan, -0.0f, 0.0f, -inf, inf, -1.0f, 2.0f}}, one{{1.0f}},
            zeros_of_both_signs{-0.0f, -0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
        array<float> expected{{nan, -0.0f, 0.0f, 0.0f, inf, 0.0f, 2.0f}};
        CHECK(same_bits(array<float>(relu(x)), expected));
        check_layer(one, x, zeros_of_both_signs);
        const array<float> ones = full<float>({5, 1}, 1.0f);
        check_layer(ones, x, zeros_of_both_signs);
        array<float> y = relu(matmul(ones, x) + zeros_of_both_signs);
        CHECK(array_equal(isnan(y), isnan(broadcast_to(expected, {5, 7}))));
        CHECK(array_equal(nan_to_num(y), nan_to_num(broadcast_to(expected, {5, 7}))));
    });
}

TEST_CASE("a product is added in place where nothing else needs the array") {
    on_every_backend([](const tested_backend& on) {
        const std::int64_t n = 300;
        array<double> a = normals<double>({n, 200}, 1), b = normals<double>({200, n}, 2),
                      start = normals<double>({n, n}, 3);
        array<double> product = matmul(a, b);
        product.eval();
        array<double> expected = start + product;
        expected.eval();
        array<double> c = start.copy().eval();
        synchronize();
        reset_counters();
        const std::int64_t used = counters().pool_used;
        c += matmul(a, b);
        c.eval();
        synchronize();
        if (on.is_cuda()) {
            CHECK(counters().launches == 0);
            CHECK(counters().library_calls == 1);
            CHECK(counters().pool_peak - used < n * n * 8);
        }
        CHECK(array_equal(c, expected));
        // A second name keeps the old value.
        array<double> kept = c;
        c += matmul(a, b);
        c.eval();
        CHECK(array_equal(kept, expected));
        CHECK(array_equal(c, array<double>(expected + product)));
    });
}

TEST_CASE("a product of an array with itself is added to it, and parts of arrays are") {
    on_every_backend([](const tested_backend&) {
        array<float> c = normals({20, 20}, 1), c0 = c.copy().eval(), square = matmul(c0, c0);
        square.eval();
        c += matmul(c, c);
        CHECK(array_equal(c, array<float>(c0 + square)));
        array<float> rows = normals({41, 20}, 2), rows0 = rows.copy().eval(), part = matmul(c0, c0);
        rows(slice(21, none)) += matmul(c0, c0);
        part.eval();
        rows0(slice(21, none)) = array<float>(rows0(slice(21, none)) + part);
        CHECK(array_equal(rows, rows0));
        // To a part of a larger array.
        array<float> flat = normals({401}, 3), base = reshape(flat(slice(1, none)), {20, 20}),
                     sum = base + matmul(c0, c0);
        sum.eval();
        CHECK(array_equal(sum, array<float>(base.copy().eval() + square)));
    });
}

TEST_CASE("a loop of accumulated products stays in one array") {
    on_every_backend([](const tested_backend& on) {
        array<float> a = normals({64, 48}, 1), b = normals({48, 64}, 2), c = zeros<float>({64, 64}).eval(),
                     expected = zeros<float>({64, 64}).eval();
        const counters_t before = counters();
        for (int i = 0; i < 10; ++i) {
            c += matmul(a, b);
            c.eval();
        }
        if (on.is_cuda()) CHECK(counters().launches - before.launches == 0);
        array<float> product = matmul(a, b);
        product.eval();
        for (int i = 0; i < 10; ++i) {
            expected = expected + product;
            expected.eval();
        }
        CHECK(array_equal(c, expected));
    });
}

TEST_CASE("nothing is folded into products of empty matrices") {
    on_every_backend([](const tested_backend&) {
        array<float> b = normals({3}, 1);
        array<float> y = relu(matmul(zeros<float>({2, 0}), zeros<float>({0, 3})) + b);
        y.eval();
        CHECK(array_equal(y, array<float>(relu(zeros<float>({2, 3}) + b))));
        CHECK(array<float>(relu(matmul(zeros<float>({0, 4}), zeros<float>({4, 3})) + b)).eval().size() == 0);
    });
}
