// The precision of products: what it costs in digits, how it is asked for, when it is settled, and who computes in full
// all the same.
#include "support/backends.hpp"
#include "support/product_helpers.hpp"

#include <sinter/sinter.hpp>

using namespace sinter;
using namespace test_backends;
using namespace test_products;

namespace {

// The largest error of a product, over that of the operands' own products.
template <class A, class B>
double error_of(const array<float>& c, const A& a, const B& b) {
    array<double> exact = matmul(astype<double>(a), astype<double>(b));
    array<double> scale = matmul(abs(astype<double>(a)), abs(astype<double>(b)));
    return item(max(abs(astype<double>(c) - exact) / scale));
}

}  // namespace

TEST_CASE("products in lower precision lose the digits that they should, on a GPU alone") {
    on_every_backend([](const tested_backend& on) {
        array<float> a = normals({33, 65}, 1), b = normals({65, 31}, 2);
        const double full = error_of(matmul(a, b), a, b), three = error_of(matmul(a, b, precision::tf32x3), a, b),
                     tf32 = error_of(matmul(a, b, precision::tf32), a, b),
                     bf16 = error_of(matmul(a, b, precision::bf16), a, b);
        CHECK(full < 1e-6);
        CHECK(three < 1e-6);
        if (has_choice(on)) {
            CHECK(tf32 > 1e-5);
            CHECK(tf32 < 1e-3);
            CHECK(bf16 > 1e-4);
            CHECK(bf16 < 1e-2);
        } else {
            CHECK(array_equal(matmul(a, b), matmul(a, b, precision::tf32)));
            CHECK(array_equal(matmul(a, b), matmul(a, b, precision::tf32x3)));
            CHECK(array_equal(matmul(a, b), matmul(a, b, precision::bf16)));
        }
    });
}

TEST_CASE("a precision scope ends, nests, and counts when a product is written") {
    on_every_backend([](const tested_backend& on) {
        array<float> a = normals({17, 40}, 1), b = normals({40, 9}, 2);
        array<float> full = matmul(a, b, precision::highest), low = matmul(a, b, precision::tf32);
        eval(full, low);
        CHECK(array_equal(full, low) == !has_choice(on));
        array<float> pending;
        {
            precision_scope outer(precision::tf32);
            CHECK(default_precision() == precision::tf32);
            pending = matmul(a, b);
            {
                precision_scope inner(precision::highest);
                CHECK(array_equal(matmul(a, b), full));
            }
            CHECK(array_equal(matmul(a, b), low));
            CHECK(array_equal(matmul(a, b, precision::highest), full));
        }
        CHECK(array_equal(pending, low));
        CHECK(array_equal(matmul(a, b), full));
        array<float> after = matmul(a, b);
        precision_scope late(precision::tf32);
        CHECK(array_equal(after, full));
    });
}

TEST_CASE("explanations name the precision, and tf32x3's three products") {
    on_compiling_backends([](const tested_backend& on) {
        array<float> a = normals({8, 8}, 1);
        array<float> low = matmul(a, a, precision::tf32), three = matmul(a, a, precision::tf32x3), full = matmul(a, a);
        CHECK(mentions(explain(low), "matmul in tf32") == has_choice(on));
        CHECK(mentions(explain(low), "tf32") == has_choice(on));
        CHECK_FALSE(mentions(explain(full), " in "));
        CHECK(explain(three).library_calls() == (has_choice(on) ? 3 : 1));
        CHECK(explain(three).kernels() == (has_choice(on) ? 1 : 0));
        const auto before = counters();
        three.eval();
        CHECK(counters().library_calls - before.library_calls == (has_choice(on) ? 3 : 1));
        CHECK(counters().launches - before.launches == (has_choice(on) ? 1 : 0));
    });
}

TEST_CASE("tf32x3 reads transposes and stacks as plain products do, whatever is computed before") {
    on_every_backend([](const tested_backend&) {
        array<float> a = normals({4, 31, 65}, 1), b = normals({65, 33}, 2), bt = normals({33, 65}, 3),
                     base = normals({4, 31, 33}, 4);
        CHECK(error_of(matmul(a, b, precision::tf32x3), a, b) < 1e-6);
        CHECK(error_of(matmul(a, bt.T(), precision::tf32x3), a, bt.T()) < 1e-6);
        CHECK(error_of(matmul(a.mT(), a, precision::tf32x3), a.mT(), a) < 1e-6);
        array<float> turned = bt.T(), sum = base + matmul(a, turned, precision::tf32x3);
        turned.eval();
        array<float> product = matmul(a, turned, precision::tf32x3);
        product.eval();
        CHECK(array_equal(sum, base + product));
        CHECK(array_equal(matmul(2.0f * a, b, precision::tf32x3),
                          matmul(array<float>(2.0f * a).eval(), b, precision::tf32x3)));
    });
}

TEST_CASE("long sums in tf32x3 are formed in parts") {
    on_every_backend([](const tested_backend& on) {
        array<float> a = normals({3, 5000}, 1), b = normals({5000, 2}, 2);
        const auto before = counters().library_calls;
        array<float> c = matmul(a, b, precision::tf32x3).eval();
        if (has_choice(on)) CHECK(counters().library_calls - before == 2 + 3);
        CHECK(error_of(c, a, b) < 1e-6);
    });
}

TEST_CASE("tf32x3 gives what float32 gives for what is huge, small or not finite") {
    on_every_backend([](const tested_backend&) {
        const float inf = constants::inf, nan = constants::nan, huge = 3.402e38f;
        array<float> special{huge, -huge, 1e-38f, -3e-45f, inf, -inf, nan, 0.0f, 1.0f};
        array<float> a = reshape(special, {9, 1}) * array<float>{{1, 0, 0}}, ones = full<float>({3, 2}, 1.0f);
        a(all, slice(1, 3)) = 0.0f;
        array<float> three = matmul(a, ones, precision::tf32x3), exact = matmul(a, ones);
        CHECK(array_equal(isnan(three), isnan(exact)));
        CHECK(array_equal(isinf(three), isinf(exact)));
        CHECK(allclose(where(isfinite(exact), three, 0.0f), where(isfinite(exact), exact, 0.0f), 1e-6, 1e-41));
    });
}

TEST_CASE("all products of arrays have a precision, and decompositions compute in full") {
    on_every_backend([](const tested_backend& on) {
        array<float> a = normals({12, 12}, 1), b = normals({12, 12}, 2);
        array<float> full = matmul(a, b), low = matmul(a, b, precision::tf32), pinv = linalg::pinv(a);
        eval(full, low, pinv);
        CHECK(array_equal(dot(a, b, precision::tf32), low));
        CHECK(array_equal(tensordot(a, b, 1, precision::tf32), low));
        CHECK(array_equal(einsum("ij,jk->ik", precision::tf32, a, b), low));
        precision_scope scope(precision::tf32);
        CHECK(array_equal(dot(a, b), low));
        CHECK(array_equal(tensordot(a, b, 1), low));
        CHECK(array_equal(einsum("ij,jk->ik", a, b), low));
        CHECK(array_equal(linalg::matrix_power(a, 2), matmul(a, a)));
        CHECK(array_equal(linalg::pinv(a), pinv));
        array<double> x = astype<double>(a);
        CHECK(array_equal(matmul(x, x), matmul(x, x, precision::highest)));
        array<std::complex<float>> z = a + std::complex<float>(0, 1) * b;
        CHECK(array_equal(matmul(z, z), matmul(z, z, precision::highest)) == !has_choice(on));
        CHECK(array_equal(matmul(z, z, precision::tf32x3), matmul(z, z, precision::highest)));
    });
}
