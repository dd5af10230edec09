// Positions at which many values meet, for tests of scattering; must not know arrays.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

namespace scatter_places {

// Positions with many duplicates, some counted from the end.
inline std::vector<std::int64_t> places(std::size_t count, std::int64_t size) {
    std::vector<std::int64_t> v(count);
    std::uint64_t state = 7;
    for (auto& x : v) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        x = static_cast<std::int64_t>((state >> 33) % static_cast<std::uint64_t>(2 * size)) - size;
    }
    return v;
}

// Positions with duplicates, from the front.
inline std::vector<std::int64_t> spread(std::size_t count, std::int64_t size) {
    std::vector<std::int64_t> v(count);
    std::uint64_t state = 11;
    for (auto& x : v) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        x = static_cast<std::int64_t>((state >> 33) % static_cast<std::uint64_t>(size));
    }
    return v;
}

template <class T>
T wrapped_sum(T a, T b) {
    if constexpr (std::is_same_v<T, bool>) return a || b;
    else if constexpr (std::is_integral_v<T>)
        return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    else return a + b;
}

}  // namespace scatter_places
