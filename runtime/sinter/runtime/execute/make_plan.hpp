// From a graph to a plan that is ready to run: simplified, fused, scheduled, compiled, its memory assigned.
#pragma once

#include <sinter/runtime/execute/prepared_plan.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// A graph planned for a device: its kernels compiled, its memory assigned. `consumable` are inputs whose memory may be
/// reused, by number; plans of steps keep numbers in memory, see replay_scope. Throws what planning and compiling
/// throw.
plan_ref make_plan(const codegen::graph& program, const codegen::sequence<bool>& consumable, bool of_step,
                   device where);

/// A program as plans for a device are made from it.
codegen::graph simplified(const codegen::graph& program, device where);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/execute/make_plan.ipp>
#endif
