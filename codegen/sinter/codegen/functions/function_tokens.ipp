// Bodies of function_tokens.hpp.
#pragma once

#include <sinter/codegen/functions/function_tokens.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE bool is_word_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
SINTER_INLINE bool is_digit(char c) { return c >= '0' && c <= '9'; }

SINTER_INLINE std::string_view take_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == text.npos ? std::string_view() : text.substr(end + 1);
    return line;
}

// The end of a token of one kind that begins at i.
SINTER_INLINE std::size_t end_of_number(std::string_view s, std::size_t i) {
    for (; i < s.size(); ++i) {
        bool sign = (s[i] == '+' || s[i] == '-') && std::string_view("eEpP").find(s[i - 1]) != std::string_view::npos;
        if (!is_word_start(s[i]) && !is_digit(s[i]) && s[i] != '.' && s[i] != '\'' && !sign) break;
    }
    return i;
}
SINTER_INLINE std::size_t end_of_quoted(std::string_view s, std::size_t i) {
    char quote = s[i];
    for (++i; i < s.size() && s[i] != quote; ++i)
        if (s[i] == '\\') ++i;
    return i < s.size() ? i + 1 : s.size();
}

SINTER_INLINE sequence<token> tokens_of(std::string_view s) {
    sequence<token> tokens;
    bool spaced = false;
    for (std::size_t i = 0, end = 0; i < s.size(); i = end) {
        token t{token_kind::symbol, {}, spaced};
        spaced = false;
        if (is_word_start(s[i])) {
            t.kind = token_kind::name;
            for (end = i; end < s.size() && (is_word_start(s[end]) || is_digit(s[end]));) ++end;
        } else if (is_digit(s[i]) || (s[i] == '.' && i + 1 < s.size() && is_digit(s[i + 1]))) {
            t.kind = token_kind::number;
            end = end_of_number(s, i + 1);
        } else if (s.substr(i, 2) == "//" || s.substr(i, 2) == "/*") {
            spaced = true;
            bool line = s[i + 1] == '/';
            end = s.find(line ? "\n" : "*/", i + 2);
            end = end == std::string_view::npos ? s.size() : end + (line ? 1 : 2);
            continue;
        } else if (s[i] == '"' || s[i] == '\'') {
            t.kind = token_kind::quoted;
            end = end_of_quoted(s, i);
        } else if (s[i] == ' ' || s[i] == '\n' || s[i] == '\t') {
            spaced = true;
            end = i + 1;
            continue;
        } else {
            std::string_view two = s.substr(i, 2);
            end = i + (two == "::" || two == "->" ? 2 : 1);
        }
        t.text = s.substr(i, end - i);
        tokens.push_back(t);
    }
    return tokens;
}

SINTER_INLINE bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list) {
    for (std::string_view w : list)
        if (w == word) return true;
    return false;
}

SINTER_INLINE std::string replaced(const std::string& s, std::string_view from, std::string_view to) {
    std::string out;
    std::size_t begin = 0;
    for (std::size_t i; (i = s.find(from, begin)) != std::string::npos; begin = i + from.size()) {
        out.append(s, begin, i - begin);
        out.append(to);
    }
    return out.append(s, begin, std::string::npos);
}

// Words after which an expression or a statement begins.
SINTER_INLINE bool is_statement_keyword(std::string_view w) {
    return is_one_of(w, {"return",     "else",          "do",       "case",        "goto",
                         "throw",      "new",           "delete",   "sizeof",      "alignof",
                         "if",         "for",           "while",    "switch",      "break",
                         "continue",   "default",       "decltype", "static_cast", "reinterpret_cast",
                         "const_cast", "and",           "or",       "not",         "xor",
                         "co_return",  "static_assert", "noexcept", "operator",    "alignas",
                         "requires",   "try",           "catch",    "this",        "true",
                         "false",      "nullptr",       "namespace"});
}
SINTER_INLINE bool is_type_keyword(std::string_view w) {
    return is_one_of(w, {"void",     "bool",     "char",     "short",    "int",       "long",     "float",    "double",
                         "signed",   "unsigned", "auto",     "const",    "constexpr", "static",   "volatile", "inline",
                         "mutable",  "struct",   "class",    "enum",     "union",     "typename", "using",    "typedef",
                         "template", "char8_t",  "char16_t", "char32_t", "wchar_t"});
}

