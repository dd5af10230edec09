// What random numbers are recorded as: words of a stream, the parameters of a distribution, and one statement for each
// call.
#pragma once

#include <array>
#include <sinter/array/array.hpp>
#include <sinter/random/draw_parameters.hpp>

namespace sinter::inline SINTER_ABI::random {

/// Options of integers: whether `high` is one of them.
struct integers_options {
    bool endpoint = false;
};

}  // namespace sinter::inline SINTER_ABI::random

namespace sinter::inline SINTER_ABI::detail {

enum class distribution : std::uint8_t {
#define SINTER_DISTRIBUTION(parameters, type, name, ...) name,
#include <sinter/random/distributions.def>
#undef SINTER_DISTRIBUTION
};

const char* name_of(distribution which);

/// A shape, or none where the parameters' own counts (NumPy's size=None).
class draw_shape {
public:
    draw_shape() = default;
    draw_shape(const dims& shape) : shape_(shape), given_(true) {}
    template <std::integral... I>
        requires(sizeof...(I) > 0)
    draw_shape(I... sizes) : draw_shape(dims(sizes...)) {}

    /// The shape of a draw; throws shape_error when a size is negative or the parameters do not broadcast to what was
    /// given.
    dims with(std::string_view operation, const dims& of_parameters) const;

private:
    dims shape_;
    bool given_ = false;
};

/// The number that a parameter is which was not given. Braces do not become one, so that a size is never taken for a
/// parameter.
class default_parameter {
public:
    enum class tag : std::uint8_t { of_table };
    constexpr default_parameter(tag, int n) : number(n) {}
    int number;
};

template <class X>
concept draw_operand = operand<X> || std::same_as<X, default_parameter>;

template <class X>
draw_parameter make_draw_parameter(const X& x) {
    if constexpr (std::same_as<X, default_parameter>) {
        return make_draw_parameter(x.number);
    } else if constexpr (expression<X>) {
        static_assert(!codegen::is_complex(dtype_of<value_type_t<X>>), "sinter: parameters of random numbers are real");
        return {as_handle(x)};
    } else {
        static_assert(real_scalar<X>, "sinter: parameters of random numbers are real");
        if constexpr (std::integral<X>) return {{}, static_cast<double>(x), static_cast<std::int64_t>(x)};
        else return {{}, static_cast<double>(x), 0};
    }
}

/// How many streams a distribution takes.
constexpr std::uint64_t streams_of(distribution d) {
    using which = distribution;
    if (d == which::noncentral_f) return 3;
    return d == which::beta || d == which::standard_t || d == which::f || d == which::noncentral_chisquare ||
                   d == which::negative_binomial
               ? 2
               : 1;
}

/// Whether numbers are made of those of other distributions, in float64.
constexpr bool is_compound(distribution d) {
    using which = distribution;
    return d == which::f || d == which::noncentral_chisquare || d == which::noncentral_f ||
           d == which::negative_binomial;
}

struct draw_recorder;

/// Record the numbers of a distribution that is one statement: of real numbers, from words of the element's own; those
/// that are made of gamma numbers, and counts.
void record_reals(draw_recorder& w, distribution which);
void record_rejections(draw_recorder& w, distribution which);
// Of rarer_draws.hpp.
void record_rarer(draw_recorder& w, distribution which);
handle record_compound(distribution which, codegen::span<const draw_parameter> parameters, const dims& shape,
                       random_source from);

/// A distribution and what records its numbers: programs that name few of them are not to compile what records all.
struct named_distribution {
    distribution which;
    void (*record)(draw_recorder& w, distribution which);  ///< null of a compound one
    decltype(record_compound)* compound;
};

template <distribution Which>
constexpr named_distribution named() {
    if constexpr (is_compound(Which)) return {Which, nullptr, record_compound};
    else if constexpr (Which < distribution::standard_gamma) return {Which, record_reals, nullptr};
    else if constexpr (Which <= distribution::geometric) return {Which, record_rejections, nullptr};
    else return {Which, record_rarer, nullptr};
}

/// Numbers of a distribution, of half precision those of float32 rounded; throws value_error for numbers that are no
/// parameters of it. Elements for which an array holds such parameters are NaN, or -1 where they are counts.
handle record_draws(const named_distribution& d, dtype type, codegen::span<const draw_parameter> parameters,
                    const draw_shape& size, random_source from);

/// Uniform numbers in [0, 1): 24 bits of float32, 53 of float64, 11 of float16 and 8 of bfloat16.
handle record_uniform(dtype type, const dims& shape, random_source from);
/// Integers in [low, low + span), of all 64-bit words for a span of 0.
handle record_integers(dtype type, std::int64_t low, std::uint64_t span, const dims& shape, random_source from);
/// The same between arrays of bounds; where the range is empty, its lower bound.
handle record_integers(std::string_view operation, dtype type, const draw_parameter& low, const draw_parameter& high,
                       const draw_shape& size, random_source from);
[[noreturn]] void throw_empty_range(std::string_view operation, const std::string& low, const std::string& high);

/// The words themselves, uint32 or uint64.
handle record_words(dtype type, std::int64_t n, random_source from);
/// The numbers below n in random order.
handle record_permutation(std::int64_t n, random_source from);
/// Probabilities of a choice, of which float32 ones sum up to 1 as floats do; see random::probabilities.
handle store_probabilities(const std::vector<double>& p, bool of_floats);

/// Numbers below n of an array's choice; see random::choice.
handle record_choice(std::int64_t n, const dims& shape, bool replace, const handle& p, random_source from);

template <class T, class Default>
constexpr void require_drawn() {
    if constexpr (std::floating_point<Default>)
        static_assert(std::same_as<T, float> || std::same_as<T, double> || codegen::is_half_type<T>,
                      "sinter: random numbers are of a floating type");
    else static_assert(std::integral<T> && !std::same_as<T, bool>, "sinter: random integers are of an integer type");
}

template <class T, class Default, class... X>
array<T> draw(const named_distribution& d, random_source from, const draw_shape& size, const X&... x) {
    require_drawn<T, Default>();
    const std::array<draw_parameter, sizeof...(X)> parameters{make_draw_parameter(x)...};
    return array<T>(record_draws(d, dtype_of<T>, parameters, size, from));
}

/// Integers in [low, high) between numbers or arrays.
template <class T, class Low, class High>
array<T> draw_integers(std::string_view operation, const Low& low, const High& high, const draw_shape& size,
                       random_source from, const random::integers_options& o = {}) {
    require_drawn<T, std::int64_t>();
    if constexpr (expression<Low> || expression<High>) {
        draw_parameter end = make_draw_parameter(high);
        if (o.endpoint) {
            if constexpr (expression<High>)
                end = make_draw_parameter(array<std::int64_t>(astype<std::int64_t>(high) + 1));
            else end = make_draw_parameter(static_cast<std::int64_t>(high) + 1);
        }
        return array<T>(record_integers(operation, dtype_of<T>, make_draw_parameter(low), end, size, from));
    } else {
        static_assert(std::integral<Low> && std::integral<High>, "sinter: the bounds of random integers are integers");
        if (o.endpoint ? std::cmp_greater(low, high) : !std::cmp_less(low, high))
            throw_empty_range(operation, std::to_string(low), std::to_string(high));
        if (!std::in_range<T>(low)) throw_does_not_fit(operation, std::to_string(low), dtype_of<T>);
        if (o.endpoint ? !std::in_range<T>(high) : high > 0 && !std::in_range<T>(high - 1))
            throw_does_not_fit(operation, std::to_string(high), dtype_of<T>);
        const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + o.endpoint;
        return array<T>(
            record_integers(dtype_of<T>, static_cast<std::int64_t>(low), span, size.with(operation, {}), from));
    }
}

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/random/draws.ipp>
#endif
