// The incomplete gamma functions and their inverses, zeta and polygamma.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/special/coefficients.def>
#include <sinter/special/simple_functions.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::special {

namespace bodies {

// log Γ(1 + a) less Stirling's (a + 1/2) log a - a + log(2 π) / 2.
SINTER_FUNCTION(
    stirling_error, (double a)->double {
        double r = 0;
        for (; a < 10; a = a + 1) r = r + ((a + 0.5) * log1p(1 / a) - 1);
        double z = 1 / (a * a);
        double s = 1.0 / 156 - z * (3617.0 / 122400);
        s = 1.0 / 1188 - z * (691.0 / 360360 - z * s);
        s = 1.0 / 12 - z * (1.0 / 360 - z * (1.0 / 1260 - z * (1.0 / 1680 - z * s)));
        return r + s / a;
    })

// log Γ(1 + a) for |a| <= 1/2, exact also where it vanishes.
SINTER_FUNCTION(
    log_gamma_of_one_plus, (double a)->double {
        const double c[] = SINTER_LOG_GAMMA_REST;
        double r = c[25];
        for (int i = 24; i >= 0; --i) r = r * a + c[i];
        return a * (a * r + 0.42278433509846713939) - log1p(a);
    })

// x^a e^-x / Γ(1 + a).
SINTER_FUNCTION(
    gamma_term, (double a, double x)->double {
        if (a < 20) {
            if (x < 200) return pow(x, a) * exp(-x) / gamma(a + 1);
            return exp(a * log(x) - x - lgamma(a + 1));
        }
        return exp(-stirling_error(a) - deviance_of(a, x)) * 0.39894228040143267794 / sqrt(a);
    })

// The lower part of the integral by its series.
SINTER_FUNCTION(
    gamma_series, (double a, double x)->double {
        double term = 1;
        double sum = 1;
        for (int n = 1; n < 3000; ++n) {
            term = term * (x / (a + n));
            sum = sum + term;
            if (term < sum * 1e-17) break;
        }
        return sum * gamma_term(a, x);
    })

// The upper part by its series in x, where a or x is small.
SINTER_FUNCTION(
    gamma_small_upper, (double a, double x)->double {
        double factor = 1;
        double sum = 0;
        for (int n = 1; n < 200; ++n) {
            factor = factor * (-x / n);
            double term = factor / (a + n);
            sum = sum + term;
            if (fabs(term) <= fabs(sum) * 1e-17) break;
        }
        double lower = a * log(x) - (a <= 0.5 ? log_gamma_of_one_plus(a) : lgamma(a + 1));
        return -expm1(lower) - a * exp(lower) * sum;
    })

// The upper part by Lentz's evaluation of its continued fraction.
SINTER_FUNCTION(
    gamma_fraction, (double a, double x)->double {
        double b = x + 1 - a;
        double c = 1e300;
        double d = 1 / b;
        double h = d;
        for (int n = 1; n < 3000; ++n) {
            double numerator = -n * (n - a);
            b = b + 2;
            d = numerator * d + b;
            if (fabs(d) < 1e-300) d = 1e-300;
            c = b + numerator / c;
            if (fabs(c) < 1e-300) c = 1e-300;
            d = 1 / d;
            h = h * (c * d);
            if (fabs(c * d - 1) < 2e-16) break;
        }
        return a * gamma_term(a, x) * h;
    })

// Either part around x = a by Temme's uniform expansion (DLMF 8.12).
SINTER_FUNCTION(
    gamma_uniform, (double a, double x, bool upper)->double {
        const double coefficients[] = SINTER_TEMME;
        const int lengths[] = SINTER_TEMME_LENGTHS;
        double deviance = deviance_of(a, x);
        double eta = copysign(sqrt(2 * deviance / a), x - a);
        double sum = 0;
        double power = 1;
        int first = 0;
        for (int k = 0; k < 11; ++k) {
            double row = 0;
            for (int n = lengths[k] - 1; n >= 0; --n) row = row * eta + coefficients[first + n];
            first = first + lengths[k];
            sum = sum + row * power;
            power = power / a;
        }
        double rest = exp(-deviance) * 0.39894228040143267794 / sqrt(a) * sum;
        double half = copysign(sqrt(deviance), x - a);
        return upper ? 0.5 * erfc(half) + rest : 0.5 * erfc(-half) - rest;
    })

// P(a, x) or Q(a, x).
SINTER_FUNCTION(
    gamma_part, (double a, double x, bool upper)->double {
        if (!(a >= 0 && x >= 0)) return constants::nan;
        if (a == 0) return x == 0 ? constants::nan : upper ? 0.0 : 1.0;
        if (isinf(a)) return isinf(x) ? constants::nan : upper ? 1.0 : 0.0;
        if (x == 0 || isinf(x)) return (x == 0) == upper ? 1.0 : 0.0;
        double apart = fabs(x - a) / a;
        if (a > 20 && apart < (a > 200 ? 4.5 / sqrt(a) : 0.4)) return gamma_uniform(a, x, upper);
        bool upper_series = x <= 0.5 ? -0.4 / log(x) >= a : x <= 1.1 && x * 1.1 >= a;
        if (upper_series) {
            double q = gamma_small_upper(a, x);
            return upper ? q : 1 - q;
        }
        if (x > 1.1 && x >= a) {
            double q = gamma_fraction(a, x);
            return upper ? q : 1 - q;
        }
        double p = gamma_series(a, x);
        return upper ? 1 - p : p;
    })

SINTER_FUNCTION(gammainc, (double a, double x)->double { return gamma_part(a, x, false); })
SINTER_FUNCTION(gammaincc, (double a, double x)->double { return gamma_part(a, x, true); })

// By Newton's steps for the logarithm of the smaller part as a function of log x, which is concave: they converge from
// wherever they begin.
SINTER_FUNCTION(
    gamma_inverse, (double a, double p, bool upper)->double {
        if (!(a >= 0 && p >= 0 && p <= 1)) return constants::nan;
        if (a == 0) return 0;
        if (p == 0 || p == 1) return (p == 0) == upper ? constants::inf : 0.0;
        bool is_upper = p <= 0.5 ? upper : !upper;
        double smaller = p <= 0.5 ? p : 1 - p;
        double s = ndtri(smaller);
        double root = 1 - 1 / (9 * a) + (is_upper ? -s : s) / (3 * sqrt(a));
        double u = a > 1 && root > 0.3 ? log(a) + 3 * log(root)
                   : is_upper          ? log(1 - log(smaller))
                                       : (log(smaller) + lgamma(a + 1)) / a;
        // Where the lower part is about x^a / Gamma(a + 1), from that, which the steps would be long to come to.
        double low = (log(upper ? 1 - p : p) + lgamma(a + 1)) / a;
        if (is_upper && low < -3) u = low;
        if (!(u > -740)) return exp(u);
        for (int i = 0; i < 60; ++i) {
            double x = exp(u);
            double part = gamma_part(a, x, is_upper);
            double slope = a * gamma_term(a, x);
            double step = part > smaller ? 0.5 : -0.5;
            if (part > 0 && slope > 0) step = (log(part) - log(smaller)) * (part / slope);
            step = is_upper ? step : -step;
            step = step > 4 ? 4.0 : step < -4 ? -4.0 : step;
            u = u + step;
            if (fabs(step) < 3e-12) {
                // The last step is of x itself, whose logarithm has fewer digits.
                return x + x * step;
            }
        }
        return exp(u);
    })

SINTER_FUNCTION(gammaincinv, (double a, double p)->double { return gamma_inverse(a, p, false); })
SINTER_FUNCTION(gammainccinv, (double a, double p)->double { return gamma_inverse(a, p, true); })

// Euler and Maclaurin's sum, which continues the function down to x > -1 but for its pole.
SINTER_FUNCTION(
    zeta_sum, (double x, double q)->double {
        const double divisors[] = {12.0,
                                   -720.0,
                                   30240.0,
                                   -1209600.0,
                                   47900160.0,
                                   -1.8924375803183791606e9,
                                   7.47242496e10,
                                   -2.950130727918164224e12,
                                   1.1646782814350067249e14,
                                   -4.5979787224074726105e15,
                                   1.8152105401943546773e17,
                                   -7.1661652561756670113e18};
        double s = pow(q, -x);
        double a = q;
        double b = 0;
        for (int i = 0; i < 9 || a <= 9; ++i) {
            a = a + 1;
            b = pow(a, -x);
            s = s + b;
            if (x > 1 && fabs(b) < fabs(s) * 1e-17) return s;
        }
        s = s + b * a / (x - 1) - 0.5 * b;
        double factor = 1;
        double k = 0;
        for (int i = 0; i < 12; ++i) {
            factor = factor * (x + k);
            b = b / a;
            double t = factor * b / divisors[i];
            s = s + t;
            if (fabs(t) < fabs(s) * 1e-17) return s;
            factor = factor * (x + k + 1);
            b = b / a;
            k = k + 2;
        }
        return s;
    })

SINTER_FUNCTION(
    hurwitz_zeta, (double x, double q)->double {
        if (isnan(x) || isnan(q) || x < 1) return constants::nan;
        if (x == 1) return constants::inf;
        if (q <= 0 && q == floor(q)) return constants::inf;
        // The sum has a term for each whole number up to zero.
        if (q < -1e6 || (q < 0 && x != floor(x))) return constants::nan;
        if (q > 1e8) return (1 / (x - 1) + 1 / (2 * q)) * pow(q, 1 - x);
        return zeta_sum(x, q);
    })

SINTER_FUNCTION(
    riemann_zeta, (double x)->double {
        if (x == 1) return constants::inf;
        if (x >= 0 || isnan(x)) return zeta_sum(x, 1.0);
        if (x == 2 * floor(x / 2)) return 0;
        double turn = sin(1.57079632679489661923 * (x - 4 * rint(x / 4)));
        if (x > -150) return 2 * pow(6.28318530717958647693, x - 1) * turn * gamma(1 - x) * zeta_sum(1 - x, 1.0);
        double size = exp(lgamma(1 - x) + (x - 1) * 1.83787706640934548356);
        return 2 * turn * size * zeta_sum(1 - x, 1.0);
    })

SINTER_FUNCTION(
    polygamma, (double n, double x)->double {
        if (!(n >= 0 && n == floor(n))) return constants::nan;
        if (n == 0) return digamma(x);
        double r = gamma(n + 1) * hurwitz_zeta(n + 1, x);
        return n / 2 == floor(n / 2) ? -r : r;
    })

SINTER_FUNCTION(factorial, (double n)->double { return n < 0 ? 0.0 : gamma(n + 1); })

}  // namespace bodies

