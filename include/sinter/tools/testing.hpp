// Comparisons for tests, as numpy.testing has them.
#pragma once

#include <sinter/functions/reductions.hpp>

namespace sinter::inline SINTER_ABI::test {

/// How far `actual` may be from `desired`: atol + rtol * abs(desired).
struct tolerance {
    double rtol = 1e-7;
    double atol = 0;
};

/// Throws value_error that says how many elements differ, and by how much.
[[noreturn]] void throw_different(const char* operation, std::int64_t count, const dims& shape, double absolute,
                                  double relative, const tolerance& allowed);

/// What both of the following do, under the name of one of them.
template <class A, class B>
    requires sinter::detail::operands<A, B>
void compare(const char* operation, const A& actual, const B& desired, const tolerance& allowed) {
    using T = typename codegen::cpp_type<codegen::floating_of(sinter::detail::type_of_list<A, B>())>::type;
    using wide = std::conditional_t<codegen::is_complex(dtype_of<T>), std::complex<double>, double>;
    const array<wide> a = astype<wide>(sinter::detail::own_array_beside(actual, desired));
    const array<wide> b = astype<wide>(sinter::detail::own_array_beside(desired, actual));
    array<bool> same = a == b || (a != a && b != b);
    array<double> apart = where(same, 0.0, abs(a - b));
    array<bool> wrong = !(apart <= allowed.atol + allowed.rtol * abs(b));
    std::int64_t count = sum(wrong && !same).item();
    if (count > 0)
        throw_different(operation, count, apart.shape(), double(max(apart)),
                        double(max(where(same, 0.0, apart / abs(b)))), allowed);
}

/// Throws value_error unless all elements are as close as that, NaN being close to NaN; shapes broadcast
/// (numpy.testing.assert_allclose).
template <class A, class B>
    requires sinter::detail::operands<A, B>
void assert_allclose(const A& actual, const B& desired, const tolerance& allowed = {}) {
    compare("assert_allclose", actual, desired, allowed);
}

/// Throws value_error unless all elements are equal, also to a number, NaN being equal to NaN
/// (numpy.testing.assert_array_equal).
template <class A, class B>
    requires sinter::detail::operands<A, B>
void assert_array_equal(const A& actual, const B& desired) {
    compare("assert_array_equal", actual, desired, {0, 0});
}

}  // namespace sinter::inline SINTER_ABI::test

#if SINTER_HEADER_ONLY
#include <sinter/tools/testing.ipp>
#endif
