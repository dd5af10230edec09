// Bodies of step_record.hpp: a call is recorded, or compared with what the last one recorded.
#pragma once

#include <algorithm>
#include <cstring>
#include <mutex>
#include <sinter/codegen/base/owner.hpp>
#include <sinter/runtime/execute/prepared_plan.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/compile/backend.hpp>
#include <sinter/runtime/lazy/program.hpp>
#include <sinter/runtime/lazy/steps/step_record.hpp>
#include <sinter/runtime/lazy/value.hpp>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE kept_value::kept_value(value* v) noexcept : value_(v) { hold(v); }
SINTER_INLINE kept_value::kept_value(kept_value&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
SINTER_INLINE kept_value& kept_value::operator=(kept_value&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
}
SINTER_INLINE kept_value::~kept_value() {
    if (value_) let_go(value_);
}

SINTER_INLINE step_record::step_record() : program_(codegen::owner(new program())) {}

SINTER_INLINE step_record*& this_record() {
    static thread_local step_record* record = nullptr;
    return record;
}

SINTER_INLINE handle known_statement(dtype type, const dims& shape, device where, const statement& s) {
    step_record* const r = this_record();
    return r ? r->match(type, shape, where, s) : handle();
}

SINTER_INLINE handle known_statement(statement_kind kind, dtype type, const dims& shape, device where,
                                     codegen::span<value* const> inputs, const codegen::layout& at) {
    step_record* const r = this_record();
    return r ? r->match(kind, type, shape, where, inputs, at) : handle();
}

SINTER_INLINE handle known_statement(dtype type, const dims& shape, device where, const codegen::sequence<code>& codes,
                                     const codegen::sequence<value*>& inputs,
                                     const codegen::sequence<codegen::scalar_value>& scalars) {
    step_record* const r = this_record();
    return r ? r->match(type, shape, where, codes, inputs, scalars) : handle();
}

SINTER_INLINE void note_statement(value& v) {
    if (step_record* r = this_record()) r->note(v);
}

SINTER_INLINE step_record::~step_record() {
    std::lock_guard lock(runtime_lock());
    next_ = 0;
    clear();
}

SINTER_INLINE bool step_record::begin() {
    if (state_ != state::idle) return false;
    const bool tries = ++calls_ >= 1 << failures_ >> 1;
    state_ = !nodes_.empty() ? state::matching : tries ? state::noting : state::plain;
    if (state_ == state::noting) first_noted_ = new_serial() << 20;
    return true;
}

SINTER_INLINE void step_record::end() {
    if (state_ == state::matching || ((state_ == state::noting || state_ == state::planning) && !plan_)) give_up();
    state_ = state::idle;
}

// Memory of others may change while the step is recorded.
SINTER_INLINE bool is_memory(const value& v) { return v.is_stored() && v.memory && !v.memory->imported; }

SINTER_INLINE std::uint32_t step_record::node_of(const value& v) const {
    const std::uint64_t number = v.noted - first_noted_;
    return number < nodes_.size() ? static_cast<std::uint32_t>(number) : none;
}

SINTER_INLINE std::uint32_t step_record::leaf_of(const handle& h) {
    std::uint32_t i = 0;
    while (i < noted_leaves_.size() && noted_leaves_[i].get() != h.get()) ++i;
    if (i == noted_leaves_.size()) noted_leaves_.push_back(h);
    return i;
}

SINTER_INLINE void step_record::note(value& v) {
    if (state_ != state::noting) return;
    constexpr std::size_t most_nodes = 4096;
    // What reads memory of others has been run.
    if (!v.pending || nodes_.size() == most_nodes) return give_up();
    const statement& s = *v.pending;
    for (const value* input : s.inputs)
        if (node_of(*input) == none && !is_memory(*input)) return give_up();
    // Memory is taken first: a copy that has inputs holds them.
    leaf_of_.make_room(s.inputs.size());
    leaf_edges_.make_room(s.inputs.size());
    noted_leaves_.make_room(s.inputs.size());
    nodes_.make_room();
    codegen::owner<statement> own = take_statement();
    *own = s;
    kept_value copy(new value);
    copy->type = v.type;
    copy->shape = v.shape;
    copy->where = v.where;
    copy->symbolic = v.symbolic;
    copy->pending = std::move(own);
    const auto first_edge = static_cast<std::uint32_t>(leaf_of_.size());
    const auto number = static_cast<std::uint32_t>(nodes_.size());
    const std::size_t edges = leaf_edges_.size();
    for (std::uint32_t i = 0; i < s.inputs.size(); ++i) {
        value*& input = copy->pending->inputs[i];
        const std::uint32_t n = node_of(*input);
        leaf_of_.push_back(n == none ? leaf_of(handle(input)) : none);
        if (n == none) leaf_edges_.push_back({number, i});
        input = n == none ? nullptr : nodes_[n].what.get();
        if (!input) continue;
        hold(input);
        ++nodes_[n].readers;
    }
    v.noted = first_noted_ + number;
    nodes_.push_back({std::move(copy), first_edge, 0, false, leaf_edges_.size() > edges});
}

SINTER_INLINE void step_record::close(codegen::span<value* const> roots) {
    if (state_ != state::noting) return;
    state_ = state::planning;
    for (value* r : roots) roots_.push_back(node_of(*r));
    leaves_.resize(noted_leaves_.size());
    for (std::size_t i = 0; i < leaves_.size(); ++i) leaves_[i] = noted_leaves_[i].get();
    // They are compared only, from here on; whether they are held decides if they may be overwritten.
    noted_leaves_.clear();
}

SINTER_INLINE bool step_record::place_all(const program& p) {
    for (const value* v : p.order) {
        std::uint32_t number = v->pending ? node_of(*v) : 0;
        while (!v->pending && number < leaves_.size() && leaves_[number] != v) ++number;
        if (number >= (v->pending ? nodes_.size() : leaves_.size())) return false;
        if (!v->pending) places_.push_back({number, v->number});
        else if (!v->pending->scalars.empty()) numbered_.push_back(number);
    }
    return true;
}

// Statements that the program leaves out are gone when it is collected; these stay, and read what they read.
SINTER_INLINE void step_record::count_unused_reads(const program& p) {
    codegen::sequence<bool> used(nodes_.size(), false);
    for (const value* v : p.order)
        if (v->pending) used[node_of(*v)] = true;
    for (const leaf_edge& e : leaf_edges_)
        for (const place& o : places_)
            if (!used[e.node] && o.leaf == leaf_of_[nodes_[e.node].first_edge + e.input])
                ++program_->known[o.known].edges;
}

SINTER_INLINE void step_record::note_program(const program& p) {
    if (state_ == state::noting || (state_ == state::planning && !stored_.empty())) return give_up();
    if (state_ != state::planning) return;
    if (!place_all(p)) return give_up();
    // A value that is wanted and not stored would be the next call's as well.
    for (const value* v : p.inlined)
        if (v->handles() > 0) return give_up();
    *program_ = p;
    collect_memory(*program_);
    key_ = program_->key;
    for (const value* v : p.roots) stored_.push_back(node_of(*v));
    for (std::uint32_t k : stored_) nodes_[k].is_root = true;
    for (std::uint32_t k : roots_)
        if (k != none && !nodes_[k].is_root) return give_up();
    count_unused_reads(p);
    program_->inlined.clear();
    for (value*& leaf : leaves_) leaf = nullptr;
}

SINTER_INLINE void step_record::note_plan(const plan_ref& plan) {
    if (state_ != state::planning || !plan) return;
    plan_ = plan;
}

// What this call has recorded becomes what it would have been without a record.
SINTER_INLINE void step_record::give_up() {
    constexpr int most_failures = 6;
    if (state_ == state::matching) {
        pending_queue& q = this_queue();
        for (std::size_t k = 0; k < next_; ++k)
            if (value& v = *nodes_[k].what; v.pending && !v.symbolic) link_pending(v, q);
    }
    clear();
    state_ = state::plain;
    failures_ = std::min(failures_ + 1, most_failures);
    calls_ = 0;
}

// Users before what they read. Nodes that a call has got are its own by now.
SINTER_INLINE void step_record::clear() {
    for (std::size_t k = nodes_.size(); k-- > next_;) {
        value& v = *nodes_[k].what;
        codegen::sequence<value*> inputs;
        inputs.swap(v.pending->inputs);
        nodes_.pop_back();
        for (value* input : inputs)
            if (input) let_go(input);
    }
    nodes_.clear();
    leaf_of_.clear();
    roots_.clear();
    leaves_.clear();
    stored_.clear();
    key_.clear();
    leaf_edges_.clear();
    places_.clear();
    numbered_.clear();
    noted_leaves_.clear();
    plan_ = plan_ref();
    next_ = 0;
}

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
        case statement_kind::loop:
        case statement_kind::expression: break;  // their layouts and words are compared
    }
    return false;
}

