// The functions that users wrote, as text, and their calls; must not know the rest of the kernel's text.
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

/// Whether the host may compute a call of a user's function, which runs through all of it, with functions of libmvec.
bool may_vectorize(const invocation& f);

/// The beginning of that call, up to what stands inside, which the text `});` ends.
std::string around_text(const kernel& k, const sequence<std::string>& args);

/// The call of a user's function, as an expression.
std::string call_text(const kernel& k, const instruction& i, const sequence<std::string>& args);

/// `<name>_0, <name>_1, …`: as many as the function has results.
std::string result_names(const invocation& f, const std::string& name);

/// A statement that calls a user's function and keeps what it returns: one value in `target`, or several under
/// result_names.
std::string call_statement(const kernel& k, const instruction& i, const sequence<std::string>& args,
                           const std::string& target, const std::string& name);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/function_text.ipp>
#endif
