// What frequent mistakes return: types whose instantiation says in a sentence what to write. A class says it in fewer
// lines than a function's body, because compilers do not show the macro that made the function.
#pragma once

#include <sinter/array/array.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// False whatever the types are.
template <class...>
inline constexpr bool never = false;

/// Fits wherever a value is expected, so that nothing follows a sentence.
template <class... X>
struct stand_in : array<double> {
    template <scalar_operand S>
    operator S() const;
    template <class... Y>
    stand_in operator()(const Y&...) const;
};

template <class... X>
struct bits_of_number : stand_in<> {
    static_assert(never<X...>, "sinter: x ^ y is for bits of integers and bool: write power(x, y) for a power");
};

template <class... X>
struct assigned_part : stand_in<> {
    static_assert(
        never<X...>,
        "sinter: a named part of an array and a loop's row are values: assign through the array, a(...) += x");
};

template <class... X>
struct assigned_value : stand_in<> {
    static_assert(never<X...>,
                  "sinter: this is a value, not a part of an array: write m(i, j) = x; m[i][j] = x, row(j) = x in a "
                  "loop and parts of const arrays change nothing");
};

template <class... X>
struct assigned_number : stand_in<> {
    static_assert(never<X...>, "sinter: a number is not an array: a.fill(x) sets all elements of a");
};

template <class... X>
struct lossy_assignment : stand_in<> {
    static_assert(never<X...>,
                  "sinter: this assignment would lose the fraction, the imaginary part or the number: write "
                  "astype<T>(x)");
};

template <class... X>
struct count_of_arguments : stand_in<> {
    static_assert(never<X...>, "sinter: this function takes another number of arguments");
};

template <class... X>
struct shape_without_braces : stand_in<> {
    static_assert(never<X...>,
                  "sinter: shapes and axes stand in braces: zeros({3, 4}), reshape(a, {3, 4}), transpose(a, {1, 0})");
};

template <class... X>
struct arrays_without_braces : stand_in<> {
    static_assert(never<X...>,
                  "sinter: joined arrays stand in braces: concatenate({a, b}, axis), stack({a, b}), hstack({a, b})");
};

template <class... X>
struct fractional_count : stand_in<> {
    static_assert(never<X...>,
                  "sinter: the number of points of linspace is an integer: with a step write arange(a, b, step)");
};

template <class... X>
struct endpoint_as_bool : stand_in<> {
    static_assert(never<X...>, "sinter: endpoint is an option: write linspace(a, b, n, {.endpoint = false})");
};

template <class... X>
struct one_operand_of_where : stand_in<> {
    static_assert(never<X...>,
                  "sinter: where takes three operands, where(condition, a, b): positions are nonzero(condition)");
};

template <class... X>
struct load_without_type : stand_in<> {
    static_assert(never<X...>, "sinter: the elements' type is part of an array's: write load<double>(path)");
};

/// What functions of arrays take data of the host for, to say no in the line that compilers quote. Being a conversion
/// it loses against what else can be called, users' own functions of the same name; a concept that asks for a call is
/// false.
struct host_argument {
    template <host_data V>
#if defined(__clang__)  // which would name each macro behind a parameter whose constructor is deleted
    __attribute__((unavailable("sinter: functions take arrays: write f(asarray(v)) where v is a std::vector")))
    host_argument(const V&);
#else
    host_argument(const V&) = delete;  // sinter: functions take arrays: write f(asarray(v)) where v is a std::vector
#endif
};
struct any_argument {
    template <class V>
    any_argument(const V&);
};

/// A number by a conversion, for the same.
struct refused_number {
    template <scalar_operand S>
    refused_number(const S&);
};

/// An array by a conversion, so that a call which fits prefers its function whatever stands behind.
struct refused_array {
    template <expression E>
    refused_array(const E&);
};
/// Names of other libraries' options. Nothing fits the first member, so that these are no braces of values.
struct named_arguments {
    struct nothing {
        nothing() = default;
        nothing(const nothing&) = delete;
    } none;
    anything axis, dims, axes, dtype, out, keepdims, mode, weights, side, method, bins, range, order, descending, k,
        return_index, return_inverse, return_counts;
};

template <class... X>
struct array_before_path : stand_in<> {
    static_assert(never<X...>, "sinter: the path comes first: save(path, a)");
};

template <class... X>
struct lambda_as_function : stand_in<> {
    static_assert(never<X...>,
                  "sinter: a lambda has no text for a kernel: write SINTER_FUNCTION(f, (double x) -> double { ... }) "
                  "outside of functions, then vectorize(f)(a)");
};

/// What stands in an axis' place by mistake.
template <class X>
concept no_axis = std::floating_point<X> || std::same_as<X, bool> || expression<X> || std::is_array_v<X>;

/// What a reduction's axis was taken for.
enum class taken_for : std::uint8_t {
    axis,
    sum,
    product,
    smaller,
    larger,
    fsmaller,
    flarger,
    logsum,
    weights,
    deviation
};

