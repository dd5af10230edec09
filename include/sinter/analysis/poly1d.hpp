// A polynomial as a value: its coefficients, arithmetic, derivatives, roots and text.
#pragma once

#include <sinter/analysis/polynomial_algebra.hpp>
#include <sinter/analysis/polynomials.hpp>
#include <sinter/codegen/ops/ieee.hpp>

#include <complex>
#include <initializer_list>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

namespace detail {

/// numpy.poly1d's text: powers in a line of their own above the coefficients.
std::string polynomial_text(const std::vector<std::complex<double>>& coefficients, const std::string& variable);

}  // namespace detail

/// A polynomial with coefficients of T, the highest power first (numpy.poly1d): `poly1d<double> p{1, 2, 3}`,
/// `poly1d(c)` of a vector, `poly1d(r, true)` of the polynomial with such roots. Leading zeros are left out, for which
/// the coefficients are read. Throws shape_error for more than one axis.
template <class T>
class poly1d {
public:
    poly1d() : poly1d(std::initializer_list<T>{}) {}
    poly1d(std::initializer_list<T> c) : poly1d(asarray(c)) {}
    template <expression E>
    explicit poly1d(const E& c_or_r, bool r = false, std::string variable = "x") : variable_(std::move(variable)) {
        array<T> c = r ? array<T>(astype<T>(poly(c_or_r))) : array<T>(atleast_1d(c_or_r));
        detail::require_coefficients("poly1d", c.shape());
        if (c.size() == 0) c = zeros<T>({1});
        coefficients_ = c(slice(detail::leading_zeros(c, 0), none));
    }

    /// The coefficients, the power of the first of them, and the roots (coeffs or c, order, roots).
    const array<T>& coeffs() const { return coefficients_; }
    const array<T>& c() const { return coefficients_; }
    std::int64_t order() const { return coefficients_.size() - 1; }
    array<std::complex<double>> roots() const { return sinter::roots(coefficients_); }
    const std::string& variable() const { return variable_; }
    /// The coefficient of a power, zero where there is none.
    T operator[](std::int64_t power) const {
        return power < 0 || power > order() ? T() : coefficients_.item(order() - power);
    }

    /// The value at x, an array or a number, as polyval gives it; of another polynomial the composition of both.
    template <detail::operand X>
    auto operator()(const X& x) const {
        return polyval(coefficients_, x);
    }
    template <class U>
    auto operator()(const poly1d<U>& inner) const {
        using R = result_type_t<T, U>;
        poly1d<R> value;
        for (std::int64_t k = order(); k >= 0; --k)
            value = value * inner + poly1d<R>(array<R>(coefficients_(slice(order() - k, order() - k + 1))));
        return value;
    }

    /// The m-th derivative, and the m-th integral with a constant k in each (deriv, integ).
    auto deriv(std::int64_t m = 1) const { return of(polyder(coefficients_, m)); }
    auto integ(std::int64_t m = 1, double k = 0) const { return of(polyint(coefficients_, m, k)); }
    template <detail::scalar_operand S>
    auto integ(std::int64_t m, std::initializer_list<S> k) const {
        return of(polyint(coefficients_, m, k));
    }

    poly1d operator-() const { return of(array<T>(-coefficients_)); }

    /// A polynomial of other coefficients in the same variable.
    template <class U>
    poly1d<U> of(const array<U>& coefficients) const {
        return poly1d<U>(coefficients, false, variable_);
    }

private:
    array<T> coefficients_;
    std::string variable_ = "x";
};

template <expression E>
poly1d(const E&) -> poly1d<value_type_t<E>>;
template <expression E>
poly1d(const E&, bool) -> poly1d<value_type_t<decltype(poly(std::declval<E>()))>>;
template <expression E>
poly1d(const E&, bool, std::string) -> poly1d<value_type_t<decltype(poly(std::declval<E>()))>>;

/// Derivatives and integrals of polynomials, and their values (numpy.polyder, numpy.polyint, numpy.polyval).
template <class T>
auto polyder(const poly1d<T>& p, std::int64_t m = 1) {
    return p.deriv(m);
}
template <class T>
auto polyint(const poly1d<T>& p, std::int64_t m = 1) {
    return p.integ(m);
}
template <class T, detail::scalar_operand S>
auto polyint(const poly1d<T>& p, std::int64_t m, std::initializer_list<S> k) {
    return p.integ(m, k);
}
template <class T, class X>
    requires requires(const poly1d<T>& p, const X& x) { p(x); }
auto polyval(const poly1d<T>& p, const X& x) {
    return p(x);
}

/// Sums, differences and products of polynomials, and with numbers.
template <class A, class B>
auto operator+(const poly1d<A>& a, const poly1d<B>& b) {
    return a.of(polyadd(a.coeffs(), b.coeffs()));
}
template <class A, class B>
auto operator-(const poly1d<A>& a, const poly1d<B>& b) {
    return a.of(polysub(a.coeffs(), b.coeffs()));
}
template <class A, class B>
auto operator*(const poly1d<A>& a, const poly1d<B>& b) {
    return a.of(polymul(a.coeffs(), b.coeffs()));
}
#define SINTER_POLYNOMIAL_AND_NUMBER(symbol)             \
    template <class T, detail::scalar_operand S>         \
    auto operator symbol(const poly1d<T>& a, S b) {      \
        return a symbol a.of(array<S>(full<S>({1}, b))); \
    }                                                    \
    template <class T, detail::scalar_operand S>         \
    auto operator symbol(S a, const poly1d<T>& b) {      \
        return b.of(array<S>(full<S>({1}, a))) symbol b; \
    }
SINTER_POLYNOMIAL_AND_NUMBER(+)
SINTER_POLYNOMIAL_AND_NUMBER(-)
SINTER_POLYNOMIAL_AND_NUMBER(*)
#undef SINTER_POLYNOMIAL_AND_NUMBER

/// Quotient and rest, and the quotient by a number (numpy.poly1d's /).
template <class A, class B>
auto operator/(const poly1d<A>& a, const poly1d<B>& b) {
    auto [q, r] = polydiv(a.coeffs(), b.coeffs());
    return std::pair(a.of(q), a.of(r));
}
template <class T, detail::scalar_operand S>
auto operator/(const poly1d<T>& a, S b) {
    using R = value_type_t<decltype(a.coeffs() / b)>;
    return a.of(array<R>(a.coeffs() / b));
}

/// A whole power; throws value_error for a negative one.
template <class T>
poly1d<T> pow(const poly1d<T>& p, std::int64_t power) {
    if (power < 0) throw value_error("[poly1d] the power is negative: " + std::to_string(power));
    poly1d<T> r = p.of(array<T>(ones<T>({1})));
    for (; power > 0; --power) r = r * p;
    return r;
}

template <class A, class B>
bool operator==(const poly1d<A>& a, const poly1d<B>& b) {
    return array_equal(a.coeffs(), b.coeffs());
}

/// NumPy's text of a polynomial, in two lines.
template <class T>
std::string str(const poly1d<T>& p) {
    std::vector<std::complex<double>> numbers;
    for (const T& v : to_vector(p.coeffs())) {
        if constexpr (codegen::is_complex(dtype_of<T>)) numbers.emplace_back(std::complex<double>(v));
        else numbers.emplace_back(static_cast<double>(v));
    }
    return detail::polynomial_text(numbers, p.variable());
}
template <class T>
std::ostream& operator<<(std::ostream& out, const poly1d<T>& p) {
    return out << str(p);
}

}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END

#if SINTER_HEADER_ONLY
#include <sinter/analysis/poly1d.ipp>
#endif
