// Operators and functions of elements of distributed arrays: all that ops.def lists, by the ways of apply.hpp.
#pragma once

#include <sinter/distributed/elements/apply.hpp>

namespace sinter::inline SINTER_ABI {

namespace detail {

template <codegen::op O, class... A>
auto distributed_op(std::string_view name, A&&... a) {
    using node = decltype(apply_op<O>(std::declval<const ordinary<A>&>()...));
    return node_words<node>::apply(name, static_cast<A&&>(a)...);
}

}  // namespace detail

namespace distributed {

#define SINTER_DISTRIBUTED_OPERATOR(symbol, name)                                                          \
    template <class A, class B>                                                                            \
        requires detail::distributed_call<A, B>                                                            \
    auto operator symbol(A&& a, B&& b) {                                                                   \
        return detail::distributed_op<codegen::op::name>(#name, static_cast<A&&>(a), static_cast<B&&>(b)); \
    }
SINTER_DISTRIBUTED_OPERATOR(+, add)
SINTER_DISTRIBUTED_OPERATOR(-, subtract)
SINTER_DISTRIBUTED_OPERATOR(*, multiply)
SINTER_DISTRIBUTED_OPERATOR(/, divide)
SINTER_DISTRIBUTED_OPERATOR(%, remainder)
SINTER_DISTRIBUTED_OPERATOR(==, equal)
SINTER_DISTRIBUTED_OPERATOR(!=, not_equal)
SINTER_DISTRIBUTED_OPERATOR(<, less)
SINTER_DISTRIBUTED_OPERATOR(<=, less_equal)
SINTER_DISTRIBUTED_OPERATOR(>, greater)
SINTER_DISTRIBUTED_OPERATOR(>=, greater_equal)
SINTER_DISTRIBUTED_OPERATOR(&&, logical_and)
SINTER_DISTRIBUTED_OPERATOR(||, logical_or)
SINTER_DISTRIBUTED_OPERATOR(&, bitwise_and)
SINTER_DISTRIBUTED_OPERATOR(|, bitwise_or)
SINTER_DISTRIBUTED_OPERATOR(^, bitwise_xor)
SINTER_DISTRIBUTED_OPERATOR(<<, left_shift)
SINTER_DISTRIBUTED_OPERATOR(>>, right_shift)
#undef SINTER_DISTRIBUTED_OPERATOR

#define SINTER_DISTRIBUTED_OPERATOR(symbol, name)                                     \
    template <detail::distributed_operand A>                                          \
    auto operator symbol(A&& a) {                                                     \
        return detail::distributed_op<codegen::op::name>(#name, static_cast<A&&>(a)); \
    }
SINTER_DISTRIBUTED_OPERATOR(-, negative)
SINTER_DISTRIBUTED_OPERATOR(+, positive)
SINTER_DISTRIBUTED_OPERATOR(!, logical_not)
SINTER_DISTRIBUTED_OPERATOR(~, invert)
#undef SINTER_DISTRIBUTED_OPERATOR

// Into an array or a part of one, which keeps its shape and its element type.
#define SINTER_DISTRIBUTED_ASSIGNMENT(symbol)                                                          \
    template <class T, class B>                                                                        \
        requires(detail::distributed_operand<B> || detail::operand<B>)                                 \
    array<T>& operator symbol##=(array<T>& a, const B & b) {                                           \
        auto updated = a symbol b;                                                                     \
        detail::require_assignable<typename decltype(updated)::value_type, T>();                       \
        codegen::require_fills(#symbol "=", updated.shape(), a.shape());                               \
        if constexpr (std::same_as<typename decltype(updated)::value_type, T>) a = std::move(updated); \
        else a = std::move(updated).template astype<T>();                                              \
        return a;                                                                                      \
    }                                                                                                  \
    template <class T, class B>                                                                        \
        requires(detail::distributed_operand<B> || detail::operand<B>)                                 \
    void operator symbol##=(indexed<T>&& a, const B& b) {                                              \
        std::move(a) = a symbol b;                                                                     \
    }
SINTER_DISTRIBUTED_ASSIGNMENT(+)
SINTER_DISTRIBUTED_ASSIGNMENT(-)
SINTER_DISTRIBUTED_ASSIGNMENT(*)
SINTER_DISTRIBUTED_ASSIGNMENT(/)
#undef SINTER_DISTRIBUTED_ASSIGNMENT

// One overload set per row of the tables, as in operators.hpp.
#define SINTER_OP(name, arity, ...) SINTER_FUNCTION_##arity(name, name)
#define SINTER_ALIAS(alias, name) SINTER_FUNCTION_2(alias, name)
#define SINTER_FUNCTION_1(function, name) SINTER_FUNCTION_2(function, name)
#define SINTER_FUNCTION_2(function, name)                                                    \
    template <class... A>                                                                    \
        requires detail::distributed_call<A...>                                              \
    auto function(A&&... a) {                                                                \
        return detail::distributed_op<codegen::op::name>(#function, static_cast<A&&>(a)...); \
    }
#define SINTER_FUNCTION_3(function, name)
#include <sinter/codegen/ops/aliases.def>
#include <sinter/codegen/ops/ops.def>
#undef SINTER_OP
#undef SINTER_ALIAS
#undef SINTER_FUNCTION_1
#undef SINTER_FUNCTION_2
#undef SINTER_FUNCTION_3

/// Elements of a where the condition holds, else of b (numpy.where); all three broadcast.
template <class C, class A, class B>
    requires detail::distributed_call<C, A, B>
auto where(C&& condition, A&& a, B&& b) {
    using node =
        decltype(sinter::where(std::declval<const detail::ordinary<C>&>(), std::declval<const detail::ordinary<A>&>(),
                               std::declval<const detail::ordinary<B>&>()));
    return detail::node_words<node>::apply("where", static_cast<C&&>(condition), static_cast<A&&>(a),
                                           static_cast<B&&>(b));
}
/// Elements limited to [low, high] (numpy.clip).
template <class A, class L, class H>
    requires detail::distributed_call<A, L, H>
auto clip(const A& a, const L& low, const H& high) {
    return detail::distributed_map(
        "clip", operation_class::map, [](const auto& x, const auto& l, const auto& h) { return sinter::clip(x, l, h); },
        a, low, high);
}
/// Elements converted to T (numpy.astype).
template <class To, detail::distributed_operand A>
array<To> astype(A&& x) {
    return static_cast<A&&>(x).template astype<To>();
}

}  // namespace distributed
}  // namespace sinter::inline SINTER_ABI
