// Which values an evaluation computes together, which plan is at hand for them, and what it tries after an error; must
// not know how plans are made and run.
#pragma once

#include <cstdint>
#include <exception>
#include <sinter/codegen/base/owner.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/codegen/base/span.hpp>
#include <sinter/runtime/execute/plan_ref.hpp>

namespace sinter::inline SINTER_ABI {
struct error;
}  // namespace sinter::inline SINTER_ABI

namespace sinter::inline SINTER_ABI::runtime {

struct pending_queue;
class step_record;
struct program;
struct value;
enum class overwriting : std::uint8_t;
enum class policy : std::uint8_t;

/// What an evaluation has yet to compute: groups of pending values, each on one device. runtime_lock() is held.
class selection {
public:
    /// Throws what an asked value has failed with.
    selection(codegen::span<value* const> asked, policy how);
    selection(const selection&) = delete;
    selection& operator=(const selection&) = delete;

    /// Goes on to the next group; false when nothing is left. Throws the errors of data that belong to what was asked,
    /// or the first one where nobody reads what was.
    bool next();
    codegen::span<value* const> group() const { return group_; }
    /// Whether the group is computed by the interpreter.
    bool interprets() const { return interprets_; }

    /// The program of the step that is replayed, or nullptr.
    program* replayed_program() const;
    /// The plan of the group, as far as one is at hand; else the program is what has been collected of it.
    plan_ref find_plan(program& p);
    /// The group's roots have been placed by the plan.
    void finish(program& p, const plan_ref& plan);
    /// The error that is being handled kept the group from being computed: says what is tried instead, or throws it.
    void fail(const error& why);

private:
    enum class state : std::uint8_t { single, replay, groups, alone, done };

    /// What only several groups and errors need.
    struct several {
        codegen::sequence<value*> rest, together;  ///< what is left; the group, or those that are tried alone
        std::exception_ptr first;                  ///< error of those
        value* one = nullptr;
        std::size_t next_one = 0;
    };

    void read();
    void list(codegen::span<value* const> roots);
    bool next_group();
    bool next_alone();
    void throw_first();
    void throw_failure_of_asked() const;
    overwriting may_overwrite() const;
    several& more();

    codegen::span<value* const> asked_, group_;
    step_record* record_ = nullptr;
    policy how_;
    state state_ = state::groups;
    bool widened_ = false;  ///< computes more than what was asked for
    bool hot_ = false;      ///< its plan is to be remembered with its form
    bool interprets_ = false;
    codegen::owner<several> more_;
};

/// The pending values that a read of this one has to compute, itself and what is computed with it.
codegen::sequence<value*> read_together(value& root);

/// A read begins anew what loops are recognised by, so that a program that runs again is cut at the same places.
void note_read(pending_queue& q);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/lazy/selection.ipp>
#endif
