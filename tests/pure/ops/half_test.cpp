// half and bfloat16 as numbers of C++: conversions of every bit pattern, between every two neighbours, and NumPy's of
// many numbers.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <sinter/codegen/ops/half.hpp>
#include <sinter/codegen/ops/scalar.hpp>
#include <string>

using namespace sinter;

namespace {

// The value of bits with a sign, exponent bits, and so many of the fraction, by the standard's formula.
double value_of(int bits, int fraction_bits) {
    const int exponent_bits = 15 - fraction_bits, bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = (bits & 0x7fff) >> fraction_bits, fraction = bits & ((1 << fraction_bits) - 1);
    double size =
        std::ldexp(fraction + (exponent ? 1 << fraction_bits : 0), (exponent ? exponent : 1) - bias - fraction_bits);
    if (exponent == (1 << exponent_bits) - 1) size = fraction ? NAN : INFINITY;
    return bits & 0x8000 ? -size : size;
}

template <class T>
constexpr int fraction_bits = std::numeric_limits<T>::digits - 1;

template <class T>
T from(int bits) {
    return T::from_bits(static_cast<unsigned short>(bits));
}

// Calls `check(lower, upper, middle)` for neighbours of one sign, the last of them the largest and infinity.
template <class T, class Check>
void for_neighbours(Check check) {
    const int largest = std::numeric_limits<T>::max().bits();
    for (int sign : {0, 0x8000})
        for (int bits = 0; bits <= largest; ++bits) {
            const double lower = value_of(sign + bits, fraction_bits<T>),
                         below = bits ? value_of(sign + bits - 1, fraction_bits<T>) : 0;
            // Above the largest the next number would be as far as the one below is.
            const double upper = bits < largest ? value_of(sign + bits + 1, fraction_bits<T>) : lower + (lower - below);
            check(sign + bits, sign + bits + 1, (lower + upper) / 2);
        }
}

template <class T>
void check_patterns() {
    int wrong = 0;
    for (int bits = 0; bits < 0x10000; ++bits) {
        const double expected = value_of(bits, fraction_bits<T>), got = float(from<T>(bits));
        const bool is_nan = expected != expected;
        wrong += is_nan ? got == got : got != expected || std::signbit(got) != std::signbit(expected);
        // A quiet NaN keeps what it says.
        const int quiet = is_nan ? bits | 1 << (fraction_bits<T> - 1) : bits;
        wrong += T(float(from<T>(bits))).bits() != quiet;
        wrong += is_nan ? T(expected) == T(expected) : T(expected).bits() != bits;
    }
    CHECK(wrong == 0);
}

template <class T, class Number>
void check_rounding() {
    int wrong = 0;
    for_neighbours<T>([&](int lower, int upper, double middle) {
        const Number at = static_cast<Number>(middle);
        if (std::isinf(at)) return;
        const Number away = at > 0 ? INFINITY : -INFINITY;
        wrong += T(at).bits() != (lower % 2 ? upper : lower);
        wrong += T(std::nextafter(at, Number(0))).bits() != lower;
        wrong += T(std::nextafter(at, away)).bits() != upper;
    });
    CHECK(wrong == 0);
}

static_assert(half(1.5f).bits() == 0x3e00 && half(-2).bits() == 0xc000 && half(1e9).bits() == 0x7c00 &&
              float(half(0.1)) == 0.0999755859375f);
static_assert(bfloat16(1.5f).bits() == 0x3fc0 && float(bfloat16(3.14159)) == 3.140625f &&
              (-bfloat16(2)).bits() == 0xc000);

}  // namespace

TEST_CASE("every pattern of 16 bits is the number that its format says, and comes back from it") {
    check_patterns<half>();
    check_patterns<bfloat16>();
}

TEST_CASE("what lies between two numbers of 16 bits rounds to the nearer, halfway to the even one") {
    check_rounding<half, float>();
    check_rounding<half, double>();
    check_rounding<bfloat16, float>();
}

