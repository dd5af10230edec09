// Body of lower(): pending statements to a graph; declared in evaluate.hpp.
#pragma once

#include <sinter/codegen/apply.hpp>
#include <sinter/codegen/number_map.hpp>
#include <sinter/runtime/evaluate.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// State of one lowering.
struct lowering {
    struct facts {
        codegen::node_id node = 0;
        int edges = 0;              ///< reads by the collected statements
        bool needed_later = false;  ///< a value that is wanted and not stored would compute it again
        bool is_stored = false;     ///< by this program: a root
    };
    codegen::sequence<facts> known;
    codegen::number_map numbers;      ///< of values, into known
    codegen::sequence<value*> order;  ///< what has been reached, inputs before their users
    codegen::number_map slots;        ///< of buffers
    codegen::sequence<dims> shapes;   ///< by slot
    codegen::sequence<bool> has_whole;  ///< by slot: a value is the whole of it
    lowered result;

    facts& of(const value* v) { return known[numbers.find(reinterpret_cast<std::uintptr_t>(v))]; }
    /// Makes room for what is known about a value; false when that has been done.
    bool add(const value* v) {
        auto fresh = static_cast<std::uint32_t>(known.size());
        if (numbers.add(reinterpret_cast<std::uintptr_t>(v), fresh) != fresh) return false;
        known.push_back({});
        return true;
    }
};

// Depth first without recursion: a statement follows its inputs.
SINTER_INLINE void collect_behind(lowering& l, value* root) {
    codegen::sequence<std::pair<value*, std::size_t>> stack;
    if (l.add(root)) stack.push_back({root, 0});
    while (!stack.empty()) {
        auto& [v, next] = stack.back();
        if (v->failure) std::rethrow_exception(v->failure);
        if (!v->pending || next == v->pending->inputs.size()) {
            l.order.push_back(v);
            stack.pop_back();
            continue;
        }
        value* input = v->pending->inputs[next++];
        bool is_new = l.add(input);
        ++l.of(input).edges;
        if (is_new) stack.push_back({input, 0});
    }
}

// Gives each buffer among the stored values one input, under the shape of a value that is the whole of it. An update may
// overwrite it when all that holds the buffer are values that only this program reads.
SINTER_INLINE void add_inputs(lowering& l) {
    codegen::sequence<std::int64_t> holders;
    for (value* v : l.order) {
        if (v->pending) continue;
        auto fresh = static_cast<std::uint32_t>(l.result.inputs.size());
        std::uint32_t slot = l.slots.add(reinterpret_cast<std::uintptr_t>(v->memory.get()), fresh);
        if (slot == fresh) {
            l.result.inputs.push_back(v->memory);
            l.result.consumable.push_back(!v->memory->imported && !v->memory->exported);
            l.shapes.push_back(dims(static_cast<std::int64_t>(v->memory->bytes) / codegen::size_of(v->type)));
            l.has_whole.push_back(false);
            holders.push_back(1);  // the list of inputs
        }
        ++holders[slot];
        if (v->handles.load() != 0 || v->references.load() != l.of(v).edges) l.result.consumable[slot] = false;
        bool whole = codegen::is_contiguous(v->at) && v->at.shape == v->shape;
        if (whole && !l.has_whole[slot]) {
            l.shapes[slot] = v->shape;
            l.has_whole[slot] = true;
        }
    }
    for (std::size_t i = 0; i < holders.size(); ++i)
        if (!l.has_whole[i] || l.result.inputs[i]->references.load() != holders[i]) l.result.consumable[i] = false;
}

SINTER_INLINE codegen::node_id lower_stored(lowering& l, value& v) {
    codegen::graph& g = l.result.program;
    std::uint32_t slot = l.slots.find(reinterpret_cast<std::uintptr_t>(v.memory.get()));
    codegen::node_id input = g.add_input(slot, v.type, l.shapes[slot]);
    bool whole = codegen::is_contiguous(v.at) && v.at.shape == v.shape;
    return whole && v.shape == l.shapes[slot] ? input : g.add_view(input, v.at);
}

