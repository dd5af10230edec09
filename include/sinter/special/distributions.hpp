// Distributions as functions of arrays, under scipy.stats' names: stats::norm::cdf and its like.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/special/densities.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::special::bodies {

// What loc and scale do to a function of standard numbers.
#define SINTER_LOCATED(name, part, quantile, log_density, density, parameters, arguments)                            \
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
        name##_located_logpdf, (double x SINTER_UNWRAP parameters, double loc, double scale)->double {               \
            return scale > 0 ? log_density((x - loc) / scale SINTER_UNWRAP arguments) - log(scale) : constants::nan; \
        })                                                                                                           \
    SINTER_FUNCTION(                                                                                                 \
        name##_located_pdf, (double x SINTER_UNWRAP parameters, double loc, double scale)->double {                  \
            return scale > 0 ? density((x - loc) / scale SINTER_UNWRAP arguments) / scale : constants::nan;          \
        })
#define SINTER_UNWRAP(...) __VA_ARGS__
SINTER_LOCATED(uniform, uniform_part, uniform_quantile, uniform_log_density, uniform_density, (), ())
SINTER_LOCATED(expon, expon_part, expon_quantile, expon_log_density, expon_density, (), ())
SINTER_LOCATED(lognorm, lognorm_part, lognorm_quantile, lognorm_log_density, lognorm_density, (, double s), (, s))
SINTER_LOCATED(f, f_part, f_quantile, f_log_density, f_density, (, double dfn, double dfd), (, dfn, dfd))
SINTER_LOCATED(norm, norm_part, norm_quantile, norm_log_density, norm_density, (), ())
SINTER_LOCATED(t, t_part, t_quantile, t_log_density, t_density, (, double df), (, df))
SINTER_LOCATED(gamma, gamma_cdf, gamma_quantile, gamma_log_density, gamma_density, (, double a), (, a))
SINTER_LOCATED(chi2, chi2_part, chi2_quantile, chi2_log_density, chi2_density, (, double df), (, df))
SINTER_LOCATED(beta, beta_cdf, beta_quantile, beta_log_density, beta_density, (, double a, double b), (, a, b))
#undef SINTER_LOCATED

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

