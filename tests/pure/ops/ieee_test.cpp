// Numbers by their bits, conversions, and threads that take small numbers for zero.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <sinter/codegen/ops/ieee.hpp>
#include <string>

#include "support/small_numbers.hpp"

using namespace sinter::codegen;

namespace {

template <class T>
void compare_with_the_library() {
    using limits = std::numeric_limits<T>;
    for (T size : {T(0), limits::denorm_min(), limits::min() / 2, limits::min(), T(1), limits::max(),
                   limits::infinity(), limits::quiet_NaN(), limits::signaling_NaN()})
        for (T x : {size, std::copysign(size, T(-1))}) {
            CAPTURE(x);
            CHECK(ieee::is_nan(x) == std::isnan(x));
            CHECK(ieee::is_infinite(x) == std::isinf(x));
            CHECK(ieee::is_finite(x) == std::isfinite(x));
            CHECK(ieee::has_sign(x) == std::signbit(x));
            CHECK(ieee::is_nonzero(x) == (x != 0));
        }
}

}  // namespace

TEST_CASE("numbers are told apart by their bits as the C++ library tells them apart") {
    compare_with_the_library<float>();
    compare_with_the_library<double>();
    CHECK(ieee::is_nonzero(std::complex<double>(0, 5e-324)));
    CHECK_FALSE(ieee::is_nonzero(std::complex<float>(0, -0.0f)));
    CHECK(ieee::is_nonzero(3));
}

TEST_CASE("conversions round as C++ does, and in threads that flush small numbers as well") {
    // Floats below the smallest normal one are multiples of 2^-149: those, halfway between two, and one step beside.
    for (std::uint32_t steps :
         {0u, 1u, 2u, 3u, 8191u, 0x3fffffu, 0x400000u, 0x7ffffeu, 0x7fffffu, 0x800000u, 0x800001u})
        for (int quarters = 0; quarters < 4; ++quarters)
            for (int beside : {-1, 0, 1})
                for (double sign : {1.0, -1.0}) {
                    double x = std::ldexp(4.0 * steps + quarters, -151);
                    x = sign * (beside == 0 ? x : std::nextafter(x, beside));
                    const auto narrow = static_cast<float>(x);
                    const auto wide = static_cast<double>(narrow);
                    const test_small_numbers::flushing_scope flushing;
                    CAPTURE(std::to_string(steps) + " " + std::to_string(quarters) + " " + std::to_string(beside));
                    CHECK(std::bit_cast<std::uint32_t>(ieee::as<float>(x)) == std::bit_cast<std::uint32_t>(narrow));
                    CHECK(std::bit_cast<std::uint64_t>(ieee::as<double>(narrow)) == std::bit_cast<std::uint64_t>(wide));
                }
    static_assert(ieee::as<float>(1e-40) == 1e-40f && ieee::as<double>(1e-40f) > 0 && ieee::as<int>(2.5) == 2);
}

TEST_CASE("a thread that flushes small numbers keeps them while a scope lives, and flushes again") {
    using test_small_numbers::flushes;
    REQUIRE_FALSE(flushes());
    {
        const subnormal_scope nothing;
        CHECK_FALSE(flushes());
    }
    CHECK_FALSE(flushes());
    const test_small_numbers::flushing_scope flushing;
    if (!flushes()) return;  // a processor whose mode is not known here
    {
        const subnormal_scope outer;
        CHECK_FALSE(flushes());
        {
            const subnormal_scope inner;
            CHECK_FALSE(flushes());
        }
        CHECK_FALSE(flushes());
    }
    CHECK(flushes());
}
