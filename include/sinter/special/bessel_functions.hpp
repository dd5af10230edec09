// Bessel functions of integer order, and modified ones of real order.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/special/coefficients.def>
#include <sinter/special/special_call.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::special {

namespace bodies {

// Chebyshev series by Clenshaw's rule. Each has its own text, since functions take numbers and no arrays.
#define SINTER_CHEBYSHEV(name, terms)                   \
    SINTER_FUNCTION(                                    \
        chebyshev_##name, (double t)->double {          \
            const double c[] = SINTER_CHEBYSHEV_##name; \
            double a = 0;                               \
            double b = 0;                               \
            for (int i = terms - 1; i > 0; --i) {       \
                double next = 2 * t * a - b + c[i];     \
                b = a;                                  \
                a = next;                               \
            }                                           \
            return t * a - b + c[0];                    \
        })
SINTER_CHEBYSHEV(Y0, 17)
SINTER_CHEBYSHEV(Y1, 16)
SINTER_CHEBYSHEV(COSINE0, 14)
SINTER_CHEBYSHEV(SINE0, 16)
SINTER_CHEBYSHEV(COSINE1, 14)
SINTER_CHEBYSHEV(SINE1, 16)
#undef SINTER_CHEBYSHEV

// Of the second kind and orders 0 and 1 for x > 8 by modulus and phase, the latter without a subtraction from x.
SINTER_FUNCTION(
    second_bessel_large, (bool first_order, double x)->double {
        if (isinf(x)) return 0;
        double t = 128 / (x * x) - 1;
        double s = sin(x);
        double c = cos(x);
        double cosine = first_order ? s - c : s + c;
        double sine = first_order ? -(s + c) : s - c;
        double p = first_order ? chebyshev_COSINE1(t) : chebyshev_COSINE0(t);
        double q = (first_order ? chebyshev_SINE1(t) : chebyshev_SINE0(t)) / x;
        return (p * sine + q * cosine) * 0.56418958354775628695 / sqrt(x);
    })

SINTER_FUNCTION(
    y0, (double x)->double {
        if (x == 0) return -constants::inf;
        if (!(x > 0)) return constants::nan;
        if (x > 8) return second_bessel_large(false, x);
        double t = x * x / 32 - 1;
        return 0.63661977236758134308 * log(x / 2) * j0(x) + chebyshev_Y0(t);
    })
SINTER_FUNCTION(
    y1, (double x)->double {
        if (x == 0) return -constants::inf;
        if (!(x > 0)) return constants::nan;
        if (x > 8) return second_bessel_large(true, x);
        double t = x * x / 32 - 1;
        return 0.63661977236758134308 * (log(x / 2) * j1(x) - 1 / x) + x * chebyshev_Y1(t);
    })

// Forward recurrence, which is stable.
SINTER_FUNCTION(
    yn, (double order, double x)->double {
        if (order != floor(order) || !(fabs(order) <= 1e6) || isnan(x) || x < 0) return constants::nan;
        double n = fabs(order);
        double sign = order < 0 && n / 2 != floor(n / 2) ? -1.0 : 1.0;
        if (x == 0) return -sign * constants::inf;
        if (n == 0) return y0(x);
        double before = y0(x);
        double r = y1(x);
        for (double k = 1; k < n && !isinf(r); k = k + 1) {
            double next = 2 * k / x * r - before;
            before = r;
            r = next;
        }
        return sign * r;
    })

// Forward recurrence up to the argument; beyond it the quotient of neighbours by its continued fraction, and backward
// recurrence, scaled so that nothing overflows, down to the order that is known and larger.
SINTER_FUNCTION(
    jn, (double order, double v)->double {
        if (order != floor(order) || !(fabs(order) <= 1e6) || isnan(v)) return constants::nan;
        double n = fabs(order);
        double x = fabs(v);
        bool odd = n / 2 != floor(n / 2);
        double sign = odd && (order < 0) != (v < 0) ? -1.0 : 1.0;
        if (n == 0) return j0(x);
        if (n == 1) return sign * j1(x);
        if (x == 0 || isinf(x)) return 0;
        if (n <= x) {
            double before = j0(x);
            double r = j1(x);
            for (double k = 1; k < n; k = k + 1) {
                double next = 2 * k / x * r - before;
                before = r;
                r = next;
            }
            return sign * r;
        }
        double quotient = 0;
        double last = n + 60 + floor(6 * cbrt(n) + 2 * sqrt(x));
        for (double k = last; k >= n; k = k - 1) quotient = x / (2 * k - x * quotient);
        double above = quotient;
        double here = 1;
        double scale = 1;
        for (double k = n - 1; k > 0; k = k - 1) {
            double below = 2 * k / x * here - above;
            above = here;
            here = below;
            if (fabs(here) > 1e200) {
                here = here * 1e-200;
                above = above * 1e-200;
                scale = scale * 1e-200;
                if (scale == 0) return 0;
            }
        }
        double known = fabs(here) > fabs(above) ? j0(x) / here : j1(x) / above;
        return sign * quotient * (known * scale);
    })

