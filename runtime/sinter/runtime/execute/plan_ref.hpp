// A counted hold on a plan that is ready to run; must not know what is in it.
#pragma once

#include <sinter/runtime/base/counted_ref.hpp>

namespace sinter::inline SINTER_ABI::runtime {

struct prepared_plan;

/// A plan as values and tables hold it; the last to let go of it frees it.
using plan_ref = counted_ref<prepared_plan>;
void hold(const prepared_plan& p) noexcept;
void let_go(const prepared_plan& p) noexcept;

}  // namespace sinter::inline SINTER_ABI::runtime
