// Bodies of functions.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/print/emit.hpp>
#include <sinter/codegen/rewrite/function_lower.hpp>
#include <sinter/codegen/base/number_map.hpp>
#include <sinter/runtime/base/functions.hpp>

#include <mutex>

namespace sinter::inline SINTER_ABI::runtime {

struct function_table {
    std::mutex guard;
    codegen::sequence<codegen::definition*> definitions;
    codegen::sequence<codegen::invocation*> invocations;
    codegen::text_map numbers;  ///< of invocations, by content
};

SINTER_INLINE function_table& functions() {
    static function_table& t = *new function_table;
    return t;
}

SINTER_INLINE const codegen::definition& add_definition(codegen::definition_kind kind, const char* name,
                                                        const char* type, const char* text, const char* pretty_function,
                                                        const char* inner, const char* file, const char* line) {
    auto* d = new codegen::definition;
    d->kind = kind;
    d->name = name;
    d->type = type;
    d->text = codegen::without_usings(text);
    d->place = codegen::place_of(pretty_function, inner);
    d->file = file;
    d->line = line;
    function_table& t = functions();
    std::lock_guard lock(t.guard);
    t.definitions.push_back(d);
    return *d;
}

SINTER_INLINE const codegen::definition& add_definition_beside(const codegen::definition& other, std::string name,
                                                               std::string text) {
    auto* d = new codegen::definition;
    d->name = std::move(name);
    d->text = std::move(text);
    d->place = other.place;
    d->file = other.file;
    d->line = other.line;
    function_table& t = functions();
    std::lock_guard lock(t.guard);
    t.definitions.push_back(d);
    return *d;
}

SINTER_INLINE void add_structure(std::string_view qualified, const std::string& text) {
    const std::size_t end = qualified.rfind("::");
    const std::string name(end == qualified.npos ? qualified : qualified.substr(end + 2));
    const std::string place = end == qualified.npos ? ""
                                                    : codegen::replaced(std::string(qualified.substr(0, end)),
                                                                        "(anonymous namespace)", "{anonymous}");
    function_table& t = functions();
    std::lock_guard lock(t.guard);
    for (const codegen::definition* d : t.definitions)
        if (d->kind == codegen::definition_kind::structure && d->name == name && d->place == place) return;
    auto* d = new codegen::definition;
    d->kind = codegen::definition_kind::structure;
    d->name = name;
    d->place = place;
    d->text = text;
    t.definitions.push_back(d);
}

// The first name between quotes after one of the compilers' phrases for it, or before it.
SINTER_INLINE std::string_view unknown_name(std::string_view log) {
    for (std::string_view line; !log.empty();) {
        line = codegen::take_line(log);
        const bool says = line.find("was not declared") != line.npos || line.find("is undefined") != line.npos ||
                          line.find("undeclared identifier") != line.npos;
        const std::size_t begin = says ? line.find_first_of("'\"") : line.npos;
        if (begin == line.npos) continue;
        const std::size_t end = line.find(line[begin], begin + 1);
        if (end != line.npos) return line.substr(begin + 1, end - begin - 1);
    }
    return {};
}

SINTER_INLINE std::string unknown_to_kernels(std::string_view log) {
    const std::string_view name = unknown_name(log);
    if (name.empty()) return {};
    function_table& t = functions();
    std::lock_guard lock(t.guard);
    for (const codegen::definition* d : t.definitions) {
        if (d->kind != codegen::definition_kind::function || d->line.empty()) continue;
        const codegen::sequence<codegen::token> words = codegen::tokens_of(d->text);
        const codegen::sequence<std::string> own = codegen::names_declared_in(words);
        if (codegen::find(own.begin(), own.end(), name) != own.end()) continue;
        for (const codegen::token& word : words)
            if (word.kind == codegen::token_kind::name && word.text == name)
                return codegen::joined(
                    {"[", d->qualified(), "] ", d->line, ": kernels know no '", name,
                     "': pass it as an argument, or make it a SINTER_CONSTANT or a SINTER_FUNCTION\n"});
    }
    return {};
}

SINTER_INLINE std::string number_literal(const codegen::scalar_value& v) { return codegen::literal_text(v); }

SINTER_INLINE void refuse_half(const codegen::invocation& f, const codegen::sequence<dtype>& types) {
    for (dtype t : types)
        if (codegen::is_half(t) && !f.traced)
            throw type_error(codegen::joined({"[", f.function->qualified(), "] a function computes no ", to_string(t),
                                              ": convert with astype<",
                                              codegen::is_complex(t) ? "std::complex<float>>" : "float>"}));
}

SINTER_INLINE const codegen::invocation& find_invocation(codegen::invocation wanted) {
    refuse_half(wanted, wanted.parameters);
    refuse_half(wanted, wanted.results);
    function_table& t = functions();
    std::lock_guard lock(t.guard);
    for (codegen::definition* d : t.definitions)
        if (d == wanted.function) codegen::resolve(*d, t.definitions);
    std::string key =
        wanted.function->identity + static_cast<char>(wanted.is_bundle) + static_cast<char>(wanted.is_generic);
    for (dtype p : wanted.parameters) key += static_cast<char>(p);
    for (std::uint8_t r : wanted.ranks) key += static_cast<char>('0' + r);
    key += '|';
    for (dtype r : wanted.results) key += static_cast<char>(r);
    if (std::uint32_t found = t.numbers.find(key); found != codegen::number_map::none) {
        // A library that was loaded again has its function at another place.
        t.invocations[found]->call = wanted.call;
        return *t.invocations[found];
    }
    constexpr std::size_t most = 65536;
    if (t.invocations.size() == most)
        throw value_error("[vectorize] a program calls at most 65536 functions of other types");
    wanted.number = static_cast<std::uint32_t>(t.invocations.size());
    if (std::optional<codegen::graph> body = codegen::body_of(wanted))
        wanted.body = new codegen::graph(std::move(*body));
    t.invocations.push_back(new codegen::invocation(std::move(wanted)));
    t.numbers.add(key, t.invocations.back()->number);
    return *t.invocations.back();
}

SINTER_INLINE const codegen::invocation& invocation_of(std::uint32_t number) {
    function_table& t = functions();
    std::lock_guard lock(t.guard);
    return *t.invocations[number];
}

}  // namespace sinter::inline SINTER_ABI::runtime
