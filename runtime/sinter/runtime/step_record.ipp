// What a step recorded when it was called last: a call that records the same launches the same plan, which nothing is
// collected or looked up for.
#pragma once

#include <algorithm>
#include <cstring>
#include <sinter/runtime/backend.hpp>
#include <sinter/runtime/counters.hpp>
#include <sinter/runtime/program.hpp>
#include <sinter/runtime/run_plan.ipp>
#include <sinter/runtime/value.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// The statements of one call in order, as pending values that the next call gets in place of new ones as long as it
/// records the same: of the same shapes and words, reading the same results of the step, and memory of its own. Numbers
/// may differ. At the first difference they become what they would have been, queued, and the call goes on without.
/// runtime_lock() is held during all of this.
class step_record {
public:
    step_record() = default;
    ~step_record();
    step_record(const step_record&) = delete;
    step_record& operator=(const step_record&) = delete;

    /// A call begins; false while another is under way.
    bool begin();
    /// The value of a statement that is recorded, when it is the one that is expected; else none.
    handle match(dtype type, const dims& shape, device where, const statement& s);
    handle match(dtype type, const dims& shape, device where, const codegen::sequence<code>& codes,
                 const codegen::sequence<value*>& inputs, const codegen::sequence<codegen::scalar_value>& scalars);
    /// A new value was recorded.
    void note(value& v);
    /// All has been recorded, and these are to be computed.
    void close(std::span<value* const> roots);
    /// Computes them by the known plan, if all was as expected and nothing else is to be computed.
    bool replay(std::span<value* const> roots, bool alone);
    /// What is about to run in place of that, and its plan once it has.
    void note_program(const program& p);
    void note_plan(const plan_ref& plan);
    /// Whether it is to be told of the program, however it could be run.
    bool asks_for_program() const { return state_ == state::planning; }
    /// The call is over, by an exception perhaps.
    void end();

private:
    enum class state : std::uint8_t { idle, plain, noting, planning, matching };
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    struct node {
        handle what;
        std::uint32_t first_edge;   ///< into leaf_of_
        std::uint32_t readers = 0;  ///< inputs of other nodes that it is
        bool is_root = false;
    };
    /// A value of the program: a node, or memory that a call begins with.
    struct place {
        std::uint32_t number;
        bool is_leaf;
        std::uint32_t known;  ///< what the program numbers it
    };

    bool is_next(statement_kind kind, dtype type, const dims& shape, device where,
                 const codegen::sequence<value*>& inputs);
    handle accept(const codegen::sequence<value*>& inputs);
    std::uint32_t node_of(const value& v) const;
    std::uint32_t leaf_of(const handle& h);
    void place_all(const program& p);
    void count_unused_reads();
    bool is_complete(std::span<value* const> roots) const;
    bool is_same_program();
    void hand_out(node& n);
    void let_leaves_go();
    void give_up();
    void clear();

    state state_ = state::idle;
    codegen::sequence<node> nodes_;
    codegen::sequence<std::uint32_t> leaf_of_;  ///< by input of the nodes: which leaf; none: another node
    codegen::sequence<std::uint32_t> roots_;    ///< what is asked for: nodes; none: it is stored
    codegen::sequence<value*> leaves_;          ///< of this call, as far as it has come
    std::size_t next_ = 0;                      ///< nodes that this call has recorded

    codegen::sequence<place> order_;           ///< of the program
    codegen::sequence<std::uint32_t> stored_;  ///< nodes that it stores, in its order
    codegen::sequence<std::uint64_t> key_;     ///< of memory and scalars
    program program_;
    plan_ref plan_;

    codegen::sequence<handle> noted_leaves_;  ///< while it is made
    std::uint64_t first_noted_ = 0;  ///< number of the value that the first node was made for: the others' follow
    int failures_ = 0;  ///< since the last replay: each from the second on doubles the calls until it is tried again
    int calls_ = 0;     ///< since the last failure
};

// The record of the step that this thread is in, or nullptr.
SINTER_INLINE step_record*& this_record() {
    static thread_local step_record* record = nullptr;
    return record;
}

