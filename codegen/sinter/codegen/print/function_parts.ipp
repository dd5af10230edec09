// Bodies of function_parts.hpp.
#pragma once

#include <sinter/codegen/print/function_parts.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE sequence<token> tokens_of(const definition& d) { return tokens_of(std::string_view(d.text)); }

SINTER_INLINE bool has(const sequence<std::string>& list, std::string_view s) {
    for (const std::string& t : list)
        if (t == s) return true;
    return false;
}

// The number of elements in the list that a bracket at i opens.
SINTER_INLINE std::size_t count_listed(const sequence<token>& t, std::size_t i) {
    std::size_t commas = 0;
    int depth = 0;
    for (; i < t.size(); ++i) {
        if (is_one_of(t[i].text, {"(", "[", "{", "<"})) ++depth;
        if (is_one_of(t[i].text, {")", "]", "}", ">", ";"}) && --depth <= 0) break;
        commas += depth == 1 && t[i].text == ",";
    }
    return commas + 1;
}

SINTER_INLINE void add_meanings(function_parts& f, const definition& d, const sequence<token>& tokens) {
    sequence<std::string> declared = names_declared_in(tokens);
    for (const spelt_name& n : names_in(tokens)) {
        meaning m = meaning_of(d, n, declared);
        if (m.kind == meaning::what::refers) add_parts(f, m.to);
        if (m.kind == meaning::what::math) add_once(f.math, m.spelling);
        if (m.kind != meaning::what::support) continue;
        add_once(f.support, m.spelling);
        if (!is_one_of(m.spelling, {"tuple", "make_tuple", "tie"})) continue;
        std::size_t count = count_listed(tokens, n.last), known = 0;
        while (known < f.tuples.size() && f.tuples[known] != count) ++known;
        if (known == f.tuples.size()) f.tuples.push_back(count);
    }
}

SINTER_INLINE void add_parts(function_parts& f, const definition* d) {
    for (const function_parts::part& p : f.definitions)
        if (p.what->identity == d->identity) return;
    if (d->kind == definition_kind::constant) add_meanings(f, *d, codegen::tokens_of(std::string_view(d->type)));
    for (const reference& r : d->references)
        if (r.to->kind == definition_kind::preamble) add_parts(f, r.to);
    add_meanings(f, *d, tokens_of(*d));
    f.definitions.push_back({d, {}});
}

SINTER_INLINE const definition* preamble_of(const definition& d) {
    for (const reference& r : d.references)
        if (r.to->kind == definition_kind::preamble) return r.to;
    return nullptr;
}

SINTER_INLINE void give_names(function_parts& f) {
    sequence<std::string> taken = f.math;
    taken.append(f.support.begin(), f.support.end());
    for (function_parts::part& p : f.definitions) {
        p.name = p.what->name;
        for (int i = 2; !add_once(taken, p.name); ++i) p.name = p.what->name + "_" + std::to_string(i);
    }
    std::size_t preambles = 0;
    for (const function_parts::part& p : f.definitions) preambles += p.what->kind == definition_kind::preamble;
    for (function_parts::part& p : f.definitions)
        if (const definition* before = preamble_of(*p.what); before && preambles > 1) p.around = f.name_of(before);
}

SINTER_INLINE const char* types_of(const op_info& o) {
    switch (o.typing) {
        case rule::floating:
        case rule::angle:
        case rule::exponent:
        case rule::scale:
        case rule::rounding: return "floating_of";
        default: return "inside_of";
    }
}

// What the blocks and wrappers use in turn.
SINTER_INLINE void close_over_support(function_parts& f) {
    if (has(f.support, "clip")) {
        add_once(f.math, "minimum");
        add_once(f.math, "maximum");
    }
    if (has(f.support, "polar")) add_once(f.support, "complex");
    if (has(f.support, "make_tuple") || has(f.support, "tie")) add_once(f.support, "tuple");
    if (has(f.support, "make_pair")) add_once(f.support, "pair");
    for (const std::string& name : f.math) {
        const op_info& o = info(operation_named(name));
        add_once(f.support, types_of(o));
        if (o.arity > 1 && o.typing != rule::scale) add_once(f.support, "common_of");
    }
    if (!has(f.support, "complex")) return;
    for (const char* name : {"inside_of", "floating_of", "common_of"})
        if (has(f.support, name)) add_once(f.support, name + std::string("_complex"));
    if (!f.math.empty()) add_once(f.support, "outside");
}

SINTER_INLINE function_parts parts_of(const kernel& k) {
    function_parts f;
    for (const invocation* i : k.invocations) {
        add_parts(f, i->function);
        for (dtype t : i->parameters)
            if (is_complex(t)) add_once(f.support, "complex");
        for (dtype t : i->results)
            if (is_complex(t)) add_once(f.support, "complex");
    }
    close_over_support(f);
    give_names(f);
    return f;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