// Of modified functions: e^-x I or e^x K for order v >= 0 and x > 0, by Hankel's expansion where x is large.
SINTER_FUNCTION(
    modified_large, (double v, double x, bool second)->double {
        double term = 1;
        double sum = 1;
        for (int k = 1; k < 200; ++k) {
            double odd = 2 * k - 1;
            double next = term * (4 * v * v - odd * odd) / (8 * x * k);
            if (!second) next = -next;
            if (fabs(next) > fabs(term) && 2 * k > v) break;
            term = next;
            sum = sum + term;
            if (fabs(term) < 1e-17 * fabs(sum)) break;
        }
        return sum * (second ? 1.25331413731550025121 : 0.39894228040143267794) / sqrt(x);
    })

// By Debye's expansion, uniform in x, where the order is large (DLMF 10.41).
SINTER_FUNCTION(
    modified_uniform, (double v, double x, bool second, bool scaled)->double {
        const double u[] = SINTER_DEBYE;
        double z = x / v;
        double root = sqrt(1 + z * z);
        double p = 1 / root;
        double sum = 1;
        double factor = 1;
        int first = 0;
        for (int k = 1; k < 13; ++k) {
            factor = factor * (p / v) * (second ? -1 : 1);
            double row = 0;
            for (int i = k; i >= 0; --i) row = row * (p * p) + u[first + i];
            first = first + k + 1;
            sum = sum + row * factor;
        }
        // v (η - z) without cancellation where z is large.
        double exponent = v * ((scaled ? 1 / (root + z) : root) - arcsinh(1 / z));
        double front = second ? exp(-exponent) * 1.25331413731550025121 : exp(exponent) * 0.39894228040143267794;
        return front * sum / sqrt(v * root);
    })

// I by its series, whose terms are positive, where x is small.
SINTER_FUNCTION(
    modified_series, (double v, double x)->double {
        double term = 1;
        double sum = 1;
        for (int k = 1; k < 100 && term > 1e-17 * sum; ++k) {
            term = term * (x * x / 4 / k / (v + k));
            sum = sum + term;
        }
        double front = v < 100 ? pow(x / 2, v) / gamma(v + 1) : exp(v * log(x / 2) - lgamma(v + 1));
        return front * sum * exp(-x);
    })

// Temme's method (1975) as Numerical Recipes has it: both functions of the order's rest, recurrences up and down.
SINTER_FUNCTION(
    modified_small, (double v, double x, bool second)->double {
        int steps = int(v + 0.5);
        double mu = v - steps;
        double h = v / x < 1e-300 ? 1e-300 : v / x;
        double b = 2 * v / x;
        double d = 0;
        double c = h;
        for (int i = 0; i < 100000 && !second; ++i) {
            b = b + 2 / x;
            d = 1 / (b + d);
            c = b + 1 / c;
            h = h * (c * d);
            if (fabs(c * d - 1) < 1e-16) break;
        }
        double low = 1;
        double slope = h;
        double scale = 1;
        double factor = v / x;
        for (int i = 0; i < steps && !second; ++i) {
            double next = factor * low + slope;
            factor = factor - 1 / x;
            slope = factor * next + low;
            low = next;
            if (fabs(low) > 1e200) {
                low = low * 1e-200;
                slope = slope * 1e-200;
                scale = scale * 1e-200;
            }
        }
        double here = 0;
        double above = 0;
        if (x < 2) {
            const double even[] = SINTER_RECIPROCAL_GAMMA_EVEN;
            const double odd[] = SINTER_RECIPROCAL_GAMMA_ODD;
            double g1 = 0;
            double g2 = 0;
            for (int i = 9; i >= 0; --i) g1 = g1 * (mu * mu) - odd[i];
            for (int i = 10; i >= 0; --i) g2 = g2 * (mu * mu) + even[i];
            double turn = 3.14159265358979323846 * mu;
            double l = -log(x / 2);
            double e = mu * l;
            double ff = (fabs(turn) < 1e-16 ? 1.0 : turn / sin(turn)) *
                        (g1 * cosh(e) + g2 * (fabs(e) < 1e-16 ? 1.0 : sinh(e) / e) * l);
            double p = 0.5 * exp(e) / (g2 - mu * g1);
            double q = 0.5 * exp(-e) / (g2 + mu * g1);
            double power = 1;
            double sum = p;
            here = ff;
            for (int i = 1; i < 500; ++i) {
                ff = (i * ff + p + q) / (i * i - mu * mu);
                power = power * (x * x / 4 / i);
                p = p / (i - mu);
                q = q / (i + mu);
                here = here + power * ff;
                sum = sum + power * (p - i * ff);
                if (fabs(power * ff) < fabs(here) * 1e-17) break;
            }
            here = here * exp(x);
            above = sum * exp(x) * 2 / x;
        } else {
            b = 2 * (1 + x);
            d = 1 / b;
            double delta = d;
            h = d;
            double q1 = 0;
            double q2 = 1;
            double a1 = 0.25 - mu * mu;
            double q = a1;
            double a = -a1;
            c = a1;
            double s = 1 + q * delta;
            for (int i = 2; i < 10000; ++i) {
                a = a - 2 * (i - 1);
                c = -a * c / i;
                double next = (q1 - b * q2) / a;
                q1 = q2;
                q2 = next;
                q = q + c * next;
                b = b + 2;
                d = 1 / (b + a * d);
                delta = (b * d - 1) * delta;
                h = h + delta;
                s = s + q * delta;
                if (fabs(q * delta) < fabs(s) * 1e-17) break;
            }
            here = 1.25331413731550025121 / sqrt(x) / s;
            above = here * (mu + x + 0.5 - a1 * h) / x;
        }
        if (!second) return 1 / (x * (slope / low * here - (mu / x * here - above))) / low * scale;
        for (int i = 1; i <= steps; ++i) {
            double next = (mu + i) * 2 / x * above + here;
            here = above;
            above = next;
        }
        return here;
    })

