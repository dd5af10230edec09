// Bodies of the distributions' densities and probabilities of standard numbers: exponentials of their logarithms, which
// lose as many digits as these have before the point, only where others are beyond double.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/special/distribution_bodies.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::special::bodies {

// The square in two parts, the first of which is exact.
SINTER_FUNCTION(
    norm_density, (double z)->double {
        if (fabs(z) > 40) return 0;
        double high = static_cast<double>(static_cast<float>(z));
        return exp(-0.5 * high * high) * exp(-0.5 * (z - high) * (z + high)) * 0.39894228040143267794;
    })

SINTER_FUNCTION(
    t_density, (double z, double df)->double {
        if (!(df > 0)) return constants::nan;
        if (isinf(df)) return norm_density(z);
        if (isinf(z)) return 0;
        double square = z * z;
        double a = 0.5 * df;
        if (square * (1 + df) < 1e-17 * df) {
            if (df < 100) return 1 / (sqrt(df) * beta(a, 0.5));
            double rest = stirling_error(a + 0.5) - stirling_error(a) - deviance_of(a, a + 0.5);
            return exp(rest) * 0.39894228040143267794;
        }
        double whole = df + square;
        double x = isinf(square) ? df / z / z : df / whole;
        return beta_term(a, 0.5, x, isinf(square) ? 1.0 : square / whole) / fabs(z);
    })

// What a density of z^(a - 1) is at zero.
SINTER_FUNCTION(
    density_at_zero, (double a, double of_one)->double { return a < 1   ? constants::inf
                                                                : a > 1 ? 0.0
                                                                        : of_one; })

SINTER_FUNCTION(
    gamma_density, (double z, double a)->double {
        if (!(a > 0)) return constants::nan;
        if (z < 0 || isinf(z)) return 0;
        if (z == 0) return density_at_zero(a, 1);
        double term = gamma_term(a, z);
        return term < 1e-280 ? exp(gamma_log_density(z, a)) : term / z * a;
    })
SINTER_FUNCTION(chi2_density, (double z, double df)->double { return 0.5 * gamma_density(0.5 * z, 0.5 * df); })

SINTER_FUNCTION(
    beta_density, (double z, double a, double b)->double {
        if (!(a > 0 && b > 0)) return constants::nan;
        if (z < 0 || z > 1) return 0;
        if (z == 0) return density_at_zero(a, b);
        if (z == 1) return density_at_zero(b, a);
        double term = beta_term(a, b, z, 1 - z);
        return term < 1e-280 ? exp(beta_log_density(z, a, b)) : term / z / (1 - z);
    })

SINTER_FUNCTION(expon_density, (double z)->double { return z < 0 ? 0.0 : exp(-z); })

SINTER_FUNCTION(uniform_density, (double z)->double { return isnan(z) ? z : z < 0 || z > 1 ? 0.0 : 1.0; })

SINTER_FUNCTION(
    lognorm_density, (double z, double s)->double {
        if (!(s > 0)) return constants::nan;
        if (z <= 0) return 0;
        double of_log = log(z) / s;
        return fabs(of_log) > 35 ? exp(lognorm_log_density(z, s)) : norm_density(of_log) / s / z;
    })

SINTER_FUNCTION(
    f_density, (double z, double dfn, double dfd)->double {
        if (!(dfn > 0 && dfd > 0)) return constants::nan;
        if (z < 0 || isinf(z)) return 0;
        if (z == 0) return density_at_zero(0.5 * dfn, 1);
        double odds = dfn / dfd * z;
        double term = beta_term(0.5 * dfn, 0.5 * dfd, odds / (1 + odds), 1 / (1 + odds));
        return term < 1e-280 ? exp(f_log_density(z, dfn, dfd)) : term / z;
    })

SINTER_FUNCTION(
    poisson_mass, (double k, double mu)->double {
        if (!(mu >= 0) || isnan(k)) return constants::nan;
        return k < 0 || k != floor(k) ? 0.0 : gamma_term(k, mu);
    })

SINTER_FUNCTION(
    binom_mass, (double k, double n, double p)->double {
        if (!(n >= 0 && n == floor(n) && p >= 0 && p <= 1) || isnan(k)) return constants::nan;
        if (k < 0 || k > n || k != floor(k)) return 0;
        double m = n - k;
        if (k == 0) return n == 0 ? 1.0 : n < 60 ? pow(1 - p, n) : exp(n * log1p(-p));
        if (m == 0) return pow(p, n);
        return beta_term(k, m, p, 1 - p) / k * (n / m);
    })

}  // namespace sinter::inline SINTER_ABI::special::bodies

SINTER_IEEE_END