SINTER_INLINE sequence<spelt_name> names_in(const sequence<token>& t) {
    sequence<spelt_name> names;
    for (std::size_t i = 0; i < t.size(); ++i) {
        bool rooted = t[i].text == "::";
        if (!rooted && t[i].kind != token_kind::name) continue;
        if (i > 0 && rooted &&
            (t[i - 1].text == ">" || (t[i - 1].kind == token_kind::name && !is_statement_keyword(t[i - 1].text)))) {
            ++i;  // a member of what stands before
            continue;
        }
        spelt_name n{i, i + 1, std::string(t[i].text)};
        while (n.last < t.size() && !is_statement_keyword(t[n.last - 1].text) &&
               (t[n.last].text == "::" ? n.last + 1 < t.size() && t[n.last + 1].kind == token_kind::name
                                       : t[n.last - 1].text == "::" && t[n.last].kind == token_kind::name))
            n.text += t[n.last++].text;
        i = n.last - 1;
        bool member = n.first > 0 && is_one_of(t[n.first - 1].text, {".", "->"});
        // `->` before the result type of a function or lambda follows its parameters.
        if (member && t[n.first - 1].text == "->" && n.first > 1 && t[n.first - 2].text == ")") member = false;
        if (member || is_statement_keyword(n.text) || is_type_keyword(n.text)) continue;
        n.qualified = n.last - n.first > 1;
        n.called = n.last < t.size() && t[n.last].text == "(";
        names.push_back(n);
    }
    return names;
}

// Whether the template arguments that end at i are an array_view's: `array_view<float, 2>`.
SINTER_INLINE bool is_view_before(const sequence<token>& t, std::size_t i) {
    int depth = 0;
    for (; i > 0 && !is_one_of(t[i].text, {"(", ";", "{"}); --i) {
        depth += (t[i].text == ">") - (t[i].text == "<");
        if (depth == 0) return t[i - 1].text == "array_view";
    }
    return false;
}

// Whether a name at i stands where a declaration puts it: after a type.
SINTER_INLINE bool is_declared_at(const sequence<token>& t, std::size_t i) {
    if (i == 0 || t[i].kind != token_kind::name || is_type_keyword(t[i].text) || is_statement_keyword(t[i].text))
        return false;
    if (i + 1 < t.size() && t[i + 1].text == "::") return false;
    std::size_t before = i - 1;
    while (before > 0 && is_one_of(t[before].text, {"*", "&"})) --before;
    bool pointer = before != i - 1;
    const token& p = t[before];
    if (p.kind == token_kind::name) {
        if (is_statement_keyword(p.text)) return false;
        // `const state& s` declares s alone.
        bool qualifies = is_one_of(p.text, {"const", "constexpr", "static", "volatile", "mutable", "typename"});
        if (qualifies && i + 1 < t.size() &&
            (t[i + 1].kind == token_kind::name || is_one_of(t[i + 1].text, {"<", "&", "*"})))
            return false;
        // `a * b` and `a & b` are products unless a is a type of the language.
        return !pointer || is_type_keyword(p.text);
    }
    if (p.text == ">" && is_view_before(t, before)) return true;
    // After template arguments: `complex<float> z`, not `a > b`.
    return !pointer && p.text == ">" && before > 1 &&
           (is_type_keyword(t[before - 1].text) || is_one_of(t[before - 1].text, {">", ","})) && !t[before].spaced;
}

// The positions of the names that a text declares, ascending within a declaration.
SINTER_INLINE sequence<std::size_t> declarations_in(const sequence<token>& t) {
    sequence<std::size_t> found;
    for (std::size_t i = 0; i < t.size(); ++i) {
        if (t[i].text == "[" && i > 0 && is_one_of(t[i - 1].text, {"auto", "&"}) && i > 1 &&
            (t[i - 1].text == "auto" || t[i - 2].text == "auto")) {
            for (++i; i < t.size() && t[i].text != "]"; ++i)
                if (t[i].kind == token_kind::name) found.push_back(i);
            continue;
        }
        if (!is_declared_at(t, i)) continue;
        found.push_back(i);
        // Further variables of the same declaration.
        int depth = 0;
        for (std::size_t j = i + 1; j + 1 < t.size() && depth >= 0 && t[j].text != ";"; ++j) {
            if (is_one_of(t[j].text, {"(", "[", "{"})) ++depth;
            if (is_one_of(t[j].text, {")", "]", "}"})) --depth;
            bool declares = t[j + 1].kind == token_kind::name && j + 2 < t.size() &&
                            is_one_of(t[j + 2].text, {"=", ",", ";", "[", "{"});
            if (depth == 0 && t[j].text == "," && declares) found.push_back(j + 1);
        }
    }
    return found;
}

SINTER_INLINE sequence<std::string> names_declared_in(const sequence<token>& t) {
    sequence<std::string> names;
    for (std::size_t i : declarations_in(t)) names.push_back(std::string(t[i].text));
    return names;
}

// What names mean at a point of a text: those of namespaces that it has shorter ones for, and, with nothing, those that
// it declares.
struct names_in_force {
    struct meaning {
        std::string name, full;
    };
    struct block {
        std::size_t outside;
        int parentheses;
    };
    sequence<meaning> meanings;
    sequence<block> blocks;
    std::size_t lasting = 0;  // the further ones were declared in parentheses, for what follows these
    int parentheses = 0;