SINTER_INLINE handle known_statement(dtype type, const dims& shape, device where, const statement& s) {
    step_record* const r = this_record();
    return r ? r->match(type, shape, where, s) : handle();
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

SINTER_INLINE bool is_same(const statement& a, const statement& b) {
    switch (a.kind) {
        case statement_kind::view:
        case statement_kind::update: return a.where == b.where;
        case statement_kind::reduce:
        case statement_kind::scan: return a.reduce == b.reduce;
        case statement_kind::gather: return a.gather == b.gather;
        case statement_kind::call: return a.call.packed() == b.call.packed();
        case statement_kind::select:
        case statement_kind::index:
        case statement_kind::empty: return true;
        case statement_kind::expression: break;  // its words are compared
    }
    return false;
}

SINTER_INLINE bool step_record::is_next(statement_kind kind, dtype type, const dims& shape, device where,
                                        const codegen::sequence<value*>& inputs) {
    if (next_ == nodes_.size()) return false;
    const node& n = nodes_[next_];
    const value& v = *n.what;
    // Another thread may have computed it, whom the function gave it to.
    if (!v.pending || v.pending->kind != kind || v.type != type || !(v.where == where) || v.shape != shape)
        return false;
    const codegen::sequence<value*>& expected = v.pending->inputs;
    if (expected.size() != inputs.size()) return false;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::uint32_t leaf = leaf_of_[n.first_edge + i];
        value* const known = leaf == none ? expected[i] : leaves_[leaf];
        if (inputs[i] == known) continue;
        if (leaf == none || known || !is_memory(*inputs[i])) return false;
        leaves_[leaf] = inputs[i];
    }
    return true;
}

SINTER_INLINE handle step_record::accept(const codegen::sequence<value*>& inputs) {
    const node& n = nodes_[next_++];
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (leaf_of_[n.first_edge + i] != none) hold(n.what->pending->inputs[i] = inputs[i]);
    return n.what;
}

SINTER_INLINE handle step_record::match(dtype type, const dims& shape, device where, const statement& s) {
    if (state_ != state::matching) return {};
    if (is_next(s.kind, type, shape, where, s.inputs) && is_same(*nodes_[next_].what->pending, s))
        return accept(s.inputs);
    give_up();
    return {};
}

SINTER_INLINE handle step_record::match(dtype type, const dims& shape, device where,
                                        const codegen::sequence<code>& codes, const codegen::sequence<value*>& inputs,
                                        const codegen::sequence<codegen::scalar_value>& scalars) {
    if (state_ != state::matching) return {};
    if (is_next(statement_kind::expression, type, shape, where, inputs)) {
        statement& s = *nodes_[next_].what->pending;
        const codegen::sequence<code>& known = s.form->codes;
        if (known.size() == codes.size() && s.scalars.size() == scalars.size() &&
            std::memcmp(known.data(), codes.data(), codes.size() * sizeof(code)) == 0) {
            std::copy(scalars.begin(), scalars.end(), s.scalars.begin());
            return accept(inputs);
        }
    }
    give_up();
    return {};
}

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
    handle copy(new value);
    copy->type = v.type, copy->shape = v.shape, copy->where = v.where, copy->symbolic = v.symbolic;
    copy->pending = take_statement();
    *copy->pending = s;
    const auto first_edge = static_cast<std::uint32_t>(leaf_of_.size());
    for (value*& input : copy->pending->inputs) {
        const std::uint32_t n = node_of(*input);
        leaf_of_.push_back(n == none ? leaf_of(handle(input)) : none);
        input = n == none ? nullptr : nodes_[n].what.get();
        if (!input) continue;
        hold(input);
        ++nodes_[n].readers;
    }
    v.noted = first_noted_ + nodes_.size();
    nodes_.push_back({std::move(copy), first_edge});
}

SINTER_INLINE void step_record::close(std::span<value* const> roots) {
    if (state_ != state::noting) return;
    state_ = state::planning;
    for (value* r : roots) roots_.push_back(node_of(*r));
    leaves_.resize(noted_leaves_.size());
    for (std::size_t i = 0; i < leaves_.size(); ++i) leaves_[i] = noted_leaves_[i].get();
    // They are compared only, from here on; whether they are held decides if they may be overwritten.
    noted_leaves_.clear();
}

