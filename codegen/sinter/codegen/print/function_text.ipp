// The functions that users wrote as a kernel's text: bodies of function_text.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/emit.hpp>
#include <sinter/codegen/print/function_parts.hpp>
#include <sinter/codegen/print/function_text.hpp>
#include <sinter/codegen/print/fill_text.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/ops/libm.hpp>

SINTER_COLD_BEGIN

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr std::string_view function_support_text =
#include <sinter/codegen/print/text/function_support.hxx>
    ;

// tuple<> of the given numbers of elements.
SINTER_INLINE std::string tuple_text(const sequence<std::size_t>& counts) {
    static constexpr const char* members[] = {"first", "second", "third",   "fourth",
                                              "fifth", "sixth",  "seventh", "eighth"};
    auto list = [](const std::string& pattern, std::size_t n, const char* separator) {
        std::string s;
        for (std::size_t i = 0; i < n; ++i) {
            std::string one = replaced(pattern, "@", std::string(1, static_cast<char>('A' + i)));
            s += (i ? separator : "") +
                 replaced(replaced(one, "%", members[i]), "$", std::string(1, static_cast<char>('P' + i)));
        }
        return s;
    };
    // An element that is given as a list in braces has its type by default.
    std::string s = "template <class... T>\nstruct tuple;\n";
    for (std::size_t n : counts)
        if (n > 8) throw type_error("[emit] a tuple in a scalar function has more than eight elements");
        else
            s += joined({"template <", list("class @", n, ", "), ">\nstruct tuple<", list("@", n, ", "), "> {\n",
                         list("    @ %;\n", n, ""), "    tuple() = default;\n    template <",
                         list("class $ = @", n, ", "), ">\n    SINTER_MEMBER tuple(",
                         list(n == 1 ? "$ %" : "$&& %", n, ", "), ") : ", list("%((@)%)", n, ", "),
                         " {}\n    template <", list("class $", n, ", "),
                         ">\n    SINTER_MEMBER tuple& operator=(tuple<", list("$", n, ", "), "> t) {\n",
                         list("        % = (@)t.%;\n", n, ""), "        return *this;\n    }\n};\n"});
    return s + "template <class... T>\ntuple(T...) -> tuple<T...>;\n";
}

SINTER_INLINE std::string support_text(const function_parts& f, language to) {
    std::string s;
    for (const std::string& name : f.support)
        if (name == "tuple") s += tuple_text(f.tuples);
    s += fill_text(function_support_text.substr(1), f.support);
    for (const std::string& name : f.support) {
        if (name == "fma")
            s += "SINTER_FN float fma(float a, float b, float c) { return SINTER_FMAf(a, b, c); }\n"
                 "SINTER_FN double fma(double a, double b, double c) { return SINTER_FMA(a, b, c); }\n";
        if (!is_single_math(name)) continue;
        op o = operation_named(name.substr(0, name.size() - 1));
        std::string more = info(o).typing == rule::scale ? ", int b" : info(o).arity == 2 ? ", float b" : "";
        std::string form = info(o).form, scaled;
        scan_identifiers(
            form, [&](std::string_view w, bool called) { scaled += called ? scalar_call(w, to) : std::string(w); },
            [&](char c) { scaled += c; });
        s += joined({"SINTER_FN float ", name, "(float a", more, ") { return ", scaled, "; }\n"});
    }
    return s;
}

