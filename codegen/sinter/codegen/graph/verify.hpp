// Whether a graph is well-formed.
#pragma once

#include <sinter/codegen/base/layout.hpp>

namespace sinter::inline SINTER_ABI::codegen {

class graph;

/// Throws internal_error naming the node when an invariant of the representation does not hold.
void verify(const graph& g);

/// Whether every element a layout names lies inside an array of `size` elements.
bool stays_inside(const layout& l, std::int64_t size);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/graph/verify.ipp>
#endif
