// Executes a prepared plan: memory for its slots, arguments for its launches, and the steps in order.
#pragma once

#include <sinter/codegen/base/span.hpp>
#include <sinter/runtime/execute/prepared_plan.hpp>

#include <string>

namespace sinter::inline SINTER_ABI::runtime {

/// Appends what a run of a plan allocates to `fresh`, and its addresses to `data`, which has those of the inputs.
void allocate(const prepared_plan& r, codegen::sequence<void*>& data, codegen::sequence<buffer_ref>& fresh);

/// Whether anything shows labels of steps now.
bool uses_labels();

/// Runs steps of a plan, all in order, which may be replayed, or some of them, with the addresses of its inputs and of
/// what it allocates and the program's scalars; what a replayed plan holds on to is appended to `fresh`.
/// Labels, by step, name the events of a timeline, ranges of NVTX and what SINTER_SHOW=launch prints. Throws
/// index_error on the host when an index is out of range; a GPU's are checked later, see index_errors.hpp.
void execute(const prepared_plan& r, codegen::span<const codegen::step> steps, const codegen::sequence<void*>& data,
             const codegen::sequence<codegen::scalar_value>& scalars, codegen::sequence<buffer_ref>& fresh,
             codegen::sequence<launched_check>& checks, codegen::span<const std::string> labels = {});

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/execute/execute.ipp>
#endif
