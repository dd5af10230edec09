// What a kernel's text declares before its functions: libm prototypes and the scalar functions it uses; bodies of
// prelude.hpp.
#pragma once

#include <algorithm>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/functions/function_tokens.hpp>
#include <sinter/codegen/ops/libm.hpp>
#include <sinter/codegen/print/cuda_scalar_text.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/emit.hpp>
#include <sinter/codegen/print/function_text.hpp>
#include <sinter/codegen/print/prelude.hpp>
#include <sinter/codegen/base/number_map.hpp>
#include <sinter/codegen/schedule/facts/value_facts.hpp>
#include <sinter/codegen/schedule/stages.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// Breaks code that the preprocessor has put on one line after each statement.
SINTER_INLINE std::string broken_into_lines(std::string_view code, language to) {
    const char* marker = to == language::cuda ? "static __device__ inline" : "static inline";
    std::string out;
    int depth = 0, parentheses = 0;
    auto newline = [&] { out += "\n" + std::string(static_cast<std::size_t>(depth < 0 ? 0 : depth) * 4, ' '); };
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code.substr(i, 9) == "SINTER_FN") {
            out += marker;
            i += 8;
            continue;
        }
        char c = code[i];
        parentheses += (c == '(') - (c == ')');
        bool block = c == '{' && i > 0 && (code[i - 1] == ' ' && i > 1 && (code[i - 2] == ')' || code[i - 2] == 'e'));
        bool inline_brace = c == '{' && !block && code.substr(0, i).rfind("struct", i) == std::string_view::npos;
        out += c;
        if (block && !inline_brace) {
            ++depth;
            newline();
        } else if (c == ';' && parentheses == 0) newline();
        else if (c == '}' && (i + 1 == code.size() || code[i + 1] == ' ') &&
                 (out.size() > 1 && out.find_last_not_of(" \n}") != std::string::npos && depth > 0 &&
                  out[out.find_last_not_of(" \n}")] == ';')) {
            std::size_t cut = out.find_last_not_of(" \n", out.size() - 2);
            --depth;
            out.erase(cut + 1);
            newline();
            out += "}";
            newline();
        } else continue;
        while (i + 1 < code.size() && code[i + 1] == ' ') ++i;
    }
    std::size_t end = out.find_last_not_of(" \n");
    return out.substr(0, end + 1) + "\n";
}

class word_set {
public:
    void add(const std::string& word) {
        if (!contains(word)) words_.add(word, 0);
    }
    bool contains(const std::string& word) const { return words_.find(word) != number_map::none; }

private:
    text_map words_;
};

SINTER_INLINE void add_words(word_set& words, std::string_view text) {
    scan_identifiers(text, [&](std::string_view word, bool) { words.add(std::string(word)); }, [](char) {});
}

SINTER_INLINE void add_type_words(word_set& words, dtype t) {
    if (is_complex(t)) words.add("complex");
}

// The words that a kernel's own text names, calls of scalar functions as `scalar::name`.
SINTER_INLINE word_set words_of(const kernel& k, language to) {
    word_set words;
    auto add = [&](const std::string& text) {
        std::string last;
        scan_identifiers(
            text,
            [&](std::string_view word, bool) {
                words.add((last == "scalar" ? "scalar::" : "") + std::string(word));
                last = word;
            },
            [&](char c) { last = c == ':' ? last : ""; });
    };
    for (const instruction& i : k.body) {
        add_type_words(words, i.type);
        add_type_words(words, i.common);
        if (i.kind != instruction_kind::apply) continue;
        if (i.operation == op::cast) add(cast_text(i.common, i.type, "v"));
        else add(form_text(i.operation, i.common, i.type, {"v", "v", "v"}, to));
        const std::string written = to == language::host ? written_function(i) : "";
        if (!written.empty()) add("scalar::near_" + written + " scalar::is_near_" + written);
    }
    for (const operand& o : k.operands) add_type_words(words, o.type);
    for (const reduction_step& r : k.reductions) add_type_words(words, r.type);
    return words;
}

// One function or type of scalar.def.
struct scalar_definition {
    std::string name, qualified;
    std::string_view text;
    bool of_complex;
};

SINTER_INLINE std::string_view defined_name(std::string_view text) {
    std::size_t end = text.find('(');
    for (std::string_view kind : {"struct ", "union "})
        if (std::size_t type = text.find(kind); type < end) {
            std::size_t begin = type + kind.size();
            return text.substr(begin, text.find(' ', begin) - begin);
        }
    std::size_t begin = end;
    while (begin > 0 && text[begin - 1] != ' ') --begin;
    return text.substr(begin, end - begin);
}

