// Operators and functions of elements against NumPy: dtypes of every combination, weak scalars, broadcasting, casts.
#include "support/backends.hpp"
#include "support/language_golden.hpp"

using namespace sinter;
using namespace test_backends;
using golden::check;
using golden::data;

namespace {

template <class T>
std::string name_of() {
    return std::string(to_string(dtype_of<T>));
}

template <class P, class Q>
void check_pair() {
    std::string pair = " " + name_of<P>() + " " + name_of<Q>();
    array<P> a = data<P>({7}, 1);
    array<Q> b = data<Q>({7}, 2);
    check("add" + pair, a + b);
    check("multiply" + pair, a * b, 1e-7);
    check("equal" + pair, a == b);
    if constexpr (!codegen::is_complex(dtype_of<P>) && !codegen::is_complex(dtype_of<Q>)) {
        check("less" + pair, a < b);
        check("maximum" + pair, maximum(a, b));
    }
}

template <class P, class... Q>
void check_row() {
    golden::together row;
    (check_pair<P, Q>(), ...);
    row.compare();
}

template <class... T>
void check_all_pairs() {
    (check_row<T, T...>(), ...);
}

template <class P, class Q>
void check_division() {
    std::string pair = " " + name_of<P>() + " " + name_of<Q>();
    array<P> a = data<P>({9}, 3);
    array<Q> b = data<Q>({9}, 5);
    b[b == 0] = 3;
    check("divide" + pair, a / b);
    check("floor_divide" + pair, floor_divide(a, b));
    check("remainder" + pair, a % b);
}

template <class P, class... Q>
void check_division_row() {
    golden::together row;
    (check_division<P, Q>(), ...);
    row.compare();
}

template <class... T>
void check_divisions() {
    (check_division_row<T, T...>(), ...);
}

}  // namespace

namespace {

struct stranger {};
template <class A, class B>
concept addable = requires(A a, B b) { a + b; };
template <class A, class B>
concept comparable = requires(A a, B b) { a == b; };

}  // namespace

TEST_CASE("a concept that asks for operators of an array and of what is none is false") {
    static_assert(addable<array<float>, float> && addable<int, array<float>> && comparable<array<int>, array<bool>>);
    static_assert(!addable<array<float>, stranger> && !addable<stranger, array<float>>);
    static_assert(!addable<array<float>, std::vector<float>> && !comparable<array<float>, std::string>);
}

TEST_CASE("operators give NumPy's dtype and values for every pair of dtypes") {
    on_every_backend([](const tested_backend&) {
        check_all_pairs<bool, std::int8_t, std::int32_t, std::uint8_t, std::uint64_t, float, double,
                        std::complex<float>>();
    });
}

TEST_CASE("division, floor division and remainder follow NumPy's types and signs") {
    on_every_backend(
        [](const tested_backend&) { check_divisions<std::int8_t, std::int64_t, std::uint16_t, float, double>(); });
}

TEST_CASE("C++ numbers are weak within their kind and decide across kinds") {
    on_every_backend([](const tested_backend&) {
        array<std::int32_t> i = data<std::int32_t>({6}, 4);
        array<std::uint8_t> u = data<std::uint8_t>({6}, 4);
        array<float> f = data<float>({6}, 4);
        check("int32 * 0.5f", i * 0.5f);
        check("int32 * 0.5", i * 0.5);
        check("uint8 + 7", u + 7);
        check("float32 * 2.1", f * 2.1);
        check("float32 * 2.1", 2.1 * f);
        check("2 - int8", 2 - data<std::int8_t>({6}, 4));
        static_assert(std::is_same_v<value_type_t<decltype(f + 1)>, float>);
        static_assert(std::is_same_v<value_type_t<decltype(f * 2.0)>, float>);
        static_assert(std::is_same_v<value_type_t<decltype(i * 2LL)>, std::int32_t>);
        static_assert(std::is_same_v<value_type_t<decltype(i + true)>, std::int32_t>);
        static_assert(std::is_same_v<value_type_t<decltype(i / 2)>, double>);
        static_assert(std::is_same_v<value_type_t<decltype(f * std::complex<double>(0, 1))>, std::complex<double>>);
        static_assert(std::is_same_v<value_type_t<decltype(f * std::complex<float>(0, 1))>, std::complex<float>>);
        static_assert(std::is_same_v<value_type_t<decltype(i * std::complex<float>(0, 1))>, std::complex<float>>);
        static_assert(std::is_same_v<value_type_t<decltype(data<bool>({1}) + 1)>, int>);
        static_assert(std::is_same_v<value_type_t<decltype(sqrt(i))>, double>);
    });
}

