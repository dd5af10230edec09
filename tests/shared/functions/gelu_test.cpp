// gelu_tanh against its definition in higher precision, also where 1 + tanh cancels, and as the end of a product's
// library call.
#include <cmath>
#include <limits>
#include <sinter/sinter.hpp>
#include <vector>

#include "support/backends.hpp"
#include "support/product_helpers.hpp"
#include "support/type_lists.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_types;
using namespace test_products;

namespace {

SINTER_FUNCTION(
    activated, (float x)->float {
        float y = 2 * gelu_tanh(x);
        return y / 2;
    })

// Digits of a type's fraction and the exponent of its least normal number.
struct digits_of {
    int fraction, least;
    explicit digits_of(dtype t)
        : fraction(t == dtype::float64   ? 52
                   : t == dtype::float32 ? 23
                   : t == dtype::float16 ? 10
                                         : 7),
          least(t == dtype::float64   ? -1022
                : t == dtype::float16 ? -14
                                      : -126) {}
    long double unit_at(long double x) const {
        return std::ldexp(1.0L, (x == 0 ? least : std::max(std::ilogb(x), least)) - fraction);
    }
};

long double bend(long double x) { return std::sqrt(2 / std::acos(-1.0L)) * (x + 0.044715L * x * x * x); }

// x / 2 times 1 + tanh, which is the quotient of an exponential and a hyperbolic cosine.
long double defined(long double x) { return x / 2 * std::exp(bend(x)) / std::cosh(bend(x)); }

// How many units in the last place a result may be off; halves are rounded once.
double allowed(dtype t) { return codegen::is_half(t) ? 0.6 : 4; }

template <class T>
void check_values() {
    constexpr dtype type = dtype_of<T>;
    array<T> x = astype<T>(arange<double>(-12 * 61, 12 * 61) / 61.0);
    const std::vector<double> from = to_vector(astype<double>(x)), to = to_vector(astype<double>(gelu_tanh(x)));
    REQUIRE(from.size() == to.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
        const long double expected = defined(from[i]), unit = digits_of(type).unit_at(expected);
        const auto off = static_cast<double>(std::fabs(to[i] - expected) / unit);
        if (!(off <= allowed(type)))
            FAIL_CHECK("gelu_tanh(" << from[i] << ") of " << to_string(type) << " is " << to[i] << ", " << off
                                    << " units off");
    }
}

template <class T>
void check_limits() {
    const double inf = constants::inf, nan = constants::nan, most = dtype_of<T> == dtype::float16 ? 65504 : 1e38;
    array<T> x = astype<T>(array<double>{-inf, -most, -0.0, 0.0, most, inf, nan});
    const std::vector<double> from = to_vector(astype<double>(x)), v = to_vector(astype<double>(gelu_tanh(x)));
    CAPTURE(to_string(dtype_of<T>));
    CHECK((v[0] == 0 && v[1] == 0 && v[2] == 0 && v[3] == 0));
    CHECK((std::signbit(v[0]) && std::signbit(v[1]) && std::signbit(v[2]) && !std::signbit(v[3])));
    CHECK(v[4] == from[4]);
    CHECK(v[5] == inf);
    CHECK(std::isnan(v[6]));
}

}  // namespace

TEST_CASE("gelu_tanh is its definition to a few units in the last place, far left of zero, too") {
    on_every_backend(
        [](const tested_backend&) { for_each_type(floating_types, []<class T>() { check_values<T>(); }); });
}

TEST_CASE("gelu_tanh is zero of its operand's sign at zero and far left, the operand far right, and keeps NaN") {
    on_every_backend([](const tested_backend&) {
        for_each_type(floating_types, []<class T>() { check_limits<T>(); });
        CHECK(gelu_tanh(array<double>{-std::numeric_limits<double>::max()}).item(0) == 0);
        CHECK(gelu_tanh(array<float>{std::numeric_limits<float>::denorm_min()}).item(0) == 0);
    });
}

TEST_CASE("gelu_tanh takes integers as double, plain numbers, and is known to functions of one's own") {
    static_assert(std::is_same_v<value_type_t<decltype(gelu_tanh(array<int>{1}))>, double>);
    CHECK(gelu_tanh(0.0) == 0);
    CHECK(std::fabs(gelu_tanh(1.0) - 0.841191990608276) < 1e-15);
    on_every_backend([](const tested_backend&) {
        array<float> x = random::generator(1).normal<float>(0, 3, {1000});
        CHECK(array_equal(vectorize(activated)(x), gelu_tanh(x)));
    });
}

TEST_CASE("gelu_tanh is near gelu and is not it") {
    on_every_backend([](const tested_backend&) {
        array<double> x = linspace<double>(-6, 6, 1001), apart = abs(gelu_tanh(x) - gelu(x));
        CHECK(item(max(apart)) < 5e-4);
        CHECK(item(max(apart)) > 4e-4);
    });
}

