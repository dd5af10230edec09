// The one placeholder language of texts of device code that stand in files; must not know what the texts are of.
#pragma once

#include <concepts>
#include <initializer_list>
#include <sinter/codegen/base/config.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <string>
#include <string_view>

namespace sinter::inline SINTER_ABI::codegen {

/// What a text leaves open: what a word of it stands for, or whether a condition holds.
struct text_choice {
    std::string_view name;
    std::string word;
    bool is_condition = false, holds = false;

    text_choice(std::string_view n, std::string w) : name(n), word(std::move(w)) {}
    text_choice(std::string_view n, std::same_as<bool> auto h) : name(n), is_condition(true), holds(h) {}
};

/// A text with its `$name` words replaced, of whose lines `//@ if name` or `//@ if !name`, `//@ else` and `//@ end`
/// keep those whose conditions hold; throws internal_error where the text and the choices do not fit.
std::string fill_text(std::string_view text, std::initializer_list<text_choice> choices);

/// The same of a text that leaves open only which of its many parts are needed, by their names.
std::string fill_text(std::string_view text, const sequence<std::string>& needed);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/fill_text.ipp>
#endif
