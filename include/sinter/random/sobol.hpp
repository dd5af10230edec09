// Sobol's sequence of points that fill a cube evenly, for integration by sums.
#pragma once

#include <sinter/array/array.hpp>

namespace sinter::inline SINTER_ABI {

namespace detail {

/// Points [first, first + n) as rows of float32 or float64, see random::sobol_options.
handle record_sobol(dtype type, std::int64_t n, std::int64_t dimensions, std::int64_t first, bool scramble = false,
                    int bits = 64);

}  // namespace detail

namespace random {

/// Options of sobol. `scramble` takes cuRAND's scrambled directions and begins with its constants; of a point's numbers
/// the first `bits` bits are computed, 32 or 64; `skip` is how many points are left out at the beginning.
struct sobol_options {
    bool scramble = false;
    int bits = 64;
    std::int64_t skip = 0;
};

/// The points [first, first + n) of Sobol's sequence in Gray code's order with the direction numbers of Joe and Kuo, of
/// shape (n, dimensions), in [0, 1) (scipy.stats.qmc.Sobol without scrambling); the same bits on every backend. With
/// cuRAND, see random::curand, there are up to 20,000 dimensions, else 1024. Throws value_error for others,
/// device_error where cuRAND is needed and not found.
template <class T = double>
array<T> sobol(std::int64_t n, std::int64_t dimensions, std::int64_t first = 0) {
    static_assert(std::same_as<T, float> || std::same_as<T, double>, "sinter: random numbers are float or double");
    return array<T>(detail::record_sobol(dtype_of<T>, n, dimensions, first));
}
/// The same with options: `random::sobol(1 << 20, 12, {.scramble = true})` are the words of cuRAND's
/// CURAND_RNG_QUASI_SCRAMBLED_SOBOL64, one scrambling of its own and always the same (scipy.stats.qmc.Sobol with
/// another). Throws value_error for other bits than 32 or 64 and for more than 2^32 points of 32 bits.
template <class T = double>
array<T> sobol(std::int64_t n, std::int64_t dimensions, const sobol_options& o) {
    static_assert(std::same_as<T, float> || std::same_as<T, double>, "sinter: random numbers are float or double");
    return array<T>(detail::record_sobol(dtype_of<T>, n, dimensions, o.skip, o.scramble, o.bits));
}

}  // namespace random
}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/random/sobol.ipp>
#endif
