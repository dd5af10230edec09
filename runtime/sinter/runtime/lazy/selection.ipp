// Bodies of selection.hpp.
#pragma once

#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/base/owner.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/compile/backend.hpp>
#include <sinter/runtime/execute/prepared_plan.hpp>
#include <sinter/runtime/lazy/evaluate.hpp>
#include <sinter/runtime/lazy/hot_plan.hpp>
#include <sinter/runtime/lazy/plan_table.hpp>
#include <sinter/runtime/lazy/program.hpp>
#include <sinter/runtime/lazy/selection.hpp>
#include <sinter/runtime/lazy/steps/step_record.hpp>
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

SINTER_INLINE bool has_stale(const pending_queue& q) {
    return q.first && (q.flushed || q.first->sequence < q.last_read);
}

// Whether the value is computed from what was pending at the last read and was recorded at the same place since the
// read before, or had itself been computed from what was pending then: what a loop that reads would otherwise carry
// along from read to read, in ever new constellations.
SINTER_INLINE bool is_carried(const value& v, const pending_queue& q) {
    codegen::sequence<const value*> behind{&v};
    for (std::size_t i = 0; i < behind.size(); ++i)
        for (const value* input : behind[i]->pending->inputs) {
            if (!input->pending || !input->stale) continue;
            if (input->sequence >= q.last_read) {
                if (codegen::find(behind.begin(), behind.end(), input) == behind.end()) behind.push_back(input);
            } else if (input->crosses || input->context == v.context) return true;
        }
    return false;
}

// Named values that a loop carries along, or, after a flush, all. Others stay pending, however old they are.
SINTER_INLINE codegen::sequence<value*> carried() {
    const pending_queue& q = this_queue();
    codegen::sequence<value*> roots;
    for (value* v = has_stale(q) ? q.first : nullptr; v; v = v->next) {
        const bool is_old = v->sequence < q.last_read;
        v->stale = is_old;
        for (const value* input : v->pending->inputs) v->stale = v->stale || (input->pending && input->stale);
        if (!is_old) v->crosses = v->stale;
        if (v->handles() > 0 && (q.flushed || (!is_old && v->stale && is_carried(*v, q)))) roots.push_back(v);
    }
    return roots;
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
SINTER_INLINE void add_siblings(codegen::span<value* const> asked, codegen::sequence<value*>& roots) {
    for (value* r : asked) {
        if (!r->pending || !r->queue || !r->pending->is_expensive()) continue;
        for (value* v = r->queue->first; v; v = v->next)
            if (v != r && v->handles() > 0 && are_siblings(*r->pending, *v->pending)) roots.push_back(v);
    }
}

SINTER_INLINE codegen::sequence<value*> read_together(value& root) {
    value* const asked = &root;
    codegen::sequence<value*> listed{&root}, all;
    const codegen::sequence<value*> old = carried();
    listed.append(old.begin(), old.end());
    add_siblings({&asked, 1}, listed);
    for (value* v : listed)
        if (v->where == root.where && v->pending && codegen::find(all.begin(), all.end(), v) == all.end() &&
            !materialise_view(*v))
            all.push_back(v);
    return all;
}

// Whether graphs are shown or verified, so that each program is lowered.
SINTER_INLINE bool is_watched() {
    static const bool watched = env().shows("ir") || env().check;
    return watched;
}

SINTER_INLINE selection::selection(codegen::span<value* const> asked, policy how) : asked_(asked), how_(how) {
    if (!is_watched()) record_ = this_record();
    if (how == policy::only || how == policy::unasked) list(asked);
    else if ((how == policy::replay || how == policy::turn) && record_ && record_->expects(asked, carried().empty()))
        state_ = state::replay;
    else read();
}

SINTER_INLINE selection::several& selection::more() {
    if (!more_) more_ = codegen::owner(new several());
    return *more_;
}

SINTER_INLINE void selection::read() {
    bool any = false;
    for (value* r : asked_) {
        if (r->failure) std::rethrow_exception(r->failure);
        any = any || r->pending;
    }
    if (!any) {
        state_ = state::done;
        return;
    }
    codegen::sequence<value*> others = carried();
    add_siblings(asked_, others);
    note_read(this_queue());
    widened_ = !others.empty();
    if (asked_.size() == 1 && !widened_) {
        state_ = state::single;
        return;
    }
    codegen::sequence<value*> all(asked_.begin(), asked_.end());
    all.append(others.begin(), others.end());
    list(all);
}

SINTER_INLINE void selection::list(codegen::span<value* const> roots) {
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
    else throw_failure_of_asked();
    return false;
}

SINTER_INLINE void selection::throw_failure_of_asked() const {
    for (value* r : asked_)
        if (r->failure) std::rethrow_exception(r->failure);
}

SINTER_INLINE void selection::throw_first() {
    if (how_ == policy::only || how_ == policy::unasked) std::rethrow_exception(more().first);
    throw_failure_of_asked();
    if (asked_[0]->pending) std::rethrow_exception(more().first);
    state_ = state::done;
}

SINTER_INLINE program* selection::replayed_program() const {
    return state_ == state::replay ? &record_->known_program() : nullptr;
}

// What is tried again needs its operands.
SINTER_INLINE overwriting selection::may_overwrite() const {
    if (state_ == state::alone) return overwriting::nothing;
    return how_ == policy::turn && !widened_ ? overwriting::operands : overwriting::of_what_cannot_fail;
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
    collect(p, group_, may_overwrite());
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
    throw_failure_of_asked();
    widened_ = false;
    more().first = nullptr;
    list(asked_);
}

}  // namespace sinter::inline SINTER_ABI::runtime
