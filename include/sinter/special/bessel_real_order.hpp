// Bessel functions of both kinds and of real order.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/special/coefficients.def>
#include <sinter/special/special_call.hpp>

#include <tuple>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::special {

namespace bodies {

// cos and sin of so many half turns, with their zeros.
SINTER_FUNCTION(
    cosine_of_turns, (double v)->double {
        double t = v - 2 * floor(v / 2);
        if (t == 0.5 || t == 1.5) return 0;
        return cos(3.14159265358979323846 * (t > 1 ? 2 - t : t));
    })
SINTER_FUNCTION(sine_of_turns, (double v)->double { return cosine_of_turns(v - 0.5); })

// J, or Y, of an order v >= 0 by Hankel's expansion, for x that is large beside the square of the order.
SINTER_FUNCTION(
    bessel_far, (double v, double x, bool second)->double {
        double term = 1;
        double p = 1;
        double q = 0;
        for (int k = 1; k < 200; ++k) {
            double odd = 2 * k - 1;
            double next = term * (4 * v * v - odd * odd) / (8 * x * k);
            if (fabs(next) > fabs(term) && 2 * k > v) break;
            term = next;
            double signed_term = k / 2 % 2 == 1 ? -term : term;
            if (k % 2 == 1) q = q + signed_term;
            else p = p + signed_term;
            if (fabs(term) < 1e-17) break;
        }
        // The phase x - (v / 2 + 1 / 4) pi, without a subtraction from x.
        double c = cosine_of_turns(v / 2 + 0.25);
        double s = sine_of_turns(v / 2 + 0.25);
        double cosine = cos(x) * c + sin(x) * s;
        double sine = sin(x) * c - cos(x) * s;
        double r = second ? p * sine + q * cosine : p * cosine - q * sine;
        return r * 0.79788456080286535588 / sqrt(x);
    })

// By Debye's expansions on either side of x = v, for large orders away from it (DLMF 10.19).
SINTER_FUNCTION(
    bessel_uniform, (double v, double x, bool second)->double {
        const double u[] = SINTER_DEBYE;
        bool beyond = x > v;
        double s = sqrt(fabs(x - v) * (x + v));
        double p = v / s;
        double square = beyond ? -p * p : p * p;
        double even = 1;
        double odd = 0;
        double factor = 1;
        int first = 0;
        for (int k = 1; k < 13; ++k) {
            factor = factor * (p / v);
            double row = 0;
            for (int i = k; i >= 0; --i) row = row * square + u[first + i];
            first = first + k + 1;
            double term = row * factor;
            if (beyond && k / 2 % 2 == 1) term = -term;
            if (k % 2 == 1) odd = odd + term;
            else even = even + term;
        }
        if (beyond) {
            double phase = s - v * arctan2(s, v) - 0.78539816339744830962;
            double c = cos(phase);
            double d = sin(phase);
            return (second ? d * even - c * odd : c * even + d * odd) * 0.79788456080286535588 / sqrt(s);
        }
        double exponent = s - v * log((v + s) / x);
        if (second) return -exp(-exponent) * (even - odd) * 0.79788456080286535588 / sqrt(s);
        return exp(exponent) * (even + odd) * 0.39894228040143267794 / sqrt(s);
    })

// J by its series, where the first term is the largest.
SINTER_FUNCTION(
    bessel_series, (double v, double x)->double {
        double term = 1;
        double sum = 1;
        for (int k = 1; k < 100 && fabs(term) > 1e-17; ++k) {
            term = -term * (x * x / 4 / k / (v + k));
            sum = sum + term;
        }
        return sum * (v < 100 ? pow(x / 2, v) / gamma(v + 1) : exp(v * log(x / 2) - lgamma(v + 1)));
    })

// Temme's series of Y for orders |v| <= 1/2 and x < 2: of v and of v + 1.
SINTER_FUNCTION(
    bessel_near_zero, (double v, double x)->std::tuple<double, double> {
        const double even[] = SINTER_RECIPROCAL_GAMMA_EVEN;
        const double odd[] = SINTER_RECIPROCAL_GAMMA_ODD;
        double g1 = 0;
        double g2 = 0;
        for (int i = 9; i >= 0; --i) g1 = g1 * (v * v) - odd[i];
        for (int i = 10; i >= 0; --i) g2 = g2 * (v * v) + even[i];
        double turn = 3.14159265358979323846 * v;
        double l = -log(x / 2);
        double e = v * l;
        double f = (fabs(turn) < 1e-16 ? 1.0 : turn / sin(turn)) * 0.63661977236758134308 *
                   (g1 * cosh(e) + g2 * (fabs(e) < 1e-16 ? 1.0 : sinh(e) / e) * l);
        double p = exp(e) / (g2 - v * g1) * 0.31830988618379067154;
        double q = exp(-e) / (g2 + v * g1) * 0.31830988618379067154;
        double half = 0.5 * turn;
        double ratio = fabs(half) < 1e-16 ? 1.0 : sin(half) / half;
        double r = 3.14159265358979323846 * half * ratio * ratio;
        double power = 1;
        double sum = f + r * q;
        double sum1 = p;
        for (int i = 1; i < 500; ++i) {
            f = (i * f + p + q) / (i * i - v * v);
            power = -power * (x * x / 4 / i);
            p = p / (i - v);
            q = q / (i + v);
            double term = power * (f + r * q);
            sum = sum + term;
            sum1 = sum1 + (power * p - i * term);
            if (fabs(term) < (1 + fabs(sum)) * 1e-17) break;
        }
        return std::tuple<double, double>(-sum, -sum1 * 2 / x);
    })

// The quotient J'/J by its continued fraction, by Lentz's rule, and the sign of J.
SINTER_FUNCTION(
    bessel_slope, (double v, double x)->std::tuple<double, double> {
        double h = v / x < 1e-300 ? 1e-300 : v / x;
        double d = 0;
        double c = h;
        double sign = 1;
        for (int i = 1; i < 1000000; ++i) {
            double b = 2 * (v + i) / x;
            d = b - d;
            if (fabs(d) < 1e-300) d = 1e-300;
            c = b - 1 / c;
            if (fabs(c) < 1e-300) c = 1e-300;
            d = 1 / d;
            h = c * d * h;
            if (d < 0) sign = -sign;
            if (fabs(c * d - 1) < 1e-16) break;
        }
        return std::tuple<double, double>(h, sign);
    })

// p + iq, the logarithmic derivative of J + iY, by Steed's continued fraction, for x of two and about the order at
// least.
SINTER_FUNCTION(
    bessel_wave, (double v, double x)->std::tuple<double, double> {
        double a = 0.25 - v * v;
        double p = -0.5 / x;
        double q = 1;
        double br = 2 * x;
        double bi = 2;
        double fact = a / x / (p * p + q * q);
        double cr = br + q * fact;
        double ci = bi + p * fact;
        double dr = br / (br * br + bi * bi);
        double di = -bi / (br * br + bi * bi);
        for (int i = 1; i < 100000; ++i) {
            double real = cr * dr - ci * di;
            double imaginary = cr * di + ci * dr;
            double next = p * real - q * imaginary;
            q = p * imaginary + q * real;
            p = next;
            if (fabs(real - 1) + fabs(imaginary) < 1e-16) break;
            a = a + 2 * i;
            bi = bi + 2;
            dr = a * dr + br;
            di = a * di + bi;
            if (fabs(dr) + fabs(di) < 1e-300) dr = 1e-300;
            fact = a / (cr * cr + ci * ci);
            cr = br + cr * fact;
            ci = bi - ci * fact;
            if (fabs(cr) + fabs(ci) < 1e-300) cr = 1e-300;
            double square = dr * dr + di * di;
            dr = dr / square;
            di = -di / square;
        }
        return std::tuple<double, double>(p, q);
    })

// J of an order v and, from the logarithmic derivatives there, J and Y of the order `steps` below, which is about x,
// and Y of the next one (Temme, 1975, as Numerical Recipes has it).
SINTER_FUNCTION(
    bessel_steed, (double v, double x, double steps)->std::tuple<double, double, double> {
        auto [slope, sign] = bessel_slope(v, x);
        double start = 1e-290 * sign;
        double low = start;
        double change = slope * low;
        double scale = 1;
        for (double k = 0; k < steps; k = k + 1) {
            double next = (v - k) / x * low + change;
            change = (v - k - 1) / x * next - low;
            low = next;
            if (fabs(low) > 1e200) {
                low = low * 1e-200;
                change = change * 1e-200;
                scale = scale * 1e-200;
            }
        }
        if (low == 0) low = 1e-300;
        double f = change / low;
        auto [p, q] = bessel_wave(v - steps, x);
        double ratio = (p - f) / q;
        double j = sqrt(0.63661977236758134308 / x / ((p - f) * ratio + q));
        if (low < 0) j = -j;
        double y = j * ratio;
        double above = (v - steps) / x * y - (fabs(ratio) < 1e-300 ? -j * q : y * (p + q / ratio));
        return std::tuple<double, double, double>(j * (start / low) * scale, y, above);
    })

// Y of an order by recurrence up from one that is less by a whole number and the next, which is stable.
SINTER_FUNCTION(
    bessel_up, (double v, double x, double steps, double here, double above)->double {
        for (double k = steps - 1; k >= 0 && !isinf(here); k = k - 1) {
            double next = (v - k) * 2 / x * above - here;
            here = above;
            above = next;
        }
        return here;
    })

// J or Y of an order v >= 0 and x > 0.
SINTER_FUNCTION(
    bessel, (double v, double x, bool second)->double {
        if (x > 30 && x > 0.1 * v * v) return bessel_far(v, x, second);
        double s = sqrt(fabs(x - v) * (x + v));
        double phase = x > v ? s - v * arctan2(s, v) : v * log((v + s) / x) - s;
        if (v > 20 && phase > 35) return bessel_uniform(v, x, second);
        if (!second && x * x < 4 * (v + 1)) return bessel_series(v, x);
        if (x < 2) {
            auto [here, above] = bessel_near_zero(v - floor(v + 0.5), x);
            return bessel_up(v, x, floor(v + 0.5), here, above);
        }
        double steps = v - x + 1.5 > 0 ? floor(v - x + 1.5) : 0.0;
        auto [first, here, above] = bessel_steed(v, x, steps);
        return second ? bessel_up(v, x, steps, here, above) : first;
    })

SINTER_FUNCTION(
    jv, (double v, double x)->double {
        bool whole = v == floor(v);
        if (isnan(v) || isinf(v) || isnan(x) || (x < 0 && !whole)) return constants::nan;
        double order = fabs(v);
        double half = floor(order / 2);
        double sign = order - 2 * half == 1 && (v < 0) != (x < 0) ? -1.0 : 1.0;
        if (x == 0) {
            if (v < 0 && !whole) return floor(order) / 2 == floor(floor(order) / 2) ? constants::inf : -constants::inf;
            return v == 0 ? 1.0 : 0.0;
        }
        if (isinf(x)) return 0;
        if (v >= 0 || whole) return sign * bessel(order, fabs(x), false);
        double r = -sine_of_turns(order) * bessel(order, x, true);
        double c = cosine_of_turns(order);
        return c == 0 ? r : r + c * bessel(order, x, false);
    })
SINTER_FUNCTION(
    yv, (double v, double x)->double {
        if (isnan(v) || isinf(v) || !(x >= 0)) return constants::nan;
        double order = fabs(v);
        double c = v < 0 ? cosine_of_turns(order) : 1.0;
        if (x == 0) return c == 0 ? 0.0 : c < 0 ? constants::inf : -constants::inf;
        if (isinf(x)) return 0;
        if (v >= 0) return bessel(order, x, true);
        double s = sine_of_turns(order);
        double r = s == 0 ? 0.0 : s * bessel(order, x, false);
        return c == 0 ? r : r + c * bessel(order, x, true);
    })

}  // namespace bodies

/// Bessel functions of the first and of the second kind and of a real order (scipy.special.jv, yv), within 3e-13 of
/// sqrt(J^2 + Y^2), or of the value where x is less than the order, for orders up to 1000; beyond, digits are lost as
/// the order grows. NaN where there is no real value: x < 0, but for J of whole orders. At infinity both are zero.
SINTER_SPECIAL_FUNCTION(jv, 2)
SINTER_SPECIAL_FUNCTION(yv, 2)

}  // namespace sinter::inline SINTER_ABI::special

SINTER_IEEE_END