TEST_CASE("an integer that does not fit an array's dtype throws, except in comparisons") {
    on_every_backend([](const tested_backend&) {
        array<std::uint8_t> u = data<std::uint8_t>({6}, 4);
        CHECK_THROWS_WITH_AS(u + 300, "[add] 300 does not fit in uint8", value_error);
        CHECK_THROWS_WITH_AS(u - -1, "[subtract] -1 does not fit in uint8", value_error);
        CHECK_THROWS_WITH_AS(data<std::int8_t>({6}) * 128, "[multiply] 128 does not fit in int8", value_error);
        check("uint8 < 300", u < 300);
        check("uint8 > -1", u > -1);
        check("uint8 == 1000", u == 1000);
        check("uint8 > -1", -1 < u);
    });
}

TEST_CASE("the half power of a complex infinity is NumPy's, not its root") {
    on_every_backend([](const tested_backend&) {
        array<std::complex<float>> z{std::complex<float>(INFINITY, 1e10f), std::complex<float>(-5, 1e10f)};
        auto p = to_vector(power(z, 0.5f));
        CHECK(p[0].real() == INFINITY);
        CHECK(std::isnan(p[0].imag()));
    });
}

TEST_CASE("negative powers of integers throw where the exponent is a number") {
    on_every_backend([](const tested_backend&) {
        array<std::int32_t> i = data<std::int32_t>({6}, 4);
        CHECK_THROWS_WITH_AS(power(i, -1), "[power] integers have no negative integer powers: -1", value_error);
        CHECK_THROWS_WITH_AS(power(i * 2, std::int8_t(-3)), "[power] integers have no negative integer powers: -3",
                             value_error);
        CHECK_THROWS_AS(power(2, -1), value_error);
        CHECK(to_vector(power(i, 2)) == to_vector(i * i));
        CHECK(to_vector(power(astype<double>(abs(i) + 1), -1)) == to_vector(1.0 / (abs(i) + 1)));
        CHECK(to_vector(power(abs(i) + 1, -1.0)) == to_vector(1.0 / (abs(i) + 1)));
        CHECK(power(2.0, -1) == 0.5);
        CHECK(power(zeros<int>({0, 3}), -1).shape() == dims(0, 3));
        CHECK(to_vector(power(array<std::int64_t>{1, -1, 2}, array<std::int64_t>{-2, -3, -1})) ==
              std::vector<std::int64_t>{1, -1, 0});
    });
}

TEST_CASE("operands broadcast as NumPy's do") {
    on_every_backend([](const tested_backend&) {
        check("broadcast", data<float>({4, 1, 3}, 1) + data<float>({5, 1}, 2));
        check("broadcast empty", data<double>({0, 3}) * data<double>({3}));
        CHECK_THROWS_WITH_AS(data<float>({3, 4}) + data<float>({5, 6}),
                             "[add] shapes do not broadcast: (3, 4) and (5, 6)", shape_error);
    });
}

TEST_CASE("rows of every width meet what stands beside and above them") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t width : {1, 2, 3, 31, 33, 80, 129, 255, 257, 300, 513, 1026}) {
            CAPTURE(width);
            const std::int64_t rows = width > 300 ? 131 : 1037;
            array<std::int32_t> row = arange<std::int32_t>(width).eval(),
                                column = (reshape(arange<std::int32_t>(rows), {rows, 1}) * 2000).eval();
            array<std::int32_t> number = arange<std::int32_t>(rows * width).eval(), got = (row + column).eval();
            CHECK(all(reshape(floor_divide(number, width) * 2000 + number % width, {rows, width}) == got).item());
            array<double> exact = got.astype<double>().eval(), y = (exact * row - column).eval();
            CHECK(all(y == got * row - column).item());
        }
    });
}

TEST_CASE("logic, bits, selection and casts give NumPy's values") {
    on_every_backend([](const tested_backend&) {
        array<std::int32_t> i = data<std::int32_t>({6}, 4);
        check("not", ~data<bool>({6}));
        check("not", !data<bool>({6}));
        check("xor", data<std::int32_t>({6}, 1) ^ data<std::int32_t>({6}, 2));
        check("shift", data<std::int32_t>({6}, 1) << 3);
        check("shift right", data<std::int32_t>({6}, 1) >> 2);
        check("where", where(i > 0, i, data<double>({6})));
        check("clip", clip(i, -10, 20));
        check("astype", data<double>({8}, 3).astype<std::int32_t>());
        check("astype bool", astype<bool>(data<double>({8}, 3)));
        array<std::complex<double>> z = data<std::complex<double>>({5}, 3);
        check("complex parts", real(z) * imag(z) + square(abs(z)), 1e-15);
        auto [quotient, rest] = divmod(data<std::int32_t>({7}, 3), -7);
        array<std::int32_t> both = zeros<std::int32_t>({2, 7});
        both(0) = quotient;
        both(1) = rest;
        check("divmod", both);
    });
}