SINTER_INLINE sequence<scalar_definition> parsed_definitions() {
    sequence<scalar_definition> all;
    for (const scalar_block& b : scalar_blocks) {
        std::string_view text = b.text;
        int depth = 0;
        for (std::size_t i = 0, begin = 0; i < text.size(); ++i) {
            depth += (text[i] == '{') - (text[i] == '}');
            if (text[i] != '}' || depth > 0) continue;
            if (i + 1 < text.size() && text[i + 1] == ';') ++i;
            std::string_view one = text.substr(begin, i + 1 - begin);
            const std::string name(defined_name(one));
            all.push_back({name, "scalar::" + name, one, std::string_view(b.name) == "complex"});
            while (i + 1 < text.size() && text[i + 1] == ' ') ++i;
            begin = i + 1;
        }
    }
    return all;
}

// Taken apart once: that takes longer than the rest of a small kernel's text.
SINTER_INLINE const sequence<scalar_definition>& scalar_definitions() {
    static const sequence<scalar_definition>& all = *new sequence<scalar_definition>(parsed_definitions());
    return all;
}

// What a kernel's words need, and what that needs: marks by definition, and the words of all of it.
struct needed_definitions {
    sequence<char> marks;
    word_set words;
};

SINTER_INLINE needed_definitions needed_by(const word_set& own) {
    const sequence<scalar_definition>& all = scalar_definitions();
    needed_definitions needed{sequence<char>(all.size(), 0), {}};
    bool has_complex = own.contains("complex");
    for (bool more = true; more;) {
        more = false;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const scalar_definition& d = all[i];
            if (needed.marks[i] || (d.of_complex && !has_complex)) continue;
            bool always = d.of_complex && (d.name == "complex" || d.name.starts_with("operator"));
            if (!always && !needed.words.contains(d.name) && !own.contains(d.qualified)) continue;
            needed.marks[i] = more = true;
            add_words(needed.words, d.text);
        }
    }
    return needed;
}

// What stands behind a function's first parameter or argument, of type t.
SINTER_INLINE std::string further_parameters(const libm_function& f, const std::string& t, bool named) {
    switch (f.parameters) {
        case libm_parameters::two: return joined({", ", t, named ? " y" : ""});
        case libm_parameters::three: return joined({", ", t, named ? " y, " : ", ", t, named ? " z" : ""});
        case libm_parameters::scaled: return named ? ", int y" : ", int";
        default: return "";
    }
}

// Prototypes of the libm functions that the body calls, in vector form where there is one.
SINTER_INLINE std::string libm_prototypes(const word_set& words) {
    std::string s;
    bool any_vector = false;
    for (const libm_function& function : libm_functions)
        for (bool single : {false, true}) {
            std::string f = std::string(function.name) + (single ? "f" : ""), t = single ? "float" : "double";
            if (!words.contains(f)) continue;
            const bool vector = function.has_vector_form();
            any_vector |= vector;
            s += joined({"extern \"C\" ", vector ? "SINTER_VECTOR " : "", t, " ", f, "(", t,
                         further_parameters(function, t, false), ");\n"});
        }
    return any_vector ? vector_macro + s : s;
}

// Overloads of libm functions for scalar functions: plain calls, whatever loop they stand in, so that bits never depend
// on what a compiler vectorises.
SINTER_INLINE std::string libm_overloads(const word_set& words, language to) {
    std::string s;
    for (const libm_function& function : libm_functions) {
        std::string n(function.name);
        if (!words.contains(n)) continue;
        if (to == language::cuda) {
            s += joined({"using ::", n, ";\n"});
            continue;
        }
        const bool exact = function.bits == libm_bits::exact;
        const char* arguments = function.parameters == libm_parameters::three ? "(x, y, z); }\n"
                                : function.parameters == libm_parameters::one ? "(x); }\n"
                                                                              : "(x, y); }\n";
        for (bool single : {false, true}) {
            std::string f = single ? n + "f" : n, t = single ? "float" : "double";
            if (!exact)
                s += joined({"extern \"C\" ", t, " libm_", f, "(", t, further_parameters(function, t, false),
                             ") __asm__(\"", f, "\");\n"});
            s += joined({"static inline ", t, " ", n, "(", t, " x", further_parameters(function, t, true),
                         ") { return ", exact ? "__builtin_" : "libm_", f, arguments});
        }
    }
    return s;
}

