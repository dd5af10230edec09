// Distributions as functions of arrays, under scipy.stats' names: stats::norm::cdf and its like.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/special/densities.hpp>
#include <sinter/special/simple_functions.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::special::bodies {

// What loc and scale do to a function of standard numbers.
#define SINTER_LOCATED(name, part, quantile, upper_quantile, log_density, density, parameters, arguments)            \
    SINTER_FUNCTION(                                                                                                 \
        name##_located_cdf, (double x SINTER_UNWRAP parameters, double loc, double scale)->double {                  \
            return scale > 0 ? part((x - loc) / scale SINTER_UNWRAP arguments, false) : constants::nan;              \
        })                                                                                                           \
    SINTER_FUNCTION(                                                                                                 \
        name##_located_sf, (double x SINTER_UNWRAP parameters, double loc, double scale)->double {                   \
            return scale > 0 ? part((x - loc) / scale SINTER_UNWRAP arguments, true) : constants::nan;               \
        })                                                                                                           \
    SINTER_FUNCTION(                                                                                                 \
        name##_located_ppf, (double p SINTER_UNWRAP parameters, double loc, double scale)->double {                  \
            return scale > 0 ? loc + scale * quantile(p SINTER_UNWRAP arguments) : constants::nan;                   \
        })                                                                                                           \
    SINTER_FUNCTION(                                                                                                 \
        name##_located_isf, (double p SINTER_UNWRAP parameters, double loc, double scale)->double {                  \
            return scale > 0 ? loc + scale * upper_quantile(p SINTER_UNWRAP arguments) : constants::nan;             \
        })                                                                                                           \
    SINTER_FUNCTION(                                                                                                 \
        name##_located_logpdf, (double x SINTER_UNWRAP parameters, double loc, double scale)->double {               \
            return scale > 0 ? log_density((x - loc) / scale SINTER_UNWRAP arguments) - log(scale) : constants::nan; \
        })                                                                                                           \
    SINTER_FUNCTION(                                                                                                 \
        name##_located_pdf, (double x SINTER_UNWRAP parameters, double loc, double scale)->double {                  \
            return scale > 0 ? density((x - loc) / scale SINTER_UNWRAP arguments) / scale : constants::nan;          \
        })
#define SINTER_UNWRAP(...) __VA_ARGS__
SINTER_LOCATED(uniform, uniform_part, uniform_quantile, uniform_upper_quantile, uniform_log_density, uniform_density,
               (), ())
SINTER_LOCATED(expon, expon_part, expon_quantile, expon_upper_quantile, expon_log_density, expon_density, (), ())
SINTER_LOCATED(lognorm, lognorm_part, lognorm_quantile, lognorm_upper_quantile, lognorm_log_density, lognorm_density,
               (, double s), (, s))
SINTER_LOCATED(f, f_part, f_quantile, f_upper_quantile, f_log_density, f_density, (, double dfn, double dfd),
               (, dfn, dfd))
SINTER_LOCATED(norm, norm_part, norm_quantile, norm_upper_quantile, norm_log_density, norm_density, (), ())
SINTER_LOCATED(t, t_part, t_quantile, t_upper_quantile, t_log_density, t_density, (, double df), (, df))
SINTER_LOCATED(gamma, gamma_cdf, gamma_quantile, gamma_upper_quantile, gamma_log_density, gamma_density, (, double a),
               (, a))
SINTER_LOCATED(chi2, chi2_part, chi2_quantile, chi2_upper_quantile, chi2_log_density, chi2_density, (, double df),
               (, df))
SINTER_LOCATED(beta, beta_cdf, beta_quantile, beta_upper_quantile, beta_log_density, beta_density,
               (, double a, double b), (, a, b))
#undef SINTER_LOCATED
SINTER_FUNCTION(
    norm_located_logcdf,
    (double x, double loc, double scale)->double { return scale > 0 ? log_ndtr((x - loc) / scale) : constants::nan; })
SINTER_FUNCTION(
    norm_located_logsf,
    (double x, double loc, double scale)->double { return scale > 0 ? log_ndtr((loc - x) / scale) : constants::nan; })

