// What a kernel's text declares before its functions; must not know what the kernel does with it.
#pragma once

#include <sinter/codegen/print/language.hpp>
#include <sinter/codegen/schedule/kernel.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace sinter::inline SINTER_ABI::codegen {

/// Declarations and scalar functions that the body, the reductions and the conversions of a kernel use.
std::string prelude_text(const kernel& k, language to);

/// Lines of a kernel's text, and those of them that are of its scalar functions.
struct line_counts {
    std::ptrdiff_t all, of_functions;
};
line_counts count_lines(std::string_view text);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/prelude.ipp>
#endif
