// What a step recorded when it was called last: a call that records the same launches the same plan, which nothing is
// collected or looked up for.
#pragma once

#include <algorithm>
#include <sinter/runtime/lazy/program.hpp>
#include <sinter/runtime/lazy/value.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// A value that is held as statements hold their inputs, without naming it.
class kept_value {
public:
    explicit kept_value(value* v) noexcept : value_(v) { hold(v); }
    kept_value(kept_value&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
    kept_value& operator=(kept_value&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    ~kept_value() {
        if (value_) let_go(value_);
    }
    value* get() const noexcept { return value_; }
    value* operator->() const noexcept { return value_; }
    value& operator*() const noexcept { return *value_; }

private:
    value* value_;
};

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
    handle match(statement_kind kind, dtype type, const dims& shape, device where, std::span<value* const> inputs,
                 const codegen::layout& at);
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
        kept_value what;
        std::uint32_t first_edge;   ///< into leaf_of_
        std::uint32_t readers = 0;  ///< inputs of other nodes that it is
        bool is_root = false;
        bool reads_leaves = false;
    };
    /// Where the program has memory that a call begins with.
    struct place {
        std::uint32_t leaf;
        std::uint32_t known;  ///< what the program numbers it
    };
    /// An input of a node that is no other node.
    struct leaf_edge {
        std::uint32_t node;
        std::uint32_t input;
    };

    bool is_next(statement_kind kind, dtype type, const dims& shape, device where, std::span<value* const> inputs);
    bool takes_leaves(const node& n, std::span<value* const> inputs);
    handle accept(std::span<value* const> inputs);
    std::uint32_t node_of(const value& v) const;
    std::uint32_t leaf_of(const handle& h);
    bool place_all(const program& p);
    void count_unused_reads(const program& p);
    bool is_complete(std::span<value* const> roots) const;
    bool is_same_program();
    void hand_out(node& n);
    void let_leaves_go();
    void give_up();
    void clear();

    state state_ = state::idle;
    codegen::sequence<node> nodes_;
    codegen::sequence<std::uint32_t> leaf_of_;  ///< by input of the nodes: which leaf; none: another node
    codegen::sequence<leaf_edge> leaf_edges_;   ///< those that are leaves
    codegen::sequence<std::uint32_t> roots_;    ///< what is asked for: nodes; none: it is stored
    codegen::sequence<value*> leaves_;          ///< of this call, as far as it has come
    std::size_t next_ = 0;                      ///< nodes that this call has recorded

    codegen::sequence<place> places_;            ///< in the program's order
    codegen::sequence<std::uint32_t> numbered_;  ///< nodes that have its scalars, in its order
    codegen::sequence<std::uint32_t> stored_;    ///< nodes that it stores, in its order
    codegen::sequence<std::uint64_t> key_;       ///< of memory and exponents
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

SINTER_INLINE handle known_statement(statement_kind kind, dtype type, const dims& shape, device where,
                                     std::span<value* const> inputs, const codegen::layout& at) {
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
    kept_value copy(new value);
    copy->type = v.type, copy->shape = v.shape, copy->where = v.where, copy->symbolic = v.symbolic;
    copy->pending = take_statement();
    *copy->pending = s;
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

SINTER_INLINE void step_record::close(std::span<value* const> roots) {
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
                ++program_.known[o.known].edges;
}

SINTER_INLINE void step_record::note_program(const program& p) {
    if (state_ == state::noting || (state_ == state::planning && !stored_.empty())) return give_up();
    if (state_ != state::planning) return;
    if (!place_all(p)) return give_up();
    // A value that is wanted and not stored would be the next call's as well.
    for (const value* v : p.inlined)
        if (v->handles() > 0) return give_up();
    program_ = p;
    collect_memory(program_);
    key_ = program_.key;
    for (const value* v : p.roots) stored_.push_back(node_of(*v));
    for (std::uint32_t k : stored_) nodes_[k].is_root = true;
    for (std::uint32_t k : roots_)
        if (k != none && !nodes_[k].is_root) return give_up();
    count_unused_reads(p);
    program_.inlined.clear();
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
    nodes_.clear(), leaf_of_.clear(), roots_.clear(), leaves_.clear(), stored_.clear(), key_.clear();
    leaf_edges_.clear(), places_.clear(), numbered_.clear(), noted_leaves_.clear();
    plan_ = plan_ref();
    next_ = 0;
}

}  // namespace sinter::inline SINTER_ABI::runtime
