// Complex numbers of half precision on every backend: types, rounding of each operation, conversions, memory, and what
// refuses them.
#include "support/backends.hpp"
#include "support/moved_elements.hpp"
#include "support/scratch_folder.hpp"

#include <sinter/sinter.hpp>

#include <cmath>
#include <complex>
#include <vector>

using namespace sinter;
using namespace test_backends;

namespace {

using C = complex_half;
using single = std::complex<float>;

template <class A, class B>
using type_of_sum = value_type_t<decltype(std::declval<array<A>>() + std::declval<array<B>>())>;
template <class A, class S>
using type_of_product = value_type_t<decltype(std::declval<array<A>>() * std::declval<S>())>;
template <class T, class... A>
constexpr bool is_one_of = (std::is_same_v<T, A> && ...);

static_assert(is_one_of<C, type_of_sum<C, C>, type_of_sum<C, half>, type_of_sum<bool, C>, type_of_sum<C, std::int8_t>>);
static_assert(is_one_of<single, type_of_sum<C, float>, type_of_sum<C, bfloat16>, type_of_sum<std::int16_t, C>,
                        type_of_sum<C, single>>);
static_assert(is_one_of<std::complex<double>, type_of_sum<C, double>, type_of_sum<int, C>>);
static_assert(
    is_one_of<C, type_of_product<C, double>, type_of_product<C, std::complex<double>>, type_of_product<C, half>>);
static_assert(is_one_of<C, type_of_product<half, C>>);
static_assert(is_one_of<single, type_of_product<float, C>, type_of_product<single, C>, type_of_product<half, single>>);
static_assert(is_one_of<half, value_type_t<decltype(real(array<C>()))>, value_type_t<decltype(abs(array<C>()))>>);
static_assert(is_one_of<half, value_type_t<decltype(angle(array<C>()))>>);

std::vector<C> numbers(std::int64_t n, double scale = 1) {
    std::vector<C> v(static_cast<std::size_t>(n));
    std::uint64_t state = 32;
    auto next = [&] {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        return (static_cast<double>(state >> 40) / double(1 << 23) - 1) * scale;
    };
    for (C& z : v) {
        const double re = next();
        z = std::complex<double>(re, next());
    }
    return v;
}

bool is_same(half a, half b) { return a.bits() == b.bits() || (a != a && b != b); }

int differences(const std::vector<C>& a, const std::vector<C>& b) {
    int n = a.size() == b.size() ? 0 : 1;
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
        n += !is_same(a[i].real(), b[i].real()) || !is_same(a[i].imag(), b[i].imag());
    return n;
}

elementwise_kernel<"T x", "T z", "z = x + x"> doubled;

}  // namespace

TEST_CASE("each operation on pairs of halves rounds, whatever shares a kernel") {
    on_every_backend([](const tested_backend& b) {
        for (std::int64_t n : {0, 1, 7, 33, 1000, 70001}) {
            CAPTURE(n);
            const std::vector<C> u = numbers(n, 4), v = numbers(n + 1, 3);
            array<C> x = asarray(u), y = asarray(v)(slice(1, none));
            array<C> fused = (x + y) * 2.5 - conj(x);
            if (b.compiles() && n > 1) {
                CHECK(explain(fused).kernels() == 1);
                CHECK(explain(fused).bytes_read() == 8 * n);
            }
            std::vector<C> expected(u.size());
            for (std::size_t i = 0; i < u.size(); ++i) {
                const C s = u[i] + v[i + 1], p = s * 2.5f;
                expected[i] = p - C(u[i].real(), -u[i].imag());
            }
            CHECK(differences(to_vector(fused), expected) == 0);
        }
    });
}

