// Bodies of expression_reader.hpp.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/rewrite/body_reader.hpp>
#include <sinter/codegen/rewrite/expression_reader.hpp>
#include <sinter/codegen/rewrite/folding.hpp>
#include <sinter/codegen/rewrite/function_lower.hpp>

SINTER_COLD_BEGIN

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE node_id expression_reader::value() {
    node_id v = read_expression();
    require_lowered(at_ == tokens_.size());
    return v;
}

// float and double meet in literals alone: other arithmetic in double is what explain() warns of, by the word in the
// text.
SINTER_INLINE node_id expression_reader::converted(node_id v, dtype to) {
    const dtype from = type_of(v);
    if (from == to) return v;
    if (to == dtype::bool_) {
        scalar_value zero;
        zero.type = from;
        return add(op::not_equal, {v, g_.add_literal(zero)});
    }
    require_lowered(kind_rank(from) < 2 || (is_floating(to) && g_.nodes[v].kind == node_kind::literal));
    return g_.add_cast(v, to);
}

SINTER_INLINE dtype expression_reader::common_of(node_id a, node_id b) const {
    const dtype s = type_of(a), t = type_of(b);
    require_lowered(!is_floating(s) || !is_floating(t) || s == t);
    return is_floating(s) ? s : is_floating(t) ? t : dtype::int32;
}

SINTER_INLINE node_id expression_reader::add(op o, std::initializer_list<node_id> args) {
    count_read();
    return folded_or_added(g_, o, {args.begin(), args.size()}, {});
}

SINTER_INLINE node_id expression_reader::combine(op o, node_id a, node_id b) {
    const dtype t = common_of(a, b);
    require_lowered(is_floating(t) || info(o).typing == rule::compare);
    return add(o, {converted(a, t), converted(b, t)});
}

SINTER_INLINE node_id expression_reader::choose(node_id mask, node_id a, node_id b) {
    const dtype t = type_of(a) == type_of(b) ? type_of(a) : common_of(a, b);
    return add(op::where, {converted(mask, dtype::bool_), converted(a, t), converted(b, t)});
}

SINTER_INLINE void expression_reader::require_cheap_since(std::size_t first) const {
    int cost = 0;
    for (std::size_t n = first; n < g_.nodes.size(); ++n)
        if (g_.nodes[n].kind == node_kind::apply) cost += info(g_.nodes[n].operation).cost;
    require_lowered(cost <= dearest_alternative);
}

SINTER_INLINE node_id expression_reader::read_expression() {
    const node_id mask = read_binary(1);
    if (!accept("?")) return mask;
    const std::size_t first = g_.nodes.size();
    const node_id a = read_expression();
    expect(":");
    const node_id b = read_expression();
    require_cheap_since(first);
    return choose(mask, a, b);
}

/// An operator between two operands; higher levels bind stronger.
struct infix_row {
    const char* text;
    int level;
    op operation;
};
inline constexpr infix_row infix_rows[] = {
    {"||", 1, op::logical_or}, {"&&", 2, op::logical_and}, {"==", 3, op::equal},      {"!=", 3, op::not_equal},
    {"<", 4, op::less},        {">", 4, op::greater},      {"<=", 4, op::less_equal}, {">=", 4, op::greater_equal},
    {"+", 5, op::add},         {"-", 5, op::subtract},     {"*", 6, op::multiply},    {"/", 6, op::divide}};

SINTER_INLINE const infix_row* infix_named(std::string_view text) {
    for (const infix_row& r : infix_rows)
        if (text == r.text) return &r;
    return nullptr;
}

SINTER_INLINE node_id expression_reader::read_binary(int level) {
    node_id a = read_unary();
    for (const infix_row* r; (r = infix_named(peek())) && r->level >= level;) {
        next();
        const std::size_t first = g_.nodes.size();
        const node_id b = read_binary(r->level + 1);
        if (info(r->operation).typing == rule::logical) {
            require_cheap_since(first);
            a = add(r->operation, {converted(a, dtype::bool_), converted(b, dtype::bool_)});
        } else {
            a = combine(r->operation, a, b);
        }
    }
    return a;
}

SINTER_INLINE node_id expression_reader::read_unary() {
    if (accept("!")) return add(op::logical_not, {converted(read_unary(), dtype::bool_)});
    const bool negates = accept("-");
    if (!negates && !accept("+")) return read_primary();
    const node_id v = read_unary();
    if (const node& n = g_.nodes[v]; n.kind == node_kind::literal && n.type == dtype::int32)
        return negates ? g_.add_literal(scalar_value::of(-g_.literals[n.payload].as<int>())) : v;
    require_lowered(is_floating(type_of(v)));
    return negates ? add(op::negative, {v}) : v;
}

SINTER_INLINE node_id expression_reader::read_cast(dtype to, const char* end) {
    const node_id v = read_expression();
    expect(end);
    return converted(v, to);
}

SINTER_INLINE node_id expression_reader::read_primary() {
    require_lowered(at_ < tokens_.size());
    if (tokens_[at_].kind == token_kind::number) return g_.add_literal(number_of(next()));
    if (accept("(")) {
        if (!is_type_word(peek())) {
            const node_id v = read_expression();
            expect(")");
            return v;
        }
        const dtype to = *type_named(next());
        expect(")");
        return converted(read_unary(), to);
    }
    if (accept("true")) return g_.add_literal(scalar_value::of(true));
    if (accept("false")) return g_.add_literal(scalar_value::of(false));
    if (accept("static_cast")) {
        expect("<");
        require_lowered(is_type_word(peek()));
        const dtype to = *type_named(next());
        expect(">");
        expect("(");
        return read_cast(to, ")");
    }
    if (is_type_word(peek())) {
        const dtype to = *type_named(next());
        expect("(");
        return read_cast(to, ")");
    }
    return read_named();
}

