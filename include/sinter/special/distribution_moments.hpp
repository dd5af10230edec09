// Means, variances, deviations and medians of distributions, under scipy.stats' names.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/special/distributions.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::special::bodies {

SINTER_FUNCTION(norm_located_mean, (double loc, double scale)->double { return scale > 0 ? loc : constants::nan; })
SINTER_FUNCTION(
    norm_located_var,
    (double loc, double scale)->double { return scale > 0 && loc == loc ? scale * scale : constants::nan; })
SINTER_FUNCTION(
    t_located_mean, (double df, double loc, double scale)->double {
        return df > 0 && scale > 0 ? loc + scale * (df > 1 ? 0.0 : constants::inf) : constants::nan;
    })
SINTER_FUNCTION(
    t_located_var, (double df, double loc, double scale)->double {
        return df > 0 && scale > 0 && loc == loc ? scale * scale *
                                                       (df > 2   ? df / (df - 2)
                                                        : df > 1 ? constants::inf
                                                                 : constants::nan)
                                                 : constants::nan;
    })
SINTER_FUNCTION(
    chi2_located_mean,
    (double df, double loc, double scale)->double { return df > 0 && scale > 0 ? loc + scale * df : constants::nan; })
SINTER_FUNCTION(
    chi2_located_var, (double df, double loc, double scale)->double {
        return df > 0 && scale > 0 && loc == loc ? scale * scale * (2 * df) : constants::nan;
    })
SINTER_FUNCTION(
    gamma_located_mean,
    (double a, double loc, double scale)->double { return a > 0 && scale > 0 ? loc + scale * a : constants::nan; })
SINTER_FUNCTION(
    gamma_located_var, (double a, double loc, double scale)->double {
        return a > 0 && scale > 0 && loc == loc ? scale * scale * a : constants::nan;
    })
SINTER_FUNCTION(
    beta_located_mean, (double a, double b, double loc, double scale)->double {
        return a > 0 && b > 0 && scale > 0 ? loc + scale * (a / (a + b)) : constants::nan;
    })
SINTER_FUNCTION(
    beta_located_var, (double a, double b, double loc, double scale)->double {
        return a > 0 && b > 0 && scale > 0 && loc == loc ? scale * scale * (a * b / ((a + b) * (a + b) * (a + b + 1)))
                                                         : constants::nan;
    })
SINTER_FUNCTION(
    uniform_located_mean, (double loc, double scale)->double { return scale > 0 ? loc + scale * 0.5 : constants::nan; })
SINTER_FUNCTION(
    uniform_located_var, (double loc, double scale)->double {
        return scale > 0 && loc == loc ? scale * scale * (1.0 / 12) : constants::nan;
    })
SINTER_FUNCTION(
    expon_located_mean, (double loc, double scale)->double { return scale > 0 ? loc + scale : constants::nan; })
SINTER_FUNCTION(
    expon_located_var,
    (double loc, double scale)->double { return scale > 0 && loc == loc ? scale * scale : constants::nan; })
SINTER_FUNCTION(
    lognorm_located_mean, (double s, double loc, double scale)->double {
        return s > 0 && scale > 0 ? loc + scale * (exp(0.5 * s * s)) : constants::nan;
    })
SINTER_FUNCTION(
    lognorm_located_var, (double s, double loc, double scale)->double {
        return s > 0 && scale > 0 && loc == loc ? scale * scale * (expm1(s * s) * exp(s * s)) : constants::nan;
    })
SINTER_FUNCTION(
    f_located_mean, (double dfn, double dfd, double loc, double scale)->double {
        return dfn > 0 && dfd > 0 && scale > 0 ? loc + scale * (dfd > 2 ? dfd / (dfd - 2) : constants::inf)
                                               : constants::nan;
    })
SINTER_FUNCTION(
    f_located_var, (double dfn, double dfd, double loc, double scale)->double {
        return dfn > 0 && dfd > 0 && scale > 0 && loc == loc
                   ? scale * scale *
                         (dfd > 4 ? 2 * dfd * dfd * (dfn + dfd - 2) / (dfn * (dfd - 2) * (dfd - 2) * (dfd - 4))
                                  : constants::inf)
                   : constants::nan;
    })
SINTER_FUNCTION(poisson_located_mean, (double mu, double loc)->double { return mu >= 0 ? loc + mu : constants::nan; })
SINTER_FUNCTION(
    poisson_located_var, (double mu, double loc)->double { return mu >= 0 && loc == loc ? mu : constants::nan; })
SINTER_FUNCTION(
    binom_located_mean, (double n, double p, double loc)->double {
        return n >= 0 && n == floor(n) && p >= 0 && p <= 1 ? loc + n * p : constants::nan;
    })
