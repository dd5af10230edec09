// Runs a prepared plan for a collected program and places what it stores.
#pragma once

#include <cstddef>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/runtime/memory/memory_pool.hpp>

namespace sinter::inline SINTER_ABI::runtime {

class plan_ref;
struct program;
struct value;

/// Tells a value where a plan that has run stored it, as root of this number; `fresh` is what the run allocated, after
/// so many inputs.
void place_root(value& v, const plan_ref& plan, std::size_t number, codegen::sequence<buffer_ref>& fresh,
                std::size_t inputs);

/// Runs the plan; then the roots are stored, and still have their statements.
void run_plan(program& p, const plan_ref& plan);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/lazy/run_plan.ipp>
#endif
