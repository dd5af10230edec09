// Random numbers as a pure function of seed, stream and element (Philox4x32-10), computed inside the consumer's kernel.
#pragma once

#include <sinter/operators.hpp>

namespace sinter::inline SINTER_ABI::random {

/// Seeds this thread's default generator and starts its streams anew; without it, SINTER_SEED or the system's entropy.
void seed(std::uint64_t value);

}  // namespace sinter::inline SINTER_ABI::random

namespace sinter::inline SINTER_ABI::detail {

/// What one call draws from: words of a stream of its own, so that laziness never changes them.
struct random_source {
    std::uint64_t seed, stream;
};
random_source next_source();

/// Uniform numbers in [0, 1) of float32 or float64: 24 or 53 bits.
handle record_uniform(dtype type, const dims& shape, random_source from);
/// Standard normal numbers by Box and Muller's transform; elements 2i and 2i + 1 share their words.
handle record_normal(dtype type, const dims& shape, random_source from);
/// Integers in [low, high).
handle record_integers(dtype type, std::int64_t low, std::uint64_t span, const dims& shape);

}  // namespace sinter::inline SINTER_ABI::detail

namespace sinter::inline SINTER_ABI::random {

/// Uniform numbers in [0, 1) (numpy.random.Generator.random).
template <class T = double>
array<T> random(const dims& shape) {
    static_assert(std::floating_point<T>, "sinter: random numbers are float or double");
    return array<T>(detail::record_uniform(dtype_of<T>, shape, detail::next_source()));
}
/// random and, below, standard_normal with the sizes as arguments (numpy.random.rand, randn).
template <class T = double, std::integral... N>
array<T> rand(N... n) {
    return random<T>(dims(n...));
}

/// Uniform numbers in [low, high), double unless T is given (numpy.random.Generator.uniform).
template <class T = double>
array<T> uniform(std::type_identity_t<T> low, std::type_identity_t<T> high, const dims& shape) {
    return low + (high - low) * random<T>(shape);
}

/// Normal numbers of mean 0 and standard deviation 1 (numpy.random.Generator.standard_normal).
template <class T = double>
array<T> standard_normal(const dims& shape) {
    static_assert(std::floating_point<T>, "sinter: random numbers are float or double");
    return array<T>(detail::record_normal(dtype_of<T>, shape, detail::next_source()));
}
template <class T = double, std::integral... N>
array<T> randn(N... n) {
    return standard_normal<T>(dims(n...));
}

/// Normal numbers of a mean and a standard deviation (numpy.random.Generator.normal); throws value_error when the latter is
/// negative.
template <class T = double>
array<T> normal(std::type_identity_t<T> loc, std::type_identity_t<T> scale, const dims& shape) {
    if (scale < 0) throw value_error("[normal] the standard deviation is negative: " + std::to_string(scale));
    return loc + scale * standard_normal<T>(shape);
}

/// Integers in [low, high) (numpy.random.Generator.integers), int64 unless T is given; throws value_error when the range is empty.
template <class T = std::int64_t>
array<T> integers(std::type_identity_t<T> low, std::type_identity_t<T> high, const dims& shape) {
    static_assert(std::integral<T> && !std::same_as<T, bool>, "sinter: random integers are of an integer type");
    if (!(low < high))
        throw value_error("[integers] low is not below high: " + std::to_string(low) + " and " + std::to_string(high));
    return array<T>(detail::record_integers(dtype_of<T>, static_cast<std::int64_t>(low),
                                            static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low), shape));
}
/// integers under NumPy's older name (numpy.random.randint).
template <class T = std::int64_t>
array<T> randint(std::type_identity_t<T> low, std::type_identity_t<T> high, const dims& shape) {
    return integers<T>(low, high, shape);
}

}  // namespace sinter::inline SINTER_ABI::random

#if SINTER_HEADER_ONLY
#include <sinter/random.ipp>
#endif