// An operation of ops.def as a template over the types that it is called with.
// On the host libm's vector functions are spelt vector::, so that they stay apart from those of namespace scalar, which
// never depend on the loop that they stand in.
SINTER_INLINE std::string operation_text(const std::string& name, bool has_complex, language to) {
    const op_info& o = info(operation_named(name));
    bool scales = o.typing == rule::scale, selects = o.typing == rule::select, two = o.arity == 2 && !scales;
    std::string form;
    scan_identifiers(
        o.form,
        [&](std::string_view w, bool called) {
            bool vector = to == language::host && called && (is_libm_vector(w) || w == "power");
            bool scalar = called && w != "T" && w != "R" && w != "float" && w != "double";
            form += scalar && !vector ? scalar_call(w, to) : (vector ? "vector::" : "") + std::string(w);
        },
        [&](char c) { form += c; });
    std::string s =
        joined({"template <class X", o.arity > 1 ? ", class Y" : "", o.arity > 2 ? ", class Z" : "",
                ">\nSINTER_FN auto ", name, "(X x", o.arity > 1 ? ", Y y" : "", o.arity > 2 ? ", Z z" : "", ") {\n"});
    if (two) s += "    typedef typename common_of<X, Y>::type C;\n";
    if (selects) s += "    typedef typename common_of<Y, Z>::type C;\n    return x ? (C)y : (C)z;\n}\n";
    if (selects) return s;
    if (o.typing == rule::logical) s += "    typedef bool T;\n";
    else s += joined({"    typedef typename ", types_of(o), "<", two ? "C" : "X", ">::type T;\n"});
    if (two) s += "    const T a = (T)(C)x, b = (T)(C)y;\n";
    else s += std::string("    const T a = (T)x;\n") + (scales ? "    const int b = (int)y;\n" : "");
    if (to == language::host && is_one_of(name, {"square", "abs2"}))
        s += "    if constexpr (requires { a % a; }) return (T)(a * guard::apart(a));\n";
    if (o.typing == rule::arithmetic || o.typing == rule::same) form = "(T)(" + form + ")";
    return joined({s, "    return ", has_complex ? "outside(" + form + ")" : form, ";\n}\n"});
}

// g++ 12 takes an integer that is multiplied by itself in each turn of a loop for a product of many, which it computes
// side by side: the second factor is one that it knows nothing of.
inline constexpr std::string_view guard_text =
    "namespace guard {\n"
    "template <class T> static inline T apart(T a) {\n"
    "    if constexpr (requires { a % a; }) __asm__(\"\" : \"+r\"(a));\n"
    "    return a;\n"
    "}\n"
    "}\n";

SINTER_INLINE void guard_squares(const sequence<token>& t, sequence<std::string>& words) {
    for (std::size_t i = 0; i + 3 < t.size(); ++i) {
        const std::size_t again = t[i + 1].text == "*="                          ? i + 2
                                  : t[i + 1].text == "=" && t[i + 3].text == "*" ? i + 4
                                                                                 : 0;
        if (!again || again + 1 >= t.size() || !is_word_start(t[i].text[0])) continue;
        if (t[again].text != t[i].text || t[i + 2].text != t[i].text || !is_one_of(t[again + 1].text, {";", ")", ","}))
            continue;
        words[again] = "guard::apart(" + words[again] + ")";
    }
}

// A definition's tokens with the names that the kernel gives to what they mean.
SINTER_INLINE std::string renamed(const function_parts& f, const definition& d, const sequence<token>& tokens,
                                  language to_language) {
    sequence<std::string> words, declared = names_declared_in(tokens);
    for (const token& t : tokens) words.push_back(std::string(t.text));
    for (const spelt_name& n : names_in(tokens)) {
        meaning m = meaning_of(d, n, declared);
        std::string to;
        switch (m.kind) {
            case meaning::what::other: continue;
            case meaning::what::itself: to = f.name_of(&d); break;
            case meaning::what::refers: to = f.name_of(m.to); break;
            default: to = m.spelling;
        }
        for (std::size_t i = n.first; i < n.last; ++i) words[i].clear();
        words[n.first] = to;
    }
    if (to_language == language::host) guard_squares(tokens, words);
    return to_lines(words, tokens, 0);
}

SINTER_INLINE std::string definition_text(const function_parts& f, const function_parts::part& p, language to) {
    const definition& d = *p.what;
    // Lines with directives stay lines.
    if (d.kind == definition_kind::preamble && d.text.find('#') != std::string::npos) return d.text + "\n";
    std::string body = renamed(f, d, tokens_of(d), to);
    switch (d.kind) {
        case definition_kind::function:
            body.insert(0, (d.is_loop ? "template <class Loop>\nSINTER_FN void " : "SINTER_FN auto ") + p.name);
            if (to == language::cuda || d.tile.empty()) return body;
            return joined(
                {body, "SINTER_FN void ", p.name, renamed(f, d, codegen::tokens_of(std::string_view(d.tile)), to)});
        case definition_kind::preamble: return body;
        case definition_kind::structure:
            return joined({"struct ", p.name, " ", body.substr(0, body.size() - 1), ";\n"});
        default: {
            std::string type = renamed(f, d, codegen::tokens_of(std::string_view(d.type)), to);
            return joined({"SINTER_CONST ", type.substr(0, type.size() - 1), " ", p.name, " = ",
                           body.substr(0, body.size() - 1), ";\n"});
        }
    }
}

