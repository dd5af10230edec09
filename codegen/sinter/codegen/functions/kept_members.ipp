// Bodies of kept_members.hpp.
#pragma once

#include <sinter/codegen/functions/function_names.hpp>
#include <sinter/codegen/functions/kept_members.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

/// A function's words, and where its body begins.
struct kept_member_search {
    sequence<token> tokens;
    std::size_t body = 0;
    std::string_view parameter = {};

    std::string_view at(std::size_t i) const { return i < tokens.size() ? tokens[i].text : std::string_view(); }
    bool is_symbol(std::size_t i) const { return i < tokens.size() && tokens[i].kind == token_kind::symbol; }
    bool find_parameter(std::size_t wanted);
    bool has_references() const;
    bool stands_for_members() const;
    bool returns_only_parameter() const;
    bool takes_values(std::size_t parenthesis) const;
    bool only_reads(std::size_t first, std::size_t behind) const;
};

// The last word before the comma or parenthesis at the end of each parameter is its name.
SINTER_INLINE bool kept_member_search::find_parameter(std::size_t wanted) {
    int depth = 0;
    std::size_t number = 0, i = 0;
    for (; i < tokens.size(); ++i) {
        const std::string_view t = at(i);
        if (is_one_of(t, {"(", "<", "[", "{"})) ++depth;
        if (is_one_of(t, {")", ">", "]", "}"})) --depth;
        const bool ends = depth == 0 || (depth == 1 && t == ",");
        if (ends && number == wanted && i > 0 && tokens[i - 1].kind == token_kind::name) parameter = at(i - 1);
        if (depth == 0) break;
        number += depth == 1 && t == ",";
    }
    while (i < tokens.size() && at(i) != "{") ++i;
    body = i;
    return !parameter.empty();
}

// Of references what can be changed by another name, `&&` between values is none.
SINTER_INLINE bool kept_member_search::has_references() const {
    for (std::size_t i = body; i < tokens.size(); ++i) {
        if (is_one_of(at(i), {"decltype", "asm", "goto"})) return true;
        if (at(i) != "&") continue;
        if (at(i + 1) != "&" || tokens[i + 1].spaced || is_one_of(at(i - 1), {"auto", ">", "const"})) return true;
        ++i;
    }
    return false;
}

// Whether the parameter stands before members and behind `return` only.
SINTER_INLINE bool kept_member_search::stands_for_members() const {
    for (std::size_t i = body; i < tokens.size(); ++i)
        if (at(i) == parameter && (at(i - 1) != "return" || at(i + 1) != ";") &&
            (at(i + 1) != "." || is_one_of(at(i - 1), {".", "->", "::"})))
            return false;
    return true;
}

SINTER_INLINE bool kept_member_search::returns_only_parameter() const {
    bool returns = false;
    for (std::size_t i = body; i < tokens.size(); ++i) {
        if (at(i) != "return") continue;
        if (at(i + 1) != parameter || at(i + 2) != ";") return false;
        returns = true;
    }
    return returns;
}

// Whether a parenthesis is that of a conversion to a number or of a function of sinter's.
SINTER_INLINE bool kept_member_search::takes_values(std::size_t parenthesis) const {
    const std::string_view name = at(parenthesis - 1);
    return at(parenthesis) == "(" && !is_one_of(at(parenthesis - 2), {".", "->", "::"}) &&
           (is_one_of(name, {"bool", "char", "short", "int", "long", "unsigned", "float", "double"}) ||
            operation_named(name) != op::cast);
}

// Words [first, behind) are a member: an operand of arithmetic or a comparison, or what is assigned.
SINTER_INLINE bool kept_member_search::only_reads(std::size_t first, std::size_t behind) const {
    std::string after, before(at(first - 1));
    for (std::size_t i = behind; is_symbol(i) && (i == behind || !tokens[i].spaced); ++i) {
        if (is_one_of(at(i), {"(", ")", ";", ",", "{", "}", "]"})) {
            if (after.empty()) after = at(i);
            break;
        }
        after += at(i);
    }
    if (is_symbol(first - 2) && !tokens[first - 1].spaced) before.insert(0, at(first - 2));
    if (before.ends_with("++") || before.ends_with("--") || is_one_of(at(first - 1), {"?", ":", ","})) return false;
    if (is_one_of(at(first - 1), {"(", "{"}) && is_one_of(after, {")", ",", "}"})) return takes_values(first - 1);
    return is_one_of(after,
                     {"+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "?", ";", ")", ",", "]"});
}

SINTER_INLINE member_use use_of_member(std::string_view text, std::size_t parameter, std::string_view member) {
    kept_member_search s{tokens_of(text)};
    if (!s.find_parameter(parameter) || s.has_references() || !s.stands_for_members()) return member_use::any;
    member_use use = member_use::unused;
    for (std::size_t i = s.body; i < s.tokens.size(); ++i) {
        if (s.at(i) != s.parameter || s.at(i + 1) != "." || s.at(i + 2) != member) continue;
        if (!s.only_reads(i, i + 3)) return member_use::any;
        use = member_use::kept;
    }
    return use;
}

SINTER_INLINE bool returns_parameter(std::string_view text, std::size_t parameter) {
    kept_member_search s{tokens_of(text)};
    return s.find_parameter(parameter) && s.returns_only_parameter();
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
