// What the texts of sorting share in both languages; must not know how rows are sorted.
#pragma once

#include <sinter/codegen/ops/dtype.hpp>
#include <string>
#include <string_view>

namespace sinter::inline SINTER_ABI::codegen {

/// Element type and, of floating types, its bits in an unsigned number that orders as the elements do.
std::string sort_element_text(dtype t, const std::string& marker);

/// The same, and the digits of what orders.
std::string sort_digit_text(dtype t, const std::string& marker);

/// One of two texts that are written as one: of lines that begin with @ or ~, and of what stands between both in a
/// line, what is for positions or for values.
std::string sort_variant(std::string_view text, bool positions);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/sort/order_text.ipp>
#endif
