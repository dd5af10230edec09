// What tells the texts of kernels apart; must not know the printers.
#pragma once

#include <sinter/codegen/schedule/kernel.hpp>

#include <string>

namespace sinter::inline SINTER_ABI::codegen {

/// Everything the text depends on, as bytes: two kernels with equal keys have equal text.
std::string key(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/schedule/kernel_key.ipp>
#endif
