// What the expressions of makers.def and uses.def are written with.
#pragma once

#include <sinter/fft.hpp>
#include <sinter/linalg.hpp>
#include <sinter/special.hpp>
#include <sinter/sinter.hpp>

#include <algorithm>
#include <tuple>
#include <vector>

#include "table.hpp"

namespace matrix {

using namespace sinter;

SINTER_FUNCTION(bent, (auto a, auto b) { return a < b ? b - a : (a - b) / 2; })
SINTER_FUNCTION(larger_float, (float a, float b)->float { return a < b ? b : a; })
SINTER_FUNCTION(larger_double, (double a, double b)->double { return a < b ? b : a; })
SINTER_FUNCTION(mirrored_float, (long i, array_view<float, 1> x)->float { return x(x.shape(0) - 1 - i) + i % 3; })
SINTER_FUNCTION(mirrored_double, (long i, array_view<double, 1> x)->double { return x(x.shape(0) - 1 - i) + i % 3; })

/// A function that combines elements says which type they have.
template <class T>
inline constexpr auto larger = [] {
    if constexpr (std::is_same_v<T, float>) return larger_float;
    else return larger_double;
}();

template <class T>
array<T> mirrored(const array<T>& x) {
    if constexpr (std::is_same_v<T, float>) return map_index(dims(x.size()), mirrored_float, ravel(x));
    else return map_index(dims(x.size()), mirrored_double, ravel(x));
}

template <class T>
array<std::int64_t> places(const array<T>& x) {
    const std::int64_t n = x.shape(0);
    return (arange(n + 2) * 7 + 3) % std::max<std::int64_t>(n, 1);
}

template <class T>
array<T> few(const array<T>& x) {
    return x.ndim() ? std::as_const(x)(slice(0, 5)) : x;
}

template <class T>
array<T> first_line(const array<T>& x) {
    return ravel(x)(slice(0, 300));
}

/// A vector that is made a matrix has as many elements as that matrix has rows.
template <class T>
array<T> no_long_vector(const array<T>& x) {
    return x.ndim() == 1 ? first_line(x) : x;
}

/// Of five rows, far from singular.
template <class T>
array<T> square_of(const array<T>& x) {
    array<T> some = take(ravel(x), arange(25) % std::max<std::int64_t>(x.size(), 1));
    return reshape(some, {5, 5}) / 8 + eye<T>(5) * 8;
}

template <class T>
array<T> symmetric_of(const array<T>& x) {
    array<T> s = square_of(x);
    return s + s.T();
}

template <class T>
array<T> stack_of_squares(const array<T>& x) {
    array<T> s = square_of(x);
    return stack(std::tuple(s, s + eye<T>(5), s * 2));
}

template <class T>
array<T> drawn_from_many(const array<T>& x) {
    random::generator g(11);
    const dims s = x.shape();
    return g.uniform<T>(-1, 1, s) + g.standard_normal<T>(s) + g.lognormal<T>(0, 1, s) + g.standard_exponential<T>(s) +
           g.laplace<T>(0, 1, s) + g.logistic<T>(0, 1, s) + g.gumbel<T>(0, 1, s) + g.rayleigh<T>(1, s) +
           g.weibull<T>(2, s);
}

template <class T>
array<T> drawn_from_others(const array<T>& x) {
    random::generator g(12);
    const dims s = x.shape();
    return g.standard_gamma<T>(2, s) + g.gamma<T>(2, 3, s) + g.chisquare<T>(3, s) + g.standard_t<T>(4, s) +
           g.beta<T>(2, 3, s) + g.triangular<T>(0, 1, 2, s) + g.pareto<T>(3, s) +
           astype<T>(g.binomial(9, 0.3, s) + g.geometric(0.4, s) + g.randint(0, 5, s)) +
           clip(g.standard_cauchy<T>(s) + g.cauchy<T>(0, 1, s), T(-9), T(9));
}

template <class T>
array<T> drawn_from_rarer(const array<T>& x) {
    random::generator g(13);
    const dims s = x.shape();
    return g.power<T>(3, s) + g.vonmises<T>(1, 2, s) + g.wald<T>(2, 3, s) + g.f<T>(5, 9, s) +
           g.noncentral_chisquare<T>(3, 2, s) + g.noncentral_f<T>(3, 7, 2, s) +
           astype<T>(g.negative_binomial(3, 0.4, s) + g.hypergeometric(9, 6, 5, s) + g.zipf(3, s) +
                     g.logseries(0.6, s));
}

/// An array or expression as elements of T.
template <class T, expression E>
handle value_of(const E& e) {
    if constexpr (codegen::is_complex(dtype_of<value_type_t<E>>)) return array<T>(astype<T>(real(e))).get_handle();
    else return array<T>(astype<T>(e)).get_handle();
}

template <expression E>
std::vector<handle> results_of(const E& e) {
    return {array<value_type_t<E>>(e).get_handle()};
}

template <expression... E>
std::vector<handle> results_of(const std::tuple<E...>& all) {
    return std::apply(
        [](const auto&... e) { return std::vector<handle>{array<value_type_t<decltype(e)>>(e).get_handle()...}; }, all);
}

}  // namespace matrix
