// Bodies of function.hpp that find out what names mean; the text for kernels is in function_text.ipp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/functions/function.hpp>
#include <sinter/codegen/functions/function_names.hpp>
#include <sinter/codegen/ops/ieee.hpp>

SINTER_COLD_BEGIN

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE std::string name_of(const component& c) {
    return c.of->function->name + (c.of->is_bundle ? " result " + std::to_string(c.which) : "");
}

SINTER_INLINE std::string place_of(std::string_view pretty_function, std::string_view inner) {
    std::string s = replaced(std::string(pretty_function), "(anonymous namespace)", "{anonymous}");
    std::size_t end = s.find(std::string(inner) + "::");
    if (end == std::string::npos || end < 2) return "";
    std::size_t begin = s.find_last_of(" *&", end - 1);
    begin = begin == std::string::npos ? 0 : begin + 1;
    return end > begin + 2 ? s.substr(begin, end - 2 - begin) : "";
}

// A qualified name as other code may spell it.
SINTER_INLINE std::string visible(const std::string& qualified) { return replaced(qualified, "{anonymous}::", ""); }

// The one of equally named definitions that a text means; null when there is none.
SINTER_INLINE const definition* chosen(const definition& from, const std::string& name,
                                       const sequence<definition*>& matches, span<definition* const> all) {
    if (matches.empty()) return nullptr;
    for (definition* m : matches) resolve(*m, all);
    const definition* same_file = nullptr;
    int in_file = 0;
    bool equal = true;
    for (const definition* m : matches) {
        equal = equal && m->identity == matches[0]->identity;
        if (m->file != from.file) continue;
        same_file = m;
        ++in_file;
    }
    if (equal) return matches[0];
    if (in_file == 1) return same_file;
    std::string list;
    for (const definition* m : matches) list += (list.empty() ? "" : ", ") + m->qualified();
    throw type_error(joined({"[", from.qualified(), "] ", name, " could be any of: ", list}));
}

SINTER_INLINE const definition* found(const definition& from, const std::string& name, span<definition* const> all) {
    std::string spelt = name.starts_with("::") ? name.substr(2) : name;
    sequence<definition*> matches;
    for (std::string place = name.starts_with("::") ? "" : visible(from.place + "::");;) {
        if (place == "::") place.clear();
        for (definition* d : all)
            if (!d->is_being_resolved && visible(d->qualified()) == place + spelt) matches.push_back(d);
        if (const definition* d = chosen(from, name, matches, all)) return d;
        if (place.empty()) break;
        std::size_t end = place.size() > 2 ? place.rfind("::", place.size() - 3) : std::string::npos;
        place = end == std::string::npos ? "" : place.substr(0, end + 2);
    }
    // By a using directive or a namespace's second name.
    std::string last = spelt.substr(spelt.rfind(':') == std::string::npos ? 0 : spelt.rfind(':') + 1);
    for (definition* d : all)
        if (!d->is_being_resolved && d->name == last) matches.push_back(d);
    sequence<definition*> suffixed;
    for (definition* d : matches)
        if (("::" + visible(d->qualified())).ends_with("::" + spelt)) suffixed.push_back(d);
    return chosen(from, name, suffixed.empty() ? matches : suffixed, all);
}

SINTER_INLINE double cost_of(const definition& d, const sequence<token>& tokens,
                             const sequence<std::string>& declared) {
    double cost = 0;
    for (const token& t : tokens) {
        if (is_one_of(t.text, {"for", "while", "do", "goto"})) cost += expensive_function;
        if (t.kind == token_kind::symbol && std::string_view("+-*/%<>?&|^").find(t.text[0]) != std::string_view::npos)
            ++cost;
    }
    for (const spelt_name& n : names_in(tokens)) {
        meaning m = meaning_of(d, n, declared);
        if (m.kind == meaning::what::itself) cost += expensive_function;
        if (m.kind == meaning::what::refers) cost += m.to->cost;
        if (m.kind == meaning::what::math) cost += info(operation_named(m.spelling)).cost;
    }
    return cost;
}

SINTER_INLINE bool add_once(sequence<std::string>& list, const std::string& s) {
    for (const std::string& t : list)
        if (t == s) return false;
    list.push_back(s);
    return true;
}

SINTER_INLINE std::string lines_of(span<const std::string> options) {
    std::string lines;
    for (const std::string& o : options) lines += o + "\n";
    return lines;
}

SINTER_INLINE sequence<std::string> options_of(const definition& d) {
    sequence<std::string> all = d.options;
    for (const reference& r : d.references)
        for (const std::string& o : options_of(*r.to)) add_once(all, o);
    return all;
}

SINTER_INLINE void resolve(definition& d, span<definition* const> all) {
    if (d.resolved) return;
    struct guard {
        definition& d;
        guard(definition& x) : d(x) { d.is_being_resolved = true; }
        ~guard() { d.is_being_resolved = false; }
    } resolving(d);
    std::string text = d.kind == definition_kind::constant ? d.type + " = " + d.text : d.text;
    sequence<token> tokens = tokens_of(text);
    sequence<std::string> declared = names_declared_in(tokens);
    d.references.clear();
    for (const spelt_name& n : names_in(tokens)) {
        using what = meaning::what;
        bool local = false;
        for (const std::string& s : declared) local = local || (!n.qualified && s == n.text);
        meaning m = meaning_of(d, n, declared);
        if (local || m.kind == what::itself || m.kind == what::refers) continue;
        if (n.text.starts_with("std::") || n.text.starts_with("sinter::") ||
            (m.kind == what::math && !n.qualified && d.kind == definition_kind::function)) {
            if (m.kind == what::other) throw type_error(joined({"[", d.qualified(), "] kernels do not have ", n.text}));
            continue;
        }
        if (const definition* to = found(d, n.text, all)) {
            d.references.push_back({n.text, to});
            continue;
        }
        if (m.kind == what::other && n.called && d.kind == definition_kind::function)
            throw type_error(joined({"[", d.qualified(), "] calls ", n.text,
                                     ", which is neither a SINTER_FUNCTION nor a function of sinter"}));
    }
    d.identity = std::to_string(static_cast<int>(d.kind)) + d.name + "\n" + d.type + "\n" + d.text + "\n";
    for (const reference& r : d.references) d.identity += joined({r.spelling, "{", r.to->identity, "}"});
    d.cost = cost_of(d, tokens, declared);
    d.resolved = true;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END

SINTER_COLD_END
