// Results beside the values that NumPy gives for them, and that nothing of them passes through the host.
#pragma once

#include <doctest/doctest.h>

#include <concepts>
#include <limits>
#include <sinter/sinter.hpp>

namespace expected {

inline constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// Type, shape and values as desired; NaN is NaN.
template <class T, sinter::expression E>
void check(const E& actual, const sinter::array<T>& desired, double rtol = 1e-13, double atol = 0) {
    static_assert(std::same_as<sinter::value_type_t<E>, T>, "another type than NumPy's");
    CHECK_MESSAGE(actual.shape() == desired.shape(), actual.shape() << " instead of " << desired.shape());
    if (actual.shape() != desired.shape()) return;
    if constexpr (std::same_as<T, bool>) {
        CHECK(sinter::array_equal(actual, desired));
    } else {
        CHECK_NOTHROW(sinter::test::assert_allclose(actual, desired, {rtol, atol}));
    }
}

/// What f returns is computed without a copy to the host.
template <class F>
void check_stays(F f) {
    sinter::reset_counters();
    sinter::array value = f();
    value.eval();
    CHECK(sinter::counters().bytes_to_host == 0);
}

}  // namespace expected