TEST_CASE("pairs of halves are moved as they are, over any strides") {
    on_every_backend([](const tested_backend&) {
        std::vector<C> all(65536);
        for (int i = 0; i < 65536; ++i)
            all[static_cast<std::size_t>(i)] = {half::from_bits(static_cast<unsigned short>(i)),
                                                half::from_bits(static_cast<unsigned short>(65535 - i))};
        array<C> x = asarray(all, {256, 256});
        const moved_elements elements{x,
                                      [](C v, int i) { return v.real().bits() == i && v.imag().bits() == 65535 - i; }};
        elements.check_all();
        array<C> y = x.copy();
        y(array<std::int64_t>{5, 0}) = x(slice(1, 3));
        elements.check(y, [](int i) { return i / 256 == 5 ? i - 4 * 256 : i / 256 == 0 ? i + 2 * 256 : i; });
    });
}

TEST_CASE("pairs of halves convert from and to every type, each part as half does") {
    on_every_backend([](const tested_backend&) {
        const double infinity = INFINITY, nan = NAN;
        const std::vector<double> parts{
            0,  -0.0, 1, -2.75, 65519.9, 65520, -1e300, infinity, nan, 0x1p-24, 0x1p-25, 3e-8, 1 + 0x1p-11 + 0x1p-40,
            0.1};
        std::vector<std::complex<double>> v;
        std::vector<C> direct;
        for (double re : parts)
            for (double im : parts) {
                v.emplace_back(re, im);
                direct.push_back({half(re), half(im)});
            }
        array<std::complex<double>> wide = asarray(v);
        array<C> z = astype<C>(wide);
        CHECK(differences(to_vector(z), direct) == 0);
        CHECK(differences(to_vector(astype<C>(astype<single>(z))), direct) == 0);
        CHECK(differences(to_vector(astype<C>(astype<std::complex<double>>(z))), direct) == 0);
        const std::vector<half> re = to_vector(real(z)), im = to_vector(imag(z)), kept = to_vector(astype<half>(z));
        const std::vector<std::int8_t> bytes = to_vector(astype<std::int8_t>(z));
        const std::vector<double> doubles = to_vector(astype<double>(z));
        array<bool> truths = astype<bool>(z);
        for (std::size_t i = 0; i < v.size(); ++i) {
            CAPTURE(v[i].real());
            CAPTURE(v[i].imag());
            CHECK((is_same(re[i], direct[i].real()) && is_same(im[i], direct[i].imag()) &&
                   is_same(kept[i], direct[i].real())));
            const float f = direct[i].real();
            CHECK(bytes[i] == (f != f ? 0 : f >= 127 ? 127 : f <= -128 ? -128 : static_cast<std::int8_t>(f)));
            CHECK((doubles[i] == f || f != f));
            CHECK(truths.item(static_cast<std::int64_t>(i)) == (f != 0 || direct[i].imag() != 0));
        }
        CHECK(differences(to_vector(astype<C>(array<half>{1, -0.5})), {1, C(-0.5)}) == 0);
        CHECK(differences(to_vector(astype<C>(array<bfloat16>{1, -0.5})), {1, C(-0.5)}) == 0);
        CHECK(differences(to_vector(astype<C>(array<std::int64_t>{2049, -70000})), {C(2048), C(-infinity)}) == 0);
        CHECK(differences(to_vector(astype<C>(array<bool>{true, false})), {1, 0}) == 0);
        CHECK(differences(to_vector(astype<C>(array<double>{1 + 0x1p-11 + 0x1p-40})), {C(1 + 0x1p-10)}) == 0);
    });
}

