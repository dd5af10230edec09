// The functions that users wrote, as text; must not know who calls them.
#pragma once

#include <sinter/codegen/print/language.hpp>
#include <sinter/codegen/schedule/kernel.hpp>

#include <string>

namespace sinter::inline SINTER_ABI::codegen {

/// What the functions that a kernel calls take from the rest of its prelude.
struct function_needs {
    sequence<std::string> scalars;  ///< functions of namespace scalar
    sequence<std::string> vectors;  ///< libm functions that the host calls in vector form
    bool has_complex = false;
};

/// The users' functions that a kernel calls and everything that they need, as text; empty without any.
std::string functions_text(const kernel& k, language to, function_needs& needs);

/// What NVRTC has to compile a kernel with: the options of the functions that it calls, all of which have the same, and
/// of fast mathematics.
sequence<std::string> options_of(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/function_text.ipp>
#endif
