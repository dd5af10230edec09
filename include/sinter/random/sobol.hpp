// Sobol's sequence of points that fill a cube evenly, for integration by sums.
#pragma once

#include <sinter/array/array.hpp>

namespace sinter::inline SINTER_ABI {

namespace detail {

/// Points [first, first + n) as rows of float32 or float64.
handle record_sobol(dtype type, std::int64_t n, std::int64_t dimensions, std::int64_t first);

}  // namespace detail

namespace random {

/// The points [first, first + n) of Sobol's sequence in Gray code's order with the direction numbers of Joe and Kuo, of
/// shape (n, dimensions), in [0, 1) (scipy.stats.qmc.Sobol without scrambling); the same bits on every backend. Throws
/// value_error for less than one or more than 1024 dimensions.
template <class T = double>
array<T> sobol(std::int64_t n, std::int64_t dimensions, std::int64_t first = 0) {
    static_assert(std::same_as<T, float> || std::same_as<T, double>, "sinter: random numbers are float or double");
    return array<T>(detail::record_sobol(dtype_of<T>, n, dimensions, first));
}

}  // namespace random
}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/random/sobol.ipp>
#endif
