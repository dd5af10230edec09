// Moments of samples along an axis, under scipy.stats' names: standard scores, standard errors, skewness, kurtosis.
#pragma once

#include <sinter/array/constants.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/reductions.hpp>
#include <sinter/functions/shape_functions.hpp>

#include <limits>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::stats {

/// Options of zscore and sem: what is subtracted from the number of elements in the deviation's divisor.
struct deviation_options {
    double ddof = 0;
};
struct error_options {
    double ddof = 1;
};
/// Options of skew and kurtosis: whether they are the sample's own, or corrected for its size; and whether a normal
/// distribution has the kurtosis 0, or 3.
struct skew_options {
    bool bias = true;
};
struct kurtosis_options {
    bool fisher = true;
    bool bias = true;
};

namespace detail {

using namespace sinter::detail;

template <expression E>
using score_type = mean_type<value_type_t<E>>;

/// Deviations up to so much of the mean are what rounding leaves of elements that are alike.
inline constexpr double alike_within = std::numeric_limits<double>::epsilon();

/// Of a sample along an axis: how many elements there are, the mean of their squared distances from the mean, and that
/// of a higher power, where they are not alike; float64.
struct moments_of_sample {
    double n;
    array<double> second, higher;
};

template <expression E>
SINTER_COMPARES moments_of_sample moments(std::string_view name, const E& e, std::int64_t axis, int power) {
    static_assert(!codegen::is_complex(dtype_of<value_type_t<E>>), "sinter: moments are of real elements");
    const int a = codegen::normalize_axis(name, axis, e.ndim());
    const array<double> x = astype<double>(e), middle = mean(x, a, keepdims), away = x - middle;
    const array<double> squares = square(away), second = mean(squares, a);
    const array<double> higher =
        power == 3 ? array<double>(mean(squares * away, a)) : array<double>(mean(square(squares), a));
    const array<double> rounding = square(alike_within * mean(x, a));
    return {static_cast<double>(e.shape()[a]), second, where(second > rounding, higher, constants::nan)};
}

}  // namespace detail

// Each is along the first axis, as SciPy's, or another one; NaN where elements are alike, and where one is NaN.

/// How many standard deviations elements lie from the mean (scipy.stats.zscore), of the elements' floating type.
template <expression E>
SINTER_COMPARES auto zscore(const E& e, std::int64_t axis = 0, const deviation_options& o = {}) {
    const int a = codegen::normalize_axis("zscore", axis, e.ndim());
    // A mean that is rounded to fewer digits may lie as far from all elements as they do from each other.
    const array<double> x = astype<double>(e);
    const array<double> middle = mean(x, a, keepdims);
    const array<double> deviation = stddev(x, a, keepdims, {.ddof = o.ddof});
    const auto differ = deviation > abs(middle) * detail::alike_within;
    return array<detail::score_type<E>>(
        astype<detail::score_type<E>>(where(differ, (x - middle) / deviation, constants::nan)));
}
/// The standard error of the mean (scipy.stats.sem).
template <expression E>
SINTER_COMPARES auto sem(const E& e, std::int64_t axis = 0, const error_options& o = {}) {
    const int a = codegen::normalize_axis("sem", axis, e.ndim());
    return array<detail::score_type<E>>(stddev(e, a, {}, {.ddof = o.ddof}) /
                                        codegen::ieee::sqrt(static_cast<double>(e.shape()[a])));
}
/// The third moment over that of the deviation (scipy.stats.skew), of the elements' floating type.
template <expression E>
SINTER_COMPARES auto skew(const E& e, std::int64_t axis = 0, const skew_options& o = {}) {
    const auto [n, second, third] = detail::moments("skew", e, axis, 3);
    const double factor = o.bias || n <= 2 ? 1 : codegen::ieee::sqrt((n - 1) * n) / (n - 2);
    return array<detail::score_type<E>>(astype<detail::score_type<E>>(third / (second * sqrt(second)) * factor));
}
/// The fourth moment over that of the deviation (scipy.stats.kurtosis), of the elements' floating type, less 3 unless
/// `fisher` is false.
template <expression E>
SINTER_COMPARES auto kurtosis(const E& e, std::int64_t axis = 0, const kurtosis_options& o = {}) {
    const auto [n, second, fourth] = detail::moments("kurtosis", e, axis, 4);
    const array<double> own = fourth / square(second);
    const double less = o.fisher ? 3 : 0;
    using T = detail::score_type<E>;
    if (o.bias || n <= 3) return array<T>(astype<T>(own - less));
    const double factor = 1 / ((n - 2) * (n - 3));
    return array<T>(astype<T>(factor * ((n * n - 1) * own - 3 * (n - 1) * (n - 1)) + (3 - less)));
}

/// Options without an axis, and of all elements as one sample: `skew(x, none)`, `kurtosis(x, {.fisher = false})`.
#define SINTER_OF_SAMPLE(name, options)                      \
    template <expression E>                                  \
    auto name(const E& e, const options& o) {                \
        return stats::name(e, 0, o);                         \
    }                                                        \
    template <expression E, std::same_as<none_t> N>          \
    auto name(const E& e, const N&, const options& o = {}) { \
        return stats::name(ravel(e), 0, o);                  \
    }
SINTER_OF_SAMPLE(sem, error_options)
SINTER_OF_SAMPLE(skew, skew_options)
SINTER_OF_SAMPLE(kurtosis, kurtosis_options)
#undef SINTER_OF_SAMPLE
/// The same with options.
template <expression E>
auto zscore(const E& e, const deviation_options& o) {
    return stats::zscore(e, 0, o);
}
/// The same with all elements as one sample.
template <expression E, std::same_as<none_t> N>
auto zscore(const E& e, const N&, const deviation_options& o = {}) {
    return reshape(stats::zscore(ravel(e), 0, o), e.shape());
}

}  // namespace sinter::inline SINTER_ABI::stats

SINTER_IEEE_END
