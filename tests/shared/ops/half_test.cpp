// Elements of half precision on every backend: types, what an operation rounds, memory that is moved as it is, and
// scalars.
#include "support/backends.hpp"
#include "support/moved_elements.hpp"

#include <sinter/sinter.hpp>

#include <cmath>
#include <vector>

using namespace sinter;
using namespace test_backends;

namespace {

template <class A, class B>
using type_of_sum = value_type_t<decltype(std::declval<array<A>>() + std::declval<array<B>>())>;
template <class A, class S>
using type_of_product = value_type_t<decltype(std::declval<array<A>>() * std::declval<S>())>;
template <class T, class... A>
constexpr bool is_one_of = (std::is_same_v<T, A> && ...);

static_assert(is_one_of<half, type_of_sum<half, half>, type_of_sum<half, bool>, type_of_sum<half, std::int8_t>,
                        type_of_sum<std::uint8_t, half>>);
static_assert(
    is_one_of<float, type_of_sum<half, std::int16_t>, type_of_sum<std::uint16_t, half>, type_of_sum<half, float>>);
static_assert(is_one_of<double, type_of_sum<half, int>, type_of_sum<std::uint64_t, half>, type_of_sum<half, double>>);
static_assert(is_one_of<bfloat16, type_of_sum<bfloat16, bfloat16>, type_of_sum<bfloat16, std::uint8_t>>);
static_assert(is_one_of<float, type_of_sum<bfloat16, half>, type_of_sum<bfloat16, float>>);
static_assert(
    is_one_of<std::complex<float>, type_of_sum<half, std::complex<float>>, type_of_product<half, std::complex<float>>>);
// Numbers of C++ are weak within their kind, those of half precision too.
static_assert(is_one_of<half, type_of_product<half, double>, type_of_product<half, float>, type_of_product<half, int>,
                        type_of_product<half, bfloat16>>);
static_assert(is_one_of<half, type_of_product<int, half>, type_of_product<std::int8_t, half>>);
static_assert(is_one_of<bfloat16, type_of_product<bfloat16, double>, type_of_product<bfloat16, half>>);
static_assert(is_one_of<float, type_of_product<float, half>, type_of_product<float, bfloat16>>);
static_assert(
    is_one_of<half, decltype(exp(half(1))), decltype(maximum(half(1), half(2))), decltype(array<half>().item())>);

template <class T>
std::vector<T> numbers(std::int64_t n, double scale = 1) {
    std::vector<T> v(static_cast<std::size_t>(n));
    std::uint64_t state = 2024;
    for (T& x : v) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        x = T((static_cast<double>(state >> 40) / double(1 << 23) - 1) * scale);
    }
    return v;
}

template <class T>
int differences(const std::vector<T>& a, const std::vector<T>& b) {
    int n = a.size() == b.size() ? 0 : 1;
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
        n += a[i].bits() != b[i].bits() && !(a[i] != a[i] && b[i] != b[i]);
    return n;
}

template <class Body>
void for_both(Body body) {
    on_every_backend([&](const tested_backend& b) {
        body.template operator()<half>(b);
        body.template operator()<bfloat16>(b);
    });
}

SINTER_FUNCTION(twice_and_one, (float x)->float { return 2 * x + 1; })

elementwise_kernel<"T x", "T z", "z = x + x"> doubled;

}  // namespace

TEST_CASE("each operation of half precision rounds, whatever shares a kernel") {
    for_both([]<class T>(const tested_backend& b) {
        for (std::int64_t n : {0, 1, 7, 8, 31, 33, 1000, 70001}) {
            const std::vector<T> u = numbers<T>(n, 4), v = numbers<T>(n + 1, 3);
            array<T> x = asarray(u), y = asarray(v)(slice(1, none));
            array<T> fused = (x * y + x) / y - 2.5 * square(x);
            CAPTURE(n);
            if (b.compiles() && n > 1) CHECK(explain(fused).kernels() == 1);
            if (b.compiles() && n > 1) CHECK(explain(fused).bytes_read() == 4 * n);
            array<T> product = (x * y).eval(), sum = (product + x).eval(), quotient = (sum / y).eval();
            array<T> apart = quotient - (2.5 * square(x).eval()).eval();
            std::vector<T> expected(u.size());
            for (std::size_t i = 0; i < u.size(); ++i) {
                const T p = u[i] * v[i + 1], s = p + u[i], q = s / v[i + 1], w = 2.5f * T(u[i] * u[i]);
                expected[i] = q - w;
            }
            CHECK(differences(to_vector(fused), expected) == 0);
            CHECK(differences(to_vector(apart), expected) == 0);
        }
    });
}

