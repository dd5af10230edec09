// The way of a statement alone over stored values whose plan ran lately: no graph, no table, no collected program.
#pragma once

#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::runtime {

struct expression_form;
struct hot_plan;
struct value;

/// Whether a value is computed by its own statement from memory alone, and how says all about its plan but the layouts.
bool may_be_hot(const value& v);

/// Computes such a value if its plan is at hand; false where it is not.
bool run_hot(value& v);

/// What a value's plan depends on, without the plan.
hot_plan hot_plan_of(const value& v);

/// Remembers the plan that a program of this value alone has just had; its slots are those that collecting gave out.
void remember_hot(const expression_form& form, hot_plan&& h);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/lazy/hot_plan.ipp>
#endif
