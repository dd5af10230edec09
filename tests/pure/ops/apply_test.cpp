// The interpreter's operations against NumPy's values, row by row and dtype by dtype.
#include <doctest/doctest.h>

#include <bit>
#include <cstdlib>
#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/ops/scalar.hpp>

#include "support/ops_golden.hpp"

using namespace sinter;
using namespace sinter::codegen;

namespace {

std::string golden_path() { return SINTER_TEST_DATA "/golden/ops.txt"; }

const std::vector<golden::ops_case>& golden_cases() {
    static const auto cases = golden::read_ops(golden_path());
    return cases;
}

template <class To, class From>
To converted(From v) {
    To out{};
    convert(dtype_of<From>, dtype_of<To>, &v, &out, 1);
    return out;
}

}  // namespace

TEST_CASE("every row of ops.def has golden data for every dtype it accepts") {
    auto missing = golden::rows_without_data(golden_cases());
    for (const auto& m : missing) FAIL_CHECK(m);
    CHECK(golden_cases().size() > 300);
}

TEST_CASE("the interpreter gives NumPy's values for every row and dtype") {
    for (const auto& c : golden_cases()) {
        auto out = golden::applied(c);
        double worst = 0;
        for (std::int64_t i = 0; i < c.count; ++i) {
            double d = golden::distance(c, out, i);
            worst = std::fmax(worst, d);
            if (d > c.tolerance) FAIL_CHECK(golden::describe(c, out, i) << ", " << d << " ulp > " << c.tolerance);
        }
        if (std::getenv("SINTER_TEST_ULP")) MESSAGE(c.name() << ": " << worst << " of " << c.tolerance);
        CHECK(worst <= c.tolerance);
    }
}

TEST_CASE("a step of zero repeats one scalar, over more elements than a block holds") {
    for (const auto& c : golden_cases()) {
        if (c.operands.size() != 2) continue;
        const std::int64_t n = 611, zero = 0, one = 1;
        auto size = [](dtype t) { return static_cast<std::size_t>(size_of(t)); };
        std::vector<unsigned char> many(static_cast<std::size_t>(n) * size(c.operand_dtype(1)));
        for (std::size_t i = 0; i < many.size(); ++i) many[i] = c.operands[1][i % c.operands[1].size()];
        std::vector<unsigned char> out(static_cast<std::size_t>(n) * size(c.result_dtype())),
            single(size(c.result_dtype()));
        std::size_t at = 7 % static_cast<std::size_t>(c.count);
        const void* args[3] = {c.operands[0].data() + at * size(c.operand_dtype(0)), many.data(), nullptr};
        const std::int64_t steps[3] = {zero, one, zero};
        apply(c.operation, c.common, args, steps, out.data(), n);
        int wrong = 0;
        for (std::int64_t i = 0; i < n; ++i) {
            const void* pair[3] = {args[0], many.data() + static_cast<std::size_t>(i) * size(c.operand_dtype(1)),
                                   nullptr};
            apply(c.operation, c.common, pair, steps, single.data(), 1);
            wrong += std::memcmp(single.data(), out.data() + static_cast<std::size_t>(i) * single.size(),
                                 single.size()) != 0;
        }
        CHECK_MESSAGE(wrong == 0, c.name());
    }
}

TEST_CASE("philox gives Random123's known answers") {
    std::uint64_t index = 0, seed = 0, stream = 0;
    const void* args[3] = {&index, &seed, &stream};
    const std::int64_t steps[3] = {1, 1, 1};
    std::uint64_t word = 0;
    apply(op::philox_64, dtype::uint64, args, steps, &word, 1);
    CHECK(word == 0xe169c58d6627e8d5ull);
    index = 1;
    apply(op::philox_64, dtype::uint64, args, steps, &word, 1);
    CHECK(word == 0x9b00dbd8bc57ac4cull);
    auto words = scalar::philox(0x85a308d3243f6a88ull, 0x299f31d0a4093822ull, 0x0370734413198a2eull);
    CHECK(words.w[0] == 0xd16cfe09u);
    CHECK(words.w[1] == 0x94fdccebu);
    CHECK(words.w[2] == 0x5001e420u);
    CHECK(words.w[3] == 0x24126ea1u);
}

