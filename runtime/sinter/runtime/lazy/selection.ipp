// Bodies of selection.hpp.
#pragma once

#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/compile/backend.hpp>
#include <sinter/runtime/execute/prepared_plan.hpp>
#include <sinter/runtime/lazy/evaluate.hpp>
#include <sinter/runtime/lazy/hot_plan.hpp>
#include <sinter/runtime/lazy/plan_table.hpp>
#include <sinter/runtime/lazy/program.hpp>
#include <sinter/runtime/lazy/selection.hpp>
#include <sinter/runtime/lazy/step_record.hpp>
#include <sinter/runtime/lazy/value.hpp>

namespace sinter::inline SINTER_ABI::runtime {

// A view of what is stored is stored where that is.
SINTER_INLINE bool materialise_view(value& v) {
    if (v.pending->kind != statement_kind::view) return false;
    value& base = *v.pending->inputs[0];
    if (!base.is_stored()) return false;
    std::optional<codegen::layout> at = codegen::composed(base.at, v.pending->where);
    if (!at) return false;
    materialise(v, base.memory, *at);
    return true;
}

SINTER_INLINE void note_read(pending_queue& q) {
    q.last_read = q.next_sequence;
    q.flushed = false;
    q.rolling = 0;
    q.turn = {};
}

// What a loop that reads would otherwise carry along from read to read, in ever new constellations: named values that
// have been pending since before the last read, or, after a flush, all.
SINTER_INLINE void add_stale(codegen::sequence<value*>& roots) {
    pending_queue& q = this_queue();
    bool all = q.flushed, any = q.first && (all || q.first->sequence < q.last_read);
    for (value* v = q.first; any && v; v = v->next) {
        v->stale = all || v->sequence < q.last_read;
        for (const value* input : v->pending->inputs) v->stale = v->stale || (input->pending && input->stale);
        if (v->stale && v->handles() > 0) roots.push_back(v);
    }
    note_read(q);
}

SINTER_INLINE bool has_stale(const pending_queue& q) {
    return q.first && (q.flushed || q.first->sequence < q.last_read);
}

// Whether two expressions are results of the same call.
SINTER_INLINE bool are_siblings(const statement& a, const statement& b) {
    if (!b.form || a.form->codes.size() != b.form->codes.size() || a.inputs != b.inputs || a.scalars != b.scalars)
        return false;
    for (std::size_t i = 0; i < a.form->codes.size(); ++i) {
        code x = a.form->codes[i], y = b.form->codes[i];
        if (x.kind == code::what::invoke) x.detail = y.detail;
        if (!(x == y)) return false;
    }
    return true;
}

// The other results of an expensive function that is called for one of them.
SINTER_INLINE void add_siblings(codegen::sequence<value*>& roots) {
    for (std::size_t i = 0, count = roots.size(); i < count; ++i) {
        if (!roots[i]->pending || !roots[i]->queue || !roots[i]->pending->is_expensive()) continue;
        for (value* v = roots[i]->queue->first; v; v = v->next)
            if (v != roots[i] && v->handles() > 0 && are_siblings(*roots[i]->pending, *v->pending)) roots.push_back(v);
    }
}

// Whether graphs are shown or verified, so that each program is lowered.
SINTER_INLINE bool is_watched() {
    static const bool watched = env().shows("ir") || env().check;
    return watched;
}

SINTER_INLINE selection::selection(std::span<value* const> asked, policy how) : asked_(asked), how_(how) {
    if (!is_watched()) record_ = this_record();
    if (how == policy::only || how == policy::unasked) list(asked);
    else if (how == policy::replay && record_ && record_->expects(asked, !has_stale(this_queue())))
        state_ = state::replay;
    else read();
}

SINTER_INLINE selection::several& selection::more() {
    if (!more_) more_ = std::make_unique<several>();
    return *more_;
}

SINTER_INLINE void selection::read() {
    if (asked_.size() != 1) return read_several();
    value& v = *asked_[0];
    if (v.failure) std::rethrow_exception(v.failure);
    if (!v.pending) {
        state_ = state::done;
        return;
    }
    pending_queue& q = this_queue();
    if (has_stale(q) || v.pending->is_expensive()) return read_several();
    note_read(q);
    state_ = state::single;
}

SINTER_INLINE void selection::read_several() {
    bool any = false;
    for (value* r : asked_) {
        if (r->failure) std::rethrow_exception(r->failure);
        any = any || r->pending;
    }
    if (!any) {
        state_ = state::done;
        return;
    }
    codegen::sequence<value*> all(asked_.begin(), asked_.end());
    add_siblings(all);
    add_stale(all);
    widened_ = all.size() > asked_.size();
    list(all);
}

SINTER_INLINE void selection::list(std::span<value* const> roots) {
    state_ = state::groups;
    codegen::sequence<value*>& rest = more().rest;
    rest.clear();
    for (value* r : roots) {
        bool listed = false;
        for (value* o : rest) listed = listed || o == r;
        if (r->pending && !listed && !materialise_view(*r)) rest.push_back(r);
    }
}

SINTER_INLINE bool selection::next() {
    interprets_ = false;
    switch (state_) {
        case state::done: return false;
        case state::replay: group_ = asked_; return true;
        case state::single:
            state_ = state::done;
            group_ = asked_;
            if (materialise_view(*asked_[0])) return false;
            break;
        case state::alone:
            if (!next_alone()) return next();
            break;
        case state::groups:
            if (!next_group()) return false;
    }
    interprets_ = backend_of(group_[0]->where) == backend::interpreter;
    return true;
}

SINTER_INLINE bool selection::next_group() {
    several& m = more();
    while (!m.rest.empty()) {
        codegen::sequence<value*> others;
        m.together.clear();
        for (value* r : m.rest)
            if (r->pending) (r->where == m.rest[0]->where ? m.together : others).push_back(r);
        m.rest = std::move(others);
        group_ = m.together;
        if (!group_.empty()) return true;
    }
    return false;
}

// Errors of data, such as an index out of range or a singular matrix, belong to the values that depend on them: each
// root is tried alone.
SINTER_INLINE bool selection::next_alone() {
    several& m = more();
    while (m.next_one < m.together.size()) {
        m.one = m.together[m.next_one++];
        group_ = {&m.one, 1};
        if (m.one->pending) return true;
    }
    state_ = state::groups;
    if (m.first) throw_first();
    return false;
}

SINTER_INLINE void selection::throw_first() {
    if (how_ == policy::only || how_ == policy::unasked) std::rethrow_exception(more().first);
    for (value* r : asked_)
        if (r->failure) std::rethrow_exception(r->failure);
    if (asked_[0]->pending) std::rethrow_exception(more().first);
    state_ = state::done;
}

SINTER_INLINE program* selection::replayed_program() const {
    return state_ == state::replay ? &record_->known_program() : nullptr;
}

SINTER_INLINE plan_ref selection::find_plan(program& p) {
    if (state_ == state::replay) return record_->known_plan();
    value& first = *group_[0];
    hot_ = group_.size() == 1 && state_ != state::alone && !is_watched() && !interprets_ &&
           !(record_ && record_->asks_for_program()) && may_be_hot(first);
    if (hot_)
        if (plan_ref known = find_hot(first, p)) {
            hot_ = false;
            return known;
        }
    collect(p, group_, state_ != state::alone);
    if (record_ && state_ != state::alone) record_->note_program(p);
    if (interprets_ || is_watched()) return {};
    plan_ref known = runtime::find_plan(p);
    if (known) count_cache_hit(static_cast<std::int64_t>(known->kernels.size()));
    return known;
}

SINTER_INLINE void selection::finish(program& p, const plan_ref& plan) {
    if (state_ == state::replay) {
        record_->finish_replay();
        note_read(this_queue());
        state_ = state::done;
        return;
    }
    if (record_ && state_ != state::alone) record_->note_plan(plan);
    if (hot_ && plan) remember_hot(*group_[0], plan, p.inputs.size());
    if (!plan) return;
    // Materialising may free what is only inlined, and inputs.
    for (value* v : p.inlined) v->computed_before = true;
    for (value* v : p.roots) materialise(*v);
}

SINTER_INLINE void selection::fail(const error& why) {
    if (state_ == state::replay) {
        // Whoever computes it without a record meets the same error, and knows whose it is.
        record_->give_up();
        return read();
    }
    if (dynamic_cast<const data_error*>(&why)) {
        several& m = more();
        if (state_ == state::alone) {
            if (m.one->pending) runtime::fail(*m.one, std::current_exception());
            if (!m.first) m.first = std::current_exception();
            return;
        }
        if (group_.data() != m.together.data()) m.together = codegen::sequence<value*>(group_.begin(), group_.end());
        m.next_one = 0;
        state_ = state::alone;
        return;
    }
    // What is not asked for must not keep what is from being computed.
    if (!widened_) throw;
    widened_ = false;
    more().first = nullptr;
    list(asked_);
}

}  // namespace sinter::inline SINTER_ABI::runtime
