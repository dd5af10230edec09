// The process's table of SINTER_FUNCTIONs, SINTER_CONSTANTs and SINTER_STRUCTs, by which their texts find each other.
#pragma once

#include <sinter/codegen/graph/graph.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// Enters a definition; `pretty_function` is the compiler's name of a function inside of the class `inner`,
/// `line` where it is written.
const codegen::definition& add_definition(codegen::definition_kind kind, const char* name, const char* type,
                                          const char* text, const char* pretty_function, const char* inner,
                                          const char* file, const char* line);
/// A function in the namespaces and the file of another one.
const codegen::definition& add_definition_beside(const codegen::definition& other, std::string name, std::string text);
/// A structure as the compiler spells its name, unless it is known.
void add_structure(std::string_view qualified, const std::string& text);

/// The text of a number, as the value of a constant.
std::string number_literal(const codegen::scalar_value& v);

/// The invocation with these contents; `number` is filled in. Throws type_error when the function's text names what is
/// ambiguous or unknown, and for a
/// user's function of half precision.
const codegen::invocation& find_invocation(codegen::invocation wanted);

/// What a compiler of kernels says it does not know, in a sentence about the function that uses it, where it is
/// written; nothing where no function does.
std::string unknown_to_kernels(std::string_view log);

/// The invocation of this number.
const codegen::invocation& invocation_of(std::uint32_t number);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/base/functions.ipp>
#endif
