// Bodies of open_expression.hpp.
#pragma once

#include <sinter/distributed/elements/idle_list.hpp>
#include <sinter/distributed/elements/open_expression.hpp>
#include <sinter/runtime/lazy/label.hpp>
#include <sinter/runtime/lazy/steps/step_scope.hpp>
#include <sinter/runtime/memory/memory_pool.hpp>
#include <utility>

namespace sinter::inline SINTER_ABI::detail {

inline void delete_expression(open_expression* e) { delete e; }
using idle_expressions = idle_list<open_expression, delete_expression>;

SINTER_INLINE open_ref begin_expression() {
    open_expression* const idle = idle_expressions::of_thread().take();
    open_ref e(idle ? idle : new open_expression);
    e->label = runtime::this_label;
    return e;
}

SINTER_INLINE void end_of_expression::operator()(open_expression* e) const noexcept {
    e->words.codes.clear();
    e->words.inputs.clear();
    e->words.scalars.clear();
    e->held.clear();
    idle_expressions::of_thread().keep(e);
}

// Statements may have the line where they are written; those that read memory of others run there, and those of a step
// belong to it.
SINTER_INLINE bool may_stay_open() {
    return !runtime::places_are_kept.load(std::memory_order_relaxed) && !runtime::this_step() &&
           !runtime::imports_exist().load(std::memory_order_relaxed);
}

SINTER_INLINE void open_expression::hold_inputs() {
    for (std::size_t i = held.size(); i < words.inputs.size(); ++i) {
        held.push_back(handle(words.inputs[i]));
        if (!(held[i]->where == held[0]->where)) static_cast<void>(device_of("expression", words.inputs));
    }
}

SINTER_INLINE handle open_expression::close(dtype type) const {
    if (words.codes.size() == 1 && !held.empty()) return held[0];
    const std::string* const here = std::exchange(runtime::this_label, label);
    try {
        handle h = record(words, type, shape);
        runtime::this_label = here;
        return h;
    } catch (...) {
        runtime::this_label = here;
        throw;
    }
}

SINTER_INLINE void open_expression::flatten(recorder& into) const {
    using what = runtime::code::what;
    for (const runtime::code& c : words.codes)
        if (c.kind == what::input) into.add_input(held[c.number]);
        else if (c.kind == what::scalar) into.add_scalar(words.scalars[c.number]);
        else into.codes.push_back(c);
}

}  // namespace sinter::inline SINTER_ABI::detail