TEST_CASE(
    "gelu_tanh after a product in reduced precision is one library call on a GPU, and else a kernel with the bits of a "
    "step") {
    on_compiling_backends([](const tested_backend& on) {
        array<float> x = normals({33, 17}, 1), w = normals({17, 31}, 2), b = normals({31}, 3), s = normals({33, 31}, 4);
        const bool folds = has_choice(on);
        for (precision p : {precision::tf32, precision::bf16}) {
            const work alone{folds ? 0 : 1, 1};
            CHECK(counted([&] { return array<float>(gelu_tanh(matmul(x, w, p) + b)); }) == alone);
            CHECK(counted([&] { return array<float>(gelu_tanh(matmul(x, w, p))); }) == alone);
            CHECK(counted([&] { return array<float>(gelu_tanh(s + matmul(x, w, p))); }) == alone);
            CHECK(counted([&] { return array<float>(gelu_tanh(matmul(x, w, p) + b) * s); }) == work{1, 1});
            CHECK(counted([&] { return array<float>(gelu(matmul(x, w, p) + b)); }) == work{1, 1});
            CHECK(counted([&] { return array<float>(gelu_tanh(matmul(x(slice(1)), w, p))); }) == work{1, 1});
            CHECK(counted([&] { return array<float>(gelu_tanh(matmul(x, w(all, slice(1)), p))); }) == work{1, 1});
            const precision_scope scope(p);
            CHECK(counted([&] { return array<float>(gelu_tanh(matmul(x, w) + b)); }) == alone);
        }
        CHECK(counted([&] { return array<float>(gelu_tanh(matmul(x, w) + b)); }) == work{1, 1});
        CHECK(counted([&] { return array<double>(gelu_tanh(matmul(x.astype<double>(), w.astype<double>()))); }).calls ==
              1);
        array<float> layer = gelu_tanh(matmul(x, w, precision::tf32) + b), full = gelu_tanh(matmul(x, w) + b);
        CHECK(mentions(explain(layer), "matmul in tf32 + bias + gelu_tanh over (33, 31)") == folds);
        CHECK_FALSE(mentions(explain(full), "+ gelu_tanh over"));
    });
}

TEST_CASE("gelu_tanh in a product's call is near the separate step, and the step itself where nothing is reduced") {
    on_every_backend([](const tested_backend& on) {
        for (precision p : {precision::highest, precision::tf32x3, precision::tf32, precision::bf16})
            for (const dims& shape : {dims{65, 33, 31}, dims{1, 5, 7}, dims{7, 5, 1}, dims{64, 128, 96}}) {
                array<float> x = normals({shape[0], shape[1]}, 1), w = normals({shape[1], shape[2]}, 2),
                             b = normals({shape[2]}, 3);
                array<float> sum = matmul(x, w, p) + b, product = matmul(x, w, p);
                eval(sum, product);
                array<float> step = gelu_tanh(sum), step_alone = gelu_tanh(product);
                eval(step, step_alone);
                array<float> at_once = gelu_tanh(matmul(x, w, p) + b);
                at_once.eval();
                array<float> alone = gelu_tanh(matmul(x, w, p));
                alone.eval();
                const bool is_reduced = p == precision::tf32 || p == precision::bf16,
                           is_own = has_choice(on) && is_reduced;
                CAPTURE(shape);
                if (!is_own || shape[0] == 1 || shape[2] == 1) {
                    CHECK(same_bits(at_once, step));
                    CHECK(same_bits(alone, step_alone));
                }
                CHECK(item(max(abs(at_once - step) / (1 + abs(step)))) < 3e-5);
                CHECK(item(max(abs(alone - step_alone) / (1 + abs(step_alone)))) < 3e-5);
            }
    });
}

TEST_CASE("stacks and transposes of products in reduced precision end in gelu_tanh") {
    on_every_backend([](const tested_backend& on) {
        array<float> x = normals({3, 9, 5}, 1), w = normals({3, 5, 8}, 2), turned = normals({7, 9}, 3),
                     b = normals({8}, 4);
        auto check = [&](auto product, const array<float>& vector) {
            array<float> sum = product() + vector;
            sum.eval();
            array<float> y = gelu_tanh(product() + vector);
            y.eval();
            CHECK(item(max(abs(y - gelu_tanh(sum)) / (1 + abs(sum)))) < 3e-5);
            if (has_choice(on))
                CHECK(counted([&] { return array<float>(gelu_tanh(product() + vector)); }) == work{0, 1});
        };
        check([&] { return matmul(x, w, precision::tf32); }, b);
        check([&] { return matmul(x, w(0), precision::tf32); }, b);
        check([&] { return matmul(turned, turned.T(), precision::bf16); }, array<float>(b(slice(1, none))));
    });
}
