// The way of a statement alone over stored values whose plan ran lately: no graph, no table, no collected program.
#pragma once

#include <cstddef>
#include <sinter/runtime/execute/plan_ref.hpp>

namespace sinter::inline SINTER_ABI::runtime {

struct program;
struct value;

/// Whether a value is computed by its own statement from memory alone, and how says all about its plan but the layouts.
bool may_be_hot(const value& v);

/// The plan of such a value if it is at hand; then the program is that of this value alone. Else nothing.
plan_ref find_hot(value& v, program& p);

/// Remembers the plan that a program of this value alone has just had, over so many inputs; its slots are those that
/// collecting gave out.
void remember_hot(const value& v, const plan_ref& plan, std::size_t inputs);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/lazy/hot_plan.ipp>
#endif
