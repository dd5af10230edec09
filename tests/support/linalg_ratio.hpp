// LAPACK's own measure of factorisations, residuals over what rounding may cost, and the kinds of matrices that it
// takes; must not know which factorisations there are.
#pragma once

#include <cmath>
#include <complex>
#include <limits>
#include <sinter/sinter.hpp>
#include <vector>

#include "backends.hpp"

namespace linalg_ratio {

using namespace sinter;

using wide = std::complex<double>;

inline constexpr double threshold = 30;

enum class spectrum { flat, moderate, ill, near_overflow, near_underflow, deficient, zero };
inline constexpr spectrum all_spectra[] = {spectrum::flat,          spectrum::moderate,       spectrum::ill,
                                           spectrum::near_overflow, spectrum::near_underflow, spectrum::deficient,
                                           spectrum::zero};
inline constexpr const char* names[] = {
    "condition 1", "condition 10", "condition 1/eps", "near overflow", "near underflow", "rank deficient", "zero"};

template <class T>
using real_of = typename linalg::detail::real_part<T>;

template <class T>
double epsilon() {
    return std::numeric_limits<real_of<T>>::epsilon();
}

// What a matrix of a kind is multiplied by at the end.
template <class T>
double scale_of(spectrum s) {
    using R = real_of<T>;
    const double small = std::numeric_limits<R>::min() / std::numeric_limits<R>::epsilon() / 0.25;
    return s == spectrum::near_overflow ? 1 / small : s == spectrum::near_underflow ? small : 1;
}

inline std::vector<double> singular_values(spectrum s, std::int64_t k, double eps) {
    std::vector<double> d(static_cast<std::size_t>(k), 1.0);
    for (std::int64_t i = 0; i < k; ++i) {
        double& x = d[static_cast<std::size_t>(i)];
        const double part = k > 1 ? static_cast<double>(i) / static_cast<double>(k - 1) : 0;
        if (s == spectrum::moderate || s == spectrum::near_overflow || s == spectrum::near_underflow)
            x = std::pow(10.0, -part);
        if (s == spectrum::ill) x = std::pow(0.1 / eps, -part);
        if (s == spectrum::deficient) x = i >= (k + 1) / 2 ? 0 : std::pow(10.0, -part);
        if (s == spectrum::zero) x = 0;
    }
    return d;
}

// A reproducible unit vector.
inline std::vector<wide> direction(std::int64_t n, unsigned seed, bool is_complex) {
    std::vector<wide> v(static_cast<std::size_t>(n));
    double sum = 0;
    auto next = [&] { return ((seed = seed * 1664525u + 1013904223u) >> 8) / double(1 << 24) - 0.5; };
    for (wide& x : v) {
        x = {next(), is_complex ? next() : 0.0};
        sum += std::norm(x);
    }
    for (wide& x : v) x /= std::sqrt(sum > 0 ? sum : 1);
    return v;
}

// (1 - 2uu') D (1 - 2vv'), m rows and n columns, with these singular values; Hermitian and positive where v is u.
template <class T>
array<T> matrix(std::int64_t m, std::int64_t n, spectrum s, bool positive = false) {
    constexpr bool is_complex = codegen::is_complex(dtype_of<T>);
    const std::int64_t k = std::min(m, n);
    const std::vector<double> d = singular_values(s, k, epsilon<T>());
    const std::vector<wide> u = direction(m, 1, is_complex), v = positive ? u : direction(n, 2, is_complex);
    std::vector<T> elements(static_cast<std::size_t>(m * n));
    wide udv = 0;
    for (std::int64_t i = 0; i < k; ++i) udv += std::conj(u[std::size_t(i)]) * d[std::size_t(i)] * v[std::size_t(i)];
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
            auto ii = static_cast<std::size_t>(i), jj = static_cast<std::size_t>(j);
            wide x = i == j ? d[ii] : 0.0;
            if (j < k) x -= 2.0 * u[ii] * std::conj(u[jj]) * d[jj];
            if (i < k) x -= 2.0 * d[ii] * v[ii] * std::conj(v[jj]);
            x += 4.0 * u[ii] * udv * std::conj(v[jj]);
            if (positive && i == j) x = x.real();
            x *= scale_of<T>(s);
            if constexpr (is_complex) elements[ii * static_cast<std::size_t>(n) + jj] = T(x);
            else elements[ii * static_cast<std::size_t>(n) + jj] = static_cast<T>(x.real());
        }
    return array<T>(detail::store(dtype_of<T>, {m, n}, elements.data()));
}

template <expression E>
array<wide> widened(const E& e, double divisor = 1) {
    return astype<wide>(e) / wide(divisor);
}

template <expression E>
double norm1(const E& e) {
    if (e.size() == 0) return 0;
    return max(sum(abs(e), 0)).item();
}

template <expression E>
array<value_type_t<E>> adjoint(const E& e) {
    return conj(e).mT();
}

// ‖residual‖ / (n ‖a‖ eps), as LAPACK's tests count.
template <class T, expression E, expression A>
double ratio(const E& residual, const A& a, std::int64_t n) {
    const double top = norm1(residual), bottom = norm1(a);
    if (top == 0) return 0;
    return bottom == 0 ? 1 / epsilon<T>() : top / bottom / (static_cast<double>(n) * epsilon<T>());
}

// ‖q' q - 1‖ / (n eps)
template <class T, expression Q>
double orthogonality(const Q& q) {
    array<wide> w = widened(q);
    const std::int64_t k = q.shape()[1], n = q.shape()[0];
    if (q.size() == 0) return 0;
    return norm1(matmul(adjoint(w), w) - eye<wide>(k)) / (static_cast<double>(n) * epsilon<T>());
}

/// The body for an element of each type that LAPACK has.
template <class Body>
void for_each_type(Body body) {
    test_backends::on_compiling_backends([&](const test_backends::tested_backend&) {
        body(float());
        body(double());
        body(std::complex<float>());
        body(wide());
    });
}

}  // namespace linalg_ratio