TEST_CASE("selection moves elements of every size unchanged") {
    const bool condition[3] = {true, false, true};
    const std::complex<double> yes[3] = {{1, 2}, {3, 4}, {5, 6}}, no = {-1, -2};
    std::complex<double> out[3];
    const void* args[3] = {condition, yes, &no};
    const std::int64_t steps[3] = {1, 1, 0};
    apply(op::where, dtype::complex128, args, steps, out, 3);
    CHECK(out[0] == yes[0]);
    CHECK(out[1] == no);
    CHECK(out[2] == yes[2]);
}

TEST_CASE("conversion of floating numbers to integers saturates and takes NaN to zero") {
    const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(converted<std::int8_t>(300.0) == 127);
    CHECK(converted<std::int8_t>(-300.0) == -128);
    CHECK(converted<std::int8_t>(-128.9) == -128);
    CHECK(converted<std::int8_t>(127.9f) == 127);
    CHECK(converted<std::uint8_t>(-0.5) == 0);
    CHECK(converted<std::uint8_t>(-5.0) == 0);
    CHECK(converted<std::uint8_t>(255.9) == 255);
    CHECK(converted<std::uint8_t>(256.0f) == 255);
    CHECK(converted<std::int32_t>(nan) == 0);
    CHECK(converted<std::int64_t>(inf) == std::numeric_limits<std::int64_t>::max());
    CHECK(converted<std::int64_t>(-inf) == std::numeric_limits<std::int64_t>::min());
    CHECK(converted<std::int64_t>(9223372036854775808.0) == std::numeric_limits<std::int64_t>::max());
    CHECK(converted<std::int64_t>(-9223372036854775808.0f) == std::numeric_limits<std::int64_t>::min());
    CHECK(converted<std::uint64_t>(inf) == std::numeric_limits<std::uint64_t>::max());
    CHECK(converted<std::uint64_t>(18446744073709549568.0) == 18446744073709549568ull);
    CHECK(converted<std::int32_t>(-7.9) == -7);
}

TEST_CASE("conversion between the other kinds is C++'s") {
    CHECK(converted<bool>(0.25));
    CHECK(converted<bool>(std::numeric_limits<float>::quiet_NaN()));
    CHECK_FALSE(converted<bool>(-0.0));
    CHECK(converted<bool>(std::int64_t(256)));
    CHECK(converted<bool>(std::complex<float>(0, 1)));
    CHECK_FALSE(converted<bool>(std::complex<double>(0, 0)));
    CHECK(converted<std::int8_t>(std::int32_t(200)) == -56);
    CHECK(converted<std::uint64_t>(std::int8_t(-1)) == ~std::uint64_t(0));
    CHECK(converted<float>(std::int64_t(16777217)) == 16777216.0f);
    CHECK(converted<float>(std::uint64_t(0xffffff7fffffffff)) == 18446742974197923840.0f);
    CHECK(converted<double>(~std::uint64_t(0)) == 18446744073709551616.0);
    CHECK(converted<float>(1e300) == std::numeric_limits<float>::infinity());
    CHECK(converted<std::complex<float>>(true) == std::complex<float>(1, 0));
    CHECK(converted<std::complex<double>>(std::complex<float>(1.5f, -2)) == std::complex<double>(1.5, -2));
    CHECK(converted<std::complex<float>>(std::complex<double>(1.5, -2)) == std::complex<float>(1.5f, -2));
    CHECK(converted<std::int16_t>(std::complex<float>(-3.7f, 2)) == -3);
}

TEST_CASE("what an operation is not defined for throws") {
    float number = 0;
    const void* args[3] = {&number, &number, &number};
    const std::int64_t steps[3] = {1, 1, 1};
    CHECK_THROWS_AS(apply(op::bitwise_and, dtype::float32, args, steps, &number, 1), type_error);
    CHECK_THROWS_AS(apply(op::invert, dtype::float16, args, steps, &number, 1), type_error);
}

