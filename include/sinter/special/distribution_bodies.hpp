// Bodies of the distributions' functions of standard numbers: shares, quantiles, and densities' logarithms.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/special/beta_functions.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::special::bodies {

// Each body takes what stands for standard parameters first; `upper` asks for the probability of more.

SINTER_FUNCTION(norm_part, (double z, bool upper)->double { return ndtr(upper ? -z : z); })
SINTER_FUNCTION(norm_quantile, (double p)->double { return ndtri(p); })
SINTER_FUNCTION(norm_log_density, (double z)->double { return -0.5 * z * z - 0.91893853320467274178; })

// Of more than 1e20 degrees of freedom all that differs from a normal number's is below the least of floating numbers.
SINTER_FUNCTION(
    t_part, (double z, double df, bool upper)->double {
        if (!(df > 0)) return constants::nan;
        if (df > 1e20) return norm_part(z, upper);
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
        if (df > 1e20) return ndtri(p);
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
// The logarithm of x^a y^b / B(a, b), y = 1 - x, and where its terms would cancel.
SINTER_FUNCTION(
    has_large_parts,
    (double a, double b)->bool { return (a >= 60 || b >= 60) && a > 2 && b > 2 && !isinf(a) && !isinf(b); })
SINTER_FUNCTION(
    log_of_large_term, (double a, double b, double x, double y)->double {
        double n = a + b;
        double rest = stirling_error(n) - stirling_error(a) - stirling_error(b);
        rest = rest - deviance_of(a, n * x) - deviance_of(b, n * y);
        return rest - 0.91893853320467274178 + 0.5 * log(a * (b / n));
    })
SINTER_FUNCTION(
    beta_log_density, (double z, double a, double b)->double {
        if (!(a > 0 && b > 0)) return constants::nan;
        if (z < 0 || z > 1) return -constants::inf;
        if (has_large_parts(a, b) && z > 0 && z < 1) return log_of_large_term(a, b, z, 1 - z) - log(z) - log1p(-z);
        return xlogy(a - 1, z) + (b == 1 ? 0.0 : (b - 1) * log1p(-z)) - betaln(a, b);
    })

SINTER_FUNCTION(
    expon_part, (double z, bool upper)->double {
        double least = z < 0 ? 0.0 : z;
        return upper ? exp(-least) : -expm1(-least);
    })
SINTER_FUNCTION(expon_quantile, (double p)->double { return p >= 0 && p <= 1 ? -log1p(-p) : constants::nan; })
SINTER_FUNCTION(expon_log_density, (double z)->double { return z < 0 ? -constants::inf : -z; })

SINTER_FUNCTION(
    uniform_part, (double z, bool upper)->double {
        double share = z < 0 ? 0.0 : z > 1 ? 1.0 : z;
        return upper ? 1 - share : share;
    })
SINTER_FUNCTION(uniform_quantile, (double p)->double { return p >= 0 && p <= 1 ? p : constants::nan; })
SINTER_FUNCTION(
    uniform_log_density, (double z)->double { return isnan(z)         ? z
                                                     : z < 0 || z > 1 ? -constants::inf
                                                                      : 0.0; })

SINTER_FUNCTION(
    lognorm_part, (double z, double s, bool upper)->double {
        if (!(s > 0)) return constants::nan;
        if (z <= 0) return upper ? 1.0 : 0.0;
        return norm_part(log(z) / s, upper);
    })
SINTER_FUNCTION(lognorm_quantile, (double p, double s)->double { return s > 0 ? exp(s * ndtri(p)) : constants::nan; })
SINTER_FUNCTION(
    lognorm_log_density, (double z, double s)->double {
        if (!(s > 0)) return constants::nan;
        if (z <= 0) return -constants::inf;
        return norm_log_density(log(z) / s) - log(s) - log(z);
    })

// The odds of a beta number are those of dfn z to dfd.
SINTER_FUNCTION(
    f_part, (double z, double dfn, double dfd, bool upper)->double {
        if (!(dfn > 0 && dfd > 0)) return constants::nan;
        if (z <= 0) return upper ? 1.0 : 0.0;
        if (isinf(z)) return upper ? 0.0 : 1.0;
        double odds = dfn / dfd * z;
        return beta_part(0.5 * dfn, 0.5 * dfd, isinf(odds) ? 1.0 : odds / (1 + odds), 1 / (1 + odds), upper);
    })
SINTER_FUNCTION(
    f_quantile, (double p, double dfn, double dfd)->double {
        return exp(beta_inverse(0.5 * dfn, 0.5 * dfd, p, false, true)) * (dfd / dfn);
    })
SINTER_FUNCTION(
    f_log_density, (double z, double dfn, double dfd)->double {
        if (!(dfn > 0 && dfd > 0)) return constants::nan;
        if (z < 0 || isinf(z)) return -constants::inf;
        double a = 0.5 * dfn;
        double b = 0.5 * dfd;
        if (z == 0) return a < 1 ? constants::inf : a > 1 ? -constants::inf : 0.0;
        double odds = dfn / dfd * z;
        if (has_large_parts(a, b)) return log_of_large_term(a, b, odds / (1 + odds), 1 / (1 + odds)) - log(z);
        double above = odds > 1 ? 1 / odds : odds;
        double rest = xlogy(odds > 1 ? b + 1 : a - 1, above) - (a + b) * log1p(above);
        return rest + log(dfn / dfd) - betaln(a, b);
    })

// The quantiles of a probability of more.
SINTER_FUNCTION(norm_upper_quantile, (double p)->double { return -ndtri(p); })
SINTER_FUNCTION(t_upper_quantile, (double p, double df)->double { return -t_quantile(p, df); })
SINTER_FUNCTION(
    gamma_upper_quantile, (double p, double a)->double { return a > 0 ? gamma_inverse(a, p, true) : constants::nan; })
SINTER_FUNCTION(chi2_upper_quantile, (double p, double df)->double { return 2 * gamma_upper_quantile(p, 0.5 * df); })
SINTER_FUNCTION(
    beta_upper_quantile, (double p, double a, double b)->double { return beta_inverse(a, b, p, true, false); })
SINTER_FUNCTION(expon_upper_quantile, (double p)->double { return p >= 0 && p <= 1 ? -log(p) : constants::nan; })
SINTER_FUNCTION(uniform_upper_quantile, (double p)->double { return p >= 0 && p <= 1 ? 1 - p : constants::nan; })
SINTER_FUNCTION(
    lognorm_upper_quantile, (double p, double s)->double { return s > 0 ? exp(-s * ndtri(p)) : constants::nan; })
SINTER_FUNCTION(
    f_upper_quantile, (double p, double dfn, double dfd)->double {
        return exp(beta_inverse(0.5 * dfn, 0.5 * dfd, p, true, true)) * (dfd / dfn);
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

}  // namespace sinter::inline SINTER_ABI::special::bodies

SINTER_IEEE_END
