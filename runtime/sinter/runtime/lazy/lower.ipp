// Body of lower.hpp.
#pragma once

#include <sinter/codegen/graph/verify.hpp>
#include <sinter/runtime/lazy/lower.hpp>
#include <sinter/runtime/lazy/lower_words.hpp>
#include <sinter/runtime/lazy/program.hpp>
#include <sinter/runtime/lazy/value.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

/// State of one lowering.
struct lowering {
    program& collected;
    codegen::graph result;
    codegen::sequence<codegen::node_id> nodes;  ///< by the values' numbers
    codegen::sequence<dims> shapes;  ///< by slot: of a value that is the whole of it, else its elements in a row
    std::uint32_t next_scalar = 0;

    codegen::node_id node_of(const value* v) const { return nodes[v->number]; }
};

// The largest value that lies in memory from its beginning is the whole of it, unless another one reaches further.
SINTER_INLINE void find_shapes(lowering& l) {
    codegen::sequence<const value*> whole(l.collected.inputs.size(), nullptr);
    l.shapes.resize(whole.size());
    for (const value* v : l.collected.order) {
        if (v->pending || !is_whole(*v)) continue;
        const value*& largest = whole[v->memory->number];
        if (!largest || v->shape.product() > largest->shape.product()) largest = v;
    }
    for (const value* v : l.collected.order) {
        if (v->pending) continue;
        const value*& largest = whole[v->memory->number];
        dims& shape = l.shapes[v->memory->number];
        if (largest) shape = largest->shape;
        if (largest && (codegen::size_of(v->type) != codegen::size_of(largest->type) ||
                        codegen::stays_inside(v->at, shape.product())))
            continue;
        largest = nullptr;
        shape = dims(static_cast<std::int64_t>(v->memory->bytes) / codegen::size_of(v->type));
    }
}

SINTER_INLINE codegen::node_id lower_stored(lowering& l, const value& v) {
    codegen::graph& g = l.result;
    std::uint32_t slot = v.memory->number;
    codegen::node_id input = g.add_input(slot, v.type, l.shapes[slot]);
    return is_whole(v) && v.shape == l.shapes[slot] ? input : g.add_view(input, v.at);
}

SINTER_INLINE codegen::node_id lower_expression(lowering& l, const value& v) {
    codegen::graph& g = l.result;
    const codegen::sequence<code>& words = v.pending->form->codes;
    auto input = [&](std::uint16_t number) { return l.node_of(v.pending->inputs[number]); };
    auto scalar = [&](std::size_t at) {
        std::uint32_t slot = l.next_scalar + words[at].number;
        return g.add_scalar_of(l.collected.first_equal.empty() ? slot : l.collected.first_equal[slot]);
    };
    codegen::node_id n = g.add_cast(lower_words(g, words, v.shape, input, scalar), v.type);
    l.next_scalar += static_cast<std::uint32_t>(v.pending->scalars.size());
    return g.is_scalar_like(n) ? g.add_view(n, codegen::broadcasted(codegen::contiguous({}), v.shape))
                               : g.add_broadcast(n, v.shape);
}

SINTER_INLINE codegen::node_id lower_pending(lowering& l, const value& v) {
    codegen::graph& g = l.result;
    const statement& s = *v.pending;
    codegen::sequence<codegen::node_id> args;
    for (value* input : s.inputs) args.push_back(l.node_of(input));
    switch (s.kind) {
        case statement_kind::expression: return lower_expression(l, v);
        case statement_kind::index: return g.add_index(v.shape);
        case statement_kind::empty: return g.add_empty(v.type, v.shape);
        case statement_kind::view: return g.add_view(args[0], s.where);
        case statement_kind::reduce: return g.add_reduce(s.reduce.how, args[0], s.reduce.axes);
        case statement_kind::scan: return g.add_scan(s.reduce.how, args[0], s.reduce.axes);
        case statement_kind::select: return args.size() == 1 ? g.add_count(args[0]) : g.add_select(args[0], args[1]);
        case statement_kind::gather:
            return g.add_gather(args[0], codegen::span<const codegen::node_id>(args).subspan(1), s.gather);
        case statement_kind::update: return g.add_update(args[0], args[1], s.where);
        case statement_kind::call: return g.add_call(s.call, args, v.type, v.shape);
        case statement_kind::loop: break;
    }
    throw internal_error("[lower] an unknown statement");
}

SINTER_INLINE codegen::graph lower(program& p) {
    lowering l{p, {}, codegen::sequence<codegen::node_id>(p.known.size()), {}};
    find_shapes(l);
    // The first slots are the program's scalars, those that conversions add follow.
    for (const codegen::scalar_value& v : p.scalars) l.result.add_scalar_slot(v);
    for (value* v : p.order) l.nodes[v->number] = v->pending ? lower_pending(l, *v) : lower_stored(l, *v);
    for (value* v : p.roots) l.result.roots.push_back(l.node_of(v));
    return std::move(l.result);
}

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_COLD_END