#define SINTER_WHOLE_LOCATED(name, parameters, arguments)                                \
    SINTER_FUNCTION(                                                                     \
        name##_located_cdf, (double k SINTER_UNWRAP parameters, double loc)->double {    \
            return name##_part(k - loc SINTER_UNWRAP arguments, false);                  \
        })                                                                               \
    SINTER_FUNCTION(                                                                     \
        name##_located_sf, (double k SINTER_UNWRAP parameters, double loc)->double {     \
            return name##_part(k - loc SINTER_UNWRAP arguments, true);                   \
        })                                                                               \
    SINTER_FUNCTION(                                                                     \
        name##_located_ppf, (double p SINTER_UNWRAP parameters, double loc)->double {    \
            return loc + name##_quantile(p SINTER_UNWRAP arguments);                     \
        })                                                                               \
    SINTER_FUNCTION(                                                                     \
        name##_located_logpmf, (double k SINTER_UNWRAP parameters, double loc)->double { \
            return name##_log_mass(k - loc SINTER_UNWRAP arguments);                     \
        })                                                                               \
    SINTER_FUNCTION(                                                                     \
        name##_located_pmf, (double k SINTER_UNWRAP parameters, double loc)->double {    \
            return name##_mass(k - loc SINTER_UNWRAP arguments);                         \
        })
SINTER_WHOLE_LOCATED(poisson, (, double mu), (, mu))
SINTER_WHOLE_LOCATED(binom, (, double n, double prob), (, n, prob))
#undef SINTER_WHOLE_LOCATED
#undef SINTER_UNWRAP

}  // namespace sinter::inline SINTER_ABI::special::bodies

namespace sinter::inline SINTER_ABI::stats {

/// Where numbers of a distribution lie and how wide they are, by name: `norm::pdf(x, {.loc = 1, .scale = 2})`.
struct location_and_scale {
    double loc = 0;
    double scale = 1;

    template <class F>
    auto of(F f) const {
        return f(loc, scale);
    }
};
/// Where whole numbers of a distribution begin, by name.
struct location {
    double loc = 0;

