// Coefficients of recursive filters, read on the host, and what they make of a constant; must not know signals.
#pragma once

#include <sinter/signal/fast_convolution.hpp>
#include <sinter/signal/parted_filter.hpp>

namespace sinter::inline SINTER_ABI::signal::detail {

/// The one section of a transfer function, read from the device; throws value_error and shape_error.
filter_sections section_of(std::string_view operation, const handle& b, const handle& a);
/// Those of rows of six.
filter_sections sections_of(std::string_view operation, const handle& sos);
/// The state in which a constant 1 goes through a section unchanged in time; throws linalg_error where there is none.
std::vector<double> steady_state(std::string_view operation, const filter_section& s);
/// What becomes of a constant 1 that has been there for ever; throws linalg_error where it never comes to rest.
double steady_response(std::string_view operation, const filter_sections& f);

}  // namespace sinter::inline SINTER_ABI::signal::detail

#if SINTER_HEADER_ONLY
#include <sinter/signal/filter_coefficients.ipp>
#endif
