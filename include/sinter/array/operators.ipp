// Bodies of operators.hpp.
#pragma once

#include <sinter/array/operators.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE codegen::scalar_value compute_scalar(op o, dtype common, const codegen::scalar_value* args) {
    codegen::scalar_value converted[3], result;
    const void* from[3];
    const std::int64_t steps[3] = {};
    for (int i = 0; i < codegen::info(o).arity; ++i) {
        converted[i].type = codegen::operand_type(o, i, common);
        codegen::convert(args[i].type, converted[i].type, args[i].bytes, converted[i].bytes, 1);
        from[i] = converted[i].bytes;
    }
    if (o == op::power && codegen::is_integer(common)) require_natural_exponent(converted[1]);
    result.type = codegen::result_type(o, common);
    codegen::apply(o, common, from, steps, result.bytes, 1);
    return result;
}

}  // namespace sinter::inline SINTER_ABI::detail
