// Bodies of simplify.hpp: one pass that rewrites each node over rewritten arguments, and one that drops what died.
#pragma once

#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/rewrite/folding.hpp>
#include <sinter/codegen/rewrite/rebuild.hpp>
#include <sinter/codegen/rewrite/simplify.hpp>

SINTER_COLD_BEGIN

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// Whether every value of `from` is also one of `to`.
SINTER_INLINE bool holds_every(dtype from, dtype to) {
    if (from == to || kind_rank(from) == 0) return true;
    if (kind_rank(from) > kind_rank(to)) return false;
    dtype end = real_of(to), start = real_of(from);
    if (kind_rank(from) >= 2) return promote(start, end) == end;
    if (kind_rank(to) >= 2) return end == dtype::float64 ? size_of(from) <= 4 : size_of(end) > size_of(from);
    if (kind_of(from) == kind_of(to)) return size_of(from) <= size_of(to);
    return kind_of(from) == 'u' && size_of(from) < size_of(to);
}

// Whether converting through `middle` gives what converting at once gives.
SINTER_INLINE bool skips_conversion(dtype from, dtype middle, dtype to) {
    if (!holds_every(from, middle)) return false;
    // Integers wrap where floating numbers saturate.
    return from == to || !is_integer(to) || kind_rank(from) != 1 || kind_rank(middle) == 1;
}

SINTER_INLINE bool is_operation(const graph& g, node_id id, op o) {
    return g.nodes[id].kind == node_kind::apply && g.nodes[id].operation == o;
}

// A scalar behind a view, which reads the same element everywhere, or the node itself.
SINTER_INLINE node_id without_broadcast(const graph& g, node_id id) {
    return g.nodes[id].kind == node_kind::view && g.is_scalar_like(g.arg(id, 0)) ? g.arg(id, 0) : id;
}

SINTER_INLINE node_id simpler_power(graph& h, node_id x, double exponent, const dims& shape) {
    if (!has_simpler_power(exponent)) return no_node;
    auto one = [&](op o, node_id a) { return folded_or_added(h, o, {&a, 1}, shape); };
    dtype t = h.nodes[x].type;
    if (exponent == 1) return x;
    if (exponent == 2) return one(op::square, x);
    if (exponent == 4) return one(op::square, one(op::square, x));
    if (exponent == 3) {
        node_id factors[2] = {one(op::square, x), x};
        return folded_or_added(h, op::multiply, factors, shape);
    }
    if (kind_rank(t) < 2) return no_node;
    if (exponent == -1) return one(op::reciprocal, x);
    // Roots of complex infinities differ from their powers, in NumPy too.
    if (!is_floating(t)) return no_node;
    return one(exponent == 0.5 ? op::sqrt : op::rsqrt, x);
}

// Division by a power of two whose inverse does not overflow, as an equally exact product.
SINTER_INLINE node_id simpler_divide(graph& h, node_id x, node_id divisor, const dims& shape) {
    dtype t = h.nodes[x].type;
    if (h.nodes[divisor].kind != node_kind::literal || !is_floating(t)) return no_node;
    double d = real_value(h, divisor);
    int power = 0;
    if (!(ieee::fabs(ieee::frexp(d, &power)) == 0.5) || power < -100) return no_node;
    double inverse = 1 / d;
    scalar_value factor;
    factor.type = t;
    convert(dtype::float64, t, &inverse, factor.bytes, 1);
    node_id factors[2] = {x, h.add_literal(factor)};
    return h.add_apply(op::multiply, factors, shape);
}

SINTER_INLINE node_id simpler_cast(graph& h, node_id x, dtype to) {
    if (is_operation(h, x, op::cast) && skips_conversion(h.nodes[h.arg(x, 0)].type, h.nodes[x].type, to))
        x = h.arg(x, 0);
    return h.add_cast(x, to);
}

// Whether what a node is computed from can fail where it is read: by an index that is out of bounds, or in a routine.
SINTER_INLINE bool can_fail(const graph& h, node_id id) {
    sequence<bool> is_read;
    is_read.resize(id + 1, false);
    is_read[id] = true;
    for (node_id n = id + 1; n-- > 0;) {
        if (!is_read[n]) continue;
        const node_kind k = h.nodes[n].kind;
        if (k == node_kind::gather || (k == node_kind::call && h.call_of(n).can_fail())) return true;
        for (node_id a : h.args(n)) is_read[a] = true;
    }
    return false;
}