    const meaning* find(std::string_view name) const {
        for (std::size_t m = meanings.size(); m-- > 0;)
            if (meanings[m].name == name) return &meanings[m];
        return nullptr;
    }
    void add(std::string_view name, const std::string& full) {
        const std::size_t head = full.find("::");
        const meaning* first = head == 0 || head == full.npos ? nullptr : find(std::string_view(full).substr(0, head));
        meanings.push_back({std::string(name), first && !first->full.empty() ? first->full + full.substr(head) : full});
        if (parentheses == 0) lasting = meanings.size();
    }
    void pass(std::string_view token) {
        if (token == "(") ++parentheses;
        if (token == ")") --parentheses;
        if (token == ";" && parentheses == 0) meanings.resize(lasting);
        if (token == "{") {
            blocks.push_back({lasting, parentheses});
            lasting = meanings.size();
            parentheses = 0;
        }
        if (token != "}" || blocks.empty()) return;
        lasting = blocks.back().outside;
        meanings.resize(lasting);
        parentheses = blocks.back().parentheses;
        blocks.pop_back();
    }
};

// The end of the statement that begins at i, behind its semicolon, when it gives names of namespaces shorter ones,
// which it adds with what they stand for: `using a::f, b::g;`, `namespace s = a::b;`, `using namespace a;`. Else i.
SINTER_INLINE std::size_t end_of_using(const sequence<token>& t, std::size_t i, names_in_force& names) {
    const bool alias = t[i].text == "namespace";
    if (!alias && t[i].text != "using") return i;
    const bool directive = !alias && i + 1 < t.size() && t[i + 1].text == "namespace";
    std::size_t at = i + (alias ? 3 : directive ? 2 : 1);
    if (alias && (at > t.size() || t[at - 1].text != "=")) return i;
    for (std::string full;; ++at) {
        if (at == t.size() || is_one_of(t[at].text, {"=", "enum", "typename"})) return i;
        if (!is_one_of(t[at].text, {",", ";"})) {
            full += t[at].text;
            continue;
        }
        if (!directive) names.add(t[alias ? i + 1 : at - 1].text, full);
        full.clear();
        if (t[at].text == ";") return at + 1;
    }
}

SINTER_INLINE std::string without_usings(std::string_view text) {
    if (text.find("using") == text.npos && text.find("namespace") == text.npos) return std::string(text);
    const sequence<token> t = tokens_of(text);
    sequence<char> declares;
    declares.resize(t.size());
    for (std::size_t i : declarations_in(t)) declares[i] = 1;
    names_in_force names;
    std::string out;
    const char* copied = text.data();
    auto replace = [&](std::size_t first, std::size_t last, std::string_view by) {
        out.append(copied, t[first].text.data()).append(by);
        copied = t[last - 1].text.data() + t[last - 1].text.size();
    };
    for (std::size_t i = 0; i < t.size(); ++i) {
        names.pass(t[i].text);
        if (const std::size_t end = end_of_using(t, i, names); end > i) {
            replace(i, end, "");
            i = end - 1;
            continue;
        }
        if (declares[i]) names.add(t[i].text, {});
        if (declares[i] || t[i].kind != token_kind::name || (i > 0 && is_one_of(t[i - 1].text, {".", "->", "::"})))
            continue;
        if (const auto* meant = names.find(t[i].text); meant && !meant->full.empty()) replace(i, i + 1, meant->full);
    }
    return out.append(copied, text.data() + text.size());
}

// Whether the brace at i opens a block of statements rather than a list of values.
SINTER_INLINE bool opens_block(const sequence<token>& t, std::size_t i, int depth) {
    if (i == 0 || depth == 0) return true;
    return is_one_of(t[i - 1].text, {")", "else", "do", "{", "}", ";"});
}

SINTER_INLINE std::string to_lines(const sequence<std::string>& words, const sequence<token>& t, int indent) {
    std::string out;
    sequence<char> braces;  // 1: a block
    sequence<int> outside;  // parentheses open around each
    int depth = indent, parentheses = 0;
    bool fresh = true;
    auto newline = [&] {
        out += '\n';
        fresh = true;
    };
    for (std::size_t i = 0; i < t.size(); ++i) {
        std::string_view s = t[i].text;
        bool closes = s == "}" && !braces.empty() && braces.back();
        if (closes) {
            --depth;
            if (!fresh) newline();
        }
        if (fresh) {
            if (i > 0) out.append(static_cast<std::size_t>(depth) * 4, ' ');
            fresh = false;
        } else if (t[i].spaced) out += ' ';
        out += words[i];
        parentheses += (s == "(") - (s == ")");
        if (s == "{") {
            braces.push_back(opens_block(t, i, static_cast<int>(braces.size())));
            outside.push_back(parentheses);
            if (!braces.back()) continue;
            parentheses = 0;
            ++depth;
            newline();
        } else if (s == "}") {
            if (!braces.empty()) {
                parentheses = outside.back();
                outside.pop_back();
                braces.pop_back();
            }
            std::string_view next = i + 1 < t.size() ? t[i + 1].text : "";
            if (closes && !next.empty() && !is_one_of(next, {";", ")", ",", "(", "else", "while"})) newline();
        } else if (s == ";" && parentheses == 0 && (braces.empty() || braces.back())) newline();
    }
    while (!out.empty() && (out.back() == '\n' || out.back() == ' ')) out.pop_back();
    return out + "\n";
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
