// The words of C++ text, as far as finding and replacing names needs them; must not know what they mean.
#pragma once

#include <sinter/codegen/base/sequence.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace sinter::inline SINTER_ABI::codegen {

enum class token_kind : std::uint8_t { name, number, quoted, symbol };

/// A word, number, string or symbol; of two characters are `::` and `->` only.
struct token {
    token_kind kind;
    std::string_view text;
    bool spaced = false;  ///< whether white space stands before it
};

/// Whether a name may begin with a character; digits may follow as well.
bool is_word_start(char c);
bool is_digit(char c);

sequence<token> tokens_of(std::string_view text);

/// A possibly qualified name: tokens [first, last).
struct spelt_name {
    std::size_t first, last;
    std::string text;  ///< without white space
    bool qualified = false;
    bool called = false;  ///< a parenthesis follows
};

/// The names in a text that can mean something outside of it: no members of objects, no keywords.
sequence<spelt_name> names_in(const sequence<token>& tokens);

/// The names that the text itself declares: parameters, variables, types.
sequence<std::string> names_declared_in(const sequence<token>& tokens);

/// A text without its using-declarations, using-directives and second names of namespaces, in which names are spelt as
/// those say up to the end of their block: kernels have no namespaces. What a directive makes visible is left as it is
/// spelt.
std::string without_usings(std::string_view text);

/// The first line of a text, which loses it.
std::string_view take_line(std::string_view& text);

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list);
std::string replaced(const std::string& s, std::string_view from, std::string_view to);

/// Tokens as lines of code, `indent` steps of four spaces deep.
std::string to_lines(const sequence<std::string>& words, const sequence<token>& tokens, int indent);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/functions/function_tokens.ipp>
#endif
