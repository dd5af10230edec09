// Rewrites a graph into a smaller one of the same meaning; must not know plans, kernels or devices.
#pragma once

#include <sinter/codegen/graph/graph.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// The same roots, in order, over fewer and cheaper nodes; nothing is left that no root needs. Input slots stay; scalar
/// nodes keep their values under new slots.
///
/// Every result keeps its bits (NaNs stay NaNs), with one exception, which NumPy makes too: a power whose exponent is a
/// scalar or literal -1, -½, ½, 1, 2, 3 or 4 becomes reciprocal, rsqrt, sqrt, the base itself or products.
/// No other run-time scalar influences the result's structure. Literals fold where every backend computes the same
/// bits.
graph simplify(const graph& g);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/rewrite/simplify.ipp>
#endif