TEST_CASE(
    "quotients of half precision have the bits of float32's, rounded, and exponentials are within one, whatever the "
    "numbers") {
    for_both([]<class T>(const tested_backend&) {
        std::vector<T> u(65536);
        for (std::size_t i = 0; i < u.size(); ++i) u[i] = T::from_bits(static_cast<std::uint16_t>(i));
        const array<T> x = asarray(u);
        for (float d :
             {3.0f, -7.0f, 0.1f, 1.0f, 49.0f, 1e-5f, 6e-8f, 65504.0f, 1e-40f, 1e38f, 0.0f, -0.0f, HUGE_VALF, NAN}) {
            CAPTURE(d);
            const std::vector<T> v(u.size(), T(d));
            std::vector<T> expected(u.size());
            for (std::size_t i = 0; i < u.size(); ++i)
                expected[i] = T(static_cast<float>(u[i]) / static_cast<float>(v[i]));
            CHECK(differences(to_vector(array<T>(x / asarray(v))), expected) == 0);
        }
        const std::vector<T> turned = to_vector(array<T>(x / roll(x, 12345)));
        std::vector<T> expected(u.size());
        for (std::size_t i = 0; i < u.size(); ++i)
            expected[(i + 12345) % 65536] = T(static_cast<float>(u[(i + 12345) % 65536]) / static_cast<float>(u[i]));
        CHECK(differences(turned, expected) == 0);
        auto check_rounded = [&](const array<T>& y, double (*of)(double)) {
            const std::vector<T> got = to_vector(y);
            int far = 0, unequal = 0;
            for (std::size_t i = 0; i < got.size(); ++i) {
                const T wanted(of(static_cast<double>(static_cast<float>(u[i]))));
                if (wanted != wanted) {
                    far += got[i] == got[i];
                    continue;
                }
                const int distance = std::abs(static_cast<int>(got[i].bits()) - static_cast<int>(wanted.bits()));
                far += !(distance <= 1);
                unequal += distance != 0;
            }
            CHECK(far == 0);
            CHECK(unequal < 200);
        };
        check_rounded(exp(x), [](double v) { return std::exp(v); });
        check_rounded(expit(x), [](double v) { return 1 / (1 + std::exp(-v)); });
        check_rounded(gelu(x), [](double v) { return v == -HUGE_VAL ? -0.0 : v / 2 * std::erfc(-v * std::sqrt(0.5)); });
        check_rounded(gelu_tanh(x), [](double v) {
            const double u = std::sqrt(2 / std::acos(-1.0)) * (v + 0.044715 * v * v * v);
            return v == -HUGE_VAL ? -0.0 : v / (1 + std::exp(-2 * u));
        });
    });
}

TEST_CASE("half precision in rows, columns and tiles of any shape has the bits that one operation at a time gives") {
    for_both([]<class T>(const tested_backend&) {
        for (const dims& shape : {dims{1, 1}, dims{3, 10}, dims{300, 7}, dims{5, 131}, dims{2, 4099}, dims{130, 129}}) {
            const std::int64_t count = shape[0] * shape[1];
            const array<T> x = reshape(asarray(numbers<T>(count, 5)), shape),
                           y = reshape(asarray(numbers<T>(count, 6)), shape);
            const array<T> mirrored = y(all, slice(none, none, -1)), product = array<T>(x * y).eval();
            auto same = [](const array<T>& a, const array<T>& e) {
                return differences(to_vector(a), to_vector(e)) == 0;
            };
            INFO(to_string(shape));
            CHECK(same(array<T>(x * mirrored + x), array<T>(array<T>(x * mirrored.copy()).eval() + x)));
            CHECK(same(array<T>(transpose(x.T() * y.T())), product));
            CHECK(same(array<T>(sum(x * y, 1)), array<T>(sum(product, 1))));
            CHECK(same(array<T>(max(x * y, 0)), array<T>(max(product, 0))));
            CHECK(same(array<T>(cumsum(x * y, 1)), array<T>(cumsum(product, 1))));
            CHECK(same(array<T>(x * y - sum(x * y, 1, keepdims)), array<T>(product - sum(product, 1, keepdims))));
        }
    });
}