SINTER_INLINE codegen::span<value* const> span_of(const codegen::sequence<value*>& inputs) {
    return {inputs.data(), inputs.size()};
}

SINTER_INLINE bool step_record::is_next(statement_kind kind, dtype type, const dims& shape, device where,
                                        codegen::span<value* const> inputs) {
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

SINTER_INLINE bool step_record::takes_leaves(const node& n, codegen::span<value* const> inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::uint32_t leaf = leaf_of_[n.first_edge + i];
        value* const known = leaf == none ? n.what->pending->inputs[i] : leaves_[leaf];
        if (inputs[i] == known) continue;
        if (leaf == none || known || !is_memory(*inputs[i])) return false;
        leaves_[leaf] = inputs[i];
    }
    return true;
}

SINTER_INLINE handle step_record::accept(codegen::span<value* const> inputs) {
    const node& n = nodes_[next_++];
    for (std::size_t i = 0; n.reads_leaves && i < inputs.size(); ++i)
        if (leaf_of_[n.first_edge + i] != none) hold(n.what->pending->inputs[i] = inputs[i]);
    return handle::first_of(n.what.get());
}

SINTER_INLINE handle step_record::match(dtype type, const dims& shape, device where, const statement& s) {
    if (state_ != state::matching) return {};
    const codegen::span<value* const> inputs = span_of(s.inputs);
    if (is_next(s.kind, type, shape, where, inputs) && is_same(*nodes_[next_].what->pending, s)) return accept(inputs);
    give_up();
    return {};
}

