// The axes of a function, as programs write them, and the overloads that take them.
#pragma once

#include <sinter/array/operators.hpp>
#include <sinter/functions/any_operand.hpp>

#include <optional>

namespace sinter::inline SINTER_ABI {

struct keepdims_t {};
/// Reduced axes stay with size one: `sum(x, 1, keepdims)`.
inline constexpr keepdims_t keepdims{};

/// Axes to reduce: none given means all; an integer, negative allowed, or a braced list.
class axes {
public:
    constexpr axes() = default;
    // No constructor takes a list, because g++ 12 would take {.initial = 0} for one.
    template <std::integral... I>
        requires(sizeof...(I) > 0)
    constexpr axes(I... list) : given_(true), list_(list...) {
        static_assert((!std::is_same_v<I, bool> && ...), "sinter: an axis is an integer, not a bool");
    }
    /// Those of a list, where an empty one means all.
    static axes of(std::initializer_list<std::int64_t> list);
    /// The same of a public function, which errors then name whatever operation it consists of.
    constexpr axes named(std::string_view function) const {
        axes a = *this;
        if (a.function_.empty()) a.function_ = function;
        return a;
    }
    constexpr std::string_view name_or(std::string_view operation) const {
        return function_.empty() ? operation : function_;
    }
    /// As a bit mask for an array of this rank; throws index_error or value_error naming the operation.
    std::uint8_t mask(std::string_view operation, int rank) const;
    /// In the order given and counted from 0, those of an array of this rank; throws the same.
    dims list(std::string_view operation, int rank) const;

private:
    bool given_ = false;
    std::string_view function_ = {};
    dims list_;
};

/// Options of sums, products and extrema: a value that is combined with the result, and which elements are, a condition
/// that broadcasts to the operand's shape.
struct reduction_options {
    std::optional<detail::any_number> initial = {};
    detail::any_array where = {};
};

/// Options of means, any and all: which elements count.
struct where_options {
    detail::any_array where = {};
};

/// Options of variances and deviations: the divisor is the number of elements less ddof, which has NumPy's other name,
/// too; which of them count; and the mean, of axes that are kept, where it is known.
struct variance_options {
    double ddof = 0;
    detail::any_array where = {};
    detail::any_array mean = {};
    std::optional<double> correction = {};