TEST_CASE("an exponential of half precision has the same bits however often a kernel computes one") {
    for_both([]<class T>(const tested_backend&) {
        const array<T> x = asarray(numbers<T>(6000, 3)).eval();
        auto power = [&](int i, bool at_once) {
            array<T> e = exp(x * T(i));
            return at_once ? e : array<T>(exp((x * T(i)).eval())).eval();
        };
        auto product = [&](bool at_once) {
            array<T> p =
                power(1, at_once) * power(-1, at_once) * power(2, at_once) * power(-2, at_once) * power(3, at_once);
            return to_vector(p);
        };
        CHECK(differences(product(true), product(false)) == 0);
    });
}

TEST_CASE("half precision is moved as it is, over any strides") {
    for_both([]<class T>(const tested_backend&) {
        std::vector<T> all(65536);
        for (int i = 0; i < 65536; ++i) all[static_cast<std::size_t>(i)] = T::from_bits(static_cast<unsigned short>(i));
        array<T> x = asarray(all, {256, 256});
        const moved_elements elements{x, [](T v, int i) { return v.bits() == static_cast<unsigned short>(i); }};
        elements.check_all();
        array<T> y = x.copy();
        y(slice(none), 0) = T(1.5);
        y(0, slice(1, none)) = x(1, slice(1, none));
        elements.check(y, [](int i) { return i % 256 == 0 ? T(1.5).bits() : i < 256 ? i + 256 : i; });
    });
}

TEST_CASE("half precision converts from and to every type as C++ converts, with infinities, NaN and subnormals") {
    for_both([]<class T>(const tested_backend&) {
        const double infinity = INFINITY, nan = NAN;
        const std::vector<double> v{0,
                                    -0.0,
                                    1,
                                    -2.75,
                                    300,
                                    65519.9,
                                    65520,
                                    1e9,
                                    -1e300,
                                    infinity,
                                    -infinity,
                                    nan,
                                    0x1p-24,
                                    0x1p-25,
                                    3e-8,
                                    1e-40,
                                    1 + 0x1p-11 + 0x1p-40,
                                    0.1};
        array<T> x = astype<T>(asarray(v));
        std::vector<T> direct;
        for (double d : v) direct.push_back(T(d));
        CHECK(differences(to_vector(x), direct) == 0);
        CHECK(differences(to_vector(astype<T>(astype<float>(x))), direct) == 0);
        CHECK(differences(to_vector(astype<T>(astype<std::complex<double>>(x))), direct) == 0);
        const std::vector<std::int8_t> bytes = to_vector(astype<std::int8_t>(x));
        const std::vector<std::uint64_t> words = to_vector(astype<std::uint64_t>(x));
        const std::vector<bool> truths = [&] {
            std::vector<bool> t;
            for (bool b : to_vector(astype<bool>(x))) t.push_back(b);
            return t;
        }();
        for (std::size_t i = 0; i < v.size(); ++i) {
            CAPTURE(v[i]);
            const float f = direct[i];
            CHECK(bytes[i] == (f != f ? 0 : f >= 127 ? 127 : f <= -128 ? -128 : static_cast<std::int8_t>(f)));
            CHECK(words[i] == (f != f || f <= 0 ? 0
                               : f >= 0x1p64f   ? ~std::uint64_t(0)
                                                : static_cast<std::uint64_t>(f)));
            CHECK(truths[i] == (f != 0));
        }
        std::vector<T> whole;
        const std::vector<std::int64_t> integers{0,        -1, 2049, 2051, 65519, 65520, -70000, std::int64_t(1) << 53,
                                                 INT64_MAX};
        for (std::int64_t i : integers) whole.push_back(T(i));
        CHECK(differences(to_vector(astype<T>(asarray(integers))), whole) == 0);
        CHECK(to_vector(astype<T>(array<bool>{true, false})) == std::vector<T>{1, 0});
    });
}