/// Of a reduction: what stands behind the array is no axis, or what should be keepdims is a number.
template <taken_for What, class A, class... More>
struct no_axis_of_reduction : stand_in<> {
    static constexpr bool is_axis = !no_axis<A>;
    static_assert(!is_axis || What != taken_for::deviation,
                  "sinter: behind the axis stand keepdims and options: var(x, 0, {.ddof = 1}), var(x, 0, keepdims)");
    static_assert(!is_axis || What == taken_for::deviation,
                  "sinter: several axes stand in braces, and keepdims is a word: sum(x, {0, 1}), sum(x, 1, keepdims)");
    static_assert(is_axis || (What != taken_for::axis && What != taken_for::deviation),
                  "sinter: an axis is an integer, and others are words behind it: sum(x, 1, keepdims)");
    static_assert(is_axis || What != taken_for::sum,
                  "sinter: an axis of a sum is an integer: for the sum of two arrays use +");
    static_assert(is_axis || What != taken_for::product,
                  "sinter: an axis of a product is an integer: for the product of two arrays use *");
    static_assert(is_axis || What != taken_for::smaller,
                  "sinter: an axis of min is an integer: for the smaller of two values use minimum(x, y)");
    static_assert(is_axis || What != taken_for::larger,
                  "sinter: an axis of max is an integer: for the larger of two values use maximum(x, y)");
    static_assert(is_axis || What != taken_for::fsmaller,
                  "sinter: an axis of nanmin is an integer: for the smaller of two values use fmin(x, y)");
    static_assert(is_axis || What != taken_for::flarger,
                  "sinter: an axis of nanmax is an integer: for the larger of two values use fmax(x, y)");
    static_assert(is_axis || What != taken_for::logsum,
                  "sinter: an axis of logsumexp is an integer: for that of two arrays use logaddexp(x, y)");
    static_assert(
        is_axis || What != taken_for::weights,
        "sinter: an axis of average is an integer: for weights of all elements write average(x, {}, weights)");
};

}  // namespace sinter::inline SINTER_ABI::detail

namespace sinter::inline SINTER_ABI {

// Functions of arrays that are no rows of a table, asked for data of the host.
#define SINTER_NO_HOST_DATA(name) \
    template <class = void>       \
    detail::stand_in<> name(const detail::host_argument&, ...);
#include <sinter/array/refusals/no_host_data.def>
#undef SINTER_NO_HOST_DATA

#define SINTER_NO_ARGUMENTS(name, sentence)                                                                           \
    template <class = void>                                                                                           \
    detail::stand_in<> name(const detail::refused_array&, const detail::anything& = {}, const detail::anything& = {}, \
                            const detail::anything& = {}, const detail::anything& = {}) SINTER_REFUSED(sentence);     \
    template <class = void>                                                                                           \
    detail::stand_in<> name(const detail::refused_array&, const detail::named_arguments&) SINTER_REFUSED(sentence);   \
    template <class = void>                                                                                           \
    detail::stand_in<> name(const detail::refused_array&, const detail::anything&, const detail::named_arguments&)    \
        SINTER_REFUSED(sentence);
// Of functions whose first argument is no array.
#define SINTER_NO_VALUES(name, sentence)                                                                    \
    template <class = void>                                                                                 \
    detail::stand_in<> name(const detail::anything&) SINTER_REFUSED(sentence);                              \
    template <class = void>                                                                                 \
    detail::stand_in<> name(const detail::anything&, const detail::anything&, const detail::anything& = {}) \
        SINTER_REFUSED(sentence);                                                                           \
    template <class = void>                                                                                 \
    detail::stand_in<> name(const detail::anything&, const detail::named_arguments&) SINTER_REFUSED(sentence);
// Of functions whose operands are numbers alone.
#define SINTER_NO_NUMBERS(name, sentence) \
    template <class = void>               \
    detail::stand_in<> name(const detail::refused_number&, const detail::anything&) SINTER_REFUSED(sentence);
#define SINTER_NO_CONDITION(name, sentence)                                                                  \
    template <class = void>                                                                                  \
    detail::stand_in<> name(const detail::refused_number&, const detail::anything&, const detail::anything&) \
        SINTER_REFUSED(sentence);
// Of functions of three operands, of which one is a function of C.
#define SINTER_NO_FUNCTION(name, sentence)                                                                  \
    template <class = void>                                                                                 \
    detail::stand_in<> name(const detail::refused_array&, double (*)(const char*), const detail::anything&) \
        SINTER_REFUSED(sentence);                                                                           \
    template <class = void>                                                                                 \
    detail::stand_in<> name(const detail::refused_array&, const detail::anything&, double (*)(const char*)) \
        SINTER_REFUSED(sentence);
#include <sinter/array/refusals/no_arguments.def>
#undef SINTER_NO_ARGUMENTS
#undef SINTER_NO_CONDITION
#undef SINTER_NO_FUNCTION
#undef SINTER_NO_NUMBERS
#undef SINTER_NO_VALUES

}  // namespace sinter::inline SINTER_ABI
