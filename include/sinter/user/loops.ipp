// Bodies of loops.hpp.
#pragma once

#include <sinter/array/reading.hpp>
#include <sinter/runtime/lazy/steps/step_scope.hpp>
#include <sinter/runtime/report/trace.hpp>
#include <sinter/user/loops.hpp>

namespace sinter::inline SINTER_ABI::detail {

struct loop_recorder::recording {
    runtime::loop_trace trace;
    codegen::sequence<function_argument> arguments;
    device where;
};

SINTER_INLINE loop_recorder::loop_recorder(const char* name, std::span<const function_argument> initial,
                                           std::span<const dtype> types)
    : name_(name), recording_(new recording{runtime::loop_trace(name), {}, {}}) {
    codegen::sequence<runtime::value*> inputs;
    for (const function_argument& a : initial) {
        recording_->arguments.push_back(a);
        if (a.array) inputs.push_back(a.array.get());
    }
    recording_->where = device_of(name, inputs);
    for (std::size_t i = 0; i < types.size(); ++i) {
        const dims shape = initial[i].array ? initial[i].array->shape : dims();
        states_.push_back(recording_->trace.add_state(types[i], shape, recording_->where));
    }
}

SINTER_INLINE loop_recorder::~loop_recorder() = default;

SINTER_INLINE handle loop_recorder::next_turn() const {
    recorder r;
    r.add_input(states_[0]);
    r.add_literal(states_[0]->type, 1);
    r.add_op(codegen::op::add);
    return record(r, states_[0]->type, states_[0]->shape);
}

/// A loop over whole arrays: each turn is a step, planned once.
class loop_recorder::whole_loop {
public:
    whole_loop(const runtime::loop_trace& trace, std::span<const handle> condition, std::span<const handle> next)
        : condition_(trace.turn(condition)), next_(trace.turn(next)) {}

    /// The last state, computed.
    codegen::sequence<handle> run(codegen::sequence<handle> state) {
        codegen::sequence<handle> results = state, old;
        condition_.over(state, results);
        for (start(results); is_true(results.back());) {
            runtime::step_scope step(memory_);
            std::swap(old, state);
            next_.over(old, state);
            old.clear();
            results.clear();
            results.append(state.begin(), state.end());
            condition_.over(state, results);
            step.finish(results, true);
        }
        return state;
    }
    /// The same for a number of turns; the first part of the state is the turn's number, and `next` lacks it.
    codegen::sequence<handle> run(codegen::sequence<handle> state, std::int64_t turns) {
        const dtype type = state[0]->type;
        const bool counts = next_.reads(0);
        codegen::sequence<handle> old;
        start({state.begin() + 1, state.end()});
        for (std::int64_t i = 0; i < turns; ++i) {
            runtime::step_scope step(memory_);
            std::swap(old, state);
            old[0] = counts ? number(type, i) : handle();
            state.push_back(handle());
            next_.over(old, state);
            old.clear();
            step.finish({state.begin() + 1, state.end()}, true);
        }
        return state;
    }

private:
    // What turns read is computed once, so that all of them find it in memory.
    void start(codegen::sequence<handle> first) {
        for (const runtime::recorded_turn* t : {&condition_, &next_})
            first.append(t->constants().begin(), t->constants().end());
        evaluate(first);
    }
    static bool is_true(const handle& go) { return read_item(go, {}).bytes[0] != 0; }
    static handle number(dtype type, std::int64_t n) {
        codegen::scalar_value v;
        v.type = type;
        codegen::convert(dtype::int64, type, &n, v.bytes, 1);
        return record_scalar(v, {});
    }

    runtime::recorded_turn condition_, next_;
    runtime::step_memory memory_;
};

SINTER_INLINE void loop_recorder::require_same_shapes(const handle& condition, const codegen::sequence<handle>& next,
                                                      const function_argument* turns) const {
    const std::string begin = "[" + std::string(name_) + "] ";
    if (turns && turns->array && !turns->array->shape.empty())
        throw shape_error(begin + "a loop over whole arrays has one number of turns, not an array of shape " +
                          to_string(turns->array->shape));
    if (!turns && !condition->shape.empty())
        throw shape_error(begin + "the condition of a loop over whole arrays is one bool, not an array of shape " +
                          to_string(condition->shape) + ": reduce it by any or all");
    for (std::size_t i = turns ? 1 : 0; i < next.size(); ++i)
        if (next[i]->shape != states_[i]->shape)
            throw shape_error(begin + "a loop over whole arrays keeps the shapes of its state, but a turn makes " +
                              to_string(next[i]->shape) + " of part " + std::to_string(turns ? i - 1 : i) +
                              ", which begins as " + to_string(states_[i]->shape));
}

// How often a counted loop goes round.
SINTER_INLINE std::int64_t count_of(const function_argument& turns) {
    const codegen::scalar_value n = turns.array ? read_item(turns.array, {}) : turns.number;
    std::int64_t count = 0;
    codegen::convert(n.type, dtype::int64, n.bytes, &count, 1);
    if (n.type == dtype::uint64 && count < 0)
        throw value_error("[for_loop] a loop over whole arrays has at most 9223372036854775807 turns, not " +
                          std::to_string(static_cast<std::uint64_t>(count)));
    return count;
}

SINTER_INLINE codegen::sequence<handle> loop_recorder::run_whole(handle condition, codegen::sequence<handle> next,
                                                                 const function_argument* turns) {
    runtime::require_no_step("a loop over whole arrays is run");
    require_same_shapes(condition, next, turns);
    whole_loop loop(recording_->trace, {&condition, turns ? 0u : 1u}, {next.begin() + (turns ? 1 : 0), next.end()});
    condition = handle();
    next.clear();
    states_.clear();
    recording_->trace.require_nothing_kept();
    const device_scope on(recording_->where);
    codegen::sequence<handle> state;
    for (const function_argument& a : recording_->arguments)
        state.push_back(a.array ? a.array : record_scalar(a.number, {}));
    // From here on nothing is recorded without being run.
    recording_.reset();
    return turns ? loop.run(std::move(state), count_of(*turns)) : loop.run(std::move(state));
}

SINTER_INLINE codegen::sequence<handle> loop_recorder::finish(handle condition, codegen::sequence<handle> next,
                                                              const function_argument* turns) {
    if (!recording_->trace.is_elementwise(condition, next))
        return run_whole(std::move(condition), std::move(next), turns);
    runtime::loop_trace::traced t = recording_->trace.finish(condition, next);
    condition = handle();
    next.clear();
    states_.clear();
    recording_->trace.require_nothing_kept();
    codegen::sequence<function_argument> arguments = recording_->arguments;
    for (runtime::loop_trace::constant& c : t.constants) arguments.push_back({c.array, c.number});
    return record_invoke(*t.function, arguments);
}

}  // namespace sinter::inline SINTER_ABI::detail
