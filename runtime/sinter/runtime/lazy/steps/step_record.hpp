// What a step recorded when it was called last: a call that records the same launches the same plan, which nothing is
// collected or looked up for.
#pragma once

#include <cstdint>
#include <sinter/codegen/base/owner.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/codegen/base/span.hpp>
#include <sinter/codegen/graph/graph.hpp>
#include <sinter/runtime/device/device.hpp>
#include <sinter/runtime/execute/plan_ref.hpp>

namespace sinter::inline SINTER_ABI::runtime {

class handle;
enum class statement_kind : std::uint8_t;
struct code;
struct program;
struct statement;
struct value;

/// A value that is held as statements hold their inputs, without naming it.
class kept_value {
public:
    explicit kept_value(value* v) noexcept;
    kept_value(kept_value&& other) noexcept;
    kept_value& operator=(kept_value&& other) noexcept;
    ~kept_value();
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
    step_record();
    ~step_record();
    step_record(const step_record&) = delete;
    step_record& operator=(const step_record&) = delete;

    /// A call begins; false while another is under way.
    bool begin();
    /// The value of a statement that is recorded, when it is the one that is expected; else none.
    handle match(dtype type, const dims& shape, device where, const statement& s);
    handle match(statement_kind kind, dtype type, const dims& shape, device where, codegen::span<value* const> inputs,
                 const codegen::layout& at);
    handle match(dtype type, const dims& shape, device where, const codegen::sequence<code>& codes,
                 const codegen::sequence<value*>& inputs, const codegen::sequence<codegen::scalar_value>& scalars);
    /// A new value was recorded.
    void note(value& v);
    /// All has been recorded, and these are to be computed.
    void close(codegen::span<value* const> roots);
    /// Whether all was as expected and nothing else is to be computed, so that the known plan computes them from the
    /// known program; if not, the call goes on without.
    bool expects(codegen::span<value* const> roots, bool alone);
    program& known_program() const { return *program_; }
    const plan_ref& known_plan() const { return plan_; }
    /// The plan has run and its roots have been placed.
    void finish_replay();
    /// What was recorded becomes what it would have been, queued, and the call goes on without.
    void give_up();
    /// What is about to run where no plan is known, and its plan once it has.
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

    bool is_next(statement_kind kind, dtype type, const dims& shape, device where, codegen::span<value* const> inputs);
    bool takes_leaves(const node& n, codegen::span<value* const> inputs);
    handle accept(codegen::span<value* const> inputs);
    std::uint32_t node_of(const value& v) const;
    std::uint32_t leaf_of(const handle& h);
    bool place_all(const program& p);
    void count_unused_reads(const program& p);
    bool is_complete(codegen::span<value* const> roots) const;
    bool is_same_program();
    void hand_out(node& n, kept_value fresh);
    void let_leaves_go();
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
    codegen::owner<program> program_;
    plan_ref plan_;

    codegen::sequence<handle> noted_leaves_;  ///< while it is made
    std::uint64_t first_noted_ = 0;  ///< number of the value that the first node was made for: the others' follow
    int failures_ = 0;  ///< since the last replay: each from the second on doubles the calls until it is tried again
    int calls_ = 0;     ///< since the last failure
};

/// The record of the step that this thread is in, or nullptr.
step_record*& this_record();

/// The value of a statement, when this thread records a step that recorded the same at this place of its last call;
/// else none. See step_record.
handle known_statement(dtype type, const dims& shape, device where, const statement& s);
handle known_statement(statement_kind kind, dtype type, const dims& shape, device where,
                       codegen::span<value* const> inputs, const codegen::layout& at);
handle known_statement(dtype type, const dims& shape, device where, const codegen::sequence<code>& codes,
                       const codegen::sequence<value*>& inputs,
                       const codegen::sequence<codegen::scalar_value>& scalars);
/// Called after another statement is recorded.
void note_statement(value& v);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/lazy/steps/step_record.ipp>
#endif
