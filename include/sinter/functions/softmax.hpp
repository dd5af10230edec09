// Exponentials that are normalised along axes: softmax, its logarithm, and the logarithm of their sum.
#pragma once

#include <sinter/array/constants.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/reductions.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

/// Options of logsumexp: what exponentials are multiplied by, a number or an array that broadcasts.
struct logsumexp_options {
    detail::any_operand b = {};
};

namespace detail {

/// What is subtracted before exponentials are taken: the greatest element, or zero where that is not finite.
template <class T>
array<T> exponent_shift(const array<T>& x, const axes& a) {
    if (count_reduced("logsumexp", x.shape(), a) == 0)
        return array<T>(record_reduce_axes(codegen::reduction::sum, x.get_handle(), a, true));
    const array<T> greatest = reduce_as<codegen::reduction::max, void>(x, a, true);
    return where(isfinite(greatest), greatest, T(0));
}

template <expression E>
auto softmax_as(const E& e, const axes& a) {
    using T = mean_type<value_type_t<E>>;
    const array<T> x = astype<T>(e);
    const array<T> powers = exp(x - reduce_as<codegen::reduction::max, void>(x, a, true));
    return array<T>(powers / reduce_as<codegen::reduction::sum, void>(powers, a, true));
}

template <expression E>
auto log_softmax_as(const E& e, const axes& a) {
    using T = mean_type<value_type_t<E>>;
    const array<T> x = astype<T>(e);
    const array<T> shifted = x - exponent_shift(x, a);
    return array<T>(shifted - log(reduce_as<codegen::reduction::sum, void>(exp(shifted), a, true)));
}

template <expression E>
auto logsumexp_as(const E& e, const axes& a, bool keep, const logsumexp_options& o) {
    using T = mean_type<value_type_t<E>>;
    const array<T> given = astype<T>(e);
    const array<T> weights = o.b.is_given() ? array<T>(record_cast(o.b.as_value(), dtype_of<T>)) : array<T>();
    // What does not count is not looked at, so that it makes no NaN of an infinity.
    const array<T> x = o.b.is_given() ? array<T>(where(weights == T(0), T(-constants::inf), given)) : given;
    const array<T> shift = exponent_shift(x, a);
    const array<T> powers = exp(x - shift);
    const array<T> total =
        reduce_as<codegen::reduction::sum, void>(o.b.is_given() ? array<T>(powers * weights) : powers, a, keep);
    return array<T>(log(total) + array<T>(record_reshape(shift.get_handle(), total.shape())));
}

}  // namespace detail

#define SINTER_NORMALISED_FUNCTION(name)                                                             \
    template <expression E>                                                                          \
    auto name(const E& e) {                                                                          \
        return detail::name##_as(e, axes().named(#name));                                            \
    }                                                                                                \
    template <expression E, class A>                                                                 \
        requires(detail::axis_operand<A> || detail::no_axis<A>)                                      \
    auto name(const E& e, const A& axis) {                                                           \
        static_assert(!detail::no_axis<A>, "sinter: an axis of " #name " is an integer");            \
        if constexpr (detail::axis_operand<A>) return detail::name##_as(e, axes(axis).named(#name)); \
    }                                                                                                \
    template <expression E>                                                                          \
    auto name(const E& e, detail::axis_list list) {                                                  \
        return detail::name##_as(e, axes::of(list).named(#name));                                    \
    }
inline namespace functions {
/// Exponentials over their sum along an axis, several, or all elements (scipy.special.softmax), in one kernel for rows;
/// integers give float64. Throws value_error when there is no element along the axes, index_error.
SINTER_NORMALISED_FUNCTION(softmax)
/// The logarithm of softmax (scipy.special.log_softmax), nothing of no elements. Throws index_error.
SINTER_NORMALISED_FUNCTION(log_softmax)
#undef SINTER_NORMALISED_FUNCTION
/// The logarithm of the sum of exponentials (scipy.special.logsumexp), minus infinity of no elements; axes and keepdims
/// as of sums; with {.b = w} of exponentials times weights, NaN where these sum below zero.
SINTER_FUNCTION_WITH_OPTIONS(logsumexp, logsum, logsumexp_options, , detail::logsumexp_as)
}  // namespace functions

}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END