TEST_CASE("conversion to half precision rounds once, as NumPy's, from every type") {
    CHECK(converted<half>(1 + 0x1p-11 + 0x1p-40).bits() == 0x3c01);
    CHECK(converted<half>(1 + 0x1p-11f).bits() == 0x3c00);
    CHECK(converted<half>(std::int32_t(70000)).bits() == 0x7c00);
    CHECK(converted<half>(std::int64_t(2049)).bits() == 0x6800);
    CHECK(converted<half>(std::uint8_t(255)).bits() == 0x5bf8);
    CHECK(converted<half>(true).bits() == 0x3c00);
    CHECK(converted<half>(std::complex<double>(1 + 0x1p-11 + 0x1p-40, 7)).bits() == 0x3c01);
    CHECK(converted<bfloat16>(std::complex<float>(-1.5f, 7)).bits() == 0xbfc0);
    CHECK(converted<bfloat16>(1e300).bits() == 0x7f80);
    CHECK(converted<bfloat16>(half(1 + 0x1p-8)).bits() == 0x3f80);
    CHECK(converted<half>(bfloat16(1e20f)).bits() == 0x7c00);
    CHECK(converted<std::int8_t>(half(-7.75)) == -7);
    CHECK(converted<std::uint8_t>(half(1000)) == 255);
    CHECK(converted<std::int64_t>(bfloat16(1e20f)) == std::numeric_limits<std::int64_t>::max());
    CHECK(converted<double>(half(0x1p-24)) == 0x1p-24);
    CHECK(converted<std::complex<float>>(bfloat16(-2.5f)) == std::complex<float>(-2.5f, 0));
    CHECK(converted<bool>(half(0x1p-24)));
    CHECK_FALSE(converted<bool>(half(-0.0)));
    CHECK(converted<bool>(bfloat16(std::numeric_limits<float>::quiet_NaN())));
}

