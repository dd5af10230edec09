// Remembers the plans of programs that ran before; must not know how a plan is made or run.
#pragma once

#include <sinter/runtime/execute/prepared_plan.hpp>

#include <string>

namespace sinter::inline SINTER_ABI::runtime {

struct program;

/// Kernels beyond which the plans that have not run for longest are forgotten, with the kernels of theirs alone: a
/// process may have 65,530 mappings of memory on Linux, of which a kernel of the host takes three or four.
inline constinit std::size_t most_loaded_kernels = 4096;

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
