// A polynomial parted into factors of at most two roots, in more digits than double has; must not know signals.
#pragma once

#include <sinter/codegen/base/config.hpp>
#include <vector>

namespace sinter::inline SINTER_ABI::signal::detail {

/// What filters are computed with on the host.
using wide_numbers = std::vector<long double>;

/// As many coefficients has a polynomial that is parted: the time grows by their cube.
inline constexpr std::size_t most_parted = 49;

/// Factors 1 + f[1] x + …, of one or two roots each, of the polynomial 1 + a[1] x + …; none of a constant. Throws
/// nothing: where a polynomial has too many coefficients, or some that are not finite, or its roots are not found,
/// `found` is false.
///
/// The reciprocal roots are the eigenvalues of the companion matrix by the QR algorithm with two shifts (Golub and Van
/// Loan, Matrix Computations, 7.5), of which pairs stay pairs, so that nothing is complex.
struct polynomial_factors {
    bool found = false;
    std::vector<wide_numbers> all = {};
};
polynomial_factors factors_of(const wide_numbers& a);

/// The sum of numbers with cancellation.
long double exact_sum(const wide_numbers& v);

}  // namespace sinter::inline SINTER_ABI::signal::detail

#if SINTER_HEADER_ONLY
#include <sinter/signal/polynomial_factors.ipp>
#endif
