// The calls of functions that users wrote; must not know the functions' text.
#pragma once

#include <sinter/codegen/schedule/kernel.hpp>

#include <string>

namespace sinter::inline SINTER_ABI::codegen {

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
#include <sinter/codegen/print/function_calls.ipp>
#endif
