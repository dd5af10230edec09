// Bodies of loops.hpp.
#pragma once

#include <sinter/user/loops.hpp>
#include <sinter/runtime/report/trace.hpp>

namespace sinter::inline SINTER_ABI::detail {

struct loop_recorder::recording {
    runtime::loop_trace trace;
    codegen::sequence<function_argument> arguments;
};

SINTER_INLINE loop_recorder::loop_recorder(const char* name, std::span<const function_argument> initial,
                                           std::span<const dtype> types)
    : recording_(new recording{runtime::loop_trace(name), {}}) {
    dims shape;
    codegen::sequence<runtime::value*> inputs;
    for (const function_argument& a : initial) {
        recording_->arguments.push_back(a);
        if (!a.array) continue;
        shape = codegen::broadcast_shapes(name, shape, a.array->shape);
        inputs.push_back(a.array.get());
    }
    device where = device_of(name, inputs);
    for (dtype t : types) states_.push_back(recording_->trace.add_state(t, shape, where));
}

SINTER_INLINE loop_recorder::~loop_recorder() = default;

SINTER_INLINE handle loop_recorder::next_turn() const {
    recorder r;
    r.add_input(states_[0]);
    r.add_literal(states_[0]->type, 1);
    r.add_op(codegen::op::add);
    return record(r, states_[0]->type, states_[0]->shape);
}

SINTER_INLINE codegen::sequence<handle> loop_recorder::finish(const handle& condition, std::span<const handle> next) {
    runtime::loop_trace::traced t = recording_->trace.finish(condition, next);
    codegen::sequence<function_argument> arguments = recording_->arguments;
    for (runtime::loop_trace::constant& c : t.constants) arguments.push_back({c.array, c.number});
    return record_invoke(*t.function, arguments);
}

}  // namespace sinter::inline SINTER_ABI::detail
