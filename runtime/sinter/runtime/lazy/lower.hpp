// Makes a graph of a collected program.
#pragma once

#include <sinter/codegen/graph/graph.hpp>

namespace sinter::inline SINTER_ABI::runtime {

struct program;

/// The program as a graph, whose scalars are the program's.
codegen::graph lower(program& p);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/lazy/lower.ipp>
#endif
