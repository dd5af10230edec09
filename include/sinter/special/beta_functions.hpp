// The incomplete beta function, its inverse, and binomial coefficients.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/special/gamma_functions.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::special {

namespace bodies {

// x^a y^b / B(a, b) of y = 1 - x: by the function itself, or by the parts of a density that do not cancel for large
// parameters (Loader, 2000).
SINTER_FUNCTION(
    beta_term, (double a, double b, double x, double y)->double {
        if (x <= 0 || y <= 0) return 0;
        // What is lost in rounding the larger of x and y counts as often as its exponent says.
        double lost = x < y ? b * ((1 - y - x) / y) : a * ((1 - x - y) / x);
        if (a < 60 && b < 60) return pow(x, a) * pow(y, b) / beta(a, b) * (1 + lost);
        double n = a + b;
        double rest = stirling_error(n) - stirling_error(a) - stirling_error(b);
        rest = rest - deviance_of(a, n * x) - deviance_of(b, n * y);
        return exp(rest) * 0.39894228040143267794 * sqrt(a * (b / n));
    })

// The continued fraction of the lower part, for x up to about its mean, by two steps of DLMF 8.17.22 in each (Didonato
// & Morris, 1992): in x and y = 1 - x nothing cancels where one of them is small. Backward, as Lentz's rule has it.
SINTER_FUNCTION(
    beta_fraction, (double a, double b, double x, double y)->double {
        double h = a / (a + 1) * (a * y - b * x + 1);
        double c = h;
        double d = 0;
        for (int m = 1; m < 20000; ++m) {
            double at = a + (2 * m - 1);
            double above = ((a + (m - 1)) / at) * ((a + b + (m - 1)) / at * x) * (m * (b - m) * x);
            double below = m + m * (b - m) * x / at + (a + m) / (at + 2) * (a * y - b * x + 1 + m * (1 + y));
            d = below + above * d;
            if (fabs(d) < 1e-300) d = 1e-300;
            c = below + above / c;
            if (fabs(c) < 1e-300) c = 1e-300;
            d = 1 / d;
            h = h * (d * c);
            if (fabs(d * c - 1) < 2e-16) break;
        }
        return a / h;
    })

// The same by its series, whose terms are positive and fall (DLMF 8.17.8), where these are few: it keeps digits that
// the fraction's many products lose.
SINTER_FUNCTION(
    beta_sum, (double a, double b, double x, double y)->double {
        if (x > 0.4 || a + b > 100) return beta_fraction(a, b, x, y);
        double term = 1;
        double sum = 1;
        for (int n = 1; n < 200; ++n) {
            term = term * ((a + b + (n - 1)) / (a + n) * x);
            sum = sum + term;
            if (term < 1e-17 * sum) break;
        }
        return sum;
    })

// I_x(a, b) or what it is less than one, of x and y = 1 - x.
SINTER_FUNCTION(
    beta_part, (double a, double b, double x, double y, bool upper)->double {
        if (!(a > 0 && b > 0 && x >= 0 && y >= 0)) return constants::nan;
        if (isinf(a) || isinf(b)) return constants::nan;
        if (x == 0 || y == 0) return (x == 0) == upper ? 1.0 : 0.0;
        double term = beta_term(a, b, x, y);
        bool from_below = x < y ? x * (a + b + 2) < a + 1 : y * (a + b + 2) > b + 1;
        double part = from_below ? term * beta_sum(a, b, x, y) / a : term * beta_sum(b, a, y, x) / b;
        if (from_below != upper) return part;
        // The smaller part of a skewed distribution has its own fraction, which holds up to the mean.
        if (part < 0.8 || (upper ? b * x < a * y : b * x > a * y)) return 1 - part;
        return from_below ? term * beta_sum(b, a, y, x) / b : term * beta_sum(a, b, x, y) / a;
    })

SINTER_FUNCTION(betainc, (double a, double b, double x)->double { return beta_part(a, b, x, 1 - x, false); })
SINTER_FUNCTION(betaincc, (double a, double b, double x)->double { return beta_part(a, b, x, 1 - x, true); })

// x with I_x(a, b) = p by Newton's steps for the logarithm of the smaller part as a function of u = log(x / (1 - x)),
// which is concave: they converge from wherever they begin. With `odds` the result is u itself.
SINTER_FUNCTION(
    beta_inverse, (double a, double b, double p, bool upper, bool odds)->double {
        if (!(a > 0 && b > 0 && p >= 0 && p <= 1)) return constants::nan;
        if (p == 0 || p == 1) {
            bool whole = (p == 0) == upper;
            return odds ? (whole ? constants::inf : -constants::inf) : whole ? 1.0 : 0.0;
        }
        bool is_upper = p <= 0.5 ? upper : !upper;
        double smaller = p <= 0.5 ? p : 1 - p;
        double wanted = log(smaller);
        double s = ndtri(smaller) * sqrt(1 / a + 1 / b);
        double u = log(a / b) + (is_upper ? -s : s);
        double lower_end = (wanted + log(a) + betaln(a, b)) / a;
        double upper_end = -(wanted + log(b) + betaln(a, b)) / b;
        // The logarithm lies below its asymptotes: no root is below the lower end or above the upper one.
        if (!is_upper && (lower_end < -3 || u < lower_end)) u = lower_end;
        if (is_upper && (upper_end > 3 || u > upper_end)) u = upper_end;
        // There the asymptotes are exact, and the part of an x may be too small for a number.
        if (odds && (is_upper ? u > 700 : u < -700)) return u;
        double below = -constants::inf;
        double above = constants::inf;
        double x = 0;
        double y = 1;
        for (int i = 0; i < 100; ++i) {
            double e = exp(-fabs(u));
            x = u < 0 ? e / (1 + e) : 1 / (1 + e);
            y = u < 0 ? 1 / (1 + e) : e / (1 + e);
            double part = beta_part(a, b, x, y, is_upper);
            double slope = beta_term(a, b, x, y);
            bool is_below = (part > smaller) == is_upper;
            if (is_below) below = u;
            else above = u;
            // Where the part or its slope is zero: halves of what is between, or steps to where neither is.
            double far = isinf(below) || isinf(above) ? 8.0 : (above - below) / 2;
            double step = is_below ? far : -far;
            if (part > 0 && slope > 0) step = (log(part) - wanted) * (part / slope) * (is_upper ? 1.0 : -1.0);
            step = step > 8 ? 8.0 : step < -8 ? -8.0 : step;
            u = u + step;
            if (fabs(u) > 745 && !odds) break;
            if (fabs(step) < 3e-12) {
                x = x + x * y * step;
                break;
            }
        }
        return odds ? u : x;
    })

SINTER_FUNCTION(betaincinv, (double a, double b, double p)->double { return beta_inverse(a, b, p, false, false); })

SINTER_FUNCTION(
    comb, (double n, double k)->double {
        if (isnan(n) || isnan(k)) return constants::nan;
        if (k > n || n < 0 || k < 0) return 0;
        if (k == floor(k)) {
            double few = n == floor(n) && n - k < k ? n - k : k;
            if (few <= 30) {
                double r = 1;
                for (int i = 1; i <= few; ++i) r = r * (n - few + i) / i;
                return r;
            }
        }
        if (n == k) return 1;
        if (n < 900) return 1 / (beta(n - k + 1, k + 1) * (n + 1));
        double m = n - k;
        double rest = stirling_error(n) - stirling_error(k) - stirling_error(m);
        return exp(rest + k * log(n / k) - m * log1p(-k / n)) * 0.39894228040143267794 * sqrt(n / k / m);
    })
SINTER_FUNCTION(comb_of_multiset, (double n, double k)->double { return comb(n + k - 1, k); })

}  // namespace bodies

/// The regularised incomplete beta function I_x(a, b), a, b > 0, x in [0, 1] (scipy.special.betainc).
SINTER_SPECIAL_FUNCTION(betainc, 3)
/// 1 - I_x(a, b), also where that is small (scipy.special.betaincc).
SINTER_SPECIAL_FUNCTION(betaincc, 3)
/// The x with I_x(a, b) = p (scipy.special.betaincinv).
SINTER_SPECIAL_FUNCTION(betaincinv, 3)
/// The ways to choose k of n, 0 where there are none (scipy.special.comb): exact where the smaller one of
/// k and n - k is at most 30 and that times it fits in 53 bits.
SINTER_SPECIAL_FUNCTION(comb, 2)
/// Options of comb: whether things are chosen again.
struct comb_options {
    bool repetition = false;
};
/// The same with options: `comb(10, 3, {.repetition = true})`.
template <sinter::detail::operand N, sinter::detail::operand K>
auto comb(const N& n, const K& k, const comb_options& o) {
    return o.repetition ? detail::call(bodies::comb_of_multiset, n, k) : detail::call(bodies::comb, n, k);
}

}  // namespace sinter::inline SINTER_ABI::special

SINTER_IEEE_END