// All compute in float64 and give the floating type of their arguments, float64 for integers; where there is no value
// they give NaN.

/// n!, of fractions by the gamma function, zero below zero (scipy.special.factorial).
SINTER_SPECIAL_FUNCTION(factorial, 1)
/// The regularised lower incomplete gamma function P(a, x), a, x >= 0 (scipy.special.gammainc).
SINTER_SPECIAL_FUNCTION(gammainc, 2)
/// The upper one, Q(a, x) = 1 - P(a, x), also where it is small (scipy.special.gammaincc).
SINTER_SPECIAL_FUNCTION(gammaincc, 2)
/// The x with P(a, x) = p, p in [0, 1] (scipy.special.gammaincinv).
SINTER_SPECIAL_FUNCTION(gammaincinv, 2)
/// The x with Q(a, x) = p (scipy.special.gammainccinv).
SINTER_SPECIAL_FUNCTION(gammainccinv, 2)
/// Derivatives of digamma: the n-th at x, n = 0, 1, … (scipy.special.polygamma); NaN for n > 0 below -10^6.
SINTER_SPECIAL_FUNCTION(polygamma, 2)
/// Riemann's zeta function of real numbers (scipy.special.zeta).
template <sinter::detail::operand X>
auto zeta(const X& x) {
    return detail::call(bodies::riemann_zeta, x);
}
/// Hurwitz's, the sum of (k + q)^-x for x > 1 (scipy.special.zeta); NaN for q below -10^6.
template <sinter::detail::operand X, sinter::detail::operand Q>
auto zeta(const X& x, const Q& q) {
    return sinter::detail::named_errors("zeta", [&] { return detail::call(bodies::hurwitz_zeta, x, q); });
}

}  // namespace sinter::inline SINTER_ABI::special

SINTER_IEEE_END
