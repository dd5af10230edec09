// How many equal bins suit a vector, by rules that statisticians have given; must not know how bins are counted.
#pragma once

#include <sinter/analysis/quantiles.hpp>
#include <sinter/codegen/base/span.hpp>

#include <string_view>

namespace sinter::inline SINTER_ABI::detail {

/// The number of bins between two ends by a rule of numpy.histogram_bin_edges, of a vector's elements, those within a
/// range where there is one; 1 where there are none. Reads what the rule needs; throws value_error for other rules.
std::int64_t bins_by_rule(std::string_view rule, const handle& x, codegen::span<const double> range, double low,
                          double high);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/analysis/bin_rules.ipp>
#endif
