// Bodies of loops.hpp.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <sinter/array/reading.hpp>
#include <sinter/codegen/base/owner.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/runtime/device/cuda_graph.hpp>
#include <sinter/runtime/lazy/flush.hpp>
#include <sinter/runtime/lazy/steps/step_scope.hpp>
#include <sinter/runtime/lazy/steps/turn_repetition.hpp>
#include <sinter/runtime/report/trace.hpp>
#include <sinter/user/loops.hpp>
#include <utility>

namespace sinter::inline SINTER_ABI::detail {

struct loop_recorder::recording {
    runtime::loop_trace trace;
    codegen::sequence<function_argument> arguments;
    device where;
};

SINTER_INLINE loop_recorder::loop_recorder(const char* name, codegen::span<const function_argument> initial,
                                           codegen::span<const dtype> types)
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

// How often a counted loop goes round.
SINTER_INLINE std::int64_t count_of(const codegen::scalar_value& n) {
    std::int64_t count = 0;
    codegen::convert(n.type, dtype::int64, n.bytes, &count, 1);
    if (n.type == dtype::uint64 && count < 0)
        throw value_error("[for_loop] a loop over whole arrays has at most 9223372036854775807 turns, not " +
                          std::to_string(static_cast<std::uint64_t>(count)));
    return count;
}

/// What a part of a state stays.
struct part_kind {
    dtype type;
    dims shape;
};

/// A loop over whole arrays: each turn is a step, planned once, unless it runs loops itself.
class loop_recorder::whole_loop : public runtime::inner_loop {
public:
    /// With `turns` a counted one: the first part of the state is the turn's number.
    whole_loop(const recording& r, codegen::span<const handle> condition, codegen::span<const handle> next,
               const function_argument* turns)
        : where_(r.where),
          condition_(r.trace.turn(condition)),
          keeps_number_(turns && keeps_number(r, next.subspan(1))),
          next_(r.trace.turn(keeps_number_ || !turns ? next : next.subspan(1))),
          counts_(turns != nullptr),
          parts_(r.arguments.size()) {
        for (const function_argument& a : r.arguments)
            inputs_.push_back(a.array ? a.array : record_scalar(a.number, {}));
        if (turns && turns->array) inputs_.push_back(turns->array);
        else if (turns) turns_ = turns->number;
        has_turns_ = turns && turns->array;
        const codegen::sequence<handle> first = condition_.take_constants(), second = next_.take_constants();
        of_condition_ = first.size();
        inputs_.append(first.begin(), first.end());
        inputs_.append(second.begin(), second.end());
    }

    /// What it is to be run over: the first state, an array of the number of turns, and what turns read.
    codegen::sequence<handle> take_inputs() { return std::exchange(inputs_, {}); }

    void run(codegen::sequence<handle> inputs, codegen::sequence<handle>& results) const override {
        const device_scope on(where_);
        const handle *const begin = inputs.begin(), *const end = inputs.end(), *const own = begin + parts_,
                            *const read = own + (has_turns_ ? 1 : 0), *const rest = read + of_condition_;
        condition_.give_constants({read, rest});
        next_.give_constants({rest, end});
        codegen::sequence<handle> state(begin, own), first(read, end);
        const handle turns = has_turns_ ? *own : handle();
        inputs.clear();
        if (counts_) go_round(state, std::move(first), turns ? count_of(read_item(turns, {})) : count_of(turns_));
        else go_round(state, std::move(first));
        condition_.take_constants();
        next_.take_constants();
        results.append(state.begin(), state.end());
    }

private:
    /// What one turn computes, together: a step, where it can be one.
    class turn {
    public:
        explicit turn(const whole_loop& l) {
            if (!l.condition_.runs_loops() && !l.next_.runs_loops()) step_.emplace(l.memory_);
        }
        void finish(codegen::span<const handle> results, runtime::turn_repetition& loop) {
            if (step_) step_->finish(results, &loop);
            else evaluate(results);
        }

    private:
        std::optional<runtime::step_scope> step_;
    };

