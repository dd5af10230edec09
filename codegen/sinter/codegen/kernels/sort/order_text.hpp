// What the texts of sorting share in both languages; must not know how rows are sorted.
#pragma once

#include <sinter/codegen/ops/dtype.hpp>
#include <string>

namespace sinter::inline SINTER_ABI::codegen {

/// The highest bit of a real type as a number of its width, without brackets.
std::string sign_bit_text(dtype t);

/// Element type and, of floating types, its bits in an unsigned number that orders as the elements do; `function` is
/// what a function of the language begins with.
std::string sort_element_text(dtype t, const std::string& function);

/// The same, and the digits of what orders.
std::string sort_digit_text(dtype t, const std::string& function);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/sort/order_text.ipp>
#endif