// Every function broadcasts its arguments, which may be plain numbers, computes in float64 and gives their floating
// type, float64 for integers; for parameters that are none of the distribution it gives NaN. `cdf` is the probability
// of at most x, `sf` of more, also where that is small; `ppf` is the least number up to which a share p lies; `pdf` and
// `logpdf`, of whole numbers `pmf` and `logpmf`, are the density or probability and its logarithm.
#define SINTER_OF_DISTRIBUTION(name, function, count, ...)                              \
    template <sinter::detail::operand... X>                                             \
        requires(sizeof...(X) >= count && sizeof...(X) <= count + SINTER_PLACED)        \
    auto function(const X&... x) {                                                      \
        using namespace special::bodies;                                                \
        if constexpr (sizeof...(X) == count)                                            \
            return special::detail::call(name##_located_##function, x..., __VA_ARGS__); \
        else if constexpr (SINTER_PLACED == 2 && sizeof...(X) == count + 1)             \
            return special::detail::call(name##_located_##function, x..., true);        \
        else return special::detail::call(name##_located_##function, x...);             \
    }

#define SINTER_PLACED 2

/// Normal numbers: cdf(x, loc = 0, scale = 1) (scipy.stats.norm).
namespace norm {
/// The probability of at most x: cdf(x, loc = 0, scale = 1) (scipy.stats.norm.cdf).
SINTER_OF_DISTRIBUTION(norm, cdf, 1, false, true)
/// The probability of more than x, exact where it is small: sf(x, loc = 0, scale = 1) (scipy.stats.norm.sf).
SINTER_OF_DISTRIBUTION(norm, sf, 1, false, true)
/// The least number up to which a share p lies: ppf(p, loc = 0, scale = 1) (scipy.stats.norm.ppf).
SINTER_OF_DISTRIBUTION(norm, ppf, 1, false, true)
/// The density: pdf(x, loc = 0, scale = 1) (scipy.stats.norm.pdf).
SINTER_OF_DISTRIBUTION(norm, pdf, 1, false, true)
/// The density's logarithm: logpdf(x, loc = 0, scale = 1) (scipy.stats.norm.logpdf).
SINTER_OF_DISTRIBUTION(norm, logpdf, 1, false, true)
}  // namespace norm
/// Student's: cdf(x, df, loc = 0, scale = 1) (scipy.stats.t).
namespace t {
/// The probability of at most x: cdf(x, df, loc = 0, scale = 1) (scipy.stats.t.cdf).
SINTER_OF_DISTRIBUTION(t, cdf, 2, false, true)
/// The probability of more than x, exact where it is small: sf(x, df, loc = 0, scale = 1) (scipy.stats.t.sf).
SINTER_OF_DISTRIBUTION(t, sf, 2, false, true)
/// The least number up to which a share p lies: ppf(p, df, loc = 0, scale = 1) (scipy.stats.t.ppf).
SINTER_OF_DISTRIBUTION(t, ppf, 2, false, true)
/// The density: pdf(x, df, loc = 0, scale = 1) (scipy.stats.t.pdf).
SINTER_OF_DISTRIBUTION(t, pdf, 2, false, true)
/// The density's logarithm: logpdf(x, df, loc = 0, scale = 1) (scipy.stats.t.logpdf).
SINTER_OF_DISTRIBUTION(t, logpdf, 2, false, true)
}  // namespace t
/// Sums of df squares of normal numbers: cdf(x, df, loc = 0, scale = 1) (scipy.stats.chi2).
namespace chi2 {
/// The probability of at most x: cdf(x, df, loc = 0, scale = 1) (scipy.stats.chi2.cdf).
SINTER_OF_DISTRIBUTION(chi2, cdf, 2, false, true)
/// The probability of more than x, exact where it is small: sf(x, df, loc = 0, scale = 1) (scipy.stats.chi2.sf).
SINTER_OF_DISTRIBUTION(chi2, sf, 2, false, true)
/// The least number up to which a share p lies: ppf(p, df, loc = 0, scale = 1) (scipy.stats.chi2.ppf).
SINTER_OF_DISTRIBUTION(chi2, ppf, 2, false, true)
/// The density: pdf(x, df, loc = 0, scale = 1) (scipy.stats.chi2.pdf).
SINTER_OF_DISTRIBUTION(chi2, pdf, 2, false, true)
/// The density's logarithm: logpdf(x, df, loc = 0, scale = 1) (scipy.stats.chi2.logpdf).
SINTER_OF_DISTRIBUTION(chi2, logpdf, 2, false, true)
}  // namespace chi2
/// cdf(x, a, loc = 0, scale = 1) (scipy.stats.gamma).
namespace gamma {
/// The probability of at most x: cdf(x, a, loc = 0, scale = 1) (scipy.stats.gamma.cdf).
SINTER_OF_DISTRIBUTION(gamma, cdf, 2, false, true)
/// The probability of more than x, exact where it is small: sf(x, a, loc = 0, scale = 1) (scipy.stats.gamma.sf).
SINTER_OF_DISTRIBUTION(gamma, sf, 2, false, true)
/// The least number up to which a share p lies: ppf(p, a, loc = 0, scale = 1) (scipy.stats.gamma.ppf).
SINTER_OF_DISTRIBUTION(gamma, ppf, 2, false, true)
/// The density: pdf(x, a, loc = 0, scale = 1) (scipy.stats.gamma.pdf).
SINTER_OF_DISTRIBUTION(gamma, pdf, 2, false, true)
/// The density's logarithm: logpdf(x, a, loc = 0, scale = 1) (scipy.stats.gamma.logpdf).
SINTER_OF_DISTRIBUTION(gamma, logpdf, 2, false, true)
}  // namespace gamma
/// cdf(x, a, b, loc = 0, scale = 1) (scipy.stats.beta).
namespace beta {
/// The probability of at most x: cdf(x, a, b, loc = 0, scale = 1) (scipy.stats.beta.cdf).
SINTER_OF_DISTRIBUTION(beta, cdf, 3, false, true)
/// The probability of more than x, exact where it is small: sf(x, a, b, loc = 0, scale = 1) (scipy.stats.beta.sf).
SINTER_OF_DISTRIBUTION(beta, sf, 3, false, true)
/// The least number up to which a share p lies: ppf(p, a, b, loc = 0, scale = 1) (scipy.stats.beta.ppf).
SINTER_OF_DISTRIBUTION(beta, ppf, 3, false, true)
/// The density: pdf(x, a, b, loc = 0, scale = 1) (scipy.stats.beta.pdf).
SINTER_OF_DISTRIBUTION(beta, pdf, 3, false, true)
/// The density's logarithm: logpdf(x, a, b, loc = 0, scale = 1) (scipy.stats.beta.logpdf).
SINTER_OF_DISTRIBUTION(beta, logpdf, 3, false, true)
}  // namespace beta
/// Numbers from loc to loc + scale: cdf(x, loc = 0, scale = 1) (scipy.stats.uniform).
namespace uniform {
/// The probability of at most x: cdf(x, loc = 0, scale = 1) (scipy.stats.uniform.cdf).
SINTER_OF_DISTRIBUTION(uniform, cdf, 1, false, true)
/// The probability of more than x, exact where it is small: sf(x, loc = 0, scale = 1) (scipy.stats.uniform.sf).
SINTER_OF_DISTRIBUTION(uniform, sf, 1, false, true)
/// The least number up to which a share p lies: ppf(p, loc = 0, scale = 1) (scipy.stats.uniform.ppf).
SINTER_OF_DISTRIBUTION(uniform, ppf, 1, false, true)
/// The density: pdf(x, loc = 0, scale = 1) (scipy.stats.uniform.pdf).
SINTER_OF_DISTRIBUTION(uniform, pdf, 1, false, true)
/// The density's logarithm: logpdf(x, loc = 0, scale = 1) (scipy.stats.uniform.logpdf).
SINTER_OF_DISTRIBUTION(uniform, logpdf, 1, false, true)
}  // namespace uniform
/// Exponential numbers: cdf(x, loc = 0, scale = 1) (scipy.stats.expon).
namespace expon {
/// The probability of at most x: cdf(x, loc = 0, scale = 1) (scipy.stats.expon.cdf).
SINTER_OF_DISTRIBUTION(expon, cdf, 1, false, true)
/// The probability of more than x, exact where it is small: sf(x, loc = 0, scale = 1) (scipy.stats.expon.sf).
SINTER_OF_DISTRIBUTION(expon, sf, 1, false, true)
/// The least number up to which a share p lies: ppf(p, loc = 0, scale = 1) (scipy.stats.expon.ppf).
SINTER_OF_DISTRIBUTION(expon, ppf, 1, false, true)
/// The density: pdf(x, loc = 0, scale = 1) (scipy.stats.expon.pdf).
SINTER_OF_DISTRIBUTION(expon, pdf, 1, false, true)
/// The density's logarithm: logpdf(x, loc = 0, scale = 1) (scipy.stats.expon.logpdf).
SINTER_OF_DISTRIBUTION(expon, logpdf, 1, false, true)
}  // namespace expon
/// Exponentials of normal numbers of deviation s: cdf(x, s, loc = 0, scale = 1) (scipy.stats.lognorm).
namespace lognorm {
/// The probability of at most x: cdf(x, s, loc = 0, scale = 1) (scipy.stats.lognorm.cdf).
SINTER_OF_DISTRIBUTION(lognorm, cdf, 2, false, true)
/// The probability of more than x, exact where it is small: sf(x, s, loc = 0, scale = 1) (scipy.stats.lognorm.sf).
SINTER_OF_DISTRIBUTION(lognorm, sf, 2, false, true)
/// The least number up to which a share p lies: ppf(p, s, loc = 0, scale = 1) (scipy.stats.lognorm.ppf).
SINTER_OF_DISTRIBUTION(lognorm, ppf, 2, false, true)
/// The density: pdf(x, s, loc = 0, scale = 1) (scipy.stats.lognorm.pdf).
SINTER_OF_DISTRIBUTION(lognorm, pdf, 2, false, true)
/// The density's logarithm: logpdf(x, s, loc = 0, scale = 1) (scipy.stats.lognorm.logpdf).
SINTER_OF_DISTRIBUTION(lognorm, logpdf, 2, false, true)
}  // namespace lognorm
/// Quotients of means of dfn and dfd squares of normal numbers: cdf(x, dfn, dfd, loc = 0, scale = 1) (scipy.stats.f).
namespace f {
/// The probability of at most x: cdf(x, dfn, dfd, loc = 0, scale = 1) (scipy.stats.f.cdf).
SINTER_OF_DISTRIBUTION(f, cdf, 3, false, true)
/// The probability of more than x, exact where it is small: sf(x, dfn, dfd, loc = 0, scale = 1) (scipy.stats.f.sf).
SINTER_OF_DISTRIBUTION(f, sf, 3, false, true)
/// The least number up to which a share p lies: ppf(p, dfn, dfd, loc = 0, scale = 1) (scipy.stats.f.ppf).
SINTER_OF_DISTRIBUTION(f, ppf, 3, false, true)
/// The density: pdf(x, dfn, dfd, loc = 0, scale = 1) (scipy.stats.f.pdf).
SINTER_OF_DISTRIBUTION(f, pdf, 3, false, true)
/// The density's logarithm: logpdf(x, dfn, dfd, loc = 0, scale = 1) (scipy.stats.f.logpdf).
SINTER_OF_DISTRIBUTION(f, logpdf, 3, false, true)
}  // namespace f
#undef SINTER_PLACED

#define SINTER_PLACED 1

/// Events where mu are expected: cdf(k, mu, loc = 0) (scipy.stats.poisson).
namespace poisson {
/// The probability of at most k: cdf(k, mu, loc = 0) (scipy.stats.poisson.cdf).
SINTER_OF_DISTRIBUTION(poisson, cdf, 2, false)
/// The probability of more than k, exact where it is small: sf(k, mu, loc = 0) (scipy.stats.poisson.sf).
SINTER_OF_DISTRIBUTION(poisson, sf, 2, false)
/// The least number up to which a share p lies: ppf(p, mu, loc = 0) (scipy.stats.poisson.ppf).
SINTER_OF_DISTRIBUTION(poisson, ppf, 2, false)
/// The probability: pmf(k, mu, loc = 0) (scipy.stats.poisson.pmf).
SINTER_OF_DISTRIBUTION(poisson, pmf, 2, false)
/// The probability's logarithm: logpmf(k, mu, loc = 0) (scipy.stats.poisson.logpmf).
SINTER_OF_DISTRIBUTION(poisson, logpmf, 2, false)
}  // namespace poisson
/// Successes in n trials of probability p: cdf(k, n, p, loc = 0) (scipy.stats.binom).
namespace binom {
/// The probability of at most k: cdf(k, n, p, loc = 0) (scipy.stats.binom.cdf).
SINTER_OF_DISTRIBUTION(binom, cdf, 3, false)
/// The probability of more than k, exact where it is small: sf(k, n, p, loc = 0) (scipy.stats.binom.sf).
SINTER_OF_DISTRIBUTION(binom, sf, 3, false)
/// The least number up to which a share p lies: ppf(p, n, prob, loc = 0) (scipy.stats.binom.ppf).
SINTER_OF_DISTRIBUTION(binom, ppf, 3, false)
/// The probability: pmf(k, n, p, loc = 0) (scipy.stats.binom.pmf).
SINTER_OF_DISTRIBUTION(binom, pmf, 3, false)
/// The probability's logarithm: logpmf(k, n, p, loc = 0) (scipy.stats.binom.logpmf).
SINTER_OF_DISTRIBUTION(binom, logpmf, 3, false)
}  // namespace binom
#undef SINTER_PLACED
#undef SINTER_OF_DISTRIBUTION

}  // namespace sinter::inline SINTER_ABI::stats

SINTER_IEEE_END