// The body of a function of scalar_random.def without branches, since the loops around it are not known.
SINTER_INLINE std::string written_text(const std::string& libm, const std::string& vector, const std::string& type,
                                       function_needs& needs) {
    if (find_libm(libm)->bits != libm_bits::written_near) {
        add_once(needs.scalars, "vector_" + libm);
        return joined({"return scalar::vector_", libm, "(x);"});
    }
    const std::string near = "near_" + libm;
    add_once(needs.scalars, near);
    add_once(needs.scalars, "is_" + near);
    return joined({"const bool near = scalar::is_", near, "(x); const ", type, " far = vector_", vector,
                   "(near ? 0 : x), r = scalar::", near, "(x); return near ? r : far;"});
}

// libm's functions under the names that users' functions call them by: the compiler may take their vector form. Under
// names of their own they are no builtins, of which GCC joins sin and cos to a call that has no vector form.
SINTER_INLINE std::string vectors_text(function_needs& needs) {
    std::string s, prototypes;
    for (const std::string& name : needs.vectors) {
        std::string libm = name == "power" ? "pow" : name;
        bool two = libm == "pow" || libm == "hypot" || libm == "atan2";
        for (bool single : {false, true}) {
            std::string t = single ? "float" : "double", f = libm + (single ? "f" : "");
            prototypes += joined({"extern \"C\" SINTER_VECTOR __attribute__((__const__)) ", t, " vector_", f, "(", t,
                                  two ? ", " + t : "", ") __asm__(\"", f, "\");\n"});
            s += joined({"static inline ", t, " ", name, "(", t, " x", two ? ", " + t + " y" : "", ") { ",
                         find_libm(libm)->is_written(single) ? written_text(libm, f, t, needs)
                                                             : "return vector_" + f + (two ? "(x, y);" : "(x);"),
                         " }\n"});
        }
        bool is_complex = needs.has_complex && !is_one_of(name, {"cbrt", "hypot", "atan2", "erf", "erfc"});
        if (is_complex || name == "power") {
            s += joined({"template <class T>\nstatic inline T ", name,
                         two ? "(T x, T y) { return scalar::" : "(T x) { return scalar::", name,
                         two ? "(x, y); }\n" : "(x); }\n"});
            add_once(needs.scalars, name);
        }
    }
    return s.empty() ? s : std::string(vector_macro) + prototypes + "namespace vector {\n" + s + "}\n";
}

// A preamble with all its functions, so that its directives hold for them and no others.
SINTER_INLINE std::string preamble_text(const function_parts& f, const function_parts::part& preamble, language to) {
    std::string s = definition_text(f, preamble, to), around;
    for (const function_parts::part& p : f.definitions)
        if (const definition* before = preamble_of(*p.what); before && before->identity == preamble.what->identity) {
            s += definition_text(f, p, to);
            around = p.around;
        }
    if (!around.empty()) s = "namespace " + around + " {\n" + s + "}\n";
    return preamble.what->before + s + preamble.what->after;
}

// What the kernel's functions are compiled with, for those who read the text.
SINTER_INLINE std::string options_text(const kernel& k) {
    std::string s;
    for (const std::string& o : options_of(k)) s += " " + o;
    return s.empty() ? s : "// NVRTC's options besides sinter's:" + s + "\n";
}

SINTER_INLINE sequence<std::string> options_of(const kernel& k) {
    sequence<std::string> all;
    if (!k.invocations.empty()) all = options_of(*k.invocations[0]->function);
    if (k.how.fast) add_once(all, "--use_fast_math");
    return all;
}