TEST_CASE("compound assignment keeps the array's dtype where NumPy does") {
    on_every_backend([](const tested_backend&) {
        array<std::int32_t> i{1, 2, 3};
        i += 4;
        i *= i;
        i -= array<std::int8_t>{1, 1, 1};
        i <<= 1;
        CHECK(str(i) == "[48 70 96]");
        array<float> f{1, 2};
        f /= 4;
        f += 0.5;
        CHECK(str(f) == "[0.75 1.  ]");
        array<double> d{1, 2};
        d += f;
        CHECK(repr(d) == "array([1.75, 3.  ])");
    });
}

TEST_CASE(
    "clip takes integers beyond all that elements can be, and throws where no element could reach a bound, as NumPy "
    "does") {
    on_every_backend([](const tested_backend&) {
        const array<std::uint8_t> u{0, 7, 200, 255};
        const array<std::int8_t> i{-128, -7, 0, 127};
        auto same = [](const auto& got, const auto& wanted) {
            CHECK(got.dtype() == wanted.dtype());
            CHECK(to_vector(got) == to_vector(wanted));
        };
        same(clip(u, 0, 300), u);
        same(clip(u, -5, 256), u);
        same(clip(u, -5, 200), array<std::uint8_t>{0, 7, 200, 200});
        same(clip(u, 7, std::numeric_limits<std::uint64_t>::max()), array<std::uint8_t>{7, 7, 200, 255});
        same(clip(u, none, 300), u);
        same(clip(u, std::numeric_limits<std::int64_t>::min(), none), u);
        same(clip(i, -129, 5), array<std::int8_t>{-128, -7, 0, 5});
        same(clip(i, -1, 1u << 31), array<std::int8_t>{-1, -1, 0, 127});
        same(clip(array<std::uint64_t>{0, 9}, -1, 5), array<std::uint64_t>{0, 5});
        same(clip(u, 0.5, 300), array<double>{0.5, 7, 200, 255});
        CHECK_THROWS_WITH_AS(clip(u, 256, 300), "[clip] 256 does not fit in uint8", value_error);
        CHECK_THROWS_WITH_AS(clip(u, -9, -5), "[clip] -5 does not fit in uint8", value_error);
        CHECK_THROWS_WITH_AS(clip(i, none, -129), "[clip] -129 does not fit in int8", value_error);
    });
}

TEST_CASE("integers round to tens with halves to even, and stay integers") {
    on_every_backend([](const tested_backend&) {
        const array<std::int64_t> x = round(array<std::int64_t>{15, 25, 35, -15, 149}, -1);
        CHECK(to_vector(x) == std::vector<std::int64_t>{20, 20, 40, -20, 150});
        CHECK(to_vector(round(array<int>{7, 3}, -30)) == std::vector<int>{0, 0});
        CHECK(to_vector(round(array<std::uint8_t>{250, 244}, -1)) == std::vector<std::uint8_t>{250, 240});
        CHECK(to_vector(round(array<int>{7, 3}, 2)) == std::vector<int>{7, 3});
        CHECK_THROWS_AS(round(array<bool>{true}, -1), type_error);
        const double infinite = std::numeric_limits<double>::infinity();
        using complex = std::complex<double>;
        const array<complex> z{complex(1.5, 2.5), complex(-0.4, infinite)};
        CHECK(to_vector(round(z)) == std::vector<complex>{{2, 2}, {0, infinite}});
        CHECK(std::signbit(round(z).item(1).real()));
        CHECK(to_vector(rint(z)) == to_vector(around(z)));
        CHECK(to_vector(round(array<complex>{complex(1.256, -2.349)}, 2)) == std::vector<complex>{{1.26, -2.35}});
    });
}

