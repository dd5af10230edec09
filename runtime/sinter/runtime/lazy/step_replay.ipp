// A call of a recorded step: what it records is compared with what the last one did, and the known plan is run.
#pragma once

#include <algorithm>
#include <cstring>
#include <sinter/runtime/compile/backend.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/lazy/run_plan.ipp>
#include <sinter/runtime/lazy/step_record.ipp>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE bool is_same(const statement& a, const statement& b) {
    switch (a.kind) {
        case statement_kind::reduce:
        case statement_kind::scan: return a.reduce == b.reduce;
        case statement_kind::gather: return a.gather == b.gather;
        case statement_kind::call: return a.call.packed() == b.call.packed();
        case statement_kind::select: return true;
        case statement_kind::view:
        case statement_kind::update:
        case statement_kind::index:
        case statement_kind::empty:
        case statement_kind::expression: break;  // their layouts and words are compared
    }
    return false;
}

SINTER_INLINE std::span<value* const> span_of(const codegen::sequence<value*>& inputs) {
    return {inputs.data(), inputs.size()};
}

SINTER_INLINE bool step_record::is_next(statement_kind kind, dtype type, const dims& shape, device where,
                                        std::span<value* const> inputs) {
    if (next_ == nodes_.size()) return false;
    const node& n = nodes_[next_];
    const value& v = *n.what;
    const statement* const s = v.pending.get();
    // Another thread may have computed it, whom the function gave it to.
    if (!s || s->kind != kind || v.type != type || !(v.where == where) || v.shape != shape) return false;
    if (s->inputs.size() != inputs.size()) return false;
    if (n.reads_leaves) return takes_leaves(n, inputs);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (inputs[i] != s->inputs[i]) return false;
    return true;
}

SINTER_INLINE bool step_record::takes_leaves(const node& n, std::span<value* const> inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::uint32_t leaf = leaf_of_[n.first_edge + i];
        value* const known = leaf == none ? n.what->pending->inputs[i] : leaves_[leaf];
        if (inputs[i] == known) continue;
        if (leaf == none || known || !is_memory(*inputs[i])) return false;
        leaves_[leaf] = inputs[i];
    }
    return true;
}

SINTER_INLINE handle step_record::accept(std::span<value* const> inputs) {
    const node& n = nodes_[next_++];
    for (std::size_t i = 0; n.reads_leaves && i < inputs.size(); ++i)
        if (leaf_of_[n.first_edge + i] != none) hold(n.what->pending->inputs[i] = inputs[i]);
    return handle::first_of(n.what.get());
}

SINTER_INLINE handle step_record::match(dtype type, const dims& shape, device where, const statement& s) {
    if (state_ != state::matching) return {};
    const std::span<value* const> inputs = span_of(s.inputs);
    if (is_next(s.kind, type, shape, where, inputs) && is_same(*nodes_[next_].what->pending, s)) return accept(inputs);
    give_up();
    return {};
}

SINTER_INLINE handle step_record::match(statement_kind kind, dtype type, const dims& shape, device where,
                                        std::span<value* const> inputs, const codegen::layout& at) {
    if (state_ != state::matching) return {};
    if (is_next(kind, type, shape, where, inputs) && nodes_[next_].what->pending->where == at) return accept(inputs);
    give_up();
    return {};
}

SINTER_INLINE handle step_record::match(dtype type, const dims& shape, device where,
                                        const codegen::sequence<code>& codes, const codegen::sequence<value*>& inputs,
                                        const codegen::sequence<codegen::scalar_value>& scalars) {
    if (state_ != state::matching) return {};
    if (is_next(statement_kind::expression, type, shape, where, span_of(inputs))) {
        statement& s = *nodes_[next_].what->pending;
        const codegen::sequence<code>& known = s.form->codes;
        if (known.size() == codes.size() && s.scalars.size() == scalars.size() &&
            std::memcmp(known.data(), codes.data(), codes.size() * sizeof(code)) == 0) {
            std::copy(scalars.begin(), scalars.end(), s.scalars.begin());
            return accept(span_of(inputs));
        }
    }
    give_up();
    return {};
}

// Whether all has been recorded, and is wanted as it was: the roots by the function or its caller, the rest by nobody.
SINTER_INLINE bool step_record::is_complete(std::span<value* const> roots) const {
    if (next_ != nodes_.size() || roots.size() != roots_.size()) return false;
    for (std::size_t i = 0; i < roots.size(); ++i)
        if (roots_[i] == none ? !roots[i]->is_stored() : roots[i] != nodes_[roots_[i]].what.get()) return false;
    for (const node& n : nodes_) {
        const value& v = *n.what;
        const std::uint64_t counts = v.counts.load(std::memory_order_acquire), handles = counts >> 32;
        if (!v.pending || (handles > 0) != n.is_root) return false;
        if (counts != handles * value::one_handle + (n.readers + 1) * value::one_reference) return false;
    }
    return true;
}

SINTER_INLINE bool step_record::is_same_program() {
    program& p = program_;
    p.order.clear(), p.scalars.clear(), p.roots.clear();
    for (const place& o : places_) {
        value* const v = leaves_[o.leaf];
        if (!(v->where == plan_->where)) return false;
        p.order.push_back(v);
    }
    // An array in place of two has one of their numbers, and makes another key.
    for (std::size_t i = 0; i < places_.size(); ++i) p.order[i]->number = places_[i].known;
    for (std::uint32_t k : numbered_) {
        const codegen::sequence<codegen::scalar_value>& own = nodes_[k].what->pending->scalars;
        p.scalars.append(own.begin(), own.end());
    }
    for (std::uint32_t k : stored_) p.roots.push_back(nodes_[k].what.get());
    collect_memory(p);
    return p.key == key_ && has_equal_scalars(p) && backend_of(plan_->where) != backend::interpreter;
}

SINTER_INLINE bool step_record::replay(std::span<value* const> roots, bool alone) {
    if (state_ != state::matching) return false;
    if (!alone || !is_complete(roots) || !is_same_program()) return give_up(), false;
    const struct emptied {
        program& p;
        ~emptied() { p.fresh.clear(), p.data.clear(); }
    } at_the_end{program_};
    try {
        run_plan(program_, plan_);
    } catch (const error&) {
        // Whoever computes it without a record meets the same error, and knows whose it is.
        return give_up(), false;
    }
    count_cache_hit(static_cast<std::int64_t>(plan_->kernels.size()));
    count_step_replayed();
    failures_ = 0;
    for (std::uint32_t k : stored_) hand_out(nodes_[k]);
    let_leaves_go();
    state_ = state::plain;  // until end(), before which no other call may begin
    return true;
}

// The value is stored: the next call gets another with its statement.
SINTER_INLINE void step_record::hand_out(node& n) {
    const kept_value stored = std::exchange(n.what, kept_value(new value));
    value& v = *n.what;
    v.type = stored->type, v.shape = stored->shape, v.where = stored->where, v.symbolic = stored->symbolic;
    v.pending = std::move(stored->pending);
    for (std::size_t k = 0; n.readers > 0 && k < nodes_.size(); ++k)
        for (value*& input : nodes_[k].what->pending->inputs) {
            if (input != stored.get()) continue;
            hold(input = &v);
            let_go(stored.get());
        }
}

SINTER_INLINE void step_record::let_leaves_go() {
    for (const leaf_edge& e : leaf_edges_)
        let_go(std::exchange(nodes_[e.node].what->pending->inputs[e.input], nullptr));
    for (value*& leaf : leaves_) leaf = nullptr;
    next_ = 0;
}

}  // namespace sinter::inline SINTER_ABI::runtime
