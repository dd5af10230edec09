// Operands that are arrays, expressions or numbers.
#pragma once

#include <sinter/functions/creation.hpp>

namespace sinter::inline SINTER_ABI::detail {

template <class X>
handle as_operand_handle(const X& x) {
    if constexpr (expression<X>) return as_handle(x);
    else return record_scalar(number(x), {});
}

template <class X>
struct element_of_operand {
    using type = X;
};
template <expression X>
struct element_of_operand<X> {
    using type = value_type_t<X>;
};

}  // namespace sinter::inline SINTER_ABI::detail
