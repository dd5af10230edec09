// The numbers that CuPy's older functions give, cupy.random.rand and its like, by cuRAND's XORWOW.
#pragma once

#include <sinter/random/curand.hpp>

namespace sinter::inline SINTER_ABI::random::cupy {

/// The generator that the functions below draw from, one for each device of a thread (cupy.random.get_random_state),
/// seeded by SINTER_SEED or else the system's entropy. Bits, uniform numbers and integers are those of CuPy on a GPU
/// also on a CPU. Throws device_error where cuRAND is not found, see random::curand.
curand& get_random_state();
/// Seeds the current device's generator and starts it anew (cupy.random.seed).
void seed(std::uint64_t value);

/// random_sample with the sizes as arguments, double or float (cupy.random.rand).
template <class T = double, std::integral... N>
array<T> rand(N... n) {
    return get_random_state().random<T>(detail::draw_shape(dims(n...)));
}
/// Standard normal numbers with the sizes as arguments, double or float (cupy.random.randn).
template <class T = double, std::integral... N>
array<T> randn(N... n) {
    return get_random_state().normal<T>(0, 1, detail::draw_shape(dims(n...)));
}
/// Uniform numbers in [0, 1) (cupy.random.random_sample).
template <class T = double>
array<T> random_sample(const detail::draw_shape& size = {}) {
    return get_random_state().random<T>(size);
}
/// Uniform numbers between two numbers, as random::curand::uniform (cupy.random.uniform).
template <class T = double, sinter::detail::real_scalar A, sinter::detail::real_scalar B>
array<T> uniform(A low, B high, const detail::draw_shape& size = {}) {
    return get_random_state().uniform<T>(low, high, size);
}
/// Normal numbers, as random::curand::normal; throws value_error for a negative scale (cupy.random.normal).
template <class T = double, sinter::detail::real_scalar A, sinter::detail::real_scalar B>
array<T> normal(A loc, B scale, const detail::draw_shape& size = {}) {
    return get_random_state().normal<T>(loc, scale, size);
}
/// Integers in [low, high) or [0, high), int64 unless T is given, as random::curand::integers; throws value_error when
/// the range is empty or does not fit (cupy.random.randint).
template <class T = std::int64_t, std::integral A, std::integral B>
array<T> randint(A low, B high, const detail::draw_shape& size = {}) {
    return get_random_state().integers<T>(low, high, size);
}
/// Integers in [low, high) or [0, high), int64 unless T is given, as random::curand::integers.
template <class T = std::int64_t, std::integral B>
array<T> randint(B high, const detail::draw_shape& size = {}) {
    return get_random_state().integers<T>(high, size);
}
/// The numbers below n, or the elements along the first axis, in random order (cupy.random.permutation).
template <std::integral N>
array<std::int64_t> permutation(N n) {
    return get_random_state().permutation(n);
}
/// The numbers below n, or the elements along the first axis, in random order (cupy.random.permutation).
template <expression E>
auto permutation(const E& e) {
    return get_random_state().permutation(e);
}

}  // namespace sinter::inline SINTER_ABI::random::cupy

#if SINTER_HEADER_ONLY
#include <sinter/random/cupy.ipp>
#endif
