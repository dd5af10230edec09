// Bodies of softmax.hpp.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/softmax.hpp>
#include <sinter/functions/term.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE handle record_counted(const handle& x, const handle& weights) {
    device_scope on(x->where);
    return choose_where(term(weights) == 0.0, constant_like(x, -codegen::ieee::infinity), x);
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
