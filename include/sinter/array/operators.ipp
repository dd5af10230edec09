// Bodies of operators.hpp.
#pragma once

#include <sinter/array/operators.hpp>
#include <sinter/codegen/rewrite/folding.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE codegen::scalar_value compute_scalar(op o, dtype common, const codegen::scalar_value* args) {
    if (o == op::power && codegen::is_integer(common)) {
        codegen::scalar_value exponent;
        exponent.type = common;
        codegen::convert(args[1].type, common, args[1].bytes, exponent.bytes, 1);
        require_natural_exponent(exponent);
    }
    return codegen::applied(o, common, args);
}

}  // namespace sinter::inline SINTER_ABI::detail