SINTER_INLINE std::string functions_text(const kernel& k, language to, function_needs& needs) {
    if (k.invocations.empty()) return "";
    function_parts f = parts_of(k);
    std::string s = support_text(f, to);
    for (const std::string& name : f.math) s += operation_text(name, has(f.support, "complex"), to);
    if (has(f.support, "clip"))
        s += "template <class X, class Y, class Z>\n"
             "SINTER_FN auto clip(X x, Y low, Z high) { return minimum(maximum(x, low), high); }\n";
    for (const function_parts::part& p : f.definitions)
        if (p.what->kind == definition_kind::preamble) s += preamble_text(f, p, to);
        else if (!preamble_of(*p.what)) s += definition_text(f, p, to);
    if (s.find("guard::") != std::string::npos) s = std::string(guard_text) + s;
    std::string last;
    scan_identifiers(
        s,
        [&](std::string_view word, bool) {
            if (last == "scalar") add_once(needs.scalars, std::string(word));
            if (last == "vector") add_once(needs.vectors, std::string(word));
            last = word;
        },
        [&](char c) { last = c == ':' ? last : ""; });
    needs.has_complex = has(f.support, "complex");
    bool cuda = to == language::cuda;
    s = replaced(s, "SINTER_FN", cuda ? "static __device__ inline" : "static inline");
    s = replaced(s, "SINTER_MEMBER ", cuda ? "__device__ " : "");
    s = replaced(s, "SINTER_CONST", cuda ? "static __device__ constexpr" : "static constexpr");
    s = replaced(s, "SINTER_INDEX", cuda && !k.how.wide ? "int" : "long");
    if (cuda) s = without_unfused(s);
    s = replaced(s, "SINTER_FMA", cuda ? "::fma" : "__builtin_fma");
    bool has_preamble = false;
    for (const function_parts::part& p : f.definitions)
        has_preamble = has_preamble || p.what->kind == definition_kind::preamble;
    // CUDA's words in a preamble.
    if (has_preamble && !cuda)
        s = "#define __device__\n#define __host__\n#define __constant__ static const\n#define __forceinline__ "
            "inline\n" +
            s;
    return joined({cuda ? options_text(k) : "", vectors_text(needs), "namespace functions {\n", s, "}\n"});
}

SINTER_INLINE bool may_vectorize(const invocation& f) {
    if (f.function->cost >= expensive_function || f.function->is_loop) return false;
    function_parts parts;
    add_parts(parts, f.function);
    bool any = false;
    for (const std::string& name : parts.math)
        scan_identifiers(
            info(operation_named(name)).form,
            [&](std::string_view w, bool called) { any = any || (called && (is_libm_vector(w) || w == "power")); },
            [](char) {});
    return any;
}

// The arguments of a call, each with a comma after it; of a loop those that its text takes, or the others.
SINTER_INLINE std::string arguments_text(const invocation& called, const sequence<std::string>& args, bool around) {
    std::string s;
    for (std::size_t a = 0; a < args.size(); ++a) {
        if (!called.around.empty() && (called.around[a] != 0) != around) continue;
        dtype t = called.parameters[a];
        if (called.is_whole(a)) {
            std::string type = (is_complex(t) ? "functions::" : "") + type_text(t);
            s += joined({"functions::array_view<", type, ", ", called.ranks[a], ">{",
                         is_complex(t) ? "(const " + type + "*)" : "", args[a]});
            for (int axis = 0, rank = called.ranks[a]; axis < rank; ++axis)
                s += joined({axis ? ", " : ", {", "(functions::view_index)", args[++a]});
            s += "}}, ";
            continue;
        }
        // Where arguments decide the parameters' types they must be those of the host.
        if (called.is_generic && is_complex(t)) s += joined({"(functions::", type_text(t), ")"});
        if (called.is_generic && is_integer(t) && size_of(t) == 8)
            s += t == dtype::int64 ? "(long)" : "(unsigned long)";
        s += args[a] + ", ";
    }
    return s;
}

SINTER_INLINE std::string call_text(const kernel& k, const instruction& i, const sequence<std::string>& args) {
    const invocation& called = *k.invocations[i.payload];
    std::string name = called.function->is_loop ? "operation" : "functions::" + parts_of(k).name_of(called.function);
    std::string list = arguments_text(called, args, false);
    return joined({name, "(", list.substr(0, list.size() - (list.empty() ? 0 : 2)), ")"});
}

SINTER_INLINE std::string around_text(const kernel& k, const sequence<std::string>& args) {
    const invocation& called = *k.invocations[call_around(k)->payload];
    return joined({"functions::", parts_of(k).name_of(called.function), "(", arguments_text(called, args, true),
                   "[&](const auto& operation) {"});
}

SINTER_INLINE std::string result_names(const invocation& f, const std::string& name) {
    std::string names;
    for (std::size_t r = 0; r < f.results.size(); ++r) names += joined({r ? ", " : "", name, "_", r});
    return names;
}

SINTER_INLINE std::string call_statement(const kernel& k, const instruction& i, const sequence<std::string>& args,
                                         const std::string& target, const std::string& name) {
    const invocation& called = *k.invocations[i.payload];
    if (!called.is_bundle) return joined({target, " = ", call_text(k, i, args), ";"});
    return joined({"const auto [", result_names(called, name), "] = ", call_text(k, i, args), ";"});
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END

SINTER_COLD_END
