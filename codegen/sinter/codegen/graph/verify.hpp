// Whether a graph is well-formed.
#pragma once

#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::codegen {

class graph;

/// Throws internal_error naming the node when an invariant of the representation does not hold.
void verify(const graph& g);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/graph/verify.ipp>
#endif