SINTER_INLINE handle step_record::match(statement_kind kind, dtype type, const dims& shape, device where,
                                        codegen::span<value* const> inputs, const codegen::layout& at) {
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
SINTER_INLINE bool step_record::is_complete(codegen::span<value* const> roots) const {
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
    program& p = *program_;
    p.order.clear();
    p.scalars.clear();
    p.roots.clear();
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

SINTER_INLINE bool step_record::expects(codegen::span<value* const> roots, bool alone) {
    if (state_ != state::matching) return false;
    const bool holds = alone && is_complete(roots) && is_same_program();
    if (!holds) give_up();
    return holds;
}

SINTER_INLINE void step_record::finish_replay() {
    codegen::sequence<kept_value> fresh;
    fresh.reserve(stored_.size());
    for (std::size_t i = 0; i < stored_.size(); ++i) fresh.push_back(kept_value(new value));
    count_cache_hit(static_cast<std::int64_t>(plan_->kernels.size()));
    count_step_replayed();
    failures_ = 0;
    for (std::size_t i = 0; i < stored_.size(); ++i) hand_out(nodes_[stored_[i]], std::move(fresh[i]));
    let_leaves_go();
    state_ = state::plain;  // until end(), before which no other call may begin
}

// The value is stored: the next call gets another with its statement.
SINTER_INLINE void step_record::hand_out(node& n, kept_value fresh) {
    const kept_value stored = std::exchange(n.what, std::move(fresh));
    value& v = *n.what;
    v.type = stored->type;
    v.shape = stored->shape;
    v.where = stored->where;
    v.symbolic = stored->symbolic;
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