TEST_CASE("element functions of plain numbers have the meaning that they have for elements") {
    CHECK(sinter::round(2.5) == 2);  // unqualified it is also the C library's name
    CHECK(around(-3.5f) == -4);
    // The C library's, as without sinter: none of ours stands beside it.
    CHECK(round(7) == 7);
    CHECK(round(2.5f) == 3);
    CHECK(round(2.5) == 3);
    CHECK(round(2.5L) == 3);
    CHECK(sinter::gamma(5.0) == 24);  // unqualified it is also the C library's name for lgamma
    CHECK(floor_divide(-7, 2) == -4);
    CHECK(remainder(-7, 3) == 2);
    CHECK(gcd(12, 18) == 6);
    CHECK(maximum(2, 2.5) == 2.5);
    CHECK(std::isnan(maximum(inf - inf, 1.0)));
    CHECK(sqrt(std::complex<double>(-1, 0)).imag() == 1);
    CHECK(abs(-3) == 3);
    CHECK(clip(7, 0, 5) == 5);
    CHECK(clip(-0.5, none, 1.0) == -0.5);
    CHECK(round(2.675f, 1) == 2.7f);
    CHECK(round(1250.0, -2) == 1200);
    CHECK(round(25, -1) == 20);
    CHECK(round(std::int8_t{-126}, -2) == -100);
    CHECK(around(2.5) == 2);
    CHECK(nan_to_num(inf - inf) == 0);
    CHECK(nan_to_num(-std::numeric_limits<float>::infinity()) == std::numeric_limits<float>::lowest());
    CHECK(nan_to_num(inf, {.posinf = 3}) == 3);
    CHECK(divmod(-7, 2) == std::tuple(-4, 1));
    CHECK(modf(-1.75) == std::tuple(-0.75, -1.0));
    CHECK(modf(3) == std::tuple(0.0, 3.0));
    CHECK(std::get<1>(frexp(12.0)) == 4);
    CHECK(isclose(1.0, 1.0 + 1e-9));
    CHECK_FALSE(isclose(1u, 2u));
    CHECK(isclose(1u, 2u, 0, 1));
}

TEST_CASE("a remainder of nothing keeps its dividend's sign, and beta of two zeros is infinite whatever their signs") {
    on_every_backend([](const tested_backend&) {
        const array<float> x{-3.875f, 3.875f, -0.0f}, y{-3.875f, -3.875f, 2};
        CHECK(to_vector(signbit(fmod(x, y))) == std::vector<bool>{true, false, true});
        const array<float> zeros_of_signs{0.0f, 0.0f, -0.0f, -0.0f}, others{0.0f, -0.0f, 0.0f, -0.0f};
        CHECK(bool(all(isposinf(betaln(zeros_of_signs, others)))));
        CHECK(bool(all(isposinf(beta(zeros_of_signs, others)))));
    });
}

TEST_CASE("integers are close as numbers, and have whole parts without a loss") {
    on_every_backend([](const tested_backend&) {
        array<std::uint8_t> u{1, 200, 255}, v{2, 203, 0};
        CHECK(to_vector(isclose(u, v, 0, 1)) == std::vector<bool>{true, false, false});
        CHECK(to_vector(isclose(u, 2, 0.5)) == std::vector<bool>{true, false, false});
        array<double> nan = array<double>{1, 0, 0} / array<double>{0, 0, 1};
        CHECK(to_vector(isclose(nan, nan)) == std::vector<bool>{true, false, true});
        CHECK(allclose(nan, nan, 1e-5, 1e-8, true));
        array<std::int64_t> large{123456789012345678, -3};
        auto [fraction, whole] = modf(large);
        CHECK(to_vector(whole) == std::vector<double>{123456789012345678.0, -3});
        CHECK(to_vector(fraction)[1] == 0);
        auto [none_left, zero] = modf(array<float>{-0.0f, -1.5f});
        CHECK(std::signbit(zero.item(0)));
        CHECK(to_vector(zero)[1] == -1);
        CHECK(to_vector(none_left)[1] == -0.5f);
    });
}

TEST_CASE("attributes are NumPy's, on arrays and on expressions") {
    on_every_backend([](const tested_backend& b) {
        array<std::int64_t> a = zeros<std::int64_t>({2, 5});
        CHECK(to_string(a.shape()) == "(2, 5)");
        CHECK(to_string(a.strides()) == "(40, 8)");
        CHECK(to_string(a.dtype()) == "int64");
        CHECK(a.ndim() == 2);
        CHECK(a.size() == 10);
        CHECK(a.itemsize() == 8);
        CHECK(a.nbytes() == 80);
        CHECK(a.shape(-1) == 5);
        CHECK(to_string(a.device()) == (b.is_cuda() ? "<CUDA Device 0>" : "<CPU>"));
        CHECK((a + 1.0).dtype() == dtype::float64);
        CHECK((a + 1.0).ndim() == 2);
        CHECK(to_string(a.eval().T().strides()) == "(8, 40)");
        array<float> none;
        CHECK(to_string(none.shape()) == "(0,)");
        array column{{1}, {2}};
        CHECK(to_string(column.shape()) == "(2, 1)");
        array<double> cube{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
        CHECK(cube.item(1, 0, 1) == 6);
        CHECK_THROWS_AS((array<double>{{1, 2}, {3}}), shape_error);
    });
}
