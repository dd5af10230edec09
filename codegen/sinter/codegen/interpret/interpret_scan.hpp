// How the interpreter scans along an axis in the orders of reduce_tree.hpp.
#pragma once

#include <sinter/codegen/graph/graph.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// A scan node's value.
void scan(const reduce_info& how, const node& operand, const void* in, const node& result, void* out);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/interpret/interpret_scan.ipp>
#endif
