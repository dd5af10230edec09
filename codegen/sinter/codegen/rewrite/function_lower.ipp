// Bodies of function_lower.hpp: a reader of statements and expressions, which records an operation for each.
#pragma once

#include <sinter/codegen/rewrite/function_lower.hpp>
#include <sinter/codegen/functions/function_names.hpp>
#include <sinter/codegen/ops/libm.hpp>
#include <sinter/codegen/rewrite/simplify.ipp>

#include <charconv>
#include <utility>

namespace sinter::inline SINTER_ABI::codegen {

/// Thrown where a text says what graphs do not, or not surely the same.
struct not_lowered {};

SINTER_INLINE void require_lowered(bool holds) {
    if (!holds) throw not_lowered();
}

// Operators of two characters as one symbol.
SINTER_INLINE sequence<token> with_operators(const sequence<token>& tokens) {
    sequence<token> joined;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        token t = tokens[i];
        bool pair =
            t.kind == token_kind::symbol && i + 1 < tokens.size() && !tokens[i + 1].spaced && t.text.size() == 1;
        std::string_view both = pair ? std::string_view(t.text.data(), 2) : std::string_view();
        if (pair &&
            is_one_of(both, {"==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "+=", "-=", "*=", "/=", "++", "--"})) {
            t.text = both;
            ++i;
        }
        joined.push_back(t);
    }
    return joined;
}

inline constexpr std::pair<std::string_view, dtype> body_types[] = {
    {"float", dtype::float32}, {"double", dtype::float64}, {"int", dtype::int32}, {"bool", dtype::bool_}};

SINTER_INLINE bool is_type_word(std::string_view word) {
    for (const auto& [name, type] : body_types)
        if (word == name) return true;
    return false;
}

// The types that bodies have; nothing for auto.
SINTER_INLINE std::optional<dtype> type_named(std::string_view word) {
    for (const auto& [name, type] : body_types)
        if (word == name) return type;
    require_lowered(word == "auto");
    return std::nullopt;
}

// Whether std's function gives the bits of the operation of that name.
SINTER_INLINE bool is_exactly_standard(std::string_view name) {
    const libm_function* f = find_libm(name);
    if (f) return f->standard == libm_standard::same;
    return is_one_of(name, {"nearbyint", "abs", "isnan", "isinf", "isfinite", "signbit"});
}

template <class T>
scalar_value number_of(const std::string& digits, bool hex) {
    T value{};
    auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value,
                                          hex ? std::chars_format::hex : std::chars_format::general);
    require_lowered(problem == std::errc() && end == digits.data() + digits.size());
    return scalar_value::of(value);
}

// A number as it is written; of whole numbers int's alone.
SINTER_INLINE scalar_value number_of(std::string_view text) {
    std::string digits = replaced(std::string(text), "'", "");
    bool hex = digits.starts_with("0x") || digits.starts_with("0X");
    if (hex) digits.erase(0, 2);
    bool fraction = digits.find_first_of(hex ? ".pP" : ".eE") != digits.npos;
    if (fraction && is_one_of(digits.substr(digits.size() - 1), {"f", "F"})) {
        digits.pop_back();
        return number_of<float>(digits, hex);
    }
    if (fraction) return number_of<double>(digits, hex);
    int value = 0, base = hex ? 16 : digits[0] == '0' ? 8 : 10;
    auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    require_lowered(problem == std::errc() && end == digits.data() + digits.size());
    return scalar_value::of(value);
}

/// Reads one text from its beginning to its end.
class body_reader {
public:
    /// `reads` counts what this reader and those of functions and constants that it calls have read.
    body_reader(graph& g, const definition& d, std::string_view text, std::size_t& reads)
        : g_(g),
          d_(d),
          reads_(reads),
          tokens_(with_operators(tokens_of(text))),
          names_(names_in(tokens_)),
          declared_(names_declared_in(tokens_of(text))) {}

    /// The results of the function whose text it is.
    sequence<node_id> call(std::span<const node_id> arguments);
    /// The value of the expression whose text it is.
    node_id value();

    node_id converted(node_id v, dtype to);

private:
    struct variable {
        std::string_view name;
        dtype type;
        node_id value = no_node;  ///< or uninitialized
    };