SINTER_INLINE bool has_loop(std::string_view functions) {
    for (const token& t : tokens_of(functions))
        if (is_one_of(t.text, {"for", "while", "do"})) return true;
    return false;
}

// What a GPU's other steps for operations are called.
SINTER_INLINE void add_words_of_steps(const kernel& k, const value_facts& f, word_set& own) {
    for (std::uint32_t i = 0; i < k.body.size(); ++i) {
        const std::string_view of_type = k.body[i].type == dtype::float32 ? "_float" : "";
        for (const char* name : {"divided_by", "least_dividend", "is_exact"})
            if (f.by_inverse[i]) own.add(std::string("scalar::") + name);
        if (f.by_row[i] == row_division::fixed) {
            own.add("scalar::divided_by_fixed" + std::string(of_type));
            own.add("scalar::fixed" + std::string(of_type) + "_divisor_of");
        }
        if (f.by_row[i] == row_division::by_inverse) {
            own.add("scalar::divided_by_row");
            own.add("scalar::row_divisor_of");
        }
        if (std::string_view form = half_approximation(k, i); !form.empty()) own.add("scalar::" + std::string(form));
        if (!k.how.approximates) continue;
        own.add("scalar::is_approximated");
        if (std::string_view form = approximation(k, i); !form.empty()) own.add("scalar::" + std::string(form));
        if (f.ends_approximations[i]) own.add("scalar::checked_finite");
    }
}

inline constexpr const char* draw_blocks_text =
#include <sinter/codegen/print/text/draw_blocks.hxx>
    ;

inline constexpr const char* half_tiles_text =
#include <sinter/codegen/print/text/half_tiles.hxx>
    ;

SINTER_INLINE std::string prelude_text(const kernel& k, language to) {
    word_set own = words_of(k, to);
    function_needs needs;
    std::string users = functions_text(k, to, needs);
    for (const std::string& name : needs.scalars) own.add("scalar::" + name);
    if (to == language::cuda) add_words_of_steps(k, value_facts_of(k), own);
    const bool tiles = codegen::any_of(k.invocations.begin(), k.invocations.end(),
                                       [](const invocation* f) { return !f->function->tile.empty(); });
    if (needs.has_complex) own.add("complex");
    const bool halves = to == language::host && codegen::any_of(k.body.begin(), k.body.end(), is_half_cast);
    for (const char* name : {"scalar::half_to_float", "scalar::float_to_half"})
        if (halves) own.add(name);
    const sequence<scalar_definition>& all = scalar_definitions();
    needed_definitions needed = needed_by(own);
    for (const std::string& name : needs.scalars) needed.words.add(name);
    std::string functions, s = to == language::host ? libm_prototypes(own) : "";
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!needed.marks[i]) continue;
        const scalar_definition& d = all[i];
        std::string_view text = to == language::cuda ? cuda_text_of(d.name) : "";
        if (!text.empty()) functions += text;
        else functions += broken_into_lines(to == language::cuda ? without_unfused(d.text) : std::string(d.text), to);
    }
    const bool draws = own.contains("scalar::philox_32") || own.contains("scalar::philox_64");
    if (to == language::cuda || !(draws || tiles)) functions = replaced(functions, "SINTER_DOUBLE(", "double(");
    if (to == language::host) {
        if (functions.find("SINTER_UNFUSED") != functions.npos) s += unfused_macro;
        if (functions.find("SINTER_DOUBLE") != functions.npos || own.contains("SINTER_DOUBLE")) s += double_macro;
        if (draws) functions += draw_blocks_text;
        if (halves) functions += half_tiles_text;
    }
    if (!functions.empty() || !needs.scalars.empty())
        s += joined({"namespace scalar {\n", libm_overloads(needed.words, to), functions, "}\n"});
    if (own.contains("complex")) s += "using scalar::complex;\n";
    s += users;
    if (to == language::host && has_loop(s)) s.insert(0, std::string(unroll_early) + "\n");
    return s.empty() ? s : s + "\n";
}

SINTER_INLINE line_counts count_lines(std::string_view text) {
    auto lines = [](std::string_view of) { return codegen::count(of.begin(), of.end(), '\n'); };
    const std::size_t begin = std::min(text.find("\nnamespace scalar {\n"), text.size());
    return {lines(text), lines(text.substr(begin, text.find("\n}\n\n", begin) - begin))};
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