TEST_CASE("arrays of half precision are made, set and read like others") {
    for_both([]<class T>(const tested_backend&) {
        array<T> x{{1, 2.5, -0.5}, {4, 5, 6}};
        CHECK(x.shape() == dims(2, 3));
        CHECK(x.itemsize() == 2);
        CHECK(x.item(0, 1) == 2.5f);
        CHECK(float(sum(x)) == 18);
        CHECK(double(x(1, 2)) == 6);
        CHECK(bool(any(x > 5)));
        CHECK(to_vector(zeros<T>({2})) == std::vector<T>{0, 0});
        CHECK(to_vector(ones<T>({2})) == std::vector<T>{1, 1});
        CHECK(to_vector(full({2}, T(1.5))) == std::vector<T>{1.5, 1.5});
        CHECK(to_vector(full<T>({1}, 0.1)) == std::vector<T>{0.1});
        CHECK(to_vector(linspace<T>(0, 1, 3)) == std::vector<T>{0, 0.5, 1});
        CHECK(to_vector(eye<T>(2)) == std::vector<T>{1, 0, 0, 1});
        // Rounded once, also where the element's number is none of the type.
        const std::vector<T> far = to_vector(arange<T>(0, 1100, 0.375));
        int wrong = 0;
        for (std::size_t i = 0; i < far.size(); ++i) wrong += far[i] != T(static_cast<float>(i) * 0.375f);
        CHECK(wrong == 0);
        CHECK(far.size() == 2934);
        x(0, 0) = 7;
        x(1, all) = x(1, all) * 2;
        x += 1;
        CHECK(to_vector(ravel(x)) == std::vector<T>{8, 3.5, 0.5, 9, 11, 13});
        x.fill(0.1);
        CHECK(x.item(1, 1) == T(0.1));
        host_array<T> h = to_host(x);
        CHECK(h(1, 2) == T(0.1));
        array<float> wide = x;
        CHECK(wide.item(0, 0) == float(T(0.1)));
    });
}

TEST_CASE("functions that are made of several operations know the limits of half precision") {
    for_both([]<class T>(const tested_backend&) {
        using limits = std::numeric_limits<T>;
        array<T> x{limits::quiet_NaN(), limits::infinity(), -limits::infinity(), T(1)};
        CHECK(to_vector(nan_to_num(x)) == std::vector<T>{0, limits::max(), limits::lowest(), 1});
        CHECK(nan_to_num(limits::infinity()) == limits::max());
        CHECK(to_vector(clip(array<T>{-1, 0.5, 9}, 0, 2)) == std::vector<T>{0, 0.5, 2});
        CHECK(to_vector(round(array<T>{0.5, 1.5, -2.5})) == std::vector<T>{0, 2, -2});
        CHECK(to_vector(array<T>{7, -7} % 3) == std::vector<T>{1, 2});
        CHECK(to_vector(power(array<T>{2, -3}, 2)) == std::vector<T>{4, 9});
        CHECK(to_vector(power(array<T>{4, 2.25}, 0.5)) == std::vector<T>{2, 1.5});
        auto [fraction, exponent] = frexp(array<T>{6, -0.375});
        CHECK(to_vector(array<T>(fraction)) == std::vector<T>{0.75, -0.75});
        CHECK(to_vector(array<int>(exponent)) == std::vector<int>{3, -1});
        CHECK(to_vector(ldexp(array<T>{0.75, 1}, array<int>{3, -2})) == std::vector<T>{6, 0.25});
        CHECK(allclose(array<T>{1, 2}, array<T>{1, 2}));
        CHECK(exp(T(1)) == T(std::exp(1.0)));
        CHECK(T(1) + T(2) == 3);
        test::assert_allclose(array<T>{1, 3}, array<float>{1, 3});
        CHECK(to_vector(vectorize(twice_and_one)(array<T>{1, 2.5})) == std::vector<float>{3, 6});
    });
}

TEST_CASE(
    "the number after a zero towards the other zero is NumPy's of half, which is the first, and ml_dtypes' of "
    "bfloat16") {
    on_every_backend([](const tested_backend&) {
        const array<float> zeros{-0.0f, 0.0f, -0.0f, 1.0f};
        const auto next = [&](auto of) {
            using T = decltype(of);
            const array<T> from = astype<T>(zeros), to = astype<T>(array<float>{0.0f, -0.0f, -0.0f, 1.0f});
            return to_vector(signbit(nextafter(from, to)));
        };
        CHECK(next(half()) == std::vector<bool>{true, false, true, false});
        CHECK(next(bfloat16()) == std::vector<bool>{false, true, true, false});
    });
}

TEST_CASE("a function of a text computes no half precision, and says so") {
    for_both([]<class T>(const tested_backend&) { CHECK_THROWS_AS(doubled(array<T>{1, 2}).eval(), type_error); });
}

TEST_CASE("a loop's state may be of half precision") {
    for_both([]<class T>(const tested_backend&) {
        array<T> x{1, 0.1, 3};
        auto [y, n] = while_loop([](auto y, auto) { return y < 100; },
                                 [](auto y, auto n) { return std::tuple(y * 1.1 + 1, n + 1); }, x, 0);
        const std::vector<T> got = to_vector(array<T>(y));
        for (int i = 0; i < 3; ++i) {
            T v = x.item(i);
            while (v < 100) v = T(v * T(1.1)) + 1;
            CHECK(got[static_cast<std::size_t>(i)] == v);
        }
    });
}
