// Arrays of rows to compute with, whether two have the same bits, and what computing them launches; must not know
// backends.
#pragma once

#include <cstdint>
#include <sinter/sinter.hpp>
#include <type_traits>
#include <vector>

namespace test_rows {

using namespace sinter;

/// Normal numbers around zero; complex ones have such parts.
template <class T>
array<T> drawn(const dims& shape, std::uint64_t seed) {
    array<double> x = random::generator(seed).normal<double>(0, 3, shape);
    if constexpr (codegen::is_complex(dtype_of<T>))
        return (astype<T>(x) + T(0, 1) * astype<T>(random::generator(seed + 1).normal<double>(0, 3, shape))).eval();
    else return astype<T>(x).eval();
}

/// Numbers from -8 to 9, the same in each run, that nothing can compute again.
template <class T>
array<T> numbers(const dims& shape) {
    std::vector<T> v(static_cast<std::size_t>(shape.product()));
    std::uint64_t state = 12345;
    for (T& x : v) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        x = static_cast<T>(static_cast<double>(state >> 40) / 1e6 - 8);
    }
    array<T> flat = asarray(v);
    return reshape(flat, shape);
}

/// NaN equals NaN here, and zeros have signs.
template <class T>
bool same_bits(const array<T>& a, const array<T>& b) {
    if (a.shape() != b.shape() || !array_equal(isnan(a), isnan(b))) return false;
    array<T> x = where(isnan(a), T(0), a), y = where(isnan(b), T(0), b);
    if constexpr (std::is_floating_point_v<T>) return array_equal(x, y) && array_equal(signbit(x), signbit(y));
    else return array_equal(x, y);
}

/// Kernels that a call launches.
std::uint64_t launches_of(const auto& f) {
    const auto before = counters();
    f();
    return counters().launches - before.launches;
}

}  // namespace test_rows
