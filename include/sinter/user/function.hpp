// Scalar functions of the user's own that run inside of kernels: SINTER_FUNCTION, SINTER_CONSTANT and SINTER_STRUCT.
#pragma once

#include <sinter/codegen/ops/scalar_rows.hpp>
#include <sinter/runtime/base/functions.hpp>

#include <tuple>

namespace sinter::inline SINTER_ABI::detail {

/// What unqualified names of mathematics mean inside of a SINTER_FUNCTION: the operations of ops.def on numbers.
struct scalar_functions {
#define SINTER_SCALAR_1(function, name)                       \
    template <class X>                                        \
    static auto function(const X& x) {                        \
        return codegen::compute_scalar<codegen::op::name>(x); \
    }
#define SINTER_SCALAR_2(function, name)                          \
    template <class X, class Y>                                  \
    static auto function(const X& x, const Y& y) {               \
        return codegen::compute_scalar<codegen::op::name>(x, y); \
    }
#define SINTER_SCALAR_3(function, name)                             \
    template <class X, class Y, class Z>                            \
    static auto function(const X& x, const Y& y, const Z& z) {      \
        return codegen::compute_scalar<codegen::op::name>(x, y, z); \
    }
#define SINTER_OP(name, arity, ...) SINTER_SCALAR_##arity(name, name)
#define SINTER_ALIAS(function, name)                             \
    template <class... X>                                        \
    static auto function(const X&... x) {                        \
        return codegen::compute_scalar<codegen::op::name>(x...); \
    }
#include <sinter/codegen/ops/aliases.def>
#include <sinter/codegen/functions/function_aliases.def>
#include <sinter/codegen/ops/ops.def>
#undef SINTER_OP
#undef SINTER_ALIAS
#undef SINTER_SCALAR_1
#undef SINTER_SCALAR_2
#undef SINTER_SCALAR_3
    template <class X, class L, class H>
    static auto clip(const X& x, const L& low, const H& high) {
        return minimum(maximum(x, low), high);
    }
};

/// A SINTER_FUNCTION.
template <class F>
concept scalar_function = requires { typename std::remove_cvref_t<F>::sinter_scalar_function; };

/// The text of a constant: a number's value, anything else as it is written.
template <class T>
std::string constant_text(const T& v, const char* written) {
    if constexpr (std::is_arithmetic_v<T> || requires {
                      typename T::value_type;
                      v.real();
                  })
        return runtime::number_literal(codegen::scalar_value::of(v));
    else return written;
}

}  // namespace sinter::inline SINTER_ABI::detail

#define SINTER_DIGITS_OF(number) SINTER_DIGITS_AS_WRITTEN(number)
#define SINTER_DIGITS_AS_WRITTEN(number) #number

// What all three add to the table when the program starts; __PRETTY_FUNCTION__ names the namespaces around.
#define SINTER_DEFINITION(kind, class_name, name, type, text)                                            \
    static const ::sinter::codegen::definition& sinter_definition() {                                    \
        static const ::sinter::codegen::definition& d = ::sinter::runtime::add_definition(               \
            ::sinter::codegen::definition_kind::kind, name, type, text, __PRETTY_FUNCTION__, class_name, \
            __BASE_FILE__, __FILE__ ":" SINTER_DIGITS_OF(__LINE__));                                     \
        return d;                                                                                        \
    }                                                                                                    \
    static inline const ::sinter::codegen::definition* const sinter_entered = &sinter_definition();

/// A scalar function, at namespace scope: SINTER_FUNCTION(name, (float x, int n) -> float { … }). It is an ordinary
/// function object, and vectorize makes it a function of arrays; the same text runs inside of kernels. Inside, names of
/// mathematics mean sinter's functions; it may use if, loops, local variables and arrays, std::complex, std::tuple,
/// std::min and the like, other SINTER_FUNCTIONs, SINTER_CONSTANTs and SINTER_STRUCTs, and return a number, a tuple, a
/// pair or a structure.
#define SINTER_FUNCTION(name, ...) SINTER_FUNCTION_AS(name, __VA_ARGS__)
#define SINTER_FUNCTION_AS(name, ...)                                                                        \
    struct name##_sinter_function : ::sinter::detail::scalar_functions {                                     \
        [[maybe_unused]] static auto name __VA_ARGS__ using sinter_scalar_function = name##_sinter_function; \
        template <class F>                                                                                   \
        static auto sinter_pointer() -> decltype(&F::name);                                                  \
        template <class... A>                                                                                \
        static decltype(auto) sinter_call(A&&... a) {                                                        \
            return name(static_cast<A&&>(a)...);                                                             \
        }                                                                                                    \
        template <class... A>                                                                                \
        decltype(auto) operator()(A&&... a) const {                                                          \
            return name(static_cast<A&&>(a)...);                                                             \
        }                                                                                                    \
        SINTER_DEFINITION(function, #name "_sinter_function", #name, "", #__VA_ARGS__)                       \
    };                                                                                                       \
    [[maybe_unused]] inline constexpr name##_sinter_function name{};

/// A constexpr constant that SINTER_FUNCTIONs may use: SINTER_CONSTANT(float, sqrt_2pi, 2.5066283f).
#define SINTER_CONSTANT(type, name, ...) SINTER_CONSTANT_AS(type, name, __VA_ARGS__)
#define SINTER_CONSTANT_AS(type, name, ...)                                            \
    [[maybe_unused]] inline constexpr type name = __VA_ARGS__;                         \
    struct name##_sinter_constant {                                                    \
        SINTER_DEFINITION(constant, #name "_sinter_constant", #name, #type,            \
                          ::sinter::detail::constant_text(name, #__VA_ARGS__).c_str()) \
    };

/// A structure of data members that SINTER_FUNCTIONs may use and return: SINTER_STRUCT(particle, { float x, v; }).
#define SINTER_STRUCT(name, ...) SINTER_STRUCT_AS(name, __VA_ARGS__)
#define SINTER_STRUCT_AS(name, ...)                                                                \
    struct name __VA_ARGS__;                                                                       \
    [[maybe_unused]] constexpr const char* sinter_members_of(const name*) { return #__VA_ARGS__; } \
    struct name##_sinter_struct {                                                                  \
        SINTER_DEFINITION(structure, #name "_sinter_struct", #name, "", #__VA_ARGS__)              \
    };
