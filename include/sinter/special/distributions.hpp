// Distributions as functions of arrays, under scipy.stats' names: stats::norm::cdf and its like.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/special/beta_functions.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::special::bodies {

// Each body takes what stands for standard parameters first; `upper` asks for the probability of more.

SINTER_FUNCTION(norm_part, (double z, bool upper)->double { return ndtr(upper ? -z : z); })
SINTER_FUNCTION(norm_quantile, (double p)->double { return ndtri(p); })
SINTER_FUNCTION(norm_log_density, (double z)->double { return -0.5 * z * z - 0.91893853320467274178; })

SINTER_FUNCTION(
    t_part, (double z, double df, bool upper)->double {
        if (!(df > 0)) return constants::nan;
        if (isinf(df)) return norm_part(z, upper);
        double square = z * z;
        double whole = df + square;
        double x = isinf(square) ? 0.0 : df / whole;
        double y = isinf(square) ? 1.0 : square / whole;
        double tail = 0.5 * beta_part(0.5 * df, 0.5, x, y, false);
        return (z > 0) == upper ? tail : 1 - tail;
    })
SINTER_FUNCTION(
    t_quantile, (double p, double df)->double {
        if (!(df > 0 && p >= 0 && p <= 1)) return constants::nan;
        if (isinf(df)) return ndtri(p);
        if (p == 0.5) return 0;
        double tail = p < 0.5 ? p : 1 - p;
        // df / (df + z^2) and z^2 / (df + z^2) have the odds of a beta number.
        double odds = beta_inverse(0.5 * df, 0.5, 2 * tail, false, true);
        double z = sqrt(df) * exp(-0.5 * odds);
        return p < 0.5 ? -z : z;
    })
SINTER_FUNCTION(
    t_log_density, (double z, double df)->double {
        if (!(df > 0)) return constants::nan;
        if (isinf(df)) return norm_log_density(z);
        return -betaln(0.5 * df, 0.5) - 0.5 * log(df) - 0.5 * (df + 1) * log1p(z * z / df);
    })

SINTER_FUNCTION(
    gamma_cdf, (double z, double a, bool upper)->double {
        if (!(a > 0)) return constants::nan;
        return gamma_part(a, z < 0 ? 0.0 : z, upper);
    })
SINTER_FUNCTION(
    gamma_quantile, (double p, double a)->double { return a > 0 ? gamma_inverse(a, p, false) : constants::nan; })
SINTER_FUNCTION(
    gamma_log_density, (double z, double a)->double {
        if (!(a > 0)) return constants::nan;
        if (z < 0) return -constants::inf;
        if (a < 20 || z == 0) return xlogy(a - 1, z) - z - lgamma(a);
        return -stirling_error(a) - deviance_of(a, z) - 0.91893853320467274178 + 0.5 * log(a) - log(z);
    })

// Halves of them are gamma numbers of half the degrees of freedom.
SINTER_FUNCTION(chi2_part, (double z, double df, bool upper)->double { return gamma_cdf(0.5 * z, 0.5 * df, upper); })
SINTER_FUNCTION(chi2_quantile, (double p, double df)->double { return 2 * gamma_quantile(p, 0.5 * df); })
SINTER_FUNCTION(
    chi2_log_density,
    (double z, double df)->double { return gamma_log_density(0.5 * z, 0.5 * df) - 0.69314718055994530942; })

SINTER_FUNCTION(
    beta_cdf, (double z, double a, double b, bool upper)->double {
        double x = z < 0 ? 0.0 : z > 1 ? 1.0 : z;
        return beta_part(a, b, x, 1 - x, upper);
    })
SINTER_FUNCTION(beta_quantile, (double p, double a, double b)->double { return betaincinv(a, b, p); })
SINTER_FUNCTION(
    beta_log_density, (double z, double a, double b)->double {
        if (!(a > 0 && b > 0)) return constants::nan;
        if (z < 0 || z > 1) return -constants::inf;
        return xlogy(a - 1, z) + (b == 1 ? 0.0 : (b - 1) * log1p(-z)) - betaln(a, b);
    })

SINTER_FUNCTION(
    poisson_part, (double k, double mu, bool upper)->double {
        if (!(mu >= 0) || isnan(k)) return constants::nan;
        if (k < 0) return upper ? 1.0 : 0.0;
        return mu == 0 ? (upper ? 0.0 : 1.0) : gamma_part(floor(k) + 1, mu, !upper);
    })
SINTER_FUNCTION(
    poisson_log_mass, (double k, double mu)->double {
        if (!(mu >= 0) || isnan(k)) return constants::nan;
        if (k < 0 || k != floor(k)) return -constants::inf;
        if (k < 20) return xlogy(k, mu) - mu - lgamma(k + 1);
        return -stirling_error(k) - deviance_of(k, mu) - 0.91893853320467274178 - 0.5 * log(k);
    })

SINTER_FUNCTION(
    binom_part, (double k, double n, double p, bool upper)->double {
        if (!(n >= 0 && n == floor(n) && p >= 0 && p <= 1) || isnan(k)) return constants::nan;
        double whole = floor(k);
        if (whole < 0) return upper ? 1.0 : 0.0;
        if (whole >= n) return upper ? 0.0 : 1.0;
        return beta_part(whole + 1, n - whole, p, 1 - p, !upper);
    })
