// Compiler options of kernels that are given as text: which of them become part of the text, and which only NVRTC
// takes.
#pragma once

#include <sinter/codegen/base/sequence.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace sinter::inline SINTER_ABI::detail {

/// Options, read once for the process.
struct text_options {
    std::string key;                          ///< all of them, as they were given
    std::string before, after;                ///< directives around the text that they are for: -D and -U
    codegen::sequence<std::string> folders;   ///< of headers: -I
    codegen::sequence<std::string> of_nvrtc;  ///< what is left
};

/// Equal lists give the same object, which lives as long as the process; none for an empty list. Throws value_error for
/// what is no option, or lacks its value.
const text_options* find_text_options(const std::vector<std::string>& options);

/// A text with the headers of these folders in the place of the lines that include them, each once where it says
/// `#pragma once`; other lines stay. So a kernel is known by what its headers say, and a pack needs no headers. Throws
/// io_error for a header that includes itself without end.
std::string with_headers(std::string_view text, const codegen::sequence<std::string>& folders);

/// Directives that forget what a text defines, for what follows it in the same kernel.
std::string undefining(std::string_view text);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/user/kernel_options.ipp>
#endif
