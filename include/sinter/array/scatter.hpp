// Values combined with elements at index arrays, as statements; must not know masks.
#pragma once

#include <sinter/array/record.hpp>

namespace sinter::inline SINTER_ABI::detail {

struct selection;

/// The base with values combined with what stands at an index, duplicates in order; positions are checked when it is
/// read.
handle record_scatter(const codegen::call_info& how, const handle& base, const selection& s, const handle& value);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/array/scatter.ipp>
#endif
