// Places what a plan has stored: its inputs' memory before a run, the roots after it.
#pragma once

#include <sinter/runtime/execute/plan_ref.hpp>
#include <sinter/codegen/base/sequence.hpp>

namespace sinter::inline SINTER_ABI::runtime {

class stream_work;
struct launched_check;
struct program;

/// Adds the addresses of a program's inputs to its data, and tells work of other streams what happens to them.
void use_inputs(program& p, stream_work& order);

/// Tells the roots of a program where its plan has stored them; they still have their statements.
void place_roots(program& p, const plan_ref& plan, const codegen::sequence<launched_check>& checks);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/lazy/place.ipp>
#endif
