// How a graph is printed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::codegen {

enum class reduction : std::uint8_t;
struct graph;
using node_id = std::uint32_t;

/// Name of a reduction, as users call it.
std::string_view to_string(reduction how);

/// Name of the scan that keeps a reduction's partial results, as users call it: cumsum of sum; "none" where there is
/// none.
std::string_view running_name(reduction how);

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