TEST_CASE("a division by a number's inverse has the bits of the division wherever it says so") {
    std::uint32_t random = 1;
    auto mantissa = [&] { return 1 + static_cast<float>((random = random * 1664525u + 1013904223u) >> 9) * 0x1p-23f; };
    long exact = 0, wrong = 0;
    for (int i = 0; i < 200; ++i) {
        float y = std::ldexp(i ? mantissa() : 0x1.fffffep0f, i % 5 * 60 - 120) * (i % 3 ? 1.0f : -1.0f),
              inverse = scalar::exact_inverse(y);
        for (int k = 0; k < 4000; ++k) {
            float x = std::ldexp(mantissa(), k % 2 ? k % 240 - 120 : i % 5 * 40 - 80);
            scalar::division_check check;
            float q = scalar::divided_by(x, y, inverse, check);
            if (!scalar::is_exact(check, scalar::least_dividend(y))) continue;
            ++exact;
            wrong += q != x / y;
        }
    }
    CHECK(wrong == 0);
    CHECK(exact > 400'000);
}

TEST_CASE("a division by a number whose inverse has lost digits does not pass for exact") {
    const float y[] = {0x1.51ffaap+127f, -0x1.51ffaap+127f, 0x1.e8870ep+127f, 0x1.80fb74p+127f,
                       0x1.c0a98ap+127f, 0x1.000002p126f,   0x1.fffffep127f};
    const float x[] = {0x1.20a404p+10f, 0x1.20a404p+10f, 0x1.d2848ep+10f, 0x1.4ee576p+10f,
                       0x1.bcea9p+10f,  0x1.8p20f,       0x1.8p20f};
    for (std::size_t i = 0; i < std::size(y); ++i) {
        CAPTURE(y[i]);
        float inverse = scalar::exact_inverse(y[i]);
        CHECK(inverse != inverse);
        scalar::division_check check;
        scalar::divided_by(x[i], y[i], inverse, check);
        CHECK_FALSE(scalar::is_exact(check, scalar::least_dividend(y[i])));
        // What would come out: an inverse without all its digits is not corrected to the quotient.
        if (i < 5) CHECK(scalar::divided_by(x[i], y[i], 1 / y[i], check) != x[i] / y[i]);
    }
    CHECK(scalar::exact_inverse(0x1p126f) == 0x1p-126f);
    for (float none : {0.0f, 0x1p-149f, INFINITY, NAN}) CHECK(std::isnan(scalar::exact_inverse(none)));
}

namespace {

// Quotients by the same number whose bits differ from those of divisions: of numbers of all sizes, some of them the
// divisor's multiples, and of what is not finite, zero or below the normal numbers.
template <class T, class Divisor, class Divide>
long wrong_by_fixed(Divisor divisor_of, Divide divide) {
    using limits = std::numeric_limits<T>;
    using word_of = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    constexpr int digits = limits::digits - 1, highest = limits::max_exponent, exponents = 2 * highest + digits;
    std::uint64_t random = 1;
    auto word = [&] { return (random = random * 6364136223846793005u + 1442695040888963407u) >> 8; };
    auto fraction = [&] { return 1 + std::ldexp(T(word() >> (56 - digits)), -digits); };
    auto mantissa = [&](int kind) {
        return kind == 0 ? T(1) : kind == 1 ? 2 - limits::epsilon() : kind == 2 ? 1 + T(word() % 8) / 4 : fraction();
    };
    auto number = [&](int kind) {
        return std::ldexp(mantissa(kind), static_cast<int>(word() % exponents) - highest - digits + 6);
    };
    constexpr T inf = limits::infinity(), nan = limits::quiet_NaN();
    const T ends[] = {0, T(-0.0), inf, -inf, nan, limits::denorm_min(), limits::min(), limits::max(), -1, 1};
    long wrong = 0;
    for (std::size_t i = 0; i < 400; ++i) {
        const T y = i < std::size(ends) ? ends[i] : number(i % 5) * (i % 3 ? 1 : -1);
        const auto by = divisor_of(y);
        for (std::size_t k = 0; k < 2000; ++k) {
            // Of small multiples, too: quotients halfway between two numbers that are not normal.
            const T x = k < std::size(ends) ? ends[k]
                        : k % 7 == 0        ? y * mantissa(3)
                        : k % 7 == 1        ? std::ldexp(y * T(word() % 64), -limits::max_exponent - 16)
                                            : number(k % 5);
            const T q = divide(x, by), expected = x / y;
            wrong += std::bit_cast<word_of>(q) != std::bit_cast<word_of>(expected) && !(q != q && expected != expected);
        }
    }
    return wrong;
}

}  // namespace

TEST_CASE("a division by a number by which many are divided has the bits of the division for all numbers") {
    CHECK(wrong_by_fixed<double>(scalar::fixed_divisor_of, scalar::divided_by_fixed) == 0);
    CHECK(wrong_by_fixed<float>(scalar::fixed_float_divisor_of, scalar::divided_by_fixed_float) == 0);
}

TEST_CASE(
    "a division of a row's elements by an inverse has the bits of the division wherever it says so, and mostly does") {
    long sure = 0;
    const auto divide = [&](float x, const scalar::row_divisor& y) {
        float least = std::numeric_limits<float>::max();
        const float q = scalar::divided_by_row(x, y, least);
        sure += least >= y.least;
        return least >= y.least ? q : x / y.number;
    };
    CHECK(wrong_by_fixed<float>(scalar::row_divisor_of, divide) == 0);
    CHECK(sure > 200'000);
}

TEST_CASE("a quotient in its short form has the bits of the division wherever it says so") {
    std::uint32_t random = 1;
    auto number = [&] {
        random = random * 1664525u + 1013904223u;
        const std::uint32_t bits = random ^ random >> 15;
        float x;
        return std::memcpy(&x, &bits, 4), x;
    };
    long exact = 0, wrong = 0;
    for (int i = 0; i < 400'000; ++i) {
        const float x = number(), y = number();
        for (bool logarithm : {false, true}) {
            scalar::approximation_check check;
            const float q = logarithm ? scalar::approximate_ratio(x, y, check)
                                      : scalar::checked_finite(scalar::approximate_quotient(x, y, check), check);
            if (logarithm) scalar::approximate_log(q, check);
            if (!scalar::is_approximated(check)) continue;
            ++exact;
            wrong += q != x / y || std::signbit(q) != std::signbit(x / y);
        }
    }
    CHECK(wrong == 0);
    CHECK(exact > 100'000);
}

TEST_CASE("short forms do not pass for whole ones where those have cases of their own") {
    for (float x : {0.0f, -0.0f, 0x1p-149f, 0x1p-127f, -1.0f, INFINITY, -INFINITY, NAN}) {
        CAPTURE(x);
        scalar::approximation_check root, log, ratio;
        scalar::checked_finite(scalar::approximate_root(x, root), root);
        scalar::approximate_log(x, log);
        scalar::approximate_log(scalar::approximate_ratio(3, x, ratio), ratio);
        CHECK_FALSE((scalar::is_approximated(root) || scalar::is_approximated(log) || scalar::is_approximated(ratio)));
        if (x == -1) continue;
        scalar::approximation_check dividend, divisor;
        scalar::checked_finite(scalar::approximate_quotient(x, 3, dividend), dividend);
        scalar::checked_finite(scalar::approximate_quotient(3, x, divisor), divisor);
        CHECK_FALSE((scalar::is_approximated(dividend) || scalar::is_approximated(divisor)));
    }
    scalar::approximation_check wide;
    scalar::approximate_quotient(1, 0x1p61f, wide);
    CHECK_FALSE(scalar::is_approximated(wide));
}
