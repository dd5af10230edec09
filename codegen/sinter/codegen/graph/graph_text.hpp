// How a graph is printed.
#pragma once

#include <cstdint>
#include <string>
#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::codegen {

class graph;
using node_id = std::uint32_t;

/// The program as text, one node a line: `%3 = multiply(%1, %2) : float32 (4, 5)`.
std::string to_text(const graph& g);
/// The line of one value.
std::string to_text(const graph& g, node_id id);

/// The operation of a node, without what it works on.
std::string operation_text(const graph& g, node_id id);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/graph/graph_text.ipp>
#endif