// An operation that one of its arguments, or an argument's argument, already is.
SINTER_INLINE node_id same_as_operand(const graph& h, op o, span<const node_id> args) {
    dtype t = h.nodes[args[0]].type;
    switch (o) {
        case op::positive: return args[0];
        case op::floor:
        case op::ceil:
        case op::trunc:
        case op::rint: return kind_rank(t) < 2 ? args[0] : no_node;
        case op::real:
        case op::conj: return is_complex(t) ? no_node : args[0];
        case op::negative:
        case op::logical_not:
        case op::invert: return is_operation(h, args[0], o) ? h.arg(args[0], 0) : no_node;
        case op::where: return args[1] == args[2] && !can_fail(h, args[0]) ? args[1] : no_node;
        default: return no_node;
    }
}

// `scalar_exponent`: the exponent was written as a scalar; one that broadcasting reveals keeps its bits.
SINTER_INLINE node_id simpler_apply(graph& h, const node& n, span<const node_id> given, bool scalar_exponent) {
    node_id args[3];
    for (std::size_t i = 0; i < given.size(); ++i) args[i] = without_broadcast(h, given[i]);
    span<const node_id> operands(args, given.size());
    if (n.operation == op::cast) return simpler_cast(h, args[0], n.type);
    node_id r = same_as_operand(h, n.operation, operands);
    if (r == no_node) r = folded(h, n.operation, operands);
    if (r == no_node && n.operation == op::divide) r = simpler_divide(h, args[0], args[1], n.shape);
    if (r == no_node && scalar_exponent) r = simpler_power(h, args[0], real_value(h, args[1]), n.shape);
    return r != no_node ? r : h.add_apply(n.operation, operands, n.shape);
}

SINTER_INLINE node_id simpler_view(graph& h, node_id x, const layout& how) {
    layout whole = how;
    for (; h.nodes[x].kind == node_kind::view; x = h.arg(x, 0)) {
        auto both = composed(h.layout_of(x), whole);
        if (!both) break;
        whole = *both;
    }
    return h.is_scalar_like(x) ? h.add_broadcast(x, whole.shape) : h.add_view(x, whole);
}

SINTER_INLINE node_id simpler_update(graph& h, node_id base, node_id value, const layout& where) {
    std::int64_t written = where.shape.product();
    if (written == 0) return base;
    const dims shape = h.nodes[base].shape;
    if (is_contiguous(where) && written == shape.product())
        return h.is_scalar_like(value) ? h.add_broadcast(value, shape) : simpler_view(h, value, contiguous(shape));
    return h.add_update(base, without_broadcast(h, value), where);
}

SINTER_INLINE node_id rewritten(const graph& g, node_id id, graph& h, span<const node_id> args) {
    const node& n = g.nodes[id];
    node_id r;
    if (n.kind == node_kind::apply) {
        bool scalar_exponent = n.operation == op::power && g.is_scalar_like(g.arg(id, 1));
        r = simpler_apply(h, n, args, scalar_exponent);
    } else if (n.kind == node_kind::view) r = simpler_view(h, args[0], g.layout_of(id));
    else if (n.kind == node_kind::invoke) {
        sequence<node_id> operands;
        for (std::size_t i = 0; i < args.size(); ++i)
            operands.push_back(g.invocation_of(id).is_whole(i) ? args[i] : without_broadcast(h, args[i]));
        r = h.add_invoke(g.invoked[n.payload], operands, n.shape);
    } else if (n.kind == node_kind::update) r = simpler_update(h, args[0], args[1], g.layout_of(id));
    else return copied(g, id, h, args);
    return h.add_broadcast(r, n.shape);
}

// A root that is written as +x is a copy of x, with memory of its own, even where x is memory already.
SINTER_INLINE void restore_copies(const graph& g, graph& h) {
    for (std::size_t i = 0; i < g.roots.size(); ++i) {
        node_id r = h.roots[i];
        node_kind k = h.nodes[r].kind;
        bool is_memory =
            k == node_kind::input || (k == node_kind::view && h.nodes[h.arg(r, 0)].kind == node_kind::input);
        if (is_memory && is_operation(g, g.roots[i], op::positive)) {
            const dims shape = h.nodes[r].shape;
            h.roots[i] = h.add_apply(op::positive, {&r, 1}, shape);
        }
    }
}

SINTER_INLINE graph simplify(const graph& g) {
    const subnormal_scope exact;
    graph h = rebuilt(g, rewritten);
    restore_copies(g, h);
    return rebuilt(h, copied);
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END

SINTER_COLD_END
