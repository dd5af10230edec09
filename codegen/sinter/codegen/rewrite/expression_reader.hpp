// Reads expressions of straight-line functions, with C++'s conversions and names; must not know statements.
#pragma once

#include <initializer_list>
#include <string>
#include <sinter/codegen/functions/function_names.hpp>
#include <sinter/codegen/graph/graph.hpp>
#include <sinter/codegen/rewrite/body_words.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Reads one text from its beginning to its end.
class expression_reader {
public:
    /// `reads` counts what this reader and those of functions and constants that it calls have read.
    expression_reader(graph& g, const definition& d, std::string_view text, std::size_t& reads)
        : g_(g),
          d_(d),
          reads_(reads),
          tokens_(with_operators(tokens_of(text))),
          names_(names_in(tokens_)),
          declared_(names_declared_in(tokens_of(text))) {}

    /// The value of the expression whose text it is.
    node_id value();

    node_id converted(node_id v, dtype to);

protected:
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

    node_id read_expression();
    sequence<node_id> read_list(const char* end);
    sequence<node_id> read_call(const definition& to);

    dtype type_of(node_id v) const { return g_.nodes[v].type; }
    dtype common_of(node_id a, node_id b) const;
    node_id combine(op o, node_id a, node_id b);
    node_id choose(node_id mask, node_id a, node_id b);
    void require_cheap_since(std::size_t first) const;
    void count_read();

    graph& g_;
    const definition& d_;
    std::size_t& reads_;
    sequence<token> tokens_;
    sequence<spelt_name> names_;
    sequence<std::string> declared_;
    sequence<variable> variables_;
    std::size_t at_ = 0;

private:
    node_id read_binary(int level);
    node_id read_unary();
    node_id read_primary();
    node_id read_named();
    node_id read_cast(dtype to, const char* end);
    node_id read_operation(op o, bool is_own);
    node_id read_power(node_id base, node_id exponent);
    node_id read_support(const std::string& name);
    node_id read_reference(const definition& to);
    node_id add(op o, std::initializer_list<node_id> args);
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/rewrite/expression_reader.ipp>
#endif