    // ---- words
    std::string_view peek(std::size_t ahead = 0) const {
        return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead].text : "";
    }
    std::string_view next() {
        require_lowered(at_ < tokens_.size());
        return tokens_[at_++].text;
    }
    bool accept(std::string_view word) {
        bool is = peek() == word;
        at_ += is;
        return is;
    }
    void expect(std::string_view word) { require_lowered(accept(word)); }
    std::string_view next_name() {
        require_lowered(at_ < tokens_.size() && tokens_[at_].kind == token_kind::name);
        return next();
    }
    const spelt_name* name_here() const {
        for (const spelt_name& n : names_)
            if (n.first == at_) return &n;
        return nullptr;
    }
    variable* find(std::string_view name) {
        for (std::size_t i = variables_.size(); i-- > 0;)
            if (variables_[i].name == name) return &variables_[i];
        return nullptr;
    }

    // ---- statements; those that return give the results, others nothing
    void read_parameters(std::span<const node_id> arguments);
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

    // ---- expressions
    node_id read_expression();
    node_id read_binary(int level);
    node_id read_unary();
    node_id read_primary();
    node_id read_named();
    node_id read_cast(dtype to, const char* end);
    sequence<node_id> read_list(const char* end);
    node_id read_operation(op o, bool is_own);
    node_id read_power(node_id base, node_id exponent);
    node_id read_support(const std::string& name);
    node_id read_reference(const definition& to);
    sequence<node_id> read_call(const definition& to);

    dtype type_of(node_id v) const { return g_.nodes[v].type; }
    dtype common_of(node_id a, node_id b) const;
    node_id add(op o, std::initializer_list<node_id> args);
    node_id combine(op o, node_id a, node_id b);
    node_id choose(node_id mask, node_id a, node_id b);
    void require_cheap_since(std::size_t first) const;

    void count_read() { require_lowered(++reads_ <= 4 * longest_body); }

    graph& g_;
    const definition& d_;
    std::size_t& reads_;
    sequence<token> tokens_;
    sequence<spelt_name> names_;
    sequence<std::string> declared_;
    sequence<variable> variables_;
    sequence<std::optional<dtype>> results_;  ///< types, or nothing where the text leaves them to the compiler
    bool is_bundle_ = false;
    std::size_t at_ = 0;
};

// Whether a body may have it at its ends; in between such types alone come of such types.
SINTER_INLINE bool is_lowered_type(dtype t) {
    return t == dtype::float32 || t == dtype::float64 || t == dtype::int32 || t == dtype::bool_;
}

SINTER_INLINE std::optional<graph> body_of(const invocation& f) {
    if (!f.call || !f.ranks.empty() || f.traced || !options_of(*f.function).empty()) return std::nullopt;
    for (dtype t : f.parameters)
        if (!is_lowered_type(t)) return std::nullopt;
    for (dtype t : f.results)
        if (!is_lowered_type(t)) return std::nullopt;
    graph g;
    sequence<node_id> arguments;
    for (std::uint32_t i = 0; i < f.parameters.size(); ++i) arguments.push_back(g.add_input(i, f.parameters[i], {}));
    try {
        std::size_t reads = 0;
        body_reader reader(g, *f.function, f.function->text, reads);
        sequence<node_id> results = reader.call(arguments);
        require_lowered(results.size() == f.results.size());
        for (std::size_t i = 0; i < results.size(); ++i) {
            node_id r = reader.converted(results[i], f.results[i]);
            // A result is memory of its own, also where it is an argument.
            g.roots.push_back(g.nodes[r].kind == node_kind::input ? g.add_apply(op::positive, {&r, 1}, {}) : r);
        }
    } catch (const not_lowered&) {
        return std::nullopt;
    }
    g = simplify(g);
    std::size_t operations = 0;
    for (const node& n : g.nodes) operations += n.kind == node_kind::apply;
    if (operations > longest_body) return std::nullopt;
    return g;
}

}  // namespace sinter::inline SINTER_ABI::codegen

#include <sinter/codegen/rewrite/function_lower_expressions.ipp>
#include <sinter/codegen/rewrite/function_lower_statements.ipp>
