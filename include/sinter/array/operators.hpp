// Operators of arrays and expressions, and the functions of elements that ops.def lists.
#pragma once

#include <sinter/array/array.hpp>
#include <sinter/array/named_errors.hpp>
#include <sinter/array/refusals/refusals.hpp>
#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/ops/ieee.hpp>

#include <limits>
#include <tuple>

namespace sinter::inline SINTER_ABI {

namespace detail {

codegen::scalar_value compute_scalar(op o, dtype common, const codegen::scalar_value* args);

/// An operation on plain numbers, with the meaning that it has for elements.
template <op O, scalar_operand... S>
auto compute(const S&... s) {
    constexpr dtype types[] = {dtype_of<S>...};
    constexpr dtype common = codegen::common_type(O, types);
    require_defined<O, common>();
    codegen::scalar_value args[] = {codegen::scalar_value::of(s)...};
    codegen::scalar_value result = compute_scalar(O, common, args);
    return result.as<op_result<O, common>>();
}

template <op O, class... X>
auto apply_op(X&&... x) {
    if constexpr ((scalar_operand<X> && ...)) return compute<O>(x...);
    else if constexpr (sizeof...(X) == 1) return make_unary<O>(static_cast<X&&>(x)...);
    else return make_binary<O>(static_cast<X&&>(x)...);
}

/// Whether an operand has elements, or is a number, that are neither integers nor bool.
template <class X>
inline constexpr bool has_fractions = !std::is_integral_v<std::remove_cvref_t<X>>;
template <expression X>
inline constexpr bool has_fractions<X> = codegen::kind_rank(dtype_of<value_type_t<X>>) > 1;
template <class... X>
concept holds_fractions = (has_fractions<X> || ...);

/// What looks as if its array changed with it.
template <class P>
inline constexpr bool is_named_part = false;
template <class T>
inline constexpr bool is_named_part<indexed<T>> = true;
template <class T>
inline constexpr bool is_named_part<row_value<T>> = true;
template <class P>
concept named_part = is_named_part<P>;

/// Whether operators of arrays and such are defined elsewhere.
template <class X>
inline constexpr bool has_own_operators = false;
template <class X>
concept foreign = !operand<X> && !has_own_operators<X>;
/// What may stand on the left by mistake; other types may have operators of their own for whatever is on the right.
template <class X>
concept text_or_data = host_data<X> || std::is_convertible_v<const X&, std::string_view>;

}  // namespace detail

#define SINTER_BINARY_OPERATORS(X) \
    X(+, add)                      \
    X(-, subtract)                 \
    X(*, multiply)                 \
    X(/, divide)                   \
    X(%, remainder)                \
    X(==, equal)                   \
    X(!=, not_equal)               \
    X(<, less)                     \
    X(<=, less_equal)              \
    X(>, greater)                  \
    X(>=, greater_equal)           \
    X(&&, logical_and)             \
    X(||, logical_or)              \
    X(&, bitwise_and)              \
    X(|, bitwise_or)               \
    X(^, bitwise_xor)              \
    X(<<, left_shift)              \
    X(>>, right_shift)
#define SINTER_BINARY_OPERATOR(symbol, name)                                                     \
    template <class A, class B>                                                                  \
        requires detail::operands<A, B>                                                          \
    SINTER_NEW_VALUE auto operator symbol(A&& a, B&& b) {                                        \
        return detail::make_binary<codegen::op::name>(static_cast<A&&>(a), static_cast<B&&>(b)); \
    }
SINTER_BINARY_OPERATORS(SINTER_BINARY_OPERATOR)
#undef SINTER_BINARY_OPERATOR
#define SINTER_NO_OPERAND(name, sentence)      \
    template <expression A, detail::foreign B> \
    detail::stand_in<> name(const A&, const B&) SINTER_REFUSED(sentence);
#define SINTER_NO_LEFT_OPERAND(name, sentence)      \
    template <detail::text_or_data A, expression B> \
    detail::stand_in<> name(const A&, const B&) SINTER_REFUSED(sentence);
#define SINTER_NO_NUMBER_ON_THE_LEFT(name, sentence)  \
    template <detail::scalar_operand S, expression E> \
    detail::stand_in<> name(S&, const E&) SINTER_REFUSED(sentence);
#include <sinter/array/refusals/no_operands.def>
#undef SINTER_NO_OPERAND
#undef SINTER_NO_LEFT_OPERAND
#undef SINTER_NO_NUMBER_ON_THE_LEFT
#undef SINTER_REFUSED
template <class A, class B>
    requires(detail::operands<A, B> && detail::holds_fractions<A, B>)
detail::bits_of_number<A, B> operator^(A&&, B&&);

#define SINTER_UNARY_OPERATOR(symbol, name)                                \
    template <expression A>                                                \
    SINTER_NEW_VALUE auto operator symbol(A&& a) {                         \
        return detail::make_unary<codegen::op::name>(static_cast<A&&>(a)); \
    }
SINTER_UNARY_OPERATOR(-, negative)
SINTER_UNARY_OPERATOR(+, positive)
SINTER_UNARY_OPERATOR(!, logical_not)
SINTER_UNARY_OPERATOR(~, invert)
#undef SINTER_UNARY_OPERATOR

// Into an array or a part of it, which keep their shape: shape_error where the right operand is larger.
#define SINTER_COMPOUND_ASSIGNMENT(symbol)                                                      \
    template <class T, detail::operand B>                                                       \
    array<T>& operator symbol##=(array<T>& a, B && b) {                                         \
        if constexpr (expression<B>) codegen::require_fills(#symbol "=", b.shape(), a.shape()); \
        a = a symbol std::forward<B>(b);                                                        \
        return a;                                                                               \
    }                                                                                           \
    template <detail::named_part P, detail::operand B>                                          \
    detail::assigned_part<P> operator symbol##=(P&, B&&);                                       \
    template <class T, detail::operand B>                                                       \
    void operator symbol##=(indexed<T>&& a, B&& b) {                                            \
        a.read_for_assignment();                                                                \
        if constexpr (expression<B>) codegen::require_fills(#symbol "=", b.shape(), a.shape()); \
        array<T> updated = a symbol std::forward<B>(b);                                         \
        std::move(a) = updated;                                                                 \
    }
SINTER_COMPOUND_ASSIGNMENT(+)
SINTER_COMPOUND_ASSIGNMENT(-)
SINTER_COMPOUND_ASSIGNMENT(*)
SINTER_COMPOUND_ASSIGNMENT(/)
SINTER_COMPOUND_ASSIGNMENT(%)
SINTER_COMPOUND_ASSIGNMENT(&)
SINTER_COMPOUND_ASSIGNMENT(|)
SINTER_COMPOUND_ASSIGNMENT(^)
SINTER_COMPOUND_ASSIGNMENT(<<)
SINTER_COMPOUND_ASSIGNMENT(>>)
#undef SINTER_COMPOUND_ASSIGNMENT

// One overload set per row; `where` has three operands and is below, random words are not functions of users' arrays.
#define SINTER_OP(name, arity, typing, ...) SINTER_FUNCTION_##arity(name, name)
#define SINTER_ALIAS(alias, name) SINTER_ALIAS_FUNCTION(alias, name)
#define SINTER_FUNCTION_1(function, name)                                \
    template <detail::operand A>                                         \
    SINTER_NEW_VALUE auto function(A&& a) {                              \
        return detail::apply_op<codegen::op::name>(static_cast<A&&>(a)); \
    }                                                                    \
    template <class = void>                                              \
    detail::stand_in<> function(const detail::host_argument&);
#define SINTER_FUNCTION_2(function, name)                                                     \
    template <detail::operand A, detail::operand B>                                           \
    SINTER_NEW_VALUE auto function(A&& a, B&& b) {                                            \
        return detail::apply_op<codegen::op::name>(static_cast<A&&>(a), static_cast<B&&>(b)); \
    }                                                                                         \
    template <class = void>                                                                   \
    detail::stand_in<> function(const detail::host_argument&, const detail::any_argument&);   \
    template <class = void, class = void>                                                     \
    detail::stand_in<> function(const detail::any_argument&, const detail::host_argument&);
#define SINTER_FUNCTION_3(function, name)
#define SINTER_ALIAS_FUNCTION(function, name)                              \
    template <detail::operand... A>                                        \
    SINTER_NEW_VALUE auto function(A&&... a) {                             \
        return detail::apply_op<codegen::op::name>(std::forward<A>(a)...); \
    }
inline namespace functions {
#include <sinter/codegen/ops/aliases.def>
#include <sinter/codegen/ops/ops.def>
}  // namespace functions
#undef SINTER_OP
#undef SINTER_ALIAS
#undef SINTER_ALIAS_FUNCTION
#undef SINTER_FUNCTION_1
#undef SINTER_FUNCTION_2
#undef SINTER_FUNCTION_3

// The C library's global gamma(double) and remainder(double, double) mean something else: beside these overloads a call
// that could mean either does not compile, and says so, instead of computing the wrong one.
/// The gamma function of a number.
inline double gamma(double x) { return detail::compute<codegen::op::gamma>(x); }
/// What is left of a number by floor_divide, with the sign of y.
inline double remainder(double x, double y) { return detail::compute<codegen::op::remainder>(x, y); }

namespace detail {

template <dtype Common, class X>
auto as_operand(op o, X&& x) {
    if constexpr (scalar_operand<X>) return make_scalar<Common>(o, x);
    else return cast_to<Common>(std::forward<X>(x));
}

template <class A, class B>
constexpr dtype common_of() {
    if constexpr (expression<A> && expression<B>)
        return codegen::promote(dtype_of<value_type_t<A>>, dtype_of<value_type_t<B>>);
    else if constexpr (expression<A>)
        return weak_common(op::where, dtype_of<value_type_t<A>>, dtype_of<std::remove_cvref_t<B>>);
    else if constexpr (expression<B>)
        return weak_common(op::where, dtype_of<value_type_t<B>>, dtype_of<std::remove_cvref_t<A>>);
    else return codegen::promote(dtype_of<std::remove_cvref_t<A>>, dtype_of<std::remove_cvref_t<B>>);
}

template <class X>
dims shape_of(const X& x) {
    if constexpr (expression<X>) return x.shape();
    else return {};
}

}  // namespace detail

template <expression C>
detail::one_operand_of_where<C> where(const C&);
/// Elements of a where the condition holds, else of b (numpy.where); all three broadcast.
template <expression C, detail::operand A, detail::operand B>
SINTER_NEW_VALUE auto where(C&& condition, A&& a, B&& b) {
    constexpr dtype common = detail::common_of<A, B>();
    dims shape = codegen::broadcast_shapes("where", detail::shape_of(a), detail::shape_of(b));
    shape = codegen::broadcast_shapes("where", condition.shape(), shape);
    auto c = detail::cast_to<dtype::bool_>(std::forward<C>(condition));
    auto x = detail::as_operand<common>(codegen::op::where, std::forward<A>(a));
    auto y = detail::as_operand<common>(codegen::op::where, std::forward<B>(b));
    using T = typename codegen::cpp_type<common>::type;
    return detail::ternary_node<codegen::op::where, decltype(c), decltype(x), decltype(y), T>{
        {}, std::move(c), std::move(x), std::move(y), shape};
}

/// The same of a single condition, a bool or a number, for all elements.
template <detail::scalar_operand C, class A, class B>
    requires detail::operands<A, B>
SINTER_NEW_VALUE auto where(const C& condition, A&& a, B&& b) {
    constexpr dtype common = detail::common_of<A, B>();
    const dims shape = codegen::broadcast_shapes("where", detail::shape_of(a), detail::shape_of(b));
    auto c = detail::scalar_node<bool>{static_cast<bool>(condition)};
    auto x = detail::as_operand<common>(codegen::op::where, std::forward<A>(a));
    auto y = detail::as_operand<common>(codegen::op::where, std::forward<B>(b));
    using T = typename codegen::cpp_type<common>::type;
    return detail::ternary_node<codegen::op::where, decltype(c), decltype(x), decltype(y), T>{
        {}, c, std::move(x), std::move(y), shape};
}

namespace detail {

/// A lower or upper bound of E's elements: of integers beyond all of them the outermost, which limits as little.
template <class E, bool Lower, class B>
decltype(auto) bound_of(B&& b) {
    using S = std::remove_cvref_t<B>;
    if constexpr (expression<E> && std::is_integral_v<S> && !std::same_as<S, bool>) {
        using T = value_type_t<E>;
        if constexpr (codegen::is_integer(dtype_of<T>)) {
            constexpr T end = Lower ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
            const auto given = +b;  // of a character its number
            using N = decltype(given);
            const auto bound = (Lower ? std::cmp_less(given, end) : std::cmp_greater(given, end))
                                   ? static_cast<std::remove_const_t<N>>(end)
                                   : given;
            if (!std::in_range<T>(bound)) throw_does_not_fit("clip", std::to_string(bound), dtype_of<T>);
            return std::remove_const_t<N>(bound);
        } else {
            return S(b);
        }
    } else {
        return std::forward<B>(b);
    }
}

template <class E, class L, class H>
auto limited(E&& e, L&& low, H&& high) {
    if constexpr (std::same_as<std::remove_cvref_t<L>, none_t>)
        return minimum(std::forward<E>(e), bound_of<E, false>(std::forward<H>(high)));
    else if constexpr (std::same_as<std::remove_cvref_t<H>, none_t>)
        return maximum(std::forward<E>(e), bound_of<E, true>(std::forward<L>(low)));
    else
        return minimum(maximum(std::forward<E>(e), bound_of<E, true>(std::forward<L>(low))),
                       bound_of<E, false>(std::forward<H>(high)));
}

}  // namespace detail

/// Elements, or a number, limited to [low, high] (numpy.clip); `none` leaves a side open. Integers beyond all that
/// elements can be limit nothing; throws value_error where no element could reach a bound.
template <detail::operand E, class L, class H>
SINTER_NEW_VALUE auto clip(E&& e, L&& low, H&& high) {
    return detail::named_errors(
        "clip", [&] { return detail::limited(std::forward<E>(e), std::forward<L>(low), std::forward<H>(high)); });
}

/// Elements converted to T (numpy.astype), as C++ converts; floating to integer saturates.
template <class T, expression E>
SINTER_NEW_VALUE auto astype(E&& e) {
    return detail::cast_to<dtype_of<T>>(std::forward<E>(e));
}

/// Quotient and remainder (numpy.divmod).
template <detail::operand A, detail::operand B>
auto divmod(const A& a, const B& b) {
    return detail::named_errors("divmod", [&] { return std::tuple(floor_divide(a, b), sinter::remainder(a, b)); });
}

SINTER_IEEE_BEGIN

namespace detail {

/// The same with integers as float64.
template <class X>
auto as_floating(const X& x) {
    if constexpr (scalar_operand<X>) {
        if constexpr (std::integral<X>) return static_cast<double>(x);
        else return x;
    } else if constexpr (codegen::kind_rank(dtype_of<value_type_t<X>>) < 2) {
        return cast_to<dtype::float64>(x);
    } else {
        return x;
    }
}

}  // namespace detail

/// Fraction and whole part, both with the sign of x (numpy.modf).
template <detail::operand X>
auto modf(const X& x) {
    auto v = detail::as_floating(x);
    if constexpr (expression<X>) return std::tuple(copysign(where(isinf(v), 0, v - trunc(v)), v), trunc(v));
    else return std::tuple(copysign(isinf(v) ? decltype(v)(0) : v - trunc(v), v), trunc(v));
}

/// Mantissa in ±[0.5, 1) and exponent (numpy.frexp).
template <detail::operand X>
auto frexp(const X& x) {
    return std::tuple(frexp_mantissa(x), frexp_exponent(x));
}

/// Options of isclose and allclose: how far apart numbers are close, relative to b's and absolutely, and whether NaN is
/// close to NaN.
struct close_options {
    double rtol = 1e-5;
    double atol = 1e-8;
    bool equal_nan = false;
};

namespace detail {

template <class A, class B>
SINTER_COMPARES auto is_close(const A& a, const B& b, const close_options& o) {
    const auto [rtol, atol, equal_nan] = o;
    auto x = as_floating(a);
    auto y = as_floating(b);
    auto close = ((absolute(x - y) <= atol + rtol * absolute(y)) && isfinite(y)) || a == b;
    return close || (isnan(x) && isnan(y) && equal_nan);
}

}  // namespace detail

/// Whether |a - b| <= atol + rtol·|b|, element by element (numpy.isclose): `isclose(a, b, {.rtol = 1e-3})`.
template <detail::operand A, detail::operand B>
auto isclose(const A& a, const B& b, const close_options& o = {}) {
    return detail::named_errors("isclose", [&] { return detail::is_close(a, b, o); });
}
/// Whether |a - b| <= atol + rtol·|b|, element by element (numpy.isclose).
template <detail::operand A, detail::operand B, detail::real_scalar R>
auto isclose(const A& a, const B& b, R rtol, double atol = 1e-8, bool equal_nan = false) {
    return isclose(a, b, {static_cast<double>(rtol), atol, equal_nan});
}

SINTER_IEEE_END

}  // namespace sinter::inline SINTER_ABI

namespace sinter::inline SINTER_ABI::detail {

// What stands in this namespace behind here finds operators of arrays by its operands, as users' namespaces do: by name
// it would find them for all operands, and ask the concepts of each for every sum of two strings.
struct hidden_operand;
#define SINTER_HIDDEN_OPERATOR(symbol, name) void operator symbol(const hidden_operand&, const hidden_operand&);
SINTER_BINARY_OPERATORS(SINTER_HIDDEN_OPERATOR)
#undef SINTER_HIDDEN_OPERATOR
#undef SINTER_BINARY_OPERATORS

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/array/operators.ipp>
#endif
