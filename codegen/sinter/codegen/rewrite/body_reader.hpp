// Reads statements of straight-line functions, with variables and branches.
#pragma once

#include <cstddef>
#include <sinter/codegen/base/span.hpp>
#include <sinter/codegen/graph/graph.hpp>

namespace sinter::inline SINTER_ABI::codegen {

struct definition;

/// The results of a function, whose operations are added to the graph; `reads` counts what functions and constants that
/// it uses have been read. Throws not_lowered.
sequence<node_id> results_of(graph& g, const definition& function, span<const node_id> arguments, std::size_t& reads);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/rewrite/body_reader.ipp>
#endif
