// What a kernel's text declares before its functions; must not know what the kernel does with it.
#pragma once

#include <sinter/codegen/print/language.hpp>
#include <sinter/codegen/schedule/kernel.hpp>

#include <string>

namespace sinter::inline SINTER_ABI::codegen {

/// Declarations and scalar functions that the body, the reductions and the conversions of a kernel use.
std::string prelude_text(const kernel& k, language to);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/prelude.ipp>
#endif
