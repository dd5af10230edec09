// Expressions: operators build trees of these; recording one ends the templates and makes a statement.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/ops/op.hpp>
#include <sinter/array/record.hpp>

#include <concepts>
#include <utility>

namespace sinter::inline SINTER_ABI {

/// On functions that compute a value and do nothing else.
#define SINTER_NEW_VALUE [[nodiscard("sinter: this makes a new value and changes no argument: write a = f(a)")]]

/// Behind a function that a sentence refuses. Deleted, so that a concept which asks for such a call is false: g++
/// quotes the line, clang says the sentence.
#if defined(__clang__)
#define SINTER_REFUSED(sentence)                                                          \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wgcc-compat\"") \
        __attribute__((diagnose_if(true, sentence, "error"))) _Pragma("clang diagnostic pop")
#else
#define SINTER_REFUSED(sentence) = delete
#endif

template <class T>
class array;
template <class T>
class indexed;
template <class T>
class row_iterator;

namespace detail {

// What refusals.hpp defines: calls of functions that return these do not compile, and say what to write.
template <class... X>
struct stand_in;

/// Base of everything that is an array or an expression. Without a constructor of its own g++ would clear each node
/// before it is initialised, by an instruction that takes longer than the rest.
struct expression_tag {
    constexpr expression_tag() noexcept {}

#define SINTER_NO_MEMBER(name) \
    template <class... X>      \
    stand_in<X...> name(const X&...) const = delete;
#include <sinter/array/refusals/no_members.def>
#undef SINTER_NO_MEMBER
};

template <class T>
struct is_complex_type : std::false_type {};
template <class T>
struct is_complex_type<std::complex<T>> : std::true_type {};
template <>
struct is_complex_type<complex_half> : std::true_type {};

/// C++ numbers that may stand beside an array in an operation.
template <class S>
concept real_scalar = std::is_arithmetic_v<std::remove_cvref_t<S>> || codegen::is_half_type<std::remove_cvref_t<S>>;
template <class S>
concept scalar_operand = real_scalar<S> || is_complex_type<std::remove_cvref_t<S>>::value;

/// Whatever a call that a sentence refuses may hold, in braces too; no call that fits prefers it.
struct anything {
    template <class... X>
    anything(const X&...) {}
};

}  // namespace detail

/// An array, or an expression of arrays.
template <class E>
concept expression = std::is_base_of_v<detail::expression_tag, std::remove_cvref_t<E>>;

/// The element type of an expression.
template <class E>
using value_type_t = typename std::remove_cvref_t<E>::value_type;

/// An expression with elements of type T.
template <class E, class T>
concept expression_of = expression<E> && std::same_as<value_type_t<E>, T>;

/// The element type of an operation on arrays of A and B (numpy.result_type).
template <class A, class B>
using result_type_t = typename codegen::cpp_type<codegen::promote(dtype_of<A>, dtype_of<B>)>::type;

namespace detail {

using codegen::op;

/// A number inside an expression, already of the type it is computed in.
template <class T>
struct scalar_node {
    using value_type = T;
    static constexpr bool is_scalar = true;
    T value;
    void append_to(recorder& r) const { r.add_scalar(codegen::scalar_value::of(value)); }
};

template <op O, dtype Common>
using op_result = typename codegen::cpp_type<codegen::result_type(O, Common)>::type;

/// The type in which an array meets a C++ number: numbers are weak within their kind; across kinds their own type
/// decides.
constexpr dtype weak_common(op o, dtype array_type, dtype scalar) {
    if (codegen::kind_rank(scalar) > codegen::kind_rank(array_type))
        return codegen::is_complex(scalar) && codegen::is_floating(array_type) ? codegen::promote(scalar, array_type)
                                                                               : scalar;
    if (codegen::info(o).typing == codegen::rule::compare && codegen::is_integer(array_type) &&
        codegen::is_integer(scalar))
        return codegen::promote(array_type, scalar);
    return codegen::computed_type(o, array_type);
}

template <class Derived, class T>
class expression_base;

// Nodes are aggregates and casts stand for std::forward: at -O0 each constructor, move and forward that a file
// compiles per node type would cost more than the node itself.
template <class A, class T>
struct cast_node : expression_base<cast_node<A, T>, T> {
    A a;
    using expression_base<cast_node<A, T>, T>::shape;
    const dims& shape() const { return a.shape(); }
    void append_to(recorder& r) const {
        a.append_to(r);
        r.add_cast(dtype_of<T>);
    }
};

template <op O, class A, class T>
struct unary_node : expression_base<unary_node<O, A, T>, T> {
    A a;
    using expression_base<unary_node<O, A, T>, T>::shape;
    const dims& shape() const { return a.shape(); }
    void append_to(recorder& r) const {
        a.append_to(r);
        r.add_op(O);
    }
};

template <op O, class A, class B, class T>
struct binary_node : expression_base<binary_node<O, A, B, T>, T> {
    A a;
    B b;
    dims extents;
    using expression_base<binary_node<O, A, B, T>, T>::shape;
    const dims& shape() const { return extents; }
    void append_to(recorder& r) const {
        a.append_to(r);
        b.append_to(r);
        r.add_op(O);
    }
};

template <op O, class A, class B, class C, class T>
struct ternary_node : expression_base<ternary_node<O, A, B, C, T>, T> {
    A a;
    B b;
    C c;
    dims extents;
    using expression_base<ternary_node<O, A, B, C, T>, T>::shape;
    const dims& shape() const { return extents; }
    void append_to(recorder& r) const {
        a.append_to(r);
        b.append_to(r);
        c.append_to(r);
        r.add_op(O);
    }
};

/// How an operand is kept inside a node: by value, a part of an array as an array.
template <class E>
struct kept_operand {
    using type = E;
};
template <class T>
struct kept_operand<indexed<T>> {
    using type = array<T>;
};
template <class E>
using stored_operand = typename kept_operand<std::remove_cvref_t<E>>::type;

template <dtype To, class E>
auto cast_to(E&& e) {
    using T = typename codegen::cpp_type<To>::type;
    if constexpr (std::same_as<value_type_t<E>, T>) return stored_operand<E>(static_cast<E&&>(e));
    else return cast_node<stored_operand<E>, T>{{}, static_cast<E&&>(e)};
}

template <dtype To, class E>
using cast_operand = decltype(cast_to<To>(std::declval<E>()));

/// A C++ number as an operand of the given type; an integer that does not fit throws value_error.
template <dtype To, class S>
auto make_scalar(op o, const S& s) {
    using T = typename codegen::cpp_type<To>::type;
    if constexpr (codegen::is_integer(To) && std::is_integral_v<S> && !std::is_same_v<S, bool>)
        // +s is an integer also where s is a character, which in_range refuses.
        if (!std::in_range<T>(+s)) throw_does_not_fit(codegen::info(o).name, std::to_string(+s), To);
    if constexpr (codegen::is_complex(To) && real_scalar<S>)
        return scalar_node<T>{T(codegen::ieee::as<typename T::value_type>(s))};
    else return scalar_node<T>{codegen::ieee::as<T>(s)};
}

template <op O, dtype Common>
constexpr void require_defined() {
    constexpr bool is_bool = Common == dtype::bool_;
    static_assert(!is_bool || O != op::subtract,
                  "sinter: bool has no -: where two masks differ is a ^ b or logical_xor(a, b), a without b a && !b");
    static_assert(!is_bool || O != op::negative, "sinter: bool has no negative: write !a or logical_not(a)");
    static_assert(codegen::defined_for(O, Common) || (is_bool && (O == op::subtract || O == op::negative)),
                  "sinter: this operation is not defined for elements of this type");
}

template <op O, class A>
auto make_unary(A&& a) {
    constexpr dtype common = dtype_of<value_type_t<A>>;
    require_defined<O, common>();
    return unary_node<O, stored_operand<A>, op_result<O, common>>{{}, static_cast<A&&>(a)};
}

template <op O, expression A, expression B>
auto make_binary(A&& a, B&& b) {
    constexpr dtype types[] = {dtype_of<value_type_t<A>>, dtype_of<value_type_t<B>>};
    constexpr dtype common = codegen::common_type(O, types);
    require_defined<O, common>();
    dims shape = codegen::broadcast_shapes(codegen::info(O).name, a.shape(), b.shape());
    return binary_node<O, stored_operand<A>, stored_operand<B>, op_result<O, common>>{
        {}, static_cast<A&&>(a), static_cast<B&&>(b), shape};
}

template <op O, expression A, scalar_operand S>
auto make_binary(A&& a, const S& s) {
    constexpr dtype own = dtype_of<value_type_t<A>>, common = weak_common(O, own, dtype_of<S>);
    require_defined<O, common>();
    dims shape = a.shape();
    auto y = make_scalar<common>(O, s);
    if constexpr (O == op::power && codegen::is_integer(common))
        if (shape.product() != 0) require_natural_exponent(codegen::scalar_value::of(y.value));
    constexpr dtype kept = codegen::promote(own, common) == common ? own : common;
    return binary_node<O, cast_operand<kept, A>, decltype(y), op_result<O, common>>{
        {}, cast_to<kept>(static_cast<A&&>(a)), y, shape};
}

template <op O, scalar_operand S, expression B>
auto make_binary(const S& s, B&& b) {
    constexpr dtype own = dtype_of<value_type_t<B>>, common = weak_common(O, own, dtype_of<S>);
    require_defined<O, common>();
    dims shape = b.shape();
    auto x = make_scalar<common>(O, s);
    constexpr dtype kept = codegen::promote(own, common) == common ? own : common;
    return binary_node<O, decltype(x), cast_operand<kept, B>, op_result<O, common>>{
        {}, x, cast_to<kept>(static_cast<B&&>(b)), shape};
}

/// Arrays, expressions and C++ numbers.
template <class X>
concept operand = expression<X> || scalar_operand<X>;

template <class A, class B>
concept operands = operand<A> && operand<B> && (expression<A> || expression<B>);

}  // namespace detail
}  // namespace sinter::inline SINTER_ABI