TEST_CASE("arrays of pairs of halves are made, set, read and printed like others") {
    on_every_backend([](const tested_backend&) {
        array<C> x = asarray(std::vector<C>{{1, 2.5}, {-0.5, 0}, {4, -5}, {6, 1}}, {2, 2});
        CHECK(x.itemsize() == 4);
        CHECK(x.item(0, 1) == C(-0.5));
        CHECK(single(sum(x)) == single(10.5f, -1.5f));
        CHECK(repr(x) == "array([[ 1. +2.5j, -0.5+0.j ],\n       [ 4. -5.j ,  6. +1.j ]], dtype=complex32)");
        CHECK(to_vector(zeros<C>({2})) == std::vector<C>{0, 0});
        CHECK(to_vector(full({2}, C(1.5, 2))) == std::vector<C>{{1.5, 2}, {1.5, 2}});
        CHECK(to_vector(linspace<C>(0, 1, 3)) == std::vector<C>{0, 0.5, 1});
        x(0, 0) = 7;
        x(1, all) = x(1, all) * std::complex<double>(0, 1);
        x += half(1);
        CHECK(to_vector(ravel(x)) == std::vector<C>{8, 0.5, {6, 4}, {0, 6}});
        array<single> wide = x;
        CHECK(wide.item(1, 0) == single(6, 4));
        array<C> narrow = array<half>{1, 2};
        CHECK(narrow.item(1) == 2.0f);
        CHECK(exp(C(0)) == 1.0f);
        test::assert_allclose(x, wide);
    });
}

TEST_CASE("sums, products of matrices, order and scatters of pairs of halves have the digits of more and round once") {
    on_every_backend([](const tested_backend&) {
        for (const dims& shape : {dims(1, 1), dims(31, 33), dims(5, 1000)}) {
            array<C> x = asarray(numbers(shape.product()), shape);
            array<std::complex<double>> w = astype<std::complex<double>>(x);
            auto check = [&](const char* what, const array<C>& got, const array<std::complex<double>>& want) {
                CAPTURE(what);
                REQUIRE(got.shape() == want.shape());
                CHECK(double(max(abs(got - want))) <= 0x1p-11 * 1.01 * double(max(abs(want))));
            };
            check("sum", sum(x, 1), sum(w, 1));
            check("mean", mean(x, 0), mean(w, 0));
            check("cumsum", cumsum(x, 1), cumsum(w, 1));
            check("matmul", matmul(x, x.T()), matmul(w, w.T()));
            check("vdot", vdot(ravel(x), ravel(x)), vdot(ravel(w), ravel(w)));
            check("einsum", einsum("ij,ij->i", x, x), einsum("ij,ij->i", w, w));
            check("sort", sort(x, 1), sort(w, 1));
            CHECK(to_vector(argsort(x, 0)) == to_vector(argsort(w, 0)));
        }
        array<C> t = zeros<C>({3});
        scatter_add(t, array<std::int64_t>{2, 0, 2}, array<C>{C(1, 2), C(3), C(0, 0.5)});
        CHECK(to_vector(t) == std::vector<C>{3, 0, {1, 2.5}});
    });
}

TEST_CASE("a loop's state may be pairs of halves; functions of a text and files compute none, and say so") {
    on_every_backend([](const tested_backend&) {
        array<C> x{C(1, 1), C(0.1)};
        auto [y, n] = while_loop([](auto z, auto) { return abs(z) < 100; },
                                 [](auto z, auto n) { return std::tuple(z + z + 1, n + 1); }, x, 0);
        const std::vector<C> got = to_vector(array<C>(y));
        for (int i = 0; i < 2; ++i) {
            C v = x.item(i);
            while (std::abs(single(v)) < 100) v = C(v + v) + 1;
            CHECK(got[static_cast<std::size_t>(i)] == v);
        }
        CHECK_THROWS_AS(doubled(x).eval(), type_error);
        const scratch_folder folder;
        CHECK_THROWS_WITH_AS(save(folder.path + "/none.npy", x),
                             "[save] .npy files have no complex32: convert to complex64 first", type_error);
    });
}

TEST_CASE("rows of pairs of halves that no four neighbours fill are centred as step by step") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t length : {33, 150, 301}) {
            const array<C> x = reshape(asarray(numbers(140 * length)), {140, length});
            const array<C> fused = (x - sum(x, 1, keepdims)).eval(), sums = sum(x, 1, keepdims).eval();
            CHECK(array_equal(fused, x - sums));
        }
    });
}