SINTER_FUNCTION(
    modified, (double v, double x, bool second)->double {
        if (x > 30 && x > 0.6 * v * v) return modified_large(v, x, second);
        if (v > 25) return modified_uniform(v, x, second, true);
        return !second && x < 2 ? modified_series(v, x) : modified_small(v, x, second);
    })

// e^-|x| I_v(x).
SINTER_FUNCTION(
    ive, (double v, double x)->double {
        if (isnan(v) || isnan(x) || (x < 0 && v != floor(v))) return constants::nan;
        double order = fabs(v);
        double sign = x < 0 && order / 2 != floor(order / 2) ? -1.0 : 1.0;
        bool reflects = v < 0 && v != floor(v);
        if (x == 0) return reflects ? constants::inf : v == 0 ? 1.0 : 0.0;
        double y = fabs(x);
        if (isinf(y)) return 0;
        double r = modified(order, y, false);
        if (reflects) {
            double turn = order - 2 * floor(order / 2);
            r = r +
                0.63661977236758134308 * sin(3.14159265358979323846 * turn) * modified(order, y, true) * exp(-2 * y);
        }
        return sign * r;
    })
// e^x K_v(x).
SINTER_FUNCTION(
    kve, (double v, double x)->double {
        if (isnan(v) || !(x >= 0)) return constants::nan;
        if (x == 0) return constants::inf;
        if (isinf(x)) return 0;
        return modified(fabs(v), x, true);
    })
SINTER_FUNCTION(
    iv, (double v, double x)->double {
        double half = exp(fabs(x) / 2);
        double scaled = ive(v, x);
        // The function may be in range where its scaled one is not.
        if ((scaled == 0 || isinf(half)) && fabs(v) > 25 && (v > 0 || v == floor(v)) && x != 0 && !isinf(x))
            return (x < 0 && v / 2 != floor(v / 2) ? -1.0 : 1.0) * modified_uniform(fabs(v), fabs(x), false, false);
        return isinf(x) ? (x < 0 && v / 2 != floor(v / 2) ? -constants::inf : constants::inf) : half * scaled * half;
    })
SINTER_FUNCTION(
    kv, (double v, double x)->double {
        double scaled = kve(v, x);
        return isinf(scaled) && fabs(v) > 25 && x > 0 ? modified_uniform(fabs(v), x, true, false) : scaled * exp(-x);
    })
SINTER_FUNCTION(i0e, (double x)->double { return ive(0.0, x); })
SINTER_FUNCTION(i1e, (double x)->double { return ive(1.0, x); })

}  // namespace bodies

// All compute in float64 and give the floating type of their arguments, float64 for integers; where there is no value
// they give NaN.

/// Of a whole order up to a million (scipy.special.jn), NaN for others, as of yn.
SINTER_SPECIAL_FUNCTION(jn, 2)
/// Of the second kind (scipy.special.y0, y1, yn): x >= 0.
SINTER_SPECIAL_FUNCTION(y0, 1)
SINTER_SPECIAL_FUNCTION(y1, 1)
SINTER_SPECIAL_FUNCTION(yn, 2)
/// Modified Bessel functions of a real order (scipy.special.iv, kv), and times e^-|x| and e^x (scipy.special.ive, kve).
SINTER_SPECIAL_FUNCTION(iv, 2)
SINTER_SPECIAL_FUNCTION(kv, 2)
SINTER_SPECIAL_FUNCTION(ive, 2)
SINTER_SPECIAL_FUNCTION(kve, 2)
/// ive of the orders 0 and 1 (scipy.special.i0e, i1e).
SINTER_SPECIAL_FUNCTION(i0e, 1)
SINTER_SPECIAL_FUNCTION(i1e, 1)

}  // namespace sinter::inline SINTER_ABI::special

SINTER_IEEE_END
