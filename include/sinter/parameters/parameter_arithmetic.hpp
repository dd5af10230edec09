// Operators of whole sets of parameters, array by array.
#pragma once

#include <sinter/parameters/parameter_functions.hpp>

#if __has_include(<boost/hana/accessors.hpp>)

namespace sinter::inline SINTER_ABI {

namespace detail {

template <parameter_set P>
inline constexpr bool has_own_operators<P> = true;

}  // namespace detail

// Of two sets of one type, or of a set and an array or a number that stands beside each of its arrays: `p - 0.1f * g`.
// Lazy; the result has the set's type, and what would not convert to its members does not compile. In place each array
// keeps its shape. Throws shape_error naming the member.
#define SINTER_SET_OPERATOR(symbol, name)                                                                 \
    template <parameter_set P>                                                                            \
    P operator symbol(const P& p, const P& q) {                                                           \
        return detail::transformed(#name, [](const auto& a, const auto& b) { return a symbol b; }, p, q); \
    }                                                                                                     \
    template <parameter_set P, detail::operand X>                                                         \
    P operator symbol(const P& p, const X& x) {                                                           \
        return detail::transformed(#name, [&](const auto& a) { return a symbol x; }, p);                  \
    }                                                                                                     \
    template <detail::operand X, parameter_set P>                                                         \
    P operator symbol(const X& x, const P& p) {                                                           \
        return detail::transformed(#name, [&](const auto& a) { return x symbol a; }, p);                  \
    }                                                                                                     \
    template <parameter_set P>                                                                            \
    P& operator symbol##=(P & p, const std::type_identity_t<P>& q) {                                      \
        detail::for_each_array(#symbol "=", [](auto& a, const auto& b) { a symbol## = b; }, p, q);        \
        return p;                                                                                         \
    }                                                                                                     \
    template <parameter_set P, detail::operand X>                                                         \
    P& operator symbol##=(P & p, const X & x) {                                                           \
        detail::for_each_array(#symbol "=", [&](auto& a) { a symbol## = x; }, p);                         \
        return p;                                                                                         \
    }
SINTER_SET_OPERATOR(+, add)
SINTER_SET_OPERATOR(-, subtract)
SINTER_SET_OPERATOR(*, multiply)
SINTER_SET_OPERATOR(/, divide)
#undef SINTER_SET_OPERATOR

template <parameter_set P>
P operator-(const P& p) {
    return transform(p, [](const auto& a) { return -a; });
}

}  // namespace sinter::inline SINTER_ABI

#endif
