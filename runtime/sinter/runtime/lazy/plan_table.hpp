// Remembers the plans of programs that ran before; must not know how a plan is made or run.
#pragma once

#include <sinter/runtime/execute/prepared_plan.hpp>

#include <string>

namespace sinter::inline SINTER_ABI::runtime {

struct program;

/// The plan of a collected program when it ran before, or nothing.
plan_ref find_plan(const program& p);

/// All that a plan depends on, of a program's graph: programs that are written differently may have the same.
std::string plan_key(const program& p, const codegen::graph& g, device where);
/// The plan of this key, from now on the program's too, or nothing.
plan_ref find_plan(const program& p, const std::string& key);
/// Keeps a plan for both.
plan_ref remember_plan(const program& p, const std::string& key, plan_ref plan);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/lazy/plan_table.ipp>
#endif