    template <class F>
    auto of(F f) const {
        return f(loc);
    }
};

namespace detail {

template <class T>
SINTER_COMPARES auto log_of_share(const T& share, const T& other) {
    if constexpr (expression<T>) return T(where(share < 0.5, log(share), log1p(-other)));
    else return share < T(0.5) ? T(codegen::ieee::log(share)) : T(codegen::ieee::log1p(-other));
}

/// A function of so many arguments and, behind them, of one or two that may be left out: loc, 0, and a scale, 1. Of
/// bool, they widen no type.
template <std::size_t Count, std::size_t Placed, class F, class... X>
auto placed(const F& f, const X&... x) {
    constexpr std::size_t missing = Count + Placed - sizeof...(X);
    if constexpr (missing == 0) return special::detail::call(f, x...);
    else if constexpr (missing == 1) return special::detail::call(f, x..., Placed == 2);
    else return special::detail::call(f, x..., false, true);
}

}  // namespace detail

// Every function broadcasts its arguments, which may be plain numbers, computes in float64 and gives their floating
// type, float64 for integers; for parameters that are none of the distribution it gives NaN. `cdf` is the probability
// of at most x, `sf` of more, also where that is small; `ppf` is the least number up to which a share p lies, `isf`
// that beyond which it does; `logcdf` and `logsf` are logarithms; `pdf` and `logpdf`, of whole numbers `pmf` and
// `logpmf`, are the density or probability and its logarithm.
#define SINTER_OF_DISTRIBUTION(name, function, count)                                                  \
    template <sinter::detail::operand... X>                                                            \
        requires(sizeof...(X) >= count && sizeof...(X) <= count + SINTER_PLACED)                       \
    auto function(const X&... x) {                                                                     \
        return detail::placed<count, SINTER_PLACED>(special::bodies::name##_located_##function, x...); \
    }                                                                                                  \
    SINTER_BY_NAME_##count(function)
// The same with loc and scale by name.
#define SINTER_BY_NAME_1(function)                                  \
    template <sinter::detail::operand X>                            \
    auto function(const X& x, const SINTER_LOCATION& at) {          \
        return at.of([&](auto... p) { return function(x, p...); }); \
    }
#define SINTER_BY_NAME_2(function)                                     \
    template <sinter::detail::operand X, sinter::detail::operand A>    \
    auto function(const X& x, const A& a, const SINTER_LOCATION& at) { \
        return at.of([&](auto... p) { return function(x, a, p...); }); \
    }
#define SINTER_BY_NAME_3(function)                                                             \
    template <sinter::detail::operand X, sinter::detail::operand A, sinter::detail::operand B> \
    auto function(const X& x, const A& a, const B& b, const SINTER_LOCATION& at) {             \
        return at.of([&](auto... p) { return function(x, a, b, p...); });                      \
    }
// The logarithm of one share by it where it is small, and else by the other one.
#define SINTER_LOG_OF_SHARE(function, share, other)            \
    template <class... X>                                      \
        requires requires(const X&... x) { share(x...); }      \
    auto function(const X&... x) {                             \
        return detail::log_of_share(share(x...), other(x...)); \
    }

#define SINTER_PLACED 2
#define SINTER_LOCATION location_and_scale

/// Normal numbers: cdf(x, loc = 0, scale = 1) (scipy.stats.norm).
namespace norm {
/// The probability of at most x: cdf(x, loc = 0, scale = 1) (scipy.stats.norm.cdf).
SINTER_OF_DISTRIBUTION(norm, cdf, 1)
/// The probability of more than x, exact where it is small: sf(x, loc = 0, scale = 1) (scipy.stats.norm.sf).
SINTER_OF_DISTRIBUTION(norm, sf, 1)
/// The least number up to which a share p lies: ppf(p, loc = 0, scale = 1) (scipy.stats.norm.ppf).
SINTER_OF_DISTRIBUTION(norm, ppf, 1)
/// The least number beyond which a share p lies: isf(p, loc = 0, scale = 1) (scipy.stats.norm.isf).
SINTER_OF_DISTRIBUTION(norm, isf, 1)
/// The logarithm of cdf, also where that vanishes: logcdf(x, loc = 0, scale = 1) (scipy.stats.norm.logcdf).
SINTER_OF_DISTRIBUTION(norm, logcdf, 1)
/// The logarithm of sf, also where that vanishes: logsf(x, loc = 0, scale = 1) (scipy.stats.norm.logsf).
SINTER_OF_DISTRIBUTION(norm, logsf, 1)
/// The density: pdf(x, loc = 0, scale = 1) (scipy.stats.norm.pdf).
SINTER_OF_DISTRIBUTION(norm, pdf, 1)
/// The density's logarithm: logpdf(x, loc = 0, scale = 1) (scipy.stats.norm.logpdf).
SINTER_OF_DISTRIBUTION(norm, logpdf, 1)
}  // namespace norm
/// Student's: cdf(x, df, loc = 0, scale = 1) (scipy.stats.t).
namespace t {
/// The probability of at most x: cdf(x, df, loc = 0, scale = 1) (scipy.stats.t.cdf).
SINTER_OF_DISTRIBUTION(t, cdf, 2)
/// The probability of more than x, exact where it is small: sf(x, df, loc = 0, scale = 1) (scipy.stats.t.sf).
SINTER_OF_DISTRIBUTION(t, sf, 2)
/// The least number up to which a share p lies: ppf(p, df, loc = 0, scale = 1) (scipy.stats.t.ppf).
SINTER_OF_DISTRIBUTION(t, ppf, 2)
/// The least number beyond which a share p lies: isf(p, df, loc = 0, scale = 1) (scipy.stats.t.isf).
SINTER_OF_DISTRIBUTION(t, isf, 2)
/// The logarithm of cdf: logcdf(x, df, loc = 0, scale = 1) (scipy.stats.t.logcdf).
SINTER_LOG_OF_SHARE(logcdf, cdf, sf)
/// The logarithm of sf: logsf(x, df, loc = 0, scale = 1) (scipy.stats.t.logsf).
SINTER_LOG_OF_SHARE(logsf, sf, cdf)
/// The density: pdf(x, df, loc = 0, scale = 1) (scipy.stats.t.pdf).
SINTER_OF_DISTRIBUTION(t, pdf, 2)
/// The density's logarithm: logpdf(x, df, loc = 0, scale = 1) (scipy.stats.t.logpdf).
SINTER_OF_DISTRIBUTION(t, logpdf, 2)
}  // namespace t
/// Sums of df squares of normal numbers: cdf(x, df, loc = 0, scale = 1) (scipy.stats.chi2).
namespace chi2 {
/// The probability of at most x: cdf(x, df, loc = 0, scale = 1) (scipy.stats.chi2.cdf).
SINTER_OF_DISTRIBUTION(chi2, cdf, 2)
/// The probability of more than x, exact where it is small: sf(x, df, loc = 0, scale = 1) (scipy.stats.chi2.sf).
SINTER_OF_DISTRIBUTION(chi2, sf, 2)
/// The least number up to which a share p lies: ppf(p, df, loc = 0, scale = 1) (scipy.stats.chi2.ppf).
SINTER_OF_DISTRIBUTION(chi2, ppf, 2)
/// The least number beyond which a share p lies: isf(p, df, loc = 0, scale = 1) (scipy.stats.chi2.isf).
SINTER_OF_DISTRIBUTION(chi2, isf, 2)
/// The logarithm of cdf: logcdf(x, df, loc = 0, scale = 1) (scipy.stats.chi2.logcdf).
SINTER_LOG_OF_SHARE(logcdf, cdf, sf)
/// The logarithm of sf: logsf(x, df, loc = 0, scale = 1) (scipy.stats.chi2.logsf).
SINTER_LOG_OF_SHARE(logsf, sf, cdf)
/// The density: pdf(x, df, loc = 0, scale = 1) (scipy.stats.chi2.pdf).
SINTER_OF_DISTRIBUTION(chi2, pdf, 2)
/// The density's logarithm: logpdf(x, df, loc = 0, scale = 1) (scipy.stats.chi2.logpdf).
SINTER_OF_DISTRIBUTION(chi2, logpdf, 2)
}  // namespace chi2
/// cdf(x, a, loc = 0, scale = 1) (scipy.stats.gamma).
namespace gamma {
/// The probability of at most x: cdf(x, a, loc = 0, scale = 1) (scipy.stats.gamma.cdf).
SINTER_OF_DISTRIBUTION(gamma, cdf, 2)
/// The probability of more than x, exact where it is small: sf(x, a, loc = 0, scale = 1) (scipy.stats.gamma.sf).
SINTER_OF_DISTRIBUTION(gamma, sf, 2)
/// The least number up to which a share p lies: ppf(p, a, loc = 0, scale = 1) (scipy.stats.gamma.ppf).
SINTER_OF_DISTRIBUTION(gamma, ppf, 2)
/// The least number beyond which a share p lies: isf(p, a, loc = 0, scale = 1) (scipy.stats.gamma.isf).
SINTER_OF_DISTRIBUTION(gamma, isf, 2)
/// The logarithm of cdf: logcdf(x, a, loc = 0, scale = 1) (scipy.stats.gamma.logcdf).
SINTER_LOG_OF_SHARE(logcdf, cdf, sf)
/// The logarithm of sf: logsf(x, a, loc = 0, scale = 1) (scipy.stats.gamma.logsf).
SINTER_LOG_OF_SHARE(logsf, sf, cdf)
/// The density: pdf(x, a, loc = 0, scale = 1) (scipy.stats.gamma.pdf).
SINTER_OF_DISTRIBUTION(gamma, pdf, 2)
/// The density's logarithm: logpdf(x, a, loc = 0, scale = 1) (scipy.stats.gamma.logpdf).
SINTER_OF_DISTRIBUTION(gamma, logpdf, 2)
}  // namespace gamma
/// cdf(x, a, b, loc = 0, scale = 1) (scipy.stats.beta).
namespace beta {
/// The probability of at most x: cdf(x, a, b, loc = 0, scale = 1) (scipy.stats.beta.cdf).
SINTER_OF_DISTRIBUTION(beta, cdf, 3)
/// The probability of more than x, exact where it is small: sf(x, a, b, loc = 0, scale = 1) (scipy.stats.beta.sf).
SINTER_OF_DISTRIBUTION(beta, sf, 3)
/// The least number up to which a share p lies: ppf(p, a, b, loc = 0, scale = 1) (scipy.stats.beta.ppf).
SINTER_OF_DISTRIBUTION(beta, ppf, 3)
/// The least number beyond which a share p lies: isf(p, a, b, loc = 0, scale = 1) (scipy.stats.beta.isf).
SINTER_OF_DISTRIBUTION(beta, isf, 3)
/// The logarithm of cdf: logcdf(x, a, b, loc = 0, scale = 1) (scipy.stats.beta.logcdf).
SINTER_LOG_OF_SHARE(logcdf, cdf, sf)
/// The logarithm of sf: logsf(x, a, b, loc = 0, scale = 1) (scipy.stats.beta.logsf).
SINTER_LOG_OF_SHARE(logsf, sf, cdf)
/// The density: pdf(x, a, b, loc = 0, scale = 1) (scipy.stats.beta.pdf).
SINTER_OF_DISTRIBUTION(beta, pdf, 3)
/// The density's logarithm: logpdf(x, a, b, loc = 0, scale = 1) (scipy.stats.beta.logpdf).
SINTER_OF_DISTRIBUTION(beta, logpdf, 3)
}  // namespace beta
/// Numbers from loc to loc + scale: cdf(x, loc = 0, scale = 1) (scipy.stats.uniform).
namespace uniform {
/// The probability of at most x: cdf(x, loc = 0, scale = 1) (scipy.stats.uniform.cdf).
SINTER_OF_DISTRIBUTION(uniform, cdf, 1)
/// The probability of more than x, exact where it is small: sf(x, loc = 0, scale = 1) (scipy.stats.uniform.sf).
SINTER_OF_DISTRIBUTION(uniform, sf, 1)
/// The least number up to which a share p lies: ppf(p, loc = 0, scale = 1) (scipy.stats.uniform.ppf).
SINTER_OF_DISTRIBUTION(uniform, ppf, 1)
/// The least number beyond which a share p lies: isf(p, loc = 0, scale = 1) (scipy.stats.uniform.isf).
SINTER_OF_DISTRIBUTION(uniform, isf, 1)
/// The logarithm of cdf: logcdf(x, loc = 0, scale = 1) (scipy.stats.uniform.logcdf).
SINTER_LOG_OF_SHARE(logcdf, cdf, sf)
/// The logarithm of sf: logsf(x, loc = 0, scale = 1) (scipy.stats.uniform.logsf).
SINTER_LOG_OF_SHARE(logsf, sf, cdf)
/// The density: pdf(x, loc = 0, scale = 1) (scipy.stats.uniform.pdf).
SINTER_OF_DISTRIBUTION(uniform, pdf, 1)
/// The density's logarithm: logpdf(x, loc = 0, scale = 1) (scipy.stats.uniform.logpdf).
SINTER_OF_DISTRIBUTION(uniform, logpdf, 1)
}  // namespace uniform
/// Exponential numbers: cdf(x, loc = 0, scale = 1) (scipy.stats.expon).
namespace expon {
/// The probability of at most x: cdf(x, loc = 0, scale = 1) (scipy.stats.expon.cdf).
SINTER_OF_DISTRIBUTION(expon, cdf, 1)
/// The probability of more than x, exact where it is small: sf(x, loc = 0, scale = 1) (scipy.stats.expon.sf).
SINTER_OF_DISTRIBUTION(expon, sf, 1)
/// The least number up to which a share p lies: ppf(p, loc = 0, scale = 1) (scipy.stats.expon.ppf).
SINTER_OF_DISTRIBUTION(expon, ppf, 1)
/// The least number beyond which a share p lies: isf(p, loc = 0, scale = 1) (scipy.stats.expon.isf).
SINTER_OF_DISTRIBUTION(expon, isf, 1)
/// The logarithm of cdf: logcdf(x, loc = 0, scale = 1) (scipy.stats.expon.logcdf).
SINTER_LOG_OF_SHARE(logcdf, cdf, sf)
/// The logarithm of sf: logsf(x, loc = 0, scale = 1) (scipy.stats.expon.logsf).
SINTER_LOG_OF_SHARE(logsf, sf, cdf)
/// The density: pdf(x, loc = 0, scale = 1) (scipy.stats.expon.pdf).
SINTER_OF_DISTRIBUTION(expon, pdf, 1)
/// The density's logarithm: logpdf(x, loc = 0, scale = 1) (scipy.stats.expon.logpdf).
SINTER_OF_DISTRIBUTION(expon, logpdf, 1)
}  // namespace expon
/// Exponentials of normal numbers of deviation s: cdf(x, s, loc = 0, scale = 1) (scipy.stats.lognorm).
namespace lognorm {
/// The probability of at most x: cdf(x, s, loc = 0, scale = 1) (scipy.stats.lognorm.cdf).
SINTER_OF_DISTRIBUTION(lognorm, cdf, 2)
/// The probability of more than x, exact where it is small: sf(x, s, loc = 0, scale = 1) (scipy.stats.lognorm.sf).
SINTER_OF_DISTRIBUTION(lognorm, sf, 2)
/// The least number up to which a share p lies: ppf(p, s, loc = 0, scale = 1) (scipy.stats.lognorm.ppf).
SINTER_OF_DISTRIBUTION(lognorm, ppf, 2)
/// The least number beyond which a share p lies: isf(p, s, loc = 0, scale = 1) (scipy.stats.lognorm.isf).
SINTER_OF_DISTRIBUTION(lognorm, isf, 2)
/// The logarithm of cdf: logcdf(x, s, loc = 0, scale = 1) (scipy.stats.lognorm.logcdf).
SINTER_LOG_OF_SHARE(logcdf, cdf, sf)
/// The logarithm of sf: logsf(x, s, loc = 0, scale = 1) (scipy.stats.lognorm.logsf).
SINTER_LOG_OF_SHARE(logsf, sf, cdf)
/// The density: pdf(x, s, loc = 0, scale = 1) (scipy.stats.lognorm.pdf).
SINTER_OF_DISTRIBUTION(lognorm, pdf, 2)
/// The density's logarithm: logpdf(x, s, loc = 0, scale = 1) (scipy.stats.lognorm.logpdf).
SINTER_OF_DISTRIBUTION(lognorm, logpdf, 2)
}  // namespace lognorm
/// Quotients of means of dfn and dfd squares of normal numbers: cdf(x, dfn, dfd, loc = 0, scale = 1) (scipy.stats.f).
namespace f {
/// The probability of at most x: cdf(x, dfn, dfd, loc = 0, scale = 1) (scipy.stats.f.cdf).
SINTER_OF_DISTRIBUTION(f, cdf, 3)
/// The probability of more than x, exact where it is small: sf(x, dfn, dfd, loc = 0, scale = 1) (scipy.stats.f.sf).
SINTER_OF_DISTRIBUTION(f, sf, 3)
/// The least number up to which a share p lies: ppf(p, dfn, dfd, loc = 0, scale = 1) (scipy.stats.f.ppf).
SINTER_OF_DISTRIBUTION(f, ppf, 3)
/// The least number beyond which a share p lies: isf(p, dfn, dfd, loc = 0, scale = 1) (scipy.stats.f.isf).
SINTER_OF_DISTRIBUTION(f, isf, 3)
/// The logarithm of cdf: logcdf(x, dfn, dfd, loc = 0, scale = 1) (scipy.stats.f.logcdf).
SINTER_LOG_OF_SHARE(logcdf, cdf, sf)
/// The logarithm of sf: logsf(x, dfn, dfd, loc = 0, scale = 1) (scipy.stats.f.logsf).
SINTER_LOG_OF_SHARE(logsf, sf, cdf)
/// The density: pdf(x, dfn, dfd, loc = 0, scale = 1) (scipy.stats.f.pdf).
SINTER_OF_DISTRIBUTION(f, pdf, 3)
/// The density's logarithm: logpdf(x, dfn, dfd, loc = 0, scale = 1) (scipy.stats.f.logpdf).
SINTER_OF_DISTRIBUTION(f, logpdf, 3)
}  // namespace f
#undef SINTER_PLACED
#undef SINTER_LOCATION

#define SINTER_PLACED 1
#define SINTER_LOCATION location

/// Events where mu are expected: cdf(k, mu, loc = 0) (scipy.stats.poisson).
namespace poisson {
/// The probability of at most k: cdf(k, mu, loc = 0) (scipy.stats.poisson.cdf).
SINTER_OF_DISTRIBUTION(poisson, cdf, 2)
/// The probability of more than k, exact where it is small: sf(k, mu, loc = 0) (scipy.stats.poisson.sf).
SINTER_OF_DISTRIBUTION(poisson, sf, 2)
/// The least number up to which a share p lies: ppf(p, mu, loc = 0) (scipy.stats.poisson.ppf).
SINTER_OF_DISTRIBUTION(poisson, ppf, 2)
/// The least number beyond which at most a share p lies: isf(p, mu, loc = 0) (scipy.stats.poisson.isf).
template <class P, class... X>
    requires requires(const P& p, const X&... x) { ppf(1.0 - p, x...); }
auto isf(const P& p, const X&... x) {
    return ppf(1.0 - p, x...);
}
/// The logarithm of cdf: logcdf(k, mu, loc = 0) (scipy.stats.poisson.logcdf).
SINTER_LOG_OF_SHARE(logcdf, cdf, sf)
/// The logarithm of sf: logsf(k, mu, loc = 0) (scipy.stats.poisson.logsf).
SINTER_LOG_OF_SHARE(logsf, sf, cdf)
/// The probability: pmf(k, mu, loc = 0) (scipy.stats.poisson.pmf).
SINTER_OF_DISTRIBUTION(poisson, pmf, 2)
/// The probability's logarithm: logpmf(k, mu, loc = 0) (scipy.stats.poisson.logpmf).
SINTER_OF_DISTRIBUTION(poisson, logpmf, 2)
}  // namespace poisson
/// Successes in n trials of probability p: cdf(k, n, p, loc = 0) (scipy.stats.binom).
namespace binom {
/// The probability of at most k: cdf(k, n, p, loc = 0) (scipy.stats.binom.cdf).
SINTER_OF_DISTRIBUTION(binom, cdf, 3)
/// The probability of more than k, exact where it is small: sf(k, n, p, loc = 0) (scipy.stats.binom.sf).
SINTER_OF_DISTRIBUTION(binom, sf, 3)
/// The least number up to which a share p lies: ppf(p, n, prob, loc = 0) (scipy.stats.binom.ppf).
SINTER_OF_DISTRIBUTION(binom, ppf, 3)
/// The least number beyond which at most a share p lies: isf(p, n, prob, loc = 0) (scipy.stats.binom.isf).
template <class P, class... X>
    requires requires(const P& p, const X&... x) { ppf(1.0 - p, x...); }
auto isf(const P& p, const X&... x) {
    return ppf(1.0 - p, x...);
}
/// The logarithm of cdf: logcdf(k, n, prob, loc = 0) (scipy.stats.binom.logcdf).
SINTER_LOG_OF_SHARE(logcdf, cdf, sf)
/// The logarithm of sf: logsf(k, n, prob, loc = 0) (scipy.stats.binom.logsf).
SINTER_LOG_OF_SHARE(logsf, sf, cdf)
/// The probability: pmf(k, n, p, loc = 0) (scipy.stats.binom.pmf).
SINTER_OF_DISTRIBUTION(binom, pmf, 3)
/// The probability's logarithm: logpmf(k, n, p, loc = 0) (scipy.stats.binom.logpmf).
SINTER_OF_DISTRIBUTION(binom, logpmf, 3)
}  // namespace binom
#undef SINTER_PLACED
#undef SINTER_LOCATION
#undef SINTER_OF_DISTRIBUTION
#undef SINTER_BY_NAME_1
#undef SINTER_BY_NAME_2
#undef SINTER_BY_NAME_3
#undef SINTER_LOG_OF_SHARE

}  // namespace sinter::inline SINTER_ABI::stats

SINTER_IEEE_END