    // `first` and the state are computed once, so that all turns find them in memory.
    void go_round(codegen::sequence<handle>& state, codegen::sequence<handle> first) const {
        codegen::sequence<handle> results = state, old;
        condition_.over(state, results);
        first.append(results.begin(), results.end());
        evaluate(first);
        runtime::turn_repetition loop;
        for (first.clear(); is_true(results.back());) {
            turn now(*this);
            std::swap(old, state);
            loop.begin(old, INT64_MAX);
            state.clear();
            next_.over(old, state);
            old.clear();
            results.clear();
            results.append(state.begin(), state.end());
            condition_.over(state, results);
            loop.close(state, &results.back(), 2);
            now.finish(results, loop);
        }
    }
    void go_round(codegen::sequence<handle>& state, codegen::sequence<handle> first, std::int64_t turns) const {
        const dtype type = state[0]->type;
        const bool counts = !keeps_number_ && next_.reads(0);
        const std::size_t lacking = keeps_number_ ? 0 : 1;
        codegen::sequence<handle> old;
        first.append(state.begin() + lacking, state.end());
        evaluate(first);
        first.clear();
        runtime::turn_repetition loop;
        for (std::int64_t i = 0; i < turns; i += 1 + loop.repeated()) {
            turn now(*this);
            std::swap(old, state);
            if (!keeps_number_) old[0] = counts ? number(type, i) : handle();
            loop.begin(old, counts ? 0 : turns - i - 1);
            state.clear();
            if (!keeps_number_) state.push_back(handle());
            next_.over(old, state);
            old.clear();
            loop.close(state, nullptr, 1);
            now.finish({state.begin() + lacking, state.end()}, loop);
        }
    }
    // Whether the turn's number is a part of the state as any other: of turns that read it and that a device may repeat
    // by itself. Else it is a number of each turn's own, which takes no launch.
    static bool keeps_number(const recording& r, codegen::span<const handle> next) {
        if (!r.where.is_cuda() || !runtime::cuda_loop::is_supported(r.where)) return false;
        const runtime::recorded_turn turn = r.trace.turn(next);
        return turn.reads(0) && !turn.runs_loops() && !turn.calls_libraries();
    }
    static bool is_true(const handle& go) { return read_item(go, {}).bytes[0] != 0; }
    static handle number(dtype type, std::int64_t n) {
        codegen::scalar_value v;
        v.type = type;
        codegen::convert(dtype::int64, type, &n, v.bytes, 1);
        return record_scalar(v, {});
    }

    device where_;
    // What a run keeps from turn to turn, and the next run finds.
    mutable runtime::recorded_turn condition_;
    bool keeps_number_;
    mutable runtime::recorded_turn next_;
    mutable runtime::step_memory memory_;
    codegen::sequence<handle> inputs_;
    bool counts_, has_turns_ = false;
    std::size_t parts_, of_condition_ = 0;
    codegen::scalar_value turns_;
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

// The parts of the last state of a loop in the body of another, which is run in each turn of that.
SINTER_INLINE codegen::sequence<handle> record_loop(const runtime::inner_loop& loop,
                                                    const codegen::sequence<handle>& inputs,
                                                    codegen::span<const part_kind> parts, device where) {
    std::lock_guard lock(runtime::runtime_lock());
    const runtime::counted_ref<runtime::inner_loop> held(&loop);
    codegen::sequence<handle> results;
    for (const part_kind& part : parts) {
        runtime::statement s;
        s.kind = runtime::statement_kind::loop;
        s.loop = held;
        s.part = static_cast<std::uint32_t>(results.size());
        for (const handle& h : inputs) s.inputs.push_back(h.get());
        results.push_back(runtime::make_pending(part.type, part.shape, where, std::move(s)));
    }
    return results;
}

// Whether the loop stands in the body of another, and is run over what depends on the state of that.
SINTER_INLINE bool is_inside(const codegen::sequence<handle>& inputs) {
    std::lock_guard lock(runtime::runtime_lock());
    return runtime::this_queue().traces > 0 &&
           codegen::any_of(inputs.begin(), inputs.end(), [](const handle& h) { return runtime::lacks_elements(*h); });
}

SINTER_INLINE codegen::sequence<handle> loop_recorder::run_whole(handle condition, codegen::sequence<handle> next,
                                                                 const function_argument* turns) {
    runtime::require_no_step("a loop over whole arrays is run");
    require_same_shapes(condition, next, turns);
    const device where = recording_->where;
    const device_scope on(where);
    auto loop = codegen::owner(new whole_loop(*recording_, codegen::span<const handle>{&condition, turns ? 0u : 1u},
                                              codegen::span<const handle>{next.begin(), next.end()}, turns));
    condition = handle();
    next.clear();
    codegen::sequence<part_kind> parts;
    for (const handle& s : states_) parts.push_back({s->type, s->shape});
    states_.clear();
    recording_->trace.require_nothing_kept();
    // From here on nothing is recorded without being run, or by the loop around this one.
    recording_.reset();
    codegen::sequence<handle> inputs = loop->take_inputs(), last;
    if (is_inside(inputs)) return record_loop(*loop.release(), inputs, parts, where);
    loop->run(std::move(inputs), last);
    return last;
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