SINTER_FUNCTION(
    binom_log_mass, (double k, double n, double p)->double {
        if (!(n >= 0 && n == floor(n) && p >= 0 && p <= 1) || isnan(k)) return constants::nan;
        if (k < 0 || k > n || k != floor(k)) return -constants::inf;
        double m = n - k;
        if (k == 0) return n == 0 ? 0.0 : n * log1p(-p);
        if (m == 0) return n * log(p);
        if (p == 0 || p == 1) return -constants::inf;
        double rest = stirling_error(n) - stirling_error(k) - stirling_error(m);
        rest = rest - deviance_of(k, n * p) - deviance_of(m, n * (1 - p));
        return rest - 0.91893853320467274178 - 0.5 * (log(k) + log(m / n));
    })

// The least whole number up to which a share p of a distribution lies, from a guess by its mean, deviation and
// skewness: steps that double until it is between two numbers, then halves.
#define SINTER_WHOLE_QUANTILE(name, part, most, mean, deviation, skewness, ...)        \
    SINTER_FUNCTION(                                                                   \
        name, (double p, __VA_ARGS__)->double {                                        \
            if (!(p >= 0 && p <= 1) || isnan(part(0.0))) return constants::nan;        \
            if (p == 0) return -1;                                                     \
            if (p == 1) return most;                                                   \
            double z = ndtri(p);                                                       \
            double guess = floor(mean + deviation * (z + skewness * (z * z - 1) / 6)); \
            double high = guess < 0 ? 0.0 : guess > most ? most : guess;               \
            double low = high;                                                         \
            double step = 1;                                                           \
            if (part(high) >= p) {                                                     \
                while (low >= 0 && part(low) >= p) {                                   \
                    high = low;                                                        \
                    low = low - step;                                                  \
                    step = 2 * step;                                                   \
                }                                                                      \
                low = low < 0 ? -1.0 : low;                                            \
            } else {                                                                   \
                while (high < most && part(high) < p) {                                \
                    low = high;                                                        \
                    high = high + step;                                                \
                    step = 2 * step;                                                   \
                }                                                                      \
                high = high > most ? most : high;                                      \
            }                                                                          \
            while (high - low > 1) {                                                   \
                double middle = floor(low + (high - low) / 2);                         \
                if (!(middle > low && middle < high)) break;                           \
                if (part(middle) >= p) high = middle;                                  \
                else low = middle;                                                     \
            }                                                                          \
            return high;                                                               \
        })
#define SINTER_POISSON_PART(k) poisson_part(k, mu, false)
SINTER_WHOLE_QUANTILE(poisson_quantile, SINTER_POISSON_PART, constants::inf, mu, sqrt(mu),
                      (mu > 0 ? 1 / sqrt(mu) : 0.0), double mu)
#define SINTER_BINOM_PART(k) binom_part(k, n, prob, false)
SINTER_WHOLE_QUANTILE(binom_quantile, SINTER_BINOM_PART, n, n* prob, sqrt(n* prob * (1 - prob)),
                      (1 - 2 * prob) / (sqrt(n * prob * (1 - prob)) + 1e-300), double n, double prob)
#undef SINTER_WHOLE_QUANTILE
#undef SINTER_POISSON_PART
#undef SINTER_BINOM_PART

// What loc and scale do to a function of standard numbers.
#define SINTER_LOCATED(name, part, quantile, log_density, parameters, arguments)                                     \
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
        })
#define SINTER_UNWRAP(...) __VA_ARGS__
SINTER_LOCATED(norm, norm_part, norm_quantile, norm_log_density, (), ())
SINTER_LOCATED(t, t_part, t_quantile, t_log_density, (, double df), (, df))
SINTER_LOCATED(gamma, gamma_cdf, gamma_quantile, gamma_log_density, (, double a), (, a))
SINTER_LOCATED(chi2, chi2_part, chi2_quantile, chi2_log_density, (, double df), (, df))
SINTER_LOCATED(beta, beta_cdf, beta_quantile, beta_log_density, (, double a, double b), (, a, b))
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
        })
SINTER_WHOLE_LOCATED(poisson, (, double mu), (, mu))
SINTER_WHOLE_LOCATED(binom, (, double n, double prob), (, n, prob))
#undef SINTER_WHOLE_LOCATED
#undef SINTER_UNWRAP

}  // namespace sinter::inline SINTER_ABI::special::bodies

namespace sinter::inline SINTER_ABI::stats {

// Every function broadcasts its arguments, which may be plain numbers, computes in float64 and gives their floating
// type, float64 for integers; for parameters that are none of the distribution it gives NaN. `cdf` is the probability
// of at most x, `sf` of more, also where that is small; `ppf` is the least number up to which a share p lies; `logpdf`
// and of whole numbers `logpmf` are the density's or probability's logarithm.
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
/// The density's logarithm: logpdf(x, a, b, loc = 0, scale = 1) (scipy.stats.beta.logpdf).
SINTER_OF_DISTRIBUTION(beta, logpdf, 3, false, true)
}  // namespace beta
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
/// The probability's logarithm: logpmf(k, n, p, loc = 0) (scipy.stats.binom.logpmf).
SINTER_OF_DISTRIBUTION(binom, logpmf, 3, false)
}  // namespace binom
#undef SINTER_PLACED
#undef SINTER_OF_DISTRIBUTION

}  // namespace sinter::inline SINTER_ABI::stats

SINTER_IEEE_END