SINTER_INLINE void step_record::place_all(const program& p) {
    for (const value* v : p.order) {
        std::uint32_t number = v->pending ? node_of(*v) : 0;
        while (!v->pending && number < leaves_.size() && leaves_[number] != v) ++number;
        if (number >= (v->pending ? nodes_.size() : leaves_.size())) return give_up();
        order_.push_back({number, !v->pending, v->number});
    }
}

// Statements that the program leaves out are gone when it is collected; these stay, and read what they read.
SINTER_INLINE void step_record::count_unused_reads() {
    codegen::sequence<bool> used(nodes_.size(), false);
    for (const place& o : order_)
        if (!o.is_leaf) used[o.number] = true;
    for (std::uint32_t k = 0; k < nodes_.size(); ++k)
        for (std::size_t i = 0; !used[k] && i < nodes_[k].what->pending->inputs.size(); ++i)
            for (const place& o : order_)
                if (o.is_leaf && o.number == leaf_of_[nodes_[k].first_edge + i]) ++program_.known[o.known].edges;
}

SINTER_INLINE void step_record::note_program(const program& p) {
    if (state_ == state::noting || (state_ == state::planning && !order_.empty())) return give_up();
    if (state_ != state::planning) return;
    place_all(p);
    // A value that is wanted and not stored would be the next call's as well.
    for (const value* v : p.inlined)
        if (v->handles() > 0) give_up();
    if (state_ != state::planning) return;
    program_ = p;
    collect_memory(program_);
    key_ = program_.key;
    for (const value* v : p.roots) stored_.push_back(node_of(*v));
    for (std::uint32_t k : stored_) nodes_[k].is_root = true;
    for (std::uint32_t k : roots_)
        if (k != none && !nodes_[k].is_root) return give_up();
    count_unused_reads();
    program_.inlined.clear();
    for (value*& leaf : leaves_) leaf = nullptr;
}

SINTER_INLINE void step_record::note_plan(const plan_ref& plan) {
    if (state_ != state::planning || !plan) return;
    plan_ = plan;
}

// Whether all has been recorded, and is wanted as it was: the roots by the function or its caller, the rest by nobody.
SINTER_INLINE bool step_record::is_complete(std::span<value* const> roots) const {
    if (next_ != nodes_.size() || roots.size() != roots_.size()) return false;
    for (std::size_t i = 0; i < roots.size(); ++i)
        if (roots_[i] == none ? !roots[i]->is_stored() : roots[i] != nodes_[roots_[i]].what.get()) return false;
    for (const node& n : nodes_) {
        const std::int32_t handles = n.what->handles();
        if (!n.what->pending || (handles > 1) != n.is_root) return false;
        if (n.what->references() - handles != static_cast<std::int32_t>(n.readers)) return false;
    }
    return true;
}

SINTER_INLINE bool step_record::is_same_program() {
    program& p = program_;
    p.order.clear(), p.scalars.clear(), p.roots.clear();
    for (const place& o : order_) p.order.push_back(o.is_leaf ? leaves_[o.number] : nodes_[o.number].what.get());
    for (std::size_t i = 0; i < p.order.size(); ++i) {
        value& v = *p.order[i];
        if (order_[i].is_leaf && !(v.where == plan_->where)) return false;
        v.number = order_[i].known;  // an array in place of two has one of theirs, and makes another key
        if (v.pending) p.scalars.append(v.pending->scalars.begin(), v.pending->scalars.end());
    }
    for (std::uint32_t k : stored_) p.roots.push_back(nodes_[k].what.get());
    collect_memory(p);
    return p.key == key_ && backend_of(plan_->where) != backend::interpreter;
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
    const handle stored = n.what;
    n.what = handle(new value);
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
    for (std::size_t k = 0; k < next_; ++k) {
        codegen::sequence<value*>& inputs = nodes_[k].what->pending->inputs;
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (leaf_of_[nodes_[k].first_edge + i] != none) let_go(std::exchange(inputs[i], nullptr));
    }
    for (value*& leaf : leaves_) leaf = nullptr;
    next_ = 0;
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
    nodes_.clear(), leaf_of_.clear(), roots_.clear(), leaves_.clear(), order_.clear(), stored_.clear(), key_.clear();
    noted_leaves_.clear();
    plan_ = plan_ref();
    next_ = 0;
}

}  // namespace sinter::inline SINTER_ABI::runtime
