// Bodies of step_scope.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/runtime/execute/replay.hpp>
#include <sinter/runtime/lazy/evaluate.hpp>
#include <sinter/runtime/lazy/steps/step_record.hpp>
#include <sinter/runtime/lazy/steps/step_scope.hpp>
#include <sinter/runtime/lazy/value.hpp>

#include <mutex>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE step_scope*& this_step() {
    static thread_local step_scope* step = nullptr;
    return step;
}

SINTER_INLINE void require_no_step(const char* what) {
    if (this_step())
        throw value_error(codegen::joined(
            {"[graph] ", what,
             " while a step is recorded: what a step computes may not depend on the data, read its results instead"}));
}

SINTER_INLINE step_memory::~step_memory() { delete record_; }

SINTER_INLINE step_scope::step_scope(step_memory& m) : outer_(this_step()) {
    if (!outer_) {
        std::lock_guard lock(runtime_lock());
        // The end of the record, which cannot fail, may need it.
        this_queue();
        if (!m.record_) m.record_ = new step_record;
        if (m.record_->begin()) this_record() = record_ = m.record_;
    }
    this_step() = this;
}

SINTER_INLINE step_scope::~step_scope() {
    if (is_open_) this_step() = outer_;
    if (!record_) return;
    std::lock_guard lock(runtime_lock());
    record_->end();
    this_record() = nullptr;
}

SINTER_INLINE void step_scope::defer(codegen::span<value* const> roots) {
    for (value* r : roots) waiting_.push_back(handle(r));
}

SINTER_INLINE void step_scope::finish(codegen::span<const handle> results, turn_repetition* loop) {
    this_step() = outer_;
    is_open_ = false;
    waiting_.append(results.begin(), results.end());
    codegen::sequence<value*> roots;
    for (const handle& h : waiting_) roots.push_back(h.get());
    if (outer_) return evaluate(roots, policy::request);
    replay_scope replayed(true);
    std::lock_guard lock(runtime_lock());
    if (record_) record_->close(roots);
    evaluate(roots, loop ? policy::turn : record_ ? policy::replay : policy::read, loop);
}

}  // namespace sinter::inline SINTER_ABI::runtime
