// Special functions that are operations already, under scipy.special's names, and those of a line or two.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/softmax.hpp>
#include <sinter/special/special_call.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::special {

// Operations, which compute in the type of their arguments: scipy.special's functions of these names.
using sinter::beta;
using sinter::betaln;
using sinter::digamma;
using sinter::entr;
using sinter::erf;
using sinter::erfc;
using sinter::erfcinv;
using sinter::erfinv;
using sinter::expit;
using sinter::expm1;
using sinter::gamma;
using sinter::i0;
using sinter::i1;
using sinter::j0;
using sinter::j1;
using sinter::log1p;
using sinter::log_softmax;
using sinter::logit;
using sinter::logsumexp;
using sinter::ndtr;
using sinter::ndtri;
using sinter::softmax;
using sinter::xlogy;

/// The derivative of gammaln (scipy.special.psi).
template <sinter::detail::operand X>
auto psi(const X& x) {
    return sinter::digamma(x);
}
/// The logarithm of the gamma function's absolute value (scipy.special.gammaln).
template <sinter::detail::operand X>
auto gammaln(const X& x) {
    return sinter::lgamma(x);
}

namespace bodies {

// x log(x / m) + m - x without cancellation where x is near m (Loader, 2000).
SINTER_FUNCTION(
    deviance_of, (double x, double m)->double {
        if (x == 0) return m;
        double d = x - m;
        if (!(fabs(d) < 0.1 * (x + m))) return x * log(x / m) - d;
        double v = d / (x + m);
        double s = d * v;
        double e = 2 * x * v;
        v = v * v;
        for (int j = 3; j < 100; j += 2) {
            e = e * v;
            double next = s + e / j;
            if (next == s) return s;
            s = next;
        }
        return s;
    })

SINTER_FUNCTION(
    xlog1py, (double x, double y)->double {
        if (x == 0 && !isnan(y)) return 0;
        return x * log1p(y);
    })

SINTER_FUNCTION(
    rel_entr, (double x, double y)->double {
        if (isnan(x) || isnan(y)) return constants::nan;
        if (x > 0 && y > 0) {
            double ratio = x / y;
            if (ratio == 0 || isinf(ratio)) return x * (log(x) - log(y));
            return ratio > 0.5 && ratio < 2 ? x * log1p((x - y) / y) : x * log(ratio);
        }
        return x == 0 && y >= 0 ? 0.0 : constants::inf;
    })

SINTER_FUNCTION(
    kl_div, (double x, double y)->double {
        if (isnan(x) || isnan(y)) return constants::nan;
        if (x > 0 && y > 0) return deviance_of(x, y);
        return x == 0 && y >= 0 ? y : constants::inf;
    })

SINTER_FUNCTION(
    log_ndtr, (double x)->double {
        if (x > -1) return log1p(-ndtr(-x));
        if (x > -20 || isnan(x)) return log(ndtr(x));
        double z = 1 / (x * x);
        double term = 1;
        double sum = 1;
        for (int k = 1; k < 20; ++k) {
            double next = -term * (2 * k - 1) * z;
            if (fabs(next) < 1e-17 || fabs(next) > fabs(term)) break;
            term = next;
            sum = sum + term;
        }
        return -0.5 * x * x - log(-x) - 0.91893853320467274178 + log(sum);
    })

}  // namespace bodies

/// x log1p(y), which is 0 for x = 0 whatever y is (scipy.special.xlog1py).
SINTER_SPECIAL_FUNCTION(xlog1py, 2)
/// x log(x / y), terms of a relative entropy: 0 for x = 0, infinite for a negative x or y (scipy.special.rel_entr).
SINTER_SPECIAL_FUNCTION(rel_entr, 2)
/// x log(x / y) - x + y (scipy.special.kl_div).
SINTER_SPECIAL_FUNCTION(kl_div, 2)
/// The logarithm of ndtr, also where that vanishes (scipy.special.log_ndtr).
SINTER_SPECIAL_FUNCTION(log_ndtr, 1)

}  // namespace sinter::inline SINTER_ABI::special

SINTER_IEEE_END