TEST_CASE("numbers become the float16 of NumPy and the bfloat16 of ml_dtypes") {
    std::ifstream file(SINTER_TEST_DATA "/golden/half.txt");
    REQUIRE(file.good());
    char letter;
    std::uint64_t bits;
    int expected_half, expected_bfloat16, count = 0, wrong = 0;
    while (file >> letter >> std::hex >> bits >> expected_half >> expected_bfloat16) {
        const double number =
            letter == 'd' ? std::bit_cast<double>(bits) : std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        const half h = letter == 'd' ? half(number) : half(static_cast<float>(number));
        const bfloat16 b(number);
        if (number != number) wrong += h == h || b == b;
        else wrong += h.bits() != expected_half || b.bits() != expected_bfloat16;
        ++count;
    }
    CHECK(wrong == 0);
    CHECK(count > 3000);
}

TEST_CASE("limits of half precision are those of its format") {
    using H = std::numeric_limits<half>;
    using B = std::numeric_limits<bfloat16>;
    CHECK(H::max() == 65504.0f);
    CHECK(H::lowest() == -65504.0f);
    CHECK(H::min() == 0x1p-14f);
    CHECK(H::denorm_min() == 0x1p-24f);
    CHECK(H::epsilon() == 0x1p-10f);
    CHECK(H::infinity() == INFINITY);
    CHECK(H::quiet_NaN() != H::quiet_NaN());
    CHECK((H::digits == 11 && H::digits10 == 3 && H::max_digits10 == 5));
    CHECK((H::min_exponent == -13 && H::max_exponent == 16 && H::min_exponent10 == -4 && H::max_exponent10 == 4));
    CHECK(B::max() == 0x1.fep127f);
    CHECK(B::lowest() == -0x1.fep127f);
    CHECK(B::min() == 0x1p-126f);
    CHECK(B::denorm_min() == 0x1p-133f);
    CHECK(B::epsilon() == 0x1p-7f);
    CHECK(B::infinity() == INFINITY);
    CHECK(B::quiet_NaN() != B::quiet_NaN());
    CHECK((B::digits == 8 && B::digits10 == 2 && B::max_digits10 == 4));
    CHECK((B::min_exponent == -125 && B::max_exponent == 128 && B::min_exponent10 == -37 && B::max_exponent10 == 38));
}

TEST_CASE("operators of C++ compute half precision as float, and assignments round") {
    half h = 1;
    h += 0x1p-11f;
    CHECK(h.bits() == 0x3c00);
    h += 3 * 0x1p-11f;
    CHECK(h.bits() == 0x3c02);
    h = h * 2 - 1;
    h /= 3;
    CHECK(h == half(1.00390625f / 3));
    CHECK(std::is_same_v<decltype(h + h), float>);
    CHECK(std::is_same_v<decltype(h * 2.0), double>);
    CHECK(half(0.0) == -half(0.0));
    CHECK((half(1) < half(2) && bfloat16(1) < half(2)));
}

TEST_CASE("operators of C++ compute pairs of halves as complex float, and assignments round each part once") {
    const std::complex<double> fine(1 + 0x1p-11 + 0x1p-40, 70000);
    complex_half z = fine;
    CHECK(z.real().bits() == half(fine.real()).bits());
    CHECK(z.imag() == INFINITY);
    z = {half(1), half(-2)};
    CHECK(std::complex<float>(z) == std::complex<float>(1, -2));
    CHECK(z + 0x1p-12f == std::complex<float>(1 + 0x1p-12f, -2));
    CHECK(z * z == std::complex<float>(-3, -4));
    CHECK(z / complex_half(0, 2) == std::complex<float>(-1, -0.5f));
    CHECK(-z == complex_half(-1, 2));
    CHECK(z != complex_half(1, 2));
    CHECK(complex_half(half(3)) == 3.0f);
    z += 0x1p-12f;
    CHECK(z == complex_half(1, -2));
    z -= std::complex<float>(0, 1);
    CHECK(z == complex_half(1, -3));
    CHECK(std::is_same_v<decltype(z - z), std::complex<float>>);
}