SINTER_INLINE node_id expression_reader::read_named() {
    using what = meaning::what;
    const spelt_name* n = name_here();
    require_lowered(n);
    at_ = n->last;
    if (const variable* v = n->qualified ? nullptr : find(n->text)) {
        require_lowered(v->value != no_node);
        return v->value;
    }
    const meaning m = meaning_of(d_, *n, declared_);
    if (m.kind == what::refers) return read_reference(*m.to);
    // The C library's functions of such names have other types.
    require_lowered(!n->text.starts_with("::"));
    if (m.kind == what::value) return expression_reader(g_, d_, m.spelling, reads_).value();
    require_lowered(accept("(") && (m.kind == what::math || m.kind == what::support));
    if (m.kind == what::support) return read_support(m.spelling);
    require_lowered(!n->text.starts_with("std::") || is_exactly_standard(m.spelling));
    return read_operation(operation_named(m.spelling), !n->qualified);
}

SINTER_INLINE sequence<node_id> expression_reader::read_list(const char* end) {
    sequence<node_id> values;
    do values.push_back(read_expression());
    while (accept(","));
    expect(end);
    return values;
}

// `is_own`: operands of several types convert as scalar_rows.hpp says; others' functions know one floating type.
SINTER_INLINE node_id expression_reader::read_operation(op o, bool is_own) {
    sequence<node_id> args = read_list(")");
    require_lowered(args.size() == info(o).arity);
    if (o == op::where && is_own) return choose(args[0], args[1], args[2]);
    const rule typing = info(o).typing;
    require_lowered(typing == rule::arithmetic || typing == rule::same || typing == rule::rounding ||
                    typing == rule::floating || typing == rule::compare || typing == rule::real);
    dtype t = type_of(args[0]);
    if (args.size() == 2) {
        // std::pow of float and int is one of double.
        require_lowered(is_own || type_of(args[1]) == t || (o == op::power && t == dtype::float64));
        t = common_of(args[0], args[1]);
    }
    require_lowered(is_floating(t) && accepts(o, t));
    for (node_id& a : args) a = converted(a, t);
    if (args.size() == 1) return add(o, {args[0]});
    return o == op::power ? read_power(args[0], args[1]) : add(o, {args[0], args[1]});
}

// Compilers make the same product of a square; other powers that simplify() rewrites have other bits.
SINTER_INLINE node_id expression_reader::read_power(node_id base, node_id exponent) {
    require_lowered(g_.nodes[exponent].kind == node_kind::literal);
    if (real_value(g_, exponent) == 2) return add(op::square, {base});
    require_lowered(!has_simpler_power(real_value(g_, exponent)));
    return add(op::power, {base, exponent});
}

// What namespace std has, and the C library.
SINTER_INLINE node_id expression_reader::read_support(const std::string& name) {
    const bool single = is_single_math(name);
    if (single && is_exactly_standard(name.substr(0, name.size() - 1))) {
        const op o = operation_named(name.substr(0, name.size() - 1));
        sequence<node_id> args = read_list(")");
        require_lowered(args.size() == info(o).arity && args.size() < 3);
        for (node_id& a : args) a = converted(a, dtype::float32);
        if (o == op::power) return read_power(args[0], args[1]);
        return args.size() == 1 ? add(o, {args[0]}) : add(o, {args[0], args[1]});
    }
    const sequence<node_id> x = read_list(")");
    if (name == "clip") {
        require_lowered(x.size() == 3);
        return combine(op::minimum, combine(op::maximum, x[0], x[1]), x[2]);
    }
    for (node_id v : x) require_lowered(type_of(v) == type_of(x[0]));
    const bool clamps = name == "std_clamp";
    require_lowered(x.size() == (clamps ? 3 : 2) && (clamps || name == "std_min" || name == "std_max"));
    if (name == "std_min") return choose(add(op::less, {x[1], x[0]}), x[1], x[0]);
    if (name == "std_max") return choose(add(op::less, {x[0], x[1]}), x[1], x[0]);
    return choose(add(op::less, {x[0], x[1]}), x[1], choose(add(op::less, {x[2], x[0]}), x[2], x[0]));
}

SINTER_INLINE node_id expression_reader::read_reference(const definition& to) {
    count_read();
    if (to.kind == definition_kind::constant) {
        expression_reader reader(g_, to, to.text, reads_);
        node_id v = reader.value();
        std::optional<dtype> type = type_named(to.type);
        return reader.converted(v, type.value_or(type_of(v)));
    }
    const sequence<node_id> results = read_call(to);
    require_lowered(results.size() == 1);
    return results[0];
}

SINTER_INLINE sequence<node_id> expression_reader::read_call(const definition& to) {
    require_lowered(to.kind == definition_kind::function && accept("("));
    const sequence<node_id> arguments = peek() == ")" ? sequence<node_id>() : read_list(")");
    if (arguments.empty()) expect(")");
    return results_of(g_, to, arguments, reads_);
}

SINTER_INLINE void expression_reader::count_read() { require_lowered(++reads_ <= 4 * longest_body); }

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END

SINTER_COLD_END
