// Remembers the plans of programs that ran before; must not know how a plan is made or run.
#pragma once

#include <sinter/runtime/execute/execute.hpp>

namespace sinter::inline SINTER_ABI::runtime {

struct program;

/// The plan of a collected program when it ran before, or nothing.
plan_ref find_plan(const program& p);

/// The plan of a program from its graph, kept for find_plan. Throws what planning and compiling throw.
plan_ref prepare(const program& p, const codegen::graph& g, device where);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/lazy/plan_table.ipp>
#endif
