// The words of straight-line functions, as far as graphs say what they do.
#pragma once

#include <optional>
#include <string_view>
#include <sinter/codegen/functions/function_tokens.hpp>
#include <sinter/codegen/graph/graph.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Thrown where a text says what graphs do not, or not surely the same.
struct not_lowered {};

void require_lowered(bool holds);

/// Operators of two characters as one symbol.
sequence<token> with_operators(const sequence<token>& tokens);

/// Whether it names one of the types that bodies have.
bool is_type_word(std::string_view word);
/// The types that bodies have; nothing for auto.
std::optional<dtype> type_named(std::string_view word);

/// Whether std's function gives the bits of the operation of that name.
bool is_exactly_standard(std::string_view name);

/// A number as it is written; of whole numbers int's alone.
scalar_value number_of(std::string_view text);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/rewrite/body_words.ipp>
#endif
