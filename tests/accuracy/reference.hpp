// The functions of the table that C does not have, by their definitions, in any wide type; they share no method with
// sinter's own where there is another one, and must not call those.
#pragma once

#include "wide_math.hpp"

namespace wide {

template <class T>
T pi() {
    static const T value = 4 * atan(T(1));
    return value;
}
template <class T>
T root_of_two() {
    static const T value = sqrt(T(2));
    return value;
}
template <class T>
T slope_of_erf(T y) {
    static const T at_zero = 2 / sqrt(pi<T>());
    return at_zero * exp(-y * y);
}

/// The type in which an iteration begins.
template <class T>
using begins_in = std::conditional_t<std::is_same_v<T, double>, double, long double>;

/// Steps of Newton's rule: many from a guess, one from a result of half the digits.
template <class T, class Step>
T iterated(T y, bool from_guess, Step step) {
    for (int i = 0; i < (from_guess ? 12 : 1); ++i) {
        const T next = step(y);
        if (next == y) break;
        y = next;
    }
    return y;
}

/// erf(y) = x for |x| <= 1/2.
template <class T>
T erf_inverse_near_zero(T x) {
    using S = begins_in<T>;
    T y = x * (1 + x * x / 4);
    if constexpr (!std::is_same_v<S, T>) y = erf_inverse_near_zero(static_cast<S>(x));
    if (x == 0) return x;
    return iterated(y, std::is_same_v<S, T>, [x](T v) { return v - (erf(v) - x) / slope_of_erf(v); });
}

/// erfc(y) = p for 0 < p <= 1/2. Of logarithms, whose curve is concave: from the right Newton's rule comes down without
/// fail.
template <class T>
T erfc_inverse(T p) {
    using S = begins_in<T>;
    if (p == 0) return 1 / fabs(p);
    const T target = log(p);
    T y = sqrt(-target);
    if constexpr (!std::is_same_v<S, T>) y = erfc_inverse(static_cast<S>(p));
    return iterated(y, std::is_same_v<S, T>, [target](T v) {
        const T tail = erfc(v);
        return v + (log(tail) - target) * tail / slope_of_erf(v);
    });
}

template <class T>
T erfinv(T x) {
    const T size = fabs(x);
    if (!(size <= 1)) return log(T(-1));
    return size <= T(0.5) ? erf_inverse_near_zero(x) : copysign(erfc_inverse(1 - size), x);
}
template <class T>
T erfcinv(T p) {
    if (!(p >= 0 && p <= 2)) return log(T(-1));
    if (p < T(0.5)) return erfc_inverse(p);
    return p <= T(1.5) ? erf_inverse_near_zero(1 - p) : -erfc_inverse(2 - p);
}
template <class T>
T ndtri(T p) {
    if (!(p >= 0 && p <= 1)) return log(T(-1));
    if (p < T(0.25)) return -root_of_two<T>() * erfc_inverse(2 * p);
    return root_of_two<T>() * (p <= T(0.75) ? erf_inverse_near_zero(2 * p - 1) : erfc_inverse(2 * (1 - p)));
}
template <class T>
T ndtr(T x) {
    return erfc(-x / root_of_two<T>()) / 2;
}

template <class T>
T gelu(T x) {
    if (is_infinite(x)) return x > 0 ? x : T(0);
    return x * ndtr(x);
}

template <class T>
T gelu_tanh(T x) {
    static const T scale = sqrt(8 / pi<T>()), cubic = T(44715) / 1000000;
    if (is_infinite(x)) return x > 0 ? x : T(0);
    return x / (1 + exp(-scale * (x + cubic * x * x * x)));
}

template <class T>
T logit(T x) {
    return x > T(0.25) && x < T(0.75) ? log1p((2 * x - 1) / (1 - x)) : log(x / (1 - x));
}

template <class T>
T sinc(T x) {
    T turn = x - 2 * rint(x / 2);
    if (fabs(turn) > T(0.5)) turn = copysign(1 - fabs(turn), turn);
    return x == 0 ? T(1) : sin(pi<T>() * turn) / (pi<T>() * x);
}

/// The asymptotic series behind a recurrence that leads far enough to the right.
template <class T>
T digamma_of_positive(T x) {
    static const T bernoulli[] = {T(1) / 6,
                                  T(-1) / 30,
                                  T(1) / 42,
                                  T(-1) / 30,
                                  T(5) / 66,
                                  T(-691) / 2730,
                                  T(7) / 6,
                                  T(-3617) / 510,
                                  T(43867) / 798,
                                  T(-174611) / 330,
                                  T(854513) / 138,
                                  T(-236364091) / 2730,
                                  T(8553103) / 6,
                                  T(-23749461029) / 870,
                                  T(8615841276005) / 14322};
    T sum = 0;
    for (const T least = sizeof(T) > 8 && !std::is_same_v<T, long double> ? 60 : 25; x < least; x += 1) sum -= 1 / x;
    const T square = 1 / (x * x);
    T series = 0;
    for (int k = 14; k >= 0; --k) series = (series + bernoulli[k] / (2 * k + 2)) * square;
    return sum + log(x) - 1 / (2 * x) - series;
}
template <class T>
T digamma(T x) {
    if (x > 0) return is_infinite(x) ? x : digamma_of_positive(x);
    if (x == 0) return -1 / x;
    const T part = x - rint(x);
    if (!(part != 0) || part != part) return log(T(-1));
    return digamma_of_positive(1 - x) - pi<T>() / tan(pi<T>() * part);
}

/// By the power series, whose terms are all positive, or Hankel's where its terms become small enough.
template <class T>
T bessel_i(int order, T v) {
    const T x = fabs(v), least = power_of_two<T>(-120);
    if (is_infinite(x) || x != x) return order == 0 ? x : v;
    T term = 1, sum = 1;
    if (x < 60) {
        for (int k = 1; k < 300 && term > sum * least; ++k) sum += term *= x * x / 4 / (T(k) * (k + order));
        return order == 0 ? sum : sum * v / 2;
    }
    for (int k = 1; k < 100 && fabs(term) > least; ++k)
        sum += term *= T((2 * k - 1) * (2 * k - 1) - 4 * order) / (8 * k * x);
    const T half = exp(x / 2), size = half * (sum / sqrt(2 * pi<T>() * x)) * half;
    return order == 0 ? size : copysign(size, v);
}

/// About how far Bessel functions of the first kind swing.
template <class T>
T bessel_height(T x) {
    return fabs(x) > 1 ? sqrt(1 / fabs(x)) : T(1);
}

template <class T>
T log_add_exp(T x, T y) {
    if (x == y) return x + log(T(2));
    return x > y ? x + log1p(exp(y - x)) : y + log1p(exp(x - y));
}
template <class T>
T log_add_exp2(T x, T y) {
    if (x == y) return x + 1;
    return (x > y ? x : y) + log1p(exp2(x > y ? y - x : x - y)) / log(T(2));
}

template <class T>
T log_beta(T x, T y) {
    return lgamma(x) + lgamma(y) - lgamma(x + y);
}

}  // namespace wide
