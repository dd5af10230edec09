// Sums over axes of a few elements as additions; must not know plans, kernels or devices.
#pragma once

#include <sinter/codegen/graph/graph.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// The same roots, in order, where sums over up to `most` elements of outer products are additions of their slices, in
/// the order of the sum: every result keeps its bits. What reads such a sum then computes it where it needs it: its
/// operands are so much smaller that storing it would cost more.
///
/// An outer product is computed element by element from arrays that are each repeated along some axis that remains, as
/// the squares of all distances between points are.
graph unroll_sums(graph g, int most);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/rewrite/unroll.ipp>
#endif
