// Plans of several launches, with the copies and fills between them, as CUDA graphs: recorded for a set of buffers,
// changed where arguments differ, run at once.
#pragma once

#include <cstdint>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/codegen/graph/graph.hpp>
#include <sinter/runtime/memory/memory_pool.hpp>

namespace sinter::inline SINTER_ABI::codegen {
struct kernel;
}  // namespace sinter::inline SINTER_ABI::codegen

namespace sinter::inline SINTER_ABI::runtime {

/// While one lives, plans of several kernels that this thread runs on a CUDA device are launched as one recorded graph;
/// those of a step, whose numbers may be others in each call, find them in memory.
class replay_scope {
public:
    explicit replay_scope(bool of_step = false);
    ~replay_scope();
    replay_scope(const replay_scope&) = delete;
    replay_scope& operator=(const replay_scope&) = delete;
};

/// Whether this thread launches plans as recorded graphs.
bool& is_replaying();

/// Whether what this thread evaluates is a step; see replay_scope.
bool& is_step();

struct prepared_plan;
struct repetition;

/// Where a kernel's scalars, then its inverses, are among the step's; those that are new to it are appended.
codegen::sequence<std::uint32_t> places_of(prepared_plan& r, const codegen::kernel& k);

/// Gives a step's scalars, and the kernels that read them, memory.
void place_scalars(prepared_plan& r);

/// Takes the values that a step's scalars have in this run.
void bind_step_scalars(const prepared_plan& r, const codegen::sequence<codegen::scalar_value>& scalars);

/// Runs a plan as a recorded graph; what the graph holds on to is appended to `fresh`.
void replay(const prepared_plan& r, const codegen::sequence<void*>& data, codegen::sequence<buffer_ref>& fresh);

/// Whether a device could repeat a plan by itself: one of kernels and copies alone.
bool is_repeatable(const prepared_plan& r);

/// Lets the device run a plan again, with the arguments of its last run, as long as the condition holds, at most so
/// many times `how.at_once`; what it holds on to is appended to `fresh`. False where the driver refuses that; throws
/// device_error.
bool repeat(const prepared_plan& r, const codegen::sequence<void*>& data, const repetition& how, std::uint32_t most,
            codegen::sequence<buffer_ref>& fresh);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/execute/replay.ipp>
#endif
