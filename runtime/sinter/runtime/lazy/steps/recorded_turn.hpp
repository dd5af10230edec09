// Statements over values that stand for others, kept to be recorded again over those; must not know what repeats them.
#pragma once

#include <mutex>
#include <sinter/runtime/lazy/value.hpp>
#include <utility>

namespace sinter::inline SINTER_ABI::runtime {

/// Some results as functions of stand-ins, values without elements: recorded once, and again over each turn's values.
class recorded_turn {
public:
    /// Copies the statements behind the results that depend on a stand-in, and those that are made of numbers alone.
    recorded_turn(codegen::span<const handle> stand_ins, codegen::span<const handle> results);
    ~recorded_turn();
    recorded_turn(const recorded_turn&) = delete;
    recorded_turn& operator=(const recorded_turn&) = delete;

    /// What else they read, the same in each turn: to be given before the first one, which finds it computed.
    codegen::sequence<handle> take_constants() { return std::exchange(constants_, {}); }
    void give_constants(codegen::span<const handle> constants) { constants_ = {constants.begin(), constants.end()}; }
    /// Whether a turn runs another loop, whose results are computed: no step can hold it.
    bool runs_loops() const;
    /// Whether a turn calls a library's routine.
    bool calls_libraries() const;
    /// Whether a stand-in is read, or a result; others need no value.
    bool reads(std::uint32_t stand_in) const;
    /// Appends the results over these values in the stand-ins' places: pending, constants or values that were given.
    void over(codegen::span<const handle> values, codegen::sequence<handle>& results);

private:
    /// A statement whose inputs are the stand-ins, the constants and the steps before it, counted in this order.
    struct step {
        dtype type;
        dims shape;
        device where;
        statement what;  ///< its inputs are those of the last turn, and not counted
        codegen::sequence<std::uint32_t> inputs;
        codegen::sequence<std::uint32_t> done;  ///< steps that nothing behind this one reads
        const std::string* label;
        const call_place* place;
    };
    struct reached;

    static handle record(const step& s);
    handle part_of_loop(const step& s, std::unique_lock<postponing_mutex>& lock);
    void find_last_readers(std::uint32_t first_step);

    codegen::sequence<handle> constants_;
    codegen::sequence<step> steps_;
    codegen::sequence<std::uint32_t> results_;
    // Of a turn while it is recorded; they keep their memory.
    codegen::sequence<value*> now_;
    codegen::sequence<handle> recorded_;
    struct loop_run {
        counted_ref<inner_loop> loop;
        codegen::sequence<handle> state;
    };
    codegen::sequence<loop_run> loops_;
};

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/lazy/steps/recorded_turn.ipp>
#endif
