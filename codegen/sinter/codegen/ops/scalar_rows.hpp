// The operations of ops.def as functions of numbers, for the bodies of users' scalar functions; must not know arrays.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/ops/op.hpp>
#include <sinter/codegen/ops/scalar.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

/// One operation's form over operands of the types it computes in; T is that of the first one or, for where, the
/// others.
template <op O>
struct scalar_row;
#define SINTER_OP(name, arity, typing, kinds, cost, domain, ...)                                \
    template <>                                                                                 \
    struct scalar_row<op::name> {                                                               \
        template <class T, class A, class B, class C>                                           \
        static auto compute([[maybe_unused]] A a, [[maybe_unused]] B b, [[maybe_unused]] C c) { \
            using namespace scalar;                                                             \
            using R [[maybe_unused]] = T;                                                       \
            return __VA_ARGS__;                                                                 \
        }                                                                                       \
    };
#include <sinter/codegen/ops/ops.def>
#undef SINTER_OP

// The types that operations compute in: inside_of and floating_of take a written type to that of namespace scalar.
// Where integers meet floating numbers C++'s own rules decide, not NumPy's.
template <class A>
struct inside_of {
    using type = A;
};
template <class T>
struct inside_of<std::complex<T>> {
    using type = scalar::complex<T>;
};
template <class A>
struct floating_type_of {
    using type = double;
};
template <>
struct floating_type_of<float> {
    using type = float;
};
template <class T>
struct floating_type_of<std::complex<T>> {
    using type = scalar::complex<T>;
};
template <class A, class B>
struct common_number {
    using type = decltype(A() + B());
};
template <class A>
struct common_number<A, A> {
    using type = A;
};
template <class T>
struct common_number<std::complex<T>, std::complex<T>> {
    using type = std::complex<T>;
};
template <class T, class B>
struct common_number<std::complex<T>, B> {
    using type = std::complex<decltype(T() + B())>;
};
template <class A, class T>
struct common_number<A, std::complex<T>> {
    using type = std::complex<decltype(A() + T())>;
};

template <class T>
T taken_inside(const T& x) {
    return x;
}
template <class T>
scalar::complex<T> taken_inside(const std::complex<T>& z) {
    return {z.real(), z.imag()};
}
template <class T>
T taken_outside(const T& x) {
    return x;
}
template <class T>
std::complex<T> taken_outside(const scalar::complex<T>& z) {
    return {z.re, z.im};
}

constexpr bool computes_floating(rule r) {
    return r == rule::floating || r == rule::angle || r == rule::exponent || r == rule::scale || r == rule::rounding;
}

/// The operation on one number.
template <op O, class X>
auto compute_scalar(const X& x) {
    constexpr rule how = info(O).typing;
    using T =
        typename std::conditional_t<computes_floating(how), floating_type_of<X>,
                                    std::conditional_t<how == rule::logical, inside_of<bool>, inside_of<X>>>::type;
    const T a = static_cast<T>(taken_inside(x));
    auto r = scalar_row<O>::template compute<T>(a, 0, 0);
    if constexpr (how == rule::arithmetic || how == rule::same || how == rule::floating || how == rule::rounding)
        return taken_outside(static_cast<T>(r));
    else return taken_outside(r);
}

/// The operation on two numbers, which convert to a common type as C++ does.
template <op O, class X, class Y>
auto compute_scalar(const X& x, const Y& y) {
    constexpr rule how = info(O).typing;
    using C = typename std::conditional_t<how == rule::scale, common_number<X, X>, common_number<X, Y>>::type;
    using T =
        typename std::conditional_t<computes_floating(how), floating_type_of<C>,
                                    std::conditional_t<how == rule::logical, inside_of<bool>, inside_of<C>>>::type;
    const T a = static_cast<T>(taken_inside(static_cast<C>(x)));
    if constexpr (how == rule::scale) {
        return static_cast<T>(scalar_row<O>::template compute<T>(a, static_cast<int>(y), 0));
    } else {
        auto r = scalar_row<O>::template compute<T>(a, static_cast<T>(taken_inside(static_cast<C>(y))), 0);
        if constexpr (how == rule::arithmetic || how == rule::same || how == rule::floating)
            return taken_outside(static_cast<T>(r));
        else return taken_outside(r);
    }
}

/// where.
template <op O, class X, class Y, class Z>
auto compute_scalar(const X& x, const Y& y, const Z& z) {
    using C = typename common_number<Y, Z>::type;
    return static_cast<bool>(x) ? static_cast<C>(y) : static_cast<C>(z);
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END