SINTER_FUNCTION(
    binom_located_var, (double n, double p, double loc)->double {
        return n >= 0 && n == floor(n) && p >= 0 && p <= 1 && loc == loc ? n * p * (1 - p) : constants::nan;
    })

}  // namespace sinter::inline SINTER_ABI::special::bodies

namespace sinter::inline SINTER_ABI::stats {

namespace detail {

template <class T>
T root_of(const T& x) {
    if constexpr (expression<T>) return T(sinter::sqrt(x));
    else return static_cast<T>(codegen::ieee::sqrt(x));
}

}  // namespace detail

// Of a distribution's parameters, which broadcast and may be plain numbers, and of loc and scale; in the types and with
// the NaN of the other functions.
#define SINTER_MOMENT(name, function, count)                                                           \
    template <sinter::detail::operand... X>                                                            \
        requires(sizeof...(X) >= count && sizeof...(X) <= count + SINTER_PLACED)                       \
    auto function(const X&... x) {                                                                     \
        return detail::placed<count, SINTER_PLACED>(special::bodies::name##_located_##function, x...); \
    }
// A name in parentheses is the distribution's own, not that of arrays.
#define SINTER_OF_MOMENTS(function, ...)                  \
    template <class... X>                                 \
        requires requires(const X&... x) { __VA_ARGS__; } \
    auto function(const X&... x) {                        \
        return __VA_ARGS__;                               \
    }

#define SINTER_PLACED 2
namespace norm {
/// The mean: mean(loc = 0, scale = 1) (scipy.stats.norm.mean).
SINTER_MOMENT(norm, mean, 0)
/// The variance: var(loc = 0, scale = 1) (scipy.stats.norm.var).
SINTER_MOMENT(norm, var, 0)
/// The standard deviation: std(loc = 0, scale = 1) (scipy.stats.norm.std).
SINTER_OF_MOMENTS(std, detail::root_of((var)(x...)))
/// The least number up to which half of the numbers lie: median(loc = 0, scale = 1) (scipy.stats.norm.median).
SINTER_OF_MOMENTS(median, ppf(0.5, x...))
}  // namespace norm
namespace t {
/// The mean: mean(df, loc = 0, scale = 1) (scipy.stats.t.mean).
SINTER_MOMENT(t, mean, 1)
/// The variance: var(df, loc = 0, scale = 1) (scipy.stats.t.var).
SINTER_MOMENT(t, var, 1)
/// The standard deviation: std(df, loc = 0, scale = 1) (scipy.stats.t.std).
SINTER_OF_MOMENTS(std, detail::root_of((var)(x...)))
/// The least number up to which half of the numbers lie: median(df, loc = 0, scale = 1) (scipy.stats.t.median).
SINTER_OF_MOMENTS(median, ppf(0.5, x...))
}  // namespace t
namespace chi2 {
/// The mean: mean(df, loc = 0, scale = 1) (scipy.stats.chi2.mean).
SINTER_MOMENT(chi2, mean, 1)
/// The variance: var(df, loc = 0, scale = 1) (scipy.stats.chi2.var).
SINTER_MOMENT(chi2, var, 1)
/// The standard deviation: std(df, loc = 0, scale = 1) (scipy.stats.chi2.std).
SINTER_OF_MOMENTS(std, detail::root_of((var)(x...)))
/// The least number up to which half of the numbers lie: median(df, loc = 0, scale = 1) (scipy.stats.chi2.median).
SINTER_OF_MOMENTS(median, ppf(0.5, x...))
}  // namespace chi2
namespace gamma {
/// The mean: mean(a, loc = 0, scale = 1) (scipy.stats.gamma.mean).
SINTER_MOMENT(gamma, mean, 1)
/// The variance: var(a, loc = 0, scale = 1) (scipy.stats.gamma.var).
SINTER_MOMENT(gamma, var, 1)
/// The standard deviation: std(a, loc = 0, scale = 1) (scipy.stats.gamma.std).
SINTER_OF_MOMENTS(std, detail::root_of((var)(x...)))
/// The least number up to which half of the numbers lie: median(a, loc = 0, scale = 1) (scipy.stats.gamma.median).
SINTER_OF_MOMENTS(median, ppf(0.5, x...))
}  // namespace gamma
namespace beta {
/// The mean: mean(a, b, loc = 0, scale = 1) (scipy.stats.beta.mean).
SINTER_MOMENT(beta, mean, 2)
/// The variance: var(a, b, loc = 0, scale = 1) (scipy.stats.beta.var).
SINTER_MOMENT(beta, var, 2)
/// The standard deviation: std(a, b, loc = 0, scale = 1) (scipy.stats.beta.std).
SINTER_OF_MOMENTS(std, detail::root_of((var)(x...)))
/// The least number up to which half of the numbers lie: median(a, b, loc = 0, scale = 1) (scipy.stats.beta.median).
SINTER_OF_MOMENTS(median, ppf(0.5, x...))
}  // namespace beta
namespace uniform {
/// The mean: mean(loc = 0, scale = 1) (scipy.stats.uniform.mean).
SINTER_MOMENT(uniform, mean, 0)
/// The variance: var(loc = 0, scale = 1) (scipy.stats.uniform.var).
SINTER_MOMENT(uniform, var, 0)
/// The standard deviation: std(loc = 0, scale = 1) (scipy.stats.uniform.std).
SINTER_OF_MOMENTS(std, detail::root_of((var)(x...)))
/// The least number up to which half of the numbers lie: median(loc = 0, scale = 1) (scipy.stats.uniform.median).
SINTER_OF_MOMENTS(median, ppf(0.5, x...))
}  // namespace uniform
namespace expon {
/// The mean: mean(loc = 0, scale = 1) (scipy.stats.expon.mean).
SINTER_MOMENT(expon, mean, 0)
/// The variance: var(loc = 0, scale = 1) (scipy.stats.expon.var).
SINTER_MOMENT(expon, var, 0)
/// The standard deviation: std(loc = 0, scale = 1) (scipy.stats.expon.std).
SINTER_OF_MOMENTS(std, detail::root_of((var)(x...)))
/// The least number up to which half of the numbers lie: median(loc = 0, scale = 1) (scipy.stats.expon.median).
SINTER_OF_MOMENTS(median, ppf(0.5, x...))
}  // namespace expon
namespace lognorm {
/// The mean: mean(s, loc = 0, scale = 1) (scipy.stats.lognorm.mean).
SINTER_MOMENT(lognorm, mean, 1)
/// The variance: var(s, loc = 0, scale = 1) (scipy.stats.lognorm.var).
SINTER_MOMENT(lognorm, var, 1)
/// The standard deviation: std(s, loc = 0, scale = 1) (scipy.stats.lognorm.std).
SINTER_OF_MOMENTS(std, detail::root_of((var)(x...)))
/// The least number up to which half of the numbers lie: median(s, loc = 0, scale = 1) (scipy.stats.lognorm.median).
SINTER_OF_MOMENTS(median, ppf(0.5, x...))
}  // namespace lognorm
namespace f {
/// The mean: mean(dfn, dfd, loc = 0, scale = 1) (scipy.stats.f.mean).
SINTER_MOMENT(f, mean, 2)
/// The variance: var(dfn, dfd, loc = 0, scale = 1) (scipy.stats.f.var).
SINTER_MOMENT(f, var, 2)
/// The standard deviation: std(dfn, dfd, loc = 0, scale = 1) (scipy.stats.f.std).
SINTER_OF_MOMENTS(std, detail::root_of((var)(x...)))
/// The least number up to which half of the numbers lie: median(dfn, dfd, loc = 0, scale = 1) (scipy.stats.f.median).
SINTER_OF_MOMENTS(median, ppf(0.5, x...))
}  // namespace f
#undef SINTER_PLACED
#define SINTER_PLACED 1
namespace poisson {
/// The mean: mean(mu, loc = 0) (scipy.stats.poisson.mean).
SINTER_MOMENT(poisson, mean, 1)
/// The variance: var(mu, loc = 0) (scipy.stats.poisson.var).
SINTER_MOMENT(poisson, var, 1)
/// The standard deviation: std(mu, loc = 0) (scipy.stats.poisson.std).
SINTER_OF_MOMENTS(std, detail::root_of((var)(x...)))
/// The least number up to which half of the numbers lie: median(mu, loc = 0) (scipy.stats.poisson.median).
SINTER_OF_MOMENTS(median, ppf(0.5, x...))
}  // namespace poisson
namespace binom {
/// The mean: mean(n, p, loc = 0) (scipy.stats.binom.mean).
SINTER_MOMENT(binom, mean, 2)
/// The variance: var(n, p, loc = 0) (scipy.stats.binom.var).
SINTER_MOMENT(binom, var, 2)
/// The standard deviation: std(n, p, loc = 0) (scipy.stats.binom.std).
SINTER_OF_MOMENTS(std, detail::root_of((var)(x...)))
/// The least number up to which half of the numbers lie: median(n, p, loc = 0) (scipy.stats.binom.median).
SINTER_OF_MOMENTS(median, ppf(0.5, x...))
}  // namespace binom
#undef SINTER_PLACED
#undef SINTER_MOMENT
#undef SINTER_OF_MOMENTS

}  // namespace sinter::inline SINTER_ABI::stats

SINTER_IEEE_END
