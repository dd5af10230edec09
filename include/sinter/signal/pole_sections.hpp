// A denominator parted into sections of at most two poles, in more digits than double has; must not know signals.
#pragma once

#include <optional>
#include <sinter/codegen/base/config.hpp>
#include <vector>

namespace sinter::inline SINTER_ABI::signal::detail {

/// What filters are computed with on the host.
using wide_numbers = std::vector<long double>;

/// Sections one after the other, each with as many numbers in its numerator as in its denominator, whose first is 1.
struct filter_section {
    wide_numbers b, a;
};
using filter_sections = std::vector<filter_section>;

/// As many coefficients has a denominator that is parted: the time grows by their cube.
inline constexpr std::size_t most_parted = 49;

/// Sections without zeros whose product is `scale`, a power of two, divided by 1 + a[1] z^-1 + …: each passes what it
/// passes best at about its height, and those with the longest memory are last. Nothing where the poles are not found,
/// of more coefficients or of some that are not finite.
///
/// The poles are the eigenvalues of the companion matrix by the QR algorithm with two shifts (Golub and Van Loan,
/// Matrix Computations, 7.5), of which pairs stay pairs, so that nothing is complex.
struct pole_sections {
    filter_sections sections = {};
    long double scale = 1;
};
std::optional<pole_sections> pole_sections_of(const wide_numbers& a);

/// The sum of numbers with cancellation.
long double exact_sum(const wide_numbers& v);

}  // namespace sinter::inline SINTER_ABI::signal::detail

#if SINTER_HEADER_ONLY
#include <sinter/signal/pole_sections.ipp>
#endif