SINTER_INLINE codegen::node_id lower_expression(lowering& l, const value& v) {
    codegen::graph& g = l.result.program;
    constexpr codegen::node_id none = ~codegen::node_id{0};
    codegen::sequence<codegen::node_id> stack, scalars(v.pending->scalars.size(), none);
    for (const code& c : v.pending->codes) switch (c.kind) {
            case code::what::input: stack.push_back(l.of(v.pending->inputs[c.number]).node); break;
            case code::what::scalar:
                if (scalars[c.number] == none) scalars[c.number] = g.add_scalar(v.pending->scalars[c.number]);
                stack.push_back(scalars[c.number]);
                break;
            case code::what::literal: {
                auto value = static_cast<std::int16_t>(c.number);
                codegen::scalar_value literal;
                literal.type = static_cast<dtype>(c.detail);
                codegen::convert(dtype::int16, literal.type, &value, literal.bytes, 1);
                stack.push_back(g.add_literal(literal));
                break;
            }
            case code::what::cast: stack.back() = g.add_cast(stack.back(), static_cast<dtype>(c.detail)); break;
            case code::what::apply: {
                auto o = static_cast<codegen::op>(c.detail);
                std::size_t arity = codegen::info(o).arity, first = stack.size() - arity;
                std::span<const codegen::node_id> operands(stack.data() + first, arity);
                dims shape;
                for (codegen::node_id n : operands)
                    if (!g.is_scalar_like(n))
                        shape = codegen::broadcast_shapes(codegen::info(o).name, shape, g.nodes[n].shape);
                codegen::node_id n = g.add_apply(o, operands, shape);
                stack.resize(first);
                stack.push_back(n);
            }
        }
    codegen::node_id n = g.add_cast(stack.back(), v.type);
    return g.is_scalar_like(n) ? g.add_view(n, codegen::broadcasted(codegen::contiguous({}), v.shape))
                               : g.add_broadcast(n, v.shape);
}

SINTER_INLINE codegen::node_id lower_pending(lowering& l, const value& v) {
    codegen::graph& g = l.result.program;
    const statement& s = *v.pending;
    codegen::sequence<codegen::node_id> args;
    for (value* input : s.inputs) args.push_back(l.of(input).node);
    switch (s.kind) {
        case statement_kind::expression: return lower_expression(l, v);
        case statement_kind::index: return g.add_index(v.shape);
        case statement_kind::empty: return g.add_empty(v.type, v.shape);
        case statement_kind::view: return g.add_view(args[0], s.where);
        case statement_kind::reduce: return g.add_reduce(s.reduce.how, args[0], s.reduce.axes);
        case statement_kind::scan: return g.add_scan(s.reduce.how, args[0], s.reduce.axes);
        case statement_kind::gather:
            return g.add_gather(args[0], std::span<const codegen::node_id>(args).subspan(1), s.gather);
        case statement_kind::update: return g.add_update(args[0], args[1], s.where);
        case statement_kind::call: return g.add_call(s.routine, args, v.type, v.shape);
    }
    throw internal_error("[lower] an unknown statement");
}

SINTER_INLINE bool is_wanted_later(lowering& l, const value& v) {
    return v.handles.load() > 0 || v.references.load() - v.handles.load() > l.of(&v).edges;
}

// Whether a value is stored along with the roots, because it would be computed again otherwise.
SINTER_INLINE bool is_worth_storing(lowering& l, const value& v) {
    const lowering::facts& f = l.of(&v);
    statement_kind k = v.pending->kind;
    if (v.symbolic || k == statement_kind::view || k == statement_kind::empty) return false;
    if (k == statement_kind::reduce || k == statement_kind::scan || k == statement_kind::call || k == statement_kind::update)
        return f.needed_later || is_wanted_later(l, v);
    return v.computed_before && is_wanted_later(l, v);
}

// Users before their inputs: what is stored no longer needs its inputs, what is not and is wanted still does.
SINTER_INLINE void choose_stored(lowering& l) {
    for (std::size_t i = l.order.size(); i-- > 0;) {
        value& v = *l.order[i];
        if (!v.pending) continue;
        lowering::facts& f = l.of(&v);
        f.is_stored = f.is_stored || is_worth_storing(l, v);
        if (f.is_stored || !(f.needed_later || is_wanted_later(l, v))) continue;
        for (value* input : v.pending->inputs) l.of(input).needed_later = true;
    }
}

SINTER_INLINE lowered lower(std::span<value* const> roots) {
    lowering l;
    for (value* r : roots) collect_behind(l, r);
    for (value* r : roots) l.of(r).is_stored = true;
    choose_stored(l);
    add_inputs(l);
    for (value* v : l.order) {
        lowering::facts& f = l.of(v);
        f.node = v->pending ? lower_pending(l, *v) : lower_stored(l, *v);
        if (v->pending) (f.is_stored ? l.result.roots : l.result.inlined).push_back(v);
    }
    for (value* v : l.result.roots) l.result.program.roots.push_back(l.of(v).node);
    return std::move(l.result);
}

}  // namespace sinter::inline SINTER_ABI::runtime