    double taken_off() const { return correction ? *correction : ddof; }
};

namespace detail {

template <class A>
concept axis_operand = (std::integral<A> && !std::same_as<A, bool>) || std::same_as<A, axes>;
template <class... X>
inline constexpr bool begins_with_number = false;
template <class X, class... More>
inline constexpr bool begins_with_number<X, More...> = std::is_arithmetic_v<X>;
/// What stands by mistake where an axis and keepdims may.
template <class A, class... More>
concept misplaced = no_axis<A> || (axis_operand<A> && begins_with_number<More...>);

/// Axes in braces, a parameter of their own: with g++ 12 a class made of integers or of a list is also made of
/// {.initial = 0}.
using axis_list = std::initializer_list<std::int64_t>;

/// Whether keepdims was written.
struct keep_axes {
    bool given = false;
    constexpr keep_axes() = default;
    template <std::same_as<keepdims_t> K>
    constexpr keep_axes(K) : given(true) {}
};

/// Keyword arguments of NumPy's reductions that have places here.
struct placed_arguments {
    anything axis, dtype, out, keepdims;
};

/// Functions that take options by name besides.
constexpr bool takes_names(std::string_view function) { return function == "average"; }

/// Keyword arguments of NumPy's reductions.
struct keyword_arguments {
    anything axis, dtype, weights, out, keepdims, initial, where;
};

}  // namespace detail

// Every reduction takes (E), (E, axis), (E, {axes}), then keepdims, also (E, keepdims), and throws index_error for an
// axis that is not there. A type given first, sum<double>(E), is that of the accumulator and of the result.
#define SINTER_FUNCTION_OF_AXES(name, hint, first_parameter, ...)                                               \
    template <first_parameter expression E>                                                                     \
    SINTER_NEW_VALUE auto name(const E& e, detail::keep_axes keep = {}) {                                       \
        return __VA_ARGS__(e, axes().named(#name), keep.given);                                                 \
    }                                                                                                           \
    template <first_parameter expression E, detail::axis_operand A>                                             \
    SINTER_NEW_VALUE auto name(const E& e, const A& axis, detail::keep_axes keep = {}) {                        \
        return __VA_ARGS__(e, axes(axis).named(#name), keep.given);                                             \
    }                                                                                                           \
    template <class = void>                                                                                     \
    detail::stand_in<> name(const detail::host_argument&, ...);                                                 \
    template <first_parameter expression E, class A, class... More>                                             \
        requires detail::misplaced<A, More...>                                                                  \
    detail::no_axis_of_reduction<detail::taken_for::hint, A, More...> name(const E&, const A&, const More&...); \
    template <first_parameter expression E>                                                                     \
    SINTER_NEW_VALUE auto name(const E& e, detail::axis_list list, detail::keep_axes keep = {}) {               \
        return __VA_ARGS__(e, axes::of(list).named(#name), keep.given);                                         \
    }                                                                                                           \
    template <first_parameter expression E>                                                                     \
        requires(!detail::takes_names(#name))                                                                   \
    detail::stand_in<E> name(const E&, const detail::keyword_arguments&) {                                      \
        static_assert(sizeof(E) == 0, "sinter: " #name " takes axes in braces, " #name                          \
                                      "(x, {0, 1}), and keepdims behind "                                       \
                                      "them, no options by name");                                              \
        return {};                                                                                              \
    }
// The same with options in braces behind what is given of these: sum(x, 1, {.initial = 2}).
#define SINTER_FUNCTION_WITH_OPTIONS(name, hint, Options, first_parameter, ...)                                 \
    template <first_parameter expression E>                                                                     \
    SINTER_NEW_VALUE auto name(const E& e, detail::keep_axes keep = {}, const Options& o = {}) {                \
        return __VA_ARGS__(e, axes().named(#name), keep.given, o);                                              \
    }                                                                                                           \
    template <first_parameter expression E>                                                                     \
    SINTER_NEW_VALUE auto name(const E& e, const Options& o) {                                                  \
        return __VA_ARGS__(e, axes().named(#name), false, o);                                                   \
    }                                                                                                           \
    template <first_parameter expression E, detail::axis_operand A>                                             \
    SINTER_NEW_VALUE auto name(const E& e, const A& axis, detail::keep_axes keep = {}, const Options& o = {}) { \
        return __VA_ARGS__(e, axes(axis).named(#name), keep.given, o);                                          \
    }                                                                                                           \
    template <class = void>                                                                                     \
    detail::stand_in<> name(const detail::host_argument&, ...);                                                 \
    template <first_parameter expression E, class A, class... More>                                             \
        requires detail::misplaced<A, More...>                                                                  \
    detail::no_axis_of_reduction<detail::taken_for::hint, A, More...> name(const E&, const A&, const More&...); \
    template <first_parameter expression E, detail::axis_operand A>                                             \
    SINTER_NEW_VALUE auto name(const E& e, const A& axis, const Options& o) {                                   \
        return __VA_ARGS__(e, axes(axis).named(#name), false, o);                                               \
    }                                                                                                           \
    template <first_parameter expression E>                                                                     \
    SINTER_NEW_VALUE auto name(const E& e, detail::axis_list list, detail::keep_axes keep = {},                 \
                               const Options& o = {}) {                                                         \
        return __VA_ARGS__(e, axes::of(list).named(#name), keep.given, o);                                      \
    }                                                                                                           \
    template <first_parameter expression E>                                                                     \
    SINTER_NEW_VALUE auto name(const E& e, detail::axis_list list, const Options& o) {                          \
        return __VA_ARGS__(e, axes::of(list).named(#name), false, o);                                           \
    }                                                                                                           \
    template <first_parameter expression E>                                                                     \
    detail::stand_in<E> name(const E&, const detail::placed_arguments&) {                                       \
        static_assert(sizeof(E) == 0, "sinter: " #name " takes axes in braces, " #name                          \
                                      "(x, {0, 1}), and keepdims and other options behind them");               \
        return {};                                                                                              \
    }
#define SINTER_ACCUMULATOR class Accumulator = void,

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/functions/axes.ipp>
#endif
