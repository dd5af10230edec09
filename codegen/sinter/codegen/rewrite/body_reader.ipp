// Bodies of body_reader.hpp.
#pragma once

#include <optional>
#include <sinter/codegen/rewrite/body_reader.hpp>
#include <sinter/codegen/rewrite/expression_reader.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

/// Reads one function from its beginning to its end.
class body_reader : public expression_reader {
public:
    using expression_reader::expression_reader;

    /// The results of the function whose text it is.
    sequence<node_id> call(span<const node_id> arguments);

private:
    // ---- statements; those that return give the results, others nothing
    void read_parameters(span<const node_id> arguments);
    void read_result_type();
    sequence<node_id> read_statements();
    sequence<node_id> read_statement();
    sequence<node_id> read_block();
    sequence<node_id> read_if();
    sequence<node_id> read_return();
    const definition* read_structure_name();
    sequence<std::optional<dtype>> members_of(const definition& structure) const;
    void read_declaration();
    void read_bindings();
    bool read_bundle(sequence<node_id>& values, sequence<std::optional<dtype>>& types);
    void read_assignment();
    void merge(node_id mask, const sequence<variable>& held, const sequence<variable>& failed);

    sequence<std::optional<dtype>> results_;  ///< types, or nothing where the text leaves them to the compiler
    bool is_bundle_ = false;
};

SINTER_INLINE sequence<node_id> body_reader::call(span<const node_id> arguments) {
    read_parameters(arguments);
    read_result_type();
    expect("{");
    sequence<node_id> results = read_statements();
    expect("}");
    require_lowered(!results.empty() && at_ == tokens_.size());
    return results;
}

SINTER_INLINE void body_reader::read_parameters(span<const node_id> arguments) {
    expect("(");
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (i > 0) expect(",");
        bool is_const = accept("const");
        std::optional<dtype> type = type_named(next());
        is_const = accept("const") || is_const;
        if (accept("&")) require_lowered(is_const);
        const std::string_view name = next_name();
        const node_id v = converted(arguments[i], type.value_or(type_of(arguments[i])));
        variables_.push_back({name, type_of(v), v});
    }
    expect(")");
}

SINTER_INLINE void body_reader::read_result_type() {
    if (!accept("->")) return;
    const spelt_name* n = name_here();
    if (!n) return results_.push_back(type_named(next()));
    is_bundle_ = true;
    if (const definition* s = read_structure_name()) {
        results_ = members_of(*s);
        return;
    }
    require_lowered(is_one_of(n->text, {"std::tuple", "std::pair"}));
    at_ = n->last;
    expect("<");
    do results_.push_back(type_named(next()));
    while (accept(","));
    expect(">");
}

SINTER_INLINE sequence<node_id> body_reader::read_statements() {
    while (peek() != "}") {
        sequence<node_id> results = read_statement();
        if (results.empty()) continue;
        require_lowered(peek() == "}");
        return results;
    }
    return {};
}

SINTER_INLINE sequence<node_id> body_reader::read_statement() {
    if (accept(";")) return {};
    if (accept("if")) return read_if();
    if (accept("return")) return read_return();
    if (peek() == "{") return read_block();
    bool declares = is_type_word(peek()) || is_one_of(peek(), {"const", "constexpr", "auto"});
    if (declares) read_declaration();
    else read_assignment();
    return {};
}

SINTER_INLINE sequence<node_id> body_reader::read_block() {
    const std::size_t outside = variables_.size();
    expect("{");
    sequence<node_id> results = read_statements();
    expect("}");
    variables_.resize(outside);
    return results;
}

SINTER_INLINE sequence<node_id> body_reader::read_if() {
    expect("(");
    const node_id mask = converted(read_expression(), dtype::bool_);
    expect(")");
    const std::size_t first = g_.nodes.size();
    const sequence<variable> before = variables_;
    auto read_branch = [&] {
        sequence<node_id> results = peek() == "{" ? read_block() : read_statement();
        variables_.resize(before.size());
        return results;
    };
    sequence<node_id> held = read_branch(), failed;
    const sequence<variable> after = variables_;
    variables_ = before;
    if (accept("else")) failed = read_branch();
    if (held.empty() && failed.empty()) {
        merge(mask, after, sequence<variable>(variables_));
        require_cheap_since(first);
        return {};
    }
    // What follows belongs to the branch that does not return.
    if (held.empty()) variables_ = after;
    if (held.empty() || failed.empty()) (held.empty() ? held : failed) = read_statements();
    require_lowered(held.size() == failed.size());
    for (std::size_t i = 0; i < held.size(); ++i) {
        require_lowered(type_of(held[i]) == type_of(failed[i]));
        held[i] = choose(mask, held[i], failed[i]);
    }
    require_cheap_since(first);
    return held;
}

SINTER_INLINE void body_reader::merge(node_id mask, const sequence<variable>& held, const sequence<variable>& failed) {
    for (std::size_t i = 0; i < variables_.size(); ++i) {
        const node_id a = held[i].value, b = failed[i].value;
        if (a != b) variables_[i].value = a == no_node || b == no_node ? no_node : choose(mask, a, b);
    }
}

