// A recursive filter of many coefficients parted into sections of at most two poles; must not know signals.
#pragma once

#include <optional>
#include <sinter/signal/polynomial_factors.hpp>

namespace sinter::inline SINTER_ABI::signal::detail {

/// Sections one after the other, each with as many numbers in its numerator as in its denominator, whose first is 1.
struct filter_section {
    wide_numbers b, a;
};
using filter_sections = std::vector<filter_section>;

/// What b and a make of a signal: its convolution with `taps`, and what `sections` make of that. Each section passes
/// what it passes best at about its height, has the zeros that are nearest to its poles, and those with the longest
/// memory are last. `poles` are the same sections without zeros, whose product is `scale`, a power of two, divided by
/// the denominator.
struct parted_filter {
    wide_numbers taps = {};
    filter_sections sections = {}, poles = {};
    long double scale = 1;
};
/// Nothing where the poles are not found.
std::optional<parted_filter> part(const filter_section& s);

}  // namespace sinter::inline SINTER_ABI::signal::detail

#if SINTER_HEADER_ONLY
#include <sinter/signal/parted_filter.ipp>
#endif