// The structure whose name stands here, or nothing.
SINTER_INLINE const definition* body_reader::read_structure_name() {
    const spelt_name* n = name_here();
    const meaning m = n ? meaning_of(d_, *n, declared_) : meaning();
    if (m.kind != meaning::what::refers || m.to->kind != definition_kind::structure) return nullptr;
    at_ = n->last;
    return m.to;
}

// The types of a structure's members: `{ float x, y; int n = 0; }`.
SINTER_INLINE sequence<std::optional<dtype>> body_reader::members_of(const definition& structure) const {
    sequence<std::optional<dtype>> members;
    const sequence<token> t = tokens_of(std::string_view(structure.text));
    for (std::size_t i = 1; i + 1 < t.size(); ++i) {
        require_lowered(is_type_word(t[i].text));
        const dtype type = *type_named(t[i].text);
        do {
            require_lowered(++i + 1 < t.size() && t[i].kind == token_kind::name);
            members.push_back(type);
            // A value for where none is given, which bodies always do; what has brackets may have commas of its own.
            while (++i < t.size() && !is_one_of(t[i].text, {",", ";"}))
                require_lowered(!is_one_of(t[i].text, {"(", "[", "{", "<"}));
        } while (i < t.size() && t[i].text == ",");
    }
    return members;
}

// A tuple, a pair or a structure that is written out here: `std::tuple(x, y)`, `point{x, y}`; false for anything else.
SINTER_INLINE bool body_reader::read_bundle(sequence<node_id>& values, sequence<std::optional<dtype>>& types) {
    const spelt_name* n = name_here();
    if (n && n->called && is_one_of(n->text, {"std::tuple", "std::make_tuple", "std::pair", "std::make_pair"})) {
        at_ = n->last + 1;
        values = read_list(")");
        return true;
    }
    const definition* s = read_structure_name();
    if (!s) return false;
    types = members_of(*s);
    expect("{");
    values = read_list("}");
    return true;
}

SINTER_INLINE sequence<node_id> body_reader::read_return() {
    sequence<node_id> results;
    sequence<std::optional<dtype>> types;
    if (read_bundle(results, types)) {
        require_lowered(is_bundle_ || results_.empty());
        if (results_.empty()) results_ = types;
    } else if (is_bundle_) {
        expect("{");
        results = read_list("}");
    } else {
        results.push_back(read_expression());
    }
    expect(";");
    require_lowered(results_.empty() || results.size() == results_.size());
    for (std::size_t i = 0; i < results_.size(); ++i)
        if (results_[i]) results[i] = converted(results[i], *results_[i]);
    return results;
}

SINTER_INLINE void body_reader::read_declaration() {
    while (accept("const") || accept("constexpr")) {
    }
    const std::optional<dtype> type = type_named(next());
    accept("const");
    if (!type && (peek() == "[" || (peek() == "&" && peek(1) == "["))) return read_bindings();
    do {
        const std::string_view name = next_name();
        node_id v = no_node;
        if (accept("=")) v = read_expression();
        if (v != no_node) v = converted(v, type.value_or(type_of(v)));
        require_lowered(type || v != no_node);
        variables_.push_back({name, type ? *type : type_of(v), v});
    } while (accept(","));
    expect(";");
}

// The rest of `auto [x, y] = f(z);`.
SINTER_INLINE void body_reader::read_bindings() {
    accept("&");
    expect("[");
    sequence<std::string_view> names;
    do names.push_back(next_name());
    while (accept(","));
    expect("]");
    expect("=");
    sequence<node_id> values;
    sequence<std::optional<dtype>> types;
    if (!read_bundle(values, types)) {
        const spelt_name* n = name_here();
        const meaning m = n ? meaning_of(d_, *n, declared_) : meaning();
        require_lowered(m.kind == meaning::what::refers);
        at_ = n->last;
        count_read();
        values = read_call(*m.to);
    }
    expect(";");
    require_lowered(values.size() == names.size() && (types.empty() || types.size() == values.size()));
    for (std::size_t i = 0; i < names.size(); ++i) {
        const node_id v = types.empty() ? values[i] : converted(values[i], *types[i]);
        variables_.push_back({names[i], type_of(v), v});
    }
}

SINTER_INLINE void body_reader::read_assignment() {
    variable* to = find(next_name());
    require_lowered(to);
    const std::string_view how = next();
    const node_id v = read_expression();
    if (how == "=") to->value = converted(v, to->type);
    else {
        require_lowered(to->value != no_node && is_one_of(how, {"+=", "-=", "*=", "/="}));
        const op o = how == "+=" ? op::add : how == "-=" ? op::subtract : how == "*=" ? op::multiply : op::divide;
        to->value = converted(combine(o, to->value, v), to->type);
    }
    expect(";");
}

SINTER_INLINE sequence<node_id> results_of(graph& g, const definition& function, span<const node_id> arguments,
                                           std::size_t& reads) {
    return body_reader(g, function, function.text, reads).call(arguments);
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
